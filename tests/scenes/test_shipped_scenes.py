"""Shipped scenes do what their summaries say; `evidence/soak/shipped_scenes.py` runs them with their whole casts."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import shapely
from scipy.spatial import KDTree

from gambol.animate import terrain_contact_report
from gambol.characters import clip_of
from gambol.scenes.file import load_scene
from gambol.scenes.find import shipped_scenes
from gambol.scenes.places import first_parts
from gambol.scenes.scene import Scene
from gambol.search import AStar, Outcome, Plan
from gambol.stages import PlanPerformance, PlanStage, perform
from gambol.world import Obstacle

QUICKER = {"preferences": AStar(weight=2.0)}  # than the planner by default
SOME_OF = {"crossing": slice(0, None, 12), "spheres": slice(0, None, 3)}  # of the cast of large scenes
PLANNED = [scene.name for scene in shipped_scenes() if scene.kind == "plan"]
HILLY = ("hills", "preferences", "rolling")
CROWDS = [scene.name for scene in shipped_scenes() if scene.kind == "crowd"]
SEEDS = (None, 7)  # of crowds: their own and another


@cache
def scene(name: str) -> Scene:
    whole = load_scene(name)
    return replace(whole, cast=whole.cast[SOME_OF.get(name, slice(None))])


@cache
def performance(name: str) -> PlanPerformance:
    return perform(scene(name), PlanStage(QUICKER.get(name)))


def with_obstacles(name: str, **heights_m: dict[str, float]) -> Plan:
    """Plan for the only one of a scene's cast, with other heights of obstacles; their names have _ for blanks."""
    world = scene(name).world
    changed = {key.replace("_", " "): change for key, change in heights_m.items()}
    assert changed.keys() <= {obstacle.name for obstacle in world.obstacles}
    obstacles = tuple(replace(obstacle, **changed.get(obstacle.name, {})) for obstacle in world.obstacles)
    (actor,) = scene(name).cast
    return AStar(weight=1.5).solve(replace(scene(name).problem(actor), world=replace(world, obstacles=obstacles)))


def kinds(plan: Plan) -> set[str]:
    return {plan.character.behaviors[step.behavior].kind for step in plan.steps}


def crossing(performed: PlanPerformance, name: str, x: float) -> tuple[float, str]:
    """Return when someone's root first gets past x, and the name of the behavior with which it does."""
    number = performed.names.index(name)
    plan, motion = performed.plans[number], performed.realized[number]
    assert motion is not None
    frame = int(np.argmax(motion.root_positions[:, 0] > x))
    assert frame > 0
    rate_hz = plan.character.planning_rate_hz
    time_s = plan.steps[0].frame / rate_hz + frame / motion.rate_hz
    begun = [step for step in plan.steps if step.frame <= time_s * rate_hz]
    return time_s, plan.character.behaviors[begun[-1].behavior].name


def kind_of(plan: Plan, behavior: str) -> str:
    return next(one.kind for one in plan.character.behaviors if one.name == behavior)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANNED)
def test_everyone_arrives_and_nothing_collides_touches_or_breaks_the_rules(name: str):
    performed = performance(name)
    assert {plan.outcome for plan in performed.plans} == {Outcome.FOUND}, [plan.reason for plan in performed.plans]
    assert performed.report is not None
    assert performed.report.is_clean, performed.report.summary
    assert performed.report.frames > 100
    for problem, motion in zip(performed.problems, performed.realized, strict=True):
        assert motion is not None
        away = np.hypot(*(motion.root_positions[-1, :2] - (problem.goal.x, problem.goal.y)))
        assert away <= problem.goal.tolerance_m + 0.02


def test_who_sets_out_later_than_it_could_waits_in_what_is_delivered():
    performed = performance("first")
    (plan,) = performed.plans
    later = replace(plan, steps=tuple(replace(step, frame=step.frame + 60) for step in plan.steps))
    delayed = replace(performed, plans=(later,))
    waited_s = 60 / plan.character.planning_rate_hz
    assert delayed.ends_s == pytest.approx(performed.ends_s + waited_s)
    before, after = performed.own_motions["Ann"], delayed.own_motions["Ann"]
    assert after.duration_s == pytest.approx(before.duration_s + waited_s)
    assert not np.ptp(after.root_positions[: round(waited_s * after.rate_hz)], axis=0).any()
    assert np.array_equal(after.root_positions[-before.frame_count :], before.root_positions)


def test_the_first_passes_before_the_tree_falls_and_two_jump_once_it_lies():
    performed = performance("falling-tree")
    tree = [mover for mover in scene("falling-tree").world.movers if mover.name.startswith("tree/")]
    line_x = float(tree[0].trajectory.poses[-1, 0])
    begins_s, lies_s = (float(tree[0].trajectory.times_s[index]) for index in (0, -1))
    before_s, passes = crossing(performed, "Ann", line_x)
    assert before_s < begins_s + 0.5 * (lies_s - begins_s)
    assert kind_of(performed.plans[0], passes) != "jump"
    assert "jump" not in kinds(performed.plans[0])
    for name, plan in zip(performed.names[1:], performed.plans[1:], strict=True):
        after_s, jumps = crossing(performed, name, line_x)
        assert after_s > lies_s
        assert kind_of(plan, jumps) == "jump"


