"""Run all benchmarks, or those named, and write what they found to docs/benchmarks.md, a section each."""

from __future__ import annotations

import sys
from importlib import import_module

from evidence.benchmarks.page import PAGE, with_section

#: Each is a module beside this one, with a function `run` that returns rows; imported when it is its turn.
BENCHMARKS = (
    "baking", "bvh", "characters", "climb", "core", "crowd", "dragging", "kinematics", "limbs", "planning", "realize",
    "start", "streaming", "tree growing", "trees", "variation", "which planner",
)  # fmt: skip


def main() -> None:
    names = sys.argv[1:] or list(BENCHMARKS)
    if unknown := set(names) - set(BENCHMARKS):
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(BENCHMARKS)}")
    for name in names:
        print(f"== {name}", flush=True)
        module = import_module(f"evidence.benchmarks.{name.replace(' ', '_')}")
        rows = module.run()
        for row in rows:
            print(f"   {row.what}: {row.ours} against {row.other}, ratio {row.ratio}", flush=True)
        setting = module.setting() if hasattr(module, "setting") else ""
        PAGE.write_text(with_section(PAGE.read_text(), name, rows, setting))
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
