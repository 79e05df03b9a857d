"""A knee on the ground: how the foot behind it goes from its toes onto its instep, and back."""

from __future__ import annotations

import numpy as np
from tools.authoring import human_skeleton as human
from tools.authoring.actions.crawl_cycle import ANKLE_HEIGHT_M, CURLED, KNEE_HEIGHT_M, TRAILING
from tools.authoring.actions.curves import ease
from tools.authoring.actions.feet import BALL, FootTrack, turned

TUCKED_DEGREES = -76.0  # pitch of a foot whose ball is on the ground behind the knee
LIFT = np.radians(14.0)  # how far the shin is raised while the foot turns over


def ball_behind(knee: tuple[float, float]) -> tuple[float, float]:
    """Return where the ball of a foot on its toes is, behind a knee on the ground."""
    ball = turned(np.radians(TUCKED_DEGREES), *BALL)
    height = human.BALL_HEIGHT_M - ball[1] - KNEE_HEIGHT_M
    return float(knee[0] - np.sqrt(human.SHANK_M**2 - height**2) + ball[0]), knee[1]


def turn_over(first: int, last: int, knee: tuple[float, float], *, onto_toes: bool) -> FootTrack:
    """Turn a foot over behind a knee that stays on the ground: from its instep onto its toes, or the other way."""
    share = ease(np.arange(first, last + 1), first, last)
    tucked = share if onto_toes else 1.0 - share
    tucked_height = human.BALL_HEIGHT_M - turned(np.radians(TUCKED_DEGREES), *BALL)[1]
    rises = np.arcsin((np.array([ANKLE_HEIGHT_M, tucked_height]) - KNEE_HEIGHT_M) / human.SHANK_M)
    rise = rises[0] + (rises[1] - rises[0]) * tucked + LIFT * 16.0 * (share * (1.0 - share)) ** 2
    ankle = np.column_stack(
        (
            knee[0] - human.SHANK_M * np.cos(rise),
            np.full(len(share), knee[1]),
            KNEE_HEIGHT_M + human.SHANK_M * np.sin(rise),
        )
    )
    pitch = TRAILING + (np.radians(TUCKED_DEGREES) - TRAILING) * tucked
    toes = CURLED + (-np.radians(TUCKED_DEGREES) - CURLED) * tucked
    # In between the foot is in the air; the knee bears the weight.
    planted = np.column_stack((np.zeros(len(share), dtype=bool), (share == 0.0) | (share == 1.0)))
    return FootTrack(first, ankle, np.zeros(len(share)), pitch, toes, planted)
