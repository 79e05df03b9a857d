"""Motions and recordings to be played."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.support.crowd_recordings import random_recording

from gambol.animate import play
from gambol.characters import load_character, place_steps
from gambol.crowd import Recording, write_recording
from gambol.files import write_motion
from gambol.motion import Motion, resample


@cache
def walk(x: float = 0.0) -> Motion:
    """Return somebody who starts to walk from (x, 0) to +X and stops again, some three seconds long."""
    human = load_character("human")
    steps = place_steps(human, ["stand", "start-walk", "walk", "stop-walk"], start=(x, 0.0, 0.0), seed=1)
    return resample(play(human, steps), 30.0)


@cache
def crowd(scene: str = "") -> Recording:
    """Return five who do this and that for five seconds; some come later and leave earlier."""
    return random_recording([load_character("human")], [0] * 5, frames=150, seed=2, scene=scene)


def write_walk(folder: Path, name: str = "walk.bvh") -> Path:
    write_motion(folder / name, walk())
    return folder / name


def write_crowd(folder: Path, *, scene: str = "", name: str = "few.crowd") -> Path:
    write_recording(folder / name, crowd(scene))
    return folder / name
