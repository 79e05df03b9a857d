"""Hooves that join clips: before and after a clip they do what a steady gait does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from tools.authoring.course import Course, run_course
from tools.authoring.horse.footfalls import HoofSteps, Stance, plan_stances, stride_phase, track_hoof
from tools.authoring.horse.gait import STEADY
from tools.authoring.horse.legs import HoofTrack
from tools.authoring.horse.skeleton import LEGS
from tools.authoring.keyframes import ease

from gambol.geometry import planar
from gambol.geometry.arrays import BoolArray, FloatArray

STEADY_STRIDES = 4
SAME_S = 1e-6


@dataclass(frozen=True, eq=False)
class Hooves:
    """The four hooves, frame by frame, in the order of LEGS."""

    tracks: tuple[HoofTrack, ...]
    planted: BoolArray  # (F, 4)

    def cropped(self, frames: slice) -> Hooves:
        return Hooves(
            tuple(HoofTrack(*(values[frames] for values in track)) for track in self.tracks), self.planted[frames]
        )


def lead_hooves(course: Course, stances: list[list[Stance]], *, labels: tuple[str, str]) -> Hooves:
    """Lead hooves over their stances; where a clip begins or ends in a steady gait, from and into that."""
    steps = []
    for leg, own in enumerate(stances):
        placed = _standing_at_labels(course, leg, own, labels)
        track = track_hoof(course, leg, placed)
        if labels[0] in STEADY:
            track = _out_of(labels[0], course, leg, placed, track)
        if labels[1] in STEADY:
            track = _into(labels[1], course, leg, placed, track)
        steps.append(track)
    return Hooves(tuple(step.track for step in steps), np.column_stack([step.planted for step in steps]))


def _standing_at_labels(course: Course, leg: int, stances: list[Stance], labels: tuple[str, str]) -> list[Stance]:
    """Return stances of which those at a steady gait's labels are where the gait has them."""
    last = len(course.times) - 1 - course.margin
    placed = list(stances)
    for label, frame in zip(labels, (course.margin, last), strict=True):
        usual = _at(_steady(label, course.margin)[1][leg], 0.0) if label in STEADY else None
        own = _at(stances, course.times[frame])
        if usual is not None and own is not None:
            toe = planar.compose(course.pose[frame], usual.toe)
            placed[stances.index(own)] = own._replace(toe=toe)
    return placed


def _out_of(label: str, course: Course, leg: int, stances: list[Stance], steps: HoofSteps) -> HoofSteps:
    """Start in a steady gait; a hoof that is in the air then is led from its way there to its own next place."""
    steady, places = _steady(label, course.margin)
    start = course.margin
    if _at(stances, 0.0) is not None:
        return _spliced(
            HoofTrack(*(values[:start] for values in steady[leg].track)), steps, slice(0, start),
            steady[leg].planted[:start],
        )  # fmt: skip
    own, usual = (_first_after(group, 0.0) for group in (stances, places[leg]))
    assert abs(own.first - usual.first) < SAME_S
    gait = steady[leg]
    last = int(np.searchsorted(course.times, own.first - SAME_S))
    share = ease(course.times[:last], 0.0, own.first)
    led = _shifted(gait.track, slice(0, last), share, own.toe - usual.toe)
    return _spliced(led, steps, slice(0, last), gait.planted[:last] & (course.times[:last] <= course.times[start]))


def _into(label: str, course: Course, leg: int, stances: list[Stance], steps: HoofSteps) -> HoofSteps:
    """End in a steady gait; a hoof that is in the air then is led from its own last place to its way there."""
    steady, places = _steady(label, course.margin)
    end = len(course.times) - 1 - course.margin
    duration = course.times[end]
    stands = _at(stances, duration) is not None
    own, usual = _last_before(stances, duration), _last_before(places[leg], 0.0)
    assert stands or abs(own.last - duration - usual.last) < SAME_S
    first = end + 1 if stands else int(np.searchsorted(course.times, own.last + SAME_S))
    # The steady gait's frames, counted from its label, and placed where this clip ends.
    frames = np.arange(first, len(course.times)) - end + course.margin
    placed = _placed(steady[leg], frames, course.pose[end])
    if stands:
        return _spliced(placed.track, steps, slice(first, None), placed.planted)
    share = 1.0 - ease(course.times[first:], own.last, duration)
    led = _shifted(placed.track, slice(None), share, own.toe - planar.compose(course.pose[end], usual.toe))
    return _spliced(led, steps, slice(first, None), placed.planted)


def _shifted(track: HoofTrack, frames: slice, share: FloatArray, shift: FloatArray) -> HoofTrack:
    """Return some frames of a track with shares of a shift (x, y, yaw) added."""
    toe = np.array(track.toe[frames])
    toe[:, :2] += share[:, None] * shift[:2]
    return HoofTrack(toe, track.yaw[frames] + share * shift[2], track.pitch[frames], track.pastern[frames])


def _spliced(led: HoofTrack, steps: HoofSteps, frames: slice, planted: BoolArray) -> HoofSteps:
    """Return steps with some frames in place of their own."""
    own = HoofSteps(HoofTrack(*(np.array(values) for values in steps.track)), np.array(steps.planted))
    for values, others in zip(own.track, led, strict=True):
        values[frames] = others
    own.planted[frames] = planted
    return own


def _placed(steps: HoofSteps, frames: NDArray[np.intp], pose: FloatArray) -> HoofSteps:
    """Return frames of steps that start at the origin, begun at a pose."""
    toe, yaw, pitch, pastern = (values[frames] for values in steps.track)
    toe = np.column_stack((planar.apply(pose, toe[:, :2]), toe[:, 2]))
    return HoofSteps(HoofTrack(toe, yaw + pose[2], pitch, pastern), steps.planted[frames])


@cache
def _steady(label: str, margin: int) -> tuple[tuple[HoofSteps, ...], list[list[Stance]]]:
    """Return a steady gait straight on, whose label is at frame `margin`, and its stances."""
    steady = STEADY[label]
    course = run_course(STEADY_STRIDES * steady.stride_steps, speed=((0.0, steady.speed_m_s),), margin=margin)
    pace = np.full(len(course.times), steady.speed_m_s)
    phase = stride_phase(course.times, pace, steady.footfalls)
    phase += steady.phase - phase[margin]
    reach = np.zeros((len(pace), 2))
    stances = plan_stances(course, pace, steady.footfalls, phase, reach, goes_s=-np.inf, halts_s=np.inf)
    return tuple(track_hoof(course, leg, stances[leg]) for leg in range(len(LEGS))), stances


def _at(stances: list[Stance], time: float) -> Stance | None:
    return next((stance for stance in stances if stance.first <= time <= stance.last), None)


def _first_after(stances: list[Stance], time: float) -> Stance:
    return next(stance for stance in stances if stance.first > time)


def _last_before(stances: list[Stance], time: float) -> Stance:
    return [stance for stance in stances if stance.last < time][-1]
