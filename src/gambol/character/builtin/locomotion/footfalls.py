"""Where feet stand and how they get there: from a timeline to the paths of both feet.

A standing foot is pinned: to its heel, then flat, then to its ball.  A swinging foot does what it does
in the steady gait, carried along by the body; what its real places on the ground differ by from the
steady ones is made up on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from gambol.character.builtin.authored import RATE_HZ
from gambol.character.builtin.locomotion.legs import ankle_over_sole, leg_curves, lowest_ankle
from gambol.character.builtin.locomotion.timeline import LEFT, RIGHT, Step, Timeline
from gambol.character.builtin.mass import GRAVITY_M_S2
from gambol.geometry import planar

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

LEFTNESS = (1.0, -1.0)
HIP_M = 0.88  # height from which a leaning body stands on its feet
LEAN = np.array([0.45, 0.8])  # shares, ahead and aside, of the lean that would balance an acceleration
NEAR = 0.2  # strides: a foot that left so shortly before a label was placed with the label in mind
CLEARANCE_M = 0.012  # of heel, ball and toes above the ground in the middle of a swing, at least
TOES_STRAIGHTEN = 0.75  # of a swing: until then the toes keep some bend


class Footfall(NamedTuple):
    """A foot on the ground, by phases; endless where it stands before or after all steps."""

    side: int
    lands: float
    leaves: float
    place: FloatArray  # (3,) x and y of the ankle when the foot is flat, and where the toes point


class FeetTracks(NamedTuple):
    """Both feet over some frames, left first."""

    ankles: FloatArray  # (F, 2, 3)
    yaw: FloatArray  # (F, 2)
    pitch: FloatArray  # (F, 2)
    toe_bend: FloatArray  # (F, 2)
    planted: BoolArray  # (F, 2, 2) heel, toe


def plan_steps(timeline: Timeline) -> tuple[Step, ...]:
    """List all steps of a plan: the labels' own before and after, and those inside."""
    plan = timeline.plan
    steps: list[Step] = []
    if plan.begins != "stand":
        steps += [s for s in _steady_steps(plan.begin_phase, plan.begin.gait.stance) if s.lifts < plan.begin_phase]
    inside = _gait_steps(timeline) if plan.steps is None else plan.steps
    steps += inside
    if plan.ends != "stand":
        after = _steady_steps(plan.end_phase, plan.end.gait.stance)
        steps += [step for step in after if step.lands > plan.end_phase + 1e-6]
    return tuple(dict.fromkeys(steps))


def _steady_steps(around: float, stance: float) -> list[Step]:
    first = round(2.0 * around)
    return [Step(k % 2, 0.5 * k - 1.0 + stance, 0.5 * k) for k in range(first - 6, first + 7)]


def _gait_steps(timeline: Timeline) -> list[Step]:
    plan = timeline.plan
    stances = np.array([gait.stance for gait in timeline.gaits])
    steps = []
    for k in range(round(2.0 * plan.begin_phase) + 1, round(2.0 * plan.end_phase) + 1):
        stance = float(timeline.weights_at(timeline.time_at(0.5 * k - 0.6)) @ stances)
        if 0.5 * k - 1.0 + stance >= plan.begin_phase:
            steps.append(Step(k % 2, 0.5 * k - 1.0 + stance, 0.5 * k))
        elif all(s.lands != 0.5 * k for s in _steady_steps(plan.begin_phase, plan.begin.gait.stance)):
            raise AssertionError("a step that lifts before a label belongs to the label")
    return steps


def place_feet(timeline: Timeline, steps: Sequence[Step]) -> tuple[tuple[Footfall, ...], tuple[Footfall, ...]]:
    """Return where the left and the right foot stand, in order of time."""
    footfalls = []
    for side in (LEFT, RIGHT):
        own = sorted((step for step in steps if step.side == side), key=lambda step: step.lifts)
        lands = [-np.inf, *(step.lands for step in own)]
        leaves = [*(step.lifts for step in own), np.inf]
        footfalls.append(
            tuple(
                Footfall(side, land, leave, _place(timeline, side, land, leave))
                for land, leave in zip(lands, leaves, strict=True)
            )
        )
    return footfalls[0], footfalls[1]


