"""Bend a clip's path by an angle, with its feet kept planted: one forward clip gives a family of turns.

A ramp with soft ends spreads the turn over the path, so both ends keep the poses and speeds that their
labels promise.  Each footfall moves rigidly with the path at the footfall's middle frame; between
footfalls the foot passes smoothly from one to the next.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.characters.clip import Clip
from gambol.characters.hip_sink import Footing, sink_hips
from gambol.characters.make_clip import finish_clip
from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion import joint_names
from gambol.motion.contacts import Contacts, runs
from gambol.motion.joint_names import Limb
from gambol.motion.motion import Motion
from gambol.motion.two_bone_ik import reach_targets

IntArray = NDArray[np.intp]
GRAVITY_M_S2 = 9.81
LEAST_WAY_M = 0.25  # m, > 0: a shorter path cannot be bent
WIDEST_BEND_RAD = np.radians(120.0)  # rad, > 0: the largest angle to bend by
LEAN = 0.5  # share of the lean that balances the turn, 0..1; people lean less than that over a stride or two
STEEPEST_LEAN_RAD = 0.25  # rad, > 0: leans approach this limit; larger lets figures lean more
NEAR_END_S = 0.1  # s, >= 0: a footfall this close to an end of the clip belongs to the end's pose


class Course(NamedTuple):
    """The path before and after bending, frame by frame."""

    headings: FloatArray  # (F,) radians, before bending
    turn: FloatArray  # (F,) radians, added to the heading
    lean: FloatArray  # (F,) radians, positive to the left
    roots: FloatArray  # (F, 3) metres, before bending
    new_roots: FloatArray  # (F, 3) metres, after bending


class Hold(NamedTuple):
    """A span of frames in which a foot or hand moves rigidly with the path at one frame."""

    first: int  # frame
    last: int  # frame, included
    anchor: int  # frame of the path


def bend(clip: Clip, angle_rad: float, *, body: Body | None = None, lean: float = LEAN) -> Clip:
    """Return the clip with its path bent by an angle, at most 120 degrees; positive is to the left.

    lean: how far the figure leans into the turn, as a share of the lean that balances it; 0 is upright.
    """
    if not (np.isfinite(angle_rad) and abs(angle_rad) <= WIDEST_BEND_RAD + 1e-9):
        raise InvalidInput(f"clip {clip.name!r}: a path bends by 120 degrees at most, not {np.degrees(angle_rad):g}")
    if angle_rad == 0.0:
        return clip
    first, last = clip.margin, clip.motion.frame_count - 1 - clip.margin
    instants = np.arange(first, last + 1, clip.frames_per_step)
    headings = np.interp(np.arange(clip.motion.frame_count), instants, clip.path[:, 2])
    motion, turn = bend_motion(clip.motion, clip.contacts, headings, angle_rad, span=(first, last), lean=lean)
    return finish_clip(
        clip.name, motion, np.column_stack((motion.root_positions[:, :2], headings + turn)), clip.contacts,
        margin=clip.margin, frames_per_step=clip.frames_per_step,
        body=body or Body.from_skeleton(clip.motion.skeleton), event=clip.event, recorded=clip.recorded,
    )  # fmt: skip


def bend_motion(
    motion: Motion,
    contacts: Contacts,
    headings: FloatArray,
    angle_rad: float,
    *,
    span: tuple[int, int],
    lean: float = LEAN,
) -> tuple[Motion, FloatArray]:
    """Bend the path between the two frames of a span; frames before it stay, frames after it move along.

    headings: (F,) radians, of the path.  Returns the bent motion and the turn (F,) of each frame.
    """
    course = plan_course(motion, contacts, headings, angle_rad, span=span, lean=lean)
    forward = np.column_stack((np.cos(headings), np.sin(headings), np.zeros(len(headings))))
    leans = quaternion.from_axis_angle(forward, -course.lean)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quaternion.multiply(
        quaternion.from_heading(course.turn), quaternion.multiply(leans, rotations[:, 0])
    )
    bent = Motion(motion.skeleton, motion.rate_hz, course.new_roots, rotations, motion.translations)
    followed = _followed(motion, contacts, course, span)
    legs = joint_names.legs(motion.skeleton)
    footings = [Footing(limb, targets) for limb, targets, _ in followed if limb in legs]
    bent = sink_hips(bent, footings, before=motion, span=span)
    for limb, targets, turned in followed:
        bent = reach_targets(bent, limb, targets, end_rotations=turned)
    return bent, course.turn


def plan_course(
    motion: Motion,
    contacts: Contacts,
    headings: FloatArray,
    angle_rad: float,
    *,
    span: tuple[int, int],
    lean: float,
) -> Course:
    """Spread a turn over the path between two frames, and compute where the root goes."""
    first, last = span
    roots = motion.root_positions
    steps = np.diff(roots[:, :2], axis=0)
    along = np.concatenate(([0.0], np.cumsum(np.linalg.norm(steps, axis=1))))
    way = along[last] - along[first]
    if way < LEAST_WAY_M:
        raise InvalidInput(
            f"a path of {way:.3f} m is too short to bend; at least {LEAST_WAY_M} m expected; if it was longer, is the "
            "unit right?"
        )
    share = np.clip((along - along[first]) / way, 0.0, 1.0)
    turn = angle_rad * _ease(share)
    # The speed is taken as even: it changes within each step, but nobody leans by that.
    speed = way / (last - first) * motion.rate_hz
    turning = angle_rad * 30.0 * (share * (1.0 - share)) ** 2 * speed / way
    leans = lean * np.arctan(speed * turning / GRAVITY_M_S2)
    leans = STEEPEST_LEAN_RAD * np.tanh(leans / STEEPEST_LEAN_RAD)
    new_roots = np.array(roots)
    new_steps = planar.rotate(0.5 * (turn[1:] + turn[:-1]), steps)
    new_roots[1:, :2] = roots[0, :2] + np.cumsum(new_steps, axis=0)
    heights = roots[:, 2] - contacts.ground.heights(roots)
    new_roots[:, 2] -= heights * (1.0 - np.cos(leans))  # a leaning body is less high
    return Course(headings, turn, leans, np.array(roots), new_roots)


def plan_holds(stances: list[tuple[int, int]], span: tuple[int, int], *, near: int, frames: int) -> list[Hold]:
    """Return which frame of the path each footfall moves with; outside the span, the span's ends."""
    first, last = span
    opening, closing = first, last
    inner: list[Hold] = []
    for start, stop in stances:
        at_first, at_last = start <= first + near, stop >= last - near
        if at_first and at_last:
            raise InvalidInput("a foot stands throughout: only a clip in which all feet step can be bent")
        if at_first:
            opening = max(opening, stop)
        elif at_last:
            closing = min(closing, start)
        else:
            inner.append(Hold(start, stop, (start + stop) // 2))
    return [Hold(0, opening, first), *inner, Hold(closing, frames - 1, last)]


def _followed(
    motion: Motion, contacts: Contacts, course: Course, span: tuple[int, int]
) -> list[tuple[Limb, FloatArray, FloatArray]]:
    """Return the limbs that touch the ground, with positions (F, 3) and orientations (F, 4) of their ends."""
    near = round(NEAR_END_S * motion.rate_hz)
    found = []
    for limb in (*joint_names.legs(motion.skeleton), *joint_names.arms(motion.skeleton)):
        stances = _stances(limb, contacts)
        if stances:
            holds = plan_holds(stances, span, near=near, frames=motion.frame_count)
            found.append((limb, *_carry_along(motion, limb, holds, course)))
    return found


def _stances(limb: Limb, contacts: Contacts) -> list[tuple[int, int]]:
    """Return when any point of a foot or hand is planted: first and last frames."""
    own = [p for p, point in enumerate(contacts.points) if point.joint in (limb.end, limb.toe)]
    return runs(np.any(contacts.planted[:, own], axis=1, keepdims=True)[:, 0]) if own else []


def _carry_along(motion: Motion, limb: Limb, holds: list[Hold], course: Course) -> tuple[FloatArray, FloatArray]:
    """Move a limb's end by its holds, smoothly from each to the next; return positions and orientations."""
    frames = np.arange(motion.frame_count)
    before, after = np.zeros_like(frames), np.zeros_like(frames)
    weights = np.zeros(motion.frame_count)
    for hold in holds:
        stands = (frames >= hold.first) & (frames <= hold.last)
        before[stands] = after[stands] = hold.anchor
    for hold, following in pairwise(holds):
        swings = (frames > hold.last) & (frames < following.first)
        before[swings], after[swings] = hold.anchor, following.anchor
        weights[swings] = _ease((frames[swings] - hold.last) / max(following.first - hold.last, 1))
    ends = motion.world_positions[:, limb.end]
    weights_xy = weights[:, None]
    targets = (1.0 - weights_xy) * _carried(ends, before, course) + weights_xy * _carried(ends, after, course)
    turns = quaternion.from_heading((1.0 - weights) * course.turn[before] + weights * course.turn[after])
    return targets, quaternion.multiply(turns, motion.world_rotations[:, limb.end])


def _carried(points: FloatArray, anchors: IntArray, course: Course) -> FloatArray:
    """Move points (F, 3) rigidly with the path at the anchors' frames, and outward by the lean there."""
    result = np.array(points)
    aside = course.roots[anchors, 2] * np.tan(course.lean[anchors])
    headings = course.headings[anchors]
    outward = np.column_stack((np.sin(headings), -np.cos(headings))) * aside[:, None]
    around = points[:, :2] - course.roots[anchors, :2] + outward
    result[:, :2] = course.new_roots[anchors, :2] + planar.rotate(course.turn[anchors], around)
    return result


def _ease(share: FloatArray) -> FloatArray:
    """Rise from 0 to 1 with no speed and no acceleration at either end."""
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
