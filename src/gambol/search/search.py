"""Set up, run and read one search: the seam between problems and the core."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.step import Step
from gambol.core import Struct, lib, struct
from gambol.errors import InvalidInput
from gambol.search.memory import memory_for
from gambol.search.moves import COST_UNIT, Moves, moves_of
from gambol.search.plan import SearchStatistics, SearchTrace
from gambol.search.problem import Problem
from gambol.search.query import CoreTables, Query, core_tables, query_of
from gambol.search.traffic import Traffic, traffic_of
from gambol.search.way import ClosedCells, closed_cells, held
from gambol.world.standing import Standing, prepare, standing
from gambol.world.world import World

BESIDE_M = 5.0  # metres: as far around the start, and wherever a search gets to, the world is laid out
SLICE = 20_000  # expansions between two looks at the clock
USUAL_COST = 64  # times the least that is possible: plans are no dearer, or their order does not matter
NEVER = int(lib.GB_NEVER)
FOUND, EXHAUSTED, STOPPED = lib.GB_SEARCH_FOUND, lib.GB_SEARCH_EXHAUSTED, lib.GB_SEARCH_STOPPED
LAST_NODE = 2**26 - 1  # nodes that an entry of the open list can tell apart
LARGEST_ESTIMATE = 2**36 - 1  # units, that an entry can tell apart: 68 km at a millionth of a metre
STATE_BITS, FRAME_BITS = 14, 17  # of the key of a state


NO_COUNTS = dict.fromkeys(
    ("samples", "nodes", "open", "expansions", "generated", "status", "goal_node", "nearest", "late", "dropped",
     "least_lost", "doubts", "beyond"), 0
)  # fmt: skip


@dataclass(frozen=True)
class StateTable:
    """How fine the table of visited states is [LK05 3.3]: a cheaper way into the same entry replaces the other."""

    place_m: float = 0.3
    heading_rad: float = math.radians(10.0)
    time_s: float = 0.25  # only where something moves

    def __post_init__(self) -> None:
        if not (1e-3 <= self.place_m <= 100.0 and 1e-3 <= self.heading_rad <= math.pi):
            raise InvalidInput(
                f"a state's place must lie between 1 mm and 100 m, its heading between 0.001 and pi, "
                f"not {self.place_m} and {self.heading_rad}"
            )
        if not 0.0 <= self.time_s <= 1e3:
            raise InvalidInput(f"a state's time must lie between 0 and 1,000 s, not {self.time_s}")

    def finer(self) -> StateTable:
        """Return a table of twice the resolution."""
        return StateTable(0.5 * self.place_m, 0.5 * self.heading_rad, 0.5 * self.time_s)


@dataclass(frozen=True, eq=False)
class Setting:
    """Everything a search of one problem reads, compiled."""

    problem: Problem
    world: Standing
    actions: ActionTable
    moves: Moves
    traffic: Traffic
    cells: ClosedCells
    query: Query
    core: CoreTables
    setup_time_s: float

    @property
    def is_dynamic(self) -> bool:
        return self.query.has_traffic


def set_up(problem: Problem, *, around: bool = True) -> Setting:
    """Compile a problem.  around: bound from below by ways around obstacles, not by straight lines alone."""
    begun = time.perf_counter()
    character, world = problem.character, standing(problem.world)
    _lay_out_around(problem.world, *problem.start[:2])
    traffic = problem.traffic or traffic_of(
        problem.world, rate_hz=character.planning_rate_hz, horizon_s=problem.horizon_s
    )
    if abs(traffic.rate_hz - character.planning_rate_hz) > 1e-9:
        raise InvalidInput(
            f"traffic laid out at {traffic.rate_hz:g} frames a second is not for {character.name!r}, "
            f"which plans at {character.planning_rate_hz:g}"
        )
    cells = closed_cells(problem.world, character)
    query = query_of(problem, cells, traffic, around=around)
    core = core_tables(problem.world, traffic, character, query)
    return Setting(
        problem, world, action_table(character), moves_of(character), traffic, cells, query, core,
        time.perf_counter() - begun,
    )  # fmt: skip


def _lay_out_around(world: World, x: float, y: float) -> None:
    """Lay out what stands around a place, so that look-ups there are fast."""
    prepare(world, (x - BESIDE_M, y - BESIDE_M, x + BESIDE_M, y + BESIDE_M))


class Settings(NamedTuple):
    """How to search; see `gb_search_settings` in the core's header."""

    weight: float  # of what is left
    exact: bool  # merge identical states only, and open closed ones again where a cheaper way is found
    place_unit: float  # metres of a state's place
    heading_count: int  # sectors of a full turn
    frame_unit: int  # frames of a state's time; 0: time does not matter
    keep: int  # open nodes kept when there are twice as many; 0: all
    ceiling: int  # only plans cheaper than this are of interest
    shift: int  # last bits of estimates that do not count in the order of the open list
    reach_m: float  # that no part of a body gets farther from where a clip begins


