"""Make a clip from a course, from where the feet rest and from how trunk and arms are held.

The pelvis is put where the centre of mass is on its course, so that flights are true and pushes
are felt.  Times are frames counted from the clip's first, angles are degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from tools.authoring.actions.course import Course
from tools.authoring.actions.curves import Keys, ease, through
from tools.authoring.actions.feet import FootTrack, HipTrack, Swing, connect
from tools.authoring.actions.knees import knees_below, knees_with_feet
from tools.authoring.authored import MARGIN, RATE_HZ, AuthoredClip
from tools.authoring.figure import FigureTracks, assemble, hip_joints
from tools.authoring.mass import centre_of_mass

from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import Contacts, contact_points
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion

MOST_ROUNDS = 60
SOLVED_M = 1e-7
HEAD_LEADS = 12  # frames by which the head turns before the body
ABOVE_PELVIS_M = 0.05  # a first guess of where the centre of mass is
TRUNK = (
    "pelvis_yaw", "pelvis_pitch", "pelvis_roll", "pelvis_twist", "spine_flexion", "spine_yaw", "spine_roll",
    "head_pitch", "head_yaw", "head_roll",
)  # fmt: skip
ARMS = ("upper_arm", "upper_arm_out", "upper_arm_turn", "elbow")


@dataclass(frozen=True, eq=False)
class FootPlan:
    """What a foot does on the ground, and in the gaits at both ends, and how it swings in between."""

    pieces: Sequence[FootTrack]
    swings: Sequence[Swing]


@dataclass(frozen=True, eq=False)
class Carriage:
    """How trunk and arms are held in the middle of a clip, by the names of the tracks.

    Besides these names, "gaze" keys the pitch of the head in the world.  Yaw is relative to the
    direction of travel.  What is not keyed goes over from the gait before to the gait after.
    """

    trunk: Mapping[str, Keys]
    arms: Mapping[str, tuple[Keys, Keys]]  # left, right
    taken_up: tuple[float, float]  # frames between which the keys take over from the gait before
    given_up: tuple[float, float]  # frames between which the gait after takes over from the keys


@dataclass(frozen=True, eq=False)
class AllFours:
    """A steady crawl, and how much of it holds in each frame."""

    tracks: FigureTracks  # of the crawl, at all frames
    pelvis: FloatArray  # (F,) 1 puts the pelvis where the crawl has it, 0 leaves it to the centre of mass
    hands: FloatArray  # (F, 2) 1 puts the hands where the crawl has them
    palms: FloatArray  # (F, 2) 1 turns the palms as the crawl has them
    resting: BoolArray  # (F, 2) which hands bear weight


@dataclass(frozen=True, eq=False)
class Action:
    """Everything that is authored of a clip."""

    name: str
    course: Course
    feet: tuple[FootPlan, FootPlan]
    carriage: Carriage
    all_fours: AllFours | None = None
    begins: str = "jog-left"
    ends: str = "jog-left"


def stage(action: Action, event: Callable[[Motion], int]) -> AuthoredClip:
    """Make the clip of an action; the event's frame is found by a function of the whole motion."""
    course = action.course
    motion, planted = _solve(action, _carry(course, action.carriage))
    path = np.column_stack((motion.root_positions[:, :2], course.heading))
    contacts = Contacts(contact_points(motion.skeleton), planted, Ground(0.0))
    return AuthoredClip(action.name, action.begins, action.ends, motion, path, contacts, event(motion))


def highest_mass(motion: Motion) -> int:
    """Return the frame, outside margins, in which the centre of mass is highest: the top of a jump."""
    return MARGIN + int(np.argmax(centre_of_mass(motion)[MARGIN:-MARGIN, 2]))


def lowest_head(motion: Motion) -> int:
    """Return the frame, outside margins, in which the head is lowest."""
    head = motion.world_positions[MARGIN:-MARGIN, motion.skeleton.index("Head"), 2]
    return MARGIN + int(np.argmin(head))


def middle(motion: Motion) -> int:
    """Return the frame in the middle."""
    return motion.frame_count // 2


