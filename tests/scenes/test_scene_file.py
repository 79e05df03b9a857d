from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
import tomlkit
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tests.support.statues import GOOD, write_course

from gambol.characters import Character
from gambol.errors import GambolError, InvalidEntries, InvalidInput, MalformedFile, UnknownName, UnreadableFile
from gambol.files import Entry
from gambol.scenes import casting, file_model, world_model
from gambol.scenes.file import load_scene, parse_scene
from gambol.scenes.find import shipped_scenes
from gambol.scenes.places import bodies_overlap, first_parts

ROOT = Path(__file__).parent.parent.parent
SMALL = """
name = "small"
seed = 3

[world]
bounds = [0, 0, 20, 10]

[[obstacles]]
name = "wall"
at = [10, 5]
size = [1, 6]

[[cast]]
name = "Ann"
start = [2, 5]
goal = [18, 5]
"""
EMPTY = 'name = "empty"\n[world]\nbounds = [0, 0, 20, 10]\n'


def mistakes(text: str, **options: Any) -> dict[str, tuple[int | None, str]]:
    with pytest.raises(InvalidEntries) as raised:
        parse_scene(text, **options)
    return {problem.key: (problem.line, problem.message) for problem in raised.value.problems}


def obstacle(keys: str) -> Any:
    return parse_scene(f"{EMPTY}\n[[obstacles]]\n{keys}\n").world.obstacles[0]


def movers(keys: str, **options: Any) -> Any:
    return parse_scene(f"{EMPTY}\n[[movers]]\n{keys}\n", **options).world.movers


# What a scene is


def test_a_small_file_says_all_that_is_needed():
    scene = parse_scene(SMALL)
    assert (scene.name, scene.kind, scene.seed) == ("small", "plan", 3)
    assert scene.world.bounds == (0.0, 0.0, 20.0, 10.0)
    problem = scene.problem("Ann")
    assert problem.world is scene.world
    assert problem.character.name == "human"
    assert problem.start == (2.0, 5.0, 0.0)
    assert (problem.goal.x, problem.goal.y, problem.goal.tolerance_m) == (18.0, 5.0, 0.5)


def test_degrees_in_the_file_are_radians_in_the_scene():
    text = SMALL.replace("goal = [18, 5]", "heading_deg = 90\ngoal = { at = [18, 5], heading_deg = -45 }")
    problem = parse_scene(text).problem("Ann")
    assert problem.start[2] == pytest.approx(np.pi / 2)
    assert problem.goal.heading_rad == pytest.approx(-np.pi / 4)
    assert problem.goal.heading_tolerance_rad == pytest.approx(np.radians(20.0))


def test_who_is_told_nothing_faces_the_next_place_to_go_to():
    text = SMALL.replace("goal = [18, 5]", "goal = [18, 5]\nwaypoints = [[2, 8], { at = [6, 8], tolerance_m = 1 }]")
    problem = parse_scene(text).problem("Ann")
    assert problem.start[2] == pytest.approx(np.pi / 2)
    assert [place.tolerance_m for place in problem.waypoints] == [0.5, 1.0]


def test_the_terrains_costs_hold_for_all_who_say_nothing_else():
    text = SMALL.replace("[[obstacles]]", "[world.terrain]\nclimb_cost = 5\ndescend_cost = 2\n[[obstacles]]")
    text += 'climb_cost = 1\n[[cast]]\nname = "Bob"\nstart = [2, 7]\ngoal = [18, 7]\nstarts_at_s = 1.5\n'
    scene = parse_scene(text)
    ann, bob = scene.problem("Ann"), scene.problem("Bob")
    assert (ann.climb_cost, ann.descend_cost) == (1.0, 2.0)
    assert (bob.climb_cost, bob.descend_cost) == (5.0, 2.0)
    assert bob.start_frame == 45


def test_everyone_has_a_seed_of_their_own_that_others_do_not_change():
    more = '[[cast]]\nname = "Bob"\nstart = [2, 7]\ngoal = [18, 7]\n'
    alone, both = parse_scene(SMALL), parse_scene(SMALL + more)
    assert both.problem("Ann").seed == alone.problem("Ann").seed
    assert both.problem("Ann").seed != both.problem("Bob").seed
    assert parse_scene(SMALL.replace("seed = 3", "seed = 4")).problem("Ann").seed != alone.problem("Ann").seed


def test_the_cast_may_be_left_nameless():
    scene = parse_scene(SMALL.replace('name = "Ann"\n', "") + "[[cast]]\nstart = [2, 7]\ngoal = [18, 7]\n")
    assert [actor.name for actor in scene.cast] == ["human-0", "human-1"]
    with pytest.raises(UnknownName, match="did you mean 'human-1'"):
        scene.problem("human1")


def test_what_is_under_extra_is_kept_untouched():
    scene = parse_scene(SMALL + '[extra]\nnote = "anything"\n[extra.deep]\nlist = [1, { a = 2 }]\n')
    assert scene.extra == {"note": "anything", "deep": {"list": [1, {"a": 2}]}}