class Search:
    """A search that runs in slices, so that it can be looked at and stopped in between."""

    def __init__(
        self,
        setting: Setting,
        *,
        weight: float = 1.0,
        exact: bool = False,
        keep: int = 0,
        ceiling: int = NEVER,
        table: StateTable | None = None,
    ) -> None:
        self.setting = setting
        table = table or StateTable()
        rate = setting.problem.character.planning_rate_hz
        frame_unit = 0 if not setting.is_dynamic else 1 if exact else max(1, round(table.time_s * rate))
        self.settings = Settings(
            weight=float(weight),
            exact=exact,
            place_unit=1e-6 if exact else table.place_m,
            heading_count=1 << 21 if exact else max(4, round(2.0 * math.pi / table.heading_rad)),
            frame_unit=frame_unit,
            keep=keep,
            ceiling=ceiling,
            shift=0,
            reach_m=min(BESIDE_M, setting.moves.reach_m),
        )
        _check_keys(setting, self.settings)
        self.time_s = 0.0
        self._memory = memory_for(self, max(len(setting.query.first), setting.moves.widest))
        self._core = self._laid_out()
        self.counts = self._core.c.counts
        self._begin()

    @property
    def status(self) -> int:
        return int(self.counts.status)

    @property
    def expansions(self) -> int:
        return int(self.counts.expansions)

    @property
    def is_truncated(self) -> bool:
        return bool(self.counts.dropped > 0)

    @property
    def has_merged(self) -> bool:
        """Whether the table of visited states let one state stand for another: then a way may have been missed."""
        return bool(self.counts.least_lost < NEVER or self.counts.doubts > 0)

    @property
    def was_late(self) -> bool:
        """Whether the horizon cut anything off."""
        return bool(self.counts.late > 0)

    def _laid_out(self) -> Struct:
        """Return all that the core reads and writes."""
        core = self.setting.core
        return struct(
            "gb_search",
            world=core.world,
            traffic=core.traffic,
            actions=core.actions,
            moves=core.moves,
            query=core.query,
            settings=struct("gb_search_settings", **self.settings._asdict()),
            memory=self._memory.struct(),
            counts=struct("gb_search_counts", **NO_COUNTS),
        )

    def _begin(self) -> None:
        """Enter the start as the only node."""
        with held(self.setting.query.fields):
            lib.gb_search_begin(self._core.c)
        # Where costs are very large their last digits do not count, so that the order of what is open is kept.
        usual = int(min(int(self._node(0).left), 2**55) * self.settings.weight) * USUAL_COST
        self.settings = self.settings._replace(shift=max(0, usual.bit_length() - LARGEST_ESTIMATE.bit_length()))
        self._core.c.settings.shift = self.settings.shift

    def run(self, most_expansions: int, *, go_on: Callable[[], bool] | None = None) -> int:
        """Search until it ends, or so many expansions are made in all, or `go_on` says no; return the status."""
        while True:
            begun = time.perf_counter()
            self._make_room()
            with held(self.setting.query.fields), self.setting.traffic.held():
                lib.gb_search_expand(self._core.c, min(most_expansions, self.expansions + SLICE))
            self._lay_out()
            self.time_s += time.perf_counter() - begun
            if self.status in (FOUND, EXHAUSTED) or self.expansions >= most_expansions:
                return self.status
            if go_on is not None and not go_on():
                self.stop()
                return self.status

    def stop(self) -> None:
        """Leave the search as it stands."""
        self.counts.status = STOPPED

    def _lay_out(self) -> None:
        """Lay the world out where the search has got to."""
        beyond = int(self.counts.beyond)
        if beyond >= 0:
            node = self._node(beyond)
            _lay_out_around(self.setting.problem.world, node.x, node.y)

    def _make_room(self) -> None:
        """Grow what is too small for the next expansion, and truncate the open list where that is asked for."""
        count, open_count, memory = int(self.counts.nodes), int(self.counts.open), self._memory
        if count + memory.widest > LAST_NODE:
            raise InvalidInput(f"a search holds at most {LAST_NODE:,} nodes; allow fewer expansions")
        has_too_few_nodes = count + memory.widest > len(memory.nodes)
        has_too_few_entries = open_count + memory.widest > len(memory.entries)
        if has_too_few_nodes:
            memory.grow_nodes(count)
        if has_too_few_entries:
            memory.grow_entries()
        if has_too_few_nodes or has_too_few_entries:
            self._core.set("memory", memory.struct())
            lib.gb_search_enter_states(self._core.c)
        if self.settings.keep > 0 and open_count > 2 * self.settings.keep:
            self._drop_worst(open_count)

    def _drop_worst(self, count: int) -> None:
        """Truncate the open list [LK05 3.3], and remember the best of what is lost."""
        entries, keep, counts = self._memory.entries, self.settings.keep, self.counts
        entries[:count].sort()  # what is sorted is a heap
        lost = LAST_NODE - (entries[keep:count] & LAST_NODE)
        nodes = self._memory.nodes
        least = int((nodes["cost"][lost] + nodes["left"][lost]).min())
        counts.least_lost = min(int(counts.least_lost), least)
        counts.dropped += count - keep
        counts.open = keep

    def lower_bound(self) -> int:
        """Return a cost, in whole units, that no plan undercuts."""
        goal, least = int(self.counts.goal_node), self.settings.ceiling
        if goal >= 0:
            least = min(least, self.goal_cost())
        with held(self.setting.query.fields):
            lib.gb_search_settle_lost(self._core.c)
            least = lib.gb_search_least_open(self._core.c, min(least, int(self.counts.least_lost)))
        return max(least, int(self._node(0).left))

    def goal_cost(self) -> int:
        return int(self._node(self.counts.goal_node).cost)

    def steps(self, *, nearest: bool = False) -> tuple[Step, ...]:
        """Return the steps to the goal found, or to the expanded node with the least cost left."""
        actions = self.setting.actions
        node = self._node(self.counts.nearest if nearest else self.counts.goal_node)
        steps: list[Step] = []
        while node.parent >= 0:
            before, behavior = self._node(node.parent), int(actions.clip_behavior[node.clip])
            first = int(actions.behavior_clips[behavior])
            steps.append(Step(behavior, node.clip - first, (before.x, before.y, before.heading), before.frame))
            node = before
        return tuple(reversed(steps))

    def _node(self, number: int) -> Any:
        return self._core.c.memory.nodes[number]

    def cost_at_nearest(self) -> int:
        return int(self._node(self.counts.nearest).cost)

    def statistics(self) -> SearchStatistics:
        counts = self.counts
        return SearchStatistics(
            expansions=self.expansions,
            nodes=int(counts.nodes),
            generated=int(counts.generated),
            collision_samples=int(counts.samples),
            time_s=self.time_s,
            setup_time_s=self.setting.setup_time_s,
            bytes_used=self._memory.size,
        )

    def trace(self) -> SearchTrace:
        """Return a copy of the tree."""
        nodes = self._memory.nodes[: self.counts.nodes]
        behaviors = np.append(self.setting.actions.clip_behavior, np.int32(-1))  # the last one is the start's
        return SearchTrace(
            poses=np.stack((nodes["x"], nodes["y"], nodes["heading"]), axis=1),
            parents=nodes["parent"].copy(),
            costs=nodes["cost"] * COST_UNIT,
            behaviors=behaviors[nodes["clip"]],
            frames=nodes["frame"].copy(),
            expanded=nodes["stage"] == lib.GB_NODE_CLOSED,
        )


def _check_keys(setting: Setting, settings: Settings) -> None:
    """Refuse what the keys of states have no room for."""
    least_x, least_y, greatest_x, greatest_y = setting.problem.world.bounds
    widest = max(abs(value) for value in (least_x, least_y, greatest_x, greatest_y)) / settings.place_unit
    states = len(setting.moves.state)
    frames = setting.query.horizon // settings.frame_unit if settings.frame_unit > 0 else 0
    if widest >= 2**31 or states >= 1 << STATE_BITS or frames >= 1 << FRAME_BITS:
        raise InvalidInput(
            f"a search cannot tell apart {states:,} behaviors, {frames:,} times and places {widest:,.0f} units from "
            "the origin; use a coarser table, a shorter horizon or a smaller world"
        )
