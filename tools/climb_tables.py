"""What the soak found about climbs, in Markdown: a function for each block that a page of the docs may ask for."""

from __future__ import annotations

from typing import Any

from soak_tables import table

from gambol.climb.kernels.comfort import HEURISTICS, USAGE
from gambol.climb.modes import ALLOWED, LEAST_HELD, Mode
from gambol.climb.stances import machine

Result = dict[str, Any]
Row = dict[str, Any]

#: Figure 1 of the paper, on a machine of 266 MHz [KP00 4].
PAPER_TIME, PAPER_FRAMES = "10 to 15 min", "about 1,400"
FIGURE_1 = "climb-course"


def edges() -> str:
    """Return the machine of modes, edge by edge, as a Markdown table."""
    rows = (
        f"{edge.source.label} → {edge.target.label} | {edge.cost:g} | {edge.when} | {edge.action}"
        for edge in machine.EDGES
    )
    others = (
        f"turning round | {machine.TURN_COST:g} | both feet on one point of a floor | a turn on the spot",
        f"letting go | {machine.RELEASE_COST:g} | enough is held without it | a limb lets go, the mode stays",
    )
    return table("edge | cost, m | when | what is done", (*rows, *others), numbers=False)


def limbs() -> str:
    """Return what limbs may hold in each mode, and the least held, as a Markdown table."""
    rows = []
    for mode in Mode:
        hands, feet = (", ".join(sorted(kinds)) or "nothing" for kinds in ALLOWED[mode])
        least_hands, least_feet, both = LEAST_HELD[mode]
        least = [f"{least_hands} hand"] * (least_hands > 0) + [f"{least_feet} foot"] * (least_feet > 0)
        least += [f"{both} in all"] * (both > least_hands + least_feet)
        rows.append(f"{mode.label} | {hands} | {feet} | {', '.join(least)}")
    return table("mode | hands hold | feet hold | at least", rows, numbers=False)


def usage() -> str:
    """Return how much each heuristic of comfort counts in each mode, as a Markdown table."""
    rows = (
        " | ".join((name, *(f"{power:g}" if power else "" for power in row)))
        for name, row in zip(HEURISTICS, USAGE, strict=True)
    )
    return table(" | ".join(("usage", *(mode.label for mode in Mode))), rows)


def seeds(result: Result) -> str:
    """Return what both cores find, beside what the paper says of its own, as a Markdown table."""
    limits = {core: run["limit_s"] for core, run in result["runs"].items()}
    rows = []
    for scene in result["scenes"]:
        ours, paper = (result["rows"].get(f"{scene}, {core}") for core in ("stances", "paper"))
        if ours is None:
            continue
        kp00 = f"{PAPER_TIME}, {PAPER_FRAMES} frames" if scene == FIGURE_1 else "–"
        rows.append(
            f"{scene} | {_found(ours)} | {_time(ours, 'median')} | {_time(ours, 'p95')} | {_time(ours, 'most')} "
            f"| {_middle(ours, 'tries')} | {_middle(ours, 'frames')} | {_found(paper)} | {_time(paper, 'median')} "
            f"| {_middle(paper, 'frames')} | {kp00}"
        )
    columns = (
        "scene | stances: found | median | 95 % | slowest | changes of grasp tried | frames "
        "| paper's core: found | median | frames | KP00"
    )
    told = ", ".join(f"{limit:g} s each for {core}" for core, limit in limits.items())
    return table(columns, rows) + f"\nTimes are of the search alone, on one core; at most {told}.\n" + _reasons(result)


def judged(result: Result) -> str:
    """Return what the judge says of what both cores deliver, as a Markdown table."""
    rows = []
    for name, row in _ordered(result):
        share = row["infeasible_frames"] / max(row["all_frames"], 1)
        rows.append(
            f"{name} | {row['clean']} of {row['delivered']} | {_depth(row['entry_mm'])} | {row['drift_mm']:.2f} mm "
            f"| {max(row['over_limit_rad'], 0.0):.0e} rad | {row['illegal']} | {share:.2%} "
            f"| {_percent(row['gravity_share'].get('most'))} | {row['body_clean']} of {row['bodies']} "
            f"| {_depth(row['body_entry_cm'], 'cm')} | {row['body_slide_cm']:.2f} cm"
        )
    columns = (
        "scene, core | clean | deepest in a polygon | held points drift | beyond joint limits | illegal "
        "| frames gravity forbids | worst climb | bodies clean | deepest | slide"
    )
    return table(columns, rows)


