"""Nodes that grow, in arrays that the core writes into."""

from __future__ import annotations

import numpy as np

from gambol.core import struct
from gambol.trees.assemble import Sprouts


class Growth:
    """Room for so many nodes, in the order in which they grow; the root is there."""

    def __init__(self, room: int) -> None:
        self.parent, self.clip = np.full(room, -1, np.int32), np.zeros(room, np.int32)
        self.pose = np.zeros((room, 3), np.float32)
        self.core = struct(
            "gb_growth", room=room, count=1, parent=self.parent, clip=self.clip, pose=self.pose,
            cost=np.zeros(room, np.int64),
        )  # fmt: skip

    def __len__(self) -> int:
        return int(self.core.c.count)

    @property
    def sprouts(self) -> Sprouts:
        """What has grown."""
        return Sprouts(self.parent[: len(self)], self.clip[: len(self)])
