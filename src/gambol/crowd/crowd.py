"""Crowds: many characters that plan as they go, none of whom ever touches another [LK06 5, L09 4.7.1].

Everyone holds a trajectory to the end of time: the clip being played, up to two clips to come and a stop, after
which it stands for ever.  All trajectories are apart from each other and from all that stands or is known to move.
With each clip that begins, its character proposes another tail from the end of that clip on.  Proposals are made
from one instant, so that it does not matter who makes them when or in which thread; they are taken up one after
another, who has waited longest first, each only if it is apart from all that is held by then.  Who loses keeps what it
holds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.characters.character import Character
from gambol.crowd.arrays import (
    NOBODY,
    WAY_POINTS,
    Cells,
    closed_gates,
    empty_flock,
    empty_proposals,
    grown_flock,
    scratch_for,
)
from gambol.crowd.crowd_statistics import STAGES, CrowdStatistics
from gambol.crowd.edited_world import EditedWorld
from gambol.crowd.edits import Editor
from gambol.crowd.errand import Errand
from gambol.crowd.errands import Errands
from gambol.crowd.event import Event
from gambol.crowd.floor import lay_floor
from gambol.crowd.gates import GateKeeper
from gambol.crowd.kernels import commit, propose
from gambol.crowd.kernels.poses import ALL
from gambol.crowd.kernels.reservations import sort_into_cells, who_meets_rest
from gambol.crowd.kinds import compile_kinds
from gambol.crowd.lanes import lay_lanes
from gambol.crowd.live_poses import Figures, LivePoses
from gambol.crowd.log_cut import cut_log
from gambol.crowd.queues import Usher
from gambol.crowd.recording import Recording
from gambol.crowd.recording_builder import RecordingBuilder
from gambol.crowd.routes import ROUTE_EXPANSIONS, find_wanted_routes, make_scratch, way_radius
from gambol.crowd.setting import ProposalSetting
from gambol.errors import InvalidInput, UnknownName
from gambol.search.kernels.collision import instant_is_free
from gambol.world.world import World

CELL_M = 3.0  # of the map of who is where
DEFAULT_BUDGET = 2_000  # look-ups in a planning frame
RESERVATIONS = ("swept", "gridmap")
Pose = tuple[float, float, float]


class Crowd(EditedWorld):
    """A world and who is in it.  One thread at a time may call it."""

    def __init__(
        self,
        world: World,
        kinds: Sequence[Character],
        *,
        seed: int = 0,
        budget: int = DEFAULT_BUDGET,
        threads: int = 1,
        reservations: str = "swept",
        lanes: bool = True,
        debug: bool = False,
        records: bool = True,
        scene: str = "",
    ) -> None:
        """Open a world to some kinds of characters.

        budget: look-ups in a planning frame; the rest of those who want to plan wait for the next frame.
        reservations: "swept", or "gridmap" for discs that are looked at in the middle and at the end of each clip only
        [L09 4.7.1].
        lanes: whether one-way lanes are laid at passages and crossings.
        debug: whether the invariant is asserted after each frame, at a cost that grows with the square of the crowd.
        """
        if isinstance(kinds, Character):
            raise InvalidInput(f"the kinds of a crowd are a list: [{kinds.name!r}], not the character itself")
        if not kinds:
            raise InvalidInput("a crowd needs at least one kind of character")
        if world.terrain is not None:
            raise InvalidInput("crowds walk on level ground: a world without terrain is expected")
        if budget < 1 or threads < 1:
            raise InvalidInput(f"budget and threads must be at least 1, not {budget} and {threads}")
        if reservations not in RESERVATIONS:
            raise UnknownName("kind of reservations", reservations, RESERVATIONS)
        self.kinds, self.seed = tuple(kinds), int(seed) & 0x7FFFFFFF
        self.budget, self.threads, self.debug, self.records = budget, threads, debug, records
        self.rate_hz = kinds[0].planning_rate_hz
        self.frame = 0
        self.scene = scene
        self.statistics = CrowdStatistics()
        self.names: list[str] = []
        self._tables = compile_kinds(kinds)
        self._soft = reservations == "gridmap"
        self._radius = np.array([way_radius(self._tables, kind) for kind in range(len(kinds))])
        self.floor = lay_floor(world)
        self._route_scratches = [make_scratch(self.floor, WAY_POINTS, ROUTE_EXPANSIONS) for _ in range(threads)]
        self.lanes = lay_lanes(self.floor) if lanes else None
        self._people = np.zeros(self.floor.jam.shape, np.int32)  # scratch
        doors, gates = ((), ()) if self.lanes is None else (self.lanes.doors, self.lanes.gates)
        self._ushers = [Usher(doors, self.floor)] if doors else []
        self._keepers = [GateKeeper(gates, self.floor)] if gates else []
        self._gates = self._keepers[0].table if gates else closed_gates(0)
        self._flock = empty_flock(64)
        self._count = 0  # places that were ever taken
        self._ghosts = 0  # places behind these: who is in the world, but planned for elsewhere; see `region.py`
        self._free: list[int] = []
        self._place: dict[int, int] = {}  # by id
        self._kind_of: list[int] = []  # by id
        self._until: list[int] = []  # by id
        self._errands = Errands(self)
        self._log = RecordingBuilder()
        self._poses: LivePoses | None = None  # made when asked for
        self._largest_fan = int(np.diff(self._tables.fans.first).max())
        self._edits = Editor(self, world)
        self._resize(64)
        width, depth = world.bounds[2] - world.bounds[0], world.bounds[3] - world.bounds[1]
        rows, columns = math.ceil(depth / CELL_M), math.ceil(width / CELL_M)
        self._cells = Cells(
            world.bounds[0], world.bounds[1], CELL_M, rows, columns, np.zeros(rows * columns + 1, np.int64),
            np.zeros(64, np.int32), np.zeros(2), np.zeros(rows * columns, np.int32),
        )  # fmt: skip
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    # --- who is there -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return how many are there now."""
        return len(self._place)

    @property
    def time_s(self) -> float:
        return self.frame / self.rate_hz

    @property
    def ids(self) -> list[int]:
        """The numbers of all who are there."""
        return list(self._place)

    def add(
        self, kind: int | Character, pose: Pose, errand: Errand, *, name: str | None = None, group: str | None = None
    ) -> int:
        """Put someone into the crowd, standing at a pose, and return its number; where nobody can stand is an error."""
        number = self._kind_number(kind)
        if len(pose) != 3:
            raise InvalidInput(f"a pose is (x, y, heading), not {pose}")
        x, y, heading = (float(value) for value in pose)
        problem = self.obstruction(number, (x, y, heading))
        if problem is not None:
            raise InvalidInput(f"nobody can be put at ({x:.2f}, {y:.2f}): {problem}")
        who = len(self.names)
        name = name if name is not None else f"{self.kinds[number].name}-{who}"
        self._errands.leader(errand, who, name)  # whom it cannot follow is an error before it is there
        self.names.append(name)
        self._kind_of.append(number)
        self._until.append(-1)
        self._put(who, number, (x, y, heading))
        if group is not None:
            self._errands.join(who, group)
        self._errands.give(who, errand)
        return who

    def obstruction(self, kind: int | Character, pose: Pose) -> str | None:
        """Return what keeps someone from standing at a pose for ever; None if nothing does."""
        number = self._kind_number(kind)
        x, y, heading = pose
        clips, flock = self._tables.clips, self._flock
        rest = clips.rest_sample[number]
        none = np.int64(-1)
        if not instant_is_free(self._edits.table, clips, rest, float(x), float(y), float(heading), none):
            return "an obstacle or the bounds are in the way"
        if self._edits.comes_by(number, (float(x), float(y), float(heading))):
            return "something that moves comes by there"
        near = np.flatnonzero(flock.taken[: self._present])
        met = who_meets_rest(
            clips, flock, near, len(near), number, float(x), float(y), math.cos(heading), math.sin(heading),
            np.int64(self.frame),
        )  # fmt: skip
        return None if met == NOBODY else f"{self.names[self._id[met]]!r} stands or comes by there"

    def remove(self, who: int) -> None:
        """Take someone out of the crowd."""
        self._vacate(who)
        self._until[who] = self.frame
        self._errands.forget(who)

    def give(self, who: int, errand: Errand) -> None:
        """Give someone an errand in place of what it was about."""
        self._place_of(who)
        self._errands.give(who, errand)

    def errand(self, who: int) -> Errand:
        """Return what someone is about."""
        self._place_of(who)
        return self._errands.of(who)

    # --- time ---------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Let one planning frame pass."""
        times = [time.perf_counter()]
        self.frame += 1
        flock, count = self._flock, self._count
        started, arrived = self._scratch_started, self._scratch_arrived
        starts, arrivals = commit.advance(
            self._tables.clips, self._tables.fans, flock, count, np.int64(self.frame), np.int64(self.seed), started,
            arrived,
        )  # fmt: skip
        if starts:
            self._record(started[:starts])
        self._edits.begin_frame()
        times.append(time.perf_counter())
        if arrivals:
            self.statistics.arrivals += int(arrivals)
            self._log.arrive(self._id[arrived[:arrivals]], self.frame)
        self._errands.go_on(arrived[:arrivals])
        times.append(time.perf_counter())
        find_wanted_routes(self)
        times.append(time.perf_counter())
        setting, ready = self._propose()
        times.append(time.perf_counter())
        self._commit(setting, ready)
        self._edits.end_frame()
        times.append(time.perf_counter())
        for stage, (begin, end) in zip(STAGES, pairwise(times), strict=True):
            self.statistics.seconds[stage] += end - begin
        self.statistics.frames += 1
        if self.debug:
            from gambol.crowd.invariant import assert_apart

            assert_apart(self)

    def run(self, seconds: float) -> None:
        """Let so many seconds pass."""
        for _ in range(round(seconds * self.rate_hz)):
            self.step()

    def recording(self) -> Recording:
        """Return all that was played so far."""
        until = [self.frame + 1 if end < 0 else end for end in self._until]
        return self._log.recording(
            rate_hz=self.rate_hz, frames=self.frame + 1, characters=self.kinds, names=self.names, kind=self._kind_of,
            until=until, scene=self.scene,
        )  # fmt: skip

    def cut_log(self, frame: int) -> None:
        """Forget what was over before a frame, so that memory does not grow with the time; see `log_cut.py`."""
        cut_log(self, frame)

    def poses(self, ids: ArrayLike | None = None, *, detail: ArrayLike = ALL) -> tuple[Figures, ...]:
        """Return where everybody's joints are at the present frame, for each kind; see `LivePoses.now`.

        All poses of all kinds are worked out at the first call: some 15 MB and half a second for the human.
        """
        if self._poses is None:
            self._poses = LivePoses(self)
        return self._poses.now(ids, detail=detail)

    def _kind_number(self, kind: int | Character) -> int:
        if isinstance(kind, Character):
            for number, one in enumerate(self.kinds):
                if one is kind:
                    return number
            if kind.name in {one.name for one in self.kinds}:
                raise InvalidInput(f"this {kind.name!r} is another object than the one that the crowd was opened with")
            raise InvalidInput(f"this crowd was opened without {kind.name!r}")
        if not 0 <= kind < len(self.kinds):
            raise InvalidInput(f"a crowd of {len(self.kinds)} kinds has none with the number {kind}")
        return kind

    def _place_of(self, who: int) -> int:
        if who not in self._place:
            raise InvalidInput(f"nobody in this crowd has the number {who}")
        return self._place[who]

    @property
    def _id(self) -> NDArray[np.int64]:
        """Who is at each place; NOBODY at those that are free."""
        return self._flock.number

    @property
    def _present(self) -> int:
        """How many places reservations look at: those of its own and of ghosts."""
        return self._count + self._ghosts

    def _put(self, who: int, kind: int, pose: Pose) -> None:
        """Put someone standing at a pose into the flock."""
        place, flock = self._take_place(who), self._flock
        x, y, heading = pose
        flock.kind[place], flock.count[place] = kind, 1
        flock.before[place] = -1
        flock.end[place] = x, y, heading, math.cos(heading), math.sin(heading)
        commit.stand_on(self._tables.clips, flock, np.int64(place), np.int64(self.frame), np.int64(self.seed))
        commit.set_box(self._tables.clips, flock, np.int64(place))
        flock.anchor[place], flock.anchor_frame[place] = (x, y), self.frame
        flock.ready[place] = self.frame
        self._record(np.array([place]))

    def _take_place(self, who: int) -> int:
        """Return a place for someone, all of it zero but for who it is."""
        place = self._free.pop() if self._free else self._count
        if place == self._count:
            self._count += 1
            if self._count > len(self._flock.taken):
                self._resize(2 * len(self._flock.taken))
        for column in self._flock:
            column[place] = 0
        self._flock.taken[place], self._flock.number[place] = True, who
        self._place[who] = place
        return place

    def _vacate(self, who: int) -> None:
        place = self._place_of(who)
        self._flock.taken[place], self._flock.number[place] = False, NOBODY
        del self._place[who]
        self._free.append(place)

    def _resize(self, places: int) -> None:
        if places > len(self._flock.taken):
            self._flock = grown_flock(self._flock, places)
            self._cells = self._cells._replace(who=np.zeros(places, np.int32))
        self._scratch = [scratch_for(places, self._largest_fan) for _ in range(self.threads)]
        self._scratch_started, self._scratch_arrived = np.zeros(places, np.int64), np.zeros(places, np.int64)
        self._scratch_ready, self._scratch_changed = np.zeros(places, np.int64), np.zeros(places, np.int64)
        self._proposals = empty_proposals(places)

    def _record(self, places: NDArray[np.int64]) -> None:
        if self.records:
            flock = self._flock
            kinds = flock.kind[places]
            clip = flock.clip[places, 0] - self._tables.clips.first_clip[kinds]
            self._log.append(self._id[places], clip, flock.frame[places, 0], flock.pose[places, 0, :3])

    def _event(self, kind: str, who: int, what: str) -> None:
        if self.records:
            self._log.note(Event(self.frame, kind, who, what))

    def _setting(self) -> ProposalSetting:
        tables, movers = self._tables, self._edits.movers
        return ProposalSetting(
            self._edits.table, movers.table, not movers.traffic.is_empty, movers.frame, self.floor,
            self._gates, tables.actions, tables.clips, tables.fans, self._flock, self._cells,
            self.frame, self.seed, self._radius, self._tables.turning, self._soft,
        )  # fmt: skip

    def _propose(self) -> tuple[ProposalSetting, int]:
        """Make proposals for all who are ready, as far as the budget goes, the longest waiting first."""
        flock, proposals = self._flock, self._proposals
        sort_into_cells(flock, self._present, self._cells)
        for keeper in self._keepers:
            keeper.keep(flock, self._present, self.frame)
        for usher in self._ushers:
            usher.keep(flock, self._count, self.frame)
        listed = self._scratch_ready
        ready = self._may_plan(listed[: commit.list_ready(flock, self._count, np.int64(self.frame), listed)])
        order = np.lexsort((ready, flock.best_frame[ready], flock.escapes[ready] == 0))[: self.budget]
        ready = ready[order]
        count = len(ready)
        proposals.who[:count] = ready
        setting = self._setting()
        if self._pool is None or count < 2 * self.threads:
            propose.propose_many(setting, proposals, 0, count, self._scratch[0])
        else:
            shares = [(count * n // self.threads, count * (n + 1) // self.threads) for n in range(self.threads)]
            jobs = [
                self._pool.submit(propose.propose_many, setting, proposals, begin, end, scratch)
                for (begin, end), scratch in zip(shares, self._scratch, strict=True)
            ]
            for job in jobs:
                job.result()
        self._edits.find_ways_out(setting, proposals, count, self._scratch[0])
        self.statistics.look_ups += count
        self.statistics.most_look_ups = max(self.statistics.most_look_ups, count)
        return setting, count

    def _may_plan(self, ready: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which of those at some places, who are ready, may plan in this frame."""
        return ready

    def _commit(self, setting: ProposalSetting, count: int) -> None:
        totals = np.zeros(4, np.int64)
        commit.commit_many(setting, self._proposals, count, self._scratch_changed, totals)
        stats = self.statistics
        stats.committed += int(totals[commit.COMMITTED])
        stats.lost += int(totals[commit.LOST_TO_OTHERS])
        stats.not_found += int(totals[commit.NOT_FOUND])
        stats.tests += int(totals[commit.TESTS])
