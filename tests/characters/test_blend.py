from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.support.sequences import captured, jump_inside, lowest_sole, velocity_jumps
from tools.authoring.walk import walk

from gambol.characters.blend import blend_join
from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.characters.make_clip import ClipSettings, make_clip
from gambol.characters.motion_table import allowed_pairs, distinct_clips
from gambol.characters.store import load_character
from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.motion import Contacts, Motion, arms, edits, legs, reach_targets, slide_speeds


def clip(name: str) -> Clip:
    return load_character("human").behavior(name).clips[0]


def end_of(a: Clip) -> Motion:
    """Return a clip's last frames and the margin after them, seen from the join."""
    last = a.motion.frame_count - 1 - a.margin
    return edits.move(edits.take(a.motion, slice(last - a.margin, None)), planar.invert(a.displacement))


def beginning_of(b: Clip) -> Motion:
    return edits.take(b.motion, slice(0, 2 * b.margin + 1))


def shifted_foot(of: Clip, side: int, shift_m: tuple[float, float, float]) -> Clip:
    """Return a clip with one foot set elsewhere throughout."""
    leg = legs(of.motion.skeleton)[side]
    motion = reach_targets(of.motion, leg, of.motion.world_positions[:, leg.end] + shift_m)
    return replace(of, motion=motion)


def positions(motion: Motion, joint: int) -> np.ndarray:
    return motion.world_positions[:, joint]


@pytest.mark.parametrize(("one", "two"), [("jog", "jog-left-50"), ("start", "jog"), ("walk", "walk-to-jog")])
def test_a_blend_begins_with_the_first_clip_and_ends_with_the_second(one: str, two: str):
    a, b = clip(one), clip(two)
    blend = blend_join(a, b)
    for frame, own in ((0, end_of(a)), (-1, beginning_of(b))):
        np.testing.assert_allclose(blend.motion.world_positions[frame], own.world_positions[frame], atol=1e-9)
        assert quaternion.angle(blend.motion.rotations[frame], own.rotations[frame]).max() < 1e-7


def test_a_cycle_goes_on_into_itself_as_it_was():
    a = clip("walk")
    np.testing.assert_allclose(blend_join(a, a).motion.world_positions, end_of(a).world_positions, atol=1e-3)


def test_windows_end_in_the_middle_of_short_clips_so_that_they_never_overlap():
    steps = [c for b in load_character("human").behaviors for c in b.clips]
    short = min(steps, key=lambda c: c.duration)
    frames = short.duration * short.frames_per_step
    assert frames < 2 * short.margin, "the shortest clip is not short"
    for other in steps[:20]:
        assert blend_join(short, other).window <= frames // 2
        assert blend_join(other, short).window <= frames // 2
    long = clip("walk")
    assert blend_join(long, long).window == long.margin


def test_clips_without_margins_are_played_one_after_the_other():
    take = walk(strides=2)
    bare = make_clip("bare", take, 0, take.frame_count - 1, settings=ClipSettings(margin=0))
    blend = blend_join(bare, bare)
    assert blend.window == 0
    np.testing.assert_allclose(blend.motion.world_positions[0], end_of(bare).world_positions[0], atol=1e-12)


def test_the_root_follows_both_paths_and_meets_the_join():
    a, b = clip("jog-left-50"), _faster(clip("jog"), 0.8)
    blend = blend_join(a, b)
    root, join = blend.motion.root_positions[:, :2], blend.window
    assert root[join] == pytest.approx((0.0, 0.0), abs=1e-7), "a root is as near its path as a built character is exact"
    paths = np.concatenate((end_of(a).root_positions[:join], beginning_of(b).root_positions[join:]))[:, :2]
    away = np.linalg.norm(root - paths, axis=1)
    assert 0.0 < away.max() < 0.0081


def test_a_change_of_speed_is_spread_over_several_frames():
    a, b = clip("jog"), _faster(clip("jog"), 0.8)
    rounded, plain = blend_join(a, b), blend_join(a, b, clean_feet=False)
    jump = [velocity_jumps(blend.motion)[:, 0].max() for blend in (rounded, plain)]
    assert jump[0] < 0.4 * jump[1]


