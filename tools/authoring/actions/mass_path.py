"""How the body's centre of mass travels: parabolas in flight, smooth curves while something pushes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import make_interp_spline
from tools.authoring.authored import RATE_HZ
from tools.authoring.mass import GRAVITY_M_S2

from gambol.geometry.arrays import FloatArray


class MassPoint(NamedTuple):
    """Where the centre of mass is at an instant, and how it moves there."""

    frame: float
    position: FloatArray  # (3,) metres
    velocity: FloatArray  # (3,) metres a second
    acceleration: FloatArray  # (3,) metres a second squared


class Support(NamedTuple):
    """An instant on the ground through which the centre of mass goes."""

    frame: float
    height_m: float
    velocity: tuple[float, float]  # m/s, in the ground plane


class Flight(NamedTuple):
    """A time without ground contact, and the heights of the centre of mass at which it begins and ends."""

    first: float
    last: float
    first_height_m: float
    last_height_m: float
    velocity: tuple[float, float]  # m/s, in the ground plane

    def ends(self, place: FloatArray) -> tuple[MassPoint, MassPoint]:
        """Return take-off and landing for a flight that begins above a place (2,)."""
        time = (self.last - self.first) / RATE_HZ
        rise = (self.last_height_m - self.first_height_m) / time + 0.5 * GRAVITY_M_S2 * time
        level, falling = np.array(self.velocity), np.array([0.0, 0.0, -GRAVITY_M_S2])
        take_off, landing = np.array([*level, rise]), np.array([*level, rise - GRAVITY_M_S2 * time])
        goal = place + time * level
        return (
            MassPoint(self.first, np.array([*place, self.first_height_m]), take_off, falling),
            MassPoint(self.last, np.array([*goal, self.last_height_m]), landing, falling),
        )


def points_along(path: FloatArray, first: int) -> list[MassPoint]:
    """Return how the mass moves at each frame of a path (F, 3) that begins at a frame."""
    velocity = np.asarray(np.gradient(path, 1.0 / RATE_HZ, axis=0, edge_order=2))
    acceleration = np.asarray(np.gradient(velocity, 1.0 / RATE_HZ, axis=0, edge_order=2))
    return [MassPoint(first + i, path[i], velocity[i], acceleration[i]) for i in range(len(path))]


def travel(
    start: MassPoint, stages: Sequence[Flight | Support], end: MassPoint, frames: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the path (F, 3) from a start through flights and supports to an end, and the end's place (2,).

    Speeds are what is authored, so where the path ends follows from them: only the end's height and
    its motion count, not its place.  Between flights the path is smooth up to its acceleration; the
    ground's push so grows from nothing at a landing and fades to nothing at a take-off.
    """
    path = np.zeros((len(frames), 3))
    before: MassPoint = start
    on_ground: list[FloatArray] = [np.array([start.frame, *start.position])]
    velocity = start.velocity[:2]
    for stage in (*stages, end):
        first = stage.first if isinstance(stage, Flight) else stage.frame
        level = np.array(stage.velocity[:2])
        place = on_ground[-1][1:3] + 0.5 * (velocity + level) * (first - on_ground[-1][0]) / RATE_HZ
        velocity = level
        if isinstance(stage, Support):
            on_ground.append(np.array([stage.frame, *place, stage.height_m]))
            continue
        take_off, landing = stage.ends(place) if isinstance(stage, Flight) else (_at(stage, place), None)
        _fill(path, frames, before, on_ground[1:], take_off)
        if landing is None:
            return path, place
        _fill(path, frames, take_off, [], landing)
        before = landing
        on_ground = [np.array([landing.frame, *landing.position])]
    raise AssertionError("the end is the last stage")


def _at(point: MassPoint, place: ArrayLike) -> MassPoint:
    return point._replace(position=np.array([*np.asarray(place), point.position[2]]))


def _fill(
    path: FloatArray, frames: FloatArray, before: MassPoint, between: Sequence[FloatArray], after: MassPoint
) -> None:
    """Fill the frames from one point to another with a quintic spline: the parabola itself for a flight."""
    knots = np.array([[before.frame, *before.position], *between, [after.frame, *after.position]])
    ends = tuple([(1, point.velocity), (2, point.acceleration)] for point in (before, after))
    curve = make_interp_spline(knots[:, 0] / RATE_HZ, knots[:, 1:], k=5, bc_type=ends)
    inside = (frames >= before.frame) & (frames <= after.frame)
    path[inside] = curve(frames[inside] / RATE_HZ)
