"""Who is met on the way: the things in traffic that a character's steps would touch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambol.characters.action_table import action_table, actions_struct
from gambol.characters.character import Character
from gambol.characters.step import Step, clip_of
from gambol.core import lib, pointer, rows
from gambol.geometry import planar
from gambol.search.traffic import Traffic
from gambol.world.standing import world_struct
from gambol.world.world import World


def things_met_on_the_way(
    world: World,
    traffic: Traffic,
    character: Character,
    steps: Sequence[Step],
    things: Sequence[int],
    *,
    standing: bool = True,
) -> list[int]:
    """Return those of some things that steps meet; standing before the first and after the last counts if asked."""
    actions = action_table(character)
    clips = [clip_of(character, step) for step in steps]
    samples = np.concatenate(
        [
            actions.clip_samples[actions.behavior_clips[step.behavior] + step.clip] + np.arange(clip.duration + 1)
            for step, clip in zip(steps, clips, strict=True)
        ]
    )
    poses = np.concatenate([planar.compose(step.pose, clip.path) for step, clip in zip(steps, clips, strict=True)])
    frames = np.concatenate(
        [step.frame + np.arange(clip.duration + 1) for step, clip in zip(steps, clips, strict=True)]
    )
    before = np.arange(frames[0] if standing else 0)
    after = np.arange(frames[-1] + 1, traffic.last_change_frame + 2 if standing else 0)
    last = len(samples) - 1
    held = np.concatenate((np.zeros(len(before), int), np.arange(len(samples)), np.full(len(after), last)))
    frames = np.concatenate((before, frames, after))
    return _met(world, traffic, character, samples[held], poses[held], frames, things)


def things_met_standing(
    world: World, traffic: Traffic, character: Character, step: Step, things: Sequence[int]
) -> list[int]:
    """Return those of some things that ever meet who holds the first instant of a step."""
    actions = action_table(character)
    frames = np.arange(traffic.last_change_frame + 2)
    sample = actions.clip_samples[actions.behavior_clips[step.behavior] + step.clip]
    poses = np.tile(np.array(step.pose), (len(frames), 1))
    return _met(world, traffic, character, np.full(len(frames), sample), poses, frames, things)


def _met(
    world: World,
    traffic: Traffic,
    character: Character,
    samples: np.ndarray,
    poses: np.ndarray,
    frames: np.ndarray,
    things: Sequence[int],
) -> list[int]:
    stances = rows("gb_stance", len(samples))
    stances["sample"], stances["x"], stances["y"], stances["heading"] = samples, *poses.T
    tables = world_struct(world).c, traffic.struct, actions_struct(character).c
    asked = pointer(stances, "gb_stance"), pointer(frames.astype(np.int64), "int64_t"), len(stances)
    return [thing for thing in things if lib.gb_stance_any_met(tables[0], tables[1].c, tables[2], *asked, thing)]