def _place(timeline: Timeline, side: int, lands: float, leaves: float) -> FloatArray:
    """Put a foot where the steady gait has it, seen from where the body is in the middle of its stance.

    A foot on the ground at a label (or just before one) is placed as seen from there.
    """
    plan = timeline.plan
    at_label = True
    if lands - 1e-9 <= plan.begin_phase <= leaves:
        seen_from = 0.0
    elif lands <= plan.end_phase <= leaves + NEAR:
        seen_from = float(plan.frames)
    else:
        at_label = False
        seen_from = float(timeline.time_at(0.5 * (lands + leaves)))
    weights = timeline.weights_at(seen_from)
    since = min(float(timeline.phase_at(seen_from)) - lands, 1.0)
    ahead = weights @ [gait.ahead_m - gait.stride_m * since for gait in timeline.gaits]
    local = np.array([ahead, LEFTNESS[side] * weights @ [gait.half_track_m for gait in timeline.gaits]])
    if not at_label:
        frame = np.argmin(np.abs(timeline.times - seen_from))
        local = local - plan.leaning * LEAN * HIP_M / GRAVITY_M_S2 * timeline.acceleration[frame]
    toe_out = np.radians(weights @ [gait.toe_out for gait in timeline.gaits])
    return planar.compose(timeline.pose_at(seen_from), np.array([*local, LEFTNESS[side] * toe_out]))


def foot_tracks(timeline: Timeline, footfalls: Sequence[Sequence[Footfall]], times: FloatArray) -> FeetTracks:
    """Return both feet at some frames (F,) of the timeline."""
    count = len(times)
    tracks = FeetTracks(
        np.zeros((count, 2, 3)), np.zeros((count, 2)), np.zeros((count, 2)), np.zeros((count, 2)),
        np.zeros((count, 2, 2), dtype=bool),
    )  # fmt: skip
    phase = timeline.phase_at(times)
    for side in (LEFT, RIGHT):
        for footfall in footfalls[side]:
            now = (phase >= footfall.lands - 1e-9) & (phase <= footfall.leaves + 1e-9)
            _stand(timeline, footfall, times, now, tracks)
        for before, after in zip(footfalls[side][:-1], footfalls[side][1:], strict=True):
            now = (phase > before.leaves + 1e-9) & (phase < after.lands - 1e-9)
            if now.any():
                _swing(timeline, before, after, times, now, tracks)
    return tracks


def _stand(timeline: Timeline, footfall: Footfall, times: FloatArray, now: BoolArray, tracks: FeetTracks) -> None:
    ankles, pitch = _standing(timeline, footfall, times[now])
    side = footfall.side
    tracks.ankles[now, side], tracks.pitch[now, side] = ankles, pitch
    tracks.yaw[now, side] = footfall.place[2]
    tracks.toe_bend[now, side] = np.maximum(-pitch, 0.0)
    tracks.planted[now, side, 0] = pitch >= -1e-6
    tracks.planted[now, side, 1] = pitch <= 1e-6