def test_preferences_change_the_way_over_hill_and_hurdle():
    performed = performance("preferences")
    terrain = performed.scene.world.terrain
    assert terrain is not None
    climbed = {
        name: float(terrain.height(motion.root_positions).max())
        for name, motion in performed.own_motions.items()
    }  # fmt: skip
    plans = dict(zip(performed.names, performed.plans, strict=True))
    assert climbed["bold"] > 0.5
    assert "jump" in kinds(plans["bold"])
    assert climbed["careful"] < 0.1
    assert "jump" not in kinds(plans["careful"])


def test_the_wall_of_the_search_scene_is_crossed_where_it_can_be():
    assert kinds(performance("search").plans[0]) & {"jump", "low"}
    no_crawl = with_obstacles("search", crawl_part={"bottom_m": 0.5})
    assert no_crawl.found
    assert "jump" in kinds(no_crawl)
    no_jump = with_obstacles("search", jump_part={"top_m": 0.6})
    assert no_jump.found
    assert "low" in kinds(no_jump)
    assert "jump" not in kinds(no_jump)


def test_only_a_jump_passes_the_gate_and_none_passes_a_high_one():
    performed = performance("c20-gate")
    _, passes = crossing(performed, "Cam", 12.0)
    assert kind_of(performed.plans[0], passes) == "jump"
    too_high = with_obstacles("c20-gate", gate={"top_m": 0.6})
    assert too_high.outcome is Outcome.UNREACHABLE
    assert too_high.reason


def test_the_skateboarder_jumps_over_the_arm_of_the_hook():
    performed = performance("skateboarder")
    (plan,), (motion,) = performed.plans, performed.realized
    arm = next(mover for mover in performed.scene.world.movers if mover.name == "hook, arm")
    assert motion is not None
    times_s = np.arange(motion.frame_count) / motion.rate_hz
    ahead = motion.root_positions[:, 0] - arm.trajectory.at(times_s)[0][:, 0]
    passed = np.flatnonzero((ahead[:-1] <= 0.0) & (ahead[1:] > 0.0))
    assert len(passed) > 0
    for frame in passed:
        begun = [step for step in plan.steps if step.frame <= times_s[frame] * plan.character.planning_rate_hz]
        assert plan.character.behaviors[begun[-1].behavior].kind == "jump"


class TestAnnotatedAndPlainObstaclesInOneScene:
    """One hurdle is told by hand who may cross it; another, and a beam, are crossed by their heights."""

    def test_the_tagged_jump_crosses_the_annotated_hurdle_and_others_the_plain_ones(self):
        performed = performance("annotated")
        (plan,) = performed.plans
        _, over_annotated = crossing(performed, "Ann", 10.0)
        _, over_plain = crossing(performed, "Ann", 20.0)
        _, under_plain = crossing(performed, "Ann", 30.0)
        assert over_annotated == "jump-over"
        assert kind_of(plan, over_plain) == "jump"
        assert over_plain != "jump-over"
        assert kind_of(plan, under_plain) == "low"

    def test_the_tagged_jump_begins_near_its_hurdle_and_has_its_event_within_it(self):
        (plan,) = performance("annotated").plans
        near, within = self.hurdle.special.near_m, self.hurdle.special.within_m
        region = self.hurdle.footprint.region(self.hurdle.pose)
        jumps = [step for step, name in zip(plan.steps, plan.behaviors, strict=True) if name == "jump-over"]
        assert len(jumps) == 1
        clip = clip_of(plan.character, jumps[0])
        event = clip.place(np.array(jumps[0].pose))[clip.event]
        assert region.distance(shapely.Point(jumps[0].pose[:2])) <= near + 1e-6
        assert region.distance(shapely.Point(event[:2])) <= within + 1e-6

    def test_nobody_gets_across_where_the_annotation_or_the_height_forbids_it(self):
        assert self.reaches_the_goal_with(self.hurdle)  # as it is
        only_from_very_near = replace(self.hurdle, special=replace(self.hurdle.special, near_m=0.05))
        assert not self.reaches_the_goal_with(only_from_very_near)
        plain = next(one for one in scene("annotated").world.obstacles if one.name == "plain hurdle")
        assert not self.reaches_the_goal_with(replace(plain, top_m=0.8))

    @property
    def hurdle(self) -> Any:
        return next(obstacle for obstacle in scene("annotated").world.obstacles if obstacle.special is not None)

    def reaches_the_goal_with(self, changed: Obstacle) -> bool:
        world = scene("annotated").world
        obstacles = tuple(changed if one.name == changed.name else one for one in world.obstacles)
        problem = replace(scene("annotated").problem("Ann"), max_expansions=20_000)
        return AStar(weight=2.0).solve(replace(problem, world=replace(world, obstacles=obstacles))).found


