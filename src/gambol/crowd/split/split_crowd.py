"""Crowds split in space: a strip of the world to each region, wherever the regions live.

`SplitCrowd` lets people appear, carries messages between neighbours frame after frame, and puts together what the
regions record.  A host runs the regions: here, one after the other, or elsewhere.  What becomes of the crowd is the
same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.crowd.arrays import empty_flock
from gambol.crowd.crowd import DEFAULT_BUDGET
from gambol.crowd.entrance import RETRY_FRAMES, errand_of
from gambol.crowd.event import NOBODY
from gambol.crowd.floor import lay_floor
from gambol.crowd.invariant import assert_flock_apart
from gambol.crowd.kinds import compile_kinds
from gambol.crowd.lanes import lay_lanes
from gambol.crowd.recording import Recording
from gambol.crowd.recording_builder import RecordingBuilder
from gambol.crowd.split.exchange import unpack
from gambol.crowd.split.region import Chapter, CrowdRegion, Newcomer, Roster
from gambol.crowd.split.strips import Strip, cut_strips, reach_of
from gambol.errors import InvalidInput
from gambol.scenes.aims import Follow
from gambol.scenes.scene import Scene
from gambol.world.world import World

COLORS = (0, 1)  # of strips: no two of one color are neighbours
NOTHING = (None, None)


class Opening(NamedTuple):
    """All that is needed to open the regions of a crowd."""

    world: World
    kinds: tuple[Character, ...]
    strips: tuple[Strip, ...]
    roster: Roster
    seed: int
    budget: int
    lanes: bool

    def region(self, number: int) -> CrowdRegion:
        return CrowdRegion(
            self.world, self.kinds, self.strips[number], self.roster, seed=self.seed, budget=self.budget,
            lanes=self.lanes,
        )  # fmt: skip


class Host(Protocol):
    """Where regions live.  What it returns, but for `fetch`, may be a promise that only it and its regions can read."""

    def call(self, region: int, method: str, *arguments: Any) -> Any: ...
    def tell(self, region: int, method: str, *arguments: Any) -> tuple[Any, Any]:
        """Call a method that returns what a region has to tell its neighbours."""
        ...

    def fetch(self, promises: Sequence[Any]) -> list[Any]: ...
    def close(self) -> None: ...


class Here:
    """Regions in this process, one after the other."""

    def __init__(self, opening: Opening) -> None:
        self.regions = [opening.region(number) for number in range(len(opening.strips))]

    def call(self, region: int, method: str, *arguments: Any) -> Any:
        return getattr(self.regions[region], method)(*arguments)

    tell = call

    def fetch(self, promises: Sequence[Any]) -> list[Any]:
        return list(promises)

    def close(self) -> None:
        self.regions = []


class SplitCrowd:
    """The crowd of a scene, split into regions.  Groups and followers need one region; nothing can be edited."""

    def __init__(
        self,
        scene: Scene,
        *,
        regions: int,
        host: Callable[[Opening], Host] = Here,
        budget: int = DEFAULT_BUDGET,
        lanes: bool = True,
        cuts: Sequence[float] | None = None,
    ) -> None:
        """Cut a scene's world into regions.

        budget: look-ups of each region in a planning frame.
        cuts: where the borders are, along the world's longer side; None: about evenly, away from doors and gates.
        """
        _check_cast(scene)
        self.scene, self.frame = scene, 0
        self.kinds = tuple({id(actor.character): actor.character for actor in scene.cast}.values())
        self.rate_hz = self.kinds[0].planning_rate_hz
        self._tables = compile_kinds(self.kinds)
        found = lay_lanes(lay_floor(scene.world)) if lanes and regions > 1 and cuts is None else None
        self.strips = cut_strips(scene.world, reach_of(self._tables), regions, lanes=found, cuts=cuts)
        numbers = {id(character): number for number, character in enumerate(self.kinds)}
        appears = [math.ceil(actor.appears_s * self.rate_hz) for actor in scene.cast]
        order = sorted(range(len(scene.cast)), key=lambda number: (appears[number], number))
        cast = [scene.cast[number] for number in order]
        self.roster = Roster(
            tuple(actor.name for actor in cast), tuple(numbers[id(actor.character)] for actor in cast)
        )  # fmt: skip
        self._newcomers = [Newcomer(who, actor.start, errand_of(actor.aim)) for who, actor in enumerate(cast)]  # pyright: ignore[reportArgumentType]
        self._waiting = [(appears[number], who) for who, number in enumerate(order)]
        self._entered = np.zeros(len(cast), dtype=bool)
        self._until = np.full(len(cast), -1, dtype=np.int64)
        self._log = RecordingBuilder()
        self._told: list[tuple[Any, Any]] = [NOTHING] * regions
        self._host = host(
            Opening(scene.world, self.kinds, self.strips, self.roster, scene.seed, budget, lanes)
        )  # fmt: skip

    def __enter__(self) -> SplitCrowd:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._host.close()

    @property
    def time_s(self) -> float:
        return self.frame / self.rate_hz

    @property
    def longest_clip(self) -> int:
        """Planning frames: after so many more, how a clip ends is known."""
        return int(self._tables.clips.duration.max())

    @property
    def waiting_to_appear(self) -> int:
        return len(self._waiting)

    def advance(self, frames: int = 1) -> None:
        """Let planning frames pass."""
        for _ in range(frames):
            if self._waiting and self._waiting[0][0] <= self.frame:
                self._admit()
            heard = self._crossed()
            self._told = [self._host.tell(number, "advance", *heard[number]) for number in self._numbers]
            self.frame += 1

    def settle(self) -> None:
        """Let everyone hear what they were told, so that everybody is somewhere."""
        heard = self._crossed()
        self._told = [NOTHING] * len(self.strips)
        self._host.fetch([self._host.call(number, "hear", *heard[number]) for number in self._numbers])

    def recording(self) -> Recording:
        """Return all that was played so far."""
        self._collect()
        log, entered = self._log, np.flatnonzero(self._entered)
        if len(entered) < len(self._entered):
            log = _renumbered(log, entered)
        until = self._until[entered]
        return log.recording(
            rate_hz=self.rate_hz,
            frames=self.frame + 1,
            characters=self.kinds,
            names=[self.roster.names[who] for who in entered],
            kind=[self.roster.kind[who] for who in entered],
            until=np.where(until < 0, self.frame + 1, until),
            scene=self.scene.text or self.scene.name,
        )

    def cut_log(self, frame: int) -> None:
        """Forget what was over before a frame, so that memory does not grow with the time."""
        self._collect()
        self._log.cut(frame, gone=np.flatnonzero((self._until >= 0) & (self._until <= frame)))

    def figures(self) -> list[dict[str, Any]]:
        """Return what each region has done so far; see `CrowdRegion.figures`."""
        return self._host.fetch([self._host.call(number, "figures") for number in self._numbers])

    def members(self) -> list[NDArray[np.void]]:
        """Return all that is known of everyone, region by region, as rows of the type `exchange.MEMBER`."""
        self.settle()
        return self._host.fetch([self._host.call(number, "members") for number in self._numbers])

    def assert_apart(self) -> None:
        """Raise AssertionError where any two of the crowd, of whichever regions, hold trajectories that meet."""
        rows = np.concatenate(self.members())
        flock = empty_flock(len(rows))
        unpack(rows, flock, 0)
        assert_flock_apart(self._tables, flock, len(rows), self.frame, self.roster.names)

    # --- inside -------------------------------------------------------------------------------------------------

    @property
    def _numbers(self) -> range:
        return range(len(self.strips))

    def _crossed(self) -> list[tuple[Any, Any]]:
        """Return what each region hears from below and from above."""
        nothing = [NOTHING]
        below, above = [*nothing, *self._told[:-1]], [*self._told[1:], *nothing]
        return [(one[1], other[0]) for one, other in zip(below, above, strict=True)]

    def _admit(self) -> None:
        """Let those appear whose time it is and who find room; neighbours do so one after the other."""
        due = [who for frame, who in self._waiting if frame <= self.frame]
        self.settle()
        at = np.array([self._newcomers[who].pose[self.strips[0].axis] for who in due])
        entered: set[int] = set()
        for color in COLORS:
            calls = []
            for strip in self.strips[color::2]:
                own = [self._newcomers[due[index]] for index in np.flatnonzero(strip.holds(at))]
                if own:
                    calls.append(self._host.call(strip.number, "admit", own))
            entered.update(who for some in self._host.fetch(calls) for who in some)
            self._told = [self._host.tell(number, "tell") for number in self._numbers]
            self.settle()
        self._entered[list(entered)] = True
        again = [(self.frame + RETRY_FRAMES, who) for who in due if who not in entered]
        self._waiting = sorted([*self._waiting[len(due) :], *again])

    def _collect(self) -> None:
        """Take what regions have recorded into one log."""
        chapters: list[Chapter] = self._host.fetch([self._host.call(number, "chapter") for number in self._numbers])
        for chapter in chapters:
            self._log.append(chapter.who, chapter.clip, chapter.frame, chapter.pose)
            for who, frame in chapter.gone:
                self._until[who] = frame
        arrivals = np.concatenate([chapter.arrivals for chapter in chapters])
        arrivals = arrivals[np.argsort(arrivals[:, 1], kind="stable")]
        self._log.arrive(arrivals[:, 0], arrivals[:, 1])
        for event in sorted((event for chapter in chapters for event in chapter.events), key=lambda one: one.frame):
            self._log.note(event)


def _renumbered(log: RecordingBuilder, entered: NDArray[np.int64]) -> RecordingBuilder:
    """Return a log in which only those who have appeared have numbers."""
    who, clip, frame, pose, arrivals = log.columns
    fewer = RecordingBuilder()
    fewer.append(np.searchsorted(entered, who), clip, frame, pose)
    fewer.arrive(np.searchsorted(entered, arrivals[:, 0]), arrivals[:, 1])
    for event in log.events:
        number = event.who if event.who == NOBODY else int(np.searchsorted(entered, event.who))
        fewer.note(event._replace(who=number))
    return fewer


def _check_cast(scene: Scene) -> None:
    for actor in scene.cast:
        if isinstance(actor.aim, Follow):
            raise InvalidInput(f"{actor.name!r} follows {actor.aim.who!r}: followers need a crowd in one piece")
        if actor.company is not None:
            raise InvalidInput(f"{actor.name!r} is of the group {actor.company!r}: groups need a crowd in one piece")
