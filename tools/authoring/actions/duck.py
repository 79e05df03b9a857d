"""A duck: jog in, hinge and lower, pass below something, rise, jog out."""

from __future__ import annotations

from dataclasses import dataclass

from tools.authoring.actions.course import Course, plot_course
from tools.authoring.actions.feet import Swing, stance
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
from tools.authoring.actions.staging import Action, Carriage, FootPlan, lowest_head, stage
from tools.authoring.authored import AuthoredClip
from tools.authoring.figure import LEFT, RIGHT


@dataclass(frozen=True)
class Duck:
    """What ducks differ in."""

    name: str
    low_steps: int  # taken below, odd
    speed_m_s: float  # below
    height_m: float  # of the centre of mass below
    hinge: float  # degrees by which hips and spine bend
    gaze: float  # degrees by which the head looks down


DUCK = Duck("duck", low_steps=3, speed_m_s=1.45, height_m=0.73, hinge=80.0, gaze=64.0)
#: Nine centimetres lower at its lowest, with a rounder back, but not for longer: for bars rather than beams.
DEEP_DUCK = Duck("duck-deep", low_steps=3, speed_m_s=1.3, height_m=0.69, hinge=84.0, gaze=66.0)

BRAKES, LOW_STEP, OVERLAP = 24, 21, 3  # frames: the first contact, from contact to contact below, both feet down
FIRST_AHEAD_M, AHEAD_M = 0.38, 0.24  # of the centre of mass, where the ball of a foot lands
HALF_TRACK_M = 0.06
ROLL = ((0.0, 7.0), (0.14, 0.0), (0.5, 0.0), (0.75, -14.0), (1.0, -48.0))
STEP_ON = Swing(((0.35, 2.0, 78.0), (0.68, 44.0, 96.0)), ((0.3, -55.0), (0.65, -20.0), (0.86, 5.0)))


def duck(spec: Duck) -> AuthoredClip:
    """Jog, duck and step on, rise, jog on."""
    contacts = [BRAKES + LOW_STEP * i for i in range(spec.low_steps + 3)]  # right, left, right, ...
    lifts = contacts[-1] + 18
    resumes = lifts + 4 + (lifts + jog_step()) % 2
    course = plot_course(
        (steady_jog(), steady_jog()),
        resumes + jog_step(),
        (
            first_flight(BRAKES, 2.4, sinks_m=0.02),
            Support(BRAKES + 11, 0.88, (1.95, 0.0)),
            *(Support(frame + 8, spec.height_m, (spec.speed_m_s, 0.0)) for frame in contacts[1:-2]),
            Support(contacts[-2] + 10, 0.83, (1.75, 0.0)),
            Support(contacts[-1] + 6, 0.895, (2.05, 0.0)),
            Flight(lifts, resumes, 0.96, 0.965, (2.35, 0.0)),
        ),
        leaves=LEAVES,
        returns=resumes + RETURNS,
    )
    feet, carriage = _feet(course, contacts, lifts, resumes), _carriage(spec, contacts)
    return stage(Action(spec.name, course, feet, carriage), lowest_head)


def _feet(course: Course, contacts: list[int], lifts: int, resumes: int) -> tuple[FootPlan, FootPlan]:
    pieces = {LEFT: [course.foot_before(LEFT, left_lifts())], RIGHT: [course.foot_before(RIGHT, LEAVES)]}
    ups = [*(frame + OVERLAP for frame in contacts[1:]), lifts]
    for i, (down, up) in enumerate(zip(contacts, ups, strict=True)):
        side = LEFT if i % 2 else RIGHT
        aside = HALF_TRACK_M if side == LEFT else -HALF_TRACK_M
        place = course.place(down, AHEAD_M if i else FIRST_AHEAD_M, aside)
        pieces[side].append(stance(down, up, place, roll=ROLL))
    swings = {side: [STEP_ON] * len(own) for side, own in pieces.items()}
    swings[LEFT][-1], swings[RIGHT][0] = FOLD, REACH_OUT
    pieces[LEFT].append(course.foot_after(LEFT, course.last - 14))
    pieces[RIGHT].append(course.foot_after(RIGHT, resumes))
    return FootPlan(pieces[LEFT], swings[LEFT]), FootPlan(pieces[RIGHT], swings[RIGHT])


def _carriage(spec: Duck, contacts: list[int]) -> Carriage:
    """Hinge at the hips, then bend the back and look down; the chest turns against the steps."""
    start, down, up = left_lifts(), contacts[1] + 10, contacts[-2] - 4
    risen = contacts[-1] + 10
    hips, back = 0.55 * spec.hinge, 0.45 * spec.hinge

    def turning(degrees: float) -> list[tuple[float, float]]:
        """Turn by so much to the right when a left foot lands, to the left when a right one does."""
        return [(BRAKES, 0.0), *((down, degrees * (1 if i % 2 else -1)) for i, down in enumerate(contacts[1:], 1))]

    trunk = {
        "pelvis_yaw": turning(5.0),
        "pelvis_pitch": ((start, 6.0), (BRAKES + 4, 8.0), (down, hips), (up, hips), (risen, 12.0)),
        "spine_flexion": ((start, 4.0), (BRAKES + 8, 8.0), (down + 4, back), (up + 2, back), (risen + 2, 6.0)),
        "spine_yaw": turning(-10.0),
        "gaze": (
            (start, 4.0), (BRAKES + 6, 6.0), (down + 4, spec.gaze + 2.0), (up - 2, spec.gaze), (up + 8, 22.0),
            (risen, 4.0),
        ),
        "head_yaw": turning(5.0),
    }  # fmt: skip
    swing = [
        [(down, 22.0 + 7.0 * (1 if (i + side) % 2 else -1)) for i, down in enumerate(contacts[1:-1], 1)]
        for side in (RIGHT, LEFT)
    ]
    arms = {
        "upper_arm": (
            ((start, -12.0), (BRAKES + 6, -4.0), *swing[0], (risen, -34.0)),
            ((start, -38.0), (BRAKES + 6, -14.0), *swing[1], (risen, -10.0)),
        ),
        "upper_arm_out": (((start, 14.0), (down, 20.0), (up, 20.0), (risen, 14.0)),) * 2,
        "upper_arm_turn": (((start, 28.0), (down, 8.0), (up, 8.0), (risen, 28.0)),) * 2,
        "elbow": (((start, 102.0), (down, 104.0), (up, 104.0), (risen, 100.0)),) * 2,
    }
    return Carriage(trunk, arms, taken_up=(LEAVES, BRAKES + 8), given_up=(risen - 8, contacts[-1] + 42))