class TestCrowds:
    """What the files of crowds promise; `gambol crowd` runs them."""

    @pytest.mark.parametrize("name", CROWDS)
    def test_the_summary_states_size_density_and_bodies(self, name: str):
        whole = load_scene(name)
        said = whole.summary
        x0, y0, x1, y1 = whole.world.bounds
        counts = sum(int(number.replace(",", "")) for number in re.findall(r"([\d,]+) (?:humans|skate|horses)", said))
        streams = {"Two streams": 2, "Four streams": 4}.get(said.split(" of ")[0], 1)
        assert streams * counts == len(whole.cast)
        assert "0.32 m" in said
        assert f"{first_radius(whole):.2f}" in ("0.31", "0.32")
        density = float(re.search(r"([\d.]+) per m²", said)[1])  # pyright: ignore[reportOptionalSubscript]
        blocks = shapely.union_all([one.footprint.region(one.pose) for one in whole.world.obstacles])
        free_m2 = (x1 - x0) * (y1 - y0) - (blocks.area if name == "four-way" else 0.0)
        assert density == pytest.approx(len(whole.cast) / free_m2, rel=0.06)

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("name", CROWDS)
    def test_nobody_starts_nearer_to_another_than_90_cm(self, name: str, seed: int | None):
        if name == "square-10000" and seed is not None:
            pytest.skip("the largest once is enough")
        starts = np.array([actor.start[:2] for actor in load_scene(name, seed=seed).cast])
        apart, _ = KDTree(starts).query(starts, k=2)
        assert apart[:, 1].min() >= 0.9

    @pytest.mark.parametrize("width_m", [4.0, 2.5, 1.2])
    def test_a_doorway_is_as_wide_as_its_name_says(self, width_m: float):
        whole = load_scene(f"doorway-{width_m:g}")
        assert f"one door of {width_m:g} m" in whole.summary
        x0, y0, x1, y1 = whole.world.bounds
        walls = shapely.union_all([one.footprint.region(one.pose) for one in whole.world.obstacles])
        middle = shapely.LineString([(25.15, y0), (25.15, y1)])
        assert middle.difference(walls).length == pytest.approx(width_m)
        sides = [(actor.start[0] - 25.15) * (actor.goal.x - 25.15) for actor in whole.cast if actor.goal is not None]
        assert len(sides) == 200
        assert max(sides) < 0.0, "everyone's goal is in the other room"
        assert (x1 - x0 - 0.3) / 2 == pytest.approx(25.0)

    def test_the_corridors_of_the_maze_are_4_m_wide_and_all_starts_are_connected_with_all_goals(self):
        whole = load_scene("crowd-maze")
        room = shapely.box(*whole.world.bounds)
        for one in whole.world.obstacles:
            room = room.difference(one.footprint.region(one.pose))
        wide = room.buffer(-1.99)  # where discs of almost 4 m can go, but for the ends of walls
        assert wide.area > 0.2 * room.area
        passable = room.buffer(-0.7)
        connected = max(getattr(passable, "geoms", [passable]), key=lambda part: part.area)
        ends = [actor.start[:2] for actor in whole.cast] + [(a.goal.x, a.goal.y) for a in whole.cast if a.goal]
        assert len(ends) == 120
        assert max(connected.distance(shapely.Point(end)) for end in ends) < 0.8

    def test_kinds_mix_in_one_field(self):
        names = [actor.character.name.partition("/")[0] for actor in load_scene("mixed").cast]
        assert {name: names.count(name) for name in set(names)} == {"human": 120, "skateboarder": 30, "horse": 10}


def first_radius(whole: Scene) -> float:
    human = next(actor.character for actor in whole.cast if actor.character.name.startswith("human"))
    return max(parts.outer_radius for parts in first_parts(human, None))


@pytest.mark.parametrize("name", HILLY)
def test_planted_feet_stand_on_hilly_ground_and_lie_along_it(name: str):
    performed = performance(name)
    terrain = performed.scene.world.terrain
    assert terrain is not None
    assert terrain.steepest > 0.15
    for motion, contacts in zip(performed.realized, performed.contacts, strict=True):
        assert motion is not None
        assert contacts is not None
        report = terrain_contact_report(motion, contacts, terrain)
        feet = {sole.name for sole in report.soles if sole.planted_frames > 0}
        assert {"left foot", "right foot"} <= feet
        assert report.worst("height_error_cm") < 1.0
        assert report.worst("tilt_deg") < 3.0
        assert report.worst("swing_depth_cm") < 1.0
    heights = np.concatenate([terrain.height(motion.root_positions) for motion in performed.own_motions.values()])
    assert np.ptp(heights) > 0.15  # they do go over hills
