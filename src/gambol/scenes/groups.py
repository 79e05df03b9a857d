"""Make the members of a scene file's group, with their places."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.scenes.file_model import GroupEntry, PlacesEntry

AreOpen = Callable[[FloatArray], NDArray[np.bool_]]  # (N, 2) points -> (N,) whether a member finds room


class Member(NamedTuple):
    name: str
    start: tuple[float, float]
    heading_rad: float
    goals: tuple[tuple[float, float], ...]
    appears_s: float


def group_members(group: GroupEntry, *, seed: int, are_open: AreOpen) -> list[Member]:
    """Return the members of a group; the same seed and name give the same places."""
    starts = _places(group.starts, "starts", group, seed, are_open, shared=group.interval_s > 0.0)
    goals = _goals(group, starts, seed, are_open)
    if group.jitter_m > 0.0:
        starts = starts + chance(seed, group.name, "jitter").uniform(-group.jitter_m, group.jitter_m, starts.shape)
    if group.heading_deg is not None:
        headings = np.full(group.count, np.radians(group.heading_deg))
    elif goals:
        headings = np.arctan2(goals[0][:, 1] - starts[:, 1], goals[0][:, 0] - starts[:, 0])
    else:
        headings = chance(seed, group.name, "heading").uniform(-np.pi, np.pi, group.count)
    return [
        Member(
            name=f"{group.name}-{number}",
            start=(float(start[0]), float(start[1])),
            heading_rad=float(heading),
            goals=tuple((float(places[number, 0]), float(places[number, 1])) for places in goals),
            appears_s=group.appears_at_s + number * group.interval_s,
        )
        for number, (start, heading) in enumerate(zip(starts, headings, strict=True))
    ]


def _goals(group: GroupEntry, starts: FloatArray, seed: int, are_open: AreOpen) -> list[FloatArray]:
    """Return places (count, 2) for each goal to visit; members share places except where all stand at the end."""
    if group.wander is not None or group.follow is not None:
        return []
    if group.goals is None:
        assert group.starts.circle is not None
        goals = [2.0 * np.array(group.starts.circle.at) - starts]
    else:
        last = len(group.goals) - 1
        goals = [
            _places(
                places, "goals" if last == 0 else f"goals[{number}]", group, seed, are_open,
                shared=number < last or group.then != "stand",
            )
            for number, places in enumerate(group.goals)
        ]  # fmt: skip
    if group.mixed:
        draw = chance(seed, group.name, "mixed")
        goals = [places[draw.permutation(len(places))] for places in goals]
    return goals


def _places(
    places: PlacesEntry, what: str, group: GroupEntry, seed: int, are_open: AreOpen, *, shared: bool
) -> FloatArray:
    """Return points (count, 2); if they may be shared and there is too little room, points repeat in turn."""
    count = group.count
    if places.area is not None:
        return _in_area(places.area, what, group, seed, are_open, shared=shared)
    if places.line is not None:
        first, last = np.array(places.line, dtype=np.float64)
        length = float(np.linalg.norm(last - first))
        if shared:
            count = min(count, int(length / group.spacing_m + 1e-9) + 1)
        shares = np.arange(count) / (count - 1) if count > 1 else np.array([0.5])
        points = first + (last - first) * shares[:, None]
        gap = length / max(count - 1, 1)
    else:
        assert places.circle is not None
        radius = places.circle.radius_m
        if shared:
            half = np.arcsin(min(0.5 * group.spacing_m / radius, 1.0))
            count = min(count, max(int(np.pi / half + 1e-9), 1))
        angles = 2.0 * np.pi * np.arange(count) / count
        points = np.array(places.circle.at) + radius * np.stack((np.cos(angles), np.sin(angles)), axis=1)
        gap = 2.0 * radius * float(np.sin(np.pi / count))
    if count > 1 and gap < group.spacing_m - 1e-9:
        raise InvalidInput(
            f"{what}: {count} places would be {gap:.2f} m apart, less than spacing_m = {group.spacing_m:g}"
        )
    return np.resize(points, (group.count, 2))


def _in_area(
    area: list[float], what: str, group: GroupEntry, seed: int, are_open: AreOpen, *, shared: bool
) -> FloatArray:
    """Choose random open points of a grid, in the grid's order; shared points in random order."""
    axes = []
    for least, greatest in ((area[0], area[2]), (area[1], area[3])):
        steps = int((greatest - least) / group.spacing_m + 1e-9)
        axes.append(0.5 * (least + greatest) + group.spacing_m * (np.arange(steps + 1) - 0.5 * steps))
    grid = np.array([(x, y) for y in axes[1] for x in axes[0]])
    free = grid[are_open(grid)]
    if len(free) < (1 if shared else group.count):
        raise InvalidInput(
            f"{what}: in this area {len(free)} places {group.spacing_m:g} m apart are free, fewer than {group.count}"
        )
    taken = chance(seed, group.name, what).permutation(len(free))[: group.count]
    return free[np.resize(taken, group.count) if shared else np.sort(taken)]


def chance(seed: int, name: str, what: str) -> np.random.Generator:
    """Return a random generator for one purpose of one name, independent of all other draws."""
    return np.random.default_rng((seed, crc32(name.encode()), crc32(what.encode())))
