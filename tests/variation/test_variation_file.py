"""Models as files: the same samples again, and every file that is not what it says refused with a reason."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from tests.support.variation_walks import walk_examples

from gambol.errors import InvalidInput, MalformedFile, UnreadableFile
from gambol.files import open_safetensors, write_safetensors
from gambol.files.safetensors_file import CHECKSUM
from gambol.variation.examples import Examples
from gambol.variation.file import FORMAT, read_model, write_model
from gambol.variation.model import VariationModel, learn
from gambol.variation.network.network import Network, self_edges
from gambol.variation.network.regression import Regression
from gambol.variation.network.sampler import NetworkSampler


@cache
def registered() -> VariationModel:
    return learn(walk_examples(3))


def network(preset: str) -> VariationModel:
    """A model whose numbers go by themselves alone; learning would take too long here."""
    examples = walk_examples(3)
    count = examples.encoding.count
    none = np.zeros((2 * count, 2 * count), dtype=bool)
    graphs = Network(none, self_edges(count), np.zeros(count, dtype=bool))
    return VariationModel(preset, examples, NetworkSampler(examples, preset, graphs, Regression(), (0.5, -1.25)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_model(tmp_path / "walk.variation", registered())
    return tmp_path / "walk.variation"


def assert_same_examples(one: Examples, other: Examples) -> None:
    assert [item.name for item in one.items] == [item.name for item in other.items]
    assert one.cyclic == other.cyclic
    assert one.encoding.dropped == other.encoding.dropped
    assert one.encoding.names == other.encoding.names
    for a, b in zip(one.items, other.items, strict=True):
        assert a.contacts.points == b.contacts.points
        np.testing.assert_array_equal(a.contacts.planted, b.contacts.planted)
        np.testing.assert_allclose(a.motion.rotations, b.motion.rotations, atol=1e-15)
    for a, b in zip(one.values, other.values, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("preset", ["registered", "stable", "paper"])
def test_a_model_that_was_saved_gives_the_same_samples(preset: str, tmp_path: Path):
    model = registered() if preset == "registered" else network(preset)
    write_model(tmp_path / "m.variation", model)
    again = read_model(tmp_path / "m.variation")
    assert again.preset == preset
    assert_same_examples(model.examples, again.examples)
    for seed in (0, 7):
        one, other = (each.sample(seed, amount=0.8, constrain=False).motion for each in (model, again))
        np.testing.assert_array_equal(one.rotations, other.rotations)
        np.testing.assert_array_equal(one.root_positions, other.root_positions)


def test_planted_feet_are_the_same_too(path: Path):
    one, other = (model.sample(3).motion for model in (registered(), read_model(path)))
    np.testing.assert_array_equal(one.rotations, other.rotations)


def test_the_same_model_gives_the_same_bytes_that_others_can_read(path: Path, tmp_path: Path):
    write_model(tmp_path / "again.variation", read_model(path))
    assert (tmp_path / "again.variation").read_bytes() == path.read_bytes()
    arrays = load_file(path)  # the reader of those who made the container
    np.testing.assert_array_equal(arrays["example.0.values"], registered().examples.values[0])


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.999])
def test_a_file_that_is_cut_is_refused(path: Path, share: float):
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(MalformedFile, match=r"empty|too few|cut short"):
        read_model(path)


def test_a_file_in_which_one_bit_is_another_is_refused(path: Path):
    data = bytearray(path.read_bytes())
    for place in (len(data) - 5, len(data) // 2):
        data[place] ^= 1
        path.write_bytes(data)
        with pytest.raises(MalformedFile, match="checksum"):
            read_model(path)
        data[place] ^= 1


def test_other_files_are_refused_by_what_they_are(path: Path, tmp_path: Path):
    (tmp_path / "a.variation").write_text("HIERARCHY\n")
    with pytest.raises(MalformedFile, match="no safetensors file"):
        read_model(tmp_path / "a.variation")
    with pytest.raises(UnreadableFile, match="folder"):
        read_model(tmp_path)
    with pytest.raises(UnreadableFile):
        read_model(tmp_path / "none.variation")
    with pytest.raises(MalformedFile, match="version 99, expected 1; learn it anew"):
        read_model(_rewritten(path, texts={"version": "99"}))
    with pytest.raises(MalformedFile, match=f"no format '{FORMAT}'"):
        read_model(_rewritten(path, texts={"format": "gambol search tree"}))


#: What is altered in a file whose checksum is right, and what is said about it.
FORGERIES: dict[str, tuple[dict[str, str], str]] = {
    "a preset that is not": ({"preset": "best"}, "no preset 'best'"),
    "examples as a text": ({"examples": '"walk"'}, "list of texts"),
    "no examples": ({"examples": "[]"}, "no examples"),
    "an example too many": ({"examples": '["a","b","c","d"]'}, "example.3.root_positions"),
    "no rate": ({"rate_hz": "0"}, "rate"),
    "another root": ({"root": "sideways"}, "root must be one of"),
    "a joint twice": ({"joints": json.dumps(["Hips"] * 40)}, r"names|unique|parents"),
    "a point of no joint": ({"points": '[["left_heel",4000,[0.0,0.0,0.0]]]'}, "joint of the skeleton"),
    "other points": ({"points": "[]"}, "planted"),
    "dropped without a reason": ({"dropped": '[["LeftArm x"]]'}, "names and reasons"),
    "not JSON": ({"learned": "{"}, "JSON"),
    "learned as a list": ({"learned": "[]"}, "JSON object"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_file_that_is_out_of_joint_is_refused_though_its_checksum_is_right(path: Path, name: str):
    texts, said = FORGERIES[name]
    with pytest.raises(MalformedFile, match=said) as problem:
        read_model(_rewritten(path, texts=texts))
    assert str(path) in str(problem.value)


@pytest.mark.parametrize(
    "name", ["example.1.values", "example.1.rotations", "example.0.planted", "encoding.columns", "sampler.warps"]
)
def test_arrays_of_another_shape_are_refused(path: Path, name: str):
    halved = {name: registered_arrays(path)[name][:1]}
    with pytest.raises(MalformedFile):
        read_model(_rewritten(path, arrays=halved))
    with pytest.raises(MalformedFile, match=name.removeprefix("sampler.")):
        read_model(_rewritten(path, drop=name))


def test_numbers_of_another_motion_are_refused(path: Path):
    moved = registered_arrays(path)["example.1.values"] + 0.01
    with pytest.raises(MalformedFile, match=r"example.1.values are not the numbers of their motion"):
        read_model(_rewritten(path, arrays={"example.1.values": moved}))


def test_what_cannot_be_saved_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    model = registered()
    monkeypatch.setattr(type(model.sampler), "as_arrays", lambda _: ({}, {"odd": object()}))
    with pytest.raises(InvalidInput, match="plain values"):
        write_model(tmp_path / "m.variation", model)
    assert list(tmp_path.iterdir()) == []


def registered_arrays(path: Path) -> dict[str, np.ndarray]:
    return dict(load_file(path))


def _rewritten(
    path: Path,
    *,
    texts: dict[str, str] | None = None,
    arrays: dict[str, np.ndarray] | None = None,
    drop: str | None = None,
) -> Path:
    """Alter a file and put its checksum right, as somebody would who means it."""
    opened = open_safetensors(path)
    kept = {name: array for name, array in opened.arrays.items() if name != drop}
    said = {name: text for name, text in opened.metadata.items() if name != CHECKSUM}
    write_safetensors(path, kept | (arrays or {}), said | (texts or {}))
    return path
