from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.steppers import biped, capture, stepping
from tools.authoring.walk import walk

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.motion.contacts import Contacts, detect_contacts, point_positions, sole_points
from gambol.motion.edits import cut, resample
from gambol.motion.ground import Ground
from gambol.motion.joint_names import legs
from gambol.motion.motion import Motion
from gambol.motion.quality import measure_quality, slide_speeds
from gambol.motion.skeleton import Skeleton


def known_contacts(steps) -> Contacts:
    """Say that heel and toe of each foot are planted when the foot was put down."""
    return Contacts(detect_contacts(steps.motion).points, np.repeat(steps.planted, 2, axis=1), Ground(0.0))


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0, 240.0])
@pytest.mark.parametrize("slide_m_s", [0.0, 0.05, 0.2])
def test_the_slide_measured_is_the_slide_put_in(slide_m_s, rate_hz):
    steps = stepping(slide_m_s=slide_m_s, rate_hz=rate_hz)
    quality = measure_quality(steps.motion, contacts=known_contacts(steps))
    assert quality.foot_slide_mean_cm_s == pytest.approx(100.0 * slide_m_s, abs=1e-6)
    assert quality.foot_slide_max_cm_s == pytest.approx(100.0 * slide_m_s, abs=1e-6)


def test_the_slide_hardly_depends_on_who_finds_the_contacts():
    steps = stepping(slide_m_s=0.1)
    assert measure_quality(steps.motion).foot_slide_mean_cm_s == pytest.approx(10.0, rel=0.2)


def test_a_single_noisy_frame_does_not_make_the_maximum():
    steps = stepping(slide_m_s=0.1)
    roots = np.array(steps.motion.root_positions)
    roots[200, 0] += 0.002  # at 120 Hz two millimetres between frames are 24 cm/s
    noisy = Motion(steps.motion.skeleton, steps.motion.rate_hz, roots, steps.motion.rotations)
    assert measure_quality(noisy, contacts=known_contacts(steps)).foot_slide_max_cm_s < 10.0 + 7.0


def test_slide_is_measured_only_where_feet_are_planted():
    steps = stepping()
    contacts = known_contacts(steps)
    speeds = slide_speeds(steps.motion, contacts)
    assert np.array_equal(np.isnan(speeds), ~contacts.planted)
    with pytest.raises(InvalidInput, match="frames"):
        slide_speeds(cut(steps.motion, 0, 9), contacts)


def test_penetration_is_how_deep_the_sole_gets_below_the_ground():
    motion = stepping().motion
    soles = [point_positions(motion, sole_points(motion.skeleton, leg)) for leg in legs(motion.skeleton)]
    level = float(np.concatenate(soles, axis=1)[..., 2].min())
    for depth_m in (0.0, 0.01, 0.04):
        quality = measure_quality(motion, ground_height_m=level + depth_m)
        assert quality.ground_penetration_cm == pytest.approx(100.0 * depth_m, abs=1e-6)
        assert quality.ground_height_m == pytest.approx(level + depth_m)
    assert measure_quality(motion).ground_penetration_cm < 0.05


def test_a_given_ground_counts_with_given_contacts_too():
    steps = stepping()
    quality = measure_quality(steps.motion, contacts=known_contacts(steps), ground_height_m=0.5)
    assert quality.ground_height_m == 0.5
    assert quality.ground_penetration_cm > 40.0


def test_the_built_in_walk_is_clean():
    quality = measure_quality(walk(strides=3))
    assert quality.foot_slide_mean_cm_s < 1.0
    assert quality.ground_penetration_cm < 0.5
    assert quality.bone_length_drift_mm == 0.0
    assert quality.zero_root_frames == ()


def test_figures_without_feet_or_in_the_air_get_none_for_what_cannot_be_told():
    stick = Motion(Skeleton(["Stick"], [-1], [(0, 0, 0)]), 30.0, np.ones((9, 3)), quaternion.identity(9, 1))
    quality = measure_quality(stick)
    assert quality.foot_slide_mean_cm_s is None
    assert quality.foot_slide_max_cm_s is None
    assert quality.ground_penetration_cm is None
    assert quality.contacts == ()
    assert json.loads(json.dumps(quality.as_dict()))["foot_slide_mean_cm_s"] is None
    floating = measure_quality(stepping().motion, ground_height_m=-3.0)
    assert floating.foot_slide_mean_cm_s is None
    assert floating.ground_penetration_cm == 0.0


def test_peaks_name_the_joint_and_the_frame():
    skeleton = biped()
    head = skeleton.index("Head")
    roots = np.tile([0.0, 0.0, 0.9], (20, 1))
    roots[8:, 0] = 0.5  # a jump of half a metre between frames 7 and 8
    rotations = quaternion.identity(20, skeleton.joint_count)
    rotations[13:, head] = quaternion.from_axis_angle([0.0, 0.0, 1.0], 0.3)
    quality = measure_quality(Motion(skeleton, 10.0, roots, rotations))
    peak = quality.joint_peaks[head]
    assert peak.joint == "Head"
    assert (peak.speed_m_s, peak.speed_frame) == (pytest.approx(5.0), 7)
    assert (peak.acceleration_m_s2, peak.acceleration_frame) == (pytest.approx(50.0), 7)
    assert (peak.turn_rad_s, peak.turn_frame) == (pytest.approx(3.0), 12)
    assert quality.fastest.speed_m_s == pytest.approx(5.0)


def test_bone_length_drift_and_drop_outs_are_reported():
    motion = stepping().motion
    translations = np.tile(motion.skeleton.offsets, (motion.frame_count, 1, 1))
    translations[40:60, motion.skeleton.index("LeftLeg"), 2] *= 1.01
    roots = np.array(motion.root_positions)
    roots[[5, 6]] = 0.0
    quality = measure_quality(replace(motion, root_positions=roots, translations=translations))
    assert quality.bone_length_drift_mm == pytest.approx(4.3)
    assert quality.zero_root_frames == (5, 6)


def test_the_report_has_the_keys_that_scripts_rely_on():
    motion = stepping(slide_m_s=0.1).motion
    report = json.loads(json.dumps(measure_quality(motion).as_dict()))
    assert {
        "frames", "rate_hz", "foot_slide_mean_cm_s", "foot_slide_max_cm_s", "ground_penetration_cm", "contacts",
    } <= set(report)  # fmt: skip
    assert report["frames"] == motion.frame_count
    assert report["rate_hz"] == 120.0
    assert report["contacts"][0].keys() == {"limb", "first", "last"}
    text = measure_quality(motion).describe()
    assert "481 frames at 120 Hz" in text
    assert "left_heel" in text


@pytest.mark.parametrize("frames", [1, 2])
def test_very_short_motions_are_measured(frames):
    quality = measure_quality(cut(stepping().motion, 0, frames - 1))
    assert quality.frames == frames
    assert quality.joint_peaks[0].acceleration_m_s2 == 0.0


def test_measures_of_a_capture_hardly_depend_on_the_rate(mocap: Path):
    motion = capture(mocap, "walk_forward/16_15.bvh")
    slides = [measure_quality(resample(motion, rate_hz)).foot_slide_mean_cm_s for rate_hz in (60.0, 120.0, 240.0)]
    assert np.ptp(slides) < 0.05 * np.mean(slides)
