from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from tests.support.steppers import biped, stepping

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.motion.joint_names import arms, legs
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.motion.two_bone_ik import REACH, hinge_axis, reach_targets, solve_two_bone

HINGE = np.array([0.0, 1.0, 0.0])  # a knee of a figure that faces +X
seeds = st.integers(0, 2**32 - 1)


def random_limbs(seed: int, count: int = 50, *, least_bend: float = 0.0) -> tuple[np.ndarray, ...]:
    """Return roots, middles, ends and hinges of limbs bent forward by any angle, turned any way."""
    rng = np.random.default_rng(seed)
    upper, lower = rng.uniform(0.2, 0.6, (2, count))
    bend = rng.uniform(least_bend, 2.7, count)
    turn = quaternion.normalize(rng.normal(size=(count, 4)))
    thigh = np.column_stack((np.zeros(count), np.zeros(count), -upper))
    shin = lower[:, None] * np.column_stack((-np.sin(bend), np.zeros(count), -np.cos(bend)))
    roots = rng.normal(size=(count, 3))
    middles = roots + quaternion.rotate(turn, thigh)
    return roots, middles, middles + quaternion.rotate(turn, shin), quaternion.rotate(turn, HINGE)


def apply(roots, middles, ends, turns):
    """Return the middles and ends that the turns give."""
    new_middles = roots + quaternion.rotate(turns.root_turns, middles - roots)
    return new_middles, new_middles + quaternion.rotate(turns.middle_turns, ends - middles)


def flexion(roots, middles, ends, axes) -> np.ndarray:
    """Return the angle by which limbs are bent, positive about their axes."""
    thigh, shin = middles - roots, ends - middles
    return np.arctan2(np.sum(np.cross(thigh, shin) * axes, axis=-1), np.sum(thigh * shin, axis=-1))


def lengths(a, b) -> np.ndarray:
    return np.linalg.norm(b - a, axis=-1)


@given(seeds)
@settings(deadline=None, max_examples=40)
def test_the_end_meets_every_target_within_easy_reach(seed):
    roots, middles, ends, hinges = random_limbs(seed)
    rng = np.random.default_rng(seed + 1)
    upper, lower = lengths(roots, middles), lengths(middles, ends)
    whole = upper + lower
    least = np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(np.radians(159.0))) / whole
    away = quaternion.rotate(quaternion.normalize(rng.normal(size=(len(roots), 4))), [0.0, 0.0, 1.0])
    targets = roots + away * (rng.uniform(least, 0.97) * whole)[:, None]
    turns = solve_two_bone(roots, middles, ends, targets, hinges)
    new_middles, new_ends = apply(roots, middles, ends, turns)
    assert np.allclose(new_ends, targets, atol=1e-9)
    assert np.allclose(turns.reached, targets, atol=1e-9)
    # The knee bends about the axis that the hip carries along, and forward.
    assert np.all(flexion(roots, new_middles, new_ends, quaternion.rotate(turns.root_turns, hinges)) >= -1e-7)


@given(seeds)
@settings(deadline=None, max_examples=40)
def test_limbs_stay_in_the_plane_of_their_hinge_and_never_bend_backwards(seed):
    roots, middles, ends, hinges = random_limbs(seed)
    targets = ends + np.random.default_rng(seed).normal(scale=0.3, size=ends.shape)
    turns = solve_two_bone(roots, middles, ends, targets, hinges)
    new_middles, new_ends = apply(roots, middles, ends, turns)
    axes = quaternion.rotate(turns.root_turns, hinges)
    assert np.allclose(quaternion.rotate(turns.middle_turns, hinges), axes, atol=1e-6)
    assert np.allclose(np.sum((new_ends - new_middles) * axes, axis=-1), 0.0, atol=1e-6)
    assert np.all(flexion(roots, new_middles, new_ends, axes) >= -1e-7)


@given(seeds)
@settings(deadline=None, max_examples=40)
def test_bones_keep_their_length_wherever_the_target_is(seed):
    roots, middles, ends, hinges = random_limbs(seed)
    targets = roots + np.random.default_rng(seed).normal(scale=2.0, size=ends.shape)
    new_middles, new_ends = apply(roots, middles, ends, solve_two_bone(roots, middles, ends, targets, hinges))
    assert np.allclose(lengths(roots, new_middles), lengths(roots, middles))
    assert np.allclose(lengths(new_middles, new_ends), lengths(middles, ends))


def test_asking_for_the_present_pose_changes_nothing():
    for seed in range(5):
        roots, middles, ends, hinges = random_limbs(seed, least_bend=0.02)
        turns = solve_two_bone(roots, middles, ends, ends, hinges)
        assert np.allclose(np.abs(turns.root_turns[:, 0]), 1.0, atol=1e-9)
        assert np.allclose(turns.reached, ends)


