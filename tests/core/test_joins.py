"""Blends of clips: the core against plain numpy, with cut-off takes and stretching bones too."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from tests.core.blends_in_numpy import Window, blend_pair, placed, points_of

from gambol.body import Body
from gambol.characters import load_character
from gambol.characters.blended_shape import _end_spheres, _tabulate_shapes
from gambol.characters.motion_table import (
    LimbTable,
    MotionTable,
    allowed_pairs,
    distinct_clips,
    join_windows,
    room_for_joins,
    struct_of_clips,
    struct_of_limbs,
    tabulate_clips,
    tabulate_limbs,
)
from gambol.core import lib, pointer, struct, struct_of

FIGURES = ("human", "horse", "skateboarder")
KINDS = ("recorded", "cut off", "stretching")


class Cast(NamedTuple):
    table: MotionTable
    limbs: LimbTable
    pairs: np.ndarray  # (N, 2) some pairs of clips


@cache
def cast(name: str, kind: str) -> Cast:
    """Return clips of a shipped figure: as they are, without recorded margins, or with bones of any length."""
    rng = np.random.default_rng(FIGURES.index(name))
    character = load_character(name)
    clips, members = distinct_clips(character)
    table = tabulate_clips(clips)
    if kind == "cut off":
        table = table._replace(recorded=rng.integers(0, 3, table.recorded.shape))
    if kind == "stretching":
        rows = (len(table.rotations), *table.offsets.shape[1:])
        table = table._replace(offsets=table.offsets + 0.01 * rng.normal(size=rows))
    pairs = allowed_pairs(character, members)
    some = np.unique(pairs[rng.permutation(len(pairs))[:8]], axis=0)
    return Cast(table, tabulate_limbs(character.skeleton, clips[0].contacts.points), some)


def blended(made: Cast, a: int, b: int, *, clean: bool) -> Window:
    """Return what the core blends."""
    table = made.table
    widths = join_windows(table, np.array([[a, b]]))
    clips, limbs, frames = struct_of_clips(table), struct_of_limbs(made.limbs), 2 * int(widths[0]) + 1
    joints, room = table.rotations.shape[1], room_for_joins(clips, widths)
    window = {
        "roots": np.empty((frames, 3)),
        "rotations": np.empty((frames, joints, 4)),
        "offsets": np.empty((1 if len(table.offsets) == 1 else frames, joints, 3)),
        "planted": np.empty((frames, table.planted.shape[1]), dtype=bool),
    }
    mixed = struct("gb_window", frames=frames, **window)
    lib.gb_join_blend(clips.c, limbs.c, a, b, clean, pointer(room, "double"), mixed.c)
    return Window(**window)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FIGURES)
def test_a_join_is_blended_as_in_plain_numpy(name: str, kind: str) -> None:
    made = cast(name, kind)
    for a, b in made.pairs.tolist():
        for clean in (False, True):
            found, expected = blended(made, a, b, clean=clean), blend_pair(made.table, made.limbs, a, b, clean=clean)
            assert np.array_equal(found.planted, expected.planted)
            assert np.allclose(found.roots, expected.roots, atol=1e-9)
            assert np.allclose(found.offsets, expected.offsets, atol=1e-12)
            assert np.allclose(found.rotations, expected.rotations, atol=1e-9)


@pytest.mark.parametrize("name", FIGURES)
def test_windows_are_as_wide_as_margins_and_half_of_the_clips_allow(name: str) -> None:
    made = cast(name, "recorded")
    clips = struct_of_clips(made.table)
    pairs = np.argwhere(np.ones((len(made.table.first),) * 2))
    assert [lib.gb_join_window(clips.c, a, b) for a, b in pairs.tolist()] == join_windows(made.table, pairs).tolist()


@pytest.mark.parametrize("kind", ["recorded", "stretching"])
@pytest.mark.parametrize("name", FIGURES)
def test_all_joins_are_those_of_the_pairs_in_single_precision(name: str, kind: str) -> None:
    made = cast(name, kind)
    widths = join_windows(made.table, made.pairs)
    sizes = 2 * widths + 1
    rows, joints, points = int(sizes.sum()), made.table.rotations.shape[1], made.table.planted.shape[1]
    first, is_rigid = np.cumsum(sizes) - sizes, len(made.table.offsets) == 1
    columns = {
        "root_positions": np.full((rows, 3), np.nan, dtype=np.float32),
        "rotations": np.full((rows, joints, 4), np.nan, dtype=np.float32),
        "offsets": np.full((1 if is_rigid else rows, joints, 3), np.nan, dtype=np.float32),
        "planted": np.empty((rows, points), dtype=bool),
    }
    joins = struct("gb_joins", count=len(made.pairs), first=first, window=widths, **columns)
    clips, limbs = struct_of_clips(made.table), struct_of_limbs(made.limbs)
    room = pointer(room_for_joins(clips, widths), "double")
    lib.gb_joins_fill(clips.c, limbs.c, pointer(made.pairs, "int64_t"), joins.c, room)
    for (a, b), begin, size in zip(made.pairs.tolist(), first, sizes, strict=True):
        alone, own = blended(made, a, b, clean=True), slice(begin, begin + size)
        assert np.array_equal(columns["root_positions"][own], alone.roots.astype(np.float32))
        assert np.array_equal(columns["rotations"][own], alone.rotations.astype(np.float32))
        assert np.array_equal(columns["planted"][own], alone.planted)
        if not is_rigid:
            assert np.array_equal(columns["offsets"][own], alone.offsets.astype(np.float32))


@pytest.mark.parametrize("name", FIGURES)
def test_grown_shapes_hold_every_blended_frame_and_not_more_than_they_must(name: str) -> None:
    """An instant holds the frames of up to half a planning frame before and after it, seen from its path's pose."""
    made, character = cast(name, "recorded"), load_character(name)
    clips, limbs = struct_of_clips(made.table), struct_of_limbs(made.limbs)
    bodies = _end_spheres(Body.from_skeleton(character.skeleton))
    before = _tabulate_shapes(distinct_clips(character)[0])
    before.radius[:] *= 0.8
    before.high[:] *= 0.9
    before.low[:] += 0.1
    after = before._replace(**{one: getattr(before, one).copy() for one in ("offset", "radius", "low", "high")})
    expected = before._replace(**{one: getattr(before, one).copy() for one in ("offset", "radius", "low", "high")})
    room = pointer(room_for_joins(clips, join_windows(made.table, made.pairs)), "double")
    pairs = pointer(made.pairs, "int64_t")
    growing = struct_of("gb_shapes", after)
    lib.gb_shapes_hold_joins(clips.c, limbs.c, pairs, len(made.pairs), bodies.c, growing.c, room)
    for a, b in made.pairs.tolist():
        grow(expected, made, a, b, bodies.kept)
    for one in ("offset", "radius", "low", "high"):
        assert np.allclose(getattr(after, one), getattr(expected, one), atol=1e-9)
        assert not np.allclose(getattr(after, one), getattr(before, one), atol=1e-9)


