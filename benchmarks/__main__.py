"""Run all benchmarks, or those named, and write what they found to docs/benchmarks.md, a section each."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from benchmarks import bvh, characters, crowd, kinematics, planning, realize, tree_growing, trees
from benchmarks.timing import Row

BENCHMARKS = {
    "bvh": bvh.run,
    "characters": characters.run,
    "crowd": crowd.run,
    "kinematics": kinematics.run,
    "planning": planning.run,
    "realize": realize.run,
    "tree growing": tree_growing.run,
    "trees": trees.run,
}
PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def main() -> None:
    names = sys.argv[1:] or list(BENCHMARKS)
    if unknown := set(names) - set(BENCHMARKS):
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(BENCHMARKS)}")
    for name in names:
        print(f"== {name}", flush=True)
        rows = BENCHMARKS[name]()
        for row in rows:
            print(f"   {row.what}: {row.ours} against {row.other}, ratio {row.ratio}", flush=True)
        PAGE.write_text(with_section(PAGE.read_text(), name, rows))
    print(f"wrote {PAGE}")


def with_section(page: str, name: str, rows: list[Row]) -> str:
    """Return the page with the rows of one benchmark in place of those it had; sections are in alphabetical order."""
    head, *parts = page.split("\n## ")
    sections = dict(part.rstrip("\n").split("\n", 1) for part in parts)
    sections[name] = "\n".join((
        "",
        f"Python {platform.python_version()} on {platform.machine()}, one core unless stated.",
        "",
        "| what | ours | other | ratio | note |",
        "|---|---|---|---|---|",
        *(f"| {row.what} | {row.ours} | {row.other} | {row.ratio} | {row.note} |" for row in rows),
    ))  # fmt: skip
    return "\n\n".join((head.rstrip("\n"), *(f"## {one}\n{sections[one]}" for one in sorted(sections)))) + "\n"


if __name__ == "__main__":
    main()
