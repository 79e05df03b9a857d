"""Which motions people see, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evidence.study.clips import StudyClip
from evidence.study.experiments import Experiment
from gambol.errors import InvalidInput
from gambol.motion import same_bones

LEAST_OF_A_KIND = 2
ID_BYTES = 4
MOST_PARTICIPANTS = 990


class Design(NamedTuple):
    """The motions under names that say nothing, sorted by these, and what each person sees in turn."""

    clips: dict[str, StudyClip]
    orders: tuple[tuple[str, ...], ...]  # of participants 1, 2, …


def make_design(
    experiment: Experiment,
    pools: Mapping[str, Sequence[StudyClip]],
    *,
    count: int,
    participants: int,
    rng: np.random.Generator,
) -> Design:
    """Mix motions of both kinds, half of each or one more of either, and put them in another order for each person.

    Where there are too few of a kind, the other makes up for them.  Of as many people as there are motions, each sees
    each motion at another place.
    """
    if not 1 <= participants <= MOST_PARTICIPANTS:
        raise InvalidInput(f"from 1 to {MOST_PARTICIPANTS} participants expected, not {participants}")
    chosen = [clip for kind in _mixed(experiment, pools, count, rng) for clip in kind]
    skeleton = chosen[0].motion.skeleton
    for clip in chosen[1:]:
        if not same_bones(clip.motion.skeleton, skeleton):
            raise InvalidInput(
                f"{clip.source} has other bones than {chosen[0].source}: people would tell kinds by their bodies"
            )
    names: list[str] = []
    while len(names) < count:
        name = rng.bytes(ID_BYTES).hex()
        if name not in names:
            names.append(name)
    clips = dict(sorted(zip(names, (chosen[place] for place in rng.permutation(count)), strict=True)))
    return Design(clips, _orders(tuple(clips), participants, rng))


def _mixed(
    experiment: Experiment, pools: Mapping[str, Sequence[StudyClip]], count: int, rng: np.random.Generator
) -> list[list[StudyClip]]:
    """Return as many of either kind as are to be seen."""
    kinds = [pools[condition] for condition in experiment.conditions]
    for condition, pool in zip(experiment.conditions, kinds, strict=True):
        if len(pool) < LEAST_OF_A_KIND:
            raise InvalidInput(
                f"there are {len(pool)} motions of the kind {condition!r}; at least {LEAST_OF_A_KIND} needed"
            )
    if sum(len(pool) for pool in kinds) < count:
        raise InvalidInput(
            f"{len(kinds[0])} and {len(kinds[1])} motions are fewer than the {count} that each person is to see"
        )
    half = count // 2 + int(rng.integers(count % 2 + 1))
    first = int(np.clip(half, count - len(kinds[1]), len(kinds[0])))
    counts = first, count - first
    return [
        [pool[int(place)] for place in rng.permutation(len(pool))[:number]]
        for pool, number in zip(kinds, counts, strict=True)
    ]


def _orders(names: tuple[str, ...], participants: int, rng: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    """Return orders from Latin squares, each with rows, columns and names by chance."""
    count, rows = len(names), []
    while len(rows) < participants:
        shifts, places, labels = (rng.permutation(count) for _ in range(3))
        rows += [tuple(names[labels[(shift + place) % count]] for place in places) for shift in shifts]
    return tuple(rows[:participants])
