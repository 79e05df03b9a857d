"""A world seen from above: terrain, obstacles by kind, and movers at several times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from gambol.geometry.arrays import FloatArray
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_labels import Label
from gambol.pictures.mesh import Color
from gambol.pictures.world_colors import THING_COLORS, kind_of
from gambol.pictures.world_meshes import contour_levels
from gambol.world.terrain import Terrain
from gambol.world.world import Mover, Obstacle, Trajectory, World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path as MapPath


SMALL_PT = 7.0  # points: letters of labels
OUTSIDE = (0.905, 0.905, 0.905)
FLOOR = (0.985, 0.985, 0.985)
GRID = (0.93, 0.93, 0.93)
EDGE_SHARE = 0.45  # 0 to 1: outlines are this much darker
LOW_WALL_M = 1.0  # metres: walls up to this height are palest
HIGH_WALL_M = 3.0  # metres: walls from this height on are darkest
USUAL_WALL_M = 2.0  # metres: lower walls have their height written on them
MOST_HEIGHTS = 40  # labels of obstacles: with more, none are written
SHADE_POINTS = 500  # points of the shading of hills along the longer side
LIGHT_FROM = (315.0, 42.0)  # degrees: azimuth and elevation of the light on hills, as usual on maps
RELIEF = 2.2  # hills are shaded as if they were this many times as high
GHOSTS = ((3, 6), (10, 4), (1_000_000, 3))  # number of movers, and number of times each is drawn, both at most
GHOST_STEPS_S = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0)  # seconds between a mover's times, the first that suits
ENOUGH_M = 1.2  # metres: words this far from a way need not be farther
TIMED_GHOSTS = 3  # movers: with more, their times are not written
FEW = 6  # movers: with more, their names are not written


class Patch(NamedTuple):
    """Fill and outline of a kind of thing."""

    face: Color
    edge: Color
    hatch: str | None
    dashed: bool


def patch_of(kind: str, height_m: float = HIGH_WALL_M) -> Patch:
    """Return the fill and outline of a kind; higher walls are darker."""
    color = THING_COLORS[kind]
    edge = faded(color, (0.15, 0.15, 0.18), EDGE_SHARE)
    if kind == "wall":
        share = float(np.clip((height_m - LOW_WALL_M) / (HIGH_WALL_M - LOW_WALL_M), 0.0, 1.0))
        return Patch(faded(faded(color, (1.0, 1.0, 1.0), 0.45), color, share), edge, None, dashed=False)
    if kind == "beam":
        return Patch(faded(color, (1.0, 1.0, 1.0), 0.45), edge, "\\\\\\\\", dashed=True)
    if kind == "hurdle":
        return Patch(faded(color, (1.0, 1.0, 1.0), 0.15), edge, None, dashed=False)
    return Patch(faded(color, (1.0, 1.0, 1.0), 0.2), edge, "...." if kind == "annotated" else None, dashed=False)


def draw_ground(axes: Axes, world: World) -> None:
    """Draw floor and grid, or hills with their contours, within the bounds."""
    from matplotlib.patches import Rectangle

    x0, y0, x1, y1 = world.bounds
    axes.set_facecolor(OUTSIDE)
    axes.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, facecolor=FLOOR, edgecolor="none", zorder=0))
    if world.terrain is None:
        axes.set_axisbelow(True)
        axes.grid(color=GRID, lw=0.7, zorder=0.5)
    else:
        _draw_hills(axes, world, world.terrain)
    axes.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, facecolor="none", edgecolor=PALE_INK, lw=0.9, zorder=3.5))


def _draw_hills(axes: Axes, world: World, terrain: Terrain) -> None:
    from matplotlib.colors import LightSource, LinearSegmentedColormap

    x0, y0, x1, y1 = world.bounds
    cell = max(x1 - x0, y1 - y0) / SHADE_POINTS
    x, y = (np.arange(low + 0.5 * cell, high, cell) for low, high in ((x0, x1), (y0, y1)))
    heights = terrain.height(np.stack(np.meshgrid(x, y), axis=-1))
    tints = LinearSegmentedColormap.from_list("hills", [(0.83, 0.87, 0.80), (0.93, 0.91, 0.83), (0.90, 0.84, 0.76)])
    light = LightSource(*LIGHT_FROM)
    span = max(float(np.ptp(heights)), 1e-6)
    base = tints((heights - heights.min()) / span)[..., :3]
    # Rows run along +y, up on the map; matplotlib's azimuth is for rows that run down.
    shade = light.hillshade(heights[::-1], vert_exag=RELIEF, dx=cell, dy=cell)[::-1]
    picture = light.blend_overlay(base, shade[..., None])
    picture = 0.55 * picture + 0.45 * base
    axes.imshow(
        np.clip(picture, 0.0, 1.0),
        extent=(x0, x1, y0, y1),
        origin="lower",
        interpolation="bilinear",
        zorder=0.2,
        aspect="auto",
    )
    levels = contour_levels(heights)
    if len(levels):
        lines = axes.contour(
            x, y, heights, levels=levels, colors=[(0.45, 0.47, 0.40)], linewidths=0.6, linestyles="solid", zorder=0.6
        )
        axes.clabel(lines, fontsize=6.0, fmt=lambda level: f"{level:g} m", inline=True, inline_spacing=2)


def draw_obstacles(axes: Axes, obstacles: Sequence[Obstacle], ways: FloatArray) -> list[Label]:
    """Draw obstacles by kind, with the regions of annotated ones; return their labels.

    ways: points (N, 2) of ways; labels stand where their obstacle is away from these.
    """
    labels = []
    for obstacle in sorted(obstacles, key=lambda obstacle: obstacle.bottom_m):
        kind = kind_of(obstacle)
        region = obstacle.footprint.region(obstacle.pose)
        patch = patch_of(kind, obstacle.top_m)
        if obstacle.special is not None:
            _draw_regions(axes, region, obstacle.special.near_m, obstacle.special.within_m, patch.edge)
        draw_region(axes, region, patch)
        words = _height_words(obstacle, kind)
        if words is not None:
            labels.append(_obstacle_label(region, words, patch.edge, ways))
    return labels if len(labels) <= MOST_HEIGHTS else []


def _height_words(obstacle: Obstacle, kind: str) -> str | None:
    if obstacle.special is not None:
        return f"only by {obstacle.special.kind}"
    if kind == "beam":
        return f"under {obstacle.bottom_m:.2f} m"
    if kind == "hurdle":
        above = f"{obstacle.bottom_m:.2f}–" if obstacle.bottom_m > 0.01 else ""
        return f"over {above}{obstacle.top_m:.2f} m"
    return f"{obstacle.top_m:.1f} m" if obstacle.top_m < USUAL_WALL_M else None


def _obstacle_label(region: shapely.Geometry, words: str, color: Color, ways: FloatArray) -> Label:
    place = _named_place(region, ways)
    low_x, low_y, high_x, high_y = shapely.bounds(region)
    # Words stand beside a thing's longer side.
    away = 0.0 if high_y - low_y > high_x - low_x else 0.5 * np.pi
    return Label(
        words, float(place[0]), float(place[1]), faded(color, INK, 0.35), SMALL_PT, priority=3.0, away_rad=float(away)
    )


def _named_place(region: shapely.Geometry, ways: FloatArray) -> FloatArray:
    """Return the place of an obstacle's label: its middle, or an end away from the ways."""
    middle = shapely.get_coordinates(shapely.point_on_surface(region))[0]
    corners = shapely.get_coordinates(shapely.oriented_envelope(region))
    if not len(ways) or len(corners) < 4:
        return middle
    sides = corners[1] - corners[0], corners[2] - corners[1]
    longer = max(sides, key=np.linalg.norm)
    if np.linalg.norm(longer) < 2.0 * min(np.linalg.norm(side) for side in sides):
        return middle
    center = shapely.get_coordinates(shapely.centroid(region))[0]
    places = [middle, center + 0.36 * longer, center - 0.36 * longer]
    room = [min(float(np.linalg.norm(ways - place, axis=1).min()), ENOUGH_M) for place in places]
    return places[int(np.argmax(room))]


