"""The invariant of crowds, asserted: everyone holds a trajectory to the end of time, and no two of them meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gambol.crowd.kernels.invariant import NONE, broken_trajectory, find_meeting, lay_bodies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gambol.crowd.arrays import Flock
    from gambol.crowd.crowd import Crowd
    from gambol.crowd.kinds import Kinds

TOLERANCE_M = 1e-9  # that rounding may take away: a pose is composed in more than one way


def assert_apart(crowd: Crowd) -> None:
    """Raise AssertionError where the trajectories of a crowd are not whole or not apart from each other.

    Every pair is looked at in every frame from now until both stand for ever, parts of bodies against parts.
    See docs/crowd_proof.md.
    """
    # The arrays of a crowd are nobody else's business; its invariant is about nothing else.
    assert_flock_apart(crowd._tables, crowd._flock, crowd._count, crowd.frame, crowd.names)


def assert_flock_apart(tables: Kinds, flock: Flock, count: int, frame: int, names: Sequence[str]) -> None:
    """Raise AssertionError where trajectories at the first places of a flock are not whole or not apart.

    From a frame on; names: by number.
    """
    now = np.int64(frame)
    broken = broken_trajectory(tables.actions, flock, count, now)
    if broken != NONE:
        raise AssertionError(
            f"{names[flock.number[broken]]!r} holds no trajectory from frame {frame} on whose clips follow each other"
        )
    bodies = lay_bodies(tables.actions, tables.clips.rest_sample, tables.clips.parts, flock, count, now)
    one, other, at, distance = find_meeting(*bodies, now, TOLERANCE_M)
    if one != NONE:
        raise AssertionError(
            f"{names[flock.number[one]]!r} and {names[flock.number[other]]!r} meet at frame {at}: "
            f"their bodies are {distance:.4f} m apart"
        )