# Shapes


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (
            "at = [3, 4]\nsize = [2, 1]\nheading_deg = 30",
            shapely.affinity.translate(shapely.affinity.rotate(shapely.box(-1, -0.5, 1, 0.5), 30, origin=(0, 0)), 3, 4),
        ),
        ("at = [3, 4]\nradius_m = 2", shapely.Point(3, 4).buffer(2, quad_segs=64)),
        ("corners = [[1, 1], [5, 1], [5, 5], [3, 2]]", shapely.Polygon([(1, 1), (5, 1), (5, 5), (3, 2)])),
        (
            "at = [1, 0]\ncorners = [[1, 1], [5, 1], [5, 5], [3, 2]]",
            shapely.Polygon([(2, 1), (6, 1), (6, 5), (4, 2)]),
        ),
        (
            "line = [[1, 1], [6, 1], [6, 5]]\nthickness_m = 0.4",
            shapely.LineString([(1, 1), (6, 1), (6, 5)]).buffer(0.2, quad_segs=64),
        ),
    ],
)
def test_shapes_cover_what_their_keys_say(keys: str, expected: shapely.Geometry):
    made = obstacle(keys)
    assert made.footprint.region(made.pose).symmetric_difference(expected).area < 2e-3 * expected.area


def test_heights_are_a_walls_unless_told():
    assert (obstacle("at = [3, 4]\nradius_m = 1").bottom_m, obstacle("at = [3, 4]\nradius_m = 1").top_m) == (0.0, 3.0)
    beam = obstacle("at = [3, 4]\nradius_m = 1\nbottom_m = 1.2\ntop_m = 1.4")
    assert (beam.bottom_m, beam.top_m) == (1.2, 1.4)


def test_a_mesh_becomes_obstacles_where_it_is_put(tmp_path: Path):
    box = trimesh.creation.box((2.0, 1.0, 0.8))
    box.apply_translation((3.0, 0.0, 0.4))
    box.export(tmp_path / "box.stl")
    keys = '[[meshes]]\nname = "chest"\nfile = "box.stl"\nup = "z"\nat = [10, 2]\nheading_deg = 90\n'
    (made,) = parse_scene(EMPTY + keys, beside=tmp_path).world.obstacles
    assert made.name.startswith("chest")
    assert (made.bottom_m, made.top_m) == pytest.approx((0.0, 0.8))
    assert made.footprint.region(made.pose).symmetric_difference(shapely.box(9.5, 4, 10.5, 6)).area < 0.02


def test_terrain_comes_from_bumps_or_from_an_image(tmp_path: Path):
    bumps = "[world.terrain]\nbumps = [{ at = [5, 5], radius_m = 4, height_m = 2 }]\n"
    terrain = parse_scene(EMPTY + bumps).world.terrain
    assert terrain is not None
    assert terrain.height([5.0, 5.0]) == pytest.approx(2.0)
    assert terrain.height([5.0, 7.0]) == pytest.approx(1.0, abs=1e-6)
    Image.fromarray(np.tile(np.array([0, 255], dtype=np.uint8), (2, 1))).save(tmp_path / "ramp.png")
    image = '[world.terrain]\nimage = { file = "ramp.png", heights_m = [1, 3] }\n'
    terrain = parse_scene(EMPTY + image, beside=tmp_path).world.terrain
    assert terrain is not None
    assert terrain.height([[0.0, 3.0], [10.0, 7.0], [20.0, 1.0]]).tolist() == pytest.approx([1.0, 2.0, 3.0])


def test_only_one_thing_may_be_the_ground(tmp_path: Path):
    corners = [(0, 0, 0), (20, 0, 2), (20, 10, 2), (0, 10, 0)]
    trimesh.Trimesh(corners, [(0, 1, 2), (0, 2, 3)]).export(tmp_path / "ramp.stl")
    mesh = '[[meshes]]\nfile = "ramp.stl"\nup = "z"\n'
    terrain = parse_scene(EMPTY + mesh, beside=tmp_path).world.terrain
    assert terrain is not None
    assert terrain.height([10.0, 5.0]) == pytest.approx(1.0, abs=0.05)
    both = EMPTY + "[world.terrain]\nbumps = [{ at = [5, 5], radius_m = 4, height_m = 2 }]\n" + mesh
    assert "there is another terrain already" in mistakes(both, beside=tmp_path)["meshes[0]"][1]


# What moves


def test_back_and_forth_follows_the_worlds_axis_or_the_movers_own():
    keys = (
        'at = [5, 5]\nsize = [2, 1]\nheading_deg = 90\nback_and_forth = {{ along = "{}", range_m = 4, speed_m_s = 2 }}'
    )
    (world,), (own,) = movers(keys.format("world-x")), movers(keys.format("own-x"))
    for time_s, away in ((0.0, 0.0), (1.0, 2.0), (2.0, 4.0), (3.0, 2.0), (4.0, 0.0), (5.0, 2.0)):
        assert np.allclose(world.trajectory.at(time_s)[0], [5.0 + away, 5.0, np.pi / 2])
        assert np.allclose(own.trajectory.at(time_s)[0], [5.0, 5.0 + away, np.pi / 2])


