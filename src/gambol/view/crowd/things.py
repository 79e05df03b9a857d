"""What a user sets in motion in a crowd: balls to throw, and a cart to drive."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gambol.crowd.floor import Floor
from gambol.crowd.kernels.sight import room_at
from gambol.geometry.arrays import FloatArray
from gambol.world.world import Footprint, Mover, Trajectory

Point = tuple[float, float]
BALL_M = 0.35  # m, > 0: radius of a ball
FLIGHT_M = 12.0  # m, >= 1: a ball flies this far before it comes down, at most
FLIGHT_M_S = 9.0  # m/s, > 0: speed of a flying ball over the ground
ROLLING_M_S = 7.0  # m/s, > 0: speed of a ball when it begins to roll; larger: rolls farther
SLOWING_M_S2 = 1.6  # m/s2, > 0: how fast a rolling ball slows down; larger: stops sooner
GRAVITY_M_S2 = 9.81  # m/s2: gravity
LEAST_HAND_M = 1.2  # m, > 0: a ball is thrown from this height at least
MOST_HAND_M = 4.0  # m, > 0: a ball is thrown from this height at most
LYING_S = 1.0  # s, > 0: how long a ball lies before it is gone
SAMPLE_S = 0.1  # s, > 0: from one point of a ball's trajectory to the next; larger: coarser

CART = Footprint.box(1.4, 0.9)  # m: the cart's length and width
CART_HEIGHTS_M = (0.0, 0.9)  # m: the cart's bottom and top
CART_M = 0.85  # m, > 0: room that the cart needs around its middle
CART_M_S = 3.0  # m/s, > 0: the cart's speed while it is pushed
CART_RAD_S = 1.6  # rad/s, > 0: its speed of turning while it is turned
CART_M_S2 = 6.0  # m/s2, > 0: how fast its speed changes; larger: more abrupt
CART_RAD_S2 = 8.0  # rad/s2, > 0: how fast its speed of turning changes; larger: more abrupt
PUSHED_S = 0.6  # s, > 0: how long a push lasts; a key that is held repeats only after half a second


def throw_at(name: str, eye: FloatArray, aim: Point, floor: Floor, time_s: float) -> Mover:
    """Return a ball that flies from an eye to a place on the ground and rolls on from there [LK06 figure 15].

    From an eye that is far away it starts nearer, in the same direction.
    """
    way = np.array(aim) - np.asarray(eye, dtype=float)[:2]
    distance_m = float(np.hypot(*way))
    way = way / distance_m if distance_m > 1e-6 else np.array([1.0, 0.0])
    flight_m = min(max(distance_m, 1.0), FLIGHT_M)
    hand_m = min(max(float(eye[2]), LEAST_HAND_M), MOST_HAND_M)
    flight_s = flight_m / FLIGHT_M_S
    rise_m_s = (BALL_M - hand_m) / flight_s + 0.5 * GRAVITY_M_S2 * flight_s
    rolling_s = ROLLING_M_S / SLOWING_M_S2
    times = np.concatenate((np.arange(0.0, flight_s, SAMPLE_S), flight_s + np.arange(0.0, rolling_s, SAMPLE_S)))
    flown, rolled = np.minimum(times, flight_s), np.maximum(times - flight_s, 0.0)
    gone = FLIGHT_M_S * flown - flight_m + ROLLING_M_S * rolled - 0.5 * SLOWING_M_S2 * rolled**2
    heights = np.maximum(hand_m + rise_m_s * flown - 0.5 * GRAVITY_M_S2 * flown**2, BALL_M)
    points = np.array(aim) + gone[:, None] * way
    # Walls and bounds stop a ball that rolls.
    stopped = [
        n for n, (x, y) in enumerate(points) if times[n] > flight_s and room_at(floor, float(x), float(y)) < BALL_M
    ]
    count = stopped[0] if stopped else len(times)
    times = np.append(times[:count], times[count - 1] + LYING_S)
    poses = np.column_stack((points[:count], np.zeros(count)))
    spans = np.column_stack((heights[:count] - BALL_M, heights[:count] + BALL_M))
    trajectory = Trajectory(time_s + times, np.vstack((poses, poses[-1:])), np.vstack((spans, spans[-1:])))
    return Mover(name, Footprint.disc(BALL_M), trajectory)


@dataclass
class Cart:
    """A cart that speeds up while it is pushed, and slows down by itself."""

    x: float
    y: float
    heading: float = 0.0
    speed_m_s: float = 0.0
    turning_rad_s: float = 0.0
    wanted_m_s: float = 0.0
    wanted_rad_s: float = 0.0
    pushed_until_s: float = 0.0
    turned_until_s: float = 0.0

    def push(self, ahead: float, turn: float, time_s: float) -> None:
        """Push it ahead (1) or back (-1); turn it left (1) or right (-1)."""
        if ahead != 0.0:
            self.wanted_m_s, self.pushed_until_s = ahead * CART_M_S, time_s + PUSHED_S
        if turn != 0.0:
            self.wanted_rad_s, self.turned_until_s = turn * CART_RAD_S, time_s + PUSHED_S

    def go_on(self, seconds: float, time_s: float, floor: Floor) -> None:
        """Let time pass; walls and bounds stop the cart."""
        wanted = self.wanted_m_s if time_s < self.pushed_until_s else 0.0
        turning = self.wanted_rad_s if time_s < self.turned_until_s else 0.0
        self.speed_m_s = _towards(self.speed_m_s, wanted, CART_M_S2 * seconds)
        self.turning_rad_s = _towards(self.turning_rad_s, turning, CART_RAD_S2 * seconds)
        self.heading += self.turning_rad_s * seconds
        x = self.x + self.speed_m_s * seconds * math.cos(self.heading)
        y = self.y + self.speed_m_s * seconds * math.sin(self.heading)
        before, after = room_at(floor, self.x, self.y), room_at(floor, x, y)
        if after >= CART_M or after > before:
            self.x, self.y = x, y
        else:
            self.speed_m_s = 0.0


def _towards(value: float, wanted: float, most: float) -> float:
    return value + min(max(wanted - value, -most), most)
