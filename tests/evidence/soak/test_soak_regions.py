"""The soak's crowds split in space, at a size of seconds."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest
from evidence.soak.crowd_regions import CrowdRegionsJob, crowd_regions_jobs, square
from evidence.soak.run import run_job
from evidence.soak.tally import Record

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the soak reads its memory as Linux tells it"),
]
SLICES, SLICE_S, PEOPLE = 3, 3.0, 120
PASSING = ("clock_ms", "exchange_ms", "judge_s", "resident_mb")  # figures that no two runs share


@pytest.fixture(scope="module")
def job() -> CrowdRegionsJob:
    return CrowdRegionsJob(
        "regions-tiny", "", people=PEOPLE, seconds=SLICES * SLICE_S, regions=2, actors="here", density=0.05,
        slice_s=SLICE_S, threads=1,
    )  # fmt: skip


@pytest.fixture(scope="module")
def record(job: CrowdRegionsJob, tmp_path_factory: pytest.TempPathFactory) -> Record:
    return run_job(job, tmp_path_factory.mktemp("soak"))


def _lasting(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in PASSING}


def test_nobody_touches_anybody_and_borders_are_crossed(record: Record):
    assert record.tally.failures == []
    assert record.tally.inputs == record.tally.accepted == SLICES
    assert record.tally.counts["touches"] == 0
    assert record.tally.counts["frames"] > PEOPLE * 60 * (SLICES * SLICE_S - 1.0)
    assert record.tally.counts["handed_over"] > 10
    assert all(sum(row["present"]) == PEOPLE for row in record.tally.rows.values())


def test_a_run_that_is_taken_up_finds_the_same(job: CrowdRegionsJob, record: Record):
    with job.session() as session:
        again = session.run_chunk(SLICES - 1)
    assert _lasting(again.rows["02"]) == _lasting(record.tally.rows["02"])


def test_slices_find_what_is_found_in_the_whole(job: CrowdRegionsJob, record: Record):
    whole = replace(job, slice_s=SLICES * SLICE_S)
    with whole.session() as session:
        row = session.run_chunk(0).rows["00"]
    for name in ("frames", "touches", "collisions", "illegal_transitions", "arrivals"):
        assert sum(part[name] for part in record.tally.rows.values()) == row[name], name


def test_there_are_jobs_for_many_and_for_long():
    many, long = crowd_regions_jobs()
    assert (many.people, many.regions, many.actors, many.chunk_count) == (20_000, 4, "ray", 10)
    assert (long.people, long.regions, long.actors, long.chunk_count) == (2_000, 4, "ray", 60)
    assert len(square(300, 0.1, 1).cast) == 300
    assert len(square(300, 0.1, 1).world.obstacles) == 16
