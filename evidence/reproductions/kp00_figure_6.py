"""KP00 figures 3, 4 and 6: motion without contact, and going back from dead ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import median, seeded
from evidence.reproductions.free_problems import bent_corridor, dead_end, two_blocks
from evidence.reproductions.free_trace import Act, Traced, backtracking_page, smoothed_page, traced
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.rpp_parameters import measured_chances, measured_free_share, measured_neighbours
from evidence.reproductions.scene_drawing import stacked, tiled
from gambol.climb import FreeProblem, PaperCore, Source
from gambol.climb.paper.free import WALK_ROWS, WALKS

NAME = "kp00-figure-6"
TITLE = "KP00 figures 3, 4 and 6: motion without contact, and going back"
CAVE = "figure 6, the cave"
PROBLEMS: dict[str, Callable[[int], FreeProblem]] = {
    "figure 3, the corridor": bent_corridor, "figure 4, two blocks": two_blocks, CAVE: dead_end,
}  # fmt: skip
FULL_SEEDS, QUICK_SEEDS = tuple(range(16)), (4,)
SAMPLES = 20_000
SOLVED, STUCK = ("climb-flat", "climb-tunnel", "climb-bars"), ("climb-wall",)
PAPER_STEPS = 400
SEARCHES, MODEL, ROLE, PARAMETERS = "searches", "the steps of figure 6", "random walks", "parameters, measured"
FOUND, DESCENTS, WALKED, BACK, SHARE = (
    "found", "descents", "random walks", "times going back", "% of configurations by random walks",
)  # fmt: skip
FREELY, HOLDING, STUCK_ROW = "without contact", "holding on, scenes solved", "holding on, scene not solved"

Made = dict[str, dict[str, int]]  # configurations by source, of scenes


def run(quick: bool, say: Say) -> Result:
    """Solve the three problems from several seeds, and draw how the cave was got out of."""
    seeds = QUICK_SEEDS if quick else FULL_SEEDS
    traces: dict[str, list[Traced]] = {name: [] for name in PROBLEMS}
    for number, (name, make) in enumerate(PROBLEMS.items()):
        for seed in seeds:
            say(f"moving freely, {name}", (number + (seed in seeds)) / (len(PROBLEMS) + 1))
            traces[name].append(traced(make(seed)))
    say("counting random walks of climbs", 0.9)
    holding = {scene: _rows(scene) for scene in SOLVED}
    stuck = {scene: _rows(scene) for scene in STUCK}
    went_back = [one for one in traces[CAVE] if one.found and one.count(Act.BACK) > 0]
    drawn = min(went_back, key=lambda one: one.count(Act.BACK), default=None)
    pictures = {f"{NAME}.png": _picture(traces, drawn)}
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            "Problems of our own after figures 3, 4 and 6, of which the paper gives no coordinates "
            "(`evidence.reproductions.free_problems`); the adult figure, which holds nothing; "
            f"seeds {', '.join(map(str, seeds))}; after {WALKS} random walks of {WALK_ROWS} configurations from one "
            "local minimum the search goes back, numbers which the paper does not give.",
            f"Holding on: the paper's core on {', '.join((*SOLVED, *STUCK))}, seed 0, {PAPER_STEPS} pieces "
            "of way at most.",
        ),
        tables=(_searches_table(traces), _steps_table(drawn), _role_table(traces, holding, stuck), _parameters_table()),
        differences=_differences(traces, drawn, holding, stuck),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _rows(scene: str) -> dict[str, int]:
    return PaperCore(max_steps=PAPER_STEPS).search(seeded(scene, 0)).statistics["rows"]


def _searches_table(traces: dict[str, list[Traced]]) -> Table:
    rows = []
    for name, done in traces.items():
        counts = [
            median([float(value) for value in values])
            for values in zip(*((one.descents, one.count(Act.WALK), one.count(Act.BACK)) for one in done), strict=True)
        ]
        rows.append(row(name, [sum(one.found for one in done), *counts]))
    note = (
        f"Found of {len(traces[CAVE])}; the rest are medians over seeds. The figure is of ten links; for figure 3's "
        "robot of three see `kp00-figure-3`."
    )
    return Table(SEARCHES, (FOUND, DESCENTS, WALKED, BACK), tuple(rows), note)


def _steps_table(drawn: Traced | None) -> Table:
    """Return what figure 6 tells, step by step, of the way that is drawn."""
    stages: list[int | None] = [None] * 4
    if drawn is not None:
        last = max(n for n, piece in enumerate(drawn.pieces) if piece.act == Act.BACK)
        before = [piece.act for piece in drawn.pieces[:last]]
        stages = [
            before.count(Act.WALK), drawn.count(Act.BACK), int(drawn.pieces[last + 1].act == Act.WALK),
            5 if drawn.found else 0,
        ]  # fmt: skip
    rows = (
        row("random walks before the last time of going back", [stages[0]], [claim("kp00.fig6.walks")]),
        row("times going back until the way out was found", [stages[1]], [claim("kp00.fig6.backs")],
            note="The paper's drawing shows one; a cave that is easier to leave would need fewer, and whether its "
            "drawing leaves out some cannot be told."),
        row("a random walk follows going back", [stages[2]], [claim("kp00.fig6.walk_after")]),
        row("configurations that the drawing numbers", [stages[3]], [claim("kp00.fig6.numbered")]),
    )  # fmt: skip
    return Table(MODEL, ("ours",), rows, "Of the search that is drawn: the seed with the fewest times of going back.")


def _share(made: Sequence[tuple[int, int]]) -> float:
    walked, every = (sum(column) for column in zip(*made, strict=True))
    return 100.0 * walked / every


def _free_share(traces: dict[str, list[Traced]]) -> float:
    pairs = [
        (one.rows_of(Act.WALK), one.rows_of(Act.WALK) + one.rows_of(Act.DESCENT))
        for done in traces.values()
        for one in done
    ]
    return _share(pairs)


def _held_share(holding: Made) -> float:
    return _share([(made[Source.RANDOM_WALK.name.lower()], sum(made.values())) for made in holding.values()])


def _role_table(traces: dict[str, list[Traced]], holding: Made, stuck: Made) -> Table:
    rows = (
        row(FREELY, [_free_share(traces)]),
        row(HOLDING, [_held_share(holding)], [claim("kp00.s5.walks")]),
        row(STUCK_ROW, [_held_share(stuck)]),
        *(
            row(scene, [_share([(made["random_walk"], sum(made.values()))])])
            for scene, made in (holding | stuck).items()
        ),
    )
    return Table(ROLE, (SHARE,), rows, "All configurations that were made count, those given up again too.")


def _parameters_table() -> Table:
    chances = measured_chances(SAMPLES)
    third = claim("kp00.s33.chance")
    rows = (
        row("chance that a coordinate is raised", [chances.raised], [third]),
        row("chance that it is lowered", [chances.lowered]),
        row("chance that it is left as it is", [chances.left]),
        row("largest change, times the coordinate's greatest", [chances.most], [claim("kp00.s33.most")]),
        row("mean change, times the coordinate's greatest", [chances.middle], [claim("kp00.s33.uniform")],
            note=f"Farthest from an even distribution by {chances.unlike_even:.4f} of {SAMPLES:,} changes of 4 "
            "coordinates; an even one has its mean at a half."),
        row("share of a cell that must be free", [measured_free_share()], [claim("kp00.s32.free")]),
        row("neighbours of a cell", [measured_neighbours()], [claim("kp00.s32.connectivity")]),
        row("control points, holding on", [1], [claim("kp00.s32.control_points")],
            note="The centre of mass, as in the paper; without contact six points, as one would not say how to "
            "arrive."),
    )  # fmt: skip
    return Table(PARAMETERS, ("ours",), rows, "Chances are counted over changes that the program makes, seed 0.")


def _differences(traces: dict[str, list[Traced]], drawn: Traced | None, holding: Made, stuck: Made) -> tuple[str, ...]:
    cave = traces[CAVE]
    free, held = _free_share(traces), _held_share(holding)
    found, of = sum(one.found for done in traces.values() for one in done), sum(map(len, traces.values()))
    said = [
        f"{found} of {of} searches find their way; of the cave {sum(one.found for one in cave)} of {len(cave)}, within "
        f"{cave[0].problem.max_pieces:,} descents and walks. The paper shows one motion for each figure.",
        f"Random walks make {free:.0f} % of the configurations without contact and {held:.0f} % holding on: "
        + ("less there, as the paper says of its planner beside the one it comes from."
           if held < free else "no less there, unlike what the paper says.")
        + f" Where the core is stuck they are {_held_share(stuck):.0f} %.",
    ]  # fmt: skip
    if drawn is not None:
        said.append(
            f"Drawn is seed {drawn.problem.seed}: {drawn.descents} descents and {drawn.count(Act.WALK)} random walks, "
            f"{drawn.count(Act.BACK)} times going back; the potential leads through a crack too narrow for anyone."
        )
    return tuple(said)


def _picture(traces: dict[str, list[Traced]], drawn: Traced | None) -> Picture:
    """Return figures 3 and 4 side by side, and the last time of going back below."""
    small = [smoothed_page(done[0], name) for name, done in traces.items() if name != CAVE]
    tallest, widest = (max(picture.shape[axis] for picture in small) for axis in (0, 1))
    page = [np.full((tallest, widest, 3), 255, dtype=np.uint8) for _ in small]
    for blank, picture in zip(page, small, strict=True):
        blank[: picture.shape[0], : picture.shape[1]] = picture
    parts = [tiled(page, across=2)]
    if drawn is not None:
        parts.append(backtracking_page(drawn))
    return stacked(parts)


ITEM = Item(NAME, "motion without contact: descent, random walks, and going back out of a cave", run)
