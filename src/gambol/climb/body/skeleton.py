"""The built-in human's skeleton in a planar figure's proportions."""

from __future__ import annotations

import numpy as np

from gambol.characters.store import load_character
from gambol.climb.figure import Figure
from gambol.motion.skeleton import Skeleton

TORSO_M = 0.54  # of the built-in human, from between the hip joints to the neck
SIDES = (("Left", 1.0), ("Right", -1.0))


def figure_skeleton(figure: Figure) -> Skeleton:
    """Return 22 joints as the built-in human has them; an adult figure's skeleton is the built-in human's own."""
    own = load_character("human").skeleton
    size = figure.scale
    torso = figure.table.torso / TORSO_M
    legs, arms, head = size * figure.legs, size * figure.arms, size * figure.head
    # How far apart joints are across the body goes with the stature.
    factor = dict.fromkeys(own.names, (size, size, size))
    for name in ("Hips", "Spine", "Spine1", "Spine2", "Neck"):
        factor[name] = (torso, size, torso)
    factor["Head"] = (head, head, head)
    for side, _ in SIDES:
        for part in ("Shoulder", "Arm"):
            factor[side + part] = (torso, size, torso)
        for part in ("ForeArm", "Hand"):
            factor[side + part] = (arms, arms, arms)
        factor[side + "UpLeg"] = (torso, size, torso)
        for part in ("Leg", "Foot"):
            factor[side + part] = (legs, legs, legs)
    offsets = own.offsets * np.array([factor[name] for name in own.names])
    offsets[0, 2] = figure.table.thigh + figure.table.shank + figure.table.ankle - offsets[own.index("LeftUpLeg"), 2]
    tip_sizes = {"Head": head, "LeftHand": arms, "RightHand": arms}
    tips = [tip_sizes.get(own.names[joint], size) for joint in own.tip_parents]
    return Skeleton(own.names, own.parents, offsets, own.tip_parents, own.tip_offsets * np.array(tips)[:, None])
