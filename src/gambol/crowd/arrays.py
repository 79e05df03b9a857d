"""The state of a crowd as flat arrays: the seam between `Crowd` and its kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SEGMENTS = 4  # what plays, two clips to come, and a stop
POSE = 5  # x, y, heading, its cosine and sine
WAY_POINTS = 16
#: States of a character beyond its errand: on its way, where it wanted to be, or without a way there.
ON_THE_WAY, ARRIVED, LOST = range(3)
NOBODY = -1
NO_DOOR = 0
#: What someone must get out of.
FROM_OBSTACLES, FROM_MOVERS = 1, 2


class Flock(NamedTuple):
    """N places for characters; most rows of a place that is not taken mean nothing.

    A trajectory is `count` segments, each a clip begun at a pose and a frame, the first of them being played; after
    the last it stands for ever where that ends.
    """

    taken: np.ndarray  # (N,) bool
    number: np.ndarray  # (N,) int64 who it is: what is chosen at random depends on that, and not on the place
    kind: np.ndarray  # (N,) int32
    count: np.ndarray  # (N,) int64 segments  # pyright: ignore[reportIncompatibleMethodOverride]
    clip: np.ndarray  # (N, SEGMENTS) int32
    frame: np.ndarray  # (N, SEGMENTS) int64 at which it begins
    pose: np.ndarray  # (N, SEGMENTS, POSE) at which it begins
    end: np.ndarray  # (N, POSE) where it stands at last
    end_frame: np.ndarray  # (N,) int64 from which on it stands
    box: np.ndarray  # (N, 4) around all of the trajectory: least x, y, greatest x, y
    before: np.ndarray  # (N,) int32 clip that was played before, -1 none: for poses
    # what it wants
    goal: np.ndarray  # (N, 2)
    tolerance: np.ndarray  # (N,) metres
    stops: np.ndarray  # (N,) bool: it comes to rest at its goal; otherwise it only passes it
    condition: np.ndarray  # (N,) int8: ON_THE_WAY, ARRIVED, LOST
    way: np.ndarray  # (N, WAY_POINTS, 3) x, y, metres from there to the goal
    way_count: np.ndarray  # (N,) int64, 0: there is no route
    way_ends: np.ndarray  # (N,) bool: the last way-point is the goal
    way_at: np.ndarray  # (N,) int64 way-point that it makes for
    way_frame: np.ndarray  # (N,) int64 since when it makes for that
    way_wanted: np.ndarray  # (N,) bool: a new route is needed
    holds: np.ndarray  # (N,) bool: it waits for its group
    door: np.ndarray  # (N,) int32 door for which it has a ticket, counted from 1; NO_DOOR
    ticket: np.ndarray  # (N,) int64: who has a lower one goes first
    keeps_m: np.ndarray  # (N,) metres from its door: it does not stop nearer
    keeps_from: np.ndarray  # (N, 2) where its door is
    # how it gets on
    ready: np.ndarray  # (N,) int64 frame from which on it may plan again
    anchor: np.ndarray  # (N, 2) where it last began to stand about
    anchor_frame: np.ndarray  # (N,) int64
    best_way: np.ndarray  # (N,) metres: the least way left so far
    best_frame: np.ndarray  # (N,) int64 when that was
    yields_until: np.ndarray  # (N,) int64 frame until which who has made way for another does not come back
    asked_frame: np.ndarray  # (N,) int64 when somebody last asked it to make way
    asked_from: np.ndarray  # (N, 4) x, y and direction of who asked
    escapes: np.ndarray  # (N,) int32: what was put where it is or will be: a sum of FROM_OBSTACLES and FROM_MOVERS


class Proposals(NamedTuple):
    """What each of Q characters would play from the end of its present clip on."""

    who: np.ndarray  # (Q,) int64
    count: np.ndarray  # (Q,) clips, 0: nothing was found  # pyright: ignore[reportIncompatibleMethodOverride]
    clip: np.ndarray  # (Q, SEGMENTS - 1) int32
    begins: np.ndarray  # (Q,) int64 frame
    blocker: np.ndarray  # (Q,) int64 who was in the way of the best, NOBODY
    aim: np.ndarray  # (Q,) int64 what was aimed at: see `kernels.propose`
    tests: np.ndarray  # (Q,) int64 clips that were looked at


class Cells(NamedTuple):
    """Who is where: characters by the cell in which the middle of their trajectory's box lies."""

    x0: float
    y0: float
    cell_m: float
    rows: int
    columns: int
    first: np.ndarray  # (rows * columns + 1,) int64
    who: np.ndarray  # (N,) int32
    half: np.ndarray  # (2,) greatest half width and half depth of a box
    still: np.ndarray  # (rows * columns,) int32 how many stand in each cell


