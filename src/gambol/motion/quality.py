"""Measure a motion's quality: slide, penetration, smoothness, bone lengths, contacts, balance."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.balance import has_masses, measure_balance
from gambol.motion.contacts import ContactInterval, Contacts, detect_contacts, point_positions, runs, sole_points
from gambol.motion.figure import prop_joints
from gambol.motion.ground import Ground
from gambol.motion.joint_names import legs
from gambol.motion.motion import Motion

SLIDE_WINDOW_S = 1.0 / 30.0  # seconds over which the slide of a planted point is measured; larger: less noise


class JointPeak(NamedTuple):
    """The highest speed, acceleration and turn (relative to its parent) of a joint, and their frames."""

    joint: str
    speed_m_s: float
    speed_frame: int  # the step from this frame to the next
    acceleration_m_s2: float
    acceleration_frame: int
    turn_rad_s: float
    turn_frame: int  # the step from this frame to the next


@dataclass(frozen=True)
class Quality:
    """A motion's measures; None where there are no feet, or none on the ground."""

    frames: int
    rate_hz: float
    duration_s: float
    foot_slide_mean_cm_s: float | None  # see `slide_speeds`
    foot_slide_max_cm_s: float | None
    ground_penetration_cm: float | None  # greatest depth of a heel, ball or toe tip below the ground
    ground_height_m: float  # height below the middle of the root's way; given, or estimated from feet at rest
    bone_length_drift_mm: float  # largest change of any bone's length; zero for rigid bones
    zero_root_frames: tuple[int, ...]  # frames with the root at exactly (0, 0, 0): in captures a drop-out
    contacts: tuple[ContactInterval, ...]
    joint_peaks: tuple[JointPeak, ...]  # one for each joint, in the skeleton's order
    force_missed: float | None  # share of the time on the ground in which its force would begin beside the feet

    @property
    def fastest(self) -> JointPeak:
        """The joint with the highest speed in the world."""
        return max(self.joint_peaks, key=lambda peak: peak.speed_m_s)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, ready for JSON, with angles in degrees."""
        return {
            "frames": self.frames,
            "rate_hz": self.rate_hz,
            "duration_s": self.duration_s,
            "foot_slide_mean_cm_s": self.foot_slide_mean_cm_s,
            "foot_slide_max_cm_s": self.foot_slide_max_cm_s,
            "ground_penetration_cm": self.ground_penetration_cm,
            "ground_height_m": self.ground_height_m,
            "bone_length_drift_mm": self.bone_length_drift_mm,
            "zero_root_frames": list(self.zero_root_frames),
            "force_missed": self.force_missed,
            "contacts": [{"limb": name, "first": first, "last": last} for name, first, last in self.contacts],
            "fastest_joint": self.fastest.joint,
            "joint_peaks": [_peak_as_dict(peak) for peak in self.joint_peaks],
        }

    def describe(self) -> str:
        """Return the report as a few lines of text."""
        fastest, sharpest = self.fastest, max(self.joint_peaks, key=lambda peak: peak.acceleration_m_s2)
        slide, slide_max = _shown(self.foot_slide_mean_cm_s, "cm/s"), _shown(self.foot_slide_max_cm_s, "cm/s")
        lines = [
            f"{self.frames} frames at {self.rate_hz:g} Hz, {self.duration_s:.2f} s",
            f"planted feet slide {slide} on average, {slide_max} at most",
            f"feet sink {_shown(self.ground_penetration_cm, 'cm')} into the ground at {self.ground_height_m:.3f} m",
            f"fastest joint {fastest.joint}: {fastest.speed_m_s:.2f} m/s at frame {fastest.speed_frame}",
            f"hardest change {sharpest.joint}: {sharpest.acceleration_m_s2:.0f} m/s2 "
            f"at frame {sharpest.acceleration_frame}",
            f"bone lengths change by {self.bone_length_drift_mm:.1f} mm",
        ]
        if self.force_missed is not None:
            lines.append(
                f"the force that moves the body would begin beside the feet in {self.force_missed:.0%} of the time "
                "on the ground (captured people: 0 to 12 % jogging, up to 30 % in turns)"
            )
        if self.zero_root_frames:
            lines.append(f"root at exactly zero in {len(self.zero_root_frames)} frames")
        times = Counter(contact.name for contact in self.contacts)
        if times:
            lines.append("on the ground: " + ", ".join(f"{name} {count} times" for name, count in times.items()))
        return "\n".join(lines)


def measure_quality(
    motion: Motion, *, contacts: Contacts | None = None, ground_height_m: float | None = None
) -> Quality:
    """Measure a motion; contacts and ground are detected where they are not given.

    To compare a motion before and after an edit, give both the contacts from before the edit: otherwise a foot that
    slides too fast to count as planted is not measured.
    """
    if contacts is None:
        contacts = detect_contacts(motion, ground_height_m=ground_height_m)
    elif ground_height_m is not None:
        contacts = replace(contacts, ground=Ground(ground_height_m))
    slides = 100.0 * slide_speeds(motion, contacts)
    has_slides = not np.all(np.isnan(slides))
    return Quality(
        frames=motion.frame_count,
        rate_hz=motion.rate_hz,
        duration_s=motion.duration_s,
        foot_slide_mean_cm_s=float(np.nanmean(slides)) if has_slides else None,
        foot_slide_max_cm_s=float(np.nanmax(slides)) if has_slides else None,
        ground_penetration_cm=_penetration_cm(motion, contacts),
        ground_height_m=float(contacts.ground.heights(motion.root_positions.mean(axis=0))),
        bone_length_drift_mm=_bone_length_drift_mm(motion),
        zero_root_frames=tuple(int(f) for f in np.flatnonzero(np.all(motion.root_positions == 0.0, axis=1))),
        contacts=contacts.intervals(),
        joint_peaks=_joint_peaks(motion),
        force_missed=measure_balance(motion, contacts=contacts).missed if has_masses(motion) else None,
    )


def slide_speeds(motion: Motion, contacts: Contacts) -> FloatArray:
    """Return the speeds at which planted foot points slide, metres a second (F, P); NaN where nothing is planted.

    The speed at a planted frame is the distance in the ground plane between the point's positions at both ends of a
    window, divided by the window's duration.  The window is 1/30 s, at least one frame to either side, centred on the
    frame and cut off at the ends of the contact, so that neither the noise of single frames nor the landing and
    leaving foot counts.  A motion's mean and maximum slide are over all planted frames of heels and toes.  Hands are
    not measured.
    """
    if len(contacts.planted) != motion.frame_count:
        raise InvalidInput(f"contacts of {len(contacts.planted)} frames for a motion of {motion.frame_count}")
    positions = point_positions(motion, contacts.points)
    speeds = np.full(contacts.planted.shape, np.nan)
    half = max(1, round(0.5 * SLIDE_WINDOW_S * motion.rate_hz))
    for p, point in enumerate(contacts.points):
        if point.is_hand:
            continue
        for first, last in runs(contacts.planted[:, p]):
            if last == first:
                continue
            frames = np.arange(first, last + 1)
            before, after = np.maximum(frames - half, first), np.minimum(frames + half, last)
            way = np.linalg.norm(positions[after, p, :2] - positions[before, p, :2], axis=1)
            speeds[frames, p] = way * motion.rate_hz / (after - before)
    return speeds


def _penetration_cm(motion: Motion, contacts: Contacts) -> float | None:
    points = tuple(point for leg in legs(motion.skeleton) for point in sole_points(motion.skeleton, leg))
    if not points:
        return None
    soles = point_positions(motion, points)
    return 100.0 * max(0.0, float((contacts.ground.heights(soles) - soles[..., 2]).max()))


def _bone_length_drift_mm(motion: Motion) -> float:
    if motion.translations is None:
        return 0.0
    # There is no bone between the root and a prop.
    bones = np.flatnonzero(~prop_joints(motion.skeleton)[1:]) + 1
    lengths = np.linalg.norm(motion.translations[:, bones], axis=-1)
    return 1000.0 * float(np.ptp(lengths, axis=0).max(initial=0.0))


def _joint_peaks(motion: Motion) -> tuple[JointPeak, ...]:
    joints, rate = motion.skeleton.joint_count, motion.rate_hz
    steps = np.diff(motion.world_positions, axis=0) * rate
    speeds = np.linalg.norm(steps, axis=-1)
    # An acceleration belongs to the frame between two steps: frame 0 has none.
    accelerations = np.concatenate((np.zeros((1, joints)), np.linalg.norm(np.diff(steps, axis=0), axis=-1) * rate))
    turns = quaternion.angle(motion.rotations[:-1], motion.rotations[1:]) * rate
    peaks = []
    for j, name in enumerate(motion.skeleton.names):
        (speed, at), (acceleration, at_2), (turn, at_3) = (_highest(t[:, j]) for t in (speeds, accelerations, turns))
        peaks.append(JointPeak(name, speed, at, acceleration, at_2, turn, at_3))
    return tuple(peaks)


def _highest(track: FloatArray) -> tuple[float, int]:
    if len(track) == 0:
        return 0.0, 0
    at = int(track.argmax())
    return float(track[at]), at


def _shown(value: float | None, unit: str) -> str:
    return "(cannot be told)" if value is None else f"{value:.1f} {unit}"


def _peak_as_dict(peak: JointPeak) -> dict[str, Any]:
    values = peak._asdict()
    values["turn_deg_s"] = float(np.degrees(values.pop("turn_rad_s")))
    return values
