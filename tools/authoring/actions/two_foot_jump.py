"""A jump from both feet: brake, dip, jump up and ahead, land, jog on."""

from __future__ import annotations

from dataclasses import dataclass

from tools.authoring.actions.course import Course, plot_course
from tools.authoring.actions.feet import LegKeys, Swing, stance
from tools.authoring.actions.jog import (
    FOLD,
    LEAVES,
    REACH_OUT,
    RETURNS,
    first_flight,
    jog_step,
    left_lifts,
    steady_jog,
)
from tools.authoring.actions.mass_path import Flight, Support
from tools.authoring.actions.staging import Action, Carriage, FootPlan, highest_mass, stage
from tools.authoring.authored import AuthoredClip
from tools.authoring.figure import LEFT, RIGHT


@dataclass(frozen=True)
class TwoFootJump:
    """What jumps from both feet differ in."""

    name: str
    aloft: int  # frames in the air, even
    speed_m_s: float  # in the air
    dip_m: float  # height of the centre of mass at the bottom of the dip
    tuck: LegKeys  # both legs in the air
    swing_up: float  # degrees to which the arms swing up


TWO_FOOT = TwoFootJump(
    "jump-two-foot",
    aloft=28,
    speed_m_s=1.85,
    dip_m=0.735,
    tuck=((0.28, 26.0, 92.0), (0.52, 66.0, 112.0), (0.8, 52.0, 60.0)),
    swing_up=80.0,
)
#: Higher on the spot: a deeper dip, a tighter tuck.
TIGHT_TWO_FOOT = TwoFootJump(
    "jump-two-foot-tight",
    aloft=30,
    speed_m_s=1.7,
    dip_m=0.70,
    tuck=((0.28, 34.0, 104.0), (0.52, 84.0, 126.0), (0.8, 60.0, 70.0)),
    swing_up=95.0,
)

# Frames: the right foot brakes, the left foot stops the body, the right one joins it, both are off.
BRAKES, STOPS, JOINS, DIPPED, OFF = 23, 44, 66, 79, 94
STANCE_M, TOES_OUT = 0.10, 0.08  # of either foot from the middle; radians
STEP_IN = Swing(((0.35, 3.0, 78.0), (0.7, 34.0, 64.0)), ((0.25, -70.0), (0.65, -25.0), (0.9, 10.0)))
CLOSE_UP = Swing(((0.45, -6.0, 76.0), (0.75, 16.0, 72.0)), ((0.35, -60.0), (0.75, -18.0)))
STEP_OUT = Swing(((0.3, 20.0, 88.0), (0.7, 40.0, 70.0)), ((0.3, -40.0), (0.7, -8.0)))
PUSH = ((0.55, 0.0), (0.78, -14.0), (1.0, -60.0))
LAND = ((0.0, -20.0), (0.2, 0.0))


def two_foot_jump(spec: TwoFootJump) -> AuthoredClip:
    """Jog, brake, dip, jump from both feet, land on both, jog on."""
    lands = OFF + spec.aloft
    lifts = lands + 27
    resumes = lifts + 5
    last = resumes + jog_step()
    course = plot_course(
        (steady_jog(), steady_jog()),
        last,
        (
            first_flight(BRAKES, 2.45),
            Support(34, 0.92, (2.0, 0.0)),
            Support(STOPS, 0.935, (1.55, 0.0)),
            Support(56, 0.905, (0.9, 0.0)),
            Support(JOINS, 0.86, (0.4, 0.0)),
            Support(DIPPED, spec.dip_m, (0.55, 0.0)),
            Flight(OFF, lands, 1.015, 0.925, (spec.speed_m_s, 0.0)),
            Support(lands + 9, 0.765, (1.45, 0.0)),
            Support(lands + 19, 0.83, (1.45, 0.0)),
            Flight(lifts, resumes, 0.95, 0.96, (2.1, 0.0)),
        ),
        leaves=LEAVES,
        returns=resumes + RETURNS,
    )
    feet, carriage = _feet(spec, course, lands, lifts), _carriage(spec, lands, lifts)
    return stage(Action(spec.name, course, feet, carriage), highest_mass)