def test_a_spin_turns_for_ever():
    (bar,) = movers("at = [5, 5]\nsize = [4, 0.3]\nspin = { deg_s = -90 }")
    for time_s in (0.0, 1.0, 3.9, 4.1, 100.3):
        turned = bar.trajectory.at(time_s)[0][2] + np.radians(90.0 * time_s)
        assert np.cos(turned) == pytest.approx(1.0)


def test_a_path_keeps_what_is_left_out():
    (lift,) = movers(
        'radius_m = 1\ntop_m = 0.5\nrepeat = "bounce"\npath = [\n{ time_s = 1, at = [5, 5] },\n'
        "{ time_s = 3, at = [7, 5], heading_deg = 360 },\n{ time_s = 4, bottom_m = 2, top_m = 2.5 },\n]"
    )
    trajectory = lift.trajectory
    assert trajectory.repeat == "bounce"
    assert np.allclose(trajectory.poses, [[5, 5, 0], [7, 5, 2 * np.pi], [7, 5, 2 * np.pi]])
    assert np.allclose(trajectory.heights_m, [[0, 0.5], [0, 0.5], [2, 2.5]])


def test_a_falling_log_becomes_several_movers_under_one_name():
    made = movers(
        'name = "tree"\nat = [5, 5]\nradius_m = 0.2\n'
        "falling = { length_m = 4, heading_deg = 90, start_s = 2, duration_s = 1 }"
    )
    assert [mover.name for mover in made][:2] == ["tree/0", "tree/1"]
    assert made[-1].trajectory.at(10.0)[0][1] > 8.0


def test_things_of_a_recording_get_their_shapes_by_name(tmp_path: Path):
    (tmp_path / "moves.csv").write_text(
        "time_s,name,x,y,heading_deg\n0,ball-1,1,1,0\n1,ball-1,2,1,0\n0,ball-2,3,3,0\n0,crate,5,5,90\n1,crate,5,6,90\n"
    )
    text = EMPTY + (
        '[[movers]]\nrecording = "moves.csv"\nthings = ["ball-*"]\nradius_m = 0.5\ntop_m = 1.0\nrepeat = "loop"\n'
        '[[movers]]\nname = "heavy"\nrecording = "moves.csv"\nthings = ["crate"]\nsize = [2, 1]\n'
    )
    made = {mover.name: mover for mover in parse_scene(text, beside=tmp_path).world.movers}
    assert list(made) == ["ball-1", "ball-2", "heavy/crate"]
    assert made["ball-1"].trajectory.repeat == "loop"
    assert (made["ball-1"].trajectory.heights_m == [0.0, 1.0]).all()
    assert np.allclose(made["heavy/crate"].trajectory.at(0.5)[0], [5.0, 5.5, np.pi / 2])


# Who moves


