"""What a notebook shows of motions, plans and worlds."""

from __future__ import annotations

import io
import sys
import tomllib
from base64 import b64decode
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tools.authoring.walk import walk

from gambol import AStar, Footprint, Goal, Obstacle, Problem, World, load_character
from gambol.notebook import GROUP

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORLD = World((-1.0, -2.0, 8.0, 2.0), (Obstacle("box", Footprint.box(1.0, 1.0), (4.0, 0.0, 0.0)),))


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the project says is installed, whatever is."""
    entries = [EntryPoint(name, place, GROUP) for name, place in PROJECT["entry-points"][GROUP].items()]
    monkeypatch.setattr("gambol.notebook.entry_points", lambda group: entries if group == GROUP else [])


def pixels(value: object) -> np.ndarray:
    bundle = value._repr_mimebundle_(include=None, exclude=None)  # type: ignore[attr-defined]
    assert set(bundle) == {"image/png"}
    return np.asarray(Image.open(io.BytesIO(b64decode(bundle["image/png"]))).convert("RGB"))


def test_motions_plans_and_worlds_are_pictures():
    plan = AStar(weight=1.5).solve(Problem(WORLD, load_character("human"), (0.0, 0.0, 0.0), Goal(7.0, 0.0)))
    assert plan.found
    for value in (walk(), plan, WORLD):
        assert len(np.unique(pixels(value).reshape(-1, 3), axis=0)) > 10


def test_a_picture_of_a_world_has_its_shape():
    height, width, _ = pixels(WORLD).shape
    assert width > 1.8 * height
    assert pixels(World((0.0, 0.0, 2.0, 9.0))).shape[0] > 900


def test_what_nobody_can_draw_is_shown_as_text(monkeypatch: pytest.MonkeyPatch):
    problem = Problem(WORLD, load_character("human"), (4.0, 0.0, 0.0), Goal(7.0, 0.0))
    assert AStar().solve(problem)._repr_mimebundle_() == {}  # it has no steps
    monkeypatch.setitem(sys.modules, "gambol.pictures.notebook", None)  # as where it cannot be imported
    assert WORLD._repr_mimebundle_() == {}
