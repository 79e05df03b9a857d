"""Crawling: down onto hands and knees, along, up again; and all of it as one clip."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from tools.authoring.actions.course import Course, plot_course
from tools.authoring.actions.crawl_cycle import knee_place, steady_crawl
from tools.authoring.actions.curves import ease
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
from tools.authoring.actions.kneel import TUCKED_DEGREES, ball_behind, turn_over
from tools.authoring.actions.mass_path import Flight, Support
from tools.authoring.actions.staging import Action, AllFours, Carriage, FootPlan, middle, stage
from tools.authoring.authored import MARGIN, AuthoredClip
from tools.authoring.figure import LEFT, RIGHT
from tools.authoring.locomotion.joined import joined

from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import Contacts, contact_points
from gambol.motion.ground import Ground

CRAWL_LABEL = "crawl"
CYCLES = 2  # in the complete crawl
PALM_LEADS = 5  # frames by which a palm is turned to the ground before its hand is there
HANDS_FROM_ABOVE_M = 0.10  # how much higher than straight hands come

# Going down, in frames: the right foot brakes, the left foot stops, the right one joins it; the right
# hand lands, then the left one, the right knee, and with the last frame the left knee.
BRAKES, STOPS, JOINS, SQUATS = 23, 44, 64, 86
RIGHT_HAND, LEFT_HAND, RIGHT_KNEE, LEFT_FOOT_LIFTS, DOWN = 92, 109, 114, 120, 146
# Getting up: the right foot steps beneath the body, the left foot pushes off, then steps.
RIGHT_FOOT, LEFT_PUSHES, RISES, LEFT_STEPS = 31, 39, 46, 62

STEP_IN = Swing(((0.35, 4.0, 82.0), (0.7, 36.0, 70.0)), ((0.25, -70.0), (0.65, -25.0), (0.9, 8.0)))
CLOSE_UP = Swing(((0.45, 0.0, 84.0), (0.78, 26.0, 96.0)), ((0.35, -60.0), (0.75, -18.0)))
KNEEL_DOWN = Swing(((0.5, 20.0, 125.0),), ((0.5, -125.0),))
FOOT_UNDER = Swing(((0.5, 40.0, 128.0), (0.8, 76.0, 140.0)), ((0.4, -120.0), (0.75, -40.0)), out_m=-0.035)
STEP_UP = Swing(((0.4, 20.0, 100.0), (0.75, 52.0, 84.0)), ((0.3, -70.0), (0.7, -20.0)))
STEP_OUT = Swing(((0.35, 5.0, 85.0), (0.7, 36.0, 70.0)), ((0.3, -60.0), (0.7, -12.0)))
AT_ONCE = Swing(())


def crawl() -> AuthoredClip:
    """Go down, crawl for some strides, get up; the event is the middle of the crawl."""
    whole = joined("crawl", (crawl_in(), *[crawl_cycle()] * CYCLES, crawl_out()))
    crawled = DOWN + CYCLES * steady_crawl().frame_count // 2
    return replace(whole, event=MARGIN + crawled)


@cache
def crawl_cycle() -> AuthoredClip:
    """Crawl one stride."""
    cycle = steady_crawl()
    frames = np.arange(-MARGIN, cycle.frame_count + MARGIN + 1)
    motion = cycle.motion(int(frames[0]), int(frames[-1]))
    path = np.column_stack((motion.root_positions[:, :2], np.zeros(len(frames))))
    contacts = Contacts(contact_points(motion.skeleton), cycle.planted_at(frames), Ground(0.0))
    return AuthoredClip("crawl-cycle", CRAWL_LABEL, CRAWL_LABEL, motion, path, contacts, middle(motion))


@cache
def crawl_in() -> AuthoredClip:
    """Jog, brake, squat, put the hands down, then the knees."""
    course = plot_course(
        (steady_jog(), steady_crawl()),
        DOWN,
        (
            first_flight(BRAKES, 2.4),
            Support(34, 0.91, (1.95, 0.0)),
            Support(STOPS, 0.90, (1.45, 0.0)),
            Support(56, 0.82, (0.8, 0.0)),
            Support(JOINS + 4, 0.68, (0.45, 0.0)),
            Support(82, 0.49, (0.42, 0.0)),
            Support(94, 0.44, (0.6, 0.0)),
        ),
        leaves=LEAVES,
        returns=RIGHT_KNEE,
    )
    all_fours = _crawling(
        course, pelvis=(RIGHT_HAND - 4, RIGHT_KNEE), hands=((SQUATS + 2, LEFT_HAND), (JOINS + 10, RIGHT_HAND))
    )
    action = Action("crawl-in", course, _feet_in(course), _carriage_in(), all_fours, ends=CRAWL_LABEL)
    return stage(action, middle)


@cache
def crawl_out() -> AuthoredClip:
    """Bring a foot beneath the body, let go of the ground, rise, jog."""
    lifts = LEFT_STEPS + 18
    resumes = lifts + 4
    course = plot_course(
        (steady_crawl(), steady_jog()),
        resumes + jog_step(),
        (
            Support(RIGHT_FOOT, 0.49, (0.6, 0.0)),
            Support(45, 0.63, (0.8, 0.0)),
            Support(57, 0.80, (1.15, 0.0)),
            Support(LEFT_STEPS + 6, 0.89, (1.6, 0.0)),
            Flight(lifts, resumes, 0.955, 0.965, (2.2, 0.0)),
        ),
        leaves=18,
        returns=resumes + RETURNS,
    )
    all_fours = _crawling(course, pelvis=(20, 38), hands=((10, 36), (28, 48)), rising=True)
    feet = _feet_out(course, lifts, resumes)
    return stage(Action("crawl-out", course, feet, _carriage_out(lifts), all_fours, begins=CRAWL_LABEL), middle)


def _crawling(
    course: Course, *, pelvis: tuple[int, int], hands: tuple[tuple[int, int], tuple[int, int]], rising: bool = False
) -> AllFours:
    """Say between which frames the crawl after the course sets in, or, rising, the one before it ends."""
    frames, cycle = course.frames, steady_crawl()
    own, pose = (frames, (0.0, 0.0, 0.0)) if rising else (frames - course.last, course.end)

    def weight(first: int, last: int) -> FloatArray:
        return ease(frames, last, first) if rising else ease(frames, first, last)

    reach = np.column_stack([weight(*span) for span in hands])
    lead = -PALM_LEADS if rising else PALM_LEADS
    palms = np.column_stack([weight(first - 2 * lead, last - lead) for first, last in hands])
    tracks = cycle.at(own, pose=pose)
    assert tracks.hands is not None
    tracks.hands[..., 2] += HANDS_FROM_ABOVE_M * (1.0 - reach)
    resting = cycle.planted_at(own)[:, 4:] & (reach == 1.0)
    return AllFours(tracks, weight(*pelvis), reach, palms, resting)


def _feet_in(course: Course) -> tuple[FootPlan, FootPlan]:
    knee = knee_place(RIGHT, course.end[0])
    stopping = ((0.0, 12.0), (0.08, 0.0), (0.3, 0.0), (0.5, -28.0), (0.75, -46.0), (1.0, -62.0))
    braking = ((0.0, 12.0), (0.15, 0.0), (0.5, 0.0), (1.0, -42.0))
    squatting = ((0.0, -6.0), (0.12, 0.0), (0.3, -14.0), (0.6, -44.0), (1.0, TUCKED_DEGREES))
    left = FootPlan(
        (
            course.foot_before(LEFT, left_lifts()),
            stance(STOPS, LEFT_FOOT_LIFTS, course.place(STOPS, 0.44, 0.10), roll=stopping),
            course.foot_after(LEFT, DOWN - 6),
        ),
        (STEP_IN, KNEEL_DOWN),
    )
    right = FootPlan(
        (
            course.foot_before(RIGHT, LEAVES),
            stance(BRAKES, STOPS + 6, course.place(BRAKES, 0.42, -0.05), roll=braking),
            stance(JOINS, RIGHT_KNEE - 3, ball_behind(knee), roll=squatting),
            turn_over(RIGHT_KNEE - 2, DOWN - 20, knee, onto_toes=False),
            course.foot_after(RIGHT, DOWN - 19),
        ),
        (REACH_OUT, CLOSE_UP, AT_ONCE, AT_ONCE),
    )
    return left, right


def _feet_out(course: Course, lifts: int, resumes: int) -> tuple[FootPlan, FootPlan]:
    knee = knee_place(LEFT, 0.0)
    pushing = ((0.0, TUCKED_DEGREES), (0.5, -64.0), (1.0, -66.0))
    stepping = ((0.0, 4.0), (0.14, 0.0), (0.45, 0.0), (0.7, -14.0), (1.0, -52.0))
    rising = ((0.0, -20.0), (0.2, 0.0), (0.6, 0.0), (0.8, -18.0), (1.0, -54.0))
    left = FootPlan(
        (
            course.foot_before(LEFT, 10),
            turn_over(11, 28, knee, onto_toes=True),
            stance(29, LEFT_PUSHES, ball_behind(knee), roll=pushing),
            stance(LEFT_STEPS, lifts, course.place(LEFT_STEPS, 0.36, 0.05), roll=stepping),
            course.foot_after(LEFT, course.last - 14),
        ),
        (AT_ONCE, AT_ONCE, STEP_UP, FOLD),
    )
    right = FootPlan(
        (
            course.foot_before(RIGHT, 8),
            stance(RIGHT_FOOT, LEFT_STEPS + 3, (0.58, -0.09), roll=rising),
            course.foot_after(RIGHT, resumes),
        ),
        (FOOT_UNDER, STEP_OUT),
    )
    return left, right


def _carriage_in() -> Carriage:
    """Lean back to brake, fold down into the squat, reach for the ground with the right hand first."""
    trunk = {
        "pelvis_yaw": ((BRAKES, -3.0), (STOPS, 4.0), (JOINS, 0.0)),
        "pelvis_pitch": ((BRAKES, 0.0), (STOPS, 4.0), (JOINS, 30.0), (SQUATS, 56.0), (RIGHT_HAND + 6, 74.0)),
        "spine_flexion": ((BRAKES, 0.0), (STOPS, 3.0), (JOINS, 22.0), (SQUATS, 34.0), (RIGHT_HAND + 6, 24.0)),
        "spine_yaw": ((BRAKES, 6.0), (STOPS, -6.0), (JOINS, 0.0), (RIGHT_HAND - 4, 12.0), (LEFT_HAND, 0.0)),
        "gaze": ((BRAKES, 14.0), (STOPS, 26.0), (JOINS, 44.0), (SQUATS, 58.0), (RIGHT_HAND, 66.0)),
        "head_yaw": ((BRAKES, 0.0), (JOINS, 0.0)),
    }
    arms = {
        "upper_arm": (
            ((BRAKES, -6.0), (STOPS, -26.0), (JOINS, 16.0), (SQUATS, 48.0), (LEFT_HAND, 80.0)),
            ((BRAKES, -40.0), (STOPS, -4.0), (JOINS, 24.0), (SQUATS, 68.0), (RIGHT_HAND, 84.0)),
        ),
        "upper_arm_out": (((BRAKES, 14.0), (JOINS, 20.0), (SQUATS, 14.0), (LEFT_HAND, 4.0)),) * 2,
        "upper_arm_turn": (((BRAKES, 26.0), (JOINS, 12.0), (SQUATS, 0.0)),) * 2,
        "elbow": (((BRAKES, 95.0), (JOINS, 60.0), (SQUATS, 56.0), (LEFT_HAND, 40.0)),) * 2,
    }
    return Carriage(trunk, arms, taken_up=(LEAVES, BRAKES + 10), given_up=(RIGHT_HAND, LEFT_HAND + 6))


def _carriage_out(lifts: int) -> Carriage:
    """Unfold from the ground up: hips, back, head; the arms swing into the jog."""
    start, up = 10, LEFT_STEPS
    trunk = {
        "pelvis_yaw": ((start, 0.0), (RIGHT_FOOT, 6.0), (52, 4.0), (up, -5.0), (lifts, -3.0)),
        "pelvis_pitch": ((start, 79.0), (RIGHT_FOOT - 4, 76.0), (RISES, 50.0), (up, 18.0), (lifts, 9.0)),
        "pelvis_twist": ((start, 0.0), (RIGHT_FOOT, 0.0)),
        "spine_flexion": ((start, 10.0), (RIGHT_FOOT, 20.0), (RISES, 22.0), (up, 10.0), (lifts, 5.0)),
        "spine_yaw": ((start, 0.0), (RIGHT_FOOT, 0.0), (52, -6.0), (up, 8.0), (lifts, 6.0)),
        "gaze": ((start, 67.0), (RIGHT_FOOT, 58.0), (RISES, 36.0), (up, 10.0), (lifts, 4.0)),
        "head_yaw": ((start, 0.0), (up, 0.0)),
    }
    arms = {
        "upper_arm": (
            ((start, 80.0), (24, 58.0), (RISES, 50.0), (up, -40.0), (lifts, -8.0)),
            ((start, 80.0), (RIGHT_FOOT, 78.0), (RISES, 20.0), (up, 0.0), (lifts, -44.0)),
        ),
        "upper_arm_out": (((start, 4.0), (RISES, 16.0), (up, 26.0), (lifts, 16.0)),) * 2,
        "upper_arm_turn": (((start, 0.0), (RISES, 0.0), (up, 2.0), (lifts, 26.0)),) * 2,
        "elbow": (
            ((start, 40.0), (26, 86.0), (RISES, 60.0), (up, 85.0), (lifts, 98.0)),
            ((start, 40.0), (RIGHT_FOOT, 40.0), (RISES, 50.0), (up, 85.0), (lifts, 98.0)),
        ),
    }
    return Carriage(trunk, arms, taken_up=(start, RIGHT_FOOT), given_up=(up + 4, lifts + 22))
