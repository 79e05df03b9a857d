from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from PIL import Image
from tests.support.statues import write_course

from gambol.body import Body, build_skin
from gambol.characters import DEFAULT_WEIGHTS, Character, Transition, load_character
from gambol.pictures.character_pictures import ROWS, distinct_clips, draw_clip_sheets, draw_poses
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.root_paths import draw_root_paths
from gambol.pictures.state_machine import draw_state_machine, group_by_labels


@cache
def statue() -> Character:
    with TemporaryDirectory() as folder:
        return load_character(write_course(Path(folder)))


def pixels(path: Path) -> np.ndarray:
    return np.array(Image.open(path).convert("RGB"))


def test_every_kind_of_behavior_has_a_color_of_its_own():
    assert set(KIND_COLORS) == set(DEFAULT_WEIGHTS)
    assert len(set(KIND_COLORS.values())) == len(KIND_COLORS)


def test_behaviors_are_grouped_by_the_labels_they_lead_from_and_to():
    groups = group_by_labels(statue())
    assert [(group.begins, group.ends, len(group.behaviors)) for group in groups] == [
        ("rolling", "rolling", 3),
        ("rolling", "standing", 1),
        ("standing", "standing", 1),
        ("standing", "rolling", 1),
    ]


@pytest.mark.parametrize("draw", [draw_state_machine, draw_root_paths])
def test_pictures_of_the_whole_are_drawn_in_the_colors_of_the_kinds(draw, tmp_path: Path):
    draw(statue(), tmp_path / "picture.png")
    shown = pixels(tmp_path / "picture.png").reshape(-1, 3) / 255.0
    for kind in ("forward", "turn", "wait"):
        assert np.abs(shown - KIND_COLORS[kind]).sum(axis=1).min() < 0.08


def test_a_character_of_explicit_edges_is_drawn_as_a_ring(tmp_path: Path):
    names = [behavior.name for behavior in statue().behaviors]
    edges = tuple(Transition(a, b, 0.5) for a in names for b in names[:2])
    character = replace(statue(), transitions=edges, labels_connect=False)
    draw_state_machine(character, tmp_path / "ring.png")
    assert (pixels(tmp_path / "ring.png") < 250).any(axis=2).mean() > 0.005


def test_edges_are_listed_below_the_labels(tmp_path: Path):
    draw_state_machine(statue(), tmp_path / "plain.png")
    draw_state_machine(replace(statue(), transitions=(Transition("stop", "roll", 2.0),)), tmp_path / "edges.png")
    assert pixels(tmp_path / "edges.png").shape[0] > pixels(tmp_path / "plain.png").shape[0]


@pytest.mark.slow
def test_sheets_show_each_clip_once_however_often_it_is_used(tmp_path: Path):
    roll = statue().behavior("roll")
    character = replace(
        statue(), behaviors=(replace(roll, clips=roll.clips * 50), *statue().behaviors[1:]), transitions=()
    )
    assert len(distinct_clips(character)) == 6
    assert len(draw_clip_sheets(character, tmp_path, stem="few")) == 1
    assert ROWS * 2 >= 6


def test_poses_stand_side_by_side_and_fill_the_row():
    clip = statue().behavior("left").clips[0]
    row = draw_poses(clip, build_skin(Body.from_skeleton(clip.motion.skeleton)), 600)
    figures = (row.astype(int).max(axis=2) - row.astype(int).min(axis=2)) > 40  # clay, against a grey room
    columns = np.flatnonzero(figures.any(axis=0))
    assert columns.min() < 130
    assert columns.max() > 510
