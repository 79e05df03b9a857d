"""Starts, goals, ways and poses of characters seen from above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely

from gambol.body.capsules import Body
from gambol.geometry.arrays import FloatArray
from gambol.pictures.figure import faded
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_labels import Label
from gambol.pictures.map_world import region_path
from gambol.pictures.mesh import Color
from gambol.pictures.shown import Shown
from gambol.pictures.silhouette import silhouettes
from gambol.search.problem import Goal
from gambol.search.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes


NAME_PT = 7.4  # points: letters of names and behaviors
TIME_PT = 6.3  # points: letters of times
NAMED = 3  # characters: with more, no behaviors are written along the ways
POSED = 12  # characters: with more, bodies are dots
SECONDS = (1.0, 2.0, 5.0, 10.0, 20.0, 60.0)  # seconds between times along a way, the first that suits
MOST_TIMES = 12  # times written along a way at most
LEAST_BODY_PX = 13.0  # pixels: smaller bodies are enlarged to this
ARROW_PT = 17.0  # points: length of a start's arrow
DARK = 0.32  # 0 to 1: lines are this much darker than bodies
START: Color = (0.0, 0.50, 0.36)
GOAL: Color = (0.80, 0.20, 0.12)


def way_color(shown: Shown) -> Color:
    """Return the color of a character's way on paper."""
    return faded(shown.color, (0.12, 0.12, 0.15), DARK)


def draw_ways(axes: Axes, cast: Sequence[Shown]) -> None:
    """Draw ways: a lone character's in the colors of its behaviors, several each in the character's color."""
    width = 2.2 if len(cast) <= NAMED else 1.5 if len(cast) <= POSED else 0.9
    for shown in cast:
        if not len(shown.path):
            continue
        x, y = shown.path[:, 0], shown.path[:, 1]
        if len(cast) <= POSED:
            axes.plot(x, y, color="white", lw=width + 2.0, alpha=0.85, zorder=5.0, solid_capstyle="round")
        if len(cast) > 1:
            axes.plot(x, y, color=way_color(shown), lw=width, zorder=5.5, solid_capstyle="round")
            continue
        for run in shown.runs:
            part = slice(run.first, run.last + 1)
            axes.plot(x[part], y[part], color=KIND_COLORS[run.kind], lw=width, zorder=5.5, solid_capstyle="round")


def draw_bodies(axes: Axes, cast: Sequence[Shown]) -> FloatArray:
    """Draw each character from above at every second, or as dots if there are many.

    Returns points (N, 2) of the outlines drawn.
    """
    if len(cast) > POSED:
        for shown in cast:
            spots = _poses_at(shown, whole_seconds(shown))
            axes.scatter(spots[:, 0], spots[:, 1], s=3.0, color=[way_color(shown)], linewidths=0, zorder=6)
        return np.empty((0, 2))
    outlines = [_draw_poses(axes, shown) for shown in cast if shown.motion is not None]
    return np.concatenate((np.empty((0, 2)), *outlines))


def _draw_poses(axes: Axes, shown: Shown) -> FloatArray:
    """Draw a body from above at every second; return points of the outlines."""
    from matplotlib.patches import PathPatch

    assert shown.motion is not None
    body = Body.from_skeleton(shown.plan.character.skeleton)
    frames = [shown.frame_at(time_s) for time_s in whole_seconds(shown).tolist()]
    edge = faded(shown.color, (0.1, 0.08, 0.05), 0.55)
    outlines = [np.empty((0, 2))]
    for silhouette in silhouettes(body, shown.motion, frames):
        larger = body_scale(axes, silhouette.outline)
        for part, face, order in ((silhouette.outline, shown.color, 6.0), (silhouette.head, edge, 6.1)):
            if not shapely.is_empty(part):
                region = _scaled(part, silhouette.outline, larger)
                axes.add_artist(PathPatch(region_path(region), facecolor=face, edgecolor=edge, lw=0.4, zorder=order))
        outlines.append(shapely.get_coordinates(silhouette.outline)[::4])
    return np.concatenate(outlines)


def body_scale(axes: Axes, outline: shapely.Geometry) -> float:
    """Return the factor, at least 1, by which bodies must be enlarged to be seen."""
    low_x, low_y, high_x, high_y = shapely.bounds(outline)
    (left, _), (right, _) = axes.transData.transform([(0.0, 0.0), (1.0, 0.0)])
    return max(1.0, LEAST_BODY_PX / max((right - left) * max(high_x - low_x, high_y - low_y), 1e-9))


def _scaled(region: shapely.Geometry, around: shapely.Geometry, factor: float) -> shapely.Geometry:
    center = shapely.get_coordinates(shapely.centroid(around))[0]
    return shapely.transform(region, lambda points: center + factor * (points - center))


def whole_seconds(shown: Shown) -> FloatArray:
    """Return the world's whole seconds at which a character is on its way."""
    if shown.motion is None:
        return np.empty(0)
    return np.arange(np.ceil(shown.begins_s - 1e-9), shown.ends_s + 1e-9)


