from __future__ import annotations

import json

import numpy as np
import pytest
from tests.support.small_scenes import ALONE, TOGETHER

from gambol.animate import play
from gambol.characters import load_character
from gambol.errors import InvalidInput, MalformedFile, UnknownName
from gambol.scenes import parse_scene
from gambol.search.file import parse_plans, plans_to_json, read_plan, write_plans
from gambol.search.plan import Outcome, Plan
from gambol.stages import PlanPerformance, PlanStage, perform


@pytest.fixture(scope="module")
def together() -> PlanPerformance:
    return perform(parse_scene(TOGETHER), check=False)


def by_name(performance: PlanPerformance) -> dict[str, Plan]:
    return dict(zip(performance.names, performance.plans, strict=True))


def test_plans_come_back_as_they_were(together, tmp_path):
    path = tmp_path / "new folder" / "some.plan.json"
    write_plans(path, by_name(together), scene="together", seed=7)
    for name, plan in by_name(together).items():
        back = read_plan(path, plan.character, name=name)
        assert back.steps == plan.steps
        assert (back.outcome, back.reason, back.cost, back.bound) == (plan.outcome, plan.reason, plan.cost, plan.bound)
        assert back.statistics.expansions == plan.statistics.expansions
        assert back.behaviors == plan.behaviors
    ann, motion = by_name(together)["Ann"], together.realized[0]
    assert motion is not None
    again = play(ann.character, read_plan(path, ann.character, name="Ann").steps)
    assert np.array_equal(again.rotations, motion.rotations)
    assert np.array_equal(again.root_positions, motion.root_positions)


def test_planning_again_gives_the_same_file_byte_for_byte(together):
    again = perform(parse_scene(TOGETHER), check=False)
    assert plans_to_json(by_name(again), scene="together", seed=7) == plans_to_json(
        by_name(together), scene="together", seed=7
    )


def test_timings_are_written_only_when_asked_for(together, tmp_path):
    plans = by_name(together)
    assert "time_s" not in plans_to_json(plans)
    path = tmp_path / "timed.plan.json"
    write_plans(path, plans, timings=True)
    ann = plans["Ann"]
    assert read_plan(path, ann.character, name="Ann").statistics == ann.statistics


def test_the_text_is_json_with_a_step_to_a_line(together):
    text = plans_to_json(by_name(together), scene="together", seed=7)
    data = json.loads(text)
    assert (data["format"], data["version"], data["scene"], data["seed"]) == ("gambol plan", 1, "together", 7)
    steps = [step for plan in data["plans"] for step in plan["steps"]]
    assert len([line for line in text.splitlines() if '"behavior"' in line]) == len(steps) > 10
    shut_in = data["plans"][2]
    assert (shut_in["outcome"], shut_in["steps"], shut_in["bound"]) == ("unreachable", [], None)
    assert shut_in["reason"]


def test_a_file_of_several_needs_to_be_told_whose_plan(together, tmp_path):
    path = tmp_path / "some.plan.json"
    write_plans(path, by_name(together))
    human = load_character("human")
    with pytest.raises(InvalidInput, match="whose plan"):
        read_plan(path, human)
    with pytest.raises(UnknownName, match="did you mean 'Ann'"):
        read_plan(path, human, name="Anne")


def test_a_plan_for_a_subset_is_one_for_the_whole_character_but_not_for_another(together, tmp_path):
    path = tmp_path / "some.plan.json"
    ann = by_name(together)["Ann"]
    write_plans(path, {"Ann": ann})
    assert read_plan(path, load_character("human")).behaviors == ann.behaviors
    with pytest.raises(MalformedFile, match="no behavior"):
        read_plan(path, load_character("horse"))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda text: "{", "not JSON"),
        (lambda text: "[" * 100_000, "cannot be read"),
        (lambda text: "[]", "no plan file"),
        (lambda text: '{"format": "gambol tree"}', "no plan file"),
        (lambda text: text.replace('"version": 1', '"version": 9'), "version 9"),
        (lambda text: text.replace('"cost": ', '"cost": NaN, "was": '), "cost"),
        (lambda text: text.replace('"outcome": "found"', '"outcome": "fond"'), "outcome"),
        (lambda text: text.replace('"frame": 0', '"frame": 3', 1), "frames off"),
        (lambda text: text.replace('"behavior": "start"', '"behavior": "strat"', 1), "did you mean 'start'"),
        (lambda text: text.replace('"clip": 0', '"clip": 99', 1), "has no clip 99"),
        (lambda text: text.replace('"clip": 0', '"clip": -1', 1), r"steps\[0\].clip"),
        (lambda text: text.replace('"pose": [', '"pose": [0, ', 1), r"steps\[0\].pose"),
        (lambda text: text.replace('"planning_rate_hz": 30.0', '"planning_rate_hz": 25.0'), "plans at 30"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(together, tmp_path, wrong, message):
    ann = by_name(together)["Ann"]
    text = plans_to_json({"Ann": ann})
    changed = wrong(text)
    assert changed != text
    path = tmp_path / "wrong.plan.json"
    path.write_text(changed)
    with pytest.raises(MalformedFile, match=message) as caught:
        read_plan(path, ann.character)
    assert str(path) in str(caught.value)


def test_unknown_keys_are_mistakes(together):
    text = plans_to_json({"Ann": by_name(together)["Ann"]})
    with pytest.raises(MalformedFile, match=r"plans\[0\].costs: is an unknown key"):
        parse_plans(text.replace('"cost":', '"costs": 1, "cost":'))


def test_a_search_that_ends_early_leaves_a_partial_plan_in_the_file(tmp_path):
    performance = perform(parse_scene(ALONE), PlanStage(max_expansions=3), check=False)
    plan = performance.plans[0]
    assert plan.outcome is Outcome.OUT_OF_BUDGET
    write_plans(tmp_path / "part.plan.json", by_name(performance))
    back = read_plan(tmp_path / "part.plan.json", plan.character)
    assert back.steps == plan.steps
    assert np.isinf(back.bound)
