from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.support.steppers import STANCE_S, biped, capture, stepping
from tools.authoring.walk import STRIDE_S, TOE_OFF, walk

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.motion.contacts import Contacts, contact_points, detect_contacts, point_positions, runs
from gambol.motion.edits import cut, move, resample, scale
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton


def worst_edge(found: np.ndarray, truth: np.ndarray) -> int:
    """Return by how many frames the ends of runs differ at most; the runs must be as many."""
    a, b = runs(found), runs(truth)
    assert len(a) == len(b), f"{a} found, {b} expected"
    return max(abs(x - y) for one, other in zip(a, b, strict=True) for x, y in zip(one, other, strict=True))


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 120.0, 240.0])
@pytest.mark.parametrize("slide_m_s", [0.0, 0.1, 0.2])
def test_contacts_begin_and_end_where_feet_were_put_down_and_lifted(rate_hz, slide_m_s):
    steps = stepping(rate_hz=rate_hz, slide_m_s=slide_m_s)
    contacts = detect_contacts(steps.motion)
    # These feet start and stop so smoothly that within 25 ms they move by less than a centimetre.
    allowed = max(1, round(0.025 * rate_hz))
    for side, name in enumerate(("left", "right")):
        for part in ("heel", "toe"):
            found = contacts.planted[:, contacts.index(f"{name}_{part}")]
            assert worst_edge(found, steps.planted[:, side]) <= allowed


def test_a_floor_that_is_centimetres_off_changes_nothing():
    level = detect_contacts(stepping().motion)
    for ground_m in (-0.03, 0.08):
        contacts = detect_contacts(stepping(ground_m=ground_m).motion)
        assert contacts.ground.height_m - level.ground.height_m == pytest.approx(ground_m, abs=1e-6)
        assert np.array_equal(contacts.planted, level.planted)


def test_a_tilted_floor_is_recognised():
    motion = stepping(strides=5).motion
    roots = np.array(motion.root_positions)
    roots[:, 2] += 0.02 * roots[:, 0]
    tilted = Motion(motion.skeleton, motion.rate_hz, roots, motion.rotations)
    contacts = detect_contacts(tilted)
    # The body rises steadily, and each foot with it: only the mean slope is the floor's.
    assert contacts.ground.slope_x == pytest.approx(0.02, abs=0.006)
    assert abs(contacts.ground.slope_y) < 0.002
    assert len(contacts.intervals()) == len(detect_contacts(motion).intervals())


def test_marker_noise_neither_splits_nor_adds_contacts():
    steps = stepping()
    rng = np.random.default_rng(1)
    wobble = quaternion.exp(rng.normal(scale=0.003, size=(*steps.motion.rotations.shape[:2], 3)))
    noisy = steps.motion.with_rotations(quaternion.multiply(steps.motion.rotations, wobble))
    names = [(interval.name) for interval in detect_contacts(noisy).intervals()]
    assert sorted(names) == sorted(interval.name for interval in detect_contacts(steps.motion).intervals())


def test_size_does_not_matter():
    motion = stepping().motion
    for factor in (0.3, 2.0):
        # Equal Froude numbers: a figure four times as large moves half as often.
        larger = scale(motion, factor)
        larger = Motion(larger.skeleton, motion.rate_hz / np.sqrt(factor), larger.root_positions, larger.rotations)
        found = len(detect_contacts(larger).intervals())
        assert found == len(detect_contacts(motion).intervals())


def test_the_built_in_walk_strikes_with_the_heel_and_leaves_with_the_toe():
    motion = walk(strides=3, rate_hz=120.0)
    contacts = detect_contacts(motion)
    stride = STRIDE_S * motion.rate_hz
    heels = [interval for interval in contacts.intervals() if interval.name == "left_heel"]
    toes = [interval for interval in contacts.intervals() if interval.name == "left_toe"]
    for number, (heel, toe) in enumerate(zip(heels, toes, strict=True)):
        assert heel.first / stride == pytest.approx(number, abs=0.02)
        assert toe.first > heel.first
        assert toe.last > heel.last
        assert toe.last / stride == pytest.approx(number + TOE_OFF, abs=0.02)


def test_standing_feet_are_planted_throughout():
    still = stepping().motion
    still = Motion(
        still.skeleton, 60.0, np.tile(still.root_positions[:1], (90, 1)), np.tile(still.rotations[:1], (90, 1, 1))
    )
    contacts = detect_contacts(still)
    assert contacts.planted[:, contacts.index("left_toe")].all()


def test_a_foot_in_the_air_is_not_planted_however_slow():
    motion = stepping().motion
    rotations = np.tile(quaternion.identity(1, motion.skeleton.joint_count), (120, 1, 1))
    lift = quaternion.from_axis_angle([0.0, 1.0, 0.0], np.radians([-80.0, 90.0]))
    rotations[:, motion.skeleton.index("LeftUpLeg")] = lift[0]
    rotations[:, motion.skeleton.index("LeftLeg")] = lift[1]
    contacts = detect_contacts(Motion(motion.skeleton, 60.0, np.tile([0.0, 0.0, 0.95], (120, 1)), rotations))
    assert not contacts.planted[:, contacts.index("left_toe")].any()
    assert contacts.planted[:, contacts.index("right_toe")].all()


def test_feet_far_above_a_given_ground_are_not_planted():
    motion = stepping().motion
    assert not detect_contacts(motion, ground_height_m=-0.5).planted.any()
    given = detect_contacts(motion, ground_height_m=0.0)
    assert given.ground == Ground(0.0)
    assert np.array_equal(given.planted, detect_contacts(motion).planted)


