"""How far it is to a goal around what a character can in no way cross: closed cells and distance fields."""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.core import lib, pointer, struct
from gambol.search.moves import moves_of
from gambol.world.changes import Window, changed_boxes, grown, only_obstacles_differ, window
from gambol.world.pieces import struct_of_pieces
from gambol.world.standing import standing
from gambol.world.world import World

CELL_M = 0.1  # metres, > 0: cells of a world that is not too large; larger: shorter bounds, found faster
MOST_CELLS = 600_000  # cells; in larger worlds cells grow
FAR = 1e18  # cells: there is no way
#: How much longer a way in eight directions can be than the straight one [the octile distance at 22.5 degrees].
TOO_LONG = float(np.sqrt(4.0 - 2.0 * np.sqrt(2.0)))


@dataclass(frozen=True, eq=False)
class ClosedCells:
    """The cells of a world where no instant of any of a character's clips can have its root."""

    x0: float
    y0: float
    cell_m: float
    closed: NDArray[np.bool_]  # (rows, columns)

    def corner_places(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return x (columns + 1,) and y (rows + 1,) of the cells' corners."""
        rows, columns = self.closed.shape
        return self.x0 + self.cell_m * np.arange(columns + 1), self.y0 + self.cell_m * np.arange(rows + 1)


_KNOWN_CELLS: WeakKeyDictionary[World, WeakKeyDictionary[Character, ClosedCells]] = WeakKeyDictionary()
_KNOWN_FIELDS: WeakKeyDictionary[ClosedCells, dict[tuple[float, float, float], NDArray[np.float64]]] = (
    WeakKeyDictionary()
)


def closed_cells(world: World, character: Character, *, like: World | None = None) -> ClosedCells:
    """Return where a character can never be, worked out once for each world and character.

    like: a world that may differ in a few obstacles: if its cells are known, only what differs is worked out.
    """
    of_world = _KNOWN_CELLS.setdefault(world, WeakKeyDictionary())
    if character not in of_world:
        of_like = None if like is None else _KNOWN_CELLS.get(like)
        known = None if of_like is None else of_like.get(character)
        if known is None or like is None or not only_obstacles_differ(like, world):
            of_world[character] = _close(world, character)
        else:
            of_world[character] = _mend(known, like, world, character)
    return of_world[character]


def way_field(cells: ClosedCells, x: float, y: float, tolerance_m: float) -> NDArray[np.float64]:
    """Return lower bounds, in cells, of the way from each corner to a disc; FAR where there is none.

    `gb_field_way_left` of the core tells what that means between corners.
    """
    known = _KNOWN_FIELDS.setdefault(cells, {})
    key = (x, y, tolerance_m)
    if key not in known:
        known[key] = _spread(cells, x, y, tolerance_m)
    return known[key]


def _spread(cells: ClosedCells, x: float, y: float, tolerance_m: float) -> NDArray[np.float64]:
    rows, columns = cells.closed.shape
    field = np.full((rows + 1, columns + 1), FAR)
    xs, ys = cells.corner_places()
    # Every corner of an open cell that the disc may reach into is a source: no way ends before it.
    near_x = np.clip(x, xs[:-1], xs[1:]) - x
    near_y = np.clip(y, ys[:-1], ys[1:]) - y
    sources = (near_x[None, :] ** 2 + near_y[:, None] ** 2 <= tolerance_m**2) & ~cells.closed
    for down in (0, 1):
        for right in (0, 1):
            field[down : rows + down, right : columns + right][sources] = 0.0
    rings = np.empty((3, 8 * field.size + 8), np.int32)  # not filled: memory is taken as it is used
    lib.gb_field_spread(
        pointer(np.ascontiguousarray(cells.closed), "uint8_t"),
        rows + 1,
        columns + 1,
        pointer(field, "double"),
        pointer(rings, "int32_t"),
    )
    reached = field < FAR
    # The last piece of a way ends inside a source cell, at most a diagonal short of the corner counted to.
    field[reached] = np.maximum(field[reached] / TOO_LONG - np.sqrt(2.0), 0.0)
    field.flags.writeable = False
    return field


def _close(world: World, character: Character) -> ClosedCells:
    cell = max(CELL_M, float(np.sqrt(np.prod(np.subtract(world.bounds[2:], world.bounds[:2])) / MOST_CELLS)))
    columns, rows = (int(np.ceil((world.bounds[2 + axis] - world.bounds[axis]) / cell)) for axis in (0, 1))
    closed = np.zeros((rows, columns), dtype=np.bool_)
    cells = ClosedCells(*world.bounds[:2], cell, closed)
    _close_in(cells, (0, 0, rows, columns), _cores(world, character), world, character)
    return cells


def _mend(cells: ClosedCells, old: World, new: World, character: Character) -> ClosedCells:
    mended = replace(cells, closed=cells.closed.copy())
    before, after = _cores(old, character), _cores(new, character)
    reach_m = max(0.0, *before, *after)
    for box in changed_boxes(old, new):
        part = window(grown(box, reach_m), cells.x0, cells.y0, cells.cell_m, cells.closed.shape)
        mended.closed[part[0] : part[2], part[1] : part[3]] = False
        _close_in(mended, part, after, new, character)
    return mended


def _close_in(cells: ClosedCells, part: Window, cores: NDArray[np.float64], world: World, character: Character) -> None:
    rows, columns = cells.closed.shape
    grid = struct(
        "gb_closed_cells",
        x0=cells.x0,
        y0=cells.y0,
        cell_m=cells.cell_m,
        rows=rows,
        columns=columns,
        closed=cells.closed,
        window=part,
    )
    pieces = struct_of_pieces(standing(world).pieces)
    slack = 0.5 * moves_of(character).longest_step
    lib.gb_cells_close(grid.c, pieces.c, pointer(cores, "double"), slack)


def _cores(world: World, character: Character) -> NDArray[np.float64]:
    """Return for each piece how near no root can come to it; 0 where some clip gets across."""
    pieces, actions = standing(world).pieces, action_table(character)
    if any(behavior.annotation.radius_m is not None for behavior in character.behaviors):
        return np.zeros(len(pieces.obstacle))  # bodies of a fixed radius are not what their shapes say
    tagged = {behavior.annotation.special for behavior in character.behaviors}
    crossed = [obstacle.special is not None and obstacle.special.kind in tagged for obstacle in world.obstacles]
    known: dict[tuple[float, float], float] = {}
    cores = np.zeros(len(pieces.obstacle))
    for piece, obstacle in enumerate(pieces.obstacle):
        if crossed[obstacle]:
            continue
        span = float(pieces.bottom[piece]), float(pieces.top[piece])
        if span not in known:
            known[span] = core_radius(actions, slice(None), *span)
        cores[piece] = known[span]
    return cores


def core_radius(actions: ActionTable, samples: slice | NDArray[np.int64], bottom_m: float, top_m: float) -> float:
    """Return how near a root may at least come to something that fills the heights from bottom to top.

    0 if any of the samples has no part around the root at these heights: it may be crossed.
    """
    parts = [
        np.ascontiguousarray(array[samples])
        for array in (actions.part_offset, actions.part_radius, actions.part_low, actions.part_high)
    ]
    return lib.gb_clip_core_radius(*(pointer(part, "double") for part in parts), len(parts[1]), bottom_m, top_m)
