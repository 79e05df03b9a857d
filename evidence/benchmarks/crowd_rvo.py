"""The plaza by reciprocal velocity obstacles: discs that slide, from the package pyrvo."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from pyrvo import RVOSimulator  # pyright: ignore[reportAttributeAccessIssue]

from evidence.benchmarks.crowd_plaza import (
    ARRIVING_M,
    BOX_M,
    GOALS,
    RADIUS_M,
    RATE_HZ,
    SPEED_M_S,
    Nearness,
    Plaza,
    Times,
)

#: As in the examples of RVO2: neighbours within 15 m, ten of them, and 5 s ahead.
NEIGHBORS_M, MOST_NEIGHBORS, HORIZON_S = 15.0, 10, 5.0


class RvoRun(NamedTuple):
    """What came of it, all in the frames after the warm-up."""

    step: Times  # of the library's own step, without setting velocities and asking for places
    near: Nearness
    arrivals: int
    speed_m_s: float


def run_rvo(plaza: Plaza, *, warm_up: int, frames: int) -> RvoRun:
    """Walk everyone straight to its goals, as far as the others and the boxes let it."""
    simulator = _simulator(plaza)
    points, stage = plaza.starts[:, :2].copy(), np.zeros(plaza.count, dtype=np.int64)
    everyone = np.arange(plaza.count)
    times, near, arrivals, way_m = [], Nearness(), 0, 0.0
    for frame in range(warm_up + frames):
        ahead = plaza.goals[everyone, stage % GOALS] - points
        away = np.linalg.norm(ahead, axis=1, keepdims=True)
        for number, velocity in enumerate((ahead / np.maximum(away, 1e-9) * SPEED_M_S).tolist()):
            simulator.set_agent_pref_velocity(number, velocity)
        begun = time.process_time()
        simulator.do_step()
        spent = time.process_time() - begun
        places = [simulator.get_agent_position(number) for number in range(plaza.count)]
        moved = np.array([(place.x, place.y) for place in places])
        arrived = np.linalg.norm(plaza.goals[everyone, stage % GOALS] - moved, axis=1) <= ARRIVING_M
        stage += arrived
        if frame >= warm_up:
            times.append(spent)
            arrivals += int(arrived.sum())
            way_m += float(np.linalg.norm(moved - points, axis=1).sum())
            near.look(moved)
        points = moved
    return RvoRun(Times.of(times), near, arrivals, way_m * RATE_HZ / (frames * plaza.count))


def stand_rvo(plaza: Plaza, frames: int) -> Any:
    """Return a plaza's simulator after some frames."""
    simulator = _simulator(plaza)
    for _ in range(frames):
        simulator.do_step()
    return simulator


def _simulator(plaza: Plaza) -> Any:
    simulator = RVOSimulator()
    simulator.set_time_step(1.0 / RATE_HZ)
    simulator.set_agent_defaults(NEIGHBORS_M, MOST_NEIGHBORS, HORIZON_S, HORIZON_S, RADIUS_M, SPEED_M_S)
    for x, y in plaza.starts[:, :2].tolist():
        simulator.add_agent([x, y])
    half = 0.5 * BOX_M
    for x, y in plaza.boxes:  # counter-clockwise: nobody gets in
        simulator.add_obstacle([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])
    side = plaza.side_m
    simulator.add_obstacle([[0.0, 0.0], [0.0, side], [side, side], [side, 0.0]])  # clockwise: nobody gets out
    simulator.process_obstacles()
    return simulator
