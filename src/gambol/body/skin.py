"""A skin: one mesh around a body that bends with its joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Body, Cones, check_same_joints
from gambol.body.entanglement import is_entangled
from gambol.body.mannequin import cone_meshes, visible_area
from gambol.body.skin_weights import MOST_INFLUENCES, Neighbours, skin_weights
from gambol.body.surface_nets import Grid, grid_around, onto_surface, smooth_union, surface_nets
from gambol.core import Struct, lib, pointer, struct
from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray, Int32Array, frozen_array
from gambol.motion.figure import figure_of, prop_joints
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton


def vertex_normals(vertices: FloatArray, triangles: Int32Array) -> FloatArray:
    """Return unit normals (V, 3), the mean of the triangles around each vertex weighted by their area."""
    places, corners = np.ascontiguousarray(vertices, dtype=np.float64), np.ascontiguousarray(triangles, dtype=np.int32)
    normals = np.empty(places.shape)
    lib.gb_skin_normals(
        pointer(places, "double"), len(places), pointer(corners, "int32_t"), len(corners),
        pointer(normals, "double"),
    )  # fmt: skip
    return normals


def neighbours_of(triangles: Int32Array, vertex_count: int) -> Neighbours:
    """Return the vertices that share an edge with each."""
    # On a closed surface each edge appears once in either direction.
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    first = np.concatenate(([0], np.cumsum(np.bincount(start, minlength=vertex_count))))
    return Neighbours(first, end[np.lexsort((end, start))].astype(np.int32))


#: About how many vertices a smooth skin has; on a person they are some 14 mm apart.
VERTICES = 10_000
MOST_VERTICES = 15_000
#: Cells that a surface passes through, over its area in cells: the mean of |x| + |y| + |z| over all directions.
CELLS_PER_AREA = 1.5
#: Bodies of more parts or joints are mannequins, which cost time and memory in proportion to them.
MOST_PARTS = 250
MOST_JOINTS = 1_000
#: In cells: the radius below which a part is drawn apart from the grid, the least radius on the
#: grid, at which no ball slips between its samples, and how near strangers may come to each other.
THIN = 0.75
LEAST_RADIUS = 0.9
GAP = 1.6
#: Cells of a prop's surface, in radii of its thinnest part.
PROP_CELL = 0.75
#: Rounds of evening out the vertices, before they are put back on the surface.
RELAXING_ROUNDS = 6
#: Rounds of rounding off edges, each a step in and a slightly larger one out, which keeps the volume
#: [Taubin 1995, A signal processing approach to fair surface design].
FAIRING_ROUNDS = 4
FAIRING_STEPS = (0.5, -0.53)
#: Vertices around a piece of a mannequin, and circles on either cap; coarser where there are many.
MANNEQUIN = (16, 4)
COARSE_MANNEQUIN = (6, 2)
MOST_KEPT = 8  # skins, >= 0: drawing one takes a third of a second, keeping it some two megabytes


@dataclass(frozen=True, eq=False)
class Skin:
    """A closed triangle mesh in the rest pose, with the joints that move each vertex."""

    skeleton: Skeleton
    vertices: FloatArray  # (V, 3) metres, in the world at rest
    normals: FloatArray  # (V, 3) unit, outwards
    triangles: Int32Array  # (T, 3) counter-clockwise seen from outside
    joints: Int32Array  # (V, 4) heaviest first, 0 where the weight is 0
    weights: FloatArray  # (V, 4) not negative, rows sum to 1

    def __post_init__(self) -> None:
        for name in ("vertices", "normals", "weights"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        for name in ("triangles", "joints"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), np.int32))

    @cached_property
    def table(self) -> Struct:
        """The skin as the core reads it."""
        return struct(
            "gb_skin",
            vertices=len(self.vertices),
            joints=self.skeleton.joint_count,
            influences=self.joints.shape[1],
            places=self.vertices,
            owners=self.joints,
            weights=self.weights,
        )

    def deform(self, motion: Motion, frames: Sequence[int] | NDArray[np.integer] | None = None) -> FloatArray:
        """Return the vertices (N, V, 3) in the world at some frames of a motion, or at all of them."""
        check_same_joints(self.skeleton, motion.skeleton)
        chosen = np.arange(motion.frame_count) if frames is None else np.asarray(frames, dtype=np.int64)
        if np.any((chosen < 0) | (chosen >= motion.frame_count)):
            raise InvalidInput(f"frames must lie between 0 and {motion.frame_count - 1}")
        turns = quaternion.to_matrix(motion.world_rotations[chosen])
        at_rest = np.einsum("njab,jb->nja", turns, self.skeleton.rest_positions)
        shifts = np.ascontiguousarray(motion.world_positions[chosen] - at_rest)
        placed = np.empty((len(chosen), *self.vertices.shape))
        lib.gb_skin_place(
            self.table.c, pointer(turns, "double"), pointer(shifts, "double"), len(chosen), pointer(placed, "double")
        )
        return placed


@lru_cache(maxsize=MOST_KEPT)
def skin_around(skeleton: Skeleton) -> Skin:
    """Return the skin around a skeleton's own body; the last ones are kept."""
    return build_skin(Body.from_skeleton(skeleton))


