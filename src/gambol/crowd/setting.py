"""All that a proposal reads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.characters.action_table import ActionTable
from gambol.crowd.arrays import Cells, Flock, Gates
from gambol.crowd.fans import Fans
from gambol.crowd.floor import Floor
from gambol.crowd.kinds import Clips
from gambol.search.traffic_table import TrafficTable
from gambol.world.table import WorldTable


class ProposalSetting(NamedTuple):
    """All that a proposal reads."""

    world: WorldTable
    traffic: TrafficTable
    has_traffic: bool
    traffic_frame: int  # at which the traffic's own frame 0 is
    floor: Floor
    gates: Gates
    actions: ActionTable
    clips: Clips
    fans: Fans
    flock: Flock
    cells: Cells
    now: int
    seed: int
    radius: np.ndarray  # (K,) metres that a kind needs to see a way-point
    turning: np.ndarray  # (K,) metres that a kind needs to turn around
    soft: bool  # whether one meets others only at the ends and middles of clips, as discs [L09 4.7.1]
