"""Fine cells of a coarse map, as the core reads them."""

from __future__ import annotations

import numpy as np

from gambol.core import Struct, struct

BLOCK = 5


def cells_of(kind: np.ndarray, room: np.ndarray, block: int = BLOCK) -> Struct:
    """Return cells of 10 cm, not gathered yet."""
    rows, columns = kind.shape
    squares = -(-rows // block) * -(-columns // block)
    return struct(
        "gb_coarse_cells", bounds=(0.0, 0.0, 0.1 * columns, 0.1 * rows), x0=0.0, y0=0.0, cell_m=0.1, rows=rows,
        columns=columns, block=block, room=room, kind=kind, place_of=np.empty((rows, columns), np.int32),
        first_of=np.empty(squares + 1, np.int64), place_room=kind.size, row=np.empty(kind.size, np.int32),
        column=np.empty(kind.size, np.int32), places=0,
    )  # fmt: skip
