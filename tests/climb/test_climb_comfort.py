"""Each heuristic of comfort is 1 at its ideal and grows with the deviation; together they multiply."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.climb_cases import box

from gambol.climb.environment_table import distance_field
from gambol.climb.figure import FREE, Figure
from gambol.climb.kernels.comfort import HEURISTICS, USAGE, heuristic, log_discomfort
from gambol.climb.kernels.kinematics import place
from gambol.climb.modes import Mode
from gambol.world import Environment

FloatArray = NDArray[np.float64]

FIGURE = Figure()
FIELD = distance_field(Environment((-3.0, -1.0, 3.0, 4.0), [box(-3.0, -1.0, 3.0, 0.0)], []))
HELD, NOTHING = (0, 1, 2, 3), (FREE, FREE, FREE, FREE)
SPAN = (-0.1, 0.2)


def values(
    which: str, mode: Mode, q: FloatArray, grasps: tuple[int, ...] = HELD, centre_x: float = 0.05, facing: float = 1.0
) -> float:
    """Return a heuristic's value: 1 is ideal."""
    points = np.empty((12, 2))
    place(FIGURE.table, facing, q, points)
    held = np.array(grasps, dtype=np.int32)
    low, high = SPAN if facing > 0.0 else (-SPAN[1], -SPAN[0])
    at = HEURISTICS.index(which)
    return math.exp(heuristic(at, FIGURE.table, FIELD, int(mode), q, points, centre_x, low, high, held))


def posture(**angles: float) -> FloatArray:
    """Return a figure in the air whose coordinates are 0 but for some: elbows, knees … are set on both sides."""
    names = {"lean": [2], "neck": [3], "arms": [4, 6], "elbows": [5, 7], "thighs": [8, 10], "knees": [9, 11]}
    q = np.zeros(12)
    q[1] = 1.5
    for name, angle in angles.items():
        q[names[name]] = angle
    return q


def at_height(knee_m: float) -> FloatArray:
    """Return someone on all fours whose knees are so high above the ground, with their thickness."""
    q = posture(lean=1.4, arms=1.4, thighs=1.4, knees=1.5)
    q[1] = knee_m + FIGURE.table.radius[7] + FIGURE.table.thigh
    return q


def one_arm(off: float) -> FloatArray:
    """Return a stride with arms against legs, one arm off by so much."""
    q = posture(lean=0.06)
    q[8], q[10] = 0.46, -0.34
    for side in range(2):
        arm = 0.75 * (q[10 - 2 * side] - q[2]) - 0.06
        q[4 + 2 * side], q[5 + 2 * side] = q[2] + arm, 0.35 + 0.3 * max(0.0, arm)
    q[4] += off
    return q


#: How a posture that is off its ideal by some amount looks, in each mode in which the heuristic counts.
OFF: dict[tuple[str, Mode], tuple[Callable[[float], FloatArray], tuple[int, ...]]] = {
    ("upright_spine", Mode.WALK): (lambda off: posture(lean=0.06 + off), HELD),
    ("upright_spine", Mode.CLIMB): (lambda off: posture(lean=0.06 + off), HELD),
    ("limb_counter", Mode.WALK): (one_arm, HELD),
    ("comfy_limbs", Mode.WALK): (lambda off: posture(knees=0.18 + off), HELD),
    ("comfy_limbs", Mode.SWING): (lambda off: posture(elbows=0.3 + off, knees=1.1), HELD),
    ("comfy_limbs", Mode.CLIMB): (lambda off: posture(elbows=0.9, knees=1.1 + off), HELD),
    ("comfy_limbs", Mode.CRAWL): (lambda off: posture(elbows=0.25, thighs=1.5 + off), HELD),
    ("head_up", Mode.WALK): (lambda off: posture(neck=off), HELD),
    ("head_up", Mode.CRAWL): (lambda off: posture(neck=off), HELD),
    ("hand_down", Mode.CLIMB): (lambda off: posture(arms=0.15 + off, elbows=0.4), NOTHING),
    ("hand_down", Mode.SWING): (lambda off: posture(arms=0.15, elbows=0.4 + off), NOTHING),
    ("legs_hang", Mode.SWING): (lambda off: posture(thighs=0.12 + off, knees=0.4), NOTHING),
    ("legs_hang", Mode.CLIMB): (lambda off: posture(thighs=0.12, knees=0.4 + off), NOTHING),
}


