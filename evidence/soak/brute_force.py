"""The best plan of a small problem by going through all states, in plain Python.

Nothing is shared with the search but how steep the ground is around a place.  Distances are shapely's, sums are
whole numbers, and states are one only if pose, behavior, clip, leg and time are.
"""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from evidence.soak.plain_hash import chosen_clip, state_word
from gambol.characters import Behavior, Clip
from gambol.core import lib
from gambol.search import Goal, Problem
from gambol.search.mover_layout import MoverLayout, lay_out
from gambol.world import Footprint, Piece
from gambol.world.standing import world_struct

FloatArray = NDArray[np.float64]
UNIT = 1e-6  # costs are whole numbers of this
SAME = 1e-6  # metres and radians
FARTHEST_PART_M = 1.5  # no part of a body, on a slope or not, reaches farther from its root


class State(NamedTuple):
    """Where a clip has ended, and which."""

    x: float
    y: float
    heading: float
    frame: int
    behavior: int  # -1 at the start
    clip: int
    leg: int


@dataclass
class Answer:
    """What was found: the cheapest cost in whole units, and the states on the way."""

    cost: int | None  # None: nothing found
    is_certain: bool  # False: given up; then no plan is cheaper than `looked_to`
    looked_to: int
    states: list[State] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)  # at each of the states
    visited: int = 0


class Cylinders(NamedTuple):
    """N upright cylinders in the world."""

    places: FloatArray  # (N, 2)
    radius: FloatArray
    low: FloatArray
    high: FloatArray

    def meet(self, pieces: list[Piece], bottom: float, top: float, *, wider_m: float = 0.0, touching: bool) -> bool:
        """Tell whether any meets a prism; `touching` says whether to touch is to meet."""
        less = np.less_equal if touching else np.less
        level = less(self.low, top) & less(bottom, self.high)
        if not level.any():
            return False
        points = shapely.points(self.places[level])
        for piece in pieces:
            away = shapely.distance(points, _outline(piece)) - piece.radius_m - wider_m - self.radius[level]
            if less(away, 0.0).any():
                return True
        return False