def _faster(of: Clip, factor: float) -> Clip:
    """Return a clip whose root covers another distance in the same time."""
    roots = np.array(of.motion.root_positions)
    roots[:, :2] *= factor
    path = np.array(of.path)
    path[:, :2] *= factor
    return replace(of, motion=replace(of.motion, root_positions=roots), path=path)


def test_height_and_rotations_change_smoothly_from_one_to_the_other():
    a, b = clip("stand"), clip("stand")
    crouched = np.array(b.motion.root_positions)
    crouched[:, 2] -= 0.05
    blend = blend_join(a, replace(b, motion=replace(b.motion, root_positions=crouched)), clean_feet=False)
    heights = blend.motion.root_positions[:, 2] - a.motion.root_positions[-1 - a.margin, 2]
    assert heights[blend.window] == pytest.approx(-0.025, abs=2e-3)
    assert np.all(np.diff(heights) < 1e-3)


@pytest.mark.parametrize("side", [0, 1], ids=["left", "right"])
def test_a_foot_that_swings_through_the_join_lands_where_the_second_clip_has_it(side: int):
    a = clip("jog")
    b = shifted_foot(a, side, (0.03, 0.02, 0.0))
    blend = blend_join(a, b)
    own = np.nanmax(slide_speeds(b.motion, b.contacts))  # where the leg does not quite reach
    assert np.nanmax(slide_speeds(blend.motion, blend.contacts)) < own + 0.005
    plain = blend_join(a, b, clean_feet=False)
    assert np.nanmax(slide_speeds(plain.motion, plain.contacts)) > 0.05


def test_a_foot_that_stands_throughout_drifts_evenly():
    a = clip("stand")
    b = shifted_foot(a, 0, (0.03, 0.0, 0.0))
    blend = blend_join(a, b)
    speeds = slide_speeds(blend.motion, blend.contacts)
    mean = 0.03 * blend.motion.rate_hz / (2 * blend.window)
    assert np.nanmax(speeds) < 1.7 * mean
    assert np.nanmax(speeds[:, blend.contacts.index("right_toe")]) < 1e-3


def test_hands_on_the_ground_are_planted_like_feet():
    a = clip("stand")
    arm, hand = arms(a.motion.skeleton)[0], a.contacts.index("left_hand")
    wrist = a.motion.world_positions[a.margin, arm.end]
    planted = np.array(a.contacts.planted)
    leaves = len(planted) - 1 - a.margin - 8  # shortly before the join
    planted[:leaves, hand] = True
    still = reach_targets(a.motion, arm, np.tile(wrist, (len(planted), 1)))
    raised = reach_targets(a.motion, arm, np.tile(wrist + (0.03, 0.0, 0.05), (len(planted), 1)))
    a, b = replace(a, motion=still, contacts=replace(a.contacts, planted=planted)), replace(a, motion=raised)
    cleaned, plain = blend_join(a, b), blend_join(a, b, clean_feet=False)
    assert cleaned.contacts.planted[: cleaned.window - 8, hand].all()
    place = positions(end_of(a), arm.end)[: cleaned.window - 8]
    moved = [np.linalg.norm(positions(x.motion, arm.end)[: len(place)] - place, axis=1).max() for x in (cleaned, plain)]
    assert moved[0] < 1e-6
    assert moved[1] > 5e-3


def test_a_limb_that_never_stands_is_only_blended():
    a, b = clip("jog"), clip("jog-right-30")
    cleaned, plain = blend_join(a, b), blend_join(a, b, clean_feet=False)
    for arm in arms(a.motion.skeleton):
        joints = [arm.root, arm.middle, arm.end]
        np.testing.assert_array_equal(cleaned.motion.rotations[:, joints], plain.motion.rotations[:, joints])


def test_a_leg_does_not_swing_through_the_ground_where_neither_clip_stands():
    a = clip("stand")
    leg = legs(a.motion.skeleton)[0]
    roots = a.motion.root_positions - (0.0, 0.0, 0.1)
    lowered = replace(a.motion, root_positions=roots)
    none = replace(a.contacts, planted=np.zeros_like(a.contacts.planted))
    ahead, behind = (
        replace(a, motion=_both_feet(lowered, positions(a.motion, leg.end) + (x, 0.0, 0.0)), contacts=none)
        for x in (0.4, -0.4)
    )
    assert lowest_sole(blend_join(ahead, behind, clean_feet=False).motion) < -0.02
    assert lowest_sole(blend_join(ahead, behind).motion) > -0.002


