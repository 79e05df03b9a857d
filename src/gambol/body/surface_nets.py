"""Closed surfaces out of fields on a grid, by naive surface nets.

One vertex for each cell that the surface passes through, in the middle of the crossings on the
cell's edges, and one quad for each crossing, between the four cells around its edge [Gibson 1998,
Constrained elastic surface nets].
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Cones, cone_distance
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.geometry.holes import without_holes

Box = tuple[slice, slice, slice]

#: In cells: the length over which creases are filled, and the distance from which a part matters no more.
BLEND = 0.8
REACH = 5.0
#: How fast filling sets in as surfaces turn away from each other, and as they stop facing each other.
CREASE = 6.0
FACING = 4.0
#: A cone continues another if it starts this near to the other's end, in radii, and has much the same radius.
CONTINUES = 0.05
SAME_RADIUS = 0.5
#: exp() of anything larger would overflow when added up.
DEEPEST = 600.0
MOST_SAMPLES = 2_000_000
MOST_DISTANCES = 8_000_000
BOX_MARGIN = 2.0 * REACH + 2.0


class Grid(NamedTuple):
    """Samples in a box: sample (i, j, k) lies at origin + cell * (i, j, k)."""

    origin: FloatArray  # (3,) metres
    cell: float  # metres
    shape: tuple[int, int, int]


def grid_around(cones: Cones, cell: float) -> Grid:
    """Lay a grid around cones, with larger cells where it or the work on it would get too large."""
    radius = np.maximum(cones.start_radius, cones.end_radius)[:, None]
    lows, highs = np.minimum(cones.start, cones.end) - radius, np.maximum(cones.start, cones.end) + radius
    low, high = np.min(lows, axis=0), np.max(highs, axis=0)
    while True:
        # Symmetric about the middle of the box, so that a symmetric body meets mirrored samples.
        counts = np.ceil((high - low) / cell).astype(int) + 3
        boxes = np.minimum((highs - lows) / cell + BOX_MARGIN, counts)
        if np.prod(counts) <= MOST_SAMPLES and np.sum(np.prod(boxes, axis=1)) <= MOST_DISTANCES:
            origin = 0.5 * (low + high) - 0.5 * cell * (counts - 1)
            return Grid(origin, cell, (int(counts[0]), int(counts[1]), int(counts[2])))
        cell *= 1.1


def smooth_union(cones: Cones, grid: Grid) -> FloatArray:
    """Return the distance from all cones at the grid's samples, with creases filled.

    The soft minimum `-blend * log(sum(exp(-distance / blend)))` does not depend on the order of its
    terms, so that mirrored bodies have mirrored skins.  It also bulges where parts only overlap,
    though.  The mean gradient tells creases apart: its length is one where surfaces agree, and zero
    between surfaces that face each other, such as two thighs'.
    """
    blend = BLEND * grid.cell
    reach = REACH * grid.cell
    nearest = np.full(grid.shape, reach)
    total = np.full(grid.shape, np.exp(-reach / blend))
    slope = np.zeros((*grid.shape, 3))
    for chain in chains(cones):
        box, distance, gradient = _chain_distance(cones, chain, grid, reach)
        weight = np.exp(np.minimum(-distance / blend, DEEPEST))
        nearest[box] = np.minimum(nearest[box], distance)
        total[box] += weight
        slope[box] += weight[..., None] * gradient
    agreement = np.einsum("...i,...i->...", slope, slope) / (total * total)
    is_crease = np.clip(CREASE * (1.0 - agreement), 0.0, 1.0) * np.clip(FACING * agreement, 0.0, 1.0)
    return nearest - is_crease * (nearest + blend * np.log(total))


def chains(cones: Cones) -> list[list[int]]:
    """Group cones that continue each other: where one ends a single other one starts, of much the same radius.

    Counted one by one in a soft minimum, they would bulge at every joint.
    """
    apart = np.linalg.norm(cones.end[:, None] - cones.start, axis=2)
    meets = apart < CONTINUES * cones.end_radius[:, None]
    meets &= np.abs(cones.end_radius[:, None] - cones.start_radius) < SAME_RADIUS * cones.end_radius[:, None]
    np.fill_diagonal(meets, False)
    alone = meets & (np.sum(meets, axis=1) == 1)[:, None] & (np.sum(meets, axis=0) == 1)
    following = np.where(np.any(alone, axis=1), np.argmax(alone, axis=1), -1)
    is_later = np.zeros(len(apart), dtype=bool)
    is_later[following[following >= 0]] = True
    found: list[list[int]] = []
    used = np.zeros(len(apart), dtype=bool)
    # First those that nothing leads to; what is left then are rings, which may start anywhere.
    for first in np.argsort(is_later, kind="stable").tolist():
        chain = []
        while first >= 0 and not used[first]:
            used[first] = True
            chain.append(first)
            first = int(following[first])
        found += [chain] if chain else []
    return found


def _chain_distance(cones: Cones, chain: list[int], grid: Grid, reach: float) -> tuple[Box, FloatArray, FloatArray]:
    """Return the box of samples near a chain, their distances from its nearest cone, and the gradients."""
    whole = _box_around(cones.select(chain), grid, reach)
    shape = tuple(side.stop - side.start for side in whole)
    distance, gradient = np.full(shape, reach), np.zeros((*shape, 3))
    for cone in chain:
        box = _box_around(cones.select([cone]), grid, reach)
        x, y, z = (grid.origin[i] + grid.cell * np.arange(side.start, side.stop) for i, side in enumerate(box))
        points = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1)
        own, outward = cone_distance(points.reshape(-1, 3), cones, cone)
        inner = tuple(
            slice(side.start - first.start, side.stop - first.start) for side, first in zip(box, whole, strict=True)
        )
        closer = own.reshape(points.shape[:3]) < distance[inner]
        distance[inner][closer] = own[closer.ravel()]
        gradient[inner][closer] = outward[closer.ravel()]
    return whole, distance, gradient


def _box_around(cones: Cones, grid: Grid, reach: float) -> Box:
    """Return the samples that lie within reach of cones."""
    radius = np.maximum(cones.start_radius, cones.end_radius)[:, None] + reach
    low = np.min(np.minimum(cones.start, cones.end) - radius, axis=0) - grid.origin
    high = np.max(np.maximum(cones.start, cones.end) + radius, axis=0) - grid.origin
    first = np.clip(np.floor(low / grid.cell), 0, None).astype(int)
    last = np.minimum(np.ceil(high / grid.cell).astype(int) + 1, grid.shape)
    return slice(first[0], last[0]), slice(first[1], last[1]), slice(first[2], last[2])


Samples = TypeVar("Samples", FloatArray, BoolArray)

#: How deep, in differences between neighbours, samples lie that were filled to keep the surface simple.
FILL_DEPTH = 0.1
#: The most, in samples, that a vertex is moved at once: it stays near its cell.
FARTHEST_STEP = 0.5


def surface_nets(field: FloatArray) -> tuple[FloatArray, Int32Array]:
    """Return vertices (V, 3), in samples, and triangles (T, 3) of the surface where a field (X, Y, Z) is zero.

    The field is negative inside, and changes by about one from sample to sample; cavities are
    filled.  The triangles run counter-clockwise seen from outside, and every edge is shared by
    exactly two of them.
    """
    # A rim of outside all around closes the surface, even where the field leaves the grid.
    padded = np.pad(np.asarray(field, dtype=np.float64), 2, constant_values=1.0)
    inside = without_holes(fill_ambiguous(padded < 0.0))
    padded = np.where(inside, np.minimum(padded, -FILL_DEPTH), np.maximum(padded, 0.0))
    quads, crossings = _quads_and_crossings(padded, inside)
    cells, corners = np.unique(quads, return_inverse=True)
    corners = corners.reshape(-1)
    times = np.bincount(corners, minlength=len(cells))
    sums = [np.bincount(corners, np.repeat(crossings[:, c], 4), minlength=len(cells)) for c in range(3)]
    vertices = np.stack(sums, axis=1) / times[:, None] - 2.0
    return vertices, _split_quads(vertices, corners.reshape(-1, 4))


def onto_surface(field: FloatArray, vertices: FloatArray) -> FloatArray:
    """Move vertices (V, 3), in samples, along the field's slope to where it is zero, by Newton's method."""
    slopes = [np.gradient(field, axis=axis) for axis in range(3)]
    for _ in range(2):
        value = _interpolate(field, vertices)
        direction = np.stack([_interpolate(slope, vertices) for slope in slopes], axis=1)
        square = np.maximum(np.sum(direction * direction, axis=1), 0.25)
        step = (value / square)[:, None] * direction
        vertices = vertices - np.clip(step, -FARTHEST_STEP, FARTHEST_STEP)
    return vertices


def _interpolate(samples: FloatArray, points: FloatArray) -> FloatArray:
    """Return values at points (P, 3), linear between samples (X, Y, Z), as at the nearest ones outside."""
    last = np.array(samples.shape) - 1
    points = np.clip(points, 0.0, last)
    low = np.minimum(points.astype(np.int64), np.maximum(last - 1, 0))
    shares = points - low, 1.0 - (points - low)
    values = np.zeros(len(points))
    for corner in np.ndindex(2, 2, 2):
        value = samples[tuple((low + corner).T)]
        for axis, side in enumerate(corner):
            value = value * shares[1 - side][:, axis]
        values += value
    return values


def fill_ambiguous(inside: BoolArray) -> BoolArray:
    """Fill samples until no surface through the grid can touch itself at an edge or a corner.

    A set of samples with no two that meet only diagonally, and no such holes, is bounded by a
    manifold [Latecki et al. 1995, Well-composed sets].  Filling only ever adds, so it ends.
    """
    inside = inside.copy()
    while True:
        before = np.count_nonzero(inside)
        for axes in ((0, 1), (1, 2), (2, 0)):
            _fill_faces(inside, axes)
        _fill_cubes(inside)
        if np.count_nonzero(inside) == before:
            return inside


def _fill_faces(inside: BoolArray, axes: tuple[int, int]) -> None:
    """Fill all four samples of a face where only two opposite ones are inside."""
    a, b, c, d = (_shifted(inside, axes, steps) for steps in ((0, 0), (1, 0), (0, 1), (1, 1)))
    checkered = (a == d) & (b == c) & (a != b)
    if np.any(checkered):
        for samples in (a, b, c, d):
            samples |= checkered


def _fill_cubes(inside: BoolArray) -> None:
    """Fill all eight samples of a cube where two opposite ones are alone inside, or alone outside."""
    steps = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    corners = [_shifted(inside, (0, 1, 2), step) for step in steps]
    count = np.sum(corners, axis=0, dtype=np.int8)
    alone = np.zeros(count.shape, dtype=bool)
    for first in range(4):
        one, other = corners[first], corners[7 - first]
        alone |= (one == other) & (count == np.where(one, 2, 6))
    if np.any(alone):
        for samples in corners:
            samples |= alone


def _shifted(array: Samples, axes: tuple[int, ...], steps: tuple[int, ...]) -> Samples:
    """Return a view of all samples that are `steps` further along some axes, one shorter along each of them."""
    slices = [slice(None)] * 3
    for axis, step in zip(axes, steps, strict=True):
        slices[axis] = slice(step, array.shape[axis] - 1 + step)
    return array[tuple(slices)]


def _quads_and_crossings(field: FloatArray, inside: BoolArray) -> tuple[NDArray[np.int64], FloatArray]:
    """Return for every crossing the four cells around its edge (Q, 4), in order, and its place (Q, 3)."""
    strides = np.array([field.shape[1] * field.shape[2], field.shape[2], 1])
    all_quads, all_crossings = [], []
    for axis in range(3):
        low, high = _shifted(field, (axis,), (0,)), _shifted(field, (axis,), (1,))
        low_inside, high_inside = _shifted(inside, (axis,), (0,)), _shifted(inside, (axis,), (1,))
        at = np.nonzero(low_inside != high_inside)
        crossings = np.stack(at, axis=1).astype(np.float64)
        crossings[:, axis] += low[at] / (low[at] - high[at])
        cell = np.stack(at, axis=1) @ strides
        second, third = strides[(axis + 1) % 3], strides[(axis + 2) % 3]
        # Counter-clockwise seen from the axis' far end, where it is outside; else the other way.
        quads = np.stack((cell - second - third, cell - third, cell, cell - second), axis=1)
        outward = low_inside[at]
        all_quads.append(np.where(outward[:, None], quads, quads[:, ::-1]))
        all_crossings.append(crossings)
    return np.concatenate(all_quads), np.concatenate(all_crossings)


def _split_quads(vertices: FloatArray, quads: NDArray[np.int64]) -> Int32Array:
    """Cut each quad along its shorter diagonal."""
    corners = vertices[quads]
    one = np.linalg.norm(corners[:, 0] - corners[:, 2], axis=1)
    other = np.linalg.norm(corners[:, 1] - corners[:, 3], axis=1)
    # Rounding must not decide between equal diagonals, or mirrored halves would differ.
    turned = np.where((other < one - 1e-9)[:, None], np.roll(quads, -1, axis=1), quads)
    return np.concatenate((turned[:, [0, 1, 2]], turned[:, [0, 2, 3]])).astype(np.int32)
