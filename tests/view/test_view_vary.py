"""The tab "Vary" without a browser: what it reads, how it places motions, and work that can be stopped."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from tests.support.variation_walks import walk_examples, walks

from gambol.errors import InvalidInput, UnreadableFile
from gambol.files import write_motion
from gambol.motion import Motion
from gambol.variation import Variant, VariationModel, learn, write_model
from gambol.view.desk import Desk
from gambol.view.folder import Folder
from gambol.view.vary.showing import arrange
from gambol.view.vary.sources import cuts_of, learn_from, open_named, save_named, save_variants, written
from gambol.view.viewer import Variation, read_source
from gambol.view.worker import Worker


@pytest.fixture(scope="module")
def model() -> VariationModel:
    return learn(walk_examples())


@pytest.fixture(scope="module")
def variants(model: VariationModel) -> list[Variant]:
    return [model.sample(seed, constrain=False) for seed in range(6)]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    for number, item in enumerate(walks(3, seed=3)):
        write_motion(tmp_path / f"walk {number}.bvh", item.motion)
    return Folder(tmp_path)


def test_motions_and_cuts_of_the_folder_are_read(folder: Folder):
    text = f"{written('walk 0.bvh')}\n'walk 1.bvh@2-30,8-40' {written('walk 2.bvh')}"
    cuts = cuts_of(text, folder)
    assert [len(cut.ranges) for cut in cuts] == [0, 2, 0]
    said: list[str] = []
    model = learn_from(cuts, "registered", lambda what, share: said.append(what))
    assert model.examples.count == 4
    assert any("walk 1.bvh" in what for what in said)


@pytest.mark.parametrize(
    "text",
    [
        "", "'walk 0.bvh'", "'walk 0.bvh", "../a.bvh ../b.bvh", "/etc/passwd x.bvh", "a.toml b.toml",
        "'walk 0.bvh@9-3'",
    ],
)  # fmt: skip
def test_what_is_not_in_the_folder_or_too_little_is_refused(folder: Folder, text: str):
    with pytest.raises(InvalidInput):
        cuts_of(text, folder)


@pytest.mark.parametrize("count", [1, 6])
def test_nobody_stands_in_another_when_beside_each_other(model: VariationModel, variants: list[Variant], count: int):
    shown = arrange(model, variants[:count], overlaid=False, with_inputs=True, with_variants=True)
    names = shown.recorded.names
    assert len(names) == 4 + count == len(shown.labels)
    boxes = []
    for name in names:
        joints = shown.recorded.motion(name)[0].world_positions[..., :2].reshape(-1, 2)
        boxes.append((joints.min(axis=0), joints.max(axis=0)))
        assert (joints > shown.recorded.bounds[:2]).all()
        assert (joints < shown.recorded.bounds[2:]).all()
    for one, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:one]:
            assert (low > other_high).any() or (high < other_low).any()


def test_overlaid_motions_are_where_they_were(model: VariationModel, variants: list[Variant]):
    shown = arrange(model, variants, overlaid=True, with_inputs=True, with_variants=True)
    expected = [item.motion for item in model.examples.items] + [variant.motion for variant in variants]
    for name, motion in zip(shown.recorded.names, expected, strict=True):
        np.testing.assert_allclose(shown.recorded.motion(name)[0].world_positions, motion.world_positions, atol=1e-12)
    positions, rotations = shown.recorded.figures[0].at(0.5)
    frame = round(0.5 * expected[0].rate_hz)
    np.testing.assert_allclose(positions[0], expected[0].world_positions[frame], atol=1e-12)
    assert rotations.shape == (10, expected[0].skeleton.joint_count, 4)
    assert not shown.labels


def test_kinds_can_be_left_out(model: VariationModel, variants: list[Variant]):
    both = {"overlaid": False, "with_inputs": True, "with_variants": True}
    assert len(arrange(model, variants, **both | {"with_inputs": False}).recorded.names) == 6
    assert len(arrange(model, variants, **both | {"with_variants": False}).recorded.names) == 4


def test_nothing_that_is_there_is_replaced(model: VariationModel, variants: list[Variant], tmp_path: Path):
    folder = Folder(tmp_path)
    paths = save_variants(folder, "new", ".bvh", variants[1:3])
    assert [path.name for path in paths] == ["new-001.bvh", "new-002.bvh"]
    with pytest.raises(InvalidInput, match="there already"):
        save_variants(folder, "new", ".bvh", variants[:2])
    assert not (tmp_path / "new-000.bvh").exists()
    save_named(folder, "new", model)
    with pytest.raises(InvalidInput, match="there already"):
        save_named(folder, "new", model)
    assert open_named("new.variation", folder).examples.count == 4
    for name in ("", "../out"):
        with pytest.raises(InvalidInput):
            save_variants(folder, name, ".bvh", variants)


def test_variants_are_saved_all_or_none(variants: list[Variant], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fails_at_the_second(path: Path, motion: Motion) -> None:
        if path.name.endswith("001.bvh"):
            raise UnreadableFile("no room", path=path)
        write_motion(path, motion)

    monkeypatch.setattr("gambol.view.vary.sources.write_motion", fails_at_the_second)
    with pytest.raises(UnreadableFile, match="no room"):
        save_variants(Folder(tmp_path), "new", ".bvh", variants[:3])
    assert list(tmp_path.iterdir()) == []


def test_a_model_is_opened_from_the_command_line(model: VariationModel, tmp_path: Path):
    write_model(tmp_path / "walk.variation", model)
    opened = read_source(tmp_path / "walk.variation")
    assert isinstance(opened, Variation)
    assert opened.name == "walk.variation"


def test_work_that_is_stopped_hands_nothing_over():
    desk, told, done, failed = Desk(lambda error: None), [], [], []
    worker = Worker(desk, lambda what, share: told.append(what))
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(progress) -> str:
        try:
            begun.set()
            go_on.wait(10.0)
            progress("still here", 0.5)
            return "old"
        finally:
            ended.set()

    worker.ask(slow, done.append, failed.append)
    assert begun.wait(10.0)
    worker.ask(lambda progress: "new", done.append, failed.append)
    go_on.set()
    assert ended.wait(10.0)
    for _ in range(1000):
        if done:
            break
        threading.Event().wait(0.01)
    assert desk.wait(10.0)
    desk.close()
    assert (done, failed, told) == (["new"], [], [])


def test_work_that_fails_says_why():
    desk, failed, ended = Desk(lambda error: None), [], threading.Event()

    def fails(progress) -> None:
        raise InvalidInput("no way")

    def take(error: Exception) -> None:
        failed.append(str(error))
        ended.set()

    Worker(desk, lambda what, share: None).ask(fails, lambda result: None, take)
    assert ended.wait(10.0)
    desk.close()
    assert failed == ["no way"]
