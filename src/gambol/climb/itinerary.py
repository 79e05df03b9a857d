"""The sequence of modes and grasps of a climb: what a limb holds from when to when, as values and in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from types import MappingProxyType

import numpy as np

from gambol.climb.climb import ClimbMotion, Regrasp
from gambol.climb.figure import FREE, LIMBS
from gambol.climb.modes import Mode
from gambol.errors import InvalidInput
from gambol.world.environment import Environment, GraspPoint

TURNING = 0  # in place of a facing
FACINGS: dict[int, str] = {1: "right", -1: "left", TURNING: "turning"}


@dataclass(frozen=True)
class Phase:
    """Frames from one on in which mode, facing and grasps stay the same."""

    frame: int
    mode: Mode
    facing: int  # 1, -1 or TURNING
    grasps: tuple[int, int, int, int]  # which point each of LIMBS holds, FREE where none


@dataclass(frozen=True)
class ModeSpan:
    """Frames in one mode, both ends included."""

    mode: Mode
    first: int
    last: int


@dataclass(frozen=True)
class Itinerary:
    """Phases in their order; frames are those of the delivered motion, in which the climb may begin late.

    Both ends of a mode are frames, so that those of neighbouring modes are one frame apart.
    """

    rate_hz: float
    phases: tuple[Phase, ...]
    last_frame: int
    points: Mapping[int, GraspPoint]  # those that are held, by their number in the environment

    def __post_init__(self) -> None:
        object.__setattr__(self, "phases", tuple(self.phases))
        object.__setattr__(self, "points", MappingProxyType(dict(self.points)))
        if not self.phases:
            raise InvalidInput("an itinerary has at least one phase")
        frames = [phase.frame for phase in self.phases] + [self.last_frame + 1]
        if frames[0] < 0 or any(after <= before for before, after in pairwise(frames)):
            raise InvalidInput("phases of an itinerary must follow each other, and begin before its last frame")
        held = {grasp for phase in self.phases for grasp in phase.grasps if grasp != FREE}
        if missing := sorted(held - set(self.points)):
            raise InvalidInput(f"point {missing[0]} is held but not listed")

    @classmethod
    def of(cls, environment: Environment, motion: ClimbMotion, *, first_frame: int = 0) -> Itinerary:
        """Return what a motion does; first_frame: where it begins in a longer one."""
        path = motion.path
        facings = np.where(np.abs(path.facings) < 1.0, TURNING, np.sign(path.facings)).astype(np.int32)
        table = np.column_stack((path.modes, facings, path.grasps))
        starts = [0, *(np.flatnonzero(np.any(table[1:] != table[:-1], axis=1)) + 1).tolist()]
        phases: list[Phase] = []
        for start in starts:
            mode, facing, left_hand, right_hand, left_foot, right_foot = table[start].tolist()
            grasps = (left_hand, right_hand, left_foot, right_foot)
            phases.append(Phase(first_frame + start, Mode(mode), facing, grasps))
        held = sorted({grasp for phase in phases for grasp in phase.grasps if grasp != FREE})
        points = {grasp: environment.grasp_points[grasp] for grasp in held}
        return cls(motion.rate_hz, tuple(phases), first_frame + len(path) - 1, points)

    @property
    def first_frame(self) -> int:
        return self.phases[0].frame

    @property
    def modes(self) -> tuple[ModeSpan, ...]:
        """The modes in their order, each with the frames that it lasts."""
        groups = [next(group) for _, group in groupby(self.phases, key=lambda phase: phase.mode)]
        ends = [phase.frame - 1 for phase in groups[1:]] + [self.last_frame]
        return tuple(ModeSpan(phase.mode, phase.frame, last) for phase, last in zip(groups, ends, strict=True))

    @property
    def changes(self) -> tuple[Regrasp, ...]:
        """All changes after the first frame: of what limbs hold, and of mode and facing (then no limb is named)."""
        changes: list[Regrasp] = []
        for before, after in pairwise(self.phases):
            if (before.mode, before.facing) != (after.mode, after.facing):
                changes.append(Regrasp(after.frame, after.mode, after.facing, ""))
            for limb, left, taken in zip(LIMBS, before.grasps, after.grasps, strict=True):
                if left != taken:
                    changes.append(Regrasp(after.frame, after.mode, after.facing, limb, left, taken))
        return tuple(changes)

    @property
    def regrasps(self) -> int:
        """How often a limb takes hold anew."""
        return sum(change.taken != FREE for change in self.changes)

    def seconds(self, frame: int) -> float:
        return frame / self.rate_hz

    def lines(self) -> list[str]:
        """Return the sequence in plain words, a moment to a line."""
        first = self.phases[0]
        limbs = zip(LIMBS, first.grasps, strict=True)
        held = [f"{_words(limb)} on {self._point(grasp)}" for limb, grasp in limbs if grasp != FREE]
        lines = [self._line(first.frame, [first.mode.label, _facing(first.facing), *held])]
        for (before, after), changes in zip(pairwise(self.phases), self._changes_by_phase(), strict=True):
            said = [after.mode.label] if after.mode != before.mode else []
            said += [_facing(after.facing)] if after.facing != before.facing else []
            lines.append(self._line(after.frame, [*said, *(self._change(change) for change in changes if change.limb)]))
        return [*lines, self._line(self.last_frame, ["end"])]

    def _changes_by_phase(self) -> list[list[Regrasp]]:
        by_frame: dict[int, list[Regrasp]] = {phase.frame: [] for phase in self.phases[1:]}
        for change in self.changes:
            by_frame[change.frame].append(change)
        return list(by_frame.values())

    def _line(self, frame: int, said: list[str]) -> str:
        return f"{self.seconds(frame):8.2f} s  {'; '.join(said)}"

    def _change(self, change: Regrasp) -> str:
        if change.taken == FREE:
            return f"{_words(change.limb)} leaves {change.left}"
        return f"{_words(change.limb)} takes {self._point(change.taken)}"

    def _point(self, grasp: int) -> str:
        point = self.points[grasp]
        return f"{grasp} at ({point.x:.2f}, {point.z:.2f})"


def _words(limb: str) -> str:
    return limb.replace("_", " ")


def _facing(facing: int) -> str:
    return "turning round" if facing == TURNING else f"facing {FACINGS[facing]}"