class BruteForce:
    """A problem, and everything that is worked out of it once."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.legs = (*problem.waypoints, problem.goal)
        character, world = problem.character, problem.world
        self.costs = [round(b.cost(character.cost_by) / UNIT) for b in character.behaviors]
        self.obstacles = [(o, list(o.footprint.placed(o.pose))) for o in world.obstacles]
        rate = character.planning_rate_hz
        self.horizon = math.floor(problem.horizon_s * rate)
        laid_to = math.ceil(problem.horizon_s * rate)
        self.movers = [
            _Laid(m.footprint, lay_out(m.trajectory, reach_m=m.footprint.reach_m, rate_hz=rate, horizon=laid_to))
            for m in world.movers
        ]
        self.laid_to = laid_to
        self._bodies = {id(clip): _body(clip) for b in character.behaviors for clip in b.clips}
        self._known: dict[State, list[tuple[State, int]]] = {}
        self._circles = [_circle(pieces) for _, pieces in self.obstacles]

    @property
    def start(self) -> State:
        return State(*self.problem.start, self.problem.start_frame, -1, -1, 0)

    def solve(self, *, most_states: int = 50_000) -> Answer:
        """Look at states in the order of their cost until the goal comes up or there are no more."""
        if self._is_met_while_waiting():
            return Answer(None, True, 0)
        start = self.start
        numbers = itertools.count()
        waiting = [(0, next(numbers), start, -1)]
        done: set[tuple[int, ...]] = set()
        seen: list[tuple[State, int, int]] = []  # state, cost, index of the one before
        while waiting:
            cost, _, state, before = heapq.heappop(waiting)
            key = self.key(state)
            if key in done:
                continue
            done.add(key)
            seen.append((state, cost, before))
            if self.has_arrived(state):
                return self._answer(seen)
            if len(seen) >= most_states:
                return Answer(None, False, cost, visited=len(seen))
            for following, step_cost in self.successors(state):
                if self.key(following) not in done:
                    heapq.heappush(waiting, (cost + step_cost, next(numbers), following, len(seen) - 1))
        return Answer(None, True, 0, visited=len(seen))

    @staticmethod
    def _answer(seen: list[tuple[State, int, int]]) -> Answer:
        at = len(seen) - 1
        states: list[State] = []
        costs: list[int] = []
        while at >= 0:
            state, cost, before = seen[at]
            states.append(state)
            costs.append(cost)
            at = before
        return Answer(costs[0], True, costs[0], states[::-1], costs[::-1], len(seen))

    def costs_left(self, *, most_states: int = 50_000) -> list[tuple[State, float]] | None:
        """Return every state that can be reached, with the exact cost left (infinite: none); None if too many."""
        states: list[State] = [self.start]
        index = {self.key(self.start): 0}
        into: list[list[tuple[int, int]]] = [[]]
        at = 0
        while at < len(states):
            if len(states) > most_states:
                return None
            if not self.has_arrived(states[at]):
                for following, step_cost in self.successors(states[at]):
                    number = index.setdefault(self.key(following), len(states))
                    if number == len(states):
                        states.append(following)
                        into.append([])
                    into[number].append((at, step_cost))
            at += 1
        left = [math.inf] * len(states)
        waiting = [(0, number) for number, state in enumerate(states) if self.has_arrived(state)]
        while waiting:
            cost, number = heapq.heappop(waiting)
            if cost < left[number]:
                left[number] = cost
                for before, step_cost in into[number]:
                    if cost + step_cost < left[before]:
                        heapq.heappush(waiting, (cost + step_cost, before))
        return list(zip(states, left, strict=True))

    def key(self, state: State) -> tuple[int, ...]:
        """Return whole numbers that are equal for states that are the same."""
        turn = round((state.heading % (2.0 * math.pi)) / SAME) % round(2.0 * math.pi / SAME)
        frame = state.frame if self.movers else 0
        return round(state.x / SAME), round(state.y / SAME), turn, frame, state.behavior, state.clip, state.leg

    def successors(self, state: State) -> list[tuple[State, int]]:
        """Return what may be played next, and what it costs."""
        if state not in self._known:
            self._known[state] = self._successors(state)
        return self._known[state]

    def _successors(self, state: State) -> list[tuple[State, int]]:
        problem, character = self.problem, self.problem.character
        found: list[tuple[State, int]] = []
        word = state_word(state.x, state.y, state.heading, state.frame if self.movers else 0)
        for number, transition_cost in self.next_behaviors(state.behavior):
            behavior = character.behaviors[number]
            chosen = chosen_clip(problem.seed & (2**63 - 1), word, number, len(behavior.clips))
            clip = behavior.clips[chosen]
            frame = state.frame + clip.duration
            if self.movers and frame > self.horizon:
                continue
            places = placed(clip.path, state.x, state.y, state.heading)
            if not self.is_playable(behavior, clip, places, state.frame):
                continue
            x, y, heading = (float(value) for value in places[-1])
            leg = state.leg
            while leg < len(self.legs) - 1 and self._is_at(self.legs[leg], x, y, heading, behavior, is_last=False):
                leg += 1
            cost = self.costs[number] + round(transition_cost / UNIT) + self.ground_cost(places)
            found.append((State(x, y, heading, frame, number, chosen, leg), cost))
        return found

    def has_arrived(self, state: State) -> bool:
        """Tell whether a plan may end in a state: at the goal, and able to stay there."""
        if state.behavior < 0 or state.leg < len(self.legs) - 1:
            return False
        behavior = self.problem.character.behaviors[state.behavior]
        if not self._is_at(self.problem.goal, state.x, state.y, state.heading, behavior, is_last=True):
            return False
        if not self.movers:
            return True
        endless = any(mover.layout.is_endless for mover in self.movers)
        last = self.laid_to if endless else max(int(mover.layout.frames[-1]) for mover in self.movers) + 1
        clip = behavior.clips[state.clip]
        place = np.array([[state.x, state.y, state.heading]])
        standing = self._cylinders(clip, slice(clip.duration, None), place)
        return all(self._is_clear_of_movers(standing, frame) for frame in range(state.frame, last + 1))

    def is_playable(self, behavior: Behavior, clip: Clip, places: FloatArray, frame: int) -> bool:
        """Tell whether a clip whose instants are at these poses, from a frame on, breaks no rule."""
        terrain = self.problem.world.terrain
        if terrain is not None:
            directions = np.column_stack((np.cos(places[:, 2]), np.sin(places[:, 2])))
            rise = (terrain.gradient(places) * directions).sum(axis=1)
            if rise.min() < behavior.slopes[0] or rise.max() > behavior.slopes[1]:
                return False
        cylinders = self._cylinders(clip, slice(None), places)
        against_obstacles = cylinders
        if behavior.annotation.radius_m is not None:
            count, radius = len(places), behavior.annotation.radius_m
            against_obstacles = Cylinders(
                places[:, :2], np.full(count, radius), np.full(count, -np.inf), np.full(count, np.inf)
            )
        if not self._is_inside(against_obstacles):
            return False
        kind = behavior.annotation.special
        ignored = [-1] if kind is None else self._crossed(kind, places[0], places[clip.event])
        reach = float(np.abs(places[:, :2] - places[0, :2]).max()) * math.sqrt(2.0) + FARTHEST_PART_M
        near = [
            number
            for number, (x, y, radius) in enumerate(self._circles)
            if math.hypot(places[0, 0] - x, places[0, 1] - y) <= radius + reach
        ]
        if not any(self._is_clear_of_obstacles(against_obstacles, near, one) for one in ignored):
            return False
        if not self.movers:
            return True
        parts = len(cylinders.radius) // len(places)
        for instant in range(len(places)):
            here = Cylinders(*(column[instant * parts : (instant + 1) * parts] for column in cylinders))
            if not self._is_clear_of_movers(here, frame + instant):
                return False
        return True

    def _is_met_while_waiting(self) -> bool:
        """Tell whether something runs into who waits at the start, however it may stand there, before it sets out."""
        problem = self.problem
        if not self.movers or problem.after is not None:
            return False
        place = np.array([problem.start])
        for number, _ in self.next_behaviors(-1):
            for clip in problem.character.behaviors[number].clips:
                standing = self._cylinders(clip, slice(0, 1), place)
                everything = list(range(len(self.obstacles)))
                may_stand = self._is_inside(standing) and self._is_clear_of_obstacles(standing, everything, -1)
                if may_stand and self._is_clear_of_movers(standing, problem.start_frame):
                    waiting = range(problem.start_frame)
                    if not all(self._is_clear_of_movers(standing, frame) for frame in waiting):
                        return True
        return False

    def next_behaviors(self, behavior: int) -> list[tuple[int, float]]:
        problem, behaviors = self.problem, self.problem.character.behaviors
        if behavior >= 0 or problem.after is not None:
            row = problem.character.transition_costs[behavior if behavior >= 0 else self._index_of(problem.after)]
            charged = 1.0 if behavior >= 0 else 0.0  # what came before has been paid for
            return [(number, charged * float(cost)) for number, cost in enumerate(row) if math.isfinite(cost)]
        label = problem.begins or self._rest_label()
        return [(number, 0.0) for number, b in enumerate(behaviors) if label is None or b.begins == label]

    def _index_of(self, name: str | None) -> int:
        return next(number for number, b in enumerate(self.problem.character.behaviors) if b.name == name)

    def _rest_label(self) -> str | None:
        behaviors = self.problem.character.behaviors
        stands = [b for b in behaviors if b.kind == "wait" and b.begins == b.ends and all(map(_stays, b.clips))]
        named = [b for b in behaviors if b.name == "start"] + [b for b in behaviors if b.name.startswith("start-")]
        return next((b.begins for b in named + stands), None)

    def _is_at(self, goal: Goal, x: float, y: float, heading: float, behavior: Behavior, *, is_last: bool) -> bool:
        if math.hypot(goal.x - x, goal.y - y) > goal.tolerance_m:
            return False
        if goal.heading_rad is not None:
            turned = math.remainder(heading - goal.heading_rad, 2.0 * math.pi)
            if abs(turned) > goal.heading_tolerance_rad:
                return False
        if goal.behavior is not None:
            return goal.behavior in (behavior.name, behavior.label)
        rest = self._rest_label()
        ends_at_rest = any(b.ends == rest for b in self.problem.character.behaviors)
        return not is_last or rest is None or not ends_at_rest or behavior.ends == rest

    def ground_cost(self, places: FloatArray) -> int:
        terrain, problem = self.problem.world.terrain, self.problem
        if terrain is None:
            return 0
        changes = np.diff(terrain.height(places))
        cost = changes[changes > 0.0].sum() * problem.climb_cost - changes[changes < 0.0].sum() * problem.descend_cost
        return math.floor(float(cost) / UNIT + 0.5)

    def _cylinders(self, clip: Clip, instants: slice, places: FloatArray) -> Cylinders:
        offset, radius, low, high, outer = self._bodies[id(clip)]
        cosine, sine = np.cos(places[:, 2:]), np.sin(places[:, 2:])
        ahead, aside_by = offset[instants, :, 0], offset[instants, :, 1]
        x = places[:, :1] + cosine * ahead - sine * aside_by
        y = places[:, 1:2] + sine * ahead + cosine * aside_by
        aside, lower, higher = np.zeros((3, len(places), 1))
        if self.problem.world.terrain is not None:
            reaches = zip(places[:, :2], outer[instants], strict=True)
            margins = [self._slope_margins(float(x), float(y), float(reach)) for (x, y), reach in reaches]
            aside, lower, higher = np.array(margins).T[..., None]
        return Cylinders(
            np.column_stack((x.reshape(-1), y.reshape(-1))),
            (radius[instants] + aside).reshape(-1),
            (low[instants] - lower).reshape(-1),
            (high[instants] + higher).reshape(-1),
        )

    def _slope_margins(self, x: float, y: float, reach: float) -> tuple[float, float, float]:
        """Return how much farther aside, lower and higher a body may get by standing on a slope, as measured."""
        steepness = lib.gb_world_ground_steepness(world_struct(self.problem.world).c, x, y, reach)
        aside = min(2.0 * steepness, 0.03 + 0.7 * steepness) if steepness > 0.0 else 0.0
        return aside, steepness * (reach + 0.65), steepness * (reach + 0.1)

    def _is_inside(self, cylinders: Cylinders) -> bool:
        least_x, least_y, greatest_x, greatest_y = self.problem.world.bounds
        (x, y), radius = cylinders.places.T, cylinders.radius
        inside = (x - radius >= least_x) & (x + radius <= greatest_x) & (y - radius >= least_y)
        return bool((inside & (y + radius <= greatest_y)).all())

    def _is_clear_of_obstacles(self, cylinders: Cylinders, near: list[int], ignored: int) -> bool:
        for number in near:
            obstacle, pieces = self.obstacles[number]
            bottom, top = obstacle.bottom_m, obstacle.top_m
            if obstacle.special is not None:
                bottom, top = -math.inf, math.inf
            if number != ignored and cylinders.meet(pieces, bottom, top, touching=False):
                return False
        return True

    def _crossed(self, kind: str, start: FloatArray, event: FloatArray) -> list[int]:
        """Return the annotated obstacles that a special behavior may get across from where it begins."""
        found: list[int] = []
        for number, (obstacle, pieces) in enumerate(self.obstacles):
            special = obstacle.special
            if special is not None and special.kind == kind:
                near, within = (
                    min(shapely.distance(shapely.Point(place[:2]), _outline(p)) - p.radius_m for p in pieces)
                    for place in (start, event)
                )
                if near <= special.near_m and within <= special.within_m:
                    found.append(number)
        return found

    def _is_clear_of_movers(self, cylinders: Cylinders, frame: int) -> bool:
        if any(mover.layout.is_endless for mover in self.movers) and frame > self.laid_to:
            return False
        return not any(mover.meets(cylinders, frame) for mover in self.movers)


class _Laid:
    """A mover, placed frame by frame and grown by what it moves within half a frame."""

    def __init__(self, footprint: Footprint, layout: MoverLayout) -> None:
        self.footprint, self.layout = footprint, layout
        self._placed: dict[int, list[Piece]] = {}

    def meets(self, cylinders: Cylinders, frame: int) -> bool:
        layout = self.layout
        frame = min(max(frame, int(layout.frames[0])), int(layout.frames[-1]))
        for record in np.flatnonzero(layout.frames == frame).tolist():
            if record not in self._placed:
                self._placed[record] = list(self.footprint.placed(layout.poses[record]))
            bottom, top = layout.heights[record]
            if cylinders.meet(
                self._placed[record], bottom, top, wider_m=float(layout.growth[record]), touching=True
            ):  # fmt: skip
                return True
        return False


def placed(path: FloatArray, x: float, y: float, heading: float) -> FloatArray:
    """Return a path's poses in the world; sums in the usual order, so that rounding is the same everywhere."""
    cosine, sine = math.cos(heading), math.sin(heading)
    ahead, aside, turn = path.T
    return np.column_stack((x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside, heading + turn))


