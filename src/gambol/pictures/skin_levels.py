"""Skins as fine as a picture shows: coarser ones are made when they are first asked for."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from gambol.body.skin import Skin
from gambol.motion.motion import Motion
from gambol.pictures.coarse_skin import coarse_skin
from gambol.pictures.figure import figure
from gambol.pictures.mesh import Caster, Color, Mesh

#: Metres: sizes of the cells of coarse skins, from fine to coarse; 0 is the whole skin.
CELLS_M = (0.0, 0.015, 0.02, 0.025, 0.03, 0.045, 0.06, 0.1, 0.15, 0.3)
CELL_PX = 1.4  # pixels: a skin's cells may be this large on the picture; larger: coarser figures
SHADOW_CELL_M = 0.045  # metres: cells of the skin that casts the shadow, which is blurred more widely than that

_MADE: WeakKeyDictionary[Skin, dict[float, Skin]] = WeakKeyDictionary()


def skin_of_cells(skin: Skin, cell_m: float) -> Skin:
    """Return a skin with cells of a size; 0: the whole one."""
    if cell_m == 0.0:
        return skin
    known = _MADE.setdefault(skin, {})
    if cell_m not in known:
        known[cell_m] = coarse_skin(skin, cell_m)
    return known[cell_m]


def coarsest_cell(metre_px: float) -> float:
    """Return the largest of `CELLS_M` that looks like the whole skin where a metre takes some pixels."""
    return CELLS_M[int(np.searchsorted(CELLS_M, CELL_PX / max(metre_px, 1e-9), "right")) - 1]


def shaded_figure(skin: Skin, motion: Motion, frame: int, color: Color, metre_px: float) -> Mesh:
    """Return a motion's pose as a mesh as fine as a picture shows, with a coarser one that casts its shadow."""
    cell_m = coarsest_cell(metre_px)
    shown, casting = skin_of_cells(skin, cell_m), skin_of_cells(skin, max(cell_m, SHADOW_CELL_M))
    caster = Caster(casting.deform(motion, [frame])[0], casting.triangles)
    return figure(shown, shown.deform(motion, [frame])[0], color, caster)
