"""Whether a figure may be as it is: joints, clearance and what gravity allows."""

from __future__ import annotations

import math

import numpy as np
import scipy

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.resample import between
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.field import link_clearance
from gambol.climb.kernels.gravity import held_span
from gambol.climb.kernels.kinematics import centre_of_mass, place, within_limits
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel

MARGIN_M = 0.005  # of clearance that filters keep where what they were given had it
SPACING = 0.02  # metres a joint moves, about, between places that are checked
CLEAR_M = 0.003  # of delivered frames, where the timed path has it
#: That fairing may bring the centre of mass beside what the grasps hold at rest.
MORE_BESIDE_M = {Mode.WALK: 0.03, Mode.SWING: 0.1}
BRISK_M_S = 0.5  # who walks as fast has the momentum for that
CRAWL = 3  # as Mode numbers it


@kernel
def unheld(tables: FilterTables, facing: float, mode: int, grasps: Int32Array, points: FloatArray) -> float:
    """Return how far the centre of mass is beside what the grasps can hold at rest; 0 where it is not."""
    low, high = held_span(tables.figure, tables.anchor, tables.surface, mode != CRAWL, facing, grasps, -1)
    if low > high:
        return 1e3
    x, _ = centre_of_mass(tables.figure, points)
    return max(0.0, low - x, x - high)


@kernel
def may_be(
    tables: FilterTables,
    facing: float,
    mode: int,
    grasps: Int32Array,
    q: FloatArray,
    margin: FloatArray,
    most_unheld: float,
    points: FloatArray,
) -> bool:
    """Tell whether a configuration keeps limits, clearance, and is no further beside its grasps than it may.

    margin: (10,) the least clearance of each link.
    """
    if not within_limits(tables.figure, q):
        return False
    place(tables.figure, facing, q, points)
    for link in range(10):
        if link_clearance(tables.figure, tables.field, points, link) < margin[link]:
            return False
    return unheld(tables, facing, mode, grasps, points) <= most_unheld


@kernel
def kept_margins(clear: FloatArray, beside: FloatArray, i: int, j: int, margin: FloatArray) -> float:
    """Write the margins (10,) to keep between two samples, no more than there is; return how far beside they are."""
    most = 0.0
    for link in range(10):
        margin[link] = MARGIN_M
        for k in range(i, j + 1):
            margin[link] = min(margin[link], clear[k, link])
        margin[link] -= 1e-9
    for k in range(i, j + 1):
        most = max(most, beside[k])
    return most + 1e-9


@kernel
def parts_between(first: FloatArray, second: FloatArray) -> int:
    """Return into how many parts to cut the way between two configurations in order to check it."""
    way = abs(second[0] - first[0]) + abs(second[1] - first[1])
    for at in range(2, 12):
        way = max(way, 0.5 * abs(second[at] - first[at]))
    return max(1, math.ceil(way / SPACING))


@kernel
def may_go(
    tables: FilterTables,
    first: FloatArray,
    second: FloatArray,
    facing: float,
    mode: int,
    first_grasps: Int32Array,
    second_grasps: Int32Array,
    margin: FloatArray,
    most_unheld: float,
    grasps: Int32Array,
    q: FloatArray,
    points: FloatArray,
) -> bool:
    """Tell whether the way between two samples is good, their ends left out."""
    parts = parts_between(first, second)
    for part in range(1, parts):
        held = between(tables, first, second, facing, first_grasps, second_grasps, part / parts, grasps, q)
        if not held or not may_be(tables, facing, mode, grasps, q, margin, most_unheld, points):
            return False
    return True


@kernel
def write_state(
    tables: FilterTables,
    configurations: FloatArray,
    facings: FloatArray,
    modes: Int32Array,
    grasps: Int32Array,
    clear: FloatArray,
    beside: FloatArray,
) -> None:
    """Write the clearance of each sample's links, and how far beside its grasps it is."""
    points = np.empty((12, 2))
    for row in range(len(configurations)):
        place(tables.figure, facings[row], configurations[row], points)
        for link in range(10):
            clear[row, link] = link_clearance(tables.figure, tables.field, points, link)
        beside[row] = unheld(tables, facings[row], modes[row], grasps[row], points)


def state_of(
    tables: FilterTables, configurations: FloatArray, facings: FloatArray, modes: Int32Array, grasps: Int32Array
) -> tuple[FloatArray, FloatArray]:
    """Return the clearances of the samples' links (N, 10), and how far beside their grasps they are (N,)."""
    clear, beside = np.empty((len(configurations), 10)), np.empty(len(configurations))
    write_state(tables, configurations, facings, modes, grasps, clear, beside)
    return clear, beside


def allowed(
    tables: FilterTables, base: ClimbPath, rate_hz: float, *, leaning: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """Return the clearance (F, 10) that fairing keeps at frames, and how far beside their grasps (F,) they may be.

    leaning: how much of what momentum makes up for they may be farther beside them than they are.
    """
    clear, beside = state_of(tables, base.configurations, base.facings, base.modes, base.grasps)
    near = max(1, round(0.1 * rate_hz))
    margin = np.minimum(CLEAR_M, scipy.ndimage.minimum_filter1d(clear, 2 * near + 1, axis=0) - 1e-6)
    # Feet that walk have momentum to go by, hands that swing a pendulum; what climbs or crawls rests on its holds.
    more = leaning * np.array([MORE_BESIDE_M.get(Mode(mode), 0.0) for mode in base.modes])
    moved = np.abs(np.gradient(base.configurations[:, 0], 1.0 / rate_hz)) if len(base) > 1 else np.zeros(1)
    more = np.where(base.modes == Mode.WALK, more * np.minimum(1.0, moved / BRISK_M_S), more)
    return margin, scipy.ndimage.maximum_filter1d(beside, 2 * near + 1) + 1e-6 + more
