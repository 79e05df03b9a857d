"""The steps of a leap: out of the jog, off the right foot, onto the left one, into the jog, around a turn or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from tools.authoring.actions.course import Course, plot_course
from tools.authoring.actions.curves import Keys, through
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
from tools.authoring.actions.mass_path import Flight
from tools.authoring.actions.staging import FootPlan
from tools.authoring.authored import MARGIN, RATE_HZ
from tools.authoring.figure import LEFT, RIGHT
from tools.authoring.mass import GRAVITY_M_S2

RUNNING = Swing(
    ((0.2, -14.0, 46.0), (0.45, 14.0, 86.0), (0.7, 33.0, 68.0), (0.88, 32.0, 36.0)),
    ((0.2, -80.0), (0.45, -72.0), (0.7, -40.0), (0.9, 0.0)),
)
HALF_TRACK_M = 0.04
LEAN_SHARE = 0.8  # of the lean that would balance the body in a turn
MASS_HEIGHT_M = 0.95


@dataclass(frozen=True)
class Contact:
    """A foot's stay on the ground, and how the body comes to it through the air."""

    side: int
    down: int  # frames
    up: int
    heights_m: tuple[float, float]  # of the centre of mass, at the start and the end of the flight before
    speed_m_s: float  # in the flight before
    ahead_m: float  # of the centre of mass, where the ball of the foot lands
    roll: Keys
    turned: float = 0.0  # share of the turn made before


@dataclass(frozen=True, eq=False)
class Run:
    """All contacts but those of the jog itself; the last of them leads over to the jog's step on the right foot."""

    contacts: tuple[Contact, ...]  # right, left, right, ... left
    resumes: Contact  # the jog's
    turn_rad: float = 0.0

    @property
    def last(self) -> int:
        return self.resumes.down + jog_step()


def spread_turn(run: Run, turn_rad: float) -> Run:
    """Turn by equal parts while each of the feet is on the ground; the last contact ends the turn."""
    shares = np.linspace(0.0, 1.0, len(run.contacts) + 1)
    turned = [replace(contact, turned=float(share)) for contact, share in zip(run.contacts, shares, strict=False)]
    return Run(tuple(turned), replace(run.resumes, turned=1.0), turn_rad)


def run_course(run: Run) -> Course:
    """Return where the body goes."""
    way = (*run.contacts, run.resumes)
    stages = [first_flight(way[0].down, way[0].speed_m_s)]
    for before, after in pairwise(way):
        angle = run.turn_rad * after.turned
        velocity = (after.speed_m_s * float(np.cos(angle)), after.speed_m_s * float(np.sin(angle)))
        stages.append(Flight(before.up, after.down, *after.heights_m, velocity))
    frames = np.arange(-MARGIN, run.last + MARGIN + 1, dtype=np.float64)
    lifts = (left_lifts(), *(contact.up for contact in run.contacts))
    keys = [
        key
        for up, contact in zip(lifts, way, strict=True)
        for key in ((up, contact.turned), (contact.down, contact.turned))
    ]
    return plot_course(
        (steady_jog(), steady_jog()),
        run.last,
        stages,
        leaves=LEAVES,
        returns=run.resumes.down + RETURNS,
        heading=run.turn_rad * through(keys, frames),
    )


def leans(run: Run) -> list[tuple[int, float]]:
    """Return keys of the lean to the left, radians, that balances the body at each contact."""
    way = (*run.contacts, run.resumes)
    keys = [(left_lifts(), 0.0)]
    for contact, after in pairwise(way):
        rate = run.turn_rad * (after.turned - contact.turned) / ((contact.up - contact.down) / RATE_HZ)
        speed = 0.5 * (contact.speed_m_s + after.speed_m_s)
        keys.append(((contact.down + contact.up) // 2, LEAN_SHARE * float(np.arctan(rate * speed / GRAVITY_M_S2))))
    return [*keys, (run.resumes.down, 0.0)]


def run_feet(run: Run, course: Course, swings: dict[int, Swing]) -> tuple[FootPlan, FootPlan]:
    """Return both feet; swings names those, by the frame in which they begin, that are not a runner's."""
    pieces = {LEFT: [course.foot_before(LEFT, left_lifts())], RIGHT: [course.foot_before(RIGHT, LEAVES)]}
    way = (*run.contacts, run.resumes)
    for (contact, after), (_, lean) in zip(pairwise(way), leans(run)[1:-1], strict=True):
        yaw = run.turn_rad * 0.5 * (contact.turned + after.turned)
        # In a turn the feet stay outside, so that what pushes the body pushes it inward.
        aside = (HALF_TRACK_M if contact.side == LEFT else -HALF_TRACK_M) - MASS_HEIGHT_M * float(np.tan(lean))
        ball = course.place(contact.down, contact.ahead_m, aside, heading=yaw)
        pieces[contact.side].append(stance(contact.down, contact.up, ball, yaw=yaw, roll=contact.roll))
    pieces[LEFT].append(course.foot_after(LEFT, course.last - 14))
    pieces[RIGHT].append(course.foot_after(RIGHT, run.resumes.down))
    swings = {LEAVES: REACH_OUT, run.contacts[-1].up: FOLD} | swings
    left, right = (
        FootPlan(own, [swings.get(piece.last, RUNNING) for piece in own[:-1]]) for own in (pieces[LEFT], pieces[RIGHT])
    )
    return left, right
