"""Run all benchmarks, or those named, and write docs/benchmarks.md."""

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
    rows: list[Row] = []
    for name in names:
        print(f"== {name}", flush=True)
        rows += (found := BENCHMARKS[name]())
        for row in found:
            print(f"   {row.what}: {row.ours} against {row.other}, ratio {row.ratio}", flush=True)
    if names == list(BENCHMARKS):
        PAGE.write_text(page(rows))
        print(f"wrote {PAGE}")


def page(rows: list[Row]) -> str:
    table = [f"| {row.what} | {row.ours} | {row.other} | {row.ratio} | {row.note} |" for row in rows]
    return "\n".join(
        [
            "# Benchmarks",
            "",
            "Made by `make bench`: medians of warm runs, both sides in one process one after the other.",
            f"Python {platform.python_version()} on {platform.machine()}, one core unless stated.",
            "",
            "| what | ours | other | ratio | note |",
            "|---|---|---|---|---|",
            *table,
            "",
        ]
    )


if __name__ == "__main__":
    main()
