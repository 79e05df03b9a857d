"""Random scenes that a character finds hard: everything stands near the limits of what it can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np
import shapely

from gambol.characters import Character, Clip
from gambol.scenes import Actor, Scene
from gambol.search import Goal
from gambol.world import (
    Bump,
    Footprint,
    Mover,
    Obstacle,
    Piece,
    Terrain,
    Trajectory,
    World,
    falling_log,
    terrain_from_bumps,
)

HURDLE_M, BEAM_M, WALL_M = 0.2, 0.3, 0.4  # how thick things to get across are
NEAR_LIMIT = (0.75, 1.02)  # heights of things to get across, as shares of what some clip just manages
PASSABLE = (0.75, 0.97)  # the same for the first way through a wall
WAY_M = 5.0  # at least from the middle of one way through a wall to the next
CROSSING_M, STRAIGHT_RAD = 2.0, 0.2  # clips that go over or under something get so far, and turn no more
LOW = 0.75  # beams are lower than this share of a standing body
START_ROOM_M, GOAL_ROOM_M, APART_M = 0.75, 0.6, 1.8
STEEPEST = 0.28  # of a single bump; bumps add up


@dataclass(frozen=True)
class Limits:
    """What a character just gets over or under, straight ahead, one value for each clip that is made for that."""

    over_m: tuple[float, ...]  # tops of hurdles
    under_m: tuple[float, ...]  # bottoms of beams
    standing_m: float

    @classmethod
    def of(cls, character: Character) -> Limits:
        clips = {kind: [one.clips[0] for one in character.behaviors if one.kind == kind] for kind in ("jump", "low")}
        standing = max(float(one.clips[0].shape.high[0].max()) for one in character.behaviors)
        over = {round(_highest_hurdle(clip), 2) for clip in clips["jump"] if _goes_straight(clip)}
        under = {round(_lowest_beam(clip), 2) for clip in clips["low"] if _goes_straight(clip)}
        return cls(tuple(sorted(over)), tuple(sorted(low for low in under if low < LOW * standing)), standing)


def random_scene(seed: int, character: Character, limits: Limits) -> Scene:
    """Return the scene of a number: world, things that stand and move, and one to three of the character."""
    rng = np.random.default_rng(seed)
    return _Draft(rng, limits).scene(f"random {seed}", seed, character)


class _Draft:
    """A scene in the making; every draw is the generator's next."""

    def __init__(self, rng: np.random.Generator, limits: Limits) -> None:
        self.rng = rng
        self.limits = limits
        self.width, self.depth = rng.uniform(20.0, 30.0), rng.uniform(12.0, 22.0)
        self.obstacles: list[Obstacle] = []
        self.movers: list[Mover] = []
        self._numbers: Iterator[int] = count(1)

    def scene(self, name: str, seed: int, character: Character) -> Scene:
        if self.rng.random() < 0.6:
            self._barrier()
        for _ in range(self.rng.integers(3, 11)):
            self._one_of(self._box, self._box, self._pillar, self._hurdle, self._bar, self._beam, self._pair)
        for _ in range(self.rng.integers(0, 5)):
            self._one_of(self._shuttle, self._shuttle, self._spinning_bar, self._patrol, self._log)
        terrain = self._hills() if self.rng.random() < 0.35 else None
        cast = self._cast(character)
        world = World((0.0, 0.0, self.width, self.depth), tuple(self.obstacles), tuple(self.movers), terrain)
        return Scene(name, world, cast, seed=seed)

    # Things that stand

    def _barrier(self) -> None:
        """A wall from side to side, somewhat askew, with one to three ways through: over, under or narrow."""
        centre = np.array([self.width * self.rng.uniform(0.4, 0.6), 0.5 * self.depth])
        heading = float(np.radians(self.rng.uniform(-20.0, 20.0)) + 0.5 * np.pi)
        along = np.array([np.cos(heading), np.sin(heading)])
        half = 0.5 * self.depth / np.cos(heading - 0.5 * np.pi) + 1.0
        ways = np.sort(self.rng.uniform(-0.35, 0.35, self.rng.integers(1, 4))) * self.depth
        ways = [way for number, way in enumerate(ways) if number == 0 or way - ways[number - 1] > WAY_M]
        place = -half
        for number, way in enumerate(ways):
            kind = self.rng.choice(["over", "over", "under", "under", "narrow"])
            shares = PASSABLE if number == 0 else NEAR_LIMIT
            size = self.rng.uniform(0.9, 1.4) if kind == "narrow" else self.rng.uniform(2.5, WAY_M - 0.5)
            first, last = way - 0.5 * size, way + 0.5 * size
            self._wall_piece("wall", centre, along, heading, place, first, WALL_M)
            if kind == "over":
                top = self._over(shares)
                self._wall_piece("hurdle", centre, along, heading, first, last, HURDLE_M, top_m=top)
            elif kind == "under":
                bottom = self._under(shares)
                self._wall_piece("beam", centre, along, heading, first, last, BEAM_M, bottom_m=bottom)
            place = last
        self._wall_piece("wall", centre, along, heading, place, half, WALL_M)

    def _wall_piece(
        self, kind: str, centre: np.ndarray, along: np.ndarray, heading: float, first: float, last: float,
        thickness_m: float, bottom_m: float = 0.0, top_m: float = 3.0,
    ) -> None:  # fmt: skip
        x, y = centre + 0.5 * (first + last) * along
        self._stand(kind, Footprint.box(last - first, thickness_m), (x, y, heading), bottom_m, top_m)

    def _box(self) -> None:
        size = self.rng.uniform(0.6, 4.0, 2)
        top = 3.0 if self.rng.random() < 0.6 else self.rng.uniform(0.3, 2.0)
        self._stand("box", Footprint.box(*size), self._anywhere(), 0.0, top)

    def _pillar(self) -> None:
        self._stand("pillar", Footprint.disc(self.rng.uniform(0.2, 0.9)), self._anywhere(), 0.0, 3.0)

    def _pair(self) -> None:
        """Two boxes that leave a narrow gap between them."""
        x, y, heading = self._anywhere()
        length, width, gap = self.rng.uniform(1.0, 3.0), self.rng.uniform(0.5, 2.0), self.rng.uniform(0.6, 1.4)
        for side in (-1.0, 1.0):
            away = side * 0.5 * (width + gap)
            pose = x - np.sin(heading) * away, y + np.cos(heading) * away, heading
            self._stand("gate post", Footprint.box(length, width), pose, 0.0, 3.0)

    def _hurdle(self) -> None:
        size = HURDLE_M, self.rng.uniform(2.0, 6.0)
        self._stand("hurdle", Footprint.box(*size), self._anywhere(), 0.0, self._over())

    def _bar(self) -> None:
        """A thin bar in the air: at a height to jump over, to duck under or to walk under."""
        height = self.rng.choice(
            [self._over() - 0.08, self._under(), self.limits.standing_m * self.rng.uniform(0.95, 1.1)]
        )
        half = self.rng.uniform(1.0, 3.0)
        footprint = Footprint((Piece(np.array([[0.0, -half], [0.0, half]]), 0.04),))
        bottom = max(float(height), 0.02)
        self._stand("bar", footprint, self._anywhere(), bottom, bottom + 0.08)

    def _beam(self) -> None:
        size = self.rng.uniform(0.2, 0.6), self.rng.uniform(2.0, 6.0)
        self._stand("beam", Footprint.box(*size), self._anywhere(), self._under(), 3.0)

    # Things that move

    def _shuttle(self) -> None:
        """Back and forth along an axis of the world or its own."""
        x, y, heading = self._anywhere()
        own, across = self.rng.random() < 0.5, self.rng.random() < 0.5
        direction = (heading if own else 0.0) + (0.5 * np.pi if across else 0.0)
        way = self.rng.uniform(2.0, 9.0)
        ends = np.array([[x, y, heading], [x + way * np.cos(direction), y + way * np.sin(direction), heading]])
        disc = self.rng.random() < 0.3
        footprint = (
            Footprint.disc(self.rng.uniform(0.3, 0.9)) if disc else Footprint.box(*self.rng.uniform(0.5, 2.5, 2))
        )
        times = [0.0, way / self.rng.uniform(0.5, 2.5)]
        self._move("shuttle", footprint, times, ends, [self._heights()] * 2, "bounce")

    def _spinning_bar(self) -> None:
        x, y, heading = self._anywhere()
        turn = self.rng.choice([-1.0, 1.0]) * 2.0 * np.pi
        poses = np.array([[x, y, heading], [x, y, heading + turn]])
        footprint = Footprint.box(self.rng.uniform(2.0, 6.0), self.rng.uniform(0.08, 0.4))
        times = [0.0, 360.0 / self.rng.uniform(15.0, 90.0)]
        self._move("spinning bar", footprint, times, poses, [self._heights()] * 2, "loop")

    def _patrol(self) -> None:
        """From place to place, turning, rising and sinking on the way."""
        places = [self._anywhere()]
        for _ in range(self.rng.integers(1, 5)):
            x, y, heading = places[-1]
            step, turn = self.rng.uniform(-5.0, 5.0, 2), self.rng.uniform(-np.pi, np.pi)
            places.append((x + step[0], y + step[1], heading + turn))
        times = np.cumsum([0.0, *self.rng.uniform(1.0, 5.0, len(places) - 1)])
        heights = [self._heights() for _ in places]
        repeat = str(self.rng.choice(["once", "bounce"]))
        self._move("patrol", Footprint.box(*self.rng.uniform(0.3, 2.5, 2)), times, np.array(places), heights, repeat)

    def _log(self) -> None:
        x, y, heading = self._anywhere()
        length = self.rng.uniform(3.0, 8.0)
        radius = 0.5 * self.limits.over_m[-1] * self.rng.uniform(0.4, 1.0)
        self.movers += falling_log(
            f"log {next(self._numbers)}", at=(x, y), heading_rad=heading, length_m=length, radius_m=radius,
            start_s=self.rng.uniform(0.5, 6.0), duration_s=self.rng.uniform(0.7, 2.0),
        )  # fmt: skip

    # The ground and the cast

    def _hills(self) -> Terrain:
        bumps = []
        for _ in range(self.rng.integers(2, 9)):
            radius = self.rng.uniform(1.5, 7.0)
            height = self.rng.uniform(-1.0, 1.0) * STEEPEST * radius / (0.5 * np.pi)
            at = self.rng.uniform(0.0, self.width), self.rng.uniform(0.0, self.depth)
            bumps.append(Bump(at, radius, height))
        return terrain_from_bumps((0.0, 0.0, self.width, self.depth), bumps)

    def _cast(self, character: Character) -> tuple[Actor, ...]:
        taken = [(obstacle.footprint.region(obstacle.pose), START_ROOM_M) for obstacle in self.obstacles]
        moving = [(mover.footprint.region(mover.trajectory.poses[0]), START_ROOM_M) for mover in self.movers]
        starts: list[shapely.Point] = []
        cast = []
        for number in range(self.rng.integers(1, 4)):
            side = self.rng.random() < 0.5
            start = self._free(side, [*taken, *moving, *((other, APART_M) for other in starts)])
            goal = self._free(not side, [(region, GOAL_ROOM_M) for region, _ in taken])
            if start is None or goal is None:
                continue
            starts.append(start)
            heading = float(np.arctan2(goal.y - start.y, goal.x - start.x) + self.rng.uniform(-1.0, 1.0))
            cast.append(
                Actor(
                    f"{character.name} {number + 1}",
                    character,
                    (start.x, start.y, heading),
                    Goal(goal.x, goal.y),
                    start_s=float(self.rng.choice([0.0, 0.0, 1.5])),
                    horizon_s=60.0,
                )
            )
        return tuple(cast)

    def _free(self, right: bool, taken: list[tuple[shapely.Geometry, float]]) -> shapely.Point | None:
        """Return a place near the left or right end of the world that keeps its distance from all regions."""
        for _ in range(200):
            x = self.rng.uniform(1.0, 5.0)
            point = shapely.Point(self.width - x if right else x, self.rng.uniform(1.0, self.depth - 1.0))
            if all(point.distance(region) > room_m for region, room_m in taken):
                return point
        return None

    # Draws

    def _one_of(self, *makers: Callable[[], None]) -> None:
        makers[int(self.rng.integers(len(makers)))]()

    def _anywhere(self) -> tuple[float, float, float]:
        x, y = self.rng.uniform(0.15, 0.85) * self.width, self.rng.uniform(0.0, 1.0) * self.depth
        return float(x), float(y), float(self.rng.uniform(-np.pi, np.pi))

    def _over(self, shares: tuple[float, float] = NEAR_LIMIT) -> float:
        return float(self.rng.choice(self.limits.over_m) * self.rng.uniform(*shares))

    def _under(self, shares: tuple[float, float] = NEAR_LIMIT) -> float:
        return float(self.rng.choice(self.limits.under_m) / self.rng.uniform(*shares))

    def _heights(self) -> tuple[float, float]:
        """Bottom and top of something that moves: to go around, to jump over or to get under."""
        over, under = self._over(), self._under()
        return [(0.0, 1.5), (0.0, over), (under, under + 1.0)][int(self.rng.integers(3))]

    def _stand(
        self, kind: str, footprint: Footprint, pose: tuple[float, float, float], bottom_m: float, top_m: float
    ) -> None:
        name = f"{kind} {next(self._numbers)}"
        self.obstacles.append(Obstacle(name, footprint, pose, float(bottom_m), float(top_m)))

    def _move(self, kind: str, footprint: Footprint, times_s, poses, heights_m, repeat: str) -> None:
        trajectory = Trajectory(np.asarray(times_s), np.asarray(poses), np.asarray(heights_m), repeat)
        self.movers.append(Mover(f"{kind} {next(self._numbers)}", footprint, trajectory))


