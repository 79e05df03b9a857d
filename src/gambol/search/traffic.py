"""Traffic: everything that moves, laid out by time and place."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.characters.step import Step, check_steps, clip_of
from gambol.core import Struct, struct_of
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray, GrowingArray, Int64Array
from gambol.search.mover_layout import lay_out
from gambol.search.movers import Movers
from gambol.search.traffic_cells import NEVER, TrafficCells
from gambol.search.traffic_table import FIRST_SLOT, GONE_AFTER, RECORD_COLUMNS, THING_COLUMNS, TrafficTable
from gambol.world.world import Footprint, Mover, World

ANY_HEIGHT_M = 1e9  # a footprint's heights are those of the mover at the frame


class Outline(NamedTuple):
    """What holds some shapes: a circle each, in its own frame, and heights."""

    centre: FloatArray  # (N, 2)
    radius: FloatArray  # (N,)
    low: FloatArray  # (N,)
    high: FloatArray  # (N,)


class ShapeLibrary:
    """Shapes as ranges of prisms, prisms as ranges of corners."""

    def __init__(self) -> None:
        self.shape_prisms = GrowingArray(np.int64, 2)
        self.prisms = GrowingArray(np.float64, 3)
        self.prism_corners = GrowingArray(np.int64, 2)
        self.corner_x = GrowingArray(np.float64)
        self.corner_y = GrowingArray(np.float64)
        self._of_clip: dict[int, tuple[int, Clip, Outline]] = {}  # by identity; the clip is kept alive for that

    def copy(self) -> ShapeLibrary:
        twin = copy.copy(self)
        for name in ("shape_prisms", "prisms", "prism_corners", "corner_x", "corner_y"):
            setattr(twin, name, getattr(self, name).copy())
        twin._of_clip = dict(self._of_clip)
        return twin

    def clip(self, clip: Clip) -> tuple[int, Outline]:
        """Return the shape of a clip's first instant, which those of the others follow, and what holds them."""
        known = self._of_clip.get(id(clip))
        if known is None:
            known = self._of_clip[id(clip)] = (len(self.shape_prisms), clip, self._add_clip(clip))
        return known[0], known[2]

    def _add_clip(self, clip: Clip) -> Outline:
        shape = clip.shape
        there = shape.high > shape.low  # not a part that the figure lacks
        self._add(
            there.sum(axis=1),
            np.stack((shape.radius[there], shape.low[there], shape.high[there]), axis=1),
            np.ones(int(there.sum()), dtype=np.int64),
            shape.offset[there],
        )
        return Outline(np.zeros((len(there), 2)), shape.outer_radius, shape.lowest, shape.highest)

    def footprints(self, footprints: Sequence[Footprint]) -> tuple[Int64Array, Outline]:
        """Add footprints, the pieces of each as one shape of any height; return the shapes and what holds them."""
        count, added = len(footprints), len(self.shape_prisms)
        pieces = [piece for footprint in footprints for piece in footprint.pieces]
        corners = np.concatenate([piece.corners for piece in pieces])
        counts = np.array([len(piece.corners) for piece in pieces])
        sizes = np.array([len(footprint.pieces) for footprint in footprints])
        radii = np.array([piece.radius_m for piece in pieces])
        spans = np.broadcast_to((-ANY_HEIGHT_M, ANY_HEIGHT_M), (len(pieces), 2))
        self._add(sizes, np.column_stack((radii, spans)), counts, corners)
        ends = np.cumsum(counts)[np.cumsum(sizes) - 1]  # one past the last corner of each footprint
        starts, owner = np.concatenate(([0], ends[:-1])), np.repeat(np.arange(count), np.diff(ends, prepend=0))
        round_corner = np.repeat(radii, counts)
        low = np.minimum.reduceat(corners - round_corner[:, None], starts)
        centre = 0.5 * (low + np.maximum.reduceat(corners + round_corner[:, None], starts))
        radius = np.maximum.reduceat(np.linalg.norm(corners - centre[owner], axis=1) + round_corner, starts)
        outline = Outline(centre, radius, np.full(count, -ANY_HEIGHT_M), np.full(count, ANY_HEIGHT_M))
        return added + np.arange(count), outline

    def _add(self, shape_sizes: NDArray, prisms: FloatArray, prism_sizes: NDArray, corners: FloatArray) -> None:
        self.shape_prisms.append(_ranges(shape_sizes, len(self.prisms)))
        self.prism_corners.append(_ranges(prism_sizes, len(self.corner_x)))
        self.prisms.append(prisms)
        self.corner_x.append(corners[:, 0])
        self.corner_y.append(corners[:, 1])


