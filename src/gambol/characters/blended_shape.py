"""Swept shapes that also contain a clip's frames after blending and foot clean-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gambol.body.capsules import Body
from gambol.characters.character import Character
from gambol.characters.clip import Clip, SweptShape
from gambol.characters.motion_table import (
    allowed_pairs,
    distinct_clips,
    join_windows,
    room_for_joins,
    struct_of_clips,
    struct_of_limbs,
    tabulate_clips,
    tabulate_limbs,
)
from gambol.characters.swept_shape import part_segments
from gambol.core import Struct, lib, pointer, struct, struct_of
from gambol.geometry.arrays import Int64Array


class ShapeTable(NamedTuple):
    """The cylinders of C clips with S instants in all; see `SweptShape`."""

    frames_per_step: int
    first: np.ndarray  # (C,) each clip's first instant
    path: np.ndarray  # (S, 3) x, y, heading
    offset: np.ndarray  # (S, 8, 2) metres
    radius: np.ndarray  # (S, 8) metres
    low: np.ndarray  # (S, 8) metres
    high: np.ndarray  # (S, 8) metres


def include_blending(character: Character, *, body: Body | None = None) -> Character:
    """Return the character with swept shapes that contain all delivered frames, whatever a clip's neighbours.

    Each cylinder grows just enough for the blends with all allowed neighbours at its instant; away from a
    clip's ends nothing changes.  This takes about a millisecond for each pair of clips.

    body: by default made from the skeleton.
    """
    clips, members = distinct_clips(character)
    shapes = _tabulate_shapes(clips)
    spheres = _end_spheres(body or Body.from_skeleton(character.skeleton))
    _hold_joins(character, clips, allowed_pairs(character, members), spheres, shapes)
    grown = {id(clip): _with_shape(clip, shapes, first) for clip, first in zip(clips, shapes.first, strict=True)}
    behaviors = tuple(
        replace(behavior, clips=tuple(grown[id(clip)] for clip in behavior.clips)) for behavior in character.behaviors
    )
    return replace(character, behaviors=behaviors)


def _hold_joins(
    character: Character, clips: Sequence[Clip], pairs: Int64Array, spheres: Struct, shapes: ShapeTable
) -> None:
    """Grow shapes until they contain the blends of pairs (N, 2) of clips."""
    table = tabulate_clips(clips)
    of_clips = struct_of_clips(table)
    limbs = struct_of_limbs(tabulate_limbs(character.skeleton, clips[0].contacts.points))
    room = room_for_joins(of_clips, join_windows(table, pairs))
    growing = struct_of("gb_shapes", shapes)
    lib.gb_shapes_hold_joins(
        of_clips.c, limbs.c, pointer(pairs, "int64_t"), len(pairs), spheres.c, growing.c, pointer(room, "double")
    )


def _with_shape(clip: Clip, shapes: ShapeTable, first: int) -> Clip:
    own = slice(first, first + clip.duration + 1)
    return replace(clip, shape=SweptShape(shapes.offset[own], shapes.radius[own], shapes.low[own], shapes.high[own]))


def _tabulate_shapes(clips: Sequence[Clip]) -> ShapeTable:
    counts = np.array([clip.duration + 1 for clip in clips], dtype=np.int64)
    return ShapeTable(
        frames_per_step=clips[0].frames_per_step,
        first=np.cumsum(counts) - counts,
        path=np.concatenate([clip.path for clip in clips]),
        offset=np.concatenate([clip.shape.offset for clip in clips]),
        radius=np.concatenate([clip.shape.radius for clip in clips]),
        low=np.concatenate([clip.shape.low for clip in clips]),
        high=np.concatenate([clip.shape.high for clip in clips]),
    )


def _end_spheres(body: Body) -> Struct:
    """Return the spheres at both ends of every segment of a body: cylinders that contain them contain the body."""
    segments = part_segments(body)
    capsule = np.tile(segments.capsule, 2)
    share = np.concatenate((segments.first, segments.last))[:, None]
    return struct(
        "gb_spheres",
        count=len(capsule),
        joint=body.joint[capsule].astype(np.int64),
        offset=body.start[capsule] + share * (body.end - body.start)[capsule],
        radius=body.radius[capsule],
        part=np.tile(segments.part, 2).astype(np.int64),
    )
