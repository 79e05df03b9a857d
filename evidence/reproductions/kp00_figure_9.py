"""KP00 figure 9: the second pass of the filters, which smooths each limb between its own key points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import seeded
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Row, Table, row
from gambol.climb import FREE, LIMB_POINTS, LIMBS, ClimbPath, ClimbProblem, PaperCore
from gambol.climb.filters import PASSES
from gambol.climb.filters.limbs import limb_by_limb
from gambol.climb.filters.resample import held_exactly
from gambol.climb.filters.shortcuts import shortened
from gambol.climb.filters.tables import filter_tables
from gambol.pictures import INK, PALE_INK, Color, Page, Track, climb_page, draw_environment, draw_shapes, posed
from gambol.search import Outcome

NAME = "kp00-figure-9"
TITLE = "KP00 figure 9: smoothing a limb between its key points"
DRAWN, PAPER_STEPS = "climb-tunnel", 400
FULL, QUICK = ("climb-flat", DRAWN, "climb-bars", "climb-ladder", "climb-steps"), ("climb-flat", DRAWN)
FULL_SEEDS, QUICK_SEEDS = 4, 1
LIMBS_TABLE, SETTING = "limbs", "setting"
KEYS, MOVED, OTHERS, BEFORE, AFTER, KEPT = (
    "key points", "most that a joint moves at one, rad", "most that anything but limbs moves", "turned before, rad",
    "turned after, rad", "% kept",
)  # fmt: skip
FIRST_COLOR: Color = (0.84, 0.55, 0.25)
SECOND_COLOR: Color = (0.0, 0.447, 0.698)
SHOWN_ROWS = (25, 90)  # of a limb's way between two key points, that is worth drawing
ROUND_ROWS = 14  # of its neighbours that are drawn with it


@dataclass(frozen=True, eq=False)
class Passed:
    """A path after the first of the paper's passes, and after the second one too."""

    problem: ClimbProblem
    first: ClimbPath
    second: ClimbPath

    def keys(self, limb: int) -> NDArray[np.intp]:
        """Rows at which a limb holds something first or last, and both ends of the way."""
        held = self.first.grasps[:, limb]
        changes = np.flatnonzero(held[1:] != held[:-1]) + 1
        ends = np.concatenate((changes - 1, changes))
        return np.unique(np.concatenate(([0], ends[held[ends] != FREE], [len(held) - 1])))


def run(quick: bool, say: Say) -> Result:
    """Put what the paper's core finds through one turn of both passes, and look at each limb."""
    scenes, seeds = (QUICK, QUICK_SEEDS) if quick else (FULL, FULL_SEEDS)
    done: dict[str, list[Passed]] = {}
    for number, scene in enumerate(scenes):
        say(f"smoothing limbs, {scene}", number / len(scenes))
        done[scene] = [one for seed in range(seeds) if (one := passed(scene, seed)) is not None]
    everyone = [one for several in done.values() for one in several]
    rows = [_row(scene, several, range(4)) for scene, several in done.items() if several]
    rows += [_row(f"all scenes, {LIMBS[limb].replace('_', ' ')}", everyone, [limb]) for limb in range(4)]
    total = _row("all scenes, all limbs", everyone, range(4), with_claim=True)
    pictures: dict[str, Picture] = {f"{NAME}.png": limb_page(done[DRAWN][0])}
    shares = [100.0 * _turned(one.second, range(4)) / _turned(one.first, range(4)) for one in everyone]
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"Ways of the paper's core ({PAPER_STEPS} pieces at most) in {', '.join(scenes)}, adult figure, seeds 0 to "
            f"{seeds - 1}; one turn of both passes; before is after the first pass. Key points are the first "
            "and the last row in which a limb holds a point, and both ends of the way.",
        ),
        tables=(
            Table(LIMBS_TABLE, (KEYS, MOVED, OTHERS, BEFORE, AFTER, KEPT), (*rows, total),
                  "Anything but limbs: pelvis, lean and neck, in metres and radians."),
            _setting_table(),
        ),
        differences=(
            f"The second pass leaves {np.mean(shares):.0f} % of what limbs turn after the first one, on average over "
            f"{len(everyone)} ways. At key points joints move by {_number(total, 1):.2g} rad at most, and what is no "
            f"limb by {_number(total, 2):.2g}. The paper shows a drawing and gives no number.",
            "Ours keeps the arcs of limbs that reach for a next point, and arms that swing along with a walk are "
            "smoothed from footfall to footfall only: the paper's straight lines would drag feet and still arms.",
        ),
        pictures=tuple(pictures),
    )  # fmt: skip
    return Result(report, pictures)


def passed(scene: str, seed: int) -> Passed | None:
    """Return a way of the paper's core after each pass; nothing where it finds none."""
    problem = seeded(scene, seed)
    found = PaperCore(max_steps=PAPER_STEPS).search(problem)
    if found.outcome != Outcome.FOUND or found.path is None:
        return None
    tables = filter_tables(problem)
    first = shortened(tables, held_exactly(tables, found.path), 2 * seed)
    return Passed(problem, first, limb_by_limb(tables, first, 2 * seed + 1))


def _joints(limb: int) -> list[int]:
    return [4 + 2 * limb, 5 + 2 * limb]