def smoothing(result: Result) -> str:
    """Return what smoothing does to joint travel, foot arcs and arm swing, as a Markdown table."""
    rows = [
        f"{name} | {_middle(row, 'travel_planned')} | {_middle(row, 'travel_delivered')} | {row['travel_kept']:.0%} "
        f"| {_pair(row, 'lift', 100.0, 'cm')} | {_pair(row, 'arm_swing', 1.0, 'rad')} "
        f"| {row['smooth_s'].get('median', 0.0):.2f} s | {row['duration_s'].get('median', 0.0):.1f} s"
        for name, row in _ordered(result)
        if row["found"]
    ]
    columns = (
        "scene, core | joint travel planned, rad | delivered | kept | foot lift before, after "
        "| arm swing before, after | smoothed in | lasts"
    )
    return table(columns, rows)


def random(result: Result) -> str:
    """Return what random courses come to, as a sentence and a Markdown table by the pieces of courses."""
    counts, worst = result["counts"], result["worst"]
    delivered = counts["delivered"]
    told = (
        f"Of {result['inputs']} random courses {result['accepted']} are found within {result['max_stances']:,} changes "
        f"of grasp and {result['limit_s']:g} s; the others end half-way, or have no way. Of the {delivered} motions "
        f"delivered, found or not, {counts['hard_limits_kept']} keep all hard limits and {counts['gravity_kept']} stay "
        f"within 1 % of frames that gravity forbids ({counts['infeasible_frames'] / counts['frames']:.2%} of all "
        f"{counts['frames']:,} frames); {counts['body_clean']} bodies stay within 1 cm. Worst of all: "
        f"{worst['entry_mm']:.2f} mm in a polygon, {worst['drift_mm']:.2f} mm of drift, {worst['body_entry_cm']:.1f} "
        f"cm for a body.\n\n"
    )
    pieces = sorted(name.removeprefix("with ") for name in counts if name.startswith("with ") and ":" not in name)
    rows = (f"{piece} | {counts[f'with {piece}']} | {counts.get(f'with {piece}: found', 0)}" for piece in pieces)
    return told + table("courses with | number | found", rows)


def ablation(result: Result) -> str:
    """Return what is found, and how the figure carries itself, with each part switched off, as Markdown tables."""
    scenes, rows = result["scenes"], result["rows"]
    short = [scene.removeprefix("climb-") for scene in scenes]
    found = table(
        f"switched off | {' | '.join(short)} | changes of grasp tried, all scenes | discomfort of key postures (log)",
        (
            f"{case} | {' | '.join(str(rows[f'{case}, {scene}']['found']) for scene in scenes)} "
            f"| {sum(rows[f'{case}, {scene}']['tries'] for scene in scenes):,.0f} | {_discomfort(result, case)}"
            for case in result["cases"]
        ),
    )
    most = f"{result['max_stances']:,} changes of grasp and {result['limit_s']:g} s"
    told = f"Found of {result['seeds']} seeds, within {most}:\n\n"
    return told + found + "\n" + _own_measures(result)


def carriage(result: Result) -> str:
    """Return how the figure carries itself with each part switched off, as a Markdown table."""
    lines = []
    for case in result["cases"]:
        flat, tunnel, bars = (result["rows"].get(f"{case}, climb-{scene}", {}) for scene in ("flat", "tunnel", "bars"))
        lines.append(
            f"{case} | {_number(flat, 'stride_m', 'm')} | {_number(flat, 'lean', 'rad')} "
            f"| {_number(flat, 'arm_swing', 'rad')} | {_number(flat, 'counter_swing')} | {_share(flat, 'walk')} "
            f"| {_share(tunnel, 'crawl')} | {_share(bars, 'swing')} | {_number(bars, 'hand_span_m', 'm')}"
        )
    columns = (
        "switched off | stride, flat | lean | arm swing | arms against legs | walks | crawls, tunnel | swings, bars "
        "| hand span"
    )
    return table(columns, lines)


