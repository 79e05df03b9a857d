"""The search over stances: its postures, its graph of grasp points, its dead ends, and what it prefers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.climb_cases import bars, box, flat, floor_points, problem_in, small_problems

from gambol.climb.climb import ClimbMotion, ClimbPath, Source
from gambol.climb.core import FoundPath
from gambol.climb.figure import FREE, LIMB_POINTS
from gambol.climb.kernels.chance import chance_state
from gambol.climb.kernels.kinematics import within_limits
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbGoal, ClimbProblem, ClimbStart
from gambol.climb.scene import climb_problems
from gambol.climb.stances import machine, search
from gambol.climb.stances.core import StancesCore
from gambol.climb.stances.postures import MARGIN_M, Poser
from gambol.climb.stances.setting import StanceSetting
from gambol.climb.stances.stance import Stance
from gambol.errors import InvalidInput, UnknownName
from gambol.judges import Solids, capsules_of, mass_centres, points_of
from gambol.scenes import load_scene
from gambol.search import Outcome
from gambol.stages import Climber, climber
from gambol.world import Environment

SMALL = small_problems()
SCENES = ("climb-down", "climb-fork")
FIELD_M = 0.003  # how far a field of distances may be off where something is near


def problem_named(name: str) -> ClimbProblem:
    return SMALL[name] if name in SMALL else next(iter(climb_problems(load_scene(name)).values()))


@cache
def found(name: str) -> FoundPath:
    climb = StancesCore().search(replace(problem_named(name), seed=0, max_stances=2500))
    assert climb.outcome == Outcome.FOUND, climb.reason
    return climb


def path_of(name: str) -> ClimbPath:
    path = found(name).path
    assert path is not None
    return path


def stances_of(path: ClimbPath) -> Iterator[tuple[Stance, NDArray[np.float64]]]:
    """Yield every stance in which something has just been taken, and the posture in it."""
    for row in path.grasp_changes:
        if np.any((path.grasps[row] != path.grasps[row - 1]) & (path.grasps[row] != FREE)):
            held = path.grasps[row].tolist()
            stance = Stance(Mode(path.modes[row]), int(path.facings[row]), (held[0], held[1], held[2], held[3]))
            yield stance, path.configurations[row]


@pytest.mark.parametrize("name", SMALL)
def test_a_fitted_posture_keeps_all_that_it_must(name: str) -> None:
    """From the known posture pushed about: what is held is held, joints and clearance and balance are kept."""
    problem, rng = SMALL[name], np.random.default_rng(1)
    setting = StanceSetting.of(problem)
    poser = Poser(setting, chance_state(1))
    solids = Solids(problem.environment.polygons)
    fitted = 0
    for stance, q in stances_of(path_of(name)):
        start = q + rng.normal(0.0, 0.1, 12)
        span = setting.span(stance.mode, stance.facing, stance.grasps)
        if stance.mode == Mode.SWING:
            span = span[0] - 0.3, span[1] + 0.3
        posture = poser.fit(stance, start, span, effort=2.0)
        if posture is None:
            continue
        fitted += 1
        points = points_of(problem.figure, np.array([stance.facing]), posture.q[None])
        targets = setting.targets(stance.facing, stance.grasps)
        for limb, grasp in enumerate(stance.grasps):
            if grasp != FREE:
                assert points[0, LIMB_POINTS[limb]] == pytest.approx(targets[limb], abs=1e-6)
        assert within_limits(problem.figure.table, posture.q)
        centre = mass_centres(problem.figure, points)[0, 0]
        assert span[0] - 1e-6 <= centre <= span[1] + 1e-6
        capsules = capsules_of(problem.figure, points)
        clear = solids.clearances(capsules.starts[0], capsules.ends[0], capsules.radii)
        assert clear.min() >= MARGIN_M - FIELD_M
    assert fitted >= 0.8 * len(list(stances_of(path_of(name))))


@pytest.mark.parametrize("name", ["flat", "bars"])
def test_a_seed_says_it_all(name: str) -> None:
    again, other = (StancesCore().search(replace(SMALL[name], seed=seed)).path for seed in (0, 1))
    assert again is not None
    assert other is not None
    for field in ("configurations", "facings", "modes", "grasps", "sources"):
        assert np.array_equal(getattr(again, field), getattr(path_of(name), field))
    assert len(other) != len(again) or not np.array_equal(other.configurations, again.configurations)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, *SCENES])
def test_what_is_held_at_once_are_neighbours_in_the_graph(name: str) -> None:
    """Where the graph leads nowhere the search gives up at once: it must never be too strict."""
    graph = StanceSetting.of(problem_named(name)).graph
    neighbours = {frozenset(pair) for pair in graph.edges.tolist()}
    path = path_of(name)
    held = {frozenset(pair) for grasps in path.grasps for pair in combinations(grasps[grasps != FREE].tolist(), 2)}
    assert len(held) > 5
    assert {pair for pair in held if len(pair) == 2} <= neighbours
    assert np.isfinite(graph.left[path.grasps[path.grasps != FREE]]).all()


def test_the_way_left_is_the_shortest_over_neighbours() -> None:
    """No neighbour is nearer to the goal by more than the way between the two."""
    setting = StanceSetting.of(SMALL["wall"])
    graph = setting.graph
    first, second = graph.edges.T
    direct = np.hypot(*(graph.bodies[first] - graph.bodies[second]).T)
    near = np.hypot(*(graph.bodies - (5.0, 3.6)).T)
    assert np.all(graph.left >= near - 1e-3)
    easy = direct < 0.3  # what is near costs its way and nothing more
    apart = np.abs(graph.left[first] - graph.left[second])
    assert easy.sum() > 10
    assert np.all(apart[easy] <= direct[easy] + 1e-3)


@pytest.mark.parametrize(
    ("name", "shown", "least"),
    [("flat", Mode.WALK, 1.0), ("tunnel", Mode.CRAWL, 0.4), ("wall", Mode.CLIMB, 0.3), ("bars", Mode.SWING, 0.4)],
)
def test_each_place_shows_the_mode_that_it_asks_for(name: str, shown: Mode, least: float) -> None:
    path = path_of(name)
    assert np.mean(path.modes == shown) >= least
    assert path.modes[0] == path.modes[-1] == Mode.WALK
    if name in ("tunnel", "bars"):
        assert set(path.modes.tolist()) == {Mode.WALK, shown}


def test_a_tunnel_is_crawled_and_what_is_before_it_is_walked() -> None:
    path = path_of("tunnel")
    x = path.configurations[:, 0]
    assert np.all(path.modes[x < 1.0] == Mode.WALK)
    assert np.all(path.modes[(x > 3.2) & (x < 4.8)] == Mode.CRAWL)


def test_who_comes_out_of_a_tunnel_stands_up_soon() -> None:
    path = path_of("tunnel")
    assert np.all(path.modes[path.configurations[:, 0] > 5.5 + 1.2] == Mode.WALK)


def strides(problem: ClimbProblem) -> NDArray[np.float64]:
    path = StancesCore().search(problem).path
    assert path is not None
    x = np.array([point.x for point in problem.environment.grasp_points])
    feet = x[path.grasps[:, 2:]]
    both = np.all(path.grasps[:, 2:] != FREE, axis=1)
    apart = np.abs(feet[both, 0] - feet[both, 1])
    changed = np.concatenate([[True], np.any(np.diff(path.grasps[both, 2:], axis=0) != 0, axis=1)])
    return apart[changed & (apart > 0.05)]


@pytest.mark.parametrize("times", [1, 10])
def test_ten_times_the_grasp_points_leave_the_stride(times: int) -> None:
    plain = flat()
    points = floor_points(np.arange(0.0, 8.0, 0.3 / times))
    problem = problem_in(Environment(plain.bounds, plain.polygons, points))
    found_strides = strides(problem)
    assert len(found_strides) >= 6
    assert found_strides.mean() == pytest.approx(machine.STRIDE_M, rel=0.25)


class TestDeadEnds:
    """The fork, whose short branch cannot be passed, and the way down [KP00 5]."""

    @pytest.mark.slow
    def test_the_fork_is_left_only_by_who_learns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tries = found("climb-fork").statistics["tries"]
        monkeypatch.setattr(search, "TRY_COSTS", dict.fromkeys(Mode, 0.0))
        climb = StancesCore().search(replace(problem_named("climb-fork"), seed=0, max_stances=tries))
        assert climb.outcome == Outcome.OUT_OF_BUDGET
        assert climb.path is not None
        assert climb.path.configurations[-1, 0] > 4.0, "it is still at the wall whose holds are missing"

    def test_the_long_way_goes_over_the_bars(self) -> None:
        path = path_of("climb-fork")
        assert Mode.SWING in path.modes
        assert path.configurations[:, 0].min() < 2.5  # up the steps, away from the goal

    def test_who_climbs_down_turns_round_and_faces_the_wall(self) -> None:
        path = path_of("climb-down")
        assert path.configurations[-1, 1] < path.configurations[0, 1] - 1.5
        turning = np.abs(path.facings) < 1.0
        assert turning.any()
        assert np.all(path.modes[turning] == Mode.WALK)
        assert np.all(path.grasps[turning, 2] == path.grasps[turning, 3])
        climbing = path.modes == Mode.CLIMB
        assert climbing.any()
        assert np.all(path.facings[climbing] == -path.facings[0])


class TestWhyNot:
    """Finding nothing is an outcome that says why."""

    def test_a_goal_inside_something(self) -> None:
        climb = StancesCore().search(replace(SMALL["flat"], goal=ClimbGoal(3.0, -0.3)))
        assert (climb.outcome, climb.path) == (Outcome.GOAL_BLOCKED, None)
        assert "inside something solid" in climb.reason

    def test_a_start_in_a_mode_it_cannot_start_in_is_said(self) -> None:
        found = StancesCore().search(replace(SMALL["flat"], start=ClimbStart(0.0, 0.0, mode=Mode.CRAWL)))
        assert found.outcome == Outcome.START_BLOCKED
        assert "not in crawl" in found.reason

    def test_a_start_with_nothing_to_stand_on(self) -> None:
        climb = StancesCore().search(replace(SMALL["flat"], start=ClimbStart(0.0, 2.5)))
        assert climb.outcome == Outcome.START_BLOCKED
        assert "no foothold" in climb.reason

    def test_a_start_with_no_room(self) -> None:
        low = Environment(
            (-1.0, -0.5, 6.0, 3.0),
            [box(-1.0, -0.5, 6.0, 0.0), box(-1.0, 0.6, 1.5, 3.0)],
            floor_points(np.arange(0.0, 5.0, 0.3)),
        )
        climb = StancesCore().search(problem_in(low, goal_x=4.0))
        assert climb.outcome == Outcome.START_BLOCKED
        assert "no room" in climb.reason

    def test_a_gap_is_named_by_its_two_sides(self) -> None:
        split = Environment(
            (-1.0, -2.0, 12.0, 3.0), [box(-1.0, -2.0, 2.0, 0.0), box(8.0, -2.0, 12.0, 0.0)],
            [*floor_points(np.arange(0.0, 2.0, 0.3)), *floor_points(np.arange(8.1, 11.0, 0.3))],
        )  # fmt: skip
        climb = StancesCore().search(problem_in(split, goal_x=10.0))
        assert climb.outcome == Outcome.UNREACHABLE
        assert "(1.80, 0.00)" in climb.reason
        assert "(8.10, 0.00)" in climb.reason

    def test_too_few_tries_come_as_near_as_they_can(self) -> None:
        climb = StancesCore().search(replace(SMALL["flat"], max_stances=4))
        assert climb.outcome == Outcome.OUT_OF_BUDGET
        assert climb.path is not None
        assert climb.path.configurations[-1, 0] > 1.0
        assert climb.reason.startswith("after 4 changes of grasp tried")

    def test_bars_out_of_reach_end_the_search_by_itself(self) -> None:
        pit = Environment(
            (-1.0, -2.5, 8.0, 5.0),
            [box(-1.0, -2.5, 2.0, 0.0), box(2.0, -2.5, 5.0, -2.0), box(5.0, -2.5, 8.0, 0.0)],
            [*floor_points([1.2, 1.5, 1.8]), *floor_points([5.2, 5.5]), *bars([1.8, 2.2], 2.2)],
        )
        climb = StancesCore().search(problem_in(pit, start_x=1.2, goal_x=5.5))
        assert climb.outcome == Outcome.UNREACHABLE
        assert climb.reason


class TestSeveralSeeds:
    """The lowest seed that succeeds wins."""

    @pytest.fixture
    def lucky(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """Let seeds 3 and 5 succeed, and return the list of those that were asked."""
        asked: list[int] = []

        class Lucky:
            def search(self, problem: ClimbProblem) -> FoundPath:
                asked.append(problem.seed)
                return FoundPath(Outcome.FOUND if problem.seed in (3, 5) else Outcome.OUT_OF_BUDGET, "", None)

        monkeypatch.setitem(climber.CORES, "lucky", Lucky)
        return asked

    def test_the_lowest_wins_and_later_ones_are_not_asked(self, lucky: list[int]) -> None:
        climb = Climber(core="lucky", seeds=8).solve(replace(SMALL["flat"], seed=1))
        assert (climb.outcome, climb.problem.seed) == (Outcome.FOUND, 3)
        assert lucky == [1, 2, 3]

    def test_if_none_does_the_first_is_told(self, lucky: list[int]) -> None:
        climb = Climber(core="lucky", seeds=2).solve(SMALL["flat"])
        assert (climb.outcome, climb.problem.seed) == (Outcome.OUT_OF_BUDGET, 0)
        assert lucky == [0, 1]

    @pytest.mark.slow
    def test_processes_change_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(climber, "timed", lambda _, path, rate_hz, *__, **___: ClimbMotion(path, rate_hz))
        climb = Climber(seeds=2, processes=2, smoothing=False).solve(replace(SMALL["flat"], seed=0))
        assert climb.planned is not None
        assert np.array_equal(climb.planned.configurations, path_of("flat").configurations)

    def test_bad_settings_are_refused(self) -> None:
        with pytest.raises(UnknownName):
            Climber(core="luck")
        with pytest.raises(InvalidInput):
            Climber(seeds=0)
        with pytest.raises(InvalidInput):
            Climber(rate_hz=0.0)


def test_the_machine_has_every_edge_once_and_standing_up_is_cheap() -> None:
    pairs = [(edge.source, edge.target) for edge in machine.EDGES]
    assert len(pairs) == len(set(pairs)) == 16
    for mode in (Mode.CLIMB, Mode.SWING, Mode.CRAWL):
        assert machine.COSTS[mode, Mode.WALK] < machine.COSTS[Mode.WALK, mode]
    assert all(edge.when and edge.action and edge.cost > 0.0 for edge in machine.EDGES)


def test_paths_say_which_part_made_them() -> None:
    assert set(path_of("wall").sources.tolist()) == {Source.MACHINE, Source.COMFORT}
