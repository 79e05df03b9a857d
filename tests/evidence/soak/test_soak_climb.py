"""The soak's jobs about climbs, at a size of seconds."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from evidence.reproductions.climb_carriage import Carriage
from evidence.reproductions.climb_density import denser
from evidence.reproductions.climb_switches import CASES, switched_off
from evidence.soak.climb_ablation import ClimbAblationJob
from evidence.soak.climb_density import ClimbDensityJob
from evidence.soak.climb_density import shortcomings as density_shortcomings
from evidence.soak.climb_random import ClimbRandomJob
from evidence.soak.climb_seeds import ClimbSeedsJob, Run, climb_scenes, row_of, shortcomings
from evidence.soak.run import run_job
from tests.support.climb_cases import flat, problem_in, scripted_walk

from gambol.climb import HEURISTICS, USAGE, Mode, StanceSetting
from gambol.climb.stances import connect, machine, postures, proposals, search

pytestmark = pytest.mark.slow


def test_a_scene_and_core_become_a_row(tmp_path: Path) -> None:
    job = ClimbSeedsJob(
        runs=(Run("stances", 1, 30.0),), scenes=["climb-flat", "climb-impossible"], in_this_process=True
    )
    tally = run_job(job, tmp_path).tally
    assert set(tally.rows) == {"climb-flat, stances", "climb-impossible, stances"}
    walked, lost = tally.rows["climb-flat, stances"], tally.rows["climb-impossible, stances"]
    assert (walked["found"], walked["modes"]["walk"]) == (1, 1.0)
    assert 0.0 < walked["travel_kept"] < 1.0
    assert (lost["found"], lost["outcomes"]) == (0, {"unreachable": 1})
    assert "do not lead to the goal" in lost["reasons"][0]
    assert json.loads((tmp_path / "climb-seeds.json").read_text())["finished"]


def test_every_climb_that_ships_has_its_turn() -> None:
    assert {"climb-flat", "climb-course", "climb-fork", "climb-impossible"} <= set(climb_scenes())


@pytest.mark.parametrize(
    ("figures", "has_a_way", "core", "said"),
    [
        ({}, True, "stances", []),
        ({"found": 94}, True, "stances", ["94 of 100 found"]),
        ({"found": 2}, True, "paper", []),
        (
            {"found": 1, "reasons": ["why"]},
            False,
            "stances",
            ["1 of 100 found where there is no way, or no reason was given"],
        ),
        (
            {"found": 0, "reasons": [""]},
            False,
            "stances",
            ["0 of 100 found where there is no way, or no reason was given"],
        ),
        ({"clean": 97}, True, "stances", ["3 of 100 not clean"]),
        ({"clean": 3}, True, "paper", []),
        ({"clean_but_for_gravity": 97}, True, "paper", ["3 of 100 not clean"]),
        ({"body_clean": 24}, True, "stances", ["1 of 25 bodies not clean"]),
    ],
)
def test_a_row_that_falls_short_says_of_what(
    figures: dict[str, object], has_a_way: bool, core: str, said: list[str]
) -> None:
    fine = {
        "seeds": 100, "found": 95, "reasons": [], "delivered": 100, "clean": 100, "clean_but_for_gravity": 100,
        "bodies": 25, "body_clean": 25,
    }  # fmt: skip
    assert shortcomings({**fine, **figures}, has_a_way=has_a_way, core=core) == said


def test_nothing_found_is_a_row_too() -> None:
    lost = {
        "seed": 4,
        "found": False,
        "outcome": "out_of_budget",
        "reason": "too far",
        "plan_s": 1.0,
        "smooth_s": 0.0,
        "tries": 7,
    }
    row = row_of([lost])
    assert (row["found"], row["delivered"], row["lost_seeds"], row["travel_kept"]) == (0, 0, [4], None)


def test_random_courses_are_judged_whether_found_or_not(tmp_path: Path) -> None:
    tally = run_job(ClimbRandomJob(courses=2, chunk_size=1, max_stances=40, in_this_process=True), tmp_path).tally
    assert tally.inputs == 2
    assert tally.counts["frames"] > 100
    assert tally.worst["drift_mm"] > 0.0


def test_parts_are_switched_off_for_a_while_only() -> None:
    before = _switches()
    for case in CASES:
        with switched_off(case) as usage:
            if usage is not None:
                off = np.flatnonzero(np.any(usage != np.array(USAGE), axis=1))
                assert [HEURISTICS[at] for at in off] == ([case] if case in HEURISTICS else list(HEURISTICS))
            else:
                assert case == "nothing" or _switches() != before
        assert _switches() == before


def _switches() -> list[object]:
    """Return all that is patched."""
    numbers = {name: value for name, value in vars(machine).items() if isinstance(value, float)}
    return [
        numbers, dict(search.TRY_COSTS), dict(machine.COSTS), connect.arc_way, connect.tree_way, postures.Poser.fit,
        proposals._Around._best, StanceSetting.of,
    ]  # fmt: skip


def test_what_is_switched_off_shows(tmp_path: Path) -> None:
    job = ClimbAblationJob(
        seeds=1, scenes=("climb-flat",), cases=("nothing", "preferred stride", "limb_counter"), in_this_process=True
    )  # fmt: skip
    rows = run_job(job, tmp_path).tally.rows
    usual, long, stiff = (rows[f"{case}, climb-flat"] for case in job.cases)
    assert usual["stride_m"] == pytest.approx(machine.STRIDE_M, rel=0.25)
    assert long["stride_m"] > usual["stride_m"] + 0.1
    assert stiff["heuristics"]["limb_counter"] > usual["heuristics"]["limb_counter"] + 0.5
    assert stiff["discomfort"] > usual["discomfort"] + 0.5


def test_ten_times_the_points_are_ten_times_as_many(tmp_path: Path) -> None:
    once, often = (len(denser("climb-flat", times).environment.grasp_points) for times in (1, 10))
    assert often == pytest.approx(10 * once, rel=0.05)
    job = ClimbDensityJob(seeds=1, scenes=("climb-flat",), times=(10,), in_this_process=True)
    assert run_job(job, tmp_path).tally.failures == []


def test_a_stride_that_is_off_is_told() -> None:
    row = {"found": 1, "seeds": 1, "stride_m": 0.9}
    assert density_shortcomings(row) == [f"strides of 0.90 m where {machine.STRIDE_M:g} m are preferred"]
    assert density_shortcomings({**row, "stride_m": None, "found": 0}) == ["0 of 1 found"]


def test_a_walk_made_by_hand_measures_what_it_was_made_with() -> None:
    walk = Carriage(problem_in(flat()), scripted_walk(6))
    assert walk.strides == pytest.approx([0.3, 0.6, 0.6, 0.6, 0.6])
    assert walk.foot_lift == pytest.approx(0.1, abs=0.01)
    assert walk.mode_shares == {"walk": 1.0, "climb": 0.0, "swing": 0.0, "crawl": 0.0}
    assert walk.mode_sequence == ["walk"]
    assert walk.lean == pytest.approx(0.05)
    assert walk.counter_swing > 0.95
    assert len(walk.key_rows) == 6
    assert walk.heuristics["knees_down"] is None
    assert walk.heuristics["upright_spine"] == pytest.approx(np.log1p((0.01 / 0.2) ** 2), abs=1e-6)
    assert walk.reaches(Mode.WALK).max() == pytest.approx(1.2)


def test_results_become_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent.parent.parent / "tools"))
    tables = import_module("climb_tables")
    seeds = {"seeds": 1, "found": 0, "tries": 9.0, "discomfort": None, "heuristics": {}, "modes": {}}
    found = {**seeds, "found": 1, "discomfort": 1.5, "heuristics": {"balance": 0.25}, "stride_m": 0.6}
    ablation = {
        "seeds": 1, "max_stances": 10, "limit_s": 1.0, "scenes": ["climb-flat", "climb-bars"],
        "cases": ["nothing", "balance"],
        "rows": {
            "nothing, climb-flat": found, "nothing, climb-bars": found,
            "balance, climb-flat": {**found, "discomfort": 2.5, "heuristics": {"balance": 0.75}},
            "balance, climb-bars": seeds,
        },
    }  # fmt: skip
    told = tables.ablation(ablation)
    assert "| balance | 1 | 0 | 18 | 2.50 (on: 1.50) |" in told
    assert "| balance | 0.25 | 0.75 |" in told
    assert "| nothing | 0.60 m | – |" in tables.carriage(ablation)
    job = ClimbSeedsJob(runs=(Run("stances", 1, 1.0),), scenes=["climb-impossible"], in_this_process=True)
    run_job(job, tmp_path)
    result = json.loads((tmp_path / "climb-seeds.json").read_text())
    assert "| climb-impossible | 0 of 1 | – |" in tables.seeds(result)
    assert "`climb-impossible` ends after" in tables.seeds(result)
    assert "climb-impossible, stances | 1 of 1" in tables.judged(result)
    assert "climb-impossible" not in tables.smoothing(result)
