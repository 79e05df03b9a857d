"""KP00 figure 3: a robot of three links from A to B in a constrained environment, by randomized path planning."""

from __future__ import annotations

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import median
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.three_links import (
    LINK_M,
    LINKS,
    RADIUS_M,
    WALK_STEPS,
    WALKS,
    LinksPath,
    LinksProblem,
    bent_pipe,
    clearances,
    placed,
    shortcut,
    solve_links,
    turned,
)
from gambol.pictures import INK, PALE_INK, Page, climb_page, draw_environment, extent_of

NAME = "kp00-figure-3"
TITLE = "KP00 figure 3: a robot of three links"
FULL_SEEDS, QUICK_SEEDS = range(16), range(1, 3)
SEARCHES, SETTING = "searches", "setting"
FOUND, DESCENTS, WALKED, BACK, CLEAR, KEPT = (
    "found", "descents", "random walks", "times going back", "least clearance, mm", "% of turning kept by shortcuts",
)  # fmt: skip
COLOR, END_COLOR = (0.0, 0.447, 0.698), (0.835, 0.369, 0.0)
SHOWN = 14  # configurations drawn


def run(quick: bool, say: Say) -> Result:
    """Move the robot from several seeds, and draw the first way after smoothing."""
    seeds = QUICK_SEEDS if quick else FULL_SEEDS
    done: list[tuple[LinksProblem, LinksPath, np.ndarray]] = []
    for seed in seeds:
        say("moving the robot", (seed - seeds.start) / len(seeds))
        problem = bent_pipe(seed)
        path = solve_links(problem)
        done.append((problem, path, shortcut(problem, path.rows)))
    found = [one for one in done if one[1].found]
    rows = [
        row(f"seed {problem.seed}", [
            int(path.found), path.descents, path.walks, path.backtracks, 1000.0 * path.least_clearance_m,
            100.0 * turned(smooth) / turned(path.rows),
        ])
        for problem, path, smooth in done
    ]  # fmt: skip
    pictures: dict[str, Picture] = {f"{NAME}.png": links_page(found[0][0], found[0][2])} if found else {}
    smoothest = [float(clearances(problem, smooth).min()) for problem, _, smooth in found]
    walks = median([float(path.walks) for _, path, _ in found])
    return Result(
        Report(
            item=NAME,
            title=TITLE,
            quick=quick,
            setting=(
                f"A problem of our own after figure 3, which has no coordinates: a free robot of {LINKS} links of "
                f"{LINK_M} m, {200.0 * RADIUS_M:.0f} cm thick, through a pipe about 1 m wide, round two corners; "
                f"control points are the ends of the links; seeds {seeds.start} to {seeds.stop - 1}; after {WALKS} "
                f"random walks of {WALK_STEPS} steps in vain it goes back.",
            ),
            tables=(
                Table(SEARCHES, (FOUND, DESCENTS, WALKED, BACK, CLEAR, KEPT), tuple(rows),
                      "Clearance is looked at eight times between configurations."),
                Table(SETTING, ("ours",), (row("links of the robot", [LINKS], [claim("kp00.fig3.links")]),)),
            ),
            differences=(
                f"{len(found)} of {len(done)} searches go from A to B, after {walks:.0f} "
                f"random walks in the median; no way comes nearer than {1000.0 * min(smoothest, default=0.0):.2f} mm "
                "after smoothing. The paper shows the two ends of such a motion and gives no number.",
            ),
            pictures=tuple(pictures),
        ),
        pictures,
    )  # fmt: skip


def links_page(problem: LinksProblem, rows: np.ndarray) -> Picture:
    """Draw the robot along a way, equally different from one to the next."""
    points = placed(rows)
    moved = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=2).mean(axis=1))))
    shown = np.searchsorted(moved, np.linspace(0.0, moved[-1], SHOWN) - 1e-9).clip(0, len(rows) - 1)
    extent = extent_of(problem.environment)
    width, height = climb_page.size_px(extent, climb_page.scale_for(extent, (900, 560)))
    left, below, right, _ = climb_page.EDGES_PX
    page = Page(left + width + right, climb_page.TITLE_PX + height + below)
    page.write(left, 0.5 * climb_page.TITLE_PX, "three links, from A to B", level=0)
    axes = page.axes(left, climb_page.TITLE_PX, width, height)
    draw_environment(axes, problem.environment)
    thick = 2.0 * RADIUS_M * width / (extent[2] - extent[0]) * 72.0 / 120.0  # points of type
    for number, at in enumerate(shown):
        is_end = number in (0, SHOWN - 1)
        style = {"solid_capstyle": "round", "solid_joinstyle": "round", "zorder": 10.0 + number}
        axes.plot(*points[at].T, color="white", lw=thick + 1.6, **style)
        axes.plot(*points[at].T, color=END_COLOR if is_end else COLOR, alpha=1.0 if is_end else 0.55, lw=thick, **style)
        axes.plot(*points[at].T, "o", color=INK, ms=2.2, zorder=10.5 + number)
    axes.plot(*points[:, 0].T, color=PALE_INK, lw=0.8, linestyle=":", zorder=9.0)
    for letter, at in (("A", 0), ("B", -1)):
        x, z = points[at, 0]
        axes.text(x, z - 0.2, letter, color=INK, fontsize=11, ha="center", va="center", zorder=40.0)
    return page.pixels()


ITEM = Item(NAME, "a robot of three links from A to B, by descent, random walks and going back", run)
