"""Variants in behaviors keep what clips promise: displacement, timing, feet, shapes and joins."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.command_line import runner

from gambol.animate import play
from gambol.characters import Character, Clip, check_character, load_character, mean_slide, place_steps, write_character
from gambol.characters.action_table import action_table
from gambol.crowd import Crowd, Errand, count_repeats
from gambol.errors import InvalidInput
from gambol.judges import judge_crowd
from gambol.scenes import Actor, Scene, load_scene
from gambol.search import Goal, SharedOut
from gambol.stages import PlanStage, perform
from gambol.trees import TreePlanner, audit_tree, grow_exhaustive
from gambol.variation.characters.clip_joins import eased
from gambol.variation.characters.fill import can_be_varied, carrying_joints, fill, recipes
from gambol.world import Footprint, Obstacle, World

TURNS = ("jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50")
KEPT = ("jog", *TURNS, "start", "stop", "stand")
COUNTS = {"jog": 3, **dict.fromkeys(TURNS, 2)}


@pytest.fixture(scope="module")
def plain() -> Character:
    return load_character("human").only(KEPT)


@pytest.fixture(scope="module")
def filled(plain: Character) -> Character:
    return fill(plain, COUNTS, seed=2)


def variants(plain: Character, filled: Character, name: str) -> tuple[Clip, ...]:
    return filled.behavior(name).clips[len(plain.behavior(name).clips) :]


@pytest.mark.slow
def test_only_what_was_asked_for_is_filled_and_own_clips_stay(plain: Character, filled: Character):
    for before, after in zip(plain.behaviors, filled.behaviors, strict=True):
        assert len(after.clips) == len(before.clips) + COUNTS.get(before.name, 0)
        for one, other in zip(before.clips, after.clips, strict=False):
            np.testing.assert_array_equal(one.motion.rotations, other.motion.rotations)
            np.testing.assert_array_equal(one.path, other.path)
    names = [clip.name for behavior in filled.behaviors for clip in behavior.clips]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["jog-left-30", "jog-right-50"])
def test_of_a_single_clip_feet_way_and_timing_stay_and_arms_vary(plain: Character, filled: Character, name: str):
    (own,) = plain.behavior(name).clips
    held = carrying_joints([own])
    assert {"Hips", "LeftFoot", "RightLeg"} <= set(held)
    assert not {"LeftArm", "Head", "Spine"} & set(held)
    still = [own.motion.skeleton.names.index(joint) for joint in held]
    for clip in variants(plain, filled, name):
        before, after = (one.motion.world_positions for one in (own, clip))
        np.testing.assert_allclose(after[:, still], before[:, still], atol=1e-9)
        np.testing.assert_array_equal(clip.path, own.path)
        np.testing.assert_array_equal(clip.contacts.planted, own.contacts.planted)
        assert np.linalg.norm(after - before, axis=-1).max() > 0.005


def test_of_several_clips_all_varies_and_planted_feet_stay(plain: Character, filled: Character):
    own = plain.behavior("jog").clips
    for clip in variants(plain, filled, "jog"):
        assert mean_slide(clip) < 0.01
        assert all(not np.array_equal(clip.path, one.path) for one in own)
        assert clip.displacement[0] == pytest.approx(own[0].displacement[0], rel=0.1)


def test_what_a_plan_says_is_what_is_delivered(filled: Character):
    names = ["start", "jog", "jog-left-30", "jog", "jog-right-50", "jog", "stop"]
    for seed in range(4):
        steps = place_steps(filled, names, seed=seed)
        motion = play(filled, steps)
        for step in steps:
            at = motion.root_positions[2 * step.frame, :2]
            assert np.linalg.norm(at - step.pose[:2]) < 0.01
        clips = [filled.behaviors[step.behavior].clips[step.clip] for step in steps]
        assert (motion.frame_count - 1) // 2 == sum(clip.duration for clip in clips)


def test_joins_and_feet_pass_the_check_of_the_character(plain: Character, filled: Character):
    assert [str(one.kind) for one in check_character(filled)] == [str(one.kind) for one in check_character(plain)]


@pytest.mark.slow
def test_the_same_seed_makes_the_same_variants_and_another_others(plain: Character):
    counts = {"jog-left-30": 2, "jog-left-50": 1}
    one, same, other = (fill(plain, counts, seed=seed) for seed in (2, 2, 3))
    for name in counts:
        made = [
            np.stack([clip.motion.rotations for clip in variants(plain, each, name)]) for each in (one, same, other)
        ]
        np.testing.assert_array_equal(made[0], made[1])
        everyone = np.concatenate((made[0], made[2])).reshape(2 * counts[name], -1)
        assert len(np.unique(everyone, axis=0)) == len(everyone)


def test_trees_and_plans_with_variants_are_exact_at_full_rate(filled: Character):
    jogs = filled.only(["jog", *TURNS])
    tree = grow_exhaustive(jogs, depth=5, begins="jog-left")
    assert audit_tree(tree, jogs) == []
    assert len(np.unique(tree.clip[1:])) == len(action_table(jogs).duration)  # every variant is somewhere in the tree
    pillar = Obstacle("pillar", Footprint.disc(0.5), (5.0, 0.3, 0.0))
    goals = [Goal(9.0, 2.5 * n, tolerance_m=1.5) for n in range(3)]
    cast = tuple(Actor(f"p{n}", jogs, (0.0, 2.5 * n, 0.0), goal, begins="jog-left") for n, goal in enumerate(goals))
    others = grow_exhaustive(jogs, depth=5, begins="jog-left", seed=1)
    scene = Scene("three", World((-5, -6, 20, 12), obstacles=(pillar,)), cast)
    played = set()
    for planner in (TreePlanner(trees=[tree]), SharedOut((TreePlanner(trees=[tree]), TreePlanner(trees=[others])))):
        done = perform(scene, PlanStage(planner))
        assert all(plan.found for plan in done.plans)
        assert done.report is not None
        assert done.report.is_clean
        played.add(tuple(step.clip for plan in done.plans for step in plan.steps))
    assert len(played) == 2  # the trees have drawn other variants


@pytest.mark.slow
def test_crowds_play_variants_touch_nobody_and_repeat_each_other_less(plain: Character, filled: Character):
    shares = []
    one_each = replace(plain, behaviors=tuple(replace(one, clips=one.clips[:1]) for one in plain.behaviors))
    for character in (one_each, filled):
        crowd = Crowd(World((0, 0, 30, 14)), [character], seed=3, debug=True)
        for n in range(8):
            crowd.add(character, (2.0, 1.5 + 1.5 * n, 0.0), Errand.to(28.0, 1.5 + 1.5 * n))
        crowd.run(6.0)
        recording = crowd.recording()
        assert judge_crowd(recording, crowd.world).is_clean
        shares.append(count_repeats(recording).share)
    assert shares[1] < 0.7 * shares[0]


def test_from_one_clip_alone_nothing_is_learned(plain: Character):
    assert can_be_varied(plain, ["jog", "start"]) == {"jog": True, "start": False}
    with pytest.raises(InvalidInput, match="nothing can be learned"):
        fill(plain, {"start": 2})
    with pytest.raises(InvalidInput, match="from 0 to 1000 variants"):
        fill(plain, {"jog": -1})
    with pytest.raises(InvalidInput, match="amount of variation"):
        fill(plain, {"jog": 1}, amount=-1.0)
    with pytest.raises(InvalidInput, match="seed"):
        fill(plain, {"jog": 1}, seed=-1)


def test_a_recipe_makes_variants_at_any_time(plain: Character):
    made = recipes(plain, ["jog"])["jog"]
    one, same, other = (made.make(seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(one.motion.rotations, same.motion.rotations)
    assert one.motion.frame_count != other.motion.frame_count or not np.array_equal(one.path, other.path)


def test_a_variation_comes_and_goes_smoothly():
    weights = eased(73, 16, 60.0, 0.2, 0.5)
    assert weights[:17] == pytest.approx(0.2)
    assert weights[-17:] == pytest.approx(0.5)
    assert weights.max() == pytest.approx(1.0)
    assert np.abs(np.diff(weights)).max() < 0.12


@pytest.mark.slow
def test_the_command_saves_a_character_that_scenes_can_name(
    plain: Character, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    run: Callable[..., tuple[int, str, str]] = runner(monkeypatch, capsys)
    write_character(tmp_path / "plain.npz", plain)
    arguments = ("character", "vary", tmp_path / "plain.npz", "-n", 2, "--only", "jog-*-30", "--only", "start")
    code, out, _ = run(*arguments, "-o", tmp_path / "varied.npz", "--json")
    report = json.loads(out)
    assert code == 0
    assert {row["behavior"]: row["clips"] for row in report["behaviors"]} == {"jog-left-30": 3, "jog-right-30": 3}
    assert report["left_out"] == ["start"]
    assert run("character", "check", tmp_path / "varied.npz")[0] == 0
    scene = tmp_path / "scene.toml"
    scene.write_text(
        'name = "one"\n[world]\nbounds = [0, 0, 20, 8]\n'
        '[[cast]]\ncharacter = "varied.npz"\nstart = [2, 4]\ngoal = [16, 4]\n'
    )
    assert [len(one.clips) for one in load_scene(str(scene)).cast[0].character.behaviors][1] == 3
    assert run("plan", scene)[0] == 0
    for mistake, said in (
        (("--preset", "nothing", "-o", tmp_path / "x.npz"), "preset"),
        (("-n", 0, "-o", tmp_path / "x.npz"), "--count"),
        (("-o", tmp_path / "x.toml"), "a built character is a .npz file"),
        (("-o", scene / "x.npz"), "scene.toml is a file"),
    ):
        code, _, err = run(*arguments, *mistake)
        assert code == 2
        assert said in " ".join(err.split())
