from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gambol.geometry import planar

poses = st.tuples(*[st.floats(-50.0, 50.0)] * 3).map(np.array)


@given(poses, poses, poses)
def test_composition_is_associative_and_inverses_cancel(a, b, c):
    assert np.allclose(planar.compose(planar.compose(a, b), c), planar.compose(a, planar.compose(b, c)), atol=1e-9)
    assert np.allclose(planar.compose(a, planar.invert(a)), 0.0, atol=1e-9)
    assert np.allclose(planar.compose(a, planar.relative(a, b)), b, atol=1e-9)


@given(poses, poses)
def test_placing_a_point_twice_is_placing_it_by_the_composed_pose(a, b):
    point = np.array([1.0, -2.0])
    assert np.allclose(planar.apply(a, planar.apply(b, point)), planar.apply(planar.compose(a, b), point), atol=1e-9)


def test_a_quarter_turn_carries_forward_to_left():
    assert np.allclose(planar.apply([1.0, 2.0, np.pi / 2], [1.0, 0.0]), [1.0, 3.0])


@given(st.floats(-1e4, 1e4))
def test_wrapped_angles_differ_by_whole_turns(angle):
    wrapped = planar.wrap_angle(angle)
    assert -np.pi <= wrapped < np.pi
    turns = (angle - wrapped) / (2.0 * np.pi)
    assert abs(turns - round(float(turns))) < 1e-6
