"""Make a clip from a piece of any motion."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from gambol.body.capsules import Body
from gambol.characters.clip import Clip
from gambol.characters.swept_shape import sweep
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion import edits, joint_names
from gambol.motion.contact_points import point_positions
from gambol.motion.contacts import Contacts, detect_contacts
from gambol.motion.foot_skate import raise_sunken_feet, remove_foot_skate
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion

FACINGS = ("travel", "hips", "way")
SMOOTHING_S = 0.25  # standard deviation: a cycle's sway goes, a turn stays
STANDING_M_S = 0.3  # slower than this a figure faces where its hips do
TRAVELLING_M_S = 0.7  # faster than this it faces where it goes
AHEAD_RAD, CRABWISE_RAD = np.radians(50.0), np.radians(70.0)  # off the hips: from walking ahead to stepping sideways
JUMP_CLEARS_M = 0.12  # both feet higher than this at once: a jump
DUCKS_TO = 0.85  # of the head's usual height


@dataclass(frozen=True)
class ClipSettings:
    """How clips of one character are made."""

    planning_rate_hz: float = 30.0
    frames_per_step: int = 2  # frames of delivered motion in a planning frame
    margin: int = 8  # planning frames on either side, for blending
    facing: str = "travel"  # heading by direction of travel, "hips" for steps to the side, "way" for riding sideways
    clean_feet: bool = True

    def __post_init__(self) -> None:
        if (
            not (np.isfinite(self.planning_rate_hz) and self.planning_rate_hz > 0.0)
            or self.frames_per_step < 1
            or self.margin < 0
        ):
            raise InvalidInput("a clip needs a positive rate, at least one frame a step and no negative margin")
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
    """Cut frames `first` to `last` out of a take and compute what a planner needs.

    The duration is rounded to whole planning frames, by a change of speed too small to see.  The
    take is set down on the ground at height zero.  Margins that reach past the take's ends go on as
    its reflection.  contacts and body are found from the take where not given; event is a frame of
    the take, by default the top of a jump, the lowest head of a duck, or else the middle.
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
            f"clip {name!r}: contacts of {len(contacts.planted)} frames for a take of {take.frame_count}"
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
    """Build a clip from a motion that is placed, timed and has its margins; poses are (F, 3)."""
    inside = slice(margin, motion.frame_count - margin, frames_per_step)
    path = np.array(poses[inside])
    path[0] = 0.0
    shape = sweep(motion, path, body, margin=margin, frames_per_step=frames_per_step)
    duration = len(path) - 1
    if event is None:
        event = find_event(motion, contacts, inside)
    return Clip(name, motion, margin, duration, path, shape, contacts, min(max(event, 0), duration), recorded)


def facing_headings(motion: Motion, facing: str = "travel") -> FloatArray:
    """Return which way the figure faces by frame (F,), continuous: where it goes; standing, where its hips point."""
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
    """Return the direction of travel by frame (F,); while the figure stands, as it was and will be when it goes."""
    goes = np.flatnonzero(speed >= TRAVELLING_M_S)
    if len(goes) == 0:
        goes = np.array([np.argmax(speed)])
    directions = np.unwrap(np.arctan2(velocity[goes, 1], velocity[goes, 0]))
    return np.interp(np.arange(len(speed)), goes, directions)


def _smooth(values: FloatArray, rate_hz: float) -> FloatArray:
    """Smooth along time, continued past the ends by point reflection."""
    if len(values) < 2:
        return values
    reach = int(np.ceil(4.0 * SMOOTHING_S * rate_hz))
    padding = ((reach, reach), *[(0, 0)] * (values.ndim - 1))
    padded = np.pad(values, padding, mode="reflect", reflect_type="odd")
    return gaussian_filter1d(padded, SMOOTHING_S * rate_hz, axis=0)[reach:-reach]


def set_down(take: Motion, ground: Ground) -> Motion:
    """Return a take as it would be on level ground at height zero."""
    positions = np.array(take.root_positions)
    positions[:, 2] -= ground.heights(take.root_positions)
    return replace(take, root_positions=positions)


def _extend(
    motion: Motion, headings: FloatArray, planted: NDArray[np.bool_], before: int, after: int
) -> tuple[Motion, FloatArray, NDArray[np.bool_]]:
    """Continue a motion past its ends as its own reflection in time: speeds go on, then turn back."""
    last = motion.frame_count - 1
    if before > last or after > last:
        raise InvalidInput(f"a take of {motion.frame_count} frames is too short for margins of {max(before, after)}")
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
    """Return the planning frame of the top of a jump, else of the lowest head of a duck, else the middle."""
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
