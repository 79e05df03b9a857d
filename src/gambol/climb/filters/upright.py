"""Walk upright: the pelvis as high as legs and room let it, and higher over the stance leg."""

from __future__ import annotations

import math

import numpy as np
import scipy

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.resample import parts_of
from gambol.climb.filters.shortcuts import reaching_runs
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.field import link_clearance
from gambol.climb.kernels.kinematics import place
from gambol.climb.modes import Mode
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.kernels.jit import kernel

STRAIGHT = 0.985  # share of a straight leg that a walker stands on
OF_THE_ROOM = 0.8  # that is used to stand up
MOST_M = 0.15
HEAD_ROOM_M = 0.04  # that is left above
UPRIGHT_S = 0.15  # width of the smoothing of how far one stands up
RISE_M = 0.05  # of an adult's pelvis over the stance leg in a walk of 0.6 m a step, from feet apart to mid-stance


@kernel
def write_room(
    tables: FilterTables,
    facings: FloatArray,
    grasps: Int32Array,
    reaching: BoolArray,
    ends: FloatArray,
    q: FloatArray,
    room: FloatArray,
) -> None:
    """Write how much higher the pelvis could be, for its legs and for what is above."""
    figure = tables.figure
    points = np.empty((12, 2))
    leg = STRAIGHT * (figure.thigh + figure.shank)
    for row in range(len(q)):
        room[row] = MOST_M
        for limb in range(2, 4):
            if grasps[row, limb] >= 0 or reaching[row, limb]:
                dx = ends[row, limb, 0] - q[row, 0]
                up = math.sqrt(max(0.0, leg * leg - dx * dx))
                room[row] = min(room[row], ends[row, limb, 1] + up - q[row, 1])
        if room[row] > 0.0:
            place(figure, facings[row], q[row], points)
            for link in range(2):
                room[row] = min(room[row], link_clearance(figure, tables.field, points, link) - HEAD_ROOM_M)
        room[row] = max(0.0, room[row])


def stand_up(
    tables: FilterTables, base: ClimbPath, reaching: BoolArray, ends: FloatArray, q: FloatArray, rate_hz: float
) -> None:
    """Raise the pelvis of walkers towards legs that are nearly straight; both ends, and turns, stay as they are."""
    walking = (base.modes == Mode.WALK) & (np.abs(base.facings) == 1.0) & np.all(base.grasps[:, :2] < 0, axis=1)
    if not np.any(walking):
        return
    room = np.empty(len(q))
    write_room(tables, base.facings, base.grasps, reaching, ends, q, room)
    lift = scipy.ndimage.gaussian_filter1d(
        OF_THE_ROOM * np.where(walking, room, 0.0), UPRIGHT_S * rate_hz, mode="constant"
    )
    away = np.zeros(len(q))
    for a, b in parts_of(base.facings):
        count = np.arange(b - a + 1.0)
        away[a : b + 1] = np.minimum(count, count[::-1]) / (3.0 * UPRIGHT_S * rate_hz)
    q[:, 1] += lift * np.where(walking, 1.0, 0.0) * np.minimum(1.0, away) ** 2


def rise_over_stance(tables: FilterTables, base: ClimbPath, q: FloatArray, scale: float) -> None:
    """Lift the pelvis over the stance leg while the other foot is in the air, as walkers do."""
    leg = STRAIGHT * (tables.figure.thigh + tables.figure.shank)
    for foot in (2, 3):
        for a, b in reaching_runs(base.grasps, foot):
            g = base.grasps[(a + b) // 2, 5 - foot]
            if (
                g < 0
                or np.any(base.modes[a : b + 1] != Mode.WALK)
                or np.any(base.facings[a : b + 1] != base.facings[a])
            ):
                continue
            x, z = tables.anchor[0 if base.facings[a] > 0.0 else 1, g, 1]
            t = np.arange(b - a + 1) / (b - a)
            straight = q[a, 1] + t * (q[b, 1] - q[a, 1])
            nearest = a + int(np.argmin(np.abs(q[a : b + 1, 0] - x)))
            room = z + leg - q[nearest, 1]
            length = abs(q[b, 0] - q[a, 0]) / (0.6 * scale)
            risen = float(np.max(q[a : b + 1, 1] - straight))
            rise = min(RISE_M * scale * min(1.3, length) - max(0.0, risen), 0.7 * room)
            if rise > 0.0:
                q[a : b + 1, 1] += rise * np.sin(math.pi * t) ** 2
