"""From where a scene is looked at: where new things come to be, and how large knobs have to be."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import viser

from gambol.view.drag import on_ground
from gambol.view.stage import PANEL_SHARE

KNOB_SHARE = 0.019  # of half the height of what is seen: the radius of a knob
LEAST_KNOB_M, LARGEST_KNOB_M = 0.06, 2.0
USUAL_KNOB_M = 0.16  # where nobody looks


def seen_place(camera: viser.CameraHandle) -> tuple[float, float]:
    """Return the place on the ground in the middle of what is seen beside the panel."""
    eye, at = np.asarray(camera.position, dtype=float), np.asarray(camera.look_at, dtype=float)
    ahead = at - eye
    right = np.cross(ahead, camera.up_direction)
    right /= max(float(np.linalg.norm(right)), 1e-9)
    point = at - PANEL_SHARE * _half_height_m(camera, at) * right
    return on_ground(eye, point) or (float(at[0]), float(at[1]))


def knob_radius_m(cameras: Iterable[viser.CameraHandle], place: tuple[float, float]) -> float:
    """Return how large a knob at a place is, so that whoever is nearest can take hold of it and sees past it."""
    at = np.array([*place, 0.0])
    radii = [KNOB_SHARE * _half_height_m(camera, at) for camera in cameras]
    return min(max(min(radii), LEAST_KNOB_M), LARGEST_KNOB_M) if radii else USUAL_KNOB_M


def _half_height_m(camera: viser.CameraHandle, at: np.ndarray) -> float:
    """Return half the height of the picture at the distance of a place."""
    return float(np.linalg.norm(at - camera.position)) * math.tan(0.5 * camera.fov)
