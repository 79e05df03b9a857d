"""Standing about: the stand with the small motions of a living body, which all start and end at nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from tools.authoring.authored import AuthoredClip
from tools.authoring.figure import FigureTracks
from tools.authoring.locomotion.locomote import locomote
from tools.authoring.locomotion.timeline import StepPlan, plateau

from gambol.geometry import planar


@dataclass(frozen=True)
class Minutiae:
    """What moves while the feet stand; angles in degrees, each reached in the middle or, with ends, gone through."""

    duration: int  # planning frames
    breaths: int = 1
    weight_m: float = 0.0  # the pelvis goes so far to the left
    forward_m: float = 0.0
    look: float = 0.0  # to the left
    nod: float = 0.0  # chin down
    shrug: float = 0.0  # elbows bend

    def add_to(self, tracks: FigureTracks, share: np.ndarray) -> None:
        """Add the motions to a stand's tracks; share runs from 0 to 1 over the clip."""
        inside = np.clip(share, 0.0, 1.0)
        breath = np.sin(np.pi * self.breaths * inside) ** 2 * plateau(inside, ramp=0.3)
        there = plateau(inside, ramp=0.5)
        aside = planar.rotate(tracks.pelvis_yaw, np.array([self.forward_m, self.weight_m]) * there[:, None])
        tracks.pelvis[:, :2] += aside
        lean = self.weight_m / 0.9 * there
        # The pelvis tips toward the freed leg; the chest stays upright and the head level.
        tracks.pelvis_roll = tracks.track("pelvis_roll") + 0.8 * lean
        tracks.spine_roll = tracks.track("spine_roll") - 0.8 * lean
        tracks.spine_flexion = tracks.track("spine_flexion") - np.radians(1.4) * breath
        tracks.head_pitch = tracks.track("head_pitch") + np.radians(self.nod) * there + np.radians(1.0) * breath
        tracks.head_yaw = tracks.track("head_yaw") + np.radians(self.look) * there
        tracks.spine_yaw = tracks.track("spine_yaw") + 0.2 * np.radians(self.look) * there
        tracks.upper_arm_out = tracks.track("upper_arm_out", 2) + np.radians(0.8) * breath[:, None]
        tracks.elbow = tracks.track("elbow", 2) + np.radians(self.shrug) * there[:, None]


#: By what follows "stand" in the clip's name.
IDLES: Mapping[str, Minutiae] = MappingProxyType(
    {
        "": Minutiae(30, forward_m=0.006),
        "-sway": Minutiae(60, weight_m=0.035, nod=2.0),
        "-look-left": Minutiae(54, weight_m=-0.015, look=38.0, nod=3.0),
        "-look-right": Minutiae(54, weight_m=0.015, look=-38.0, nod=3.0),
    }
)


def idle(name: str, minutiae: Minutiae) -> AuthoredClip:
    """Return a loop of standing."""
    plan = StepPlan(name, "stand", "stand", minutiae.duration, minutiae.duration / 30.0, steps=())
    return locomote(plan, adjust=lambda tracks, times: minutiae.add_to(tracks, times / plan.frames))
