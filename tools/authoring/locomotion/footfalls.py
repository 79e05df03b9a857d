"""Where and when feet stand: from a timeline to the footfalls of both feet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from tools.authoring.locomotion.timeline import LEFT, RIGHT, Step, Timeline
from tools.authoring.mass import GRAVITY_M_S2

from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray

LEFTNESS = (1.0, -1.0)
HIP_M = 0.88  # height from which a leaning body stands on its feet
LEAN = np.array([0.45, 0.8])  # shares, ahead and aside, of the lean that would balance an acceleration
NEAR = 0.2  # strides: a foot that left so shortly before a label was placed with the label in mind
APART = 0.9  # share of the usual track that a swinging foot keeps to the standing one
CROSSING_M = 0.06  # how far across the other foot's way a leaning body may put a foot


@dataclass(frozen=True, eq=False)
class Footfall:
    """A foot on the ground, by phases; endless where it stands before or after all steps."""

    side: int
    lands: float
    leaves: float
    place: FloatArray  # (3,) x and y of the ankle when the foot is flat, and where the toes point
    at_label: bool  # placed as a label has it


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
        footfalls += [_placed(timeline, side, land, leave) for land, leave in zip(lands, leaves, strict=True)]
    apart = _kept_apart(timeline, sorted(footfalls, key=lambda footfall: footfall.lands))
    left, right = (tuple(footfall for footfall in apart if footfall.side == side) for side in (LEFT, RIGHT))
    return left, right


def _placed(timeline: Timeline, side: int, lands: float, leaves: float) -> Footfall:
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
        push = timeline.acceleration[np.argmin(np.abs(timeline.times - seen_from))] / GRAVITY_M_S2
        local = local - plan.leaning * HIP_M * LEAN * push
    toe_out = np.radians(weights @ [gait.toe_out for gait in timeline.gaits])
    place = planar.compose(timeline.pose_at(seen_from), np.array([*local, LEFTNESS[side] * toe_out]))
    return Footfall(side, lands, leaves, place, at_label)


def _kept_apart(timeline: Timeline, footfalls: list[Footfall]) -> list[Footfall]:
    """Move feet out that leaning would put across the other foot's way; those at labels stay."""
    placed = list(footfalls)
    for number, footfall in enumerate(placed):
        if footfall.at_label or not np.isfinite(footfall.lands):
            continue
        before = [other for other in placed[:number] if other.side != footfall.side][-1:]
        after = [other for other in placed[number + 1 :] if other.side != footfall.side][:1]
        for other in before + after:
            if np.all(np.isfinite(other.place)):
                footfall = _moved_out(timeline, footfall, other)
        placed[number] = footfall
    return placed


def _moved_out(timeline: Timeline, footfall: Footfall, other: Footfall) -> Footfall:
    left = LEFTNESS[footfall.side]
    weights = timeline.weights_at(timeline.time_at(footfall.lands))
    least = APART * 2.0 * float(weights @ [gait.half_track_m for gait in timeline.gaits]) - CROSSING_M
    heading = 0.5 * (footfall.place[2] + other.place[2])
    aside = left * float(planar.rotate(-heading, footfall.place[:2] - other.place[:2])[1])
    if aside >= least:
        return footfall
    out = planar.rotate(heading, np.array([0.0, left * (least - aside)]))
    return replace(footfall, place=footfall.place + np.array([*out, 0.0]))
