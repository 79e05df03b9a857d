"""A figure's points, links and mass over many frames; only for the judge, independent of the planner."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import ClimbPath
from gambol.climb.environment_table import anchor_of
from gambol.climb.figure import LIMBS, LINKS, Figure
from gambol.climb.modes import FOOT, HAND
from gambol.geometry.arrays import FloatArray
from gambol.world.environment import Environment

#: The judge's links: a forearm and its hand count as two.
CAPSULES = (*LINKS, *LIMBS[:2])


class Capsules(NamedTuple):
    """Ends (F, C, 2) and radii (C,) of all links of a figure."""

    starts: FloatArray
    ends: FloatArray
    radii: FloatArray


def points_of(figure: Figure, facings: FloatArray, configurations: FloatArray) -> FloatArray:
    """Return a figure's points (F, 12, 2), in the order of POINTS."""
    table = figure.table
    lean = configurations[:, 2]

    def bone(length: float, forward_from_up: FloatArray) -> FloatArray:
        return length * np.stack([facings * np.sin(forward_from_up), np.cos(forward_from_up)], axis=1)

    def limb(root: FloatArray, lengths: tuple[float, float], swing: FloatArray, bend: FloatArray) -> list[FloatArray]:
        """Return middle and end of a limb; with a swing of zero it hangs down along the torso."""
        middle = root + bone(lengths[0], np.pi + lean - swing)
        return [middle, middle + bone(lengths[1], np.pi + lean - swing - bend)]

    pelvis = configurations[:, :2]
    shoulder, neck = pelvis + bone(table.shoulder, lean), pelvis + bone(table.torso, lean)
    arms = [limb(shoulder, (table.upper_arm, table.forearm), *configurations[:, at : at + 2].T) for at in (4, 6)]
    legs = [limb(pelvis, (table.thigh, table.shank), *(configurations[:, at : at + 2] * (1, -1)).T) for at in (8, 10)]
    head = neck + bone(table.head, lean + configurations[:, 3])
    return np.stack([pelvis, shoulder, neck, head, *(point for pair in (*arms, *legs) for point in pair)], axis=1)


def capsules_of(figure: Figure, points: FloatArray) -> Capsules:
    """Return the links of a figure as capsules, in the order of CAPSULES."""
    table = figure.table
    first, second = np.array(list(LINKS.values())).T
    starts, ends = points[:, first], points[:, second].copy()
    forearms = [list(LINKS).index(f"{side}_forearm") for side in ("left", "right")]
    palms = ends[:, forearms]
    wrists = palms + (starts[:, forearms] - palms) * min(1.0, table.hand_length / table.forearm)
    ends[:, forearms] = wrists
    radii = np.append(table.radius, [table.hand_radius, table.hand_radius])
    return Capsules(np.concatenate([starts, wrists], axis=1), np.concatenate([ends, palms], axis=1), radii)


def mass_centres(figure: Figure, points: FloatArray) -> FloatArray:
    """Return the centre of mass (F, 2)."""
    first, second = np.array(list(LINKS.values())).T
    shares = figure.table.centre[:, None]
    centres = points[:, first] * (1.0 - shares) + points[:, second] * shares
    return np.einsum("l,fli->fi", figure.table.mass, centres)


def anchors_of(environment: Environment, figure: Figure, path: ClimbPath) -> FloatArray:
    """Return where the ends of holding limbs should be (F, 4, 2); NaN for free limbs."""
    points = environment.grasp_points
    known = np.full((2, len(points) + 1, 2, 2), np.nan)  # by facing, point and kind of limb; the last point is FREE
    for side, facing in enumerate((1.0, -1.0)):
        for number, point in enumerate(points):
            known[side, number] = [anchor_of(point, figure, kind, facing) for kind in (HAND, FOOT)]
    sides = np.where(path.facings > 0.0, 0, 1)[:, None]
    return known[sides, path.grasps, [HAND, HAND, FOOT, FOOT]]


def between(path: ClimbPath, intervals: NDArray[np.intp], shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return facings and configurations at shares of intervals between frames, linearly, as players interpolate."""
    t = shares[:, None]
    configurations = path.configurations[intervals] * (1.0 - t) + path.configurations[intervals + 1] * t
    return path.facings[intervals] * (1.0 - shares) + path.facings[intervals + 1] * shares, configurations
