"""Gates: narrow passages that are open to one direction at a time."""

from __future__ import annotations

from gambol.crowd.arrays import Gates
import numpy as np


class GateKeeper:
    def __init__(self, table: Gates) -> None:
        self.table = table

    @classmethod
    def of(cls, lanes, floor) -> GateKeeper:
        return cls(Gates(np.zeros((1, 2)), np.zeros(1, np.int8)))

    def keep(self, crowd) -> None:
        pass
