"""The curves of a quality picture, measured frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import Contacts, contact_points, detect_contacts, point_positions
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.quality import Quality, slide_speeds


@dataclass(frozen=True, eq=False)
class FootTrack:
    """One foot over time."""

    side: str  # "left" or "right"
    height_cm: FloatArray  # (F,) its lowest point's height above the ground
    slide_cm_s: FloatArray  # (F,) its fastest planted point's speed, NaN while the foot is not planted
    planted: BoolArray  # (F,)


@dataclass(frozen=True, eq=False)
class Tracks:
    """A motion's curves over time."""

    times_s: FloatArray  # (F,)
    half_frame_s: float
    feet: tuple[FootTrack, ...]
    lowest_cm: FloatArray  # (F,) the lowest joint's height above the ground
    root_speed_m_s: FloatArray  # (F,) in the ground plane
    turn_deg_s: FloatArray  # (F,) turn of the fastest turning joint, from each frame to the next


def contacts_of(motion: Motion, quality: Quality) -> Contacts:
    """Return a report's contacts, on the ground that the report used."""
    points = contact_points(motion.skeleton)
    column = {point.name: index for index, point in enumerate(points)}
    planted = np.zeros((motion.frame_count, len(points)), dtype=bool)
    for name, first, last in quality.contacts:
        if name in column:
            planted[first : last + 1, column[name]] = True
    # The report has the ground's height but not its tilt, which is detected again.
    ground = detect_contacts(motion).ground
    found = float(ground.heights(motion.root_positions.mean(axis=0)))
    if abs(found - quality.ground_height_m) > 1e-6:
        ground = Ground(quality.ground_height_m)
    return Contacts(points, planted, ground)


def measure_tracks(motion: Motion, contacts: Contacts) -> Tracks:
    """Measure a motion's curves."""
    times = np.arange(motion.frame_count) / motion.rate_hz
    joints = motion.world_positions
    lowest = (joints[..., 2] - contacts.ground.heights(joints)).min(axis=1)
    root = turns = np.zeros(motion.frame_count)
    if motion.frame_count > 1:
        root = np.linalg.norm(np.gradient(motion.root_positions[:, :2], axis=0), axis=1) * motion.rate_hz
        steps = quaternion.angle(motion.rotations[:-1], motion.rotations[1:]).max(axis=1)
        turns = np.degrees(np.append(steps, steps[-1])) * motion.rate_hz
    return Tracks(times, 0.5 / motion.rate_hz, _feet(motion, contacts), 100.0 * lowest, root, turns)


def _feet(motion: Motion, contacts: Contacts) -> tuple[FootTrack, ...]:
    positions = point_positions(motion, contacts.points)
    heights = 100.0 * (positions[..., 2] - contacts.ground.heights(positions))
    slides = 100.0 * slide_speeds(motion, contacts)
    feet = []
    for side in ("left", "right"):
        own = [index for index in (contacts.index(f"{side}_heel"), contacts.index(f"{side}_toe")) if index >= 0]
        if own:
            # fmax ignores a point that is not planted (NaN).
            slide = np.fmax.reduce(slides[:, own], axis=1)
            planted = np.asarray(contacts.planted[:, own].any(axis=1))
            feet.append(FootTrack(side, heights[:, own].min(axis=1), slide, planted))
    return tuple(feet)
