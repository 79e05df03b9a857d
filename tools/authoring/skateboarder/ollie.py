"""Ollies: crouch, pop the tail, slide the front foot up the deck, level out at the top, land on four wheels."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from tools.authoring.authored import MARGIN, RATE_HZ, AuthoredClip
from tools.authoring.course import Course, run_course
from tools.authoring.keyframes import bridge, keyed
from tools.authoring.mass import GRAVITY_M_S2
from tools.authoring.skateboarder.board import POP_RAD
from tools.authoring.skateboarder.posture import GLIDE, GLIDE_M_S
from tools.authoring.skateboarder.rider import Deck, ride

from gambol.geometry.arrays import FloatArray

STEPS = 60

POP_S = 0.085  # from the first dip of the tail until it hits the ground and the wheels leave it
SETUP_M = -0.075  # the front foot waits behind its place, so that it can slide back up there in the air
SPRING_S = 0.24  # from the bottom of the crouch to take-off
ABSORB_S = 0.17  # from landing to the lowest point
FLOATING_M_S2 = 3.0  # how the board falls off at the top, less than the body does: legs fold and reach down again
TAKE_OFF_M, LANDING_M = 0.955, 0.93  # heights of the centre of mass
GLIDE_M = GLIDE.mass_height_m

CROUCHED = GLIDE._replace(
    pelvis_pitch=34.0, chest_yaw=-48.0, flexion=34.0, head_pitch=18.0, arm_swing=(-12.0, -28.0), arm_out=(36.0, 40.0),
    elbow=(42.0, 46.0),
)  # fmt: skip
SPRUNG = GLIDE._replace(
    pelvis_pitch=4.0, chest_yaw=-44.0, flexion=8.0, head_pitch=16.0, arm_swing=(36.0, 22.0), arm_out=(50.0, 52.0),
    elbow=(52.0, 54.0), arm_turn=(10.0, 10.0),
)  # fmt: skip
TUCKED = GLIDE._replace(
    pelvis_pitch=26.0, chest_yaw=-40.0, flexion=30.0, head_pitch=24.0, arm_swing=(32.0, 16.0), arm_out=(60.0, 64.0),
    elbow=(46.0, 50.0), arm_turn=(0.0, 0.0),
)  # fmt: skip
REACHING = GLIDE._replace(
    pelvis_pitch=12.0, chest_yaw=-46.0, flexion=16.0, head_pitch=18.0, arm_swing=(16.0, 6.0), arm_out=(52.0, 56.0),
    elbow=(40.0, 42.0),
)  # fmt: skip
ABSORBED = GLIDE._replace(
    pelvis_pitch=34.0, chest_yaw=-48.0, flexion=34.0, head_pitch=10.0, arm_swing=(24.0, 10.0), arm_out=(44.0, 48.0),
    elbow=(40.0, 44.0),
)  # fmt: skip


class Height(NamedTuple):
    """How high an ollie goes."""

    take_off: int  # motion frame of the clip
    flight: int  # motion frames
    wheels_m: float  # of the wheels at the top
    crouch_m: float  # of the centre of mass at the lowest


LOW = Height(take_off=50, flight=27, wheels_m=0.36, crouch_m=0.74)
HIGH = Height(take_off=45, flight=36, wheels_m=0.60, crouch_m=0.69)


def ollie(name: str, height: Height) -> AuthoredClip:
    """Jump with the board and land two seconds' roll further on."""
    course = run_course(STEPS, speed=[(0.0, GLIDE_M_S)])
    start, landing = height.take_off / RATE_HZ, (height.take_off + height.flight) / RATE_HZ
    top = 0.5 * (start + landing)
    keys = [
        (0.0, GLIDE), (start - SPRING_S, CROUCHED), (start, SPRUNG), (top + 0.02, TUCKED), (landing, REACHING),
        (landing + ABSORB_S, ABSORBED), (course.duration_s, GLIDE),
    ]  # fmt: skip
    return ride(
        name,
        course,
        keys,
        deck=_deck(course.times, start, landing, height.wheels_m),
        mass_height=_mass_height(course, start, landing, height.crouch_m),
        event=MARGIN + height.take_off + height.flight // 2,
    )


def _mass_height(course: Course, start: float, landing: float, crouch_m: float) -> FloatArray:
    """Return the height (F,) of the centre of mass: a parabola in flight, a spring before and after."""
    flight = landing - start
    rising = (LANDING_M - TAKE_OFF_M) / flight + 0.5 * GRAVITY_M_S2 * flight
    states = [
        (0.0, (GLIDE_M, 0.0, 0.0)),
        (start - SPRING_S, (crouch_m, 0.0, 5.0)),
        (start, (TAKE_OFF_M, rising, -GRAVITY_M_S2)),
        (landing, (LANDING_M, rising - GRAVITY_M_S2 * flight, -GRAVITY_M_S2)),
        (landing + ABSORB_S, (crouch_m + 0.02, 0.0, 9.0)),
        (course.duration_s, (GLIDE_M, 0.0, 0.0)),
    ]
    height = np.full(len(course.times), GLIDE_M)
    for (first, before), (last, after) in pairwise(states):
        inside = (course.times >= first) & (course.times <= last)
        height[inside] = bridge(before, after, course.times[inside], first, last)
    return height


def _deck(times: FloatArray, start: float, landing: float, wheels_m: float) -> Deck:
    flight = landing - start
    pitch = keyed(
        [(start - POP_S, 0.0), (start, POP_RAD), (start + 0.14 * flight, 0.88 * POP_RAD), (start + 0.44 * flight, 0.02),
         (start + 0.76 * flight, -0.14), (landing, 0.0)],
        times,
    )  # fmt: skip
    top = start + 0.48 * flight
    lift = np.zeros(len(times))
    for first, before, last, after in (
        (start, (0.0, 1.1, 0.0), top, (wheels_m, 0.0, -FLOATING_M_S2)),
        (top, (wheels_m, 0.0, -FLOATING_M_S2), landing, (0.0, -2.0, 0.0)),
    ):
        inside = (times >= first) & (times <= last)
        lift[inside] = bridge(before, after, times[inside], first, last)
    ahead = keyed([(0.08, 0.0), (0.45, SETUP_M), (start, SETUP_M), (start + 0.4 * flight, 0.0)], times)
    roll = keyed([(start - POP_S, 0.0), (start + 0.1 * flight, 1.0), (start + 0.5 * flight, 0.0)], times)
    return Deck(pitch, lift, ahead, np.zeros(len(times)), np.radians(-22.0) * roll)
