"""A falling log, such as LK05's tree, as a row of upright prisms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gambol.errors import InvalidInput
from gambol.world.world import Footprint, Mover, Piece, Trajectory

SLICE_M = 0.25  # metres, > 0: longest slice of a log; larger: fewer movers, which reach half a slice too far upright
MOMENTS = 64  # >= 1: straight steps of the fall; more steps need less margin around the log
SETTLING_S = 1e-3  # seconds, > 0: before and after the fall, the margin of heights shrinks to 0 in this time


def falling_angle(share: np.ndarray | float) -> np.ndarray | float:
    """Return the log's angle from upright (radians) after a share (0 to 1) of the fall; it falls ever faster."""
    return 0.5 * np.pi * np.square(np.clip(share, 0.0, 1.0))


def falling_log(
    name: str,
    *,
    at: tuple[float, float],
    heading_rad: float,
    length_m: float,
    radius_m: float,
    start_s: float,
    duration_s: float,
) -> tuple[Mover, ...]:
    """Return movers `name/0` … that together cover a log at all times: standing, falling and lying.

    The log is a capsule of `length_m` from end to end, standing on the ground at `at`.  It turns towards the heading
    about the centre of its lower round end, until it lies on the ground.  Each mover covers a slice of it.  Slices
    of the lying log are exact except for their rounded ends, which lie inside their neighbours.
    """
    axis_m = length_m - 2.0 * radius_m
    if not (radius_m > 0.0 and axis_m > 0.0 and duration_s > 0.0):
        raise InvalidInput(
            f"a falling log needs a positive radius, a length of more than twice the radius and a positive duration, "
            f"not {radius_m}, {length_m} and {duration_s}"
        )
    count = int(np.ceil(axis_m / SLICE_M))
    edges = np.linspace(0.0, axis_m, count + 1)
    share = np.linspace(0.0, 1.0, MOMENTS + 1)
    angle = np.asarray(falling_angle(share))
    times = start_s + duration_s * share
    times = np.concatenate(([times[0] - SETTLING_S], times, [times[-1] + SETTLING_S]))
    angle = np.concatenate(([angle[0]], angle, [angle[-1]]))
    movers: list[Mover] = []
    for number, (inner, outer) in enumerate(pairwise(edges)):
        middle, half = 0.5 * (inner + outer), 0.5 * (outer - inner)
        margin = _straight_line_error(outer)
        away = middle * np.sin(angle)
        poses = np.column_stack(
            (at[0] + away * np.cos(heading_rad), at[1] + away * np.sin(heading_rad), np.full(len(angle), heading_rad))
        )
        growth = np.full(len(angle), margin)
        growth[[0, -1]] = 0.0  # no margin while it stands or lies
        low = np.maximum(inner * np.cos(angle) - growth, 0.0)
        high = 2.0 * radius_m + outer * np.cos(angle) + growth
        footprint = Footprint((Piece(np.array([[-half, 0.0], [half, 0.0]]), radius_m + margin),))
        movers.append(Mover(f"{name}/{number}", footprint, Trajectory(times, poses, np.column_stack((low, high)))))
    return tuple(movers)


def _straight_line_error(distance_m: float) -> float:
    """Return the greatest distance of a point of the axis from the straight line between two moments of the fall.

    Let s be the share of the fall.  The angle is pi/2 s^2, so the second derivative in s of distance * sin(angle) is
    at most distance * (pi + pi^2), along x and along z.  A chord over a step of 1 / MOMENTS is off by at most an
    eighth of that times the step squared.
    """
    return distance_m * (np.pi + np.pi**2) / (8.0 * MOMENTS**2)
