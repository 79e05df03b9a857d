"""What the ground must do to a body is known where the body is moved by a known force."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import shapely
from tools.authoring.walk import walk

from gambol.characters import load_character
from gambol.errors import InvalidInput
from gambol.files import ReadOptions, read_motion
from gambol.motion.balance import (
    GRAVITY_M_S2,
    HALF_WIDTH_M,
    _distance_to_hull,
    centre_of_mass,
    measure_balance,
)
from gambol.motion.contacts import Contacts, contact_points, detect_contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.quality import measure_quality
from gambol.motion.skeleton import Skeleton

RATE_HZ = 60.0


def standing(moved: np.ndarray) -> tuple[Motion, Contacts]:
    """Hold the stand of the built-in human, moved as a whole (F, 3), its feet counted as planted."""
    clip = load_character("human").behavior("stand").clips[0].motion
    count = len(moved)
    motion = Motion(
        clip.skeleton, RATE_HZ, clip.root_positions[:1] + moved, np.repeat(clip.rotations[:1], count, axis=0)
    )
    points = contact_points(clip.skeleton)
    planted = np.repeat([[not point.is_hand for point in points]], count, axis=0)
    return motion, Contacts(points, planted, Ground(0.0))


def times(count: int = 120) -> np.ndarray:
    return np.arange(count) / RATE_HZ


def test_who_stands_is_pushed_by_the_weight_from_below():
    motion, contacts = standing(np.zeros((120, 3)))
    balance = measure_balance(motion, contacts=contacts)
    assert balance.push == pytest.approx(np.tile((0.0, 0.0, GRAVITY_M_S2), (120, 1)), abs=1e-6)
    assert balance.missed == 0.0
    assert np.all(balance.outside_m == 0.0)


def test_the_line_of_the_force_leans_as_the_body_speeds_up():
    push = 4.0
    motion, contacts = standing(0.5 * push * times()[:, None] ** 2 * (0.0, 1.0, 0.0))
    balance = measure_balance(motion, contacts=contacts)
    inside = slice(30, -30)
    assert balance.push[inside, 1] == pytest.approx(push, rel=1e-3)
    ends = balance.centre[inside, 1] - balance.centre[inside, 2] * push / GRAVITY_M_S2
    right = motion.world_positions[inside, motion.skeleton.index("RightFoot"), 1]
    assert balance.outside_m[inside] == pytest.approx(right - ends - HALF_WIDTH_M, abs=0.02)
    assert balance.missed is not None
    assert balance.missed > 0.9


def test_in_free_fall_nothing_pushes():
    motion, contacts = standing(-0.5 * GRAVITY_M_S2 * times()[:, None] ** 2 * (0.0, 0.0, 1.0))
    balance = measure_balance(motion, contacts=contacts)
    assert balance.push[30:-30] == pytest.approx(0.0, abs=0.02)
    assert np.all(np.isnan(balance.outside_m[30:-30]))


def test_the_centre_of_mass_is_below_the_navel_of_who_stands():
    motion, _ = standing(np.zeros((40, 3)))
    height = centre_of_mass(motion)[0, 2]
    assert 0.53 < height / 1.75 < 0.58  # of the stature, for standing men


def test_the_distance_to_a_hull_is_shapelys():
    rng = np.random.default_rng(5)
    for count in (2, 3, 4, 6):
        points = rng.normal(size=(50, count, 2))
        for own, found in zip(points, _distance_to_hull(points), strict=True):
            assert found == pytest.approx(
                shapely.MultiPoint(own).convex_hull.distance(shapely.Point(0.0, 0.0)), abs=1e-9
            )


def test_nobody_without_limbs_has_a_balance():
    rod = Motion(
        Skeleton(["Hips"], [-1], [(0.0, 0.0, 1.0)]), 60.0, np.zeros((40, 3)), np.tile((1.0, 0.0, 0.0, 0.0), (40, 1, 1))
    )
    with pytest.raises(InvalidInput, match="head, hips, two arms and two legs"):
        measure_balance(rod)
    assert measure_quality(rod).force_missed is None


def test_the_report_says_how_often_the_force_misses():
    quality = measure_quality(walk())
    assert quality.force_missed is not None
    assert quality.as_dict()["force_missed"] == quality.force_missed
    assert "would begin beside the feet" in quality.describe()


def test_captured_joggers_push_with_their_feet(mocap: Path):
    shares = []
    for row in csv.DictReader((mocap / "INDEX.csv").open()):
        if row["group"] == "jog_forward":
            motion = read_motion(mocap / row["file"], ReadOptions(rate_hz=float(row["fps_true"]))).motion
            shares.append(measure_balance(motion, contacts=detect_contacts(motion)).missed)
    assert len(shares) >= 9
    assert np.median(shares) <= 0.05
    assert max(shares) <= 0.30
