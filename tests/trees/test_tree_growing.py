"""Growing search trees: everything to a depth, at most so many a cell, evenly spread paths."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from tests.support.tree_growth import clip_of_child, sample_place

from gambol.characters import Character, load_character
from gambol.characters.action_table import action_table
from gambol.errors import InvalidInput
from gambol.search import moves_of
from gambol.trees.branching import branching_of, default_endings
from gambol.trees.budget import budget_nodes
from gambol.trees.builders import BUILDERS
from gambol.trees.density import density, density_of, path_counts, path_frequency
from gambol.trees.diverse import grow_diverse
from gambol.trees.exhaustive import grow_exhaustive, level_sizes
from gambol.trees.fit import edge_costs
from gambol.trees.pruned import grow_pruned
from gambol.trees.region import Region
from gambol.trees.surviving import (
    HEADINGS,
    STATE_CELL_M,
    STEP,
    cost_steps,
    grow_surviving,
    shut_in_random_worlds,
    survivors,
)
from gambol.trees.tracing import Traces, traces_of
from gambol.trees.tree import SearchTree

EIGHT = (
    "jog", "jog-left-15", "jog-right-15", "jog-left-30", "jog-right-30", "jog-left-50", "jog-right-50", "short-jog",
)  # fmt: skip
CHARACTERS = Path(__file__).parent.parent.parent / "characters"
BENT = [(-3.0, -3.0), (9.0, -3.0), (9.0, 9.0), (5.5, 9.0), (5.5, 1.5), (-3.0, 1.5)]
CORRIDOR = Region.rectangle(-1.0, -2.0, 7.0, 2.0)


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human")


@pytest.fixture(scope="module")
def eight(human: Character) -> Character:
    return human.only(EIGHT)


@pytest.fixture(scope="module")
def papers(human: Character) -> Character:
    return human.subset("lk06-21")


def paths_of(tree: SearchTree) -> set[tuple[int, ...]]:
    """Return the clips that lead to each node, root included."""
    return {tuple(int(tree.clip[one]) for one in tree.path_to(node)) for node in range(len(tree))}


def behavior_paths(tree: SearchTree) -> set[tuple[str, ...]]:
    names = [tree.behaviors[tree.clip_behavior[clip]].name for clip in range(len(tree.clip_behavior))]
    return {tuple(names[clip] for clip in path) for path in paths_of(tree)}


def same(one: SearchTree, other: SearchTree) -> bool:
    columns = ("pose", "parent", "cost", "clip", "frame")
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in columns)


def traced_points(tree: SearchTree, traces: Traces, node: int) -> NDArray[np.float64]:
    """Return the points along the clip that leads to a node."""
    clip, (x, y, heading) = int(tree.clip[node]), tree.pose[tree.parent[node]].astype(np.float64)
    along = slice(traces.first[clip], traces.last[clip])
    cosine, sine = math.cos(heading), math.sin(heading)
    return np.stack(
        (x + cosine * traces.x[along] - sine * traces.y[along], y + sine * traces.x[along] + cosine * traces.y[along]),
        axis=1,
    )


def cells_of(points: NDArray[np.float64], region: Region) -> set[tuple[int, int]]:
    columns = np.floor((points[:, 0] - region.x0) / region.cell_m).astype(int)
    rows = np.floor((points[:, 1] - region.y0) / region.cell_m).astype(int)
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


@pytest.fixture(scope="module", params=["exhaustive", "pruned", "diverse", "thesis", "bent", "surviving"])
def grown(request: pytest.FixtureRequest, papers: Character) -> SearchTree:
    match request.param:
        case "exhaustive":
            return grow_exhaustive(papers, depth=3, begins="stand")
        case "pruned":
            return grow_pruned(papers, nodes=4000, per_cell=10, begins="jog-left")
        case "diverse":
            return grow_diverse(papers, nodes=4000, begins="stand")
        case "thesis":
            return grow_diverse(papers, nodes=4000, begins="stand", near_m=0.0)
        case "surviving":
            return grow_surviving(papers, nodes=4000, begins="stand", worlds=128, region=Region.disc(8.0))
        case _:
            return grow_diverse(papers, nodes=3000, region=Region.polygon(BENT))


class TestEveryBuilder:
    def test_poses_costs_and_frames_are_those_of_the_clips_one_after_the_other(
        self, grown: SearchTree, papers: Character
    ) -> None:
        actions = action_table(papers)
        cosine, sine = np.cos(grown.pose[:, 2].astype(np.float64)), np.sin(grown.pose[:, 2].astype(np.float64))
        nodes, parent = np.arange(1, len(grown)), grown.parent[1:]
        ahead, aside, turned = actions.displacement[grown.clip[nodes]].T
        x = grown.pose[parent, 0] + cosine[parent] * ahead - sine[parent] * aside
        y = grown.pose[parent, 1] + sine[parent] * ahead + cosine[parent] * aside
        assert np.abs(grown.pose[nodes, 0] - x).max() < 1e-5
        assert np.abs(grown.pose[nodes, 1] - y).max() < 1e-5
        off = grown.pose[nodes, 2] - grown.pose[parent, 2].astype(np.float64) - turned
        assert np.abs(np.exp(1j * off) - 1.0).max() < 1e-5
        assert (grown.frame[nodes] == grown.frame[parent] + actions.duration[grown.clip[nodes]]).all()
        costs, behavior = edge_costs(papers), grown.clip_behavior[grown.clip]
        first = moves_of(papers).cost
        expected = np.where(
            parent == 0, first[behavior[nodes]], grown.cost[parent] + costs[behavior[parent], behavior[nodes]]
        )
        assert (grown.cost[nodes] == expected).all()

    def test_every_edge_is_a_legal_transition(self, grown: SearchTree, papers: Character) -> None:
        allowed, behavior = np.isfinite(papers.transition_costs), grown.clip_behavior[grown.clip]
        for node in range(1, len(grown)):
            name = papers.behaviors[behavior[node]].name
            if grown.parent[node] > 0:
                assert allowed[behavior[grown.parent[node]], behavior[node]], name
            elif grown.begins is not None:
                assert papers.behavior(name).begins == grown.begins

    def test_no_two_children_of_a_node_are_the_same_behavior(self, grown: SearchTree) -> None:
        pairs = np.stack((grown.parent[1:], grown.clip_behavior[grown.clip[1:]]), axis=1)
        assert len(np.unique(pairs, axis=0)) == len(grown) - 1

    def test_endings_are_leaves(self, grown: SearchTree) -> None:
        ends = np.array([one.name in grown.settings["endings"] for one in grown.behaviors])[
            grown.clip_behavior[grown.clip]
        ]
        ends[0] = False
        assert ends.any()
        assert not ends[grown.parent[1:]].any()


class TestExhaustive:
    @pytest.mark.parametrize("depth", range(6))
    def test_the_number_of_nodes_is_that_of_equation_1(self, eight: Character, depth: int) -> None:
        assert len(grow_exhaustive(eight, depth=depth)) == sum(8**level for level in range(depth + 1))

    def test_levels_counted_beforehand_are_those_that_grow(self, papers: Character) -> None:
        tree = grow_exhaustive(papers, depth=4, begins="stand")
        branching = branching_of(papers, "stand", default_endings(papers))
        assert np.bincount(tree.depth).tolist() == level_sizes(branching, 4)

    def test_too_large_a_tree_is_refused_by_its_size_before_it_grows(self, eight: Character) -> None:
        with pytest.raises(InvalidInput, match="153,391,689"):
            grow_exhaustive(eight, depth=9)
        with pytest.raises(InvalidInput, match=r"10\^90"):
            grow_exhaustive(eight, depth=100)

    def test_a_seed_decides_which_of_a_behaviors_clips_are_played(self, eight: Character) -> None:
        one, other = grow_exhaustive(eight, depth=3), grow_exhaustive(eight, depth=3, seed=1)
        assert behavior_paths(one) == behavior_paths(other)
        assert paths_of(one) != paths_of(other)


class TestPruned:
    @pytest.mark.parametrize("per_cell", [1, 3, 20])
    def test_no_cell_holds_more_than_it_may_and_the_tree_not_more_than_its_budget(
        self, papers: Character, per_cell: int
    ) -> None:
        tree = grow_pruned(papers, nodes=3000, per_cell=per_cell, cell_m=0.25, begins="jog-left")
        assert len(tree) == 3000
        is_ending = np.array([one.name == "stop" for one in tree.behaviors])[tree.clip_behavior[tree.clip]]
        cells = np.floor(tree.pose[1:, :2].astype(np.float64) / 0.25)
        keyed = np.column_stack((cells, is_ending[1:]))
        assert np.unique(keyed, axis=0, return_counts=True)[1].max() == per_cell

    def test_what_did_not_grow_found_its_cell_full(self, eight: Character) -> None:
        tree = grow_pruned(eight, nodes=100_000, per_cell=2, cell_m=0.3, depth=4)
        held: dict[tuple[float, float], int] = {}
        for x, y in np.floor(tree.pose[1:, :2].astype(np.float64) / 0.3).tolist():
            held[x, y] = held.get((x, y), 0) + 1
        whole, kept = grow_exhaustive(eight, depth=4), behavior_paths(tree)
        names = [tree.behaviors[behavior].name for behavior in tree.clip_behavior]
        missing = 0
        for node in range(1, len(whole)):
            path = tuple(names[whole.clip[one]] for one in whole.path_to(node))
            # Behaviors of several clips may lead elsewhere in the other tree: only those of one clip are compared.
            if path not in kept and path[:-1] in kept and "jog" not in path:
                missing += 1
                x, y = np.floor(whole.pose[node, :2].astype(np.float64) / 0.3).tolist()
                assert held[x, y] == 2
        assert missing > 100

    def test_without_limits_it_is_the_exhaustive_tree(self, papers: Character) -> None:
        tree = grow_pruned(papers, nodes=100_000, per_cell=100_000, depth=3, begins="jog-left")
        assert behavior_paths(tree) == behavior_paths(grow_exhaustive(papers, depth=3, begins="jog-left"))

    def test_the_same_seed_grows_the_same_tree_and_another_seed_another(self, papers: Character) -> None:
        one, two, three = (grow_pruned(papers, nodes=2000, per_cell=5, begins="stand", seed=seed) for seed in (7, 7, 8))
        assert same(one, two)
        assert not same(one, three)


def naive_diverse(
    character: Character, *, nodes: int, region: Region, near_m: float, seed: int
) -> set[tuple[int, ...]]:
    """Algorithm 2 with nothing clever: every count, distance and density anew; returns the clips to each node."""
    branching, traces = branching_of(character, None, ()), traces_of(character, region.cell_m)
    actions, costs = action_table(character), edge_costs(character)
    poses, cost, children = [np.zeros(3, np.float32)], [0], [0]
    paths: list[tuple[int, ...]] = [()]
    grown: set[tuple[int, int]] = set()
    counts = np.zeros(region.mask.shape, dtype=np.int64)
    inside = set(zip(*(axis.tolist() for axis in np.nonzero(region.mask)), strict=True))
    sample = 0

    def trace(node: int, clip: int) -> set[tuple[int, int]]:
        x, y, heading = poses[node].astype(np.float64)
        along = slice(traces.first[clip], traces.last[clip])
        ahead, aside = traces.x[along], traces.y[along]
        cosine, sine = math.cos(heading), math.sin(heading)
        points = np.stack((x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside), axis=1)
        return cells_of(points, region)

    def measure(table: NDArray[np.int64]) -> Fraction:
        mean = Fraction(int(table[region.mask].sum()), int(region.mask.sum()))
        return sum(((mean - int(count)) ** 2 for count in table[region.mask]), Fraction(0))

    def open_children(node: int) -> list[tuple[int, set[tuple[int, int]]]]:
        row = len(character.behaviors) if node == 0 else int(actions.clip_behavior[paths[node][-1]])
        allowed = branching.inner[branching.first_inner[row] : branching.first_inner[row + 1]]
        clips = [int(clip_of_child(character, seed, node, int(behavior))) for behavior in allowed]
        traced = [(clip, trace(node, clip)) for clip in clips if (node, clip) not in grown]
        return [(clip, cells) for clip, cells in traced if cells <= inside]

    alive = {0}
    while len(poses) < nodes and alive:
        x, y = sample_place(region, seed, sample)
        sample += 1
        apart = {node: (poses[node][0] - x) ** 2 + (poses[node][1] - y) ** 2 for node in alive}
        close = [node for node in alive if apart[node] <= near_m * near_m]
        if near_m > 0.0 and close:
            node = min(close, key=lambda one: (cost[one] * (1 + children[one]), one))
        else:
            node = min(alive, key=lambda one: (apart[one], one))
        candidates = open_children(node)
        if candidates:
            before = measure(counts)
            best, least = candidates[0], None
            for clip, cells in candidates:
                added = counts.copy()
                added[tuple(np.array(sorted(cells)).T)] += 1
                rise = (measure(added) - before) / len(cells)
                if least is None or rise < least:
                    best, least = (clip, cells), rise
            clip, cells = best
            counts[tuple(np.array(sorted(cells)).T)] += 1
            grown.add((node, clip))
            px, py, heading = poses[node].astype(np.float64)
            ahead, aside, turned = actions.displacement[clip]
            cosine, sine = math.cos(heading), math.sin(heading)
            facing = heading + turned
            facing -= 2.0 * math.pi * math.floor(facing / (2.0 * math.pi) + 0.5)
            place = (px + cosine * ahead - sine * aside, py + sine * ahead + cosine * aside, facing)
            behavior = int(actions.clip_behavior[clip])
            step = moves_of(character).cost[behavior]
            if node > 0:
                step = costs[int(actions.clip_behavior[paths[node][-1]]), behavior]
            alive.add(len(poses))
            poses.append(np.array(place, dtype=np.float32))
            paths.append((*paths[node], clip))
            cost.append(cost[node] + int(step))
            children.append(0)
            children[node] += 1
        if not open_children(node):
            alive.discard(node)
    return set(paths)


class TestDiverse:
    @pytest.mark.slow
    @pytest.mark.parametrize("near_m", [0.0, 0.6])
    @pytest.mark.parametrize("nodes", [2, 25, 70])
    def test_it_is_what_the_algorithm_written_down_plainly_grows(
        self, eight: Character, near_m: float, nodes: int
    ) -> None:
        region = Region.polygon([(-2.0, -4.0), (7.0, -5.0), (6.0, 5.0), (0.0, 3.0)], cell_m=0.4)
        tree = grow_diverse(eight, nodes=nodes, region=region, near_m=near_m, seed=3)
        assert paths_of(tree) == naive_diverse(eight, nodes=nodes, region=region, near_m=near_m, seed=3)

    @pytest.mark.parametrize("near_m", [0.0, None])
    def test_the_density_kept_up_while_growing_is_that_of_the_finished_tree(
        self, papers: Character, near_m: float | None
    ) -> None:
        region = Region.half_disc(9.0, cell_m=0.25)
        tree = grow_diverse(papers, nodes=3000, region=region, begins="stand", near_m=near_m, seed=5)
        counts, traces = np.zeros(region.mask.shape, dtype=np.int64), traces_of(papers, region.cell_m)
        for node in range(1, len(tree)):
            if tree.behaviors[tree.clip_behavior[tree.clip[node]]].name != "stop":
                for cell in cells_of(traced_points(tree, traces, node), region):
                    counts[cell] += 1
        assert (path_counts(tree, papers, region) == counts).all()
        among = counts[region.mask]
        assert density(tree, papers, region) == pytest.approx(((among - among.mean()) ** 2).sum(), rel=1e-12)
        assert density(tree, papers, region) == tree.notes["density"]

    def test_it_spreads_paths_more_evenly_than_the_pruned_tree(self, eight: Character) -> None:
        region = Region.covered_by(grow_exhaustive(eight, depth=5), eight)
        spread = density(grow_diverse(eight, nodes=2000, region=region, near_m=0.0), eight, region)
        assert 2.0 * spread < density(grow_pruned(eight, nodes=2000), eight, region)

    @pytest.mark.parametrize("near_m", [0.0, None])
    def test_grown_long_enough_it_contains_all_of_a_small_exhaustive_tree(
        self, human: Character, near_m: float | None
    ) -> None:
        character = human.only(("short-jog", "jog-left-30", "jog-right-30", "jog-left-50"))
        small = grow_exhaustive(character, depth=3)
        tree = grow_diverse(character, nodes=100_000, region=Region.half_disc(7.0), near_m=near_m, seed=2)
        shallow = np.flatnonzero(tree.depth <= 3).tolist()
        assert paths_of(small) == {tuple(int(tree.clip[one]) for one in tree.path_to(node)) for node in shallow}

    def test_in_a_region_that_only_a_small_tree_fits_it_becomes_that_tree(self, human: Character) -> None:
        character = human.only(("short-jog", "jog-left-30", "jog-right-30", "jog-left-50"))
        small = grow_exhaustive(character, depth=3)
        tree = grow_diverse(character, nodes=100_000, region=Region.covered_by(small, character))
        assert paths_of(tree) == paths_of(small)

    @pytest.mark.parametrize("near_m", [0.0, None])
    def test_no_path_leaves_a_region_of_odd_shape(self, papers: Character, near_m: float | None) -> None:
        region = Region.polygon(BENT)
        tree = grow_diverse(papers, nodes=2000, region=region, near_m=near_m)
        passed: set[tuple[int, int]] = set()
        traces = traces_of(papers, region.cell_m)
        for node in range(1, len(tree)):
            passed |= cells_of(traced_points(tree, traces, node), region)
        assert passed <= set(zip(*(axis.tolist() for axis in np.nonzero(region.mask)), strict=True))
        assert tree.pose[:, 1].max() > 7.0  # around the corner

    def test_endings_follow_wherever_they_may_and_stay_inside(self, human: Character) -> None:
        character = human.only(("start", "jog", "jog-left-30", "jog-right-30", "stop", "short-stop"))
        tree = grow_diverse(character, nodes=100_000, region=CORRIDOR)
        assert len(tree) < 100_000  # until nothing is left to grow
        assert set(tree.settings["endings"]) == {"stop", "short-stop"}
        paths = behavior_paths(tree)
        names = [tree.behaviors[behavior].name for behavior in tree.clip_behavior]
        traces, checked = traces_of(character, CORRIDOR.cell_m), [0, 0]
        for node in range(len(tree)):
            path = tuple(names[tree.clip[one]] for one in tree.path_to(node))
            if path and path[-1] in ("stop", "short-stop"):
                continue
            for ending in ("stop", "short-stop"):
                clip = int(action_table(character).behavior_clips[character.index(ending)])
                x, y, heading = tree.pose[node].astype(np.float64)
                ahead, aside = traces.x[traces.first[clip] : traces.last[clip]], traces.y[
                    traces.first[clip] : traces.last[clip]
                ]  # fmt: skip
                px = x + math.cos(heading) * ahead - math.sin(heading) * aside
                py = y + math.sin(heading) * ahead + math.cos(heading) * aside
                fits = all(CORRIDOR.contains(a, b) for a, b in zip(px, py, strict=True))
                checked[fits] += 1
                assert ((*path, ending) in paths) == fits
        assert min(checked) > 5

    def test_without_endings_what_ends_at_rest_goes_on_like_the_rest(self, human: Character) -> None:
        character = human.only(("start", "jog", "stop"))
        paths = behavior_paths(grow_diverse(character, nodes=300, begins="stand", endings=()))
        assert any(("stop", "start") in pairwise(path) for path in paths)

    def test_the_same_seed_grows_the_same_tree_and_another_seed_another(self, papers: Character) -> None:
        one, two, three = (grow_diverse(papers, nodes=2000, begins="stand", seed=seed) for seed in (7, 7, 8))
        assert same(one, two)
        assert one.settings == two.settings
        assert not same(one, three)

    def test_paths_are_as_deep_as_the_region_is_long(self, eight: Character) -> None:
        long = Region.rectangle(-1.0, -3.0, 110.0, 3.0)
        assert grow_diverse(eight, nodes=20_000, region=long).depth.max() >= 50

    def test_paths_are_cheaper_than_those_of_the_thesis(self, eight: Character) -> None:
        thesis, ours = (grow_diverse(eight, nodes=30_000, near_m=near_m) for near_m in (0.0, None))
        assert ours.cost.mean() < 0.9 * thesis.cost.mean()

    def test_a_budget_of_bytes_is_one_of_nodes(self, eight: Character) -> None:
        tree = grow_diverse(eight, bytes_=24_000)
        assert len(tree) == 1000
        assert tree.node_bytes == 24_000


def naive_survivors(
    character: Character, *, region: Region, shut: NDArray[np.uint64], worlds: int, least: int
) -> set[tuple[int, ...]]:
    """What grows from the cheapest on, with sets of worlds; returns the clips to each node."""
    actions, traces = action_table(character), traces_of(character, region.cell_m)
    columns, costs = region.mask.shape[1], edge_costs(character)
    bits = np.unpackbits(shut.view(np.uint8), axis=1, bitorder="little")[:, :worlds].astype(bool)
    open_in = [frozenset(np.flatnonzero(~row).tolist()) for row in bits]
    covered: dict[tuple[int, ...], set[int]] = {}
    reached = [frozenset(range(worlds))]
    poses, cost = [np.zeros(3, np.float32)], [0]
    paths: list[tuple[int, ...]] = [()]
    waiting: dict[int, list[tuple[int, int]]] = {}

    def put(node: int) -> None:
        for behavior in range(len(character.behaviors)):  # in these characters everything may follow everything
            before = actions.clip_behavior[paths[node][-1]] if node else -1
            total = cost[node] + int(costs[before, behavior] if node else moves_of(character).cost[behavior])
            if total // STEP < cost_steps(region):
                waiting.setdefault(total // STEP, []).append((node, behavior))

    put(0)
    while waiting:
        step = min(waiting)
        node, behavior = waiting[step].pop()
        if not waiting[step]:
            del waiting[step]
        clip = int(clip_of_child(character, 0, node, behavior))
        x, y, heading = poses[node].astype(np.float64)
        ahead, aside = (
            traces.x[traces.first[clip] : traces.last[clip]],
            traces.y[traces.first[clip] : traces.last[clip]],
        )
        cosine, sine = math.cos(heading), math.sin(heading)
        points = np.stack((x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside), axis=1)
        if not all(region.contains(*point) for point in points.tolist()):
            continue
        alive = reached[node]
        for row, column in cells_of(points, region):
            alive &= open_in[row * columns + column]
        ahead, aside, turned = actions.displacement[clip]
        facing = heading + turned
        facing -= 2.0 * math.pi * math.floor(facing / (2.0 * math.pi) + 0.5)
        place = np.array((x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside, facing), np.float32)
        px, py, facing = place.astype(np.float64)
        sector = math.floor((facing / (2.0 * math.pi) + 0.5) * HEADINGS) % HEADINGS
        state = (math.floor((px - region.x0) / STATE_CELL_M), math.floor((py - region.y0) / STATE_CELL_M), sector)
        if len(alive - covered.get(state, set())) < least:
            continue
        covered.setdefault(state, set()).update(alive)
        before = actions.clip_behavior[paths[node][-1]] if node else -1
        cost.append(cost[node] + int(costs[before, behavior] if node else moves_of(character).cost[behavior]))
        poses.append(place)
        paths.append((*paths[node], clip))
        reached.append(alive)
        put(len(poses) - 1)
    return set(paths)


class TestSurviving:
    @pytest.mark.slow
    @pytest.mark.parametrize("worlds", [64, 100])
    def test_what_survives_is_what_sets_of_worlds_say(self, eight: Character, worlds: int) -> None:
        region = Region.disc(6.0, cell_m=0.3)
        shut = shut_in_random_worlds(region, worlds, (0.5, 3.0), 0.3, seed=4)
        branching = branching_of(eight, None, ())
        sprouts, least = survivors(eight, branching, region, shut, 3000, 0)
        assert 1 <= least < 16
        assert 200 < len(sprouts.parent) <= 3000
        paths: list[tuple[int, ...]] = [()]
        for parent, clip in zip(sprouts.parent[1:].tolist(), sprouts.clip[1:].tolist(), strict=True):
            paths.append((*paths[parent], clip))
        assert set(paths) == naive_survivors(eight, region=region, shut=shut, worlds=worlds, least=least)

    def test_without_a_share_for_survivors_it_is_the_diverse_tree(self, papers: Character) -> None:
        keywords = {"nodes": 2000, "begins": "stand", "seed": 3}
        assert same(grow_surviving(papers, share=0.0, **keywords), grow_diverse(papers, **keywords))

    def test_the_density_is_that_of_the_finished_tree(self, papers: Character) -> None:
        tree = grow_surviving(papers, nodes=3000, region=Region.disc(8.0), begins="stand", worlds=128)
        assert 100 < tree.notes["surviving_nodes"] <= 1800
        assert density(tree, papers, Region.disc(8.0)) == tree.notes["density"]

    def test_the_same_seed_grows_the_same_tree_and_another_seed_another(self, eight: Character) -> None:
        one, two, three = (grow_surviving(eight, nodes=3000, region=Region.disc(8.0), seed=seed) for seed in (7, 7, 8))
        assert same(one, two)
        assert not same(one, three)

    def test_bad_arguments_are_refused(self, eight: Character) -> None:
        for keywords, words in (
            ({"share": 1.1}, "share lies between"),
            ({"worlds": 0}, "worlds"),
            ({"sizes_m": (2.0, 1.0)}, "sizes of boxes"),
            ({"radius_m": -0.1}, "radius must be"),
        ):
            with pytest.raises(InvalidInput, match=words):
                BUILDERS["surviving"](eight, nodes=100, **keywords)


class TestFrequency:
    def test_it_counts_the_paths_that_reach_a_cell(self, papers: Character) -> None:
        tree = grow_pruned(papers, nodes=500, per_cell=10, begins="stand")
        frequency = path_frequency(tree, papers, cell_m=0.5)
        around = Region(np.ones(frequency.count.shape, dtype=bool), frequency.x0, frequency.y0, 0.5)
        expected, traces = np.zeros(frequency.count.shape, dtype=np.int64), traces_of(papers, 0.5)
        for node in range(1, len(tree)):
            for cell in cells_of(traced_points(tree, traces, node), around):
                expected[cell] += 1
        assert (frequency.count == expected).all()
        for edge in (expected[0], expected[-1], expected[:, 0], expected[:, -1]):
            assert edge.any()  # the table is no larger than the tree

    def test_a_tree_lies_in_the_region_that_it_covers(self, eight: Character) -> None:
        tree = grow_exhaustive(eight, depth=2)
        region = Region.covered_by(tree, eight)
        assert (path_counts(tree, eight, region)[region.mask] > 0).all()
        assert all(region.contains(x, y) for x, y, _ in tree.pose.tolist())

    def test_even_counts_have_no_density(self) -> None:
        assert density_of(np.full(7, 3)) == 0.0
        assert density_of(np.array([0, 2])) == 2.0


class TestRegion:
    def test_areas_are_those_of_the_shapes(self) -> None:
        assert Region.disc(5.0, cell_m=0.05).area_m2 == pytest.approx(math.pi * 25.0, rel=0.01)
        half = Region.half_disc(5.0, behind_m=0.0, cell_m=0.05)
        assert half.area_m2 == pytest.approx(math.pi * 12.5, rel=0.01)
        assert Region.rectangle(-1.0, -2.0, 3.0, 4.0).area_m2 == pytest.approx(24.0)

    def test_a_polygon_holds_the_cells_whose_middles_it_holds(self) -> None:
        region, outline = Region.polygon(BENT, cell_m=0.37), shapely.Polygon(BENT)
        for row, column in np.ndindex(region.mask.shape):
            middle = (region.x0 + (column + 0.5) * 0.37, region.y0 + (row + 0.5) * 0.37)
            assert region.mask[row, column] == outline.contains(shapely.Point(middle))
            assert region.contains(*middle) == region.mask[row, column]

    def test_nothing_beyond_its_table_belongs_to_it(self) -> None:
        assert not CORRIDOR.contains(7.1, 0.0)
        assert not CORRIDOR.contains(0.0, -2.1)


class TestBadArguments:
    @pytest.mark.parametrize(
        ("keywords", "words"),
        [
            ({"nodes": 0}, "at least the root"),
            ({"nodes": 10, "bytes_": 240}, "not both"),
            ({"region": Region.rectangle(1.0, 1.0, 9.0, 9.0)}, "must contain the root"),
            ({"region": Region.disc(0.5)}, "stays inside the region"),
            ({"near_m": -1.0}, "not negative"),
            ({"near_m": math.nan}, "finite"),
            ({"seed": -1}, "a seed is"),
            ({"begins": "flying"}, "begins at 'flying'"),
            ({"endings": "stop"}, "sequence of names"),
            ({"endings": ("stopp",)}, "stopp"),
        ],
    )  # fmt: skip
    def test_a_diverse_tree_says_what_was_expected(
        self, papers: Character, keywords: dict[str, object], words: str
    ) -> None:
        with pytest.raises(InvalidInput, match=words):
            BUILDERS["diverse"](papers, **{"nodes": 100, **keywords})

    @pytest.mark.parametrize(
        ("keywords", "words"),
        [
            ({"per_cell": 0}, "at least one node"),
            ({"cell_m": 0.0}, "positive size"),
            ({"depth": -1}, "must not be negative"),
            ({"cell_m": 0.0001}, "too many cells"),
        ],
    )
    def test_a_pruned_tree_says_what_was_expected(
        self, papers: Character, keywords: dict[str, object], words: str
    ) -> None:
        with pytest.raises(InvalidInput, match=words):
            BUILDERS["pruned"](papers, **{"nodes": 100, **keywords})

    def test_an_exhaustive_tree_has_no_negative_depth(self, eight: Character) -> None:
        with pytest.raises(InvalidInput, match="must not be negative"):
            grow_exhaustive(eight, depth=-1)

    def test_a_region_says_what_was_expected(self) -> None:
        for make, words in (
            (lambda: Region.disc(-1.0), "radius must be positive"),
            (lambda: Region.disc(cell_m=0.0), "positive size"),
            (lambda: Region.disc(1e6), "too large"),
            (lambda: Region.rectangle(1.0, 0.0, 0.0, 1.0), "least to its greatest"),
            (lambda: Region.polygon([(0.0, 0.0), (1.0, 1.0)]), "three finite corners"),
            (lambda: Region(np.zeros((3, 3), dtype=bool), 0.0, 0.0, 0.2), "at least one cell"),
            (lambda: Region(np.ones((3, 3), dtype=bool), math.nan, 0.0, 0.2), "finite place"),
        ):
            with pytest.raises(InvalidInput, match=words):
                make()

    def test_a_budget_has_a_default(self) -> None:
        assert budget_nodes(None, None, 7) == 7
        assert budget_nodes(None, 100, 7) == 4


@pytest.mark.slow
def test_a_character_of_captures_grows(mocap: Path) -> None:
    jogger = load_character(CHARACTERS / "cmu_108.toml", motions=mocap)
    for tree in (
        grow_exhaustive(jogger, depth=2),
        grow_pruned(jogger, nodes=2000),
        grow_diverse(jogger, nodes=2000),
    ):
        allowed, behavior = np.isfinite(jogger.transition_costs), tree.clip_behavior[tree.clip]
        later = np.flatnonzero(tree.parent > 0)
        assert len(later) > 100
        assert allowed[behavior[tree.parent[later]], behavior[later]].all()
