"""Leaps out of a jog, from the right foot onto the left one, straight ahead or around a turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tools.authoring.actions.curves import Keys
from tools.authoring.actions.feet import LegKeys, Swing
from tools.authoring.actions.jog import left_lifts
from tools.authoring.actions.run import Contact, Run, leans, run_course, run_feet, spread_turn
from tools.authoring.actions.staging import Action, Carriage, highest_mass, stage
from tools.authoring.authored import AuthoredClip
from tools.authoring.figure import LEFT, RIGHT

LEAD_PITCH = ((0.2, -75.0), (0.45, -40.0), (0.65, -15.0), (0.85, -8.0))
TRAIL_PITCH = ((0.2, -85.0), (0.5, -95.0), (0.75, -40.0), (0.9, -5.0))
TAKE_OFF_ROLL = ((0.0, 6.0), (0.2, 0.0), (0.5, 0.0), (0.72, -16.0), (1.0, -56.0))
LANDING_ROLL = ((0.0, -26.0), (0.26, 0.0), (0.45, 0.0), (0.7, -14.0), (1.0, -55.0))
RUNNING_ROLL = ((0.0, -3.0), (0.2, 0.0), (0.45, 0.0), (0.7, -16.0), (1.0, -56.0))
TURNING_STEPS = 2  # taken before and after a leap around a turn; an even number
CALM = 0.22  # share of the speed that a turn of 90 degrees costs


@dataclass(frozen=True)
class Leap:
    """What leaps differ in."""

    name: str
    aloft: int  # frames in the air, even
    speed_m_s: float  # in the air
    speed_after_m_s: float  # once the landing is absorbed
    heights_m: tuple[float, float]  # of the centre of mass at take-off and landing
    lead: LegKeys  # the left leg in the air
    trail: LegKeys  # the right leg in the air
    stoop: float  # degrees by which the trunk folds over the lead thigh
    reach: float  # degrees to which the right arm swings up


#: Over a hurdle.
HURDLE = Leap(
    "jump-over",
    aloft=30,
    speed_m_s=2.5,
    speed_after_m_s=2.25,
    heights_m=(1.03, 0.965),
    lead=((0.2, -18.0, 72.0), (0.4, 34.0, 126.0), (0.58, 84.0, 122.0), (0.82, 64.0, 60.0)),
    trail=((0.25, -42.0, 80.0), (0.5, -16.0, 116.0), (0.72, 22.0, 112.0), (0.88, 36.0, 72.0)),
    stoop=30.0,
    reach=38.0,
)
#: Farther and a little higher, with a straighter back.
LONG_HURDLE = Leap(
    "jump-over-far",
    aloft=32,
    speed_m_s=2.7,
    speed_after_m_s=2.3,
    heights_m=(1.02, 0.965),
    lead=((0.2, -18.0, 72.0), (0.4, 34.0, 124.0), (0.58, 82.0, 112.0), (0.82, 62.0, 54.0)),
    trail=((0.25, -44.0, 66.0), (0.5, -24.0, 104.0), (0.72, 16.0, 108.0), (0.88, 36.0, 72.0)),
    stoop=20.0,
    reach=46.0,
)
#: Over something low: flat and quick.
HOP = Leap(
    "jump",
    aloft=20,
    speed_m_s=2.6,
    speed_after_m_s=2.35,
    heights_m=(1.015, 0.965),
    lead=((0.24, -18.0, 66.0), (0.45, 26.0, 108.0), (0.66, 64.0, 100.0), (0.84, 50.0, 50.0)),
    trail=((0.25, -36.0, 62.0), (0.5, -14.0, 104.0), (0.72, 20.0, 104.0), (0.88, 35.0, 70.0)),
    stoop=18.0,
    reach=16.0,
)
LOOSE_HOP = Leap(
    "jump-loose",
    aloft=22,
    speed_m_s=2.45,
    speed_after_m_s=2.3,
    heights_m=(1.015, 0.965),
    lead=((0.24, -16.0, 68.0), (0.45, 28.0, 112.0), (0.66, 66.0, 108.0), (0.84, 50.0, 56.0)),
    trail=((0.25, -38.0, 70.0), (0.5, -18.0, 108.0), (0.72, 18.0, 108.0), (0.88, 35.0, 72.0)),
    stoop=22.0,
    reach=28.0,
)


def leap(spec: Leap, *, turn_deg: float = 0.0) -> AuthoredClip:
    """Jog, leap from the right foot, land on the left one, jog on; a turn is made on the ground, not in the air."""
    steps = 0 if turn_deg == 0.0 else TURNING_STEPS
    run = spread_turn(_plan(spec, steps, 1.0 - CALM * abs(turn_deg) / 90.0), np.radians(turn_deg))
    take_off, landing = run.contacts[steps], run.contacts[steps + 1]
    lead_lifts = left_lifts() if steps == 0 else run.contacts[steps - 1].up
    course = run_course(run)
    swings = {lead_lifts: Swing(spec.lead, LEAD_PITCH), take_off.up: Swing(spec.trail, TRAIL_PITCH)}
    side = "" if turn_deg == 0.0 else f"-{'left' if turn_deg > 0.0 else 'right'}-{abs(turn_deg):.0f}"
    carriage = _carriage(spec, run, take_off, landing)
    return stage(Action(spec.name + side, course, run_feet(run, course, swings), carriage), highest_mass)


def _plan(spec: Leap, steps: int, pace: float) -> Run:
    """Return the contacts, with so many running steps before the take-off and after the landing."""
    contacts: list[Contact] = []
    up = left_lifts()

    def add(flight: int, ground: int, heights: tuple[float, float], speed: float, ahead: float, roll: Keys) -> None:
        nonlocal up
        down = up + flight
        up = down + ground
        side = LEFT if len(contacts) % 2 else RIGHT
        contacts.append(Contact(side, down, up, heights, pace * speed, ahead, roll))

    # A body that leans is lower, a slower one steps shorter.
    height, ahead = 0.965 - 0.15 * (1.0 - pace), 0.32 - 0.35 * (1.0 - pace)
    for _ in range(steps):
        add(6, 16, (height + 0.005, height), 2.5, ahead, RUNNING_ROLL)
    faster = pace * spec.speed_m_s - 2.5
    add(7, 15, (0.965, 0.955), 2.55, 0.36 + 0.12 * faster, TAKE_OFF_ROLL)
    add(spec.aloft, 18, spec.heights_m, spec.speed_m_s, 0.32 + 0.2 * faster, LANDING_ROLL)
    for _ in range(steps):
        add(6, 16, (height + 0.005, height), spec.speed_after_m_s, ahead - 0.02, RUNNING_ROLL)
    down = up + 6 + up % 2
    resumes = Contact(RIGHT, down, down, (0.975, 0.975), max(pace * 2.4, spec.speed_after_m_s), 0.0, ())
    return Run(tuple(contacts), resumes)


def _carriage(spec: Leap, run: Run, take_off: Contact, landing: Contact) -> Carriage:
    start, down, off = take_off.down - 7, take_off.down, take_off.up
    lands, lifts = landing.down, landing.up
    top, sunk, on = 0.5 * (off + lands), lands + 9, lifts + 6
    fold = 0.5 * spec.stoop
    lean = [(frame, float(np.degrees(angle))) for frame, angle in leans(run)]
    trunk = {
        "pelvis_yaw": ((down, 0.0), (off, 4.0), (top, 6.0), (lands, -2.0), (lifts, -4.0)),
        "pelvis_pitch": (
            (start, 7.0), (down + 5, 4.0), (off, 6.0), (top, fold), (lands, fold), (sunk, 16.0), (on, 8.0),
        ),
        "pelvis_roll": [(frame, -0.35 * value) for frame, value in lean],
        "spine_flexion": (
            (start, 5.0), (down + 6, 2.0), (off, 3.0), (top, fold), (lands, 10.0), (sunk, 16.0), (on, 5.0),
        ),
        "spine_roll": [(frame, -0.25 * value) for frame, value in lean],
        "spine_yaw": ((down, -4.0), (off, -10.0), (top, -12.0), (lands, 0.0), (lifts, 10.0)),
        "gaze": ((start, 12.0), (down + 5, 8.0), (off, 0.0), (top, 16.0), (lands, 22.0), (sunk, 14.0), (on, 5.0)),
        "head_yaw": ((down, 4.0), (off, 8.0), (top, 8.0), (lands, 0.0), (lifts, -8.0)),
    }  # fmt: skip
    arms = {
        "upper_arm": (
            (
                (start, -20.0), (down + 4, -10.0), (off, -58.0), (top, -50.0), (lands, -25.0), (sunk, -10.0),
                (on, -20.0),
            ),
            (
                (start, -50.0), (down + 5, -45.0), (off - 2, 5.0), (off + 6, spec.reach), (top + 4, 0.8 * spec.reach),
                (lands, -15.0), (sunk, -50.0), (on, -45.0),
            ),
        ),
        "upper_arm_out": (
            ((start, 14.0), (off, 24.0), (top, 34.0), (lands, 26.0), (lifts, 16.0)),
            ((start, 14.0), (off, 16.0), (top, 22.0), (lands, 20.0), (lifts, 16.0)),
        ),
        "elbow": (
            ((start, 105.0), (off, 95.0), (top, 80.0), (lands, 85.0), (lifts, 105.0)),
            ((start, 100.0), (off, 85.0), (top, 70.0), (lands, 80.0), (lifts, 105.0)),
        ),
    }  # fmt: skip
    return Carriage(trunk, arms, taken_up=(down - 15, down), given_up=(lifts - 4, lifts + 24))
