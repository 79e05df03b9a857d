"""How often people side by side play the very same clip at nearly the same time [L09 chapter 6]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.characters.action_table import action_table
from gambol.characters.character import Character
from gambol.crowd.recording import Recording
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray, Int64Array

NEAR_M = 5.0  # as far apart one still sees two people at one glance
TOGETHER_S = 0.5  # a difference in phase that is seen as none: less than a step of a jog


class Repeats(NamedTuple):
    """Exact repeats side by side.

    A *repeat* is a pair of people of whom one begins a clip that the other began at most half a second before and
    still plays, while their roots are at most five metres apart.  Who stands still repeats nobody.
    """

    clips_begun: int  # by all, standing apart
    pairs: int
    repeating: int  # clips begun that were the later of a pair
    distinct_clips: int  # of those begun

    @property
    def share(self) -> float:
        """Of the clips begun, those that repeat somebody's near by."""
        return self.repeating / self.clips_begun if self.clips_begun > 0 else 0.0

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "share": self.share, "near_m": NEAR_M, "together_s": TOGETHER_S}


def count_repeats(recording: Recording, *, near_m: float = NEAR_M, together_s: float = TOGETHER_S) -> Repeats:
    """Count who plays what somebody near by has just begun."""
    begun = begun_in(recording)
    pairs = repeated_pairs(begun, near_m=near_m, frames=round(together_s * recording.rate_hz))
    return Repeats(len(begun.clip), len(pairs), len(np.unique(pairs[:, 1])), len(np.unique(begun.clip)))


def repeating_at(recording: Recording, frame: int) -> NDArray[np.bool_]:
    """Tell of each (N,) whether it plays, at a frame, what somebody near by plays at nearly the same time."""
    begun = begun_in(recording)
    pairs = repeated_pairs(begun, near_m=NEAR_M, frames=round(TOGETHER_S * recording.rate_hz))
    plays = (begun.frame <= frame) & (frame < begun.frame + begun.duration)
    found = np.zeros(len(recording), dtype=bool)
    found[begun.who[pairs[plays[pairs].all(axis=1)]]] = True
    return found


class Begun(NamedTuple):
    """S clips that were begun, in the order of their frames; P poses of all clips together."""

    who: Int64Array  # (S,)
    clip: Int64Array  # (S,) the same number for the same clip, whatever the kind
    frame: Int64Array  # (S,)
    duration: Int64Array  # (S,)
    pose: FloatArray  # (S, 3) where it begins
    first_sample: Int64Array  # (S,) of its path
    path: FloatArray  # (P, 3)
    stride_m: float  # the longest way of a root in a frame


def repeated_pairs(begun: Begun, *, near_m: float, frames: int) -> Int64Array:
    """Return the pairs (N, 2) of clips begun that are repeats, the earlier of each first."""
    if len(begun.clip) < 2:
        return np.empty((0, 2), np.int64)
    drift = frames * begun.stride_m  # at most so far one has come from where it began when the other begins
    # Clips are kept apart by more than the box that is looked in, which reaches 1 to either side.
    apart = 3.0 * np.unique(begun.clip, return_inverse=True)[1]
    scaled = np.column_stack((begun.pose[:, :2] / (near_m + drift), begun.frame / (frames + 0.5), apart))
    pairs = scipy.spatial.KDTree(scaled).query_pairs(1.0, p=np.inf, output_type="ndarray").astype(np.int64)
    pairs = np.sort(pairs, axis=1)  # frames rise, and of one frame's it does not matter
    earlier, later = pairs.T
    behind = begun.frame[later] - begun.frame[earlier]
    plays = (behind <= frames) & (behind < begun.duration[earlier]) & (begun.who[earlier] != begun.who[later])
    earlier, later, behind = earlier[plays], later[plays], behind[plays]
    places = planar.compose(begun.pose[earlier], begun.path[begun.first_sample[earlier] + behind])
    near = np.linalg.norm(places[:, :2] - begun.pose[later, :2], axis=1) <= near_m
    return np.column_stack((earlier, later))[near]


def begun_in(recording: Recording) -> Begun:
    """Return what was begun while its character was there, but for standing."""
    numbers, moves, durations, samples, paths = _numbered(recording.characters)
    path = np.concatenate(paths)
    steps = np.linalg.norm(np.diff(path[:, :2], axis=0), axis=1)
    steps[np.setdiff1d(np.concatenate(samples), [0]) - 1] = 0.0  # from one clip's last pose to another's first
    owner = np.repeat(np.arange(len(recording), dtype=np.int64), np.diff(recording.first_step))
    kind = recording.kind[owner]
    row = np.array([0, *np.cumsum([len(one) for one in numbers])])[kind] + recording.clip.astype(np.int64)
    number, going, duration, first_sample = (
        np.concatenate(columns)[row] for columns in (numbers, moves, durations, samples)
    )
    frame = recording.frame.astype(np.int64)
    kept = np.flatnonzero(going & (frame < recording.until[owner]))
    kept = kept[np.argsort(frame[kept], kind="stable")]
    return Begun(
        owner[kept], number[kept], frame[kept], duration[kept], recording.pose[kept], first_sample[kept], path,
        float(steps.max(initial=0.0)),
    )  # fmt: skip


def _numbered(characters: Sequence[Character]) -> tuple[list[NDArray[Any]], ...]:
    """Return for each kind its clips' numbers, whether they go anywhere, durations, first samples; and its path."""
    known: dict[int, int] = {}
    numbers, moves, durations, samples, path = [], [], [], [], []
    before = 0
    for character in characters:
        table = action_table(character)
        clips = [clip for behavior in character.behaviors for clip in behavior.clips]
        numbers.append(np.array([known.setdefault(id(clip), len(known)) for clip in clips], dtype=np.int64))
        held = np.array([one.kind == "wait" and one.can_be_held for one in character.behaviors])
        moves.append(~held[table.clip_behavior])
        durations.append(table.duration.astype(np.int64))
        samples.append(table.clip_samples + before)
        path.append(table.path)
        before += len(table.path)
    return numbers, moves, durations, samples, path
