"""Places for many: what a group of a scene file stands for."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.scene.file_model import GroupEntry, PlacesEntry

FloatArray = NDArray[np.float64]
IsOpen = Callable[[float, float], bool]  # whether a member finds room at a point


class Member(NamedTuple):
    name: str
    start: tuple[float, float]
    heading_rad: float
    goal: tuple[float, float]


def group_members(group: GroupEntry, *, seed: int, is_open: IsOpen) -> list[Member]:
    """Return the members of a group; the same seed and name give the same places."""
    starts = _places(group.starts, "starts", group, seed, is_open)
    if group.goals is not None:
        goals = _places(group.goals, "goals", group, seed, is_open)
    else:
        assert group.starts.circle is not None
        goals = 2.0 * np.array(group.starts.circle.at) - starts
    if group.mixed:
        goals = goals[_chance(seed, group, "mixed").permutation(len(goals))]
    if group.jitter_m > 0.0:
        starts = starts + _chance(seed, group, "jitter").uniform(-group.jitter_m, group.jitter_m, starts.shape)
    if group.heading_deg is None:
        headings = np.arctan2(goals[:, 1] - starts[:, 1], goals[:, 0] - starts[:, 0])
    else:
        headings = np.full(group.count, np.radians(group.heading_deg))
    return [
        Member(f"{group.name}-{number}", (float(start[0]), float(start[1])), float(heading), (float(x), float(y)))
        for number, (start, heading, (x, y)) in enumerate(zip(starts, headings, goals, strict=True))
    ]


def _places(places: PlacesEntry, what: str, group: GroupEntry, seed: int, is_open: IsOpen) -> FloatArray:
    """Return points (count, 2)."""
    if places.area is not None:
        return _in_area(places.area, what, group, seed, is_open)
    numbers = np.arange(group.count)
    if places.line is not None:
        first, last = np.array(places.line, dtype=np.float64)
        shares = numbers / (group.count - 1) if group.count > 1 else np.array([0.5])
        points = first + (last - first) * shares[:, None]
        gap = float(np.linalg.norm(last - first)) / max(group.count - 1, 1)
    else:
        assert places.circle is not None
        angles = 2.0 * np.pi * numbers / group.count
        around = np.stack((np.cos(angles), np.sin(angles)), axis=1)
        points = np.array(places.circle.at) + places.circle.radius_m * around
        gap = 2.0 * places.circle.radius_m * float(np.sin(np.pi / group.count))
    if group.count > 1 and gap < group.spacing_m - 1e-9:
        raise InvalidInput(
            f"{what}: {group.count} places would be {gap:.2f} m apart, less than spacing_m = {group.spacing_m:g}"
        )
    return points


def _in_area(area: list[float], what: str, group: GroupEntry, seed: int, is_open: IsOpen) -> FloatArray:
    """Take open points of a grid by chance, in the grid's order."""
    axes = []
    for least, greatest in ((area[0], area[2]), (area[1], area[3])):
        steps = int((greatest - least) / group.spacing_m + 1e-9)
        axes.append(0.5 * (least + greatest) + group.spacing_m * (np.arange(steps + 1) - 0.5 * steps))
    grid = np.array([(x, y) for y in axes[1] for x in axes[0]])
    free = grid[[is_open(x, y) for x, y in grid]]
    if len(free) < group.count:
        raise InvalidInput(
            f"{what}: in this area {len(free)} places {group.spacing_m:g} m apart are free, fewer than {group.count}"
        )
    return free[np.sort(_chance(seed, group, what).permutation(len(free))[: group.count])]


def _chance(seed: int, group: GroupEntry, what: str) -> np.random.Generator:
    """Return chance for one purpose in one group, so that no other draws change it."""
    return np.random.default_rng((seed, crc32(group.name.encode()), crc32(what.encode())))
