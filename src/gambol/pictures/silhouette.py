"""Bodies seen from above."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.motion.edits import take
from gambol.motion.motion import Motion

SIDES = 20  # corners of a round end


@dataclass(frozen=True, eq=False)
class Silhouette:
    """The area of the ground plane that a body covers at an instant, and the area below its head."""

    outline: shapely.Geometry
    head: shapely.Geometry  # empty if the skeleton has no head


def silhouettes(body: Body, motion: Motion, frames: list[int]) -> list[Silhouette]:
    """Return a body's silhouettes at some frames of a motion."""
    turns = 2.0 * np.pi * np.arange(SIDES) / SIDES
    circle = np.column_stack((np.cos(turns), np.sin(turns)))
    is_head = np.array(["head" in body.skeleton.names[joint].lower() for joint in body.joint])
    found = []
    for start, end in zip(*body.place(take(motion, np.array(frames, dtype=np.intp))), strict=True):
        rings: NDArray[np.float64] = np.concatenate(
            (
                start[:, None, :2] + body.start_radius[:, None, None] * circle,
                end[:, None, :2] + body.end_radius[:, None, None] * circle,
            ),
            axis=1,
        )
        parts = np.asarray(shapely.convex_hull(shapely.multipoints(rings)))
        found.append(Silhouette(shapely.union_all(parts), shapely.union_all(parts[is_head])))
    return found
