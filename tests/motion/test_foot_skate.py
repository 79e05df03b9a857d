from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.support.steppers import biped, capture, stepping
from tools.authoring.walk import walk

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.motion.contacts import Contacts, detect_contacts, point_positions, sole_points
from gambol.motion.edits import cut, join, resample
from gambol.motion.foot_skate import PEAK_TOLERANCE, raise_sunken_feet, remove_foot_skate
from gambol.motion.ground import Ground
from gambol.motion.joint_names import legs
from gambol.motion.mirroring import mirror
from gambol.motion.motion import Motion
from gambol.motion.quality import slide_speeds
from gambol.motion.skeleton import Skeleton
from gambol.motion.two_bone_ik import hinge_axis

#: Walks, jogs, turns, a stop, a slow floor that is tilted, a leg that was captured straight.
CAPTURES = (
    "walk_forward/16_15.bvh",
    "walk_forward/07_11.bvh",
    "walk_turn/16_11.bvh",
    "jog_forward/108_06.bvh",
    "jog_turn/16_44.bvh",
    "start_stop/108_28.bvh",
)


def mean_slide(motion: Motion, contacts: Contacts) -> float:
    return float(np.nanmean(slide_speeds(motion, contacts)))


def leg_joints(motion: Motion) -> list[int]:
    return [joint for leg in legs(motion.skeleton) for joint in (leg.root, leg.middle, leg.end)]


def flexions(motion: Motion, reference: Motion) -> np.ndarray:
    """Return how far both knees are bent (F, 2), about the hinges that the reference shows."""
    positions = motion.world_positions
    result = []
    for leg in legs(motion.skeleton):
        axes = quaternion.rotate(motion.world_rotations[:, leg.root], hinge_axis(reference, leg))
        thigh, shin = (
            positions[:, leg.middle] - positions[:, leg.root],
            positions[:, leg.end] - positions[:, leg.middle],
        )
        result.append(np.arctan2(np.sum(np.cross(thigh, shin) * axes, axis=1), np.sum(thigh * shin, axis=1)))
    return np.column_stack(result)


def peaks(motion: Motion) -> tuple[float, float]:
    """Return the highest turning speed of the legs' joints and the highest speed of the legs and toes."""
    joints = leg_joints(motion)
    turns = quaternion.angle(motion.rotations[:-1, joints], motion.rotations[1:, joints])
    moving = [*joints, *(leg.toe for leg in legs(motion.skeleton) if leg.toe >= 0)]
    steps = np.linalg.norm(np.diff(motion.world_positions[:, moving], axis=0), axis=-1)
    return float(turns.max() * motion.rate_hz), float(steps.max() * motion.rate_hz)


def assert_only_the_legs_changed(before: Motion, after: Motion) -> None:
    others = [joint for joint in range(before.skeleton.joint_count) if joint not in leg_joints(before)]
    assert np.array_equal(after.rotations[:, others], before.rotations[:, others])
    assert np.array_equal(after.root_positions, before.root_positions)
    assert after.skeleton is before.skeleton
    assert after.rate_hz == before.rate_hz


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0, 240.0])
@pytest.mark.parametrize("in_between", [False, True])
def test_a_known_slide_is_taken_out(rate_hz, in_between):
    steps = stepping(slide_m_s=0.1, rate_hz=rate_hz, skeleton=biped(in_between=in_between))
    contacts = detect_contacts(steps.motion)
    assert mean_slide(steps.motion, contacts) == pytest.approx(0.1, rel=0.2)
    assert mean_slide(remove_foot_skate(steps.motion, contacts), contacts) < 0.001


def test_planted_feet_stand_still_to_a_tenth_of_a_millimetre():
    steps = stepping(slide_m_s=0.1)
    contacts = detect_contacts(steps.motion)
    after = point_positions(remove_foot_skate(steps.motion, contacts), contacts.points)
    for name, first, last in contacts.intervals():
        place = after[first : last + 1, contacts.index(name), :2]
        assert np.ptp(place, axis=0).max() < 1e-4


def test_feet_that_do_not_slide_are_left_alone():
    motion = walk(strides=3)
    after = remove_foot_skate(motion)
    assert np.abs(after.world_positions - motion.world_positions).max() < 0.01
    exact = stepping(slide_m_s=0.0)
    contacts = Contacts(detect_contacts(exact.motion).points, np.repeat(exact.planted, 2, axis=1), Ground(0.0))
    after = remove_foot_skate(exact.motion, contacts)
    assert np.abs(after.world_positions - exact.motion.world_positions).max() < 1e-6