def test_a_character_is_loaded_once_and_shared_by_all_who_want_the_same(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []
    monkeypatch.setattr(casting, "load_character", lambda name: (asked.append(name), BUILTIN(name))[1])
    group = '[[groups]]\nname = "g"\ncount = 4\nsubset = "crowd"\nstarts = { line = [[1, 1], [19, 1]] }\n'
    scene = parse_scene(SMALL + group + "goals = { line = [[1, 9], [19, 9]] }\n")
    assert asked == ["human"]
    assert len({id(actor.character) for actor in scene.cast}) == 2
    assert scene.cast[1].character is scene.cast[4].character


BUILTIN = casting.load_character


def test_preferences_name_behaviors_labels_or_kinds():
    text = SMALL + 'weights = { low = 7, "jog left 30" = 4, crawl = 3 }\n'
    character = parse_scene(text).cast[0].character
    assert character.behavior("duck").weight == 7.0
    assert character.behavior("crawl").weight == 3.0
    assert character.behavior("jog-left-30").weight == 4.0
    assert character.behavior("jog").weight == BUILTIN("human").behavior("jog").weight


def test_behaviors_are_tagged_by_hand_for_annotated_obstacles():
    text = SMALL.replace("size = [1, 6]", 'size = [1, 6]\nspecial = { kind = "hurdle", near_m = 2, within_m = 0.5 }')
    scene = parse_scene(text + 'special = { jump-over = "hurdle" }\n')
    assert scene.world.obstacles[0].special is not None
    assert scene.world.obstacles[0].special.near_m == 2.0
    tags = {one.name: one.annotation.special for one in scene.cast[0].character.behaviors}
    assert tags["jump-over"] == "hurdle"
    assert tags["jump"] is None


def test_a_subset_has_only_its_behaviors():
    scene = parse_scene(SMALL + 'subset = "lk05"\n')
    assert len(scene.cast[0].character.behaviors) == 25


def test_a_character_file_lies_beside_the_scene(tmp_path: Path):
    write_course(tmp_path)
    (tmp_path / "statue.toml").write_text(GOOD)
    scene = parse_scene(SMALL + 'character = "statue.toml"\nbegins = "rolling"\n', beside=tmp_path)
    assert scene.cast[0].character.name == "statue"
    assert scene.problem("Ann").begins == "rolling"


# Groups

CROSSING = """
[[groups]]
name = "east"
count = 12
starts = { area = [1, 1, 5, 9] }
goals = { area = [15, 1, 19, 9] }
jitter_m = 0.2
mixed = true
"""


def test_a_group_fills_areas_without_standing_in_each_other():
    scene = parse_scene(EMPTY + CROSSING)
    assert [actor.name for actor in scene.cast] == [f"east-{number}" for number in range(12)]
    starts = np.array([actor.start for actor in scene.cast])
    goals = np.array([(actor.goal.x, actor.goal.y) for actor in scene.cast])
    assert ((starts[:, :2] >= [0.8, 0.8]) & (starts[:, :2] <= [5.2, 9.2])).all()
    assert ((goals >= [15, 1]) & (goals <= [19, 9])).all()
    assert len(np.unique(goals, axis=0)) == 12
    assert np.allclose(np.tan(starts[:, 2]), (goals - starts[:, :2])[:, 1] / (goals - starts[:, :2])[:, 0])


def test_a_groups_places_come_from_the_seed_and_its_name_alone():
    def starts(text: str) -> dict[str, tuple[float, ...]]:
        return {actor.name: actor.start for actor in parse_scene(text).cast}

    once = starts(EMPTY + CROSSING)
    assert starts(EMPTY + CROSSING) == once
    assert starts("seed = 1\n" + EMPTY + CROSSING) != once
    before = (
        CROSSING.replace("east", "south")
        .replace("[1, 1, 5, 9]", "[7, 1, 12, 9]")
        .replace("[15, 1, 19, 9]", "[7, 1, 12, 9]")
    )
    both = starts(EMPTY + before + CROSSING)
    assert {name: both[name] for name in once} == once


def test_a_group_leaves_blocked_places_out():
    wall = "[[obstacles]]\nat = [3, 5]\nsize = [4.2, 1]\n"
    scene = parse_scene(EMPTY + wall + CROSSING)
    away = [shapely.box(0.9, 4.5, 5.1, 5.5).distance(shapely.Point(actor.start[:2])) for actor in scene.cast]
    assert min(away) > 0.25


def test_starts_on_a_circle_go_to_the_opposite_side():
    text = EMPTY + '[[groups]]\nname = "ring"\ncount = 8\nstarts = { circle = { at = [10, 5], radius_m = 4 } }\n'
    for actor in parse_scene(text).cast:
        assert np.allclose(np.add(actor.start[:2], (actor.goal.x, actor.goal.y)), (20.0, 10.0))


def test_a_single_member_on_a_line_stands_in_its_middle():
    text = EMPTY + '[[groups]]\nname = "one"\ncount = 1\nstarts = { line = [[2, 2], [4, 4]] }\n'
    scene = parse_scene(text + "goals = { line = [[12, 2], [14, 4]] }\n")
    assert scene.cast[0].start[:2] == (3.0, 3.0)


@pytest.mark.parametrize(
    ("places", "says"),
    [
        ("starts = { area = [1, 1, 3, 3] }", "starts: in this area 4 places 1.2 m apart are free, fewer than 12"),
        ("starts = { line = [[1, 1], [5, 1]] }", "12 places would be 0.36 m apart, less than spacing_m = 1.2"),
        ("starts = { circle = { at = [10, 5], radius_m = 2 } }", "less than spacing_m"),
        ("starts = { area = [3, 3, 1, 1] }", "area must be [least x"),
        ("starts = { }", "give one of area, line and circle"),
    ],
)
def test_a_group_that_finds_no_room_is_a_mistake(places: str, says: str):
    found = mistakes(EMPTY + CROSSING.replace("starts = { area = [1, 1, 5, 9] }", places))
    assert any(says in message for _, message in found.values())


# Mistakes


def test_mistakes_of_form_and_of_meaning_are_listed_together_with_key_and_line():
    text = """name = "broken"
knid = "plan"

[world]
bounds = [0, 0, 20, 10]

[[obstacles]]
name = "wall"
at = [10, 5]
size = [1, -6]

[[obstacles]]
name = "box"
at = [4, 5]
size = [2, 2]

[[obstacles]]
name = "box"
corners = [[12, 1], [14, 3], [14, 1], [12, 3]]

[[obstacles]]
name = "away"
at = [40, 5]
radius_m = 1

[[movers]]
radius_m = 1
path = [
    { time_s = 0, at = [1, 9] },
    { time_s = 0, at = [2, 9] },
]

[[movers]]
recording = "gone.csv"
radius_m = 1

[[cast]]
name = "Ann"
start = [4, 5]
goal = [28, 5]
weights = { jumpp = 2, jump = 0 }

[[cast]]
name = "Bob"
character = "humann"
start = [2, 2]
goal = [18, 2]

[[cast]]
name = "Cid"
start = [4.2, 5]
goal = { at = [18, 5], behavior = "stopp" }
waypoints = [[30, 5], [4, 5]]
weights = { jumpp = 2 }
subset = "lk05"
"""
    found = mistakes(text)
    assert {key: line for key, (line, _) in found.items()} == {
        "knid": 2,
        "obstacles[0].size[1]": 10,
        "obstacles[2].corners": 19,
        "obstacles[3]": 21,
        "movers[0].path[1].time_s": 30,
        "movers[1].recording": 34,
        "cast[0].start": 39,
        "cast[0].goal": 40,
        "cast[0].weights.jump": 41,
        "cast[1].character": 45,
        "cast[2].start": 51,
        "cast[2].goal.behavior": 52,
        "cast[2].waypoints[0]": 53,
        "cast[2].waypoints[1]": 53,
        "cast[2].weights.jumpp": 54,
    }
    assert "did you mean 'kind'?" in found["knid"][1]
    assert "did you mean 'human'?" in found["cast[1].character"][1]
    assert "obstacle 'box'" in found["cast[0].start"][1]
    assert "would stand in 'Ann'" in found["cast[2].start"][1]
    assert "outside the bounds" in found["cast[2].waypoints[0]"][1]
    assert "nobody finds room" in found["cast[2].waypoints[1]"][1]


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        (("bounds = [0, 0, 20, 10]", "bounds = [0, 0, -20, 10]"), "world", "least x"),
        (("bounds = [0, 0, 20, 10]", "bounds = [0, 0, 2e4, 10]"), "world", "at most 10000 metres"),
        (("bounds = [0, 0, 20, 10]", "bounds = [0, 0, nan, 10]"), "world.bounds[2]", "finite"),
        (("size = [1, 6]", "size = [1, inf]"), "obstacles[0].size[1]", "finite"),
        (("size = [1, 6]", "size = [1]"), "obstacles[0].size", "at least 2 items"),
        (("size = [1, 6]", ""), "obstacles[0]", "none is given"),
        (("size = [1, 6]", "size = [1, 6]\nradius_m = 1"), "obstacles[0]", "not size and radius_m"),
        (("size = [1, 6]", "size = [1, 6]\nthickness_m = 1"), "obstacles[0]", "belong together"),
        (("size = [1, 6]", "size = [1, 6]\nbottom_m = 3"), "obstacles[0]", "top_m must be above bottom_m"),
        (("size = [1, 6]", "size = [1, 6]\nheigth_deg = 3"), "obstacles[0].heigth_deg", "'heading_deg'"),
        (("at = [10, 5]", ""), "obstacles[0]", "at is missing"),
        (("at = [10, 5]", "at = [10, 25]"), "obstacles[0]", "wholly outside"),
        (("at = [10, 5]\nsize = [1, 6]", "line = [[1, 1], [1, 1]]\nthickness_m = 1"), "obstacles[0].line", "differ"),
        (("start = [2, 5]", "start = [-2, 5]"), "cast[0].start", "outside the bounds"),
        (("start = [2, 5]", "start = [0.1, 5]"), "cast[0].start", "beyond the bounds"),
        (("start = [2, 5]", "start = [10, 7.9]"), "cast[0].start", "meets obstacle 'wall'"),
        (("start = [2, 5]", 'start = [2, 5]\nbegins = "stnad"'), "cast[0].begins", "did you mean 'stand'"),
        (("start = [2, 5]", 'start = [2, 5]\nsubset = "lk5"'), "cast[0].subset", "did you mean 'lk05'"),
        (("start = [2, 5]", 'start = [2, 5]\nspecial = { jump = "x" }'), "cast[0].special.jump", "no annotated"),
        (("start = [2, 5]", "start = [2, 5]\nmax_expansions = 0"), "cast[0].max_expansions", "greater than or equal"),
        (("goal = [18, 5]", "goal = [18]"), "cast[0].goal", "at least 2 items"),
        (("goal = [18, 5]", "goal = [18, true]"), "cast[0].goal[1]", "valid number"),
        (("goal = [18, 5]", "goal = { at = [18, 5], tolerance_m = 0 }"), "cast[0].goal.tolerance_m", "greater than 0"),
        (
            ("goal = [18, 5]", "goal = { at = [18, 5], tolerance = 1 }"),
            "cast[0].goal.tolerance",
            "did you mean 'tolerance_m'",
        ),
        (("goal = [18, 5]", "goal = { at = [10, 5], tolerance_m = 0.1 }"), "cast[0].goal", "nobody finds room"),
        (("goal = [18, 5]", "goal = [18, 50]"), "cast[0].goal", "outside the bounds"),
        (("goal = [18, 5]", ""), "cast[0].goal", "is missing"),
        (("seed = 3", "seed = -3"), "seed", "greater than or equal to 0"),
        (("seed = 3", 'kind = "paln"'), "kind", "'plan', 'crowd' or 'climb', not 'paln'"),
    ],
)
def test_a_mistake_says_what_was_expected(change: tuple[str, str], key: str, says: str):
    found = mistakes(SMALL.replace(*change, 1))
    assert says in found[key][1]
    assert found[key][0] is not None