def _body(clip: Clip) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the parts that a figure has."""
    shape = clip.shape
    there = (shape.high > shape.low).any(axis=0)
    return shape.offset[:, there], shape.radius[:, there], shape.low[:, there], shape.high[:, there], shape.outer_radius


def _circle(pieces: list[Piece]) -> tuple[float, float, float]:
    """Return a circle around all pieces: centre and radius."""
    corners = np.concatenate([piece.corners for piece in pieces])
    x, y = corners.mean(axis=0)
    wide = max(piece.radius_m for piece in pieces)
    return float(x), float(y), float(np.hypot(*(corners - (x, y)).T).max()) + wide


_OUTLINES: dict[int, tuple[Piece, shapely.Geometry]] = {}


def _outline(piece: Piece) -> shapely.Geometry:
    """Return what a piece is the rounding of."""
    known = _OUTLINES.get(id(piece.corners))
    if known is None:
        if len(_OUTLINES) > 10_000:
            _OUTLINES.clear()
        shape = shapely.convex_hull(shapely.MultiPoint(piece.corners))
        shapely.prepare(shape)
        known = _OUTLINES[id(piece.corners)] = (piece, shape)
    return known[1]


def _stays(clip: Clip) -> bool:
    places = clip.path[:, :2] - clip.path[0, :2]
    return float(np.hypot(*places.T).max()) < 0.25 and abs(float(clip.displacement[2])) < math.radians(5.0)
