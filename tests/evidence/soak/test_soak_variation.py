"""The job that runs joggers with and without variants, on a small scale and without captures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from evidence.soak.joggers import FIVE, RESTING, joggers, staying
from evidence.soak.variation_crowd import VariationCrowdJob

from gambol.characters import Character, check_character, load_character

pytestmark = pytest.mark.slow

#: Which behaviors of the human take the place of the captured ones.
JOGS = ("jog", "jog-left-15", "jog-left-50", "jog-right-15", "jog-right-50")
SPOTS = ("spot-left-45", "spot-right-45", "spot-left-90", "spot-right-90")


def stand_in() -> Character:
    """Return the built-in human under the names of the captured subject's behaviors."""
    human = load_character("human")
    played = [human.behavior(name) for name in ("stop", *SPOTS)]
    found = [replace(human.behavior(own), name=name) for own, name in zip(JOGS, FIVE, strict=True)]
    found += [replace(one, name=name) for one, name in zip(played, RESTING, strict=True)]
    found += [replace(human.behavior("start"), name="go-L"), human.behavior("stand")]
    return replace(human, behaviors=tuple(found), transitions=(), subsets={})


@pytest.fixture(scope="module")
def few() -> Character:
    return joggers(stand_in())


def test_joggers_have_five_single_clips_and_can_live_in_a_crowd(few: Character):
    assert [len(few.behavior(name).clips) for name in FIVE] == [1] * 5
    assert [finding for finding in check_character(few) if finding.severity == "error"] == []


def test_a_stand_that_stays_ends_where_it_begins(few: Character):
    clip = few.behavior("stand").clips[0]
    last = clip.motion.frame_count - 1 - clip.margin
    roots = np.array(clip.motion.root_positions)
    drift = np.clip((np.arange(len(roots)) - clip.margin) / (last - clip.margin), 0.0, 1.0)
    roots[:, 0] += 0.03 * drift
    drifting = replace(clip, motion=replace(clip.motion, root_positions=roots))
    assert np.abs(staying(drifting).displacement).max() == 0.0


def test_both_kinds_are_run_and_nothing_touches():
    job = VariationCrowdJob(
        captured=stand_in, preset="registered", seeds=1, nodes=1000, group=3, people=5, seconds=3.0,
        most_repeats=np.inf, variants=(2, 1), trees=2,
    )  # fmt: skip
    with job.session() as session:
        tallies = [session.run_chunk(chunk) for chunk in range(job.chunk_count)]
    assert [tally.failures for tally in tallies] == [[], []]
    rows = {name: row for tally in tallies for name, row in tally.rows.items()}
    assert set(rows) == {
        "tree 0, 5 clips", "tree 0, 11 clips", "tree 0, 11 clips in 2 trees", "crowd 0, 5 clips", "crowd 0, 11 clips",
    }  # fmt: skip
    assert rows["tree 0, 11 clips"]["found"] == 3
    assert all(row["repeats"]["clips_begun"] > 0 for row in rows.values())
