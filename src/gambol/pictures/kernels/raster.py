"""Fill triangles and line segments into a buffer that keeps the nearest.

Buffers are arrays of samples; sample (row, column) lies at (column + 0.5, row + 0.5).  They keep *nearness*, a number
that grows toward the viewer and is linear on the screen: 1 / depth in perspective, -depth otherwise.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import allocation_free_kernel, threaded_kernel
from gambol.pictures.kernels.inlining import inlined

SNAP = 256.0  # steps in a sample, a power of 2: corners are rounded to them, so that edge tests are exact

Triple = tuple[float, float, float]  # scalars, which kernels keep in registers
Ray = tuple[float, float, float, float, float, float]  # x, y, z of the origin, then of the direction
Float32Array = NDArray[np.float32]
Bytes = NDArray[np.uint8]


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
    near: float  # metres: nearer things are not drawn
    is_perspective: bool


@inlined
def dot(triple: Triple, x: float, y: float, z: float) -> float:
    """Return the dot product of a triple and three scalars."""
    return triple[0] * x + triple[1] * y + triple[2] * z


@inlined
def to_view(view: View, x: float, y: float, z: float) -> Triple:
    """Return a world point in the view's frame: right, down, depth."""
    x, y, z = x - view.eye[0], y - view.eye[1], z - view.eye[2]
    return dot(view.right, x, y, z), dot(view.down, x, y, z), dot(view.forward, x, y, z)


@inlined
def to_screen(view: View, right: float, down: float, depth: float) -> Triple:
    """Return samples to the right and down, and nearness, of a point in the view's frame."""
    if view.is_perspective:
        scale = view.focal / depth
        return view.center_x + scale * right, view.center_y + scale * down, 1.0 / depth
    return view.center_x + view.focal * right, view.center_y + view.focal * down, -depth


@inlined
def ray_through(view: View, sample_x: float, sample_y: float) -> Ray:
    """Return origin and direction (one metre of depth long) of the ray through a sample position."""
    across = (sample_x - view.center_x) * view.per_focal
    along = (sample_y - view.center_y) * view.per_focal
    right, down, forward, eye = view.right, view.down, view.forward, view.eye
    sx = across * right[0] + along * down[0]
    sy = across * right[1] + along * down[1]
    sz = across * right[2] + along * down[2]
    if view.is_perspective:
        return eye[0], eye[1], eye[2], forward[0] + sx, forward[1] + sy, forward[2] + sz
    return eye[0] + sx, eye[1] + sy, eye[2] + sz, forward[0], forward[1], forward[2]


@inlined
def depth_of(view: View, nearness: float) -> float:
    """Return the depth in metres of a nearness."""
    return 1.0 / nearness if view.is_perspective else -nearness


@inlined
def snap(value: float) -> float:
    """Round to the grid on which edge tests are exact."""
    return math.floor(value * SNAP + 0.5) / SNAP


@inlined
def first_sample(lowest: float) -> int:
    """Return the first sample at or after a coordinate, at least 0."""
    return math.ceil(min(max(lowest - 0.5, 0.0), 1e9))


@inlined
def last_sample(highest: float, count: int) -> int:
    """Return the last of `count` samples at or before a coordinate, -1 if there is none."""
    return math.floor(min(max(highest - 0.5, -1.0), count - 1.0))


@allocation_free_kernel
def fill_triangle(a: Triple, b: Triple, c: Triple, number: int, nearness: Float32Array, numbers: Int32Array) -> None:
    """Write a triangle's number into each sample in it, edges included, where it is the nearest.

    a, b, c: corners on the screen, x, y and nearness.
    """
    ax, ay, an = snap(a[0]), snap(a[1]), a[2]
    bx, by, bn = snap(b[0]), snap(b[1]), b[2]
    cx, cy, cn = snap(c[0]), snap(c[1]), c[2]
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if area == 0.0:
        return
    if area < 0.0:
        bx, by, bn, cx, cy, cn, area = cx, cy, cn, bx, by, bn, -area
    rows, columns = nearness.shape
    first_row, last_row = first_sample(min(ay, by, cy)), last_sample(max(ay, by, cy), rows)
    first_column, last_column = first_sample(min(ax, bx, cx)), last_sample(max(ax, bx, cx), columns)
    slope_b, slope_c = (bn - an) / area, (cn - an) / area
    px = first_column + 0.5
    for row in range(first_row, last_row + 1):
        py = row + 0.5
        # Twice the areas of the triangles of the sample with each edge; their sum is `area`.
        at_a = (cx - bx) * (py - by) - (cy - by) * (px - bx)
        at_b = (ax - cx) * (py - cy) - (ay - cy) * (px - cx)
        at_c = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        for column in range(first_column, last_column + 1):
            if at_a >= 0.0 and at_b >= 0.0 and at_c >= 0.0:
                near = np.float32(an + at_b * slope_b + at_c * slope_c)
                if near > nearness[row, column]:
                    nearness[row, column] = near
                    numbers[row, column] = number
            at_a -= cy - by
            at_b -= ay - cy
            at_c -= by - ay


@inlined
def point(points: FloatArray, row: int) -> Triple:
    """Return a row of an array as scalars."""
    return points[row, 0], points[row, 1], points[row, 2]


@inlined
def place(view: View, vertices: FloatArray, vertex: int) -> Triple:
    """Return a vertex in the view's frame."""
    return to_view(view, vertices[vertex, 0], vertices[vertex, 1], vertices[vertex, 2])


