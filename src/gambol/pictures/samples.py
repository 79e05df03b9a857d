"""Views, and samples that keep the nearest of the triangles and strokes drawn into them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.core import Struct, lib, pointer, struct, struct_of
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.pictures.scratch import scratch

SNAP = 256.0  # steps in a sample: the core rounds corners to them, so that edge tests are exact

Triple = tuple[float, float, float]
Float32Array = NDArray[np.float32]


class View(NamedTuple):
    """The mapping from the world to samples, of a camera or a lamp."""

    eye: Triple  # metres
    right: Triple  # unit vectors of the world
    down: Triple
    forward: Triple
    focal: float  # samples per unit of x / depth in perspective, else samples per metre
    per_focal: float  # 1 / focal
    center_x: float  # samples
    center_y: float  # samples
    near_m: float  # nearer things are not drawn
    is_perspective: bool


class Samples(NamedTuple):
    """Sample (row, column) lies at (column + 0.5, row + 0.5)."""

    nearness: Float32Array  # (rows, columns) grows toward the viewer: 1 / depth in perspective, else -depth.  It
    # counts only where there is something, or without numbers, where -inf is nothing
    numbers: Int32Array | None  # (rows, columns) of the nearest triangle or stroke, -1 for none; None: nobody asks

    @classmethod
    def empty(cls, rows: int, columns: int) -> Samples:
        """Return samples that show nothing; they hold until this thread asks for others."""
        samples = cls(scratch("nearness", (rows, columns), np.float32), scratch("numbers", (rows, columns), np.int32))
        assert samples.numbers is not None
        samples.numbers.fill(-1)
        return samples

    @classmethod
    def map(cls, name: str, rows: int, columns: int) -> Samples:
        """Return samples without numbers that show nothing; they hold until this thread asks for this name again."""
        samples = cls(scratch(name, (rows, columns), np.float32), None)
        samples.nearness.fill(-np.inf)
        return samples

    @property
    def struct(self) -> Struct:
        """The samples as the core draws into them."""
        rows, columns = self.nearness.shape
        return struct_of("gb_samples", self, rows=rows, columns=columns)


def struct_of_view(view: View) -> Struct:
    """Return a view as the core reads it."""
    return struct_of("gb_view", view)


def draw_triangles(view: View, vertices: FloatArray, triangles: Int32Array, into: Samples) -> None:
    """Draw triangles (T, 3) of world points (V, 3), clipped at the near plane and numbered by index."""
    screen, is_ahead = scratch("screen", vertices.shape, np.float64), scratch("ahead", (len(vertices),), np.uint8)
    lib.gb_picture_draw_triangles(
        struct_of_view(view).c, pointer(vertices, "double"), len(vertices), pointer(triangles, "int32_t"),
        len(triangles), pointer(screen, "double"), pointer(is_ahead, "uint8_t"), into.struct.c,
    )  # fmt: skip


def draw_strokes(
    view: View, starts: FloatArray, ends: FloatArray, half_widths: FloatArray, first_number: int, lift_m: float,
    into: Samples,
) -> None:  # fmt: skip
    """Draw segments (S, 3) as strokes, `lift_m` nearer than they are, numbered from `first_number`."""
    strokes = struct(
        "gb_strokes", count=len(starts), starts=starts, ends=ends, half_widths=half_widths, lift_m=lift_m
    )  # fmt: skip
    lib.gb_picture_draw_strokes(struct_of_view(view).c, strokes.c, first_number, into.struct.c)