def test_the_correction_is_spread_so_that_no_speed_rises():
    for slide_m_s in (0.05, 0.15, -0.15):
        motion = stepping(slide_m_s=slide_m_s).motion
        after = remove_foot_skate(motion)
        assert all(b <= PEAK_TOLERANCE * a + 1e-9 for a, b in zip(peaks(motion), peaks(after), strict=True))


def test_only_hips_knees_and_ankles_turn():
    motion = stepping(slide_m_s=0.1).motion
    rng = np.random.default_rng(2)
    wobble = quaternion.exp(rng.normal(scale=0.2, size=(*motion.rotations.shape[:2], 3)))
    keep = np.array([name not in ("Spine", "Head") for name in motion.skeleton.names])
    wobble[:, keep] = quaternion.IDENTITY
    motion = motion.with_rotations(quaternion.multiply(motion.rotations, wobble))
    assert_only_the_legs_changed(motion, remove_foot_skate(motion))


def test_feet_keep_their_pitch_and_roll():
    motion = walk(strides=2)
    slower = Motion(motion.skeleton, motion.rate_hz, motion.root_positions * [0.9, 1.0, 1.0], motion.rotations)
    after = remove_foot_skate(slower)
    for leg in legs(motion.skeleton):
        for axis in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]):
            before, now = (quaternion.rotate(m.world_rotations[:, leg.end], axis)[:, 2] for m in (slower, after))
            assert np.allclose(before, now, atol=1e-6)


def test_a_walk_whose_root_is_too_slow_gets_its_feet_back_on_the_ground():
    motion = walk(strides=3)
    slower = Motion(motion.skeleton, motion.rate_hz, motion.root_positions * [0.85, 1.0, 1.0], motion.rotations)
    contacts = detect_contacts(slower)
    assert mean_slide(slower, contacts) > 0.15
    assert mean_slide(remove_foot_skate(slower, contacts), contacts) < 0.03


def test_a_blend_of_two_walks_is_mended():
    motion = walk(strides=2)
    half = motion.frame_count // 2
    joined = join([cut(motion, 0, half), cut(mirror(motion), 0, half)])
    contacts = detect_contacts(joined)
    after = remove_foot_skate(joined, contacts)
    assert mean_slide(after, contacts) <= 0.5 * max(mean_slide(joined, contacts), 0.01)


def test_a_gliding_statue_begins_to_lean_its_legs():
    motion = stepping().motion
    frames = 90
    roots = np.tile(motion.root_positions[:1], (frames, 1))
    roots[:, 0] += 0.1 * np.arange(frames) / 60.0
    statue = Motion(motion.skeleton, 60.0, roots, np.tile(motion.rotations[:1], (frames, 1, 1)))
    contacts = detect_contacts(statue)
    assert mean_slide(statue, contacts) == pytest.approx(0.1)
    assert mean_slide(remove_foot_skate(statue, contacts), contacts) < 0.01


def test_a_pin_gives_way_where_the_leg_cannot_reach():
    motion = stepping().motion
    everywhere = Contacts(detect_contacts(motion).points, np.ones((motion.frame_count, 4), dtype=bool), Ground(0.0))
    after = remove_foot_skate(motion, everywhere)
    for leg in legs(motion.skeleton):
        spans = np.linalg.norm(after.world_positions[:, leg.end] - after.world_positions[:, leg.root], axis=1)
        before = np.linalg.norm(motion.world_positions[:, leg.end] - motion.world_positions[:, leg.root], axis=1)
        assert np.all(spans <= np.maximum(0.996 * 0.86, before) + 1e-9)
    assert np.all(flexions(after, motion) >= -1e-6)
    assert all(b <= PEAK_TOLERANCE * a + 1e-9 for a, b in zip(peaks(motion), peaks(after), strict=True))


def test_a_foot_that_turns_on_its_toe_is_pinned_by_the_toe_alone():
    skeleton = biped()
    frames = 60
    rotations = quaternion.identity(frames, skeleton.joint_count)
    leg = legs(skeleton)[0]
    rotations[:, leg.end] = quaternion.from_heading(np.linspace(-0.6, 0.6, frames))
    turning = Motion(skeleton, 60.0, np.tile([0.0, 0.0, 0.9], (frames, 1)), rotations)
    points = detect_contacts(turning).points
    contacts = Contacts(points, np.ones((frames, 4), dtype=bool), Ground(0.0))
    after = remove_foot_skate(turning, contacts)
    slides = np.nanmean(slide_speeds(after, contacts), axis=0)
    assert slides[contacts.index("left_toe")] < 0.002
    heading = quaternion.heading(after.world_rotations[:, leg.end])
    assert np.ptp(heading) == pytest.approx(1.2, abs=0.01)


