"""KP00 section 5: many more grasp points than are needed, and what steps become of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_carriage import Carriage
from evidence.reproductions.climb_density import denser
from evidence.reproductions.climb_runs import PAPER, STANCES, median, warm_up
from evidence.reproductions.drawing import INK, PALE
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, row
from gambol.climb import ClimbPath, ClimbProblem, Core, Mode, PaperCore, StancesCore
from gambol.climb.stances.machine import STRIDE_M
from gambol.pictures import Page
from gambol.search import Outcome

NAME = "kp00-grasp-points"
TITLE = "KP00 section 5: an abundance of grasp points"
ABUNDANCE = "times the grasp points"
POINTS, FOUND, SECONDS, TRIES, STRIDE, SPAN = (
    "grasp points", "found", "seconds, median", "changes of hold tried, median", "stride, m", "hand span, m",
)  # fmt: skip


@dataclass(frozen=True)
class Size:
    scenes: tuple[str, ...]
    times: tuple[int, ...]
    seeds: int
    paper_steps: int


FULL = Size(("climb-flat", "climb-bars", "climb-wall"), (1, 2, 5, 10), 3, 600)
QUICK = Size(("climb-flat", "climb-bars"), (1, 5), 1, 300)
PAPER_SCENES = ("climb-flat", "climb-bars")  # which the paper's core solves
TIME_LIMIT_S = 20.0
NOT_MINCING = 0.75  # times the stride with the fewest points


@dataclass(frozen=True, eq=False)
class Searched:
    seconds: float
    tries: int
    path: ClimbPath | None
    carriage: Carriage | None


def run(quick: bool, say: Say) -> Result:
    """Search scenes with more and more grasp points."""
    size = QUICK if quick else FULL
    warm_up()
    done: dict[tuple[str, int, str], list[Searched]] = {}
    for scene in size.scenes:
        for times in size.times:
            say(f"{scene} with {times} times the grasp points", size.scenes.index(scene) / len(size.scenes))
            done[scene, times, STANCES] = [_searched(StancesCore(), scene, times, seed) for seed in range(size.seeds)]
            if scene in PAPER_SCENES:
                core = PaperCore(max_steps=size.paper_steps)
                done[scene, times, PAPER] = [_searched(core, scene, times, seed) for seed in range(size.seeds)]
    pictures: dict[str, Picture] = {f"{NAME}.png": _picture(size, done)}
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"The shipped scenes {', '.join(size.scenes)} with the spacing of all rows of grasp points divided by "
            f"{', '.join(map(str, size.times))}; adult figure, seeds 0 to {size.seeds - 1}, searches alone, at most "
            f"{TIME_LIMIT_S:g} s each; the paper's core with {size.paper_steps} pieces of way at most.",
        ),
        tables=(_table(done),),
        differences=_differences(size, done),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _searched(core: Core, scene: str, times: int, seed: int) -> Searched:
    problem = replace(denser(scene, times), seed=seed, time_limit_s=TIME_LIMIT_S)
    begun = time.process_time()
    found = core.search(problem)
    seconds = time.process_time() - begun
    tries = int(found.statistics.get("tries", found.statistics.get("steps", 0)))
    path = found.path if found.outcome == Outcome.FOUND else None
    return Searched(seconds, tries, path, None if path is None else Carriage(problem, path))


def _mean(lengths: Sequence[np.ndarray]) -> float | None:
    every = np.concatenate(lengths) if lengths else np.empty(0)
    return float(every.mean()) if len(every) else None


def _stride(done: Sequence[Searched]) -> float | None:
    return _mean([one.carriage.strides for one in done if one.carriage is not None])


def _table(done: dict[tuple[str, int, str], list[Searched]]) -> Table:
    last = max(times for _, times, core in done if core == STANCES)
    rows = []
    for (scene, times, core), several in done.items():
        found = [one for one in several if one.path is not None]
        spans = [one.carriage.apart(Mode.SWING, 0) for one in found if one.carriage is not None]
        ours = [
            len(denser(scene, times).environment.grasp_points), f"{len(found)} of {len(several)}",
            median([one.seconds for one in found]), median([float(one.tries) for one in found]), _stride(several),
            _mean(spans),
        ]  # fmt: skip
        is_most = core == STANCES and times == last and scene == "climb-flat"
        beside = [None, claim("kp00.s5.abundance"), None, None, claim("kp00.s5.mincing"), None] if is_most else None
        rows.append(row(f"{scene}, {times} times, {core}", ours, beside))
    note = (
        f"Stances prefer strides of {STRIDE_M} m, the paper's core nearest to 0.6 m first; times and tries are of "
        "what was found."
    )
    return Table(ABUNDANCE, (POINTS, FOUND, SECONDS, TRIES, STRIDE, SPAN), tuple(rows), note)


def _differences(size: Size, done: dict[tuple[str, int, str], list[Searched]]) -> tuple[str, ...]:
    first, last = size.times[0], size.times[-1]
    said = []
    for core in (STANCES, PAPER):
        few, many = (_stride(done["climb-flat", times, core]) for times in (first, last))
        if few is not None and many is not None:
            spacing = _spacing(denser("climb-flat", last))
            said.append(
                f"On flat ground the {core} core strides {few:.2f} m on average and {many:.2f} m with {last} times the "
                f"points, over {many / spacing:.0f} of them at once"
                + (": no mincing steps." if many > NOT_MINCING * few else ": shorter steps, unlike in the paper.")
            )
    worse = []
    for scene in size.scenes:
        before, after = (sum(one.path is not None for one in done[scene, times, STANCES]) for times in (first, last))
        slower = median([one.seconds for one in done[scene, last, STANCES]]) / max(
            median([one.seconds for one in done[scene, first, STANCES]]), 1e-3
        )
        worse.append(f"{scene} {before} and {after} ({slower:.1f} times the time)")
    said.append(
        f"Found of {size.seeds} with {first} and {last} times the points, by stances: {', '.join(worse)}. The paper "
        "says that an abundance does no harm, without numbers; where ours finds less or takes longer it does."
    )
    return tuple(said)


def _picture(size: Size, done: dict[tuple[str, int, str], list[Searched]]) -> Picture:
    """Draw the mean stride over how many grasp points there are."""
    page = Page(840, 400)
    axes = page.axes(80, 20, 740, 310)
    styles = {STANCES: ("o-", INK), PAPER: ("s--", PALE)}
    for core, (style, color) in styles.items():
        strides = [_stride(done["climb-flat", times, core]) for times in size.times]
        axes.plot(size.times, [np.nan if one is None else one for one in strides], style, color=color, label=core)
    spacing = [_spacing(denser("climb-flat", times)) for times in size.times]
    axes.plot(size.times, spacing, ":", color="crimson", label="from point to point")
    axes.set_xscale("log")
    axes.set_xticks(size.times, [str(times) for times in size.times])
    axes.minorticks_off()
    axes.set_ylim(0.0, None)
    axes.set_xlabel("times the grasp points of climb-flat")
    axes.set_ylabel("stride, m")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    return page.pixels()


def _spacing(problem: ClimbProblem) -> float:
    """Return how far neighbouring grasp points are apart along x, in the middle."""
    return float(np.median(np.diff(sorted(point.x for point in problem.environment.grasp_points))))


ITEM = Item(NAME, "many times the grasp points: whether ways are found, how soon, and with which strides", run)
