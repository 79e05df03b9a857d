from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from evidence.soak.planning_problems import bent_path, make_clip
from PIL import Image

from gambol.characters import Behavior, Character
from gambol.errors import InvalidInput, UnknownName
from gambol.pictures import shown_nodes
from gambol.pictures.tree_picture import CELL_M, tree_picture
from gambol.trees import SearchTree, grow_exhaustive
from gambol.trees.density import path_frequency


@cache
def walker(*sides: float) -> Character:
    """A figure that goes ahead, and turns to some sides."""
    clips = [make_clip("ahead", bent_path(0.5, 0.0, 0.5, 4))]
    clips += [make_clip(f"to {side}", bent_path(0.5, side, 0.5, 4)) for side in sides]
    behaviors = tuple(Behavior(clip.name, clip.name, (clip,), begins="go", ends="go") for clip in clips)
    return Character("walker", clips[0].motion.skeleton, 10.0, behaviors)


def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB")).astype(int)


def drawn(picture: np.ndarray) -> np.ndarray:
    """Return which pixels of the axes' inside have a color; text and lines of the grid are grey."""
    inside = picture[90:, 70 : picture.shape[1] - 100]
    return np.ptp(inside, axis=-1) > 25


def draw(path: Path, character: Character, **options) -> np.ndarray:
    tree_picture(path, grow_exhaustive(character, depth=3), character, **options)
    return pixels(path)


@pytest.mark.parametrize("panel", ["frequency", "fan"])
def test_what_turns_left_is_drawn_to_the_left_of_where_it_starts(tmp_path: Path, panel: str):
    left, right = (drawn(draw(tmp_path / f"{side}.png", walker(side), panels=[panel])) for side in (0.6, -0.6))
    assert left.any()
    # The root is at the bottom: to its left in the one picture is as much as to its right in the other.
    for colored, towards in ((left, -1), (right, 1)):
        rows, columns = np.nonzero(colored)
        root = columns[rows > rows.max() - 6].mean()
        assert (columns.mean() - root) * towards > 20


@pytest.mark.parametrize("panel", ["frequency", "fan"])
def test_a_figure_that_turns_both_ways_alike_has_a_symmetric_picture(tmp_path: Path, panel: str):
    colored = drawn(draw(tmp_path / "both.png", walker(0.6, -0.6), panels=[panel]))
    _, columns = np.nonzero(colored)
    colored = colored[:, columns.min() : columns.max() + 1]
    # Cells are not placed symmetrically: they begin at the root, to one side of it.
    assert (colored == colored[:, ::-1]).mean() > 0.85


def test_the_more_paths_reach_a_cell_the_darker_it_is(tmp_path: Path):
    character = walker(0.5, -0.8)
    picture = draw(tmp_path / "t.png", character, panels=["frequency"])
    frequency = path_frequency(grow_exhaustive(character, depth=3), character, cell_m=CELL_M)
    rows, columns = np.nonzero(drawn(picture))
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    # Ahead (a column of the table) is up, and left (a row) is to the left.
    count = frequency.count.T[::-1, ::-1]
    count = count[np.ix_(count.any(axis=1), count.any(axis=0))]
    down = top + (np.arange(count.shape[0]) + 0.5) / count.shape[0] * (bottom - top)
    across = left + (np.arange(count.shape[1]) + 0.5) / count.shape[1] * (right - left)
    shade = picture[90:, 70:].sum(axis=-1)[np.ix_(down.astype(int), across.astype(int))]
    reached = count > 0
    assert len(np.unique(count)) > 5
    for number in np.unique(count[reached]):
        lighter, darker = shade[reached & (count <= number)], shade[count > number]
        assert len(darker) == 0 or lighter.min() >= darker.max()


def test_both_panels_stand_side_by_side_in_a_small_file(tmp_path: Path):
    both, one = draw(tmp_path / "both.png", walker(0.3, -0.3)), draw(tmp_path / "one.png", walker(0.3), panels=["fan"])
    assert both.shape[1] == 2 * one.shape[1]
    assert (tmp_path / "both.png").stat().st_size < 250_000


def test_a_root_alone_can_be_drawn(tmp_path: Path):
    tree_picture(tmp_path / "t.png", grow_exhaustive(walker(), depth=0), walker())
    assert pixels(tmp_path / "t.png").shape[1] > 1000


def test_wrong_panels_and_other_characters_are_refused(tmp_path: Path):
    tree = grow_exhaustive(walker(0.3), depth=1)
    with pytest.raises(UnknownName, match="frequency"):
        tree_picture(tmp_path / "t.png", tree, walker(0.3), panels=["frequencies"])
    with pytest.raises(InvalidInput, match="at least one panel"):
        tree_picture(tmp_path / "t.png", tree, walker(0.3), panels=[])
    with pytest.raises(InvalidInput, match="lacks behaviors"):
        tree_picture(tmp_path / "t.png", tree, walker())
    assert list(tmp_path.iterdir()) == []


@cache
def deep_tree() -> SearchTree:
    return grow_exhaustive(walker(0.3, -0.3), depth=6)


class TestTheNodesOfAFan:
    def test_are_all_where_that_is_not_too_many(self):
        tree = deep_tree()
        assert shown_nodes(tree).tolist() == list(range(1, len(tree)))

    @pytest.mark.parametrize("most", [0, 5, 50, 700])
    def test_are_else_whole_paths_to_some_leaves(self, most: int):
        tree = deep_tree()
        nodes = shown_nodes(tree, most)
        chosen = {0, *nodes.tolist()}
        assert len(nodes) <= most
        assert len(nodes) >= most - 6
        assert all(int(tree.parent[node]) in chosen for node in nodes)
        depths = tree.depth
        inner = {int(tree.parent[node]) for node in nodes}
        assert all(depths[node] == 6 for node in nodes.tolist() if node not in inner)

    def test_are_spread_over_the_whole_tree(self):
        tree = deep_tree()
        first = {tree.path_to(node)[0] for node in shown_nodes(tree, 60).tolist()}
        assert first == set(np.flatnonzero(tree.parent == 0).tolist())
