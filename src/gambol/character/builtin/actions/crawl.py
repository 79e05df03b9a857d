"""Crawling: down onto hands and knees, along, up again; and all of it as one clip."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.character.builtin.actions.course import Course, plot_course
from gambol.character.builtin.actions.crawl_cycle import knee_place, steady_crawl
from gambol.character.builtin.actions.curves import ease
from gambol.character.builtin.actions.feet import Swing, stance
from gambol.character.builtin.actions.jog import steady_jog
from gambol.character.builtin.actions.jumps import FOLD, LEAVES, LEFT_LIFTS, RETURNS, STEP
from gambol.character.builtin.actions.kneel import TUCKED_DEGREES, ball_behind, turn_over
from gambol.character.builtin.actions.mass_path import Flight, Support
from gambol.character.builtin.actions.staging import Action, AllFours, Carriage, FootPlan, middle, stage
from gambol.character.builtin.authored import AuthoredClip

FloatArray = NDArray[np.float64]

CRAWL_LABEL = "crawl"
PALM_LEADS = 5  # frames by which a palm is turned to the ground before its hand is there
HANDS_FROM_ABOVE_M = 0.10  # how much higher than straight hands come

# Going down, in frames: the right foot brakes, the left foot stops, the right one joins it; the right
# hand lands, then the left one, the right knee, and with the last frame the left knee.
BRAKES, STOPS, JOINS, RIGHT_HAND, LEFT_HAND, RIGHT_KNEE, LEFT_FOOT_LIFTS, DOWN = 23, 44, 64, 92, 109, 114, 120, 146
# Getting up: the right foot steps beneath the body, hands and left foot leave, the left foot steps.
RIGHT_FOOT, LEFT_PUSHES, LEFT_STEPS = 31, 44, 62


def crawl_in() -> AuthoredClip:
    """Jog, brake, squat, put the hands down, then the knees."""
    course = plot_course(
        (steady_jog(), steady_crawl()),
        DOWN,
        (
            Flight(LEFT_LIFTS, BRAKES, 0.962, 0.95, (2.45, 0.0)),
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
    all_fours = _crawling(course, pelvis=(RIGHT_HAND - 4, RIGHT_KNEE), hands=((88, LEFT_HAND), (74, RIGHT_HAND)))
    action = Action("crawl-in", course, _feet_in(course), _carriage_in(), all_fours, ends=CRAWL_LABEL)
    return stage(action, middle)


def _feet_in(course: Course) -> tuple[FootPlan, FootPlan]:
    x, _ = course.place(STOPS, 0.44, 0.0)
    knee = knee_place(1, course.end[0])
    ball = ball_behind(knee)
    left = FootPlan(
        (
            course.foot_before(0, LEFT_LIFTS),
            stance(STOPS, LEFT_FOOT_LIFTS, (x, 0.10), roll=((0.0, 12.0), (0.08, 0.0), (0.3, 0.0), (0.5, -28.0), (0.75, -46.0), (1.0, -62.0))),
            course.foot_after(0, DOWN - 6),
        ),
        (
            Swing(((0.35, 4.0, 82.0), (0.7, 36.0, 70.0)), ((0.25, -70.0), (0.65, -25.0), (0.9, 8.0))),
            Swing(((0.5, 20.0, 125.0),), ((0.5, -125.0),)),
        ),
    )
    right = FootPlan(
        (
            course.foot_before(1, LEAVES),
            stance(BRAKES, STOPS + 6, course.place(BRAKES, 0.42, -0.05), roll=((0.0, 12.0), (0.15, 0.0), (0.5, 0.0), (1.0, -42.0))),
            stance(JOINS, RIGHT_KNEE - 3, ball, roll=((0.0, -6.0), (0.12, 0.0), (0.3, -14.0), (0.6, -44.0), (1.0, TUCKED_DEGREES))),
            turn_over(RIGHT_KNEE - 2, DOWN - 20, knee, onto_toes=False),
            course.foot_after(1, DOWN - 19),
        ),
        (
            Swing(((0.5, 30.0, 58.0),), ((0.5, -5.0),)),
            Swing(((0.45, 0.0, 84.0), (0.78, 26.0, 96.0)), ((0.35, -60.0), (0.75, -18.0))),
            Swing(()),
            Swing(()),
        ),
    )
    return left, right


def _carriage_in() -> Carriage:
    low = 86
    trunk = {
        "pelvis_yaw": ((BRAKES, -3.0), (STOPS, 4.0), (JOINS, 0.0)),
        "pelvis_pitch": ((BRAKES, 0.0), (STOPS, 4.0), (JOINS, 30.0), (low, 56.0), (RIGHT_HAND + 6, 74.0)),
        "spine_flexion": ((BRAKES, 0.0), (STOPS, 3.0), (JOINS, 22.0), (low, 34.0), (RIGHT_HAND + 6, 24.0)),
        "spine_yaw": ((BRAKES, 6.0), (STOPS, -6.0), (JOINS, 0.0), (RIGHT_HAND - 4, 12.0), (LEFT_HAND, 0.0)),
        "gaze": ((BRAKES, 14.0), (STOPS, 26.0), (JOINS, 44.0), (low, 58.0), (RIGHT_HAND, 66.0)),
        "head_yaw": ((BRAKES, 0.0), (JOINS, 0.0)),
    }
    arms = {
        "upper_arm": (
            ((BRAKES, -6.0), (STOPS, -26.0), (JOINS, 16.0), (low, 48.0), (LEFT_HAND, 80.0)),
            ((BRAKES, -40.0), (STOPS, -4.0), (JOINS, 24.0), (low, 68.0), (RIGHT_HAND, 84.0)),
        ),
        "upper_arm_out": (((BRAKES, 14.0), (JOINS, 20.0), (low, 14.0), (LEFT_HAND, 4.0)),) * 2,
        "upper_arm_turn": (((BRAKES, 26.0), (JOINS, 12.0), (low, 0.0)),) * 2,
        "elbow": (((BRAKES, 95.0), (JOINS, 60.0), (low, 56.0), (LEFT_HAND, 40.0)),) * 2,
    }
    return Carriage(trunk, arms, taken_up=(LEAVES, BRAKES + 10), given_up=(RIGHT_HAND, LEFT_HAND + 6))


def crawl_out() -> AuthoredClip:
    """Bring a foot beneath the body, let go of the ground, rise, jog."""
    lifts = LEFT_STEPS + 18
    resumes = lifts + 4
    last = resumes + STEP
    course = plot_course(
        (steady_crawl(), steady_jog()),
        last,
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
    action = Action("crawl-out", course, _feet_out(course, lifts, resumes), _carriage_out(lifts, last), all_fours, begins=CRAWL_LABEL)
    return stage(action, middle)


def _feet_out(course: Course, lifts: int, resumes: int) -> tuple[FootPlan, FootPlan]:
    knee = knee_place(0, 0.0)
    left = FootPlan(
        (
            course.foot_before(0, 10),
            turn_over(11, 28, knee, onto_toes=True),
            stance(29, LEFT_PUSHES, ball_behind(knee), roll=((0.0, TUCKED_DEGREES), (0.5, -64.0), (1.0, -66.0))),
            stance(LEFT_STEPS, lifts, course.place(LEFT_STEPS, 0.36, 0.05), roll=((0.0, 4.0), (0.14, 0.0), (0.45, 0.0), (0.7, -14.0), (1.0, -52.0))),
            course.foot_after(0, course.last - 14),
        ),
        (Swing(()), Swing(()), Swing(((0.4, 20.0, 100.0), (0.75, 52.0, 84.0)), ((0.3, -70.0), (0.7, -20.0))), FOLD),
    )
    right = FootPlan(
        (
            course.foot_before(1, 8),
            stance(RIGHT_FOOT, LEFT_STEPS + 3, (0.58, -0.11), roll=((0.0, -20.0), (0.2, 0.0), (0.6, 0.0), (0.8, -18.0), (1.0, -54.0))),
            course.foot_after(1, resumes),
        ),
        (
            Swing(((0.5, 40.0, 128.0), (0.8, 76.0, 140.0)), ((0.4, -120.0), (0.75, -40.0))),
            Swing(((0.35, 5.0, 85.0), (0.7, 36.0, 70.0)), ((0.3, -60.0), (0.7, -12.0))),
        ),
    )
    return left, right


def _carriage_out(lifts: int, last: int) -> Carriage:
    up = LEFT_STEPS
    trunk = {
        "pelvis_yaw": ((10, 0.0), (RIGHT_FOOT, 6.0), (LEFT_PUSHES, 4.0), (up, -5.0), (lifts, -3.0)),
        "pelvis_pitch": ((10, 79.0), (RIGHT_FOOT - 4, 76.0), (46, 50.0), (up, 18.0), (lifts, 9.0)),
        "pelvis_twist": ((10, 0.0), (RIGHT_FOOT, 0.0)),
        "spine_flexion": ((10, 10.0), (RIGHT_FOOT, 20.0), (46, 22.0), (up, 10.0), (lifts, 5.0)),
        "spine_yaw": ((10, 0.0), (RIGHT_FOOT, 0.0), (LEFT_PUSHES, -6.0), (up, 8.0), (lifts, 6.0)),
        "gaze": ((10, 67.0), (RIGHT_FOOT, 58.0), (46, 36.0), (up, 10.0), (lifts, 4.0)),
        "head_yaw": ((10, 0.0), (up, 0.0)),
    }
    arms = {
        "upper_arm": (
            ((10, 80.0), (RIGHT_FOOT, 78.0), (46, 52.0), (up, -40.0), (lifts, -8.0)),
            ((10, 80.0), (RIGHT_FOOT, 78.0), (46, 20.0), (up, 0.0), (lifts, -44.0)),
        ),
        "upper_arm_out": (((10, 4.0), (46, 12.0), (up, 16.0), (lifts, 14.0)),) * 2,
        "upper_arm_turn": (((10, 0.0), (46, 6.0), (up, 24.0), (lifts, 28.0)),) * 2,
        "elbow": (((10, 40.0), (RIGHT_FOOT, 40.0), (46, 50.0), (up, 85.0), (lifts, 98.0)),) * 2,
    }
    return Carriage(trunk, arms, taken_up=(10, RIGHT_FOOT), given_up=(up + 4, last - 4))


def _crawling(
    course: Course, *, pelvis: tuple[int, int], hands: tuple[tuple[int, int], tuple[int, int]], rising: bool = False
) -> AllFours:
    """Say how the crawl after (or, rising, before) the course sets in (or ends) between frames."""
    frames, crawl = course.frames, steady_crawl()
    own, pose = (frames, (0.0, 0.0, 0.0)) if rising else (frames - course.last, course.end)

    def weight(first: int, last: int) -> FloatArray:
        return ease(frames, last, first) if rising else ease(frames, first, last)

    reach = np.column_stack([weight(*span) for span in hands])
    lead = -PALM_LEADS if rising else PALM_LEADS
    palms = np.column_stack([weight(first - 2 * lead, last - lead) for first, last in hands])
    tracks = crawl.at(own, pose=pose)
    assert tracks.hands is not None
    tracks.hands[..., 2] += HANDS_FROM_ABOVE_M * (1.0 - reach)
    resting = crawl.planted_at(own)[:, 4:] & (reach == 1.0)
    return AllFours(tracks, weight(*pelvis), reach, palms, resting)
