"""From a plan of steps to a clip: feet, then trunk and arms, then the pelvis's height, then the pose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
from scipy.interpolate import CubicSpline
from tools.authoring import human_skeleton as human
from tools.authoring.authored import FRAMES_PER_STEP, MARGIN, RATE_HZ, AuthoredClip
from tools.authoring.figure import FigureTracks, assemble
from tools.authoring.locomotion.feet import FeetTracks, foot_tracks
from tools.authoring.locomotion.footfalls import place_feet, plan_steps
from tools.authoring.locomotion.gait import Gait
from tools.authoring.locomotion.height import solve_height
from tools.authoring.locomotion.legs import hip_height
from tools.authoring.locomotion.timeline import StepPlan, Timeline, make_timeline, plateau
from tools.authoring.locomotion.trunk import trunk_tracks

from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import Contacts, contact_points
from gambol.motion.ground import Ground

STEADY_STRIDES = 5  # simulated for one that no longer knows where it began


Adjustment = Callable[[FigureTracks, FloatArray], None]


def locomote(plan: StepPlan, *, adjust: Adjustment | None = None) -> AuthoredClip:
    """Make the clip that a plan declares.

    adjust: changes the tracks, given with their times in frames, before the height is solved for.
    """
    timeline = make_timeline(plan)
    times = np.arange(-MARGIN, plan.frames + MARGIN + 1, dtype=np.float64)
    tracks, feet = _tracks(timeline, times)
    if adjust is not None:
        adjust(tracks, times)
    # The label's own height holds a frame beyond, so that its velocity is the label's too.
    inside = slice(MARGIN + 2, MARGIN + plan.frames - 1)
    meant = _meant_height(timeline, times)
    solve_height(tracks, meant, feet.standing, inside)
    return _authored(plan, timeline, times, tracks, feet)


def _tracks(timeline: Timeline, times: FloatArray) -> tuple[FigureTracks, FeetTracks]:
    feet = foot_tracks(timeline, place_feet(timeline, plan_steps(timeline)), times)
    return trunk_tracks(timeline, times, feet), feet


def _meant_height(timeline: Timeline, times: FloatArray) -> FloatArray:
    plan = timeline.plan
    phase, weights = timeline.phase_at(times), timeline.weights_at(times)
    curves = np.column_stack([pelvis_height(gait, phase) for gait in timeline.gaits])
    start, end = plan.sinking
    sink = plan.sink_m * plateau((times / plan.frames - start) / (end - start), ramp=0.5)
    return np.sum(weights * curves, axis=1) - sink


def pelvis_height(gait: Gait, phase: FloatArray) -> FloatArray:
    """Return how high the pelvis is in a steady gait."""
    if gait.is_ballistic:
        return _solved_height(gait)(np.mod(phase, 1.0))
    return hip_height(gait, phase) + human.HIPS_ABOVE_HIP_JOINTS_M


@cache
def _solved_height(gait: Gait) -> CubicSpline:
    """Solve a gait with flight for the height of its pelvis over one stride."""
    frames = STEADY_STRIDES * gait.stride_frames
    plan = StepPlan("steady", "jog-left", "jog-left", frames // FRAMES_PER_STEP, STEADY_STRIDES)
    timeline = replace(make_timeline(plan), gaits=(gait,))
    times = np.arange(0.0, frames + 1.0)
    tracks, feet = _tracks(timeline, times)
    meant = hip_height(gait, timeline.phase_at(times)) + human.HIPS_ABOVE_HIP_JOINTS_M
    solve_height(tracks, meant, feet.standing, slice(None))
    middle = STEADY_STRIDES // 2 * gait.stride_frames
    stride = tracks.pelvis[middle : middle + gait.stride_frames, 2]
    # Left and right are alike.
    stride = 0.5 * (stride + np.roll(stride, gait.stride_frames // 2))
    phases = np.linspace(0.0, 1.0, gait.stride_frames + 1)
    return CubicSpline(phases, [*stride, stride[0]], bc_type="periodic")


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
