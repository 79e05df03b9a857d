"""KP00 section 3.4 and table 1: what heuristics and preferences are for, by switching them off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_carriage import Carriage
from evidence.reproductions.climb_runs import median, seeded, warm_up
from evidence.reproductions.climb_switches import CASES, HEURISTIC_CASES, switched_off
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, Value, row
from gambol.climb import HEURISTICS, USAGE, ClimbPath, ClimbProblem, Mode, PaperCore, StancesCore, smooth_and_time
from gambol.judges import judge_climb
from gambol.pictures import Page, Track, climb_page, draw_course, extent_of, legend_for
from gambol.search import Outcome

NAME = "kp00-ablation"
TITLE = "KP00 section 3.4 and table 1: heuristics and preferences switched off"
FLAT, PAPER_STEPS = "climb-flat", 400
NOTHING, ALL = "nothing", "all heuristics"
OURS_ALONE = ("legs_hang", "keeps_bend")  # heuristics that the paper does not have
SWITCHED, LEANING, USED = "switched off", "the paper's core on flat ground", "table 1, usage by mode"
FOUND, CLEAN, DISCOMFORT, LEAN, OWN, TRIES = (
    "found", "clean", "discomfort (log)", "lean walking, rad", "its own value (log)", "changes of hold tried",
)  # fmt: skip
WITH_ALL, WITH_NONE = "all heuristics on", "all heuristics off"


@dataclass(frozen=True)
class Size:
    scenes: tuple[str, ...]
    seeds: int
    cases: tuple[str, ...]
    max_stances: int
    walks: int  # of the paper's core


FULL = Size(
    (FLAT, "climb-tunnel", "climb-wall", "climb-bars"), 2,
    tuple(case for case in CASES if case not in ("preferred stride", "room to walk", "limbs take turns", "arcs")),
    1000, 10,
)  # fmt: skip
QUICK = Size((FLAT, "climb-bars"), 1, (NOTHING, "upright_spine", ALL, "whole-body fit"), 100, 2)


@dataclass(frozen=True, eq=False)
class Run:
    """One search with something switched off: how it went, and how the figure carries itself."""

    found: bool
    clean: bool
    tries: int
    carriage: Carriage | None


def run(quick: bool, say: Say) -> Result:
    """Search with each part switched off in turn, and walk by the paper's core with and without heuristics."""
    size = QUICK if quick else FULL
    warm_up()
    runs: dict[str, list[Run]] = {}
    for number, case in enumerate(size.cases):
        say(f"without {case}", number / (len(size.cases) + 1))
        problems = [
            replace(seeded(scene, seed), max_stances=size.max_stances)
            for scene in size.scenes
            for seed in range(size.seeds)
        ]
        with switched_off(case) as usage:
            found = [StancesCore(usage=usage).search(problem) for problem in problems]
        # Filters, judge and measures have everything switched on.
        runs[case] = [
            _run(problem, one.path, int(one.statistics.get("tries", 0)), one.outcome == Outcome.FOUND)
            for problem, one in zip(problems, found, strict=True)
        ]
    say("walking by the paper's core", len(size.cases) / (len(size.cases) + 1))
    walks = {name: _walks(size.walks, on) for name, on in ((WITH_ALL, True), (WITH_NONE, False))}
    pictures: dict[str, Picture] = {f"{NAME}.png": _picture(walks)}
    tables = (_switched_table(size, runs), _leaning_table(size, walks), _used_table(runs))
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"The search over stances in {', '.join(size.scenes)}, adult figure, seeds 0 to {size.seeds - 1}, at most "
            f"{size.max_stances} changes of hold tried, with one part switched off; what is found is smoothed, put in "
            "time and judged with everything on. Discomfort is the mean over key postures, with all heuristics.",
            f"The paper's core on `{FLAT}`, seeds 0 to {size.walks - 1}, {PAPER_STEPS} pieces of way at most, as "
            "planned. docs/climbing.md has the same over six scenes and four seeds, with all switches and strides.",
        ),
        tables=tables,
        differences=_differences(runs, walks),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _run(problem: ClimbProblem, path: ClimbPath | None, tries: int, found: bool) -> Run:
    if not found or path is None:
        return Run(False, False, tries, None)
    _, motion = smooth_and_time(problem, path)
    return Run(True, judge_climb(problem, motion).is_clean, tries, Carriage(problem, path))


def _walks(count: int, on: bool) -> list[Carriage]:
    usage = None if on else np.zeros_like(np.array(USAGE))
    walks = []
    for seed in range(count):
        problem = seeded(FLAT, seed)
        found = PaperCore(max_steps=PAPER_STEPS, usage=usage).search(problem)
        if found.outcome == Outcome.FOUND and found.path is not None:
            walks.append(Carriage(problem, found.path))
    return walks


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _own(case: str, done: Sequence[Run]) -> float | None:
    """Return the mean logarithm of the one heuristic that is switched off."""
    if case not in HEURISTICS:
        return None
    values = [one.carriage.heuristics[case] for one in done if one.carriage is not None]
    return _mean([value for value in values if value is not None])


