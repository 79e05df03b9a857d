"""Cameras: the viewpoint of a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.pictures.samples import View

Point = tuple[float, float, float]

NEAR_M = 0.05  # metres, > 0: things nearer to the eye are not drawn
UPRIGHT = 1.0 - 1e-9  # 0 to 1, size of a unit direction's z: if larger, +Y is up in the picture instead of +Z


@dataclass(frozen=True)
class Camera:
    """A viewpoint with +Z up in the picture; looking straight down or up, +Y is up."""

    eye: Point  # metres
    target: Point  # metres, shown in the middle of the picture
    field_of_view_rad: float = math.radians(24.0)  # top to bottom, > 0 and < pi
    orthographic_height_m: float | None = None  # set: no perspective, and this much from top to bottom

    def __post_init__(self) -> None:
        for name in ("eye", "target"):
            point = np.asarray(getattr(self, name), dtype=np.float64)
            if point.shape != (3,) or not np.all(np.isfinite(point)):
                raise InvalidInput(f"a camera's {name} must be three finite numbers, not {getattr(self, name)}")
            object.__setattr__(self, name, tuple(point.tolist()))
        if math.dist(self.eye, self.target) < 1e-9:
            raise InvalidInput("a camera's eye and target must be apart")
        if not 0.0 < self.field_of_view_rad < math.pi:
            raise InvalidInput(f"a field of view is between 0 and pi, not {self.field_of_view_rad}")
        height = self.orthographic_height_m
        if height is not None and not (math.isfinite(height) and height > 0.0):
            raise InvalidInput(f"an orthographic camera's height must be a positive number of metres, not {height}")

    @property
    def axes(self) -> FloatArray:
        """Unit vectors to the right, down and forward, as rows (3, 3)."""
        return view_axes(np.subtract(self.target, self.eye))

    def view(self, size: tuple[int, int], *, per_pixel: int = 1) -> View:
        """Return the mapping to a picture of (width, height) pixels, with `per_pixel` samples along a pixel's side."""
        width, height = size
        if self.orthographic_height_m is None:
            focal = 0.5 * height / math.tan(0.5 * self.field_of_view_rad)
        else:
            focal = height / self.orthographic_height_m
        return make_view(
            self.eye,
            self.axes,
            focal * per_pixel,
            center=(0.5 * width * per_pixel, 0.5 * height * per_pixel),
            near_m=NEAR_M,
            is_perspective=self.orthographic_height_m is None,
        )

    def metre_px(self, point: ArrayLike, size: tuple[int, int]) -> float:
        """Return how many pixels a metre takes on a picture of some size, at a point's depth."""
        view = self.view(size)
        if not view.is_perspective:
            return view.focal
        depth = float(np.dot(view.forward, np.asarray(point, dtype=np.float64) - self.eye))
        return view.focal / max(depth, view.near_m)

    def project(self, points: ArrayLike, size: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
        """Return where points (..., 3) appear, in pixels (..., 2) from the top left, and their depths (...).

        A point that is not in front of a perspective camera has no place: its pixels are NaN.
        """
        view = self.view(size)
        right, down, depth = np.moveaxis(
            (np.asarray(points, dtype=np.float64) - np.array(self.eye)) @ self.axes.T, -1, 0
        )
        scale = np.full_like(depth, view.focal)
        if view.is_perspective:
            is_ahead = depth >= view.near_m
            scale = np.where(is_ahead, view.focal / np.where(is_ahead, depth, 1.0), np.nan)
        pixels = np.stack((view.center_x + scale * right, view.center_y + scale * down), axis=-1)
        return pixels, depth

    @classmethod
    def framing(
        cls,
        points: ArrayLike,
        direction: ArrayLike,
        *,
        aspect: float,
        margin: float = 0.08,
        field_of_view_rad: float = math.radians(24.0),
    ) -> Camera:
        """Look along a direction from the nearest place that shows all points (N, 3).

        aspect: width / height of the picture.
        margin: the share of the picture's width and height left free on each side, 0 to 0.5.
        """
        points = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        if len(points) == 0 or not np.all(np.isfinite(points)):
            raise InvalidInput("framing needs at least one point, all of them finite")
        if not (aspect > 0.0 and 0.0 <= margin < 0.5):
            raise InvalidInput(f"framing needs a positive aspect and a margin below 0.5, not {aspect} and {margin}")
        axes = view_axes(np.asarray(direction, dtype=np.float64))
        right, down, depth = axes @ points.T
        tangent = math.tan(0.5 * field_of_view_rad) * (1.0 - 2.0 * margin)
        across, eye_right = _fit(right, depth, tangent * aspect)
        along, eye_down = _fit(down, depth, tangent)
        eye_depth = min(across, along, float(depth.min()) - 2.0 * NEAR_M)
        eye = np.array([eye_right, eye_down, eye_depth]) @ axes
        middle = 0.5 * float(depth.min() + depth.max())
        target = eye + max(middle - eye_depth, NEAR_M) * axes[2]
        return cls(tuple(eye.tolist()), tuple(target.tolist()), field_of_view_rad)


def view_axes(direction: FloatArray) -> FloatArray:
    """Return the axes right, down and forward (3, 3) of a view along a direction."""
    length = np.linalg.norm(direction)
    if not length > 0.0:
        raise InvalidInput("a view's direction must not be zero")
    x, y, z = (float(part) for part in direction / length)
    # To the right: across the direction and the axis that is up in the picture.
    right = (-z, 0.0, x) if abs(z) > UPRIGHT else (y, -x, 0.0)
    size = math.hypot(*right)
    right = right[0] / size, right[1] / size, right[2] / size
    down = y * right[2] - z * right[1], z * right[0] - x * right[2], x * right[1] - y * right[0]
    return np.array([right, down, (x, y, z)])


def make_view(
    eye: ArrayLike,
    axes: FloatArray,
    focal: float,
    *,
    center: tuple[float, float],
    near_m: float,
    is_perspective: bool,
) -> View:
    """Return a view for kernels, with axes (3, 3) right, down, forward."""
    x, y, z = (float(value) for value in np.asarray(eye))
    right, down, forward = ((float(a), float(b), float(c)) for a, b, c in axes)
    return View(
        (x, y, z), right, down, forward, float(focal), 1.0 / float(focal),
        float(center[0]), float(center[1]), near_m, is_perspective,
    )  # fmt: skip


def _fit(side: FloatArray, depth: FloatArray, tangent: float) -> tuple[float, float]:
    """Return the greatest depth of an eye that sees all points within a tangent, and its side position."""
    low, high = float(np.max(side - tangent * depth)), float(np.min(side + tangent * depth))
    return (high - low) / (2.0 * tangent), 0.5 * (low + high)
