"""Make a clip from a piece of any motion."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.characters.clip import Clip
from gambol.characters.swept_shape import sweep
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.geometry.smoothing import gaussian
from gambol.motion import edits, joint_names
from gambol.motion.contacts import Contacts, detect_contacts, point_positions
from gambol.motion.foot_skate import raise_sunken_feet, remove_foot_skate
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion

FACINGS = ("travel", "hips", "way")
SMOOTHING_S = 0.25  # s, > 0: standard deviation that smooths headings: it removes a cycle's sway and keeps turns
STANDING_M_S = 0.3  # m/s, >= 0: a slower figure faces where its hips point
TRAVELLING_M_S = 0.7  # m/s, > STANDING_M_S: a faster figure faces where it goes; in between is a passage
AHEAD_RAD = np.radians(50.0)  # rad: a figure that travels at a smaller angle to its hips walks ahead
CRABWISE_RAD = np.radians(70.0)  # rad, > AHEAD_RAD: at a larger angle it steps sideways, facing as its hips
JUMP_CLEARS_M = 0.12  # m, > 0: a clip in which both feet are higher than this at once is a jump
DUCKS_TO = 0.85  # share of the head's greatest height, 0..1: a clip in which the head gets lower is a duck


@dataclass(frozen=True)
class ClipSettings:
    """How to make the clips of one character."""

    planning_rate_hz: float = 30.0  # Hz, > 0: planning frames a second
    frames_per_step: int = 2  # >= 1: frames of delivered motion in a planning frame
    margin: int = 8  # planning frames, >= 0, on either side, for blending
    facing: str = "travel"  # what gives the heading: "travel", "hips" for side steps, "way" for riding sideways
    clean_feet: bool = True  # pin planted feet to the ground

    def __post_init__(self) -> None:
        if (
            not (np.isfinite(self.planning_rate_hz) and self.planning_rate_hz > 0.0)
            or self.frames_per_step < 1
            or self.margin < 0
        ):
            raise InvalidInput(
                "a clip needs a positive planning rate, at least one frame a step and no negative margin, not "
                f"{self.planning_rate_hz}, {self.frames_per_step} and {self.margin}"
            )
        if self.facing not in FACINGS:
            raise UnknownName("way to face", self.facing, FACINGS)


def make_clip(
    name: str,
    take: Motion,
    first: int,
    last: int,
    *,
    settings: ClipSettings | None = None,
    contacts: Contacts | None = None,
    body: Body | None = None,
    speed: float = 1.0,
    event: int | None = None,
) -> Clip:
    """Cut frames `first` to `last` out of a take and compute all that a planner needs.

    The duration is rounded to whole planning frames, by a change of speed that is too small to see.  The
    take is moved onto the ground at height zero.  Margins that reach past the take's ends continue as its
    reflection.

    contacts, body: by default found from the take.
    event: a frame of the take, by default the top of a jump, the lowest head of a duck, or the middle.
    """
    settings = settings or ClipSettings()
    if not 0 <= first < last < take.frame_count:
        raise InvalidInput(f"clip {name!r}: no frames {first} to {last} in a take of {take.frame_count}")
    if not (np.isfinite(speed) and 0.01 <= speed <= 100.0):
        raise InvalidInput(f"clip {name!r}: a speed must be a factor between 0.01 and 100, not {speed}")
    if event is not None and not first <= event <= last:
        raise InvalidInput(f"clip {name!r}: its event, frame {event}, lies outside its frames {first} to {last}")
    contacts = contacts or detect_contacts(take)
    if len(contacts.planted) != take.frame_count:
        raise InvalidInput(
            f"clip {name!r}: contacts for {take.frame_count} frames expected, not for {len(contacts.planted)}"
        )
    body = body or Body.from_skeleton(take.skeleton)
    duration = max(1, round((last - first) / take.rate_hz / speed * settings.planning_rate_hz))
    steps = duration * settings.frames_per_step
    margin = settings.margin * settings.frames_per_step
    at = first + np.arange(-margin, steps + margin + 1) * ((last - first) / steps)
    real = (at > -1e-9) & (at < take.frame_count - 1 + 1e-9)
    recorded = int(real[:margin].sum()), int(real[len(real) - margin :].sum())
    at = np.clip(at[real], 0.0, take.frame_count - 1)

    grounded = set_down(take, contacts.ground)
    rate_hz = settings.planning_rate_hz * settings.frames_per_step
    motion = edits.sample(grounded, at, rate_hz=rate_hz)
    headings = np.interp(at, np.arange(take.frame_count), facing_headings(grounded, settings.facing))
    flags = Contacts(contacts.points, contacts.planted[np.round(at).astype(np.intp)], Ground(0.0))
    start = np.array([*motion.root_positions[recorded[0], :2], headings[recorded[0]]])
    motion = edits.move(motion, planar.invert(start))
    if settings.clean_feet:
        motion = remove_foot_skate(raise_sunken_feet(motion, Ground(0.0)), flags)
    motion, headings, planted = _extend(motion, headings - start[2], flags.planted, *(margin - n for n in recorded))
    poses = np.column_stack((motion.root_positions[:, :2], headings))
    flags = replace(flags, planted=planted)
    return finish_clip(
        name, motion, poses, flags,
        margin=margin, frames_per_step=settings.frames_per_step, body=body,
        event=None if event is None else round((event - first) / (last - first) * duration),
        recorded=recorded,
    )  # fmt: skip


def finish_clip(
    name: str,
    motion: Motion,
    poses: FloatArray,
    contacts: Contacts,
    *,
    margin: int,
    frames_per_step: int,
    body: Body,
    event: int | None = None,
    recorded: tuple[int, int] | None = None,
) -> Clip:
    """Build a clip from a motion that is placed, timed and has margins; poses (F, 3) are its path."""
    inside = slice(margin, motion.frame_count - margin, frames_per_step)
    path = np.array(poses[inside])
    path[0] = 0.0
    shape = sweep(motion, path, body, margin=margin, frames_per_step=frames_per_step)
    duration = len(path) - 1
    if event is None:
        event = find_event(motion, contacts, inside)
    return Clip(name, motion, margin, duration, path, shape, contacts, min(max(event, 0), duration), recorded)


def facing_headings(motion: Motion, facing: str = "travel") -> FloatArray:
    """Return where the figure faces (F,), radians, continuous: where it travels or, standing, where its hips point."""
    hips = _smooth(np.unwrap(quaternion.heading(motion.rotations[:, 0])), motion.rate_hz)
    if facing == "hips" or motion.frame_count < 3:
        return hips
    velocity = np.gradient(_smooth(motion.root_positions[:, :2], motion.rate_hz), 1.0 / motion.rate_hz, axis=0)
    speed = np.linalg.norm(velocity, axis=1)
    if facing == "way":
        return _way_headings(velocity, speed)
    off = planar.wrap_angle(np.arctan2(velocity[:, 1], velocity[:, 0]) - hips)
    trust = np.clip((speed - STANDING_M_S) / (TRAVELLING_M_S - STANDING_M_S), 0.0, 1.0)
    ahead = np.clip((CRABWISE_RAD - np.abs(off)) / (CRABWISE_RAD - AHEAD_RAD), 0.0, 1.0)
    return hips + _eased(trust) * _eased(ahead) * off


def _eased(share: FloatArray) -> FloatArray:
    return share**2 * (3.0 - 2.0 * share)


def _way_headings(velocity: FloatArray, speed: FloatArray) -> FloatArray:
    """Return the direction of travel (F,), radians; while the figure stands, between those before and after."""
    goes = np.flatnonzero(speed >= TRAVELLING_M_S)
    if len(goes) == 0:
        goes = np.array([np.argmax(speed)])
    directions = np.unwrap(np.arctan2(velocity[goes, 1], velocity[goes, 0]))
    return np.interp(np.arange(len(speed)), goes, directions)


def _smooth(values: FloatArray, rate_hz: float) -> FloatArray:
    """Smooth over time; past their ends values continue as their own point reflection."""
    if len(values) < 2:
        return values
    reach = int(np.ceil(4.0 * SMOOTHING_S * rate_hz))
    padding = ((reach, reach), *[(0, 0)] * (values.ndim - 1))
    padded = np.pad(values, padding, mode="reflect", reflect_type="odd")
    return gaussian(padded, SMOOTHING_S * rate_hz)[reach:-reach]


def set_down(take: Motion, ground: Ground) -> Motion:
    """Return a take moved onto level ground at height zero."""
    positions = np.array(take.root_positions)
    positions[:, 2] -= ground.heights(take.root_positions)
    return replace(take, root_positions=positions)


def _extend(
    motion: Motion, headings: FloatArray, planted: NDArray[np.bool_], before: int, after: int
) -> tuple[Motion, FloatArray, NDArray[np.bool_]]:
    """Continue a motion past its ends as its own point reflection in time, which keeps the speed at each end."""
    last = motion.frame_count - 1
    if before > last or after > last:
        raise InvalidInput(
            f"a take of {motion.frame_count} frames is too short for margins that reach {max(before, after)} "
            "frames past its ends"
        )
    if before == 0 and after == 0:
        return motion, headings, planted
    head, tail = np.arange(before, 0, -1), np.arange(last - 1, last - 1 - after, -1)

    def vectors(track: FloatArray) -> FloatArray:
        return np.concatenate((2.0 * track[0] - track[head], track, 2.0 * track[-1] - track[tail]))

    def turns(pivot: FloatArray, track: FloatArray) -> FloatArray:
        return quaternion.multiply(pivot, quaternion.multiply(quaternion.conjugate(track), pivot))

    rotations = motion.rotations
    extended = replace(
        motion,
        root_positions=vectors(motion.root_positions),
        rotations=np.concatenate(
            (turns(rotations[0], rotations[head]), rotations, turns(rotations[-1], rotations[tail]))
        ),
        translations=None if motion.translations is None else vectors(motion.translations),
    )
    return extended, vectors(headings), np.concatenate((planted[head], planted, planted[tail]))


def find_event(motion: Motion, contacts: Contacts, inside: slice) -> int:
    """Return the planning frame of the top of a jump, otherwise of the lowest head of a duck, otherwise the middle."""
    feet = [index for index, point in enumerate(contacts.points) if not point.is_hand]
    if feet:
        heights = point_positions(motion, contacts.points)[inside][:, feet, 2].min(axis=1)
        if heights.max() > JUMP_CLEARS_M:
            return int(np.argmax(heights))
    head = joint_names.find(motion.skeleton, joint_names.HEAD)
    if head >= 0:
        heights = motion.world_positions[inside, head, 2]
        if heights.min() < DUCKS_TO * heights.max():
            return int(np.argmin(heights))
    return len(range(*inside.indices(motion.frame_count))) // 2