def _switched_table(size: Size, runs: dict[str, list[Run]]) -> Table:
    rows = []
    for case, done in runs.items():
        carriages = [one.carriage for one in done if one.carriage is not None]
        own = _own(case, done)
        with_it = _own(case, runs[NOTHING])
        words: Value = None if own is None or with_it is None else f"{own:.2f}, on: {with_it:.2f}"
        rows.append(row(case, [
            sum(one.found for one in done), sum(one.clean for one in done),
            _mean([one.discomfort for one in carriages]), _mean([one.lean for one in carriages]),
            words, sum(one.tries for one in done),
        ]))  # fmt: skip
    note = (
        f"Found and clean of {len(size.scenes) * size.seeds}. Where fewer are found, the means are over those alone. "
        "The paper tells what heuristics are for and has no such numbers."
    )
    return Table(SWITCHED, (FOUND, CLEAN, DISCOMFORT, LEAN, OWN, TRIES), tuple(rows), note)


def _leaning_table(size: Size, walks: dict[str, list[Carriage]]) -> Table:
    rows = []
    for name, done in walks.items():
        ours: list[Value] = [
            f"{len(done)} of {size.walks}", _mean([one.lean for one in done]), _mean([one.discomfort for one in done]),
        ]  # fmt: skip
        beside = [None, claim("kp00.s34.lean"), None] if name == WITH_NONE else None
        rows.append(row(name, ours, beside))
    return Table(LEANING, (FOUND, LEAN, DISCOMFORT), tuple(rows), "The paper's machine stays on in both.")


def _used_table(runs: dict[str, list[Run]]) -> Table:
    usage = np.array(USAGE)
    rows = []
    for at, name in enumerate(HEURISTICS):
        ours = ", ".join(f"{mode.label} {usage[at, mode]:g}" for mode in Mode if usage[at, mode] > 0.0)
        beside = None if name in OURS_ALONE else [claim(f"kp00.t1.{name}")]
        rows.append(row(name, [ours], beside))
    own = [name for name in HEURISTICS if name not in OURS_ALONE]
    least = min(
        float(one.carriage.key_discomforts.min()) for one in runs[NOTHING] if one.carriage is not None
    )  # of logarithms
    rows += [
        row("heuristics", [len(own)], [claim("kp00.t1.heuristics")], note=f"Ours are also {' and '.join(OURS_ALONE)}."),
        row("least value of any in key postures", [math.exp(least)], [claim("kp00.s34.best")]),
    ]
    note = (
        "Numbers are powers of a heuristic in the product, where the paper has a dot or nothing; it wishes for such "
        "weights itself (section 6). Ours count in more modes than the paper's."
    )
    return Table(USED, ("ours",), tuple(rows), note)


def _differences(runs: dict[str, list[Run]], walks: dict[str, list[Carriage]]) -> tuple[str, ...]:
    lean = {name: median([one.lean for one in done]) for name, done in walks.items()}
    usual = runs[NOTHING]

    def comfort(case: str) -> float:
        return float(np.mean([one.carriage.discomfort for one in runs[case] if one.carriage is not None] or [np.nan]))

    heuristics = [case for case in runs if case in HEURISTICS]
    worse = [case for case in heuristics if (_own(case, runs[case]) or 0.0) > (_own(case, usual) or 0.0)]
    said = [
        f"Without heuristics the paper's core walks leaning by {lean[WITH_NONE]:.2f} rad, with them by "
        f"{lean[WITH_ALL]:.2f}: "
        + ("the forward lean that the paper ascribes to descent without them."
           if lean[WITH_NONE] > lean[WITH_ALL] else "no more than with them, unlike the paper."),
        f"Of {len(heuristics)} heuristics switched off one by one, {len(worse)} leave their own value worse"
        + (f" ({', '.join(worse)})" if worse else "")
        + f"; without all of them the discomfort (log) is {comfort(ALL):.2f} instead of {comfort(NOTHING):.2f}.",
    ]  # fmt: skip
    lost = {case: sum(one.found for one in done) for case, done in runs.items() if case not in HEURISTIC_CASES}
    fewer = [f"{case} ({count})" for case, count in lost.items() if count < sum(one.found for one in usual)]
    if fewer:
        said.append(f"Of {len(usual)} searches {sum(one.found for one in usual)} are found with everything on; fewer "
                    f"without {', '.join(fewer)}.")  # fmt: skip
    return tuple(said)


def _picture(walks: dict[str, list[Carriage]]) -> Picture:
    """Draw the paper's core on flat ground, with and without heuristics."""
    shown = {name: Track.of(done[0].problem, done[0].path) for name, done in walks.items() if done}
    extent = extent_of(next(iter(shown.values())).problem.environment)
    width, height = climb_page.size_px(extent, climb_page.scale_for(extent, (1000, 380)))
    left, below, right, above = climb_page.EDGES_PX
    page = Page(
        left + width + right, climb_page.TITLE_PX + len(shown) * (above + height + below) + climb_page.LEGEND_PX
    )
    page.write(left, climb_page.TITLE_Y, "the paper's core on flat ground", level=0)
    for number, (name, track) in enumerate(shown.items()):
        top = climb_page.TITLE_PX + number * (above + height + below)
        page.write(left, top + 0.45 * above, name)
        draw_course(page.axes(left, top + above, width, height), track)
    legend_for(page, next(iter(shown.values())), left)
    return page.pixels()


ITEM = Item(NAME, "heuristics of table 1 and parts of the search switched off: what is found, and how comfortable", run)
