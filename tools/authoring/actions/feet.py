"""Where the feet are: given while they are on the ground, swung with the legs in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.ndimage import gaussian_filter1d, maximum_filter1d
from tools.authoring import human_skeleton as human
from tools.authoring.actions.curves import Keys, ease

from gambol.geometry import planar
from gambol.geometry.arrays import BoolArray, FloatArray

# The points on which a foot rolls, ahead of and above the ankle.
HEEL = (-human.HEEL_BEHIND_ANKLE_M, -human.ANKLE_HEIGHT_M)
BALL = (human.BALL_AHEAD_M, human.BALL_HEIGHT_M - human.ANKLE_HEIGHT_M)
BONE_M = human.THIGH_M  # the shank is as long
RELAXED_TOES = np.radians(8.0)  # bend in the air
FASTEST = np.radians(11.0)  # a frame: how fast a leg may turn or bend as it leaves the ground
LANDING = 0.35  # share of the ground's backward motion that a leg has taken up when it lands
STRAIGHT, NEARLY_STRAIGHT = np.radians(11.0), np.radians(5.0)  # knees in the air bend at least so, and how softly

CLEARANCE_M = 0.012  # of the ground, in the middle of a swing at least
LIFTED = 7  # frames over which a foot that would scrape is lifted

LegKeys = Sequence[tuple[float, float, float]]  # (share of a swing, thigh forward of vertical, knee flexion), degrees


class FootTrack(NamedTuple):
    """One foot over some frames, the first of them numbered `first`."""

    first: int
    ankle: FloatArray  # (N, 3) metres
    yaw: FloatArray  # (N,)
    pitch: FloatArray  # (N,) toes up
    toe_bend: FloatArray  # (N,) toes up
    planted: BoolArray  # (N, 2) heel, toe

    @property
    def last(self) -> int:
        return self.first + len(self.ankle) - 1

    def between(self, first: int, last: int) -> FootTrack:
        """Keep the frames from one to another, both included."""
        kept = slice(first - self.first, last - self.first + 1)
        return FootTrack(
            first, self.ankle[kept], self.yaw[kept], self.pitch[kept], self.toe_bend[kept], self.planted[kept]
        )


class Swing(NamedTuple):
    """How a leg moves through the air: keys by the share of the swing's time, angles in degrees."""

    leg: LegKeys
    pitch: Keys = ()  # share, foot pitch
    out_m: float = 0.0  # how far the ankle passes outside the straight way


class HipTrack(NamedTuple):
    """A hip joint over some frames, the first of them numbered `first`."""

    first: int
    position: FloatArray  # (F, 3) metres
    heading: FloatArray  # (F,) in which the body travels
    left: float  # 1 for the left hip, -1 for the right one


def stance(first: int, last: int, ball: tuple[float, float], *, yaw: float = 0.0, roll: Keys) -> FootTrack:
    """Rest a foot on the ground from one frame to another, with its ball at a place when it is flat.

    roll: foot pitch in degrees by share of the stance; the foot rolls over its heel while it is
    positive, over its ball while it is negative, with flat toes.
    """
    share = np.linspace(0.0, 1.0, last - first + 1)
    shares, angles = np.array(roll, dtype=np.float64).T
    pitch = np.radians(PchipInterpolator(shares, angles)(share))
    on_heel = turned(pitch, -HEEL[0], -HEEL[1]) + [HEEL[0] - BALL[0], 0.0]
    on_ball = turned(pitch, -BALL[0], -BALL[1]) + [0.0, human.BALL_HEIGHT_M]
    side_view = np.where((pitch > 0.0)[:, None], on_heel, on_ball)
    level = planar.rotate(yaw, np.column_stack((side_view[:, 0], np.zeros(len(share)))))
    ankle = np.column_stack((level + np.asarray(ball), side_view[:, 1]))
    planted = np.column_stack((pitch >= 0.0, pitch <= 0.0))
    return FootTrack(first, ankle, np.full(len(share), yaw), pitch, np.maximum(-pitch, 0.0), planted)


def connect(pieces: Sequence[FootTrack], swings: Sequence[Swing], hip: HipTrack) -> FootTrack:
    """Join what a foot does on the ground by swings through the air, over all frames of its hip."""
    joined = [pieces[0]]
    for after, swing in zip(pieces[1:], swings, strict=True):
        joined += [_swung(joined[-1], after, swing, hip), after]
    whole = FootTrack(
        pieces[0].first,
        np.concatenate([piece.ankle for piece in joined]),
        np.concatenate([piece.yaw for piece in joined]),
        np.concatenate([piece.pitch for piece in joined]),
        np.concatenate([piece.toe_bend for piece in joined]),
        np.concatenate([piece.planted for piece in joined]),
    )
    return whole.between(hip.first, hip.first + len(hip.position) - 1)