def _draw_regions(axes: Axes, region: shapely.Geometry, near_m: float, within_m: float, color: Color) -> None:
    """Outline with dots where a special behavior may begin, and where its event must be."""
    for distance, width in ((near_m, 1.1), (within_m, 0.8)):
        if distance > 0.0:
            for part in shapely.get_parts(shapely.buffer(region, distance)):
                outline = shapely.get_coordinates(part.exterior)
                axes.plot(outline[:, 0], outline[:, 1], color=color, lw=width, ls=(0, (1, 2)), zorder=2.4)


def draw_region(axes: Axes, region: shapely.Geometry, patch: Patch, *, alpha: float = 1.0, zorder: float = 2) -> None:
    """Fill and outline a region."""
    from matplotlib.patches import PathPatch

    axes.add_artist(  # not as a patch: that would go along its outline to find limits, which maps set themselves
        PathPatch(
            region_path(region), facecolor=(*patch.face, alpha), edgecolor=(*patch.edge, alpha), lw=0.8,
            hatch=patch.hatch, hatch_linewidth=0.5, ls=(0, (4, 2)) if patch.dashed else "-", zorder=zorder,
        )
    )  # fmt: skip


def region_path(region: shapely.Geometry) -> MapPath:
    """Return a region as a path, with its holes."""
    from matplotlib.path import Path

    rings = [
        ring
        for part in shapely.get_parts(region)
        if isinstance(part, shapely.Polygon)
        for ring in (part.exterior, *part.interiors)
    ]
    paths = [Path(shapely.get_coordinates(ring), closed=True) for ring in rings]
    return Path.make_compound_path(*paths)


