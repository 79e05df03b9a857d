"""How much memory a crowd's state takes."""

from __future__ import annotations

from gambol.crowd.crowd import Crowd


def array_bytes(crowd: Crowd) -> int:
    """Return the memory of what grows with the crowd, but for the log."""
    rows = [*crowd._flock, *crowd._proposals, crowd._id, crowd._cells.who, crowd._cells.first, crowd._cells.still]
    return sum(array.nbytes for array in rows)