def grow(shapes, made: Cast, a: int, b: int, spheres: dict[str, np.ndarray]) -> None:
    """Grow shapes by one pair, frame by frame and sphere by sphere."""
    window = blended(made, a, b, clean=True)
    window.offsets = np.broadcast_to(window.offsets, (len(window.roots), *window.offsets.shape[1:]))
    points = points_of(spheres["joint"], spheres["offset"], placed(made.limbs, window))
    width, step = len(points) // 2, shapes.frames_per_step
    half, steps = (step + 1) // 2, made.table.steps
    for frame, (clip, at, pose) in [
        *((f, (a, steps[a] + f - width, made.table.end[a])) for f in range(width + 1)),
        *((f, (b, f - width, np.zeros(3))) for f in range(width, 2 * width + 1)),
    ]:
        for number in range(steps[clip] // step + 1):
            if abs(number * step - at) <= half:
                instant = shapes.first[clip] + number
                path = shapes.path[instant]
                turn = pose[2] - path[2]
                shift = np.array([[np.cos(path[2]), np.sin(path[2])], [-np.sin(path[2]), np.cos(path[2])]])
                spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
                places = points[frame].copy()
                places[:, :2] = shift @ (pose[:2] - path[:2]) + places[:, :2] @ spin.T
                for place, radius, part in zip(places, spheres["radius"], spheres["part"], strict=True):
                    hold(shapes, (instant, part), place, radius)


def hold(shapes, at: tuple[int, int], place: np.ndarray, radius: float) -> None:
    """Make a cylinder the smallest one around itself and a sphere."""
    away = place[:2] - shapes.offset[at]
    distance = float(np.linalg.norm(away))
    outside = distance + radius - shapes.radius[at]
    if outside > 0.0:
        shapes.radius[at] += 0.5 * outside
        shapes.offset[at] += 0.5 * outside * away / max(distance, 1e-12)
    shapes.low[at] = min(shapes.low[at], place[2] - radius)
    shapes.high[at] = max(shapes.high[at], place[2] + radius)
