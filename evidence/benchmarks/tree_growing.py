"""Growing search trees: seconds, and whether a node of a large tree takes longer than one of a small tree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from evidence.benchmarks.timing import Row, median_seconds
from gambol.characters import Character, load_character
from gambol.trees import SearchTree, grow_diverse, grow_exhaustive, grow_pruned, grow_surviving

EIGHT = (
    "jog", "jog-left-15", "jog-right-15", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog",
)  # fmt: skip
NODES, MANY_NODES = 500_000, 2_000_000
THESIS_S = 199.0  # [L09 table 4.2: 25 MB, a machine of 2009]
RUNS = 3


def run() -> list[Row]:
    human = load_character("human")
    eight, papers = human.only(EIGHT, name="8 behaviors"), human.subset("lk06-21")
    rows = [_row("exhaustive tree of depth 6", eight, partial(grow_exhaustive, eight, depth=6))]
    for character, begins in ((eight, None), (papers, "stand"), (human, "stand")):
        rows.append(_row("pruned tree", character, partial(grow_pruned, character, begins=begins)))
        rows += _diverse(character, begins)
        rows.append(_row("surviving tree", character, partial(grow_surviving, character, begins=begins)))
    return rows


def _diverse(character: Character, begins: str | None) -> list[Row]:
    """Time the diverse tree and the thesis's; both at four times the nodes as well."""
    rows: list[Row] = []
    for words, near_m in (("diverse tree", None), ("diverse tree, nearest node as in the thesis", 0.0)):
        few, many = (
            partial(grow_diverse, character, nodes=nodes, begins=begins, near_m=near_m) for nodes in (NODES, MANY_NODES)
        )
        seconds, longer = median_seconds(few, runs=RUNS), median_seconds(many, runs=1)
        tree = few()
        rows.append(
            Row(
                f"{words} of {NODES:,} nodes ({character.name})",
                f"{seconds:.1f} s",
                f"{THESIS_S:.0f} s, published [L09 table 4.2]",
                f"{THESIS_S / seconds:.0f}",
                f"of {MANY_NODES:,}: {longer:.1f} s, {longer / seconds * NODES / MANY_NODES:.2f} times as long a node; "
                f"depth {tree.depth.mean():.0f} in the mean, {tree.depth.max()} at most; goal lists included",
            )
        )
    return rows


def _row(words: str, character: Character, grow: Callable[[], SearchTree]) -> Row:
    seconds, tree = median_seconds(grow, runs=RUNS), grow()
    return Row(
        f"{words} of {len(tree):,} nodes ({character.name})",
        f"{seconds:.2f} s",
        "–",
        "–",
        f"depth {tree.depth.max()}; goal lists included",
    )
