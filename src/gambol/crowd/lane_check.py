"""Whether one-way rules cut places off, and which of them to take back so that they do not."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.crowd.floor import Floor
from gambol.crowd.kernels.lanes import one_way_moves
from gambol.crowd.middle_lines import BODY_M, connected

ROUNDS = 12  # of taking back lanes that cut places off
GIVING_UP = 5  # round from which on whole passages are given up


def take_back(floor: Floor, islands: NDArray[np.bool_], passage_of: NDArray[np.int64]) -> tuple[int, tuple[int, ...]]:
    """Take back rules until everybody can get from everywhere to everywhere they could without.

    Return how many cells lost theirs, and the passages that lost all.  First go single cells, then their neighbours,
    then passages, at last all rules of the part of the floor.  Islands are left alone: nobody is to go there, and
    everybody can leave them.
    """
    walkable = floor.room >= BODY_M
    floor.way[floor.room <= 0.0] = -1
    whole = connected(walkable)
    taken, given_up = 0, set[int]()
    for turn in range(ROUNDS + 1):
        wrong: NDArray[np.bool_] = cut_off(floor.way, walkable, whole) & ~islands
        if not wrong.any():
            break
        if turn > 0:  # to have no rule is not enough where all around have one: let there be a way out
            wrong = np.asarray(scipy.ndimage.binary_dilation(wrong, structure=np.ones((3, 3))), dtype=np.bool_)
        if turn >= GIVING_UP:
            concerned = np.unique(passage_of[wrong & (floor.way >= 0)])
            given_up.update(int(number) for number in concerned if number >= 0)
            wrong |= np.isin(passage_of, concerned[concerned >= 0])
        if turn == ROUNDS:
            wrong = np.isin(whole, np.unique(whole[wrong]))
        back = wrong & (floor.way >= 0)
        taken += int(np.count_nonzero(back))
        floor.way[back] = -1
    return taken, tuple(sorted(given_up))


def cut_off(way: NDArray[np.int8], walkable: NDArray[np.bool_], whole: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return the walkable cells that cannot be reached from, or cannot reach, most of their connected part.

    whole: numbers of the parts that are connected without any rule, 0 in cells that are not walkable.
    """
    free = walkable & (way < 0)
    ruled = walkable & (way >= 0)
    region = connected(free)
    count = int(region.max(initial=0))
    node = region.astype(np.int32) - 1
    ruled_count = int(np.count_nonzero(ruled))
    node[ruled] = count + np.arange(ruled_count, dtype=np.int32)
    moves = np.empty((2, 24 * ruled_count), dtype=np.int32)
    used = one_way_moves(walkable, way, node, moves)
    total = count + ruled_count
    graph = scipy.sparse.coo_array(
        (np.ones(used, dtype=np.int8), (moves[0, :used], moves[1, :used])), shape=(total, total)
    ).tocsr()
    _, strong = scipy.sparse.csgraph.connected_components(graph, directed=True, connection="strong")
    strong_of = np.where(walkable, strong[node] + 1, 0)
    cells = np.bincount(strong_of.ravel())
    part_of = np.zeros(len(cells), dtype=np.int64)
    part_of[strong_of[walkable]] = whole[walkable]
    best = np.zeros(int(whole.max()) + 1, dtype=np.int64)
    for number in np.argsort(cells, kind="stable"):
        best[part_of[number]] = number
    return walkable & (strong_of != best[whole])