def _ranges(sizes: NDArray, first: int) -> NDArray[np.int64]:
    """Return consecutive ranges (N, 2) of the given sizes."""
    ends = first + np.cumsum(sizes)
    return np.stack((ends - sizes, ends), axis=1)


DEFAULT_RATE_HZ = 30.0
DEFAULT_HORIZON_S = 120.0


class Traffic:
    """Movers and the bodies of characters already planned, frame by frame.

    Time 0 is frame 0.  A thing's frame stands for the time from half a frame before to half a frame
    after.  A body stands where it sets out before its first step, and stays where it arrives after its
    last.  What never comes to rest is laid out to a horizon, and after that nothing is known to be free.
    """

    def __init__(self, *, rate_hz: float, horizon_frames: int) -> None:
        if not (np.isfinite(rate_hz) and rate_hz > 0.0):
            raise InvalidInput(f"a rate must be positive, not {rate_hz}")
        if horizon_frames < 0:
            raise InvalidInput(f"a horizon must not be negative, not {horizon_frames}")
        self.rate_hz = float(rate_hz)
        self.horizon_frames = int(horizon_frames)
        self.names: list[str] = []  # of the things, by number
        self._is_endless = False
        self._last_change = 0
        self._things = GrowingArray(np.int64, THING_COLUMNS)
        self._slots = GrowingArray(np.int64, 2)
        self._records = GrowingArray(np.float64, RECORD_COLUMNS)
        self._record_shapes = GrowingArray(np.int64)
        self._shapes = ShapeLibrary()
        self._cells = TrafficCells()
        self._movers: Movers | None = None  # of a world, placed when they are asked for
        self._laid_out: tuple[int, Struct] | None = None  # number of things, and all of them as the core reads them

    @classmethod
    def of(cls, world: World, *, rate_hz: float = DEFAULT_RATE_HZ, horizon_s: float = DEFAULT_HORIZON_S) -> Traffic:
        """Return the traffic of a world's own movers, which are placed when they are asked for."""
        return traffic_of(world, rate_hz=rate_hz, horizon_s=horizon_s).copy()

    def copy(self) -> Traffic:
        """Return a traffic that grows on its own."""
        twin = Traffic(rate_hz=self.rate_hz, horizon_frames=self.horizon_frames)
        twin.names = list(self.names)
        twin._is_endless, twin._last_change = self._is_endless, self._last_change
        twin._things, twin._slots = self._things.copy(), self._slots.copy()
        twin._records, twin._record_shapes = self._records.copy(), self._record_shapes.copy()
        twin._shapes, twin._cells = self._shapes.copy(), self._cells.copy()
        twin._movers = self._movers
        return twin

    def _add_movers(self, movers: Sequence[Mover]) -> None:
        """Add a world's movers to an empty traffic, those last that are too large or too fast for lists."""
        shapes, outline = self._shapes.footprints([mover.footprint for mover in movers])
        circles = np.column_stack((outline.centre, outline.radius))
        known = self._known(movers, shapes, circles)
        if known.is_wide.any():
            listed = np.flatnonzero(~known.is_wide).tolist()
            for number in np.flatnonzero(known.is_wide).tolist():
                self.add_mover(movers[number])
            if not listed:
                return
            known = self._known([movers[number] for number in listed], shapes[listed], circles[listed])
        known.make_room()
        self._movers, spans = known, known.spans
        self.names += [mover.name for mover in known.movers]
        gone_after = np.full(len(known.things), NEVER)
        self._things.append(
            np.column_stack((spans["first"], spans["last"], -1 - np.arange(len(known.things)), gone_after))
        )
        for number in np.flatnonzero((spans["first"] > 0) | (spans["is_endless"] == 0)):
            self._enter_at_rest(known, int(number))
        self._is_endless |= bool(spans["is_endless"].any())
        self._last_change = max(self._last_change, int(spans["last"].max()))

    def _known(self, movers: Sequence[Mover], shapes: Int64Array, outline: FloatArray) -> Movers:
        things = len(self.names) + np.arange(len(movers))
        return Movers(movers, things, shapes, outline, self.rate_hz, self.horizon_frames)

    def _enter_at_rest(self, known: Movers, number: int) -> None:
        first, last = int(known.spans["first"][number]), int(known.spans["last"][number])
        thing = int(known.things[number])
        if first > 0:
            records = known.records(number, first)
            self._cells.enter_resting(thing, records, np.array([[0, len(records)]]), before=first)
        if not known.spans["is_endless"][number]:
            records = known.records(number, last)
            self._cells.enter_resting(thing, records, np.array([[0, len(records)]]), after=last)

    def lay_out(self, first_frame: int, last_frame: int) -> None:
        """List what moves at some frames, so that look-ups then are fast."""
        if self._movers is not None:
            self._movers.lay_out(first_frame, last_frame)

    def held(self) -> AbstractContextManager[None]:
        """Hold what a search needs to lay out what moves."""
        return nullcontext() if self._movers is None else self._movers.held()

    def add_mover(self, mover: Mover, *, stays: bool = True) -> int:
        """Add a mover and return its number; one that does not stay is gone at the end of its trajectory."""
        layout = lay_out(
            mover.trajectory, reach_m=mover.footprint.reach_m, rate_hz=self.rate_hz, horizon=self.horizon_frames
        )
        (shape,), outline = self._shapes.footprints([mover.footprint])
        return self._add(
            mover.name,
            layout.frames,
            _records(outline, layout.poses, layout.heights, layout.growth),
            np.full(len(layout.frames), shape),
            is_endless=stays and layout.is_endless,
            stays=stays,
        )

    def add_body(self, character: Character, steps: Sequence[Step], *, name: str) -> int:
        """Add a character that plays some steps, which stays after the last of them; return its number.

        At the frame where two clips meet, the last instant of the one and the first of the next both count.
        """
        if abs(character.planning_rate_hz - self.rate_hz) > 1e-6:
            raise InvalidInput(
                f"{name!r}: a character of {self.rate_hz:g} planning frames a second expected, "
                f"{character.name!r} has {character.planning_rate_hz:g}"
            )
        check_steps(character, steps)
        if steps[0].frame < 0:
            raise InvalidInput(f"{name!r}: steps begin at frame 0 or later, not at {steps[0].frame}")
        clips = [clip_of(character, step) for step in steps]
        shapes, outlines = zip(*(self._shapes.clip(clip) for clip in clips), strict=True)
        counts = np.array([clip.duration + 1 for clip in clips])
        instants = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        starts = np.repeat(np.array([step.pose for step in steps]), counts, axis=0)
        poses = planar.compose(starts, np.concatenate([clip.path for clip in clips]))
        outline = Outline(*(np.concatenate(column) for column in zip(*outlines, strict=True)))
        return self._add(
            name,
            np.repeat([step.frame for step in steps], counts) + instants,
            _records(outline, poses, np.stack((outline.low, outline.high), axis=1), np.zeros(len(poses))),
            np.repeat(shapes, counts) + instants,
            is_endless=False,
        )

    def add_standing(self, character: Character, step: Step, *, name: str, until_frame: int | None = None) -> int:
        """Add who holds the first instant of a step, from frame 0 to another or for ever; return its number."""
        clip = clip_of(character, step)
        shape, outlines = self._shapes.clip(clip)
        outline = Outline(*(column[:1] for column in outlines))
        heights = np.stack((outline.low, outline.high), axis=1)
        record = _records(outline, np.array([step.pose]), heights, np.zeros(1))
        count = 1 if until_frame is None else max(until_frame, 0) + 1
        return self._add(
            name, np.arange(count), np.repeat(record, count, axis=0), np.full(count, shape),
            is_endless=False, stays=until_frame is None,
        )  # fmt: skip

    def remove(self, thing: int) -> None:
        """Take a thing out; its number is not used again, and its place in the tables stays taken."""
        first, last, slot, _ = self._things.rows[thing]
        if slot < 0:
            self._things.rows[thing, GONE_AFTER] = -1
        else:
            self._slots.rows[slot : slot + last - first + 1] = 0

    def _add(
        self,
        name: str,
        frames: Int64Array,
        records: FloatArray,
        shapes: Int64Array,
        *,
        is_endless: bool,
        stays: bool = True,
    ) -> int:
        """Add a thing: its records in the order of their frames, at least one at each from first to last.

        stays: it rests after the last; otherwise it is gone.
        """
        thing, first, last = len(self.names), int(frames[0]), int(frames[-1])
        self.names.append(name)
        self._things.append([(first, last, len(self._slots), NEVER if stays else last)])
        slots = self._add_slots(thing, frames, records, shapes)
        if first > 0:
            self._cells.enter_resting(thing, self._records.rows, slots[:1], before=first)
        if stays and not is_endless:
            self._cells.enter_resting(thing, self._records.rows, slots[-1:], after=last)
        self._is_endless |= is_endless
        self._last_change = max(self._last_change, last)
        return thing

    def _add_slots(self, thing: int, frames: Int64Array, records: FloatArray, shapes: Int64Array) -> Int64Array:
        """Add the slots of a thing that moves, and return them."""
        first, last = int(frames[0]), int(frames[-1])
        starts = np.searchsorted(frames, np.arange(first, last + 2)) + len(self._records)
        slots = np.stack((starts[:-1], starts[1:]), axis=1)
        self._slots.append(slots)
        self._records.append(records)
        self._record_shapes.append(shapes)
        self._cells.enter_moving(thing, self._records.rows, slots, first)
        return slots

    @property
    def table(self) -> TrafficTable:
        """What kernels read, all of it laid out; it is out of date after the next addition."""
        return self._table() if self._movers is None else self._with_slots(self._movers)._table()

    def _with_slots(self, known: Movers) -> Traffic:
        """Return a copy in which a world's movers have slots as all other things have."""
        twin = self.copy()
        twin._movers = None
        for number, (thing, mover) in enumerate(zip(known.things.tolist(), known.movers, strict=True)):
            layout = lay_out(
                mover.trajectory, reach_m=mover.footprint.reach_m, rate_hz=self.rate_hz, horizon=self.horizon_frames
            )
            outline = Outline(known.outline[number, None, :2], known.outline[number, None, 2], *np.zeros((2, 1)))
            records = _records(outline, layout.poses, layout.heights, layout.growth)
            row = twin._things.rows[thing]
            row[FIRST_SLOT] = len(twin._slots)
            twin._add_slots(thing, layout.frames, records, np.full(len(records), known.shapes[number]))
            if row[GONE_AFTER] < 0:
                twin.remove(thing)
        return twin

    def _table(self) -> TrafficTable:
        shapes, cells = self._shapes, self._cells
        return TrafficTable(
            things=self._things.rows,
            slots=self._slots.rows,
            records=self._records.rows,
            record_shapes=self._record_shapes.rows,
            shape_prisms=shapes.shape_prisms.rows,
            prisms=shapes.prisms.rows,
            prism_corners=shapes.prism_corners.rows,
            corner_x=shapes.corner_x.rows,
            corner_y=shapes.corner_y.rows,
            cells=cells.cells,
            entries=cells.entries.rows,
            marks=cells.marks,
            horizon=self.horizon_frames,
            is_endless=self._is_endless,
            last_change=self._last_change,
            has_giants=cells.has_giants,
        )

    @property
    def struct(self) -> Struct:
        """What the core reads, laid out anew when something has been added."""
        if self._laid_out is None or self._laid_out[0] != len(self.names):
            table, movers = self._table(), None if self._movers is None else self._movers.core
            rows = {"cell_rows": len(table.cells), "mark_rows": len(table.marks)}
            self._laid_out = len(self.names), struct_of("gb_traffic", table, **rows, movers=movers)
        return self._laid_out[1]

    @property
    def is_empty(self) -> bool:
        return not self.names

    @property
    def is_endless(self) -> bool:
        """Whether anything still moves after the horizon."""
        return self._is_endless

    @property
    def last_change_frame(self) -> int:
        """The frame after which nothing moves any more; the horizon if something never stops."""
        return self._last_change

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the arrays use."""
        shapes = self._shapes
        arrays = (
            self._things, self._slots, self._records, self._record_shapes, self._cells, shapes.shape_prisms,
            shapes.prisms, shapes.prism_corners, shapes.corner_x, shapes.corner_y,
        )  # fmt: skip
        return sum(array.nbytes for array in arrays) + (0 if self._movers is None else self._movers.nbytes)


_KNOWN: WeakKeyDictionary[World, dict[tuple[float, int], Traffic]] = WeakKeyDictionary()


def traffic_of(world: World, *, rate_hz: float = DEFAULT_RATE_HZ, horizon_s: float = DEFAULT_HORIZON_S) -> Traffic:
    """Return the traffic of a world's own movers, kept and shared: nothing may be added to it."""
    horizon = int(np.ceil(horizon_s * rate_hz))
    known = _KNOWN.setdefault(world, {})
    if (rate_hz, horizon) not in known:
        made = Traffic(rate_hz=rate_hz, horizon_frames=horizon)
        if world.movers:
            made._add_movers(world.movers)
        known[rate_hz, horizon] = made
    return known[rate_hz, horizon]


def _records(outline: Outline, poses: FloatArray, heights: FloatArray, growth: FloatArray) -> FloatArray:
    """Return rows of `TrafficTable.records` for shapes placed at poses (N, 3)."""
    cosine, sine = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    centre = planar.apply(poses, np.broadcast_to(outline.centre, (len(poses), 2)))
    return np.column_stack((centre, outline.radius + growth, heights, poses[:, :2], cosine, sine, growth))
