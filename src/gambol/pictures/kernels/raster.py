"""Fill triangles and line segments into a buffer that keeps what is nearest.

Buffers are arrays of samples; sample (row, column) lies at (column + 0.5, row + 0.5).  What is
kept is *nearness*, a number that grows toward the viewer and is linear on the screen: 1 / depth
in perspective, -depth otherwise.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, threaded_kernel
from gambol.pictures.kernels.inlining import inlined

SNAP = 256.0  # corners are rounded to this fraction of a sample, so that edge tests are exact


Triple = tuple[float, float, float]  # of scalars: kernels keep them in registers


class View(NamedTuple):
    """How a camera, or a light, maps the world to samples."""

    eye: Triple  # metres
    right: Triple  # unit vectors of the world
    down: Triple
    forward: Triple
    focal: float  # samples per unit of x / depth in perspective, else samples per metre
    per_focal: float  # one over it
    center_x: float  # samples
    center_y: float  # samples
    near: float  # metres; nothing nearer is drawn
    is_perspective: bool


@inlined
def dot(triple, x, y, z):
    """Return the dot product of a triple and three scalars."""
    return triple[0] * x + triple[1] * y + triple[2] * z


@inlined
def to_view(view, x, y, z):
    """Return a world point in the view's frame: right, down, depth."""
    x, y, z = x - view.eye[0], y - view.eye[1], z - view.eye[2]
    return dot(view.right, x, y, z), dot(view.down, x, y, z), dot(view.forward, x, y, z)


@inlined
def to_screen(view, right, down, depth):
    """Return samples to the right and down, and nearness, of a point in the view's frame."""
    if view.is_perspective:
        scale = view.focal / depth
        return view.center_x + scale * right, view.center_y + scale * down, 1.0 / depth
    return view.center_x + view.focal * right, view.center_y + view.focal * down, -depth


@inlined
def ray_through(view, sample_x, sample_y):
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
def depth_of(view, nearness):
    """Return the depth in metres that a nearness stands for."""
    return 1.0 / nearness if view.is_perspective else -nearness


@inlined
def snap(value):
    """Round to the grid on which edge tests are exact."""
    return math.floor(value * SNAP + 0.5) / SNAP


@inlined
def first_sample(lowest):
    """Return the first sample at or after a coordinate, at least 0."""
    return math.ceil(min(max(lowest - 0.5, 0.0), 1e9))


@inlined
def last_sample(highest, count):
    """Return the last of `count` samples at or before a coordinate, -1 if there is none."""
    return math.floor(min(max(highest - 0.5, -1.0), count - 1.0))


@allocation_free_kernel
def fill_triangle(ax, ay, an, bx, by, bn, cx, cy, cn, number, nearness, numbers):
    """Write a triangle's number wherever it is nearer than what is there; edges belong to it."""
    ax, ay, bx, by, cx, cy = snap(ax), snap(ay), snap(bx), snap(by), snap(cx), snap(cy)
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
        # Twice the areas of the triangles that the sample makes with each edge; they sum to `area`.
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
def cross_near(view, ax, ay, az, bx, by, bz):
    """Return the screen point where the edge from a (behind the near plane) to b (before it) crosses it."""
    t = (view.near - az) / (bz - az)
    return to_screen(view, ax + t * (bx - ax), ay + t * (by - ay), view.near)