@pytest.mark.parametrize(
    ("keys", "key", "says"),
    [
        ("radius_m = 1\nat = [5, 5]", "movers[0]", "the motion is one of"),
        ("radius_m = 1\nspin = { deg_s = 9 }", "movers[0]", "at is missing"),
        ("radius_m = 1\nat = [5, 5]\nspin = { deg_s = 0 }", "movers[0].spin", "must not be 0"),
        ('radius_m = 1\nat = [5, 5]\nspin = { deg_s = 9 }\nrepeat = "loop"', "movers[0]", "repeat belongs to"),
        ('radius_m = 1\nat = [5, 5]\nspin = { deg_s = 9 }\nthings = ["a"]', "movers[0]", "things belongs to"),
        ("radius_m = 1\npath = [{ time_s = 0 }]", "movers[0].path[0].at", "is missing"),
        ('radius_m = 1\nrepeat = "loop"\npath = [{ time_s = 0, at = [1, 1] }]', "movers[0].path", "two places"),
        (
            "radius_m = 1\npath = [{ time_s = 0, at = [1, 1], bottom_m = 4 }]",
            "movers[0].path[0]",
            "top_m must be above",
        ),
        (
            "size = [1, 1]\nat = [5, 5]\nfalling = { length_m = 4, heading_deg = 0, start_s = 1, duration_s = 1 }",
            "movers[0]",
            "give its radius_m",
        ),
        (
            "radius_m = 2\nat = [5, 5]\nfalling = { length_m = 4, heading_deg = 0, start_s = 1, duration_s = 1 }",
            "movers[0]",
            "longer than it is thick",
        ),
        ('radius_m = 1\nrecording = "moves.csv"\nthings = ["b*"]', "movers[0].things[0]", "there are: a"),
        ('radius_m = 1\nrecording = "moves.csv"\nat = [1, 1]', "movers[0]", "leave out at"),
        ('radius_m = 1\nrecording = "bad.csv"', "movers[0].recording", "bad.csv:2: x must be a number"),
        ('radius_m = 1\nrecording = "gone.csv"', "movers[0].recording", "gone.csv"),
    ],
)
def test_a_mistake_in_a_mover_says_what_was_expected(keys: str, key: str, says: str, tmp_path: Path):
    (tmp_path / "moves.csv").write_text("time_s,name,x,y,heading_deg\n0,a,1,1,0\n")
    (tmp_path / "bad.csv").write_text("time_s,name,x,y,heading_deg\n0,a,?,1,0\n")
    assert says in mistakes(f"{EMPTY}[[movers]]\n{keys}\n", beside=tmp_path)[key][1]


