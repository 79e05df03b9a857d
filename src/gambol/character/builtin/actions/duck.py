"""A duck: jog in, hinge and lower, pass below something, rise, jog out."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.character.builtin.actions.course import Course, plot_course
from gambol.character.builtin.actions.feet import Swing, stance
from gambol.character.builtin.actions.jog import steady_jog
from gambol.character.builtin.actions.jumps import FOLD, LEAVES, LEFT_LIFTS, RETURNS, STEP
from gambol.character.builtin.actions.mass_path import Flight, Support
from gambol.character.builtin.actions.staging import Action, Carriage, FootPlan, lowest_head, stage
from gambol.character.builtin.authored import AuthoredClip


@dataclass(frozen=True)
class Duck:
    """What ducks differ in."""

    name: str
    low_steps: int  # steps taken below, odd
    speed_m_s: float  # below
    height_m: float  # of the centre of mass below
    hinge: float  # degrees by which hips and spine bend


DUCK = Duck("duck", low_steps=3, speed_m_s=1.45, height_m=0.74, hinge=76.0)
BRAKES, LOW_STEP, OVERLAP = 24, 21, 3  # frames: first contact, from contact to contact below, both feet down


def duck(spec: Duck) -> AuthoredClip:
    """Jog, duck and step on, rise, jog on."""
    contacts = [BRAKES + LOW_STEP * i for i in range(spec.low_steps + 3)]  # right, left, right, ...
    lifts = contacts[-1] + 18
    resumes = lifts + 4 + (lifts + STEP) % 2
    last = resumes + STEP
    low = [Support(frame + 8, spec.height_m, (spec.speed_m_s, 0.0)) for frame in contacts[1:-2]]
    course = plot_course(
        (steady_jog(), steady_jog()),
        last,
        (
            Flight(LEFT_LIFTS, BRAKES, 0.965, 0.945, (2.4, 0.0)),
            Support(BRAKES + 11, 0.88, (1.95, 0.0)),
            *low,
            Support(contacts[-2] + 10, 0.83, (1.75, 0.0)),
            Support(contacts[-1] + 6, 0.895, (2.05, 0.0)),
            Flight(lifts, resumes, 0.96, 0.965, (2.35, 0.0)),
        ),
        leaves=LEAVES,
        returns=resumes + RETURNS,
    )
    feet, carriage = _feet(course, contacts, lifts, resumes), _carriage(spec, contacts, last)
    return stage(Action(spec.name, course, feet, carriage), lowest_head)


def _feet(course: Course, contacts: list[int], lifts: int, resumes: int) -> tuple[FootPlan, FootPlan]:
    step = Swing(((0.35, 2.0, 76.0), (0.7, 40.0, 82.0)), ((0.3, -55.0), (0.65, -22.0), (0.88, 4.0)))
    pieces = {0: [course.foot_before(0, LEFT_LIFTS)], 1: [course.foot_before(1, LEAVES)]}
    swings = {0: [step], 1: [Swing(((0.5, 30.0, 58.0),), ((0.5, -5.0),))]}
    for i, frame in enumerate(contacts):
        side = (i + 1) % 2
        up = lifts if i == len(contacts) - 1 else contacts[i + 1] + OVERLAP
        place = course.place(frame, 0.24 if i else 0.38, (-0.06, 0.06)[side == 0])
        roll = ((0.0, 9.0), (0.14, 0.0), (0.5, 0.0), (0.75, -14.0), (1.0, -48.0))
        pieces[side].append(stance(frame, up, place, roll=roll))
        swings[side].append(step)
    pieces[0].append(course.foot_after(0, course.last - 14))
    pieces[1].append(course.foot_after(1, resumes))
    swings[0][-1] = FOLD
    return FootPlan(pieces[0], swings[0]), FootPlan(pieces[1], swings[1])


def _carriage(spec: Duck, contacts: list[int], last: int) -> Carriage:
    down, up = contacts[1] + 10, contacts[-2] - 4
    risen = contacts[-1] + 10
    trunk = {
        "pelvis_yaw": ((BRAKES, -3.0), *((frame, (-5.0, 5.0)[i % 2]) for i, frame in enumerate(contacts[1:], 1))),
        "pelvis_pitch": ((LEFT_LIFTS, 6.0), (BRAKES + 4, 8.0), (down, 0.55 * spec.hinge), (up, 0.55 * spec.hinge), (risen, 12.0)),
        "spine_flexion": ((LEFT_LIFTS, 4.0), (BRAKES + 8, 8.0), (down + 4, 0.45 * spec.hinge), (up + 2, 0.45 * spec.hinge), (risen + 2, 6.0)),
        "spine_yaw": ((BRAKES, 4.0), *((frame, (10.0, -10.0)[i % 2]) for i, frame in enumerate(contacts[1:], 1))),
        "gaze": ((LEFT_LIFTS, 4.0), (BRAKES + 6, 6.0), (down + 4, 62.0), (up - 2, 60.0), (up + 8, 22.0), (risen, 4.0)),
        "head_yaw": ((BRAKES, -4.0), *((frame, (-6.0, 6.0)[i % 2]) for i, frame in enumerate(contacts[1:], 1))),
    }
    swing = [tuple((frame, base + (6.0, -6.0)[(i + side) % 2]) for i, frame in enumerate(contacts[1:-1], 1)) for side, base in ((0, 34.0), (1, 34.0))]
    arms = {
        "upper_arm": (
            ((LEFT_LIFTS, -12.0), (BRAKES + 6, -4.0), *swing[0], (risen, -34.0)),
            ((LEFT_LIFTS, -38.0), (BRAKES + 6, -14.0), *swing[1], (risen, -10.0)),
        ),
        "upper_arm_out": (((LEFT_LIFTS, 14.0), (down, 12.0), (risen, 14.0)),) * 2,
        "elbow": (((LEFT_LIFTS, 102.0), (down, 72.0), (up, 70.0), (risen, 100.0)),) * 2,
    }
    return Carriage(trunk, arms, taken_up=(LEAVES, BRAKES + 8), given_up=(risen - 8, last - 4))
