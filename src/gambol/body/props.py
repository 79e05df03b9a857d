"""Things that a skeleton carries along without being grown to them: no flesh leads from the body to a prop."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gambol.body.parts import Part
from gambol.motion.props import BOARD, TRUCKS
from gambol.motion.skeleton import Skeleton

# A skateboard, in metres.  The joint of its deck is in the middle of the top, its length along X.
DECK_HALF_LENGTH_M = 0.40
DECK_HALF_WIDTH_M = 0.105
DECK_RADIUS_M = 0.016  # half the thickness: thicker than wood, as thin as a skin can show
KICK_FROM_M, KICK_RISE_M = 0.27, 0.045  # nose and tail bend up beyond this, by so much at their ends
PLANKS = 8  # side by side
AXLE_AHEAD_M = 0.19  # of the deck's middle, and behind it
AXLE_BELOW_M = 0.063  # the deck's top
WHEEL_RADIUS_M = 0.027
WHEEL_HALF_TRACK_M = 0.066
WHEEL_HALF_WIDTH_M = 0.012
AXLE_RADIUS_M = 0.014
_TO_AXLE_M = float(np.hypot(AXLE_AHEAD_M, AXLE_BELOW_M))


def prop_parts(skeleton: Skeleton) -> Iterator[Part]:
    """Return the parts of all props that a skeleton has, as large as the way from a deck to its trucks says."""
    if BOARD not in skeleton:
        return
    points = skeleton.rest_positions
    board = skeleton.index(BOARD)
    trucks = [skeleton.index(name) for name in TRUCKS if name in skeleton]
    sizes = [np.linalg.norm(points[truck] - points[board]) for truck in trucks] or [_TO_AXLE_M]
    scale = float(max(sizes)) / _TO_AXLE_M
    for joint, parts in [(board, _deck(board)), *((truck, _truck(truck)) for truck in trucks)]:
        origin = points[joint]
        for part in parts:
            yield part._replace(
                start=origin + scale * part.start,
                end=origin + scale * part.end,
                start_radius=scale * part.start_radius,
                end_radius=scale * part.end_radius,
            )


def _deck(joint: int) -> Iterator[Part]:
    """Lay planks side by side, with nose and tail bent up and narrowing; the joint is the origin."""
    radius = DECK_RADIUS_M
    for share in np.linspace(-1.0, 1.0, PLANKS):
        aside = float(share * (DECK_HALF_WIDTH_M - radius))
        rounding = 0.45 * (DECK_HALF_LENGTH_M - KICK_FROM_M) * share * share
        bends = [np.array((way * KICK_FROM_M, aside, -radius)) for way in (1.0, -1.0)]
        yield Part(joint, bends[0], bends[1], radius, radius)
        for bend, way in zip(bends, (1.0, -1.0), strict=True):
            end = (way * (DECK_HALF_LENGTH_M - radius - rounding), 0.75 * aside, KICK_RISE_M - radius)
            yield Part(joint, bend, np.array(end), radius, radius)


def _truck(joint: int) -> Iterator[Part]:
    """Hang two wheels on an axle; the joint is in its middle."""
    aside, middle = np.array([0.0, WHEEL_HALF_TRACK_M, 0.0]), np.zeros(3)
    yield Part(joint, -aside, aside, AXLE_RADIUS_M, AXLE_RADIUS_M)
    below_deck = np.array([0.0, 0.0, AXLE_BELOW_M - DECK_RADIUS_M])
    yield Part(joint, middle, below_deck, 1.2 * AXLE_RADIUS_M, AXLE_RADIUS_M)
    width = np.array([0.0, WHEEL_HALF_WIDTH_M, 0.0])
    for wheel in (aside, -aside):
        yield Part(joint, wheel - width, wheel + width, WHEEL_RADIUS_M, WHEEL_RADIUS_M)
