"""Studies: pages that give nothing away, answers that are checked, and statistics worked out by hand."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from evidence.study import command
from evidence.study.analysis import analyse, difference_of, mean_of, one_way, repeated_measures
from evidence.study.clips import clips_of_model
from evidence.study.design import make_design
from evidence.study.experiments import EXPERIMENTS, LEAST_CLIPS, experiment_named
from evidence.study.figures import PLACE_M, UNIT, figures, with_plain_hands
from evidence.study.key import Key, read_answers, read_key
from evidence.study.study import Study, make_study, write_study
from tests.support.command_line import Run, runner
from tests.support.people import person, with_fingers
from tests.support.study_cases import answers_of, pools, write_json
from tests.support.variation_walks import walks

from gambol.errors import InvalidEntries, InvalidInput, MalformedFile, UnknownName, UnreadableFile
from gambol.files import write_motion
from gambol.motion import Motion, edits
from gambol.variation import gather, learn

NATURAL = EXPERIMENTS["natural"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys, command.app)


@pytest.fixture(scope="module")
def study() -> Study:
    return make_study(NATURAL, pools(NATURAL), participants=30, seed=1)


@pytest.fixture(scope="module")
def key(study: Study) -> Key:
    return Key.model_validate(study.key)


def test_the_page_does_not_say_what_is_of_which_kind(study: Study):
    shown = json.loads(re.search(r'<script id="study"[^>]*>(.*?)</script>', study.page, re.DOTALL)[1])  # pyright: ignore[reportOptionalSubscript]
    assert sorted(study.key["clips"]) == shown["clips"]
    assert set(shown["figures"]["motions"]) == set(shown["clips"])
    for word in ("origin-of", *NATURAL.conditions, "condition", "seed", "capture", "variant"):
        assert not re.search(rf"\b{word}\b", study.page), word
    kinds = [study.key["clips"][name]["condition"] for name in shown["clips"]]
    assert sorted(Counter(kinds).values()) == [7, 8]
    assert kinds not in (sorted(kinds), sorted(kinds, reverse=True))


def test_the_page_needs_nothing_from_elsewhere(study: Study):
    assert not re.search(r"https?://|src=|@import|url\(", study.page)
    assert "connect-src" not in study.page
    assert "default-src 'none'" in study.page


def test_names_and_orders_are_others_for_every_study():
    one, same, other = (
        make_design(NATURAL, pools(NATURAL), count=15, participants=20, rng=np.random.default_rng(seed))
        for seed in (1, 1, 2)
    )
    assert one == same
    assert not set(one.clips) & set(other.clips)


def test_nobody_can_guess_the_names_of_a_study(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evidence.study.study.figures", lambda motions: {})
    one, other = (make_study(NATURAL, pools(NATURAL)).key for _ in range(2))
    assert one["seed"] != other["seed"]
    assert one["study"] != other["study"]


def test_everybody_sees_every_motion_once_in_an_order_of_their_own(study: Study):
    orders = study.key["orders"]
    assert all(sorted(order) == sorted(study.key["clips"]) for order in orders)
    assert len({tuple(order) for order in orders}) == len(orders)
    for first in (0, 15):  # of as many people as there are motions each sees each at another place
        for place in range(15):
            assert len({order[place] for order in orders[first : first + 15]}) == 15


@pytest.mark.parametrize(("counts", "expected"), [((20, 20), {7, 8}), ((13, 4), {4, 11}), ((2, 13), {2, 13})])
def test_kinds_are_mixed_by_halves_as_far_as_they_reach(counts: tuple[int, int], expected: set[int]):
    design = make_design(NATURAL, pools(NATURAL, counts), count=15, participants=1, rng=np.random.default_rng(0))
    assert set(Counter(clip.condition for clip in design.clips.values()).values()) == expected
    assert len({clip.source for clip in design.clips.values()}) == 15


@pytest.mark.parametrize("counts", [(14, 1), (7, 7)])
def test_too_few_motions_are_refused(counts: tuple[int, int]):
    with pytest.raises(InvalidInput, match=r"at least 2 needed|fewer than the 15"):
        make_study(NATURAL, pools(NATURAL, counts))


def test_bodies_that_tell_kinds_apart_are_refused():
    mixed = pools(NATURAL)
    other = edits.scale(mixed["ours"][0].motion, 1.1)
    mixed["ours"] = [clip._replace(motion=other) for clip in mixed["ours"]]
    with pytest.raises(InvalidInput, match="other bones"):
        make_study(NATURAL, mixed)


def test_what_a_page_draws_is_where_the_joints_are():
    motion = walks(1, seed=2)[0].motion
    drawn = figures({"a": motion})
    told = drawn["motions"]["a"]
    steps = np.frombuffer(zlib.decompress(base64.b64decode(told["poses"])), "<u2").reshape(told["frames"], -1, 7)
    poses = np.cumsum(steps, axis=0, dtype=np.uint16).view(np.int16)
    way = np.pad(np.array(told["way"]), ((0, 0), (0, 1)))
    rest = np.array(drawn["skin"]["rest"])
    used = [int(np.linalg.norm(motion.skeleton.rest_positions - one, axis=1).argmin()) for one in rest]
    places = poses[..., :3] * PLACE_M + way[:, None]
    np.testing.assert_allclose(places, motion.world_positions[:, used], atol=2.0 * PLACE_M)
    turns = poses[..., 3:] / UNIT
    np.testing.assert_allclose(np.abs((turns * motion.world_rotations[:, used]).sum(axis=-1)), 1.0, atol=1e-3)


def test_fingers_give_nothing_away():
    skeleton = with_fingers(person())
    rng = np.random.default_rng(0)
    rotations = rng.normal(size=(20, skeleton.joint_count, 4))
    shaking = Motion(skeleton, 60.0, np.zeros((20, 3)), rotations / np.linalg.norm(rotations, axis=-1, keepdims=True))
    still = with_plain_hands(shaking)
    for joint, name in enumerate(skeleton.names):
        assert np.ptp(still.rotations[:, joint], axis=0).any() != ("Index" in name), name


def test_models_make_variants_inputs_and_long_sequences():
    model = learn(gather(walks(4, seed=1), cyclic=True))
    rng = np.random.default_rng(0)
    natural = {kind: clips_of_model(model, kind, NATURAL, 3, rng) for kind in NATURAL.conditions}
    assert [clip.source for clip in natural["real"]] == [item.name for item in model.examples.items]
    assert len({clip.motion.rotations.tobytes() for clip in natural["ours"]}) == 3
    shortest = min(item.motion.duration_s for item in model.examples.items)
    for kind in EXPERIMENTS["repetitive"].conditions:
        for clip in clips_of_model(model, kind, EXPERIMENTS["repetitive"], 1, rng):
            assert clip.motion.duration_s >= LEAST_CLIPS * shortest - 0.1


def test_one_way_analysis_of_variance_as_worked_out_by_hand():
    # Means 2 and 4 about 3: 6 between; 2 + 8 = 10 within, 4 degrees of freedom; F = 6 / 2.5.
    found = one_way(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    assert (found.between, found.within) == (1, 4)
    assert found.f == pytest.approx(2.4)
    # With 4 degrees of freedom, the share of Student's distribution within t is t / sqrt(4 + t^2) (1 + 2 / (4 + t^2)).
    assert found.p == pytest.approx(1.0 - np.sqrt(2.4 / 6.4) * (1.0 + 2.0 / 6.4))


def test_repeated_measures_as_worked_out_by_hand():
    found = repeated_measures(np.array([1.0, 2.0, 3.0]))  # t = 2 / (1 / sqrt 3); within t: t / sqrt(2 + t^2)
    assert (found.between, found.within) == (1, 2)
    assert found.f == pytest.approx(12.0)
    assert found.p == pytest.approx(1.0 - np.sqrt(12.0 / 14.0))


def test_scores_that_do_not_vary_are_analysed_too():
    same, other = np.full(4, 5.0), np.full(3, 6.0)
    assert one_way(same, same).p == 1.0
    assert one_way(same, other).p == 0.0
    assert repeated_measures(np.zeros(3)).p == 1.0
    assert repeated_measures(np.ones(3)).p == 0.0
    assert difference_of(other, same) == (1.0, 1.0, 1.0)
    assert json.dumps(one_way(same, other).as_dict(), allow_nan=False).startswith('{"f": null')


def test_intervals_hold_the_mean_as_often_as_they_say():
    rng = np.random.default_rng(4)
    held = [interval.low <= 0.0 <= interval.high for interval in (mean_of(rng.normal(size=6)) for _ in range(2000))]
    assert 0.93 < np.mean(held) < 0.97
    held = [
        low <= 1.0 <= high
        for _, low, high in (difference_of(rng.normal(1.0, 3.0, size=8), rng.normal(size=20)) for _ in range(2000))
    ]
    assert 0.93 < np.mean(held) < 0.97


def test_findings_know_people_apart(study: Study, key: Key, tmp_path: Path):
    """Everybody scores ours one higher, but each from another level: that shows person by person alone."""
    files = [
        write_json(
            tmp_path / f"{number}.json", answers_of(study.key, number, lambda kind, at=number: at + (kind == "ours"))
        )
        for number in range(1, 9)
    ]
    findings = analyse(NATURAL, key, read_answers(files, key))
    assert findings.people == 8
    assert sum(len(kind.scores) for kind in findings.kinds) == 8 * 15
    assert findings.difference.mean == pytest.approx(1.0)
    assert findings.by_person is not None
    assert findings.by_person.p < 1e-6 < findings.anova.p
    assert findings.difference_by_person == pytest.approx((1.0, 1.0, 1.0))


def test_answers_that_do_not_fit_are_all_told_at_once(study: Study, key: Key, tmp_path: Path):
    good = answers_of(study.key, 1, lambda kind: 5)
    wrong = {
        "other study": good | {"study": "0123"},
        "nobody": good | {"participant": 31},
        "another's": good | {"participant": 2},
        "unfinished": good | {"answers": good["answers"][:-1]},
        "beyond": good | {"answers": [good["answers"][0] | {"score": 10}, *good["answers"][1:]]},
        "half": good | {"answers": [good["answers"][0] | {"score": 4.5}, *good["answers"][1:]]},
        "empty": {},
        "twice": good,
    }
    files = [write_json(tmp_path / f"{name}.json", data) for name, data in [("good", good), *wrong.items()]]
    (tmp_path / "no json.json").write_text("{")
    with pytest.raises(InvalidEntries) as refused:
        read_answers([*files, tmp_path / "no json.json"], key)
    for name in (*wrong, "no json"):
        assert f"{name}.json" in str(refused.value), name
    assert "good.json has" not in str(refused.value).replace("answered in good.json", "")
    assert read_answers(files[:1], key)[0].participant == 1


def test_earlier_studies_are_not_replaced(study: Study, tmp_path: Path):
    page, key = write_study(study, tmp_path)
    assert page.read_text(encoding="utf-8") == study.page
    assert read_key(key).study == study.key["study"]
    with pytest.raises(InvalidInput, match="there already"):
        write_study(study, tmp_path)
    with pytest.raises(UnreadableFile, match="a folder is needed"):
        write_study(study, page)


def test_a_key_whose_orders_lack_a_motion_is_refused(study: Study, tmp_path: Path):
    orders = [*study.key["orders"][:1], study.key["orders"][1][:-1]]
    with pytest.raises(MalformedFile, match=r"orders\.1"):
        read_key(write_json(tmp_path / "key.json", study.key | {"orders": orders}))


def test_no_such_experiment():
    with pytest.raises(UnknownName, match="natural"):
        experiment_named("naturel")


def test_the_command_line_makes_and_reads_studies(run: Run, tmp_path: Path):
    for kind, clips in pools(NATURAL, (3, 3)).items():
        (tmp_path / kind).mkdir()
        for at, clip in enumerate(clips):
            write_motion(tmp_path / kind / f"{at}.bvh", clip.motion)
    folders = ("--ours", tmp_path / "ours", "--real", tmp_path / "real")
    code, out, err = run("make", "--experiment", "natural", *folders, "--clips", 5, "-o", tmp_path / "made")
    assert code == 0, err
    assert "key.json" in out
    assert re.search(r"5 motions: [23] ours, .*; [23] real, ", out)
    assert "note" not in err
    key = json.loads((tmp_path / "made" / "key.json").read_text())
    answers = [
        write_json(tmp_path / f"{number}.json", answers_of(key, number, lambda kind, at=number: 4 + at % 3))
        for number in (1, 2, 3)
    ]
    code, out, err = run("read", *answers, "--key", tmp_path / "made" / "key.json")
    assert code == 0, err
    assert re.search(r"F\(1, 13\) = .*0\.93 for cheering, 0\.578 for walk cycles", out)
    code, out, err = run("read", *answers, "--key", tmp_path / "made" / "key.json", "--json")
    assert json.loads(out)["people"] == 3
    assert json.loads(out)["difference"]["mean"] == pytest.approx(0.0)


def test_the_command_line_says_by_what_kinds_can_be_told(run: Run, tmp_path: Path):
    for kind, clips in pools(NATURAL, (6, 2)).items():
        (tmp_path / kind).mkdir()
        for at, clip in enumerate(clips):
            motion = edits.join([clip.motion] * 3) if kind == "real" else clip.motion
            write_motion(tmp_path / kind / f"{at}.bvh", motion)
    folders = ("--ours", tmp_path / "ours", "--real", tmp_path / "real")
    code, out, err = run("make", "--experiment", "natural", *folders, "--clips", 8, "-o", tmp_path / "a")
    assert code == 0, err
    assert "8 motions: 6 ours, " in out
    assert "only 2 motions of the kind 'real'" in err
    assert "all of 'real' last longer than any of 'ours'" in err
    arguments = ("--clips", 4, "-o", tmp_path / "b", "--json")
    code, out, _ = run("make", "--experiment", "natural", *folders, *arguments)
    assert json.loads(out)["motions"] == {"ours": 2, "real": 2}
    assert len(json.loads(out)["notes"]) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--experiment", "natural", "--cycles", "here"), "--cycles has no place"),
        (("--experiment", "natural"), "no motions of the kind 'ours'"),
        (("--experiment", "natural", "--ours", "here", "--real", "here", "--model", "x"), "leave out --model"),
        (("--experiment", "natural", "--ours", "here", "--real", "nowhere"), "no folder"),
        (("--experiment", "natural", "--ours", "here", "--real", "here"), "no motion files"),
        (("--experiment", "natural", "--clips", "2"), "--clips"),
    ],
)
def test_the_command_line_says_what_it_needs(run: Run, arguments, said: str, tmp_path: Path):
    (tmp_path / "here").mkdir()
    placed = [str(tmp_path / one) if one in ("here", "nowhere") else one for one in arguments]
    code, _, err = run("make", *placed, "-o", tmp_path / "out")
    assert code == 2
    assert said in " ".join(err.split())
