"""Coarse maps: rough ways to distant goals, in squares of 70 cm, around what nobody crosses [LK06 4.1, L09 4.6].

A square is not simply open or closed: fine cells, those of the world's own table, decide.  The *places* of a map are
the connected parts of open ground in each square, so that a doorway narrower than a square stays open, and
one goes from place to place where their fine cells have a side in common.  A fine cell is closed where even the
slimmest instant of an ordinary behavior would meet something there that no clip gets over or under.  What only
special clips cross (jumps, ducking, crawling) is found from their swept shapes: it is a *crossing*, and so is an
annotated obstacle that some behavior is for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.search.crossing import passable, slimmest_radius, thinnest
from gambol.search.kernels import coarse as kernels
from gambol.search.kernels import coarse_ways as ways
from gambol.world.table import Box, WorldTable, changed_boxes, compile_world, grown, only_obstacles_differ, window
from gambol.world.world import World

SQUARE_M = 0.7  # [LK06 4.1]
COST_M = 0.01  # a whole number of this is what a way costs
ROOMY_M = 1.0  # nearer to what is closed, ways are dearer
TIGHT, STEEP, CROSSING = 1.0, 2.0, 2.0  # how much dearer a metre is with no room, on steep ground, in a crossing
MOST_SLOPE_M = 50.0  # that rise and fall count for on the way to a neighbour: dear enough to go around
MARKED_M = 2.8  # what is less far before a crossing or a goal is marked: four squares
ASIDE_M = 2.0  # within which a roomier place is looked for to cross something
ONWARD_M = 2.1  # over which the direction of a route is taken
NEAREST_M = 2.0  # who stands in a closed cell is where the nearest open one is, if not farther off
FAR = int(kernels.FAR)


@dataclass(frozen=True, eq=False)
class Route:
    """A rough way as K points, the start first and the goal last."""

    points: NDArray[np.float64]  # (K, 2)
    along_m: NDArray[np.float64]  # (K,) metres from the start
    is_crossing: NDArray[np.bool_]  # (K,) where an upright mover would collide
    is_marked: NDArray[np.bool_]  # (K,) just before a crossing, or just before the goal, which itself is not
    over: NDArray[np.float64]  # (K, 2) in a crossing: the roomiest point nearby to cross at; else the point itself
    across: NDArray[np.float64]  # (K, 2) in a crossing: straight over or under it, onward; 0 where that is unknown
    places: NDArray[np.int32]  # (K,) of the map

    @property
    def length_m(self) -> float:
        return float(self.along_m[-1])

    def ahead(self, distance_m: float) -> int:
        """Return the number of the point, of those outside crossings, that is closest to a distance along the route."""
        away = np.abs(self.along_m - distance_m)
        away[self.is_crossing] = np.inf
        away[0] = np.inf
        return int(np.argmin(away)) if np.isfinite(away).any() else len(away) - 1

    def onward(self, number: int) -> float:
        """Return the direction from a point of the route to one some squares on."""
        later = np.flatnonzero(self.along_m >= self.along_m[number] + ONWARD_M)
        x, y = self.points[later[0] if len(later) else -1] - self.points[number]
        return math.atan2(y, x)


@dataclass(frozen=True, eq=False)
class CoarseField:
    """The ways from everywhere to one goal: good for any number of starts."""

    coarse: CoarseMap
    goal: tuple[float, float]
    cost: NDArray[np.int32]  # (P,) of the way from each place, in COST_M; FAR where there is none
    onward: NDArray[np.int32]  # (P,) place to go to next

    def route(self, x: float, y: float) -> Route | None:
        """Return the way from a point, or None if there is none."""
        place = self.coarse.place_at(x, y)
        if place < 0 or self.cost[place] == FAR:
            return None
        places = [place]
        while self.onward[places[-1]] >= 0:
            places.append(int(self.onward[places[-1]]))
        return _route(self.coarse, (x, y), self.goal, np.array(places, dtype=np.int32))


@dataclass(frozen=True, eq=False)
class CoarseMap:
    """P places in squares, and W ways between neighbouring ones."""

    x0: float
    y0: float
    fine_m: float
    square_m: float
    place_of: NDArray[np.int32]  # (rows, columns) of fine cells, -1 where closed
    point: NDArray[np.float64]  # (P, 2) the roomiest in each place
    height_m: NDArray[np.float64]  # (P,) of the ground there
    room_m: NDArray[np.float64]  # (P,) distance to what is closed, at most ROOMY_M
    crossing: NDArray[np.int32]  # (P,) obstacle that is crossed there, -1: none
    roomiest: NDArray[np.int32]  # (P,) in a crossing: the place nearby to cross at, by room; else the place itself
    across: NDArray[np.float64]  # (O, 2) direction in which an obstacle is thinnest, 0 where that is any or unknown
    first_way: NDArray[np.int64]  # (P + 1,)
    to: NDArray[np.int32]  # (W,) neighbour
    cost: NDArray[np.int32]  # (W,) of coming from the neighbour, in COST_M

    def __len__(self) -> int:
        return len(self.point)

    def place_at(self, x: float, y: float) -> int:
        """Return the place at a point or, where that is closed, the nearest one; -1 if that is far or outside."""
        rows, columns = self.place_of.shape
        column, row = math.floor((x - self.x0) / self.fine_m), math.floor((y - self.y0) / self.fine_m)
        if 0 <= row < rows and 0 <= column < columns and self.place_of[row, column] >= 0:
            return int(self.place_of[row, column])
        around = math.ceil(NEAREST_M / self.fine_m)
        bottom, left = max(0, row - around), max(0, column - around)
        near = self.place_of[bottom : max(0, row + around + 1), left : max(0, column + around + 1)]
        found = np.argwhere(near >= 0)
        if not len(found):
            return -1
        away = ((found + (bottom - row, left - column)) ** 2).sum(axis=1)
        return int(near[tuple(found[np.argmin(away)])])

    def field(
        self,
        x: float,
        y: float,
        *,
        climb_cost: float = 0.0,
        descend_cost: float = 0.0,
        extra_m: NDArray[np.float64] | None = None,
    ) -> CoarseField | None:
        """Return the ways from everywhere to a point; None if no place is near it.

        climb_cost, descend_cost: metres that a metre of rise and fall count for, but no way for more than MOST_SLOPE_M.
        extra_m (P,): metres that being in a place counts for beside its own way.
        """
        return self._spread(x, y, -1, climb_cost, descend_cost, extra_m)

    def route(self, start: tuple[float, float], goal: tuple[float, float]) -> Route | None:
        """Return the way between two points, looking no farther than needed; None if there is none."""
        place = self.place_at(*start)
        field = self._spread(*goal, place, 0.0, 0.0, None) if place >= 0 else None
        return None if field is None else field.route(*start)

    def _spread(
        self,
        x: float,
        y: float,
        stop_at: int,
        climb_cost: float,
        descend_cost: float,
        extra_m: NDArray[np.float64] | None,
    ) -> CoarseField | None:
        source = self.place_at(x, y)
        if source < 0:
            return None
        cost = self.cost
        if climb_cost > 0.0 or descend_cost > 0.0:
            here = np.repeat(np.arange(len(self)), np.diff(self.first_way))
            rise = self.height_m[here] - self.height_m[self.to]
            slope = climb_cost * np.maximum(rise, 0.0) + descend_cost * np.maximum(-rise, 0.0)
            cost = cost + np.round(np.minimum(slope, MOST_SLOPE_M) / COST_M).astype(np.int32)
        extra = np.zeros(len(self), np.int32) if extra_m is None else np.round(extra_m / COST_M).astype(np.int32)
        distance, onward = np.empty(len(self), np.int32), np.empty(len(self), np.int32)
        ways.spread(self.first_way, self.to, cost, extra, source, stop_at, distance, onward)
        return CoarseField(self, (x, y), distance, onward)


_KNOWN: WeakKeyDictionary[World, WeakKeyDictionary[Character, CoarseMap]] = WeakKeyDictionary()


def coarse_map(world: World, character: Character, *, like: World | None = None) -> CoarseMap:
    """Return the coarse map of a world for a character, worked out once.

    like: a world that may differ in a few obstacles: if it was asked about in this way too, less is worked out.
    """
    of_world = _KNOWN.setdefault(world, WeakKeyDictionary())
    if character not in of_world:
        table = compile_world(world, like=like)
        free, crossed = passable(world, character, table)
        before = None if like is None or not only_obstacles_differ(like, world) else _known_cells(like, character)
        boxes = None if before is None or like is None else changed_boxes(like, world)
        cells = _sort_cells(table, slimmest_radius(character), free, crossed, before, boxes)
        of_world[character] = _survey(world, character, cells, crossed)
        if like is not None:
            _CELLS[of_world[character]] = cells
    return of_world[character]


class _Cells(NamedTuple):
    """The fine cells (rows, columns) of a world, and the places that they make up."""

    room: NDArray[np.float64]  # metres to what nobody crosses and to the bounds, at most ROOMY_M
    kind: NDArray[np.int32]  # OPEN, CLOSED or the obstacle that is crossed there
    place_of: NDArray[np.int32]  # -1 where closed
    row: NDArray[np.int32]  # (P,) of the cell where a place is roomiest
    column: NDArray[np.int32]  # (P,)
    first_of: NDArray[np.int64]  # (S + 1,) place of each square


_CELLS: WeakKeyDictionary[CoarseMap, _Cells] = WeakKeyDictionary()


def _known_cells(world: World, character: Character) -> _Cells | None:
    of_world = _KNOWN.get(world)
    coarse = None if of_world is None else of_world.get(character)
    return None if coarse is None else _CELLS.get(coarse)


def _sort_cells(
    table: WorldTable,
    slimmest_m: float,
    free: NDArray[np.bool_],
    crossed: NDArray[np.bool_],
    before: _Cells | None,
    boxes: list[Box] | None,
) -> _Cells:
    """Return the cells and places of a world: from those before, where only what is in some boxes has changed."""
    grid, shape = (table.x0, table.y0, table.cell_m), table.clearance.shape
    block = _block(table)
    squares = (-(-shape[0] // block), -(-shape[1] // block))
    is_new = np.full(squares, before is None)
    if before is None or boxes is None:
        room, kind = np.empty(shape), np.empty(shape, np.int32)
        windows = [(0, 0, *shape)]
        known = np.empty(0, np.int32), np.empty(0, np.int32), np.zeros(1, np.int64), np.empty((0, 0), np.int32)
    else:
        room, kind = before.room.copy(), before.kind.copy()
        windows = [window(grown(box, ROOMY_M), *grid, shape) for box in boxes]
        known = before.row, before.column, before.first_of, before.place_of
    for part in windows:
        size = part[2] - part[0], part[3] - part[1]
        to_closed, to_crossing = np.full(size, ROOMY_M), np.full(size, math.inf)
        nearest = np.full(size, kernels.OPEN, np.int32)
        closed = np.flatnonzero(~free & ~crossed)
        kernels.approach(table.pieces, closed, ROOMY_M, *grid, part, to_closed, np.empty(size, np.int32))
        kernels.approach(table.pieces, np.flatnonzero(crossed), slimmest_m, *grid, part, to_crossing, nearest)
        kernels.tell_kinds(table.bounds, *grid, part, slimmest_m, to_closed, to_crossing, nearest, room, kind)
        is_new[part[0] // block : -(-part[2] // block), part[1] // block : -(-part[3] // block)] = True
    place_of = np.empty(shape, np.int32)
    row, column, first_of = kernels.gather_places(kind, room, block, is_new.ravel(), known, place_of)
    return _Cells(room, kind, place_of, row, column, first_of)


def _block(table: WorldTable) -> int:
    """Return how many fine cells there are along a square."""
    return max(1, round(SQUARE_M / table.cell_m))


def _route(
    coarse: CoarseMap, start: tuple[float, float], goal: tuple[float, float], places: NDArray[np.int32]
) -> Route:
    """Return the route over places; the points of the first and the last give way to the start and the goal."""
    if len(places) == 1:
        places = np.repeat(places, 2)
    points = coarse.point[places]
    points[0], points[-1] = start, goal
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    crossing = coarse.crossing[places] >= 0
    crossing[0] = crossing[-1] = False
    marked = along >= along[-1] - MARKED_M
    for at in np.flatnonzero(crossing):
        marked |= (along < along[at]) & (along >= along[at] - MARKED_M)
    marked &= ~crossing
    marked[-1] = False
    across = (
        np.where(crossing[:, None], coarse.across[np.maximum(coarse.crossing[places], 0)], 0.0)
        if len(coarse.across)
        else np.zeros((len(places), 2))
    )
    over = np.where(crossing[:, None], coarse.point[coarse.roomiest[places]], points)
    return Route(points, along, crossing, marked, over, _turned_onward(points, across), places)


def _turned_onward(points: NDArray[np.float64], across: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return directions turned to where the points lead."""
    onward = (
        points[np.minimum(np.arange(len(points)) + 2, len(points) - 1)]
        - points[np.maximum(np.arange(len(points)) - 2, 0)]
    )
    return across * np.where((across * onward).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]


