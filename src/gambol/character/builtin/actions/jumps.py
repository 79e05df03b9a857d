"""Jumps out of a jog: a leap over a hurdle, and a jump from both feet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gambol.character.builtin.actions.course import Course, plot_course
from gambol.character.builtin.actions.feet import LegKeys, Swing, stance
from gambol.character.builtin.actions.jog import steady_jog
from gambol.character.builtin.actions.mass_path import Flight
from gambol.character.builtin.actions.staging import Action, Carriage, FootPlan, highest_mass, stage
from gambol.character.builtin.authored import AuthoredClip

LEFT_LIFTS = 16  # the frame at which the jog's step on the left foot is over
STEP = 22  # frames from one foot's contact to the other's in the jog
LEAVES, RETURNS = 8, 8  # frames into a step at which the mass leaves the jog's way, or is on it again
FOLD = Swing(((0.5, -14.0, 52.0),), ((0.5, -80.0),))  # from a push-off to where the jog swings on


@dataclass(frozen=True)
class Leap:
    """A leap from the right foot onto the left one: what leaps differ in."""

    name: str
    aloft: int  # frames in the air, even
    speed_m_s: float  # in the air
    speed_after_m_s: float  # once the landing is absorbed
    heights_m: tuple[float, float]  # of the centre of mass at take-off and landing
    lead: LegKeys  # the left leg in the air
    trail: LegKeys  # the right leg in the air
    stoop: float  # degrees by which the trunk folds over the lead thigh
    reach: float  # degrees to which the right arm swings up


HURDLE = Leap(
    "jump-over",
    aloft=28,
    speed_m_s=2.5,
    speed_after_m_s=2.3,
    heights_m=(1.03, 0.985),
    lead=((0.22, -20.0, 62.0), (0.42, 30.0, 95.0), (0.62, 72.0, 105.0), (0.82, 62.0, 62.0)),
    trail=((0.25, -42.0, 75.0), (0.5, -18.0, 112.0), (0.72, 20.0, 112.0), (0.88, 36.0, 72.0)),
    stoop=26.0,
    reach=38.0,
)


def leap(spec: Leap) -> AuthoredClip:
    """Jog, leap from the right foot, land on the left one, jog on."""
    down, off = STEP + 1, STEP + 16  # the take-off foot
    lands = off + spec.aloft
    lifts = lands + 18
    resumes = lifts + 6
    last = resumes + STEP
    course = plot_course(
        (steady_jog(), steady_jog()),
        last,
        (
            Flight(LEFT_LIFTS, down, 0.972, 0.962, (2.65, 0.0)),
            Flight(off, lands, *spec.heights_m, (spec.speed_m_s, 0.0)),
            Flight(lifts, resumes, 0.99, 0.98, (spec.speed_after_m_s, 0.0)),
        ),
        leaves=LEAVES,
        returns=resumes + RETURNS,
    )
    landing = stance(
        lands, lifts, course.place(lands, 0.33, 0.04),
        roll=((0.0, -22.0), (0.22, 0.0), (0.45, 0.0), (0.7, -14.0), (1.0, -55.0)),
    )  # fmt: skip
    take_off = stance(
        down, off, course.place(down, 0.36, -0.04),
        roll=((0.0, 8.0), (0.2, 0.0), (0.5, 0.0), (0.75, -18.0), (1.0, -58.0)),
    )  # fmt: skip
    left = FootPlan(
        (course.foot_before(0, LEFT_LIFTS), landing, course.foot_after(0, last - 14)),
        (Swing(spec.lead, ((0.2, -75.0), (0.45, -40.0), (0.65, -15.0), (0.85, -8.0))), FOLD),
    )
    right = FootPlan(
        (course.foot_before(1, LEAVES), take_off, course.foot_after(1, resumes)),
        (
            Swing(((0.5, 30.0, 60.0),), ((0.5, -10.0),)),
            Swing(spec.trail, ((0.2, -85.0), (0.5, -95.0), (0.75, -40.0), (0.9, -5.0))),
        ),
    )
    carriage = _leap_carriage(spec, down, off, lands, lifts, last)
    return stage(Action(spec.name, course, (left, right), carriage), highest_mass)


def _leap_carriage(spec: Leap, down: int, off: int, lands: int, lifts: int, last: int) -> Carriage:
    top, sunk, on = 0.5 * (off + lands), lands + 9, lifts + 6
    fold = 0.5 * spec.stoop
    trunk = {
        "pelvis_yaw": ((down, 0.0), (off, 4.0), (top, 6.0), (lands, -2.0), (lifts, -4.0)),
        "pelvis_pitch": ((LEFT_LIFTS, 7.0), (down + 5, 4.0), (off, 6.0), (top, fold), (lands, fold), (sunk, 16.0), (on, 8.0)),
        "spine_flexion": ((LEFT_LIFTS, 5.0), (down + 6, 2.0), (off, 3.0), (top, fold), (lands, 10.0), (sunk, 16.0), (on, 5.0)),
        "spine_yaw": ((down, -4.0), (off, -10.0), (top, -12.0), (lands, 0.0), (lifts, 10.0)),
        "gaze": ((LEFT_LIFTS, 14.0), (down + 5, 10.0), (off, 0.0), (top, 16.0), (lands, 24.0), (sunk, 16.0), (on, 6.0)),
        "head_yaw": ((down, 4.0), (off, 8.0), (top, 8.0), (lands, 0.0), (lifts, -8.0)),
    }
    arms = {
        "upper_arm": (
            ((LEFT_LIFTS, -20.0), (down + 4, -10.0), (off, -58.0), (top, -50.0), (lands, -25.0), (sunk, -10.0), (on, -20.0)),
            ((LEFT_LIFTS, -50.0), (down + 5, -45.0), (off - 2, 5.0), (off + 6, spec.reach), (top + 4, 0.8 * spec.reach), (lands, -15.0), (sunk, -50.0), (on, -45.0)),
        ),
        "upper_arm_out": (
            ((LEFT_LIFTS, 14.0), (off, 24.0), (top, 34.0), (lands, 26.0), (lifts, 16.0)),
            ((LEFT_LIFTS, 14.0), (off, 16.0), (top, 22.0), (lands, 20.0), (lifts, 16.0)),
        ),
        "elbow": (
            ((LEFT_LIFTS, 105.0), (off, 95.0), (top, 80.0), (lands, 85.0), (lifts, 105.0)),
            ((LEFT_LIFTS, 100.0), (off, 85.0), (top, 70.0), (lands, 80.0), (lifts, 105.0)),
        ),
    }
    return Carriage(trunk, arms, taken_up=(LEAVES, down), given_up=(lifts - 4, last - 4))
