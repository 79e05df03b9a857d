"""How variation is measured: by take, with chance at one half, and sharp enough to see what is wrong."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from evidence.soak.run import run_job
from evidence.soak.variation import VariationJob
from evidence.soak.variation_features import Features, Looker
from evidence.soak.variation_generators import NOISES
from evidence.soak.variation_ranks import MEASURES, ranks
from evidence.soak.variation_told_apart import Outcome, Takes, Trials, by_take, measured, trials
from tests.support.variation_walks import walks

from gambol.errors import InvalidInput
from gambol.motion import Motion
from gambol.variation.examples import Example
from gambol.variation.model import DEFAULT_PRESET, Variant

RESULT = Path(__file__).resolve().parent.parent.parent / "evidence" / "soak" / "results" / "variation.json"
NUMBERS = 12
QUICK = ("clip, linear", "windows, linear")


class Unseen(NamedTuple):
    """In place of an example: what is seen of it is made up."""

    motion: Any


def made_up_takes(rng: np.random.Generator, cycles: int) -> tuple[Takes, dict[int, np.ndarray]]:
    """Eight takes, each with a strong manner of its own; returns what is seen of each cycle, by its motion."""
    looks, found = {}, []
    for _ in range(8):
        manner = 3.0 * rng.standard_normal(NUMBERS)
        unseen = [Unseen(object()) for _ in range(cycles)]
        for one in unseen:
            looks[id(one.motion)] = manner + rng.standard_normal((7, NUMBERS))
        found.append(tuple(unseen))
    return Takes(tuple(found)), looks


def areas(shift: float, cycles: int, *, count: int = 16) -> dict[str, float]:
    """Tell other motions of the same takes, shifted in half of their numbers, from captures: areas under curves."""
    rng = np.random.default_rng(5)
    takes, looks = made_up_takes(rng, cycles)
    found = Trials(QUICK)
    kept: list[object] = []

    def see(motion):
        table = looks[id(motion)]
        names = tuple(f"value of {at}" for at in range(NUMBERS))
        return Features(names, table.mean(axis=0)[None]), Features(names, table)

    for trial in trials(takes, count, seed=2):
        made = []
        for side in trial:
            motions = []
            for example in takes.motions(side.learned):
                motion = object()
                kept.append(motion)
                own = looks[id(example.motion)].mean(axis=0)
                looks[id(motion)] = own + 0.4 * rng.standard_normal((7, NUMBERS)) + shift * (np.arange(NUMBERS) % 2)
                motions.append((tuple(take for take, _ in side.learned), motion))
            made.append(motions)
        found.add(trial, takes, made, see)
    return {name: one["auc"] for name, one in found.summary().items()}


@pytest.mark.parametrize("cycles", [1, 2])
def test_what_is_alike_is_told_apart_by_chance_alone_whatever_takes_have_of_their_own(cycles):
    assert all(0.3 < area < 0.7 for area in areas(0.0, cycles).values())


@pytest.mark.parametrize("cycles", [1, 2])
def test_a_plain_flaw_is_seen(cycles):
    assert min(areas(40.0, cycles).values()) > 0.95


@pytest.mark.parametrize("cycles", [1, 2])
def test_no_classifier_meets_a_take_again_nor_a_capture_that_was_learned_from(cycles):
    takes, _ = made_up_takes(np.random.default_rng(0), cycles)
    found = trials(takes, 30)
    assert len(found) == len(set(found)) == 30
    for trial in found:
        parts = [{take for take, _ in (*side.learned, *side.real)} for side in trial]
        assert not parts[0] & parts[1]
        for side in trial:
            assert not set(side.learned) & set(side.real)
            assert cycles == 2 or not {take for take, _ in side.learned} & {take for take, _ in side.real}


def test_the_figures_are_those_of_counting_by_hand():
    """Two trials: in the first all is right; in the second one capture seems made more than one of the made."""
    outcomes = [
        Outcome(0, (0, 1), True, 0.9), Outcome(0, (0, 1), True, 0.8), Outcome(0, (0,), False, 0.7),
        Outcome(0, (1,), False, 0.1), Outcome(1, (2, 3), True, 0.9), Outcome(1, (2, 3), True, 0.4),
        Outcome(1, (2,), False, 0.5), Outcome(1, (3,), False, 0.1),
    ]  # fmt: skip
    found = measured(outcomes)
    assert found["accuracy"] == 0.75
    assert found["auc"] == 7 / 8
    assert found["accuracy_interval"][0] <= 0.75 <= found["accuracy_interval"][1]
    equal = measured([outcome._replace(score=0.3) for outcome in outcomes])
    assert (equal["accuracy"], equal["auc"]) == (0.5, 0.5)
    assert equal["accuracy_interval"] == [0.5, 0.5]


def shaken(motion: Motion, size: float, seed: int = 0) -> Motion:
    """A motion whose root is shaken on the ground."""
    shake = size * np.random.default_rng(seed).standard_normal((motion.frame_count, 2))
    positions = np.array(motion.root_positions)
    positions[:, :2] += shake
    return Motion(motion.skeleton, motion.rate_hz, positions, motion.rotations)


def test_shaking_is_seen_in_roughness_and_in_feet_and_nothing_else_changes():
    motions = [example.motion for example in walks(4)]
    looker = Looker.over(motions)
    for see in (looker.clip, looker.windows):
        plain, rough = see(motions[0]), see(shaken(motions[0], 0.01))
        assert plain.names == rough.names
        assert plain.table.shape[1] == len(plain.names) == len(set(plain.names))
        assert np.isfinite(rough.table).all()
        more = (rough.table - plain.table).mean(axis=0)
        changed = {name for name, change in zip(plain.names, more, strict=True) if abs(change) > 1e-6}
        assert all("root" in name or name.startswith("slide") for name in changed)
        for sort in ("roughness of root forward", "slide of left_toe"):
            assert min(more[[name.startswith(sort) for name in plain.names]]) > 0.1


class FromTheSame:
    """Makes motions by drawing from what examples are drawn from, shaken or not."""

    def __init__(self, shake: float) -> None:
        self._shake = shake

    def make(self, generator: str, captures, count: int, seed: int) -> list[Variant]:
        rng = np.random.default_rng(seed)
        found = []
        for example in walks(count, seed=100 + seed):
            rotations = np.array(example.motion.rotations)
            rotations += self._shake * rng.standard_normal(rotations.shape)
            rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
            motion = Motion(example.motion.skeleton, example.motion.rate_hz, example.motion.root_positions, rotations)
            found.append(Variant(motion, example.contacts, seed))
        return found


def test_captures_rank_in_the_middle_of_their_like_and_low_among_the_shaken():
    group: list[Example] = walks(9, seed=50)
    alike = ranks(FromTheSame(0.0), "", [group], draws=2, made=6)  # type: ignore[arg-type]
    rough = ranks(FromTheSame(0.02), "", [group], draws=2, made=4)  # type: ignore[arg-type]
    for name in MEASURES[1:]:
        assert 0.25 < alike[name]["rank"] < 0.75
    assert alike[MEASURES[0]]["p"] > 0.01
    assert rough["usual acceleration"]["rank"] < 0.05
    assert rough["usual acceleration"]["p"] < 0.05


def test_where_nothing_can_be_made_no_ranks_are_told():
    class Unable:
        def make(self, *_: object) -> list[Variant]:
            raise InvalidInput("too far")

    found = ranks(Unable(), "", [walks(5)], draws=2, made=3)  # type: ignore[arg-type]
    assert found == {"cycles": 0, "comparisons": 0, "made": 3, "refused": 2}


def test_takes_are_gathered_by_the_names_of_cycles():
    names = ("35_01 1-2", "35_01 2-3", "35_02 5-9")
    found = by_take([Example(None, None, name) for name in names])  # type: ignore[arg-type]
    assert [[cycle.name for cycle in cycles] for cycles in found.cycles] == [[*names[:2]], [names[2]]]


@pytest.mark.slow
@pytest.mark.usefixtures("mocap")
def test_the_soaks_job_measures_all_its_parts(tmp_path: Path):
    job = VariationJob(
        trials=1, draws=1, variants=3, told_kinds=("jump",), ranked_kinds=(), kinds=("jump",),
        generators=("real", DEFAULT_PRESET, "Perlin noise, all joints"),
    )  # fmt: skip
    record = run_job(job, tmp_path)
    assert record.is_finished
    rows = json.loads((tmp_path / "variation.json").read_text())["rows"]
    assert set(rows) == {part.name for part in job.parts}
    assert rows["repeats: jump: registered"]["variants"]["repeats"] == 0
    assert rows["repeats: jump: registered"]["cycle animation"]["count"] == 3
    assert rows["told apart: jump: real"]["clip, linear"]["made"] == 3


def soak_rows() -> dict[str, dict[str, Any]]:
    """Return what the last full run measured."""
    result = json.loads(RESULT.read_text())
    assert result["finished"], (
        "evidence/soak/results/variation.json is half-way: finish it (python -m evidence.soak --only variation)"
    )
    return result["rows"]


@pytest.mark.parametrize("kind", ["walk", "jump"])
def test_the_default_is_harder_to_tell_from_captures_than_any_noise(kind):
    rows = soak_rows()

    def most(generator: str) -> float:
        """Return how well the best of all classifiers does."""
        row = rows[f"told apart: {kind}: {generator}"]
        return max(one["auc"] for one in row.values() if isinstance(one, dict))

    assert most(DEFAULT_PRESET) < min(most(noise) for noise in NOISES)