class Scratch(NamedTuple):
    """What one thread writes into; M nodes of the largest fan."""

    near: np.ndarray  # (N,) int64
    score: np.ndarray  # (4 * M,)
    node: np.ndarray  # (4 * M,) int32
    stop: np.ndarray  # (4 * M,) int32 clip, -1: none is needed
    known: np.ndarray  # (M,) int8 what is known of a node's own clip: 0 nothing, 1 free, 2 blocked
    counts: np.ndarray  # (4,) int64
    blocker: np.ndarray  # (1,) int64


class Gates(NamedTuple):
    """G narrow passages that are open to one direction at a time."""

    middle: np.ndarray  # (G, 2)
    direction: np.ndarray  # (G, 2) through the passage
    open: np.ndarray  # (G,) int8: 1 along the direction, -1 against it, 0 to nobody


def closed_gates(count: int) -> Gates:
    """Return a table of gates that are closed; at least one, as kernels take no empty tables."""
    rows = max(count, 1)
    return Gates(np.zeros((rows, 2)), np.zeros((rows, 2)), np.zeros(rows, np.int8))


def empty_flock(places: int) -> Flock:
    """Return a flock of nobody."""
    shapes: dict[str, tuple[tuple[int, ...], type]] = {
        "taken": ((), np.bool_), "number": ((), np.int64), "kind": ((), np.int32), "count": ((), np.int64),
        "clip": ((SEGMENTS,), np.int32),
        "frame": ((SEGMENTS,), np.int64), "pose": ((SEGMENTS, POSE), np.float64), "end": ((POSE,), np.float64),
        "end_frame": ((), np.int64), "box": ((4,), np.float64), "before": ((), np.int32),
        "goal": ((2,), np.float64), "tolerance": ((), np.float64), "stops": ((), np.bool_), "condition": ((), np.int8),
        "way": ((WAY_POINTS, 3), np.float64), "way_count": ((), np.int64), "way_ends": ((), np.bool_),
        "way_at": ((), np.int64), "way_frame": ((), np.int64), "way_wanted": ((), np.bool_), "holds": ((), np.bool_),
        "door": ((), np.int32), "ticket": ((), np.int64), "keeps_m": ((), np.float64), "keeps_from": ((2,), np.float64),
        "ready": ((), np.int64),
        "anchor": ((2,), np.float64), "anchor_frame": ((), np.int64), "best_way": ((), np.float64),
        "best_frame": ((), np.int64), "yields_until": ((), np.int64),
        "asked_frame": ((), np.int64), "asked_from": ((4,), np.float64), "escapes": ((), np.int32),
    }  # fmt: skip
    return Flock(**{name: np.zeros((places, *shape), dtype) for name, (shape, dtype) in shapes.items()})


def grown_flock(flock: Flock, places: int) -> Flock:
    """Return a flock with more places, its own first."""
    larger = empty_flock(places)
    for new, old in zip(larger, flock, strict=True):
        new[: len(old)] = old
    return larger


def empty_proposals(count: int) -> Proposals:
    """Return room for so many proposals."""
    return Proposals(
        np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros((count, SEGMENTS - 1), np.int32),
        np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64),
    )  # fmt: skip


def scratch_for(places: int, largest_fan: int) -> Scratch:
    """Return what one thread needs."""
    return Scratch(
        np.zeros(places, np.int64), np.zeros(4 * largest_fan), np.zeros(4 * largest_fan, np.int32),
        np.zeros(4 * largest_fan, np.int32), np.zeros(largest_fan, np.int8), np.zeros(4, np.int64),
        np.zeros(1, np.int64),
    )  # fmt: skip
