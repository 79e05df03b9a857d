from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.search.kernels import open_list

estimates = st.lists(st.integers(0, 20), max_size=200)


def filled(values: list[int]) -> np.ndarray:
    """Return a heap whose nodes are numbered in the order in which they came."""
    entries = np.empty(max(len(values), 1), np.int64)
    for node, value in enumerate(values):
        open_list.push(entries, node, open_list.entry_of(value, node))
    return entries


def emptied(entries: np.ndarray, count: int) -> list[int]:
    return [int(open_list.node_of(open_list.pop(entries, left))) for left in range(count, 0, -1)]


@settings(deadline=None)
@given(estimates)
def test_nodes_come_by_their_estimate_and_the_newer_first_among_equals(values: list[int]):
    expected = sorted(range(len(values)), key=lambda node: (values[node], -node))
    assert emptied(filled(values), len(values)) == expected


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(0, 9)), max_size=200))
def test_pushes_and_pops_in_any_order_always_give_the_first_of_what_is_there(actions: list[int | None]):
    entries = np.empty(len(actions) + 1, np.int64)
    there: list[tuple[int, int]] = []
    for node, value in enumerate(actions):
        if value is not None:
            open_list.push(entries, len(there), open_list.entry_of(value, node))
            there.append((value, -node))
        elif there:
            first = min(there)
            assert open_list.node_of(open_list.pop(entries, len(there))) == -first[1]
            there.remove(first)
