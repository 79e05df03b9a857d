"""How evenly the paths of a tree are spread [L09 equation 4.1], and how many reach each cell [L09 figure 4.2]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.core import Struct, lib, pointer, struct
from gambol.errors import InvalidInput
from gambol.trees.fit import fit
from gambol.trees.region import MOST_CELLS, REGION_CELL_M, Region
from gambol.trees.tracing import traces_of
from gambol.trees.tree import SearchTree


@dataclass(frozen=True, eq=False)
class PathFrequency:
    """How many paths of a tree reach each cell.

    Cell (row, column) begins at (x0 + column * cell_m, y0 + row * cell_m).
    """

    count: NDArray[np.int64]  # (rows, columns)
    x0: float
    y0: float
    cell_m: float


class Plot(NamedTuple):
    """The cells of a region, with what is counted in them."""

    core: Struct
    passed: NDArray[np.int64]  # (rows * columns,) clips that pass each


def density(tree: SearchTree, character: Character, region: Region) -> float:
    """Return the sum over a region's cells of the squared difference of their count to the mean [L09 equation 4.1].

    A cell's count is how many clips of the tree pass it.  Endings are left out, as they are while growing.
    """
    return density_of(path_counts(tree, character, region)[region.mask])


def density_of(counts: NDArray[np.int64]) -> float:
    """Return the measure of some cells' counts, exact but for the division."""
    total, squares = int(counts.sum()), int((counts * counts).sum())
    return (squares * len(counts) - total * total) / len(counts)


def path_counts(tree: SearchTree, character: Character, region: Region) -> NDArray[np.int64]:
    """Return how many clips of a tree, endings aside, pass each cell of a region (rows, columns)."""
    endings = set(tree.settings.get("endings", ()))
    is_ending = np.array([one.name in endings for one in tree.behaviors])
    played = tree.clip_behavior[tree.clip]
    nodes = np.flatnonzero(~is_ending[played])
    return _counted(tree, character, region, nodes[nodes > 0])


def path_frequency(tree: SearchTree, character: Character, *, cell_m: float = REGION_CELL_M) -> PathFrequency:
    """Return how many paths of a tree reach each cell around it, endings included."""
    traces, bounds = traces_of(character, cell_m), np.zeros(4)
    lib.gb_traces_bound(traces.core.c, *_followed(tree, character), len(tree), pointer(bounds, "double"))
    left, bottom, right, top = np.floor(bounds / cell_m).astype(np.int64)
    rows, columns = int(top - bottom + 1), int(right - left + 1)
    if rows * columns > MOST_CELLS:
        raise InvalidInput(f"{rows * columns:,} cells are too many; take larger ones")
    around = Region(np.ones((rows, columns), dtype=bool), float(left * cell_m), float(bottom * cell_m), cell_m)
    count = _counted(tree, character, around, np.arange(1, len(tree)))
    return PathFrequency(count, around.x0, around.y0, cell_m)


def plot_of(region: Region) -> Plot:
    """Return a region as the core sees it, nothing counted yet."""
    rows, columns = region.mask.shape
    passed = np.zeros(rows * columns, dtype=np.int64)
    core = struct(
        "gb_plot",
        x0=region.x0,
        y0=region.y0,
        cell_m=region.cell_m,
        rows=rows,
        columns=columns,
        inside=region.mask,
        passed=passed,
        mark=np.full(rows * columns, -1, dtype=np.int64),
        marks=0,
    )
    return Plot(core, passed)


def _counted(tree: SearchTree, character: Character, region: Region, nodes: np.ndarray) -> NDArray[np.int64]:
    plot, traces, listed = plot_of(region), traces_of(character, region.cell_m), nodes.astype(np.int32)
    lib.gb_plot_add_paths(
        traces.core.c, plot.core.c, *_followed(tree, character), pointer(listed, "int32_t"), len(listed)
    )  # fmt: skip
    return plot.passed.reshape(region.mask.shape)


def _followed(tree: SearchTree, character: Character) -> tuple[Any, Any, Any]:
    """Return what the core reads to follow a tree's clips: poses, parents, clips."""
    clips = _clips(tree, character)
    return pointer(tree.pose, "float"), pointer(tree.parent, "int32_t"), pointer(clips, "int32_t")


def _clips(tree: SearchTree, character: Character) -> np.ndarray:
    """Return the clip of each node in the character's numbering."""
    clips = fit(tree, character).clip[tree.clip]
    if (clips[1:] < 0).any():
        raise InvalidInput(f"{character.name!r} lacks behaviors that this tree of {tree.character!r} plays")
    return clips
