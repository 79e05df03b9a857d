"""The soak's crowds at a size of seconds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evidence.soak.crowd_density import DensityJob
from evidence.soak.crowd_doorways import DoorwaysJob, shortcomings
from evidence.soak.crowd_edits import RandomEdits
from evidence.soak.crowd_run import CrowdRun
from evidence.soak.crowd_scenes import CrowdSlicesJob, crowd_scenes, crowd_slices_jobs
from evidence.soak.crowd_verdict import Hit, Verdict
from evidence.soak.crowd_watch import Watch, present_roots
from evidence.soak.run import run_job
from evidence.soak.tally import Record

from gambol.characters import load_character
from gambol.crowd import Crowd, Edit, Errand, root_points, statistics
from gambol.crowd import Hit as EditHit
from gambol.judges import CrowdCollision, CrowdReport, CrowdTouch, attribute, judge_crowd
from gambol.scenes import Scene, load_scene
from gambol.world import World

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the soak reads its memory as Linux tells it"),
]
SLICES, SLICE_S, EVERY_S = 3, 4.0, 0.5
PASSING = ("ms", "ms_p95", "resident_mb")  # figures that no two runs share


@pytest.fixture(scope="module")
def job() -> CrowdSlicesJob:
    return CrowdSlicesJob(
        "crowd-tiny", "", ("crowd-150",), (True,), seconds=SLICES * SLICE_S, edits_every_s=EVERY_S, slice_s=SLICE_S,
        most=50,
    )  # fmt: skip


@pytest.fixture(scope="module")
def record(job: CrowdSlicesJob, tmp_path_factory: pytest.TempPathFactory) -> Record:
    return run_job(job, tmp_path_factory.mktemp("soak"))


def _lasting(rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {key: {name: row[name] for name in row if name not in PASSING} for key, row in rows.items()}


class TestSlices:
    """A crowd that is edited all the time and judged slice by slice."""

    def test_nothing_touches_but_what_edits_are_to_blame_for(self, record: Record):
        assert record.tally.failures == []
        assert record.tally.inputs == record.tally.accepted == SLICES
        assert record.tally.counts["frames"] > 50 * 60 * (SLICES * SLICE_S - 1)
        last = record.tally.rows["crowd-150, edited, 02"]
        assert sum(last["edits"].values()) > 15
        assert min(last["edits"].values()) >= 1
        assert last["mean_speed_m_s"] > 0.5
        assert last["reachable"] == 50

    def test_a_run_that_is_taken_up_finds_the_same(self, job: CrowdSlicesJob, record: Record):
        with job.session() as session:
            again = session.run_chunk(SLICES - 1)
        key = "crowd-150, edited, 02"
        assert _lasting(again.rows)[key] == _lasting(record.tally.rows)[key]

    def test_slices_find_what_is_found_in_the_whole(self, job: CrowdSlicesJob, record: Record):
        scene = job.load("crowd-150")
        whole = CrowdRun(scene, slices=1, slice_s=SLICES * SLICE_S, edits_every_s=EVERY_S)
        row, verdict = whole.run_slice()
        parts = list(record.tally.rows.values())
        assert sorted(Hit(*hit) for part in parts for hit in part["hit"]) == sorted(verdict.hits)
        for name in ("frames", "touches", "collisions", "illegal_transitions", "arrivals"):
            assert sum(part[name] for part in parts) == row[name], name
        assert parts[-1]["longest_stand_s"] == row["longest_stand_s"]


def test_there_are_jobs_for_all_crowds_and_for_an_hour():
    scenes, hour, drops = crowd_slices_jobs()
    assert {"plaza", "square-10000", "doorway-1.2", "four-way", "mixed"} <= set(crowd_scenes())
    assert scenes.chunk_count == 2 * 10 * len(crowd_scenes())
    assert hour.chunk_count == 60
    assert len(hour.load("plaza").cast) == 1000
    assert drops.drops


def test_what_lasts_from_slice_to_slice_is_found_whole_in_the_last(job: CrowdSlicesJob):
    """Crates are dropped all the time, and slices are shorter than it takes to get out."""
    slices, slice_s = 5, 0.6
    options = {"edits_every_s": 0.25, "drops": True}
    scene = job.load("crowd-150")
    _, whole = CrowdRun(scene, slices=1, slice_s=slices * slice_s, **options).run_slice()
    run = CrowdRun(scene, slices=slices, slice_s=slice_s, **options)
    parts = [run.run_slice() for _ in range(slices)]
    assert all(verdict.wrong == [] for _, verdict in parts)
    assert sorted(hit for _, verdict in parts for hit in verdict.hits) == sorted(whole.hits)
    assert any(hit.seconds > slice_s for hit in whole.hits)
    assert sum(row["frames"] for row, _ in parts) == whole.counts["frames"]
    again = CrowdRun(scene, slices=slices, slice_s=slice_s, **options)
    again.skip_to(slices - 2)
    assert again.run_slice().verdict == parts[-2].verdict


@pytest.fixture(scope="module")
def watched() -> tuple[Crowd, Watch]:
    human = load_character("human").subset("crowd")
    crowd = Crowd(World((0.0, 0.0, 20.0, 20.0)), [human], seed=5)
    for number in range(16):
        crowd.add(0, (2.5 + 5.0 * (number % 4), 2.5 + 5.0 * (number // 4), 1.0), Errand.wander((1.0, 1.0, 19.0, 19.0)))
    watch = Watch(crowd, most=16, frames=450)
    for _ in range(450):
        watch.step()
    return crowd, watch


class TestWatch:
    """What is seen on the way, against what the recording says."""

    def test_roots_are_where_the_recording_has_them(self, watched: tuple[Crowd, Watch]):
        crowd, _ = watched
        ids, roots, going = present_roots(crowd)
        recorded = np.array([points[-1] for points in root_points(crowd.recording())])
        np.testing.assert_allclose(roots, recorded[ids], atol=1e-9)
        assert going.all()

    def test_speeds_and_stands_are_those_of_the_recording(self, watched: tuple[Crowd, Watch]):
        crowd, watch = watched
        whole = statistics(crowd.recording(), goals=np.zeros(16))
        figures = watch.figures()
        assert figures["mean_speed_m_s"] == pytest.approx(whole.mean_speed_m_s, abs=0.02)
        assert figures["longest_stand_s"] == pytest.approx(whole.longest_wait_s, abs=0.67)
        assert figures["stand_p99_s"] <= figures["longest_stand_s"]
        assert np.isfinite(watch.ms[1:]).all()

    def test_who_has_nowhere_to_go_does_not_stand_about(self):
        human = load_character("human").subset("crowd")
        crowd = Crowd(World((0.0, 0.0, 20.0, 20.0)), [human], seed=5)
        crowd.add(0, (5.0, 5.0, 0.0), Errand.to(5.0, 5.0))
        watch = Watch(crowd, most=1, frames=150)
        for _ in range(150):
            watch.step()
        assert watch.figures()["longest_stand_s"] < 2.0


def test_cutting_the_log_changes_nothing_that_comes_later():
    human = load_character("human").subset("crowd")
    world = World((0.0, 0.0, 24.0, 24.0))
    crowds = []
    for is_cut in (False, True):
        crowd = Crowd(world, [human], seed=2)
        edits = RandomEdits(crowd, seed=2, every_frames=6)
        for number in range(16):
            errand = Errand.wander((1.0, 1.0, 23.0, 23.0), count=1, then="leave")
            crowd.add(0, (3.0 + 6.0 * (number % 4), 3.0 + 6.0 * (number // 4), 0.0), errand)
        for _ in range(360):
            edits.edit()
            crowd.step()
            if is_cut and crowd.frame % 60 == 0:
                crowd.cut_log(crowd.frame - 30)
        crowds.append(crowd)
    whole, cut = crowds
    assert len(whole) < 16  # someone has left
    assert len(cut._log) < 0.4 * len(whole._log)
    assert len(cut.edits) < 0.7 * len(whole.edits)
    assert len(cut.worlds) < 0.4 * len(whole.worlds)
    reports = []
    for crowd in crowds:
        before = [one for frame, one in crowd.worlds if frame <= 330]
        later = [(frame, one) for frame, one in crowd.worlds if frame > 330]
        found = judge_crowd(crowd.recording(), before[-1], from_s=11.0, edits=later)
        reports.append((found, attribute(found, crowd.edits)))
    assert reports[0] == reports[1]


class TestVerdict:
    """What is a failure and what is not."""

    def test_a_touch_is_a_failure_whatever_was_edited(self):
        touch = CrowdTouch("a", "b", 1.0, 0.01, (0.0, 0.0, 1.0), "Hips", "Head", 0, 1, 1.0, 1.2)
        verdict = Verdict.of(CrowdReport((), (touch,), (), 10, 0.0, 2.0), (), 30.0)
        (failure,) = verdict.failures(7, "plaza")
        assert (failure["input"], failure["error"], failure["recipe"]) == (7, "Touch", "plaza")
        assert verdict.counts["touches"] == 1

    def test_a_hit_that_lasts_too_long_is_a_failure(self):
        found = CrowdCollision("a", "crate", 1.0, 0.1, (0.0, 0.0, 1.0), "Hips", 3, 1.0, 3.5)
        edit = Edit(0, "add", "crate", "now", 29, frame=30, hits={3: [EditHit(30, 105)]})
        report = CrowdReport((found,), (), (), 10, 0.0, 4.0)
        assert [error for error, _ in Verdict.of(report, [edit], 30.0).wrong] == ["Collision"]
        verdict = Verdict.of(report, [edit], 30.0, most_s=np.inf)
        assert verdict.wrong == []
        assert verdict.hits == [Hit(3, "crate", 1.0, 3.5)]
        assert verdict.hits[0].seconds == 2.5


class TestDoorways:
    """Scenes over many seeds."""

    def test_a_scene_and_a_seed_are_a_row(self, tmp_path: Path):
        job = DoorwaysJob(scenes=("doorway-4",), seeds=2, limits_s={"doorway-4": 90.0}, most=8)
        tally = run_job(job, tmp_path).tally
        assert set(tally.rows) == {"doorway-4, seed 01", "doorway-4, seed 02"}
        for row in tally.rows.values():
            assert row["arrived"] == row["characters"] == 8
            assert 5.0 < row["half_through_s"] <= row["all_through_s"] == row["lasted_s"] < 90.0
        assert tally.failures == []

    def test_who_is_sent_elsewhere_by_edits_arrives_when_they_are_over(self, tmp_path: Path):
        job = DoorwaysJob("edited", ("four-way",), seeds=1, limits_s={"four-way": 180.0}, most=8, edited_s=30.0)
        tally = run_job(job, tmp_path).tally
        (row,) = tally.rows.values()
        assert row["arrived"] == row["characters"] == 8
        assert 30.0 <= row["all_through_s"] < 180.0
        assert row["edits"] > 10
        assert tally.failures == []

    def test_time_runs_out(self, tmp_path: Path):
        job = DoorwaysJob(scenes=("doorway-4",), seeds=1, limits_s={"doorway-4": 2.0}, most=4)
        tally = run_job(job, tmp_path).tally
        (row,) = tally.rows.values()
        assert (row["arrived"], row["all_through_s"], row["lasted_s"]) == (0, None, 2.0)
        assert [failure["error"] for failure in tally.failures] == ["Doorway"]

    @pytest.mark.parametrize(
        ("figures", "said"),
        [
            ({}, []),
            ({"arrived": 199}, ["199 of 200 arrive within 80 s"]),
            ({"longest_stand_s": 61.0}, ["someone stands for 61 s"]),
        ],
    )
    def test_a_row_that_falls_short_says_of_what(self, figures: dict[str, float], said: list[str]):
        fine = {"characters": 200, "arrived": 200, "lasted_s": 80.0, "longest_stand_s": 30.0}
        assert shortcomings({**fine, **figures}) == said


def test_a_density_is_a_row(tmp_path: Path):
    job = DensityJob(densities=(0.06,), side_m=14.0, seconds=12.0, settling_s=3.0, judged_s=3.0, alone_runs=2)
    tally = run_job(job, tmp_path).tally
    assert tally.failures == []
    assert [tally.rows[name]["characters"] for name in ("alone", "0.06")] == [1, 12]
    for row in tally.rows.values():
        assert 0.2 < row["mean_speed_m_s"] < 4.0
        assert row["arrivals_per_minute"] > 0.0


def test_random_edits_are_the_same_again(job: CrowdSlicesJob):
    def worlds(scene: Scene) -> list[tuple[int, list[str]]]:
        run = CrowdRun(scene, slices=1, slice_s=2.0, edits_every_s=0.2)
        seen = []
        for _ in range(60):
            assert run._edits is not None
            run._edits.edit()
            run.crowd.step()
        for frame, world in run.crowd.worlds:
            seen.append((frame, [thing.name for thing in (*world.obstacles, *world.movers)]))
        return seen

    assert worlds(load_scene("crowd-150")) == worlds(load_scene("crowd-150"))
