"""A walk made by code, of any length and at any rate."""

from __future__ import annotations

from tools.authoring.authored import FRAMES_PER_STEP, RATE_HZ
from tools.authoring.locomotion.gait import WALK
from tools.authoring.locomotion.locomote import locomote
from tools.authoring.locomotion.timeline import StepPlan

from gambol.motion import edits
from gambol.motion.motion import Motion

STRIDE_S = WALK.stride_frames / RATE_HZ
TOE_OFF = WALK.stance  # phase at which the foot leaves the ground


def walk(*, strides: int = 3, rate_hz: float = RATE_HZ) -> Motion:
    """Return a steady walk along +X that begins and ends at the left heel's contact.

    It is cyclic: the last frame repeats the first, one stride further for each stride.  At rates
    that do not divide the stride's time, the last frame is the last before that contact.
    """
    duration = strides * WALK.stride_frames // FRAMES_PER_STEP
    clip = locomote(StepPlan("walk", "walk-left", "walk-left", duration, float(strides)))
    motion = edits.take(clip.motion, clip.inside)
    return motion if rate_hz == RATE_HZ else edits.resample(motion, rate_hz)