def _feet(spec: TwoFootJump, course: Course, lands: int, lifts: int) -> tuple[FootPlan, FootPlan]:
    x, _ = course.place(STOPS, 0.46, 0.0)
    x_after, _ = course.place(lands, 0.25, 0.0)
    aloft = Swing(spec.tuck, ((0.15, -75.0), (0.5, -30.0), (0.8, 0.0)))
    braking = ((0.0, 14.0), (0.15, 0.0), (0.5, 0.0), (1.0, -42.0))
    left = FootPlan(
        (
            course.foot_before(LEFT, left_lifts()),
            stance(STOPS, OFF, (x, STANCE_M), yaw=TOES_OUT, roll=((0.0, 14.0), (0.12, 0.0), *PUSH)),
            stance(
                lands, lifts, (x_after, STANCE_M), yaw=TOES_OUT, roll=(*LAND, (0.5, 0.0), (0.75, -16.0), (1.0, -56.0))
            ),
            course.foot_after(LEFT, course.last - 14),
        ),
        (STEP_IN, aloft, FOLD),
    )
    right = FootPlan(
        (
            course.foot_before(RIGHT, LEAVES),
            stance(BRAKES, STOPS + 6, course.place(BRAKES, 0.43, -0.05), roll=braking),
            stance(JOINS, OFF, (x - 0.02, -STANCE_M), yaw=-TOES_OUT, roll=((0.0, -6.0), (0.15, 0.0), *PUSH)),
            stance(
                lands, lands + 15, (x_after + 0.03, -STANCE_M), yaw=-TOES_OUT, roll=(*LAND, (0.6, 0.0), (1.0, -30.0))
            ),
            course.foot_after(RIGHT, lifts + 5),
        ),
        (REACH_OUT, CLOSE_UP, aloft, STEP_OUT),
    )
    return left, right


def _carriage(spec: TwoFootJump, lands: int, lifts: int) -> Carriage:
    """Lean back to brake, fold to dip with the arms back, swing them up, fold again to land."""
    top, sunk = 0.5 * (OFF + lands), lands + 9
    trunk = {
        "pelvis_yaw": ((BRAKES, -3.0), (STOPS, 4.0), (JOINS, 0.0), (sunk, 0.0), (lifts, -5.0)),
        "pelvis_pitch": (
            (BRAKES, -1.0), (STOPS, -3.0), (58, 4.0), (DIPPED, 38.0), (OFF, 10.0), (top, 16.0), (lands, 18.0),
            (sunk, 28.0), (lifts, 10.0),
        ),
        "spine_flexion": (
            (BRAKES, 0.0), (STOPS, 0.0), (60, 8.0), (DIPPED, 24.0), (OFF, -4.0), (top, 14.0), (lands, 12.0),
            (sunk, 18.0), (lifts, 6.0),
        ),
        "spine_yaw": ((BRAKES, 6.0), (STOPS, -6.0), (JOINS, 0.0), (sunk, 0.0), (lifts, 12.0)),
        "gaze": (
            (BRAKES, 12.0), (STOPS, 16.0), (DIPPED, 22.0), (OFF, -6.0), (top, 18.0), (lands, 24.0), (sunk, 14.0),
            (lifts, 6.0),
        ),
        "head_yaw": ((BRAKES, 0.0), (sunk, 0.0), (lifts, -8.0)),
    }  # fmt: skip
    together = (
        (STOPS + 6, -18.0), (62, -10.0), (77, -60.0), (82, -54.0), (OFF - 2, 52.0), (OFF + 6, spec.swing_up),
        (top, spec.swing_up - 10.0), (lands, 20.0),
    )  # fmt: skip
    arms = {
        "upper_arm": (
            ((BRAKES, -6.0), (STOPS, -34.0), *together, (sunk, -10.0), (lifts - 8, 10.0), (lifts, 0.0)),
            ((BRAKES, -40.0), (STOPS, -6.0), *together, (sunk, -20.0), (lifts - 8, -46.0), (lifts, -48.0)),
        ),
        "upper_arm_out": (((BRAKES, 16.0), (74, 18.0), (OFF, 14.0), (top, 24.0), (lands, 26.0), (lifts, 22.0)),) * 2,
        "upper_arm_turn": (((BRAKES, 25.0), (74, 6.0), (OFF, 12.0), (lands, 10.0), (lifts, 4.0)),) * 2,
        "elbow": (
            (
                (BRAKES, 92.0), (60, 62.0), (76, 24.0), (OFF - 6, 40.0), (OFF + 4, 62.0), (top, 60.0), (lands, 55.0),
                (lifts, 100.0),
            ),
        ) * 2,
    }  # fmt: skip
    return Carriage(trunk, arms, taken_up=(LEAVES, BRAKES + 10), given_up=(lifts - 6, lifts + 22))
