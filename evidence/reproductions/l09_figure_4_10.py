"""L09 figure 4.10: trees of the same number of nodes, grown in different ways, drawn as fans of paths."""

from __future__ import annotations

from evidence.reproductions.claim import claim
from evidence.reproductions.drawing import draw_fans
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.methods_compared import DEPTH, GROWN_SEED, SMALLEST_K, grow_timed, tree_builders
from evidence.reproductions.published import L09_METHODS
from evidence.reproductions.report import Report, Row, Table, row, shown
from evidence.reproductions.subjects import HUB, eight_joggers
from gambol.trees import Region, SearchTree, grow_exhaustive
from gambol.trees.density import density

NAME = "l09-figure-4.10"
TITLE = "L09 figure 4.10: trees grown in different ways"
NODES = 826
NODES_OF, MEAN_DEPTH, DENSITY = "nodes", "mean depth", "density value"


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
    table = Table("trees", (NODES_OF, MEAN_DEPTH, "depth", DENSITY), tuple(rows))
    picture = draw_fans({f"{name}, {len(tree):,} nodes": tree for name, tree in trees.items()}, character)
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"Eight behaviors that may all follow each other, trees grown with seed {GROWN_SEED}; R is what the "
            f"exhaustive tree of depth {depth} covers. The root is at (0, 0) and faces up.",
        ),
        tables=(table,),
        differences=(
            *_differences(table),
            "Inner product, inclusion-exclusion, Green and Kelly and survivor are our readings of papers that the "
            "thesis only names; survivor is not in the thesis.",
        ),
        pictures=(f"{NAME}.png",),
    )
    return Result(report, {f"{NAME}.png": picture})


def _differences(table: Table) -> tuple[str, ...]:
    """Order the thesis's ways by how long paths they keep and by how evenly they fill R."""
    compared = [one.label for one in table.rows if one.label in L09_METHODS]

    def ordered(column: str) -> str:
        values = {name: table.entry(name, column).ours for name in compared}
        numbers = {name: float(value) for name, value in values.items() if isinstance(value, (int, float))}
        return ", ".join(f"{name} {shown(numbers[name])}" for name in sorted(numbers, key=numbers.__getitem__))

    return (
        f"Mean depth, the shortest paths first: {ordered(MEAN_DEPTH)}. The thesis sees short paths in pruned and "
        "inner-product trees and longer ones in those by inclusion-exclusion.",
        f"Density value, the most even tree first: {ordered(DENSITY)}. In the thesis the diverse tree is the most "
        "even; its paths, as ours, may be deeper than the exhaustive tree that the others are chosen from.",
    )


ITEM = Item(NAME, "six trees of 826 nodes, drawn as fans of paths", run)
