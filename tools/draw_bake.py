"""Bake a job of all sorts and put its plots into docs/pictures, for docs/baking.md.

    python tools/draw_bake.py [FOLDER]

FOLDER: where it is baked (by default out/bake-docs); what is done there is not done again.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from gambol.bake.baking import bake
from gambol.bake.job import parse_job
from gambol.bake.pool import Pool
from gambol.bake.report import write_outputs
from gambol.bake.store import Store

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "pictures" / "bake_report.png"

HALL = """
name = "hall"
kind = "crowd"
[world]
bounds = [0, 0, 16, 10]
[[groups]]
name = "east"
count = 6
starts = { area = [1, 1, 4, 9] }
goals = { area = [12, 1, 15, 9] }
[[groups]]
name = "west"
count = 6
starts = { area = [12, 1, 15, 9] }
goals = { area = [1, 1, 4, 9] }
"""
JOB = """
name = "docs"
[[tasks]]
kind = "plan"
scenes = ["first", "hurdles"]
planner = "weighted"
weight = [1.2, 2.0]
seeds = 6
write = ["usdc"]
[[tasks]]
kind = "crowd"
scenes = ["hall.toml"]
seconds = [4.0, 12.0]
seeds = 6
write = ["crowd"]
[[tasks]]
kind = "climb"
scenes = ["climb-wall"]
seeds = 2
[[tasks]]
kind = "tree"
characters = ["human"]
subset = "lk06-13"
begins = "jog-left"
nodes = [2000, 8000]
reach_m = 10.0
seeds = 3
[[tasks]]
kind = "queries"
character = "human"
subset = "lk06-13"
begins = "jog-left"
planners = ["weighted", "astar"]
budget = 20000
count = 20
seeds = 4
"""


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "bake-docs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hall.toml").write_text(HALL)
    job, store = parse_job(JOB, beside=folder), Store(folder)
    store.prepare()
    with closing(Pool(store, job.gathered)) as pool:
        baked = bake(job, store, pool)
    page, plots, *_ = write_outputs(baked)
    PICTURE.write_bytes(plots.read_bytes())
    print(page.read_text())


if __name__ == "__main__":
    main()
