"""The hash tables that find what is near a place at a time."""

from __future__ import annotations

import numpy as np

from gambol.core import Struct, lib, pointer, struct
from gambol.geometry.arrays import FloatArray, GrowingArray, Int64Array
from gambol.search.traffic_table import BLOCK_FRAMES, CELL_M, MARK_BLOCK_FRAMES, MARK_CELL_M, QUERY_RADIUS_M

FREE = -1  # key of a free row of a hash table
RESTING = -1  # the block of frames that lists what rests
EVERYWHERE = -(2**19 - 1)  # the cell, both ways, that lists what is too large for single cells
PLACE_BITS = 2**40 - 1  # of a key: those that say where, not when
NEVER = 1 << 60  # a frame after all others
FEWEST_ROWS = 64  # of a hash table; a power of two
COARSE = struct("gb_cell_level", block_frames=MARK_BLOCK_FRAMES, cell_m=MARK_CELL_M, growth=0.0)
FINE = struct("gb_cell_level", block_frames=BLOCK_FRAMES, cell_m=CELL_M, growth=QUERY_RADIUS_M)


class TrafficCells:
    """Cells that list the things near them, and coarser ones that only say whether there are any."""

    def __init__(self) -> None:
        self.cells = np.full((FEWEST_ROWS, 2), FREE, dtype=np.int64)
        self.marks = np.full((FEWEST_ROWS, 3), FREE, dtype=np.int64)
        self.entries = GrowingArray(np.int64, 2)
        self.has_giants = False
        self._cell_count = 0  # at least as many as there are
        self._mark_count = 0

    def copy(self) -> TrafficCells:
        twin = TrafficCells()
        twin.cells, twin.marks, twin.entries = self.cells.copy(), self.marks.copy(), self.entries.copy()
        twin.has_giants = self.has_giants
        twin._cell_count, twin._mark_count = self._cell_count, self._mark_count
        return twin

    def enter_moving(self, thing: int, records: FloatArray, slots: Int64Array, first_frame: int) -> None:
        """Enter a thing for all its slots, the first of which is of the given frame."""
        self._enter_thing(thing, _keys(records, slots, first_frame, FINE))
        self._enter_marks(_keys(records, slots, first_frame, COARSE), NEVER, -1)

    def enter_resting(
        self, thing: int, records: FloatArray, slot: Int64Array, *, after: int = NEVER, before: int = -1
    ) -> None:
        """Enter a thing that rests as in a slot (1, 2), after a frame or before one."""
        self._enter_thing(thing, _keys(records, slot, RESTING, FINE))
        self._enter_marks(_keys(records, slot, RESTING, COARSE), after, before)

    def _enter_thing(self, thing: int, keys: Int64Array) -> None:
        self._note_giants(keys)
        self.cells, self._cell_count = _with_room(self.cells, self._cell_count, len(keys))
        first = len(self.entries)
        self.entries.extend(len(keys))
        lib.gb_traffic_enter_thing(
            pointer(self.cells, "int64_t"), len(self.cells), pointer(self.entries.rows, "int64_t"), first,
            pointer(keys, "int64_t"), len(keys), thing,
        )  # fmt: skip

    def _enter_marks(self, keys: Int64Array, after: int, before: int) -> None:
        self._note_giants(keys)
        self.marks, self._mark_count = _with_room(self.marks, self._mark_count, len(keys))
        lib.gb_traffic_enter_marks(
            pointer(self.marks, "int64_t"), len(self.marks), pointer(keys, "int64_t"), len(keys), after, before
        )

    def _note_giants(self, keys: Int64Array) -> None:
        everywhere = lib.gb_traffic_cell_key(RESTING, EVERYWHERE, EVERYWHERE)
        self.has_giants |= bool(np.any(keys & PLACE_BITS == everywhere & PLACE_BITS))

    @property
    def nbytes(self) -> int:
        return self.cells.nbytes + self.marks.nbytes + self.entries.nbytes


def _keys(records: FloatArray, slots: Int64Array, first_frame: int, level: Struct) -> Int64Array:
    """Return the keys of the cells of a level that some slots come near."""
    keys, slots = np.empty(32 * len(slots), dtype=np.int64), np.ascontiguousarray(slots)
    while True:
        count = lib.gb_traffic_touched_cells(
            pointer(records, "double"), pointer(slots, "int64_t"), len(slots), first_frame, level.c,
            pointer(keys, "int64_t"), len(keys),
        )  # fmt: skip
        if count <= len(keys):
            return keys[:count]
        keys = np.empty(count, dtype=np.int64)


def _with_room(table: Int64Array, count: int, more: int) -> tuple[Int64Array, int]:
    """Return a hash table that is at most half full after more rows, and a bound on how many it will hold."""
    if 2 * (count + more) <= len(table):
        return table, count + more
    count = int(np.count_nonzero(table[:, 0] != FREE))
    size = len(table)
    while size < 2 * (count + more):
        size *= 2
    if size == len(table):
        return table, count + more
    larger = np.full((size, table.shape[1]), FREE, dtype=np.int64)
    lib.gb_traffic_rehash(
        pointer(table, "int64_t"), len(table), table.shape[1], pointer(larger, "int64_t"), len(larger)
    )
    return larger, count + more