@allocation_free_kernel
def draw_clipped(view, vertices, a, b, c, number, nearness, numbers):
    """Draw the part of a triangle with corners on both sides of the near plane that lies before it."""
    ax, ay, az = to_view(view, vertices[a, 0], vertices[a, 1], vertices[a, 2])
    bx, by, bz = to_view(view, vertices[b, 0], vertices[b, 1], vertices[b, 2])
    cx, cy, cz = to_view(view, vertices[c, 0], vertices[c, 1], vertices[c, 2])
    hidden = int(az < view.near) + int(bz < view.near) + int(cz < view.near)
    # Turn the corners until those behind the near plane come first.
    for _ in range(2):
        if (hidden == 1 and az >= view.near) or (hidden == 2 and cz < view.near):
            ax, ay, az, bx, by, bz, cx, cy, cz = bx, by, bz, cx, cy, cz, ax, ay, az
    if hidden == 1:
        dx, dy, dn = cross_near(view, ax, ay, az, bx, by, bz)
        ex, ey, en = cross_near(view, ax, ay, az, cx, cy, cz)
        bx, by, bn = to_screen(view, bx, by, bz)
        cx, cy, cn = to_screen(view, cx, cy, cz)
        fill_triangle(dx, dy, dn, bx, by, bn, cx, cy, cn, number, nearness, numbers)
        fill_triangle(dx, dy, dn, cx, cy, cn, ex, ey, en, number, nearness, numbers)
    else:
        dx, dy, dn = cross_near(view, ax, ay, az, cx, cy, cz)
        ex, ey, en = cross_near(view, bx, by, bz, cx, cy, cz)
        cx, cy, cn = to_screen(view, cx, cy, cz)
        fill_triangle(dx, dy, dn, ex, ey, en, cx, cy, cn, number, nearness, numbers)


def draw_triangles(
    view: View, vertices: np.ndarray, triangles: np.ndarray, nearness: np.ndarray, numbers: np.ndarray
) -> None:
    """Draw triangles (T, 3) of world points (V, 3), clipped at the near plane, under their own index."""
    screen, is_ahead = np.empty(vertices.shape), np.empty(len(vertices), np.uint8)
    draw_projected(view, vertices, triangles, screen, is_ahead, nearness, numbers)


@threaded_kernel
def draw_projected(view, vertices, triangles, screen, is_ahead, nearness, numbers):
    """Draw triangles, with room for where their corners (V, 3) appear, and whether they do (V,)."""
    for v in range(vertices.shape[0]):
        x, y, z = to_view(view, vertices[v, 0], vertices[v, 1], vertices[v, 2])
        is_ahead[v] = z >= view.near
        if is_ahead[v]:
            screen[v, 0], screen[v, 1], screen[v, 2] = to_screen(view, x, y, z)
    for number in range(triangles.shape[0]):
        a, b, c = triangles[number, 0], triangles[number, 1], triangles[number, 2]
        ahead = is_ahead[a] + is_ahead[b] + is_ahead[c]
        if ahead == 3:
            fill_triangle(
                screen[a, 0], screen[a, 1], screen[a, 2],
                screen[b, 0], screen[b, 1], screen[b, 2],
                screen[c, 0], screen[c, 1], screen[c, 2],
                number, nearness, numbers,
            )  # fmt: skip
        elif ahead > 0:
            draw_clipped(view, vertices, a, b, c, number, nearness, numbers)


@allocation_free_kernel
def fill_segment(ax, ay, an, bx, by, bn, half_width, number, nearness, numbers):
    """Write a number wherever a round-ended stroke between two screen points is nearest."""
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
def lifted(view, nearness, lift):
    """Return the nearness of a point `lift` metres closer to the viewer."""
    if view.is_perspective:
        return nearness / (1.0 - min(0.5, lift * nearness))
    return nearness + lift


@threaded_kernel
def draw_segments(view, starts, ends, half_widths, first_number, lift, nearness, numbers):
    """Draw segments (S, 3) as strokes, `lift` metres nearer than they are, numbered from `first_number`."""
    for s in range(starts.shape[0]):
        ax, ay, az = to_view(view, starts[s, 0], starts[s, 1], starts[s, 2])
        bx, by, bz = to_view(view, ends[s, 0], ends[s, 1], ends[s, 2])
        if az < view.near and bz < view.near:
            continue
        if az < view.near:
            start_x, start_y, start_near = cross_near(view, ax, ay, az, bx, by, bz)
        else:
            start_x, start_y, start_near = to_screen(view, ax, ay, az)
        if bz < view.near:
            end_x, end_y, end_near = cross_near(view, bx, by, bz, ax, ay, az)
        else:
            end_x, end_y, end_near = to_screen(view, bx, by, bz)
        start_near, end_near = lifted(view, start_near, lift), lifted(view, end_near, lift)
        number = first_number + s
        fill_segment(start_x, start_y, start_near, end_x, end_y, end_near, half_widths[s], number, nearness, numbers)
