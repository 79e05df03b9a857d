"""The paths of both feet, from footfall to footfall.

A standing foot is pinned: to its heel, then flat, then to its ball.  A swinging foot does what it does
in the steady gait, carried along by the body; what its real places on the ground differ by from the
steady ones is made up on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.interpolate import BPoly
from tools.authoring.authored import RATE_HZ
from tools.authoring.locomotion.footfalls import APART, LEFTNESS, Footfall
from tools.authoring.locomotion.legs import ankle_over_sole, leg_curves, lowest_ankle
from tools.authoring.locomotion.timeline import LEFT, RIGHT, Timeline

from gambol.geometry import planar
from gambol.geometry.arrays import BoolArray, FloatArray

CLEARANCE_M = 0.012  # of heel, ball and toes above the ground in the middle of a swing, at least
TOES_STRAIGHTEN = 0.75  # of a swing: until then the toes keep some bend
PASSING_M = 0.30  # feet so far apart along the way do not touch, however narrow the track
WIDEST_M = 0.12  # a swinging foot evades the standing one by no more


class FeetTracks(NamedTuple):
    """Both feet over some frames, left first."""

    ankles: FloatArray  # (F, 2, 3)
    yaw: FloatArray  # (F, 2)
    pitch: FloatArray  # (F, 2)
    toe_bend: FloatArray  # (F, 2)
    planted: BoolArray  # (F, 2, 2) heel, toe

    @property
    def standing(self) -> BoolArray:
        """Which feet are on the ground, (F, 2)."""
        return self.planted[..., 0] | self.planted[..., 1]


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
    for side in (LEFT, RIGHT):
        for before, after in pairwise(footfalls[side]):
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
    bump = np.sin(np.pi * np.clip((swung - start) / (end - start), 0.0, 1.0)) ** 3
    poses[:, :2] += _evasion(timeline, side, swung, poses, tracks, now, bump)
    share = _swing_share(timeline, before, after, swung)
    pitch = _pitch(timeline, timeline.weights_at(swung), share, stands=False)
    release = np.clip(share / TOES_STRAIGHTEN, 0.0, 1.0)
    toe_bend = -np.minimum(pitch, 0.0) * (1.0 - release**2 * (3.0 - 2.0 * release))
    poses[:, 2] = np.maximum(poses[:, 2], lowest_ankle(pitch, toe_bend) + CLEARANCE_M * np.sin(np.pi * share))
    tracks.ankles[now, side], tracks.yaw[now, side], tracks.pitch[now, side] = poses[:, :3], poses[:, 3], pitch
    tracks.toe_bend[now, side] = toe_bend


def _evasion(
    timeline: Timeline,
    side: int,
    times: FloatArray,
    poses: FloatArray,
    tracks: FeetTracks,
    now: BoolArray,
    bump: FloatArray,
) -> FloatArray:
    """Return how far out (N, 2), along a bump, a swing must go to pass the foot that stands."""
    stands = tracks.standing[now, 1 - side]
    heading = timeline.pose_at(times)[:, 2]
    way = planar.rotate(-heading, poses[:, :2] - tracks.ankles[now, 1 - side, :2])
    least = APART * 2.0 * timeline.weights_at(times) @ [gait.half_track_m for gait in timeline.gaits]
    least = least * np.cos(0.5 * np.pi * np.clip(way[:, 0] / PASSING_M, -1.0, 1.0)) ** 2
    missing = np.where(stands, least - LEFTNESS[side] * way[:, 1], 0.0)
    widest = np.clip(np.max(missing / np.maximum(bump, 0.3)), 0.0, WIDEST_M)
    out = np.column_stack((-np.sin(heading), np.cos(heading)))
    return (LEFTNESS[side] * widest * bump)[:, None] * out


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