def _swung(before: FootTrack, after: FootTrack, swing: Swing, hip: HipTrack) -> FootTrack:
    """Return the frames strictly between two pieces.

    What moves smoothly are the angles of the leg; it leaves the ground as fast as it was pushing,
    and lands with a little of the ground's motion taken up.
    """
    time = after.first - before.last
    share = np.arange(1, time) / time
    leaving, landing = _leg_over(before, hip), _leg_over(after, hip)
    rates = _rate_at_end(leaving), -LANDING * _rate_at_end(landing[::-1])
    rates = tuple(time * np.clip(rate, -FASTEST, FASTEST) for rate in rates)
    keys = [(at, np.radians(thigh - 0.5 * knee), np.radians(knee)) for at, thigh, knee in swing.leg]
    lean, knee = (
        _clamped(
            [(0.0, leaving[-1, c]), *((key[0], key[c + 1]) for key in keys), (1.0, landing[0, c])], rates, c, share
        )
        for c in (0, 1)
    )
    aside = _clamped([(0.0, leaving[-1, 2]), (1.0, landing[0, 2])], rates, 2, share)
    aside = aside + hip.left * swing.out_m * 16.0 * (share * (1.0 - share)) ** 2
    relative = _ankle_of(lean, _kept_bent(knee), aside)
    inside = slice(before.last + 1 - hip.first, after.first - hip.first)
    level = planar.rotate(hip.heading[inside], relative[:, :2])
    ankle = hip.position[inside] + np.column_stack((level, relative[:, 2]))
    yaw = before.yaw[-1] + (after.yaw[0] - before.yaw[-1]) * ease(share, 0.0, 1.0)
    straightened, bent = 1.0 - ease(share, 0.0, 0.5), ease(share, 0.6, 1.0)
    toes = (
        RELAXED_TOES + straightened * (before.toe_bend[-1] - RELAXED_TOES) + bent * (after.toe_bend[0] - RELAXED_TOES)
    )
    pitch = _swung_pitch(before.pitch, after.pitch, swing.pitch, share, time)
    ankle[:, 2] += _lift(ankle[:, 2], pitch, toes, share)
    return FootTrack(before.last + 1, ankle, yaw, pitch, toes, np.zeros((time - 1, 2), dtype=bool))


def _lift(ankle: FloatArray, pitch: FloatArray, toes: FloatArray, share: FloatArray) -> FloatArray:
    """Return how much higher a foot must swing (N,) for heel, ball and toes to clear the ground."""
    if len(ankle) == 0:
        return np.zeros(0)
    heel, ball = (turned(pitch, *point)[:, 1] for point in (HEEL, BALL))
    tip = ball + human.TOE_LENGTH_M * np.sin(pitch + toes)
    lowest = ankle + np.minimum(heel, np.minimum(ball, tip) - human.BALL_HEIGHT_M)
    missing = np.maximum(4.0 * CLEARANCE_M * share * (1.0 - share) - lowest, 0.0)
    return gaussian_filter1d(maximum_filter1d(missing, LIFTED), 0.25 * LIFTED)


def _swung_pitch(before: FloatArray, after: FloatArray, keys: Keys, share: FloatArray, time: int) -> FloatArray:
    rates = tuple(
        time * np.clip(rate, -FASTEST, FASTEST) * np.ones(1)
        for rate in (_rate_at_end(before), -LANDING * _rate_at_end(after[::-1]))
    )
    inside = ((at, np.radians(angle)) for at, angle in keys)
    return _clamped([(0.0, before[-1]), *inside, (1.0, after[0])], rates, 0, share)


def _clamped(keys: Keys, rates: Any, column: int, share: FloatArray) -> FloatArray:
    """Return a curve through keys with given slopes at both ends."""
    whens, values = np.array(keys).T
    ends: Any = ((1, float(rates[0][column])), (1, float(rates[1][column])))
    return CubicSpline(whens, values, bc_type=ends)(share)


def _leg_over(piece: FootTrack, hip: HipTrack) -> FloatArray:
    """Return lean of the line from hip to ankle, knee flexion and the ankle's way left of the hip, (N, 3).

    Frames of the piece that lie outside the hip's are left out.
    """
    frames = np.arange(max(piece.first, hip.first), min(piece.last + 1, hip.first + len(hip.position)))
    way = piece.ankle[frames - piece.first] - hip.position[frames - hip.first]
    ahead, aside = planar.rotate(-hip.heading[frames - hip.first], way[:, :2]).T
    cosine = np.linalg.norm(way, axis=1) / (2.0 * BONE_M)
    knee = 2.0 * np.arccos(np.clip(cosine, 0.0, 1.0))
    return np.column_stack((np.arctan2(ahead, -way[:, 2]), knee, aside))


def _ankle_of(lean: FloatArray, knee: FloatArray, aside: FloatArray) -> FloatArray:
    """Return where the ankle is ahead, left and up of the hip (N, 3): thigh and shank are equally long."""
    length = 2.0 * BONE_M * np.cos(0.5 * knee)
    in_plane = np.sqrt(np.maximum(length**2 - aside**2, 0.0))
    return np.column_stack((in_plane * np.sin(lean), aside, -in_plane * np.cos(lean)))


def _kept_bent(knee: FloatArray) -> FloatArray:
    """Keep a knee from getting straight, softly."""
    over = knee - STRAIGHT
    soft = (over + NEARLY_STRAIGHT) ** 2 / (4.0 * NEARLY_STRAIGHT)
    over = np.where(over > NEARLY_STRAIGHT, over, np.where(over < -NEARLY_STRAIGHT, 0.0, soft))
    return STRAIGHT + over


def _rate_at_end(values: FloatArray) -> FloatArray:
    """Return the slope at the last of evenly spaced values, by frame (second order where there are three)."""
    if len(values) < 3:
        return values[-1] - values[-2]
    return 1.5 * values[-1] - 2.0 * values[-2] + 0.5 * values[-3]


def turned(pitch: FloatArray | float, x: float, z: float) -> FloatArray:
    """Turn a point of the foot's side view (x forward, z up) by its pitch, toes up."""
    cosine, sine = np.cos(pitch), np.sin(pitch)
    return np.stack((x * cosine - z * sine, x * sine + z * cosine), axis=-1)
