"""What growing trees draws by hashing, in plain Python."""

from __future__ import annotations

from evidence.soak.plain_hash import chosen_clip, scrambled

from gambol.characters import Character
from gambol.characters.action_table import action_table
from gambol.trees import Region


def clip_of_child(character: Character, seed: int, parent: int, behavior: int) -> int:
    """Return the clip of the action table that a behavior plays after a node of a tree."""
    clips = action_table(character).behavior_clips
    first, count = int(clips[behavior]), int(clips[behavior + 1] - clips[behavior])
    return first if count == 1 else first + chosen_clip(seed, scrambled(parent & 0xFFFFFFFF), behavior, count)


def sample_place(region: Region, seed: int, number: int) -> tuple[float, float]:
    """Return the place in a region that is drawn at some time: in a random cell of it."""

    def drawn(which: int) -> int:
        word = scrambled(seed & 0xFFFFFFFF)
        for mixed in (seed >> 32, number & 0xFFFFFFFF, number >> 32, which):
            word = scrambled(word ^ mixed)
        return word

    row, column = divmod(int(region.cells[(drawn(1) * len(region.cells)) >> 32]), region.mask.shape[1])
    across, along = (column + drawn(2) / 2.0**32), (row + drawn(3) / 2.0**32)
    return region.x0 + across * region.cell_m, region.y0 + along * region.cell_m
