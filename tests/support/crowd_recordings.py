"""Recordings made without a running crowd: everybody plays what they may, in any order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambol.characters import Character, Step, place_steps
from gambol.characters.action_table import action_table
from gambol.crowd import Event, Recording, RecordingBuilder


def random_names(
    character: Character, frames: int, rng: np.random.Generator, *, first: str = "stand", longest: int = 1000
) -> list[str]:
    """Return behaviors that may follow one another, for at least so many frames.

    longest: frames of a clip, unless only longer ones may follow.
    """
    names, lasted = [first], character.behavior(first).clips[0].duration
    while lasted < frames:
        following = character.successors(names[-1])
        short = [name for name in following if character.behavior(name).clips[0].duration <= longest]
        following = short or following
        names.append(following[rng.integers(len(following))])
        lasted += min(clip.duration for clip in character.behavior(names[-1]).clips)
    return names


def flat_clips(character: Character, steps: Sequence[Step]) -> list[int]:
    """Return the numbers of the steps' clips, counted through all behaviors."""
    first = action_table(character).behavior_clips
    return [int(first[step.behavior]) + step.clip for step in steps]


def random_recording(
    characters: Sequence[Character], kind: Sequence[int], *, frames: int, seed: int, scene: str = "plaza"
) -> Recording:
    """Return a recording in which each begins some time in the first second, wherever, and every third leaves."""
    rng = np.random.default_rng(seed)
    builder = RecordingBuilder()
    placed: list[tuple[int, int, Step]] = []
    until = np.full(len(kind), frames)
    for who, number in enumerate(kind):
        character = characters[number]
        start = int(rng.integers(30))
        pose = (float(rng.uniform(-20, 20)), float(rng.uniform(-20, 20)), float(rng.uniform(-3, 3)))
        names = random_names(character, frames - start, rng)
        steps = place_steps(character, names, start=pose, frame=start, seed=seed + who)
        placed += [(who, clip, step) for clip, step in zip(flat_clips(character, steps), steps, strict=True)]
        if who % 3 == 2:
            until[who] = frames - int(rng.integers(1, frames // 2))
    for who, clip, step in sorted(placed, key=lambda one: one[2].frame):  # as a running crowd appends them
        builder.append([who], [clip], step.frame, [step.pose])
    builder.arrive([0], frames - 1)
    builder.note(Event(3, "edit", -1, "a ball was thrown"))
    return builder.recording(
        rate_hz=30.0, frames=frames, characters=characters, names=[f"Ä{n}" for n in range(len(kind))], kind=kind,
        until=until, scene=scene,
    )  # fmt: skip
