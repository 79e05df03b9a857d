"""What may follow what while a tree grows: behaviors to go on with, and endings, after which nothing comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambol.characters.action_table import actions_struct
from gambol.characters.character import Character
from gambol.core import Struct, struct
from gambol.errors import InvalidInput
from gambol.search.moves import may_be_last, moves_of, rest_label
from gambol.trees.assemble import first_allowed
from gambol.trees.fit import edge_costs

LARGEST_SEED = 2**63 - 1


class Branching(NamedTuple):
    """B behaviors; rows of what may follow, one for each behavior and then one for the root."""

    inner: np.ndarray  # behaviors to go on with, by row
    first_inner: np.ndarray  # (B + 2,) where each row begins in `inner`
    ending: np.ndarray  # behaviors after which nothing comes, by row
    first_ending: np.ndarray  # (B + 2,) where each row begins in `ending`
    is_ending: np.ndarray  # (B,)

    @property
    def widest(self) -> int:
        """The most behaviors to go on with in any row, at least 1."""
        return max(int(np.diff(self.first_inner).max()), 1)


def default_endings(character: Character) -> tuple[str, ...]:
    """Return the behaviors that bring a character to rest: plans end with them, and paths need not go on from there.

    What begins at rest and ends there (a turn on the spot) may be last and may be followed: it is none.
    """
    rest = rest_label(character)
    if rest is None:
        return ()
    last = may_be_last(character, None)
    return tuple(one.name for one, may in zip(character.behaviors, last, strict=True) if may and one.begins != rest)


def branching_of(character: Character, begins: str | None, endings: Sequence[str]) -> Branching:
    """Return what may follow each behavior and, in the row after the last, what may come first."""
    count = len(character.behaviors)
    allowed = np.vstack([np.isfinite(character.transition_costs), first_allowed(character, begins)])
    is_ending = np.zeros(count, dtype=bool)
    is_ending[[character.index(name) for name in endings]] = True
    return Branching(*_rows(allowed & ~is_ending), *_rows(allowed & is_ending), is_ending)


def branching_struct(branching: Branching, character: Character, seed: int) -> Struct:
    """Return what may follow what as the core reads it; the seed decides which of a behavior's clips is played."""
    return struct(
        "gb_branching",
        actions=actions_struct(character),
        behaviors=len(branching.is_ending),
        inner=branching.inner,
        first_inner=branching.first_inner,
        ending=branching.ending,
        first_ending=branching.first_ending,
        is_ending=branching.is_ending,
        cost=np.vstack((edge_costs(character), moves_of(character).cost)),
        seed=seed,
    )


def chosen_endings(character: Character, endings: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the endings: those asked for, or the default."""
    if isinstance(endings, str):
        raise InvalidInput(f"endings are a sequence of names, not the single text {endings!r}")
    names = default_endings(character) if endings is None else tuple(endings)
    for name in names:
        character.index(name)
    return names


def checked_seed(seed: int) -> int:
    if not (isinstance(seed, (int, np.integer)) and 0 <= seed <= LARGEST_SEED):
        raise InvalidInput(f"a seed is a whole number from 0 to {LARGEST_SEED}, not {seed!r}")
    return int(seed)


def _rows(allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    _, columns = np.nonzero(allowed)
    return columns.astype(np.int32), np.concatenate(([0], np.cumsum(allowed.sum(axis=1)))).astype(np.int64)
