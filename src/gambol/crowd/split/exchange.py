"""What the regions of a crowd tell each other: rows of flocks, as arrays that travel well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.arrays import Flock, empty_flock
from gambol.crowd.errand import Errand

#: What is told of those who are only to be kept clear of: the trajectory, and what counts for jams and queues.
GHOST_COLUMNS = (
    "taken", "number", "kind", "count", "clip", "frame", "pose", "end", "end_frame", "box", "condition", "door",
    "anchor_frame",
)  # fmt: skip
ASK = np.dtype([("who", np.int64), ("asked_from", np.float64, (4,))])


def _row_type(names: Sequence[str]) -> np.dtype:
    columns = empty_flock(1)._asdict()
    return np.dtype([(name, columns[name].dtype, columns[name].shape[1:]) for name in names])


MEMBER = _row_type(Flock._fields)
GHOST = _row_type(GHOST_COLUMNS)


class Message(NamedTuple):
    """From one region to one next to it, after a frame."""

    moved: NDArray[np.void]  # (M,) of the type MEMBER: who is the other's from now on
    errands: tuple[tuple[Errand, int], ...]  # (M,) what they are about, and how far they are with it
    ghosts: NDArray[np.void]  # (G,) of the type GHOST: who stays here, but is to be kept clear of there
    asks: NDArray[np.void]  # of the type ASK: who is asked to make way


def pack(flock: Flock, places: NDArray[np.int64], row_type: np.dtype) -> NDArray[np.void]:
    """Return the rows of some places."""
    rows = np.empty(len(places), row_type)
    for name in row_type.names or ():
        rows[name] = getattr(flock, name)[places]
    return rows


def unpack(rows: NDArray[np.void], flock: Flock, first: int) -> None:
    """Write rows to places from one on; columns that they do not have are zero."""
    last = first + len(rows)
    names = rows.dtype.names or ()
    for name, column in zip(Flock._fields, flock, strict=True):
        column[first:last] = rows[name] if name in names else 0
