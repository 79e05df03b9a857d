"""Answer numbered questions: plans of shipped scenes, of random problems, and look-ups in random worlds.

All that a question depends on is its number, so that two states of the sources can be asked the same.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from lines import serve
from names import (
    Anytime,
    AStar,
    Bump,
    Character,
    Footprint,
    Goal,
    LookUp,
    Mover,
    Obstacle,
    Plan,
    Problem,
    Region,
    SearchTree,
    Traffic,
    Trajectory,
    TreePlanner,
    World,
    action_table,
    grow_diverse,
    load_character,
    load_scene,
    plan_group,
    shipped_scenes,
    soak,
    terrain_from_bumps,
)

UNIT = 1e-6
SIDE_M = 30.0
SHIPPED = ("human", "human", "human/lk05", "skateboarder", "horse")
VARIANTS = {
    "A*": lambda: AStar(),
    "weighted A*, 1.5": lambda: AStar(weight=1.5),
    "truncated, 15 kept": lambda: AStar(weight=2.0, keep=15),
    "exact": lambda: AStar(exact=True),
    "straight lines": lambda: AStar(around=False),
    "anytime": lambda: Anytime(weights=(3.0, 1.5, 1.0)),
}
GIVEN_SHAPES: dict[str, np.ndarray] = {}  # of clips of shipped characters, where both are to have the same


# ---- Answers ----


def of_plan(plan: Plan) -> dict[str, Any]:
    """Return what is compared of a plan: its cost in whole units, and hashes of its steps and of what it took."""
    steps = [(step.behavior, step.clip, *step.pose, step.frame) for step in plan.steps]
    took = plan.statistics.expansions, plan.statistics.generated, plan.statistics.nodes
    cost = -1 if not np.isfinite(plan.cost) else round(plan.cost / UNIT)
    return {"outcome": str(plan.outcome), "cost": cost, "steps": hashed(repr(steps)), "took": hashed(repr(took))}


def hashed(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()[:12]


# ---- Characters ----


@cache
def character(name: str) -> Character:
    """Return a shipped character, or a subset of one, with the shapes that were given."""
    whole, _, subset = name.partition("/")
    found = load_character(whole)
    if GIVEN_SHAPES:
        found = replace(
            found,
            behaviors=tuple(
                replace(one, clips=tuple(_with_shape(whole, one.name, n, clip) for n, clip in enumerate(one.clips)))
                for one in found.behaviors
            ),
        )
    return found.subset(subset) if subset else found


def _with_shape(whole: str, behavior: str, number: int, clip: Any) -> Any:
    key = f"{whole}|{behavior}|{number}"
    columns = {name: GIVEN_SHAPES[f"{key}|{name}"] for name in ("offset", "radius", "low", "high")}
    return replace(clip, shape=type(clip.shape)(**columns))


def write_shapes(path: str) -> dict[str, Any]:
    """Write the shapes of all clips of the shipped characters."""
    shapes: dict[str, np.ndarray] = {}
    for whole in sorted({name.partition("/")[0] for name in SHIPPED}):
        for one in load_character(whole).behaviors:
            for number, clip in enumerate(one.clips):
                for name in ("offset", "radius", "low", "high"):
                    shapes[f"{whole}|{one.name}|{number}|{name}"] = getattr(clip.shape, name)
    np.savez(path, **shapes)
    return {"clips": len(shapes) // 4}


def tables() -> dict[str, str]:
    """Return a hash of each shipped character's table."""
    return {
        name: hashlib.md5(
            b"".join(np.ascontiguousarray(c).tobytes() for c in action_table(character(name)))
        ).hexdigest()
        for name in dict.fromkeys(SHIPPED)
    }


# ---- Scenes ----


def scenes() -> list[str]:
    """Return the names of the shipped scenes that are planned."""
    return sorted(scene.name for scene in shipped_scenes() if scene.kind == "plan")


