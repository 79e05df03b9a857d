"""The soak's jobs at a size of seconds."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from evidence.soak import misbehaving
from evidence.soak.fuzz_formats import TARGETS, Target
from evidence.soak.fuzzing import FuzzJob
from evidence.soak.random_scenes import RandomScenesJob, tally_of
from evidence.soak.run import main, run_job
from evidence.soak.scene_generator import NEAR_LIMIT, Limits, random_scene
from evidence.soak.shipped_scenes import ShippedScenesJob, shortcomings
from evidence.soak.tally import Record, Tally

from gambol.characters import Character, load_character
from gambol.errors import MalformedFile
from gambol.judges import CheckReport, Collision
from gambol.scenes import Scene
from gambol.search import Outcome

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the soak limits processes as POSIX does"),
]
SMALL = {"bvh": 400, "glb": 300, "asf": 300, "amc": 300, "usda": 12}


def target(name: str) -> Target:
    if name == "usda" and find_spec("pxr") is None:
        pytest.skip("usd-core is not installed")
    return TARGETS[name]


@pytest.mark.parametrize("name", SMALL)
def test_every_damaged_file_gives_a_motion_or_an_error_of_ours(name: str, tmp_path: Path):
    job = FuzzJob(target(name), SMALL[name], chunk_size=100, failures_folder=tmp_path)
    tally = run_job(job, tmp_path).tally
    assert tally.failures == []
    assert tally.inputs == SMALL[name]
    assert tally.accepted + sum(tally.rejected.values()) == tally.inputs


@pytest.mark.parametrize("name", ["bvh", "glb", "asf", "amc"])
def test_damage_leaves_some_files_readable_and_breaks_others(name: str):
    chosen = target(name)
    accepted = 0
    for number in range(200):
        try:
            chosen.parse(chosen.make_input(number).data)
            accepted += 1
        except MalformedFile:
            pass
    assert 20 <= accepted <= 180


@pytest.mark.parametrize("name", SMALL)
def test_an_inputs_number_is_all_it_takes_to_make_it_again(name: str):
    chosen = target(name)
    once = [chosen.make_input(number) for number in range(20)]
    assert [chosen.make_input(number) for number in reversed(range(20))] == once[::-1]
    assert len({made.data for made in once}) > 15


class TestARunThatIsInterrupted:
    """A job counts the same whether it runs at once or in pieces."""

    def job(self, folder: Path) -> FuzzJob:
        return FuzzJob(TARGETS["amc"], 60, chunk_size=20, failures_folder=folder)

    def counts(self, path: Path) -> dict[str, object]:
        saved = json.loads(path.read_text())
        return {name: saved[name] for name in ("finished", "inputs", "accepted", "rejected", "failures")}

    def test_is_taken_up_where_it_stopped(self, tmp_path: Path):
        run_job(self.job(tmp_path), tmp_path / "whole")
        job = self.job(tmp_path)
        partial = Record(tmp_path / "pieces" / f"{job.name}.json", job.facts, job.chunk_count)
        with job.session() as session:
            partial.add(1, session.run_chunk(1))
        assert json.loads(partial.path.read_text())["chunks_done"] == [1]
        run_job(job, tmp_path / "pieces")
        name = f"{job.name}.json"
        assert self.counts(tmp_path / "pieces" / name) == self.counts(tmp_path / "whole" / name)
        assert "chunks_done" not in json.loads((tmp_path / "whole" / name).read_text())

    def test_starts_anew_where_the_job_has_changed(self, tmp_path: Path):
        job = self.job(tmp_path)
        record = Record(tmp_path / "r.json", job.facts, job.chunk_count)
        record.add(0, Tally(inputs=20))
        other = Record(tmp_path / "r.json", {**job.facts, "inputs_planned": 61}, job.chunk_count)
        other.load()
        assert not other.done

    def test_keeps_counts_and_rows(self, tmp_path: Path):
        job = self.job(tmp_path)
        record = Record(tmp_path / "r.json", job.facts, job.chunk_count)
        record.add(0, Tally(inputs=1, counts=Counter(jumps=2), rows={"a": {"found": 1}}))
        again = Record(tmp_path / "r.json", job.facts, job.chunk_count)
        again.load()
        again.add(1, Tally(inputs=1, counts=Counter(jumps=3, ducks=1), rows={"b": {"found": 2}}))
        saved = json.loads(record.path.read_text())
        assert saved["counts"] == {"ducks": 1, "jumps": 5}
        assert saved["rows"] == {"a": {"found": 1}, "b": {"found": 2}}


@pytest.mark.parametrize(
    ("misbehaviour", "error"),
    [
        ("raises", "KeyError"),
        ("hangs", "TooSlow"),
        ("crashes", "Crash"),
        ("hoards", "TooMuchMemory"),
        ("babbles", "LongMessage"),
    ],
)
def test_a_reader_that_misbehaves_is_caught_with_its_input(misbehaviour: str, error: str, tmp_path: Path):
    chosen = misbehaving.TARGETS[misbehaviour]
    bad = next(number for number in range(100) if chosen.make_input(number).data == misbehaving.BAD)
    job = FuzzJob(chosen, bad + 1, module="evidence.soak.misbehaving", failures_folder=tmp_path)
    failures = run_job(job, tmp_path).tally.failures
    assert [(failure["input"], failure["error"]) for failure in failures] == [(bad, error)]
    assert (tmp_path / f"{job.name}-{bad}.txt").read_bytes() == misbehaving.BAD


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human")


@pytest.fixture(scope="module")
def scenes(human: Character) -> list[Scene]:
    limits = Limits.of(human)
    return [random_scene(number, human, limits) for number in range(60)]


class TestRandomScenes:
    """Scenes near the limits of a character, planned and judged."""

    def test_no_delivered_motion_collides_touches_or_breaks_the_rules(self, human: Character, tmp_path: Path):
        job = RandomScenesJob("random-scenes-human", lambda: human, scenes=6, chunk_size=3, expansions=3000)
        tally = run_job(job, tmp_path).tally
        assert tally.failures == []
        assert tally.inputs == 6
        assert tally.accepted + sum(tally.rejected.values()) == 6
        assert tally.accepted >= 2
        assert tally.counts["frames"] > 1000
        assert all(tally.counts[found] == 0 for found in ("collisions", "touches", "illegal_transitions"))

    def test_what_the_check_finds_is_a_failure_but_for_movers_that_run_into_who_has_no_plan(self, human: Character):
        job = RandomScenesJob("random-scenes-human", lambda: human, expansions=300)
        with job.session() as session:
            performance = session.perform(3)
        assert performance.plans[0].steps
        name, (mover, *_) = performance.names[0], performance.scene.world.movers
        hit = Collision(name, mover.name, 1.0, 0.02, (0.0, 0.0, 0.0), "Hips")
        judged = replace(performance, report=CheckReport((hit,), (), (), 10))
        found = tally_of(4, judged, 0.1, captured=False)
        assert [(failure["input"], failure["error"]) for failure in found.failures] == [(4, "Collision")]
        assert mover.name in found.failures[0]["message"]
        assert (found.counts["collisions"], found.counts["run_over_without_a_plan"]) == (1, 0)
        lost = tuple(replace(plan, outcome=Outcome.UNREACHABLE, steps=()) for plan in performance.plans)
        spared = tally_of(4, replace(judged, plans=lost), 0.1, captured=False)
        assert spared.failures == []
        assert (spared.counts["collisions"], spared.counts["run_over_without_a_plan"]) == (0, 1)
        wall = replace(hit, thing=performance.scene.world.obstacles[0].name)
        in_a_wall = replace(judged, plans=lost, report=CheckReport((wall,), (), (), 10))
        assert len(tally_of(4, in_a_wall, 0.1, captured=False).failures) == 1

    def test_a_scenes_number_is_all_it_takes_to_make_it_again(self, human: Character, scenes: list[Scene]):
        limits = Limits.of(human)
        for number in reversed(range(10)):
            again = random_scene(number, human, limits)
            for one, two in zip(again.world.obstacles, scenes[number].world.obstacles, strict=True):
                assert (one.name, one.pose, one.bottom_m, one.top_m) == (two.name, two.pose, two.bottom_m, two.top_m)
            assert [actor.start for actor in again.cast] == [actor.start for actor in scenes[number].cast]
        assert len({scene.world.bounds for scene in scenes}) == len(scenes)

    def test_things_of_all_kinds_stand_and_move(self, scenes: list[Scene]):
        things = Counter(
            thing.name.split("/")[0].rsplit(" ", 1)[0]
            for scene in scenes
            for thing in (*scene.world.obstacles, *scene.world.movers)
        )
        standing = {"wall", "hurdle", "beam", "bar", "box", "pillar", "gate post"}
        assert set(things) == standing | {"shuttle", "spinning bar", "patrol", "log"}
        assert min(things.values()) >= 10
        assert {len(scene.cast) for scene in scenes} >= {1, 2, 3}
        assert 10 <= sum(scene.world.terrain is not None for scene in scenes) <= 35

    def test_hurdles_and_beams_are_near_what_some_clip_manages(self, human: Character, scenes: list[Scene]):
        limits = Limits.of(human)
        obstacles = [obstacle for scene in scenes for obstacle in scene.world.obstacles]
        tops = np.array([one.top_m for one in obstacles if one.name.startswith("hurdle")])
        bottoms = np.array([one.bottom_m for one in obstacles if one.name.startswith("beam")])
        least, most = NEAR_LIMIT
        for height in tops:
            assert any(least <= height / limit <= most for limit in limits.over_m)
        for height in bottoms:
            assert any(least <= limit / height <= most for limit in limits.under_m)
        assert np.any(tops > 0.9 * limits.over_m[-1])
        assert np.any(bottoms < 1.1 * limits.under_m[0])


class TestShippedScenes:
    """The table of the scenes that ship."""

    def test_a_scene_becomes_a_row(self, tmp_path: Path):
        record = run_job(ShippedScenesJob(scenes=["first", "hills"]), tmp_path)
        assert record.tally.failures == []
        assert set(record.tally.rows) == {"first", "hills"}
        assert record.tally.rows["hills"]["found"] == 2
        assert "height_error_cm" in record.tally.rows["hills"]
        assert "height_error_cm" not in record.tally.rows["first"]

    @pytest.mark.parametrize(
        ("figures", "said"),
        [
            ({}, []),
            ({"touches": 1}, ["1 touches"]),
            ({"found": 97}, ["97 of 100 arrive"]),
            ({"height_error_cm": 1.2}, ["height_error_cm of 1.2"]),
        ],
    )
    def test_a_row_that_falls_short_says_of_what(self, figures: dict[str, float], said: list[str]):
        fine = {"characters": 100, "found": 98, "collisions": 0, "touches": 0, "illegal_transitions": 0}
        assert shortcomings({**fine, **figures}, 0.98) == said


def test_the_command_lists_its_jobs_and_refuses_unknown_ones(capsys: pytest.CaptureFixture[str]):
    assert main(["--list"]) == 0
    assert "mutated-bvh" in capsys.readouterr().out
    assert main(["--only", "nothing"]) == 2
    assert "mutated-glb" in capsys.readouterr().out
