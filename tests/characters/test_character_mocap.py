"""The real characters: cut out of CMU's captures, they pass their check and clear what they claim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gambol.body import Body
from gambol.characters.character import Character
from gambol.characters.check import check_character
from gambol.characters.check_clips import mean_ride_slide, mean_slide
from gambol.characters.check_joins import join_mismatches
from gambol.characters.clearance import highest_hurdle, lowest_beam
from gambol.characters.clip import Clip
from gambol.characters.store import load_character

CHARACTERS = Path(__file__).parent.parent.parent / "characters"
FAMILIES = ("LL", "RR", "RL", "LR")


@pytest.fixture(scope="module")
def jogger(mocap: Path) -> Character:
    return load_character(CHARACTERS / "cmu_108.toml", motions=mocap)


@pytest.fixture(scope="module")
def skateboarder(mocap: Path) -> Character:
    return load_character(CHARACTERS / "cmu_134.toml", motions=mocap / "skateboard")


@pytest.mark.slow
def test_both_pass_their_check(jogger: Character, skateboarder: Character):
    assert check_character(jogger) == []
    assert check_character(skateboarder) == []


def test_clips_meet_within_the_stated_limits(jogger: Character, skateboarder: Character):
    for character, most_m in ((jogger, 0.12), (skateboarder, 0.131)):
        assert max(mismatch.pose_m for mismatch in join_mismatches(character)) < most_m


def test_all_behaviors_of_the_jogger_lead_from_either_foot(jogger: Character):
    names = {behavior.name for behavior in jogger.behaviors}
    for kind in ("jump-low", "jump-over", "jump-two-foot", "duck", "crouch", "crawl", "wait"):
        assert {f"{kind}-{family}" for family in FAMILIES} <= names
    assert {"stop-L", "stop-R", "stand", "go-L", "go-R", "turn-left-45", "turn-right-90", "side-left", "back"} <= names


def test_mirror_images_go_the_other_way(jogger: Character):
    for one, other in (
        ("jog-left-53-LL", "jog-right-53-RR"),
        ("jump-over-RL", "jump-over-LR"),
        ("side-left", "side-right"),
    ):
        a, b = (jogger.behavior(name).clips[0].displacement for name in (one, other))
        assert a * [1, -1, -1] == pytest.approx(b, abs=0.05)


def test_feet_stay_where_they_stand_on_the_ground_and_on_the_board(jogger: Character, skateboarder: Character):
    assert max(mean_slide(clip) for clip in clips_of(jogger)) < 0.03
    assert max(mean_slide(clip) for clip in clips_of(skateboarder)) < 0.04
    assert max(mean_ride_slide(clip) for clip in clips_of(skateboarder)) < 0.12


@pytest.mark.parametrize("family", FAMILIES)
def test_the_jump_over_clears_a_hurdle_of_forty_centimetres(jogger: Character, family: str):
    assert highest_hurdle(jogger.behavior(f"jump-over-{family}").clips[0], thick_m=0.2).height_m >= 0.40


@pytest.mark.parametrize("family", FAMILIES)
def test_duck_and_crawl_get_below_their_beams(jogger: Character, family: str):
    assert lowest_beam(jogger.behavior(f"duck-{family}").clips[0], deep_m=0.5).height_m <= 1.20
    assert lowest_beam(jogger.behavior(f"crawl-{family}").clips[0], deep_m=0.5).height_m <= 0.75


def clips_of(character: Character) -> Iterator[Clip]:
    return (clip for behavior in character.behaviors for clip in behavior.clips)


@pytest.mark.parametrize("name", ["jump-over-LL", "duck-RL", "crawl-LR"])
def test_clearance_by_the_swept_shape_is_never_more_than_the_body_has(jogger: Character, name: str):
    clip = jogger.behavior(name).clips[0]
    hurdle, beam = highest_hurdle(clip), lowest_beam(clip)
    body = Body.from_skeleton(clip.motion.skeleton)
    starts, ends = (points[clip.margin : -clip.margin] for points in body.place(clip.motion))
    along = np.linspace(0.0, 1.0, 9)[:, None, None, None]
    spheres = starts + along * (ends - starts)
    for (height, at), deep, is_hurdle in ((hurdle, 0.2, True), (beam, 0.5, False)):
        beside = np.maximum(np.maximum(at - spheres[..., 0], spheres[..., 0] - at - deep), 0.0)
        reach = np.sqrt(np.maximum(body.radius**2 - beside**2, 0.0))
        over = beside < body.radius
        if is_hurdle:
            assert (spheres[..., 2] - reach)[over].min() >= height - 1e-9
        else:
            assert (spheres[..., 2] + reach)[over].max() <= height + 1e-9