def test_it_comes_as_near_as_an_optimiser_that_tries_all_angles():
    upper, lower = 0.43, 0.4
    root = np.zeros(3)
    middle, end = np.array([0.1, 0.0, -np.sqrt(upper**2 - 0.01)]), np.array([0.05, 0.0, -0.8])
    end = middle + lower * (end - middle) / np.linalg.norm(end - middle)
    rng = np.random.default_rng(4)

    def end_of(angles):
        hip = quaternion.exp(angles[:3])
        knee = quaternion.multiply(hip, quaternion.from_axis_angle(HINGE, np.clip(angles[3], 0.25, 2.6)))
        return quaternion.rotate(hip, [0.0, 0.0, -upper]) + quaternion.rotate(knee, [0.0, 0.0, -lower])

    for _ in range(6):
        target = rng.normal(scale=0.5, size=3)
        ours = solve_two_bone(root, middle, end, target, HINGE).reached[0]
        starts = rng.normal(scale=1.0, size=(4, 4)) + [0.0, 0.0, 0.0, 1.0]
        best = min(minimize(lambda x: np.linalg.norm(end_of(x) - target), start).fun for start in starts)  # noqa: B023
        # Its knee stays 14 degrees short of straight, ours goes on to ten.
        assert np.linalg.norm(ours - target) <= best + 1e-3


def test_an_unreachable_target_is_approached_along_its_line_and_never_at_full_stretch():
    roots, middles, ends, hinges = random_limbs(3, least_bend=0.6)
    whole = lengths(roots, middles) + lengths(middles, ends)
    targets = roots + 5.0 * (ends - roots)
    turns = solve_two_bone(roots, middles, ends, targets, hinges)
    share = lengths(roots, turns.reached) / whole
    assert np.all(share <= REACH + 1e-12)
    assert np.all(share > REACH - 0.01)
    line = (targets - roots) / lengths(roots, targets)[:, None]
    assert np.allclose(np.cross(line, turns.reached - roots), 0.0, atol=1e-9)


def test_stretching_is_smooth_there_is_no_pop_when_the_target_moves_away():
    roots, middles, ends, hinges = (limb[:1] for limb in random_limbs(8, least_bend=0.6))
    whole = float(lengths(roots, middles)[0] + lengths(middles, ends)[0])
    away = (ends - roots) / lengths(roots, ends)[:, None]
    distances = np.linspace(0.5, 1.3, 2001) * whole
    turns = solve_two_bone(
        *(np.repeat(x, 2001, axis=0) for x in (roots, middles, ends)), roots + away * distances[:, None], hinges
    )
    knee = quaternion.log(quaternion.multiply(quaternion.conjugate(turns.root_turns), turns.middle_turns))
    steps = np.linalg.norm(np.diff(knee, axis=0), axis=1)
    # The step is 0.4 permille of the length; a hard stop at full length would give steps of 0.04 rad.
    assert steps.max() < 0.004
    assert np.abs(np.diff(steps)).max() < 0.001


@given(seeds)
@settings(deadline=None, max_examples=30)
def test_small_moves_of_the_target_make_small_turns(seed):
    roots, middles, ends, hinges = random_limbs(seed, least_bend=0.3)
    rng = np.random.default_rng(seed)
    targets = ends + rng.normal(scale=0.05, size=ends.shape)
    nudged = targets + rng.normal(scale=1e-6, size=ends.shape)
    one, other = (solve_two_bone(roots, middles, ends, at, hinges) for at in (targets, nudged))
    for a, b in ((one.root_turns, other.root_turns), (one.middle_turns, other.middle_turns)):
        assert quaternion.angle(a, b).max() < 1e-3


def test_a_straight_leg_bends_about_its_hinge():
    root, middle, end = np.zeros(3), np.array([0.0, 0.0, -0.4]), np.array([0.0, 0.0, -0.8])
    for hinge in (HINGE, -HINGE, np.array([1.0, 0.0, 0.0])):
        turns = solve_two_bone(root, middle, end, [0.0, 0.0, -0.7], hinge)
        new_middle, new_end = apply(root[None], middle[None], end[None], turns)
        assert np.allclose(new_end, [[0.0, 0.0, -0.7]])
        assert flexion(root, new_middle, new_end, hinge)[0] == pytest.approx(2 * np.arccos(0.7 / 0.8))


def test_a_leg_bent_backwards_is_mended_not_followed():
    root, middle, end = np.zeros(3), np.array([-0.05, 0.0, -0.4]), np.array([0.0, 0.0, -0.8])
    turns = solve_two_bone(root, middle, end, [0.05, 0.0, -0.78], HINGE)
    new_middle, new_end = apply(root[None], middle[None], end[None], turns)
    assert flexion(root, new_middle, new_end, HINGE)[0] > 0.0
    assert np.allclose(new_end, [[0.05, 0.0, -0.78]])


