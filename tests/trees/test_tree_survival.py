"""Where the paths of a tree still lead when boxes are in the way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gambol.characters import Character, load_character
from gambol.errors import InvalidInput
from gambol.trees.candidates import path_cells, paths_of
from gambol.trees.diverse import grow_diverse
from gambol.trees.region import Region
from gambol.trees.survival import random_boxes, survival_map

WORLDS, BOXES, SIZES_M, RADIUS_M, CELL_M, SEED = 70, 12, (0.5, 2.0), 0.3, 0.5, 4  # more worlds than a word has bits


@pytest.fixture(scope="module")
def jogger() -> Character:
    return load_character("human").only(["jog", "jog-left-50", "jog-right-50"])


@pytest.mark.slow
def test_a_cell_is_reached_in_the_worlds_in_which_a_path_through_it_is_free(jogger: Character):
    tree = grow_diverse(jogger, nodes=120, region=Region.half_disc(9.0), begins="jog-left")
    found = survival_map(
        tree, jogger, worlds=WORLDS, boxes=BOXES, sizes_m=SIZES_M, radius_m=RADIUS_M, cell_m=CELL_M, seed=SEED
    )
    paths = paths_of(tree, jogger)
    cells = path_cells(paths, CELL_M)
    drawn = random_boxes(cells, worlds=WORLDS, most=BOXES, sizes_m=SIZES_M, rng=np.random.default_rng(SEED))
    own = [set(cells.cell[cells.first[n] : cells.first[n + 1]].tolist()) for n in range(len(paths))]
    passed = [own[0]]
    for node in range(1, len(paths)):
        passed.append(passed[paths.parent[node]] | own[node])
    root = next(iter(own[0]))
    reached, is_open = np.zeros((2, cells.rows * cells.columns))
    for world in range(WORLDS):
        boxes = [box for box in drawn.boxes[drawn.world == world] if not is_near(cells, root, box)]
        shut = {cell for cell in range(len(reached)) if any(is_near(cells, cell, box) for box in boxes)}
        is_open[[cell for cell in range(len(reached)) if cell not in shut]] += 1
        there = {cell for node, path in enumerate(passed) if not path & shut for cell in own[node]}
        reached[list(there)] += 1
    expected = np.full(len(reached), np.nan)
    everywhere = sorted(set().union(*own))
    expected[everywhere] = reached[everywhere] / is_open[everywhere]
    np.testing.assert_allclose(found.share.reshape(-1), expected)
    assert 0.1 < found.mean < 0.95


def is_near(cells, cell: int, box: np.ndarray) -> bool:
    x, y, angle, half_length, half_width = box
    dx = cells.x0 + (cell % cells.columns + 0.5) * cells.cell_m - x
    dy = cells.y0 + (cell // cells.columns + 0.5) * cells.cell_m - y
    along = max(0.0, abs(math.cos(angle) * dx + math.sin(angle) * dy) - half_length)
    across = max(0.0, abs(math.cos(angle) * dy - math.sin(angle) * dx) - half_width)
    return along**2 + across**2 <= RADIUS_M**2


def test_more_paths_survive_in_more_worlds(jogger: Character):
    few, many = (grow_diverse(jogger, nodes=n, region=Region.half_disc(9.0), begins="jog-left") for n in (300, 20_000))
    assert survival_map(many, jogger, worlds=64).mean > survival_map(few, jogger, worlds=64).mean


def test_a_character_that_lacks_what_the_tree_plays_is_refused(jogger: Character):
    tree = grow_diverse(jogger, nodes=60, region=Region.half_disc(9.0), begins="jog-left")
    with pytest.raises(InvalidInput, match="lacks behaviors"):
        survival_map(tree, jogger.only(["jog"]))
