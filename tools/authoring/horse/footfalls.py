"""Where and when hooves are on the ground, and how they swing from one place to the next."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.integrate import cumulative_trapezoid
from tools.authoring.authored import RATE_HZ
from tools.authoring.course import Course
from tools.authoring.horse.gait import GALLOP_M_S, Footfalls, GaitTracks, gait_at
from tools.authoring.horse.legs import HoofTrack
from tools.authoring.horse.skeleton import FORE, HIND, LEGS, TOE
from tools.authoring.keyframes import bridge, keyed

from gambol.geometry import planar
from gambol.geometry.arrays import BoolArray, FloatArray

# Hooves leave the ground as fast as it goes by, and land somewhat slower: they strike it.
LEAVING, LANDING = 0.90, 0.60
SHORTEST_SWING_S = 0.24
SAME_S = 1e-9
ROLLING_S = 0.12  # a horse that stood rolls over its hoof only so shortly before it leaves


class Steps(NamedTuple):
    """What a kind of leg does from one contact to the next, in a gallop; angles in degrees, toe up.

    Keys up to 1 are shares of the stance, from there on shares of the swing.
    """

    hoof: tuple[tuple[float, float], ...]
    pastern: tuple[tuple[float, float], ...]  # positive: the fetlock sinks under the load
    lift: tuple[tuple[float, float], ...]  # metres, of the toe


#: Of hind legs and of fore legs.
STEPS = (
    Steps(
        hoof=((0.0, 0.0), (0.74, 0.0), (1.0, -40.0), (1.20, -98.0), (1.45, -62.0), (1.75, -4.0), (1.90, 6.0),
              (2.0, 0.0)),
        pastern=((0.0, 0.0), (0.45, 18.0), (0.80, 0.0), (1.0, -42.0), (1.22, -84.0), (1.48, -52.0), (1.78, -2.0),
                 (2.0, 0.0)),
        lift=((1.0, 0.0), (1.38, 0.26), (1.72, 0.12), (2.0, 0.0)),
    ),
    Steps(
        hoof=((0.0, 0.0), (0.76, 0.0), (1.0, -36.0), (1.22, -112.0), (1.48, -88.0), (1.76, -14.0), (1.92, 6.0),
              (2.0, 0.0)),
        pastern=((0.0, 0.0), (0.45, 20.0), (0.80, 2.0), (1.0, -36.0), (1.24, -95.0), (1.50, -72.0), (1.78, -6.0),
                 (2.0, 0.0)),
        lift=((1.0, 0.0), (1.36, 0.34), (1.70, 0.16), (2.0, 0.0)),
    ),
)  # fmt: skip
LEAST_ACTION = 0.35  # of the gallop's angles and lift, at the slowest


class Stance(NamedTuple):
    """A hoof on the ground, from one second to another; forever where a horse stands."""

    first: float
    last: float
    toe: FloatArray  # (3,) metres and radians: place, direction
    action: float  # how high the hoof goes afterwards, as a share of the gallop's


class HoofSteps(NamedTuple):
    """A hoof's track, and when it is on the ground."""

    track: HoofTrack
    planted: BoolArray  # (F,)


def stride_phase(times: FloatArray, pace: FloatArray, footfalls: tuple[Footfalls, ...]) -> FloatArray:
    """Return how many strides have gone by since the first frame (F,)."""
    return cumulative_trapezoid(1.0 / gait_at(pace, footfalls).stride_s, times, initial=0.0)


def plan_stances(
    course: Course,
    pace: FloatArray,
    footfalls: tuple[Footfalls, ...],
    phase: FloatArray,
    reach: FloatArray,
    *,
    goes_s: float,
    halts_s: float,
) -> list[list[Stance]]:
    """Return the stances of the four legs, in order.

    footfalls: of the gaits at some paces, by which the legs go.
    reach: (F, 2) how far ahead of their usual places hind and fore hooves are set.
    goes_s, halts_s: when a horse that stood starts to move its legs, and when one that halts has
    set its last hoof; infinite for a horse that does not.
    """
    gait = gait_at(pace, footfalls)
    legs = []
    for leg in range(len(LEGS)):
        contacts = _crossings(course.times, phase - gait.contacts[:, leg])
        contacts = contacts[(contacts > goes_s + SHORTEST_SWING_S) & (contacts < halts_s)]
        stances = _stances(course, gait, pace, reach, leg, contacts)
        if len(stances) == 0:
            stances = [Stance(-np.inf, np.inf, _standing(course.pose[0], leg), LEAST_ACTION)]
            legs.append(stances)
            continue
        if np.isfinite(goes_s):
            swing = np.interp(contacts[0], course.times, (1.0 - gait.stance[:, leg]) * gait.stride_s)
            leaves = max(goes_s, float(contacts[0] - swing))
            stances.insert(0, Stance(-np.inf, leaves, _standing(course.pose[0], leg), LEAST_ACTION))
        if np.isfinite(halts_s):
            stances[-1] = stances[-1]._replace(last=np.inf, toe=_standing(course.pose[-1], leg))
        legs.append(stances)
    return legs


