"""Limbs that give way: out of what is solid, no farther than need be, and never what holds; and whole real climbs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.climb_cases import box, floor_points

from gambol.body import Body
from gambol.climb.body import figure_skeleton, full_motion
from gambol.climb.body.kernels import repair
from gambol.climb.body.kernels.repair import CHANGES, RepairedLimb
from gambol.climb.body.repair import PINNED, Changes, Ties, give_way, limb_balls
from gambol.climb.environment_table import distance_field
from gambol.climb.figure import Figure
from gambol.climb.filters import smooth_and_time
from gambol.climb.kernels.field import DistanceField
from gambol.climb.scene import climb_problems
from gambol.climb.stances.core import StancesCore
from gambol.judges import judge_climb_body
from gambol.scenes import load_scene
from gambol.world import Environment

FloatArray = NDArray[np.float64]

FRAMES, RATE_HZ = 90, 60.0
PASSES = slice(30, 60)  # frames in which a hand passes a block


def block_field() -> DistanceField:
    blocks = [box(-2.0, -0.5, 2.0, 0.0), box(0.62, 0.0, 2.0, 2.5)]
    return distance_field(Environment((-2.0, -0.5, 2.0, 2.5), blocks, floor_points([0.0])))


def left_arm(ahead_m: FloatArray) -> RepairedLimb:
    """Return an arm whose palm is so far ahead of the shoulder (F,) and a little below, fingers ahead."""
    body = Body.from_skeleton(figure_skeleton(Figure()))
    lengths = body.skeleton.bone_lengths
    upper, lower = (float(lengths[body.skeleton.index(name)]) for name in ("LeftForeArm", "LeftHand"))
    count = len(ahead_m)
    shoulder = np.tile((0.0, 0.2, 1.4), (count, 1))
    palm = shoulder + np.stack((ahead_m, np.zeros(count), np.full(count, -0.25)), axis=-1)
    # The hand at rest points along y with its back up: turned so that it points ahead.
    frame = np.tile(np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), (count, 1, 1))
    return RepairedLimb(
        np.zeros(count), np.ones(count), np.zeros(count), shoulder, palm, np.tile((-0.3, 0.2, -1.0), (count, 1)),
        frame, np.zeros(count), upper, lower, np.array([0.0, 0.36 * lower, 0.0]), np.zeros(3),
        True, *limb_balls(body, ("LeftArm", "LeftForeArm", "LeftHand")),
    )  # fmt: skip


def reaching() -> RepairedLimb:
    """Return an arm that for half a second reaches to where its fingers are in a wall."""
    ahead = np.full(FRAMES, 0.35)
    ahead[PASSES] += 0.25 * np.sin(np.linspace(0.0, np.pi, 30)) ** 2
    return left_arm(ahead)


def free() -> Ties:
    return Ties(np.ones(FRAMES), np.ones(FRAMES), np.full(FRAMES, PINNED))


def depth(limb: RepairedLimb, changes: FloatArray) -> FloatArray:
    deep = np.empty(len(limb.x))
    repair.deepest_balls(block_field(), limb, changes, deep)
    return deep


def as_array(found: Changes) -> FloatArray:
    aside, pitch, swivel, toes = found
    return np.column_stack((aside, pitch, swivel, toes))


def test_an_arm_that_would_enter_a_wall_gives_way_smoothly() -> None:
    limb = reaching()
    assert depth(limb, np.zeros((FRAMES, CHANGES))).max() > 0.05
    changes = as_array(give_way(block_field(), limb, free(), RATE_HZ))
    assert depth(limb, changes).max() < 0.006
    assert np.abs(changes[:5]).max() == np.abs(changes[-5:]).max() == 0.0
    assert np.abs(np.diff(changes[:, :2], 2, axis=0)).max() * RATE_HZ**2 < 30.0  # m/s2


def test_an_arm_that_is_clear_stays_as_it_is() -> None:
    limb = left_arm(np.full(FRAMES, 0.35))
    assert not np.any(as_array(give_way(block_field(), limb, free(), RATE_HZ)))


def test_a_hand_that_holds_stays_but_its_pitch_gives_way() -> None:
    limb = reaching()
    ties = free()._replace(aside=np.full(FRAMES, PINNED))
    changes = give_way(block_field(), limb, ties, RATE_HZ)
    assert np.abs(changes.aside).max() < 1e-5
    assert np.abs(changes.pitch + changes.toes)[PASSES].max() > 0.1
    before, after = (depth(limb, values) for values in (np.zeros((FRAMES, CHANGES)), as_array(changes)))
    assert after.max() < 0.7 * before.max()


def test_balls_without_a_change_are_on_the_bones() -> None:
    limb = left_arm(np.array([0.4]))
    x, z = np.empty((2, len(limb.part)))
    assert repair.place_balls(limb, 0, np.zeros(CHANGES), x, z) == 0.0
    at_shoulder = np.flatnonzero((limb.part == repair.UPPER) & (limb.local[:, 2] == 0.0))
    np.testing.assert_allclose((x[at_shoulder], z[at_shoulder]), [[0.0], [1.4]], atol=1e-12)
    elbow = np.flatnonzero((limb.part == repair.UPPER) & (np.abs(limb.local[:, 2] - limb.upper) < 1e-9))
    again = np.flatnonzero((limb.part == repair.LOWER) & (limb.local[:, 2] == 0.0))
    np.testing.assert_allclose((x[elbow[0]], z[elbow[0]]), (x[again[0]], z[again[0]]), atol=1e-12)
    wrist = np.flatnonzero((limb.part == repair.LOWER) & (np.abs(limb.local[:, 2] - limb.lower) < 1e-9))
    np.testing.assert_allclose((x[wrist[0]], z[wrist[0]]), (0.4 - limb.to_pivot[1], 1.15), atol=1e-9)


def test_the_slope_of_the_price_is_that_of_its_differences() -> None:
    field, limb = block_field(), left_arm(np.array([0.52]))
    changes, margin = np.array([[0.01, -0.02, 0.1, 0.2, 0.1]]), np.array([0.004])
    normal, gradient, price = np.empty((1, CHANGES, CHANGES)), np.empty((1, CHANGES)), np.empty(1)
    repair.linearised(field, limb, changes, margin, 0.002, normal, gradient, price)
    assert price[0] > 1.0
    there, scratch = np.empty(1), (np.empty_like(normal), np.empty_like(gradient))
    for k in range(CHANGES):
        near = [changes.copy() for _ in range(2)]
        near[0][0, k] -= 1e-4
        near[1][0, k] += 1e-4
        prices = []
        for other in near:
            repair.linearised(field, limb, other, margin, 0.002, *scratch, there)
            prices.append(float(there[0]))
        slope = (prices[1] - prices[0]) / 2e-4
        assert 2.0 * gradient[0, k] == pytest.approx(slope, rel=0.1, abs=0.02 * np.abs(gradient).max())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["climb-steps", "climb-wall"])
def test_the_body_of_a_real_climb_holds_and_is_clear(name: str) -> None:
    (problem,) = climb_problems(load_scene(name)).values()
    problem = replace(problem, seed=2)
    path = StancesCore().search(problem).path
    assert path is not None
    climb = smooth_and_time(problem, path)[1]
    motion = full_motion(problem, climb)
    report = judge_climb_body(problem, motion, climb)
    assert report.is_clean, report.lines()
    assert report.slide_cm.value < 0.1
    jolts = np.linalg.norm(np.diff(motion.world_positions, 2, axis=0), axis=-1) * motion.rate_hz**2
    assert np.percentile(jolts, 99.9) < 80.0
    assert jolts.max() < 200.0
