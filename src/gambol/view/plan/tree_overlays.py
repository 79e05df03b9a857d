"""What a trip by search trees is made of, and what its look-ups do [LK06 figures 7, 9 and 10]."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
import shapely
import viser
from numpy.typing import NDArray

from gambol.characters.action_table import action_table
from gambol.characters.character import Character
from gambol.characters.step import Step
from gambol.geometry.arrays import FloatArray
from gambol.pictures.mesh import Color
from gambol.search.plan import Plan
from gambol.search.problem import Problem
from gambol.trees.fit import fit
from gambol.trees.question import Question
from gambol.trees.trace_back import TraceBack, placed, trace_back
from gambol.trees.tree import SearchTree
from gambol.trees.trip_ways import rough_ways
from gambol.view.meshes import color_bytes
from gambol.view.plan.looked_up import LookedUp, looked_up
from gambol.view.plan.paint import circle, draw_dots, draw_lines, enlarged, joined, on_ground, write
from gambol.world.world import Pose

# Colors: RGB, 0 to 1.
ROUGH: Color = (0.42, 0.42, 0.45)  # rough way
CROSSING: Color = (0.62, 0.30, 0.72)  # the same where something is crossed
JOIN: Color = (0.80, 0.12, 0.14)  # ends of paths of trees
SINGLE: Color = (0.42, 0.42, 0.45)  # ends of single steps
OUTLINE: Color = (0.05, 0.42, 0.62)  # reach of the first tree, its root, and the line to where its path ends
LATER: Color = (0.45, 0.66, 0.77)  # reach of later trees
TRIED: Color = (0.12, 0.24, 0.60)  # nodes at a goal that were tried
PASSED: Color = (0.92, 0.52, 0.02)  # clips that were traced in vain
STOPPED: Color = (0.80, 0.05, 0.08)  # clips that meet something
CHOSEN: Color = (0.05, 0.55, 0.22)  # clips of the trip
CELL: Color = (0.35, 0.35, 0.38)  # circle and cell of a goal
# Widths of lines on the screen in pixels, > 0.
ROUGH_PX = 2.0  # rough way
OUTLINE_PX = 3.0  # reach of the first tree
LATER_PX = 1.5  # reach of later trees, and the line to the end of the first path
TRACED_PX = 1.5  # clips traced in vain, and cells
STOPPED_PX = 2.5  # clips that meet something
CHOSEN_PX = 6.0  # the trip
# Widths of dots in a small world in metres, > 0.
NODE_M = 0.12  # nodes that were tried
STOP_M = 0.18  # nodes where clips met something
JOIN_M = 0.55  # ends of parts
CHOSEN_M = 0.08  # m, > 0: height of the trip above other lines, so that it hides them and the plan's way
WORDS_M = 1.2  # m: height above the ground of words that say why there are no look-ups
MOST_NUMBERS = 40  # >= 0: joins that are numbered, at most
MOST_CLIPS = 2_000  # >= 1: about this number of traced clips of a kind are drawn; larger: slower
CLIP_POINTS = 4  # >= 2: points of a clip's line; larger: rounder
CELL_M = 0.5  # m, > 0: side of the squares that a tree's nodes are counted in; larger: coarser outline
BRIDGED_M = 1.0  # m, >= 0: the outline leaves out gaps and inlets narrower than twice this
ROUGH_M = 0.1  # m, >= 0: by this much the outline may be off; larger: fewer points
APART_M = 0.7  # m, > 0: two points of the outline on hills are at most this far apart

_KNOWN: WeakKeyDictionary[SearchTree, shapely.Geometry] = WeakKeyDictionary()  # regions of trees


def rough_way(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw the way over the coarse map that a trip is led by."""
    ways = rough_ways(problem)
    if not ways:
        return
    lines = np.concatenate([joined(on_ground(way.points, problem.world.terrain)) for way in ways])
    is_crossing = np.concatenate([way.is_crossing[1:] | way.is_crossing[:-1] for way in ways])
    draw_lines(scene, f"{name}/line", lines, color_bytes(np.where(is_crossing[:, None], CROSSING, ROUGH)), ROUGH_PX)


