"""The steady jog that actions start from and return to."""

from __future__ import annotations

from functools import cache

import numpy as np
from tools.authoring.actions.cycle import Cycle, cut
from tools.authoring.actions.feet import Swing
from tools.authoring.actions.mass_path import Flight
from tools.authoring.authored import FRAMES_PER_STEP
from tools.authoring.figure import LEFT, FigureTracks
from tools.authoring.locomotion.gait import LABELS
from tools.authoring.locomotion.locomote import locomote
from tools.authoring.locomotion.timeline import StepPlan

JOG_LABEL = "jog-left"
STRIDES = 3
LEAVES = 8  # frames into the first step at which the centre of mass leaves the jog's way
RETURNS = 8  # frames into the last step at which it is on the jog's way again
LOWER_M = 0.02  # how much lower the body pushes off when it means to do something else than jog on

#: From a push-off to where the jog swings the foot on.
FOLD = Swing(((0.5, -14.0, 52.0),), ((0.5, -80.0),))
#: From the middle of the jog's swing to a contact of another time or place.
REACH_OUT = Swing(((0.5, 30.0, 58.0),), ((0.5, -5.0),))


@cache
def steady_jog() -> Cycle:
    """Return the stride of the steady jog that begins at the label "jog-left"."""
    gait = LABELS[JOG_LABEL].gait
    plan = StepPlan("steady", JOG_LABEL, JOG_LABEL, STRIDES * gait.stride_frames // FRAMES_PER_STEP, STRIDES)
    made: list[FigureTracks] = []
    clip = locomote(plan, adjust=lambda tracks, _: made.append(tracks))
    # The first stride begins with the label itself; margins come before it.
    stride = slice(clip.margin, clip.margin + gait.stride_frames)
    return Cycle(cut(made[0], stride), np.array(clip.contacts.planted[stride]), gait.stride_m)


def jog_step() -> int:
    """Return the frames from one foot's contact to the other's."""
    return steady_jog().frame_count // 2


def left_lifts() -> int:
    """Return the frame at which the left foot, which lands at the label, is last on the ground."""
    return int(np.flatnonzero(steady_jog().planted[: jog_step(), 2 * LEFT : 2 * LEFT + 2].any(axis=1))[-1])


def first_flight(last: int, speed_m_s: float, *, sinks_m: float = 0.01) -> Flight:
    """Return the flight from the jog's first step to a contact at a frame."""
    lifts = left_lifts()
    height = float(steady_jog().mass(lifts).position[2]) - LOWER_M
    return Flight(lifts, last, height, height - sinks_m, (speed_m_s, 0.0))
