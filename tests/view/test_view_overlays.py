"""What may be laid over a plan: where it is drawn, in few messages, from the look-ups that there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from gambol.characters import Character, load_character
from gambol.search import AStar, Goal, Outcome, Plan, Problem, closed_cells
from gambol.trees import LookUp, SearchTree, TreePlanner, grow_cheapest
from gambol.trees.question import Journey, Question
from gambol.trees.trace_back import trace_back
from gambol.view.plan import looked_up as looking
from gambol.view.plan.looked_up import looked_up
from gambol.view.plan.overlays import LEGENDS, OVERLAYS
from gambol.view.plan.tree_overlays import tree_outline
from gambol.world import Footprint, Obstacle, Terrain, World

NAMES = (
    "jog", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog", "jump-over", "crawl",
    "start", "go", "stop", "short-stop", "stand",
)  # fmt: skip
BOUNDS = (0.0, 0.0, 40.0, 20.0)
MOST_MESSAGES = 10  # of an overlay, numbers of joins aside
KINDS = ("line_segments", "point_cloud", "batched_meshes_simple", "image", "label")


class Drawn:
    """A scene that only notes what is added to it."""

    def __init__(self) -> None:
        self.calls: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {}

    def __getattr__(self, what: str) -> Any:
        assert what.removeprefix("add_") in KINDS

        def add(name: str, *values: Any, **options: Any) -> None:
            assert name not in self.calls
            self.calls[name] = what.removeprefix("add_"), values, options

        return add

    def points(self, name: str) -> np.ndarray:
        return np.asarray(self.calls[f"/o/{name}"][1][0])

    def words(self) -> list[str]:
        return [values[0] for kind, values, _ in self.calls.values() if kind == "label"]


@pytest.fixture(scope="module")
def jogger() -> Character:
    return load_character("human").only(NAMES)


@pytest.fixture(scope="module")
def trees(jogger: Character) -> tuple[SearchTree, ...]:
    return tuple(grow_cheapest(jogger, nodes=12_000, begins=label) for label in ("stand", "jog-left"))


@pytest.fixture
def no_growing(trees: tuple[SearchTree, ...], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small trees for those that take seconds to grow."""
    looking._TREES.clear()
    monkeypatch.setattr(looking, "trees_for", lambda _: trees)
    yield
    looking._TREES.clear()


def boxes(terrain: Terrain | None = None) -> World:
    wall = Obstacle("wall", Footprint.box(0.5, 12.0), (20.0, 8.0, 0.2))
    post = Obstacle("post", Footprint.disc(0.8), (10.0, 10.5, 0.0))
    hurdle = Obstacle("hurdle", Footprint.box(0.2, 8.0), (30.0, 12.0, 0.0), 0.0, 0.3)
    return World(BOUNDS, (wall, post, hurdle), terrain=terrain)


def course(jogger: Character, world: World | None = None, **changes: object) -> Problem:
    problem = Problem(boxes() if world is None else world, jogger, (2.0, 10.0, 0.0), Goal(37.0, 10.0))
    return replace(problem, **changes)  # pyright: ignore


def hills() -> Terrain:
    x, y = np.meshgrid(np.linspace(0.0, 40.0, 81), np.linspace(0.0, 20.0, 41))
    return Terrain((0.0, 0.0), 0.5, 0.5 * np.sin(0.3 * x) * np.cos(0.2 * y))


def drawn(name: str, problem: Problem, plan: Plan) -> Drawn:
    scene = Drawn()
    OVERLAYS[name](scene, "/o", problem, plan)  # pyright: ignore[reportArgumentType]
    return scene


def test_every_overlay_has_a_legend() -> None:
    assert list(LEGENDS) == list(OVERLAYS)
    for words in LEGENDS.values():
        assert 20 < len(words) < 260


@pytest.mark.parametrize("name", OVERLAYS)
@pytest.mark.parametrize("has_hills", [False, True])
def test_each_lies_on_the_ground_of_the_world_in_few_messages(
    jogger: Character, trees: tuple[SearchTree, ...], name: str, has_hills: bool
) -> None:
    terrain = hills() if has_hills else None
    problem = course(jogger, boxes(terrain))
    planner = AStar(weight=2.0, trace=True) if name == "Search tree" else TreePlanner(trees, trace=True)
    plan = planner.solve(problem)
    assert plan.found
    scene = drawn(name, problem, plan)
    assert 1 <= len(scene.calls) - len(scene.words()) <= MOST_MESSAGES
    for kind, values, options in scene.calls.values():
        points = options["position"] if kind in ("label", "image") else values[3 if "mesh" in kind else 0]
        points = np.reshape(points, (-1, 3)).astype(float)
        assert np.isfinite(points).all()
        ground = np.zeros(len(points)) if terrain is None else terrain.height(points[:, :2])
        above = points[:, 2] - ground
        assert (above > -0.2).all()
        assert (above < (3.0 if kind in ("label", "batched_meshes_simple") else 0.5)).all()
        assert (points[:, :2] > -1.0).all()
        assert (points[:, :2] < (41.0, 21.0)).all()


