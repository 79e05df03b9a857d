"""Single steps from a state: what a look-up may begin with beside what its tree begins with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.core import ffi, lib, struct
from gambol.search import COST_UNIT
from gambol.search.search import Setting
from gambol.world import Pose


class Fan(NamedTuple):
    """The N single steps that may be played from a state."""

    behaviors: NDArray[np.int32]
    clips: NDArray[np.int64]  # of the behavior
    poses: NDArray[np.float64]  # (N, 3) after them
    frames: NDArray[np.int64]
    costs: NDArray[np.float64]
    collision_samples: int


def fan_out(
    setting: Setting,
    behaviors: NDArray[np.int32],
    pose: Pose,
    frame: int,
    extra: NDArray[np.int64] | None = None,
) -> Fan:
    """Play each of some behaviors from a pose and a frame; clips are chosen as the forward search does.

    extra (B,): what behaviors cost more here, in whole units.
    """
    count = len(behaviors)
    played, clips, poses = behaviors.copy(), np.empty(count, np.int64), np.empty((count, 3))
    frames, costs = np.empty(count, np.int64), np.empty(count, np.int64)
    fan = struct("gb_fan", count=count, behavior=played, clip=clips, pose=poses, frame=frames, cost=costs)
    samples = ffi.new("int64_t *")
    core, traffic = setting.core, setting.traffic.struct
    lib.gb_fan_out(
        core.world.c, traffic.c, core.query.c, core.actions.c, core.moves.c, *pose, frame, fan.c, samples
    )  # fmt: skip
    found = slice(int(fan.c.count))
    played = played[found]
    units = costs[found] if extra is None else costs[found] + extra[played]
    return Fan(
        behaviors=played,
        clips=clips[found] - setting.actions.behavior_clips[played],
        poses=poses[found],
        frames=frames[found],
        costs=COST_UNIT * units.astype(np.float64),
        collision_samples=int(samples[0]),
    )
