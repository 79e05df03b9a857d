"""Draw what docs/planners/ shows: a picture for each planner, of what it looked at and what it chose.

python tools/draw_planners.py [NAME …]; without names all, which takes a minute.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray
from PIL import Image

from gambol.animate.playing import play
from gambol.characters.character import Character
from gambol.characters.step import Step
from gambol.characters.store import load_character
from gambol.climb.scene import climb_problems
from gambol.climb.stances.core import _start as start_of
from gambol.climb.stances.search import StanceSearch
from gambol.climb.stances.setting import StanceSetting
from gambol.crowd.recording_statistics import root_points
from gambol.files.disk import write_atomically
from gambol.pictures.climb_environment import draw_environment
from gambol.pictures.map_tree import draw_tree
from gambol.pictures.map_world import draw_ground, draw_obstacles
from gambol.pictures.png import encode_png
from gambol.pictures.variation_poses import overlaid_poses
from gambol.pictures.world_colors import character_color
from gambol.scenes.file import load_scene
from gambol.search.astar import Anytime, AStar
from gambol.search.group import plan_group
from gambol.search.plan import Plan
from gambol.search.problem import Goal, Problem
from gambol.search.replan import follow
from gambol.search.sighting import Sighting
from gambol.stages import CrowdStage, perform
from gambol.trees.diverse import grow_diverse
from gambol.trees.exhaustive import grow_exhaustive
from gambol.trees.pruned import grow_pruned
from gambol.trees.tree import SearchTree
from gambol.variation.examples import cut_example, gather
from gambol.variation.model import learn
from gambol.world.world import Footprint, World

FOLDER = Path(__file__).parent.parent / "docs" / "pictures" / "planners"
MOST_BYTES = 150_000
DOTS_PER_INCH = 110
BALL_M = 0.6
TREE_NODES = 40_000
WAY = "#c0392b"
FloatArray = NDArray[np.float64]


def draw_astar() -> None:
    """The search tree of A* in one scene, by cost, and the way it found."""
    problem = _problem("search")
    figure, axes = _panels(1, problem.world, width_in=9.0)
    _draw_search(axes[0], problem, AStar(trace=True).solve(problem), "A*")
    _save(figure, "astar.png")


def draw_variants() -> None:
    """The same problem by four variants."""
    problem = _problem("search")
    planners = {
        "A*": AStar(trace=True),
        "weight 2": AStar(weight=2.0, trace=True),
        "truncated, 500 kept": AStar(keep=500, trace=True),
        "anytime, its best search": Anytime(improve=20_000, trace=True),
    }
    figure, axes = _panels(4, problem.world, width_in=11.0, columns=2)
    for one, (name, planner) in zip(axes, planners.items(), strict=True):
        _draw_search(one, problem, planner.solve(problem), name)
    _save(figure, "variants.png")


def draw_groups() -> None:
    """All of a crossing, planned one after another: who was planned when."""
    scene = load_scene("crossing")
    group = plan_group({actor.name: scene.problem(actor) for actor in scene.cast})
    figure, axes = _panels(1, scene.world, width_in=8.0)
    _draw_world(axes[0], scene.world)
    shades = plt.get_cmap("viridis")
    for rank, number in enumerate(group.order):
        plan = group.plans[number]
        if plan.found:
            way = _way(plan.character, plan.steps)
            axes[0].plot(*way.T, color=shades(rank / len(group.plans)), lw=0.7)
            axes[0].plot(*way[-1], "o", color=shades(rank / len(group.plans)), ms=3)
    late = sum(plan.steps[0].frame > 0 for plan in group.plans if plan.found)
    axes[0].set_title(
        f"{group.arrived} of {len(group.plans)} arrive, {sum(group.attempts)} searches, {late} set out later; "
        "dark: planned first", fontsize=9,
    )  # fmt: skip
    _save(figure, "groups.png")


def draw_replanning() -> None:
    """One who does not know that a ball will turn onto its way."""
    human, world, turn_s = load_character("human"), World((-12.0, -3.0, 12.0, 3.0)), 2.5

    def place(time_s: float) -> FloatArray:
        return np.array([6.0 - 0.8 * max(time_s - turn_s, 0.0), 1.6 - 0.8 * min(time_s, turn_s)])

    def observe(time_s: float) -> list[Sighting]:
        velocity = (0.0, -0.8) if time_s < turn_s else (-0.8, 0.0)
        return [Sighting("ball", Footprint.disc(BALL_M), (*place(time_s), 0.0), velocity)]

    problem = Problem(world, human, (-10.0, 0.0, 0.0), Goal(10.0, 0.0), horizon_s=60.0)
    known, done = AStar(weight=1.5).solve(problem), follow(problem, observe)
    figure, axes = _panels(1, world, width_in=10.0)
    _draw_world(axes[0], world)
    axes[0].plot(*_way(human, known.steps).T, color="0.6", lw=1.5, ls="--", label="planned without the ball")
    way = _way(human, done.steps)
    axes[0].plot(*way.T, color=WAY, lw=2.0, label="gone")
    rate_hz = play(human, done.steps).rate_hz
    for second in range(0, int(len(way) / rate_hz) + 1, 2):
        axes[0].add_patch(Circle(tuple(place(second)), BALL_M, fill=False, color="#2471a3", lw=1.0))
        ball_x, ball_y = place(second)
        axes[0].text(ball_x, ball_y, str(second), fontsize=7, ha="center", va="center", color="#2471a3")
        here = way[min(round(second * rate_hz), len(way) - 1)]
        axes[0].plot(*here, "o", color=WAY, ms=3)
        axes[0].text(here[0], here[1] - 0.45, str(second), fontsize=7, ha="center", va="center", color=WAY)
    axes[0].legend(loc="upper left", fontsize=8)
    title = f"{done.replans} searches, {done.evasions} evasions, {done.stops} stops; numbers are seconds"
    axes[0].set_title(title, fontsize=9)
    _save(figure, "replanning.png")


def draw_trees() -> None:
    """The ends of the paths of three trees."""
    jogger = load_character("human").subset("lk06-13")
    trees: dict[str, SearchTree] = {
        "exhaustive, depth 5": grow_exhaustive(jogger, depth=5, begins="jog-left"),
        "pruned": grow_pruned(jogger, nodes=TREE_NODES, begins="jog-left"),
        "diverse": grow_diverse(jogger, nodes=TREE_NODES, begins="jog-left"),
    }
    figure, axes = plt.subplots(1, 3, figsize=(11.0, 4.1), sharex=True, sharey=True)
    for one, (name, tree) in zip(axes, trees.items(), strict=True):
        one.scatter(*tree.pose[:, :2].T, c=tree.cost, s=0.2, lw=0, cmap="viridis", rasterized=True)
        one.plot(0.0, 0.0, "o", color=WAY, ms=5)
        one.set(aspect="equal", xlim=(-18, 18), ylim=(-18, 18), xlabel="m")
        one.set_title(f"{name}: {len(tree):,} nodes", fontsize=9)
    _save(figure, "trees.png")


def draw_crowd() -> None:
    """A fan of two clips, and where people went through a door."""
    human = load_character("human").subset("crowd")
    fan = grow_exhaustive(human, depth=2, begins="jog-left")
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.2), width_ratios=(1, 1.5))
    for node in range(1, len(fan)):
        above = int(fan.parent[node])
        line = fan.pose[[above, node], :2]
        left.plot(*line.T, color="#2471a3" if above == 0 else "0.7", lw=1.2 if above == 0 else 0.5)
    left.plot(0.0, 0.0, "o", color=WAY, ms=6)
    left.set(aspect="equal", xlabel="m")
    left.set_title(f"the fan of a jogging human: {len(fan) - 1} nodes", fontsize=9)
    scene = load_scene("doorway-4")
    performance = perform(scene, CrowdStage(30.0), check=False)
    recording = performance.recording
    _draw_world(right, scene.world)
    groups = sorted({name.rpartition("-")[0] for name in recording.names})
    for name, points in zip(recording.names, root_points(recording), strict=True):
        color = character_color(groups.index(name.rpartition("-")[0]))
        right.plot(*points[-120:].T, color=color, lw=0.6)
        right.plot(*points[-1], "o", color=color, ms=2.5)
    x0, y0, x1, y1 = scene.world.bounds
    right.set(xlim=(x0, x1), ylim=(y0, y1), aspect="equal")
    right.set_title(
        f"doorway-4 after 30 s, the last 4 s of {len(recording)}; {performance.course.run.replans:,} plans taken up",
        fontsize=9,
    )
    _save(figure, "crowd.png")


def draw_climber() -> None:
    """All stances that a search has reached, and those that it went by."""
    (problem,) = climb_problems(load_scene("climb-fork")).values()
    search = StanceSearch(problem, StanceSetting.of(problem, None), problem.seed)
    start = start_of(problem, search.setting, search)
    assert not isinstance(start, str)
    search.begin(*start)
    at = search.run(None)
    assert at is not None
    figure, axes = plt.subplots(figsize=(9.0, 5.0))
    draw_environment(axes, problem.environment)
    nodes = list(search.reached.values())
    for node in nodes:
        if node.parent is not None:
            axes.plot(*np.array([node.parent.centre, node.centre]).T, color="0.55", lw=0.5, zorder=20)
    centres = np.array([node.centre for node in nodes])
    order = axes.scatter(*centres.T, c=np.arange(len(nodes)), s=9, cmap="viridis", zorder=21)
    figure.colorbar(order, ax=axes, label="stance reached as the …th", shrink=0.8)
    way: list[tuple[float, float]] = []
    while at is not None:
        way.append(at.centre)
        at = at.parent
    axes.plot(*np.array(way).T, color=WAY, lw=2.0, zorder=22)
    axes.plot(problem.goal.x, problem.goal.z, "*", color=WAY, ms=14, zorder=23)
    axes.set(aspect="equal")
    axes.set_title(
        f"climb-fork: centres of mass of {len(nodes)} stances, {search.tries} changes of grasp tried; red: the way",
        fontsize=9,
    )
    _save(figure, "climber.png")


def draw_variation() -> None:
    """Three jogs of the built-in human and new ones; the docs of variation show captures."""
    clips = [load_character("human").behavior(name).clips[0] for name in ("jog", "jog-left-30", "jog-right-30")]
    model = learn(gather([cut_example(clip.name, clip.motion) for clip in clips]))
    made = [model.sample(seed).motion for seed in range(9)]
    path = FOLDER / "variation.png"
    overlaid_poses(path, [("3 inputs", [clip.motion for clip in clips]), ("9 variants", made)])
    print(path.name, path.stat().st_size)


def _problem(name: str) -> Problem:
    scene = load_scene(name)
    return scene.problem(scene.cast[0])


def _panels(count: int, world: World, *, width_in: float, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """Return panels of the shape of a world."""
    x0, y0, x1, y1 = world.bounds
    rows = -(-count // columns)
    height_in = width_in / columns * (y1 - y0) / (x1 - x0)
    figure, axes = plt.subplots(rows, columns, figsize=(width_in, rows * (height_in + 0.4)), squeeze=False)
    for one in axes.flat:
        one.set(xlim=(x0, x1), ylim=(y0, y1), aspect="equal", xticks=(), yticks=())
    return figure, list(axes.flat)[:count]


def _draw_world(axes: Axes, world: World) -> None:
    draw_ground(axes, world)
    draw_obstacles(axes, world.obstacles, np.empty((0, 2)))


def _draw_search(axes: Axes, problem: Problem, plan: Plan, name: str) -> None:
    """Draw a search tree by cost, and the way found."""
    _draw_world(axes, problem.world)
    assert plan.trace is not None
    draw_tree(axes, plan.trace, float(plan.trace.costs.max()))
    way = _way(plan.character, plan.steps)
    axes.plot(*way.T, color=WAY, lw=2.2, zorder=30)
    axes.plot(*way[0], "o", color=WAY, ms=6, zorder=31)
    axes.plot(problem.goal.x, problem.goal.y, "*", color=WAY, ms=13, zorder=31)
    spent = plan.statistics
    axes.set_title(
        f"{name}: {spent.expansions:,} expansions, {spent.nodes:,} nodes, cost {plan.cost:.1f}, "
        f"bound {plan.bound:.2f}", fontsize=9,
    )  # fmt: skip


def _way(character: Character, steps: Sequence[Step]) -> FloatArray:
    """Return the root's way over the ground (F, 2)."""
    return play(character, list(steps)).root_positions[:, :2]


def _save(figure: Figure, name: str) -> None:
    figure.tight_layout()
    data = BytesIO()
    figure.savefig(data, dpi=DOTS_PER_INCH)
    plt.close(figure)
    picture = encode_png(np.asarray(Image.open(data).convert("RGB")), most_bytes=MOST_BYTES, keeps_rare=True)
    write_atomically(FOLDER / name, picture)
    print(name, len(picture), flush=True)


DRAWN: dict[str, Callable[[], None]] = {
    "astar": draw_astar,
    "variants": draw_variants,
    "groups": draw_groups,
    "replanning": draw_replanning,
    "trees": draw_trees,
    "crowd": draw_crowd,
    "climber": draw_climber,
    "variation": draw_variation,
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or DRAWN:
        DRAWN[name]()


if __name__ == "__main__":
    main()
