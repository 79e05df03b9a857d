"""Rolling along: straight on, into curves, and low under something."""

from __future__ import annotations

import numpy as np
from tools.authoring.authored import FRAMES_PER_STEP, MARGIN, AuthoredClip
from tools.authoring.course import Course, run_course
from tools.authoring.skateboarder.posture import GLIDE, GLIDE_M_S, ROLL_M_S, between
from tools.authoring.skateboarder.rider import ride

STEPS, ROLL_STEPS = 60, 30  # planning frames of a glide, and of a slow one

SETTLED = GLIDE._replace(
    mass_height_m=0.945, chest_yaw=-56.0, flexion=14.0, head_yaw=-8.0, arm_swing=(4.0, -2.0), arm_out=(34.0, 28.0)
)
RISEN = GLIDE._replace(
    mass_height_m=0.968, chest_yaw=-49.0, head_yaw=-15.0, arm_swing=(10.0, -9.0), arm_out=(28.0, 35.0)
)
#: A left turn is carved with the heels: the seat goes low and the chest opens to the way.
HEELS = GLIDE._replace(
    mass_height_m=0.915, pelvis_yaw=-64.0, pelvis_pitch=14.0, chest_yaw=-34.0, flexion=20.0, head_yaw=14.0,
    arm_swing=(22.0, -4.0), arm_out=(38.0, 44.0), elbow=(30.0, 44.0),
)  # fmt: skip
#: A right turn is carved with the toes: knees and hips come forward over the edge.
TOES = GLIDE._replace(
    mass_height_m=0.92, pelvis_yaw=-82.0, pelvis_pitch=2.0, chest_yaw=-66.0, flexion=8.0, head_yaw=-34.0,
    arm_swing=(-6.0, 2.0), arm_out=(46.0, 36.0), elbow=(36.0, 30.0),
)  # fmt: skip
DUCKED = GLIDE._replace(
    mass_height_m=0.585, mass_ahead_m=-0.03, pelvis_yaw=-62.0, pelvis_pitch=42.0, chest_yaw=-40.0, flexion=38.0,
    head_yaw=-6.0, head_pitch=4.0, arm_swing=(62.0, 40.0), arm_out=(18.0, 24.0), arm_turn=(30.0, 10.0),
    elbow=(50.0, 30.0),
)  # fmt: skip
CURLED = DUCKED._replace(
    mass_height_m=0.50,
    pelvis_pitch=52.0,
    flexion=52.0,
    head_pitch=16.0,
    arm_swing=(70.0, 48.0),
    arm_out=(24.0, 30.0),
    elbow=(95.0, 95.0),
)


def glide(name: str, turn_degrees: float) -> AuthoredClip:
    """Roll on for two seconds, turning left by so many degrees in all."""
    course = run_course(STEPS, speed=[(0.0, GLIDE_M_S)], turn_rad=np.radians(turn_degrees))
    return _roll_on(name, course, turn_degrees, labels=("glide", "glide"))


def roll(name: str, turn_degrees: float) -> AuthoredClip:
    """Roll on slowly for a second, turning left by so many degrees in all."""
    course = run_course(ROLL_STEPS, speed=[(0.0, ROLL_M_S)], turn_rad=np.radians(turn_degrees))
    return _roll_on(name, course, turn_degrees, labels=("roll", "roll"))


def _roll_on(name: str, course: Course, turn_degrees: float, *, labels: tuple[str, str]) -> AuthoredClip:
    end = course.duration_s
    if turn_degrees == 0.0:
        keys = [(0.0, GLIDE), (0.3 * end, SETTLED), (0.65 * end, RISEN), (end, GLIDE)]
    else:
        share = min(abs(turn_degrees) / 45.0, 1.0)
        carved = HEELS if turn_degrees > 0.0 else TOES
        turned = between(GLIDE, carved, share)
        # The head looks into the curve before the board gets there.
        keys = [(0.0, GLIDE), (0.32 * end, turned), (0.62 * end, turned), (end, GLIDE)]
    return ride(name, course, keys, labels=labels)


def duck(name: str, *, deep: bool) -> AuthoredClip:
    """Sink into a squat, roll through below something, and rise again."""
    low = CURLED if deep else DUCKED
    course = run_course(STEPS, speed=[(0.0, GLIDE_M_S)])
    keys = [(0.0, GLIDE), (0.78, low), (1.22, low), (course.duration_s, GLIDE)]
    return ride(name, course, keys, event=MARGIN + STEPS * FRAMES_PER_STEP // 2)
