"""The soak job that disturbs bakes, on a small scale."""

from __future__ import annotations

from pathlib import Path

import pytest
from evidence.soak.bake_survival import BakeSurvivalJob

pytestmark = pytest.mark.slow


def test_a_bake_that_is_killed_ends_in_the_same_files(tmp_path: Path):
    ways = ("driver killed on the pool",)
    job = BakeSurvivalJob(count=4, disturbed=4, few=4, workers=1, kills=1, ways=ways, folder=tmp_path)
    with job.session() as session:
        tally = session.run_chunk(0)
    assert tally.failures == []
    assert tally.rows["driver killed on the pool"]["kills"] == 1
