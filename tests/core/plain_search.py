"""The search, as plain Python: a list of nodes, a heap, a dictionary of visited states.

It reads what the core reads, and asks the core only whether a clip may be played and what the least cost left is.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from evidence.soak.plain_hash import chosen_clip, state_word

from gambol.core import ffi, lib
from gambol.search.search import LARGEST_ESTIMATE, NEVER, Setting, Settings

TURN = 2.0 * math.pi


class Node(NamedTuple):
    x: float
    y: float
    heading: float
    frame: int
    cost: int
    left: int
    parent: int
    behavior: int
    clip: int
    leg: int


@dataclass
class PlainSearch:
    """One search; `run` it, then look at its nodes."""

    setting: Setting
    settings: Settings
    nodes: list[Node] = field(default_factory=list)
    open: list[tuple[int, int]] = field(default_factory=list)  # estimate, minus the node: the newer goes first
    visited: dict[tuple[int, ...], int] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    expanded: list[int] = field(default_factory=list)
    goal_node: int = -1
    is_exhausted: bool = False

    def run(self, most_expansions: int) -> None:
        """Expand the open node of the least estimate until a goal comes up or nothing is left."""
        query = self.setting.query
        left = self._left(0, query.x, query.y)
        self.nodes = [Node(query.x, query.y, query.heading, query.frame, 0, left, -1, -1, -1, 0)]
        self.open = [(0, 0)] if left < NEVER else []
        while len(self.expanded) < most_expansions:
            if not self.open:
                self.is_exhausted = True
                return
            number = -heapq.heappop(self.open)[1]
            node = self.nodes[number]
            is_dearer = node.cost + node.left >= self.settings.ceiling
            if number in self.closed or is_dearer or (number > 0 and self.visited[self._state(node)] != number):
                continue
            if self._is_last(node):
                self.goal_node = number
                return
            self.closed.add(number)
            self.expanded.append(number)
            self._expand(number)

    def _expand(self, number: int) -> None:
        """Enter what follows a node [LK05 algorithm 1]."""
        setting, node = self.setting, self.nodes[number]
        actions, moves, query = setting.actions, setting.moves, setting.query
        for next_one, transition in self._successors(node.behavior):
            first, end = (int(n) for n in actions.behavior_clips[next_one : next_one + 2])
            chosen = first
            if end - first > 1:
                word = state_word(node.x, node.y, node.heading, node.frame if query.has_traffic else 0)
                chosen += chosen_clip(query.seed, word, next_one, end - first)
            clip = int(moves.same[chosen])
            frame = node.frame + int(actions.duration[clip])
            if query.has_traffic and frame > query.horizon:
                continue
            ahead, aside, turn = actions.displacement[clip]
            cosine, sine = math.cos(node.heading), math.sin(node.heading)
            x, y = float(node.x + cosine * ahead - sine * aside), float(node.y + sine * ahead + cosine * aside)
            if self._is_closed_cell(x, y):
                continue
            heading = float(node.heading + turn)
            cost = node.cost + int(moves.cost[next_one]) + transition + self._ground_cost(node, clip)
            leg = node.leg
            while leg < len(query.goals) - 1 and self._is_goal(leg, x, y, heading, next_one):
                leg += 1
            left = self._left(leg, x, y)
            self._reach(Node(x, y, heading, frame, cost, left, number, next_one, chosen, leg), clip)

    def _reach(self, node: Node, clip: int) -> None:
        """Enter a node that may be played to, unless as good a way to its state is known."""
        if node.left >= NEVER or node.cost + node.left >= self.settings.ceiling:
            return
        state = self._state(node)
        known = self.visited.get(state)
        is_kept = known is not None and known in self.closed and not self.settings.exact
        if known is not None and (self.nodes[known].cost <= node.cost or is_kept):
            return
        if not self._may_be_played(self.nodes[node.parent], node.behavior, clip):
            return
        self.visited[state] = len(self.nodes)
        estimate = (node.cost + int(node.left * self.settings.weight)) >> self.settings.shift
        heapq.heappush(self.open, (min(estimate, LARGEST_ESTIMATE), -len(self.nodes)))
        self.nodes.append(node)

    def _successors(self, behavior: int) -> list[tuple[int, int]]:
        actions = self.setting.actions
        if behavior < 0:
            return [(int(first), 0) for first in self.setting.query.first]
        some = slice(*actions.behavior_successors[behavior : behavior + 2])
        return list(
            zip(actions.successors[some].tolist(), self.setting.moves.transition_cost[some].tolist(), strict=True)
        )

    def _state(self, node: Node) -> tuple[int, ...]:
        """Return what two nodes have in common that are one state."""
        settings, query = self.settings, self.setting.query
        state, leg = int(self.setting.moves.state[node.behavior]), node.leg
        if leg == len(query.goals) - 1 and self._is_goal(leg, node.x, node.y, node.heading, node.behavior):
            state, leg = node.behavior, leg + 1  # what may end a plan is a state of its own
        turns = node.heading / TURN
        sector = math.floor((turns - math.floor(turns)) * settings.heading_count + 0.5) % settings.heading_count
        frame = node.frame // settings.frame_unit if settings.frame_unit > 0 else 0
        unit = settings.place_unit
        return math.floor(node.x / unit), math.floor(node.y / unit), sector, state, leg, frame

    def _is_goal(self, leg: int, x: float, y: float, heading: float, behavior: int) -> bool:
        query = self.setting.query
        if behavior < 0 or not query.may_end[leg, behavior]:
            return False
        goal_x, goal_y, tolerance, goal_heading, turn = query.goals[leg]
        if (goal_x - x) ** 2 + (goal_y - y) ** 2 > tolerance**2:
            return False
        turned = heading - goal_heading
        return abs(turned - TURN * math.floor(turned / TURN + 0.5)) <= turn

    def _is_last(self, node: Node) -> bool:
        query, core = self.setting.query, self.setting.core
        last = len(query.goals) - 1
        if node.leg != last or not self._is_goal(last, node.x, node.y, node.heading, node.behavior):
            return False
        if not query.has_traffic:
            return True
        assert self.setting.problem.world.terrain is None  # on slopes bodies have margins
        clip = int(self.setting.actions.clip_samples[node.clip] + self.setting.actions.duration[node.clip])
        place = clip, node.x, node.y, math.cos(node.heading), math.sin(node.heading), node.frame
        return bool(lib.gb_traffic_body_stays_free(core.traffic.c, core.actions.c, *place, 0.0, 0.0, 0.0))

    def _is_closed_cell(self, x: float, y: float) -> bool:
        query = self.setting.query
        rows, columns = query.closed.shape
        u, v = (x - query.field_x0) / query.field_cell, (y - query.field_y0) / query.field_cell
        return not (0.0 <= u < columns and 0.0 <= v < rows) or bool(query.closed[int(v), int(u)])

    def _left(self, leg: int, x: float, y: float) -> int:
        return int(lib.gb_query_cost_left(self.setting.core.query.c, leg, x, y))

    def _may_be_played(self, node: Node, behavior: int, clip: int) -> bool:
        core = self.setting.core
        tables = core.world.c, core.traffic.c, core.query.c, core.actions.c, core.moves.c
        place = node.x, node.y, node.heading, node.frame
        return bool(lib.gb_clip_may_be_played(*tables, behavior, clip, *place, ffi.new("int64_t *")))

    def _ground_cost(self, node: Node, clip: int) -> int:
        """Return what climbing and descending along a clip costs."""
        terrain, actions, query = self.setting.problem.world.terrain, self.setting.actions, self.setting.query
        if terrain is None:
            return 0
        first = actions.clip_samples[clip]
        path = actions.path[first : first + actions.duration[clip] + 1, :2]
        cosine, sine = math.cos(node.heading), math.sin(node.heading)
        x = node.x + cosine * path[:, 0] - sine * path[:, 1]
        y = node.y + sine * path[:, 0] + cosine * path[:, 1]
        changes = np.diff(terrain.height(np.column_stack((x, y))))
        rise, fall = float(changes[changes > 0.0].sum()), float(-changes[changes < 0.0].sum())
        return int(rise * query.climb + fall * query.descend + 0.5)
