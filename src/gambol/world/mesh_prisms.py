"""Recognise connected surfaces that are upright prisms or stacks of these."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
import shapely

from gambol.geometry.arrays import FloatArray
from gambol.world.mesh_components import Component

GRID_M = 1e-5  # metres: outlines are rounded to this; larger loses fine detail
LEVEL_M = 1e-3  # metres: heights that differ by less are one level
SHEET_M = 0.01  # metres, > 0: thickness given to a surface without any
UPRIGHT = 1e-3  # 0 to 1: a face is upright if its area in plan is at most this share of its area; larger: more are
MOST_TRIANGLES = 5_000  # larger components are not tried as prisms; more takes longer
MOST_LEVELS = 40  # >= 2: levels of a stack of prisms at most
FULL = 0.97  # 0 to 1: a component that fills this share of its prism becomes the prism; larger: fewer do
CONVEX = 0.9  # 0 to 1: a low component that fills this share of its convex hull becomes a prism; larger: fewer do
SAME = 0.01  # 0 to 1: volumes or areas that differ by this share are the same


class Prism(NamedTuple):
    """An outline, possibly with holes, and the heights it fills."""

    outline: shapely.Polygon
    bottom: float
    top: float


def recognise_prisms(component: Component, *, thin_m: float) -> list[Prism] | None:
    """Return prisms that hold a component and hardly more, or None if it has no such shape.

    Solids with only level and upright faces, and level or upright sheets, are exact.  A solid that is nearly a prism
    (with small bevels), or convex and lower than `thin_m` (a pipe, a beam), becomes the prism around it.
    """
    if len(component.triangles) > MOST_TRIANGLES:
        return None
    bottom, top = component.height_range
    if top - bottom <= SHEET_M:
        return _level_sheet(component)
    if component.solid:
        return _stack(component) or _around(component, thin_m)
    return _upright_sheet(component)


def _union(triangles: FloatArray) -> shapely.Geometry:
    """Return what triangles (T, 3, 2) or (T, 3, 3) cover in plan."""
    if len(triangles) == 0:
        return shapely.Polygon()
    return shapely.union_all(shapely.polygons(triangles[..., :2]), grid_size=GRID_M)


def _polygons(shape: shapely.Geometry) -> list[shapely.Polygon]:
    """Return the polygons of a shape, without specks and without corners on straight lines."""
    smooth = [part.simplify(GRID_M) for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]
    return [part for part in smooth if part.area > SHEET_M**2 / 4.0]


def _footprint(component: Component) -> shapely.Geometry:
    return _union(component.corners[np.abs(component.plan_areas) > GRID_M**2])


def _level_sheet(component: Component) -> list[Prism] | None:
    bottom, top = component.height_range
    spare = 0.5 * max(0.0, SHEET_M - (top - bottom))
    return [Prism(part, bottom - spare, top + spare) for part in _polygons(_footprint(component))] or None


def _upright_sheet(component: Component) -> list[Prism] | None:
    """Return a wall without thickness as a thin one, if it has the same height everywhere."""
    if np.any(np.abs(component.plan_areas) > UPRIGHT * component.areas):
        return None
    bottom, top = component.height_range
    edges = component.corners[:, [0, 1, 1, 2, 2, 0], :2].reshape(-1, 2, 2)
    line = shapely.line_merge(shapely.union_all(shapely.linestrings(edges), grid_size=GRID_M))
    if not np.isclose(component.areas.sum(), line.length * (top - bottom), rtol=SAME):
        return None
    thick = line.buffer(0.5 * SHEET_M, cap_style="square", join_style="mitre")
    return [Prism(part, bottom, top) for part in _polygons(thick)] or None


def _stack(component: Component) -> list[Prism] | None:
    """Cut a solid of level and upright faces at every level; between two levels it is a prism."""
    corners, rise = component.corners, np.ptp(component.corners[..., 2], axis=1)
    flat = np.abs(component.plan_areas)
    upright = flat <= UPRIGHT * component.areas
    if np.any(~upright & (rise > LEVEL_M)):
        return None
    heights = np.sort(np.unique(corners[..., 2]))
    levels = heights[np.flatnonzero(np.diff(heights, prepend=-np.inf) > LEVEL_M)]
    if not 2 <= len(levels) <= MOST_LEVELS:
        return None
    level_of = np.searchsorted(levels, corners[..., 2].mean(axis=1) + 0.5 * LEVEL_M) - 1
    section: shapely.Geometry = shapely.Polygon()
    volume, slabs = 0.0, []
    for k in range(len(levels) - 1, 0, -1):  # downwards: faces up begin the solid, faces down end it
        here = ~upright & (level_of == k)
        section = shapely.difference(section, _union(corners[here & (component.plan_areas < 0.0)]), grid_size=GRID_M)
        section = shapely.union(section, _union(corners[here & (component.plan_areas > 0.0)]), grid_size=GRID_M)
        slabs.append((_polygons(section), float(levels[k - 1]), float(levels[k])))
        volume += section.area * float(levels[k] - levels[k - 1])
    if not np.isclose(volume, component.volume, rtol=SAME):
        return None
    bottom, top = component.height_range
    return [
        prism._replace(
            bottom=bottom if prism.bottom == levels[0] else prism.bottom,
            top=top if prism.top == levels[-1] else prism.top,
        )
        for prism in _joined_slabs(slabs)
    ]


def _joined_slabs(slabs: list[tuple[list[shapely.Polygon], float, float]]) -> list[Prism]:
    """Join slabs, given from the top down, into one prism wherever the outline stays the same."""
    done: list[Prism] = []
    going: list[Prism] = []
    for outlines, bottom, top in slabs:
        lower = []
        for outline in outlines:
            same = next((prism for prism in going if _same(prism.outline, outline)), None)
            lower.append(Prism(outline, bottom, top if same is None else same.top))
            if same is not None:
                going.remove(same)
        done += going
        going = lower
    return done + going


def _same(one: shapely.Polygon, other: shapely.Polygon) -> bool:
    return bool(one.symmetric_difference(other).area <= GRID_M * (one.length + other.length))


def _around(component: Component, thin_m: float) -> list[Prism] | None:
    """Return the prism around a solid that nearly fills it, or is convex and low."""
    bottom, top = component.height_range
    area = 0.5 * float(np.abs(component.plan_areas).sum())  # square metres, at least the footprint's
    full = component.volume >= FULL * area * (top - bottom)
    if not full and not (top - bottom <= thin_m and component.volume >= CONVEX * _hull_volume(component)):
        return None
    footprint = _footprint(component)
    return [
        Prism(part, bottom, top) for part in _polygons(footprint if full else shapely.convex_hull(footprint))
    ] or None


def _hull_volume(component: Component) -> float:
    try:
        return float(scipy.spatial.ConvexHull(component.corners.reshape(-1, 3)).volume)
    except scipy.spatial.QhullError:  # flat
        return np.inf
