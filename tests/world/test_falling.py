from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.errors import InvalidInput
from gambol.world.falling import falling_log
from gambol.world.world import Mover

AT = (3.0, -2.0)
HEADING = 0.7
START_S, DURATION_S = 4.0, 2.5


def log(length_m: float = 8.0, radius_m: float = 0.25) -> tuple[Mover, ...]:
    return falling_log(
        "tree", at=AT, heading_rad=HEADING, length_m=length_m, radius_m=radius_m, start_s=START_S, duration_s=DURATION_S
    )


def true_axis(time_s: float, length_m: float, radius_m: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of the true log's axis: it turns about its foot, ever faster, as pi/2 s^2."""
    share = min(max((time_s - START_S) / DURATION_S, 0.0), 1.0)
    angle = np.pi / 2 * share**2
    foot = np.array([*AT, radius_m])
    away = np.array([np.cos(HEADING) * np.sin(angle), np.sin(HEADING) * np.sin(angle), np.cos(angle)])
    return foot, foot + (length_m - 2 * radius_m) * away


def is_inside(mover: Mover, time_s: float, points: np.ndarray) -> np.ndarray:
    """Say which points (N, 3) lie in a mover made of one rounded segment."""
    (x, y, heading), (bottom, top) = mover.trajectory.at(time_s)
    (piece,) = mover.footprint.pieces
    ahead = np.array([np.cos(heading), np.sin(heading)])
    ends = np.array([x, y]) + piece.corners[:, :1] * ahead
    span = ends[1] - ends[0]
    share = np.clip((points[:, :2] - ends[0]) @ span / (span @ span), 0.0, 1.0)
    away = np.linalg.norm(points[:, :2] - (ends[0] + share[:, None] * span), axis=1)
    return (away <= piece.radius_m + 1e-9) & (points[:, 2] >= bottom - 1e-9) & (points[:, 2] <= top + 1e-9)


@settings(deadline=None, max_examples=150)
@given(
    st.floats(START_S - 1.0, START_S + DURATION_S + 1.0),
    st.floats(1.0, 15.0),
    st.floats(0.05, 0.45),
    st.integers(0, 2**32 - 1),
)
def test_the_prisms_cover_the_whole_log_at_all_times(time_s: float, length_m: float, radius_m: float, seed: int):
    first, last = true_axis(time_s, length_m, radius_m)
    chance = np.random.default_rng(seed)
    directions = chance.normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    # Points of spheres around points of the axis are points of the log; its surface is among them.
    points = first + chance.random((200, 1)) * (last - first) + radius_m * directions
    movers = log(length_m, radius_m)
    assert np.any([is_inside(mover, time_s, points) for mover in movers], axis=0).all()


def test_a_lying_log_is_as_thick_and_as_wide_as_it_is_told():
    for mover in log():
        _, heights = mover.trajectory.at(START_S + DURATION_S + 1.0)
        assert np.allclose(heights, [0.0, 0.5])
        assert mover.footprint.pieces[0].radius_m == pytest.approx(0.25, abs=0.005)


def test_a_standing_log_covers_little_more_than_its_foot():
    movers = log()
    for mover in movers:
        pose, _ = mover.trajectory.at(0.0)
        assert np.allclose(pose[:2], AT)
        assert mover.footprint.reach_m <= 0.25 + 0.125 + 0.005
    tops = [mover.trajectory.at(0.0)[1][1] for mover in movers]
    assert max(tops) == pytest.approx(8.0)


def test_a_leaning_log_leaves_room_below_its_far_end():
    time_s = START_S + DURATION_S * np.sqrt(0.5)  # half-way down
    movers = log()
    foot, end = movers[0], movers[-1]
    assert foot.trajectory.at(time_s)[1][0] == 0.0
    assert end.trajectory.at(time_s)[1][0] > 5.0


def test_slices_are_named_after_the_log():
    assert [mover.name for mover in log()][:2] == ["tree/0", "tree/1"]


@pytest.mark.parametrize(("length_m", "radius_m"), [(1.0, 0.5), (1.0, 0.0), (-1.0, 0.1)])
def test_a_log_must_be_longer_than_thick(length_m: float, radius_m: float):
    with pytest.raises(InvalidInput, match="falling log"):
        log(length_m, radius_m)
