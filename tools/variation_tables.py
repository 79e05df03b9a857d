"""What the soak measured of motion variation, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from soak_tables import Result, Row, table

KINDS = ("walk", "jump", "breast stroke", "jumping jack")
CLASSIFIERS = ("clip, linear", "clip, trees", "windows, linear", "windows, trees")
WAYS = ("by parts", "as printed")  # of judging inputs
WATCHED = "windows, trees"  # the classifier whose grounds are told


def told_apart(result: Result) -> str:
    """Return how well each way of making motions is told from captures, a table for each kind."""
    blocks = []
    for kind in KINDS:
        rows = dict(_rows(result, "told apart", kind))
        if not rows:
            continue
        real = rows["real"]
        lines = []
        for generator, row in rows.items():
            name = "real against real" if generator == "real" else generator
            if "impossible" in row:
                lines.append(f"{name} | none: {row['impossible']}" + " |" * (len(CLASSIFIERS) + 2))
                continue
            cells = [_told(row[classifier]) for classifier in CLASSIFIERS]
            most = max((row[classifier] for classifier in CLASSIFIERS), key=lambda one: one["auc"])
            sees = "" if generator == "real" else _grounds(row[WATCHED]["goes by"], real[WATCHED]["goes by"])
            tried = f"{row[WATCHED]['made']} + {row[WATCHED]['real']}"
            lines.append(" | ".join((name, tried, *cells, f"{most['auc']:.2f} ({_span(most['auc_interval'])})", sees)))
        head = (
            f"{kind}: made from | made + real tried | {' | '.join(CLASSIFIERS)} | largest AUC | goes by, beyond real's"
        )
        blocks.append(table(head, lines))
    return "\n".join(blocks)


def ranks(result: Result) -> str:
    """Return how unseen captures rank among new motions."""
    lines, measures = [], []
    for kind in KINDS:
        for generator, row in _rows(result, "ranks", kind):
            if row["cycles"] == 0:
                lines.append(f"{kind}, {generator} | none can be made")
                continue
            measures = [name for name, value in row.items() if isinstance(value, dict)]
            cells = [f"{row[m]['rank']:.2f} ({_span(row[m]['interval'])}), p {row[m]['p']:.2g}" for m in measures]
            lines.append(" | ".join((f"{kind}, {generator} | {row['cycles']}, {row['comparisons']}", *cells)))
    return table(" | ".join(("rank of captures among | cycles, comparisons", *measures)), lines) if lines else ""


def repeats(result: Result) -> str:
    """Return how far cycles are from the nearest other one, and how many repeat."""
    lines = []
    for kind in KINDS:
        for _, row in _rows(result, "repeats", kind):
            share = row["variants"]["median_cm"] / row["inputs"]["median_cm"]
            endless = row.get("endless")
            lines.append(
                f"{kind} | {row['inputs']['median_cm']:.1f} cm | {row['variants']['median_cm']:.1f} cm | {share:.2f} "
                f"| {row['to inputs']['median_cm']:.1f} cm | {_repeats(endless) if endless else '–'} "
                f"| {_repeats(row['variants'])} | {_repeats(row['cycle animation'])}"
            )
    return table(
        "to the nearest other, median | inputs | variants | share | variants to inputs | repeats in an endless motion "
        "| among variants | in cycle animation",
        lines,
    )


def physical(result: Result) -> str:
    """Return foot slide, ranges and accelerations against the inputs'."""
    lines = []
    for kind in KINDS:
        for generator, row in _rows(result, "physical", kind):
            slide, given = row["foot_slide_cm_s"], row["input_foot_slide_cm_s"]
            slides = "– | –" if slide is None else f"{slide:.1f} | {given:.1f}"
            lines.append(
                f"{kind}, {generator} | {slides} "
                f"| {100.0 * row['farthest_beyond_range']:.0f} % ({row['farthest_beyond_range_of']}) "
                f"| {row['highest_acceleration_ratio']:.2f} ({row['highest_acceleration_ratio_of']})"
            )
    return table(
        "constraints on | feet slide, cm/s | in the inputs | joint ranges exceeded by | accelerations, ratio",
        lines,
    )


def _rows(result: Result, what: str, kind: str) -> Iterator[tuple[str, Row]]:
    """Return the rows of one measurement of one kind, by what motions were made from, as the soak orders them."""
    found = {name.split(": ")[2]: row for name, row in result["rows"].items() if name.startswith(f"{what}: {kind}: ")}
    order = ("real", "registered", "registered, feet free", "stable", "paper")
    yield from sorted(found.items(), key=lambda one: order.index(one[0]) if one[0] in order else len(order))


def _told(found: Row) -> str:
    """Return accuracy with its interval, then the area under the curve."""
    low, high = found["accuracy_interval"]
    return f"{found['accuracy']:.0%} ({100 * low:.0f}–{100 * high:.0f}), {found['auc']:.2f}".replace("%", " %")


def _grounds(own: dict[str, Any], real: dict[str, Any]) -> str:
    """Return the sort of feature that counts most beyond what it does in real against real, with examples."""
    gains = {sort: share - real["sorts"].get(sort, 0.0) for sort, share in own["sorts"].items()}
    sort = max(gains, key=lambda one: gains[one])
    named = [name.removeprefix(f"{sort} of ") for name in own["features"] if name.startswith(f"{sort} of ")]
    return sort + (f" ({', '.join(named[:2])})" if named else "")


def _repeats(row: Row) -> str:
    return f"{row['repeats']} of {row['count']}"


def _span(interval: list[float]) -> str:
    return f"{interval[0]:.2f}–{interval[1]:.2f}"


def screening(result: Result) -> str:
    """Return how many of which walks the test of inputs drops."""
    counts = result["counts"]
    kinds = dict.fromkeys(name.split(": ")[1] for name in counts if name.endswith(": judged"))
    lines = []
    for kind in kinds:
        cells = [f"{counts.get(f'{way}: {kind}: dropped', 0)} of {counts[f'{way}: {kind}: judged']}" for way in WAYS]
        lines.append(f"{kind} | {' | '.join(cells)}")
    told = table("dropped | by parts | as printed", lines)
    for what, words in (
        ("not dropped", "Not dropped, by parts"),
        ("not kept", "Dropped, by parts, though as they are"),
    ):
        names = [
            f"{name.partition(': ')[2]} ({count})" for name, count in counts.items() if name.startswith(f"{what}: ")
        ]
        told += f"\n{words}: {'; '.join(names) or 'none'}.\n"
    return told
