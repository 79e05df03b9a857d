"""Scenes as small maps: SVG texts, drawn from a scene file without making its characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.files.entries import Problems, tables
from gambol.geometry import planar
from gambol.pictures.world_colors import THING_COLORS, character_color, kind_of
from gambol.scenes.climbing import read_environment
from gambol.view.edit.sketch import Sketcher
from gambol.view.words import hex_of
from gambol.world.environment import Environment
from gambol.world.terrain import Terrain
from gambol.world.world import Footprint, Mover

FLOOR = (0.965, 0.965, 0.965)  # RGB, 0 to 1: the floor
LOW = (0.70, 0.74, 0.66)  # RGB, 0 to 1: the lowest ground of hills
HIGH = (0.96, 0.96, 0.92)  # RGB, 0 to 1: the highest ground of hills
ASPECT = 1.6  # > 0: width of a map by its height; larger: wider
CELLS = (32, 20)  # >= 1: cells of the shading of hills, along x and along y; larger: finer, longer text
TRAIL_S = 8.0  # s, >= 0: the way of a mover is drawn for this long
TRAIL_POINTS = 25  # >= 2: points of that way; larger: smoother, longer text
DOT = 0.014  # map widths, > 0: width of a dot in a group, and radius of a start
LINE = 0.005  # map widths, > 0: width of lines
MOST_DOTS = 150  # dots for a group at most; larger: denser, longer text
SPREAD = np.array([0.7548776662466927, 0.5698402909980532])  # steps of evenly spread points [Roberts 2018, R2 sequence]
GRASP = "#444a57"  # color of grasp points
NO_BOUNDS = (0.0, 0.0, 10.0, 10.0)  # m: bounds of a scene that states none


def minimap(data: Mapping[str, Any], beside: Path) -> str:
    """Return a map of a scene file's contents as SVG.  beside: the folder from which it names files."""
    if data.get("kind") == "climb":
        return _side_view(data)
    sketch = Sketcher(beside).sketch(dict(data), NO_BOUNDS)
    width = _width(sketch.world.bounds)
    parts: list[str] = []
    if sketch.world.terrain is not None:
        parts += _hills(sketch.world.terrain, sketch.world.bounds)
    for obstacles in sketch.obstacles.values():
        for obstacle in obstacles:
            parts += _shape(obstacle.footprint, obstacle.pose, hex_of(THING_COLORS[kind_of(obstacle)]))
    for movers in sketch.movers.values():
        for mover in movers:
            parts += _mover(mover, LINE * width)
    parts += _people(data, width)
    return _framed(sketch.world.bounds, parts)


def _side_view(data: Mapping[str, Any]) -> str:
    """Return a climb from the side: solid polygons, grasp points, starts and goals."""
    environment = read_environment(data, Problems("")) or Environment(NO_BOUNDS, ())
    bounds = tuple(environment.bounds)
    width = _width(bounds)
    solid = hex_of(THING_COLORS["wall"])
    parts = [f'<polygon points="{_points(corners)}" fill="{solid}"/>' for corners in environment.polygons]
    dots = "".join(f"M{point.x:.2f} {-point.z:.2f}h0" for point in environment.grasp_points)
    parts.append(f'<path d="{dots}" stroke="{GRASP}" stroke-width="{LINE * width:.3f}" stroke-linecap="round"/>')
    plain = [{name: _at(actor.get(name)) for name in ("start", "goal")} for actor in tables(data.get("cast"))]
    parts += _people({"cast": plain}, width)
    return _framed(bounds, parts)


def _at(place: object) -> object:
    return place.get("at") if isinstance(place, Mapping) else place


def _width(bounds: tuple[float, ...]) -> float:
    """Return the width of a map."""
    x0, y0, x1, y1 = bounds
    return max(x1 - x0, ASPECT * (y1 - y0))


def _framed(bounds: tuple[float, ...], parts: list[str]) -> str:
    """Return parts of a map as SVG, on the floor."""
    x0, y0, x1, y1 = bounds
    width = _width(bounds)
    height = width / ASPECT
    box = f"{0.5 * (x0 + x1 - width):.2f} {-0.5 * (y0 + y1 + height):.2f} {width:.2f} {height:.2f}"
    floor = f'<rect x="{x0:.2f}" y="{-y1:.2f}" width="{x1 - x0:.2f}" height="{y1 - y0:.2f}" fill="{hex_of(FLOOR)}"/>'
    return f'<svg viewBox="{box}" xmlns="http://www.w3.org/2000/svg" aria-hidden="true">{floor}{"".join(parts)}</svg>'


