"""The invariant of crowds, asserted: everyone holds a trajectory to the end of time, and no two of them meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gambol.crowd.kernels.invariant import NONE, broken_trajectory, find_meeting, lay_bodies

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd

TOLERANCE_M = 1e-9  # that rounding may take away: a pose is composed in more than one way


def assert_apart(crowd: Crowd) -> None:
    """Raise AssertionError where the trajectories of a crowd are not whole or not apart from each other.

    Every pair is looked at in every frame from now until both stand for ever, parts of bodies against parts.
    See docs/crowd_proof.md.
    """
    # The arrays of a crowd are nobody else's business; its invariant is about nothing else.
    tables, flock, count = crowd._tables, crowd._flock, crowd._count
    now = np.int64(crowd.frame)
    broken = broken_trajectory(tables.actions, flock, count, now)
    if broken != NONE:
        raise AssertionError(
            f"{_name(crowd, broken)} holds no trajectory from frame {crowd.frame} on whose clips follow each other"
        )
    bodies = lay_bodies(tables.actions, tables.clips.rest_sample, tables.clips.parts, flock, count, now)
    one, other, frame, distance = find_meeting(*bodies, now, TOLERANCE_M)
    if one != NONE:
        raise AssertionError(
            f"{_name(crowd, one)} and {_name(crowd, other)} meet at frame {frame}: "
            f"their bodies are {distance:.4f} m apart"
        )


def _name(crowd: Crowd, place: int) -> str:
    return repr(crowd.names[crowd._id[place]])