def test_degenerate_limbs_give_finite_turns():
    zero, down = np.zeros(3), np.array([0.0, 0.0, -0.4])
    cases = [
        (zero, down, 2 * down, zero),  # target on the hip
        (zero, down, zero, down),  # folded flat
        (zero, down, 2 * down, -2 * down),  # straight up instead of down
        (zero, zero, down, [1.0, 0.0, 0.0]),  # no upper bone
        (zero, down, down, [1.0, 0.0, 0.0]),  # no lower bone
        (zero, zero, zero, zero),
    ]
    for root, middle, end, target in cases:
        for hinge in (HINGE, np.array([0.0, 0.0, 1.0]), zero):
            turns = solve_two_bone(root, middle, end, target, hinge)
            assert all(np.all(np.isfinite(values)) for values in turns)
            assert np.linalg.norm(turns.root_turns) == pytest.approx(1.0)


def test_bad_input_is_refused():
    row = np.zeros((1, 3))
    with pytest.raises(InvalidInput, match="reach"):
        solve_two_bone(row, row, row, row, HINGE, reach=0.5)
    with pytest.raises(InvalidInput, match="finite"):
        solve_two_bone(row, row, row, [[np.nan, 0.0, 0.0]], HINGE)
    with pytest.raises(InvalidInput, match="equal numbers"):
        solve_two_bone(row, row, row, np.zeros((2, 3)), HINGE)


# Whole limbs of motions.


@pytest.mark.parametrize("in_between", [False, True])
def test_a_foot_follows_its_targets_and_keeps_its_orientation(in_between):
    motion = stepping(skeleton=biped(in_between=in_between)).motion
    leg = legs(motion.skeleton)[0]
    targets = motion.world_positions[:, leg.end] + [0.02, 0.03, 0.01]
    moved = reach_targets(motion, leg, targets)
    assert np.allclose(moved.world_positions[:, leg.end], targets, atol=1e-9)
    assert np.allclose(
        quaternion.angle(moved.world_rotations[:, leg.end], motion.world_rotations[:, leg.end]), 0, atol=1e-7
    )
    others = [j for j in range(motion.skeleton.joint_count) if j not in (leg.root, leg.middle, leg.end)]
    assert np.allclose(moved.rotations[:, others], motion.rotations[:, others], atol=1e-15)


def test_twist_joints_between_hip_and_knee_go_with_the_thigh():
    names = ["Hips", "LeftUpLeg", "Twist", "LeftLeg", "LeftFoot"]
    skeleton = Skeleton(names, [-1, 0, 1, 2, 3], [(0, 0, 1), (0, 0.1, 0), (0, 0, -0.2), (0, 0, -0.2), (0, 0, -0.4)])
    rotations = quaternion.identity(1, 5)
    rotations[0, 2] = quaternion.from_axis_angle([0.0, 0.0, 1.0], 0.4)
    motion = Motion(skeleton, 30.0, [[0.0, 0.0, 1.0]], rotations)
    leg = legs(skeleton)[0]
    moved = reach_targets(motion, leg, [[0.1, 0.1, 0.3]])
    assert np.allclose(moved.world_positions[0, leg.end], [0.1, 0.1, 0.3])
    assert np.allclose(moved.rotations[0, 2], rotations[0, 2])


def test_the_hinge_is_what_the_motion_shows():
    motion = stepping().motion
    for leg in legs(motion.skeleton):
        assert hinge_axis(motion, leg) == pytest.approx(HINGE, abs=0.02)


def test_the_hinge_of_a_leg_that_never_bends_comes_from_its_rest_pose_or_its_toes():
    def still(skeleton: Skeleton) -> Motion:
        return Motion(skeleton, 30.0, skeleton.offsets[:1], quaternion.identity(1, skeleton.joint_count))

    straight = biped()
    assert hinge_axis(still(straight), legs(straight)[0]) == pytest.approx(HINGE)
    offsets = np.array(straight.offsets)
    offsets[straight.index("LeftToeBase")] = (0.0, 0.14, -0.05)  # the foot points to the left
    sideways = Skeleton(straight.names, straight.parents, offsets)
    assert hinge_axis(still(sideways), legs(sideways)[0]) == pytest.approx([-1.0, 0.0, 0.0])
    offsets[straight.index("LeftLeg")] = (0.05, 0.0, -0.42)  # a knee bent forward at rest decides by itself
    bent = Skeleton(straight.names, straight.parents, offsets)
    assert hinge_axis(still(bent), legs(bent)[0]) == pytest.approx(HINGE, abs=1e-9)


def test_straight_arms_fold_forward():
    names = ["Hips", "LeftArm", "LeftForeArm", "LeftHand"]
    skeleton = Skeleton(names, [-1, 0, 1, 2], [(0, 0, 1), (0, 0.2, 0.4), (0, 0.3, 0), (0, 0.25, 0)])
    motion = Motion(skeleton, 30.0, skeleton.offsets[:1], quaternion.identity(1, 4))
    arm = arms(skeleton)[0]
    moved = reach_targets(motion, arm, [[0.2, 0.4, 1.4]])
    elbow_to_wrist = moved.world_positions[0, arm.end] - moved.world_positions[0, arm.middle]
    assert elbow_to_wrist[0] > 0.1
