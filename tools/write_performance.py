"""Write docs/performance.md out of docs/benchmarks.md and evidence/soak/results; a test fails where it is stale."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "performance.md"
RESULTS = ROOT / "evidence" / "soak" / "results"

#: What the overview shows: a capability, the benchmark's section, how its rows begin.
CHOSEN = (
    ("Reading files", "bvh", "read BVH of"),
    ("Kinematics", "kinematics", "forward kinematics"),
    ("Feet and hands", "limbs", "equation 5.7"),
    ("Realizing", "realize", "realizing 300 steps"),
    ("Searching", "planning", "the same search in plain Python"),
    ("Searching", "planning", "scene maze, weight 1.5"),
    ("Searching", "planning", "a database of"),
    ("Growing trees", "tree growing", "diverse tree of 500,000 nodes (8 behaviors)"),
    ("Looking up", "trees", "pruned tree of 220,000 nodes, disc"),
    ("Looking up", "trees", "diverse tree of 500,000 nodes, disc"),
    ("Looking up", "trees", "diverse tree of 500,000 nodes, eight-part"),
    ("Crowds", "crowd", "crowd of 1,000, 0.1 per m², five boxes: a frame"),
    ("Crowds", "crowd", "crowd of 10,000, 0.1 per m², five boxes: a frame"),
    ("Crowds", "crowd", "memory of a character"),
    ("Variation", "variation", "learn a network"),
    ("Variation", "variation", "unroll"),
    ("Climbing", "climb", "climb-"),
    ("Viewer", "dragging", ""),
    ("Viewer", "streaming", "viewer of the scene crowd-150"),
    ("Baking", "baking", "engine pool, 3 workers: tasks"),
)

#: What the soak's jobs try, in their own order, and what their inputs are.
TRIED = {
    "crowd-scenes": "crowds of the scenes that ship, in slices of a minute",
    "crowd-hour": "the plaza for an hour, edited every second, in slices of a minute",
    "crowd-regions-2000": "2,000 people in four regions, in slices of a minute",
    "crowd-regions-20000": "20,000 people in four regions, in slices of a minute",
    "crowd-drops": "crowds whose worlds are edited every two seconds, in slices of a minute",
    "shipped-scenes": "scenes that ship, planned",
    "random-scenes-human": "random scenes, planned for the human",
    "tree-scenes": "scenes planned by look-up",
    "tree-look-ups": "look-ups held against searching the tree",
    "planner-optimality": "small problems held against brute force",
    "core-equality": "look-ups, problems and scenes, by the core and by the kernels before it",
    "sequences-human": "random sequences of behaviors, realized",
    "climb-seeds": "climbs of the scenes that ship, by seed",
    "climb-random": "climbs of random courses",
    "mutated-bvh": "damaged BVH files",
    "mutated-glb": "damaged GLB files",
    "mutated-usda": "damaged USD files",
    "mutated-tree": "damaged tree files",
    "bake-survival": "ways to disturb a bake",
    "view-browsers": "ten minutes of browsers that come and go",
}


def sections() -> dict[str, tuple[str, list[list[str]]]]:
    """Return the setting and the rows of each benchmark, by its name."""
    found = {}
    for part in (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        name, _, text = part.partition("\n")
        rows = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
        ]
        found[name] = (text.strip().split("\n")[0], rows[2:])
    return found


def overview() -> str:
    """Return the chosen rows of the benchmarks as a table; a choice that no row fits is a mistake."""
    known = sections()
    rows = []
    for capability, section, beginning in CHOSEN:
        fitting = [row for row in known[section][1] if row[0].startswith(beginning)]
        if not fitting:
            raise LookupError(f"docs/benchmarks.md: no row of {section!r} begins with {beginning!r}")
        anchor = section.replace(" ", "-")
        rows += [
            f"| {capability} | {row[0]} | {row[1]} | {row[2]} | {row[3]} | [{section}](benchmarks.md#{anchor}) |"
            for row in fitting
        ]
    return "\n".join(
        ["| | what, and the setting | ours | beside it | ratio | all rows |", "|---|---|---|---|---|---|", *rows]
    )


def number(counts: dict[str, Any], key: str) -> str:
    return f"{counts[key]:,}" if key in counts else ""


def long_runs() -> str:
    """Return what the soak's jobs came to, as a table; those that have not finished are said to be so."""
    rows = []
    for job, what in TRIED.items():
        result = json.loads((RESULTS / f"{job}.json").read_text(encoding="utf-8"))
        counts = result.get("counts", {})
        inputs = (
            f"{result['inputs']:,}"
            if result["finished"]
            else f"{result['inputs']:,} of {result['inputs_planned']:,} so far"
        )
        wrong = len(result["failures"])
        cells = [
            what,
            inputs,
            f"{result['accepted']:,}",
            number(counts, "frames"),
            number(counts, "collisions"),
            number(counts, "touches"),
        ]
        rows.append("| " + " | ".join([*cells, f"{wrong:,}", f"{result['seconds'] / 60:.0f} min", f"`{job}`"]) + " |")
    head = "what was tried | inputs | done | body frames looked at | collisions | touches | failures | computing | job"
    return "\n".join([f"| {head} |", "|" + "---|" * 9, *rows])


#: What stands above the tables.
ORIGIN = """\
Written by `tools/write_performance.py` out of [benchmarks.md](benchmarks.md) (`make bench`) and the results of the
[soak](../evidence/soak/README.md) (`make soak`); no number here is typed."""
RATIOS = """\
Both sides of a ratio ran in one process, one after the other, warm; medians. A ratio above 1 is in our favour, below 1
in the other's, unless a row says otherwise. Published times are of the papers' machines, so ratios to them hold the
years between as well."""
RUNS = """\
An input is a scene, a problem, a file or a slice of a run. It is done if it was found, held or was read; problems
without a way within the budget, and damaged files refused with a clear error, are not done, and no failures. A failure
is an input whose result broke a promise; `evidence/soak/results/` says which. Collisions and touches are counted in
delivered motion by a check that shares nothing with the planners. Where a cell is empty, the job does not
count that."""


def pages() -> dict[Path, str]:
    """Return the page as it should be, by its file."""
    known, chosen = sections(), {section for _, section, _ in CHOSEN}
    settings = " ".join(dict.fromkeys(known[name][0] for name in known if name in chosen))
    parts = ["# Performance", ORIGIN, "## Speed, as ratios", f"{RATIOS}\n{settings}", overview()]
    return {PAGE: "\n\n".join([*parts, "## Long runs", RUNS, long_runs()]) + "\n"}


def main() -> None:
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
