"""Characters from authored clips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tools.authoring.authored import FRAMES_PER_STEP, RATE_HZ, AuthoredClip

from gambol.body.capsules import Body
from gambol.characters.blended_shape import include_blending
from gambol.characters.character import DEFAULT_WEIGHTS, Behavior, Character
from gambol.characters.clip import Clip
from gambol.characters.make_clip import finish_clip


class State(NamedTuple):
    """A behavior: its first clip gives it its name and its labels of transition."""

    label: str  # what a person would call it
    kind: str  # key of DEFAULT_WEIGHTS
    clip: AuthoredClip
    variants: tuple[AuthoredClip, ...] = ()  # clips that differ only in manner
    weight: float = 1.0  # times that of its kind


def character_from(
    name: str, states: Sequence[State], *, subsets: Mapping[str, Sequence[str]], riding: bool = False
) -> Character:
    """Build a character whose behaviors have the weights of their kinds, times their own.

    riding: the feet stand on a board, but for where they are planted on the ground.
    """
    skeleton = states[0].clip.motion.skeleton
    body = Body.from_skeleton(skeleton)
    behaviors = [
        Behavior(
            state.clip.name,
            state.label,
            tuple(replace(finished(clip, body), riding=riding) for clip in (state.clip, *state.variants)),
            begins=state.clip.begins,
            ends=state.clip.ends,
            weight=state.weight * DEFAULT_WEIGHTS[state.kind],
            kind=state.kind,
        )
        for state in states
    ]
    members = {subset: tuple(names) for subset, names in subsets.items()}
    character = Character(name, skeleton, RATE_HZ / FRAMES_PER_STEP, tuple(behaviors), subsets=members)
    return include_blending(character, body=body)


def finished(authored: AuthoredClip, body: Body) -> Clip:
    """Compute what a planner needs to know of an authored clip."""
    event = None if authored.event is None else round((authored.event - authored.margin) / FRAMES_PER_STEP)
    return finish_clip(
        authored.name, authored.motion, authored.path, authored.contacts,
        margin=authored.margin, frames_per_step=FRAMES_PER_STEP, body=body, event=event,
    )  # fmt: skip
