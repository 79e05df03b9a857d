"""Make shapes and obstacles from a scene file's entries."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gambol.errors import InvalidInput
from gambol.files.entries import Problems
from gambol.files.toml_lines import Key
from gambol.scenes.file_model import ObstacleEntry, ShapeEntry
from gambol.world.footprint import Footprint, Piece
from gambol.world.obstacle import Obstacle, Pose, Special


def footprint_of(entry: ShapeEntry, key: Key, problems: Problems) -> Footprint | None:
    """Return the shape of an entry, or None after adding its mistakes."""
    if entry.size is not None:
        return Footprint.box(*entry.size)
    if entry.radius_m is not None:
        return Footprint.disc(entry.radius_m)
    if entry.corners is not None:
        try:
            return Footprint.polygon(entry.corners)
        except InvalidInput as error:
            problems.add((*key, "corners"), str(error))
            return None
    assert entry.line is not None
    assert entry.thickness_m is not None
    pieces = [Piece(np.array(ends, dtype=np.float64), 0.5 * entry.thickness_m) for ends in pairwise(entry.line)]
    if any(np.ptp(piece.corners, axis=0).max() < 1e-6 for piece in pieces):
        problems.add((*key, "line"), "neighbouring points must differ")
        return None
    return Footprint(tuple(pieces))


def pose_of(entry: ShapeEntry) -> Pose:
    """Return the pose of an entry's shape."""
    x, y = entry.at if entry.at is not None else (0.0, 0.0)
    return float(x), float(y), float(np.radians(entry.heading_deg))


def obstacle_of(entry: ObstacleEntry, key: Key, problems: Problems) -> Obstacle | None:
    """Return an entry's obstacle, or None after adding its mistakes."""
    footprint = footprint_of(entry, key, problems)
    if footprint is None:
        return None
    special = entry.special
    return Obstacle(
        name=entry.name or f"obstacle-{key[-1]}",
        footprint=footprint,
        pose=pose_of(entry),
        bottom_m=entry.bottom_m,
        top_m=entry.top_m,
        special=None if special is None else Special(special.kind, special.near_m, special.within_m),
    )
