"""Small random planning problems that can also be solved by going through everything.

Figures move on a lattice, square or of triangles, so that they can be in finitely many poses; where the
lattice lies among the obstacles is random.  A few figures turn by odd angles and have no lattice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.characters import PARTS, Annotation, Behavior, Character, Clip, SweptShape, Transition
from gambol.motion import Contacts, Ground, Motion, Skeleton
from gambol.search import Goal, Problem
from gambol.world import Footprint, Mover, Obstacle, Pose, Special, Terrain, Trajectory, World

FloatArray = NDArray[np.float64]
RATE_HZ = 10.0
TALL_M, DUCKED_M, LIFT_M = 1.7, 0.9, 0.4
SKELETON = Skeleton(["Root"], [-1], [[0.0, 0.0, 1.0]])
STILL = np.array([1.0, 0.0, 0.0, 0.0])
#: Ahead, aside, radius, low, high: trunk, an arm that sticks out, a foot.  The trunk is around the root.
BODY = ((0.02, 0.0, 0.13, 0.0, TALL_M), (0.0, 0.16, 0.06, 0.8, 1.1), (0.1, -0.05, 0.07, 0.0, 0.2))


def make_clip(
    name: str, path: FloatArray, *, lift_m: float = 0.0, highest_m: float = TALL_M, size: float = 1.0
) -> Clip:
    """Return a clip of a three-part figure along a path (K, 3), in the air or ducked but for its ends."""
    count = len(path)
    inside = np.sin(np.pi * np.arange(count) / (count - 1)) > 0.5
    offset, radius, low, high = (
        np.zeros((count, len(PARTS), 2)), np.zeros((count, len(PARTS))), np.zeros((count, len(PARTS))),
        np.zeros((count, len(PARTS))),
    )  # fmt: skip
    for part, (ahead, aside, wide, bottom, top) in enumerate(BODY):
        offset[:, part] = size * ahead, size * aside
        radius[:, part] = size * wide
        low[:, part] = np.minimum(bottom, highest_m - 0.1) + np.where(inside, lift_m, 0.0)
        high[:, part] = np.where(inside, min(top, highest_m), top) + np.where(inside, lift_m, 0.0)
    motion = Motion(
        SKELETON, RATE_HZ, np.column_stack((path[:, :2], np.ones(count))), np.tile(STILL, (count, 1, 1))
    )  # fmt: skip
    contacts = Contacts((), np.zeros((count, 0), dtype=bool), Ground(0.0))
    shape = SweptShape(offset, radius, low, high)
    return Clip(name, motion, 0, count - 1, path, shape, contacts, event=(count - 1) // 2)


def bent_path(corner_m: float, turn_rad: float, after_m: float, frames: int) -> FloatArray:
    """Return a path that goes straight, and on in another direction, its corner rounded."""
    share = np.linspace(0.0, 1.0, frames + 1)[:, None]
    corner = np.array([corner_m, 0.0])
    end = corner + after_m * np.array([math.cos(turn_rad), math.sin(turn_rad)])
    places = 2.0 * share * (1.0 - share) * corner + share**2 * end
    return np.column_stack((places, turn_rad * share[:, 0]))


def random_figure(rng: np.random.Generator, *, is_odd: bool = False, tagged: bool = False) -> Character:
    """Return a figure that goes straight, turns, hops, ducks, perhaps goes back, waits, starts and ends."""
    step = float(rng.uniform(0.3, 0.45))
    turn = math.pi / 2.0 if rng.random() < 0.5 else math.pi / 3.0
    if is_odd:
        turn = float(rng.uniform(0.4, 1.4))
    size = float(rng.uniform(0.8, 1.1))
    rests = rng.random() < 0.5
    fixed_radius_m = 0.2 if tagged and rng.random() < 0.3 else None

    def straight(name: str, steps: float, frames: int, **shape: float) -> Clip:
        return make_clip(name, bent_path(0.5 * steps * step, 0.0, 0.5 * steps * step, frames), size=size, **shape)

    def turning(name: str, side: float) -> Clip:
        return make_clip(name, bent_path(step, side * turn, step * (not is_sharp), 3), size=size)

    is_sharp = bool(rng.random() < 0.5)
    behaviors = [
        _behavior(rng, "forward", [straight("one", 1, 2), straight("two", 2, 3)][: int(rng.integers(1, 3))]),
        _behavior(rng, "left", [turning("left", 1.0)], kind="turn"),
        _behavior(rng, "right", [turning("right", -1.0)], kind="turn"),
        _behavior(
            rng, "hop", [straight("hop", 3, 6, lift_m=LIFT_M)], kind="jump",
            annotation=Annotation("hop", fixed_radius_m) if tagged else Annotation(),
        ),
    ]  # fmt: skip
    if rng.random() < 0.4:
        behaviors.append(_behavior(rng, "duck", [straight("duck", 2, 5, highest_m=DUCKED_M)], kind="low"))
    if rng.random() < 0.3:
        behaviors.append(_behavior(rng, "back", [straight("back", -1, 2)], kind="side"))
    if rng.random() < 0.6:
        behaviors.append(_behavior(rng, "wait", [make_clip("wait", np.zeros((3, 3)), size=size)], kind="wait"))
    if rests:
        behaviors.append(_behavior(rng, "start", [straight("start", 1, 2)], begins="rest"))
        behaviors.append(_behavior(rng, "end", [straight("end", 1, 3)], ends="rest"))
    return Character(
        "figure", SKELETON, RATE_HZ, tuple(behaviors), transitions=_transitions(rng, behaviors),
        cost_by=str(rng.choice(["path", "chord"])),
    )  # fmt: skip


def random_problem(seed: int, *, kind: str | None = None) -> Problem:
    """Return a problem of a kind, or of any: plain, tagged, hilly, moving, sealed or odd."""
    rng = np.random.default_rng((2005, seed))
    kind = kind or str(rng.choice(KINDS, p=(0.3, 0.15, 0.15, 0.2, 0.1, 0.1)))
    figure = random_figure(rng, is_odd=kind == "odd", tagged=kind == "tagged")
    small = kind == "moving"
    width, depth = rng.uniform(2.0, 2.8, 2) if small else rng.uniform(2.2, 3.4, 2)
    tags = Special("hop", float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.0, 0.3))) if kind == "tagged" else None
    count = int(rng.integers(0, 3 if kind == "hilly" else 5))
    obstacles = [_obstacle(rng, number, width, depth, tags) for number in range(count)]
    start = _start(rng, obstacles, width, depth)
    goal = _goal(rng, figure, width, depth, may_ask=True)
    if kind == "sealed":
        obstacles += _box_around(goal.x, goal.y, goal.tolerance_m + 0.3, gap_m=float(rng.choice([0.0, 0.5, 1.0])))
    waypoints = [_goal(rng, figure, width, depth, may_ask=False) for _ in range(int(rng.random() < 0.25))]
    horizon_s = float(rng.uniform(1.5, 3.5))
    movers = [_mover(rng, number, width, depth) for number in range(int(rng.integers(1, 3)))] if small else []
    return Problem(
        World(
            (0.0, 0.0, width, depth),
            tuple(obstacles),
            tuple(movers),
            _terrain(rng, width, depth) if kind == "hilly" else None,
        ),
        figure,
        start,
        goal,
        tuple(waypoints),
        start_frame=int(rng.integers(0, 8)) if small else 0,
        seed=int(rng.integers(0, 2**40)),
        max_expansions=100_000,
        horizon_s=horizon_s if small else 120.0,
        climb_cost=float(rng.uniform(0.0, 2.0)) if kind == "hilly" else 0.0,
        descend_cost=float(rng.uniform(0.0, 1.0)) if kind == "hilly" else 0.0,
        after=str(rng.choice(["forward", "hop"])) if rng.random() < 0.15 else None,
    )


KINDS = ("plain", "tagged", "hilly", "moving", "sealed", "odd")


def _behavior(rng: np.random.Generator, name: str, clips: Sequence[Clip], **facts: object) -> Behavior:
    slopes = float(rng.uniform(0.1, 0.5))
    settings: dict[str, object] = {"begins": "go", "ends": "go", "slopes": (-slopes, slopes), **facts}
    return Behavior(name, name, tuple(clips), weight=float(rng.uniform(0.8, 2.5)), **settings)  # pyright: ignore[reportArgumentType]


def _transitions(rng: np.random.Generator, behaviors: Sequence[Behavior]) -> tuple[Transition, ...]:
    """Charge for some of the transitions that labels allow."""
    going = [b.name for b in behaviors if b.begins == "go" and b.ends == "go"]
    pairs = {(str(rng.choice(going)), str(rng.choice(going))) for _ in range(int(rng.integers(0, 3)))}
    return tuple(Transition(source, target, float(rng.uniform(0.0, 0.6))) for source, target in sorted(pairs))


def _obstacle(rng: np.random.Generator, number: int, width: float, depth: float, tags: Special | None) -> Obstacle:
    footprint = (
        Footprint.box(float(rng.uniform(0.1, 1.2)), float(rng.uniform(0.05, 0.3))),
        Footprint.disc(float(rng.uniform(0.05, 0.3))),
        Footprint.polygon([(0, 0), (0.8, 0), (0.8, 0.1), (0.1, 0.1), (0.1, 0.6), (0, 0.6)]),
    )[int(rng.integers(3))]
    heights = ((0.0, 3.0), (0.0, 0.35), (1.0, 2.0))[int(rng.choice(3, p=(0.5, 0.3, 0.2)))]
    pose = (float(rng.uniform(0.0, width)), float(rng.uniform(0.0, depth)), float(rng.uniform(0.0, 7.0)))
    special = tags if tags is not None and rng.random() < 0.6 else None
    return Obstacle(f"thing {number}", footprint, pose, *heights, special=special)


def _start(rng: np.random.Generator, obstacles: Sequence[Obstacle], width: float, depth: float) -> Pose:
    """Return a start that is mostly free, the best of a few, facing roughly inwards."""
    regions = [obstacle.footprint.region(obstacle.pose) for obstacle in obstacles]
    tries = np.column_stack((rng.uniform(0.3, width - 0.3, 8), rng.uniform(0.3, depth - 0.3, 8)))
    room = [min((shapely.distance(shapely.Point(place), region) for region in regions), default=1.0) for place in tries]
    x, y = tries[int(np.argmax(room))]
    inwards = math.atan2(0.5 * depth - y, 0.5 * width - x)
    return float(x), float(y), inwards + float(rng.uniform(-1.0, 1.0)) + 2.0 * math.pi * float(rng.integers(-1, 2))


def _box_around(x: float, y: float, half_m: float, *, gap_m: float) -> list[Obstacle]:
    """Return four walls around a place, the first with a gap at its end."""
    walls: list[Obstacle] = []
    for side in range(4):
        angle = side * math.pi / 2.0
        gap = gap_m if side == 0 else 0.0
        middle_x, middle_y = half_m, -0.5 * gap
        pose = (
            x + math.cos(angle) * middle_x - math.sin(angle) * middle_y,
            y + math.sin(angle) * middle_x + math.cos(angle) * middle_y,
            angle,
        )
        walls.append(Obstacle(f"wall {side}", Footprint.box(0.05, max(2.0 * half_m - gap, 0.1)), pose))
    return walls


def _goal(rng: np.random.Generator, figure: Character, width: float, depth: float, *, may_ask: bool) -> Goal:
    heading = float(rng.uniform(-4.0, 4.0)) if rng.random() < 0.3 else None
    behavior = str(rng.choice([b.name for b in figure.behaviors])) if may_ask and rng.random() < 0.25 else None
    return Goal(
        float(rng.uniform(0.2, width - 0.2)), float(rng.uniform(0.2, depth - 0.2)), float(rng.uniform(0.2, 0.5)),
        heading, float(rng.uniform(0.3, 1.2)), behavior,
    )  # fmt: skip


def _mover(rng: np.random.Generator, number: int, width: float, depth: float) -> Mover:
    count = int(rng.integers(2, 4))
    poses = np.column_stack(
        (rng.uniform(0.0, width, count), rng.uniform(0.0, depth, count), rng.uniform(-2.0, 2.0, count))
    )
    times = np.cumsum(rng.uniform(0.3, 1.2, count)) - 0.3
    bottom = float(rng.choice([0.0, 0.0, 1.2]))
    top = bottom + float(rng.choice([0.3, 2.0]))
    footprint = Footprint.disc(0.15) if rng.random() < 0.5 else Footprint.box(0.8, 0.1)
    repeat = str(rng.choice(["once", "loop", "bounce"]))
    return Mover(f"mover {number}", footprint, Trajectory(times, poses, np.tile((bottom, top), (count, 1)), repeat))


def _terrain(rng: np.random.Generator, width: float, depth: float) -> Terrain:
    cell_m = float(rng.uniform(0.4, 0.8))
    shape = (int(depth / cell_m) + 2, int(width / cell_m) + 2)
    return Terrain((0.0, 0.0), cell_m, rng.uniform(0.0, 0.15 * cell_m, shape))