def _survey(world: World, character: Character, cells: _Cells, crossed: NDArray[np.bool_]) -> CoarseMap:
    table, block = compile_world(world), _block(compile_world(world))
    across = np.zeros((len(world.obstacles), 2))
    for piece in np.flatnonzero(crossed):
        across[table.pieces.obstacle[piece]] = thinnest(table.pieces, int(piece))[1:]
    row, column = cells.row, cells.column
    room, kind = cells.room[row, column], cells.kind[row, column]
    first, there = _neighbours(cells, kind, block)
    middles = np.stack((column, row), axis=1).astype(np.float64) + 0.5
    point = np.array((table.x0, table.y0)) + table.cell_m * middles
    dearer = TIGHT * (1.0 - room / ROOMY_M) + CROSSING * (kind >= 0)
    dearer += STEEP * _is_steep(table, character, point)
    return CoarseMap(
        x0=table.x0,
        y0=table.y0,
        fine_m=table.cell_m,
        square_m=block * table.cell_m,
        place_of=cells.place_of,
        point=point,
        height_m=np.zeros(len(point)) if world.terrain is None else world.terrain.height(point),
        room_m=room,
        crossing=np.maximum(kind, -1),
        roomiest=ways.roomiest_nearby(point, room, kind, ASIDE_M),
        across=across,
        first_way=first,
        to=there,
        cost=ways.way_costs(first, there, point, dearer, COST_M),
    )


def _neighbours(cells: _Cells, kind: NDArray[np.int32], block: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the neighbours of places, in order, across sides, and across corners in the open: first of each, all."""
    columns = -(-cells.room.shape[1] // block)
    square = (cells.row // block) * columns + cells.column // block
    here, there = kernels.side_ways(cells.place_of, block, cells.first_of)
    is_open = (kind[here] < 0) & (kind[there] < 0)
    sides = ways.in_order(here[is_open], there[is_open], len(kind))
    corners = ways.corner_ways(*sides, square, columns)
    return ways.in_order(np.concatenate((here, corners[0])), np.concatenate((there, corners[1])), len(kind))


def _is_steep(table: WorldTable, character: Character, point: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell where the ground rises more in some direction than any behavior may."""
    if not table.ground.has_terrain:
        return np.zeros(len(point), bool)
    rows, columns = table.ground.steepness.shape[1:]
    column = np.clip(((point[:, 0] - table.ground.x0) / table.ground.cell_m).astype(np.int64), 0, columns - 1)
    row = np.clip(((point[:, 1] - table.ground.y0) / table.ground.cell_m).astype(np.int64), 0, rows - 1)
    return table.ground.steepness[0, row, column] > max(one.slopes[1] for one in character.behaviors)
