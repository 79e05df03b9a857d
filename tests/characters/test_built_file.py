from __future__ import annotations

import json
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.authoring.shipped import AUTHORS, largest_displacement_m

from gambol.characters.character import Character
from gambol.characters.store import SHIPPED, _rounded_outward, character_bytes, load_character, write_character
from gambol.errors import GambolError, MalformedFile
from gambol.files import packed

BOUND_M = 1e-4
COMPARED = ("name", "label", "begins", "ends", "weight", "kind", "slopes", "annotation")


@pytest.fixture(scope="module")
def small() -> Character:
    return load_character("human").only(["jog", "jog-left-30", "stop", "stand", "start"])


@pytest.fixture(scope="module")
def data(small: Character) -> bytes:
    return character_bytes(small)


def assert_same(one: Character, other: Character, *, rounding: float = 0.0) -> None:
    """All that planners look at is the same but for `rounding`; joints are as near as the eye can tell."""
    for name in ("name", "planning_rate_hz", "transitions", "labels_connect", "subsets", "cost_by"):
        assert getattr(one, name) == getattr(other, name), name
    assert one.skeleton.names == other.skeleton.names
    assert np.allclose(one.skeleton.offsets, other.skeleton.offsets, rtol=0.0, atol=rounding)
    assert np.allclose(one.transition_costs, other.transition_costs, rtol=0.0, atol=rounding)
    for a, b in zip(one.behaviors, other.behaviors, strict=True):
        assert [getattr(a, name) for name in COMPARED] == [getattr(b, name) for name in COMPARED]
        for old, new in zip(a.clips, b.clips, strict=True):
            assert (old.name, old.margin, old.event, old.riding) == (new.name, new.margin, new.event, new.riding)
            assert np.allclose(old.path, new.path, rtol=0.0, atol=rounding)
            assert np.array_equal(old.contacts.planted, new.contacts.planted)
            assert np.abs(np.linalg.norm(new.motion.rotations, axis=-1) - 1.0).max() < 1e-9
            assert np.sum(new.motion.rotations[1:] * new.motion.rotations[:-1], axis=-1).min() > 0.0
    assert largest_displacement_m(one, other) < BOUND_M


def test_a_built_character_comes_back_as_it_was(small: Character, tmp_path: Path):
    write_character(tmp_path / "small.npz", small)
    back = load_character(tmp_path / "small.npz")
    assert_same(small, back)
    assert np.array_equal(small.skeleton.offsets, back.skeleton.offsets)
    for a, b in zip(small.behaviors, back.behaviors, strict=True):
        assert a.cost("path") == b.cost("path")


def test_cylinders_of_a_built_character_hold_those_it_was_made_from():
    made = AUTHORS["horse"]()
    for a, b in zip(made.behaviors, load_character("horse").behaviors, strict=True):
        for old, new in zip((clip.shape for clip in a.clips), (clip.shape for clip in b.clips), strict=True):
            aside = np.linalg.norm(old.offset - new.offset, axis=-1)
            assert np.all(new.radius >= old.radius + aside - 1e-6)
            assert np.all(new.radius <= old.radius + 1e-5)
            assert np.all((new.low <= old.low + 1e-6) & (new.high >= old.high - 1e-6))


def test_a_rounded_cylinder_holds_the_one_it_was_made_from(data: bytes, small: Character):
    grown = small.behaviors[0].clips[0].shape.grown(np.full((1, 1), np.pi * 1e-3))
    rounded = packed.unpack_arrays(data)["radius"]
    assert rounded.shape[0] == 4, "single precision"
    outward = _rounded_outward(grown)
    assert np.all(outward["radius"] >= grown.radius + np.linalg.norm(outward["offset"] - grown.offset, axis=-1))
    assert np.all((outward["low"] <= grown.low) & (outward["high"] >= grown.high))


@pytest.mark.parametrize("name", ["horse"])
def test_a_shipped_character_is_what_its_authors_make(name: str):
    assert_same(AUTHORS[name](), load_character(name), rounding=1e-9)


