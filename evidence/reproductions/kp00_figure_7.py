"""KP00 figure 7: the walking cycle, from descent to the next grasp point and on with the other leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import seeded
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, Value, row
from gambol.climb import FREE, LIMBS, ClimbPath, ClimbProblem, Mode, PaperCore, Source
from gambol.climb.paper.tables import Tables
from gambol.pictures import PALE_INK, Page, Track, climb_page, draw_environment, draw_shapes, posed
from gambol.search import Outcome

NAME = "kp00-figure-7"
TITLE = "KP00 figure 7: the walking cycle"
SCENE, PAPER_STEPS = "climb-flat", 400
FULL_SEEDS, QUICK_SEEDS = 20, 2
POSTURES = {
    "a": "at the start of a step", "b": "after descent", "c": "the next point is taken",
    "d": "the other foot has let go, descent again",
}  # fmt: skip
DRAWN, ALL = "the step that is drawn", "all steps"
FEET, HANDS, LEFT_M, SOURCE, SHIFT = (
    "feet that hold", "hands that hold", "way left, m", "made by", "farthest that a held foot has moved, mm",
)  # fmt: skip
GAP_PX, PANEL_PX = 10, (340, 420)
AROUND_M = 0.24


@dataclass(frozen=True)
class Cycle:
    """Rows of a path at the four postures of a step, and which foot takes the next point."""

    rows: tuple[int, int, int, int]
    foot: int


def run(quick: bool, say: Say) -> Result:
    """Walk on flat ground by the paper's core, and look at each of its steps."""
    seeds = range(QUICK_SEEDS if quick else FULL_SEEDS)
    walks: list[tuple[ClimbProblem, ClimbPath]] = []
    for seed in seeds:
        say("walking", seed / len(seeds))
        problem = seeded(SCENE, seed)
        found = PaperCore(max_steps=PAPER_STEPS).search(problem)
        if found.outcome == Outcome.FOUND and found.path is not None:
            walks.append((problem, found.path))
    cycles = [(problem, path, cycle) for problem, path in walks for cycle in cycles_of(path)]
    problem, path, cycle = cycles[min(1, len(cycles) - 1)]
    pictures: dict[str, Picture] = {f"{NAME}.png": cycle_page(Track.of(problem, path), cycle)}
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"The shipped scene `{SCENE}`, the paper's core, {PAPER_STEPS} pieces of way at most, adult figure, seeds "
            f"0 to {len(seeds) - 1}; ways as planned, before any filter. A step is from where one foot holds alone to "
            "where the other one does.",
        ),
        tables=(_drawn_table(problem, path, cycle), _all_table(cycles, len(walks), len(seeds))),
        differences=_differences(cycles, len(walks), len(seeds)),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def cycles_of(path: ClimbPath) -> list[Cycle]:
    """Return the steps of a walk: one foot alone, descent, the other foot takes a point, the first lets go."""
    feet = path.grasps[:, 2:] != FREE
    alone = feet.sum(axis=1) == 1
    cycles = []
    for c in np.flatnonzero(~alone[1:] & alone[:-1]) + 1:  # both hold: a point was taken
        foot = int(np.argmin(feet[c - 1]))
        before = np.flatnonzero(~alone[:c])
        a = int(before[-1]) + 1 if len(before) else 0
        lets_go = np.flatnonzero(alone[c:])
        descents = np.flatnonzero(path.sources[a:c] == Source.DESCENT)
        if len(lets_go) == 0 or len(descents) == 0 or feet[c + lets_go[0], foot] == 0:
            continue
        d = int(c + lets_go[0])
        b = a + int(descents[-1])
        later = np.flatnonzero(alone[d:] & (path.sources[d:] == Source.DESCENT))
        # A while into the next descent, so that one sees that the body goes on.
        ends = np.flatnonzero(path.sources[d + later[0] :] != Source.DESCENT) if len(later) else []
        if len(later):
            d += int(later[0]) + (int(ends[0]) // 2 if len(ends) else 0)
        cycles.append(Cycle((a, b, int(c), d), foot))
    return cycles


def _numbers(problem: ClimbProblem, path: ClimbPath, at: int, held_since: int) -> list[Value]:
    """Return what is held in a row, how far it still is, what made it, and how far held feet have slipped since."""
    tables = Tables.of(problem)
    held = path.grasps[at] != FREE
    source = Source(int(path.sources[at])).name.lower().replace("_", " ")
    slip = 0.0
    for limb in (2, 3):
        grasp = path.grasps[at, limb]
        if grasp != FREE and path.grasps[held_since, limb] == grasp:
            ends = [tables.points(path.configurations[row])[9 + 2 * (limb - 2)] for row in (held_since, at)]
            slip = max(slip, float(np.linalg.norm(ends[1] - ends[0])))
    return [
        int(held[2:].sum()), int(held[:2].sum()), tables.potential_of(path.configurations[at]), source, 1000.0 * slip,
    ]  # fmt: skip


def _drawn_table(problem: ClimbProblem, path: ClimbPath, cycle: Cycle) -> Table:
    rows = []
    for number, (letter, words) in enumerate(POSTURES.items()):
        at = cycle.rows[number]
        rows.append(row(f"{letter}: {words}", _numbers(problem, path, at, cycle.rows[max(0, number - 1)])))
    note = f"Seed {problem.seed}; the {LIMBS[2 + cycle.foot].replace('_', ' ')} takes the point."
    return Table(DRAWN, (FEET, HANDS, LEFT_M, SOURCE, SHIFT), tuple(rows), note)


def _follows(path: ClimbPath, cycle: Cycle) -> bool:
    """Tell whether feet hold as in figure 7: one, the same one, both, the other one."""
    held = [tuple((path.grasps[at, 2:] != FREE).tolist()) for at in cycle.rows]
    one, both = tuple(foot != cycle.foot for foot in range(2)), (True, True)
    return held == [one, one, both, tuple(not foot for foot in one)]


def _all_table(cycles: Sequence[tuple[ClimbProblem, ClimbPath, Cycle]], walks: int, seeds: int) -> Table:
    follow = sum(_follows(path, cycle) for _, path, cycle in cycles)
    nearer = [_gain(problem, path, cycle) for problem, path, cycle in cycles]
    rows = (
        row("postures of a step", [len(POSTURES)], [claim("kp00.fig7.postures")]),
        row("ways found, of seeds", [f"{walks} of {seeds}"]),
        row("steps", [len(cycles)]),
        row("of these hold one foot, that one, both, the other", [follow]),
        row("descent steps before a point is taken, mean",
            [float(np.mean([np.sum(path.sources[cycle.rows[0] : cycle.rows[1] + 1] == Source.DESCENT)
                            for _, path, cycle in cycles]))], [claim("kp00.fig7.descent")]),
        row("nearer to the goal by descent, m, mean", [float(np.mean(nearer))]),
        row("hands that hold in any of the four", [int(max(
            np.sum(path.grasps[list(cycle.rows), :2] != FREE) for _, path, cycle in cycles))]),
    )  # fmt: skip
    return Table(ALL, ("ours",), rows, "Descent steps are configurations, some centimetres apart.")


def _gain(problem: ClimbProblem, path: ClimbPath, cycle: Cycle) -> float:
    tables = Tables.of(problem)
    start, descended = (tables.potential_of(path.configurations[at]) for at in cycle.rows[:2])
    return start - descended


def _differences(cycles: Sequence[tuple[ClimbProblem, ClimbPath, Cycle]], walks: int, seeds: int) -> tuple[str, ...]:
    follow = sum(_follows(path, cycle) for _, path, cycle in cycles)
    modes = {Mode(int(path.modes[at])).label for _, path, cycle in cycles for at in cycle.rows}
    return (
        f"{walks} of {seeds} walks are found; {follow} of their {len(cycles)} steps go as figure 7 has it: on one "
        "foot, nearer to the goal by descent, the free foot to the next point by inverse kinematics, and the other "
        f"lets go. Modes in them: {', '.join(sorted(modes))}.",
        "Between c and d our core corrects the posture by its discomfort, which the paper does at changes of grasp "
        "too but does not draw.",
    )


def cycle_page(track: Track, cycle: Cycle) -> Picture:
    """Draw the four postures side by side, all of one part of the ground."""
    frames = list(cycle.rows)
    points = track.points[frames].reshape(-1, 2)
    (low_x, low_z), (high_x, high_z) = points.min(axis=0) - AROUND_M, points.max(axis=0) + AROUND_M
    extent = (float(low_x), float(low_z), float(high_x), float(high_z))
    left, _, right, above = climb_page.EDGES_PX
    width, height = climb_page.size_px(extent, climb_page.scale_for(extent, PANEL_PX, 240.0))
    page = Page(
        left + right + 4 * (width + GAP_PX) - GAP_PX, climb_page.TITLE_PX + above + height + climb_page.LEGEND_PX + 6
    )
    page.write(left, climb_page.TITLE_Y, "a step of the paper's core", level=0)
    for number, (letter, words) in enumerate(POSTURES.items()):
        frame = frames[number]
        x = left + number * (width + GAP_PX)
        axes = page.axes(x, climb_page.TITLE_PX + above, width, height)
        held = [int(hold) for hold in track.path.grasps[frame] if hold != FREE]
        draw_environment(axes, track.problem.environment, extent=extent, held=held, ticks=False)
        draw_shapes(axes, posed(track, frame), line=0.8)
        wide = page.write(x, climb_page.TITLE_PX + 0.5 * above, f"{letter}) ")
        page.write(x + wide, climb_page.TITLE_PX + 0.5 * above, words, level=2, color=PALE_INK)
    middle_y = page.height - 0.5 * climb_page.LEGEND_PX
    climb_page.draw_legend(page, left, middle_y, [Mode.WALK], track.problem.environment, ends=False, held=True)
    return page.pixels()


ITEM = Item(NAME, "a step of the paper's core: start, descent, reaching the next point, switching feet", run)
