"""Bring feet and hands to where they should be, in new motions [L09 5.5].

Contacts come with a drawn motion.  It is brought back into the range of the data (`limits`); the root and all frames of
a limb at once keep planted points at rest (`planting`, `easing`).  All three are ours; equation 5.7 frame by frame, as
printed, is in `printed`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.motion.contacts import Contacts
from gambol.motion.motion import Motion
from gambol.variation.constraints.easing import eased_angles
from gambol.variation.constraints.kernels.limb_equations import Wishes
from gambol.variation.constraints.limbs import end_point, limb_angles
from gambol.variation.constraints.limits import limits_of
from gambol.variation.constraints.peaks import peaks_of
from gambol.variation.constraints.planting import planted_motion
from gambol.variation.constraints.printed import planted_by_frame
from gambol.variation.examples import Examples
from gambol.variation.model import Drawn

REACH_EASE_S = 0.12  # seconds: as `easing.EASE_S`, but for `reach`: hands go to a place more gently than feet land


def constrained(examples: Examples, drawn: Drawn, contacts: Contacts, *, printed: bool = False) -> Motion:
    """Return the drawn motion with its planted feet and hands at rest.

    printed: use equation 5.7 frame by frame, instead of all frames at once, and nothing more.
    """
    if printed:
        predicted = examples.encoding.decode(drawn.means)
        return planted_by_frame(examples.encoding.decode(drawn.values), predicted, contacts)
    limits = limits_of(examples)
    values = peaks_of(examples).calmed(limits.brought_back(drawn.values))
    motion = examples.encoding.decode(limits.brought_back(values))
    if not contacts.planted.any():
        return motion
    slides = drawn.slides[1:] if len(drawn.slides) else None
    if slides is not None and examples.encoding.root == "travelling":
        slides = planar.rotate(quaternion.heading(motion.rotations[:-1, :1]), slides)
    return planted_motion(motion, examples, contacts, slides)


def reach(motion: Motion, end: str, frames: ArrayLike, positions: ArrayLike, *, ease_s: float = REACH_EASE_S) -> Motion:
    """Return the motion with a hand or a foot at positions (K, 3) in frames (K,), as far as it can reach.

    end: "left_hand", "right_hand" (their knuckles), "left_heel", "left_toe", "right_heel" or "right_toe".
    ease_s: how gently the limb comes and goes; it takes about four times as long.

    Only the limb's angles change, and fade back to what they were.  Knees and elbows never bend backward; a position
    out of reach is approached.
    """
    limb, point = end_point(motion.skeleton, end)
    at, wanted = np.asarray(frames, dtype=np.intp), np.asarray(positions, dtype=np.float64)
    if at.ndim != 1 or wanted.shape != (len(at), 3) or not np.all(np.isfinite(wanted)):
        raise InvalidInput(f"frames (K,) and finite positions (K, 3) expected, not {at.shape} and {wanted.shape}")
    if len(at) and not (at.min() >= 0 and at.max() < motion.frame_count):
        raise InvalidInput(f"frames from 0 to {motion.frame_count - 1} expected, not {at.min()} to {at.max()}")
    angles = limb_angles([motion], limb)
    places, weights = np.zeros((motion.frame_count, 1, 3)), np.zeros((motion.frame_count, 1, 3))
    limb_frames = angles.frames(motion, (point,))
    places[at, 0], weights[at, 0] = limb_frames.within_reach(wanted, at), 1.0
    stays, slides = np.zeros((motion.frame_count - 1, 1)), np.zeros((motion.frame_count - 1, 1, 2))
    floors = np.full((motion.frame_count, 1), -np.inf)
    before = angles.of(motion)
    stops = angles.stops(motion)
    stops = np.stack((np.minimum(stops[0], before.min(axis=0)), np.maximum(stops[1], before.max(axis=0))))
    free = np.full((3, 3), np.inf)
    wishes = Wishes(places, weights, stays, slides, floors, stops[0], stops[1], -free, free)
    return angles.turned(motion, eased_angles(limb_frames, before, wishes, rate_hz=motion.rate_hz, ease_s=ease_s))
