"""One foot on the ground: pushing along, braking, standing beside the board, setting off."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from tools.authoring import human_skeleton as human
from tools.authoring.authored import FRAMES_PER_STEP, MARGIN, RATE_HZ, AuthoredClip
from tools.authoring.course import Course, run_course
from tools.authoring.keyframes import keyed
from tools.authoring.skateboarder.feet import BACK_ON_DECK, BACK_YAW, Stay, Swing, step
from tools.authoring.skateboarder.posture import GLIDE, GLIDE_M_S, ROLL_M_S, Posture, between
from tools.authoring.skateboarder.rider import level_deck, ride

from gambol.geometry.arrays import FloatArray

LEAN = 0.3  # against pushes and brakes: most of their force passes through the foot on the ground
FORWARD_YAW = float(np.radians(46.0))  # how far the front foot turns to point along the way
PUSH_YAW = float(np.radians(-8.0))
BESIDE = (-0.02, -0.27, human.ANKLE_HEIGHT_M)  # where the foot stands on the ground: ahead, left, above
REACHED = (0.24, -0.24, human.ANKLE_HEIGHT_M)  # where it is put down for a push
ON_BALL = -42.0  # pitch with which a pushing foot leaves the ground

#: Turned to the way, weight on the front foot, the other one free.
FREE = GLIDE._replace(
    mass_height_m=0.90, mass_ahead_m=0.11, mass_aside_m=-0.02, pelvis_yaw=-30.0, pelvis_pitch=16.0, chest_yaw=-18.0,
    flexion=18.0, head_yaw=0.0, head_pitch=6.0, arm_swing=(10.0, 0.0), arm_out=(26.0, 28.0), arm_turn=(15.0, 15.0),
    elbow=(35.0, 35.0),
)  # fmt: skip
REACHING = FREE._replace(
    mass_height_m=0.80, mass_aside_m=-0.06, pelvis_yaw=-20.0, pelvis_pitch=24.0, chest_yaw=-24.0, flexion=26.0,
    arm_swing=(30.0, -26.0), elbow=(50.0, 30.0),
)  # fmt: skip
PUSHED = FREE._replace(
    mass_height_m=0.84, mass_ahead_m=0.12, mass_aside_m=-0.02, pelvis_yaw=-34.0, pelvis_pitch=26.0, chest_yaw=-12.0,
    flexion=20.0, arm_swing=(-24.0, 34.0), elbow=(30.0, 52.0),
)  # fmt: skip
STAND = GLIDE._replace(
    mass_height_m=0.945, mass_ahead_m=0.04, mass_aside_m=-0.19, pelvis_yaw=-24.0, pelvis_pitch=3.0, pelvis_roll=3.0,
    chest_yaw=-16.0, flexion=4.0, side_bend=-3.0, head_yaw=-4.0, head_pitch=3.0, arm_swing=(2.0, 0.0),
    arm_out=(12.0, 11.0), arm_turn=(14.0, 14.0), elbow=(16.0, 15.0),
)  # fmt: skip
BREATH = STAND._replace(
    mass_height_m=0.943, mass_aside_m=-0.198, flexion=2.8, chest_yaw=-14.0, head_yaw=-1.0, arm_out=(13.0, 12.0)
)
BRAKING = FREE._replace(
    mass_height_m=0.86, mass_ahead_m=0.05, mass_aside_m=-0.09, pelvis_yaw=-30.0, pelvis_pitch=12.0, flexion=14.0,
    chest_yaw=-20.0, arm_swing=(16.0, 6.0), arm_out=(34.0, 36.0),
)  # fmt: skip

PUSH_STEPS, STOP_STEPS, WAIT_STEPS, START_STEPS, STAND_STEPS, SCOOT_STEPS = 60, 72, 18, 78, 60, 66
START_SLOW_STEPS, STOP_SLOW_STEPS, SPEED_UP_STEPS, SLOW_DOWN_STEPS = 48, 50, 72, 66


class Scene(NamedTuple):
    """Something done with one foot on the ground; times are seconds from when it begins."""

    steps: int  # planning frames
    speed: list[tuple[float, float]]
    stays: list[Stay]  # of the back foot
    swings: list[Swing]
    postures: list[tuple[float, Posture]]
    front_yaw: list[tuple[float, float]]
    event_s: float = 0.0  # when what matters happens

    @property
    def duration_s(self) -> float:
        return self.steps * FRAMES_PER_STEP / RATE_HZ

    def then(self, other: Scene) -> Scene:
        """Return both, one after the other; the foot stays where the other scene finds it."""
        later = self.duration_s
        stays = [stay._replace(first=stay.first + later, last=stay.last + later) for stay in other.stays]
        stays[0] = stays[0]._replace(first=later)
        return Scene(
            self.steps + other.steps,
            [*self.speed, *((at + later, speed) for at, speed in other.speed)],
            [*self.stays[:-1], self.stays[-1]._replace(last=later), *stays],
            [*self.swings, *other.swings],
            [*self.postures, *((at + later, posture) for at, posture in other.postures)],
            [*self.front_yaw, *((at + later, yaw) for at, yaw in other.front_yaw)],
            self.event_s,
        )


def on_tail(first: float, last: float) -> Stay:
    return Stay(first, last, BACK_ON_DECK, BACK_YAW)


def beside(first: float, last: float) -> Stay:
    return Stay(first, last, BESIDE, PUSH_YAW, held_by="ground")


def _pushes(first: float, last: float, ahead_m: float) -> Stay:
    return Stay(first, last, (ahead_m, *REACHED[1:]), PUSH_YAW, held_by="earth", roll=ON_BALL)


PUSH = Scene(
    PUSH_STEPS,
    speed=[(0.0, GLIDE_M_S), (0.80, 2.25), (1.03, 2.72), (2.0, GLIDE_M_S)],
    stays=[on_tail(-9.0, 0.36), _pushes(0.80, 0.98, 0.24), on_tail(1.62, 9.0)],
    swings=[Swing(lift_m=0.05, pitch=-12.0, out_m=-0.05), Swing(lift_m=0.17, pitch=-26.0, out_m=-0.02, peak=0.45)],
    postures=[(0.0, GLIDE), (0.42, FREE), (0.80, REACHING), (1.06, PUSHED), (1.55, FREE), (2.0, GLIDE)],
    front_yaw=[(0.0, 0.0), (0.40, FORWARD_YAW), (1.55, FORWARD_YAW), (1.95, 0.0)],
    event_s=0.9,
)
STOP = Scene(
    STOP_STEPS,
    speed=[(0.0, GLIDE_M_S), (0.55, 2.45), (0.95, 1.95), (1.55, 0.70), (2.0, 0.0)],
    stays=[on_tail(-9.0, 0.32), beside(0.72, 9.0)],
    swings=[Swing(lift_m=0.04, pitch=-8.0, out_m=-0.04)],
    postures=[(0.0, GLIDE), (0.42, FREE), (0.80, BRAKING), (1.55, BRAKING), (2.4, STAND)],
    front_yaw=[(0.0, 0.0), (0.40, FORWARD_YAW)],
    event_s=2.0,
)
STILL = Scene(
    STAND_STEPS,
    speed=[(0.0, 0.0)],
    stays=[beside(-9.0, 9.0)],
    swings=[],
    postures=[(0.0, STAND), (0.95, BREATH), (2.0, STAND)],
    front_yaw=[(0.0, FORWARD_YAW)],
    event_s=1.0,
)
STILL_SHORT = STILL._replace(
    steps=STAND_STEPS // 2, postures=[(0.0, STAND), (0.48, between(STAND, BREATH, 0.6)), (1.0, STAND)], event_s=0.5
)
WAIT = Scene(WAIT_STEPS, [], [beside(0.0, 9.0)], [], [], [])
START = Scene(
    START_STEPS,
    speed=[(0.08, 0.0), (0.62, 0.90), (1.06, 0.82), (1.36, 1.68), (1.74, 1.60), (1.97, 2.52), (2.6, GLIDE_M_S)],
    stays=[
        Stay(0.0, 0.60, BESIDE, PUSH_YAW, held_by="earth", roll=ON_BALL),
        _pushes(1.06, 1.34, 0.20), _pushes(1.74, 1.94, 0.24), on_tail(2.42, 9.0),
    ],
    swings=[
        Swing(lift_m=0.13, pitch=-24.0, peak=0.4), Swing(lift_m=0.15, pitch=-26.0, peak=0.4),
        Swing(lift_m=0.17, pitch=-26.0, out_m=-0.02, peak=0.45),
    ],
    postures=[
        (0.0, STAND), (0.36, REACHING), (0.70, PUSHED), (1.06, REACHING), (1.40, PUSHED), (1.74, REACHING),
        (2.02, PUSHED), (2.6, GLIDE),
    ],
    front_yaw=[(1.98, FORWARD_YAW), (2.5, 0.0)],
    event_s=0.6,
)  # fmt: skip
#: One push, and the foot is down again before the board has gone far.
SCOOT = Scene(
    SCOOT_STEPS,
    speed=[(0.08, 0.0), (0.62, 0.95), (1.00, 0.92), (1.70, 0.0)],
    stays=[Stay(0.0, 0.60, BESIDE, PUSH_YAW, held_by="earth", roll=ON_BALL), beside(1.16, 9.0)],
    swings=[Swing(lift_m=0.10, pitch=-18.0, out_m=-0.03, peak=0.4)],
    postures=[(0.0, STAND), (0.36, REACHING), (0.70, PUSHED), (1.22, BRAKING), (2.15, STAND)],
    front_yaw=[(0.0, FORWARD_YAW)],
    event_s=0.6,
)
#: Into a slow roll and out of it.
START_SLOW = Scene(
    START_SLOW_STEPS,
    speed=[(0.08, 0.0), (0.66, 1.13), (1.5, ROLL_M_S)],
    stays=[Stay(0.0, 0.61, BESIDE, PUSH_YAW, held_by="earth", roll=ON_BALL), on_tail(1.16, 9.0)],
    swings=[Swing(lift_m=0.17, pitch=-26.0, out_m=-0.02, peak=0.45)],
    postures=[(0.0, STAND), (0.36, REACHING), (0.70, PUSHED), (1.12, FREE), (1.6, GLIDE)],
    front_yaw=[(1.1, FORWARD_YAW), (1.55, 0.0)],
    event_s=0.6,
)
STOP_SLOW = Scene(
    STOP_SLOW_STEPS,
    speed=[(0.0, ROLL_M_S), (0.45, 1.0), (1.2, 0.0)],
    stays=[on_tail(-9.0, 0.28), beside(0.66, 9.0)],
    swings=[Swing(lift_m=0.04, pitch=-8.0, out_m=-0.04)],
    postures=[(0.0, GLIDE), (0.38, FREE), (0.72, BRAKING), (0.95, BRAKING), (1.64, STAND)],
    front_yaw=[(0.0, 0.0), (0.38, FORWARD_YAW)],
    event_s=1.2,
)
#: From a slow roll to a glide with two pushes, and back by braking.
SPEED_UP = Scene(
    SPEED_UP_STEPS,
    speed=[(0.0, ROLL_M_S), (0.80, 1.02), (1.10, 1.80), (1.48, 1.73), (1.71, 2.54), (2.3, GLIDE_M_S)],
    stays=[on_tail(-9.0, 0.36), _pushes(0.80, 1.08, 0.20), _pushes(1.48, 1.68, 0.24), on_tail(2.16, 9.0)],
    swings=[
        Swing(lift_m=0.05, pitch=-12.0, out_m=-0.06), Swing(lift_m=0.15, pitch=-26.0, peak=0.4),
        Swing(lift_m=0.17, pitch=-26.0, out_m=-0.02, peak=0.45),
    ],
    postures=[
        (0.0, GLIDE), (0.42, FREE), (0.80, REACHING), (1.14, PUSHED), (1.48, REACHING), (1.76, PUSHED), (2.4, GLIDE),
    ],
    front_yaw=[(0.0, 0.0), (0.40, FORWARD_YAW), (1.85, FORWARD_YAW), (2.35, 0.0)],
    event_s=0.9,
)  # fmt: skip
SLOW_DOWN = Scene(
    SLOW_DOWN_STEPS,
    speed=[(0.0, GLIDE_M_S), (0.55, 2.45), (1.0, 1.85), (1.5, ROLL_M_S)],
    stays=[on_tail(-9.0, 0.32), beside(0.72, 1.40), on_tail(1.86, 9.0)],
    swings=[Swing(lift_m=0.04, pitch=-8.0, out_m=-0.04), Swing(lift_m=0.10, pitch=-14.0)],
    postures=[(0.0, GLIDE), (0.42, FREE), (0.80, BRAKING), (1.35, BRAKING), (1.70, FREE), (2.2, GLIDE)],
    front_yaw=[(0.0, 0.0), (0.40, FORWARD_YAW), (1.70, FORWARD_YAW), (2.15, 0.0)],
    event_s=1.1,
)
SCOOT_TURNING = ((0.24, 0.0), (0.40, 1.0), (0.58, 1.0), (0.74, 0.0))


def push(name: str) -> AuthoredClip:
    """Push once, so that rolling friction takes nothing from the speed in the end."""
    return _play(name, PUSH, ("glide", "glide"))


def stop(name: str) -> AuthoredClip:
    """Brake with the back foot on the ground and come to stand beside the board."""
    return _play(name, STOP, ("glide", "stand"))


def stand(name: str) -> AuthoredClip:
    """Stand with one foot on the board and breathe."""
    return _play(name, STILL, ("stand", "stand"))


def stand_short(name: str) -> AuthoredClip:
    """Stand so for half the time, to be ready sooner."""
    return _play(name, STILL_SHORT, ("stand", "stand"))


def start(name: str) -> AuthoredClip:
    """Set off from beside the board with three pushes."""
    return _play(name, START, ("stand", "glide"))


def start_slow(name: str) -> AuthoredClip:
    """Set off with one push into a slow roll."""
    return _play(name, START_SLOW, ("stand", "roll"))


def stop_slow(name: str) -> AuthoredClip:
    """Put the foot down from a slow roll and stand."""
    return _play(name, STOP_SLOW, ("roll", "stand"))


def speed_up(name: str) -> AuthoredClip:
    """Push twice, from a slow roll to a glide."""
    return _play(name, SPEED_UP, ("roll", "glide"))


def slow_down(name: str) -> AuthoredClip:
    """Brake with the back foot, from a glide to a slow roll."""
    return _play(name, SLOW_DOWN, ("glide", "roll"))


def scoot(name: str, turn_degrees: float) -> AuthoredClip:
    """Push once from a stand and come to stand again, turned left by so many degrees."""
    return _play(name, SCOOT, ("stand", "stand"), turn_degrees=turn_degrees)


def stop_and_wait(name: str) -> AuthoredClip:
    """Brake, stand for a moment and set off again."""
    return _play(name, STOP.then(WAIT).then(START), ("glide", "glide"))


def _play(name: str, scene: Scene, labels: tuple[str, str], *, turn_degrees: float = 0.0) -> AuthoredClip:
    course = run_course(scene.steps, speed=scene.speed, turn_rad=np.radians(turn_degrees), turning=SCOOT_TURNING)
    return play(name, scene, labels, course)


def play(
    name: str, scene: Scene, labels: tuple[str, str], course: Course, *, pitch: FloatArray | None = None
) -> AuthoredClip:
    """Author what a scene says along a course; where the board's nose goes up (F,), it stands on its back wheels."""
    right = step(course, scene.stays, scene.swings)
    deck = level_deck(course, front_yaw=keyed(scene.front_yaw, course.times), right=right)
    if pitch is not None:
        deck = replace(deck, pitch=pitch)
    event = MARGIN + round(scene.event_s * RATE_HZ)
    return ride(name, course, scene.postures, labels=labels, deck=deck, lean=LEAN, event=event)