def density(result: Result) -> str:
    """Return what many times the grasp points change, as a Markdown table."""
    lines = []
    for scene in result["scenes"]:
        for times in result["times"]:
            row = result["rows"][f"{scene}, {times:02d}"]
            lines.append(
                f"{scene}, {times} times | {row['points']} | {row['found']} of {row['seeds']} "
                f"| {row['plan_s'].get('median', 0.0):.2f} s | {row['tries'].get('median', 0.0):.0f} "
                f"| {_number(row, 'stride_m', 'm')} | {_number(row, 'climb_reach_m', 'm')} "
                f"| {_number(row, 'hand_span_m', 'm')}"
            )
    liked = result["preferred"]
    lines.append(
        f"preferred | | | | | {liked['stride_m']:.2f} m | {liked['climb_reach_m']:.2f} m | {liked['hand_span_m']:.2f} m"
    )
    columns = "scene | grasp points | found | median | changes of grasp tried | stride | reach, climbing | hand span"
    return table(columns, lines)


def _own_measures(result: Result) -> str:
    """Return how each heuristic's own value changes when it is switched off: means over scenes where it counts."""
    lines = []
    for case in result["cases"]:
        with_it, without = (
            [_own(result, which, scene, case) for scene in result["scenes"]] for which in ("nothing", case)
        )
        both = [(a, b) for a, b in zip(with_it, without, strict=True) if a is not None and b is not None]
        if both:
            usual, off = (sum(values) / len(both) for values in zip(*both, strict=True))
            lines.append(f"{case} | {usual:.2f} | {off:.2f}")
    told = "Each heuristic's own value (its logarithm, 0 being ideal) in key postures, over scenes found on and off:"
    told += "\n\n"
    return told + table("heuristic | on | off", lines)


def _own(result: Result, case: str, scene: str, heuristic: str) -> float | None:
    return result["rows"][f"{case}, {scene}"]["heuristics"].get(heuristic)


def _discomfort(result: Result, case: str) -> str:
    """Return the mean over the scenes that are found with nothing switched off and with this."""
    rows = [
        [result["rows"][f"{which}, {scene}"]["discomfort"] for scene in result["scenes"]] for which in ("nothing", case)
    ]
    both = [(a, b) for a, b in zip(*rows, strict=True) if a is not None and b is not None]
    if not both:
        return "–"
    usual, off = (sum(values) / len(both) for values in zip(*both, strict=True))
    return f"{off:.2f}" if case == "nothing" else f"{off:.2f} (on: {usual:.2f})"


def _reasons(result: Result) -> str:
    """Return why scenes that nobody finds have no way."""
    lines = []
    for scene in result["scenes"]:
        row = result["rows"].get(f"{scene}, stances")
        if row is not None and row["found"] == 0 and row["reasons"]:
            after = row["lost_plan_s"].get("median", 0.0)
            lines.append(f"\n`{scene}` ends after {after:.2f} s: “{row['reasons'][0]}”.\n")
    return "".join(lines)


def _ordered(result: Result) -> list[tuple[str, Row]]:
    names = [f"{scene}, {core}" for core in result["runs"] for scene in result["scenes"]]
    return [(name, result["rows"][name]) for name in names if name in result["rows"]]


def _found(row: Row | None) -> str:
    return "–" if row is None else f"{row['found']} of {row['seeds']}"


def _time(row: Row | None, which: str) -> str:
    return "–" if row is None or not row["plan_s"] else f"{row['plan_s'][which]:.2f} s"


def _middle(row: Row | None, name: str) -> str:
    return "–" if row is None or not row[name] else f"{row[name]['median']:,.0f}"


def _depth(value: float, unit: str = "mm") -> str:
    """Return how deep something is; what is not inside anything is told by its clearance."""
    return f"{value:.2f} {unit}" if value > 0.0 else f"{-value:.1f} {unit} clear"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _pair(row: Row, name: str, times: float, unit: str) -> str:
    before, after = row[f"{name}_planned"], row[f"{name}_delivered"]
    return "–" if not before else f"{times * before:.2g}, {times * after:.2g} {unit}"


def _number(row: Row, name: str, unit: str = "") -> str:
    value = row.get(name)
    return "–" if value is None else f"{value:.2f} {unit}".strip()


def _share(row: Row, mode: str) -> str:
    value = row.get("modes", {}).get(mode)
    return "–" if value is None else f"{value:.0%}"
