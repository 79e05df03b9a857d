"""Which clip a step plays: the hash, written out in plain Python."""

from __future__ import annotations

from collections import Counter

from evidence.soak.plain_hash import chosen_clip
from hypothesis import given
from hypothesis import strategies as st

from gambol.core import lib

words = st.integers(-(2**63), 2**63 - 1)


@given(words, words, st.integers(0, 2**20), st.integers(1, 10**6))
def test_a_clip_is_chosen_by_the_hash(seed: int, word: int, behavior: int, count: int):
    chosen = lib.gb_clip_choose(seed, word, behavior, count)
    assert chosen == chosen_clip(seed, word, behavior, count)
    assert 0 <= chosen < count


def test_all_clips_are_played_about_as_often():
    drawn = Counter(lib.gb_clip_choose(7, step, 2, 5) for step in range(10_000))
    assert sorted(drawn) == [0, 1, 2, 3, 4]
    assert max(drawn.values()) < 1.1 * min(drawn.values())
