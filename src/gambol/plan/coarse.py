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
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.character.action_table import action_table
from gambol.character.character import Character
from gambol.plan.kernels import closed as closing
from gambol.plan.kernels import coarse as kernels
from gambol.plan.moves import moves_of
from gambol.world.table import WorldTable, compile_world
from gambol.world.world import World

SQUARE_M = 0.7  # [LK06 4.1]
COST_M = 0.01  # a whole number of this is what a way costs
ROOMY_M = 1.0  # nearer to what is closed, ways are dearer
TIGHT, STEEP, CROSSING = 1.0, 2.0, 2.0  # how much dearer a metre is with no room, on steep ground, in a crossing
MOST_SLOPE_M = 50.0  # that rise and fall count for on the way to a neighbour: dear enough to go around
MARKED_M = 2.8  # what is less far before a crossing or a goal is marked: four squares
ASIDE_M = 2.0  # within which a roomier place is looked for to cross something
ONWARD_M = 2.1  # over which the direction of a route is taken
SPECIAL_KINDS = ("jump", "low")  # of behaviors that are there to cross something
TALL_M = 3.0
THICKNESS_M = 0.1  # in steps of which thicknesses are told apart
DOUBT_M = 0.05  # heights are taken at places 5 cm apart along a clip
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
        kernels.spread(self.first_way, self.to, cost, extra, source, stop_at, distance, onward)
        return CoarseField(self, (x, y), distance, onward)


_KNOWN: WeakKeyDictionary[World, WeakKeyDictionary[Character, CoarseMap]] = WeakKeyDictionary()


def coarse_map(world: World, character: Character) -> CoarseMap:
    """Return the coarse map of a world for a character, worked out once."""
    of_world = _KNOWN.setdefault(world, WeakKeyDictionary())
    if character not in of_world:
        of_world[character] = _survey(world, character)
    return of_world[character]


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


