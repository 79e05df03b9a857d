"""How far grasp points are from the goal, going from point to point: the way that a body could take over them.

Free space knows no holds: it leads into the open, and into branches that nobody can pass [KP00 5, figure 14].  Here two
points are neighbours if one body could hold both.  That is a little too hopeful, never too strict: where the
points do not lead to the goal, no climber comes there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.climb.environment_table import BAR, CEILING, FLOOR, GraspTable
from gambol.climb.figure import FigureTable
from gambol.climb.kernels.field import DistanceField, distance_at
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel

#: Lengths in an adult's metres.
NEAR_GOAL_M = 1.0  # of a point's body to the goal, beside the tolerance
EASY_M = (0.8, 1.0, 1.5)  # between two hands, two feet, hand and foot
STANDING_M = 1.95  # between a hand and a foot that stands on a floor
FAR_COST = 4.0  # metres for each metre further apart
SAMPLES = 12  # along the way between two bodies, to see what is in between


@dataclass(frozen=True, eq=False)
class GraspGraph:
    """Metres of way from each grasp point's body to the goal."""

    left: FloatArray  # (G,) inf where no points lead to the goal
    bodies: FloatArray  # (G, 2) where the centre of mass of a body is that uses a point, about
    edges: NDArray[np.intp]  # (E, 2) neighbours

    def gap(self, start: Sequence[int]) -> tuple[int, int]:
        """Return the points nearest to each other of those that a start leads to and of those that lead to the goal.

        The second is -1 where none leads to the goal.
        """
        reached = np.zeros(len(self.left), dtype=bool)
        reached[list(start)] = True
        while True:
            touched = reached[self.edges].any(axis=1)
            count = int(reached.sum())
            reached[self.edges[touched]] = True
            if int(reached.sum()) == count:
                break
        leading = np.flatnonzero(np.isfinite(self.left) & ~reached)
        if not len(leading):
            return int(start[0]), -1
        own = np.flatnonzero(reached)
        apart, nearest = scipy.spatial.KDTree(self.bodies[leading]).query(self.bodies[own])
        best = int(np.argmin(apart))
        return int(own[best]), int(leading[np.atleast_1d(nearest)[best]])

    @classmethod
    def of(
        cls, figure: FigureTable, field: DistanceField, grasps: GraspTable, room: FloatArray, goal: tuple[float, float],
        tolerance_m: float,
    ) -> GraspGraph:  # fmt: skip
        count = len(grasps.x)
        bodies = _bodies(figure, grasps, room)
        if not count:
            return cls(np.empty(0), bodies, np.empty((0, 2), dtype=np.intp))
        first, second, weight = _edges(figure, field, grasps, bodies)
        apart = np.hypot(bodies[:, 0] - goal[0], bodies[:, 1] - goal[1])
        scale = figure.stature / 1.75
        near = np.flatnonzero(apart <= NEAR_GOAL_M * scale + tolerance_m)
        rows = np.concatenate([first, second, near])
        columns = np.concatenate([second, first, np.full(len(near), count)])
        lengths = np.concatenate([weight, weight, apart[near]])
        graph = scipy.sparse.coo_array((lengths + 1e-6, (rows, columns)), shape=(count + 1, count + 1)).tocsr()
        left = scipy.sparse.csgraph.dijkstra(graph.T, indices=count)
        return cls(left[:count], bodies, np.column_stack([first, second]))


def _bodies(figure: FigureTable, grasps: GraspTable, room: FloatArray) -> FloatArray:
    """Return where the centre of mass is, about, of a body that stands on, hangs from or climbs with each point."""
    scale = figure.stature / 1.75
    above = np.full(len(grasps.x), 0.2 * scale)
    floor = grasps.surface == FLOOR
    above[floor] = np.minimum(0.93 * scale, 0.5 * room[floor])
    hand_only = ~grasps.allowed[Mode.CLIMB, :, 1]
    above[(grasps.surface == CEILING) | ((grasps.surface == BAR) & hand_only)] = -0.95 * scale
    out = np.where(floor | (grasps.surface == BAR) | (grasps.surface == CEILING), 0.0, 0.3 * scale)
    return np.column_stack([grasps.x + out * grasps.normal[:, 0], grasps.z + above])


def _edges(
    figure: FigureTable, field: DistanceField, grasps: GraspTable, bodies: FloatArray
) -> tuple[NDArray[np.intp], NDArray[np.intp], FloatArray]:
    """Return pairs of neighbours and the length of the way between their bodies."""
    scale = figure.stature / 1.75
    arm, leg = figure.upper_arm + figure.forearm, figure.thigh + figure.shank
    # Anchors are near the points: an ankle's height and a foot's length away at most.
    slack = 0.3 * scale
    longest = arm + leg + figure.shoulder + slack
    places = np.column_stack([grasps.x, grasps.z])
    pairs = scipy.spatial.KDTree(places).query_pairs(longest, output_type="ndarray")
    first, second = pairs[:, 0], pairs[:, 1]
    apart = np.hypot(*(places[first] - places[second]).T)
    hand = np.any(grasps.allowed[:, :, 0], axis=0, keepdims=True)[0]
    foot = np.any(grasps.allowed[:, :, 1], axis=0, keepdims=True)[0]
    most = np.zeros(len(pairs))
    both_hands, both_feet = hand[first] & hand[second], foot[first] & foot[second]
    mixed = (hand[first] & foot[second]) | (foot[first] & hand[second])
    easy = np.zeros(len(pairs))
    for fits, length, comfortable in zip(
        (both_hands, both_feet, mixed), (2.0 * arm + slack, 2.0 * leg + slack, longest), EASY_M, strict=True
    ):
        most[fits] = np.maximum(most[fits], length)
        easy[fits] = np.maximum(easy[fits], comfortable * scale)
    floor = grasps.surface == FLOOR
    easy[mixed & (floor[first] != floor[second])] = STANDING_M * scale
    kept = apart <= most
    first, second, apart, easy = first[kept], second[kept], apart[kept], easy[kept]
    weight = np.hypot(*(bodies[first] - bodies[second]).T) + FAR_COST * np.maximum(0.0, apart - easy)
    solid = _solid_between(field, bodies, first, second)
    # A body goes around corners: what is in between costs, it does not forbid.
    return first, second, weight + 3.0 * solid


@kernel
def _solid_between(
    field: DistanceField, bodies: FloatArray, first: NDArray[np.intp], second: NDArray[np.intp]
) -> FloatArray:
    """Return how many metres of the straight ways between bodies are inside something."""
    result = np.zeros(len(first))
    for k in range(len(first)):
        ax, az = bodies[first[k], 0], bodies[first[k], 1]
        dx, dz = bodies[second[k], 0] - ax, bodies[second[k], 1] - az
        inside = 0
        for n in range(1, SAMPLES):
            t = n / SAMPLES
            if distance_at(field, ax + t * dx, az + t * dz) < 0.0:
                inside += 1
        result[k] = inside / SAMPLES * np.sqrt(dx * dx + dz * dz)
    return result
