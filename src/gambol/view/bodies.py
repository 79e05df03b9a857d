"""Bodies of many characters: one batch for each joint, of what moves with it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.body.cones import Cones
from gambol.body.mannequin import cone_meshes
from gambol.geometry.arrays import FloatArray
from gambol.view.hulls import directions_around, hull_mesh

Detail = Literal["round", "plain", "rough"]
SIDES, RINGS = 12, 3  # of round bodies: vertices around a part, and circles on either cap
MANY = 60  # more than these are plain, unless something else is asked for
PLAIN, ROUGH = 32, 10  # corners of a piece, at most


class Bodies:
    """The bodies of N characters of one kind; where their joints are is said again and again.

    All parts that move with a joint are one mesh in its frame, so that what is sent for a frame is the places and turns
    of joints as they are: 28 bytes each.
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

        colors: (N, 3) red, green, blue from 0 to 1, one for each character.
        detail: how they are shaped; None: as is good for so many.
        pieces: for each part of the body of which piece it is; by default what moves with one joint is one piece.
        """
        self.count = len(colors)
        self.joints = np.unique(body.joint)
        if detail is None:
            detail = "round" if self.count <= MANY else "plain"
        shades = _bytes_of(colors)
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
            handle.batched_colors = _bytes_of(colors)

    def show(self, visible: bool) -> None:
        for handle in self._handles:
            handle.visible = visible

    def remove(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles = []


def _mesh(
    body: Body, own: NDArray[np.bool_], pieces: NDArray[np.integer], detail: Detail
) -> tuple[FloatArray, NDArray[np.int32]]:
    """Return the vertices and triangles of some parts of a body, in the frame of their joint."""
    if detail == "round":
        vertices, triangles, _ = cone_meshes(_cones(body, own), sides=SIDES, rings=RINGS)
        return vertices, triangles
    directions = directions_around(PLAIN if detail == "plain" else ROUGH)
    hulls = [hull_mesh(_cones(body, own & (pieces == piece)), directions) for piece in np.unique(pieces[own])]
    before = np.cumsum([0, *(len(vertices) for vertices, _ in hulls)])
    triangles = [triangles + first for (_, triangles), first in zip(hulls, before, strict=False)]
    return np.concatenate([vertices for vertices, _ in hulls]), np.concatenate(triangles).astype(np.int32)


def _cones(body: Body, own: NDArray[np.bool_]) -> Cones:
    return Cones(body.start[own], body.end[own], body.start_radius[own], body.end_radius[own])


def _bytes_of(colors: FloatArray) -> NDArray[np.uint8]:
    return np.rint(255.0 * np.clip(colors, 0.0, 1.0)).astype(np.uint8)