def draw_movers(axes: Axes, movers: Sequence[Mover], until_s: float) -> list[Label]:
    """Draw movers at several times, paler the earlier, with their ways; return labels with names and times.

    Movers with equal names up to a slash are parts of one thing.
    """
    patch = patch_of("mover")
    groups = {mover.name.split("/")[0]: mover for mover in movers}
    labels = []
    for mover in movers:
        last_s = _shown_until(mover.trajectory, until_s)
        times = ghost_times(last_s, next(times for most, times in GHOSTS if len(groups) <= most))
        _draw_way(axes, mover, last_s, patch.edge, width=0.8 if len(groups) <= FEW else 0.5)
        for index, time_s in enumerate(times.tolist()):
            pose, _ = mover.trajectory.at(time_s)
            alpha = 0.75 if len(times) == 1 else 0.16 + 0.6 * index / (len(times) - 1)
            draw_region(axes, mover.footprint.region(pose), patch, alpha=alpha, zorder=4)
            if len(groups) <= TIMED_GHOSTS and len(times) > 1 and mover.name in groups:
                place = (float(pose[0]), float(pose[1]))
                labels.append(Label(f"{time_s:g} s", *place, faded(patch.edge, INK, 0.2), 6.3, priority=1.0))
    if len(groups) <= FEW:
        for name, mover in groups.items():
            pose, _ = mover.trajectory.at(_shown_until(mover.trajectory, until_s))
            labels.append(Label(name, float(pose[0]), float(pose[1]), faded(patch.edge, INK, 0.2), SMALL_PT, 2.5))
    return labels


def _shown_until(trajectory: Trajectory, until_s: float) -> float:
    """Return the time until which a mover goes to new places."""
    if not trajectory.moves:
        return 0.0
    once_s = {"once": np.inf, "loop": trajectory.period_s, "bounce": 0.5 * trajectory.period_s}[trajectory.repeat]
    # A loop ends where it begins.
    return float(min(until_s, max(float(trajectory.times_s[0]), 0.0) + once_s - 1e-3 * (trajectory.repeat == "loop")))


def ghost_times(until_s: float, most: int) -> FloatArray:
    """Return at most `most` round times from 0 on."""
    if until_s <= 0.0:
        return np.zeros(1)
    step = next((step for step in GHOST_STEPS_S if until_s / step < most), until_s / (most - 1))
    return np.arange(int(until_s / step + 1e-9) + 1, dtype=np.float64) * step


def _draw_way(axes: Axes, mover: Mover, last_s: float, color: Color, *, width: float) -> None:
    """Draw the way of a mover's middle."""
    poses, _ = mover.trajectory.at(np.linspace(0.0, max(last_s - 1e-6, 0.0), 121))
    length = float(np.linalg.norm(np.diff(poses[:, :2], axis=0), axis=1).sum())
    if length > 0.3:
        axes.plot(poses[:, 0], poses[:, 1], color=color, lw=width, ls=(0, (5, 3)), alpha=width, zorder=3.8)