def joins(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw where each part of the trip ends, with its number, and the rough way."""
    found = looked_up(problem, plan)
    if _says_why(scene, name, problem, plan, found):
        return
    rough_way(scene, name, problem, plan)
    places, size_m = np.array([part.end[:2] for part in found.parts]).reshape(-1, 2), JOIN_M * enlarged(problem.world)
    points = on_ground(places, problem.world.terrain, 0.01)
    is_single = np.array([part.look_up is None for part in found.parts], bool)
    colors = color_bytes(np.where(is_single[:, None], SINGLE, JOIN))
    draw_dots(scene, f"{name}/dots", points, colors, size_m)
    for number, point in enumerate(points[:MOST_NUMBERS], 1):
        if number < len(points) and np.linalg.norm(points[number] - point) < size_m:
            continue  # the next number would cover it
        write(scene, f"{name}/numbers/{number}", str(number), point + (0.0, 0.0, 2.0 * size_m))


def outlines(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw how far each tree reaches from where it is gone down, the first in strong lines, and where its path ends."""
    found = looked_up(problem, plan)
    if _says_why(scene, name, problem, plan, found):
        return
    terrain, larger = problem.world.terrain, enlarged(problem.world)
    first, *later = (tree_outline(tree, start, problem.world.bounds) for tree, start in found.roots)
    if later:
        draw_lines(scene, f"{name}/later", on_ground(np.concatenate(later), terrain), LATER, LATER_PX)
    draw_lines(scene, f"{name}/first", on_ground(first, terrain, 0.005), OUTLINE, OUTLINE_PX)
    root = np.array(found.roots[0][1][:2])
    draw_dots(scene, f"{name}/root", on_ground(root[None], terrain), OUTLINE, JOIN_M * larger)
    end = next((np.array(part.end[:2]) for part in found.parts if part.look_up is not None), None)
    if end is not None:
        draw_lines(scene, f"{name}/aim", joined(on_ground(np.linspace(root, end, 20), terrain)), OUTLINE, LATER_PX)
        draw_dots(scene, f"{name}/end", on_ground(end[None], terrain), JOIN, JOIN_M * larger)


def traced_nodes(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw what each look-up did: nodes tried at its goal, clips traced, where these stopped; and the trip."""
    found = looked_up(problem, plan)
    if _says_why(scene, name, problem, plan, found):
        return
    terrain, larger = problem.world.terrain, enlarged(problem.world)
    traces = [trace_back(question) for question in found.questions]
    passed = [_ways(trace.question, np.setdiff1d(trace.blocked, trace.stopped)) for trace in traces]
    stopped = [_ways(trace.question, trace.stopped) for trace in traces]
    chosen = [_ways_of_steps(problem.character, part.steps) for part in found.parts]
    for part, ways, color, width_px, above_m in (
        ("passed", passed, PASSED, TRACED_PX, 0.0),
        ("stopped", stopped, STOPPED, STOPPED_PX, 0.005),
        ("chosen", chosen, CHOSEN, CHOSEN_PX, CHOSEN_M),
    ):
        drawn = np.concatenate([np.empty((0, CLIP_POINTS, 2)), *ways])
        drawn = drawn[:: max(1, -(-len(drawn) // MOST_CLIPS))]
        segments = joined(on_ground(drawn, terrain, above_m)).reshape(-1, 2, 3)
        draw_lines(scene, f"{name}/{part}", segments, color, width_px)
    nothing = np.empty((0, 2))
    ends = np.concatenate([nothing, *(_places(trace, trace.stopped) for trace in traces)])
    draw_dots(scene, f"{name}/stops", on_ground(ends, terrain), STOPPED, STOP_M * larger)
    tried = np.concatenate([nothing, *(_places(trace, trace.tried) for trace in traces)])
    draw_dots(scene, f"{name}/tried", on_ground(tried, terrain), TRIED, NODE_M * larger)
    cells = np.concatenate([np.empty((0, 2, 2)), *(_goal_cell(question) for question in found.questions)])
    draw_lines(scene, f"{name}/cells", on_ground(cells, terrain, 0.01), CELL, TRACED_PX)


def _says_why(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan, found: LookedUp) -> bool:
    """Return whether trees lead nowhere, and write why if there is a plan."""
    if found.roots:
        return False
    if not plan.found:
        return True
    x, y, _ = problem.start
    point = on_ground(np.array([x, y]), problem.world.terrain, WORDS_M)
    write(scene, f"{name}/why", f"no look-ups: {found.reason or 'no tree is asked'}", point)
    return True


def _places(trace: TraceBack, nodes: NDArray[np.int64]) -> FloatArray:
    return placed(trace.question.look_up.tree.pose[nodes], trace.question.start)[:, :2]


def _ways(question: Question, nodes: NDArray[np.int64]) -> FloatArray:
    """Return points along the clips that lead to nodes (N, CLIP_POINTS, 2)."""
    tree, character = question.look_up.tree, question.look_up.character
    clip = fit(tree, character).clip[tree.clip[nodes]]
    nodes, clip = nodes[clip >= 0], clip[clip >= 0]
    return _along(character, clip, placed(tree.pose[tree.parent[nodes]], question.start))


def _ways_of_steps(character: Character, steps: tuple[Step, ...]) -> FloatArray:
    """Return points along the clips of steps (N, CLIP_POINTS, 2)."""
    first = action_table(character).behavior_clips
    clip = np.array([first[step.behavior] + step.clip for step in steps], np.int64)
    return _along(character, clip, np.array([step.pose for step in steps]).reshape(-1, 3))


def _along(character: Character, clip: NDArray[np.int64], begin: FloatArray) -> FloatArray:
    """Return points (N, CLIP_POINTS, 2) along clips of the action table from poses (N, 3)."""
    actions, share = action_table(character), np.linspace(0.0, 1.0, CLIP_POINTS)
    sample = actions.clip_samples[clip][:, None] + np.rint(actions.duration[clip][:, None] * share).astype(np.int64)
    along, across = actions.path[sample][..., 0], actions.path[sample][..., 1]
    cosine, sine = np.cos(begin[:, 2:]), np.sin(begin[:, 2:])
    x = begin[:, :1] + cosine * along - sine * across
    y = begin[:, 1:2] + sine * along + cosine * across
    return np.stack((x, y), axis=-1)


def _goal_cell(question: Question) -> FloatArray:
    """Return the goal's circle (S, 2, 2), and the square of the nodes listed for it if that is one square."""
    grid, goal = question.look_up.tree.grid, question.goal
    ring = circle(goal.x, goal.y, goal.tolerance_m)
    beyond = 0.5 * (grid.overlap_m - grid.cell_m)
    if goal.tolerance_m > beyond:
        return ring
    x, y, heading = question.start
    cosine, sine = np.cos(heading), np.sin(heading)
    ahead, aside = cosine * (goal.x - x) + sine * (goal.y - y), cosine * (goal.y - y) - sine * (goal.x - x)
    corner = [
        start + np.floor((value - start) / grid.cell_m) * grid.cell_m - beyond
        for value, start in ((ahead, grid.x0), (aside, grid.y0))
    ]
    square = np.array(corner) + grid.overlap_m * np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)])
    turned = placed(np.column_stack((square, np.zeros(5))), question.start)[:, :2]
    return np.concatenate((ring, joined(turned)))


