"""Find all collisions and touches of a crowd in stretches of time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judges.crowd_walls import Setting
from gambol.judges.kernels.crowd_collisions import find_block_collisions, set_mover_boxes
from gambol.judges.kernels.crowd_figures import ROW_SIZE, Block, Figures, Steps, Workbench, lay_block
from gambol.judges.kernels.crowd_touches import Crossings, find_block_touches
from gambol.judges.kernels.prisms import CASE_SIZE, STACK_SIZE
from gambol.judges.kernels.touches import TRACK_SIZE
from gambol.judges.tables import tabulate_ground
from gambol.world.world import World

BLOCK_FRAMES = 15  # planning frames, >= 1, to check at a time; more takes more memory
SOME_ROWS = 4096  # findings, >= 1, with room in a block; a block with more is checked again with more room
STRETCHES_AHEAD = 2  # stretches for each thread, >= 1, to begin before the next result is taken; more takes memory
GRID_MARGIN_M = 1e-3  # m, > 0: cells are this much larger than boxes, for rounding
LEVEL = tabulate_ground(None)


class Stretch(NamedTuple):
    """Some planning frames of a setting."""

    setting: Setting
    frame_from: int
    frame_to: int


class Desk(NamedTuple):
    """The working memory of one thread."""

    block: Block
    bench: Workbench
    pieces: NDArray[np.int64]
    mover_boxes: FloatArray


class Inspector:
    """Looks for collisions and touches in stretches of time, with one thread or several."""

    def __init__(
        self, rate_hz: float, figures: Figures, steps: Steps, depth_m: float, worlds: Sequence[World], threads: int
    ) -> None:
        if threads < 1:
            raise InvalidInput(f"at least one thread is needed, not {threads}")
        if not (np.isfinite(depth_m) and depth_m >= 0.0):
            raise InvalidInput(f"a depth must not be negative, not {depth_m}")
        self._rate_hz, self._figures, self._steps, self._depth_m = rate_hz, figures, steps, depth_m
        self.ticks_per_step = int(np.lcm.reduce(figures.frames_per_step))
        self._threads = threads
        self._desks: SimpleQueue[Desk] = SimpleQueue()
        for _ in range(threads):
            self._desks.put(furnish(figures, len(steps.kind), worlds))

    def look(self, settings: Iterable[Setting]) -> Iterator[tuple[Stretch, FloatArray, FloatArray]]:
        """Yield all stretches in order, with rows of collisions and of touches."""
        stretches = (
            Stretch(setting, frame, min(frame + BLOCK_FRAMES, setting.frame_to))
            for setting in settings
            for frame in range(setting.frame_from, setting.frame_to, BLOCK_FRAMES)
        )
        if self._threads == 1:
            yield from map(self._look_at, stretches)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            waiting: deque[Future[tuple[Stretch, FloatArray, FloatArray]]] = deque()
            for stretch in stretches:
                waiting.append(pool.submit(self._look_at, stretch))
                if len(waiting) > STRETCHES_AHEAD * self._threads:
                    yield waiting.popleft().result()
            for future in waiting:
                yield future.result()

    def _look_at(self, stretch: Stretch) -> tuple[Stretch, FloatArray, FloatArray]:
        desk = self._desks.get()
        try:
            lay_block(self._figures, self._steps, stretch.frame_from, stretch.frame_to, desk.block)
            return stretch, self._collisions(stretch, desk), self._touches(desk)
        finally:
            self._desks.put(desk)

    def _collisions(self, stretch: Stretch, desk: Desk) -> FloatArray:
        prisms, walls = stretch.setting.prisms, stretch.setting.walls
        begin_s, end_s = stretch.frame_from / self._rate_hz, stretch.frame_to / self._rate_hz
        set_mover_boxes(prisms, walls.moving, begin_s, end_s, desk.mover_boxes)
        return _all_rows(
            lambda rows: find_block_collisions(
                self._figures, self._steps, desk.block, prisms, walls, desk.mover_boxes, LEVEL, stretch.setting.bounds,
                self._depth_m, self._rate_hz, desk.bench, desk.pieces, rows,
            )
        )  # fmt: skip

    def _touches(self, desk: Desk) -> FloatArray:
        crossings = _crossings(desk.block)
        return _all_rows(
            lambda rows: find_block_touches(
                self._figures, self._steps, desk.block, crossings, self.ticks_per_step, self._rate_hz, desk.bench, rows
            )
        )


def _all_rows(find: Callable[[FloatArray], int]) -> FloatArray:
    """Return all rows that a kernel finds; the kernel writes rows while there is room, and returns their number."""
    rows = np.empty((SOME_ROWS, ROW_SIZE))
    count = find(rows)
    if count > len(rows):
        rows = np.empty((count, ROW_SIZE))
        find(rows)
    return rows[:count].copy()


def furnish(figures: Figures, count: int, worlds: Sequence[World]) -> Desk:
    """Make one thread's working memory for a number of characters in any of the worlds."""
    capsules = int(np.diff(figures.capsule_first).max(initial=1))
    columns = int(figures.frames_per_step.max(initial=1)) * BLOCK_FRAMES + 1
    block = Block(
        first=np.empty(count, dtype=np.int64),
        last=np.empty(count, dtype=np.int64),
        row=np.empty((count, columns), dtype=np.int64),
        anchor=np.empty((count, columns, 4)),
        disc=np.empty((count, columns, 3)),
        box=np.empty((count, 4)),
    )
    bench = Workbench(
        starts=np.empty((2, capsules, 3)),
        ends=np.empty((2, capsules, 3)),
        mine=np.empty((capsules, TRACK_SIZE)),
        others=np.empty((capsules, TRACK_SIZE)),
        boxes=np.empty((2, 6)),
        near=np.empty(capsules, dtype=np.int64),
        stack=np.empty((STACK_SIZE, 6)),
        case=np.empty(CASE_SIZE),
        row=np.empty(ROW_SIZE),
    )
    things = [(*world.obstacles, *world.movers) for world in worlds]
    pieces = max((sum(len(thing.footprint.pieces) for thing in own) for own in things), default=0)
    movers = max((len(world.movers) for world in worlds), default=0)
    return Desk(block, bench, np.empty(pieces, dtype=np.int64), np.empty((movers, 4)))


def _crossings(block: Block) -> Crossings:
    """Sort present characters into a grid in which only those in neighbouring cells can meet."""
    present = np.flatnonzero(block.last >= block.first)
    box = block.box[present]
    extent = box[:, 2:] - box[:, :2]
    cell = float(extent.max(initial=0.0)) + GRID_MARGIN_M
    middle = box[:, :2] + 0.5 * extent
    column, row = np.floor((middle - middle.min(axis=0, initial=np.inf)) / cell).astype(np.int64).T
    columns = int(column.max(initial=0)) + 3
    key = row * columns + column + 1
    order = np.argsort(key, kind="stable")
    return Crossings(present[order], key[order], columns)
