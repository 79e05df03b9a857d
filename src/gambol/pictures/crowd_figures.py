"""Bodies of a whole crowd at an instant, each with as much detail as the picture shows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.body.skin import Skin, skin_around
from gambol.characters.character import Character
from gambol.core import lib, pointer, struct
from gambol.crowd.moment import Moment, moment, places
from gambol.crowd.poses import PosePlayer
from gambol.crowd.recording import Recording
from gambol.geometry.arrays import FloatArray
from gambol.pictures.camera import Camera
from gambol.pictures.flock import MeshFlock
from gambol.pictures.skin_levels import CELL_PX, CELLS_M, SHADOW_CELL_M, skin_of_cells

Float32Array = NDArray[np.float32]

SHADOW_LEVEL = CELLS_M.index(SHADOW_CELL_M)  # of the skins that cast shadows, at least
MOST_WHOLE = 12  # the nearest figures with whole skins, at most; further ones are at least one level coarser
REACH_M = 3.5  # metres around a character's place that hold its body
SHADOW_REACH = 1.6  # picture heights: figures this near to the camera's target cast shadows
TALLEST_M = 2.5  # metres: height of the tallest figure


@dataclass(frozen=True, eq=False)
class CrowdFigures:
    """Poses and skins to draw all characters of a recording, made once."""

    recording: Recording
    colors: FloatArray  # (N, 3) as on the screen
    players: tuple[PosePlayer, ...]  # by kind
    skins: tuple[tuple[Skin, ...], ...]  # by kind, from fine to coarse

    @classmethod
    def of(cls, recording: Recording, colors: FloatArray) -> CrowdFigures:
        """Compute poses and skins of all kinds of characters: some two seconds for each kind."""
        players = tuple(PosePlayer.of(character, rotations=True) for character in recording.characters)
        return cls(recording, colors, players, tuple(skins_of(character) for character in recording.characters))

    def at(self, time_s: float, camera: Camera, size: tuple[int, int]) -> list[MeshFlock]:
        """Return the figures that a camera sees at a time of the recording."""
        now = moment(self.recording, time_s)
        where = places(self.recording, now)[:, :2]
        seen, metre_px = _seen(where, camera, size)
        casts = np.linalg.norm(where - camera.target[:2], axis=1) < SHADOW_REACH * _seen_height(camera)
        flocks = []
        for kind, (player, skins) in enumerate(zip(self.players, self.skins, strict=True)):
            own = np.flatnonzero(seen & (now.kind == kind))
            levels = levels_of(metre_px[own])
            for level in np.unique(levels):
                for shaded in (True, False):
                    chosen = own[(levels == level) & (casts[own] == shaded)]
                    if len(chosen):
                        some = Moment._make(column[chosen] for column in now)
                        casting = skins[max(level, SHADOW_LEVEL)] if shaded else None
                        flocks.append(_flock(player, skins[level], casting, some, self.colors[some.who]))
        return flocks


def skins_of(character: Character) -> tuple[Skin, ...]:
    """Return a character's skins from fine to coarse, one for each of `CELLS_M`."""
    whole = skin_around(character.skeleton)
    return tuple(skin_of_cells(whole, cell_m) for cell_m in CELLS_M)


def _flock(player: PosePlayer, skin: Skin, casting: Skin | None, now: Moment, colors: FloatArray) -> MeshFlock:
    """Return characters in a skin; casting: a coarser one that casts their shadows, None for none."""
    positions = np.empty((len(now.who), player.joint_count, 3), dtype=np.float32)
    rotations = np.empty((len(now.who), player.joint_count, 4), dtype=np.float32)
    player.place(now.clip, now.before, now.after, now.phase, now.pose, positions=positions, rotations=rotations)
    shadow = None
    if casting is not None and casting is not skin:
        shadow = MeshFlock(*_posed(casting, positions, rotations), casting.triangles, colors)
    return MeshFlock(*_posed(skin, positions, rotations), skin.triangles, colors, casting is not None, shadow)


def _posed(skin: Skin, positions: Float32Array, rotations: Float32Array) -> tuple[FloatArray, FloatArray]:
    """Return vertices and normals (N, V, 3) of a skin in N poses."""
    vertices = np.empty((len(positions), *skin.vertices.shape))
    normals, turns = np.empty_like(vertices), np.empty((positions.shape[1], 12))
    figures = struct(
        "gb_figures", skin=skin.table, normals=skin.normals, rest=skin.skeleton.rest_positions, count=len(positions),
        positions=positions, rotations=rotations,
    )  # fmt: skip
    lib.gb_figures_pose(
        figures.c, pointer(turns, "double"), pointer(vertices, "double"), pointer(normals, "double")
    )  # fmt: skip
    return vertices, normals


def _seen(where: FloatArray, camera: Camera, size: tuple[int, int]) -> tuple[NDArray[np.bool_], FloatArray]:
    """Return which characters may be in the picture (M,), and the pixels a metre at each place (M,)."""
    middles = np.column_stack((where, np.full(len(where), 0.5 * TALLEST_M)))
    pixels, depths = camera.project(middles, size)
    metre_px = 0.5 * size[1] / math.tan(0.5 * camera.field_of_view_rad) / np.maximum(depths, REACH_M)
    reach_px = REACH_M * metre_px[:, None]
    inside = np.all((pixels > -reach_px) & (pixels < np.array(size) + reach_px), axis=1)
    return inside | (np.abs(depths) < REACH_M), metre_px


def levels_of(metre_px: FloatArray) -> NDArray[np.int64]:
    """Return the level of each figure's skin (M,): the coarsest that looks like the finest."""
    levels = np.searchsorted(np.array(CELLS_M), CELL_PX / metre_px, "right") - 1
    levels[np.argsort(-metre_px, kind="stable")[MOST_WHOLE:]] = np.maximum(
        levels[np.argsort(-metre_px, kind="stable")[MOST_WHOLE:]], 1
    )
    return levels


def _seen_height(camera: Camera) -> float:
    """Return the picture's height in metres at the camera's target."""
    return 2.0 * math.dist(camera.eye, camera.target) * math.tan(0.5 * camera.field_of_view_rad)
