"""The built-in human's jumps, ducks and crawls.  Every function returns clips by name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from tools.authoring.actions.crawl import crawl, crawl_cycle, crawl_in, crawl_out
from tools.authoring.actions.duck import DEEP_DUCK, DUCK, duck
from tools.authoring.actions.leap import HOP, HURDLE, LONG_HURDLE, LOOSE_HOP, leap
from tools.authoring.actions.two_foot_jump import TIGHT_TWO_FOOT, TWO_FOOT, two_foot_jump
from tools.authoring.authored import AuthoredClip

Clips = dict[str, AuthoredClip]

FAN = tuple(range(-90, 91, 15))  # degrees [C20 1.2]


def all_actions() -> Clips:
    """Return every action, without the fan of jumps."""
    return jumps() | ducks() | crawls()


@cache
def jumps() -> Clips:
    """Return leaps over something high and something low, and jumps from both feet, two of each."""
    leaps = [leap(spec) for spec in (HURDLE, LONG_HURDLE, HOP, LOOSE_HOP)]
    return _named([*leaps, *(two_foot_jump(spec) for spec in (TWO_FOOT, TIGHT_TWO_FOOT))])


@cache
def ducks() -> Clips:
    """Return ducks below something at head's height, and below something lower."""
    return _named(duck(spec) for spec in (DUCK, DEEP_DUCK))


@cache
def crawls() -> Clips:
    """Return the way down, a stride and the way up, from which crawls of any length can be made, and a whole crawl."""
    return _named((crawl_in(), crawl_cycle(), crawl_out(), crawl()))


@cache
def jump_fan() -> Clips:
    """Return the low jump at 13 angles from -90 to 90 degrees; straight ahead it is the jump itself."""
    return _named(leap(HOP, turn_deg=float(angle)) for angle in FAN)


def _named(clips: Iterable[AuthoredClip]) -> Clips:
    return {clip.name: clip for clip in clips}
