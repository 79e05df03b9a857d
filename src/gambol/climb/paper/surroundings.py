"""What a figure finds around it: grasp points worth taking, and how much room is above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.climb.environment_table import FLOOR
from gambol.climb.figure import FREE
from gambol.climb.kernels.field import distance_at
from gambol.climb.kernels.potential import NO_WAY, potential_at
from gambol.climb.modes import Mode
from gambol.climb.paper.attempt import Attempt
from gambol.climb.paper.tables import Tables
from gambol.geometry.arrays import BoolArray, FloatArray

MOST_CANDIDATES = 8
BODY_HEIGHTS_M = (0.95, 0.6, 0.35)  # of the centre of mass above a foothold: standing, crouching, crawling
PROBE_M = 0.05


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Grasp points by how far it is to the goal from a body at them."""

    tables: Tables
    hold_potential: FloatArray  # (G,) a little out of the surface
    body_potential: FloatArray  # (G,) of the centre of mass of a body above, on floors

    @staticmethod
    def of(tables: Tables) -> Surroundings:
        grasps, scale = tables.grasps, tables.scale
        hold = np.array(
            [
                potential_at(tables.potential, x + 0.15 * across, z + 0.15 * up)
                for x, z, (across, up) in zip(grasps.x, grasps.z, grasps.normal, strict=True)
            ]
        )
        body = hold.copy()
        for index in np.flatnonzero(grasps.surface == FLOOR):
            heights = (grasps.z[index] + scale * height for height in BODY_HEIGHTS_M)
            values = (potential_at(tables.potential, grasps.x[index], z) for z in heights)
            body[index] = next((value for value in values if value < NO_WAY), hold[index])
        return Surroundings(tables, hold.reshape(-1), body.reshape(-1))

    def candidates(
        self, attempt: Attempt, limb: int, mode: Mode, gain: FloatArray, limits: tuple[float, float], preferred: float,
        also: BoolArray | bool = True,
    ) -> list[int]:  # fmt: skip
        """Return grasp points that a limb may take in a mode and reaches, best first.

        gain: (G,) how far each brings the limb; it must be within limits, and near the preferred one is best.
        also: (G,) what else must hold.
        """
        tables, kind = self.tables, 0 if limb < 2 else 1
        good = tables.grasps.allowed[mode, :, kind] & tables.fits[:, kind] & also
        good = good & (gain >= limits[0]) & (gain <= limits[1])
        if attempt.grasps[limb] != FREE:
            good[attempt.grasps[limb]] = False
        found = np.flatnonzero(good)
        found = found[np.argsort(np.abs(gain[found] - preferred), kind="stable")]
        reached = [int(grasp) for grasp in found if attempt.reaches(limb, int(grasp))]
        return reached[:MOST_CANDIDATES]

    def take_one(self, attempt: Attempt, limb: int, candidates: list[int], mode: Mode | None = None) -> bool:
        """Take the first of some grasp points to which a limb's way is free."""
        return any(attempt.take(limb, grasp, mode) for grasp in candidates)

    def ahead(self, x: float) -> FloatArray:
        """Return how far ahead (G,) of an x grasp points are."""
        return self.tables.facing * (self.tables.grasps.x - x)

    def head_room(self, x: float, floor_z: float, most: float) -> float:
        """Return how far it is from a floor to what is above, at most; inside something, all of it."""
        field, scale = self.tables.field, self.tables.scale
        z = floor_z + 0.3 * scale
        if distance_at(field, x, z) < 0.0:
            return most
        while z < floor_z + most and distance_at(field, x, z) > 0.0:
            z += PROBE_M
        return min(most, z - floor_z)

    def least_head_room(self, attempt: Attempt, how_far: float) -> float:
        """Return the least head-room from where a body is to some way ahead."""
        scale, facing = self.tables.scale, self.tables.facing
        x = float(attempt.q[0])
        floor = min(attempt.end(limb)[1] for limb in attempt.held) - self.tables.figure.ankle
        along = np.arange(0.0, scale * how_far + 1e-9, 0.15 * scale)
        return min(self.head_room(x + facing * float(step), floor, 2.0 * scale) for step in along)
