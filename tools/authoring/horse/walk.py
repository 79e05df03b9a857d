"""The horse's walk: straight on and turning, setting off and halting, and steps about between two stands."""

from __future__ import annotations

from math import ceil

from tools.authoring.authored import FRAMES_PER_STEP, RATE_HZ, AuthoredClip
from tools.authoring.horse.clips import Plan, author
from tools.authoring.horse.gait import BACKING, STEADY, STEPPING, WALK, WALK_M_S, WALK_STRIDE_STEPS
from tools.authoring.horse.skeleton import LEGS
from tools.authoring.horse.trunk import Carriage

AT_REST = ((0.0, 0.0),)
TURN_WITHIN_STRIDE = 25.0  # degrees, at most
TURNING = ((0.02, 0.0), (0.3, 1.0), (0.66, 1.0), (0.98, 0.0))
#: When hooves land in a turn on the spot to the left: the left fore and the right hind lead the way around.
SPOT_CONTACTS = {"LeftFore": 0.0, "RightHind": 0.12, "RightFore": 0.50, "LeftHind": 0.62}
SPOT_STEP = 30.0  # degrees, at most, and at least two steps
SPOT_GOES_S, SPOT_SETTLE_S = 0.15, 0.32

ATTENTIVE = Carriage(neck=4.0, head=-3.0)
LEANING = Carriage(pitch=-0.8, neck=-5.0)
COLLECTED = Carriage(sink_m=0.01, pitch=0.8, tuck=3.0, neck=5.0, head=-4.0)
YIELDING = Carriage(sink_m=0.015, pitch=0.8, tuck=4.0, neck=3.0, head=-12.0)

#: A horse among others is ready to go on within a second.
STAND = Plan(
    "stand-short",
    30,
    speed=AT_REST,
    pace=AT_REST,
    steady="walk",
    footfalls=(WALK,),
    carriage=((0.0, Carriage()), (0.5, Carriage(neck=1.2, head=-1.0, look=2.0, sway=4.0)), (1.0, Carriage())),
    goes_s=9.0,
    halts_s=-9.0,
)
START = Plan(
    "start-walk",
    53,
    speed=((0.12, 0.0), (0.72, 0.75), (1.32, WALK_M_S)),
    pace=AT_REST,
    steady="walk",
    footfalls=(WALK,),
    carriage=((0.0, Carriage()), (0.45, LEANING), (1.0, LEANING), (1.6, Carriage())),
    goes_s=0.15,
)
STOP = Plan(
    "stop-walk",
    51,
    speed=((0.0, WALK_M_S), (0.55, 1.05), (1.3, 0.0)),
    pace=AT_REST,
    steady="walk",
    footfalls=(WALK,),
    carriage=((0.05, Carriage()), (0.6, COLLECTED), (1.1, COLLECTED), (1.7, Carriage())),
    halts_s=1.5,
)
STEP_AHEAD = Plan(
    "step-ahead",
    62,
    speed=((0.12, 0.0), (0.7, 0.94), (1.1, 0.94), (1.75, 0.0)),
    pace=AT_REST,
    steady="walk",
    footfalls=(STEPPING,),
    carriage=((0.0, Carriage()), (0.5, LEANING), (1.4, COLLECTED), (2.0, Carriage())),
    goes_s=0.15,
    halts_s=1.85,
)
STEP_BACK = Plan(
    "step-back",
    68,
    speed=((0.15, 0.0), (0.75, -0.62), (1.35, -0.62), (1.95, 0.0)),
    pace=AT_REST,
    steady="walk",
    footfalls=(BACKING,),
    carriage=((0.0, Carriage()), (0.5, YIELDING), (1.7, YIELDING), (2.2, Carriage())),
    goes_s=0.15,
    halts_s=2.05,
)


def walk(name: str, turn_degrees: float) -> AuthoredClip:
    """Walk a stride straight on, or as many as a turn to the left needs."""
    strides = 1 if abs(turn_degrees) <= TURN_WITHIN_STRIDE else 2
    steps = strides * WALK_STRIDE_STEPS
    carriage = _looking(steps, turn_degrees, bend=0.22)
    return author(
        Plan(name, steps, speed=((0.0, WALK_M_S),), pace=AT_REST, steady="walk", footfalls=(WALK,),
             turn_degrees=turn_degrees, turning=TURNING, carriage=carriage)
    )  # fmt: skip


def spot_turn(name: str, turn_degrees: float) -> AuthoredClip:
    """Turn left on the spot, step by step, from stand to stand."""
    count = max(2, ceil(abs(turn_degrees) / SPOT_STEP))
    first = SPOT_GOES_S + (1.0 - STEPPING.stance[0]) * STEPPING.stride_s
    last = first + (count - 1 + max(SPOT_CONTACTS.values())) * STEPPING.stride_s
    steps = ceil((last + SPOT_SETTLE_S) * RATE_HZ / FRAMES_PER_STEP)
    duration = steps * FRAMES_PER_STEP / RATE_HZ
    start, ramp, end = SPOT_GOES_S, 0.45, last + 0.05
    turning = tuple(
        (at / duration, value) for at, value in ((start, 0.0), (start + ramp, 1.0), (end - ramp, 1.0), (end, 0.0))
    )
    # A plan's phase is that of the walk at its end.
    begun = STEADY["walk"].phase - (duration - first) / STEPPING.stride_s
    falls = [begun + SPOT_CONTACTS[leg if turn_degrees > 0.0 else _mirrored(leg)] for leg in LEGS]
    footfalls = STEPPING._replace(contacts=(falls[0], falls[1], falls[2], falls[3]))
    return author(
        Plan(name, steps, speed=AT_REST, pace=AT_REST, steady="walk", footfalls=(footfalls,), turn_degrees=turn_degrees,
             turning=turning, carriage=_looking(steps, turn_degrees, bend=0.14), goes_s=SPOT_GOES_S, halts_s=last + 0.1)
    )  # fmt: skip


def _mirrored(leg: str) -> str:
    return leg.replace("Left", "Right") if leg.startswith("Left") else leg.replace("Right", "Left")


def _looking(steps: int, turn_degrees: float, *, bend: float) -> tuple[tuple[float, Carriage], ...]:
    """Bend the spine and look to where a turn leads."""
    end = steps * FRAMES_PER_STEP / RATE_HZ
    sharp = max(-45.0, min(45.0, turn_degrees))
    turned = ATTENTIVE._replace(sink_m=0.0005 * abs(sharp), bend=bend * sharp, look=0.55 * sharp)
    if turn_degrees == 0.0:
        turned = Carriage()
    return (0.03 * end, Carriage()), (0.3 * end, turned), (0.62 * end, turned), (0.95 * end, Carriage())
