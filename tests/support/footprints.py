"""Footprints of all kinds: round, straight, bent, and of several pieces."""

from __future__ import annotations

import numpy as np

from gambol.world import Footprint, Piece

FOOTPRINTS = (
    Footprint.disc(0.4),
    Footprint.box(2.0, 0.6),
    Footprint.polygon([(0, 0), (2, 0), (2, 2), (1.5, 2), (1.5, 0.5), (0, 0.5)]),
    Footprint((Piece(np.array([[0.0, 0.0], [1.5, 0.5]]), 0.2), Piece(np.array([[-1.0, 1.0]]), 0.3))),
)
