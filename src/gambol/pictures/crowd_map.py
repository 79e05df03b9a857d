"""A crowd seen from above at one time: the world, its lanes, all characters, and traces of their last seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gambol.crowd.floor import Floor, lay_floor
from gambol.crowd.lanes import lay_lanes
from gambol.crowd.moment import moment, places
from gambol.crowd.recording import Recording
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.pictures.body_outlines import BodyOutline, body_outline, stamped
from gambol.pictures.crowd_flow import reported_done
from gambol.pictures.crowd_paint import Paint, paint_crowd
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_world import draw_obstacles
from gambol.pictures.plan_map import begin_map, draw_scale_bar, limit_map, map_extent
from gambol.stages.crowd_report import RunReport
from gambol.world.world import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MAP_PX = (1120, 900)  # pixels: greatest width and height of the map
EDGES_PX = (56, 52, 22, 44)  # pixels left of the map, below, right, above
MOST_BYTES = 500_000  # bytes of a picture; colors become fewer above that
TRACE_S = 3.0  # seconds: length of traces
TRACE_STEPS = 12  # straight pieces of a trace; more are smoother
MANY = 2_000  # characters: with more, traces have half the pieces and are thinner
BODY_PX = 7.0  # pixels: smaller bodies are points
POINT_PX = 3.2  # pixels: least size of a point
OUTLINED_PX = 14.0  # pixels: larger bodies have a strong outline
LANE_PX = 24.0  # pixels between arrows of lanes
LANE_INK = (0.72, 0.76, 0.80)
DENSE_M = 5.0  # metres: side of the squares in which the greatest density is sought


def map_size(world: World) -> tuple[int, int]:
    """Return width and height in pixels of the map of a world."""
    x0, y0, x1, y1 = map_extent(world)
    scale = min(MAP_PX[0] / (x1 - x0), MAP_PX[1] / (y1 - y0))
    return max(round(scale * (x1 - x0)), 200), max(round(scale * (y1 - y0)), 100)


def draw_crowd_map(
    axes: Axes,
    recording: Recording,
    world: World,
    *,
    time_s: float | None = None,
    color_by: str = "speed",
    lanes: bool = True,
    trace_s: float = TRACE_S,
    title: str = "crowd",
    report: RunReport | None = None,
) -> None:
    """Draw a crowd from above; the axes must have the shape of `map_extent`.

    time_s: in the recording; by default its end.
    color_by: "speed" over the last second, "waiting" (how long a character has stood), "group" or "kind".
    lanes: whether one-way lanes are drawn, as they are laid in this world.
    trace_s: how far back in time the traces reach, paler the longer ago; 0 draws none.
    report: of the run; by it, characters that have no goal left are gray.
    """
    time_s = recording.duration_s if time_s is None else time_s
    if not 0.0 <= time_s <= recording.duration_s + 1e-9:
        raise InvalidInput(f"a map's time is from 0 to the {recording.duration_s:g} s recorded, not {time_s} s")
    begin_map(axes, world)
    floor = lay_floor(world)
    if lanes:
        lay_lanes(floor)
        _draw_lanes(axes, floor)
    draw_obstacles(axes, world.obstacles, np.empty((0, 2)))
    now = moment(recording, time_s)
    where = places(recording, now)
    paint = paint_crowd(recording, time_s, color_by)
    if report is not None:
        paint = paint.with_gray(reported_done(recording, report) < round(time_s * recording.rate_hz))
    _draw_traces(axes, recording, time_s, trace_s, paint.colors)
    for kind, character in enumerate(recording.characters):
        own = now.kind == kind
        if own.any():
            _draw_bodies(axes, body_outline(character), where[own], paint.colors[now.who[own]])
    _draw_movers(axes, world, time_s)
    limit_map(axes, world)
    draw_scale_bar(axes)
    _draw_key(axes, paint)
    _write_title(axes, title, time_s, len(recording), where[:, :2], floor)


def free_area_m2(floor: Floor) -> float:
    """Return the area of ground that is free of obstacles."""
    return float(np.count_nonzero(floor.room > 0.0)) * floor.cell_m**2


def densest_per_m2(points: FloatArray, side_m: float = DENSE_M) -> float:
    """Return the number of points (P, 2) in a square metre of a grid's fullest square."""
    if len(points) == 0:
        return 0.0
    _, counts = np.unique(np.floor(points / side_m), axis=0, return_counts=True)
    return float(counts.max()) / side_m**2


