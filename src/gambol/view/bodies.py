"""Bodies of many characters: for each joint one batch of the mesh that moves with it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy
import viser
from numpy.typing import NDArray

from gambol.body.capsules import Body, Cones
from gambol.body.mannequin import cone_meshes
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.view.meshes import color_bytes

Detail = Literal["round", "plain", "rough"]
SIDES = 12  # >= 3: vertices around a part; larger: rounder
RINGS = 3  # >= 1: circles on either cap of a part of a round body
HULL_RINGS = 4  # >= 1: circles on either cap of the parts that a hull is laid around
MANY = 60  # characters: more than this are plain instead of round, by default
PLAIN = 32  # >= 4: corners of a plain piece at most; larger: truer shape, slower to draw
ROUGH = 10  # >= 4: corners of a rough piece at most
LEAST_CORNERS = 4  # corners of a solid at least: a hull with fewer takes all points
SMALL_M = 0.14  # m: a piece that is nowhere longer than this has only 6 corners


class Bodies:
    """The bodies of N characters of one kind.

    All parts that move with a joint are one mesh in its frame, so that a frame sends only the places and turns of
    joints: 28 bytes each.
    """

    def __init__(
        self,
        scene: viser.SceneApi,
        name: str,
        body: Body,
        colors: FloatArray,
        *,
        detail: Detail | None = None,
        pieces: NDArray[np.integer] | None = None,
    ) -> None:
        """Show them.

        colors: (N, 3) red, green, blue from 0 to 1, one row for each character.
        detail: how they are shaped; None: depends on N.
        pieces: the number of the piece that each part of the body belongs to; by default a joint's parts are one piece.
        """
        self.count = len(colors)
        self.joints = np.unique(body.joint)
        if detail is None:
            detail = "round" if self.count <= MANY else "plain"
        shades = color_bytes(colors)
        unturned, nowhere = np.tile([1.0, 0.0, 0.0, 0.0], (self.count, 1)), np.zeros((self.count, 3))
        self._handles: list[viser.BatchedMeshHandle] = []
        for joint in self.joints:
            own = body.joint == joint
            vertices, triangles = _mesh(body, own, np.asarray(body.joint if pieces is None else pieces), detail)
            handle = scene.add_batched_meshes_simple(
                f"{name}/{body.skeleton.names[joint]}", vertices, triangles.astype(np.uint32), unturned, nowhere,
                batched_colors=shades, lod="off",
            )  # fmt: skip
            self._handles.append(handle)

    def place(self, positions: NDArray[np.floating], rotations: NDArray[np.floating]) -> None:
        """Put all characters where their joints are: (N, J, 3) and (N, J, 4) in the world."""
        positions, rotations = (np.asarray(values, dtype=np.float32) for values in (positions, rotations))
        for joint, handle in zip(self.joints, self._handles, strict=True):
            handle.batched_positions = np.ascontiguousarray(positions[:, joint])
            handle.batched_wxyzs = np.ascontiguousarray(rotations[:, joint])

    def paint(self, colors: FloatArray) -> None:
        """Give all characters other colors (N, 3)."""
        for handle in self._handles:
            handle.batched_colors = color_bytes(colors)

    def show(self, visible: bool) -> None:
        for handle in self._handles:
            handle.visible = visible

    def remove(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles = []


def _mesh(body: Body, own: BoolArray, pieces: NDArray[np.integer], detail: Detail) -> tuple[FloatArray, Int32Array]:
    """Return the vertices and triangles of some parts of a body, in the frame of their joint."""
    if detail == "round":
        vertices, triangles, _ = cone_meshes(_cones(body, own), sides=SIDES, rings=RINGS)
        return vertices, triangles
    directions = directions_around(PLAIN if detail == "plain" else ROUGH)
    hulls = [hull_mesh(_cones(body, own & (pieces == piece)), directions) for piece in np.unique(pieces[own])]
    before = np.cumsum([0, *(len(vertices) for vertices, _ in hulls)])
    triangles = [triangles + first for (_, triangles), first in zip(hulls, before, strict=False)]
    return np.concatenate([vertices for vertices, _ in hulls]), np.concatenate(triangles).astype(np.int32)


def _cones(body: Body, own: BoolArray) -> Cones:
    return Cones(body.start[own], body.end[own], body.start_radius[own], body.end_radius[own])


def hull_mesh(cones: Cones, directions: FloatArray) -> tuple[FloatArray, Int32Array]:
    """Return vertices (V, 3) and triangles (T, 3), counter-clockwise seen from outside, of a hull around cones.

    directions: (D, 3); in each the hull reaches as far as the cones do.
    """
    points, _, _ = cone_meshes(cones, sides=SIDES, rings=HULL_RINGS)
    if np.ptp(points, axis=0).max() < SMALL_M:
        directions = np.concatenate((np.eye(3), -np.eye(3)))
    corners = points[np.unique(np.argmax(points @ directions.T, axis=0))]
    if len(corners) < LEAST_CORNERS:
        corners = points
    hull = scipy.spatial.ConvexHull(corners)
    triangles = hull.simplices.copy()
    first, second, third = (corners[triangles[:, n]] for n in range(3))
    inward = np.sum(np.cross(second - first, third - first) * hull.equations[:, :3], axis=1) < 0.0
    triangles[inward] = triangles[inward][:, ::-1]
    used, renamed = np.unique(triangles, return_inverse=True)
    return corners[used], renamed.reshape(-1, 3).astype(np.int32)


def directions_around(count: int) -> FloatArray:
    """Return directions (count, 3), about equally far from each other."""
    turn = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    height = 1.0 - 2.0 * (np.arange(count) + 0.5) / count
    flat = np.sqrt(1.0 - height**2)
    return np.stack((flat * np.cos(turn), flat * np.sin(turn), height), axis=-1)
