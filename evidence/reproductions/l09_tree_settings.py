"""L09 sections 4.3 to 4.7.1: what trees are looked up with, and how long the interactive system plans."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.pruning import CELL_M
from evidence.reproductions.report import Table, row
from evidence.reproductions.sub_goals import KEPT_AT_MARK, SUB_GOAL_SHARE
from gambol.scenes import load_scene
from gambol.search.coarse_cells import SQUARE_M
from gambol.stages import CrowdStage, perform
from gambol.trees import SearchTree
from gambol.trees.region import REACH_M

CROWD = "crowd-150"
LOOK_UP = "what trees are looked up with"
WARM_UP_S = 1.0  # of the crowd: compiles


class Interactive(NamedTuple):
    """What running the crowd took."""

    people: int
    look_ups: int
    run_s: float
    frame_ms: float  # once settled
    rate_hz: float

    @property
    def look_up_ms(self) -> float:
        """Milliseconds for each look-up, with everything else that running takes."""
        return 1000.0 * self.run_s / self.look_ups


def run_interactive(seconds: float) -> Interactive:
    """Run the shipped crowd for a time, as fast as it goes."""
    perform(load_scene(CROWD), CrowdStage(WARM_UP_S), check=False)
    performance = perform(load_scene(CROWD), CrowdStage(seconds), check=False)
    recording, run = performance.recording, performance.course.run
    return Interactive(len(recording), run.counts["look_ups"], run.run_s, run.ms_per_frame, recording.rate_hz)


def fullest_goal_cell(tree: SearchTree) -> int:
    """Return how many nodes the longest list of a goal cell has, those of all groups together."""
    return int(np.diff(tree.grid.first_entry[:: tree.grid.groups]).max())


def look_up_table(pruned: SearchTree, deepest: int, ran: Interactive) -> Table:
    """Return the settings beside the thesis's; deepest: levels of the diverse tree of the wider square."""
    grid = pruned.grid
    rows = (
        row("cm, cells of the environment gridmap", [100.0 * CELL_M], [claim("l09.c4.environment_cells")],
            note="Of the pruned tree; our look-up has none and tests against the obstacles themselves."),
        row("cm, cells of the goal gridmap", [100.0 * grid.cell_m], [claim("l09.c4.goal_cells")]),
        row("cm, with their overlap", [100.0 * grid.overlap_m], [claim("l09.c4.overlap")]),
        row("m to a sub-goal, in trees that reach 16 m", [SUB_GOAL_SHARE * REACH_M], [claim("l09.c4.sub_goal")]),
        row("nodes in the fullest goal cell of the pruned tree", [fullest_goal_cell(pruned)],
            [claim("l09.c4.goal_list")]),
        row("levels of a diverse tree at most", [deepest], [claim("l09.c4.depth")],
            note="How many clips lead to the edge of the square depends on how far they lead."),
        row("states kept of a path that ends near a crossing or the goal", [KEPT_AT_MARK], [claim("l09.c4.kept")]),
        row("cm, squares of the coarse map", [100.0 * SQUARE_M], [claim("l09.c4.coarse_cells")]),
        row(
            f"ms a look-up of {ran.people} people, everything included", [ran.look_up_ms], [claim("l09.c4.iteration")],
            note=f"All the time of running `{CROWD}` by its {ran.look_ups:,} look-ups, on today's machine; a frame "
            f"takes {ran.frame_ms:.2f} ms. Our crowd looks two clips ahead along a route, where the thesis looks up a "
            "sub-goal in its tree.",
        ),
    )  # fmt: skip
    return Table(LOOK_UP, ("ours",), rows)
