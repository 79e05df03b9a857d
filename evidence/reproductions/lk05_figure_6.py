"""LK05 figure 6: three people and a tree that falls across their way."""

from __future__ import annotations

from evidence.reproductions.claim import claim
from evidence.reproductions.falling_tree import JUMPS, PASSES, run_falling_tree
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.played import CHARACTERS, MOTION, PLANNING

NAME = "lk05-figure-6"
CLAIMS = {
    CHARACTERS: "lk05.fig6.characters", PLANNING: "lk05.fig6.planning", MOTION: "lk05.fig6.motion",
    PASSES: "lk05.fig6.pass", JUMPS: "lk05.fig6.jump",
}  # fmt: skip


def run(quick: bool, say: Say) -> Result:
    """Play the scene and compare with LK05."""
    claims = {column: claim(key) for column, key in CLAIMS.items()}
    return run_falling_tree(NAME, "LK05 figure 6: a falling tree", claims, quick, say)


ITEM = Item(NAME, "three people and a falling tree: one passes before, two jump over it", run)
