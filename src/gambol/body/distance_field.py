"""The distance from many rounded cones at once, on a grid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.body.cones import Cones, cone_distance
from gambol.geometry.arrays import FloatArray

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
