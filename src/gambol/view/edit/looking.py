"""What follows from the cameras: the place for a new thing, and the size of knobs."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import viser

from gambol.view.drag import on_ground
from gambol.view.stage import PANEL_SHARE

KNOB_SHARE = 0.019  # > 0: radius of a knob by half the height of the picture there; larger: easier to take
LEAST_KNOB_M = 0.06  # m, > 0: radius of the smallest knob
LARGEST_KNOB_M = 2.0  # m, > 0: radius of the largest knob
USUAL_KNOB_M = 0.16  # m, > 0: radius of a knob when no browser looks


def seen_place(camera: viser.CameraHandle) -> tuple[float, float]:
    """Return the place on the ground in the middle of the picture beside the panel."""
    eye, at = np.asarray(camera.position, dtype=float), np.asarray(camera.look_at, dtype=float)
    ahead = at - eye
    right = np.cross(ahead, camera.up_direction)
    right /= max(float(np.linalg.norm(right)), 1e-9)
    point = at - PANEL_SHARE * _half_height_m(camera, at) * right
    return on_ground(eye, point) or (float(at[0]), float(at[1]))


def knob_radius_m(cameras: Iterable[viser.CameraHandle], place: tuple[float, float]) -> float:
    """Return the radius of a knob at a place, for the camera nearest to it."""
    at = np.array([*place, 0.0])
    radii = [KNOB_SHARE * _half_height_m(camera, at) for camera in cameras]
    return min(max(min(radii), LEAST_KNOB_M), LARGEST_KNOB_M) if radii else USUAL_KNOB_M


def _half_height_m(camera: viser.CameraHandle, at: np.ndarray) -> float:
    """Return half the height of the picture at a place's distance."""
    return float(np.linalg.norm(at - camera.position)) * math.tan(0.5 * camera.fov)