def _hills(terrain: Terrain, bounds: tuple[float, float, float, float]) -> Iterable[str]:
    """Yield the ground in cells; higher cells are lighter."""
    x0, y0, x1, y1 = bounds
    across, along = (x1 - x0) / CELLS[0], (y1 - y0) / CELLS[1]
    middles = np.stack(
        np.meshgrid(x0 + across * (np.arange(CELLS[0]) + 0.5), y0 + along * (np.arange(CELLS[1]) + 0.5)), axis=-1
    ).reshape(-1, 2)
    heights = np.asarray(terrain.height(middles))
    shares = (heights - heights.min()) / max(float(np.ptp(heights)), 1e-9)
    for (x, y), share in zip(middles, shares, strict=True):
        shade = tuple(low + float(share) * (high - low) for low, high in zip(LOW, HIGH, strict=True))
        yield (
            f'<rect x="{x - 0.5 * across:.2f}" y="{-y - 0.5 * along:.2f}" width="{1.05 * across:.2f}" '
            f'height="{1.05 * along:.2f}" fill="{hex_of(shade)}"/>'
        )


def _shape(footprint: Footprint, pose: ArrayLike, color: str) -> Iterable[str]:
    for piece in footprint.pieces:
        corners = planar.apply(pose, piece.corners)
        round_ = f' stroke="{color}" stroke-width="{2.0 * piece.radius_m:.2f}" stroke-linejoin="round"'
        yield f'<polygon points="{_points(corners)}" fill="{color}"{round_ if piece.radius_m > 0.0 else ""}/>'


def _mover(mover: Mover, line: float) -> Iterable[str]:
    """Yield a mover where it begins, and its way."""
    color = hex_of(THING_COLORS["mover"])
    way = np.array([mover.trajectory.at(time)[0][:2] for time in np.linspace(0.0, TRAIL_S, TRAIL_POINTS)])
    yield f'<polyline points="{_points(way)}" fill="none" stroke="{color}" stroke-width="{line:.2f}"/>'
    yield from _shape(mover.footprint, mover.trajectory.at(0.0)[0], color)


def _people(data: Mapping[str, Any], width: float) -> Iterable[str]:
    """Yield the cast, from start to goal, and groups as dots over the areas where they start."""
    for index, group in enumerate(tables(data.get("groups"))):
        starts, count = group.get("starts"), group.get("count")
        area = starts.get("area") if isinstance(starts, Mapping) else None
        if _are_numbers(area, 4) and isinstance(count, int):
            x0, y0, x1, y1 = area
            places = (x0, y0) + (x1 - x0, y1 - y0) * (np.outer(np.arange(min(count, MOST_DOTS)), SPREAD) % 1.0)
            dots = "".join(f"M{x:.1f} {-y:.1f}h0" for x, y in places)
            size = f'stroke-width="{DOT * width:.2f}" stroke-linecap="round"'
            yield f'<path d="{dots}" stroke="{hex_of(character_color(index))}" {size}/>'
    for index, actor in enumerate(tables(data.get("cast"))):
        color = hex_of(character_color(index))
        start, goal = actor.get("start"), actor.get("goal")
        if _are_numbers(start, 2) and _are_numbers(goal, 2):
            yield (
                f'<line x1="{start[0]}" y1="{-start[1]}" x2="{goal[0]}" y2="{-goal[1]}" stroke="{color}" '
                f'stroke-width="{LINE * width:.2f}" stroke-dasharray="{2.5 * LINE * width:.2f}"/>'
            )
        for place, size in ((start, DOT), (goal, 0.6 * DOT)):
            if _are_numbers(place, 2):
                yield f'<circle cx="{place[0]}" cy="{-place[1]}" r="{size * width:.2f}" fill="{color}"/>'


def _are_numbers(values: Any, count: int) -> TypeGuard[list[float]]:
    return (
        isinstance(values, list)
        and len(values) >= count
        and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values[:count])
    )


def _points(corners: NDArray[np.float64]) -> str:
    return " ".join(f"{x:.2f},{-y:.2f}" for x, y in corners)
