"""Whether gravity allows each frame; written from the rules below, independent of the planner.

At rest the centre of mass must be over a span of x: that of the soles held (an adult's heel is 0.06 m behind the ankle,
the ball 0.16 m ahead) and of the hands held.  Hands that can pull while feet stand widen it on both sides by 0.45
(one) or 0.8 (both) of the height between hands and feet.  Hands alone hold what is within 0.10 m beside them.

In motion it may be outside
- if momentum carries it back: x + v sqrt(h / g) is at the near edge of the span or inside [Hof 2005];
- if the span contains it again with a hold that is taken within 0.6 s;
- if the figure hangs: up to 30 degrees from straight below the hands.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.climb.climb import ClimbMotion, ClimbPath
from gambol.climb.figure import FREE, Figure
from gambol.climb.modes import Mode
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.judges.climb_holds import runs
from gambol.judges.climb_report import GravityReport, Worst
from gambol.world.environment import Environment

GRAVITY = 9.81  # m/s^2
HEEL_M = 0.06  # m, >= 0: an adult's heel is this far behind the ankle; larger widens the span
BALL_M = 0.16  # m, >= 0: an adult's ball of the foot is this far ahead of the ankle; larger widens the span
BESIDE_HANDS_M = 0.10  # m, >= 0: hands alone hold an adult's centre of mass this far beside them
PULL = np.array([0.0, 0.45, 0.8])  # share of the height between hands and feet, by the number of pulling hands
CAUGHT_WITHIN_S = 0.6  # s, >= 0: a hold taken within this time catches a falling figure; larger allows more
PENDULUM = math.tan(math.radians(30.0))  # > 0: greatest swing to the side per metre below the hands


class Spans(NamedTuple):
    """The ranges of x (F,) in which grasps hold the centre of mass at rest; (inf, -inf) without a grasp."""

    low: FloatArray
    high: FloatArray
    hands_only: BoolArray


def spans(environment: Environment, figure: Figure, path: ClimbPath, anchors: FloatArray) -> Spans:
    """Return the spans of all frames; anchors are (F, 4, 2), NaN for free limbs."""
    scale, facings = figure.scale, path.facings
    held = path.grasps != FREE
    # During a turn the sole looks shorter, but never shorter than its width.
    ball = np.maximum(HEEL_M, BALL_M * np.abs(facings)) * scale
    heel = np.full_like(ball, HEEL_M * scale)
    left, right = np.where(facings >= 0.0, (heel, ball), (ball, heel))
    x, z = anchors[:, :, 0], anchors[:, :, 1]
    reach_left = np.concatenate([x[:, :2], x[:, 2:] - left[:, None]], axis=1)
    reach_right = np.concatenate([x[:, :2], x[:, 2:] + right[:, None]], axis=1)
    low = np.where(held, reach_left, np.inf).min(axis=1)
    high = np.where(held, reach_right, -np.inf).max(axis=1)

    kinds = np.array([*(point.kind for point in environment.grasp_points), ""])
    pulling = held[:, :2] & (kinds[path.grasps[:, :2]] != "load-bearing") & (path.modes != Mode.CRAWL)[:, None]
    feet = held[:, 2:].any(axis=1)
    hands_only = held[:, :2].any(axis=1) & ~feet
    top = np.where(pulling, z[:, :2], -np.inf).max(axis=1)
    bottom = np.where(held[:, 2:], z[:, 2:], np.inf).min(axis=1)
    both = feet & pulling.any(axis=1)
    height = np.where(both, np.maximum(0.0, np.where(both, top, 0.0) - np.where(both, bottom, 0.0)), 0.0)
    wider = PULL[pulling.sum(axis=1)] * height + np.where(hands_only, BESIDE_HANDS_M * scale, 0.0)
    return Spans(low - wider, high + wider, hands_only)


def judge_gravity(
    environment: Environment, figure: Figure, motion: ClimbMotion, anchors: FloatArray, centres: FloatArray
) -> GravityReport:
    """Return how far centres of mass (F, 2) are outside their spans, and how many frames gravity forbids."""
    path = motion.path
    span = spans(environment, figure, path, anchors)
    x, z = centres.T
    outside = np.maximum(0.0, np.maximum(span.low - x, x - span.high))
    allowed = outside <= 0.0
    speed = np.gradient(x, 1.0 / motion.rate_hz) if len(x) > 1 else np.zeros(1)
    carried = x + speed * np.sqrt(_heights(figure, anchors, z) / GRAVITY)
    carried_back = np.where(x < span.low, carried >= span.low, carried <= span.high) & ~span.hands_only
    allowed |= carried_back & np.isfinite(outside)
    allowed |= span.hands_only & _swings(anchors, x, z)
    taken = (path.grasps[1:] != path.grasps[:-1]) & (path.grasps[1:] != FREE)
    takes = np.flatnonzero(taken.any(axis=1)) + 1
    soon = round(CAUGHT_WITHIN_S * motion.rate_hz)
    for frame in np.flatnonzero(~allowed).tolist():
        next_takes = takes[(takes > frame) & (takes <= frame + soon)]
        allowed[frame] = bool(np.any((span.low[next_takes] <= x[frame]) & (x[frame] <= span.high[next_takes])))
    return GravityReport(
        infeasible=int(np.sum(~allowed)),
        share=float(np.mean(~allowed)),
        stretches=tuple(runs(~allowed)),
        worst=_worst(np.where(allowed, 0.0, outside), centres),
        outside_at_rest=int(np.sum(outside > 0.0)),
        worst_at_rest=_worst(outside, centres),
    )


def _heights(figure: Figure, anchors: FloatArray, z: FloatArray) -> FloatArray:
    """Return the heights of centres of mass above the lowest holding sole or palm, metres; 0 without a hold."""
    supports = anchors[:, :, 1] - np.array([figure.table.palm] * 2 + [figure.table.ankle] * 2)
    lowest = np.where(np.isnan(supports), np.inf, supports).min(axis=1)
    return np.maximum(0.0, z - np.where(np.isfinite(lowest), lowest, z))


def _swings(anchors: FloatArray, x: FloatArray, z: FloatArray) -> BoolArray:
    """Return whether centres of mass are below the hands, within a pendulum's swing."""
    hands = anchors[:, :2]
    held = ~np.isnan(hands[:, :, 0])
    left = np.where(held, hands[:, :, 0], np.inf).min(axis=1)
    right = np.where(held, hands[:, :, 0], -np.inf).max(axis=1)
    below = np.where(held, hands[:, :, 1], np.inf).min(axis=1) - z
    return (below > 0.0) & (np.maximum(left - x, x - right) <= PENDULUM * below)


def _worst(outside: FloatArray, centres: FloatArray) -> Worst:
    frame = int(np.argmax(outside))
    if outside[frame] <= 0.0:
        return Worst()
    amount = float(min(outside[frame], 1e3))  # without a hold it is infinite
    return Worst(amount, frame, "centre of mass", float(centres[frame, 0]), float(centres[frame, 1]))