def _standing(timeline: Timeline, footfall: Footfall, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a foot's ankle (N, 3) and pitch (N,) while it is on the ground."""
    weights = timeline.weights_at(times)
    phase = timeline.phase_at(times)
    usual = weights @ [gait.stance for gait in timeline.gaits]
    if np.isinf(footfall.lands) and np.isinf(footfall.leaves):
        share = np.full(len(times), 0.5)
    elif np.isinf(footfall.lands):
        share = np.maximum(0.5, 1.0 - (footfall.leaves - phase) / usual)
    elif np.isinf(footfall.leaves):
        share = np.minimum(0.5, (phase - footfall.lands) / usual)
    else:
        share = (phase - footfall.lands) / (footfall.leaves - footfall.lands)
    pitch = _pitch(timeline, weights, share, stands=True)
    side_view = ankle_over_sole(pitch)
    level = planar.apply(footfall.place, np.column_stack((side_view[:, 0], np.zeros(len(times)))))
    return np.column_stack((level, side_view[:, 1])), pitch


def _pitch(timeline: Timeline, weights: FloatArray, share: FloatArray, *, stands: bool) -> FloatArray:
    """Blend the gaits' foot pitch at a share of the stance or the swing."""
    angles = []
    for gait in timeline.gaits:
        own = gait.stance * share if stands else gait.stance + (1.0 - gait.stance) * share
        angles.append(leg_curves(gait).pitch(own))
    return np.sum(weights * np.column_stack(angles), axis=1)


def _swing(
    timeline: Timeline, before: Footfall, after: Footfall, times: FloatArray, now: BoolArray, tracks: FeetTracks
) -> None:
    side, swung = before.side, times[now]
    lifts, lands = float(timeline.time_at(before.leaves)), float(timeline.time_at(after.lands))
    # Nothing may differ from the steady gait at a label: there the making up begins, or is over.
    first, last = 0.0, float(timeline.plan.frames)
    start = first if lifts < first < lands else lifts
    end = last if lifts < last < lands else lands
    gaps = [
        np.zeros((2, 4)) if not fixed else _gap(timeline, footfall, before, after, at)
        for fixed, footfall, at in ((start == lifts, before, lifts), (end == lands, after, lands))
    ]
    made_up = BPoly.from_derivatives([start, end], [[*gap, np.zeros(4)] for gap in gaps])
    poses = _carried(timeline, before, after, swung) + made_up(np.clip(swung, start, end))
    share = _swing_share(timeline, before, after, swung)
    pitch = _pitch(timeline, timeline.weights_at(swung), share, stands=False)
    release = np.clip(share / TOES_STRAIGHTEN, 0.0, 1.0)
    toe_bend = -np.minimum(pitch, 0.0) * (1.0 - release**2 * (3.0 - 2.0 * release))
    poses[:, 2] = np.maximum(poses[:, 2], lowest_ankle(pitch, toe_bend) + CLEARANCE_M * np.sin(np.pi * share))
    tracks.ankles[now, side], tracks.yaw[now, side], tracks.pitch[now, side] = poses[:, :3], poses[:, 3], pitch
    tracks.toe_bend[now, side] = toe_bend


def _swing_share(timeline: Timeline, before: Footfall, after: Footfall, times: FloatArray) -> FloatArray:
    """Return how far a swing has gone, from 0 to 1.

    A swing of another length than the gait's starts and ends at the gait's own pace all the same.
    """
    length = after.lands - before.leaves
    usual = 1.0 - timeline.weights_at(times) @ [gait.stance for gait in timeline.gaits]
    pace = np.minimum(length / usual, 2.0)
    share = (timeline.phase_at(times) - before.leaves) / length
    return share + (pace - 1.0) * share * (1.0 - share) * (1.0 - 2.0 * share)


def _carried(timeline: Timeline, before: Footfall, after: Footfall, times: FloatArray) -> FloatArray:
    """Return ankle and yaw (N, 4) of a foot that swings as the steady gaits have it, seen from the body."""
    weights = timeline.weights_at(times)
    share = _swing_share(timeline, before, after, times)
    left = LEFTNESS[before.side]
    local = np.zeros((len(times), 4))
    for gait, weight in zip(timeline.gaits, weights.T, strict=True):
        ahead, out, up = leg_curves(gait).ankle(gait.stance + (1.0 - gait.stance) * share).T
        toe_out = np.full(len(times), np.radians(gait.toe_out))
        local += weight[:, None] * np.column_stack((ahead, left * out, up, left * toe_out))
    pose = timeline.pose_at(times)
    level = planar.apply(pose, local[:, :2])
    return np.column_stack((level, local[:, 2], pose[:, 2] + local[:, 3]))


def _gap(timeline: Timeline, footfall: Footfall, before: Footfall, after: Footfall, at: float) -> FloatArray:
    """Return what a standing foot differs by from a carried one at an instant, and how fast that changes (2, 4)."""
    step = 1e-5
    instants = np.array([at - step, at, at + step])
    ankles, _ = _standing(timeline, footfall, instants)
    standing = np.column_stack((ankles, np.full(3, footfall.place[2])))
    gap = standing - _carried(timeline, before, after, instants)
    if footfall is before:
        return np.stack((gap[1], (gap[1] - gap[0]) / step))
    ahead, up = timeline.weights_at(at) @ [gait.landing_m_s for gait in timeline.gaits] / RATE_HZ
    heading = float(timeline.pose_at(at)[2])
    landing = np.array([*planar.rotate(heading, np.array([ahead, 0.0])), up, 0.0])
    return np.stack((gap[1], (gap[2] - gap[1]) / step + landing))
