"""The real characters: cut out of CMU's captures, they pass their check and clear what they claim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gambol.character.character import Character
from gambol.character.check import check_character
from gambol.character.check_clips import mean_ride_slide, mean_slide
from gambol.character.check_joins import join_mismatches
from gambol.character.clip import Clip
from gambol.character.file import load_character
from gambol.geometry import planar

CHARACTERS = Path(__file__).parent.parent / "characters"
FAMILIES = ("LL", "RR", "RL", "LR")


@pytest.fixture(scope="module")
def jogger(mocap: Path) -> Character:
    return load_character(CHARACTERS / "cmu_108.toml", motions=mocap)


@pytest.fixture(scope="module")
def skateboarder(mocap: Path) -> Character:
    return load_character(CHARACTERS / "cmu_134.toml", motions=mocap / "skateboard")


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
    assert highest_hurdle(jogger.behavior(f"jump-over-{family}").clips[0], thick_m=0.2) >= 0.40


@pytest.mark.parametrize("family", FAMILIES)
def test_duck_and_crawl_get_below_their_beams(jogger: Character, family: str):
    assert lowest_beam(jogger.behavior(f"duck-{family}").clips[0], deep_m=0.5) <= 1.20
    assert lowest_beam(jogger.behavior(f"crawl-{family}").clips[0], deep_m=0.5) <= 0.75


def clips_of(character: Character) -> Iterator[Clip]:
    return (clip for behavior in character.behaviors for clip in behavior.clips)


def spans(clip: Clip) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return where each cylinder of a swept shape begins and ends along x, and its bottom and top."""
    shape = clip.shape
    middles = planar.apply(clip.path[:, None], shape.offset)[..., 0]
    return middles - shape.radius, middles + shape.radius, shape.low, shape.high


def highest_hurdle(clip: Clip, *, thick_m: float) -> float:
    """Return the height of the highest hurdle across the way that a clip clears, wherever that stands best."""
    start, end, low, _ = spans(clip)
    places = np.arange(0.0, clip.path[-1, 0], 0.01)
    return max(float(low[(start < x + thick_m) & (end > x)].min()) for x in places)


def lowest_beam(clip: Clip, *, deep_m: float) -> float:
    """Return the height of the lowest beam across the way that a clip gets below, wherever that hangs best."""
    start, end, _, high = spans(clip)
    places = np.arange(0.0, clip.path[-1, 0], 0.01)
    return min(float(high[(start < x + deep_m) & (end > x)].max()) for x in places)
