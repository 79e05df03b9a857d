"""What grasps can hold, against the forces that would have to hold it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from tests.support.climb_cases import bars, floor_points, wall_points

from gambol.climb.environment_table import WALL, GraspTable, grasp_table
from gambol.climb.figure import FIGURES, FREE, Figure
from gambol.climb.kernels.gravity import BALL_M, HANGING_M, HEEL_M, ONE_HAND_PULL, TWO_HANDS_PULL, held_span
from gambol.world import Environment

FloatArray = NDArray[np.float64]


def span_of(
    figure: Figure, table: GraspTable, grasps: tuple[int, ...], *, facing: float, pulls: bool, left_out: int = -1
) -> tuple[float, float]:
    held = np.array(grasps, dtype=np.int32)
    return held_span(figure.table, table.anchor, table.surface, pulls, facing, held, left_out)


def span_by_forces(
    figure: Figure, table: GraspTable, grasps: tuple[int, ...], *, facing: float, pulls: bool
) -> tuple[float, float]:
    """Return where the centre of mass may be, by a linear program over forces, in body weights.

    Upward forces, none negative, at heels and balls of feet and at hands; level forces of pulling hands and of the
    feet against them, together no more than hands can pull; hands alone also turn the body by their grip.
    """
    side, scale = (0 if facing > 0 else 1), figure.scale
    hands = [table.anchor[side, grasp, 0] for grasp in grasps[:2] if grasp != FREE]
    feet = [(table.anchor[side, grasp, 1], table.surface[grasp] == WALL) for grasp in grasps[2:] if grasp != FREE]
    upward = [x for x, _ in hands]
    for (x, _), on_wall in feet:
        upward += [x] if on_wall else [x - facing * HEEL_M * scale, x + facing * BALL_M * scale]
    level_hands = [z for _, z in hands] if pulls and feet else []
    level_feet = [z for (_, z), _ in feet] if level_hands else []
    most = {0: 0.0, 1: ONE_HAND_PULL, 2: TWO_HANDS_PULL}[len(level_hands)]
    grip = HANGING_M * scale if hands and not feet else 0.0
    # Unknown: upward forces; level ones, to the right and to the left, of hands and of feet; the grip; the centre's x.
    count, levels = len(upward), level_hands + level_feet
    zeros = np.zeros(len(levels))
    weight = [*np.ones(count), *zeros, *zeros, 0.0, 0.0]
    balance = [*np.zeros(count), *np.ones(len(levels)), *-np.ones(len(levels)), 0.0, 0.0]
    moments = [*upward, *levels, *-np.array(levels), 1.0, -1.0]
    of_hands = np.array([True] * len(level_hands) + [False] * len(level_feet), dtype=bool)
    limits = [[*np.zeros(count), *chosen, *chosen, 0.0, 0.0] for chosen in (of_hands * 1.0, ~of_hands * 1.0)]
    bounds = [(0.0, None)] * (count + 2 * len(levels)) + [(-grip, grip), (None, None)]
    ends = []
    for sign in (1.0, -1.0):
        aim = np.zeros(len(weight))
        aim[-1] = sign
        solved = linprog(
            aim, A_ub=limits, b_ub=[most, most], A_eq=[weight, balance, moments], b_eq=[1.0, 0.0, 0.0], bounds=bounds
        )
        assert solved.success
        ends.append(float(solved.x[-1]))
    return ends[0], ends[1]


@pytest.mark.parametrize("seed", range(40))
def test_spans_are_what_forces_can_hold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    figure = list(FIGURES.values())[seed % len(FIGURES)]
    low = [*floor_points(rng.uniform(0.0, 2.0, 3)), *wall_points(2.5, rng.uniform(0.1, 0.5, 2))]
    high = [*bars(rng.uniform(0.0, 2.0, 3), 2.0), *wall_points(2.5, rng.uniform(1.2, 1.9, 2))]
    table = grasp_table(Environment((-1.0, -1.0, 4.0, 4.0), [], [*low, *high]), figure)
    held = [int(rng.integers(len(low), len(low) + len(high))) for _ in range(2)]
    held += [int(rng.integers(len(low))) for _ in range(2)]
    free = rng.random(4) < 0.35
    if free.all():
        free[rng.integers(4)] = False
    hands = (FREE if free[0] else held[0], FREE if free[1] else held[1])
    grasps = (*hands, FREE if free[2] else held[2], FREE if free[3] else held[3])
    facing, pulls = float(rng.choice([-1.0, 1.0])), bool(rng.random() < 0.7)
    ours = span_of(figure, table, grasps, facing=facing, pulls=pulls)
    assert ours == pytest.approx(span_by_forces(figure, table, grasps, facing=facing, pulls=pulls), abs=1e-6)


def test_a_limb_that_is_left_out_counts_as_free() -> None:
    figure = Figure()
    table = grasp_table(Environment((-1.0, -1.0, 4.0, 4.0), [], [*floor_points([0.0, 0.6]), *bars([0.3], 2.0)]), figure)
    for limb, without in enumerate([(FREE, FREE, 0, 1), (2, FREE, 0, 1), (2, FREE, FREE, 1), (2, FREE, 0, FREE)]):
        held = span_of(figure, table, (2, FREE, 0, 1), facing=1.0, pulls=True, left_out=limb)
        assert held == span_of(figure, table, without, facing=1.0, pulls=True)
    nothing = span_of(figure, table, (FREE, FREE, FREE, FREE), facing=1.0, pulls=True)
    assert nothing[0] > nothing[1]


def test_more_that_is_held_never_holds_less() -> None:
    figure, rng = Figure(), np.random.default_rng(1)
    points = [*floor_points(rng.uniform(0.0, 2.0, 4)), *bars(rng.uniform(0.0, 2.0, 4), 2.0)]
    table = grasp_table(Environment((-1.0, -1.0, 4.0, 4.0), [], points), figure)
    for _ in range(50):
        grasps = (*rng.integers(4, 8, 2).tolist(), *rng.integers(0, 4, 2).tolist())
        whole = span_of(figure, table, grasps, facing=1.0, pulls=True)
        for limb in range(4):
            low, high = span_of(figure, table, grasps, facing=1.0, pulls=True, left_out=limb)
            assert whole[0] <= low
            assert high <= whole[1]
