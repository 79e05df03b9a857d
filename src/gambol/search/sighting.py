"""Movers that are not known in advance: what is seen of them, and where that lets us expect them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gambol.errors import InvalidInput
from gambol.world.world import Footprint, Mover, Piece, Pose, Trajectory

ARC_S = 0.1  # between two poses of a turn
STILL = 1e-6  # metres or radians a second


@dataclass(frozen=True, eq=False)
class Sighting:
    """A thing as it is seen at a moment: where it is and how it moves."""

    name: str
    footprint: Footprint
    pose: Pose
    velocity_m_s: tuple[float, float] = (0.0, 0.0)  # along the world's x and y
    turn_rate_rad_s: float = 0.0  # of its heading and of its velocity
    heights_m: tuple[float, float] = (0.0, 2.0)  # bottom and top above the local ground

    def __post_init__(self) -> None:
        if not np.isfinite((*self.pose, *self.velocity_m_s, self.turn_rate_rad_s, *self.heights_m)).all():
            raise InvalidInput(f"sighting {self.name!r}: all numbers must be finite")

    @property
    def is_still(self) -> bool:
        return math.hypot(*self.velocity_m_s) <= STILL and abs(self.turn_rate_rad_s) <= STILL


def extrapolate(sighting: Sighting, *, at_s: float, for_s: float, margin_m: float) -> Mover:
    """Return where a thing seen at a time is expected for a while, all around larger by a margin.

    Its speed and turn rate stay what they are: it goes straight on or around a circle.
    """
    pieces = tuple(Piece(piece.corners, piece.radius_m + margin_m) for piece in sighting.footprint.pieces)
    turns = abs(sighting.turn_rate_rad_s) > STILL
    count = 1 if sighting.is_still else max(2, math.ceil(for_s / ARC_S) + 1) if turns else 2
    since = np.linspace(0.0, for_s, count)
    x, y = sighting.velocity_m_s
    heading = sighting.turn_rate_rad_s * since
    along, aside = since, np.zeros(count)
    if turns:
        along, aside = np.sin(heading) / sighting.turn_rate_rad_s, (1.0 - np.cos(heading)) / sighting.turn_rate_rad_s
    poses = np.array(sighting.pose) + np.stack((x * along - y * aside, y * along + x * aside, heading), axis=1)
    heights = np.tile(np.array(sighting.heights_m), (count, 1))
    return Mover(sighting.name, Footprint(pieces), Trajectory(at_s + since, poses, heights))
