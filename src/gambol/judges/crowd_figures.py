"""The capsules of all frames of a recording's clips and blends, as flat arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.animate.blends import Blends
from gambol.body.capsules import Body
from gambol.characters.character import Character
from gambol.characters.motion_table import distinct_clips
from gambol.core import Struct, lib, pointer, struct_of
from gambol.crowd.recording import Recording
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.motion.motion import Motion

ROWS_AT_A_TIME = 2048  # frames, >= 1, to place at a time; more takes more memory
DISC_MARGIN_M = 1e-5  # m, > 0: discs are this much larger than their capsules, for rounding


class Figures(NamedTuple):
    """Capsules of K kinds in all their R frames, each seen from the pose that places the frame."""

    frames_per_step: Int64Array  # (K,) number of delivered frames in a planning frame
    ticks_per_step: int  # number of ticks in a planning frame: in a tick, all characters move straight
    capsule_first: Int64Array  # (K + 1,)
    radius: FloatArray  # (C,) metres
    kind_clip: Int64Array  # (K + 1,) first clip of each kind
    clip_first: Int64Array  # (G,) row of each clip's first frame, without margin
    clip_steps: Int64Array  # (G,) frames from the clip's first to its last
    clip_end: FloatArray  # (G, 3) the path's last pose
    blend_first: Int64Array  # (B,) row of each blend's first frame
    blend_window: Int64Array  # (B,) number of frames on either side of the join
    axis_first: Int64Array  # (R,) number of a row's first axis
    axes: NDArray[np.float32]  # (A, 6) x, y, z of an axis's start and end
    disc: FloatArray  # (R, 3) x, y and radius of a disc in the ground plane around all capsules


class Steps(NamedTuple):
    """The S steps of N characters; the steps of one character are consecutive."""

    rate_hz: float  # planning frames a second
    kind: NDArray[np.int32]  # (N,)
    begin: Int64Array  # (N,) first planning frame
    end: Int64Array  # (N,) last planning frame
    first_step: Int64Array  # (N + 1,)
    clip: NDArray[np.uint16]  # (S,) number of the clip within the kind
    frame: NDArray[np.int32]  # (S,)
    pose: FloatArray  # (S, 3)
    join: NDArray[np.int32]  # (S,) blend with the next step, -1 for none


def struct_of_figures(figures: Figures) -> Struct:
    """Return figures as the core reads them."""
    return struct_of("gb_check_figures", figures)


def struct_of_steps(steps: Steps) -> Struct:
    """Return steps as the core reads them."""
    return struct_of("gb_check_steps", steps, characters=len(steps.kind))


class Kind(NamedTuple):
    """One kind of character in a recording."""

    body: Body
    blends: Blends  # of all pairs of clips that follow one another in the recording, allowed or not
    clip_number: Int64Array  # (flat clips,) number in the blends; -1 for clips that are not played
    strays: FloatArray  # (blends, 2) metres from the first clip's root before the join, from the second's after it


def flat_clips(character: Character) -> Int64Array:
    """Return for each clip, counted through all behaviors, its number among `distinct_clips`."""
    return np.concatenate(distinct_clips(character)[1])


def tabulate_figures(recording: Recording) -> tuple[Figures, Steps, tuple[Kind, ...]]:
    """Return tables of all frames that the characters of a recording show, and of their steps."""
    of_step = np.repeat(recording.kind, np.diff(recording.first_step))
    join = np.full(len(recording.clip), -1, dtype=np.int32)
    follows = np.ones(len(recording.clip), dtype=bool)  # whether a step has one after it
    follows[recording.first_step[1:][np.diff(recording.first_step) > 0] - 1] = False
    kinds: list[Kind] = []
    blend_count = 0
    for number, character in enumerate(recording.characters):
        own = np.flatnonzero(of_step == number)
        kind, joins = _tabulate_kind(character, recording.clip[own].astype(np.int64), follows[own])
        kinds.append(kind)
        join[own[follows[own]]] = joins + blend_count
        blend_count += len(kind.blends.pairs)
    return _figures(recording, kinds), _steps(recording, join), tuple(kinds)


def _tabulate_kind(character: Character, played: Int64Array, follows: NDArray[np.bool_]) -> tuple[Kind, Int64Array]:
    """Return a kind, and the blend after each step that has a next one."""
    distinct, _ = distinct_clips(character)
    flat = flat_clips(character)
    used = np.unique(flat[played]) if len(played) else flat[:1]
    number = np.full(len(distinct), -1, dtype=np.int64)
    number[used] = np.arange(len(used))
    clips = number[flat[played]]
    keys = (clips * len(used) + np.roll(clips, -1))[follows]
    pairs, joins = np.unique(keys, return_inverse=True)
    blends = Blends.between([distinct[n] for n in used], np.column_stack(np.divmod(pairs, len(used))))
    body = Body.from_skeleton(character.skeleton)
    return Kind(body, blends, number[flat], _strays(blends)), joins


def _strays(blends: Blends) -> FloatArray:
    """Return how far blended roots are from those of the clips before and after their joins (N, 2), metres."""
    frames, found = blends.frames, np.zeros((len(blends.pairs), 2))
    for number, (one, two) in enumerate(blends.pairs):
        window, first = int(blends.joins.window[number]), int(blends.joins.first[number])
        mixed = blends.joins.root_positions[first : first + 2 * window + 1, :2]
        last = frames.first[one] + frames.margin[one] + frames.steps[one]
        before = planar.apply(planar.invert(frames.end[one]), frames.root_positions[last - window : last + 1, :2])
        begin = frames.first[two] + frames.margin[two]
        after = frames.root_positions[begin : begin + window + 1, :2]
        found[number] = (
            np.linalg.norm(mixed[: window + 1] - before, axis=1).max(),
            np.linalg.norm(mixed[window:] - after, axis=1).max(),
        )
    return found


def _figures(recording: Recording, kinds: list[Kind]) -> Figures:
    axes, discs, axis_first = [np.empty((0, 6), np.float32)], [np.empty((0, 3))], [np.empty(0, np.int64)]
    clip_first, clip_steps, clip_end, blend_first, blend_window = ([] for _ in range(5))
    rows = axis_count = 0
    for kind in kinds:
        frames, joins = kind.blends.frames, kind.blends.joins
        parts = kind.body.part_count
        for starts, ends in _placed(kind):
            axes.append(np.concatenate((starts, ends), axis=-1, dtype=np.float32).reshape(-1, 6))
            discs.append(discs_around(axes[-1], kind.body.radius))
        count = len(frames.root_positions) + len(joins.root_positions)
        axis_first.append(axis_count + parts * np.arange(count, dtype=np.int64))
        clip_first.append((rows + frames.first + frames.margin)[kind.clip_number])
        clip_steps.append(frames.steps[kind.clip_number])
        clip_end.append(frames.end[kind.clip_number])
        blend_first.append(rows + len(frames.root_positions) + joins.first)
        blend_window.append(joins.window)
        rows += count
        axis_count += parts * count
    frames_per_step = np.array([kind.blends.clips[0].frames_per_step for kind in kinds], dtype=np.int64)
    return Figures(
        frames_per_step=frames_per_step,
        ticks_per_step=int(np.lcm.reduce(frames_per_step)),
        capsule_first=np.cumsum([0, *(kind.body.part_count for kind in kinds)], dtype=np.int64),
        radius=np.concatenate([np.empty(0), *(kind.body.radius for kind in kinds)]),
        kind_clip=np.cumsum([0, *(len(kind.clip_number) for kind in kinds)], dtype=np.int64),
        clip_first=np.concatenate(clip_first),
        clip_steps=np.concatenate(clip_steps),
        clip_end=np.concatenate(clip_end),
        blend_first=np.concatenate(blend_first),
        blend_window=np.concatenate(blend_window),
        axis_first=np.concatenate(axis_first),
        axes=np.concatenate(axes),
        disc=np.concatenate(discs),
    )


def discs_around(axes: NDArray[np.float32], radius: FloatArray) -> FloatArray:
    """Return x, y and radius (F, 3) of discs in the ground plane around capsules with axes (F * C, 6)."""
    frames = len(axes) // len(radius)
    discs = np.empty((frames, 3))
    lib.gb_check_fill_discs(
        pointer(axes, "float"), pointer(radius, "double"), len(radius), DISC_MARGIN_M, pointer(discs, "double"), frames
    )
    return discs


def _placed(kind: Kind) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield starts and ends (F, C, 3) of all axes in the clips' frames, then in the blends', some at a time."""
    skeleton, rate_hz = kind.body.skeleton, kind.blends.frames.rate_hz
    rigid = len(kind.blends.frames.offsets) == 1
    for table in (kind.blends.frames, kind.blends.joins):
        for first in range(0, len(table.root_positions), ROWS_AT_A_TIME):
            some = slice(first, first + ROWS_AT_A_TIME)
            translations = None if rigid else table.offsets[some]
            yield kind.body.place(
                Motion(skeleton, rate_hz, table.root_positions[some], table.rotations[some], translations)
            )


def _steps(recording: Recording, join: NDArray[np.int32]) -> Steps:
    some = np.diff(recording.first_step) > 0
    begin = np.zeros(len(recording), dtype=np.int64)
    begin[some] = recording.frame[recording.first_step[:-1][some]]
    end = recording.until.astype(np.int64) - 1
    end[some & (end == begin)] += 1  # a character with one frame is judged until the next frame
    end[~some] = -1
    return Steps(
        rate_hz=recording.rate_hz,
        kind=recording.kind,
        begin=begin,
        end=end,
        first_step=recording.first_step,
        clip=recording.clip,
        frame=recording.frame,
        pose=recording.pose,
        join=join,
    )
