"""Scenes played for items: planned, made into motions, judged at full rate, and told as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from evidence.reproductions.claim import Claim
from evidence.reproductions.item import Say
from evidence.reproductions.report import Row, Table, Value, row
from gambol.scenes import Scene
from gambol.search import Planner
from gambol.stages import PlanPerformance, PlanStage, perform

DELIVERED = "delivered"
CHARACTERS, ARRIVE = "characters", "arrive"
PLANNING, MOTION, RATIO = "planning s, each", "motion s, each", "planning s per s of motion"
TOTAL, COST = "motion s, all", "mean cost"
FRAMES, COLLISIONS, TOUCHES, ILLEGAL = "frames checked", "collisions", "touches", "illegal transitions"
COLUMNS = (CHARACTERS, ARRIVE, PLANNING, MOTION, RATIO, TOTAL, COST, FRAMES, COLLISIONS, TOUCHES, ILLEGAL)
OTHER_MACHINE = "Times are of machines of 2005 and of today; the paper names none."
WALL = "Planning is wall-clock time with all that it takes, laying out a world not seen before included."


@dataclass(frozen=True, eq=False)
class Played:
    """A scene that was played, and what a table says of it."""

    label: str
    performance: PlanPerformance

    @property
    def arrived(self) -> int:
        return sum(plan.found for plan in self.performance.plans)

    @property
    def planning_s(self) -> float:
        """Seconds of planning for each of the cast, everything included."""
        return self.performance.timings["plan_s"] / len(self.performance.plans)

    @property
    def total_s(self) -> float:
        """Seconds of motion delivered, all together."""
        return sum(plan.duration_s for plan in self.performance.plans)

    @property
    def motion_s(self) -> float:
        return self.total_s / len(self.performance.plans)

    @property
    def cost(self) -> float:
        found = [plan.cost for plan in self.performance.plans if plan.found]
        return float(np.mean(found)) if found else float("nan")

    @property
    def faults(self) -> int:
        """How many things the full-rate check found."""
        report = self.performance.report
        assert report is not None, "played scenes are checked"
        return len(report.collisions) + len(report.touches) + len(report.illegal_transitions)

    def count(self, *words: str) -> int:
        """Return how many of the cast play a behavior whose name begins with one of the words."""
        return sum(any(name.startswith(words) for name in plan.behaviors) for plan in self.performance.plans)

    def values(self) -> dict[str, Value]:
        """Return what its row says, by column."""
        report = self.performance.report
        assert report is not None, "played scenes are checked"
        return {
            CHARACTERS: len(self.performance.plans),
            ARRIVE: self.arrived,
            PLANNING: self.planning_s,
            MOTION: self.motion_s,
            RATIO: self.planning_s / self.motion_s if self.motion_s > 0.0 else None,
            TOTAL: self.total_s,
            COST: self.cost,
            FRAMES: report.frames,
            COLLISIONS: len(report.collisions),
            TOUCHES: len(report.touches),
            ILLEGAL: len(report.illegal_transitions),
        }


def play(label: str, make: Callable[[], Scene], say: Say, *, planner: Planner | None = None) -> Played:
    """Make and play a scene twice and keep the second time: the first loads what was compiled before."""
    say(f"planning {label}", 0.0)
    perform(make(), PlanStage(planner), check=False)
    return Played(
        label, perform(make(), PlanStage(planner), progress=lambda what, share: say(f"{label}: {what}", share))
    )


def delivered_row(played: Played, published: Mapping[str, Claim] | None = None, *, note: str = "") -> Row:
    """Return a scene's row, with claims by column."""
    beside = published or {}
    values = played.values()
    return row(played.label, [values[name] for name in COLUMNS], [beside.get(name) for name in COLUMNS], note=note)


def delivered_table(rows: tuple[Row, ...], *, note: str = "") -> Table:
    """Return the table of what was delivered."""
    return Table(DELIVERED, COLUMNS, rows, " ".join(part for part in (note, WALL) if part))


def check_sentence(played: Played) -> str:
    """Return what the independent full-rate check found, as a sentence."""
    values = played.values()
    return (
        f"{played.label}: {values[ARRIVE]} of {values[CHARACTERS]} arrive; in {values[FRAMES]:,} delivered frames the "
        f"independent check finds {values[COLLISIONS]} collisions, {values[TOUCHES]} touches and {values[ILLEGAL]} "
        "illegal transitions."
    )
