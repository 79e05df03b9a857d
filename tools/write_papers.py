"""Write the pages of what was published, measured again: docs/reproduced.md and docs/reproduced/PAPER.md.

`gambol papers all -o docs/results` measures what is written here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from gambol.io.files import write_atomically
from gambol.papers.claim import PAPERS, Claim, Verdict, claims
from gambol.papers.comparison import Compared, compare, verdicts
from gambol.papers.html import COUNTED, NAMES
from gambol.papers.items import ITEMS
from gambol.papers.markdown import report_markdown
from gambol.papers.measure import Collection, collected
from gambol.papers.report import shown

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "results"
OVERVIEW = "reproduced.md"
BLOCK = re.compile(r"(<!-- (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def pages(docs: Path = DOCS) -> dict[str, str]:
    """Return what every page ought to say, by its path in the docs."""
    collection = collected(ITEMS, RESULTS, quick=False)
    overview = (docs / OVERVIEW).read_text(encoding="utf-8")
    return {OVERVIEW: filled(overview, collection)} | {
        f"reproduced/{paper}.md": paper_page(paper, collection) for paper in PAPERS
    }


def filled(overview: str, collection: Collection) -> str:
    """Return the overview with its blocks as the results have them."""
    compared = compare(collection.reports)
    blocks = {"counts": counts_table(compared), "worse": worse_table(compared), "run": run_sentence(collection)}
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
        name = f"[{paper.upper()}](reproduced/{paper}.md): {NAMES[paper]}"
        lines.append(f"| {name} | {count} | {cells} | {count - counts.total()} |")
    return "\n".join(lines)


def worse_table(compared: Mapping[str, Compared]) -> str:
    """Return every number of ours that is worse than published, and why."""
    lines = ["| where | what | published | ours | why |", "|---|---|---:|---:|---|"]
    for one in compared.values():
        if one.verdict == Verdict.WORSE:
            claim = one.claim
            lines.append(
                f"| {claim.paper.upper()} {claim.where} | {claim.what} | {_with_unit(claim.value, claim)} "
                f"| {_with_unit(one.ours, claim)} | {one.why} |"
            )
    return "\n".join(lines)


def paper_page(paper: str, collection: Collection) -> str:
    """Return all that was measured of one paper."""
    head = (
        f"# {paper.upper()}, measured again\n\n{NAMES[paper]} ([keys](../papers.md)). In brackets: what was published. "
        "Written by `python tools/write_papers.py` from what `gambol papers all -o docs/results` measured; "
        f"[how to read it](../{OVERVIEW})."
    )
    sections = [
        report_markdown(report, pictures="../results/", level=2).rstrip("\n")
        for report in collection.reports
        if report.item.partition("-")[0] == paper
    ]
    return "\n\n".join([head, *sections]) + "\n"


def _with_unit(value: float | int | str | None, claim: Claim) -> str:
    text = value.replace("..", " to ") if isinstance(value, str) else shown(value)
    return f"{text} {claim.unit}".strip()


if __name__ == "__main__":
    for name, text in pages().items():
        write_atomically(DOCS / name, text.encode("utf-8"))
