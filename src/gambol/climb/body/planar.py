"""The planar figure's points as it sees them itself: how far ahead of the pelvis and how high."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.climb.climb import ClimbPath
from gambol.climb.figure import FigureTable
from gambol.geometry.arrays import FloatArray


class PlanarPoses(NamedTuple):
    """Configurations as points in the figure's own plane: (ahead of the pelvis, height), in metres."""

    pelvis: FloatArray  # (F, 2) x and z in the world's plane
    yaw: FloatArray  # (F,) of the way it faces, counter-clockwise from +X, continuous; turns go left
    facing: FloatArray  # (F,)
    lean: FloatArray  # (F,)
    head: FloatArray  # (F,) angle of the head forward from upright
    shoulder: FloatArray  # (F, 2)
    hands: FloatArray  # (2, F, 2) palms
    ankles: FloatArray  # (2, F, 2)
    forearm: FloatArray  # (2, F) directions, counter-clockwise from straight ahead
    shank: FloatArray  # (2, F)


def planar_poses(table: FigureTable, path: ClimbPath) -> PlanarPoses:
    q = path.configurations
    lean = q[:, 2]
    height = q[:, 1]
    shoulder = np.stack((table.shoulder * np.sin(lean), height + table.shoulder * np.cos(lean)), axis=-1)
    pelvis = np.stack((np.zeros(len(q)), height), axis=-1)
    hands, ankles, forearms, shanks = [], [], [], []
    for side in range(2):
        upper = q[:, 4 + 2 * side] - lean
        lower = upper + q[:, 5 + 2 * side]
        hands.append(shoulder + table.upper_arm * _down(upper) + table.forearm * _down(lower))
        forearms.append(lower - 0.5 * np.pi)
        upper = q[:, 8 + 2 * side] - lean
        lower = upper - q[:, 9 + 2 * side]
        ankles.append(pelvis + table.thigh * _down(upper) + table.shank * _down(lower))
        shanks.append(lower - 0.5 * np.pi)
    return PlanarPoses(
        pelvis=q[:, :2], yaw=headings(path.facings), facing=path.facings, lean=lean, head=lean + q[:, 3],
        shoulder=shoulder, hands=np.array(hands), ankles=np.array(ankles),
        forearm=np.array(forearms), shank=np.array(shanks),
    )  # fmt: skip


def _down(angle: FloatArray) -> FloatArray:
    """Return unit vectors (ahead, up) that hang down at angle 0 and point ahead at a right angle."""
    return np.stack((np.sin(angle), -np.cos(angle)), axis=-1)


def turns(facings: FloatArray) -> list[tuple[int, int]]:
    """List the frames before the first and after the last of each turn round."""
    turning = np.abs(facings) < 1.0
    edges = np.diff(np.concatenate(([0], turning.astype(np.int8), [0])))
    firsts, afters = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    last = len(facings) - 1
    return [(max(0, int(first) - 1), min(last, int(after))) for first, after in zip(firsts, afters, strict=True)]


def headings(facings: FloatArray) -> FloatArray:
    """Return the angle of the way it faces (F,): every turn round goes on to the left."""
    yaw = np.empty(len(facings))
    side = 1.0 if facings[0] >= 0.0 else -1.0
    base = 0.0 if side > 0.0 else np.pi
    for frame, facing in enumerate(facings.tolist()):
        if facing == -side:
            side, base = facing, base + np.pi
        yaw[frame] = base + np.arccos(min(1.0, max(-1.0, side * facing)))
    return yaw
