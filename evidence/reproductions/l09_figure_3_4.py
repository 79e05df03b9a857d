"""L09 figure 3.4: the falling tree of LK05, shown again in the thesis."""

from __future__ import annotations

from evidence.reproductions.claim import claim
from evidence.reproductions.falling_tree import JUMPS, PASSES, run_falling_tree
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.played import CHARACTERS, MOTION, PLANNING

NAME = "l09-figure-3.4"
CLAIMS = {
    CHARACTERS: "l09.c3.tree.characters", PLANNING: "l09.c3.tree.planning", MOTION: "l09.c3.tree.motion",
    PASSES: "l09.c3.tree.pass", JUMPS: "l09.c3.tree.jump",
}  # fmt: skip


def run(quick: bool, say: Say) -> Result:
    """Play the scene and compare with L09."""
    claims = {column: claim(key) for column, key in CLAIMS.items()}
    return run_falling_tree(NAME, "L09 figure 3.4: a falling tree", claims, quick, say)


ITEM = Item(NAME, "three people and a falling tree, as in LK05 figure 6", run)
