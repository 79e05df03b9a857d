"""How much data a character's clips are, in planning frames, as the papers count theirs."""

from __future__ import annotations

from typing import NamedTuple

from gambol.characters import Behavior, Character, Clip


class DataFrames(NamedTuple):
    """Planning frames of all clips."""

    proper: int  # that are played from one transition to the next
    with_margins: int  # those before and after that blending uses included


def data_frames(character: Character) -> DataFrames:
    """Return how many frames of data a character has."""
    clips = clips_of(character)
    return DataFrames(sum(clip.duration for clip in clips), sum(clip.duration + 2 * margin_of(clip) for clip in clips))


def margin_of(clip: Clip) -> int:
    """Return the planning frames on either side of a clip that are for blending."""
    return clip.margin // clip.frames_per_step


def clips_of(character: Character) -> list[Clip]:
    """Return all clips, behavior after behavior."""
    return [clip for behavior in character.behaviors for clip in behavior.clips]


def span(values: list[int]) -> int | str:
    """Return the one value there is, or least and greatest as a range."""
    least, greatest = min(values), max(values)
    return least if least == greatest else f"{least}..{greatest}"


def count_of(character: Character, gait: str, side: str = "") -> int:
    """Return how many behaviors are a gait, straight ahead (""), to the left or to the right."""
    return sum(_is(behavior, gait, side) for behavior in character.behaviors)


def _is(behavior: Behavior, gait: str, side: str) -> bool:
    return behavior.name.startswith(f"{gait}-{side}-") if side else behavior.name == gait
