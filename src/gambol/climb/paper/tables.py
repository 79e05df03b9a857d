"""What the paper's core looks up: a problem as arrays, and how far each coordinate may move at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.climb.environment_table import GraspTable, distance_field, grasp_table
from gambol.climb.figure import FREE, Figure, FigureTable
from gambol.climb.kernels.comfort import USAGE
from gambol.climb.kernels.field import DistanceField
from gambol.climb.kernels.gravity import held_span
from gambol.climb.kernels.kinematics import centre_of_mass, place
from gambol.climb.kernels.potential import PotentialTable, potential_at
from gambol.climb.modes import Mode
from gambol.climb.potential import Potential
from gambol.climb.problem import ClimbProblem
from gambol.geometry.arrays import FloatArray, Int32Array, frozen_array

MARGIN_M = 0.005  # of clearance that is kept
WIDTH_M = 0.04  # how far one coordinate moves any point at most, in one step


def step_widths(figure: Figure, most_m: float = WIDTH_M) -> FloatArray:
    """Return the largest change (12,) of each coordinate that moves no point of the figure by more than most_m.

    Those are the rows of the kinematic Jacobian: for an angle, the farthest point beyond its joint.
    """
    table = figure.table
    head = table.head + table.radius[1]
    arm, leg = table.upper_arm + table.forearm, table.thigh + table.shank
    whole = max(table.torso + head, table.shoulder + arm)
    levers = [1.0, 1.0, whole, head, arm, table.forearm, arm, table.forearm, leg, table.shank, leg, table.shank]
    return frozen_array(most_m / np.array(levers))


@dataclass(frozen=True, eq=False)
class Tables:
    """A problem as arrays, for a figure that faces one way."""

    figure: FigureTable
    scale: float
    facing: float
    field: DistanceField
    potential: PotentialTable
    grasps: GraspTable
    anchor: FloatArray  # (G, 2, 2) of hand and foot, for this facing
    fits: NDArray[np.bool_]  # (G, 2)
    usage: FloatArray  # (9, 4) of the heuristics
    widths: FloatArray  # (12,)
    margin: float = MARGIN_M

    @staticmethod
    def of(problem: ClimbProblem, usage: FloatArray | None = None) -> Tables:
        side = 0 if problem.start.facing > 0 else 1
        grasps = grasp_table(problem.environment, problem.figure)
        return Tables(
            figure=problem.figure.table,
            scale=problem.figure.scale,
            facing=float(problem.start.facing),
            field=distance_field(problem.environment),
            potential=Potential.of(problem.environment, problem.goal.x, problem.goal.z).table,
            grasps=grasps,
            anchor=grasps.anchor[side],
            fits=grasps.fits[side],
            usage=frozen_array(USAGE if usage is None else usage),
            widths=step_widths(problem.figure),
        )

    def targets(self, grasps: Int32Array) -> FloatArray:
        """Return where the ends (4, 2) of limbs are that hold something."""
        targets = np.zeros((4, 2))
        for limb, grasp in enumerate(grasps):
            if grasp != FREE:
                targets[limb] = self.anchor[grasp, 0 if limb < 2 else 1]
        return targets

    def span(self, grasps: Int32Array, mode: int) -> tuple[float, float]:
        """Return the stretch of x in which the grasps can hold the centre of mass."""
        pulls = mode in (Mode.CLIMB, Mode.SWING)
        return held_span(
            self.figure, self.grasps.anchor, self.grasps.surface, pulls, self.facing, grasps, -1
        )  # fmt: skip

    def points(self, q: FloatArray) -> FloatArray:
        points = np.empty((12, 2))
        place(self.figure, self.facing, q, points)
        return points

    def centre(self, q: FloatArray) -> tuple[float, float]:
        """Return where the centre of mass is."""
        return centre_of_mass(self.figure, self.points(q))

    def potential_of(self, q: FloatArray) -> float:
        return float(potential_at(self.potential, *self.centre(q)))