def test_sunken_feet_are_raised_out_of_the_ground_and_no_farther():
    motion = stepping(slide_m_s=0.05).motion
    soles = np.concatenate(
        [point_positions(motion, sole_points(motion.skeleton, leg)) for leg in legs(motion.skeleton)], axis=1
    )
    ground = Ground(float(soles[..., 2].min()) + 0.02)
    after = raise_sunken_feet(motion, ground)
    for leg in legs(motion.skeleton):
        low, now = (point_positions(m, sole_points(m.skeleton, leg))[..., 2].min(axis=1) for m in (motion, after))
        assert low.min() < ground.height_m - 0.019
        assert now.min() > ground.height_m - 1e-6
        assert 0.0 <= (now - low).max() < 0.021
        assert quaternion.angle(motion.world_rotations[:, leg.end], after.world_rotations[:, leg.end]).max() < 1e-6
    assert_only_the_legs_changed(motion, after)
    # Pinning afterwards keeps the heights.
    pinned = remove_foot_skate(after)
    for leg in legs(motion.skeleton):
        assert point_positions(pinned, sole_points(pinned.skeleton, leg))[..., 2].min() > ground.height_m - 1e-4


def test_feet_above_the_ground_are_not_touched():
    motion = stepping().motion
    assert np.array_equal(raise_sunken_feet(motion, Ground(-0.5)).rotations, motion.rotations)


def test_a_figure_without_toes_is_pinned_by_its_ankles():
    steps = stepping(slide_m_s=0.1, skeleton=biped(toes=False))
    contacts = detect_contacts(steps.motion)
    assert mean_slide(remove_foot_skate(steps.motion, contacts), contacts) < 0.001


def test_a_motion_without_legs_or_contacts_comes_back_as_it_was():
    stick = Motion(Skeleton(["Stick"], [-1], [(0, 0, 0)]), 30.0, np.zeros((9, 3)), quaternion.identity(9, 1))
    assert np.array_equal(remove_foot_skate(stick).rotations, stick.rotations)
    motion = stepping(slide_m_s=0.1).motion
    nothing = Contacts(detect_contacts(motion).points, np.zeros((motion.frame_count, 4), dtype=bool), Ground(0.0))
    assert np.array_equal(remove_foot_skate(motion, nothing).rotations, motion.rotations)


@pytest.mark.parametrize("frames", [1, 2, 3, 5])
def test_very_short_motions_are_accepted(frames):
    motion = cut(stepping(slide_m_s=0.1).motion, 10, 10 + frames - 1)
    contacts = Contacts(detect_contacts(motion).points, np.ones((frames, 4), dtype=bool), Ground(0.0))
    assert np.all(np.isfinite(remove_foot_skate(motion, contacts).rotations))


def test_contacts_of_another_motion_are_refused():
    motion = stepping().motion
    with pytest.raises(InvalidInput, match="frames"):
        remove_foot_skate(motion, detect_contacts(cut(motion, 0, 50)))


# On captures: contacts are those of the capture, kept fixed for before and after.


@pytest.mark.parametrize("name", CAPTURES)
def test_slide_in_captures_is_at_least_halved(mocap: Path, name):
    motion = capture(mocap, name)
    contacts = detect_contacts(motion)
    assert mean_slide(remove_foot_skate(motion, contacts), contacts) <= 0.5 * mean_slide(motion, contacts)


@pytest.mark.parametrize("name", CAPTURES)
def test_nothing_but_the_legs_of_captures_changes(mocap: Path, name):
    motion = capture(mocap, name)
    assert_only_the_legs_changed(motion, remove_foot_skate(motion))


@pytest.mark.parametrize("name", CAPTURES)
def test_no_knee_of_a_capture_bends_backwards_or_gets_straighter_than_the_limit(mocap: Path, name):
    motion = capture(mocap, name)
    before, after = flexions(motion, motion), flexions(remove_foot_skate(motion), motion)
    assert np.all(after >= -1e-6)
    # Ten degrees is 99.6 % of a leg with equal bones; unequal ones differ by a fraction of a degree.
    assert np.all(after >= np.minimum(before, np.radians(9.9)) - 1e-6)


@pytest.mark.parametrize("rate_hz", [30.0, 120.0])
@pytest.mark.parametrize("name", CAPTURES)
def test_no_joint_of_a_capture_gets_faster_than_the_fastest_was(mocap: Path, name, rate_hz):
    motion = resample(capture(mocap, name), rate_hz)
    after = remove_foot_skate(motion)
    assert all(b <= 1.01 * a + 1e-9 for a, b in zip(peaks(motion), peaks(after), strict=True))
