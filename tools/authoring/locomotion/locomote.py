"""From a plan of steps to a clip: feet, then trunk and arms, then where feet that push bring the pelvis, then the pose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator
from tools.authoring import human_skeleton as human
from tools.authoring.authored import FRAMES_PER_STEP, MARGIN, RATE_HZ, AuthoredClip
from tools.authoring.figure import FigureTracks, assemble
from tools.authoring.locomotion.feet import FeetTracks, foot_tracks
from tools.authoring.locomotion.footfalls import Footfall, place_feet, plan_steps
from tools.authoring.locomotion.gait import Gait
from tools.authoring.locomotion.height import keep_in_reach, solve_height
from tools.authoring.locomotion.legs import hip_height
from tools.authoring.locomotion.timeline import StepPlan, Timeline, make_timeline, plateau
from tools.authoring.locomotion.trunk import Way, trunk_tracks
from tools.authoring.mass import centre_of_mass
from tools.authoring.push import STAY, begins, lift_of, missing, pushed, soles_of

from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import Contacts, contact_points
from gambol.motion.ground import Ground

STEADY_STRIDES = 7  # simulated for one that no longer knows where it began
STEADY_STAY = 0.3  # how strongly a steady gait keeps its even speed
SHIFTED = 3  # times that where its feet press is moved for the body to travel above them
MOVED = 2  # times that feet are moved to where they can push
FARTHEST_M = 0.10  # metres that they are moved by at most each time
BOTH = 3  # times that the way over the ground and the height are solved in turn


Footfalls = tuple[tuple[Footfall, ...], tuple[Footfall, ...]]
Adjustment = Callable[[FigureTracks, FloatArray], None]


def locomote(plan: StepPlan, *, adjust: Adjustment | None = None) -> AuthoredClip:
    """Make the clip that a plan declares.

    adjust: changes the tracks, given with their times in frames, before the body is solved for.
    """
    timeline = make_timeline(plan)
    times = np.arange(-MARGIN, plan.frames + MARGIN + 1, dtype=np.float64)
    # The label's own way holds a frame beyond, so that its velocity is the label's too.
    inside = slice(MARGIN + 2, MARGIN + plan.frames - 1)
    height = _meant_height(timeline, times)
    shift = _shift(timeline, times)
    footfalls = place_feet(timeline, plan_steps(timeline))
    stays = plan.steps == () or plan.is_steady
    for moves_left in range(0 if stays else MOVED, -1, -1):
        feet = foot_tracks(timeline, footfalls, times)
        tracks = trunk_tracks(timeline, times, feet, lambda gait, phase: steady(gait).way(np.mod(phase, 1.0)))
        if adjust is not None:
            adjust(tracks, times)
        if stays:
            solve_height(tracks, height, feet.standing, inside)
            break
        off = _solve(tracks, height, feet, inside, shift)
        if moves_left > 0:
            footfalls = _moved_below(timeline, footfalls, times, off)
    return _authored(plan, timeline, times, tracks, feet)


def _shift(timeline: Timeline, times: FloatArray) -> FloatArray:
    """Return how far from the usual place feet press (F, 2), as they do in the steady gaits."""
    phase, weights = np.mod(timeline.phase_at(times), 1.0), timeline.weights_at(times)
    local = sum(
        (weight[:, None] * steady(gait).press(phase) for gait, weight in zip(timeline.gaits, weights.T, strict=True)),
        np.zeros((len(times), 2)),
    )
    return planar.rotate(timeline.pose_at(times)[:, 2], local)


def _moved_below(timeline: Timeline, footfalls: Footfalls, times: FloatArray, off: FloatArray) -> Footfalls:
    """Move feet to where they would have to push; those at labels stay."""
    plan, phase = timeline.plan, timeline.phase_at(times)

    def moved(footfall: Footfall) -> Footfall:
        now = (phase >= footfall.lands) & (phase <= footfall.leaves)
        if footfall.at_label or not plan.begin_phase < footfall.lands < footfall.leaves < plan.end_phase:
            return footfall
        way = off[now].mean(axis=0)
        way *= min(1.0, FARTHEST_M / max(float(np.linalg.norm(way)), 1e-9))
        return replace(footfall, place=footfall.place + [*way, 0.0])

    left, right = (tuple(map(moved, own)) for own in footfalls)
    return left, right


def _solve(
    tracks: FigureTracks, height: FloatArray, feet: FeetTracks, free: slice, shift: FloatArray | float,
    *, ahead: FloatArray | float = 0.0, stay: float = STAY,
) -> FloatArray:  # fmt: skip
    """Put the pelvis where feet that push can bring it, near to the way and the height that are meant.

    Returns how far from under the soles (F, 2) the force would have to begin all the same.
    """
    meant, ankles = np.array(tracks.pelvis[:, :2]), np.array(tracks.ankles)
    off = np.zeros_like(meant)
    for _ in range(BOTH):
        tracks.ankles = np.array(ankles)
        solve_height(tracks, height, feet.standing, free)
        centre = centre_of_mass(assemble(tracks, RATE_HZ))
        limbs = centre[:, :2] - tracks.pelvis[:, :2]
        soles, lift = soles_of(tracks, feet.planted, ahead), lift_of(centre[:, 2])
        soles = soles._replace(pressure=soles.pressure + shift)
        way = pushed(meant + limbs, lift, soles, free, stay=stay)
        tracks.pelvis[:, :2], off = way - limbs, missing(way, lift, soles)
    tracks.ankles = ankles
    solve_height(tracks, height, feet.standing, free)
    return off


def _tracks(timeline: Timeline, times: FloatArray, way: Way) -> tuple[FigureTracks, FeetTracks]:
    feet = foot_tracks(timeline, place_feet(timeline, plan_steps(timeline)), times)
    return trunk_tracks(timeline, times, feet, way), feet


def _meant_height(timeline: Timeline, times: FloatArray) -> FloatArray:
    plan = timeline.plan
    phase, weights = timeline.phase_at(times), timeline.weights_at(times)
    curves = np.column_stack([steady(gait).height(np.mod(phase, 1.0)) for gait in timeline.gaits])
    start, end = plan.sinking
    sink = plan.sink_m * plateau((times / plan.frames - start) / (end - start), ramp=0.5)
    return np.sum(weights * curves, axis=1) - sink


class Steady(NamedTuple):
    """Where the pelvis of a steady gait is, by phase."""

    height: Callable[[FloatArray], FloatArray]  # metres
    way: Callable[[FloatArray], FloatArray]  # (P, 2) metres ahead of steady travel, and to the left
    press: Callable[[FloatArray], FloatArray]  # (P, 2) metres ahead and to the left of the usual place that its feet press


@cache
def steady(gait: Gait) -> Steady:
    """Solve a gait for where its pelvis is over one stride."""
    if gait.speed_m_s == 0.0:
        return Steady(lambda phase: _hips_high(gait, phase), lambda phase: _own_way(gait, phase), lambda phase: np.zeros((len(phase), 2)))
    frames = STEADY_STRIDES * gait.stride_frames
    plan = StepPlan("steady", "jog-left", "jog-left", frames // FRAMES_PER_STEP, STEADY_STRIDES)
    timeline = steadily(gait, make_timeline(plan))
    times = np.arange(0.0, frames + 1.0)
    middle = STEADY_STRIDES // 2 * gait.stride_frames
    stride = slice(middle, middle + gait.stride_frames)
    pose, shift_m = timeline.pose_at(times)[stride], 0.0
    for _ in range(SHIFTED):
        tracks, feet = _tracks(timeline, times, _own_way)
        shift = np.array([shift_m, 0.0])
        _solve(tracks, _hips_high(gait, timeline.phase_at(times)), feet, slice(None), 0.0, ahead=shift, stay=STEADY_STAY)
        own = np.column_stack((tracks.pelvis[stride, :2] - pose[:, :2], tracks.pelvis[stride, 2]))
        # Left and right are alike.
        own = 0.5 * (own + [1.0, -1.0, 1.0] * np.roll(own, gait.stride_frames // 2, axis=0))
        shift_m -= float(own[:, 0].mean())
    phases = np.linspace(0.0, 1.0, gait.stride_frames + 1)
    curve = CubicSpline(phases, np.concatenate((own, own[:1])), bc_type="periodic")
    press = _pressed(gait, timeline, times, curve)[stride]
    presses = PchipInterpolator(phases, np.concatenate((press, press[:1])))
    return Steady(lambda phase: curve(phase)[:, 2], lambda phase: curve(phase)[:, :2], presses)


def _pressed(gait: Gait, timeline: Timeline, times: FloatArray, curve: CubicSpline) -> FloatArray:
    """Return how far from the usual place the feet of a solved gait press (F, 2)."""
    phase = np.mod(timeline.phase_at(times), 1.0)
    tracks, feet = _tracks(timeline, times, lambda _, at: curve(np.mod(at, 1.0))[:, :2])
    tracks.pelvis[:, 2] = curve(phase)[:, 2]
    tracks.ankles = keep_in_reach(tracks, tracks.ankles, feet.standing)
    centre, soles = centre_of_mass(assemble(tracks, RATE_HZ)), soles_of(tracks, feet.planted)
    return begins(centre[:, :2], lift_of(centre[:, 2]), soles) - soles.pressure


def steadily(gait: Gait, timeline: Timeline) -> Timeline:
    """Return a timeline of nothing but one gait, for as long."""
    times = timeline.times
    phase = times / gait.stride_frames
    pose = np.column_stack((gait.speed_m_s * times / RATE_HZ, np.zeros(len(times)), np.zeros(len(times))))
    return replace(
        timeline, gaits=(gait,), phase=phase, pose=pose, acceleration=np.zeros((len(times), 2)),
        weights=np.ones((len(times), 1)),
    )  # fmt: skip


def _hips_high(gait: Gait, phase: FloatArray) -> FloatArray:
    return hip_height(gait, phase) + human.HIPS_ABOVE_HIP_JOINTS_M


def _own_way(gait: Gait, phase: FloatArray) -> FloatArray:
    return np.column_stack((gait.surge(phase), gait.sway(phase)))


def _authored(
    plan: StepPlan, timeline: Timeline, times: FloatArray, tracks: FigureTracks, feet: FeetTracks
) -> AuthoredClip:
    """Put a clip's root at the origin of the ground plane at its first frame, and pose it."""
    start = tracks.pelvis[MARGIN, :2].copy()
    tracks.pelvis[:, :2] -= start
    tracks.ankles[..., :2] -= start
    motion = assemble(tracks, RATE_HZ)
    points = contact_points(motion.skeleton)
    planted = np.zeros((len(times), len(points)), dtype=bool)
    planted[:, :4] = feet.planted.reshape(-1, 4)
    path = np.column_stack((tracks.pelvis[:, :2], timeline.pose_at(times)[:, 2]))
    return AuthoredClip(plan.name, plan.begins, plan.ends, motion, path, Contacts(points, planted, Ground(0.0)))
