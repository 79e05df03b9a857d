"""Run all benchmarks, or those named, and write what they found to docs/benchmarks.md, a section each."""

from __future__ import annotations

import sys

from evidence.benchmarks import (
    baking,
    bvh,
    characters,
    climb,
    crowd,
    dragging,
    kinematics,
    limbs,
    planning,
    realize,
    start,
    streaming,
    tree_growing,
    trees,
    variation,
    which_planner,
)
from evidence.benchmarks.page import PAGE, with_section

BENCHMARKS = {
    "baking": baking.run,
    "bvh": bvh.run,
    "characters": characters.run,
    "climb": climb.run,
    "crowd": crowd.run,
    "dragging": dragging.run,
    "kinematics": kinematics.run,
    "limbs": limbs.run,
    "planning": planning.run,
    "realize": realize.run,
    "start": start.run,
    "streaming": streaming.run,
    "tree growing": tree_growing.run,
    "trees": trees.run,
    "variation": variation.run,
    "which planner": which_planner.run,
}


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


if __name__ == "__main__":
    main()