def _turned(path: ClimbPath, limbs: Sequence[int]) -> float:
    joints = [at for limb in limbs for at in _joints(limb)]
    return float(np.abs(np.diff(path.configurations[:, joints], axis=0)).sum())


def _row(label: str, done: Sequence[Passed], limbs: Sequence[int], *, with_claim: bool = False) -> Row:
    keys, moved, others, turned = 0, 0.0, 0.0, np.zeros(2)
    for one in done:
        change = np.abs(one.second.configurations - one.first.configurations)
        others = max(others, float(change[:, :4].max()))
        turned += [_turned(path, limbs) for path in (one.first, one.second)]
        for limb in limbs:
            at = one.keys(limb)
            keys += len(at)
            moved = max(moved, float(change[at][:, _joints(limb)].max()))
    ours = [keys, moved, others, float(turned[0]), float(turned[1]), float(100.0 * turned[1] / turned[0])]
    beside = [None, claim("kp00.fig9.kept"), claim("kp00.s35.independent"), None, None, None] if with_claim else None
    return row(label, ours, beside)


def _number(row_: Row, column: int) -> float:
    value = row_.entries[column].ours
    assert isinstance(value, (int, float))
    return float(value)


def _setting_table() -> Table:
    rows = (
        row("passes", [2], [claim("kp00.s35.passes")],
            note=f"Ours go through both {PASSES} times in delivered climbs."),
        row("ways in which grasps are kept", [3], [claim("kp00.s35.ways")],
            note="Straight motion only between changes of grasp, inverse kinematics for what is held, limbs apart."),
    )  # fmt: skip
    return Table(SETTING, ("ours",), rows)


def shown_way(done: Passed) -> tuple[int, int, int]:
    """Return the limb and the two key points between which smoothing saves most."""
    best, found = -1.0, (0, 0, len(done.first) - 1)
    for limb in range(4):
        held = done.first.grasps[:, limb] != FREE
        keys = done.keys(limb)
        for a, b in zip(keys[:-1].tolist(), keys[1:].tolist(), strict=True):
            if held[a + 1 : b].any() or not SHOWN_ROWS[0] <= b - a <= SHOWN_ROWS[1]:
                continue
            part = [_turned(path.part(a, b + 1), [limb]) for path in (done.first, done.second)]
            if part[0] - part[1] > best:
                best, found = part[0] - part[1], (limb, a, b)
    return found


def limb_page(done: Passed) -> Picture:
    """Draw a limb's way between two key points before and after the second pass: its joints, and its end in space."""
    limb, a, b = shown_way(done)
    first, last = max(0, a - ROUND_ROWS), min(len(done.first) - 1, b + ROUND_ROWS)
    tracks = [Track.of(done.problem, path) for path in (done.first, done.second)]
    points = np.concatenate([track.points[first : last + 1].reshape(-1, 2) for track in tracks])
    low, high = points.min(axis=0) - 0.2, points.max(axis=0) + 0.2
    extent = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    width, height = climb_page.size_px(extent, climb_page.scale_for(extent, (760, 420), 260.0))
    left, below, right, _ = climb_page.EDGES_PX
    curves = 430
    page = Page(2 * left + curves + 30 + width + right, climb_page.TITLE_PX + height + 2 * below + 14)
    name = LIMBS[limb].replace("_", " ")
    page.write(left, climb_page.TITLE_Y, f"{name}: before and after the second pass", level=0)
    angles = page.axes(left + 14, climb_page.TITLE_PX, curves - 14, height)
    rows = np.arange(first, last + 1)
    for path, color, words in ((done.first, FIRST_COLOR, "before"), (done.second, SECOND_COLOR, "after")):
        for at, style in zip(_joints(limb), ("-", "--"), strict=True):
            label = f"{words}, {'upper joint' if style == '-' else 'lower joint'}"
            angles.plot(rows, path.configurations[first : last + 1, at], style, color=color, lw=1.4, label=label)
    for key in done.keys(limb):
        if first <= key <= last:
            for at in _joints(limb):
                angles.plot([key], [done.first.configurations[key, at]], "o", color=INK, ms=4.0, zorder=5)
    angles.tick_params(labelsize=7.0, colors=PALE_INK, length=0)
    angles.spines[:].set_visible(False)
    angles.grid(alpha=0.3)
    angles.legend(fontsize=7.0, frameon=False)
    angles.set_xlabel("configuration (dots: key points)", fontsize=7.5, color=PALE_INK)
    angles.set_ylabel("rad", fontsize=7.5, color=PALE_INK, labelpad=1)
    space = page.axes(2 * left + curves + 30, climb_page.TITLE_PX, width, height)
    held = [int(done.first.grasps[key, limb]) for key in (a, b) if done.first.grasps[key, limb] != FREE]
    draw_environment(space, done.problem.environment, extent=extent, held=held)
    for row_, pale in ((a, 0.55), (b, 0.0)):
        draw_shapes(space, posed(tracks[0], row_), line=0.6, pale=pale)
    for track, color in zip(tracks, (FIRST_COLOR, SECOND_COLOR), strict=True):
        way = track.points[a : b + 1, LIMB_POINTS[limb]]
        space.plot(*way.T, color="white", lw=3.4, zorder=22.0)
        space.plot(*way.T, color=color, lw=1.8, zorder=23.0)
    return page.pixels()


ITEM = Item(NAME, "the second pass of smoothing: each limb between its own key points, which stay", run)