def tree_outline(tree: SearchTree, start: Pose, bounds: tuple[float, float, float, float]) -> FloatArray:
    """Return the outline of the part of a world that a tree reaches from a start, as segments (S, 2, 2)."""
    region = shapely.transform(_region(tree), lambda points: _placed(points, start))
    edges = [np.empty((0, 2, 2))]
    for part in shapely.get_parts(shapely.intersection(region, shapely.box(*bounds))):
        if isinstance(part, shapely.Polygon):
            edge = shapely.get_coordinates(shapely.segmentize(shapely.get_exterior_ring(part), APART_M))
            edges.append(np.stack((edge[:-1], edge[1:]), axis=1))
    return np.concatenate(edges)


def _region(tree: SearchTree) -> shapely.Geometry:
    """Return the region of a tree's nodes in its frame; computed once."""
    if tree not in _KNOWN:
        cells = CELL_M * np.unique(np.floor(tree.pose[:, :2] / CELL_M).astype(np.int64), axis=0)
        squares = shapely.box(cells[:, 0], cells[:, 1], cells[:, 0] + CELL_M, cells[:, 1] + CELL_M)
        region = shapely.union_all(squares).buffer(BRIDGED_M).buffer(-BRIDGED_M)
        _KNOWN[tree] = shapely.simplify(region, ROUGH_M)
    return _KNOWN[tree]


def _placed(points: FloatArray, start: Pose) -> FloatArray:
    return placed(np.column_stack((points, np.zeros(len(points)))), start)[:, :2]