def _survey(world: World, character: Character) -> CoarseMap:
    table = compile_world(world)
    rows, columns = table.clearance.shape
    free, crossed = _passable(world, character, table)
    slimmest = _slimmest_radius(character)
    room = np.full((rows, columns), ROOMY_M)
    to_crossing = np.full((rows, columns), math.inf)
    nearest = np.full((rows, columns), kernels.OPEN, np.int32)
    places = (table.x0, table.y0, table.cell_m)
    kernels.approach(
        table.pieces, np.flatnonzero(~free & ~crossed), ROOMY_M, *places, room, np.empty((rows, columns), np.int32)
    )
    kernels.approach(table.pieces, np.flatnonzero(crossed), slimmest, *places, to_crossing, nearest)
    xs, ys = (start + table.cell_m * (np.arange(n) + 0.5) for start, n in ((table.x0, columns), (table.y0, rows)))
    inside_x = np.minimum(xs - table.bounds[0], table.bounds[2] - xs)
    inside_y = np.minimum(ys - table.bounds[1], table.bounds[3] - ys)
    room = np.minimum(room, np.minimum(inside_x[None, :], inside_y[:, None]))
    kind = np.where(to_crossing < slimmest, nearest, kernels.OPEN).astype(np.int32)
    kind[room < slimmest] = kernels.CLOSED
    across = np.zeros((len(world.obstacles), 2))
    for piece in np.flatnonzero(crossed):
        across[table.pieces.obstacle[piece]] = _thinnest(table, int(piece))[1]
    block = max(1, round(SQUARE_M / table.cell_m))
    place_of = np.empty((rows, columns), np.int32)
    row, column = kernels.gather_places(kind, room, block, place_of)
    square = (row // block) * (-(-columns // block)) + column // block
    here, there = _neighbours(place_of, kind[row, column], square, -(-columns // block))
    point = np.stack((xs[column], ys[row]), axis=1)
    dearer = TIGHT * (1.0 - room[row, column] / ROOMY_M) + CROSSING * (kind[row, column] >= 0)
    dearer += STEEP * _is_steep(table, character, point)
    away = np.hypot(*(point[here] - point[there]).T)
    cost = np.maximum(1, np.round(away * (1.0 + 0.5 * (dearer[here] + dearer[there])) / COST_M))
    return CoarseMap(
        x0=table.x0,
        y0=table.y0,
        fine_m=table.cell_m,
        square_m=block * table.cell_m,
        place_of=place_of,
        point=point,
        height_m=np.zeros(len(point)) if world.terrain is None else world.terrain.height(point),
        room_m=room[row, column],
        crossing=np.maximum(kind[row, column], -1),
        roomiest=_roomiest(point, room[row, column], kind[row, column]),
        across=across,
        first_way=np.searchsorted(here, np.arange(len(point) + 1)).astype(np.int64),
        to=there.astype(np.int32),
        cost=cost.astype(np.int32),
    )


def _roomiest(point: NDArray[np.float64], room: NDArray[np.float64], kind: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return for places in a crossing the one of the same obstacle that has most room, of those nearby; the nearest."""
    found = np.arange(len(point), dtype=np.int32)
    for place in np.flatnonzero(kind >= 0):
        same = np.flatnonzero(kind == kind[place])
        away = np.hypot(*(point[same] - point[place]).T)
        near = away <= ASIDE_M
        found[place] = same[near][np.lexsort((away[near], -np.round(room[same][near], 2)))[0]]
    return found


def _neighbours(
    place_of: NDArray[np.int32], kind: NDArray[np.int32], square: NDArray[np.int64], columns: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of neighbouring places, both ways, in order: across sides, and across corners in the open."""
    pairs = []
    for one, other in ((place_of[:, :-1], place_of[:, 1:]), (place_of[:-1], place_of[1:])):
        meet = (one != other) & (one >= 0) & (other >= 0)
        pairs += [np.stack((one[meet], other[meet]), axis=1), np.stack((other[meet], one[meet]), axis=1)]
    sides = np.unique(np.concatenate(pairs), axis=0).astype(np.int64)
    in_the_open = sides[(kind[sides] < 0).all(axis=1)]
    first = np.searchsorted(in_the_open[:, 0], np.arange(len(kind) + 1))
    corners = np.stack(kernels.corner_ways(first, in_the_open[:, 1], square, columns), axis=1)
    both = np.concatenate((sides, corners.astype(np.int64)))
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    return both[:, 0], both[:, 1]


def _passable(world: World, character: Character, table: WorldTable) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each piece whether ordinary behaviors get over or under it, and whether only special ones do."""
    tagged = {behavior.annotation.special for behavior in character.behaviors}
    special = [one.kind in SPECIAL_KINDS for one in character.behaviors]
    by_shape = [one.annotation.radius_m is None and one.annotation.special is None for one in character.behaviors]
    known: dict[int, tuple[float, float, float, float]] = {}
    free, crossed = np.zeros(len(table.pieces.obstacle), bool), np.zeros(len(table.pieces.obstacle), bool)
    for piece, number in enumerate(table.pieces.obstacle):
        obstacle = world.obstacles[number]
        if obstacle.special is not None:
            crossed[piece] = obstacle.special.kind in tagged
            continue
        steps = math.floor(_thinnest(table, piece)[0] / THICKNESS_M + 1e-6)
        if steps not in known:
            known[steps] = _clearable(character, np.array(special), np.array(by_shape), steps * THICKNESS_M)
        over, under, special_over, special_under = known[steps]
        bottom, top = float(table.pieces.bottom[piece]), float(table.pieces.top[piece])
        free[piece] = top <= over or bottom >= under
        # In doubt it is crossed: what turns out not to be is gone around, what is closed is closed for good.
        crossed[piece] = not free[piece] and (top <= special_over + DOUBT_M or bottom >= special_under - DOUBT_M)
    return free, crossed


def _thinnest(table: WorldTable, piece: int) -> tuple[float, NDArray[np.float64]]:
    """Return the least width of a piece, square to one of its sides, and its direction; none for a disc: all are."""
    corners = slice(int(table.pieces.first_corner[piece]), int(table.pieces.first_corner[piece + 1]))
    xy = np.stack((table.pieces.corner_x[corners], table.pieces.corner_y[corners]), axis=1)
    rounded = 2.0 * float(table.pieces.radius[piece])
    sides = np.roll(xy, -1, axis=0) - xy
    lengths = np.hypot(*sides.T)
    if not (lengths > 1e-9).any():
        return rounded, np.zeros(2)
    normals = np.stack((-sides[:, 1], sides[:, 0]), axis=1)[lengths > 1e-9] / lengths[lengths > 1e-9, None]
    across = xy @ normals.T
    widths = across.max(axis=0) - across.min(axis=0)
    least = int(np.argmin(widths))
    return rounded + float(widths[least]), normals[least]


def _clearable(
    character: Character, special: NDArray[np.bool_], by_shape: NDArray[np.bool_], thickness_m: float
) -> tuple[float, float, float, float]:
    """Return the highest top and the lowest bottom that ordinary, then that special clips get over and under."""
    actions, moves = action_table(character), moves_of(character)
    best = [0.0, math.inf, 0.0, math.inf]
    for clip in np.unique(moves.same):
        behavior = actions.clip_behavior[clip]
        if by_shape[behavior]:
            over, under = kernels.room_across(actions, np.int64(clip), float(thickness_m))
            at = 2 if special[behavior] else 0
            best[at], best[at + 1] = max(best[at], over), min(best[at + 1], under)
    return best[0], best[1], best[2], best[3]


def _slimmest_radius(character: Character) -> float:
    """Return how near the root of an ordinary behavior may come to something tall, a fixed radius being one too."""
    actions = action_table(character)
    ordinary = [index for index, one in enumerate(character.behaviors) if one.kind not in SPECIAL_KINDS]
    fixed = [one.annotation.radius_m for one in character.behaviors if one.annotation.radius_m is not None]
    chosen = np.isin(actions.clip_behavior, ordinary or range(len(character.behaviors)))
    samples = np.unique(
        np.concatenate(
            [
                np.arange(first, first + duration + 1)
                for first, duration in zip(actions.clip_samples[chosen], actions.duration[chosen], strict=True)
            ]
        )
    )
    core = closing.core_radius(
        actions.part_offset[samples], actions.part_radius[samples], actions.part_low[samples],
        actions.part_high[samples], 0.0, TALL_M,
    )  # fmt: skip
    return min([core, *fixed])


def _is_steep(table: WorldTable, character: Character, point: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell where the ground rises more in some direction than any behavior may."""
    if not table.ground.has_terrain:
        return np.zeros(len(point), bool)
    rows, columns = table.ground.steepness.shape[1:]
    column = np.clip(((point[:, 0] - table.ground.x0) / table.ground.cell_m).astype(np.int64), 0, columns - 1)
    row = np.clip(((point[:, 1] - table.ground.y0) / table.ground.cell_m).astype(np.int64), 0, rows - 1)
    return table.ground.steepness[0, row, column] > max(one.slopes[1] for one in character.behaviors)
