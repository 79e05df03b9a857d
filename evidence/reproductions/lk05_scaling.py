"""LK05 section 4: one clip put into a state 100,000 times, and what that does to the search."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.data_sizes import clips_of, data_frames
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.played import OTHER_MACHINE
from evidence.reproductions.report import Report, Table, row
from gambol.characters import Character, load_character
from gambol.scenes import load_scene
from gambol.search import AStar, Plan
from gambol.search.search import set_up

NAME = "lk05-scaling"
SCENE, WHO = "preferences", "careful"
BEHAVIOR = "jog"
SCALING = "search with a large database"
TIMES = "searched, s"
PLANNER = AStar(around=False)  # LK05's: the straight line bounds what is left


@dataclass(frozen=True)
class Size:
    copies: tuple[int, ...]  # of one clip
    runs: int


FULL = Size((1, 1_000, 10_000, 100_000), 7)
QUICK = Size((1, 1_000), 2)


@dataclass(frozen=True, eq=False)
class Measured:
    character: Character
    plan: Plan
    seconds: float  # of searching
    compiling_s: float


def run(quick: bool, say: Say) -> Result:
    """Search the same environment with larger and larger databases."""
    size = QUICK if quick else FULL
    lone = load_character("human").subset("lk05")
    measured: list[Measured] = []
    for number, copies in enumerate(size.copies):
        say(f"{copies:,} clips in a state", number / len(size.copies))
        measured.append(_measure(with_copies(lone, copies), size.runs))
    first, last = measured[0], measured[-1]
    frames = [data_frames(one.character).proper for one in measured]
    ratio = last.seconds / first.seconds
    rows = [
        row(
            f"{len(clips_of(one.character)):,} clips",
            [frames[number], 1e3 * one.seconds, one.seconds / first.seconds, one.plan.statistics.expansions,
             one.plan.cost, 1e3 * one.compiling_s],
        )
        for number, one in enumerate(measured)
    ]  # fmt: skip
    columns = ("frames", "search, ms", "times as long", "expansions", "cost", "compiling, ms")
    beside = Table(
        "beside the paper", ("ours",),
        (
            row("clips in one state", [size.copies[-1]], [claim("lk05.s4.scaling.clips")]),
            row("growth of the database, times", [frames[-1] / frames[0]], [claim("lk05.s4.scaling.growth")],
                note="The same clip 100,000 times: of 22 frames here, 20 by the paper's numbers."),
            row("frames before", [frames[0]], [claim("lk05.s4.scaling.frames.before")]),
            row("frames after", [frames[-1]], [claim("lk05.s4.scaling.frames.after")]),
            row("search time before, s", [first.seconds], [claim("lk05.s4.scaling.time.before")], note=OTHER_MACHINE),
            row("search time after, s", [last.seconds], [claim("lk05.s4.scaling.time.after")], note=OTHER_MACHINE),
            row("growth of the search time, times", [ratio], [claim("lk05.s4.scaling.ratio")],
                note="Which of a state's clips is played is a hash of the state, so its clips are never gone through; "
                "and equal clips share their samples."),
        ),
    )  # fmt: skip
    same = len({(one.plan.cost, one.plan.behaviors) for one in measured}) == 1
    return Result(
        Report(
            item=NAME,
            title="LK05 section 4: 100,000 clips in one state",
            quick=quick,
            setting=(
                f"The shipped scene `{SCENE}`, who is `{WHO}`, alone; the human with LK05's 25 states, one clip each, "
                f"and `{BEHAVIOR}` with its clip up to {size.copies[-1]:,} times (seed 0 chooses among them). A* of "
                f"weight 1 with the straight line as bound. Median of {size.runs} searches; compiling is done once for "
                "a character and is not part of them.",
            ),
            tables=(Table(SCALING, columns, tuple(rows)), beside),
            differences=(
                f"With {size.copies[-1]:,} copies the database is {frames[-1] / frames[0]:,.0f} times as large and the "
                f"search takes {ratio:.2f} times as long (paper: 1,000 times and twice).",
                "The plan is the same at every size, as in the paper."
                if same
                else "The plan differs from size to size, where the paper's does not.",
                f"Compiling the largest takes {last.compiling_s:.2f} s, once.",
            ),
        )
    )


def with_copies(character: Character, copies: int) -> Character:
    """Return a character with one clip a state, but one of them holds its clip so many times."""
    behaviors = tuple(
        replace(one, clips=one.clips[:1] * (copies if one.name == BEHAVIOR else 1)) for one in character.behaviors
    )
    return replace(character, behaviors=behaviors)


def _measure(character: Character, runs: int) -> Measured:
    scene = load_scene(SCENE)
    actor = scene.actor(WHO)
    problem = scene.problem(replace(actor, character=character.with_weights({"jump": 20.0})))
    begun = time.perf_counter()
    set_up(problem, around=False)
    compiling = time.perf_counter() - begun
    PLANNER.solve(problem)
    plans = [PLANNER.solve(problem) for _ in range(runs)]
    return Measured(character, plans[0], float(np.median([plan.statistics.time_s for plan in plans])), compiling)


ITEM = Item(NAME, "one clip 100,000 times in a state: what the search takes longer", run)
