"""How near bodies can be to what stands, and how far it is to a goal around it: cores, closed cells, fields."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.core import Struct, lib, pointer, rows, struct
from gambol.search.moves import moves_of
from gambol.world.changes import Window, changed_boxes, grown, only_obstacles_differ, window
from gambol.world.pieces import struct_of_pieces
from gambol.world.standing import Standing, standing
from gambol.world.world import World

CELL_M = 0.1  # metres, > 0: cells of a world that is not too large; larger: shorter bounds, found faster
MOST_CELLS = 600_000  # cells; in larger worlds cells grow
MOST_FIELDS = 64  # kept for a world and a character
ROUNDING_M = 1e-5  # metres: more than single precision is off
MOST_KNOWN_CORES = 16  # arrays, kept for each character


@dataclass(frozen=True, eq=False)
class ClosedCells:
    """The cells of a world where no instant of any of a character's clips can have its root."""

    x0: float
    y0: float
    cell_m: float
    closed: NDArray[np.bool_]  # (rows, columns)

    @cached_property
    def core(self) -> Struct:
        """The cells as the core reads them."""
        return _struct_of_cells(self, (0, 0, 0, 0))

    @cached_property
    def has_closed(self) -> bool:
        return bool(self.closed.any())

    def corner_places(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return x (columns + 1,) and y (rows + 1,) of the cells' corners."""
        rows, columns = self.closed.shape
        return self.x0 + self.cell_m * np.arange(columns + 1), self.y0 + self.cell_m * np.arange(rows + 1)


class WayField:
    """How far it is from anywhere to a disc: lower bounds, which the core works out as far as they are asked for.

    Hold the lock to ask.
    """

    def __init__(self, cells: ClosedCells, goal: tuple[float, float, float], aim: tuple[float, float]) -> None:
        rows, columns = cells.closed.shape
        shift, room = columns.bit_length(), 2 * (rows + 1) * (columns + 1) + 8
        self.lock = threading.Lock()
        self.core = struct(
            "gb_field",
            cells=cells.core,
            shift=shift,
            labels=np.zeros((rows + 1) << shift, np.int32),  # memory is taken where it is written
            room=room,
            queue=np.empty(room, ENTRY),
            **BEGUN,
        )
        lib.gb_field_aim(self.core.c, *aim)
        lib.gb_field_begin(self.core.c, *goal)


ENTRY = rows("gb_field_entry", 0).dtype
COUNTS = ("aim_row", "aim_column", "aimed_row", "aimed_column", "level", "mixed", "waiting", "used", "unused")
BEGUN = {**dict.fromkeys(COUNTS, 0), "buckets": (), "onward": ()}  # what the core writes

_KNOWN_CELLS: WeakKeyDictionary[World, WeakKeyDictionary[Character, ClosedCells]] = WeakKeyDictionary()
_KNOWN_FIELDS: WeakKeyDictionary[ClosedCells, dict[tuple[float, float, float], WayField]] = WeakKeyDictionary()
_KNOWN_CORES: WeakKeyDictionary[Character, dict[tuple[float, float], NDArray[np.float32]]] = WeakKeyDictionary()


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


def way_field(cells: ClosedCells, goal: tuple[float, float, float], aim: tuple[float, float]) -> WayField:
    """Return how far it is to a goal (x, y, tolerance), begun once, and directed at where ways begin."""
    known = _KNOWN_FIELDS.setdefault(cells, {})
    field = known.get(goal)
    if field is None:
        while len(known) >= MOST_FIELDS:
            known.pop(next(iter(known)), None)
        field = known[goal] = WayField(cells, goal, aim)
    else:
        with field.lock:
            lib.gb_field_aim(field.core.c, *aim)
    return field


@contextmanager
def held(fields: Sequence[WayField]) -> Iterator[None]:
    """Let nobody else spread some fields meanwhile."""
    with ExitStack() as stack:
        for field in sorted(set(fields), key=id):  # in one order, so that nobody waits for somebody who waits
            stack.enter_context(field.lock)
        yield


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
    pieces = struct_of_pieces(standing(world).pieces)
    slack = 0.5 * moves_of(character).longest_step
    lib.gb_cells_close(_struct_of_cells(cells, part).c, pieces.c, pointer(cores, "double"), slack)


def _struct_of_cells(cells: ClosedCells, part: Window) -> Struct:
    """Return cells as the core reads them, a part of which is to be closed."""
    rows, columns = cells.closed.shape
    return struct(
        "gb_closed_cells",
        x0=cells.x0,
        y0=cells.y0,
        cell_m=cells.cell_m,
        rows=rows,
        columns=columns,
        closed=np.ascontiguousarray(cells.closed),
        window=part,
    )


def _cores(world: World, character: Character) -> NDArray[np.float64]:
    """Return for each piece how near no root can come to it; 0 where some clip gets across."""
    pieces, actions = standing(world).pieces, action_table(character)
    if any(behavior.annotation.radius_m is not None for behavior in character.behaviors):
        return np.zeros(len(pieces.obstacle))  # bodies of a fixed radius are not what their shapes say
    spans, span_of = np.unique(pieces.bottom + 1j * pieces.top, return_inverse=True)  # few, as pairs in one number
    cores = np.array([core_radius(actions, slice(None), span.real, span.imag) for span in spans])[span_of.reshape(-1)]
    tagged = {behavior.annotation.special for behavior in character.behaviors} - {None}
    if tagged:
        kinds = [None if obstacle.special is None else obstacle.special.kind for obstacle in world.obstacles]
        cores[np.array([kind in tagged for kind in kinds], dtype=np.bool_)[pieces.obstacle]] = 0.0
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


def sure_cores(character: Character, stands: Standing) -> NDArray[np.float32]:
    """Return the radii (S,) of `core_radii`, rounded down, worked out once for all worlds of the same heights."""
    known, heights = _KNOWN_CORES.setdefault(character, {}), filled_heights(stands)
    if heights not in known:
        if len(known) >= MOST_KNOWN_CORES:
            known.clear()
        known[heights] = (core_radii(stands, action_table(character)) - ROUNDING_M).astype(np.float32)
    return known[heights]


def core_radii(stands: Standing, actions: ActionTable) -> NDArray[np.float64]:
    """Return how near the root of each instant (S,) surely cannot come to any obstacle of a world.

    That is the widest part around the root, of those at heights that all obstacles fill.
    """
    bottom, top = filled_heights(stands)
    at_height = (actions.part_low < top) & (bottom < actions.part_high) & (actions.part_low < actions.part_high)
    around = actions.part_radius - np.linalg.norm(actions.part_offset, axis=-1)
    return np.where(at_height & (bottom < top), around, 0.0).max(axis=1)


def filled_heights(stands: Standing) -> tuple[float, float]:
    """Return the heights between which all obstacles are."""
    return float(stands.pieces.bottom.max(initial=-np.inf)), float(stands.pieces.top.min(initial=np.inf))
