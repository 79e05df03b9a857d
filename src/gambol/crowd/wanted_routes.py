"""Routes for those of a crowd who want one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gambol.crowd.arrays import LOST, ON_THE_WAY, WAY_POINTS
from gambol.crowd.kernels.jams import note_jams
from gambol.crowd.kernels.routes import FOUND, NO_WAY
from gambol.crowd.routes import find_routes

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd

ROUTE_BUDGET = 200  # routes, >= 1: found in a planning frame; larger: nobody waits, frames take longer
ROUTE_EXPANSIONS = 50_000  # >= 1: cells looked at for a route; larger: longer ways are found
JAM_FRAMES = 30  # planning frames, >= 1: from one look for jams to the next


def find_wanted_routes(crowd: Crowd) -> None:
    """Find routes for those who want one, as far as the budget goes, and note where there are many."""
    flock = crowd._flock
    if crowd.frame % JAM_FRAMES == 0:
        note_jams(flock, crowd._present, np.int64(crowd.frame), crowd.floor, crowd._people)
    wanting = np.flatnonzero(flock.way_wanted[: crowd._count] & flock.taken[: crowd._count])[:ROUTE_BUDGET]
    if not len(wanting):
        return
    for kind in np.unique(flock.kind[wanting]):
        places = wanting[flock.kind[wanting] == kind]
        routes = find_routes(
            crowd.floor, float(crowd._radius[kind]), flock.end[places, :2], flock.goal[places],
            threads=crowd.threads, most_points=WAY_POINTS, most_expansions=ROUTE_EXPANSIONS,
            scratches=crowd._route_scratches,
        )  # fmt: skip
        found = routes.outcome == FOUND
        flock.way[places, :, :2], flock.way[places, :, 2] = routes.points, routes.left
        flock.way_count[places] = np.where(found, routes.count, 0)
        last = np.maximum(routes.count.astype(np.int64) - 1, 0)
        flock.way_ends[places] = routes.left[np.arange(len(places)), last] <= 1e-6
        flock.way_at[places], flock.way_frame[places], flock.way_wanted[places] = 0, crowd.frame, False
        lost = places[routes.outcome == NO_WAY]
        flock.condition[lost] = LOST
        flock.condition[places[found & (flock.condition[places] == LOST)]] = ON_THE_WAY
        for place in lost:
            goal = flock.goal[place]
            crowd._event("no way", int(crowd._id[place]), f"there is no way to ({goal[0]:.2f}, {goal[1]:.2f})")
    crowd.statistics.routes += len(wanting)


def way_radius(tables, kind: int) -> float:
    """Return the room that a kind needs around its way: as wide as it stands."""
    clips = tables.clips
    return float(clips.samples[clips.rest_sample[kind], 4])
