"""From a plan to a clip of the horse; and its gallops, straight on and turning, halt, stand and start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from tools.authoring.authored import FRAMES_PER_STEP, RATE_HZ, AuthoredClip
from tools.authoring.course import Course, run_course
from tools.authoring.horse.figure import assemble_horse
from tools.authoring.horse.footfalls import plan_stances, stride_phase
from tools.authoring.horse.gait import FOOTFALLS, GALLOP_M_S, STEADY, STRIDE_STEPS, Footfalls
from tools.authoring.horse.hooves import lead_hooves
from tools.authoring.horse.skeleton import hoof_points
from tools.authoring.horse.trunk import Carriage, carry
from tools.authoring.keyframes import keyed

from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import Contacts
from gambol.motion.ground import Ground

Keys = Sequence[tuple[float, ArrayLike]]

MARGIN = 12  # motion frames on either side: twelve planning frames in all [LK05 3.1]
BEYOND = 120  # frames on either side over which footfalls are planned, so that every swing is whole
STRAIGHT_STRIDES, TURN_STRIDES = 1, 2
#: A turn begins when hooves are on the ground, and is over before those land whose swing leads into the next clip.
TURNING = ((0.05, 0.0), (0.26, 1.0), (0.62, 1.0), (0.88, 0.0))


@dataclass(frozen=True)
class Plan:
    """What a clip shall be; keys are by second."""

    name: str
    steps: int  # planning frames
    speed: Sequence[tuple[float, float]] = ((0.0, GALLOP_M_S),)
    pace: Keys = ((0.0, GALLOP_M_S),)  # the speed that the legs' timing is made for
    steady: str = "gallop"  # the gait that it comes from or goes on with
    footfalls: tuple[Footfalls, ...] = FOOTFALLS  # by which the legs go
    turn_degrees: float = 0.0
    turning: Sequence[tuple[float, float]] = TURNING
    reach: Keys = ((0.0, (0.0, 0.0)),)  # metres that hind and fore hooves are set ahead
    carriage: Sequence[tuple[float, Carriage]] = ((0.0, Carriage()),)
    goes_s: float = -np.inf  # when a horse that stood starts to move its legs
    halts_s: float = np.inf  # when one that halts has set its last hoof
    event_s: float | None = None

    @property
    def labels(self) -> tuple[str, str]:
        return (
            "stand" if np.isfinite(self.goes_s) else self.steady,
            "stand" if np.isfinite(self.halts_s) else self.steady,
        )


UNDER = Carriage(sink_m=0.05, pitch=5.0, tuck=11.0, neck=8.0, head=-8.0)  # hind legs under the body, croup low
PUSHING = Carriage(sink_m=0.045, pitch=2.0, tuck=6.0, neck=-4.0)
HALT = Plan(
    "halt",
    111,
    speed=((0.0, GALLOP_M_S), (0.35, 8.75), (0.9, 7.2), (1.6, 4.8), (2.3, 2.5), (2.8, 1.05), (3.2, 0.0)),
    pace=((0.42, GALLOP_M_S), (0.9, 7.6), (1.6, 5.0), (2.3, 2.7), (3.2, 0.6)),
    reach=((0.1, (0.0, 0.0)), (0.8, (0.22, 0.05)), (2.3, (0.20, 0.05)), (3.0, (0.0, 0.0))),
    carriage=((0.05, Carriage()), (0.75, UNDER), (2.4, UNDER), (3.5, Carriage())),
    halts_s=3.5,
    event_s=3.2,
)
START = Plan(
    "start",
    84,
    speed=((0.22, 0.0), (0.7, 1.7), (1.3, 4.6), (1.9, 7.4), (2.48, GALLOP_M_S)),
    pace=((0.1, 1.0), (0.7, 2.8), (1.3, 5.5), (1.9, 8.2), (2.27, GALLOP_M_S)),
    reach=((0.1, (0.0, 0.0)), (0.5, (0.06, 0.10)), (1.8, (0.02, 0.06)), (2.4, (0.0, 0.0))),
    carriage=((0.0, Carriage()), (0.55, PUSHING), (1.6, PUSHING), (2.4, Carriage())),
    goes_s=0.12,
    event_s=0.4,
)
STAND = Plan(
    "stand",
    60,
    speed=((0.0, 0.0),),
    pace=((0.0, 0.0),),
    carriage=(
        (0.0, Carriage()),
        (0.7, Carriage(neck=2.5, head=-2.0, look=5.0, sway=7.0)),
        (1.3, Carriage(neck=1.0, look=2.0, sway=-5.0)),
        (2.0, Carriage()),
    ),
    goes_s=9.0,
    halts_s=-9.0,
)


def gallop(name: str, turn_degrees: float) -> AuthoredClip:
    """Gallop a stride straight on, or two strides through a turn to the left."""
    strides = STRAIGHT_STRIDES if turn_degrees == 0.0 else TURN_STRIDES
    end = strides * STRIDE_STEPS * FRAMES_PER_STEP / RATE_HZ
    turned = Carriage(sink_m=0.0028 * abs(turn_degrees), bend=0.2 * turn_degrees, look=0.45 * turn_degrees)
    carriage = ((0.05 * end, Carriage()), (0.3 * end, turned), (0.6 * end, turned), (0.94 * end, Carriage()))
    return author(Plan(name, strides * STRIDE_STEPS, turn_degrees=turn_degrees, carriage=carriage))


def author(plan: Plan) -> AuthoredClip:
    """Make the clip that a plan declares."""
    wide = run_course(
        plan.steps, speed=plan.speed, turn_rad=np.radians(plan.turn_degrees), turning=plan.turning, margin=BEYOND
    )
    pace = keyed(plan.pace, wide.times)
    phase = _phase(plan, wide, pace)
    reach = keyed(plan.reach, wide.times)
    stances = plan_stances(wide, pace, plan.footfalls, phase, reach, goes_s=plan.goes_s, halts_s=plan.halts_s)
    kept = slice(BEYOND - MARGIN, len(pace) - BEYOND + MARGIN)
    hooves = lead_hooves(wide, stances, labels=plan.labels).cropped(kept)
    course = wide.cropped(MARGIN)
    trunk = carry(course, phase[kept], pace[kept], plan.carriage, walks=plan.steady == "walk")
    motion = assemble_horse(course, trunk, hooves.tracks)
    positions = np.array(motion.root_positions)
    positions[:, :2] -= positions[MARGIN, :2]
    path = np.column_stack((positions[:, :2], course.pose[:, 2]))
    contacts = Contacts(hoof_points(), hooves.planted, Ground(0.0))
    event = course.duration_s / 2.0 if plan.event_s is None else plan.event_s
    return AuthoredClip(
        plan.name, *plan.labels, replace(motion, root_positions=positions), path, contacts,
        event=MARGIN + round(event * RATE_HZ), margin=MARGIN,
    )  # fmt: skip


def _phase(plan: Plan, course: Course, pace: FloatArray) -> FloatArray:
    """Count strides so that clips join at the label's phase, at the start or else at the end."""
    phase = stride_phase(course.times, pace, plan.footfalls)
    joint = BEYOND if plan.labels[0] in STEADY else len(pace) - 1 - BEYOND
    return phase - phase[joint] + STEADY[plan.steady].phase
