"""The climber's figure seen from the side, as filled shapes from back to front: far limbs, trunk, near limbs.

All parts but the feet lie within the capsules that planning keeps out of obstacles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.climb.figure import FigureTable
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray
from gambol.pictures.climb_track import Track
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK
from gambol.pictures.mesh import Color

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Colors of modes, also for the color-blind (Okabe and Ito's set).
MODE_COLORS: Mapping[Mode, Color] = MappingProxyType(
    {
        Mode.WALK: (0.0, 0.447, 0.698),
        Mode.CLIMB: (0.835, 0.369, 0.0),
        Mode.SWING: (0.0, 0.62, 0.451),
        Mode.CRAWL: (0.72, 0.38, 0.60),
    }
)
WHITE: Color = (1.0, 1.0, 1.0)
NEAR_SHARE = 0.42  # 0 to 1: limbs on the near side are this much whiter than the mode's color
TRUNK_SHARE = 0.24  # 0 to 1: the trunk is this much whiter
FAR_SHARE = 0.36  # 0 to 1: limbs on the far side are this much darker
EDGE_SHARE = 0.72  # 0 to 1: outlines are this much darker
ARC = 9  # corners of half a circle
THIN = 0.25  # 0 to 1: least share of a foot's length that is drawn while the figure turns


class Shape(NamedTuple):
    """A filled outline, in metres."""

    corners: FloatArray  # (K, 2)
    color: Color
    edge: Color


class Shades(NamedTuple):
    """Colors of one figure."""

    near: Color
    trunk: Color
    far: Color
    edge: Color

    @classmethod
    def of(cls, color: Color, facing: float = 1.0) -> Shades:
        """Return shades of a color; while the figure turns, both sides look alike."""
        apart = abs(facing)
        trunk = faded(color, WHITE, TRUNK_SHARE)
        near = faded(trunk, faded(color, WHITE, NEAR_SHARE), apart)
        return cls(near, trunk, faded(trunk, faded(color, INK, FAR_SHARE), apart), faded(color, INK, EDGE_SHARE))


def posed(track: Track, index: int, color: Color | None = None) -> list[Shape]:
    """Return the figure at one configuration of a track, in the color of its mode."""
    facing = float(track.path.facings[index])
    mode = Mode(int(track.path.modes[index]))
    shades = Shades.of(MODE_COLORS[mode] if color is None else color, facing)
    q = track.path.configurations[index]
    feet = [(float(angle), float(size)) for angle, size in zip(track.feet[index], track.foot_sizes[index], strict=True)]
    return figure_shapes(track.problem.figure.table, facing, float(q[2] + q[3]), track.points[index], feet, shades)


def figure_shapes(
    table: FigureTable,
    facing: float,
    face: float,
    points: FloatArray,
    feet: Sequence[tuple[float, float]],
    shades: Shades,
) -> list[Shape]:
    """Return a placed figure as shapes from back to front.

    face: the head's angle forward from upright.
    points: (12, 2) as `place` writes them.
    feet: angle and size of the left and of the right foot, as in `Track`.
    """
    # A figure that faces +x is seen from its right side.
    near = 1 if facing >= 0.0 else 0
    far = 1 - near
    shapes: list[Shape] = []
    for side, color in ((far, shades.far), (near, shades.near)):
        arm = [Shape(outline, color, shades.edge) for outline in _arm(table, points, side)]
        leg = [Shape(outline, color, shades.edge) for outline in _leg(table, points, side, facing, feet[side])]
        if side == far:
            shapes += [*arm, *leg]
            shapes += [Shape(outline, shades.trunk, shades.edge) for outline in _trunk(table, points, facing, face)]
        else:
            shapes += [*leg, *arm]
    return shapes


def _trunk(table: FigureTable, points: FloatArray, facing: float, face: float) -> list[FloatArray]:
    pelvis, neck, skull = points[0], points[2], points[3]
    radius = float(table.radius[0])
    parts = ((0.0, 0.86), (0.68, 1.0), (0.97, 0.55))
    rings = [_ring(pelvis + share * (neck - pelvis), size * radius) for share, size in parts]
    torso = shapely.get_coordinates(shapely.MultiPoint(np.concatenate(rings)).convex_hull)[:-1]
    throat = capsule_outline(pelvis + 0.94 * (neck - pelvis), skull, 0.48 * radius, 0.40 * radius)
    return [throat, torso, _head(float(table.radius[1]), skull, facing, face)]


def _head(radius: float, middle: FloatArray, facing: float, face: float) -> FloatArray:
    """Return a head with a nose, which shows where it looks."""
    turns = np.linspace(0.0, 2.0 * math.pi, 4 * ARC, endpoint=False)
    ahead, up = 0.92 * radius * np.cos(turns), 1.06 * radius * np.sin(turns)
    away = np.abs(np.angle(np.exp(1j * (turns + 0.12))))
    ahead = ahead + 0.20 * radius * np.clip(1.0 - away / 0.26, 0.0, 1.0)
    sine, cosine = math.sin(face), math.cos(face)
    width = facing if abs(facing) > 0.9 else math.copysign(max(abs(facing), 0.85), facing)
    return middle + np.column_stack((width * (ahead * cosine + up * sine), up * cosine - ahead * sine))


def _arm(table: FigureTable, points: FloatArray, side: int) -> list[FloatArray]:
    elbow, hand = points[4 + 2 * side], points[5 + 2 * side]
    upper, lower = float(table.radius[2]), float(table.radius[3])
    along = (hand - elbow) / max(float(np.linalg.norm(hand - elbow)), 1e-9)
    wrist = hand - 0.7 * table.hand_length * along
    palm = capsule_outline(wrist, hand + 0.25 * table.hand_length * along, 0.72 * lower, 0.62 * lower)
    forearm = capsule_outline(elbow, wrist, lower, 0.68 * lower)
    return [palm, forearm, capsule_outline(points[1], elbow, upper, 0.82 * upper)]


def _leg(
    table: FigureTable, points: FloatArray, side: int, facing: float, foot: tuple[float, float]
) -> list[FloatArray]:
    knee, ankle = points[8 + 2 * side], points[9 + 2 * side]
    upper, lower = float(table.radius[6]), float(table.radius[7])
    shank = capsule_outline(knee, ankle, lower, 0.66 * lower)
    return [_foot(table, ankle, facing, *foot), shank, capsule_outline(points[0], knee, upper, 0.80 * upper)]


def _foot(table: FigureTable, ankle: FloatArray, facing: float, angle: float, size: float) -> FloatArray:
    """Return a wedge from heel to toes around an ankle."""
    toes, sole = table.toes, table.ankle
    outline = np.array([
        (-0.30 * toes, -0.86 * sole), (-0.24 * toes, -sole), (0.90 * toes, -sole), (toes, -0.86 * sole),
        (0.97 * toes, -0.58 * sole), (0.62 * toes, -0.20 * sole), (0.24 * toes, 0.45 * sole),
        (-0.16 * toes, 0.45 * sole), (-0.27 * toes, -0.20 * sole),
    ])  # fmt: skip
    ahead, up = size * outline.T
    sine, cosine = math.sin(angle), math.cos(angle)
    width = math.copysign(max(abs(facing), THIN), facing)
    return ankle + np.column_stack((width * (ahead * cosine - up * sine), ahead * sine + up * cosine))


def capsule_outline(start: FloatArray, end: FloatArray, start_radius: float, end_radius: float) -> FloatArray:
    """Return the outline (K, 2) of the hull of two discs, counter-clockwise."""
    dx, dz = float(end[0] - start[0]), float(end[1] - start[1])
    length = math.hypot(dx, dz)
    if length <= abs(start_radius - end_radius) + 1e-9:
        return _ring(start, start_radius) if start_radius > end_radius else _ring(end, end_radius)
    course = math.atan2(dz, dx)
    lean = math.acos((start_radius - end_radius) / length)
    back = np.linspace(course + lean, course + 2.0 * math.pi - lean, ARC)
    front = np.linspace(course - lean, course + lean, ARC)
    return np.concatenate(
        (
            start + start_radius * np.column_stack((np.cos(back), np.sin(back))),
            end + end_radius * np.column_stack((np.cos(front), np.sin(front))),
        )
    )


def _ring(middle: FloatArray, radius: float) -> FloatArray:
    turns = np.linspace(0.0, 2.0 * math.pi, 2 * ARC, endpoint=False)
    return middle + radius * np.column_stack((np.cos(turns), np.sin(turns)))


def draw_shapes(
    axes: Axes,
    shapes: Iterable[Shape],
    *,
    alpha: float = 1.0,
    line: float = 0.6,
    order: float = 10.0,
    pale: float = 0.0,
) -> None:
    """Draw shapes; `pale` (0 to 1) moves their colors toward white."""
    from matplotlib.collections import PolyCollection

    shapes = list(shapes)
    axes.add_collection(PolyCollection(
        [shape.corners for shape in shapes],
        facecolors=[faded(shape.color, WHITE, pale) for shape in shapes],
        edgecolors=[faded(shape.edge, WHITE, pale) for shape in shapes],
        linewidths=line, alpha=alpha, zorder=order, joinstyle="round",
    ), autolim=False)  # fmt: skip


def draw_sticks(axes: Axes, track: Track, indices: Sequence[int], *, line: float = 0.8, order: float = 10.0) -> None:
    """Draw figures at many configurations as lines: far limbs pale, trunk and near limbs dark, heads as rings."""
    from matplotlib.collections import EllipseCollection, LineCollection

    chosen = np.asarray(indices, dtype=np.intp)
    points, path = track.points[chosen], track.path
    base = np.array([MODE_COLORS[Mode(int(mode))] for mode in path.modes[chosen]])
    dark, pale = 0.75 * base + 0.25 * np.array(INK), 0.45 * base + 0.55
    right_is_near = (path.facings[chosen] >= 0.0)[:, None]
    tips = _toes(track, chosen)
    lines, colors = [], []
    for side, is_near in ((0, ~right_is_near), (1, right_is_near)):
        limbs = (points[:, [1, 4 + 2 * side, 5 + 2 * side]], points[:, [0, 8 + 2 * side, 9 + 2 * side]])
        for limb in (limbs[0], np.concatenate((limbs[1], tips[:, side, None]), axis=1)):
            lines.append(list(limb))
            colors.append(np.where(is_near, dark, pale))
    lines.append(list(points[:, [0, 2, 3]]))
    colors.append(dark)
    # In order of time, so that later poses are in front.
    pieces = [piece for group in zip(*lines, strict=True) for piece in group]
    shades = np.stack(colors, axis=1).reshape(-1, 3)
    axes.add_collection(LineCollection(
        pieces, colors=shades, linewidths=line, zorder=order, alpha=0.8, capstyle="round", joinstyle="round",
    ), autolim=False)  # fmt: skip
    size = 2.0 * float(track.problem.figure.table.radius[1]) * np.ones(len(chosen))
    axes.add_collection(EllipseCollection(
        size, size, np.zeros(len(chosen)), units="xy", offsets=points[:, 3], offset_transform=axes.transData,
        facecolors="none", edgecolors=dark, linewidths=line, alpha=0.8, zorder=order,
    ), autolim=False)  # fmt: skip


def _toes(track: Track, chosen: NDArray[np.intp]) -> FloatArray:
    """Return the tips of left and right toes (N, 2, 2)."""
    table, angles = track.problem.figure.table, track.feet[chosen]
    sine, cosine = np.sin(angles), np.cos(angles)
    toes, sole = track.foot_sizes[chosen] * table.toes, track.foot_sizes[chosen] * 0.8 * table.ankle
    ahead, up = toes * cosine + sole * sine, toes * sine - sole * cosine
    ankles = track.points[chosen][:, [9, 11]]
    return ankles + np.stack((track.path.facings[chosen, None] * ahead, up), axis=-1)