def _draw_lanes(axes: Axes, floor: Floor) -> None:
    """Draw faint arrows along one-way lanes."""
    low, high = axes.get_xlim()
    metre_px = axes.get_window_extent().width / (high - low)
    step = max(1, round(max(LANE_PX / metre_px, 0.75) / floor.cell_m))
    row, column = np.nonzero(floor.way[step // 2 :: step, step // 2 :: step] >= 0)
    row, column = row * step + step // 2, column * step + step // 2
    angle = floor.way[row, column] * (np.pi / 8.0)
    reach = 0.55 * step * floor.cell_m
    u, v = reach * np.cos(angle), reach * np.sin(angle)
    x, y = floor.x0 + (column + 0.5) * floor.cell_m, floor.y0 + (row + 0.5) * floor.cell_m
    axes.quiver(
        x - 0.5 * u, y - 0.5 * v, u, v, color=LANE_INK, angles="xy", scale_units="xy", scale=1.0, units="dots",
        width=1.3, headwidth=5.0, headlength=5.0, headaxislength=4.5, zorder=1.0,
    )  # fmt: skip


def _draw_traces(axes: Axes, recording: Recording, time_s: float, trace_s: float, colors: FloatArray) -> None:
    """Draw where characters have been, paler the longer ago."""
    from matplotlib.collections import LineCollection

    steps = TRACE_STEPS if len(recording) <= MANY else TRACE_STEPS // 2
    times = np.linspace(max(0.0, time_s - trace_s), time_s, steps + 1)
    paths = np.full((len(times), len(recording), 2), np.nan)
    for row, then_s in enumerate(times.tolist()):
        then = moment(recording, then_s)
        paths[row, then.who] = places(recording, then)[:, :2]
    for row in range(len(times) - 1):
        ends = paths[row : row + 2].transpose(1, 0, 2)
        known = np.isfinite(ends).all(axis=(1, 2)) & (np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > 1e-3)
        alpha = 0.08 + 0.5 * (row + 1) / len(times)
        shades = np.column_stack((colors[known], np.full(int(known.sum()), alpha)))
        width = 1.4 if len(recording) <= MANY else 0.7
        axes.add_collection(LineCollection(list(ends[known]), colors=shades, linewidths=width, zorder=4.0))


def _draw_bodies(axes: Axes, outline: BodyOutline, poses: FloatArray, colors: FloatArray) -> None:
    from matplotlib.collections import PolyCollection

    low, high = axes.get_xlim()
    metre_px = axes.get_window_extent().width / (high - low)
    if outline.size_m * metre_px < BODY_PX:
        side_pt = max(POINT_PX, outline.size_m * metre_px) * 72.0 / axes.figure.dpi
        axes.scatter(poses[:, 0], poses[:, 1], s=side_pt**2, c=colors, linewidths=0, zorder=5.0)
        return
    edges, edge_pt = 0.55 * colors, 0.6 if outline.size_m * metre_px > OUTLINED_PX else 0.2
    for corners, faces, width in ((outline.body, colors, edge_pt), (outline.head, 0.7 * colors, 0.0)):
        if len(corners):
            axes.add_collection(
                PolyCollection(
                    list(stamped(corners, poses)), facecolors=faces, edgecolors=edges, linewidths=width, zorder=5.0
                )
            )


def _draw_movers(axes: Axes, world: World, time_s: float) -> None:
    from gambol.pictures.map_world import draw_region, patch_of

    for mover in world.movers:
        pose, _ = mover.trajectory.at(time_s)
        draw_region(axes, mover.footprint.region(pose), patch_of("mover"), zorder=4)


def _draw_key(axes: Axes, paint: Paint) -> None:
    """Write the meaning of colors below the map."""
    height = max(axes.get_window_extent().height, 1.0)
    width = max(axes.get_window_extent().width, 1.0)
    y = -24.0 / height
    if paint.ramp is not None:
        span = 150.0 / width
        inset = axes.inset_axes((0.0, y - 4.0 / height, span, 8.0 / height))
        inset.imshow(paint.ramp[None], aspect="auto", interpolation="bilinear")
        inset.set_axis_off()
        axes.text(span + 8.0 / width, y, paint.words, transform=axes.transAxes, fontsize=7.5, color=INK, va="center")
        return
    handles = [
        axes.plot([], [], "o", color=faded(color, INK, 0.0), markersize=5.0, label=label)[0]
        for label, color in paint.labels
    ]
    axes.legend(
        handles=handles, loc="center left", bbox_to_anchor=(0.0, y), bbox_transform=axes.transAxes, frameon=False,
        ncols=len(handles), fontsize=7.5, borderpad=0.0, borderaxespad=0.0, handletextpad=0.2, columnspacing=1.2,
        labelcolor=INK,
    )  # fmt: skip


def _write_title(axes: Axes, title: str, time_s: float, total: int, points: FloatArray, floor: Floor) -> None:
    there = len(points)
    count = f"{there:,}" if there == total else f"{there:,} of {total:,}"
    free = max(free_area_m2(floor), 1e-9)
    axes.set_title(f"{title} at {time_s:.0f} s", loc="left", fontsize=13.0, color=INK, pad=10, parse_math=False)
    said = (
        f"{count} there, {there / free:.2g} per m²; densest {DENSE_M:g} × {DENSE_M:g} m: {densest_per_m2(points):.2g}"
    )
    axes.set_title(said, loc="right", fontsize=8.5, color=PALE_INK, pad=10)