def test_too_short_a_contact_is_dropped():
    motion = stepping().motion
    assert not detect_contacts(motion, shortest_s=2.0 * STANCE_S).planted.any()


def test_contacts_do_not_depend_on_place_or_heading():
    motion = stepping().motion
    elsewhere = detect_contacts(move(motion, [30.0, -20.0, 2.0]))
    assert np.array_equal(elsewhere.planted, detect_contacts(motion).planted)


def test_a_skeleton_without_toes_or_feet_or_hands_gives_what_it_can():
    no_toes = detect_contacts(stepping(skeleton=biped(toes=False)).motion)
    assert [point.name for point in no_toes.points] == ["left_heel", "right_heel"]
    assert no_toes.planted.any()
    stick = Motion(Skeleton(["Stick"], [-1], [(0, 0, 0)]), 30.0, np.zeros((9, 3)), quaternion.identity(9, 1))
    assert detect_contacts(stick).planted.shape == (9, 0)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_very_short_motions_are_accepted(frames):
    motion = cut(stepping().motion, 10, 10 + frames - 1)
    assert detect_contacts(motion).planted.shape == (frames, 4)


def test_toes_are_found_as_joints_or_tips_whatever_their_name():
    names, parents = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot"], [-1, 0, 1, 2]
    offsets = [(0, 0, 0.9), (0, 0.1, 0), (0, 0, -0.4), (0, 0, -0.4)]
    as_tip = Skeleton(names, parents, offsets, [3], [(0.15, 0, -0.05)])
    as_joint = Skeleton([*names, "L_Ball"], [*parents, 3], [*offsets, (0.15, 0, -0.05)])
    for skeleton in (as_tip, as_joint):
        assert [point.name for point in contact_points(skeleton)] == ["left_heel", "left_toe"]
        motion = Motion(skeleton, 30.0, skeleton.offsets[:1], quaternion.identity(1, skeleton.joint_count))
        heel, toe = point_positions(motion, contact_points(skeleton))[0]
        assert toe == pytest.approx([0.15, 0.1, 0.05])
        assert heel[0] < 0.0
        assert heel[2] < toe[2]


def test_contacts_refuse_the_wrong_shape():
    points = contact_points(biped())
    with pytest.raises(InvalidInput, match=r"\(F, 4\)"):
        Contacts(points, np.zeros((5, 3), dtype=bool), Ground(0.0))


# On captures.


@pytest.mark.parametrize("rate_hz", [30.0, 60.0, 240.0])
@pytest.mark.parametrize(
    "name", ["walk_forward/16_15.bvh", "walk_forward/07_11.bvh", "jog_forward/35_19.bvh", "jog_turn/16_44.bvh"]
)
def test_captures_give_the_same_contacts_at_any_rate(mocap: Path, name, rate_hz):
    motion = capture(mocap, name)
    expected = detect_contacts(motion).intervals()
    found = detect_contacts(resample(motion, rate_hz)).intervals()
    by_place = lambda interval: (interval.name, interval.first)  # noqa: E731
    pairs = list(zip(sorted(found, key=by_place), sorted(expected, key=by_place), strict=True))
    for one, other in pairs:
        assert one.name == other.name
        for a, b in ((one.first, other.first), (one.last, other.last)):
            assert abs(a / rate_hz - b / motion.rate_hz) <= 1.01 / min(rate_hz, 60.0)


@pytest.mark.parametrize(
    ("name", "steps_per_s", "stance_s"),
    [
        ("walk_forward/16_15.bvh", (1.6, 2.1), (0.50, 0.75)),
        ("walk_forward/07_11.bvh", (1.8, 2.4), (0.45, 0.65)),
        ("jog_forward/35_19.bvh", (2.4, 3.2), (0.14, 0.28)),
        ("jog_forward/108_06.bvh", (2.4, 3.2), (0.14, 0.30)),
    ],
)
def test_stances_last_as_long_as_in_textbooks(mocap: Path, name, steps_per_s, stance_s):
    motion = capture(mocap, name)
    contacts = detect_contacts(motion)
    starts = []
    for side in ("left", "right"):
        foot = contacts.planted[:, [contacts.index(f"{side}_heel"), contacts.index(f"{side}_toe")]].any(axis=1)
        whole = [(first, last) for first, last in runs(foot) if first > 0 and last < motion.frame_count - 1]
        starts += [first for first, _ in runs(foot) if first > 0]
        for first, last in whole:
            assert stance_s[0] < (last - first) / motion.rate_hz < stance_s[1]
    cadence = motion.rate_hz / np.diff(np.sort(starts)).mean()
    assert steps_per_s[0] < cadence < steps_per_s[1]


def test_hands_touch_the_ground_in_a_crawl_and_not_in_a_walk(mocap: Path):
    crawl = detect_contacts(capture(mocap, "crawl/133_01.bvh"))
    walking = detect_contacts(capture(mocap, "walk_forward/16_15.bvh"))
    for name in ("left_hand", "right_hand"):
        assert 3 <= len(runs(crawl.planted[:, crawl.index(name)])) <= 5
        assert not walking.planted[:, walking.index(name)].any()


def test_nothing_touches_the_ground_in_the_flight_of_a_jump(mocap: Path):
    contacts = detect_contacts(capture(mocap, "jump/108_15.bvh"))
    airborne = [last - first for first, last in runs(~contacts.planted.any(axis=1))]
    assert max(airborne) / 120.0 == pytest.approx(0.5, abs=0.15)
