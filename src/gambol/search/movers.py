"""A world's own movers as the core reads them: placed when they are asked for, listed block by block of frames."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from gambol.core import lib, pointer, rows, struct
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.world.pieces import offsets
from gambol.world.world import Mover

REPEATS = {"once": lib.GB_ONCE, "loop": lib.GB_LOOP, "bounce": lib.GB_BOUNCE}
CELL_M = 4.0  # metres: cells of lists, if there are not too many; else twice as large, and so on
MOST_CELLS, CELLS_EACH = 1024, 16  # number of cells of lists, and how many more for each mover


class Movers:
    """M movers of a traffic.  Any thread may ask; to lay them out further, hold the lock."""

    def __init__(
        self, movers: Sequence[Mover], things: Int64Array, shapes: Int64Array, outline: FloatArray, rate_hz: float,
        horizon: int,
    ) -> None:  # fmt: skip
        """things: their numbers (M,), increasing.  shapes: (M,).  outline: (M, 3) x, y, radius."""
        paths = [mover.trajectory for mover in movers]
        self.movers, self.things, self.shapes, self.outline = tuple(movers), things, shapes, outline
        self.lock = threading.Lock()
        self.spans = rows("gb_mover_span", len(movers))
        self.core = struct(
            "gb_movers",
            count=len(movers),
            rate_hz=rate_hz,
            horizon=horizon,
            first_key=offsets([len(path.times_s) for path in paths]),
            times=np.concatenate([path.times_s for path in paths]),
            poses=np.concatenate([path.poses for path in paths]),
            heights=np.concatenate([path.heights_m for path in paths]),
            repeat=np.array([REPEATS[path.repeat] for path in paths], np.uint8),
            reach=reaches(movers),
            outline=np.ascontiguousarray(outline),
            thing=things,
            shape=shapes,
            span=self.spans,
            cell_m=CELL_M,
            blocks=horizon // lib.GB_MOVER_BLOCK + 1,
            **dict.fromkeys(("first_column", "first_row", "columns", "rows", "known", "entry_count"), 0),
            **dict.fromkeys(("first_entry", "entries", "ends", "circles")),
        )
        lib.gb_movers_bound(self.core.c)

    @property
    def is_wide(self) -> np.ndarray:
        """Which are too large, too fast or too far away for cells (M,)."""
        return self.spans["is_wide"] != 0

    def make_room(self) -> None:
        """Have room for the lists, of which none is laid out yet."""
        core, spans = self.core, self.spans
        margin = spans["around"] + lib.GB_MOVER_BLOCK
        box = np.array(
            [(spans[f"least_{axis}"] - margin).min() for axis in "xy"]
            + [(spans[f"greatest_{axis}"] + margin).max() for axis in "xy"]
        )
        cell_m, most = CELL_M, MOST_CELLS + CELLS_EACH * len(spans)
        while np.prod(np.floor(box[2:] / cell_m) - np.floor(box[:2] / cell_m) + 1.0) > most:
            cell_m *= 2.0
        first, last = (np.floor(corner / cell_m).astype(np.int64) for corner in (box[:2], box[2:]))
        columns, count = (last - first + 1).tolist(), len(spans)
        core.set("cell_m", cell_m)
        for name, value in zip(("first_column", "first_row", "columns", "rows"), (*first, *columns), strict=True):
            core.set(name, value)
        core.set("first_entry", np.zeros((int(core.c.blocks), columns[1], columns[0]), np.int64))
        core.set("ends", np.empty(columns[0] * columns[1], np.int64))
        core.set("circles", rows("gb_mover_near", count))
        core.set("entries", rows("gb_mover_near", int(lib.gb_movers_room(core.c))))  # memory is taken as it is written

    def lay_out(self, first_frame: int, last_frame: int) -> None:
        """List them at some frames."""
        with self.lock:
            lib.gb_movers_lay_out(self.core.c, first_frame, last_frame)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock, unless all is laid out."""
        if self.core.c.known == self.core.c.blocks:
            yield
        else:
            with self.lock:
                yield

    @property
    def nbytes(self) -> int:
        """Bytes of memory in use."""
        arrays = [
            value for name, value in self.core.kept.items() if isinstance(value, np.ndarray) and name != "entries"
        ]
        return sum(array.nbytes for array in arrays) + 16 * int(self.core.c.entry_count)

    def records(self, number: int, frame: int) -> FloatArray:
        """Return the records (N, 10) of one of them at a frame."""
        room = np.empty((5, lib.GB_RECORD_COLUMNS))
        return room[: lib.gb_movers_place(self.core.c, number, frame, pointer(room, "double"))]


def reaches(movers: Sequence[Mover]) -> FloatArray:
    """Return how far each mover's farthest point is from its own origin (M,)."""
    pieces = [mover.footprint.pieces for mover in movers]
    flat = [piece for some in pieces for piece in some]
    sizes = [len(piece.corners) for piece in flat]
    corners = np.concatenate([piece.corners for piece in flat])
    away = np.linalg.norm(corners, axis=1) + np.repeat([piece.radius_m for piece in flat], sizes)
    of_piece = np.maximum.reduceat(away, offsets(sizes)[:-1])
    return np.maximum.reduceat(of_piece, offsets([len(some) for some in pieces])[:-1])