def _carry(course: Course, carriage: Carriage) -> dict[str, FloatArray]:
    """Return the tracks of trunk and arms: keys in the middle, the gaits at both ends."""
    frames = course.frames.astype(np.float64)
    before = course.before.at(course.frames)
    after = course.after.at(course.frames - course.last, pose=course.end)
    take_up, give_up = ease(frames, *carriage.taken_up), ease(frames, *carriage.given_up)
    over = ease(frames, carriage.taken_up[0], carriage.given_up[1])
    keyed = {name: np.radians(through(keys, frames)) for name, keys in carriage.trunk.items()}
    for name, both in carriage.arms.items():
        keyed[name] = np.radians(np.column_stack([through(keys, frames) for keys in both]))
    if "pelvis_yaw" in keyed:
        keyed["pelvis_yaw"] = keyed["pelvis_yaw"] + course.heading
    if "gaze" in keyed:
        keyed["head_pitch"] = keyed.pop("gaze") - keyed["pelvis_pitch"] - keyed["spine_flexion"]
    tracks: dict[str, FloatArray] = {}
    for name in (*TRUNK, *ARMS):
        start, end = (gait.track(name, *((2,) if name in ARMS else ())).T for gait in (before, after))
        within = keyed[name].T if name in keyed else start * (1.0 - over) + end * over
        tracks[name] = (start * (1.0 - take_up) + within * (take_up - give_up) + end * give_up).T
    # In a turn the eyes are where the body will be.
    tracks["head_yaw"] += (
        np.append(course.heading[HEAD_LEADS:], np.repeat(course.heading[-1], HEAD_LEADS)) - course.heading
    )
    return tracks


def _solve(action: Action, tracks: Mapping[str, FloatArray]) -> tuple[Motion, BoolArray]:
    """Find the pelvis for which the centre of mass is on its course; return the motion and what rests (F, 6)."""
    mass, all_fours = action.course.mass, action.all_fours
    pelvis = mass - [0.0, 0.0, ABOVE_PELVIS_M]
    for _ in range(MOST_ROUNDS):
        placed, planted = _put_feet(pelvis, action, tracks)
        motion = assemble(placed, RATE_HZ)
        change = mass - centre_of_mass(motion)
        if all_fours is not None:
            crawling = all_fours.pelvis[:, None]
            change = (1.0 - crawling) * change + crawling * (all_fours.tracks.pelvis - pelvis)
        if np.abs(change).max() < SOLVED_M:
            return motion, planted
        pelvis = pelvis + change
    raise InvalidInput(f"{action.name!r}: no pelvis found that keeps the centre of mass on its course")


def _put_feet(pelvis: FloatArray, action: Action, tracks: Mapping[str, FloatArray]) -> tuple[FigureTracks, BoolArray]:
    count, all_fours = len(pelvis), action.all_fours
    placed = FigureTracks(
        pelvis, ankles=np.zeros((count, 2, 3)), foot_yaw=np.zeros((count, 2)), foot_pitch=np.zeros((count, 2)),
        toe_bend=np.zeros((count, 2)), **tracks,
    )  # fmt: skip
    hips = hip_joints(placed)
    planted = np.zeros((count, 6), dtype=bool)
    for side, (plan, left) in enumerate(zip(action.feet, (1.0, -1.0), strict=True)):
        foot = connect(plan.pieces, plan.swings, HipTrack(-MARGIN, hips[:, side], action.course.heading, left))
        placed.ankles[:, side], placed.foot_yaw[:, side] = foot.ankle, foot.yaw
        placed.foot_pitch[:, side], placed.toe_bend[:, side] = foot.pitch, foot.toe_bend
        planted[:, 2 * side : 2 * side + 2] = foot.planted
    placed.knee_yaw = knees_with_feet(placed)
    if all_fours is not None:
        crawling = all_fours.pelvis[:, None]
        placed.knee_yaw = (1.0 - crawling) * placed.knee_yaw + crawling * knees_below(placed)
        placed.hands, placed.hands_weight = all_fours.tracks.hands, all_fours.hands
        placed.palm_yaw, placed.palm_pitch = all_fours.tracks.palm_yaw, all_fours.tracks.palm_pitch
        placed.palms_weight = all_fours.palms
        planted[:, 4:] = all_fours.resting
    return placed, planted
