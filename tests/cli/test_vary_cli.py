"""`gambol vary`: from files to variants, a report and pictures; mistakes are told, and nothing is half-written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.support.command_line import Run, runner
from tests.support.variation_walks import walks

import gambol.stages.variants
from gambol.files import read_motion, write_motion
from gambol.motion import edits
from gambol.variation import Cut, Judged, Screening, are_cyclic, parse_cut, read_examples, read_model

INTERRUPTED = 130  # exit code, as typer and shells have it


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five walk cycles as files, and two of them in one file, one after the other."""
    folder = tmp_path_factory.mktemp("walks")
    for number, item in enumerate(walks(5)):
        write_motion(folder / f"walk{number}.bvh", item.motion)
    one, two = (item.motion for item in walks(2))
    write_motion(folder / "both.bvh", edits.join([one, two], blend_s=0.1))
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture(scope="module")
def clips(folder: Path) -> list[Path]:
    return [folder / f"walk{number}.bvh" for number in range(4)]


@pytest.mark.slow
def test_variants_a_report_pictures_and_a_model_are_written(
    run: Run, clips: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gambol.pictures.png.PALETTE_ROUNDS", 0)  # seconds, for softer colors
    out, model = tmp_path / "a" / "variants", tmp_path / "walk.variation"
    code, said, notes = run("vary", *clips, "-n", 3, "-o", out, "--model", model, "--seed", 5)
    assert code == 0, notes
    assert "3 variants" in said
    assert "left out" in said
    assert "taken as cycles" in notes
    names = {path.name for path in out.iterdir()}
    assert names == {
        "variant_005.bvh", "variant_006.bvh", "variant_007.bvh", "report.json", "report.txt", "plots.png", "poses.png",
        "graph.png",
    }  # fmt: skip
    report = json.loads((out / "report.json").read_text())
    assert [one["seed"] for one in report["variants"]] == [5, 6, 7]
    assert (report["preset"], report["repeats"], report["cyclic"]) == ("registered", 0, True)
    made = read_motion(out / "variant_006.bvh").motion
    expected = read_model(model).sample(6).motion
    np.testing.assert_allclose(made.world_positions, expected.world_positions, atol=1e-4)

    # The model alone makes the same ones, and more.
    code, said, _ = run("vary", model, "-n", 1, "-o", tmp_path / "b", "--seed", 6, "--no-plots", "--json")
    assert code == 0
    assert json.loads(said)["files"][0].endswith("variant_006.bvh")
    assert (tmp_path / "b" / "variant_006.bvh").read_bytes() == (out / "variant_006.bvh").read_bytes()


def test_a_stream_lasts_as_long_as_asked_and_one_clip_varies_by_what_others_do(
    run: Run, clips: list[Path], folder: Path, tmp_path: Path
):
    model = tmp_path / "m.variation"
    arguments = ("-n", 1, "--no-plots", "--no-constraints", "--format", "glb")
    code, _, notes = run("vary", *clips, *arguments, "-n", 2, "--stream", 3.0, "-o", tmp_path / "s", "--model", model)
    assert code == 0, notes
    report = json.loads((tmp_path / "s" / "report.json").read_text())
    assert report["repeats"] is None  # a stream is no variant of a cycle
    assert read_motion(tmp_path / "s" / "variant_000.glb").motion.duration_s == pytest.approx(3.0, abs=0.02)
    code, _, notes = run("vary", model, *arguments, "--of", folder / "walk4.bvh", "--amount", 0.0, "-o", tmp_path / "o")
    assert code == 0, notes
    assert json.loads((tmp_path / "o" / "report.json").read_text())["of"] == "walk4"
    same = read_motion(tmp_path / "o" / "variant_000.glb").motion
    assert same.duration_s == pytest.approx(read_motion(folder / "walk4.bvh").motion.duration_s, abs=0.05)
    code, _, said = run("vary", *clips, *arguments, "--stream", 3.0, "--not-cyclic", "-o", tmp_path / "n")
    assert code == 2
    assert "cyclic examples" in said
    assert not (tmp_path / "n").exists()


def test_joints_that_are_held_move_as_in_one_of_the_clips(run: Run, clips: list[Path], tmp_path: Path):
    model = tmp_path / "m.variation"
    held = ("Hips", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg")
    words = [word for joint in held for word in ("--hold", joint)]
    code, _, notes = run("vary", *clips, *words, "-n", 1, "-o", tmp_path / "o", "--model", model, "--no-plots")
    assert code == 0, notes
    opened = read_model(model)
    encoding = opened.examples.encoding
    drawn = opened.sample(0, constrain=False)
    legs = np.isin(encoding.joints, [encoding.skeleton.index(joint) for joint in held])
    values = encoding.encode(drawn.motion)
    like = [
        one
        for one in opened.examples.values
        if len(one) == len(values) and np.allclose(one[:, legs], values[:, legs], atol=1e-6)
    ]
    assert len(like) == 1
    assert not np.allclose(like[0][:, ~legs], values[:, ~legs], atol=1e-3)


def test_an_interruption_leaves_nothing_behind(
    run: Run, clips: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "out"
    for place in ("gambol.stages.variants.learn", "gambol.pictures.variation_poses.overlaid_poses"):
        with monkeypatch.context() as patch:
            patch.setattr(place, interrupted)
            for more in ((), ("--json",)):
                code, _, _ = run("vary", *clips, "-n", 1, "-o", out, "--model", tmp_path / "m.variation", *more)
                assert code == INTERRUPTED
        assert list(tmp_path.iterdir()) == [], place
    assert gambol.stages.variants.learn is not interrupted


def test_clips_that_do_not_fit_are_left_out_and_too_few_end_with_one(
    run: Run, clips: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def screening(fit: int) -> Screening:
        judged = [Judged(f"walk{n}", -0.5, -9.0 * (n >= fit), "left arm", n < fit) for n in range(4)]
        return Screening(np.linspace(-1.0, 0.0, 9), -2.0, tuple(judged), tuple(range(fit, 4)), True)

    known = [word for clip in clips for word in ("--screen", clip)]
    for other in (
        "variation_poses.overlaid_poses",
        "variation_graph.correlation_graph",
        "variation_plots.variation_plots",
    ):
        monkeypatch.setattr(f"gambol.pictures.{other}", lambda path, *_, **__: path.touch())
    monkeypatch.setattr("gambol.stages.variants.screen", lambda *_, **__: screening(3))
    code, said, notes = run("vary", *clips, *known, "-n", 1, "-o", tmp_path / "three", "--no-constraints")
    assert code == 0, notes
    assert "3 of 4 clips fit" in said
    assert "walk3 does not fit: left arm -9.0" in said
    assert "3 inputs" in said
    assert (tmp_path / "three" / "screening.png").stat().st_size > 1000
    monkeypatch.setattr("gambol.stages.variants.screen", lambda *_, **__: screening(1))
    code, said, _ = run("vary", *clips, *known, "-n", 1, "-o", tmp_path / "one")
    assert (code, "too few to learn from" in said) == (1, True)
    code, said, _ = run("vary", *clips, *known, "-n", 1, "-o", tmp_path / "one", "--json")
    assert (code, json.loads(said)["screening"]["dropped"]) == (1, ["walk1", "walk2", "walk3"])
    assert not (tmp_path / "one").exists()


MISTAKES: dict[str, tuple[list[str], str]] = {
    "one clip": (["{a}"], "1 clip alone does not say how it varies"),
    "no such file": (["{a}", "none.bvh"], "none.bvh"),
    "no motion": (["{a}", "notes.txt"], "motion format"),
    "an odd cut": (["{a}@5", "{b}"], "FILE@first-last"),
    "a cut from behind": (["{a}@50-20", "{b}"], "frame 50 is not before frame 20"),
    "frames that are not there": (["{a}@5-4000", "{b}"], "no frames 5 to 4000"),
    "a cut too short": (["{a}@5-9", "{b}"], "too few"),
    "another preset": (["{a}", "{b}", "--preset", "registred"], "did you mean 'registered'"),
    "too much": (["{a}", "{b}", "--amount", "9"], "amount of variation from 0 to 3"),
    "no variants": (["{a}", "{b}", "-n", "0"], "from 1 to 10,000 expected, not 0"),
    "another format": (["{a}", "{b}", "--format", "fbx"], "no format of variants 'fbx'"),
    "a model among clips": (["{a}", "m.variation"], "name it alone"),
    "no such model": (["m.variation"], "m.variation"),
    "a model elsewhere": (["{a}", "{b}", "--model", "m.bin"], ".variation file"),
    "no rate": (["{a}", "{b}", "--rate", "0"], "a rate of more than 0"),
    "no seed": (["{a}", "{b}", "--seed", "-1"], "--seed"),
    "variants of two": (["{a}", "{b}", "--of", "{a}@0-30,30-60"], "variants are of one clip, not of 2"),
    "too short a stream": (["{a}", "{b}", "--cyclic", "--stream", "0.05"], "too short"),
    "stream and of": (["{a}", "{b}", "--stream", "2", "--of", "{a}"], "leave out either"),
    "a stream of what does not go on": (["{a}@0-30", "{b}@0-30", "--stream", "2"], "learn with --cyclic"),
    "a folder in a file": (["{a}", "{b}", "-o", "{a}/out"], "walk0.bvh is a file"),
    "a model in a file": (["{a}", "{b}", "--model", "{a}/m.variation"], "walk0.bvh is a file"),
    "a model learns no more": (["m.variation", "--preset", "stable"], "has learned already"),
    "a model is not screened": (["m.variation", "--screen", "{a}"], "has learned already"),
    "no such joint": (["{a}", "{b}", "--hold", "LeftUpLegs"], "did you mean 'LeftUpLeg'"),
    "too few known": (["{a}", "{b}", "--screen", "{a}"], "at least 4 motions"),
    "an unknown option of reading": (["{a}", "{b}", "--t-pose", "maybe"], "t_pose must be"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_end_with_two_and_say_what_was_expected(
    run: Run, clips: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: str
):
    words, said = MISTAKES[mistake]
    arguments = [word.format(a=clips[0], b=clips[1]) for word in words]
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path)
        code, _, complaint = run("vary", "-o", tmp_path / "out", *arguments)
    assert code == 2
    assert said in " ".join(complaint.split())
    assert not (tmp_path / "out").exists()


def test_a_cut_counts_frames_as_the_file_does(folder: Path):
    whole = read_motion(folder / "both.bvh").motion
    assert parse_cut(f"{folder}/both.bvh@3-60,60-110") == Cut(folder / "both.bvh", ((3, 60), (60, 110)))
    assert parse_cut(f"{folder}/both.bvh") == Cut(folder / "both.bvh")
    first, second = read_examples([parse_cut(f"{folder}/both.bvh@3-60,60-110")], rate_hz=whole.rate_hz).items
    assert (first.name, second.name) == ("both 3-60", "both 60-110")
    assert (first.motion.frame_count, second.motion.frame_count) == (58, 51)
    np.testing.assert_allclose(second.motion.rotations[:, 5], whole.rotations[60:111, 5], atol=1e-9)


def test_a_t_pose_before_a_take_is_counted_and_left_out(folder: Path, tmp_path: Path):
    motion = read_motion(folder / "walk0.bvh").motion
    still = np.zeros_like(motion.rotations[:1])
    still[..., 0] = 1.0
    with_pose = motion.__class__(
        motion.skeleton, motion.rate_hz,
        np.concatenate((motion.skeleton.offsets[:1] + [0.0, 0.0, 1.0], motion.root_positions)),
        np.concatenate((still, motion.rotations)),
    )  # fmt: skip
    write_motion(tmp_path / "posed.bvh", with_pose)
    found = read_examples([parse_cut(f"{tmp_path}/posed.bvh@1-40")], rate_hz=motion.rate_hz)
    assert any("T-pose" in note for note in found.notes)
    np.testing.assert_allclose(found.items[0].motion.rotations[:, 4], motion.rotations[:40, 4], atol=1e-5)
    assert read_examples([Cut(tmp_path / "posed.bvh")]).items[0].name == "posed"


def test_cycles_are_told_from_what_ends_elsewhere():
    cycles = walks(3)
    assert are_cyclic(cycles)
    halves = [
        item._replace(motion=edits.cut(item.motion, 0, item.motion.frame_count // 2), contacts=item.contacts)
        for item in cycles
    ]
    assert not are_cyclic(halves)
