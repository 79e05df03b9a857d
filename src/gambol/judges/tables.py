"""A world for the full-rate check: every thing as prisms that move evenly during spans of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gambol.core import Struct, struct_of
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.world.terrain import Terrain
from gambol.world.world import Footprint, Trajectory, World

COLLISION_DEPTH_M = 0.01  # m, >= 0: a capsule less deep in a thing does not collide; larger accepts more
SPARE_S = 1.0  # s, > 0: spans reach this far beyond the checked time
GROUND_PRECISION_M = 1e-3  # m, > 0: pieces of axes follow the ground this closely; smaller is slower


class Ground(NamedTuple):
    """Heights on a square grid of points, bilinear between points, constant beyond the outermost."""

    is_flat: bool  # level at height 0: the other fields do not count
    x0: float
    y0: float
    cell_m: float
    heights: FloatArray  # (rows, columns)
    stretch: float  # >= 1: heights above the ground stretch distances at most by this factor
    piece_m: float  # metres in the ground plane over which the ground counts as straight


class Prisms(NamedTuple):
    """T things made of P convex pieces, on S spans of time in which each moves evenly."""

    corner_x: FloatArray  # (V,) metres, in the thing's own frame; counter-clockwise
    corner_y: FloatArray  # (V,)
    piece_corner: Int64Array  # (P + 1,) first corner of each piece
    rounding: FloatArray  # (P,) metres by which a piece reaches beyond its corners
    thing_piece: Int64Array  # (T + 1,) first piece of each thing
    reach: FloatArray  # (T,) radius around the thing's origin that contains it
    thing_span: Int64Array  # (T + 1,) first span of each thing; spans are in order of time
    span_from: FloatArray  # (S,) seconds
    span_to: FloatArray  # (S,)
    pose_from: FloatArray  # (S, 3) x, y, heading
    pose_to: FloatArray  # (S, 3)
    heights_from: FloatArray  # (S, 2) bottom and top above the local ground
    heights_to: FloatArray  # (S, 2)
    span_disc: FloatArray  # (S, 3) x, y and radius of a disc that contains the thing during the span


class Surroundings(NamedTuple):
    """What bodies must stay out of, and the bounds in which they must stay."""

    prisms: Prisms
    ground: Ground
    bounds: FloatArray  # (4,) least x, y, greatest x, y
    depth_limit: float  # metres, >= 0: a capsule less deep in a thing or beyond the bounds is no finding


def struct_of_prisms(prisms: Prisms) -> Struct:
    """Return things as the core reads them."""
    return struct_of("gb_check_things", prisms, count=len(prisms.reach))


def struct_of_surroundings(things: Surroundings) -> Struct:
    """Return surroundings as the core reads them."""
    rows, columns = things.ground.heights.shape
    ground = struct_of("gb_check_ground", things.ground, rows=rows, columns=columns)
    return struct_of("gb_check_world", things, things=struct_of_prisms(things.prisms), ground=ground)


def tabulate_surroundings(world: World, begin_s: float, end_s: float, depth_m: float) -> Surroundings:
    """Flatten a world for the time from one moment to another."""
    things, ground = tabulate_things(world, begin_s, end_s), tabulate_ground(world.terrain)
    return Surroundings(things, ground, np.array(world.bounds, dtype=np.float64), depth_m)


def check_depth(depth_m: float) -> float:
    if not (np.isfinite(depth_m) and depth_m >= 0.0):
        raise InvalidInput(f"a depth must not be negative, not {depth_m}")
    return float(depth_m)


class Span(NamedTuple):
    """A stretch of time in which a thing moves evenly from one row of its trajectory to another."""

    from_s: float
    to_s: float
    from_row: int
    to_row: int


def trajectory_spans(trajectory: Trajectory, begin_s: float, end_s: float) -> list[Span]:
    """Return the spans from one time to another without gaps; where a loop jumps, the next span begins elsewhere."""
    times = trajectory.times_s
    first, last = float(times[0]), float(times[-1])
    rows = range(len(times))
    spans = [Span(min(begin_s, first) - SPARE_S, first, 0, 0)]
    if trajectory.repeat == "once":
        spans += _through(times, 0.0, rows)
        spans.append(Span(last, max(end_s, last) + SPARE_S, rows[-1], rows[-1]))
    else:
        length = last - first
        number = max(int((begin_s - first) // length) - 1, 0)
        while first + number * length <= end_s:
            back = trajectory.repeat == "bounce" and number % 2 == 1
            if back:  # the last row comes first: its time counts from the end
                spans += _through(first + last - times, number * length, rows[::-1])
            else:
                spans += _through(times, number * length, rows)
            number += 1
        spans = _without_gaps(spans)
    return [span for span in spans if span.to_s > begin_s - SPARE_S and span.from_s < end_s + SPARE_S]


def _through(times: FloatArray, later_s: float, rows: Sequence[int]) -> list[Span]:
    """Return the spans from row to row, later than the rows' times by some seconds."""
    moments = [float(times[row]) + later_s for row in rows]
    steps = zip(moments, moments[1:], rows, rows[1:], strict=False)
    return [Span(*step) for step in steps if step[0] < step[1]]


