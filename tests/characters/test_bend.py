from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.authoring.walk import walk

from gambol.body import Body
from gambol.characters.bend import Hold, bend, plan_holds
from gambol.characters.check_clips import mean_slide
from gambol.characters.clip import Clip
from gambol.characters.make_clip import ClipSettings, make_clip
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.motion import Contacts, Ground, edits, mirror, point_positions, runs

angles = st.floats(-np.radians(90.0), np.radians(90.0))


@cache
def stride() -> Clip:
    """One stride of the built-in walk, from left contact to left contact."""
    motion = walk(strides=3)
    length = (motion.frame_count - 1) // 3
    return make_clip("walk", motion, length, 2 * length)


@cache
def body() -> Body:
    return Body.from_skeleton(stride().motion.skeleton)


def in_frame_of(clip: Clip, frame: int, pose: np.ndarray) -> np.ndarray:
    positions = np.array(clip.motion.world_positions[frame])
    positions[:, :2] = planar.apply(planar.invert(pose), positions[:, :2])
    return positions


@settings(deadline=None, max_examples=25)
@given(angles)
def test_the_heading_at_the_end_changes_by_just_the_angle(angle: float):
    clip = stride()
    bent = bend(clip, angle, body=body())
    assert bent.displacement[2] - clip.displacement[2] == pytest.approx(angle, abs=1e-9)
    assert bent.duration == clip.duration
    assert bent.path_length_m == pytest.approx(clip.path_length_m, rel=0.01)


@settings(deadline=None, max_examples=25)
@given(angles)
def test_both_ends_and_the_margins_keep_the_poses_that_the_labels_promise(angle: float):
    clip = stride()
    bent = bend(clip, angle, body=body())
    last = clip.motion.frame_count - 1 - clip.margin
    for frame in (0, clip.margin):
        assert np.allclose(bent.motion.world_positions[frame], clip.motion.world_positions[frame], atol=1e-9)
    for frame in (last, clip.motion.frame_count - 1):
        assert np.allclose(in_frame_of(bent, frame, bent.path[-1]), in_frame_of(clip, frame, clip.path[-1]), atol=1e-6)


@settings(deadline=None, max_examples=25)
@given(angles)
def test_feet_slide_no_more_than_before(angle: float):
    clip = stride()
    bent = bend(clip, angle, body=body())
    assert mean_slide(bent) <= mean_slide(clip) + 0.005
    before, after = (point_positions(one.motion, clip.contacts.points)[..., 2] for one in (clip, bent))
    planted = clip.contacts.planted
    assert np.abs(before - after)[planted].max() < 0.01


def test_every_footfall_moves_as_a_whole():
    clip = stride()
    bent = bend(clip, np.radians(60.0), body=body())
    feet = point_positions(clip.motion, clip.contacts.points), point_positions(bent.motion, clip.contacts.points)
    for p, point in enumerate(clip.contacts.points):
        if point.is_hand:
            continue
        for first, last in runs(clip.contacts.planted[:, p]):
            shift = (feet[1] - feet[0])[first : last + 1, p]
            assert np.ptp(shift, axis=0).max() < 0.02


def test_bending_the_mirror_image_the_other_way_gives_the_mirror_image():
    motion = walk(strides=3)
    length = (motion.frame_count - 1) // 3
    mirrored = make_clip("mirrored", mirror(motion), length, 2 * length)
    left = bend(stride(), np.radians(45.0), body=body())
    right = bend(mirrored, np.radians(-45.0), body=body())
    assert left.displacement * [1, -1, -1] == pytest.approx(right.displacement, abs=0.02)


def test_the_figure_leans_into_the_turn_unless_told_not_to():
    clip = stride()
    middle = clip.motion.frame_count // 2

    def lean(bent: Clip) -> float:
        """How far the head is to the left of the hips, compared with the straight clip."""
        shifts = []
        for one in (bent, clip):
            head = in_frame_of(one, middle, one.path[one.duration // 2])[one.motion.skeleton.index("Head"), 1]
            shifts.append(head)
        return shifts[0] - shifts[1]

    assert lean(bend(clip, np.radians(60.0), body=body())) > 0.03
    assert lean(bend(clip, np.radians(-60.0), body=body())) < -0.03
    assert abs(lean(bend(clip, np.radians(60.0), body=body(), lean=0.0))) < 0.02


def test_no_bend_is_the_clip_itself():
    assert bend(stride(), 0.0) is stride()


@pytest.mark.parametrize("angle", [np.nan, np.inf, np.radians(121.0)])
def test_impossible_angles_are_refused(angle: float):
    with pytest.raises(InvalidInput, match="120 degrees"):
        bend(stride(), angle)


def test_who_goes_nowhere_cannot_be_bent():
    motion = edits.take(walk(strides=1), np.zeros(80, dtype=np.intp))
    planted = np.ones((80, len(stride().contacts.points)), dtype=bool)
    contacts = Contacts(stride().contacts.points, planted, Ground(0.0))
    clip = make_clip("stand", motion, 20, 60, contacts=contacts, settings=ClipSettings(clean_feet=False))
    with pytest.raises(InvalidInput, match="too short to bend"):
        bend(clip, 0.5)


def test_a_foot_that_stands_throughout_is_said_so():
    with pytest.raises(InvalidInput, match="stands throughout"):
        plan_holds([(2, 98)], (10, 90), near=6, frames=101)


def test_footfalls_near_an_end_belong_to_it_and_others_to_their_middle():
    holds = plan_holds([(0, 20), (30, 50), (85, 100)], (10, 90), near=6, frames=101)
    assert holds == [Hold(0, 20, 10), Hold(30, 50, 40), Hold(85, 100, 90)]
    assert plan_holds([], (10, 90), near=6, frames=101) == [Hold(0, 10, 10), Hold(90, 100, 90)]