def test_joins_are_numbered_in_turn_up_to_the_goal(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    problem = course(jogger, waypoints=(Goal(14.0, 16.0, 1.0),))
    plan = TreePlanner(trees, trace=True).solve(problem)
    assert plan.journey is not None
    scene, parts = drawn("Joins", problem, plan), plan.journey.parts
    assert len(parts) >= 3
    assert scene.words() == [str(number) for number in range(1, len(parts) + 1)]
    places = scene.points("dots")[:, :2]
    np.testing.assert_allclose(places[:-1], [part.start[:2] for part in parts[1:]], atol=1e-5)
    assert np.hypot(*(places[-1] - (37.0, 10.0))) <= problem.goal.tolerance_m + 1e-5
    colors = scene.calls["/o/dots"][1][1]
    assert [len(np.unique(color)) > 2 for color in colors] == [part.look_up is not None for part in parts]


@pytest.mark.parametrize("name", ["Rough way", "Joins"])
def test_the_rough_way_leads_from_goal_to_goal_past_what_stands_there(
    jogger: Character, trees: tuple[SearchTree, ...], name: str
) -> None:
    problem = course(jogger, waypoints=(Goal(14.0, 16.0, 1.0),))
    scene = drawn(name, problem, TreePlanner(trees, trace=True).solve(problem))
    segments, colors = scene.points("line")[..., :2], scene.calls["/o/line"][1][1]
    places = np.concatenate((segments[:, 0], segments[-1:, 1]))
    for x, y in ((2.0, 10.0), (14.0, 16.0), (37.0, 10.0)):
        assert np.hypot(*(places - (x, y)).T).min() < 0.4
    assert np.linalg.norm(np.diff(segments, axis=1), axis=-1).max() < 1.0
    wall, post, hurdle = (shapely.box(19.75, 2.0, 20.25, 14.0), shapely.Point(10, 10.5).buffer(0.8), (30.0, 12.0))
    assert shapely.LineString(places).distance(shapely.union(wall, post)) > 0.1
    crossed = segments[(colors[:, 0] != colors[0, 0]).any(axis=1)]
    assert np.abs(crossed[..., 0] - hurdle[0]).max() < 1.5


def test_an_outline_holds_the_nodes_of_its_tree_and_stays_in_the_world(trees: tuple[SearchTree, ...]) -> None:
    for tree in trees:
        edges = tree_outline(tree, (0.0, 0.0, 0.0), (-50.0, -50.0, 50.0, 50.0))
        region = shapely.polygonize([shapely.LineString(edge) for edge in edges])
        inside = shapely.contains_xy(region, *tree.pose[:, :2].astype(float).T)
        assert inside.mean() > 0.98
        assert 0.5 < region.area / (np.pi * np.hypot(*tree.pose[:, :2].T).max() ** 2) <= 1.05
    turned = tree_outline(trees[0], (3.0, 4.0, 1.0), BOUNDS)
    assert turned.min() >= -1e-9
    assert (turned.reshape(-1, 2) <= (40.0 + 1e-9, 20.0 + 1e-9)).all()


def test_the_first_outline_is_where_the_first_path_begins(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    problem = course(jogger)
    plan = TreePlanner(trees, trace=True).solve(problem)
    part = next(one for one in looked_up(problem, plan).parts if one.look_up is not None)
    scene = drawn("Tree outline", problem, plan)
    np.testing.assert_allclose(scene.points("root")[0, :2], part.start[:2], atol=1e-5)
    np.testing.assert_allclose(scene.points("end")[0, :2], part.end[:2], atol=1e-5)


def test_traced_nodes_are_those_of_the_look_ups(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    problem = course(jogger)
    plan = TreePlanner(trees, trace=True).solve(problem)
    scene = drawn("Traced nodes", problem, plan)
    questions = looked_up(problem, plan).questions
    assert [question.goal for question in questions] == [problem.goal]
    assert len(scene.points("tried")) == sum(len(trace_back(question).tried) for question in questions) > 0
    chosen = scene.points("chosen")
    assert len(chosen) == 3 * len(plan.steps)  # lines of four points
    np.testing.assert_allclose(chosen[::3, 0, :2], [step.pose[:2] for step in plan.steps], atol=1e-4)


def test_where_clips_met_something_is_drawn_too(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    screen = Obstacle("screen", Footprint.box(0.3, 6.0), (30.0, 10.0, 0.0))
    problem = course(jogger, World(BOUNDS, (screen,)))
    every = np.ones(len(jogger.behaviors), np.bool_)
    asked = Question(LookUp(trees[1], jogger, problem.world), (24.0, 10.0, 0.0), 0, Goal(34.0, 10.0), None, every)
    plan = Plan(Outcome.OUT_OF_BUDGET, "", jogger, journey=Journey((), in_vain=asked))
    scene, trace = drawn("Traced nodes", problem, plan), trace_back(asked)
    assert len(scene.points("stops")) == len(trace.stopped) > 0
    assert len(scene.points("stopped")) == 3 * len(trace.stopped)
    assert len(scene.points("passed")) == 3 * (len(trace.blocked) - len(trace.stopped)) > 0


@pytest.mark.usefixtures("no_growing")
def test_other_planners_show_what_trees_would_be_asked(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    problem = course(jogger)
    searched, planned = AStar(weight=2.0).solve(problem), TreePlanner(trees, trace=True).solve(problem)
    shown, own = (drawn("Joins", problem, plan).points("dots") for plan in (searched, planned))
    np.testing.assert_array_equal(shown, own)
    assert looked_up(problem, searched) is looked_up(problem, searched)  # once for all overlays
    light = replace(problem, character=jogger.with_weights({"jump": 3.0}))
    assert drawn("Traced nodes", light, AStar(weight=2.0).solve(light)).calls


@pytest.mark.usefixtures("no_growing")
def test_where_no_tree_is_asked_it_is_said_why(jogger: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = course(jogger)
    monkeypatch.setattr(looking, "trees_for", lambda _: (grow_cheapest(jogger, nodes=1, begins="jog-left"),))
    looking._TREES.clear()
    plan = AStar(weight=2.0).solve(replace(problem, begins="stand"))
    for name in ("Joins", "Tree outline", "Traced nodes"):
        words = drawn(name, replace(problem, begins="stand"), plan).words()
        assert len(words) == 1
        assert words[0].startswith("no look-ups: ")
    nothing = Plan(Outcome.START_BLOCKED, "the body meets a wall", jogger)
    blocked = course(jogger, start=(20.0, 8.0, 0.0))
    assert drawn("Joins", blocked, nothing).calls == {}  # why there is no plan is said elsewhere


def test_closed_cells_are_painted_where_they_are(jogger: Character) -> None:
    problem = course(jogger)
    cells = closed_cells(problem.world, jogger)
    _, (image, width, depth), options = drawn("Closed cells", problem, Plan(Outcome.FOUND, "", jogger)).calls[
        "/o/cells"
    ]
    # Half a turn about X: columns go along X, the first row is at the greatest Y.
    assert options["wxyz"] == (0.0, 1.0, 0.0, 0.0)
    x, y = cells.x0 + width / image.shape[1] * 0.5, cells.y0 + depth
    for obstacle, is_closed in (((10.0, 10.5), True), ((20.0, 8.0), True), ((10.0, 8.0), False), ((30.0, 12.0), False)):
        column = round((obstacle[0] - x) / (width / image.shape[1]))
        row = int((y - obstacle[1]) / (depth / image.shape[0]))
        assert (image[row, column, 3] > 0) == is_closed
    middle = np.array(options["position"][:2])
    np.testing.assert_allclose(middle, (cells.x0 + 0.5 * width, cells.y0 + 0.5 * depth))


def test_swept_shapes_are_as_low_as_the_body_is(jogger: Character, trees: tuple[SearchTree, ...]) -> None:
    beam = Obstacle("beam", Footprint.box(0.4, 20.0), (20.0, 10.0, 0.0), 0.9, 3.0)
    problem = course(jogger, World(BOUNDS, (beam,)))
    plan = AStar(weight=2.0).solve(problem)
    assert plan.found
    _, values, options = drawn("Swept shapes", problem, plan).calls["/o"]
    middle, scale = np.asarray(values[3]), options["batched_scales"]
    under = np.abs(middle[:, 0] - 20.0) < 0.2 + scale[:, 0]
    assert under.any()
    assert (middle[under, 2] + 0.5 * scale[under, 2] <= 0.9 + 1e-6).all()
    assert (middle[~under, 2] + 0.5 * scale[~under, 2]).max() > 1.4


def test_the_coarse_map_is_whole_also_where_nothing_was_planned(
    jogger: Character, trees: tuple[SearchTree, ...]
) -> None:
    new, known = course(jogger), course(jogger)
    plan, _ = TreePlanner(trees).solve_many([known, known], threads=2)  # in threads: all is laid out before
    shown, expected = (list(drawn("Coarse map", problem, plan).calls.values()) for problem in (new, known))
    assert len(shown) == len(expected) > 0
    for (kind, values, _), (same, others, _) in zip(shown, expected, strict=True):
        assert kind == same
        assert all(np.array_equal(one, other) for one, other in zip(values, others, strict=True))
