"""Worlds that are edited while one plans in them."""

from __future__ import annotations

from gambol.characters.character import Character
from gambol.search.coarse import coarse_map
from gambol.search.way import closed_cells
from gambol.world.world import World


def know_edited(old: World, new: World, character: Character) -> None:
    """Work out what planning reads of a world from what is known of one that differs in a few obstacles.

    Whatever is asked about the new world afterwards is answered as ever, but sooner.
    """
    closed_cells(new, character, like=old)
    coarse_map(new, character, like=old)
