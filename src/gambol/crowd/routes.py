"""Routes over a floor: a few way-points to a goal, each visible from the one before; found for those who want one."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gambol.crowd.arrays import LOST, ON_THE_WAY, WAY_POINTS
from gambol.crowd.floor import Floor
from gambol.crowd.kernels import routes as kernels
from gambol.crowd.kernels.jams import note_jams
from gambol.errors import InvalidInput

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd

MOST_POINTS = 16
MOST_EXPANSIONS = 400_000
ROUTE_BUDGET = 200  # routes, >= 1: found in a planning frame; larger: nobody waits, frames take longer
ROUTE_EXPANSIONS = 50_000  # >= 1: cells looked at for a route; larger: longer ways are found
JAM_FRAMES = 30  # planning frames, >= 1: from one look for jams to the next
WEIGHT = 1.05  # how often the lower bound of the cost left counts: ways cost at most so many times the least


class RouteScratch(NamedTuple):
    """Working memory of one thread.  Nothing in it is reset from query to query, nor matters to answers."""

    label: np.ndarray  # (cells,) int64, see `kernels.routes`
    epoch: np.ndarray  # (1,) int64 of the last query
    heads: np.ndarray  # (RING,) int32: entry on top of each bucket, -1: none
    cell: np.ndarray  # (entries,) int32
    cost: np.ndarray  # (entries,) int32 of the way to the cell
    next: np.ndarray  # (entries,) int32: entry below in its bucket, or the next unused one
    path: np.ndarray  # (cells of a path at most,) int32
    needs: np.ndarray  # (way-points at most,) float64: room that the leg to each keeps
    at: np.ndarray  # (way-points at most,) int64: which point of the path each is


class Routes(NamedTuple):
    """The ways of Q queries, of at most K way-points each."""

    outcome: np.ndarray  # (Q,) int8: FOUND, NO_WAY or OUT_OF_BUDGET
    count: np.ndarray  # (Q,) int16 way-points  # pyright: ignore[reportIncompatibleMethodOverride]
    expansions: np.ndarray  # (Q,) int64: cells looked around from, 0 where the straight way is free
    points: np.ndarray  # (Q, K, 2) metres; the start is none of them, the goal the last
    left: np.ndarray  # (Q, K) metres from each to the end; above 0 at the last where K are not enough


def make_scratch(floor: Floor, most_points: int = MOST_POINTS, most_expansions: int = MOST_EXPANSIONS) -> RouteScratch:
    """Return working memory for queries on floors of this size."""
    entries = min(most_expansions, floor.room.size) + 8
    return RouteScratch(
        label=np.full(floor.room.size, np.iinfo(np.int64).max),
        epoch=np.full(1, kernels.EPOCHS, dtype=np.int64),
        heads=np.empty(kernels.RING, dtype=np.int32),
        cell=np.empty(entries, dtype=np.int32),
        cost=np.empty(entries, dtype=np.int32),
        next=np.empty(entries, dtype=np.int32),
        path=np.empty(entries, dtype=np.int32),
        needs=np.empty(most_points, dtype=np.float64),
        at=np.empty(most_points, dtype=np.int64),
    )


def find_routes(
    floor: Floor,
    radius_m: float,
    starts: ArrayLike,
    goals: ArrayLike,
    *,
    threads: int = 1,
    most_points: int = MOST_POINTS,
    most_expansions: int = MOST_EXPANSIONS,
    weight: float = WEIGHT,
    scratches: Sequence[RouteScratch] = (),
) -> Routes:
    """Find ways for a disc from each start (Q, 2) to its goal (Q, 2): the same whatever the threads.

    Who asks often keeps working memory, one for each thread, made with the same limits; else it is made anew.
    """
    starts, goals = (np.array(points, dtype=np.float64, order="C").reshape(-1, 2) for points in (starts, goals))
    if starts.shape != goals.shape:
        raise InvalidInput(f"there must be as many goals as starts, not {len(goals)} for {len(starts)}")
    if not (np.isfinite(starts).all() and np.isfinite(goals).all()):
        raise InvalidInput("starts and goals must be finite")
    if not 1.0 <= weight <= 2.0:
        raise InvalidInput(f"a weight must be between 1 and 2, not {weight}")
    if threads < 1 or most_points < 1 or most_expansions < 1:
        raise InvalidInput("threads, way-points and expansions must be at least 1")
    if not scratches:
        scratches = [make_scratch(floor, most_points, most_expansions) for _ in range(threads)]
    if len(scratches) < threads or any(
        scratch.label.size != floor.room.size or scratch.needs.size < most_points for scratch in scratches
    ):
        raise InvalidInput("each thread needs working memory made for floors of this size and as many way-points")
    size = len(starts)
    routes = Routes(
        outcome=np.empty(size, dtype=np.int8),
        count=np.empty(size, dtype=np.int16),
        expansions=np.empty(size, dtype=np.int64),
        points=np.full((size, most_points, 2), np.nan),
        left=np.full((size, most_points), np.nan),
    )
    whole_weight = np.int64(weight * kernels.WEIGHT_ONE)

    def find(scratch: RouteScratch, first: int, last: int) -> None:
        ends, limit = (np.int64(first), np.int64(last)), np.int64(most_expansions)
        kernels.find_some(floor, float(radius_m), starts, goals, *ends, whole_weight, limit, scratch, routes)

    cuts = np.linspace(0, size, threads + 1).astype(int)
    if threads == 1:
        find(scratches[0], 0, size)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(find, scratches[:threads], cuts[:-1], cuts[1:]))
    return routes


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
        found = routes.outcome == kernels.FOUND
        flock.way[places, :, :2], flock.way[places, :, 2] = routes.points, routes.left
        flock.way_count[places] = np.where(found, routes.count, 0)
        last = np.maximum(routes.count.astype(np.int64) - 1, 0)
        flock.way_ends[places] = routes.left[np.arange(len(places)), last] <= 1e-6
        flock.way_at[places], flock.way_frame[places], flock.way_wanted[places] = 0, crowd.frame, False
        lost = places[routes.outcome == kernels.NO_WAY]
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