@pytest.mark.parametrize(
    ("terrain", "key", "says"),
    [
        ("bumps = [{ at = [5, 5], radius_m = -1, height_m = 1 }]", "world.terrain.bumps[0].radius_m", "greater than"),
        ("bumps = [{ at = [5, 5], radius_m = 1, height_m = 1, flat_m = 2 }]", "world.terrain.bumps[0]", "less than"),
        ('image = { file = "gone.png", heights_m = [0, 1] }', "world.terrain.image", "gone.png"),
        ('mesh = { file = "gone.glb" }', "world.terrain.mesh", "gone.glb"),
        ('mesh = { file = "a.glb" }\nimage = { file = "a.png", heights_m = [0, 1] }', "world.terrain", "only one of"),
    ],
)
def test_a_mistake_in_the_ground_says_what_was_expected(terrain: str, key: str, says: str):
    assert says in mistakes(f"{EMPTY}[world.terrain]\n{terrain}\n")[key][1]


def test_a_missing_mesh_is_named():
    assert "gone.glb" in mistakes(EMPTY + '[[meshes]]\nfile = "gone.glb"\n')["meshes[0].file"][1]


def test_an_annotated_obstacle_that_no_behavior_gets_across_is_a_mistake():
    text = SMALL.replace("size = [1, 6]", 'size = [1, 6]\nspecial = { kind = "hurdle", near_m = 2 }')
    assert "no behavior of the cast tagged" in mistakes(text)["obstacles[0].special.kind"][1]
    misspelt = mistakes(text + 'special = { jump-over = "hurdel" }\n')
    assert "did you mean 'hurdle'?" in misspelt["cast[0].special.jump-over"][1]


