"""A rider's feet: fixed to the board, planted on the ground, and what leads from one to the other.

A foot is described as seen from the course, the point of the ground below the board: ahead, left,
above, with yaw and pitch.  On a board that rolls level that is a place that never changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from tools.authoring import human_skeleton as human
from tools.authoring.authored import RATE_HZ
from tools.authoring.course import Course
from tools.authoring.keyframes import bridge, ease, keyed
from tools.authoring.skateboarder.board import DECK_HEIGHT_M

from gambol.geometry.arrays import BoolArray, FloatArray

#: Where the ankles are when gliding, from the middle of the deck: ahead, left and above, and the feet's yaw.
FRONT_ANKLE, FRONT_YAW = (0.150, 0.050, human.ANKLE_HEIGHT_M), np.radians(-62.0)
BACK_ANKLE, BACK_YAW = (-0.225, 0.065, human.ANKLE_HEIGHT_M), np.radians(-84.0)
RISING_S = 0.3  # a foot rises on its ball within this time, before it leaves
STILL_M_S = 1e-9
BALL = np.array([human.BALL_AHEAD_M, 0.0, human.BALL_HEIGHT_M - human.ANKLE_HEIGHT_M])  # from the ankle


class FootTrack(NamedTuple):
    """A foot, frame by frame, as seen from the course."""

    ankle: FloatArray  # (F, 3) metres
    yaw: FloatArray  # (F,)
    pitch: FloatArray  # (F,) toes up
    toe_bend: FloatArray  # (F,) toes up
    planted: BoolArray  # (F, 2) heel, toe: on the ground, at one place
    riding: BoolArray  # (F,) on the board, and so wherever that has it


class Stay(NamedTuple):
    """A time during which a foot is held by something, from one second to another."""

    first: float
    last: float
    place: tuple[float, float, float]  # of the ankle in the course's frame; where the earth holds it, when it lands
    yaw: float
    held_by: str = "board"  # or "ground": it goes along and drags; or "earth": it stays while the course goes by
    roll: float = 0.0  # pitch, in degrees, to which a foot held by the earth has risen on its ball when it leaves


class Swing(NamedTuple):
    """How a foot goes from one stay to the next, besides being led by both."""

    lift_m: float = 0.08
    pitch: float = -20.0  # in degrees, halfway
    out_m: float = 0.0  # to the left
    peak: float = 0.5  # share of the time at which it is highest


def on_deck(ankle: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a place on the deck as one seen from the course, for a board that stands level on its wheels."""
    return ankle[0], ankle[1], ankle[2] + DECK_HEIGHT_M


BACK_ON_DECK = on_deck(BACK_ANKLE)


def step(course: Course, stays: Sequence[Stay], swings: Sequence[Swing]) -> FootTrack:
    """Lead a foot from stay to stay; the first and the last go on beyond the course's ends.

    swings: one for each two stays between which there is time.
    """
    held = [_hold(course, stay) for stay in stays]
    track = held[0]
    left = iter(swings)
    for (before, after), (one, other) in zip(pairwise(stays), pairwise(held), strict=True):
        at = _frame(course, before.last), _frame(course, after.first)
        track = _then(track, other, at[1])
        if after.first > before.last:
            _swing(course, track, (one, other), at, next(left))
    return track


def _then(track: FootTrack, other: FootTrack, frame: int) -> FootTrack:
    """Return one track up to a frame, and another one from there on."""
    return FootTrack(
        np.concatenate((track.ankle[:frame], other.ankle[frame:])),
        np.concatenate((track.yaw[:frame], other.yaw[frame:])),
        np.concatenate((track.pitch[:frame], other.pitch[frame:])),
        np.concatenate((track.toe_bend[:frame], other.toe_bend[frame:])),
        np.concatenate((track.planted[:frame], other.planted[frame:])),
        np.concatenate((track.riding[:frame], other.riding[frame:])),
    )


def _frame(course: Course, time: float) -> int:
    return int(np.argmin(np.abs(course.times - time)))


def _hold(course: Course, stay: Stay) -> FootTrack:
    """Hold a foot over all frames of a course, within the stay and beyond."""
    count = len(course.times)
    yaw, pitch = np.full(count, stay.yaw), np.zeros(count)
    planted, riding = np.zeros((count, 2), dtype=bool), np.full(count, stay.held_by == "board")
    if stay.held_by != "earth":
        planted[:] = (stay.held_by == "ground") & (course.speed < STILL_M_S)[:, None]
        return FootTrack(np.tile(stay.place, (count, 1)), yaw, pitch, np.zeros(count), planted, riding)
    rising = min(RISING_S, 0.55 * (stay.last - stay.first))
    share = np.clip((course.times - stay.last) / rising + 1.0, 0.0, 1.2)
    pitch = np.radians(stay.roll) * share * share * (2.0 - share)
    landing = _frame(course, stay.first)
    ankle = course.place(stay.place)[landing]
    heading = course.pose[landing, 2] + stay.yaw
    ball = ankle + _turned(BALL, heading, 0.0)
    within = (course.times >= stay.first - 1e-9) & (course.times <= stay.last + 1e-9)
    planted[:, 0] = within & (pitch == 0.0)
    planted[:, 1] = within
    ankles = ball - np.array([_turned(BALL, heading, angle) for angle in pitch])
    return FootTrack(course.localize(ankles), heading - course.pose[:, 2], pitch, -pitch, planted, riding)


def _swing(
    course: Course, track: FootTrack, held: tuple[FootTrack, FootTrack], at: tuple[int, int], swing: Swing
) -> None:
    """Fill the frames between two stays, in place."""
    first, last = at
    inside = slice(first + 1, last)
    times = course.times[inside]
    start, end = course.times[first], course.times[last]
    for name in ("ankle", "yaw", "pitch"):
        before, after = (_state(getattr(foot, name), frame) for foot, frame in zip(held, at, strict=True))
        getattr(track, name)[inside] = bridge(before, after, times, start, end)
    share = (times - start) / (end - start)
    bump = keyed(((0.0, 0.0), (swing.peak, 1.0), (1.0, 0.0)), share)
    track.ankle[inside, 1] += swing.out_m * bump
    track.ankle[inside, 2] += swing.lift_m * bump
    track.pitch[inside] += np.radians(swing.pitch) * bump
    track.toe_bend[inside] = 0.0
    if held[0].toe_bend[first] > 0.0:  # toes stay flat for a moment as the foot leaves the ground
        track.toe_bend[inside] = np.maximum(-track.pitch[inside], 0.0) * (1.0 - ease(share, 0.15, 0.6))
    track.planted[inside] = False
    track.riding[inside] = False


def _state(values: FloatArray, frame: int) -> FloatArray:
    """Return value, rate and change of rate at a frame."""
    before, here, after = values[frame - 1 : frame + 2]
    return np.array([here, 0.5 * (after - before) * RATE_HZ, (after - 2.0 * here + before) * RATE_HZ**2])


def _turned(point: FloatArray, yaw: float, pitch: float) -> FloatArray:
    """Turn a point of the foot by its pitch, toes up, then by its yaw."""
    ahead, up = point[0] * np.cos(pitch) - point[2] * np.sin(pitch), point[0] * np.sin(pitch) + point[2] * np.cos(pitch)
    return np.array([ahead * np.cos(yaw), ahead * np.sin(yaw), up])
