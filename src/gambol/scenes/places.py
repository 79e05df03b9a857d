"""Check that bodies fit where a scene file puts them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.characters.clip import SweptShape
from gambol.files.entries import Problems
from gambol.files.toml_lines import Key
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.scenes.aims import Area
from gambol.scenes.draft import Bounds, Setting
from gambol.scenes.scene import Actor
from gambol.search.moves import may_be_last, rest_label
from gambol.search.problem import Goal
from gambol.world.world import Pose

TOUCH_M = 1e-6  # m, > 0: a smaller overlap does not count
GOAL_RINGS = 4  # rings, >= 1, of places tried in a goal; more finds narrower room
GOAL_POINTS = 12  # places tried on each ring, >= 1
GOAL_HEADINGS = 8  # headings tried at each place, >= 1, if the goal has none


class Parts(NamedTuple):
    """The upright cylinders of a body at one instant, in the frame of its pose."""

    offset: FloatArray  # (8, 2)
    radius: FloatArray  # (8,)
    low: FloatArray  # (8,)
    high: FloatArray  # (8,)

    @property
    def outer_radius(self) -> float:
        return float((np.linalg.norm(self.offset, axis=1) + self.radius).max())


def parts_of(shape: SweptShape, instant: int) -> Parts:
    return Parts(shape.offset[instant], shape.radius[instant], shape.low[instant], shape.high[instant])


def first_parts(character: Character, begins: str | None) -> list[Parts]:
    """Return the bodies in which a character may begin: the slimmest for each transition label."""
    label = begins or rest_label(character)
    shapes = [
        (behavior.begins, parts_of(behavior.clips[0].shape, 0))
        for behavior in character.behaviors
        if label is None or behavior.begins == label
    ]
    return _slimmest(shapes)


def last_parts(character: Character, behavior: str | None) -> list[Parts]:
    """Return the bodies in which a character may arrive: the slimmest for each transition label."""
    shapes = [
        (one.ends, parts_of(one.clips[0].shape, -1))
        for one, allowed in zip(character.behaviors, may_be_last(character, behavior), strict=True)
        if allowed
    ]
    return _slimmest(shapes)


def _slimmest(shapes: Sequence[tuple[str, Parts]]) -> list[Parts]:
    kept: dict[str, Parts] = {}
    for label, parts in shapes:
        if label not in kept or parts.outer_radius < kept[label].outer_radius:
            kept[label] = parts
    return list(kept.values())


class Solids:
    """The solid things of a world, to check whether bodies fit."""

    def __init__(self, setting: Setting, time_s: float | None = None) -> None:
        """Collect obstacles, and with a time also the movers at that time."""
        things: list[tuple[str, shapely.Geometry, float, float]] = []
        for _, obstacle in setting.obstacles:
            everywhere = obstacle.special is not None  # only special behaviors get across
            bottom, top = (-np.inf, np.inf) if everywhere else (obstacle.bottom_m, obstacle.top_m)
            things.append((f"obstacle {obstacle.name!r}", obstacle.footprint.region(obstacle.pose), bottom, top))
        for _, mover in setting.movers:
            if time_s is None:
                break
            pose, (bottom, top) = mover.trajectory.at(time_s)
            things.append((f"mover {mover.name!r} at {time_s:g} s", mover.footprint.region(pose), bottom, top))
        self.names = [name for name, *_ in things]
        self.regions = np.array([region for _, region, *_ in things], dtype=object)
        self.bottom = np.array([bottom for *_, bottom, _ in things], dtype=np.float64)
        self.top = np.array([top for *_, top in things], dtype=np.float64)
        self.tree = shapely.STRtree(self.regions)

    def near(self, x: float, y: float, distance_m: float) -> list[int]:
        """Return the things at most this far from a point."""
        return sorted(self.tree.query(shapely.Point(x, y), predicate="dwithin", distance=distance_m).tolist())

    def met(self, poses: FloatArray, parts: Parts, things: Sequence[int], *, shrunk_m: float = TOUCH_M) -> FloatArray:
        """Return the first thing (N,) that a body meets at each of poses (N, 3), or -1."""
        centres = poses[:, None, :2] + planar.rotate(poses[:, None, 2], parts.offset[None])
        points = shapely.points(centres)
        first = np.full(len(poses), -1)
        for thing in things:
            in_height = (parts.low + shrunk_m < self.top[thing]) & (parts.high - shrunk_m > self.bottom[thing])
            meets = (shapely.distance(points, self.regions[thing]) < parts.radius - shrunk_m) & in_height
            first[(first < 0) & meets.any(axis=1)] = thing
        return first


class PlaceCheck:
    """Checks starts, way-points and goals, and adds impossible ones as mistakes."""

    def __init__(self, setting: Setting, problems: Problems) -> None:
        self.setting = setting
        self.problems = problems
        self.solids = Solids(setting)
        self._at_times: dict[float, Solids] = {}
        self.first_parts = cache(first_parts)  # computed once for each character
        self.last_parts = cache(last_parts)

    def obstacles(self) -> None:
        """Add obstacles that lie wholly outside the bounds."""
        if self.setting.bounds is None:
            return
        box = shapely.box(*self.setting.bounds)
        for key, obstacle in self.setting.obstacles:
            if key[0] == "obstacles" and not box.intersects(obstacle.footprint.region(obstacle.pose)):
                self.problems.add(key, f"obstacle {obstacle.name!r} lies wholly outside the bounds")

    def start(self, key: Key, actor: Actor) -> None:
        """Add a start at which the body would be outside the bounds or inside something."""
        x, y, _ = actor.start
        if not self._inside(key, x, y):
            return
        reasons = [self._start_reason(actor, parts) for parts in self.first_parts(actor.character, actor.begins)]
        if reasons and all(reason is not None for reason in reasons):
            self.problems.add(key, f"{actor.name!r} cannot stand here: {reasons[0]}")

    def _start_reason(self, actor: Actor, parts: Parts) -> str | None:
        x, y, heading = actor.start
        centres = (x, y) + planar.rotate(heading, parts.offset)
        bounds = self.setting.bounds
        if bounds is not None and outside_m(centres, parts.radius, bounds) > TOUCH_M:
            return f"the body reaches {outside_m(centres, parts.radius, bounds):.2f} m beyond the bounds"
        solids = self._at(max(actor.start_s, actor.appears_s))
        thing = int(solids.met(np.array([actor.start]), parts, solids.near(x, y, parts.outer_radius))[0])
        return None if thing < 0 else f"the body meets {solids.names[thing]}"

    def goal(self, key: Key, actor: Actor, goal: Goal, *, last: bool) -> None:
        """Add a goal or way-point that is outside the bounds, or where no body finds room."""
        if not self._inside(key, goal.x, goal.y):
            return
        ends = self.last_parts(actor.character, goal.behavior) if last else _all_ends(actor.character)
        reach_m = max((parts.outer_radius for parts in ends), default=0.0)
        things = self.solids.near(goal.x, goal.y, goal.tolerance_m + reach_m)
        if not things:
            return
        poses = np.array(list(_goal_poses(goal)))
        blocking: set[int] = set()
        for parts in ends:
            # Bodies shrink by the distance between the tried places: only a goal that is surely blocked is a mistake.
            met = self.solids.met(poses, parts, things, shrunk_m=goal.tolerance_m / GOAL_RINGS)
            if (met < 0).any():
                return
            blocking |= set(met.tolist())
        if ends:
            names = ", ".join(self.solids.names[thing] for thing in sorted(blocking)[:3])
            self.problems.add(key, f"nobody finds room within {goal.tolerance_m:g} m of this place: {names}")

    def area(self, key: Key, area: Area, radius_m: float) -> None:
        """Add an area that reaches beyond the bounds, or in which nobody finds room."""
        bounds = self.setting.bounds
        if bounds is None:
            return
        if min(area[0] - bounds[0], area[1] - bounds[1], bounds[2] - area[2], bounds[3] - area[3]) < 0.0:
            self.problems.add(key, f"the area {list(area)} reaches beyond the bounds {list(bounds)}")
            return
        inner = shapely.box(*bounds).buffer(-radius_m, join_style="mitre")
        near = self.solids.regions[self.solids.tree.query(shapely.box(*area), predicate="dwithin", distance=radius_m)]
        room = shapely.difference(shapely.box(*area), shapely.union_all(shapely.buffer(near, radius_m)))
        if shapely.intersection(room, inner).area <= 0.0:
            self.problems.add(key, f"nobody finds room in the area {list(area)}")

    def overlaps(self, cast: Sequence[tuple[Key, Actor]]) -> None:
        """Add starts at which two cast members that appear at the same time would overlap."""
        bodies = [(key, actor, self.first_parts(actor.character, actor.begins)) for key, actor in cast]
        bodies = [(key, actor, parts[0]) for key, actor, parts in bodies if parts]
        if len(bodies) < 2:
            return
        starts = shapely.points([actor.start[:2] for _, actor, _ in bodies])
        reach = max(parts.outer_radius for *_, parts in bodies)
        near = shapely.STRtree(starts).query(starts, predicate="dwithin", distance=2.0 * reach).T.tolist()
        for second, first in sorted(pair for pair in near if pair[1] < pair[0]):
            (_, other, other_parts), (key, actor, parts) = bodies[first], bodies[second]
            if actor.appears_s == other.appears_s and bodies_overlap(other.start, other_parts, actor.start, parts):
                self.problems.add(key, f"{actor.name!r} would stand in {other.name!r}, which starts there too")

    def are_open(self, points: FloatArray, radius_m: float) -> NDArray[np.bool_]:
        """Return whether discs around points (N, 2) lie within the bounds and meet no obstacle (N,)."""
        open_ = np.ones(len(points), dtype=bool)
        if self.setting.bounds is not None:
            least, greatest = np.array(self.setting.bounds).reshape(2, 2)
            beyond = np.maximum(least - points, points - greatest).max(axis=1) + radius_m
            open_ &= beyond <= TOUCH_M
        met, _ = self.solids.tree.query(shapely.points(points), predicate="dwithin", distance=radius_m)
        open_[met] = False
        return open_

    def _inside(self, key: Key, x: float, y: float) -> bool:
        """Return whether a point is within the bounds; add it if it is outside.  Unknown bounds contain no point."""
        bounds = self.setting.bounds
        if bounds is None:
            return False
        if not (bounds[0] <= x <= bounds[2] and bounds[1] <= y <= bounds[3]):
            self.problems.add(key, f"({x:g}, {y:g}) lies outside the bounds {list(bounds)}")
            return False
        return True

    def _at(self, time_s: float) -> Solids:
        if not self.setting.movers:
            return self.solids
        if time_s not in self._at_times:
            self._at_times[time_s] = Solids(self.setting, time_s)
        return self._at_times[time_s]


def outside_m(centres: FloatArray, radius: FloatArray, bounds: Bounds) -> float:
    """Return how far discs reach beyond the bounds, metres; negative inside."""
    least, greatest = np.array(bounds[:2]), np.array(bounds[2:])
    beyond = np.maximum(least - centres, centres - greatest).max(axis=-1) + radius
    return float(beyond[radius > 0.0].max(initial=-np.inf))


def bodies_overlap(first: Pose, first_body: Parts, second: Pose, second_body: Parts) -> bool:
    """Return whether any cylinders of two bodies overlap."""
    one = first[:2] + planar.rotate(first[2], first_body.offset)
    two = second[:2] + planar.rotate(second[2], second_body.offset)
    gap = np.linalg.norm(one[:, None] - two[None], axis=-1) - first_body.radius[:, None] - second_body.radius
    overlap = np.minimum(first_body.high[:, None], second_body.high) - np.maximum(
        first_body.low[:, None], second_body.low
    )
    there = (first_body.radius[:, None] > 0.0) & (second_body.radius > 0.0)
    return bool(((gap < -TOUCH_M) & (overlap > TOUCH_M) & there).any())


def _all_ends(character: Character) -> list[Parts]:
    return _slimmest([(one.ends, parts_of(one.clips[0].shape, -1)) for one in character.behaviors])


def _goal_poses(goal: Goal) -> Iterator[Pose]:
    """Return poses spread over a goal's disc."""
    if goal.heading_rad is None:
        headings = np.arange(GOAL_HEADINGS) * 2.0 * np.pi / GOAL_HEADINGS
    else:
        headings = goal.heading_rad + goal.heading_tolerance_rad * np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
    for ring in range(GOAL_RINGS + 1):
        radius = goal.tolerance_m * ring / GOAL_RINGS
        for point in range(GOAL_POINTS if ring > 0 else 1):
            angle = 2.0 * np.pi * point / GOAL_POINTS
            for heading in headings:
                yield goal.x + radius * np.cos(angle), goal.y + radius * np.sin(angle), float(heading)
