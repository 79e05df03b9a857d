"""What pelvis, spine, head and arms do along a timeline."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.ndimage import convolve1d
from tools.authoring.authored import RATE_HZ
from tools.authoring.figure import FigureTracks
from tools.authoring.locomotion.feet import FeetTracks
from tools.authoring.locomotion.gait import Gait
from tools.authoring.locomotion.timeline import Timeline, plateau
from tools.authoring.mass import GRAVITY_M_S2

from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray

# Shares of the lean that would balance an acceleration.
PELVIS_BANK, CHEST_BANK, HEAD_BANK = 0.30, 0.50, 0.10
PELVIS_FORWARD, CHEST_FORWARD = 0.35, 0.95  # speeding up; slowing down takes LEANING_BACK of it
LEANING_BACK = 0.85
HEAD_LEADS_S, CHEST_LEADS_S = 0.22, 0.10  # how far ahead in a turn they look
SHIFT_S = 0.5  # the weight comes over a standing foot within this time


def trunk_tracks(timeline: Timeline, times: FloatArray, feet: FeetTracks) -> FigureTracks:
    """Return all tracks at some frames (F,), with the pelvis at no height yet."""
    inside = Blend(timeline, times)
    pose = timeline.pose_at(times)
    forward, bank = _leans(timeline, times)
    yaw_ahead = _lead(timeline, times, CHEST_LEADS_S)
    pelvis_yaw = inside.degrees(lambda gait: gait.pelvis_yaw)
    pelvis_roll = inside.degrees(lambda gait: gait.pelvis_roll) - PELVIS_BANK * bank
    pelvis_pitch = inside.degrees(lambda gait: gait.pelvis_pitch) + PELVIS_FORWARD * forward
    chest_yaw = inside.degrees(lambda gait: gait.chest_yaw) + yaw_ahead
    chest_roll = inside.degrees(lambda gait: gait.chest_roll) - CHEST_BANK * bank
    flexion = inside.degrees(lambda gait: gait.spine_flexion) + (CHEST_FORWARD - PELVIS_FORWARD) * forward
    head_yaw = _lead(timeline, times, HEAD_LEADS_S)
    tracks = FigureTracks(
        pelvis=np.column_stack((_planar(timeline, times, inside, feet), np.zeros(len(times)))),
        pelvis_yaw=pose[:, 2] + pelvis_yaw,
        ankles=feet.ankles,
        foot_yaw=feet.yaw,
        foot_pitch=feet.pitch,
        toe_bend=feet.toe_bend,
        pelvis_pitch=pelvis_pitch,
        pelvis_roll=pelvis_roll,
        spine_flexion=flexion,
        spine_yaw=chest_yaw - pelvis_yaw,
        spine_roll=chest_roll - pelvis_roll,
        head_pitch=inside.degrees(lambda gait: gait.head_pitch) - pelvis_pitch - flexion,
        head_yaw=head_yaw - chest_yaw,
        head_roll=-HEAD_BANK * bank - chest_roll,
    )
    tracks.knee_yaw = 0.5 * (feet.yaw - tracks.pelvis_yaw[:, None])
    _swing_arms(tracks, inside, forward)
    return tracks


class Blend:
    """Values of the gaits' tables, blended as the timeline has it."""

    def __init__(self, timeline: Timeline, times: FloatArray) -> None:
        self.gaits = timeline.gaits
        self.weights = timeline.weights_at(times)
        self.phase = timeline.phase_at(times)

    def values(self, of: Callable[[Gait], Callable[[FloatArray], FloatArray]], *, later: float = 0.0) -> FloatArray:
        return sum(
            (weight * of(gait)(self.phase - later) for gait, weight in zip(self.gaits, self.weights.T, strict=True)),
            np.zeros(len(self.phase)),
        )

    def degrees(self, of: Callable[[Gait], Callable[[FloatArray], FloatArray]], *, later: float = 0.0) -> FloatArray:
        """Blend a table of degrees; radians."""
        return np.radians(self.values(of, later=later))

    def constant(self, of: Callable[[Gait], float]) -> FloatArray:
        return self.weights @ [of(gait) for gait in self.gaits]


def _leans(timeline: Timeline, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the leans (F,), forward and to the left, that balance the acceleration of travel."""
    ahead, aside = (np.interp(times, timeline.times, column) for column in timeline.acceleration.T)
    forward, bank = (timeline.plan.leaning * np.arctan(a / GRAVITY_M_S2) for a in (ahead, aside))
    return np.where(forward < 0.0, LEANING_BACK * forward, forward), bank


def _lead(timeline: Timeline, times: FloatArray, lead_s: float) -> FloatArray:
    """Return how much farther the turn will have gone in some time; nothing at the labels."""
    ahead = timeline.pose_at(times + lead_s * RATE_HZ)[:, 2] - timeline.pose_at(times)[:, 2]
    return ahead * plateau(times / timeline.plan.frames, ramp=0.3)


def _planar(timeline: Timeline, times: FloatArray, inside: Blend, feet: FeetTracks) -> FloatArray:
    """Return the pelvis's path (F, 2): travel, the gait's sway, and the weight on whichever foot stands."""
    load = feet.standing[:, 0].astype(np.float64) - feet.standing[:, 1]
    window = np.hanning(round(SHIFT_S * RATE_HZ) + 2)[1:-1]
    shift = convolve1d(load, window / window.sum(), mode="nearest") * inside.constant(lambda gait: gait.shift_m)
    surge = inside.values(lambda gait: gait.surge)
    sway = inside.values(lambda gait: gait.sway) + shift
    return planar.apply(timeline.pose_at(times), np.column_stack((surge, sway)))


def _swing_arms(tracks: FigureTracks, inside: Blend, forward: FloatArray) -> None:
    swing, elbow = (
        np.column_stack([inside.degrees(of, later=later) for later in (0.0, 0.5)])
        for of in (lambda gait: gait.upper_arm, lambda gait: gait.elbow)
    )
    # Hanging arms stay behind when the chest tips forward.
    tracks.upper_arm = swing + 0.5 * forward[:, None]
    tracks.elbow = elbow
    for name in ("upper_arm_out", "upper_arm_turn"):
        values = np.radians(inside.constant(lambda gait, name=name: getattr(gait, name)))
        setattr(tracks, name, np.column_stack((values, values)))