def test_shipped_characters_are_small_and_each_has_an_author():
    files = list(SHIPPED.glob("*.npz"))
    assert sorted(path.stem for path in files) == sorted(AUTHORS)
    assert sum(path.stat().st_size for path in files) < 4_000_000
    assert load_character("human") is load_character("human")
    assert set(load_character("human").subsets) == {"lk05", "lk06-21", "lk06-13", "c20", "crowd"}


def test_the_same_character_is_the_same_file(small: Character, data: bytes):
    assert character_bytes(small) == data


def test_what_is_read_and_written_again_stays(data: bytes, tmp_path: Path):
    (tmp_path / "once.npz").write_bytes(data)
    again = load_character(tmp_path / "once.npz")
    write_character(tmp_path / "twice.npz", again)
    assert largest_displacement_m(again, load_character(tmp_path / "twice.npz")) < 1e-6


@given(st.lists(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=9), max_size=4))
def test_smooth_tracks_come_back_to_half_a_step(values: list[list[float]]):
    tracks = [np.array(track)[:, None] for track in values]
    back = list(packed.unpack_smooth(packed.pack_smooth(tracks), [track.shape for track in tracks]))
    assert all(np.abs(a - b).max() <= 0.5 * packed.STEP + 1e-7 for a, b in zip(tracks, back, strict=True))


def test_a_file_of_the_first_format_says_to_build_it_again(tmp_path: Path):
    np.savez(tmp_path / "old.npz", header=np.frombuffer(json.dumps({"format": 1}).encode(), np.uint8))
    with pytest.raises(MalformedFile, match="format 1, expected 2: build it again"):
        load_character(tmp_path / "old.npz")


def test_a_bomb_is_refused_before_it_is_inflated(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as parts, parts.open("header.npy", "w") as f:
        np.lib.format.write_array_header_1_0(f, {"descr": "|u1", "fortran_order": False, "shape": (1 << 40,)})
        f.write(bytes(1 << 20))
    with pytest.raises(MalformedFile, match="more than 67,108,864 numbers"):
        load_character(tmp_path / "bomb.npz")


@settings(deadline=None, max_examples=150)
@given(
    places=st.lists(st.tuples(st.floats(0.0, 1.0, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=4),
    end=st.floats(0.0, 1.0),
)
def test_whatever_is_changed_in_a_file_it_is_a_character_or_a_clean_error(
    data: bytes, tmp_path_factory: pytest.TempPathFactory, places: list[tuple[float, int]], end: float
):
    damaged = bytearray(data)
    for place, value in places:
        damaged[int(place * len(damaged))] = value
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    path.write_bytes(bytes(damaged[: int(end * len(damaged))] if end > 0.5 else damaged))
    with suppress(GambolError):
        load_character(path)


HEADER_KEYS = ("frames", "rate_hz", "margin", "duration", "event", "points", "ground", "moved_joints", "recorded")
lists = st.lists(st.integers(-2, 99), max_size=3)
odd = st.none() | st.integers(-5, 1 << 62) | st.floats() | st.text(max_size=3) | lists


@settings(deadline=None, max_examples=150)
@given(key=st.sampled_from(HEADER_KEYS), value=odd, array=st.sampled_from(["roots", "planted", "parents", "radius"]),
       rows=st.integers(0, 9), change_array=st.booleans())  # fmt: skip
def test_whatever_header_and_arrays_say_it_is_a_character_or_a_clean_error(
    data: bytes, tmp_path_factory: pytest.TempPathFactory, key: str, value: object, array: str, rows: int,
    change_array: bool,
):  # fmt: skip
    arrays = packed.unpack_arrays(data)
    header = json.loads(bytes(arrays["header"]))
    if change_array:
        arrays[array] = arrays[array][:rows]
    else:
        header["clips"][0][key] = value
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    path = tmp_path_factory.getbasetemp() / "odd.npz"
    path.write_bytes(packed.pack_arrays(arrays))
    with suppress(GambolError):
        load_character(path)
