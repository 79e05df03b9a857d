"""A planar climb put onto a full body as an importer does: joint angles as they are, and nothing adapted [KP00 4]."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.climb import ClimbMotion, ClimbProblem, Figure, figure_skeleton
from gambol.climb.body.planar import headings
from gambol.climb.body.skeleton import SIDES
from gambol.geometry import quaternion
from gambol.motion import Motion

FloatArray = NDArray[np.float64]

ACROSS, AHEAD = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])


def angles_on_body(problem: ClimbProblem, climb: ClimbMotion, figure: Figure | None = None) -> Motion:
    """Return a full skeleton with the planar figure's angles, its hip joints where the figure has its pelvis.

    figure: whose proportions the skeleton has; by default those of the one who climbs.
    The planar figure has no feet and no hands: those go on as shanks and forearms do.
    """
    q = climb.path.configurations
    skeleton = figure_skeleton(problem.figure if figure is None else figure)
    lean = q[:, 2]
    own: dict[str, FloatArray] = {"Hips": _pitch(lean), "Head": _pitch(lean + q[:, 3])}
    for side, (name, left) in enumerate(SIDES):
        hanging = quaternion.from_axis_angle(AHEAD, np.array(-0.5 * np.pi * left))  # arms are stretched out at rest
        upper = q[:, 4 + 2 * side] - lean
        own[f"{name}Arm"] = quaternion.multiply(_pitch(-upper), hanging)
        own[f"{name}ForeArm"] = quaternion.multiply(_pitch(-upper - q[:, 5 + 2 * side]), hanging)
        thigh = q[:, 8 + 2 * side] - lean
        own[f"{name}UpLeg"] = _pitch(-thigh)
        own[f"{name}Leg"] = _pitch(-thigh + q[:, 9 + 2 * side])
    turn = quaternion.from_heading(headings(climb.path.facings))
    local = quaternion.identity(len(q), skeleton.joint_count)
    whole: list[FloatArray] = []
    for joint, name in enumerate(skeleton.names):
        above = None if joint == 0 else whole[skeleton.parents[joint]]
        world = own.get(name, above)
        assert world is not None, "the root has angles of its own"
        whole.append(world)
        local[:, joint] = (
            quaternion.multiply(turn, world)
            if above is None
            else quaternion.multiply(quaternion.conjugate(above), world)
        )
    hips = skeleton.offsets[skeleton.index("LeftUpLeg")] * (1.0, 0.0, 1.0)
    roots = -quaternion.rotate(quaternion.multiply(turn, whole[0]), hips)
    roots[:, [0, 2]] += q[:, :2]
    return Motion(skeleton, climb.rate_hz, roots, local)


def _pitch(angle: FloatArray) -> FloatArray:
    return quaternion.from_axis_angle(ACROSS, angle)
