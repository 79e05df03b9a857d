"""Best-first search over stances [KP00 3; the search is ours].

A node is a stance with a posture.  The machine of modes proposes changes of one limb's grasp; each is tried, by fitting
postures and finding a way between them, only once it is the most promising one left.  What leads nowhere
is learnt from: each try in a cell of the plane and mode makes further ones there dearer, so that a dead
end fills up and other ways, however long, come next.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count

import numpy as np

from gambol.climb.kernels.chance import chance_state
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.climb.stances.connect import Connector
from gambol.climb.stances.moves import LimbMoves
from gambol.climb.stances.postures import Poser
from gambol.climb.stances.proposals import SAME, Proposal, proposals
from gambol.climb.stances.setting import StanceSetting
from gambol.climb.stances.stance import Stance, StancePiece, still
from gambol.geometry.arrays import FloatArray
from gambol.kernels import jit

Cell = tuple[int, int, int]  # of the plane, across and up, and the mode

GREED = 8.0  # how much a metre of way left counts beside a metre of way done
DISCOMFORT_COST = 0.04  # metres of way for each unit of a posture's discomfort (its logarithm)
CELL_M = 0.4  # cells in which tries are counted
#: Metres of way left that each try in a cell and mode adds.  Who walks here can walk there: variants teach little.
TRY_COSTS = {Mode.WALK: 0.15, Mode.CLIMB: 0.03, Mode.SWING: 0.1, Mode.CRAWL: 0.12}
#: As many tries in a cell and mode are what passing through takes.
PATIENCE = {Mode.WALK: 3, Mode.CLIMB: 12, Mode.SWING: 4, Mode.CRAWL: 10}


@dataclass(frozen=True, eq=False)
class StanceNode:
    stance: Stance
    q: FloatArray
    centre: tuple[float, float]
    cost: float
    left: float  # metres of way
    parent: StanceNode | None
    pieces: tuple[StancePiece, ...]  # the way from the parent
    proposal: Proposal | None


class StanceSearch:
    """One search."""

    def __init__(self, problem: ClimbProblem, setting: StanceSetting, seed: int) -> None:
        self.problem = problem
        self.setting = setting
        state = chance_state(seed)
        self.poser = Poser(setting, state)
        self.connector = Connector(setting, state)
        self.mover = LimbMoves(setting, self.poser, self.connector)
        self.open: list[tuple[float, int, int, Cell, StanceNode, Proposal]] = []
        self.reached: dict[Stance, StanceNode] = {}
        self.tried: dict[Cell, int] = {}
        self.failed: list[tuple[StanceNode, Proposal]] = []
        self.ticket = count()
        self.tries = 0
        self.nearest: StanceNode | None = None

    def begin(self, stance: Stance, q: FloatArray) -> StanceNode:
        centre = self.poser.centre(stance.facing, q)
        node = StanceNode(stance, q, centre, 0.0, self.setting.way_left(stance), None, (still(q, stance),), None)
        self._add(node)
        return node

    def run(self, deadline: float | None) -> StanceNode | None:
        """Return the node at the goal; None if all is tried, or tries or time are used up."""
        node = self._goal_reached()
        while node is None and self.open and self.tries < self.problem.max_stances:
            if deadline is not None and jit.seconds() > deadline:
                return None
            priority, _, seen, cell, parent, proposal = heapq.heappop(self.open)
            if proposal.stance in self.reached:
                continue
            now = self.tried.get(cell, 0)
            if now > seen + 1:  # dearer than when it was put down
                priority += GREED * (_weariness(proposal.stance.mode, now) - _weariness(proposal.stance.mode, seen))
                heapq.heappush(self.open, (priority, next(self.ticket), now, cell, parent, proposal))
                continue
            self.tried[cell] = now + 1
            node = self._try(parent, proposal)
        return node

    def try_again(self, deadline: float | None) -> StanceNode | None:
        """Try what failed once more, with more effort; go on if that opens something."""
        failed, self.failed = self.failed, []
        failed.sort(key=lambda item: item[0].left)
        for parent, proposal in failed:
            if self.tries >= self.problem.max_stances or (deadline is not None and jit.seconds() > deadline):
                return None
            if proposal.stance in self.reached:
                continue
            node = self._try(parent, proposal, effort=4.0)
            if node is not None:
                return node
            if self.open:
                node = self.run(deadline)
                if node is not None:
                    return node
        return None

    def _try(self, parent: StanceNode, proposal: Proposal, effort: float = 1.0) -> StanceNode | None:
        """Try a change of stance; return the node if it is at the goal."""
        self.tries += 1
        made = self.mover.move(parent.stance, parent.q, proposal, effort=effort)
        if made is None:
            if effort == 1.0:
                self.failed.append((parent, proposal))
            return None
        centre = self.poser.centre(proposal.stance.facing, made.q)
        cost = parent.cost + proposal.cost + DISCOMFORT_COST * made.discomfort
        left = self.setting.way_left(proposal.stance)
        node = StanceNode(proposal.stance, made.q, centre, cost, left, parent, made.pieces, proposal)
        self._add(node)
        return node if self._is_goal(node) else None

    def _add(self, node: StanceNode) -> None:
        self.reached[node.stance] = node
        if self.nearest is None or node.left < self.nearest.left:
            self.nearest = node
        last = SAME if node.proposal is None else node.proposal.limb
        for proposal in proposals(self.setting, node.stance, node.q, node.centre, last):
            if proposal.stance in self.reached:
                continue
            cell = self._cell(proposal.stance)
            seen = self.tried.get(cell, 0)
            left = self.setting.way_left(proposal.stance)
            priority = node.cost + proposal.cost + GREED * (left + _weariness(proposal.stance.mode, seen))
            heapq.heappush(self.open, (priority, next(self.ticket), seen, cell, node, proposal))

    def _cell(self, stance: Stance) -> Cell:
        x, z = self.setting.centre_guess(stance)
        return int(x // CELL_M), int(z // CELL_M), int(stance.mode)

    def _is_goal(self, node: StanceNode) -> bool:
        goal = self.problem.goal
        if goal.mode is not None and node.stance.mode != goal.mode:
            return False
        return float(np.hypot(node.centre[0] - goal.x, node.centre[1] - goal.z)) <= goal.tolerance_m

    def _goal_reached(self) -> StanceNode | None:
        return next((node for node in self.reached.values() if self._is_goal(node)), None)


def _weariness(mode: Mode, tries: int) -> float:
    """Return how many metres of way left so many tries in a cell stand for."""
    return TRY_COSTS[mode] * max(0, tries - PATIENCE[mode])


def way_to(node: StanceNode) -> list[StancePiece]:
    """Return all pieces from the start to a node."""
    nodes: list[StanceNode] = []
    at: StanceNode | None = node
    while at is not None:
        nodes.append(at)
        at = at.parent
    return [piece for each in reversed(nodes) for piece in each.pieces]