def _goes_straight(clip: Clip) -> bool:
    ahead, _, turn = clip.displacement
    return bool(ahead > CROSSING_M and abs(turn) < STRAIGHT_RAD)


def _highest_hurdle(clip: Clip) -> float:
    """Return the greatest top of a hurdle square to the clip's start that its shape clears somewhere."""
    return max(float(low) for low, _ in _room_across(clip, HURDLE_M))


def _lowest_beam(clip: Clip) -> float:
    """Return the least bottom of a beam square to the clip's start that its shape fits under somewhere."""
    return min(float(high) for _, high in _room_across(clip, BEAM_M))


def _room_across(clip: Clip, thickness_m: float) -> Iterator[tuple[float, float]]:
    """Yield the lowest and highest of all that passes through an upright slab, slab after slab along the clip."""
    cosine, sine = np.cos(clip.path[:, 2, None]), np.sin(clip.path[:, 2, None])
    ahead = clip.path[:, :1] + cosine * clip.shape.offset[..., 0] - sine * clip.shape.offset[..., 1]
    for place in np.arange(0.5, clip.path[-1, 0] - 0.5, 0.02):
        passing = np.abs(ahead - place) <= clip.shape.radius + 0.5 * thickness_m
        if passing.any():
            yield float(clip.shape.low[passing].min()), float(clip.shape.high[passing].max())
