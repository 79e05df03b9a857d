"""Scenes of climbs: what a file may say, what becomes of it, and what it may not say."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import shapely
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gambol.cli.app import app
from gambol.climb import FIGURES, Figure, Mode, climb_problems, grasp_table
from gambol.errors import GambolError, InvalidEntries, InvalidInput
from gambol.files import Entry
from gambol.scenes import climb_model
from gambol.scenes.climb_actor import FigureWish
from gambol.scenes.file import load_scene, parse_scene
from gambol.scenes.find import shipped_scenes
from gambol.scenes.scene import Scene
from gambol.stages import CrowdStage, PlanStage, perform
from gambol.world import GRASP_KINDS, GraspPoint

ROOT = Path(__file__).parent.parent.parent
CLIMBS = [scene.name for scene in shipped_scenes() if scene.kind == "climb"]
HEAD = """
name = "small"
kind = "climb"
seed = 3
"""
PLACE = """
[plane]
bounds = [0, -1, 10, 5]

[[polygons]]
name = "ground"
box = [0, -1, 10, 0]

[[polygons]]
name = "rock"
corners = [[6, 0], [6, 2], [9, 2], [9, 0]]
"""
FLOORS = """
[[scatter]]
surfaces = "floors"
spacing_m = 0.2
"""
ANN = """
[[cast]]
name = "Ann"
start = [2, 0]
goal = [7.5, 2.98]
"""
HANGING = ANN.replace("[2, 0]", "{ at = [2, 0], mode = 'swing' }")
HOLDING = ANN.replace("[7.5, 2.98]", "{ at = [7.5, 2.98], mode = 'climb' }")


def climb(text: str = FLOORS + ANN, **options: Any) -> Scene:
    return parse_scene(HEAD + PLACE + text, **options)


def mistakes(text: str, **options: Any) -> dict[str, str]:
    with pytest.raises(InvalidEntries) as raised:
        parse_scene(text, **options)
    return {problem.key: problem.message for problem in raised.value.problems}


def parse_problems(text: str) -> list[Any]:
    with pytest.raises(InvalidEntries) as raised:
        climb(text)
    return list(raised.value.problems)


def wrong(text: str) -> dict[str, str]:
    return mistakes(HEAD + PLACE + text)


def grasps(keys: str) -> list[tuple[float, float]]:
    environment = climb(f"[[grasps]]\n{keys}\n").environment
    assert environment is not None
    return [(point.x, point.z) for point in environment.grasp_points]


# What a scene is


def test_a_small_file_says_all_that_is_needed():
    scene = climb()
    assert (scene.name, scene.kind, scene.seed, scene.cast) == ("small", "climb", 3, ())
    environment = scene.environment
    assert environment is not None
    assert tuple(environment.bounds) == (0.0, -1.0, 10.0, 5.0)
    assert len(environment.polygons) == 2
    problem = climb_problems(scene)["Ann"]
    assert problem.environment is environment
    assert (problem.start.x, problem.start.z, problem.start.facing, problem.start.mode) == (2.0, 0.0, 1, Mode.WALK)
    assert (problem.goal.x, problem.goal.z, problem.goal.tolerance_m, problem.goal.mode) == (7.5, 2.98, 0.35, None)
    assert problem.figure is FIGURES["adult"]
    assert problem.max_stances == 20_000


def test_the_ground_around_the_plane_has_room_for_all_who_come_and_go():
    assert climb().world.bounds == (0.0, -3.0, 10.0, 3.0)
    scene = climb(FLOORS + ANN + "approach = [-4, 6]\nonward = [14, -8]\n")
    x0, y0, x1, y1 = scene.world.bounds
    assert (x0, y0) == (-5.0, -9.0)
    assert (x1, y1) == (15.0, 7.0)
    assert not scene.world.obstacles


def test_the_box_is_short_for_its_corners():
    environment = climb().environment
    assert environment is not None
    ground, rock = (shapely.Polygon(corners) for corners in environment.polygons)
    assert ground.equals(shapely.box(0, -1, 10, 0))
    assert rock.equals(shapely.box(6, 0, 9, 2))
    assert all(shapely.Polygon(corners).exterior.is_ccw for corners in environment.polygons)


def test_everyone_has_a_seed_of_their_own_that_others_do_not_change():
    more = '[[cast]]\nname = "Bob"\nstart = [2, 0]\ngoal = [7.5, 2.98]\n'
    alone, both = climb_problems(climb()), climb_problems(climb(FLOORS + ANN + more))
    assert both["Ann"].seed == alone["Ann"].seed != both["Bob"].seed
    assert climb_problems(climb(seed=4))["Ann"].seed != alone["Ann"].seed


def test_climbers_may_be_left_nameless_and_face_their_goals():
    text = "[[cast]]\nstart = [2, 0]\ngoal = [7.5, 2.98]\n[[cast]]\nstart = [5, 0]\ngoal = [2, 1]\n"
    problems = climb_problems(climb(FLOORS + text))
    assert {name: one.start.facing for name, one in problems.items()} == {"climber-0": 1, "climber-1": -1}


def test_start_and_goal_in_their_long_forms():
    text = """
