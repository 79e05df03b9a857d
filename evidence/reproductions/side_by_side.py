"""People who set off side by side in mid-jog, and what they play as a recording [L09 figure 6.1]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gambol.characters import Character
from gambol.characters.action_table import action_table
from gambol.crowd import Recording, RecordingBuilder
from gambol.scenes import Actor, Scene
from gambol.search import Goal
from gambol.stages import PlanPerformance
from gambol.world import Footprint, Obstacle, World

LABEL = "jog-left"  # where all jogs begin and end


def side_by_side(character: Character, people: int, seed: int) -> Scene:
    """Return a scene in which two rows of people set off together in mid-jog, past some pillars."""
    rng = np.random.default_rng(seed)
    pillars = [Obstacle(f"pillar {n}", Footprint.disc(0.4), (float(x), float(y), 0.0))
               for n, (x, y) in enumerate(rng.uniform((8.0, -14.0), (20.0, 14.0), (6, 2)))]  # fmt: skip
    cast = []
    for number in range(people):
        row, place = number % 2, number // 2
        start = (-3.0 * row, 2.4 * (place - 0.25 * people + 0.5) + 0.6 * row, 0.0)
        goal = Goal(float(rng.uniform(26.0, 32.0)), start[1] + float(rng.uniform(-2.0, 2.0)), tolerance_m=1.5)
        cast.append(Actor(f"jogger {number}", character, start, goal, begins=LABEL))
    return Scene("side by side", World((-10.0, -30.0, 45.0, 30.0), obstacles=tuple(pillars)), tuple(cast), seed=seed)


def recording_of(done: PlanPerformance) -> Recording:
    """Return what a planned group plays as a recording, each there as long as its plan lasts."""
    return recording_of_steps([(plan.character, plan.steps) for plan in done.plans if plan.found])


def recording_of_steps(played: Sequence[tuple[Character, Sequence[Any]]]) -> Recording:
    """Return steps of several people as a recording."""
    builder = RecordingBuilder()
    until = []
    listed = []
    for who, (character, steps) in enumerate(played):
        table = action_table(character)
        clips = [int(table.behavior_clips[step.behavior]) + step.clip for step in steps]
        listed += [(step.frame, who, clip, step.pose) for clip, step in zip(clips, steps, strict=True)]
        until.append(steps[-1].frame + int(table.duration[clips[-1]]))
    for frame, who, clip, pose in sorted(listed):
        builder.append([who], [clip], frame, [pose])
    return builder.recording(
        rate_hz=played[0][0].planning_rate_hz, frames=max(until), characters=[played[0][0]],
        names=[f"jogger {who}" for who in range(len(played))], kind=[0] * len(played), until=until,
    )  # fmt: skip
