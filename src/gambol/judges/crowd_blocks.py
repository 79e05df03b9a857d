"""Find all collisions and touches of a crowd in stretches of time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
import shapely

from gambol.core import Struct, lib, pointer, struct, struct_of
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.judges.crowd_figures import Figures, Steps, struct_of_figures, struct_of_steps
from gambol.judges.rows import all_rows, work_room
from gambol.judges.tables import Prisms, Surroundings, struct_of_surroundings, tabulate_surroundings
from gambol.world.world import World

BLOCK_FRAMES = 15  # planning frames, >= 1, to check at a time; more takes more memory
STRETCHES_AHEAD = 2  # stretches for each thread, >= 1, to begin before the next result is taken; more takes memory


class Setting(NamedTuple):
    """A world and the planning frames in which it holds."""

    frame_from: int
    frame_to: int
    names: tuple[str, ...]  # names of the things: obstacles, then movers
    things: Surroundings
    table: Struct  # the things as the core reads them
    standing: int  # number of standing things
    piece_thing: Int64Array  # (P,)
    piece_pose: FloatArray  # (P, 4) x, y, cosine and sine of the pieces of standing things
    tree: shapely.STRtree  # of the boxes of these pieces


class Stretch(NamedTuple):
    """Some planning frames of a setting."""

    setting: Setting
    frame_from: int
    frame_to: int


class Block(NamedTuple):
    """All characters at the delivered frames of a stretch of time; columns count from each one's first frame."""

    first: Int64Array  # (N,) first delivered frame; a character's own frames count from time 0
    last: Int64Array  # (N,) last delivered frame; absent characters have it before the first
    row: Int64Array  # (N, F) row of `Figures`
    anchor: FloatArray  # (N, F, 4) the pose that places it: x, y, cosine and sine
    disc: FloatArray  # (N, F, 3) x, y and radius of a disc around the body
    box: FloatArray  # (N, 4) least x, y, greatest x, y during the stretch


class Desk(NamedTuple):
    """One thread's working memory."""

    block: Block
    table: Struct  # the block as the core reads it
    crowd: Struct  # figures and steps in that block
    room: Struct


class Nearby(NamedTuple):
    """Parts of things that characters may meet in a stretch of time."""

    first: Int64Array  # (N + 1,) first part of each character
    parts: Int64Array  # (K, 3) thing, its first piece, the one after the last; ascending for each character
    standing: int  # number of standing things: each of their parts is one piece
    piece_pose: FloatArray  # (P, 4) x, y, cosine and sine of the pieces of standing things


class Inspector:
    """Looks for collisions and touches in stretches of time, with one thread or several."""

    def __init__(self, figures: Figures, steps: Steps, threads: int) -> None:
        if threads < 1:
            raise InvalidInput(f"at least one thread is needed, not {threads}")
        self._figures, self._steps = struct_of_figures(figures), struct_of_steps(steps)
        self._rate_hz, self._threads = steps.rate_hz, threads
        self._desks: SimpleQueue[Desk] = SimpleQueue()
        for _ in range(threads):
            self._desks.put(furnish(figures, self._figures, self._steps, len(steps.kind)))

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
            block = desk.block
            lib.gb_check_lay_block(
                self._figures.c, self._steps.c, stretch.frame_from, stretch.frame_to, desk.table.c
            )  # fmt: skip
            present = np.flatnonzero(block.last >= block.first)
            boxes = block.box[present]
            begin_s, end_s = stretch.frame_from / self._rate_hz, stretch.frame_to / self._rate_hz
            near = nearby(stretch.setting, present, boxes, begin_s, end_s, len(block.first))
            return stretch, collisions_at(desk, stretch.setting, near), touches_at(desk, meetings(present, boxes))
        finally:
            self._desks.put(desk)


def collisions_at(desk: Desk, setting: Setting, near: Nearby) -> FloatArray:
    """Return rows of the collisions and departures in the block on a desk."""
    crowd, room, world, parts = desk.crowd.c, desk.room.c, setting.table.c, struct_of("gb_check_nearby", near)
    return all_rows(lambda rows: lib.gb_check_crowd_collisions(crowd, world, parts.c, room, rows))


def touches_at(desk: Desk, pairs: Int64Array) -> FloatArray:
    """Return rows of the touches of pairs (P, 2) of characters in the block on a desk."""
    crowd, room, met = desk.crowd.c, desk.room.c, pointer(pairs, "int64_t")
    return all_rows(lambda rows: lib.gb_check_crowd_touches(crowd, met, len(pairs), room, rows))


