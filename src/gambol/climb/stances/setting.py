"""Everything a search over stances asks about a problem, made once: tables, room overhead, potential."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.climb.environment_table import BAR, CEILING, FLOOR, GraspTable, distance_field, grasp_table
from gambol.climb.figure import FREE, FigureTable
from gambol.climb.kernels.comfort import USAGE
from gambol.climb.kernels.field import DistanceField, distance_at
from gambol.climb.kernels.gravity import held_span
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.climb.stances import machine
from gambol.climb.stances.grasp_graph import GraspGraph
from gambol.climb.stances.stance import Stance
from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel

NO_WAY_M = 1e3


@dataclass(frozen=True, eq=False)
class StanceSetting:
    problem: ClimbProblem
    figure: FigureTable
    scale: float
    field: DistanceField
    grasps: GraspTable
    places: list[tuple[float, float]]  # of the grasp points, for what is asked one by one
    room: FloatArray  # (G,) head-room above each grasp point, in metres
    hangs: NDArray[np.bool_]  # (G,) what one hangs from: bars and ceilings with no other footholds than floors below
    leads: list[int]  # whether the way to the goal goes on along floors and bars: 1 to +x, -1 to -x, 0 neither
    graph: GraspGraph
    left: list[float]  # metres of way from each grasp point to the goal
    usage: FloatArray  # (9, 4) of the comfort heuristics

    @classmethod
    def of(cls, problem: ClimbProblem, usage: FloatArray | None = None) -> StanceSetting:
        environment, figure = problem.environment, problem.figure
        field = distance_field(environment)
        grasps = grasp_table(environment, figure)
        room = _rooms(field, grasps.x, grasps.z, figure.table.stature + 0.3)
        goal = problem.goal
        graph = GraspGraph.of(figure.table, field, grasps, room, (goal.x, goal.z), goal.tolerance_m)
        return cls(
            problem=problem,
            figure=figure.table,
            scale=figure.scale,
            field=field,
            grasps=grasps,
            places=list(zip(grasps.x.tolist(), grasps.z.tolist(), strict=True)),
            room=room,
            hangs=_hangs(grasps, figure.scale),
            leads=_leads(grasps, graph.left, figure.scale).tolist(),
            graph=graph,
            left=np.minimum(graph.left, NO_WAY_M).tolist(),
            usage=np.array(USAGE) if usage is None else usage,
        )

    def targets(self, facing: int, grasps: tuple[int, ...]) -> FloatArray:
        """Return where the ends of held limbs come, (4, 2); 0 for free ones."""
        side = 0 if facing > 0 else 1
        targets = np.zeros((4, 2))
        for limb, grasp in enumerate(grasps):
            if grasp != FREE:
                targets[limb] = self.grasps.anchor[side, grasp, limb // 2]
        return targets

    def span(self, mode: Mode, facing: int, grasps: tuple[int, ...], left_out: int = -1) -> tuple[float, float]:
        """Return the stretch of x in which these grasps hold the centre of mass at rest."""
        pulls = mode in (Mode.CLIMB, Mode.SWING)
        listed = np.array(grasps, dtype=np.int32)
        return held_span(self.figure, self.grasps.anchor, self.grasps.surface, pulls, float(facing), listed, left_out)

    def head_room(self, mode: Mode, grasps: tuple[int, ...]) -> float:
        """Return how high the head may be: who hangs has it below the bars."""
        hands = [grasp for grasp in grasps[:2] if grasp != FREE]
        return float(self.grasps.z[hands].min()) if mode == Mode.SWING and hands else np.inf

    def centre_guess(self, stance: Stance) -> tuple[float, float]:
        """Return where the centre of mass of a stance will be, about."""
        scale = self.scale
        hands, feet = self._middle(stance.hands), self._middle(stance.feet)
        if stance.mode == Mode.WALK or hands is None:
            assert feet is not None
            return feet[0], feet[1] + 0.93 * scale
        if stance.mode == Mode.SWING:
            hung = hands[0], hands[1] - 0.95 * scale
            return hung if feet is None else (0.5 * (hung[0] + feet[0]), 0.5 * (hung[1] + feet[1] + 0.93 * scale))
        if stance.mode == Mode.CRAWL and feet is not None:
            share = len(stance.hands) / stance.held
            return (
                share * hands[0] + (1.0 - share) * feet[0], share * hands[1] + (1.0 - share) * feet[1] + 0.38 * scale,
            )  # fmt: skip
        low = hands[0], hands[1] - 0.35 * scale
        return low if feet is None else (0.5 * (feet[0] + low[0]), 0.5 * (feet[1] + 0.75 * scale + low[1]))

    def _middle(self, grasps: tuple[int, ...]) -> tuple[float, float] | None:
        """Return the middle of one or two grasp points."""
        if not grasps:
            return None
        first, last = self.places[grasps[0]], self.places[grasps[-1]]
        return 0.5 * (first[0] + last[0]), 0.5 * (first[1] + last[1])

    def way_left(self, stance: Stance) -> float:
        """Return the metres of way from a stance to the goal, over grasp points.

        Half is the mean of those held, half that of the limb that lags furthest behind: a body comes as a whole.
        Who is on all fours where one could walk, or faces away from where floor or bars lead, is a little further away.
        """
        left = [self.left[grasp] for grasp in stance.grasps if grasp != FREE]
        down = 0.0
        bearing = stance.hands if stance.mode == Mode.SWING else stance.feet
        if stance.mode != Mode.CLIMB and all(self.leads[grasp] == -stance.facing for grasp in bearing):
            down = machine.FACING_AWAY_M
        leads_on = any(self.leads[grasp] != 0 for grasp in stance.feet)  # and there is no edge to climb down
        if stance.mode == Mode.CRAWL and leads_on:
            is_open = all(
                self.room[grasp] >= machine.UPRIGHT_ROOM_M * self.scale for grasp in stance.grasps if grasp != FREE
            )
            down += machine.DOWN_IN_THE_OPEN_M if is_open else 0.0
        return 0.5 * (sum(left) / len(left) + max(left)) + down


def _leads(grasps: GraspTable, left: FloatArray, scale: float) -> NDArray[np.int64]:
    """Tell in which direction the floor, or the row of bars, at each point leads to the goal."""
    floor = grasps.surface == FLOOR
    overhead = (grasps.surface == BAR) | (grasps.surface == CEILING)
    across = grasps.x[None, :] - grasps.x[:, None]
    near = (np.abs(across) > 0.15 * scale) & (np.abs(across) < 0.9 * scale)
    near &= np.abs(grasps.z[None, :] - grasps.z[:, None]) < 0.6 * scale
    near &= (floor[:, None] & floor[None, :]) | (overhead[:, None] & overhead[None, :])
    right = np.where(near & (across > 0.0), left[None, :], np.inf).min(axis=1, initial=np.inf)
    other = np.where(near & (across < 0.0), left[None, :], np.inf).min(axis=1, initial=np.inf)
    better = np.where(right < other, 1, -1)
    return np.where(np.minimum(right, other) < left - 0.1 * scale, better, 0)


def _hangs(grasps: GraspTable, scale: float) -> NDArray[np.bool_]:
    """Tell which points one hangs from; rungs, with others to stand on below, are for climbing."""
    overhead = (grasps.surface == BAR) | (grasps.surface == CEILING)
    rungs = grasps.allowed[Mode.CLIMB, :, 1] & (grasps.surface != FLOOR)
    below = grasps.z[:, None] - grasps.z[None, :]
    beside = np.abs(grasps.x[:, None] - grasps.x[None, :])
    near = (below > 0.1 * scale) & (below < 1.2 * scale) & (beside < 0.4 * scale) & rungs[None, :]
    return overhead & ~near.any(axis=1)


@kernel
def _rooms(field: DistanceField, xs: FloatArray, zs: FloatArray, most: float) -> FloatArray:
    """Return the height of free space above points, up to a most."""
    rooms = np.empty(len(xs))
    for k in range(len(xs)):
        height = 0.1
        while height < most and distance_at(field, xs[k], zs[k] + height) > 0.02:
            height += 0.04
        rooms[k] = min(height, most)
    return rooms
