"""The papers' look-up: against their algorithm written down plainly, and for what it leaves behind."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import shapely
from evidence.reproductions.gridmaps import RasterizedLookUp

from gambol.characters import Annotation, Character, load_character
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import planar
from gambol.trees import SearchTree, grow_exhaustive, grow_pruned
from gambol.world import Footprint, Mover, Obstacle, Piece, Special, Trajectory, World

RADIUS_M = 0.3
FREE, WALL = 0, 1


@cache
def jumper() -> Character:
    """A jogger who is told by hand what to jump over, and a somersault for which there is nothing anywhere."""
    human = load_character("human")
    jump = replace(human.behavior("jump-over"), annotation=Annotation(special="hurdle"))
    other = replace(human.behavior("jump-left-30"), annotation=Annotation(special="nowhere"))
    kept = tuple(human.behavior(name) for name in ("jog", "jog-left-30", "jog-right-30", "short-jog"))
    return replace(human, name="jumper", behaviors=(*kept, jump, other), transitions=(), subsets={})


@cache
def tree() -> SearchTree:
    return grow_exhaustive(jumper(), depth=4)


def random_world(rng: np.random.Generator) -> World:
    """Return walls of all kinds and hurdles in front of the origin, none of them on it."""
    obstacles = []
    for index in range(rng.integers(1, 12)):
        place = rng.uniform((1.0, -6.0), (10.0, 6.0))
        length, width = rng.uniform(0.05, 3.0, size=2)
        footprint = (
            Footprint.box(length, width),
            Footprint.disc(0.5 * length),
            Footprint((Piece(np.array([[0.0, 0.0], [length, 0.3]]), 0.2),)),
            Footprint.polygon([(0, 0), (length, 0), (length, width), (0.5 * length, 0.2 * width), (0, width)]),
        )[rng.integers(4)]
        special = Special("hurdle", near_m=2.0) if rng.random() < 0.3 else None
        pose = (float(place[0]), float(place[1]), float(rng.uniform(-3, 3)))
        obstacles.append(Obstacle(f"o{index}", footprint, pose, special=special))
    return World((-30.0, -30.0, 30.0, 30.0), obstacles=tuple(obstacles))


def random_queries(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    starts = np.column_stack((rng.uniform(-0.5, 0.5, size=(count, 2)), rng.uniform(-0.7, 0.7, size=count)))
    return starts, rng.uniform((0.0, -7.0), (11.0, 7.0), size=(count, 2))


class PlainTracing:
    """Algorithm 3, line by line, over dictionaries."""

    def __init__(self, grown: SearchTree, character: Character, cell_m: float, corner: tuple[float, float]) -> None:
        self.grown, self.cell_m, self.corner = grown, cell_m, corner
        clips = [(behavior, clip) for behavior in character.behaviors for clip in behavior.clips]
        self.special: dict[int, str | None] = {}
        self.node_cell, self.mid_cell = {0: self.cell_at(0.0, 0.0)}, {}
        for node in range(1, len(grown)):
            behavior, clip = clips[grown.clip[node]]
            self.special[node] = behavior.annotation.special
            self.node_cell[node] = self.cell_at(*grown.pose[node, :2].tolist())
            half = clip.event if behavior.annotation.special else clip.duration / 2
            middle = 0.5 * (clip.path[math.floor(half)] + clip.path[math.ceil(half)])
            parent = grown.pose[grown.parent[node]].astype(np.float64)
            self.mid_cell[node] = self.cell_at(*planar.compose(parent, middle)[:2].tolist())

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        return math.floor((y - self.corner[1]) / self.cell_m), math.floor((x - self.corner[0]) / self.cell_m)

    def candidates(self, start: np.ndarray, goal: np.ndarray) -> list[int]:
        """Return all nodes in the overlapped square around the cell that the goal is in, the cheapest first."""
        grid = self.grown.grid
        seen = planar.apply(planar.invert(start), goal)
        middle = (np.floor((seen - (grid.x0, grid.y0)) / grid.cell_m) + 0.5) * grid.cell_m + (grid.x0, grid.y0)
        apart = np.abs(self.grown.pose[:, :2] - middle).max(axis=1)
        inside = [node for node in range(1, len(self.grown)) if apart[node] <= 0.5 * grid.overlap_m]
        return sorted(inside, key=lambda node: (self.grown.cost[node], node))

    def trace(self, listed: list[int], environment: np.ndarray, kinds: dict[str, int]) -> tuple[int, int, int]:
        """Return the node found, how many nodes traces came to, and how many cells were looked up."""
        blocked: set[int] = set()
        visited = looked_up = 0
        for candidate in listed:
            node, failed = candidate, False
            while node not in blocked and environment[self.node_cell[node]] == FREE and node != 0:
                blocked.add(node)
                visited, looked_up = visited + 1, looked_up + 2
                wanted = self.special[node]
                mark = environment[self.mid_cell[node]]
                if (wanted is not None and mark != kinds.get(wanted)) or (wanted is None and mark != FREE):
                    failed = True
                    break
                node = int(self.grown.parent[node])
            if failed:
                continue
            visited += 1
            if node in blocked:
                continue
            looked_up += 1
            if environment[self.node_cell[node]] != FREE:
                blocked.add(node)
                continue
            return candidate, visited, looked_up
        return -1, visited, looked_up


@pytest.mark.parametrize("cell_m", [0.14, 0.28])
def test_it_is_the_papers_algorithm_node_for_node(cell_m: float) -> None:
    rng = np.random.default_rng(11)
    found = none = jumped = 0
    plain = None
    for _ in range(40):
        world = random_world(rng)
        look_up = RasterizedLookUp(tree(), jumper(), world, radius_m=RADIUS_M, cell_m=cell_m)
        plain = plain or PlainTracing(tree(), jumper(), cell_m, look_up.corner)
        starts, goals = random_queries(rng, 25)
        answers = look_up.measured(starts, goals)
        for query, (start, goal) in enumerate(zip(starts, goals, strict=True)):
            environment = look_up.environment(start)
            node, *counts = plain.trace(plain.candidates(start, goal), environment, {"hurdle": 2})
            assert answers.nodes[query] == node
            assert [answers.visited[query], answers.looked_up[query]] == counts
            assert answers.marked[query] == np.count_nonzero(environment)
            found, none = found + (node >= 0), none + (node < 0)
            jumped += any(plain.special[step] == "hurdle" for step in tree().path_to(node))
            assert not any(plain.special[step] == "nowhere" for step in tree().path_to(node))
    assert min(found, none) > 200
    assert jumped > 10


@pytest.mark.slow
@pytest.mark.parametrize("cell_m", [0.14, 0.28])
def test_cells_inside_an_obstacle_are_marked_and_those_outside_are_not(cell_m: float) -> None:
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(6):
        world = random_world(rng)
        look_up = RasterizedLookUp(tree(), jumper(), world, radius_m=RADIUS_M, cell_m=cell_m)
        start = random_queries(rng, 1)[0][0]
        environment = look_up.environment(start)
        regions = {WALL: [], 2: []}
        for obstacle in world.obstacles:
            region = obstacle.footprint.region(planar.relative(start, np.array(obstacle.pose)))
            regions[WALL if obstacle.special is None else 2].append(region)
        x0, y0 = look_up.corner
        rows, columns = np.indices(environment.shape)
        x, y = x0 + columns.ravel() * cell_m, y0 + rows.ravel() * cell_m
        cells = shapely.box(x, y, x + cell_m, y + cell_m)
        marks = environment.ravel()
        for mark, shapes in regions.items():
            grown = shapely.union_all([shapely.buffer(shape, RADIUS_M, quad_segs=64) for shape in shapes])
            near = shapely.intersects(cells, shapely.buffer(grown, 0.002))
            assert not (marks[~near] == mark).any()
            # Pieces are sampled one by one: a cell counts as inside if it is inside of one of them.
            for obstacle in world.obstacles:
                if (obstacle.special is None) == (mark == WALL):
                    for piece in obstacle.footprint.pieces:
                        one = Footprint((piece,)).region(planar.relative(start, np.array(obstacle.pose)))
                        within = shapely.within(cells, shapely.buffer(one, RADIUS_M, quad_segs=64))
                        inside += np.count_nonzero(within)
                        assert (marks[within] == mark).all() if mark == WALL else (marks[within] > FREE).all()
    assert inside > 500


def test_queries_leave_nothing_behind() -> None:
    rng = np.random.default_rng(2)
    world = random_world(rng)
    look_up = RasterizedLookUp(tree(), jumper(), world, radius_m=RADIUS_M)
    starts, goals = random_queries(rng, 300)
    together = look_up.many(starts, goals)
    order = rng.permutation(300)
    assert np.array_equal(look_up.many(starts[order], goals[order]), together[order])
    assert [look_up.one(starts[query], goals[query]) for query in range(0, 300, 10)] == together[::10].tolist()
    nowhere = World((-30.0, -30.0, 30.0, 30.0))
    assert not RasterizedLookUp(tree(), jumper(), nowhere, radius_m=RADIUS_M).environment((0, 0, 0)).any()
    assert not look_up._scratch.blocked.any()
    assert not look_up._scratch.environment.any()
    assert (together >= 0).any()
    assert (together < 0).any()


def test_a_start_inside_an_obstacle_finds_nothing_and_leaves_nothing() -> None:
    box = Obstacle("box", Footprint.box(1.0, 1.0), (0.0, 0.0, 0.0))
    look_up = RasterizedLookUp(tree(), jumper(), World((-30, -30, 30, 30), (box,)), radius_m=RADIUS_M)
    answers = look_up.measured([(0.0, 0.0, 0.0), (5.0, 0.0, 0.0)], [(5.0, 0.0), (10.0, 0.0)])
    assert answers.nodes[0] == -1
    assert answers.nodes[1] > 0
    assert not look_up._scratch.blocked.any()


def test_thin_obstacles_between_the_points_tested_are_tunnelled() -> None:
    quarter = jumper().behavior("jog").clips[0].path[jumper().behavior("jog").clips[0].duration // 4, 0]
    wall = Obstacle("wall", Footprint.box(0.02, 20.0), (float(quarter), 0.0, 0.0))
    look_up = RasterizedLookUp(tree(), jumper(), World((-30, -30, 30, 30), (wall,)), radius_m=0.0)
    assert (look_up.environment((0.0, 0.0, 0.0)) == WALL).any()
    assert look_up.one((0.0, 0.0, 0.0), (6.0, 0.0)) > 0, "the algorithm never looks at where the wall is"


def test_walls_are_stronger_than_hurdles_in_the_same_place() -> None:
    hurdle = Obstacle("hurdle", Footprint.box(1.0, 1.0), (3.0, 0.0, 0.0), special=Special("hurdle", near_m=1.0))
    wall = Obstacle("wall", Footprint.box(1.0, 1.0), (3.0, 0.0, 0.0))
    for obstacles in ((hurdle, wall), (wall, hurdle)):
        world = World((-30, -30, 30, 30), obstacles)
        marks = RasterizedLookUp(tree(), jumper(), world, radius_m=0.1).environment((0.0, 0.0, 0.0))
        assert set(np.unique(marks)) == {FREE, WALL}


def test_lists_of_several_groups_are_merged_by_cost() -> None:
    human = load_character("human").subset("lk06-21")
    grown = grow_pruned(human, nodes=3000, begins="stand")
    assert grown.grid.groups > 1
    look_up = RasterizedLookUp(grown, human, World((-30, -30, 30, 30)), radius_m=0.0)
    plain = PlainTracing(grown, human, 0.14, look_up.corner)
    start = np.zeros(3)
    for goal in np.random.default_rng(0).uniform((0.0, -4.0), (6.0, 4.0), size=(50, 2)):
        listed = plain.candidates(start, goal)
        assert look_up.one(start, goal) == (listed[0] if listed else -1)


def test_paths_end_only_with_what_may_come_last() -> None:
    names = [behavior.name for behavior in jumper().behaviors]
    look_up = RasterizedLookUp(tree(), jumper(), World((-30, -30, 30, 30)), radius_m=0.0, last=["short-jog"])
    plain = PlainTracing(tree(), jumper(), 0.14, look_up.corner)
    for goal in np.random.default_rng(1).uniform((1.0, -4.0), (8.0, 4.0), size=(30, 2)):
        behavior = tree().clip_behavior[tree().clip]
        expected = [
            node
            for node in plain.candidates(np.zeros(3), goal)
            if names[behavior[node]] == "short-jog"
            and all(plain.special[step] is None for step in tree().path_to(node))
        ]
        assert look_up.one((0.0, 0.0, 0.0), goal) == (expected[0] if expected else -1)


def test_goals_beyond_the_grid_are_not_found() -> None:
    look_up = RasterizedLookUp(tree(), jumper(), World((-300, -300, 300, 300)), radius_m=0.3)
    assert look_up.many([(0.0, 0.0, 0.0)] * 4, [(200, 0), (-200, 0), (0, 200), (0, -200)]).tolist() == [-1] * 4


def test_what_makes_no_sense_is_refused() -> None:
    world = World((-30, -30, 30, 30))
    for radius_m, cell_m in ((-1.0, 0.14), (math.nan, 0.14), (0.3, 0.0)):
        with pytest.raises(InvalidInput):
            RasterizedLookUp(tree(), jumper(), world, radius_m=radius_m, cell_m=cell_m)
    with pytest.raises(UnknownName):
        RasterizedLookUp(tree(), jumper(), world, radius_m=0.3, last=["fly"])
    with pytest.raises(InvalidInput, match="lacks behaviors"):
        RasterizedLookUp(tree(), jumper().only(["jog"]), world, radius_m=0.3)
    way = Trajectory(np.array([0.0, 1.0]), np.array([(1.0, 1.0, 0.0), (2.0, 1.0, 0.0)]), np.array([(0.0, 1.0)] * 2))
    cart = Mover("cart", Footprint.disc(0.5), way)
    with pytest.raises(InvalidInput, match="moves"):
        RasterizedLookUp(tree(), jumper(), World((-30, -30, 30, 30), movers=(cart,)), radius_m=0.3)
    look_up = RasterizedLookUp(tree(), jumper(), world, radius_m=0.3)
    with pytest.raises(InvalidInput, match=r"\(Q, 3\)"):
        look_up.many([(0.0, 0.0)], [(1.0, 1.0)])
    with pytest.raises(InvalidInput, match="finite"):
        look_up.one((0.0, 0.0, math.nan), (1.0, 1.0))