@pytest.mark.parametrize("case", OFF, ids=lambda case: f"{case[0]}, {case[1].label}")
def test_each_is_one_at_its_ideal_and_grows_to_both_sides(case: tuple[str, Mode]) -> None:
    (name, mode), (make, grasps) = case, OFF[case]
    assert USAGE[HEURISTICS.index(name)][mode] > 0.0
    assert values(name, mode, make(0.0), grasps) == pytest.approx(1.0, abs=1e-9)
    for side in (1.0, -1.0):
        grown = [values(name, mode, make(side * off), grasps) for off in np.linspace(0.0, 0.9, 10)]
        assert np.all(np.diff(grown) > 0.0)


def test_a_spine_that_leans_by_its_tolerance_counts_twice() -> None:
    assert values("upright_spine", Mode.WALK, posture(lean=0.06 + 0.20)) == pytest.approx(2.0)
    assert values("upright_spine", Mode.CLIMB, posture(lean=0.06 + 0.45)) == pytest.approx(2.0)


@pytest.mark.parametrize("mode", Mode)
def test_balance_is_best_in_the_middle_of_what_holds_and_bad_beyond_it(mode: Mode) -> None:
    centres = np.linspace(0.05, 0.6, 12)
    grown = [values("balance", mode, posture(), centre_x=x) for x in centres]
    assert grown[0] == pytest.approx(1.0)
    assert np.all(np.diff(grown) > 0.0)
    assert grown == pytest.approx([values("balance", mode, posture(), centre_x=0.1 - x) for x in centres])
    if mode != Mode.SWING:
        inside, beyond = (values("balance", mode, posture(), centre_x=x) for x in (0.19, 0.26))
        assert inside < 1.3
        assert beyond > 3.0


def test_knees_that_crawl_are_on_the_ground() -> None:
    heights = (0.0, 0.02, 0.04, 0.1, 0.2, 0.4)
    grown = [values("knees_down", Mode.CRAWL, at_height(height)) for height in heights]
    assert grown[:3] == pytest.approx([1.0] * 3, abs=0.01)
    assert np.all(np.diff(grown[2:]) > 0.1)


def test_limbs_that_hold_keep_a_bend_and_free_ones_need_not() -> None:
    for mode in Mode:
        assert values("keeps_bend", mode, posture(elbows=0.5, knees=0.5)) == 1.0
        assert (
            values("keeps_bend", mode, posture()) > values("keeps_bend", mode, posture(elbows=0.05, knees=0.05)) > 1.0
        )
        assert values("keeps_bend", mode, posture(), NOTHING) == 1.0


def test_what_only_free_limbs_have_to_do_is_nothing_to_those_that_hold() -> None:
    odd = posture(arms=2.0, thighs=2.0, knees=2.0)
    for name in ("hand_down", "legs_hang"):
        assert values(name, Mode.SWING, odd, HELD) == 1.0
        assert values(name, Mode.SWING, odd, NOTHING) > 10.0


@pytest.mark.parametrize("mode", Mode)
def test_discomfort_is_the_product_of_all_with_their_powers_whichever_way_one_faces(mode: Mode) -> None:
    rng = np.random.default_rng(int(mode))
    usage = np.array(USAGE)
    for _ in range(20):
        q = np.array([0.0, rng.uniform(0.9, 1.6), *rng.uniform(FIGURE.table.low[2:], FIGURE.table.high[2:])])
        grasps = tuple(int(held) for held in rng.integers(-1, 1, 4))
        centre_x = float(rng.uniform(-0.5, 0.5))
        product = math.prod(
            values(name, mode, q, grasps, centre_x) ** usage[at, mode] for at, name in enumerate(HEURISTICS)
        )
        points = np.empty((12, 2))
        for facing in (1.0, -1.0):
            place(FIGURE.table, facing, q, points)
            low, high = SPAN if facing > 0.0 else (-SPAN[1], -SPAN[0])
            held = np.array(grasps, dtype=np.int32)
            log = log_discomfort(
                FIGURE.table, FIELD, usage, int(mode), q, points, facing * centre_x, low, high, held
            )  # fmt: skip
            assert log == pytest.approx(math.log(product), abs=1e-6)
            assert log >= 0.0
