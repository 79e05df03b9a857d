"""One region of a crowd that is split in space: a crowd of its own, which knows who is near its borders.

Everyone is planned for by the region in whose strip its present clip ends.  *Ghosts* are those of the regions next to
it who may be met from here: their trajectories count as everybody's do, but are not planned for.  After each frame
neighbours tell each other who has come over and what their ghosts hold now.  See docs/crowd_proof.md.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.crowd.arrays import Flock
from gambol.crowd.crowd import DEFAULT_BUDGET, Crowd, Pose
from gambol.crowd.errand import Errand
from gambol.crowd.event import Event
from gambol.crowd.recording_builder import RecordingBuilder
from gambol.crowd.split.exchange import ASK, GHOST, MEMBER, Message, pack, unpack
from gambol.crowd.split.strips import Strip
from gambol.errors import InvalidInput
from gambol.world.world import World

COUNTS = ("look_ups", "committed", "lost", "not_found", "tests", "routes", "arrivals", "most_look_ups")
SIDES = (0, 1)  # the neighbours: below and above along the axis
Neighbours = tuple[Message | None, Message | None]


class Roster(NamedTuple):
    """All who ever appear in a crowd, by their numbers."""

    names: tuple[str, ...]
    kind: tuple[int, ...]


class Newcomer(NamedTuple):
    """Someone who is to appear."""

    who: int
    pose: Pose
    errand: Errand


class Chapter(NamedTuple):
    """What was recorded in a region since it was last asked."""

    who: NDArray[np.int32]
    clip: NDArray[np.uint16]
    frame: NDArray[np.int32]
    pose: NDArray[np.float64]
    arrivals: NDArray[np.int32]
    events: tuple[Event, ...]
    gone: tuple[tuple[int, int], ...]  # who has left the crowd, and at which frame


class CrowdRegion(Crowd):
    """A strip of a world and who is in it; edits are for crowds in one piece."""

    def __init__(
        self,
        world: World,
        kinds: Sequence[Character],
        strip: Strip,
        roster: Roster,
        *,
        seed: int = 0,
        budget: int = DEFAULT_BUDGET,
        lanes: bool = True,
    ) -> None:
        super().__init__(world, kinds, seed=seed, budget=budget, lanes=lanes)
        self.strip = strip
        self.handed_over, self.exchange_s = 0, 0.0
        self.names, self._kind_of = list(roster.names), list(roster.kind)
        self._until = [-1] * len(roster.names)
        self._told = [np.empty(0, GHOST) for _ in SIDES]  # who is near each border, over there
        self._left = [np.empty(0, GHOST) for _ in SIDES]  # who has just gone over
        self._asks = np.empty(0, ASK)  # of ghosts, in the frame just passed

    # --- what is called from outside ------------------------------------------------------------------------------

    def advance(self, below: Message | None, above: Message | None) -> Neighbours:
        """Hear what the neighbours have to tell, let a frame pass, and tell them."""
        self.hear(below, above)
        self.step()
        begun = time.perf_counter()
        flock = self._flock
        ghosts = np.arange(self._count, self._present)
        asked = ghosts[flock.asked_frame[ghosts] == self.frame]
        self._asks = np.empty(len(asked), ASK)
        self._asks["who"], self._asks["asked_from"] = flock.number[asked], flock.asked_from[asked]
        told = self.tell(hand_over=True)
        self.exchange_s += time.perf_counter() - begun
        return told

    def tell(self, *, hand_over: bool = False) -> Neighbours:
        """Return what each neighbour has to know; None where there is none.

        hand_over: whether those who have come to the end of the strip go over.
        """
        below = self._tell(0, hand_over) if np.isfinite(self.strip.low) else None
        above = self._tell(1, hand_over) if np.isfinite(self.strip.high) else None
        return below, above

    def hear(self, below: Message | None, above: Message | None) -> None:
        """Take over who has come, and know who is near; what nothing is told about stays as it was."""
        begun = time.perf_counter()
        for side, message in zip(SIDES, (below, above), strict=True):
            if message is not None:
                self._adopt(message)
                self._told[side] = np.concatenate((message.ghosts, self._left[side]))
                self._left[side] = np.empty(0, GHOST)
        for message in (below, above):
            if message is not None:
                self._be_asked(message.asks)
        self._be_asked(self._asks)  # who was asked over there, and is here now
        self._asks = np.empty(0, ASK)
        self._lay_ghosts()
        self.exchange_s += time.perf_counter() - begun

    def admit(self, newcomers: Sequence[Newcomer]) -> list[int]:
        """Let those appear who find room; return who did.  At the very beginning all must."""
        entered = []
        for who, pose, errand in newcomers:
            problem = self.obstruction(self._kind_of[who], pose)
            if problem is not None and self.frame == 0:
                raise InvalidInput(f"nobody can be put at ({pose[0]:.2f}, {pose[1]:.2f}): {problem}")
            if problem is None:
                self._put(who, self._kind_of[who], pose)
                self._errands.give(who, errand)
                self._lay_ghosts()
                entered.append(who)
        return entered

    def chapter(self) -> Chapter:
        """Return what was recorded since this was last asked, and forget it."""
        gone = tuple((who, until) for who, until in enumerate(self._until) if until >= 0)
        for who, _ in gone:
            self._until[who] = -1
        log, self._log = self._log, RecordingBuilder()
        return Chapter(*log.columns, log.events, gone)

    def members(self) -> NDArray[np.void]:
        """Return all that is known of everyone here, by their numbers."""
        places = np.flatnonzero(self._flock.taken[: self._count])
        return pack(self._flock, places[np.argsort(self._flock.number[places])], MEMBER)

    def figures(self) -> dict[str, Any]:
        """Return what was done here so far: counts, seconds by stage and of telling neighbours, who is here now."""
        stats = self.statistics
        return {
            "process": os.getpid(),
            "present": len(self),
            "ghosts": self._ghosts,
            "handed_over": self.handed_over,
            "seconds": {**stats.seconds, "exchange": self.exchange_s},
            **{name: getattr(stats, name) for name in COUNTS},
        }

    # --- inside -------------------------------------------------------------------------------------------------

    def _may_plan(self, ready: NDArray[np.int64]) -> NDArray[np.int64]:
        state = self._tables.clips.state[self._flock.clip[ready, 0]]
        return ready[self.strip.may_plan(self._ends(ready), state, self.frame)]

    def _ends(self, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return where, along the axis, the present clips of some end."""
        flock, axis = self._flock, self.strip.axis
        return np.where(flock.count[places] > 1, flock.pose[places, 1, axis], flock.end[places, axis])

    def _tell(self, side: int, hand_over: bool) -> Message:
        """Return what the neighbour at one side has to know; who goes over stays here as a ghost."""
        flock, border = self._flock, self.strip.high if side else self.strip.low
        places = np.flatnonzero(flock.taken[: self._count])
        moved, errands = np.empty(0, MEMBER), []
        if hand_over:
            at = self._ends(places)
            over = places[(at >= border) if side else (at < border)]
            moved, self._left[side] = pack(flock, over, MEMBER), pack(flock, over, GHOST)
            for who in moved["number"].tolist():
                errands.append(self._errands.hand_over(who))
                self._vacate(who)
            self.handed_over += len(over)
            places = places[flock.taken[places]]
        reach, box = self.strip.reach.tail_m, flock.box[places]
        axis = self.strip.axis
        near = (box[:, 2 + axis] >= border - reach) if side else (box[:, axis] <= border + reach)
        return Message(moved, tuple(errands), pack(flock, places[near], GHOST), self._asks)

    def _adopt(self, message: Message) -> None:
        for row, (errand, stage) in zip(message.moved, message.errands, strict=True):
            who = int(row["number"])
            place = self._take_place(who)
            for name, column in zip(Flock._fields, self._flock, strict=True):
                column[place] = row[name]
            self._errands.take_over(who, errand, stage)

    def _be_asked(self, asks: NDArray[np.void]) -> None:
        """Let those of some who are here know that they are asked to make way."""
        flock = self._flock
        for ask in asks:
            place = self._place.get(int(ask["who"]))
            if place is not None:
                flock.asked_frame[place], flock.asked_from[place] = self.frame, ask["asked_from"]
                flock.ready[place] = min(flock.ready[place], self.frame + 1)

    def _lay_ghosts(self) -> None:
        """Write the ghosts behind the places of those who are here."""
        ghosts = np.concatenate(self._told)
        places = self._count + len(ghosts)
        if places > len(self._flock.taken):
            self._resize(max(places, 2 * len(self._flock.taken)))
        unpack(ghosts, self._flock, self._count)
        self._ghosts = len(ghosts)