def _both_feet(motion: Motion, left_ankles: np.ndarray) -> Motion:
    """Put the left ankle somewhere, and the right one where it would be were the hips not lowered."""
    left, right = legs(motion.skeleton)
    feet = [motion.world_rotations[:, leg.end] for leg in (left, right)]
    motion = reach_targets(motion, left, left_ankles, end_rotations=feet[0])
    right_ankles = positions(motion, right.end) + (0.0, 0.0, 0.1)
    return reach_targets(motion, right, right_ankles, end_rotations=feet[1])


def test_a_margin_that_is_a_guess_is_not_looked_at():
    a, b = clip("jog"), clip("jog-left-30")
    wrecked = []
    for of, (first, last) in ((a, (a.motion.frame_count - a.margin, None)), (b, (0, b.margin))):
        rotations, roots = np.array(of.motion.rotations), np.array(of.motion.root_positions)
        rotations[first:last] = quaternion.identity()
        roots[first:last] += 1.0
        planted = np.array(of.contacts.planted)
        planted[first:last] = True
        wrecked.append(
            replace(
                of,
                motion=replace(of.motion, rotations=rotations, root_positions=roots),
                contacts=Contacts(of.contacts.points, planted, of.contacts.ground),
                recorded=(0, 0),
            )
        )
    blend = blend_join(*wrecked)
    whole = blend_join(replace(a, recorded=(0, 0)), replace(b, recorded=(0, 0)))
    np.testing.assert_allclose(blend.motion.world_positions, whole.motion.world_positions, atol=2e-3)
    assert velocity_jumps(blend.motion).max() < 1.5 * max(jump_inside(a), jump_inside(b))


def test_real_margins_are_told_from_guesses():
    take = walk(strides=3)
    inner = make_clip("inner", take, 40, 120)
    assert inner.recorded == (16, 16)
    outer = make_clip("outer", take, 6, 186)
    assert outer.recorded == (6, take.frame_count - 187)
    with pytest.raises(InvalidInput, match=r"at most .* margin frames can be recorded"):
        replace(inner, recorded=(17, 0))


def test_no_join_of_captures_jerks_more_than_the_clips_do(mocap):
    character = captured(mocap)
    clips, members = distinct_clips(character)
    inside = [jump_inside(own) for own in clips]
    rng = np.random.default_rng(0)
    for a, b in rng.permutation(allowed_pairs(character, members))[:250]:
        blend = blend_join(clips[a], clips[b])
        assert velocity_jumps(blend.motion).max() <= 1.5 * max(inside[a], inside[b])
        assert lowest_sole(blend.motion) > -0.01


def test_clips_that_do_not_fit_together_are_refused():
    a = clip("jog")
    take = walk(strides=2, rate_hz=30.0)
    slow = make_clip("slow", take, 8, 40, settings=ClipSettings(frames_per_step=1))
    with pytest.raises(InvalidInput, match=r"'jog' and 'slow' cannot be joined: they differ in rate"):
        blend_join(a, slow)


def test_equal_pairs_of_clips_are_blended_once():
    jog = load_character("human").behavior("jog")
    many = replace(jog, clips=jog.clips[:1] * 1000)
    twin = replace(many, name="twin")
    character = Character("many", load_character("human").skeleton, 30.0, (many, twin))
    clips, members = distinct_clips(character)
    assert len(clips) == 1
    assert [len(numbers) for numbers in members] == [1000, 1000]
    assert allowed_pairs(character, members).tolist() == [[0, 0]]


def test_too_many_pairs_to_blend_are_said_to_be_too_many():
    jog = load_character("human").behavior("jog")
    many = replace(jog, clips=tuple(replace(jog.clips[0]) for _ in range(1500)))
    character = Character("many", load_character("human").skeleton, 30.0, (many,))
    with pytest.raises(InvalidInput, match="2,250,000 pairs"):
        allowed_pairs(character, distinct_clips(character)[1])
