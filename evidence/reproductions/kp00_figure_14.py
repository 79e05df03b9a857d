"""KP00 figure 14 and section 5: where the paper's planner gets stuck, and whether another search does."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import PAPER, STANCES, median, problem_in, seeded, warm_up
from evidence.reproductions.climb_switches import switched_off
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, row
from gambol.climb import ClimbPath, ClimbProblem, Core, FoundPath, PaperCore, Potential, StancesCore
from gambol.pictures import PALE_INK, Page, Track, climb_page, draw_course, extent_of, legend_for
from gambol.search import Outcome

NAME = "kp00-figure-14"
TITLE = "KP00 figure 14 and section 5: where a planner gets stuck"
WITH, WITHOUT, FORK = "climb-overhang", "climb-no-overhang", "climb-fork"
SCENES = (WITH, WITHOUT, FORK)
LIMBS_ONLY = "stances, limbs reach alone"
CASES, SHORTEST = "who finds a way", "the fork"
FOUND, LEFT, HOLDS, SECONDS = "found", "way left, m, median", "changes of hold, median", "seconds, median"
ROOM_PX = (560, 330)


@dataclass(frozen=True)
class Size:
    seeds: int
    paper_seeds: int
    paper_steps: int
    limbs_stances: int  # changes of hold tried where limbs reach alone


FULL, QUICK = Size(5, 5, 1500, 1000), Size(1, 1, 120, 150)


@dataclass(frozen=True, eq=False)
class Tried:
    """One search: what it found, and how far its end is from the goal."""

    problem: ClimbProblem
    found: FoundPath
    seconds: float

    @property
    def is_found(self) -> bool:
        return self.found.outcome == Outcome.FOUND

    @property
    def path(self) -> ClimbPath:
        assert self.found.path is not None, "both cores hand back as much of a way as they have"
        return self.found.path

    @property
    def track(self) -> Track:
        return Track.of(self.problem, self.path)

    @property
    def left_m(self) -> float:
        return _potential(self.problem, *self.track.centres[-1])


def run(quick: bool, say: Say) -> Result:
    """Search all three scenes with both cores, and with limbs that reach by themselves."""
    size = QUICK if quick else FULL
    warm_up()
    tried: dict[tuple[str, str], list[Tried]] = {}
    for number, scene in enumerate(SCENES):
        say(f"searching {scene}", number / len(SCENES))
        tried[scene, STANCES] = [_tried(StancesCore(), seeded(scene, seed)) for seed in range(size.seeds)]
        paper = PaperCore(max_steps=size.paper_steps)
        tried[scene, PAPER] = [_tried(paper, seeded(scene, seed)) for seed in range(size.paper_seeds)]
    for scene in (WITH, WITHOUT):
        say(f"searching {scene}, limbs alone", 0.9)
        with switched_off("whole-body fit") as usage:
            core = StancesCore(usage=usage)
            few = [replace(seeded(scene, seed), max_stances=size.limbs_stances) for seed in range(size.seeds)]
            tried[scene, LIMBS_ONLY] = [_tried(core, problem) for problem in few]
    pictures: dict[str, Picture] = {f"{NAME}.png": _picture(tried)}
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"The shipped scenes `{WITH}` and `{WITHOUT}`, our own after figure 14, which differ in the overhang "
            f"alone, and `{FORK}`, whose shorter way cannot be passed; adult figure; searches alone, seeds 0 to "
            f"{size.seeds - 1}; the paper's core makes {size.paper_steps:,} pieces of way at most, the search over "
            f"stances without a whole-body fit tries {size.limbs_stances:,} changes of hold.",
        ),
        tables=(_table(tried), _fork_table(tried)),
        differences=_differences(tried),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _tried(core: Core, problem: ClimbProblem) -> Tried:
    begun = time.process_time()
    found = core.search(problem)
    return Tried(problem, found, time.process_time() - begun)


def _potential(problem: ClimbProblem, x: float, z: float) -> float:
    return Potential.of(problem.environment, problem.goal.x, problem.goal.z).at(x, z)


def _count(done: Sequence[Tried]) -> int:
    return sum(one.is_found for one in done)


def _table(tried: dict[tuple[str, str], list[Tried]]) -> Table:
    rows = []
    for (scene, core), done in tried.items():
        beside = [None] * 4
        if core == PAPER and scene in (WITHOUT, FORK):
            beside = [claim("kp00.fig14.stuck" if scene == WITHOUT else "kp00.s5.unworkable"), None, None, None]
        holds = [float(len(one.path.grasp_changes)) for one in done]
        ours = [
            f"{_count(done)} of {len(done)}", median([one.left_m for one in done]), median(holds),
            median([one.seconds for one in done]),
        ]  # fmt: skip
        rows.append(row(f"{scene}, {core}", ours, beside))
    note = (
        "Way left is that of the centre of mass through free space from the end of the way that was handed back. With "
        "the overhang the paper's own planner passes, as figure 14 lets one understand; our version of its core, with "
        "conditions of edges of our own, does not."
    )
    return Table(CASES, (FOUND, LEFT, HOLDS, SECONDS), tuple(rows), note)


def _fork_table(tried: dict[tuple[str, str], list[Tried]]) -> Table:
    start = problem_in(FORK)
    first = tried[FORK, STANCES][0].track.centres[0]
    gone = [float(one.track.gone_m[-1]) for one in tried[FORK, STANCES] if one.is_found]
    rows = (
        row("shortest way through free space, m", [_potential(start, *first)]),
        row("way of the centre of mass, found by stances, m", [median(gone)]),
        row("links of a limb's inverse kinematics", [2], [claim("kp00.s5.ik_links")],
            note="Stances fit pelvis and lean too, so that all twelve coordinates give."),
    )  # fmt: skip
    return Table(SHORTEST, ("ours",), rows, "Manhattan distance through the occupancy map, and metres gone.")


def _differences(tried: dict[tuple[str, str], list[Tried]]) -> tuple[str, ...]:
    def words(scene: str, core: str) -> str:
        done = tried[scene, core]
        return f"{_count(done)} of {len(done)}"

    def holds(scene: str) -> float:
        return median([float(len(one.path.grasp_changes)) for one in tried[scene, PAPER]])

    fewer = holds(WITHOUT) < holds(WITH)
    return (
        f"Without the overhang the paper's core finds {words(WITHOUT, PAPER)} ways, with it {words(WITH, PAPER)}; it "
        f"comes to {holds(WITHOUT):.0f} changes of hold without and {holds(WITH):.0f} with it in the median"
        + (": it is pulled away from its holds, as the paper says." if fewer else ": the pull away does not show.")
        + (" That it fails with the overhang too is worse than the paper's own."
           if _count(tried[WITH, PAPER]) == 0 else ""),
        f"The search over stances finds {words(WITHOUT, STANCES)} without and {words(WITH, STANCES)} with the "
        f"overhang; with limbs that reach from where the body is, {words(WITHOUT, LIMBS_ONLY)} and "
        f"{words(WITH, LIMBS_ONLY)}. The paper expects that inverse kinematics of the whole body would help.",
        f"At the fork, whose shorter way is closed, the paper's core finds {words(FORK, PAPER)}, as the paper says of "
        f"itself, and the search over stances {words(FORK, STANCES)}.",
    )  # fmt: skip


def _picture(tried: dict[tuple[str, str], list[Tried]]) -> Picture:
    """Draw both scenes side by side, above as stances solve them, below as far as the paper's core comes."""
    extents = [extent_of(problem_in(scene).environment) for scene in (WITH, WITHOUT)]
    scale = min(climb_page.scale_for(extent, ROOM_PX) for extent in extents)
    width, height = (
        max(sizes) for sizes in zip(*(climb_page.size_px(extent, scale) for extent in extents), strict=True)
    )
    left, below, right, above = climb_page.EDGES_PX
    cell = (left + width + right, above + height + below)
    page = Page(2 * cell[0], climb_page.TITLE_PX + 2 * cell[1] + climb_page.LEGEND_PX)
    page.write(left, climb_page.TITLE_Y, "With and without the overhang", level=0)
    for column, scene in enumerate((WITH, WITHOUT)):
        for line, core in enumerate((STANCES, PAPER)):
            one = tried[scene, core][0]
            x, y = column * cell[0] + left, climb_page.TITLE_PX + line * cell[1]
            said = "found" if one.is_found else f"stuck, {one.left_m:.1f} m left"
            page.write(x, y + 0.45 * above, f"{scene}, {core} core")
            page.write(x + width, y + 0.45 * above, said, level=2, color=PALE_INK, align="right")
            draw_course(page.axes(x, y + above, width, height), one.track)
    legend_for(page, tried[WITH, STANCES][0].track, left)
    return page.pixels()


ITEM = Item(NAME, "the missing overhang and the closed fork: who gets stuck, and why", run)
