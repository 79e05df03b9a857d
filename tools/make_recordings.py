"""Simulate the moving obstacles of two scenes and write their recordings, seen from above.

A small rigid-body simulation (pymunk, a development dependency): things without friction in a field
with elastic walls, so that they never slow down and never leave it.  The walls are there for them
only; characters start and arrive outside.  The same seed gives the same file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pymunk

from gambol.world.recording import write_recording
from gambol.world.world import Trajectory

FOLDER = Path(__file__).parent.parent / "src" / "gambol" / "scenes" / "shipped"
STEPS_A_SECOND = 500
RATE_HZ = 10
#: Rows that straight lines between their neighbours meet as nearly as this are left out.
SAME_M, SAME_RAD = 0.005, np.radians(0.2)


@dataclass(frozen=True)
class Field:
    """What is simulated: things of some sorts, at random places with random headings."""

    file: str
    seed: int
    duration_s: float
    walls: tuple[float, float, float, float]
    sorts: tuple[tuple[str, int, Callable[[pymunk.Body], pymunk.Shape]], ...]  # name, count, shape
    speed_m_s: tuple[float, float]
    spin_rad_s: float = 0.0


def disc(radius_m: float) -> Callable[[pymunk.Body], pymunk.Shape]:
    return lambda body: pymunk.Circle(body, radius_m)


def box(length_m: float, width_m: float) -> Callable[[pymunk.Body], pymunk.Shape]:
    return lambda body: pymunk.Poly.create_box(body, (length_m, width_m))


FIELDS = (
    Field(
        file="horses.csv",
        seed=8,
        duration_s=40.0,
        walls=(35.0, 0.0, 125.0, 70.0),
        sorts=(("box", 8, box(3.0, 1.5)), ("disc", 6, disc(1.2))),
        speed_m_s=(4.0, 9.0),
        spin_rad_s=0.6,
    ),
    Field(
        file="spheres.csv",
        seed=5,
        duration_s=60.0,
        walls=(8.0, 0.0, 32.0, 30.0),
        sorts=(("large", 4, disc(0.8)), ("small", 8, disc(0.5))),
        speed_m_s=(1.0, 2.5),
    ),
)


def simulate(field: Field) -> dict[str, Trajectory]:
    """Return the trajectories of a field's things."""
    chance = np.random.default_rng(field.seed)
    space = pymunk.Space()
    space.add(*_walls(space, field.walls))
    bodies = {
        f"{sort}-{number}": _thing(space, field, make, chance)
        for sort, count, make in field.sorts
        for number in range(1, count + 1)
    }
    times = np.arange(round(field.duration_s * RATE_HZ) + 1) / RATE_HZ
    rows: dict[str, list[tuple[float, float, float]]] = {name: [] for name in bodies}
    for _ in times:
        for name, body in bodies.items():
            rows[name].append((body.position.x, body.position.y, body.angle))
        for _ in range(STEPS_A_SECOND // RATE_HZ):
            space.step(1.0 / STEPS_A_SECOND)
    return {name: _thinned(times, np.array(poses)) for name, poses in rows.items()}


def _walls(space: pymunk.Space, walls: tuple[float, float, float, float]) -> list[pymunk.Segment]:
    x0, y0, x1, y1 = walls
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    segments = [
        pymunk.Segment(space.static_body, first, second, 0.0)
        for first, second in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    for segment in segments:
        segment.elasticity = 1.0
    return segments


def _thing(
    space: pymunk.Space, field: Field, make: Callable[[pymunk.Body], pymunk.Shape], chance: np.random.Generator
) -> pymunk.Body:
    """Add a thing at a place where it touches nothing."""
    body = pymunk.Body()
    shape = make(body)
    shape.density, shape.elasticity, shape.friction = 1.0, 1.0, 0.0
    space.add(body, shape)
    x0, y0, x1, y1 = field.walls
    while True:
        body.position = float(chance.uniform(x0, x1)), float(chance.uniform(y0, y1))
        body.angle = float(chance.uniform(-np.pi, np.pi)) if field.spin_rad_s > 0.0 else 0.0
        space.reindex_shapes_for_body(body)
        box = shape.cache_bb()
        inside = box.left > x0 and box.bottom > y0 and box.right < x1 and box.top < y1
        if inside and not space.shape_query(shape):
            break
    direction, speed = chance.uniform(-np.pi, np.pi), chance.uniform(*field.speed_m_s)
    body.velocity = float(speed * np.cos(direction)), float(speed * np.sin(direction))
    body.angular_velocity = float(chance.uniform(-field.spin_rad_s, field.spin_rad_s))
    return body


def _thinned(times: np.ndarray, poses: np.ndarray) -> Trajectory:
    """Leave out rows that straight lines between the others meet."""
    kept = [0]
    last = 1
    while kept[-1] < len(times) - 1:
        while last + 1 < len(times) and _is_straight(times, poses, kept[-1], last + 1):
            last += 1
        kept.append(last)
        last += 1
    return Trajectory(times[kept], poses[kept], np.tile((0.0, 1.0), (len(kept), 1)))


def _is_straight(times: np.ndarray, poses: np.ndarray, first: int, last: int) -> bool:
    between = slice(first + 1, last)
    share = ((times[between] - times[first]) / (times[last] - times[first]))[:, None]
    off = np.abs(poses[first] + share * (poses[last] - poses[first]) - poses[between])
    return bool((off[:, :2] <= SAME_M).all() and (off[:, 2] <= SAME_RAD).all())


def main() -> None:
    for field in FIELDS:
        trajectories = simulate(field)
        write_recording(FOLDER / field.file, trajectories, decimals=3)
        rows = sum(len(trajectory.times_s) for trajectory in trajectories.values())
        print(f"{FOLDER / field.file}: {len(trajectories)} things, {rows} rows")


if __name__ == "__main__":
    main()