def _poses_at(shown: Shown, times_s: FloatArray) -> FloatArray:
    if not len(shown.path):
        return np.empty((0, 3))
    return np.column_stack([np.interp(times_s, shown.times_s, column) for column in shown.path.T])


def draw_ends(axes: Axes, cast: Sequence[Shown]) -> list[Label]:
    """Mark starts, way-points and goals; return the way-points' numbers and the characters' names."""
    labels = []
    for shown in cast:
        lone = len(cast) == 1
        start = shown.start
        if start is not None:
            _draw_start(axes, start, START if lone else way_color(shown), small=len(cast) > POSED)
            if 1 < len(cast) <= POSED:
                labels.append(
                    Label(shown.name, start[0], start[1], way_color(shown), NAME_PT + 0.6, 9.0, start[2] + np.pi, True)
                )
        if shown.problem is not None:
            for number, waypoint in enumerate(shown.problem.waypoints, start=1):
                color = PALE_INK if lone else way_color(shown)
                _draw_disc(axes, waypoint, color, dashes=(0, (3, 2)))
                labels.append(Label(f"via {number}", waypoint.x, waypoint.y, color, NAME_PT, 6.0))
            _draw_goal(axes, shown.problem.goal, GOAL if lone else way_color(shown), small=len(cast) > POSED)
    return labels


def _draw_start(axes: Axes, pose: FloatArray, color: Color, *, small: bool) -> None:
    """Draw a dot with a tick in the direction it faces."""
    x, y, heading = pose
    axes.plot(x, y, "o", ms=3.0 if small else 7.0, mfc=color, mec="white", mew=0.4 if small else 1.0, zorder=6.5)
    if small:
        return
    axes.annotate(
        "",
        xy=(x, y),
        xytext=(ARROW_PT * np.cos(heading), ARROW_PT * np.sin(heading)),
        textcoords="offset points",
        arrowprops={"arrowstyle": "<|-", "color": color, "lw": 1.6, "shrinkA": 0, "shrinkB": 0},
        zorder=6.4,
    )


def _draw_goal(axes: Axes, goal: Goal, color: Color, *, small: bool) -> None:
    """Draw a target: its tolerance, its middle and, if the goal has one, its range of headings."""
    from matplotlib.patches import Wedge

    if small:
        axes.plot(goal.x, goal.y, "o", ms=3.4, mfc="white", mec=color, mew=0.9, zorder=5.2)
        return
    _draw_disc(axes, goal, color, dashes="-")
    axes.plot(goal.x, goal.y, "+", ms=8.0, color=color, mew=1.4, zorder=5.8)
    if goal.heading_rad is not None:
        low, high = (np.degrees(goal.heading_rad + sign * goal.heading_tolerance_rad) for sign in (-1, 1))
        reach = max(1.7 * goal.tolerance_m, 0.6)
        axes.add_patch(Wedge((goal.x, goal.y), reach, low, high, color=color, alpha=0.30, lw=0, zorder=4.6))


def _draw_disc(axes: Axes, goal: Goal, color: Color, *, dashes: object) -> None:
    from matplotlib.patches import Circle

    axes.add_patch(
        Circle(
            (goal.x, goal.y), goal.tolerance_m, facecolor=(*color, 0.14), edgecolor=color, lw=1.2, ls=dashes, zorder=4.5
        )
    )


def behavior_labels(cast: Sequence[Shown]) -> list[Label]:
    """Return labels along the ways: behaviors and times."""
    if len(cast) > NAMED:
        return []
    labels = []
    for shown in cast:
        for run in shown.runs:
            color = KIND_COLORS[run.kind] if len(cast) == 1 else way_color(shown)
            labels.append(_run_label(shown, run, color))
        labels += _time_labels(shown)
    return labels


def _run_label(shown: Shown, run: Run, color: Color) -> Label:
    middle = shown.path[(run.first + run.last) // 2]
    # Rare behaviors tell more than common ones, so they come first.
    priority = {"jump": 8.0, "low": 8.0, "wait": 6.0, "side": 5.0}.get(run.kind, 4.0) + 0.01 * (run.last - run.first)
    return Label(
        run.words, float(middle[0]), float(middle[1]), faded(color, INK, 0.25), NAME_PT, priority,
        away_rad=float(middle[2]) + 0.5 * np.pi,
    )  # fmt: skip


def _time_labels(shown: Shown) -> list[Label]:
    """Return round times along a way."""
    if shown.motion is None:
        return []
    span = shown.ends_s - shown.begins_s
    step = next((step for step in SECONDS if span / step <= MOST_TIMES), SECONDS[-1])
    times = np.arange(np.ceil(shown.begins_s / step) * step, shown.ends_s, step)
    poses = _poses_at(shown, times)
    return [
        Label(f"{time:g} s", float(x), float(y), PALE_INK, TIME_PT, 2.0, away_rad=float(heading) - 0.5 * np.pi)
        for time, (x, y, heading) in zip(times.tolist(), poses.tolist(), strict=True)
        if time > shown.begins_s + 0.5
    ]
