"""Feet and hands where they should be: equation 5.7 frame by frame, and all frames of a limb at once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.support.people import person
from tests.support.steppers import stepping
from tests.support.variation_cases import KINDS, captured

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import quaternion
from gambol.motion import (
    Contacts,
    Ground,
    Motion,
    arms,
    contact_points,
    legs,
    measure_quality,
    point_positions,
    slide_speeds,
)
from gambol.variation.constraints.constrained import constrained, reach
from gambol.variation.constraints.kernels.limb import LimbFrames
from gambol.variation.constraints.limbs import end_point, limb_angles
from gambol.variation.constraints.peaks import accelerations
from gambol.variation.constraints.printed import NEAR, SMOOTH, angles_at, angles_by_frame, planted_by_frame
from gambol.variation.examples import Example, Examples, gather
from gambol.variation.measures import physical
from gambol.variation.model import Drawn, learn

RATE_HZ = 60.0


def moving(seed: int, *, frames: int = 60, turn_rad: float = 0.4) -> Motion:
    """A person with bent knees and elbows whose joints all turn smoothly, and who goes somewhere."""
    skeleton = person(arms_down_rad=1.2)
    rng = np.random.default_rng(seed)
    t = np.arange(frames)[:, None, None] / RATE_HZ
    shape = (1, skeleton.joint_count, 3)
    vectors = turn_rad * rng.uniform(0.2, 0.5, shape) * np.sin(7.0 * t + rng.uniform(0.0, 6.0, shape))
    for limb, bend in (*((leg, 0.7) for leg in legs(skeleton)), *((arm, -0.8) for arm in arms(skeleton))):
        vectors[:, limb.middle] = [0.0, bend, 0.0] + 0.3 * np.sin(6.0 * t[:, 0] + rng.uniform(0.0, 6.0)) * [
            0.0,
            1.0,
            0.0,
        ]
    roots = np.column_stack((np.linspace(0.0, 1.0, frames), np.zeros(frames), np.full(frames, 0.95)))
    return Motion(skeleton, RATE_HZ, roots, quaternion.exp(vectors))


def walker(slide_m_s: float) -> Example:
    """Two strides of a figure without arms whose planted feet slide."""
    steps = stepping(slide_m_s=slide_m_s, rate_hz=RATE_HZ, strides=2)
    points = contact_points(steps.motion.skeleton)
    planted = np.stack([steps.planted[:, 0 if point.name.startswith("left") else 1] for point in points], axis=1)
    return Example(steps.motion, Contacts(points, planted, Ground(0.0)), f"{slide_m_s:g} m/s")


@cache
def walks() -> Examples:
    return gather([walker(slide) for slide in (0.0, 0.02, -0.02)])


def sliding(slide_m_s: float) -> tuple[Drawn, Contacts]:
    example = walker(slide_m_s)
    values = walks().encoding.encode(example.motion)
    return Drawn(values, values, example.contacts.planted), example.contacts


def limb_of(seed: int, name: str) -> tuple[LimbFrames, np.ndarray]:
    motion = moving(seed)
    limb, point = end_point(motion.skeleton, name)
    angles = limb_angles([motion], limb)
    return angles.frames(motion, (point,)), angles.of(motion)


@pytest.mark.parametrize("name", ["left_heel", "left_toe", "right_toe", "left_hand", "right_hand"])
def test_a_limb_has_six_or_seven_angles_that_place_its_end(name):
    motion = moving(1)
    limb, point = end_point(motion.skeleton, name)
    angles = limb_angles([motion], limb)
    assert len(angles.joints) == (7 if name.endswith("hand") else 6)
    places, slopes = angles.frames(motion, (point,)).places(angles.of(motion))
    assert np.allclose(places, point_positions(motion, (point,)), atol=1e-12)
    turned = angles.of(motion) + np.random.default_rng(2).normal(0.0, 0.1, angles.of(motion).shape)
    after = angles.turned(motion, turned)
    assert np.allclose(angles.of(after), turned, atol=1e-9)
    assert np.allclose(angles.frames(motion, (point,)).places(turned)[0], point_positions(after, (point,)), atol=1e-9)
    for angle in range(len(angles.joints)):
        step = np.zeros_like(turned)
        step[:, angle] = 1e-6
        ahead, behind = (angles.frames(motion, (point,)).places(angles.of(motion) + s)[0] for s in (step, -step))
        assert np.allclose(slopes[..., angle], (ahead - behind) / 2e-6, atol=1e-8)


@pytest.mark.parametrize("seed", range(8))
def test_the_nearest_angles_are_those_of_sequential_least_squares(seed):
    rng = np.random.default_rng(seed)
    frames, angles = limb_of(seed, ("left_toe", "right_heel", "left_hand", "right_hand")[seed % 4])
    frame = int(rng.integers(60))
    wanted = angles[frame] + rng.normal(0.0, 0.1, angles.shape[1])
    place = frames.places(angles)[0][frame] + rng.normal(0.0, 0.03, (1, 3))
    found = angles_at(frames, frame, wanted, angles[frame], place, np.array([True]))

    def end(q: np.ndarray) -> np.ndarray:
        tried = np.array(angles)
        tried[frame] = q
        return frames.places(tried)[0][frame, 0]

    oracle = minimize(
        lambda q: np.sum((q - wanted) ** 2), angles[frame], jac=lambda q: 2.0 * (q - wanted), method="SLSQP",
        constraints={"type": "eq", "fun": lambda q: end(q) - place[0]}, options={"ftol": 1e-16, "maxiter": 500},
    )  # fmt: skip
    assert np.allclose(end(found), place[0], atol=1e-9)
    assert np.sum((found - wanted) ** 2) <= oracle.fun + 1e-8
    assert np.allclose(found, oracle.x, atol=1e-6)


def test_each_planted_frame_minimises_equation_5_7():
    frames, drawn = limb_of(3, "left_toe")
    predicted = drawn + np.random.default_rng(3).normal(0.0, 0.02, drawn.shape)
    planted = np.zeros((60, 1), dtype=bool)
    planted[20:40] = True
    angles = angles_by_frame(frames, drawn, predicted, planted, rate_hz=RATE_HZ)
    pin = frames.places(angles)[0][20, 0]
    for frame in (21, 25, 39):

        def end(q: np.ndarray, frame: int = frame) -> np.ndarray:
            tried = np.array(angles)
            tried[frame] = q
            return frames.places(tried)[0][frame, 0]

        def cost(q: np.ndarray, frame: int = frame) -> float:
            bend = q - 2.0 * angles[frame - 1] + angles[frame - 2]
            return NEAR * np.sum((q - predicted[frame]) ** 2) + SMOOTH * np.sum(bend**2)

        oracle = minimize(
            cost, drawn[frame], method="SLSQP", constraints={"type": "eq", "fun": lambda q: end(q) - pin},
            options={"ftol": 1e-16, "maxiter": 500},
        )  # fmt: skip
        assert np.allclose(angles[frame], oracle.x, atol=1e-5)
        assert cost(angles[frame]) <= oracle.fun + 1e-9
    assert np.allclose(frames.places(angles)[0][20:40, 0], pin, atol=1e-8)
    assert np.array_equal(angles[:20], drawn[:20])
    assert np.allclose(angles[-1], drawn[-1], atol=0.03)


def test_frame_by_frame_planted_feet_stay_where_they_landed():
    example = walker(0.1)
    motion = planted_by_frame(example.motion, example.motion, example.contacts)
    assert np.nanmax(slide_speeds(example.motion, example.contacts)) > 0.09
    assert np.nanmax(slide_speeds(motion, example.contacts)) < 1e-5


@pytest.mark.parametrize("slide_m_s", [0.1, -0.08, 0.2])
def test_planted_feet_hardly_slide_and_the_way_stays(slide_m_s):
    drawn, contacts = sliding(slide_m_s)
    before = walks().encoding.decode(drawn.values)
    after = constrained(walks(), drawn, contacts)
    assert np.nanmean(slide_speeds(after, contacts)) < 0.2 * abs(slide_m_s)
    ends = [motion.root_positions[-1, 0] - motion.root_positions[0, 0] for motion in (before, after)]
    assert ends[1] == pytest.approx(ends[0], rel=0.03)
    depths = [measure_quality(motion, contacts=contacts).ground_penetration_cm or 0.0 for motion in (before, after)]
    assert depths[1] <= max(depths[0], 0.1)


def with_own_slides(slide_m_s: float) -> tuple[Drawn, Contacts]:
    """Feet that are to slide, and to turn, as they were drawn."""
    drawn, contacts = sliding(slide_m_s)
    ways = point_positions(walks().encoding.decode(drawn.values), contacts.points)[..., :2]
    return drawn._replace(slides=np.diff(ways, axis=0, prepend=ways[:1])), contacts


def test_feet_that_slide_as_they_may_are_left_alone():
    drawn, contacts = with_own_slides(0.01)
    before = walks().encoding.decode(drawn.values)
    after = constrained(walks(), drawn, contacts)
    assert np.abs(after.world_positions - before.world_positions).max() < 1e-3
    at_rest = constrained(walks(), sliding(0.01)[0], contacts)
    assert np.nanmean(slide_speeds(at_rest, contacts)) < 0.5 * np.nanmean(slide_speeds(after, contacts))


def test_feet_slide_no_more_than_the_examples_even_when_asked_to():
    drawn, contacts = with_own_slides(0.1)
    after = constrained(walks(), drawn, contacts)
    shown = np.mean([np.nanmean(slide_speeds(item.motion, item.contacts)) for item in walks().items])
    assert np.nanmean(slide_speeds(after, contacts)) <= shown


def test_corrections_come_and_go_without_a_jerk():
    drawn, contacts = sliding(0.15)
    before = walks().encoding.decode(drawn.values)
    after = constrained(walks(), drawn, contacts)
    highest = np.max([accelerations(item.motion).max(axis=0) for item in walks().items], axis=0)
    allowed = np.maximum(highest, accelerations(before).max(axis=0))
    assert np.all(accelerations(after).max(axis=0) <= 1.25 * allowed + 1.0)


def test_only_legs_and_the_place_of_the_root_change():
    drawn, contacts = sliding(0.1)
    before = walks().encoding.decode(drawn.values)
    after = constrained(walks(), drawn, contacts)
    others = [walks().skeleton.index(name) for name in ("Hips", "Spine", "Head", "LeftToeBase", "RightToeBase")]
    assert np.allclose(after.rotations[:, others], before.rotations[:, others], atol=1e-12)


def test_without_contacts_what_was_drawn_stays():
    drawn, contacts = sliding(0.01)
    free = Contacts(contacts.points, np.zeros_like(contacts.planted), contacts.ground)
    after = constrained(walks(), drawn._replace(planted=free.planted), free)
    assert np.allclose(walks().encoding.encode(after), drawn.values, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("end", ["left_hand", "right_toe"])
def test_hands_and_feet_reach_what_is_within_reach(end, seed):
    motion = moving(seed, frames=180)
    limb, point = end_point(motion.skeleton, end)
    places = point_positions(motion, (point,))[:, 0]
    rng = np.random.default_rng(seed)
    hinge = motion.world_positions[80:90, limb.root].mean(axis=0)
    wanted = hinge + 0.7 * (places[80:90].mean(axis=0) - hinge) + rng.uniform(-0.05, 0.05, 3)
    after = reach(motion, end, np.arange(80, 90), np.tile(wanted, (10, 1)))
    assert np.allclose(point_positions(after, (point,))[80:90, 0], wanted, atol=2e-3)
    assert np.abs(after.rotations - motion.rotations)[:20].max() < 5e-3
    assert np.abs(after.rotations - motion.rotations)[150:].max() < 5e-3
    others = [j for j in range(motion.skeleton.joint_count) if j not in (limb.root, limb.middle, limb.end)]
    assert np.array_equal(after.rotations[:, others], motion.rotations[:, others])


@pytest.mark.parametrize("away", [(2.0, 1.0, 0.0), (-3.0, 0.0, 2.0), (0.0, 50.0, 0.0)])
def test_what_is_out_of_reach_is_approached_calmly(away):
    motion = moving(5, frames=120)
    limb, point = end_point(motion.skeleton, "left_hand")
    after = reach(motion, "left_hand", [60], [motion.world_positions[60, limb.root] + away], ease_s=0.3)
    shoulder = motion.world_positions[60, limb.root]
    end = point_positions(after, (point,))[60, 0] - shoulder
    before = point_positions(motion, (point,))[60, 0] - shoulder
    direction = np.array(away) / np.linalg.norm(away)
    assert end @ direction > before @ direction
    assert end @ direction > 0.8 * np.linalg.norm(end)
    assert np.isfinite(after.rotations).all()
    bends = [_bend(one, limb) for one in (motion, after)]
    assert bends[1].min() > min(0.03, bends[0].min())
    assert np.linalg.norm(np.diff(after.world_positions[:, limb.end], axis=0), axis=1).max() < 0.25


def _bend(motion: Motion, limb) -> np.ndarray:
    """Return how far an elbow is bent to the side to which it bends, radians."""
    local = motion.rotations[:, limb.middle]
    return -quaternion.log(local)[:, 1]


def test_reaching_says_what_it_expects():
    motion = moving(1)
    with pytest.raises(UnknownName, match="end of a limb"):
        reach(motion, "left_ear", [3], [[0.0, 0.0, 0.0]])
    with pytest.raises(InvalidInput, match="positions"):
        reach(motion, "left_hand", [3, 4], [[0.0, 0.0, 0.0]])
    with pytest.raises(InvalidInput, match="frames from 0 to 59"):
        reach(motion, "left_hand", [60], [[0.0, 0.0, 0.0]])


@pytest.mark.parametrize("kind", KINDS)
def test_variants_of_captures_make_physical_sense(kind: str, mocap: Path):
    every = captured(mocap, kind)
    chosen = np.linspace(0, len(every) - 1, 4).round().astype(int)
    examples = gather([every[number] for number in chosen], cyclic=KINDS[kind][1])
    model = learn(examples)
    variants = [model.sample(seed) for seed in range(15)]
    report = physical.compare(
        [(variant.motion, variant.contacts) for variant in variants],
        [(item.motion, item.contacts) for item in examples.items],
        examples.encoding,
    )
    assert report.passes, report.describe()
