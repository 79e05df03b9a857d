"""Scenes of crowds: what a file may say, what becomes of it, and what it may not say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.crowd import errand_of, goals_of
from gambol.errors import InvalidEntries, InvalidInput, UnknownName
from gambol.files import Problems
from gambol.scenes.aims import Follow, Visit, Wander
from gambol.scenes.draft import Setting
from gambol.scenes.file import parse_scene
from gambol.scenes.places import PlaceCheck
from gambol.scenes.scene import Actor, Scene
from gambol.world import Footprint, Obstacle

WORLD = """
name = "small"
kind = "crowd"
seed = 3
[world]
bounds = [0, 0, 40, 20]
[[obstacles]]
name = "wall"
at = [20, 10]
size = [1, 6]
"""


def crowd(text: str, **options: Any) -> Scene:
    return parse_scene(WORLD + text, **options)


def ann(keys: str, more: str = "") -> Actor:
    return crowd(f'[[cast]]\nname = "Ann"\nstart = [2, 5]\n{keys}\n{more}').actor("Ann")


def group(keys: str, count: int = 6) -> tuple[Actor, ...]:
    starts = "" if "starts" in keys else "starts = { area = [1, 1, 9, 19] }\n"
    return crowd(f'[[groups]]\nname = "g"\ncount = {count}\n{starts}{keys}\n').cast


def mistakes(text: str) -> dict[str, str]:
    with pytest.raises(InvalidEntries) as raised:
        parse_scene(text)
    return {problem.key: problem.message for problem in raised.value.problems}


def places(actor: Actor) -> list[tuple[float, float]]:
    assert isinstance(actor.aim, Visit)
    return [(place.x, place.y) for place in actor.aim.places]


# What people are about


def test_a_goal_alone_means_go_there_and_stand():
    actor = ann("goal = [38, 5]")
    assert isinstance(actor.aim, Visit)
    assert (places(actor), actor.aim.then) == ([(38.0, 5.0)], "stand")
    assert actor.goal is not None
    assert (actor.goal.x, actor.goal.tolerance_m) == (38.0, 0.5)
    assert (actor.appears_s, actor.company, actor.start[2]) == (0.0, None, 0.0)
    errand = errand_of(actor.aim)
    assert (errand.points, errand.then, errand.tolerance_m, errand.is_endless) == (((38.0, 5.0),), "stand", 0.5, False)


def test_way_points_come_before_the_goal():
    assert places(ann("goal = [38, 5]\nwaypoints = [[5, 18]]\nthen = 'leave'")) == [(5.0, 18.0), (38.0, 5.0)]


def test_goals_are_visited_in_their_order_and_the_first_one_is_faced():
    actor = ann("goals = [[2, 18], { at = [30, 5], tolerance_m = 2 }]\nthen = 'leave'")
    assert places(actor) == [(2.0, 18.0), (30.0, 5.0)]
    assert actor.start[2] == pytest.approx(np.pi / 2)
    assert actor.aim is not None
    errand = errand_of(actor.aim)
    assert (errand.then, errand.tolerance_m, goals_of(actor.aim)) == ("leave", 0.5, 2)


def test_repeated_goals_never_end():
    aim = ann("goals = [[2, 18], [30, 5]]\nthen = 'repeat'").aim
    assert aim is not None
    assert errand_of(aim).repeats
    assert goals_of(aim) == 0


@pytest.mark.parametrize(
    ("keys", "area", "count"),
    [
        ("wander = {}", (0, 0, 40, 20), None),
        ("wander = [1, 2, 30, 18]", (1, 2, 30, 18), None),
        ("wander = { area = [1, 2, 30, 18], count = 4 }\nthen = 'leave'", (1, 2, 30, 18), 4),
    ],
)
def test_to_wander_is_to_go_to_places_by_chance(keys: str, area: tuple[float, ...], count: int | None):
    actor = ann(keys)
    assert isinstance(actor.aim, Wander)
    assert (actor.aim.area, actor.aim.count) == (area, count)
    assert actor.goal is None
    errand = errand_of(actor.aim)
    assert (errand.area, errand.count, errand.is_endless) == (area, count, count is None)
    assert errand.then == ("stand" if count is None else "leave")
    assert goals_of(actor.aim) == (count or 0)


def test_who_has_no_place_to_face_faces_anywhere_by_the_seed():
    text = '[[cast]]\nname = "Ann"\nstart = [2, 5]\nwander = {}\n'
    headings = [crowd(text, seed=seed).cast[0].start[2] for seed in (1, 1, 2)]
    assert headings[0] == headings[1] != headings[2]
    assert ann("wander = {}\nheading_deg = 90").start[2] == pytest.approx(np.pi / 2)


@pytest.mark.parametrize(("keys", "distance_m"), [("'Bob'", 2.0), ("{ who = 'Bob', distance_m = 3 }", 3.0)])
def test_one_may_follow_another(keys: str, distance_m: float):
    actor = ann(f"follow = {keys}", '[[cast]]\nname = "Bob"\nstart = [5, 5]\ngoal = [30, 5]\n')
    assert actor.aim == Follow("Bob", distance_m)
    errand = errand_of(Follow("Bob", distance_m))
    assert (errand.leader, errand.distance_m, goals_of(actor.aim)) == ("Bob", distance_m, 0)


def test_what_a_crowd_is_about_is_checked_at_birth():
    with pytest.raises(UnknownName, match="did you mean 'leave'"):
        Wander((0, 0, 1, 1), 3, "leaves")
    for wrong in (lambda: Visit(()), lambda: Follow("Ann", 0.0), lambda: Wander((1, 0, 0, 1)),
                  lambda: Wander((0, 0, 1, 1), 0)):  # fmt: skip
        with pytest.raises(InvalidInput):
            wrong()


# Who they are


def test_humans_have_their_subset_for_crowds_where_nothing_else_is_said():
    assert ann("goal = [38, 5]").character.name == "human/crowd"
    assert ann("goal = [38, 5]\nsubset = 'lk05'").character.name == "human/lk05"
    planned = parse_scene(WORLD.replace('kind = "crowd"', "") + "[[cast]]\nstart = [2, 5]\ngoal = [38, 5]\n")
    assert planned.cast[0].character.name == "human"


def test_kinds_mix_and_all_of_a_kind_share_a_character():
    more = "[[cast]]\ncharacter = 'skateboarder'\nstart = [30, 15]\nwander = {}\n"
    text = '[[groups]]\nname = "g"\ncount = 3\nstarts = { line = [[2, 2], [8, 2]] }\nwander = {}\n'
    cast = crowd(more + text).cast
    assert [actor.name for actor in cast] == ["skateboarder-0", "g-0", "g-1", "g-2"]
    assert len({id(actor.character) for actor in cast}) == 2


# Groups


def test_everyone_of_a_group_visits_a_place_of_each_list():
    cast = group("goals = [{ area = [30, 1, 39, 19] }, { line = [[12, 2], [12, 18]] }]\nthen = 'repeat'\nmixed = true")
    visited = np.array([places(actor) for actor in cast])
    assert visited.shape == (6, 2, 2)
    assert (visited[:, 0, 0] >= 30).all()
    assert (visited[:, 1, 0] == 12).all()
    assert len(np.unique(visited[:, 0], axis=0)) == 6
    facing = np.arctan2(*(visited[:, 0] - [actor.start[:2] for actor in cast]).T[::-1])
    assert np.allclose(facing, [actor.start[2] for actor in cast])


def test_only_who_stands_at_last_needs_a_place_of_their_own():
    narrow = "goals = { line = [[38, 5], [38, 7.5]] }\n"
    message = mistakes(WORLD + f'[[groups]]\nname = "g"\ncount = 6\nstarts = {{ area = [1, 1, 9, 19] }}\n{narrow}')
    assert "less than spacing_m" in message["groups[0]"]
    shared = [places(actor)[0] for actor in group(narrow + "then = 'leave'")]
    assert sorted(set(shared)) == [(38.0, 5.0), (38.0, 6.25), (38.0, 7.5)]
    assert {shared.count(place) for place in shared} == {2}
    crammed = "goals = { area = [37, 5, 38, 6] }\n"
    assert len({places(actor)[0] for actor in group(crammed + "then = 'leave'")}) == 1


def test_a_stream_flows_in_one_after_another_from_shared_starts():
    cast = group("starts = { line = [[1, 9], [1, 11.4]] }\nwander = {}\nappears_at_s = 2\ninterval_s = 0.5", count=7)
    assert [actor.appears_s for actor in cast] == [2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0]
    assert len({actor.start[:2] for actor in cast}) == 3
    ring = group("starts = { circle = { at = [8, 10], radius_m = 1.3 } }\nwander = {}\ninterval_s = 1", count=20)
    starts = np.unique([actor.start[:2] for actor in ring], axis=0)
    apart = np.linalg.norm(starts[:, None] - starts[None], axis=-1)[~np.eye(len(starts), dtype=bool)]
    assert len(starts) == 6
    assert apart.min() >= 1.2


def test_who_is_there_at_the_same_time_still_needs_room_to_stand():
    pair = "".join(f'[[cast]]\nname = "{name}"\nstart = [2, 5]\ngoal = [38, 5]\n{{}}\n' for name in "AB")
    assert "would stand in 'A'" in mistakes(WORLD + pair.format("", ""))["cast[1].start"]
    assert len(crowd(pair.format("", "appears_at_s = 3")).cast) == 2


def test_members_who_stay_together_know_their_company():
    assert {actor.company for actor in group("wander = {}\ntogether = true")} == {"g"}
    assert {actor.company for actor in group("wander = {}")} == {None}


# Mistakes

CAST = '[[cast]]\nname = "Ann"\nstart = [2, 5]\n'
GROUP = '[[groups]]\nname = "g"\ncount = 3\nstarts = { line = [[2, 2], [8, 2]] }\n'
BOB = '[[cast]]\nname = "Bob"\nstart = [5, 5]\n'


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        (CAST, "cast[0]", "Give one of goal, goals, wander and follow"),
        (CAST + "goal = [38, 5]\nwander = {}", "cast[0].wander", "replaces goal"),
        (CAST + "goals = [[38, 5]]\nfollow = 'Bob'\n" + BOB + "goal = [9, 9]", "cast[0].follow", "replaces"),
        (CAST + "goals = []", "cast[0].goals", "at least 1 item"),
        (CAST + "goals = [[38, 5], [38]]", "cast[0].goals[1]", "at least 2 items"),
        (CAST + "goals = [[38, 5], { at = [1, 2], tol = 1 }]", "cast[0].goals[1].tol", "unknown key"),
        (CAST + "goals = [[38, 5], [3, 50]]", "cast[0].goals[1]", "outside the bounds"),
        (CAST + "goals = [{ at = [20, 10], tolerance_m = 0.1 }, [3, 5]]", "cast[0].goals[0]", "nobody finds room"),
        (CAST + "goal = [38, 5]\nthen = 'repeat'", "cast[0]", "needs goals, two or more"),
        (CAST + "goals = [[38, 5]]\nthen = 'repeat'", "cast[0]", "needs goals, two or more"),
        (CAST + "goal = [38, 5]\nthen = 'go'", "cast[0].then", "'stand', 'leave' or 'repeat', not 'go'"),
        (CAST + "wander = {}\nthen = 'leave'", "cast[0]", "wanders for ever never arrives"),
        (CAST + "wander = { count = 3 }\nthen = 'repeat'", "cast[0]", "leave out the count"),
        (CAST + "wander = { cuont = 3 }", "cast[0].wander.cuont", "did you mean 'count'"),
        (CAST + "wander = { count = 0 }", "cast[0].wander.count", "greater than or equal to 1"),
        (CAST + "wander = [1, 2, 3]", "cast[0].wander", "at least 4 items"),
        (CAST + "wander = [5, 2, 3, 9]", "cast[0].wander", "least x, least y"),
        (CAST + "wander = [1, 2, 41, 9]", "cast[0].wander", "reaches beyond the bounds"),
        (CAST + "wander = [19.6, 8, 20.4, 12]", "cast[0].wander", "nobody finds room"),
        (CAST + "waypoints = [[3, 3]]\nwander = {}", "cast[0].waypoints", "belongs to goal"),
        (CAST + "follow = 'Bop'\n" + BOB + "goal = [9, 9]", "cast[0].follow", "did you mean 'Bob'"),
        (CAST + "follow = 'Ann'", "cast[0].follow", "would follow itself"),
        (CAST + "follow = 'Bob'\n" + BOB + "follow = 'Ann'", "cast[1].follow", "would follow itself"),
        (CAST + "follow = { who = 'Al', distance_m = 0 }", "cast[0].follow.distance_m", "than"),
        (CAST + "follow = 'Bob'\nthen = 'leave'\n" + BOB + "goal = [9, 9]", "cast[0]", "a follower never arrives"),
        (CAST + "goal = [38, 5]\nappears_at_s = -1", "cast[0].appears_at_s", "greater than or equal to 0"),
        (CAST + "goal = [38, 5]\nstarts_at_s = 1", "cast[0].starts_at_s", "there is appears_at_s"),
        (CAST + "goal = [38, 5]\nweights = { jump = 2 }", "cast[0].weights", "of the kind 'plan'"),
        (CAST + "goal = { at = [38, 5], heading_deg = 0 }", "cast[0].goal.heading_deg", "of the kind 'plan'"),
        (CAST + "goals = [[38, 5], { at = [9, 9], behavior = 'stop' }]", "cast[0].goals[1].behavior", "kind 'plan'"),
        (CAST + "goal = [38, 5]\ntogether = true", "cast[0].together", "is an unknown key"),
        (GROUP, "groups[0]", "goals is missing"),
        (GROUP + "goals = { line = [[2, 9], [8, 9]] }\nthen = 'repeat'", "groups[0]", "a list of goals, two or more"),
        (GROUP + "goals = { line = [[2, 9], [8, 9]] }\nbehavior = 'stop'", "groups[0].behavior", "kind 'plan'"),
        (GROUP + "goals = { lime = [[2, 9], [8, 9]] }", "groups[0].goals.lime", "did you mean 'line'"),
        (GROUP + "goals = [{ area = [2, 9, 8, 19] }, { lime = 2 }]", "groups[0].goals[1].lime", "did you mean 'line'"),
        (GROUP + "goals = [{ line = [[2, 9], [50, 9]] }, { area = [2, 9, 8, 19] }]", "groups[0].goals[0]", "outside"),
        (GROUP + "wander = {}\ninterval_s = -1", "groups[0].interval_s", "greater than or equal to 0"),
        (GROUP + "follow = 'g-1'", "groups[0].follow", "would follow itself"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_crowd_says_what_was_expected(text: str, key: str, says: str):
    assert says in mistakes(WORLD + text)[key]


@pytest.mark.parametrize(
    "key", ["goals = [[3, 3]]", "wander = {}", "follow = 'Ann'", "then = 'leave'", "appears_at_s = 1"]
)
def test_keys_of_a_crowd_are_mistakes_elsewhere(key: str):
    name = key.partition(" ")[0]
    plan = WORLD.replace('kind = "crowd"', "")
    assert "of the kind 'crowd'" in mistakes(f"{plan}{CAST}goal = [38, 5]\n{key}\n")[f"cast[0].{name}"]


def test_keys_of_a_crowds_groups_are_mistakes_elsewhere():
    plan = WORLD.replace('kind = "crowd"', "") + GROUP
    found = mistakes(plan + "goals = [{ line = [[2, 9], [8, 9]] }]\ntogether = true\ninterval_s = 1")
    assert found.keys() == {"groups[0].goals", "groups[0].together", "groups[0].interval_s"}
    assert all("of the kind 'crowd'" in message for message in found.values())


def test_crowds_have_no_hills():
    text = WORLD.replace("[[obstacles]]", "[world.terrain]\nclimb_cost = 1\n[[obstacles]]")
    assert "level ground" in mistakes(text)["world.terrain"]


# Room


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.floats(0.1, 1.5))
def test_places_are_open_exactly_where_a_disc_meets_nothing(seed: int, radius_m: float):
    chance = np.random.default_rng(seed)
    obstacles = [
        Obstacle(
            f"o{n}",
            Footprint.box(*chance.uniform(0.2, 3, 2)),
            (*chance.uniform(0, 10, 2).tolist(), float(chance.uniform(-3, 3))),
        )
        for n in range(5)
    ]
    setting = Setting((0.0, 0.0, 10.0, 10.0), [(("obstacles", n), one) for n, one in enumerate(obstacles)], [], None)
    points = chance.uniform(-1, 11, (40, 2))
    found = PlaceCheck(setting, Problems("")).are_open(points, radius_m)
    for point, is_open in zip(points, found, strict=True):
        spot = shapely.Point(point)
        gaps = [shapely.distance(one.footprint.region(one.pose), spot) - radius_m for one in obstacles]
        gaps += [point.min() - radius_m, 10 - point.max() - radius_m]
        if abs(min(gaps)) > 1e-5:
            assert is_open == (min(gaps) > 0)
