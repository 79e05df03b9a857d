"""Fill docs/reproduced.md, the overview of what was published, measured again.

`python -m evidence.reproductions all -o docs/results` measures, and writes a page for each item; this counts and links
them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from evidence.reproductions.claim import PAPERS, Claim, Verdict, claims
from evidence.reproductions.comparison import Compared, compare, verdicts
from evidence.reproductions.html import COUNTED, NAMES
from evidence.reproductions.items import ITEMS
from evidence.reproductions.measure import Collection, collected
from evidence.reproductions.report import shown

from gambol.files.disk import write_atomically

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "results"
OVERVIEW = DOCS / "reproduced.md"
BLOCK = re.compile(r"(<!-- (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def pages() -> dict[Path, str]:
    """Return the overview as it ought to be, its blocks filled from the results."""
    return {OVERVIEW: filled(OVERVIEW.read_text(encoding="utf-8"), collected(ITEMS, RESULTS, quick=False))}


def filled(overview: str, collection: Collection) -> str:
    """Return the overview with its blocks as the results have them."""
    compared = compare(collection.reports)
    blocks = {
        "run": run_sentence(collection),
        "counts": counts_table(compared),
        "items": items_table(collection),
        "worse": worse_table(compared),
    }
    return BLOCK.sub(lambda block: f"{block[1]}{blocks[block[2]]}\n{block[4]}", overview)


def run_sentence(collection: Collection) -> str:
    """Return how long measuring took, and on what."""
    machines = {re.sub(r", load [\d.]+ at the start", "", report.machine) for report in collection.reports}
    loads = [float(match[1]) for report in collection.reports if (match := re.search(r"load ([\d.]+)", report.machine))]
    busy = f" The load when an item began was between {min(loads):g} and {max(loads):g}." if loads else ""
    return (
        f"{len(collection.reports)} of {len(collection.items)} items, {collection.seconds / 60.0:.0f} minutes of "
        f"measuring on {'; '.join(sorted(machine for machine in machines if machine))}.{busy}"
    )


def counts_table(compared: Mapping[str, Compared]) -> str:
    """Return how many numbers of each paper are better, the same, worse."""
    lines = [
        f"| paper | numbers | {' | '.join(COUNTED)} | not measured |",
        "|---|" + "---:|" * (len(COUNTED) + 2),
    ]
    for paper in PAPERS:
        count = sum(one.paper == paper for one in claims().values())
        counts = verdicts(one for one in compared.values() if one.claim.paper == paper)
        cells = " | ".join(str(counts[verdict]) for verdict in COUNTED)
        lines.append(f"| {paper.upper()}: {NAMES[paper]} | {count} | {cells} | {count - counts.total()} |")
    return "\n".join(lines)


def items_table(collection: Collection) -> str:
    """Return every item, with a link to its page and how its numbers compare."""
    reports = {report.item: report for report in collection.reports}
    lines = [f"| item | what it measures | {' | '.join(COUNTED)} |", "|---|---|" + "---:|" * len(COUNTED)]
    for item in collection.items:
        report = reports.get(item.name)
        name = item.name if report is None else f"[{item.name}](results/{item.name}.md)"
        counts = verdicts(compare([report]).values() if report is not None else ())
        cells = " | ".join(str(counts[verdict]) if counts[verdict] else "" for verdict in COUNTED)
        lines.append(f"| {name} | {item.summary} | {cells} |")
    return "\n".join(lines)


def worse_table(compared: Mapping[str, Compared]) -> str:
    """Return every number of ours that is worse than published, and why."""
    lines = ["| where | what | published | ours | why |", "|---|---|---:|---:|---|"]
    before = ""
    for one in compared.values():
        if one.verdict == Verdict.WORSE:
            claim = one.claim
            lines.append(
                f"| {claim.paper.upper()} {claim.where} | {claim.what} | {_with_unit(claim.value, claim)} "
                f"| {_with_unit(one.ours, claim)} | {'as above' if one.why == before else one.why} |"
            )
            before = one.why
    return "\n".join(lines)


def _with_unit(value: float | int | str | None, claim: Claim) -> str:
    text = value.replace("..", " to ") if isinstance(value, str) else shown(value)
    return f"{text} {claim.unit}".strip()


if __name__ == "__main__":
    for path, text in pages().items():
        write_atomically(path, text.encode("utf-8"))