def _without_gaps(spans: list[Span]) -> list[Span]:
    """Let each span begin when the one before it ends: rounding may leave a gap between rounds."""
    kept = spans[:1]
    for span in spans[1:]:
        if abs(span.from_s - kept[-1].to_s) < 1e-6:
            span = span._replace(from_s=kept[-1].to_s)
        if span.from_s < span.to_s:
            kept.append(span)
    return kept


class _Thing(NamedTuple):
    footprint: Footprint
    spans: list[Span]
    poses: FloatArray  # (K, 3)
    heights_m: FloatArray  # (K, 2)


def tabulate_things(world: World, begin_s: float, end_s: float) -> Prisms:
    """Flatten obstacles, then movers, in the order of the world, for the time from one moment to another."""
    things = list(_things(world, begin_s, end_s))
    pieces = [piece for thing in things for piece in thing.footprint.pieces]
    outlines = [convex_outline(piece.corners) for piece in pieces]
    corners = np.concatenate([*outlines, np.empty((0, 2))])
    spans = [span for thing in things for span in thing.spans]
    thing_row = _offsets(len(thing.poses) for thing in things)
    rows = np.array(
        [(first + span.from_row, first + span.to_row)
         for thing, first in zip(things, thing_row[:-1], strict=True) for span in thing.spans],
        dtype=np.int64,
    ).reshape(-1, 2)  # fmt: skip
    reach = np.array([_reach(thing.footprint) for thing in things], dtype=np.float64)
    poses = np.concatenate([*(thing.poses for thing in things), np.empty((0, 3))])
    heights = np.concatenate([*(thing.heights_m for thing in things), np.empty((0, 2))])
    pose_from, pose_to = poses[rows[:, 0]], poses[rows[:, 1]]
    half_way = 0.5 * np.hypot(*(pose_to - pose_from)[:, :2].T)
    disc_radius = np.repeat(reach, [len(thing.spans) for thing in things]) + half_way
    return Prisms(
        corner_x=np.ascontiguousarray(corners[:, 0]),
        corner_y=np.ascontiguousarray(corners[:, 1]),
        piece_corner=_offsets(len(outline) for outline in outlines),
        rounding=np.array([piece.radius_m for piece in pieces], dtype=np.float64),
        thing_piece=_offsets(len(thing.footprint.pieces) for thing in things),
        reach=reach,
        thing_span=_offsets(len(thing.spans) for thing in things),
        span_from=np.array([span.from_s for span in spans], dtype=np.float64),
        span_to=np.array([span.to_s for span in spans], dtype=np.float64),
        pose_from=pose_from,
        pose_to=pose_to,
        heights_from=heights[rows[:, 0]],
        heights_to=heights[rows[:, 1]],
        span_disc=np.column_stack((0.5 * (pose_from + pose_to)[:, :2], disc_radius)),
    )


def _things(world: World, begin_s: float, end_s: float) -> Iterator[_Thing]:
    still = [Span(begin_s - SPARE_S, end_s + SPARE_S, 0, 0)]
    for obstacle in world.obstacles:
        heights = np.array([[obstacle.bottom_m, obstacle.top_m]])
        yield _Thing(obstacle.footprint, still, np.array([obstacle.pose]), heights)
    for mover in world.movers:
        spans = trajectory_spans(mover.trajectory, begin_s, end_s)
        yield _Thing(mover.footprint, spans, mover.trajectory.poses, mover.trajectory.heights_m)


def tabulate_ground(terrain: Terrain | None) -> Ground:
    """Flatten the terrain, with measures of its slope and curvature."""
    if terrain is None:
        return Ground(True, 0.0, 0.0, 1.0, np.zeros((2, 2)), 1.0, np.inf)
    heights, cell = np.array(terrain.heights_m), float(terrain.cell_m)
    origin_x, origin_y = (float(value) for value in terrain.origin)
    along_y, along_x = (np.diff(heights, axis=axis) / cell for axis in (0, 1))
    steepest = float(np.hypot(np.abs(along_x).max(), np.abs(along_y).max()))
    # Along a line no longer than a cell, the slope changes at grid lines and by the twist of cells.  Beyond the
    # outermost points the ground is level.  A chord is off by at most a quarter of the change times the length.
    bend_x = np.abs(np.diff(np.pad(along_x, ((0, 0), (1, 1))), axis=1)).max()
    bend_y = np.abs(np.diff(np.pad(along_y, ((1, 1), (0, 0))), axis=0)).max()
    twist = np.abs(np.diff(along_y, axis=1)).max()
    piece = 4.0 * GROUND_PRECISION_M / max(float(bend_x + bend_y + twist), 1e-6)
    return Ground(False, origin_x, origin_y, cell, heights, 1.0 + steepest, min(piece, cell))


def convex_outline(corners: FloatArray) -> FloatArray:
    """Return the corners of the convex hull, counter-clockwise, without repeats and without points on its edges."""
    points = sorted({(float(x), float(y)) for x, y in corners})
    if len(points) < 3:
        return np.array(points)

    def chain(ordered: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for x, y in ordered:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return np.array(chain(points) + chain(reversed(points)))


def _reach(footprint: Footprint) -> float:
    return max(float(np.hypot(*piece.corners.T).max()) + piece.radius_m for piece in footprint.pieces)


def _offsets(sizes: Iterable[int]) -> Int64Array:
    """Return where each group begins, and where the last one ends."""
    return np.cumsum([0, *sizes], dtype=np.int64)