def test_names_are_unique_among_things_and_among_the_cast():
    twice = SMALL + '[[movers]]\nname = "wall"\nat = [5, 9]\nradius_m = 0.3\nspin = { deg_s = 9 }\n'
    assert "two things called 'wall'" in mistakes(twice)["movers[0].name"][1]
    twice = SMALL + '[[cast]]\nname = "Ann"\nstart = [2, 8]\ngoal = [18, 8]\n'
    assert "called 'Ann'" in mistakes(twice)["cast[1].name"][1]


def test_a_mistake_in_a_character_file_is_told_in_the_scene(tmp_path: Path):
    (tmp_path / "broken.toml").write_text('name = "broken"\n')
    found = mistakes(SMALL + 'character = "broken.toml"\n', beside=tmp_path)
    assert "broken.toml" in found["cast[0].character"][1]
    assert "behaviors" in found["cast[0].character"][1]


def test_nothing_is_said_of_places_where_the_bounds_cannot_be_read():
    assert set(mistakes(SMALL.replace("20, 10]", "20]"))) == {"world.bounds"}


# Whether bodies fit


def test_nobody_starts_under_a_beam_lower_than_their_head():
    beam = "at = [2, 5]\nsize = [1, 6]\nbottom_m = {}\ntop_m = 3"
    assert parse_scene(SMALL.replace("at = [10, 5]\nsize = [1, 6]", beam.format(2.2)))
    assert "cast[0].start" in mistakes(SMALL.replace("at = [10, 5]\nsize = [1, 6]", beam.format(1.2)))
    annotated = beam.format(2.2) + '\nspecial = { kind = "duck", near_m = 2 }'
    found = mistakes(SMALL.replace("at = [10, 5]\nsize = [1, 6]", annotated) + 'special = { duck = "duck" }\n')
    assert "cast[0].start" in found


def test_nobody_starts_where_something_moving_is_at_that_time():
    mover = (
        "[[movers]]\nname = 'ball'\nradius_m = 0.5\npath = [{ time_s = 0, at = [2, 5] }, { time_s = 2, at = [6, 5] }]\n"
    )
    assert "meets mover 'ball' at 0 s" in mistakes(SMALL + mover)["cast[0].start"][1]
    assert parse_scene(SMALL + "starts_at_s = 2\n" + mover)


def test_a_goal_that_leaves_room_beside_an_obstacle_is_fine():
    assert parse_scene(SMALL.replace("goal = [18, 5]", "goal = { at = [10.4, 5], tolerance_m = 0.8 }"))


def test_a_goal_between_obstacles_that_together_leave_no_room_is_a_mistake():
    boxes = "".join(f"[[obstacles]]\nat = [{x}, 8]\nsize = [0.3, 2]\n" for x in (14.0, 14.5, 15.0))
    found = mistakes(SMALL.replace("goal = [18, 5]", "goal = { at = [14.5, 8], tolerance_m = 0.4 }") + boxes)
    assert "nobody finds room" in found["cast[0].goal"][1]


def human_stands(character: Character, x: float, y: float, heading: float) -> list[shapely.Geometry]:
    (parts,) = first_parts(character, None)
    turn = np.array([[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]])
    centres = parts.offset @ turn.T + (x, y)
    return [
        shapely.Point(centre).buffer(radius, quad_segs=32) for centre, radius in zip(centres, parts.radius, strict=True)
    ]


@settings(deadline=None, max_examples=60)
@given(st.floats(3, 7), st.floats(3, 7), st.floats(-180, 180), st.floats(0.05, 2), st.floats(0.05, 2), st.floats(0, 90))
def test_starts_are_refused_exactly_where_a_part_of_the_body_meets_an_obstacle(
    x: float, y: float, heading_deg: float, length: float, width: float, turned_deg: float
):
    text = f"{EMPTY}[[obstacles]]\nname = 'box'\nat = [5, 5]\nsize = [{length}, {width}]\nheading_deg = {turned_deg}\n"
    text += f"[[cast]]\nstart = [{x}, {y}]\nheading_deg = {heading_deg}\ngoal = [18, 5]\n"
    box = shapely.affinity.rotate(
        shapely.box(5 - length / 2, 5 - width / 2, 5 + length / 2, 5 + width / 2), turned_deg, origin=(5, 5)
    )
    body = shapely.union_all(human_stands(BUILTIN("human"), x, y, np.radians(heading_deg)))
    if body.distance(box) > 0.002:
        assert parse_scene(text)
    elif body.buffer(-0.002).intersects(box):
        assert "cast[0].start" in mistakes(text)


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-3, 3), st.floats(-3, 3))
def test_two_bodies_overlap_where_any_of_their_parts_do(x: float, y: float, first: float, second: float):
    human = BUILTIN("human")
    (parts,) = first_parts(human, None)
    one, two = human_stands(human, 0.0, 0.0, first), human_stands(human, x, y, second)
    meets = [
        (a, b)
        for i, a in enumerate(one)
        for j, b in enumerate(two)
        if min(parts.high[i], parts.high[j]) > max(parts.low[i], parts.low[j])
    ]
    found = bodies_overlap((0.0, 0.0, first), parts, (x, y, second), parts)
    if min(a.distance(b) for a, b in meets) > 0.002:
        assert not found
    if any(a.buffer(-0.002).intersects(b) for a, b in meets):
        assert found


