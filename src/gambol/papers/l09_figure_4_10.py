"""L09 figure 4.10: trees of the same number of nodes, grown in different ways, drawn as fans of paths."""

from __future__ import annotations

from gambol.papers.claim import claim
from gambol.papers.drawing import draw_fans
from gambol.papers.item import Item, Result, Say
from gambol.papers.methods_compared import DEPTH, GROWN_SEED, SMALLEST_K, grow_timed, tree_builders
from gambol.papers.report import Report, Row, Table, row
from gambol.papers.subjects import HUB, eight_joggers
from gambol.plan.tree.density import density
from gambol.plan.tree.exhaustive import grow_exhaustive
from gambol.plan.tree.region import Region
from gambol.plan.tree.tree import SearchTree

NAME = "l09-figure-4.10"
TITLE = "L09 figure 4.10: trees grown in different ways"
NODES = 826


def run(quick: bool, say: Say) -> Result:
    """Grow and draw them."""
    nodes, depth = (100, 3) if quick else (NODES, DEPTH)
    character = eight_joggers()
    whole = grow_exhaustive(character, depth=depth, begins=HUB, seed=GROWN_SEED)
    region = Region.covered_by(whole, character)
    trees: dict[str, SearchTree] = {}
    rows: list[Row] = []
    for name, build in tree_builders(character, region, depth=depth).items():
        if name == SMALLEST_K:
            continue
        say(f"growing: {name}", 0.0)
        tree = grow_timed(build, nodes).tree
        trees[name] = tree
        levels = tree.depth[1:]
        rows.append(
            row(name, [len(tree), float(levels.mean()), int(levels.max()), density(tree, character, region)],
                [claim("l09.fig4.10.nodes"), None, None, None] if name != "survivor" else None)
        )  # fmt: skip
    picture = draw_fans({f"{name}, {len(tree):,} nodes": tree for name, tree in trees.items()}, character)
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"Eight behaviors that may all follow each other, trees grown with seed {GROWN_SEED}; R is what the "
            f"exhaustive tree of depth {depth} covers. The root is at (0, 0) and faces up.",
        ),
        tables=(Table("trees", ("nodes", "mean depth", "depth", "density value"), tuple(rows)),),
        differences=(
            "As in the thesis, pruned and inner-product trees keep short paths and the diverse tree fills R evenly, "
            "with paths deeper than the others may have.",
            "Inner product, inclusion-exclusion, Green and Kelly and survivor are our readings of papers that the "
            "thesis only names; survivor is not in the thesis.",
        ),
        pictures=(f"{NAME}.png",),
    )
    return Result(report, {f"{NAME}.png": picture})


ITEM = Item(NAME, "six trees of 826 nodes, drawn as fans of paths", run)
