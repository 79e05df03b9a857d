"""A character in words and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from gambol.characters.character import Behavior, Character
from gambol.characters.clip import Clip

MOST_CLIPS = 100  # clips, >= 1: the most that a summary lists for one behavior


def summarize_character(character: Character) -> dict[str, Any]:
    """Return plain numbers, strings and lists, ready for JSON, with angles in degrees."""
    return {
        "name": character.name,
        "planning_rate_hz": character.planning_rate_hz,
        "joints": character.skeleton.joint_count,
        "transitions": int(np.isfinite(character.transition_costs).sum()),
        "subsets": {name: list(members) for name, members in character.subsets.items()},
        "behaviors": [
            {
                "name": behavior.name,
                "label": behavior.label,
                "kind": behavior.kind,
                "begins": behavior.begins,
                "ends": behavior.ends,
                "weight": behavior.weight,
                "cost": behavior.cost(character.cost_by),
                "clip_count": len(behavior.clips),
                "clips": [_summarize_clip(clip) for clip in behavior.clips[:MOST_CLIPS]],
            }
            for behavior in character.behaviors
        ],
    }


def describe_character(character: Character) -> str:
    """Return one line for each behavior, with the displacement of its first clip."""
    width = max(len(behavior.name) for behavior in character.behaviors)
    lines = [_describe(behavior, character, width) for behavior in character.behaviors]
    clips = sum(len(behavior.clips) for behavior in character.behaviors)
    count = int(np.isfinite(character.transition_costs).sum())
    return "\n".join([*lines, f"{character.name}: {len(lines)} behaviors, {clips} clips, {count} transitions"])


def _describe(behavior: Behavior, character: Character, width: int) -> str:
    clip = behavior.clips[0]
    x, y, heading = np.round(clip.displacement, 6) + 0.0  # no -0.00
    turn_deg = round(float(np.degrees(heading))) + 0
    return (
        f"{behavior.name:{width}}  {behavior.begins} > {behavior.ends}, {len(behavior.clips)} clips, "
        f"{clip.duration_s:.2f} s, {x:.2f} m ahead, {y:.2f} m left, {turn_deg} deg, "
        f"cost {behavior.cost(character.cost_by):.2f}"
    )


def _summarize_clip(clip: Clip) -> dict[str, Any]:
    x, y, heading = (float(value) for value in clip.displacement)
    return {
        "name": clip.name,
        "duration_s": clip.duration_s,
        "planning_frames": clip.duration,
        "ahead_m": x,
        "left_m": y,
        "turn_deg": float(np.degrees(heading)),
        "path_m": clip.path_length_m,
        "event_s": clip.event / clip.planning_rate_hz,
    }
