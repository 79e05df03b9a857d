"""Joggers of chapter 6: five jogs of one captured subject, one clip each, and what it takes to live in a crowd."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.body import Body
from gambol.characters import Behavior, Character, Clip, include_blending
from gambol.characters.make_clip import finish_clip
from gambol.motion import remove_foot_skate

AHEAD = "jog-LL"
#: Forward, and to either side by some 20 and some 50 degrees: five takes.
FIVE = (AHEAD, "jog-left-19-LL", "jog-left-53-LL", "jog-right-23-LL", "jog-right-46-LL")
AHEAD_VARIANTS, TURN_VARIANTS = 12, 5  # [L09 chapter 6]
RESTING = ("stop-L", "turn-left-45", "turn-right-45", "turn-left-90", "turn-right-90")


def joggers(captured: Character) -> Character:
    """Return five jogs of one clip each, with a start, a stop, turns on the spot and a stand that stays."""
    jogs = [replace(one, clips=one.clips[:1]) for one in (captured.behavior(name) for name in FIVE)]
    stand = captured.behavior("stand")
    others: list[Behavior] = [
        replace(captured.behavior("go-L"), name="start"),
        *(captured.behavior(name) for name in RESTING),
        replace(stand, clips=(staying(stand.clips[0]),)),
    ]
    character = replace(
        captured, name="joggers", behaviors=(*jogs, *others), transitions=(), subsets={"five": FIVE},
    )  # fmt: skip
    return include_blending(character)


def counts(ahead: int = AHEAD_VARIANTS, turns: int = TURN_VARIANTS) -> dict[str, int]:
    """Return how many variants each jog gets."""
    return {name: ahead if name == AHEAD else turns for name in FIVE}


def staying(clip: Clip) -> Clip:
    """Return a clip of standing that ends where it begins: what it sways by on the whole is taken out evenly."""
    first, last = clip.margin, clip.motion.frame_count - 1 - clip.margin
    gone = (np.arange(clip.motion.frame_count) - first) / (last - first)
    roots = np.array(clip.motion.root_positions)
    roots[:, :2] -= gone[:, None] * (roots[last, :2] - roots[first, :2])
    motion = remove_foot_skate(replace(clip.motion, root_positions=roots), clip.contacts)
    poses = np.column_stack((motion.root_positions[:, :2], np.zeros(motion.frame_count)))
    poses[last, :2] = poses[first, :2] = 0.0
    return finish_clip(
        clip.name, motion, poses, clip.contacts,
        margin=clip.margin, frames_per_step=clip.frames_per_step, body=Body.from_skeleton(motion.skeleton),
        event=clip.event, recorded=clip.recorded,
    )  # fmt: skip
