"""How the trunk goes over the legs: up and down as their forces have it, tilting, bending, nodding.

Angles are degrees in tables and radians in tracks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from tools.authoring.course import Course
from tools.authoring.horse.gait import FOOTFALLS, GALLOP_M_S, WALK_M_S
from tools.authoring.keyframes import ease, keyed
from tools.authoring.mass import GRAVITY_M_S2

from gambol.geometry.arrays import FloatArray

LOAD = (0.215, 0.215, 0.285, 0.285)  # share of the weight that each leg's push bears over a stride: hinds, fores
#: Amplitude in degrees and phase of the greatest value: nose up, pelvis tucked under, neck up, head up.
PITCH, TUCK, NECK, NOD = (3.6, 0.10), (3.5, 0.93), (5.5, 0.14), (2.5, 0.30)

STANDING_M, GALLOPING_M = 1.165, 1.155  # height of the centre of mass, on average
#: How neck, head and tail are held: standing, galloping.
NECK_HELD, HEAD_HELD, TAIL_RAISED, TUCKED = (-6.0, -28.0), (-4.0, 14.0), (0.0, 15.0), (0.0, 2.0)
TROTTING_M_S, TROT_BOUNCE_M = 2.8, 0.018
#: Of the walk: amplitude in degrees and a phase of the greatest value; all but bend and sway come twice a stride.
WALK_PITCH, WALK_NECK, WALK_NOD, WALK_BEND, WALK_SWAY = (0.9, 0.06), (3.0, 0.33), (1.5, 0.38), (2.5, 0.0), (5.0, 0.1)
WALK_BOUNCE_M, WALK_BOUNCE_PHASE, WALK_SINK_M, WALK_NECK_HELD = 0.008, 0.19, 0.015, -5.0
BANK = 0.8  # of the lean that balances a turn


class Carriage(NamedTuple):
    """How the horse carries itself besides what its gait does; degrees."""

    sink_m: float = 0.0
    pitch: float = 0.0  # nose up
    tuck: float = 0.0  # of the pelvis under the loin
    bend: float = 0.0  # of the spine, to the left
    neck: float = 0.0  # raised
    head: float = 0.0  # nose up
    look: float = 0.0  # to the left
    sway: float = 0.0  # of the tail, to the left


@dataclass(frozen=True, eq=False)
class TrunkTracks:
    """The trunk, neck and tail, frame by frame (F,)."""

    mass_height_m: FloatArray  # of the centre of mass
    pitch: FloatArray  # nose up
    bank: FloatArray  # to the left
    tuck: FloatArray  # of the pelvis under the loin
    bend: FloatArray  # of the spine, to the left
    neck: FloatArray  # raised
    head: FloatArray  # nose up, relative to the neck
    look: FloatArray  # of neck and head together, to the left
    tail: FloatArray  # raised
    sway: FloatArray  # of the tail, to the left


def carry(
    course: Course,
    phase: FloatArray,
    pace: FloatArray,
    carriage: Sequence[tuple[float, Carriage]],
    *,
    walks: bool = False,
) -> TrunkTracks:
    """Return how the trunk goes at phases and paces (F,), with a carriage keyed by second.

    walks: the horse goes by its walk and stays at it, rather than through trot and canter into a gallop.
    """
    share = ease(pace, 0.12 * GALLOP_M_S, GALLOP_M_S)
    held = {
        field: keyed([(at, getattr(one, field)) for at, one in carriage], course.times) for field in Carriage._fields
    }
    sink, pitch, tuck, bend, neck, head, look, sway = (
        held[field] if field.endswith("_m") else np.radians(held[field]) for field in Carriage._fields
    )

    def between(ends: tuple[float, float]) -> FloatArray:
        return np.radians(ends[0] + share * (ends[1] - ends[0]))

    trotting = ease(course.speed, 0.3, TROTTING_M_S) * (1.0 - ease(course.speed, TROTTING_M_S, 2.0 * TROTTING_M_S))
    walking = ease(np.abs(course.speed), 0.1, WALK_M_S) if walks else np.zeros(len(phase))
    trotting = np.where(walks, 0.0, trotting)
    bobbing = share * bounce(phase) - trotting * TROT_BOUNCE_M * np.cos(4.0 * np.pi * (phase - 0.2))
    bobbing += walking * (WALK_BOUNCE_M * np.cos(4.0 * np.pi * (phase - WALK_BOUNCE_PHASE)) - WALK_SINK_M)
    bank = np.arctan(BANK * course.push[:, 1] / GRAVITY_M_S2)
    height = STANDING_M + share * (GALLOPING_M - STANDING_M) - sink
    return TrunkTracks(
        mass_height_m=height * np.cos(bank) + bobbing,
        pitch=pitch + share * wave(PITCH, phase) + walking * wave(WALK_PITCH, phase, harmonic=2),
        bank=bank,
        tuck=tuck + between(TUCKED) + share * wave(TUCK, phase),
        bend=bend + walking * wave(WALK_BEND, phase),
        neck=neck
        + between(NECK_HELD)
        + share * wave(NECK, phase)
        + walking * (np.radians(WALK_NECK_HELD) + wave(WALK_NECK, phase, harmonic=2)),
        head=head + between(HEAD_HELD) + share * wave(NOD, phase) + walking * wave(WALK_NOD, phase, harmonic=2),
        look=look,
        tail=between(TAIL_RAISED) + share * wave((3.0, 0.4), phase),
        sway=sway + walking * wave(WALK_SWAY, phase),
    )


def wave(term: tuple[float, float], phase: FloatArray, *, harmonic: int = 1) -> FloatArray:
    """Return a swing of an amplitude in degrees that is greatest at a phase, so often a stride; radians."""
    return np.radians(term[0]) * np.cos(2.0 * np.pi * harmonic * (phase - term[1]))


def bounce(phase: FloatArray) -> FloatArray:
    """Return how high the centre of mass is in a gallop, above its mean."""
    return _bounce()(np.mod(phase, 1.0))


@cache
def _bounce() -> CubicSpline:
    """Integrate twice what four legs push: bells over their stances, nothing in the suspension."""
    gallop = FOOTFALLS[-1]
    phase = np.linspace(0.0, 1.0, 4001)
    push = np.zeros(len(phase))
    for contact, stance, load in zip(gallop.contacts, gallop.stance, LOAD, strict=True):
        share = np.mod(phase - contact, 1.0) / stance
        push += np.where(share < 1.0, load / stance * (1.0 - np.cos(2.0 * np.pi * share)), 0.0)
    # Over a stride the legs bear just the weight.
    acceleration = GRAVITY_M_S2 * (push / np.trapezoid(push, phase) - 1.0) * gallop.stride_s**2
    pushed = CubicSpline(phase, acceleration).antiderivative()
    velocity = CubicSpline(phase, pushed(phase) - pushed.integrate(0.0, 1.0))
    height = velocity.antiderivative()(phase)
    height -= np.trapezoid(height, phase)
    height[-1] = height[0]
    return CubicSpline(phase, height, bc_type="periodic")
