"""Crowds whose worlds are edited while they run, and what edits put there."""

from __future__ import annotations

from functools import cache

import numpy as np

from gambol.characters import Character, load_character
from gambol.crowd import Crowd, Errand
from gambol.judges import CrowdReport, attribute, judge_crowd
from gambol.world import Footprint, Mover, Obstacle, Trajectory, World

SQUARE = World((-10.0, -10.0, 10.0, 10.0))
RATE_HZ = 30.0


@cache
def human() -> Character:
    return load_character("human").subset("crowd")


def standing(*places: tuple[float, float], world: World = SQUARE, **options) -> Crowd:
    """Return a crowd of people who are where they want to be."""
    crowd = Crowd(world, (human(),), **options)
    for x, y in places:
        crowd.add(0, (x, y, 0.0), Errand.to(x, y))
    crowd.run(1.0)
    return crowd


def wandering(count: int, *, world: World = SQUARE, seed: int = 0, **options) -> Crowd:
    crowd = Crowd(world, (human(),), seed=seed, **options)
    rng = np.random.default_rng(seed)
    x0, y0, x1, y1 = world.bounds
    area = (x0 + 0.7, y0 + 0.7, x1 - 0.7, y1 - 0.7)
    while len(crowd) < count:
        pose = (*rng.uniform(area[:2], area[2:]).tolist(), float(rng.uniform(-3.0, 3.0)))
        if crowd.obstruction(0, pose) is None:
            crowd.add(0, pose, Errand.wander(area))
    return crowd


def box(
    name: str, x: float, y: float, *, length_m: float = 1.0, width_m: float = 1.0, heading: float = 0.0
) -> Obstacle:
    return Obstacle(name, Footprint.box(length_m, width_m), (x, y, heading))


def ball(name: str, times_s: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> Mover:
    poses = np.array([(*start, 0.0), (*end, 0.0)])
    return Mover(name, Footprint.disc(0.5), Trajectory(np.array(times_s), poses, np.array([[0.0, 1.0], [0.0, 1.0]])))


def unexplained(crowd: Crowd, world: World = SQUARE) -> CrowdReport:
    """Judge all that was delivered; return what no edit explains."""
    explained, rest = attribute(judge_crowd(crowd.recording(), world, edits=crowd.worlds), crowd.edits)
    assert all(one.seconds <= 2.0 for one in explained)
    return rest


def assert_clean(report: CrowdReport) -> None:
    assert report.touches == (), report.touches
    assert report.collisions == (), report.collisions
    assert report.illegal_transitions == (), report.illegal_transitions


def place(crowd: Crowd, who: int) -> tuple[float, float]:
    x, y, *_ = crowd._flock.pose[crowd._place[who], 0]
    return float(x), float(y)
