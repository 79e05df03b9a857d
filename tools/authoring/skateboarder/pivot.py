"""Kick-turns from a stand: up on the board, the nose lifted and swung around, and down again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tools.authoring.authored import FRAMES_PER_STEP, RATE_HZ, AuthoredClip
from tools.authoring.course import Course, run_course
from tools.authoring.keyframes import ease, keyed
from tools.authoring.skateboarder.board import AXLE_AHEAD_M
from tools.authoring.skateboarder.feet import Stay, Swing
from tools.authoring.skateboarder.posture import Posture
from tools.authoring.skateboarder.pushing import (
    BESIDE,
    FORWARD_YAW,
    FREE,
    PUSH_YAW,
    STAND,
    Scene,
    beside,
    on_tail,
    play,
)

from gambol.geometry import planar

UP_S, ON_S, KICK_S, SETTLE_S = 0.26, 0.60, 0.42, 0.36  # stepping up begins, is over; a kick; standing again
OFF_S = 0.34  # stepping down
KICK_DEGREES = 45.0  # at most, in one kick
NOSE_UP_RAD = 0.20
WINDING = 26.0  # degrees that the chest goes ahead of the board
#: Over the back wheels, low.
KICKING = FREE._replace(
    mass_height_m=0.93, mass_ahead_m=-0.13, mass_aside_m=0.0, pelvis_yaw=-46.0, pelvis_pitch=14.0, chest_yaw=-34.0,
    flexion=16.0, head_yaw=-8.0, arm_swing=(10.0, 0.0), arm_out=(44.0, 46.0), elbow=(28.0, 30.0),
)  # fmt: skip


def pivot(name: str, turn_degrees: float) -> AuthoredClip:
    """Turn left on the back wheels by so many degrees, from stand to stand."""
    kicks = int(np.ceil(abs(turn_degrees) / KICK_DEGREES))
    off = ON_S + kicks * KICK_S
    steps = round((off + OFF_S + SETTLE_S) * RATE_HZ / FRAMES_PER_STEP)
    course = _around_back_wheels(run_course(steps, speed=[(0.0, 0.0)]), np.radians(turn_degrees), kicks)
    pitch = np.zeros(len(course.times))
    postures: list[tuple[float, Posture]] = [(0.0, STAND), (ON_S - 0.06, _wound(-0.4 * np.sign(turn_degrees)))]
    for kick in range(kicks):
        start = ON_S + kick * KICK_S
        pitch += keyed(((start - 0.02, 0.0), (start + 0.45 * KICK_S, NOSE_UP_RAD), (start + KICK_S, 0.0)), course.times)
        postures.append((start + 0.45 * KICK_S, _wound(np.sign(turn_degrees))))
    scene = Scene(
        steps,
        speed=[],
        stays=[Stay(0.0, UP_S, BESIDE, PUSH_YAW, held_by="earth", roll=-24.0), on_tail(ON_S - 0.04, off + 0.02),
               beside(off + OFF_S, 9.0)],
        swings=[Swing(lift_m=0.07, pitch=-10.0), Swing(lift_m=0.06, pitch=-6.0)],
        postures=[*postures, (off + 0.5 * OFF_S, FREE._replace(mass_aside_m=-0.08)), (course.duration_s - 0.02, STAND)],
        front_yaw=[(0.0, FORWARD_YAW)],
        event_s=ON_S + 0.5 * KICK_S,
    )  # fmt: skip
    return play(name, scene, ("stand", "stand"), course, pitch=pitch)


def _wound(turned: float) -> Posture:
    """Turn chest, head and arms to where the board shall go, to the left."""
    return KICKING._replace(
        chest_yaw=KICKING.chest_yaw + WINDING * turned,
        head_yaw=KICKING.head_yaw + 1.2 * WINDING * turned,
        arm_swing=(10.0 - 22.0 * turned, 22.0 * turned),
    )


def _around_back_wheels(course: Course, turn: float, kicks: int) -> Course:
    """Return a course at rest that is turned, kick by kick, about the board's back axle."""
    shares = [ease(course.times, ON_S + kick * KICK_S, ON_S + (kick + 1) * KICK_S) for kick in range(kicks)]
    heading = turn * np.mean(shares, axis=0)
    axle = np.array([AXLE_AHEAD_M, 0.0])
    place = planar.rotate(heading, np.tile(axle, (len(heading), 1))) - axle
    return replace(course, pose=np.column_stack((place, heading)))
