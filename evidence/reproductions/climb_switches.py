"""Parts of the search over stances, switched off for a while: what each is for shows when it is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from gambol.climb import HEURISTICS, USAGE, ClimbProblem, Mode, Potential, StanceSetting
from gambol.climb.stances import connect, machine, postures, proposals, search
from gambol.climb.stances.setting import NO_WAY_M

FloatArray = NDArray[np.float64]
Switch = Callable[[], AbstractContextManager[object]]


def usage_without(*names: str) -> FloatArray:
    """Return how much each heuristic counts, with some left out."""
    usage = np.array(USAGE)
    usage[[HEURISTICS.index(name) for name in names]] = 0.0
    return usage


@contextmanager
def no_preferred_length(*modes: Mode) -> Iterator[None]:
    """In these modes, each change of hold within the mode costs the same, however long it is."""
    usual = proposals._Around._best

    def best(self: Any, mode: Mode, limb: int, fine: Any, cost: FloatArray) -> Any:
        if mode in modes and self.stance.mode == mode:
            cost = np.full_like(cost, machine.COSTS[mode, mode])
        return usual(self, mode, limb, fine, cost)

    with patch.object(proposals._Around, "_best", best):
        yield


@contextmanager
def free_space_left() -> Iterator[None]:
    """The way left is that of the centre of mass through free space [KP00 3.2], not from grasp point to grasp point."""
    usual = StanceSetting.of.__func__  # type: ignore[attr-defined]

    def of(cls: type[StanceSetting], problem: ClimbProblem, usage: FloatArray | None = None) -> StanceSetting:
        setting = usual(cls, problem, usage)
        potential = Potential.of(problem.environment, problem.goal.x, problem.goal.z)
        left = [min(float(potential.at(x, z)), NO_WAY_M) for x, z in setting.graph.bodies]
        return replace(setting, left=left)

    with patch.object(StanceSetting, "of", classmethod(of)):
        yield


@contextmanager
def no_whole_body_fit() -> Iterator[None]:
    """Limbs reach from where the body is; only the first posture of a search is fitted."""
    usual = postures.Poser.fit

    def fit(self: postures.Poser, *arguments: Any, **options: Any) -> postures.Posture | None:
        if self.fits == 0:
            return usual(self, *arguments, **options)
        with patch.object(postures, "STEPS", 0), patch.object(postures, "TRIES", 1):
            return usual(self, *arguments, **options)

    with patch.object(postures.Poser, "fit", fit):
        yield


@contextmanager
def _nothing_learnt() -> Iterator[None]:
    with patch.object(search, "TRY_COSTS", dict.fromkeys(search.TRY_COSTS, 0.0)):
        yield


@contextmanager
def _equal_edges() -> Iterator[None]:
    mean = float(np.mean(list(machine.COSTS.values())))
    with patch.object(machine, "COSTS", dict.fromkeys(machine.COSTS, mean)):
        yield


@contextmanager
def _no_trees() -> Iterator[None]:
    with patch.object(connect, "tree_way", lambda *_: -1):
        yield


@contextmanager
def _no_arcs() -> Iterator[None]:
    with patch.object(connect, "arc_way", lambda *_: -1):
        yield


#: What is switched off, by name; heuristics of comfort besides.
SWITCHES: dict[str, Switch] = {
    "preferred stride": partial(no_preferred_length, Mode.WALK),
    "preferred lengths": partial(no_preferred_length, *Mode),
    "crawling dear in the open": lambda: patch.multiple(machine, CRAWL_ON_IN_THE_OPEN=0.0, DOWN_IN_THE_OPEN_M=0.0),
    "room to walk": lambda: patch.multiple(machine, WALKING_ROOM_M=0.0),
    "facing where one goes": lambda: patch.multiple(machine, FACING_AWAY_M=0.0, BACKWARD=1.0),
    "limbs take turns": lambda: patch.multiple(machine, TIRED_COST=0.0),
    "costs of edges": _equal_edges,
    "learning from dead ends": _nothing_learnt,
    "way over grasp points": free_space_left,
    "whole-body fit": no_whole_body_fit,
    "arcs": _no_arcs,
    "trees": _no_trees,
}
HEURISTIC_CASES = {name: (name,) for name in HEURISTICS} | {"all heuristics": HEURISTICS}
CASES = ("nothing", *HEURISTIC_CASES, *SWITCHES)


@contextmanager
def switched_off(case: str) -> Iterator[FloatArray | None]:
    """Switch a case off; the value is the usage that the core is to be made with."""
    with ExitStack() as stack:
        stack.enter_context(SWITCHES.get(case, nullcontext)())
        yield usage_without(*HEURISTIC_CASES[case]) if case in HEURISTIC_CASES else None