def build_skin(body: Body) -> Skin:
    """Draw a skin around a body.

    Where the rest pose allows, it is one smooth surface.  Where parts that do not belong together
    touch at rest (legs or arms laid together, bones on top of each other) no surface could tell
    them apart when they move, and the skin is a mannequin: a closed piece around each part.
    Parts thinner than the surface can show, such as fingers, are always such pieces, and a prop has
    a surface of its own.
    """
    is_prop = prop_joints(body.skeleton)[body.joint]
    own = np.flatnonzero(~is_prop)
    pieces = [*(_pieces(body, own) if len(own) else []), *_prop_pieces(body, np.flatnonzero(is_prop))]
    first = np.cumsum([0, *(len(piece.vertices) for piece in pieces[:-1])])
    vertices = np.concatenate([piece.vertices for piece in pieces])
    triangles = np.concatenate([piece.triangles + start for piece, start in zip(pieces, first, strict=True)])
    joints = np.concatenate([piece.joints for piece in pieces])
    weights = np.concatenate([piece.weights for piece in pieces])
    return Skin(body.skeleton, vertices, vertex_normals(vertices, triangles), triangles, joints, weights)


class _Piece(NamedTuple):
    vertices: FloatArray  # (V, 3)
    triangles: Int32Array  # (T, 3)
    joints: Int32Array  # (V, 4)
    weights: FloatArray  # (V, 4)


def _pieces(body: Body, own: NDArray[np.intp]) -> list[_Piece]:
    if len(own) > MOST_PARTS or body.skeleton.joint_count > MOST_JOINTS:
        return [_mannequin(body, own)]
    cones = body.rest_cones
    visible = cones.select(own)
    grid = grid_around(visible, float(np.sqrt(CELLS_PER_AREA * visible_area(visible) / VERTICES)))
    is_thin = body.radius[own] < THIN * grid.cell
    thick, thin = own[~is_thin], own[is_thin]
    figure = figure_of(body.skeleton)
    may_touch = figure is not None and figure.skin_may_touch
    if len(thick) == 0 or (
        not may_touch and is_entangled(cones.select(thick), body.joint[thick], body.skeleton, GAP * grid.cell)
    ):
        return [_mannequin(body, own)]
    smooth = _smooth_surface(body, thick, grid)
    return [smooth, _mannequin(body, thin)] if len(thin) else [smooth]


def _prop_pieces(body: Body, props: NDArray[np.intp]) -> list[_Piece]:
    """Draw a surface around each rigid piece of the props."""
    pieces = []
    for joint in np.unique(body.joint[props]):
        which = props[body.joint[props] == joint]
        grid = grid_around(body.rest_cones.select(which), PROP_CELL * float(body.radius[which].min()))
        pieces.append(_smooth_surface(body, which, grid))
    return pieces


def _mannequin(body: Body, which: NDArray[np.intp]) -> _Piece:
    """Close a piece around each of some parts, which moves with its joint alone."""
    sides, rings = MANNEQUIN if len(which) <= MOST_PARTS else COARSE_MANNEQUIN
    vertices, triangles, owners = cone_meshes(body.rest_cones.select(which), sides=sides, rings=rings)
    joints = np.zeros((len(vertices), MOST_INFLUENCES), dtype=np.int32)
    joints[:, 0] = body.joint[which][owners]
    weights = np.zeros((len(vertices), MOST_INFLUENCES))
    weights[:, 0] = 1.0
    return _Piece(vertices, triangles, joints, weights)


def _smooth_surface(body: Body, which: NDArray[np.intp], grid: Grid) -> _Piece:
    """Draw one surface around some parts, even out its vertices, and weigh the joints at each of them."""
    cones = _with_least_radius(body.rest_cones.select(which), LEAST_RADIUS * grid.cell)
    field = smooth_union(cones, grid) / grid.cell
    samples, triangles = surface_nets(field)
    if len(samples) > MOST_VERTICES:
        return _smooth_surface(body, which, grid_around(cones, grid.cell * np.sqrt(len(samples) / VERTICES)))
    neighbours = neighbours_of(triangles, len(samples))
    for _ in range(RELAXING_ROUNDS):
        samples = 0.5 * (samples + neighbours.means(samples))
    samples = onto_surface(field, samples)
    for step in FAIRING_STEPS * FAIRING_ROUNDS:
        samples = samples + step * (neighbours.means(samples) - samples)
    vertices = grid.origin + grid.cell * samples
    joints, weights = skin_weights(vertices, neighbours, cones, body.joint[which], body.skeleton)
    return _Piece(vertices, triangles, joints, weights)


def _with_least_radius(cones: Cones, least: float) -> Cones:
    start_radius, end_radius = np.maximum(cones.start_radius, least), np.maximum(cones.end_radius, least)
    return Cones(cones.start, cones.end, start_radius, end_radius)
