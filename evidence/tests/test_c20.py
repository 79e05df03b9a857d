"""C20's scenes at the size of every run: what is delivered, and what its ways of playing do to the same plans."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidence.reproductions import c20_playback
from evidence.reproductions.c20_playback import turned_slides
from evidence.reproductions.c20_scenes import (
    AT_STATES,
    BETWEEN,
    COLLISIONS,
    ENGINE,
    MEAN_SLIDE,
    MOST_SLIDE,
    NAME,
    OURS,
    PLAYBACK,
    SCENES,
    STRAIGHT,
    turns_of,
)
from evidence.reproductions.cluttered import cluttered
from evidence.reproductions.naive_playback import engine_path, straight_path
from evidence.reproductions.played import ARRIVE, DELIVERED, ILLEGAL
from evidence.tests.quick_items import check_item, quick
from gambol.scenes import load_scene


def number(label: str, column: str, table: str = PLAYBACK, item: str = NAME) -> float:
    value = quick(item).report.table(table).entry(label, column).ours
    assert isinstance(value, (int, float))
    return float(value)


@pytest.mark.parametrize("name", [NAME, c20_playback.NAME])
def test_every_item_says_what_it_measured(name: str, tmp_path: Path):
    check_item(name, tmp_path)


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_is_solved_without_faults(scene: str):
    assert number(scene, ARRIVE, DELIVERED) == 1
    assert number(scene, ILLEGAL, DELIVERED) == 0
    assert number(f"{scene}, {OURS}", COLLISIONS) == 0


@pytest.mark.parametrize("scene", SCENES)
def test_delivered_feet_stay_where_those_of_the_papers_ways_slide(scene: str):
    assert number(f"{scene}, {OURS}", MOST_SLIDE) < 0.1
    for way in (STRAIGHT, ENGINE):
        assert number(f"{scene}, {way}", MEAN_SLIDE) > 100.0 * number(f"{scene}, {OURS}", MEAN_SLIDE)


def test_a_straight_root_keeps_to_the_states_and_a_blended_one_does_not():
    label = f"all scenes, {STRAIGHT}"
    assert number(label, AT_STATES) < 1e-6 < number(label, BETWEEN)
    assert number(f"all scenes, {ENGINE}", AT_STATES) > 10.0
    assert number(f"all scenes, {OURS}", BETWEEN) < 1.0


def test_a_root_that_goes_evenly_already_is_left_alone_by_both_ways():
    even = np.stack((np.linspace(0.0, 3.0, 61), np.zeros(61), np.zeros(61)), axis=1)
    states = np.array([0, 20, 60])
    assert np.allclose(straight_path(even, states), even)
    assert np.allclose(engine_path(even, states, 60.0), even)


def test_angles_are_counted_with_straight_ahead():
    assert turns_of({"walk", "walk-left-15", "walk-right-15", "walk-to-jog", "jog-left-15"}, "walk") == [-15, 0, 15]


def test_feet_slide_the_more_the_further_a_clip_is_turned_and_not_at_all_in_clips_that_turn():
    for gait in c20_playback.GAITS:
        slides = [number(f"{angle} degrees", gait, c20_playback.SLIDES, c20_playback.NAME)
                  for angle in c20_playback.ANGLES]  # fmt: skip
        assert slides[1:] == sorted(slides[1:])
        assert slides[-1] > 5.0 * slides[0] > 0.0
    label = f"clips that turn, {c20_playback.ANY_TURN}"
    assert number(label, c20_playback.MOST, c20_playback.TURNED, c20_playback.NAME) < 0.1


def test_a_clip_turned_to_either_side_slides_alike():
    clip = load_scene("c20-static").cast[0].character.behavior("walk").clips[0]
    left, right = (np.nanmean(turned_slides(clip, angle)) for angle in (60.0, -60.0))
    assert left == pytest.approx(right, rel=0.1)


def test_in_cluttered_worlds_only_plans_that_are_left_collide():
    def collisions(way: str) -> float:
        return number(way, c20_playback.COLLISIONS, c20_playback.CLUTTER, c20_playback.NAME)

    assert collisions(OURS) == 0
    assert collisions(ENGINE) > 0


def test_cluttered_worlds_repeat_and_differ_by_seed():
    first, again, other = cluttered(0), cluttered(0), cluttered(1)
    assert first.text == again.text != other.text
    assert len(first.world.obstacles) == 30