def _stances(
    course: Course, gait: GaitTracks, pace: FloatArray, reach: FloatArray, leg: int, contacts: FloatArray
) -> list[Stance]:
    """Return the stances that begin with a leg's contacts."""
    kind = _kind(leg)
    leaves = contacts + np.interp(contacts, course.times, gait.stance[:, leg] * gait.stride_s)
    passes = contacts + np.interp(contacts, course.times, gait.passing[:, leg]) * (leaves - contacts)
    ahead = _toe(leg)[0] + np.interp(passes, course.times, reach[:, kind])
    left = _side(leg) * np.interp(passes, course.times, gait.half_width_m[:, kind])
    poses = np.column_stack([np.interp(passes, course.times, track) for track in course.pose.T])
    toes = planar.compose(poses, np.column_stack((ahead, left, np.zeros(len(passes)))))
    action = np.clip(np.interp(leaves, course.times, pace) / GALLOP_M_S, LEAST_ACTION, 1.0)
    return [Stance(*step) for step in zip(contacts, leaves, toes, action, strict=True)]


def _standing(pose: FloatArray, leg: int) -> FloatArray:
    """Return where a leg's toe is, and how it is turned, when the horse stands square at a pose."""
    ahead, left = _toe(leg)
    return planar.compose(pose, np.array([ahead, left, 0.0]))


def _kind(leg: int) -> int:
    """Return 0 for a hind leg, 1 for a fore leg."""
    return int(LEGS[leg].endswith("Fore"))


def _toe(leg: int) -> tuple[float, float]:
    """Return where a toe is at rest: ahead of the course, left of it."""
    _, _, (ahead, left, _) = (HIND, FORE)[_kind(leg)][-1]
    return ahead + TOE[0], _side(leg) * left


def _side(leg: int) -> float:
    return 1.0 if LEGS[leg].startswith("Left") else -1.0


def _crossings(times: FloatArray, phase: FloatArray) -> FloatArray:
    """Return when a rising phase passes whole numbers."""
    whole = np.arange(np.ceil(phase[0]), np.floor(phase[-1]) + 1.0)
    return np.interp(whole, np.maximum.accumulate(phase), times)


def track_hoof(course: Course, leg: int, stances: list[Stance]) -> HoofSteps:
    """Lead a hoof over its stances, on all frames of a course."""
    times = course.times
    count = len(times)
    track = HoofTrack(np.zeros((count, 3)), np.zeros(count), np.zeros(count), np.zeros(count))
    planted = np.zeros(count, dtype=bool)
    for stance in stances:
        inside = _within(times, stance)
        planted |= inside
        track.toe[inside, :2], track.yaw[inside] = stance.toe[:2], stance.toe[2]
    for stance, following in pairwise(stances):
        swing = (times > stance.last + SAME_S) & (times < following.first - SAME_S)
        track.toe[swing, :2], track.yaw[swing] = _swing(course, stance, following, swing)
        _act(track, times, swing | _within(times, stance), STEPS[_kind(leg)], stance, following)
    return HoofSteps(track, planted)


def _within(times: FloatArray, stance: Stance) -> BoolArray:
    return (times >= stance.first - SAME_S) & (times <= stance.last + SAME_S)


def _act(
    track: HoofTrack, times: FloatArray, frames: BoolArray, steps: Steps, stance: Stance, following: Stance
) -> None:
    """Roll, flex and lift a hoof from one contact to the next, in place."""
    begun = stance.first if np.isfinite(stance.first) else stance.last - ROLLING_S
    degrees = np.pi / 180.0
    for values, keys, unit in (
        (track.pitch, steps.hoof, degrees), (track.pastern, steps.pastern, degrees), (track.toe[:, 2], steps.lift, 1.0),
    ):  # fmt: skip
        seconds = [_when(share, begun, stance.last, following.first) for share, _ in keys]
        amounts = [unit * stance.action * value for _, value in keys]
        values[frames] = keyed(list(zip(seconds, amounts, strict=True)), times[frames])


def _when(share: float, first: float, last: float, following: float) -> float:
    """Return the second of a share of the stance (up to 1) or of the swing (from 1 to 2)."""
    return first + share * (last - first) if share <= 1.0 else last + (share - 1.0) * (following - last)


def _swing(course: Course, before: Stance, after: Stance, inside: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return places (N, 2) and yaws (N,) of a hoof in the air: a smooth curve as seen from the course."""
    states = []
    for stance, when, haste in ((before, before.last, LEAVING), (after, after.first, LANDING)):
        seen = [planar.relative(_pose_at(course, when + step / RATE_HZ), stance.toe) for step in (-1.0, 0.0, 1.0)]
        states.append(np.array([seen[1], haste * 0.5 * RATE_HZ * (seen[2] - seen[0]), np.zeros(3)]))
    local = bridge(states[0], states[1], course.times[inside], before.last, after.first)
    placed = planar.compose(course.pose[inside], local)
    return placed[:, :2], placed[:, 2]


def _pose_at(course: Course, time: float) -> FloatArray:
    return np.array([np.interp(time, course.times, track) for track in course.pose.T])