@inlined
def cross_near(view: View, a: Triple, b: Triple) -> Triple:
    """Return the screen point where the edge from a (behind the near plane) to b (before it) crosses it."""
    t = (view.near - a[2]) / (b[2] - a[2])
    return to_screen(view, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), view.near)


@allocation_free_kernel
def draw_clipped(
    view: View, a: Triple, b: Triple, c: Triple, number: int, nearness: Float32Array, numbers: Int32Array
) -> None:
    """Draw the part beyond the near plane of a triangle with corners (in the view's frame) on both sides of it."""
    hidden = int(a[2] < view.near) + int(b[2] < view.near) + int(c[2] < view.near)
    # Rotate the corners until those behind the near plane come first.
    for _ in range(2):
        if (hidden == 1 and a[2] >= view.near) or (hidden == 2 and c[2] < view.near):
            a, b, c = b, c, a
    at_c = to_screen(view, c[0], c[1], c[2])
    if hidden == 1:
        at_b = to_screen(view, b[0], b[1], b[2])
        from_b, from_c = cross_near(view, a, b), cross_near(view, a, c)
        fill_triangle(from_b, at_b, at_c, number, nearness, numbers)
        fill_triangle(from_b, at_c, from_c, number, nearness, numbers)
    else:
        fill_triangle(cross_near(view, a, c), cross_near(view, b, c), at_c, number, nearness, numbers)


def draw_triangles(
    view: View, vertices: FloatArray, triangles: Int32Array, nearness: Float32Array, numbers: Int32Array
) -> None:
    """Draw triangles (T, 3) of world points (V, 3), clipped at the near plane and numbered by index."""
    screen, is_ahead = np.empty(vertices.shape), np.empty(len(vertices), np.uint8)
    draw_projected(view, vertices, triangles, screen, is_ahead, nearness, numbers)


@threaded_kernel
def draw_projected(
    view: View,
    vertices: FloatArray,
    triangles: Int32Array,
    screen: FloatArray,
    is_ahead: Bytes,
    nearness: Float32Array,
    numbers: Int32Array,
) -> None:
    """Draw triangles; `screen` (V, 3) and `is_ahead` (V,) are room for their projected corners."""
    for v in range(vertices.shape[0]):
        x, y, z = to_view(view, vertices[v, 0], vertices[v, 1], vertices[v, 2])
        is_ahead[v] = z >= view.near
        if is_ahead[v]:
            screen[v, 0], screen[v, 1], screen[v, 2] = to_screen(view, x, y, z)
    for number in range(triangles.shape[0]):
        a, b, c = triangles[number, 0], triangles[number, 1], triangles[number, 2]
        ahead = is_ahead[a] + is_ahead[b] + is_ahead[c]
        if ahead == 3:
            fill_triangle(point(screen, a), point(screen, b), point(screen, c), number, nearness, numbers)
        elif ahead > 0:
            corners = place(view, vertices, a), place(view, vertices, b), place(view, vertices, c)
            draw_clipped(view, corners[0], corners[1], corners[2], number, nearness, numbers)


@allocation_free_kernel
def fill_segment(
    a: Triple, b: Triple, half_width: float, number: int, nearness: Float32Array, numbers: Int32Array
) -> None:
    """Write a number into each sample in a round-ended stroke between two screen points, where it is the nearest."""
    (ax, ay, an), (bx, by, bn) = a, b
    rows, columns = nearness.shape
    along_x, along_y = bx - ax, by - ay
    square = along_x * along_x + along_y * along_y
    inverse = 1.0 / square if square > 0.0 else 0.0
    for row in range(first_sample(min(ay, by) - half_width), last_sample(max(ay, by) + half_width, rows) + 1):
        py = row + 0.5 - ay
        for column in range(first_sample(min(ax, bx) - half_width), last_sample(max(ax, bx) + half_width, columns) + 1):
            px = column + 0.5 - ax
            t = min(1.0, max(0.0, (px * along_x + py * along_y) * inverse))
            dx, dy = px - t * along_x, py - t * along_y
            if dx * dx + dy * dy <= half_width * half_width:
                near = np.float32(an + t * (bn - an))
                if near > nearness[row, column]:
                    nearness[row, column] = near
                    numbers[row, column] = number


@inlined
def lifted(view: View, nearness: float, lift: float) -> float:
    """Return the nearness of a point `lift` metres closer to the viewer."""
    if view.is_perspective:
        return nearness / (1.0 - min(0.5, lift * nearness))
    return nearness + lift


@threaded_kernel
def draw_segments(
    view: View,
    starts: FloatArray,
    ends: FloatArray,
    half_widths: FloatArray,
    first_number: int,
    lift: float,
    nearness: Float32Array,
    numbers: Int32Array,
) -> None:
    """Draw segments (S, 3) as strokes, `lift` metres nearer than they are, numbered from `first_number`."""
    for s in range(starts.shape[0]):
        a, b = place(view, starts, s), place(view, ends, s)
        if a[2] < view.near and b[2] < view.near:
            continue
        start = cross_near(view, a, b) if a[2] < view.near else to_screen(view, a[0], a[1], a[2])
        end = cross_near(view, b, a) if b[2] < view.near else to_screen(view, b[0], b[1], b[2])
        start = (start[0], start[1], lifted(view, start[2], lift))
        end = (end[0], end[1], lifted(view, end[2], lift))
        fill_segment(start, end, half_widths[s], first_number + s, nearness, numbers)
