"""Edits of a running crowd's world: obstacles that come, go and are moved, and things that are thrown or driven.

An edit is asked for at any time and looked at in the next planning frame.  From then on everybody plans as if an
obstacle that is to come were there already, and those whose held trajectories meet it plan anew at once.  It *takes
effect*, and is part of the world from that frame on, as soon as its `when` allows: with nobody's trajectory in it
("clear"), with everybody's out of it within two seconds ("soon"), or at once ("now").  Whoever meets it by what they
hold then is remembered as hit by the edit, from the first frame to the last; nobody comes into an obstacle later, and
those who are in it only get out sooner than they held by then.  What moves may meet people at any time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.arrays import FROM_MOVERS, FROM_OBSTACLES, LOST, NOBODY, Proposals, Scratch
from gambol.crowd.edit import WHEN, Edit
from gambol.crowd.edit_hits import Intruder, met_by_mover, met_by_obstacle, near_way_of, note_hits, stand_is_met
from gambol.crowd.floor import cells_in, note_lanes, own_table, refresh, refreshed_table
from gambol.crowd.kernels.edits import MOST_AT_ONCE, ask_routes_anew
from gambol.crowd.kernels.escape import find_ways_out
from gambol.crowd.kernels.reservations import FOREVER
from gambol.crowd.movers import KnownMover, Movers
from gambol.crowd.setting import ProposalSetting
from gambol.errors import InvalidInput, UnknownName
from gambol.world.changes import Box, box_of, changed_boxes, grown
from gambol.world.pieces import pieces_of
from gambol.world.world import Footprint, Mover, Obstacle, Pose, World

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd

OUT_S = 2.0  # within which everyone is out of what takes effect "soon"
SPARE_FRAMES = 3  # of these two seconds
SOON_OUT_FRAMES = 30  # who is out by then has a good way and does not look for another in every frame
RETRY_FRAMES = 3  # and who has none looks again after so many
OPEN_M = 2.0  # around an obstacle that was put there, lanes have no direction
UNRECORDED_EDITS = 200  # that are remembered by a crowd without a recording


class Editor:
    """The world of a crowd as it is, as it is planned with, and all that was asked to be changed."""

    def __init__(self, crowd: Crowd, world: World) -> None:
        self._crowd = crowd
        self.world = world  # as it is
        self.planned = replace(world)  # with what is to come; obstacles that were edited have names of their own
        self.table = own_table(self.planned)
        self.movers = Movers(world.movers, crowd.rate_hz)
        self.edits: list[Edit] = []
        self.worlds: list[tuple[int, World]] = []
        self._next = 0
        self._requests: list[tuple[Edit, Callable[[Edit], None]]] = []
        self._planned_as: dict[str, Obstacle] = {one.name: one for one in world.obstacles}
        self._obstacle_names = set(self._planned_as)
        self._mover_names = {one.name for one in world.movers}
        self._put: dict[int, Obstacle] = {}  # obstacles in the planned world that edits have put there, by id
        self._intruders: list[Intruder] = []
        self._current: dict[str, Edit] = {}  # by name: what holds for an obstacle or a mover
        self._drives: dict[str, Edit] = {}  # by name: what further poses of a driven mover belong to
        self._met_by: dict[str, dict[int, tuple[int, int]]] = {}  # by mover and place: first and last frame
        self._flagged: list[int] = []
        self._held_until = np.zeros((0, 2), np.int64)  # by place: last frames at which obstacles and movers are met
        self._left = np.zeros((0, MOST_AT_ONCE), np.int32)  # by place: numbers of obstacles to get out of
        self._no_pieces = pieces_of(())
        self._untils = np.zeros((crowd._largest_fan, 2), np.int64)
        self._ways: NDArray[np.int8] | None = None  # as lanes were laid
        self._world_changed = False

    def add_obstacle(self, obstacle: Obstacle, when: str) -> int:
        self._check_new(obstacle.name)
        self._obstacle_names.add(obstacle.name)
        return self._ask("add", obstacle.name, when, lambda edit: self._announce(edit, obstacle))

    def move_obstacle(self, name: str, pose: Pose, when: str) -> int:
        self._check_obstacle(name)
        if len(pose) != 3 or not all(math.isfinite(value) for value in pose):
            raise InvalidInput(f"obstacle {name!r}: a pose is (x, y, heading), all finite, not {pose}")

        def announce(edit: Edit) -> None:
            self._announce(edit, replace(self._latest(name), pose=pose))

        return self._ask("move", name, when, announce)

    def remove_obstacle(self, name: str) -> int:
        self._check_obstacle(name)
        self._obstacle_names.remove(name)
        return self._ask("remove", name, "now", self._remove)

    def throw(self, mover: Mover, stays: bool) -> int:
        self._check_new(mover.name)
        self._mover_names.add(mover.name)
        return self._ask("throw", mover.name, "now", lambda edit: self._put_mover(edit, KnownMover(mover, stays)))

    def drive(self, name: str, pose: Pose, footprint: Footprint | None, heights_m: tuple[float, float]) -> int:
        if name in self._obstacle_names:
            raise InvalidInput(f"{name!r} is an obstacle and cannot be driven")
        if name not in self._mover_names and footprint is None:
            raise InvalidInput(f"{name!r} is driven for the first time: a footprint is needed")
        if len(pose) != 3 or not all(math.isfinite(value) for value in pose):
            raise InvalidInput(f"{name!r} is driven to a pose (x, y, heading), all finite, not {pose}")
        self._mover_names.add(name)
        if name in self._drives:
            self._requests.append((self._drives[name], lambda edit: self._drive(edit, pose, footprint, heights_m)))
            return self._drives[name].number
        number = self._ask("drive", name, "now", lambda edit: self._drive(edit, pose, footprint, heights_m))
        self._drives[name] = self.edits[-1]
        return number

    def remove_mover(self, name: str) -> int:
        if name not in self._mover_names:
            raise UnknownName("mover", name, tuple(sorted(self._mover_names)))
        self._mover_names.remove(name)
        self._drives.pop(name, None)
        return self._ask("take", name, "now", self._take_mover)

    def _ask(self, kind: str, name: str, when: str, apply: Callable[[Edit], None]) -> int:
        if when not in WHEN:
            raise UnknownName("time for an edit", when, WHEN)
        edit = Edit(self._next, kind, name, when, self._crowd.frame)
        self._next += 1
        self.edits.append(edit)
        self._requests.append((edit, apply))
        return edit.number

    def _check_new(self, name: str) -> None:
        if name in self._obstacle_names or name in self._mover_names:
            raise InvalidInput(f"there is something called {name!r} already")

    def _check_obstacle(self, name: str) -> None:
        if name not in self._obstacle_names:
            raise UnknownName("obstacle", name, tuple(sorted(self._obstacle_names)))

    @property
    def is_idle(self) -> bool:
        return not (self._requests or self._intruders or self._flagged or self._met_by)

    def begin_frame(self) -> None:
        """Look at what was asked for, and tell everybody concerned.  To be called before planning."""
        frame = self._crowd.frame
        for name in self.movers.gone(frame):
            self.movers.take(name, frame)
            self._mover_names.discard(name)
            self._end(name)
            self._world_changed = True
        if self.movers.renew(frame):
            for mover in self.movers.movers:
                self._look_at_mover(mover)
        if self.is_idle:
            return
        requests, self._requests = self._requests, []
        for edit, apply in requests:
            apply(edit)
        self._find_contacts()
        self._flag()

    def find_ways_out(self, setting: ProposalSetting, proposals: Proposals, count: int, scratch: Scratch) -> None:
        """Propose the shortest way out to all who are met by an edit and found nothing else."""
        if self._flagged:
            meeting = tuple(one.obstacle for one in self._intruders if one.contacts)
            find_ways_out(
                setting, pieces_of(meeting), self._left, self._held_until, proposals, count, scratch, self._untils
            )

    def end_frame(self) -> None:
        """Let take effect what may, and remember who is met.  To be called when all is planned."""
        if not self.is_idle:
            self._find_contacts()
            for intruder in list(self._intruders):
                if intruder in self._intruders:  # another one's effect may have taken it away
                    self._settle(intruder)
            self._settle_movers()
        if self._world_changed:
            self._note_world()

    def comes_by(self, kind: int, pose: Pose) -> bool:
        """Tell whether something that moves meets who stands at a pose from now on."""
        if self.movers.traffic.is_empty:
            return False
        return stand_is_met(self._crowd, self.movers, kind, pose)

    def _latest(self, name: str) -> Obstacle:
        """Return an obstacle as it was last asked for."""
        for intruder in self._intruders:
            if intruder.edit.name == name and intruder.edit.is_pending:
                return intruder.official
        return next(one for one in self.world.obstacles if one.name == name)

    def _announce(self, edit: Edit, obstacle: Obstacle) -> None:
        """Plan with an obstacle that is to come."""
        self._drop_pending(edit.name)
        planned = replace(obstacle, name=f"{obstacle.name}@{edit.number}")
        box = np.array(box_of(planned))
        intruder = Intruder(edit, planned, obstacle, self._planned_as.get(edit.name), pieces_of((planned,)), box)
        self._intruders.append(intruder)
        self._put[id(planned)] = planned
        self._plan_with((*self.planned.obstacles, planned))

    def _remove(self, edit: Edit) -> None:
        self._drop_pending(edit.name)
        planned = self._planned_as.pop(edit.name, None)
        self._end(edit.name)
        if planned is not None:
            self._plan_without(planned)
            self.world = replace(
                self.world, obstacles=tuple(one for one in self.world.obstacles if one.name != edit.name)
            )
        self._done(edit)

    def _drop_pending(self, name: str) -> None:
        for intruder in [one for one in self._intruders if one.edit.name == name and one.edit.is_pending]:
            intruder.edit.dropped = True
            self._intruders.remove(intruder)
            self._plan_without(intruder.obstacle)

    def _plan_without(self, planned: Obstacle) -> None:
        self._put.pop(id(planned), None)
        for intruder in [one for one in self._intruders if one.obstacle is planned]:
            intruder.contacts = {}
            note_hits(self._crowd, intruder.edit, {})
            self._intruders.remove(intruder)
        self._plan_with(tuple(one for one in self.planned.obstacles if one is not planned))

    def _plan_with(self, obstacles: tuple[Obstacle, ...]) -> None:
        """Change the obstacles that are planned with, and all that depends on them."""
        crowd = self._crowd
        old, self.planned = self.planned, replace(self.planned, obstacles=obstacles)
        self.table = refreshed_table(self.table, old, self.planned)
        boxes = changed_boxes(old, self.planned)
        flock, count = crowd._flock, crowd._count
        for box in boxes:
            refresh(crowd.floor, self.planned, box)
            self._open_lanes(box)
            if len(obstacles) > len(old.obstacles):
                ask_routes_anew(flock, np.int64(count), np.array(grown(box, float(crowd._radius.max()))))
        if len(obstacles) < len(old.obstacles):
            lost = flock.taken[:count] & (flock.condition[:count] == LOST)
            flock.way_wanted[:count][lost] = True

    def _open_lanes(self, box: Box) -> None:
        """Take back the one-way rules around what edits have put onto the floor, and lay the others again."""
        floor = self._crowd.floor
        if self._ways is None:
            self._ways = floor.way.copy()
        around = cells_in(floor, grown(box, OPEN_M))
        if not (self._ways[around] >= 0).any():
            return
        floor.way[around] = self._ways[around]
        for obstacle in self._put.values():
            floor.way[cells_in(floor, grown(box_of(obstacle), OPEN_M))] = -1
        note_lanes(floor)

    def _settle(self, intruder: Intruder) -> None:
        """Let an obstacle take effect if it may; note who is met by it."""
        edit, frame, rate = intruder.edit, self._crowd.frame, self._crowd.rate_hz
        if edit.is_pending:
            latest = max((last for _, last in intruder.contacts.values()), default=-1)
            bounds = {"clear": -1, "soon": frame + round(OUT_S * rate) - SPARE_FRAMES, "now": FOREVER}
            if latest > bounds[edit.when]:
                return
            self._end(edit.name)
            self._planned_as[edit.name] = intruder.obstacle
            others = tuple(one for one in self.world.obstacles if one.name != edit.name)
            self.world = replace(self.world, obstacles=(*others, intruder.official))
            if intruder.replaces is not None:
                self._plan_without(intruder.replaces)
            self._done(edit)
            note_hits(self._crowd, edit, intruder.contacts, anew=True)
        else:
            note_hits(self._crowd, edit, intruder.contacts)
        if not intruder.contacts:
            self._intruders.remove(intruder)

    def _put_mover(self, edit: Edit, known: KnownMover) -> None:
        frame = self._crowd.frame
        self.movers.put(known, frame)
        if edit.frame is None:
            self._end(edit.name)
            self._done(edit)
        self._world_changed = True
        self._look_at_mover(known.mover)

    def _drive(self, edit: Edit, pose: Pose, footprint: Footprint | None, heights_m: tuple[float, float]) -> None:
        known = self.movers.driven(edit.name, pose, self._crowd.frame, footprint, heights_m)
        if known is not None:
            self._put_mover(edit, known)

    def _take_mover(self, edit: Edit) -> None:
        if edit.name in self.movers.known:
            self.movers.take(edit.name, self._crowd.frame)
        self._end(edit.name)
        self._done(edit)

    def _look_at_mover(self, mover: Mover) -> None:
        """Look who may be met by a mover from now on."""
        there = near_way_of(self._crowd, mover)
        if there.any():
            self._met_by[mover.name] = {int(place): (0, 0) for place in np.flatnonzero(there)}

    def _find_meetings(self) -> None:
        """Look who is met by what moves from now on."""
        # Who gets out of the way of one thing may be in that of another.
        flagged = {place for place in self._flagged if self._crowd._flock.escapes[place] & FROM_MOVERS}
        met_by, self._met_by = self._met_by, {}
        for name in self.movers.known if flagged else met_by:
            if name in self.movers.known:
                places = np.array(sorted(flagged.union(met_by.get(name, ()))), dtype=np.int64)
                self._met_by[name] = met_by_mover(self._crowd, self.movers.alone(name).table, self.movers.frame, places)

    def _settle_movers(self) -> None:
        for name, contacts in list(self._met_by.items()):
            if name in self._current:
                note_hits(self._crowd, self._current[name], contacts, anew=True)
            if not contacts:
                del self._met_by[name]

    def _find_contacts(self) -> None:
        """Look who meets which obstacle from now on."""
        for intruder in self._intruders:
            intruder.contacts = met_by_obstacle(self._crowd, intruder)
        self._find_meetings()

    def _flag(self) -> None:
        """Let all plan anew who meet anything; tell them what they have to get out of."""
        crowd = self._crowd
        flock, frame = crowd._flock, crowd.frame
        before, self._flagged = set(self._flagged), []
        flock.escapes[list(before)] = 0
        if len(self._held_until) < len(flock.taken):
            self._held_until = np.full((len(flock.taken), 2), -1, np.int64)
            self._left = np.full((len(flock.taken), MOST_AT_ONCE), -1, np.int32)
        index = {id(one): number for number, one in enumerate(self.planned.obstacles)}
        getting_out: set[int] = set()
        # What is to come may wait: nobody takes longer to get out of what is there for its sake.
        for intruder in sorted(self._intruders, key=lambda one: one.may_wait):
            for place, (_, last) in intruder.contacts.items():
                if intruder.may_wait and place in getting_out:
                    continue
                if not intruder.may_wait:
                    getting_out.add(place)
                self._flag_one(place, FROM_OBSTACLES, last)
                left = self._left[place]
                left[np.argmin(left)] = index[id(intruder.obstacle)]  # in place of none, or of the first
        for contacts in self._met_by.values():
            for place, (_, last) in contacts.items():
                self._flag_one(place, FROM_MOVERS, last)
        for place in self._flagged:
            is_late = self._held_until[place].max() > frame + SOON_OUT_FRAMES
            if place not in before or (is_late and (frame + place) % RETRY_FRAMES == 0):
                flock.ready[place] = min(flock.ready[place], frame)

    def _flag_one(self, place: int, what: int, last: int) -> None:
        escapes = self._crowd._flock.escapes
        if escapes[place] == 0:
            self._flagged.append(place)
            self._held_until[place], self._left[place] = -1, -1
        escapes[place] |= what
        held = self._held_until[place]
        held[what - 1] = max(held[what - 1], last)

    def _end(self, name: str) -> None:
        """Note that what an edit has put there under a name is not there any more."""
        edit = self._current.pop(name, None)
        if edit is not None:
            edit.until = self._crowd.frame
            note_hits(self._crowd, edit, {})

    def _done(self, edit: Edit) -> None:
        edit.frame = self._crowd.frame
        if edit.kind not in ("remove", "take"):
            self._current[edit.name] = edit
        self._crowd._event(f"{edit.kind} in effect", NOBODY, edit.name)
        self._world_changed = True

    def _note_world(self) -> None:
        """Remember the world from this frame on."""
        crowd = self._crowd
        self._world_changed = False
        self.world = replace(self.world, movers=self.movers.movers)
        if self.worlds and self.worlds[-1][0] == crowd.frame:
            self.worlds.pop()
        self.worlds.append((crowd.frame, self.world))
        if not crowd.records and len(self.edits) > 2 * UNRECORDED_EDITS:
            old, recent = self.edits[:-UNRECORDED_EDITS], self.edits[-UNRECORDED_EDITS:]
            self.edits = [edit for edit in old if edit.is_pending or self._current.get(edit.name) is edit] + recent
        if not crowd.records:
            self.worlds = self.worlds[-1:]
