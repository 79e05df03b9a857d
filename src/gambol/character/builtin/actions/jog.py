"""The steady jog that actions start from and return to."""

from __future__ import annotations

from functools import cache

import numpy as np

from gambol.character.builtin.actions.cycle import Cycle, cut
from gambol.character.builtin.authored import FRAMES_PER_STEP
from gambol.character.builtin.figure import FigureTracks
from gambol.character.builtin.locomotion.gait import LABELS
from gambol.character.builtin.locomotion.locomote import locomote
from gambol.character.builtin.locomotion.timeline import StepPlan

JOG_LABEL = "jog-left"
STRIDES = 3


@cache
def steady_jog() -> Cycle:
    """Return the stride of the steady jog that begins at the label "jog-left"."""
    gait = LABELS[JOG_LABEL].gait
    plan = StepPlan("steady", JOG_LABEL, JOG_LABEL, STRIDES * gait.stride_frames // FRAMES_PER_STEP, STRIDES)
    made: list[FigureTracks] = []
    clip = locomote(plan, adjust=lambda tracks, _: made.append(tracks))
    # The first stride begins with the label itself; margins come before it.
    stride = slice(clip.margin, clip.margin + gait.stride_frames)
    planted = np.array(clip.contacts.planted[stride])
    return Cycle(cut(made[0], stride), planted, gait.stride_m)
