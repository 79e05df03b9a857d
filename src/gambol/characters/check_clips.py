"""Checks of single clips: feet that slide, and too little room for blending."""

from __future__ import annotations

import numpy as np

from gambol.characters.character import Behavior, Character
from gambol.characters.clip import Clip
from gambol.characters.finding import Finding
from gambol.characters.riding import is_ride, ride_slide_speeds
from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import ADULT_LEG_M, leg_length
from gambol.motion.quality import slide_speeds

MOST_SLIDE_M_S = 0.04  # m/s, > 0, for an adult: planted feet that slide faster on average are an error
MOST_RIDE_SLIDE_M_S = 0.12  # m/s, > 0: the same for feet on a board: larger, since they turn and shuffle there


def check_clips(character: Character) -> list[Finding]:
    """Look for feet that slide and for clips that are too short for their margins; look at each clip once."""
    limit = MOST_SLIDE_M_S * np.sqrt(leg_length(character.skeleton) / ADULT_LEG_M)
    found: list[Finding] = []
    seen: set[int] = set()
    for behavior in character.behaviors:
        for clip in behavior.clips:
            if id(clip) not in seen:
                seen.add(id(clip))
                found += _slide(behavior, clip, limit)
                found += _ride_slide(behavior, clip)
                found += _short(behavior, clip)
    return found


def mean_slide(clip: Clip) -> float:
    """Return how fast planted feet slide on average inside a clip, metres a second; zero if none is planted."""
    return _mean_inside(clip, slide_speeds(clip.motion, clip.contacts))


def mean_ride_slide(clip: Clip) -> float:
    """Return how fast riding feet slide on their board on average inside a clip, metres a second."""
    return _mean_inside(clip, ride_slide_speeds(clip)) if is_ride(clip) else 0.0


def _mean_inside(clip: Clip, speeds: FloatArray) -> float:
    inside = speeds[clip.margin : clip.motion.frame_count - clip.margin]
    return 0.0 if np.all(np.isnan(inside)) else float(np.nanmean(inside))


def _slide(behavior: Behavior, clip: Clip, limit: float) -> list[Finding]:
    slide = mean_slide(clip)
    if slide <= limit:
        return []
    what = f"planted feet slide {100 * slide:.1f} cm/s on average; at most {100 * limit:.1f} expected"
    hint = (
        'clean its feet (feet = "clean"); if they stand on something that moves, say so (feet = "board"); '
        "if a leg cannot reach, bend it less or choose another cut"
    )
    return [Finding("foot slide", "error", _place(behavior, clip), what, hint)]


def _ride_slide(behavior: Behavior, clip: Clip) -> list[Finding]:
    slide = mean_ride_slide(clip)
    if slide <= MOST_RIDE_SLIDE_M_S:
        return []
    what = (
        f"riding feet slide {100 * slide:.1f} cm/s on their board on average; "
        f"at most {100 * MOST_RIDE_SLIDE_M_S:.0f} expected"
    )
    hint = 'if its feet stand on the ground, not on a board, clean them (feet = "clean"); else choose another cut'
    return [Finding("foot slide", "error", _place(behavior, clip), what, hint)]


def _short(behavior: Behavior, clip: Clip) -> list[Finding]:
    frames = clip.duration * clip.frames_per_step
    if frames < clip.margin:
        what = f"{clip.duration} planning frames leave no room for blending over {clip.margin // clip.frames_per_step}"
        hint = "cut a longer piece (two cycles instead of one), or lower the character's margin"
        return [Finding("short clip", "warning", _place(behavior, clip), what, hint)]
    return []


def _place(behavior: Behavior, clip: Clip) -> str:
    return behavior.name if clip.name == behavior.name else f"{behavior.name}, clip {clip.name!r}"