[[cast]]
start = { at = [7.5, 4.2], facing = "left", mode = "swing" }
goal = { at = [3, 0.5], tolerance_m = 0.2, mode = "crawl" }
max_stances = 50
[[grasps]]
at = [7.6, 4.3]
bar = true
kind = "pendent"
"""
    (problem,) = climb_problems(climb(text)).values()
    assert (problem.start.facing, problem.start.mode) == (-1, Mode.SWING)
    assert (problem.goal.tolerance_m, problem.goal.mode, problem.max_stances) == (0.2, Mode.CRAWL, 50)


@pytest.mark.parametrize("name", FIGURES)
def test_figures_have_names(name: str):
    (problem,) = climb_problems(climb(FLOORS + ANN + f'figure = "{name}"\n')).values()
    assert problem.figure == FIGURES[name]


def test_figures_may_be_told_by_numbers():
    scene = climb(FLOORS + ANN + "figure = { stature_m = 1.6, arms = 1.1 }\n")
    assert scene.climbs[0].figure == FigureWish("", 1.6, 1.0, 1.1, 1.0)
    figure = climb_problems(scene)["Ann"].figure
    assert (figure.stature_m, figure.legs, figure.arms, figure.head) == (1.6, 1.0, 1.1, 1.0)


def test_names_and_limits_in_files_are_those_of_the_climber():
    assert get_args(climb_model.FigureName) == tuple(FIGURES)
    assert get_args(climb_model.ModeName) == tuple(mode.label for mode in Mode)
    assert get_args(climb_model.Kind) == GRASP_KINDS
    adult = climb_model.FigureEntry()
    assert Figure("x", adult.stature_m, adult.legs, adult.arms, adult.head) == Figure("x")
    for key, low, high in (("stature_m", 0.8, 2.5), ("legs", 0.7, 1.5), ("arms", 0.7, 1.5), ("head", 0.7, 1.5)):
        for value in (low, high):
            replace(Figure(), **{key: value})
            assert climb_model.FigureEntry.model_validate({key: value})
        for value in (low - 0.01, high + 0.01):
            with pytest.raises(InvalidInput):
                replace(Figure(), **{key: value})
            assert f"cast[0].figure.{key}" in wrong(FLOORS + ANN + f"figure = {{ {key} = {value} }}\n")


def test_approach_and_onward_are_places_on_the_ground():
    actor = climb(FLOORS + ANN + "approach = { start = [-3, 4], heading_deg = 90 }\nonward = [9, 5]\n").climbs[0]
    assert actor.character is not None
    assert actor.character.name.startswith("human")
    assert actor.approach == pytest.approx((-3.0, 4.0, np.pi / 2))
    assert actor.onward is not None
    assert (actor.onward.x, actor.onward.y, actor.onward.tolerance_m) == (9.0, 5.0, 0.5)
    by_default = climb(FLOORS + ANN + "approach = [-3, 5]\n").climbs[0]
    assert by_default.approach == pytest.approx((-3.0, 5.0, -np.pi / 4))
    assert by_default.onward is None
    assert climb().climbs[0].character is None


# Grasp points


def test_a_point_by_hand_takes_its_normal_from_the_nearest_surface():
    text = "[[grasps]]\nat = [3, 0.015]\n[[grasps]]\nat = [5.99, 1]\nkind = 'pendent'\n[[grasps]]\nat = [6, 2]\n"
    environment = climb(text).environment
    assert environment is not None
    floor, wall, edge = environment.grasp_points
    assert (floor.x, floor.z, floor.normal, floor.kind) == (3.0, 0.0, pytest.approx((0.0, 1.0)), "hybrid")
    assert (wall.x, wall.z, wall.normal, wall.kind) == (6.0, 1.0, pytest.approx((-1.0, 0.0)), "pendent")
    assert edge.is_floor


def test_a_row_is_told_by_its_count_or_spacing():
    assert grasps("line = [[1, 3], [2, 3]]\ncount = 5\nbar = true") == [(1 + 0.25 * n, 3.0) for n in range(5)]
    row = grasps("line = [[1, 3], [2, 3]]\nspacing_m = 0.3\nbar = true")
    assert [x for x, _ in row] == pytest.approx([1.0, 1.3, 1.6, 1.9])
    up = grasps("line = [[3, 0.3], [3, 2.4]]\nspacing_m = 0.3\nbar = true")
    assert [z for _, z in up] == pytest.approx(0.3 * np.arange(1, 9))


def test_bars_have_no_normal():
    environment = climb("[[grasps]]\nat = [3, 2]\nbar = true\n").environment
    assert environment is not None
    assert environment.grasp_points[0].is_bar


def test_scattered_points_are_left_out_where_one_is_placed_by_hand():
    plain = climb(FLOORS).environment
    assert plain is not None
    first = plain.grasp_points[3]
    both = climb(f"[[grasps]]\nat = [{first.x + 0.01}, {first.z}]\nkind = 'pendent'\n" + FLOORS).environment
    assert both is not None
    assert len(both.grasp_points) == len(plain.grasp_points)
    assert sum(point.kind == "pendent" for point in both.grasp_points) == 1


def test_surfaces_may_be_told_by_their_slope():
    text = "[[scatter]]\nslope_deg = [80, 100]\nspacing_m = 0.3\n"
    environment = climb(text).environment
    assert environment is not None
    assert {round(point.x, 6) for point in environment.grasp_points} == {6.0, 9.0}
    either = climb("[[scatter]]\nsurfaces = ['floors', 'walls']\nspacing_m = 0.3\n").environment
    assert either is not None
    assert {point.is_floor for point in either.grasp_points} == {True, False}


def test_noise_is_by_the_scenes_seed_and_of_each_table_its_own():
    noisy = FLOORS + "noise_m = 0.08\n"

    def x_of(text: str, seed: int) -> list[float]:
        environment = climb(text, seed=seed).environment
        assert environment is not None
        return [point.x for point in environment.grasp_points if point.is_floor]

    assert x_of(noisy, 1) == x_of(noisy, 1) != x_of(noisy, 2)
    walls = "[[scatter]]\nsurfaces = 'walls'\nspacing_m = 0.3\nnoise_m = 0.1\n"
    assert x_of(noisy + walls, 1) == x_of(noisy, 1)


# Mistakes


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ("[[polygons]]\nbox = [1, 1, 2, 2]\ncorners = [[1, 1], [2, 1], [2, 2]]\n", "polygons[2]", "one of corners"),
        ("[[polygons]]\nname = 'x'\n", "polygons[2]", "one of corners and box"),
        ("[[polygons]]\nbox = [2, 1, 1, 2]\n", "polygons[2]", "least x, least z"),
        ("[[polygons]]\ncorners = [[1, 1], [2, 2], [2, 1], [1, 2]]\n", "polygons[2].corners", "cross itself"),
        ("[[polygons]]\nbox = [20, 1, 21, 2]\n", "polygons[2].box", "outside the bounds"),
        ("[[polygons]]\nname = 'rock'\nbox = [1, 1, 2, 2]\n", "polygons[2].name", "two polygons called 'rock'"),
        ("[[grasps]]\nat = [3, 0.1]\n", "grasps[0].at", r"on no surface, the nearest is 0\.1 m away; .* bar = true"),
        ("[[grasps]]\nat = [7, 1]\nbar = true\n", "grasps[0].at", "inside something solid"),
        ("[[grasps]]\nat = [30, 1]\nbar = true\n", "grasps[0].at", "outside the bounds"),
        ("[[grasps]]\nline = [[3, 0], [3, 1]]\ncount = 3\n", "grasps[0].line", "on no surface"),
        ("[[grasps]]\nline = [[3, 0], [4, 0]]\n", "grasps[0]", "one of count and spacing_m"),
        ("[[grasps]]\nline = [[3, 0], [3, 0]]\ncount = 3\n", "grasps[0]", "must differ"),
        ("[[grasps]]\nat = [3, 0]\ncount = 3\n", "grasps[0]", "belong to line"),
        ("[[grasps]]\nat = [3, 0]\nkind = 'sticky'\n", "grasps[0].kind", "'load-bearing', 'pendent' or 'hybrid'"),
        ("[[grasps]]\nline = [[0, 0], [9, 0]]\nspacing_m = 0.001\n", "grasps[0].spacing_m", "greater than or equal"),
        ("[[scatter]]\nspacing_m = 0.2\n", "scatter[0]", "one of surfaces and slope_deg"),
        ("[[scatter]]\nsurfaces = 'roofs'\nspacing_m = 0.2\n", "scatter[0].surfaces", "'walls' or 'ceilings'"),
        ("[[scatter]]\nsurfaces = 'ceilings'\nspacing_m = 0.2\n", "scatter[0]", "no such surface"),
        ("[[scatter]]\nslope_deg = [90, 10]\nspacing_m = 0.2\n", "scatter[0]", "least, greatest"),
        ("[[scatter]]\nsurfaces = 'floors'\nspacing_m = 0.2\nnoise_m = 0.2\n", "scatter[0]", "half of spacing_m"),
        ("[[scatter]]\nsurfaces = 'floors'\nspacing_m = 0.2\nwithin = [3, 0, 2, 1]\n", "scatter[0]", "within must be"),
        (ANN, "cast[0].start", r"no grasp point to stand on within 0\.6 m"),
        (FLOORS + HANGING, "cast[0].start", "no grasp point to hang from"),
        (FLOORS + ANN.replace("[2, 0]", "[20, 0]"), "cast[0].start", "outside the bounds"),
        (FLOORS + ANN.replace("[2, 0]", "[7, 1]"), "cast[0].start", "inside something solid"),
        (FLOORS + ANN.replace("[7.5, 2.98]", "[7.5, 1.5]"), "cast[0].goal", "inside something solid"),
        (FLOORS + ANN.replace("[7.5, 2.98]", "[7.5, 9]"), "cast[0].goal", "outside the bounds"),
        (FLOORS + ANN.replace("[2, 0]", "{ at = [2, 0], facing = 'up' }"), "cast[0].start.facing", "'right' or 'left'"),
        (FLOORS + ANN + "figure = 'giant'\n", "cast[0].figure", "'adult', 'tall', 'short' or 'child'"),
        (FLOORS + ANN + "figure = { name = 'tall', arms = 1.1 }\n", "cast[0].figure", "a name, or"),
        (FLOORS + ANN + ANN, "cast[1].name", "two of the cast called 'Ann'"),
        (FLOORS + ANN + "approach = [2.2, 0.1]\n", "cast[0].approach", "at least 1 m away"),
        (FLOORS + ANN + "onward = [7.2, 0.1]\n", "cast[0].onward", "at least 1 m away"),
        (FLOORS + ANN + "approach = [-3, 0]\ncharacter = 'humen'\n", "cast[0].character", "did you mean 'human'"),
        (FLOORS + ANN + "character = 'human'\n", "cast[0]", "belongs to approach and onward"),
        (FLOORS + HANGING + "approach = [9, 3]\n", "cast[0]", "starts on foot"),
        (FLOORS + HOLDING + "onward = [9, 3]\n", "cast[0]", "arrives on foot"),
        (FLOORS + ANN + "speed = 3\n", "cast[0].speed", "is an unknown key"),
    ],
)  # fmt: skip
def test_mistakes_are_told_by_their_keys(text: str, key: str, message: str):
    found = wrong(text)
    assert set(found) == {key}
    assert re.search(message, found[key]), found[key]


def test_all_mistakes_are_told_at_once():
    text = (
        "[[polygons]]\nbox = [1, 1]\n[[grasps]]\nat = [3, 1]\n[[scatter]]\nspacing_m = 0\n[[cast]]\nstart = [99, 0]\n"
    )
    found = wrong(text)
    assert set(found) == {"polygons[2].box", "grasps[0].at", "scatter[0].spacing_m", "cast[0].goal"}


def test_a_plane_is_needed_and_not_too_large():
    assert "plane" in mistakes(HEAD + ANN)
    assert "least x, least z" in mistakes(HEAD + "[plane]\nbounds = [0, 0, -1, 1]\n")["plane"]
    assert "square metres" in mistakes(HEAD + "[plane]\nbounds = [0, 0, 900, 100]\n")["plane"]


def test_of_a_row_the_first_mistake_is_told():
    found = parse_problems("[[grasps]]\nline = [[1, 1], [9, 3]]\ncount = 900\n")
    assert [problem.key for problem in found] == ["grasps[0].line"]


@pytest.mark.slow
def test_there_may_not_be_more_of_anything_than_can_be_dealt_with():
    rows = "[[grasps]]\nline = [[1, 3], [9, 3]]\ncount = 1000\nbar = true\n" * 30
    assert "more than 20,000 grasp points" in wrong(rows)["grasps"]
    angles = np.linspace(0.0, 2.0 * np.pi, 1000, endpoint=False)
    ring = [
        [round(float(x), 6), round(float(z), 6)] for x, z in zip(4 + np.cos(angles), 2 + np.sin(angles), strict=True)
    ]
    assert "more than 20,000 corners" in wrong(f"[[polygons]]\ncorners = {ring}\n" * 21)["polygons"]


def test_there_may_be_nobody_and_nothing():
    empty = parse_scene(HEAD + "[plane]\nbounds = [0, 0, 5, 5]\n")
    assert empty.environment is not None
    assert climb_problems(empty) == {}


@pytest.mark.parametrize("table", ["world", "obstacles", "meshes", "movers", "groups"])
def test_tables_of_other_kinds_do_not_belong_to_a_climb(table: str):
    said = "[world]\nbounds = [0, 0, 9, 9]\n" if table == "world" else f"[[{table}]]\nname = 'x'\n"
    found = wrong(FLOORS + ANN + said)
    assert set(found) == {table}
    assert "belongs to scenes of the kinds 'plan' and 'crowd'" in found[table]


@pytest.mark.parametrize("keys", ["weights = { jump = 3 }", "wander = {}", "heading_deg = 3", "waypoints = [[1, 2]]"])
def test_keys_of_others_of_the_cast_do_not_belong_to_a_climber(keys: str):
    found = wrong(FLOORS + ANN + keys + "\n")
    assert set(found) == {f"cast[0].{keys.split(' ')[0]}"}
    assert "'plan' and 'crowd'" in found[f"cast[0].{keys.split(' ')[0]}"]


@pytest.mark.parametrize("kind", ["plan", "crowd"])
def test_what_belongs_to_climbs_does_not_belong_to_other_kinds(kind: str):
    ground = f'name = "x"\nkind = "{kind}"\n[world]\nbounds = [0, 0, 20, 20]\n'
    ann = "[[cast]]\nstart = [3, 3]\ngoal = [9, 9]\nfigure = 'tall'\nonward = [3, 4]\n"
    tables = "[plane]\nbounds = [0, 0, 9, 9]\n[[polygons]]\nbox = [1, 1, 2, 2]\n[[grasps]]\nat = [1, 1]\n" + FLOORS
    found = mistakes(ground + ann + tables)
    assert set(found) == {"plane", "polygons", "grasps", "scatter", "cast[0].figure", "cast[0].onward"}
    assert set(found.values()) == {"belongs to scenes of the kind 'climb'"}


def test_an_unknown_kind_is_told_what_there_is():
    assert "'plan', 'crowd' or 'climb'" in mistakes(HEAD.replace('"climb"', '"fly"') + PLACE)["kind"]


# Other parts of the program


def test_climbs_are_neither_planned_nor_run_as_crowds():
    scene = climb()
    with pytest.raises(InvalidInput, match="`gambol climb` performs it"):
        perform(scene, PlanStage())
    with pytest.raises(InvalidInput, match="`gambol climb` performs it"):
        perform(scene, CrowdStage(1.0))
    with pytest.raises(InvalidInput, match="`gambol plan` performs it"):
        climb_problems(load_scene("first"))


def test_commands_point_to_the_one_that_climbs(tmp_path: Path):
    for command in ("plan", "crowd"):
        done = CliRunner().invoke(app, [command, "climb-flat", "-o", str(tmp_path / "x.png")])
        assert isinstance(done.exception, InvalidInput)
        assert "gambol climb" in str(done.exception)


def test_a_climb_can_be_checked_like_any_scene():
    done = CliRunner().invoke(app, ["plan", "climb-wall", "--check-only"])
    assert done.exit_code == 0, done.output
    assert "1 climber, 2 polygons, " in done.output


def test_the_docs_name_every_key():
    page = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    tables = [one for one in vars(climb_model).values() if isinstance(one, type) and issubclass(one, Entry)]
    keys = {key for table in tables for key in table.model_fields}
    assert len(keys) > 30
    climbs = page[page.index("## Climbing") :]
    assert not {key for key in keys if not re.search(rf"`{key}`|\b{key} = |\[{key}\]|; {key}\b", climbs)}


values = st.recursive(
    st.booleans() | st.integers(-20, 20) | st.floats() | st.sampled_from(["hybrid", "floors", "walk", "human", "x"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["at", "mode", "goal"]), inner, max_size=2)
    ),
    max_leaves=6,
)
PATHS: list[tuple[Any, ...]] = [
    ("plane", "bounds"), ("plane",), ("polygons",), ("polygons", 0, "box"), ("polygons", 0, "corners"), ("grasps",),
    ("grasps", 0, "at"), ("grasps", 0, "line"), ("grasps", 0, "count"), ("grasps", 0, "bar"), ("grasps", 0, "kind"),
    ("scatter", 0, "surfaces"), ("scatter", 0, "spacing_m"), ("scatter", 0, "within"), ("scatter", 0, "noise_m"),
    ("scatter", 0, "slope_deg"), ("scatter", 0, "clearance_m"), ("cast", 0, "start"), ("cast", 0, "goal"),
    ("cast", 0, "figure"), ("cast", 0, "onward"), ("cast", 0, "approach"), ("cast", 0), ("cast",), ("seed",),
]  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.sampled_from(PATHS), values), min_size=1, max_size=3))
def test_whatever_a_file_says_it_is_a_scene_or_a_clean_error(changes: list[tuple[tuple[Any, ...], Any]]):
    data: Any = {
        "name": "x", "kind": "climb", "plane": {"bounds": [0, -1, 10, 5]}, "polygons": [{"box": [0, -1, 10, 0]}],
        "grasps": [{"at": [3, 0]}], "scatter": [{"surfaces": "floors", "spacing_m": 0.2}],
        "cast": [{"start": [2, 0], "goal": [8, 1]}],
    }  # fmt: skip
    for path, value in changes:
        table: Any = data
        for part in path[:-1]:
            table = table[part] if isinstance(table, (dict, list)) and _has(table, part) else None
        if (isinstance(table, dict) and isinstance(path[-1], str)) or (
            isinstance(table, list) and _has(table, path[-1])
        ):
            table[path[-1]] = value
    try:
        climb_problems(parse_scene(tomlkit.dumps(data)))
    except GambolError:
        return


def _has(table: Any, part: Any) -> bool:
    return part in table if isinstance(table, dict) else isinstance(part, int) and part < len(table)


# The scenes that ship


def test_the_climbs_that_ship_are_all_there():
    assert set(CLIMBS) >= {
        "climb-flat", "climb-steps", "climb-tunnel", "climb-ladder", "climb-wall", "climb-bars", "climb-chimney",
        "climb-cave", "climb-overhang", "climb-no-overhang", "climb-fork", "climb-impossible", "climb-down",
        "climb-course",
    }  # fmt: skip


@pytest.mark.parametrize("name", CLIMBS)
def test_who_climbs_stands_free_at_the_start_and_at_the_goal(name: str):
    scene = load_scene(name)
    environment = scene.environment
    assert environment is not None
    solid = shapely.union_all([shapely.Polygon(corners) for corners in environment.polygons])
    for problem in climb_problems(scene).values():
        table = grasp_table(environment, problem.figure)
        floor_under = [one for one in environment.grasp_points if one.is_floor]
        assert min(np.hypot(one.x - problem.start.x, one.z - problem.start.z) for one in floor_under) < 0.15
        for x, ground in ((problem.start.x, problem.start.z), (problem.goal.x, problem.goal.z - 0.98)):
            standing = shapely.LineString([(x, ground + 0.2), (x, ground + problem.figure.stature_m - 0.1)])
            assert solid.distance(standing) > 0.12
        feet = table.fits[:, :, 1].any(axis=0) & table.allowed[Mode.WALK, :, 1]
        on_floor = np.array([one.is_floor for one in environment.grasp_points])
        assert np.mean(feet[on_floor]) > 0.95, "almost all points of floors are for feet"
        assert np.min(np.hypot(table.x[feet] - problem.goal.x, table.z[feet] - problem.goal.z + 0.98)) < 0.3


def test_the_two_of_figure_14_differ_in_the_overhang_alone():
    with_it, without = load_scene("climb-overhang"), load_scene("climb-no-overhang")
    assert with_it.environment is not None
    assert without.environment is not None
    assert with_it.environment.grasp_points == without.environment.grasp_points
    assert len(with_it.environment.polygons) == len(without.environment.polygons) + 1
    assert with_it.climbs[0].goal == without.climbs[0].goal


def test_the_gap_that_nobody_can_cross_is_wider_than_two_arms():
    environment = load_scene("climb-impossible").environment
    assert environment is not None
    bars = np.sort([one.x for one in environment.grasp_points if one.is_bar])
    arms = Figure().table
    assert np.diff(bars).max() > 2.0 * (arms.upper_arm + arms.forearm) + 0.5


def on_wall(point: GraspPoint) -> bool:
    return not (point.is_bar or point.is_floor or point.is_ceiling)


def test_the_forks_upper_holds_are_out_of_reach_from_the_lower_ones():
    environment = load_scene("climb-fork").environment
    assert environment is not None
    heights = np.sort([one.z for one in environment.grasp_points if on_wall(one) and one.x > 5.0])
    body = Figure().table
    reach = body.thigh + body.shank + body.shoulder + body.upper_arm + body.forearm  # of ankle and palm
    lower = heights[: int(np.argmax(np.diff(heights))) + 1].max()
    upper = heights[int(np.argmax(np.diff(heights))) + 1 :].min()
    assert upper - (lower + 0.045) > reach + 0.1