# Files


def test_scenes_that_ship_can_be_loaded_by_name():
    scenes = shipped_scenes()
    assert {"first", "hurdles", "hills", "gate"} <= {scene.name for scene in scenes}
    for shipped in scenes:
        assert shipped.summary
        assert shipped.kind in ("plan", "crowd", "climb")


@pytest.mark.slow
@pytest.mark.parametrize("name", [scene.name for scene in shipped_scenes()])
def test_every_scene_that_ships_is_without_mistakes(name: str):
    scene = load_scene(name)
    assert scene.name == name
    assert scene.climbs if scene.kind == "climb" else scene.cast
    for actor in scene.cast if scene.kind == "plan" else ():
        scene.problem(actor)


def test_an_unknown_scene_suggests_a_near_one():
    with pytest.raises(UnknownName, match="did you mean 'hurdles'"):
        load_scene("hurdle")


def test_the_name_of_a_file_without_its_suffix_suggests_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    with pytest.raises(InvalidInput, match=r"no scene 'small'; did you mean the file 'small\.toml'"):
        load_scene("small")


def test_an_unknown_character_is_named_before_its_scene():
    with pytest.raises(UnknownName, match="no character 'ann' in scene 'small'; did you mean 'Ann'"):
        parse_scene(SMALL).with_only(["ann"])


def test_a_scene_file_is_loaded_by_its_path_and_named_in_its_mistakes(tmp_path: Path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    assert load_scene(path).name == "small"
    path.write_text(SMALL.replace("seed = 3", "sede = 3"))
    with pytest.raises(InvalidEntries, match=r"small\.toml:3: sede: is an unknown key; did you mean 'seed'"):
        load_scene(path)
    path.write_text("name = ")
    with pytest.raises(MalformedFile, match=r"small\.toml:1"):
        load_scene(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedFile, match="UTF-8"):
        load_scene(path)
    with pytest.raises(UnreadableFile):
        load_scene(tmp_path / "gone.toml")


def toml_blocks() -> list[str]:
    page = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    return re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)


@pytest.mark.parametrize("block", toml_blocks())
def test_the_examples_in_the_docs_are_scenes(block: str, tmp_path: Path):
    (tmp_path / "balls.csv").write_text(
        "time_s,name,x,y,heading_deg\n0,ball-1,9,9,0\n1,ball-1,10,9,0\n0,crate,12,9,0\n"
    )
    if "bounds" not in block:
        block = 'name = "example"\n[world]\nbounds = [0, 0, 30, 20]\n' + block
    assert parse_scene(block, beside=tmp_path)


def test_the_docs_name_every_key():
    page = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    said = (*vars(world_model).values(), *vars(file_model).values())
    tables = [one for one in said if isinstance(one, type) and issubclass(one, Entry)]
    keys = {key for table in tables for key in table.model_fields}
    assert len(keys) > 70
    assert not {key for key in keys if not re.search(rf"`{key}`|\b{key} = |\[{key}\]|; {key}\b", page)}


values = st.recursive(
    st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["human", "x.csv"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
PATHS = [
    ("world", "bounds"), ("world", "terrain"), ("obstacles",), ("obstacles", 0, "size"), ("obstacles", 0, "at"),
    ("obstacles", 0, "special"), ("obstacles", 0, "corners"), ("obstacles", 0, "line"), ("movers",), ("movers", 0),
    ("cast", 0, "start"), ("cast", 0, "goal"), ("cast", 0, "waypoints"), ("cast", 0, "weights"), ("groups",),
    ("cast", 0, "character"), ("meshes",), ("seed",), ("cast", 0, "heading_deg"), ("cast",), ("obstacles", 0),
]  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(PATHS), values), min_size=1, max_size=3))
def test_whatever_a_file_says_it_is_a_scene_or_a_clean_error(changes: list[tuple[tuple[str | int, ...], Any]]):
    data: Any = {
        "name": "x",
        "world": {"bounds": [0, 0, 20, 10]},
        "obstacles": [{"at": [10, 5], "size": [1, 6]}],
        "movers": [{"at": [5, 5], "radius_m": 1, "spin": {"deg_s": 9}}],
        "cast": [{"start": [2, 5], "goal": [18, 5]}],
    }
    for path, value in changes:
        table: Any = data
        for part in path[:-1]:
            table = table[part] if isinstance(table, (dict, list)) and _has(table, part) else None
        if (isinstance(table, dict) and isinstance(path[-1], str)) or (
            isinstance(table, list) and _has(table, path[-1])
        ):
            table[path[-1]] = value
    try:
        parse_scene(tomlkit.dumps(data))
    except GambolError:
        return


def _has(table: Any, part: str | int) -> bool:
    return part in table if isinstance(table, dict) else isinstance(part, int) and part < len(table)
