"""Trees of paths chosen from the exhaustive one: each way to choose against its definition, written down plainly."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise

import numpy as np
import pytest
import shapely

from gambol.characters import Character, load_character
from gambol.characters.action_table import action_table
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.trees.candidates import Candidates, candidates_of, path_cells
from gambol.trees.choosing import (
    grow_green_kelly,
    grow_inclusion_exclusion,
    grow_inner_product,
    grow_survivor,
    points_along,
)
from gambol.trees.exhaustive import grow_exhaustive
from gambol.trees.survival import random_boxes, survival_bits
from gambol.trees.tree import SearchTree

BUILDERS = (grow_green_kelly, grow_inner_product, grow_inclusion_exclusion, grow_survivor)
BY_LEAVES = (grow_green_kelly, grow_survivor)
Path = tuple[int, ...]  # clips from the root on
BOXES, SIZES_M, RADIUS_M = 10, (0.5, 4.0), 0.3


@cache
def jogger() -> Character:
    """Five behaviors that all follow each other, some of them mirror images: ties are the rule."""
    return load_character("human").only(["jog", "jog-left-30", "jog-right-30", "jog-left-50", "short-jog"])


@cache
def walker() -> Character:
    """Behaviors with other labels and an ending: leaves at several depths."""
    names = ["start", "jog", "jog-left-30", "short-jog", "stop"]
    return load_character("human").only(names)


CASES = ((jogger, 3), (jogger, 2), (walker, 3))


@cache
def candidates(make: Callable[[], Character], depth: int) -> Candidates:
    return candidates_of(make(), depth=depth, begins=None, endings=None, seed=3)


def grow(builder: Callable[..., SearchTree], make: Callable[[], Character], depth: int, nodes: int) -> SearchTree:
    return builder(make(), nodes=nodes, depth=depth, seed=3)


def paths_of(tree: SearchTree) -> set[Path]:
    return {tuple(int(tree.clip[step]) for step in tree.path_to(node)) for node in range(len(tree))}


def path_to(some: Candidates, node: int) -> Path:
    path: list[int] = []
    while node > 0:
        path.append(int(some.clip[node]))
        node = int(some.parent[node])
    return tuple(path[::-1])


def way_to(some: Candidates, node: int) -> list[int]:
    """Return the nodes on the way to a node, without the root, that node first."""
    way = []
    while node > 0:
        way.append(node)
        node = int(some.parent[node])
    return way


def choose(some: Candidates, budget: int, best: Callable[[list[int], list[int]], int | None], offered: np.ndarray):
    """Add paths plainly: as long as any fits, the best of those that do.  Return the nodes and what was picked."""
    tree, picked = {0}, []
    while True:
        fitting = [
            int(node) for node in offered if node not in tree and len(tree | set(way_to(some, int(node)))) <= budget
        ]
        pick = best(fitting, picked)
        if pick is None:
            return {path_to(some, node) for node in tree}, picked
        picked.append(pick)
        tree |= set(way_to(some, pick))


def cells_by_node(some: Candidates, cell_m: float) -> list[set[tuple[int, int]]]:
    """Return what each path passes, the root in the middle of cell (0, 0)."""
    actions = action_table(some.character)
    passed: list[set[tuple[int, int]]] = [{(0, 0)}]
    for node in range(1, len(some)):
        first = actions.clip_samples[some.clip[node]]
        path = actions.path[first : first + actions.duration[some.clip[node]] + 1]
        arc = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(path[:, :2], axis=0).T))))
        at = np.linspace(0.0, arc[-1], 1 + max(1, int(np.ceil(arc[-1] / (0.5 * cell_m) - 1e-9))))
        local = np.column_stack((np.interp(at, arc, path[:, 0]), np.interp(at, arc, path[:, 1])))
        parent = some.pose[some.parent[node]].astype(np.float64)
        placed = planar.compose(parent, np.column_stack((local, np.zeros(len(local)))))[:, :2]
        cells = {tuple(cell) for cell in np.floor(placed / cell_m + 0.5).astype(int).tolist()}
        passed.append(passed[some.parent[node]] | cells)
    return passed


@pytest.mark.parametrize(("make", "depth"), CASES)
def test_candidates_are_the_exhaustive_tree_in_order_of_growth(make: Callable[[], Character], depth: int) -> None:
    some = candidates(make, depth)
    tree = grow_exhaustive(make(), depth=depth, seed=3)
    paths = [path_to(some, node) for node in range(len(some))]
    assert paths == sorted(paths_of(tree), key=lambda path: (len(path), path))
    assert [len(path) for path in paths] == some.clips.tolist()
    parents = {path[:-1] for path in paths if path}
    assert [paths[leaf] for leaf in some.leaves] == [path for path in paths if path not in parents]


@pytest.mark.parametrize(("make", "depth"), CASES)
@pytest.mark.parametrize("cell_m", [0.14, 0.5])
def test_cells_of_a_path_are_those_its_points_are_in(make: Callable[[], Character], depth: int, cell_m: float) -> None:
    some = candidates(make, depth)
    cells = path_cells(some, cell_m)
    corner = np.round((cells.x0 / cell_m + 0.5, cells.y0 / cell_m + 0.5)).astype(int)
    expected = cells_by_node(some, cell_m)
    for node in range(len(some)):
        listed = [
            cell for step in [*way_to(some, node), 0] for cell in cells.cell[cells.first[step] : cells.first[step + 1]]
        ]
        placed = {(cell % cells.columns + corner[0], cell // cells.columns + corner[1]) for cell in map(int, listed)}
        assert len(placed) == len(listed), "each cell counts once"
        assert placed == expected[node]


def test_points_along_a_path_are_at_equal_arc_lengths() -> None:
    some = candidates(walker, 3)
    actions = action_table(walker())
    lines = []
    for leaf in some.leaves:
        line = [np.zeros((1, 2))]
        for node in reversed(way_to(some, int(leaf))):
            first = actions.clip_samples[some.clip[node]]
            path = actions.path[first : first + actions.duration[some.clip[node]] + 1]
            line.append(planar.compose(some.pose[some.parent[node]].astype(np.float64), path)[1:, :2])
        lines.append(np.concatenate(line))
    arcs = [np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T)))) for line in lines]
    at = np.arange(1, 8) * max(arc[-1] for arc in arcs) / 7
    xs, ys = points_along(some, some.leaves, 7)
    for index, (line, arc) in enumerate(zip(lines, arcs, strict=True)):
        assert xs[:, index] == pytest.approx(np.interp(at, arc, line[:, 0]), abs=1e-5)
        assert ys[:, index] == pytest.approx(np.interp(at, arc, line[:, 1]), abs=1e-5)


@pytest.mark.parametrize(
    ("make", "depth", "budget"), [(jogger, 3, 40), (jogger, 2, 31), (walker, 3, 30), (walker, 3, 4)]
)
def test_green_kelly_adds_the_farthest_path(make: Callable[[], Character], depth: int, budget: int) -> None:
    some = candidates(make, depth)
    leaves = some.leaves
    xs, ys = points_along(some, leaves, 16)
    index_of = {int(leaf): index for index, leaf in enumerate(leaves)}

    def distance(one: int, other: int) -> float:
        a, b = index_of[one], index_of[other]
        total = 0.0
        for point in range(16):
            total += float(np.sqrt((xs[point, a] - xs[point, b]) ** 2 + (ys[point, a] - ys[point, b]) ** 2))
        return total

    def farthest(fitting: list[int], picked: list[int]) -> int | None:
        if not picked:
            return min(fitting, key=lambda node: some.cost[node], default=None)
        return max(fitting, key=lambda node: min(distance(node, other) for other in picked), default=None)

    expected, picked = choose(some, budget, farthest, leaves)
    tree = grow(grow_green_kelly, make, depth, budget)
    assert paths_of(tree) == expected
    radius = max(min(distance(int(leaf), other) for other in picked) for leaf in leaves) / 16
    assert tree.notes["covering_radius_m"] == pytest.approx(radius)


def test_the_covering_radius_never_grows_with_the_budget() -> None:
    radii = [grow(grow_green_kelly, jogger, 3, nodes).notes["covering_radius_m"] for nodes in range(4, 157, 8)]
    assert all(later <= earlier for earlier, later in pairwise(radii))
    assert grow(grow_green_kelly, jogger, 3, 156).notes["covering_radius_m"] == 0.0
    assert radii[0] > 0.5


@pytest.mark.parametrize(("make", "depth", "budget"), [(jogger, 3, 70), (jogger, 2, 12), (walker, 3, 25)])
def test_inner_product_adds_the_path_that_shares_the_fewest_cells(
    make: Callable[[], Character], depth: int, budget: int
) -> None:
    some = candidates(make, depth)
    cells = cells_by_node(some, 0.28)

    def least(fitting: list[int], picked: list[int]) -> int | None:
        if not picked:
            return min(fitting, key=lambda node: some.cost[node], default=None)
        return min(fitting, key=lambda node: sum(len(cells[node] & cells[other]) for other in picked), default=None)

    expected, picked = choose(some, budget, least, np.arange(1, len(some)))
    assert paths_of(grow_inner_product(make(), nodes=budget, depth=depth, seed=3, cell_m=0.28)) == expected
    assert len(picked) == budget - 1, "a part of a path shares no more than the path: it is never left out"


@pytest.mark.parametrize(("make", "depth", "budget"), [(jogger, 3, 70), (jogger, 2, 12), (walker, 3, 25)])
@pytest.mark.parametrize("free", [0.6, 0.95])
def test_inclusion_exclusion_adds_the_path_most_likely_free_alone(
    make: Callable[[], Character], depth: int, budget: int, free: float
) -> None:
    some = candidates(make, depth)
    cells = cells_by_node(some, 0.28)
    powers = free ** np.arange(1000.0)

    def value(node: int, picked: list[int]) -> float:
        total = powers[len(cells[node])]
        for other in picked:
            total -= powers[len(cells[node] | cells[other])]
        return float(total)

    def largest(fitting: list[int], picked: list[int]) -> int | None:
        return max(fitting, key=lambda node: value(node, picked), default=None)

    expected, _ = choose(some, budget, largest, np.arange(1, len(some)))
    tree = grow_inclusion_exclusion(make(), nodes=budget, depth=depth, seed=3, cell_m=0.28, free=free)
    assert paths_of(tree) == expected


def test_a_path_survives_where_no_box_is_near_its_cells() -> None:
    some = candidates(jogger, 2)
    cells = path_cells(some, 0.4)
    drawn = random_boxes(cells, worlds=70, most=6, sizes_m=(0.3, 2.0), rng=np.random.default_rng(5))
    bits = survival_bits(some.parent, cells, drawn, worlds=70, radius_m=0.25)
    middles = [
        shapely.Point(cells.x0 + (cell % cells.columns + 0.5) * 0.4, cells.y0 + (cell // cells.columns + 0.5) * 0.4)
        for cell in range(cells.rows * cells.columns)
    ]
    root = middles[int(cells.cell[0])]
    left_out, survived = 0, 0
    for world in range(70):
        shapes = [_rectangle(box) for box, where in zip(drawn.boxes, drawn.world, strict=True) if where == world]
        assert 1 <= len(shapes) <= 6
        kept = [shape for shape in shapes if shape.distance(root) > 0.25]
        left_out += len(shapes) - len(kept)
        for node in range(len(some)):
            passed = [
                middles[cell]
                for step in [*way_to(some, node), 0]
                for cell in cells.cell[cells.first[step] : cells.first[step + 1]]
            ]
            free = all(shape.distance(middle) > 0.25 for shape in kept for middle in passed)
            assert bool(bits[node, world // 64] >> np.uint64(world % 64) & np.uint64(1)) == free
            survived += free
    assert left_out > 0
    assert 0 < survived < 70 * len(some)
    assert not (bits[:, 1] >> np.uint64(6)).any(), "there is no world 70"


def test_every_random_box_overlaps_the_region_of_the_paths() -> None:
    cells = path_cells(candidates(jogger, 2), 0.28)
    drawn = random_boxes(cells, worlds=200, most=5, sizes_m=(0.2, 3.0), rng=np.random.default_rng(1))
    region = shapely.union_all(
        [
            shapely.box(x, y, x + 0.28, y + 0.28)
            for cell in np.unique(cells.cell)
            for x, y in [(cells.x0 + cell % cells.columns * 0.28, cells.y0 + cell // cells.columns * 0.28)]
        ]
    )
    assert all(region.intersects(_rectangle(box)) for box in drawn.boxes)
    assert set(drawn.world.tolist()) == set(range(200))
    sizes = 2.0 * drawn.boxes[:, 3:]
    assert sizes.min() >= 0.2
    assert sizes.max() <= 3.0


def _rectangle(box: np.ndarray) -> shapely.Polygon:
    x, y, angle, half_length, half_width = box
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (half_length, half_width)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return shapely.Polygon(corners @ turn + (x, y))


@pytest.mark.parametrize(
    ("make", "depth", "budget", "worlds"),
    [(jogger, 3, 60, 100), (jogger, 3, 156, 30), (jogger, 2, 20, 64), (jogger, 3, 20, 2), (walker, 3, 40, 100)],
)
def test_survivor_adds_the_path_that_newly_survives_the_most(
    make: Callable[[], Character], depth: int, budget: int, worlds: int
) -> None:
    some = candidates(make, depth)
    cells = path_cells(some, 0.14)
    drawn = random_boxes(cells, worlds=worlds, most=BOXES, sizes_m=SIZES_M, rng=np.random.default_rng(3))
    bits = survival_bits(some.parent, cells, drawn, worlds=worlds, radius_m=RADIUS_M)
    survives = np.unpackbits(bits.view(np.uint8), axis=1, bitorder="little")[:, :worlds].astype(bool)
    turn, rounds = 1, []

    def most_gained(fitting: list[int], picked: list[int]) -> int | None:
        nonlocal turn
        counts = survives[picked].sum(axis=0)
        while fitting:
            gains = survives[fitting][:, counts < turn].sum(axis=1)
            if gains.max() > 0 or (counts < turn).all():
                rounds.append(turn)
                return fitting[int(gains.argmax())]
            turn += 1
        return None

    expected, picked = choose(some, budget, most_gained, some.leaves)
    tree = builder_with(worlds)(make(), nodes=budget, depth=depth, seed=3)
    assert paths_of(tree) == expected
    assert tree.notes["worlds_survived"] == survives[picked].any(axis=0).sum()
    assert tree.notes["worlds_survivable"] == survives[some.leaves].any(axis=0).sum()
    assert tree.notes["rounds"] == max(rounds)
    assert tree.notes["paths"] == len(picked)


def builder_with(worlds: int) -> Callable[..., SearchTree]:
    return partial(grow_survivor, worlds=worlds, boxes=BOXES, sizes_m=SIZES_M, radius_m=RADIUS_M)


@pytest.mark.parametrize("builder", BUILDERS)
@pytest.mark.parametrize("nodes", [2, 5, 17, 60, 155, 156, 1000])
def test_a_budget_is_kept_and_used_up(builder: Callable[..., SearchTree], nodes: int) -> None:
    tree = grow(builder, jogger, 3, nodes)
    if builder in BY_LEAVES and nodes < 4:
        assert len(tree) == 1, "no path of three clips fits"
    else:
        assert len(tree) == min(nodes, 156)
    assert paths_of(tree) <= paths_of(grow_exhaustive(jogger(), depth=3, seed=3))
    assert tree.settings["nodes"] == nodes


@pytest.mark.parametrize("builder", BUILDERS)
def test_the_same_seed_chooses_the_same_tree(builder: Callable[..., SearchTree]) -> None:
    one, other = grow(builder, walker, 3, 25), grow(builder, walker, 3, 25)
    for name in ("pose", "parent", "cost", "clip", "frame"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    assert dict(one.notes) == dict(other.notes)


@pytest.mark.slow
def test_other_seeds_draw_other_worlds() -> None:
    trees = [grow_survivor(jogger(), nodes=40, depth=3, seed=seed) for seed in (0, 1)]
    assert paths_of(trees[0]) != paths_of(trees[1])


@pytest.mark.parametrize("builder", BUILDERS)
def test_what_makes_no_sense_is_refused(builder: Callable[..., SearchTree]) -> None:
    with pytest.raises(InvalidInput, match="at least the root"):
        builder(jogger(), nodes=0, depth=2)
    with pytest.raises(InvalidInput, match="at least one clip"):
        builder(jogger(), nodes=10, depth=0)
    with pytest.raises(InvalidInput, match="more than"):
        builder(jogger(), nodes=10, depth=30)


@pytest.mark.parametrize(
    ("builder", "settings"),
    [
        (grow_green_kelly, {"points": 0}),
        (grow_inner_product, {"cell_m": 0.0}),
        (grow_inclusion_exclusion, {"free": 1.0}),
        (grow_survivor, {"worlds": 0}),
        (grow_survivor, {"boxes": 0}),
        (grow_survivor, {"sizes_m": (2.0, 1.0)}),
        (grow_survivor, {"radius_m": -0.1}),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    builder: Callable[..., SearchTree], settings: dict[str, object]
) -> None:
    with pytest.raises(InvalidInput):
        builder(jogger(), nodes=10, depth=2, **settings)
