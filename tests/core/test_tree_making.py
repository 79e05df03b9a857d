"""Where the core places the nodes of a tree and how it lists them, against the same in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gambol.trees.placing import Clips, list_nodes, place_nodes


@pytest.mark.parametrize("seed", range(5))
def test_a_node_is_where_its_clip_leads_from_its_parents_rounded_pose(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clips = Clips(
        displacement=rng.uniform(-3.0, 3.0, (7, 3)),
        duration=rng.integers(1, 40, 7).astype(np.int32),
        behavior=np.sort(rng.integers(0, 3, 7)).astype(np.int32),
        edge_cost=rng.integers(0, 10**6, (3, 3)),
        first_cost=rng.integers(0, 10**6, 3),
    )
    parent = np.array([-1, *(int(rng.integers(0, node)) for node in range(1, 60))])
    clip = rng.integers(0, 7, 60)
    placed = place_nodes(clips, parent, clip)
    assert not placed.pose[0].any()
    for node in range(1, 60):
        before, played = int(parent[node]), int(clip[node])
        x, y, heading = (float(value) for value in placed.pose[before])
        ahead, aside, turned = clips.displacement[played]
        place = (
            x + math.cos(heading) * ahead - math.sin(heading) * aside,
            y + math.sin(heading) * ahead + math.cos(heading) * aside,
            math.remainder(heading + turned, math.tau),
        )
        np.testing.assert_allclose(placed.pose[node], place, atol=1e-6)
        behavior, last = clips.behavior[played], clips.behavior[clip[before]]
        step = clips.first_cost[behavior] if before == 0 else clips.edge_cost[last, behavior]
        assert placed.cost[node] == placed.cost[before] + step
        assert placed.frame[node] == placed.frame[before] + clips.duration[played]


@pytest.mark.parametrize(("cell_m", "overlap_m"), [(0.5, 0.5), (0.45, 1.45), (0.3, 2.0)])
def test_a_node_is_listed_in_all_cells_whose_overlapped_square_it_is_in(cell_m: float, overlap_m: float) -> None:
    rng, groups, (rows, columns) = np.random.default_rng(1), 3, (11, 14)
    pose = rng.uniform((-2.0, -1.0, -3.0), (5.0, 4.0, 3.0), (80, 3)).astype(np.float32)
    group, order = rng.integers(0, groups, 80), rng.permutation(80)
    grid = list_nodes((-2.0, -1.0, rows, columns), (cell_m, overlap_m), pose, group, groups, order)
    beyond = 0.5 * (overlap_m - cell_m)
    for cell in range(rows * columns):
        left, bottom = -2.0 + cell_m * (cell % columns) - beyond, -1.0 + cell_m * (cell // columns) - beyond
        for number in range(groups):
            first, last = grid.first_entry[cell * groups + number : cell * groups + number + 2]
            expected = [
                node for node in order.tolist()
                if group[node] == number and left < pose[node, 0] <= left + overlap_m
                and bottom < pose[node, 1] <= bottom + overlap_m
            ]  # fmt: skip
            assert grid.entries[first:last].tolist() == expected
    assert grid.first_entry[-1] == len(grid.entries) >= 80
