"""What everybody in a recording does at one time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import action_table
from gambol.crowd.kernels.poses import NO_CLIP
from gambol.crowd.recording import TIME_TOLERANCE, Recording
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray


class Moment(NamedTuple):
    """The M characters who are there, in their order, with all that `PosePlayer.place` needs of one kind."""

    who: NDArray[np.int64]  # (M,) numbers in the recording
    kind: NDArray[np.int32]  # (M,)
    clip: NDArray[np.int32]  # (M,) the one they play
    before: NDArray[np.int32]  # (M,) the one before it, NO_CLIP at the first
    after: NDArray[np.int32]  # (M,) the one after it, NO_CLIP where it is not recorded
    phase: FloatArray  # (M,) planning frames since the clip began
    pose: FloatArray  # (M, 3) where it began

    def of_kind(self, kind: int) -> Moment:
        """Return the part about one kind of character."""
        own = self.kind == kind
        return Moment._make(column[own] for column in self)


def moment(recording: Recording, time_s: float) -> Moment:
    """Return what everybody who is there does at a time of a recording.

    At the frame where two clips meet, it is the second that is played, from its beginning.
    """
    time = time_s * recording.rate_hz
    whole = np.floor(time + TIME_TOLERANCE)
    steps = recording.steps_at(int(whole))
    there = np.flatnonzero((steps >= 0) & (time < recording.until - 1 + TIME_TOLERANCE))
    chosen = steps[there]
    clips = np.append(recording.clip.astype(np.int32), np.int32(NO_CLIP))
    is_first = chosen == recording.first_step[there]
    is_last = chosen + 1 == recording.first_step[there + 1]
    return Moment(
        who=there,
        kind=recording.kind[there],
        clip=clips[chosen],
        before=clips[np.where(is_first, -1, chosen - 1)],
        after=clips[np.where(is_last, -1, chosen + 1)],
        phase=np.maximum(time - recording.frame[chosen], 0.0),
        pose=recording.pose[chosen],
    )


def places(recording: Recording, now: Moment) -> FloatArray:
    """Return where the characters of a moment are (M, 3): x, y and heading of the paths their clips follow."""
    result = np.empty((len(now.who), 3))
    for number, character in enumerate(recording.characters):
        own = np.flatnonzero(now.kind == number)
        table = action_table(character)
        clip = now.clip[own]
        phase = np.minimum(now.phase[own], table.duration[clip])
        frame = np.minimum(phase.astype(np.int64), table.duration[clip] - 1)
        row = table.clip_samples[clip] + frame
        share = (phase - frame)[:, None]
        local = table.path[row] + share * (table.path[row + 1] - table.path[row])
        result[own] = planar.compose(now.pose[own], local)
    return result