def scene(name: str) -> dict[str, Any]:
    """Plan for the whole cast of a scene, each alone, by search and by look-up, and then as a group."""
    found, answers = load_scene(name), {}
    for actor in found.cast[:6]:
        problem = found.problem(actor)
        answers[f"{actor.name}: A* 1.5"] = of_plan(AStar(weight=1.5).solve(problem))
        answers[f"{actor.name}: trees"] = of_plan(TreePlanner().solve(problem))
    cast = {actor.name: found.problem(actor) for actor in found.cast[:12]}
    group = plan_group(cast, AStar(weight=1.5))
    return {**answers, **{f"{who}: group": of_plan(plan) for who, plan in zip(group.names, group.plans, strict=True)}}


# ---- Problems ----


def problem(number: int) -> dict[str, Any]:
    """Solve a random problem: four of five are small ones of random figures, the fifth is of a shipped character."""
    names = list(VARIANTS)
    if number % 5 < 4:
        asked, variant = soak("planning_problems").random_problem(number), names[number // 5 % len(names)]
        asked = replace(asked, max_expansions=20_000)
    else:
        asked, variant = shipped_problem(number), names[(1, 1, 0, 2)[number // 5 % 4]]
    chosen = {variant: VARIANTS[variant](), "weighted A*, 2": AStar(weight=2.0)}
    return {name: of_plan(planner.solve(asked)) for name, planner in chosen.items()}


@cache
def _limits(name: str) -> Any:
    return soak("scene_generator").Limits.of(character(name))


def shipped_problem(number: int) -> Problem:
    """Return a problem of a shipped character among things near the limits of what the human can do."""
    rng = np.random.default_rng((24, number))
    name = SHIPPED[number // 5 % len(SHIPPED)]
    scene = soak("scene_generator").random_scene(number, character("human"), _limits("human"))
    asked = scene.problem(scene.cast[0])
    one = character(name)
    if rng.random() < 0.4:
        chosen = [behavior.name for behavior in one.behaviors if rng.random() < 0.3]
        one = one.with_weights({each: float(rng.uniform(0.5, 3.0)) for each in chosen})
    x0, y0, x1, y1 = asked.world.bounds
    between = Goal(float(rng.uniform(x0 + 2.0, x1 - 2.0)), float(rng.uniform(y0 + 2.0, y1 - 2.0)), 1.0)
    return replace(
        asked, character=one, waypoints=(between,) if rng.random() < 0.25 else (),
        max_expansions=int(rng.integers(200, 4_000)),
    )  # fmt: skip


# ---- Look-ups ----


@cache
def tree(name: str) -> SearchTree:
    """Return a tree of a shipped character, grown here."""
    labels = {"human": "jog-left", "skateboarder": "", "horse": ""}
    one = character(name)
    begins = labels.get(name.partition("/")[0]) or one.behaviors[0].begins
    return grow_diverse(one, nodes=20_000, region=Region.disc(14.0), begins=begins)


def trees() -> dict[str, str]:
    """Return a hash of each tree."""
    found = {name: tree(name) for name in dict.fromkeys(SHIPPED)}
    return {
        name: hashlib.md5(b"".join(getattr(one, c).tobytes() for c in ("parent", "clip", "pose", "cost"))).hexdigest()
        for name, one in found.items()
    }


def look_ups(number: int, count: int) -> dict[str, Any]:
    """Ask a tree many questions in a random world."""
    rng = np.random.default_rng((25, number))
    name = SHIPPED[number % len(SHIPPED)]
    world = random_world(rng, is_hilly=number % 8 == 5, has_movers=number % 8 in (1, 6))
    one = character(name)
    if number % 3 == 1:
        one = one.with_weights({b.name: float(rng.uniform(0.5, 3.0)) for b in one.behaviors if rng.random() < 0.3})
    is_hilly = world.terrain is not None
    asked = LookUp(
        tree(name), one, world, traffic=_traffic(world, one), climb_cost=2.0 if is_hilly else 0.0,
        descend_cost=0.5 if is_hilly else 0.0,
    )  # fmt: skip
    starts = np.column_stack((rng.uniform(0.5, SIDE_M - 0.5, (count, 2)), rng.uniform(-3.2, 3.2, count)))
    away, turn = 14.0 * np.sqrt(rng.random(count)), rng.uniform(-1.6, 1.6, count)
    goals = starts[:, :2] + away[:, None] * np.column_stack((np.cos(starts[:, 2] + turn), np.sin(starts[:, 2] + turn)))
    frames = rng.integers(0, 200, count) if world.movers else np.zeros(count, np.int64)
    first = np.array([rng.random() < 0.7 for _ in one.behaviors]) if number % 4 == 3 else None
    stays, tolerance_m = bool(number % 2), float(rng.uniform(0.3, 1.0))
    if number % 7 == 2:
        goals = np.column_stack((goals, rng.uniform(-3.0, 3.0, count), rng.uniform(0.3, 1.5, count)))
    found = asked.many(starts, goals, frames=frames, first=first, stays=stays, tolerance_m=tolerance_m)
    costs = np.where(np.isfinite(found.costs), np.round(np.nan_to_num(found.costs, posinf=0.0) / UNIT), -1)
    counts = found.counts
    took = counts.candidates, counts.visited, counts.reached_root, counts.verified_edges, counts.collision_samples
    return {
        "costs": costs.astype(np.int64).tolist(), "nodes": found.nodes.tolist(), "outcomes": found.outcomes.tolist(),
        "took": list(map(int, took)),
    }  # fmt: skip


def random_world(rng: np.random.Generator, *, is_hilly: bool, has_movers: bool) -> World:
    """Return a square of boxes and discs, a third of which can be gone over or under."""
    things: list[Obstacle] = []
    for number in range(int(rng.integers(5, 90))):
        footprint = Footprint.disc(float(rng.uniform(0.1, 0.8)))
        if rng.random() < 0.7:
            footprint = Footprint.box(*(float(side) for side in rng.uniform(0.2, 3.0, 2)))
        bottom, top = ((0.0, 3.0), (0.0, 3.0), (0.0, 0.35), (1.1, 2.5))[int(rng.integers(4))]
        pose = (*(float(value) for value in rng.uniform(0.0, SIDE_M, 2)), float(rng.uniform(0.0, 3.2)))
        things.append(Obstacle(f"thing {number}", footprint, pose, bottom, top))
    movers: list[Mover] = []
    for number in range(6 if has_movers else 0):
        poses = np.column_stack((rng.uniform(0.0, SIDE_M, (3, 2)), rng.uniform(-3.0, 3.0, 3)))
        repeat = str(rng.choice(["once", "loop", "bounce"]))
        path = Trajectory(np.array([0.0, 4.0, 9.0]), poses, np.tile((0.0, 1.5), (3, 1)), repeat)
        movers.append(Mover(f"mover {number}", Footprint.box(1.0, 0.5), path))
    bounds = (0.0, 0.0, SIDE_M, SIDE_M)
    if not is_hilly:
        return World(bounds, tuple(things), tuple(movers))
    rows = np.column_stack((rng.uniform(0.0, SIDE_M, (5, 2)), rng.uniform(3.0, 6.0, 5), rng.uniform(-0.3, 0.6, 5)))
    bumps = [Bump((x, y), radius, height) for x, y, radius, height in rows.tolist()]
    return World(bounds, tuple(things), tuple(movers), terrain_from_bumps(bounds, bumps))


def _traffic(world: World, one: Character) -> Traffic | None:
    return Traffic.of(world, rate_hz=one.planning_rate_hz, horizon_s=20.0) if world.movers else None


def main() -> None:
    settings = json.loads(sys.argv[1])
    if settings.get("shapes"):
        with np.load(settings["shapes"]) as shapes:
            GIVEN_SHAPES.update(shapes)
    serve(
        {
            "write shapes": write_shapes, "tables": tables, "scenes": scenes, "scene": scene, "trees": trees,
            "problems": lambda first, count: [problem(number) for number in range(first, first + count)],
            "look-ups": look_ups,
        }
    )  # fmt: skip


if __name__ == "__main__":
    main()
