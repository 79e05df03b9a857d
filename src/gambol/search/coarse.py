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
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.core import Struct, lib, pointer, struct
from gambol.search.coarse_cells import ROOMY_M, Cells, neighbours, sort_cells
from gambol.search.crossing import passable, slimmest_radius, thinnest
from gambol.world.changes import changed_boxes, only_obstacles_differ
from gambol.world.standing import Ground, standing
from gambol.world.world import World

COST_M = 0.01  # a whole number of this is what a way costs
TIGHT, STEEP, CROSSING = 1.0, 2.0, 2.0  # how much dearer a metre is with no room, on steep ground, in a crossing
MOST_SLOPE_M = 50.0  # that rise and fall count for on the way to a neighbour: dear enough to go around
MARKED_M = 2.8  # what is less far before a crossing or a goal is marked: four squares
ASIDE_M = 2.0  # within which a roomier place is looked for to cross something
ONWARD_M = 2.1  # over which the direction of a route is taken
NEAREST_M = 2.0  # who stands in a closed cell is where the nearest open one is, if not farther off
FAR = int(lib.GB_COARSE_FAR)


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

    @cached_property
    def core(self) -> Struct:
        """The map as the core reads it."""
        rows, columns = self.place_of.shape
        return struct(
            "gb_coarse",
            x0=self.x0,
            y0=self.y0,
            fine_m=self.fine_m,
            square_m=self.square_m,
            rows=rows,
            columns=columns,
            places=len(self),
            place_of=self.place_of,
            point=self.point,
            height=self.height_m,
            room=self.room_m,
            crossing=self.crossing,
            roomiest=self.roomiest,
            across=self.across,
            first_way=self.first_way,
            to=self.to,
            cost=self.cost,
        )

    def place_at(self, x: float, y: float) -> int:
        """Return the place at a point or, where that is closed, the nearest one; -1 if that is far or outside."""
        return lib.gb_coarse_place_at(self.core.c, x, y, NEAREST_M)

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
        extra = None if extra_m is None else np.round(extra_m / COST_M).astype(np.int32)
        distance, onward = np.empty(len(self), np.int32), np.empty(len(self), np.int32)
        ways = self._ways(cost, extra, distance, onward)
        lib.gb_coarse_ways_begin(self.core.c, ways.c, source)
        lib.gb_coarse_ways_spread(self.core.c, ways.c, stop_at)
        return CoarseField(self, (x, y), distance, onward)

    def _ways(
        self,
        cost: NDArray[np.int32],
        extra: NDArray[np.int32] | None,
        distance: NDArray[np.int32],
        onward: NDArray[np.int32],
    ) -> Struct:
        """Return ways to be spread, with room for all that waits."""
        dearest = int(cost.max(initial=1)) + (0 if extra is None else int(extra.max(initial=0)))
        buckets = np.empty(1 << (dearest + 1).bit_length(), np.int32)
        return struct(
            "gb_coarse_ways",
            cost=cost,
            extra=extra,
            distance=distance,
            onward=onward,
            bucket_count=len(buckets),
            buckets=buckets,
            waiting=np.empty(len(cost) + 1, np.int32),
            after=np.empty(len(cost) + 1, np.int32),
            level=0,
            entries=0,
            left=0,
        )


_KNOWN: WeakKeyDictionary[World, WeakKeyDictionary[Character, CoarseMap]] = WeakKeyDictionary()


def coarse_map(world: World, character: Character, *, like: World | None = None) -> CoarseMap:
    """Return the coarse map of a world for a character, worked out once.

    like: a world that may differ in a few obstacles: if it was asked about in this way too, less is worked out.
    """
    of_world = _KNOWN.setdefault(world, WeakKeyDictionary())
    if character not in of_world:
        stands = standing(world)
        free, crossed = passable(world, character, stands)
        before = None if like is None or not only_obstacles_differ(like, world) else _known_cells(like, character)
        boxes = None if before is None or like is None else changed_boxes(like, world)
        cells = sort_cells(stands, slimmest_radius(character), free, crossed, before, boxes)
        of_world[character] = _survey(world, character, cells, crossed)
        if like is not None:
            _CELLS[of_world[character]] = cells
    return of_world[character]


_CELLS: WeakKeyDictionary[CoarseMap, Cells] = WeakKeyDictionary()


def _known_cells(world: World, character: Character) -> Cells | None:
    of_world = _KNOWN.get(world)
    coarse = None if of_world is None else of_world.get(character)
    return None if coarse is None else _CELLS.get(coarse)


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


def _survey(world: World, character: Character, cells: Cells, crossed: NDArray[np.bool_]) -> CoarseMap:
    stands, (x0, y0, cell_m, _, _) = standing(world), standing(world).cells
    across = np.zeros((len(world.obstacles), 2))
    across[stands.pieces.obstacle[crossed]] = thinnest(stands.pieces)[1][crossed]
    row, column = cells.row, cells.column
    room, kind = cells.room[row, column], cells.kind[row, column]
    first, there = neighbours(cells, kind)
    middles = np.stack((column, row), axis=1).astype(np.float64) + 0.5
    point = np.array((x0, y0)) + cell_m * middles
    dearer = TIGHT * (1.0 - room / ROOMY_M) + CROSSING * (kind >= 0)
    dearer += STEEP * _is_steep(stands.ground, character, point)
    return CoarseMap(
        x0=x0,
        y0=y0,
        fine_m=cell_m,
        square_m=cells.block * cell_m,
        place_of=cells.place_of,
        point=point,
        height_m=np.zeros(len(point)) if world.terrain is None else world.terrain.height(point),
        room_m=room,
        crossing=np.maximum(kind, -1),
        roomiest=_roomiest_nearby(point, room, kind),
        across=across,
        first_way=first,
        to=there,
        cost=_way_costs(first, there, point, dearer),
    )


def _roomiest_nearby(
    point: NDArray[np.float64], room: NDArray[np.float64], kind: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return for places in a crossing the one nearby to cross at."""
    found = np.empty(len(kind), np.int32)
    lib.gb_coarse_roomiest_nearby(
        pointer(point, "double"), pointer(room, "double"), pointer(kind, "int32_t"), len(kind), ASIDE_M,
        pointer(found, "int32_t"),
    )  # fmt: skip
    return found


def _way_costs(
    first: NDArray[np.int64], to: NDArray[np.int32], point: NDArray[np.float64], dearer: NDArray[np.float64]
) -> NDArray[np.int32]:
    """Return what ways cost, in COST_M."""
    cost = np.empty(len(to), np.int32)
    lib.gb_coarse_way_costs(
        pointer(first, "int64_t"), pointer(to, "int32_t"), len(point), pointer(point, "double"),
        pointer(dearer, "double"), COST_M, pointer(cost, "int32_t"),
    )  # fmt: skip
    return cost


def _is_steep(ground: Ground, character: Character, point: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell where the ground rises more in some direction than any behavior may."""
    if not ground.has_terrain:
        return np.zeros(len(point), bool)
    rows, columns = ground.steepness.shape[1:]
    column = np.clip(((point[:, 0] - ground.x0) / ground.cell_m).astype(np.int64), 0, columns - 1)
    row = np.clip(((point[:, 1] - ground.y0) / ground.cell_m).astype(np.int64), 0, rows - 1)
    return ground.steepness[0, row, column] > max(one.slopes[1] for one in character.behaviors)