def furnish(figures: Figures, figure_table: Struct, steps: Struct, count: int) -> Desk:
    """Make one thread's working memory for a number of characters."""
    columns = int(figures.frames_per_step.max(initial=1)) * BLOCK_FRAMES + 1
    block = Block(
        first=np.empty(count, dtype=np.int64),
        last=np.empty(count, dtype=np.int64),
        row=np.empty((count, columns), dtype=np.int64),
        anchor=np.empty((count, columns, 4)),
        disc=np.empty((count, columns, 3)),
        box=np.empty((count, 4)),
    )
    capsules = int(np.diff(figures.capsule_first).max(initial=1))
    table = struct_of("gb_check_block", block, columns=columns)
    crowd = struct("gb_check_crowd", figures=figure_table, steps=steps, block=table)
    return Desk(block, table, crowd, work_room(capsules))


def meetings(present: Int64Array, boxes: FloatArray) -> Int64Array:
    """Return all pairs (P, 2) of present characters whose boxes meet, each in the order of their numbers."""
    shapes = shapely.box(*boxes.T)
    pairs = shapely.STRtree(shapes).query(shapes).T
    return np.ascontiguousarray(present[pairs[pairs[:, 0] < pairs[:, 1]]])


def tabulate_setting(world: World, frame_from: int, frame_to: int, rate_hz: float, depth_m: float) -> Setting:
    """Flatten the things of a world from one planning frame to another."""
    if world.terrain is not None:
        raise InvalidInput("crowds are judged on level ground; this world has terrain")
    things = tabulate_surroundings(world, frame_from / rate_hz, frame_to / rate_hz, depth_m)
    prisms, standing = things.prisms, len(world.obstacles)
    piece_thing = np.repeat(np.arange(len(prisms.reach)), np.diff(prisms.thing_piece))
    pose = prisms.pose_from[prisms.thing_span[piece_thing]]
    piece_pose = np.column_stack((pose[:, :2], np.cos(pose[:, 2]), np.sin(pose[:, 2])))
    tree = shapely.STRtree(shapely.box(*_boxes(prisms, piece_pose)[piece_thing < standing].T))
    names = tuple(thing.name for thing in (*world.obstacles, *world.movers))
    table = struct_of_surroundings(things)
    return Setting(frame_from, frame_to, names, things, table, standing, piece_thing, piece_pose, tree)


def nearby(setting: Setting, present: Int64Array, boxes: FloatArray, from_s: float, to_s: float, count: int) -> Nearby:
    """Return the parts of things that some of a number of characters may meet, as their boxes (N, 4) meet."""
    prisms = setting.things.prisms
    who, piece = setting.tree.query(shapely.box(*boxes.T))
    movers = _mover_boxes(prisms, setting.standing, from_s, to_s)
    meets = (boxes[:, None, :2] <= movers[:, 2:]) & (movers[:, :2] <= boxes[:, None, 2:])
    whom, mover = np.nonzero(meets.all(axis=2))
    moving = mover + setting.standing
    parts = np.concatenate((
        np.column_stack((setting.piece_thing[piece], piece, piece + 1)),
        np.column_stack((moving, prisms.thing_piece[moving], prisms.thing_piece[moving + 1])),
    ))  # fmt: skip
    owner = present[np.concatenate((who, whom))]
    order = np.lexsort((parts[:, 1], owner))
    first = np.searchsorted(owner[order], np.arange(count + 1))
    return Nearby(first, parts[order], setting.standing, setting.piece_pose)


def _mover_boxes(prisms: Prisms, standing: int, from_s: float, to_s: float) -> FloatArray:
    """Return boxes (M, 4: least x, y, greatest x, y) around the space that each mover covers from time to time."""
    thing = np.repeat(np.arange(len(prisms.reach)), np.diff(prisms.thing_span))
    spans = np.flatnonzero((thing >= standing) & (prisms.span_from <= to_s) & (prisms.span_to > from_s))
    begin, end, mover = prisms.span_from[spans], prisms.span_to[spans], thing[spans] - standing
    reach, boxes = prisms.reach[standing:, None], np.full((len(prisms.reach) - standing, 4), np.inf)
    for time in (np.maximum(begin, from_s), np.minimum(end, to_s)):
        share = ((time - begin) / (end - begin))[:, None]
        places = prisms.pose_from[spans, :2] + share * (prisms.pose_to - prisms.pose_from)[spans, :2]
        np.minimum.at(boxes, mover, np.concatenate((places, -places), axis=1))
    return np.concatenate((boxes[:, :2] - reach, reach - boxes[:, 2:]), axis=1)


def _boxes(prisms: Prisms, piece_pose: FloatArray) -> FloatArray:
    """Return the box (P, 4: least x, y, greatest x, y) of each piece at its thing's first place."""
    piece = np.repeat(np.arange(len(prisms.rounding)), np.diff(prisms.piece_corner))
    x, y, cosine, sine = piece_pose[piece].T
    east = x + cosine * prisms.corner_x - sine * prisms.corner_y
    corners = np.column_stack((east, y + sine * prisms.corner_x + cosine * prisms.corner_y))
    low = np.minimum.reduceat(corners, prisms.piece_corner[:-1]) - prisms.rounding[:, None]
    high = np.maximum.reduceat(corners, prisms.piece_corner[:-1]) + prisms.rounding[:, None]
    return np.column_stack((low, high))
