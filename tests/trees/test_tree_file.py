from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numba
import numpy as np
import pytest
from evidence.soak.fuzzing import FuzzJob
from evidence.soak.mutated_trees import TARGETS, joined, parted, sealed
from evidence.soak.planning_problems import random_figure
from evidence.soak.run import run_job
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gambol.characters import Character
from gambol.cli.app import app
from gambol.errors import FileProblem, InvalidInput, MalformedFile, UnreadableFile
from gambol.files import SafetensorsFile, open_safetensors, parse_safetensors, write_safetensors
from gambol.files.safetensors_file import TYPES
from gambol.trees.audit import audit_tree
from gambol.trees.exhaustive import grow_exhaustive
from gambol.trees.file import ensure_verified, read_tree, write_tree
from gambol.trees.tree import GoalGrid, SearchTree

NODE_ARRAYS = ("pose", "parent", "cost", "clip", "frame", "edge_cost", "first_cost")


@cache
def figure(seed: int = 0) -> Character:
    return replace(random_figure(np.random.default_rng(seed)), name=f"figure {seed}")


@cache
def tree(depth: int = 2) -> SearchTree:
    return grow_exhaustive(figure(), depth=depth, begins="go", seed=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small tree in a file."""
    write_tree(tmp_path / "small.safetensors", tree())
    return tmp_path / "small.safetensors"


def assert_same(one: SearchTree, other: SearchTree) -> None:
    for name in NODE_ARRAYS:
        left, right = getattr(one, name), getattr(other, name)
        assert left.dtype == right.dtype
        assert np.array_equal(left, right), name
    for name in GoalGrid.__dataclass_fields__:
        left, right = getattr(one.grid, name), getattr(other.grid, name)
        assert type(left) is type(right)
        assert np.array_equal(left, right), name
    for name in ("character", "planning_rate_hz", "begins", "builder", "settings", "behaviors", "notes"):
        assert getattr(one, name) == getattr(other, name)


def refused(path: Path) -> str:
    """Open and verify a file that must be refused; return the reason, which must name the file."""
    with pytest.raises(MalformedFile) as caught:
        read_tree(path, verify=True)
    assert caught.value.path == path
    assert str(path) in str(caught.value)
    return caught.value.message


def forged(path: Path, **arrays: np.ndarray) -> str:
    """Replace some of a file's arrays, put its checksum right, and return why it is refused all the same."""
    opened = open_safetensors(path)
    texts = {name: text for name, text in opened.metadata.items() if name != "checksum"}
    write_safetensors(path.with_name("forged.safetensors"), {**opened.arrays, **arrays}, texts)
    assert open_safetensors(path.with_name("forged.safetensors")).is_intact
    return refused(path.with_name("forged.safetensors"))


def changed(array: np.ndarray, place: object, value: object) -> np.ndarray:
    copy = array.copy()
    copy[place] = value
    return copy


class TestATreeThatIsSavedAndOpened:
    @pytest.mark.slow
    @given(
        seed=st.integers(0, 30),
        depth=st.integers(0, 3),
        begins=st.sampled_from(["go", None]),
        notes=st.dictionaries(
            st.text(max_size=8),
            st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        ),
    )
    @settings(max_examples=40, deadline=None)
    def test_is_the_same(self, tmp_path_factory, seed, depth, begins, notes):
        path = tmp_path_factory.mktemp("trees") / "t.safetensors"
        grown = replace(grow_exhaustive(figure(seed), depth=depth, begins=begins, seed=seed), notes=notes)
        write_tree(path, grown)
        opened = read_tree(path, verify=True)
        assert_same(grown, opened)
        assert audit_tree(opened, figure(seed)) == []
        again = path.with_name("again.safetensors")
        write_tree(again, opened)
        assert again.read_bytes() == path.read_bytes()

    def test_is_plain_arrays_in_the_files_own_memory(self, path: Path):
        opened = read_tree(path)
        for array in (*(getattr(opened, name) for name in NODE_ARRAYS), opened.grid.first_entry, opened.grid.entries):
            assert type(array) is np.ndarray
            assert not array.flags.writeable
            assert array.flags.aligned
            assert not array.flags.owndata
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0

    def test_is_to_kernels_what_a_grown_one_is(self, path: Path):
        opened = read_tree(path)
        for name in NODE_ARRAYS:
            assert numba.typeof(getattr(opened, name)) == numba.typeof(getattr(tree(), name))
        for name in GoalGrid.__dataclass_fields__:
            assert numba.typeof(getattr(opened.grid, name)) == numba.typeof(getattr(tree().grid, name))

    def test_may_be_saved_over_itself(self, path: Path):
        opened, before = read_tree(path), path.read_bytes()
        write_tree(path, opened)
        assert path.read_bytes() == before
        assert_same(opened, tree())

    @pytest.mark.slow
    def test_is_the_same_in_another_process(self, path: Path):
        code = (
            "import sys; from gambol.trees.file import read_tree; t = read_tree(sys.argv[1], verify=True); "
            "print(len(t), int(t.cost.sum()), int(t.grid.entries.sum()))"
        )
        done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [str(len(tree())), str(tree().cost.sum()), str(tree().grid.entries.sum())]

    def test_opens_with_the_safetensors_library(self, path: Path):
        safetensors = pytest.importorskip("safetensors")
        with safetensors.safe_open(path, framework="numpy") as opened:
            texts = opened.metadata()
            arrays = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 (it is no mapping)
        assert texts["format"] == "gambol search tree"
        assert json.loads(texts["behaviors"])[0] == [
            "forward",
            len(figure().behaviors[0].clips),
            tree().behaviors[0].digest,
        ]
        for name in NODE_ARRAYS:
            assert np.array_equal(arrays[name], getattr(tree(), name))
        assert np.array_equal(arrays["grid.entries"], tree().grid.entries)
        assert np.array_equal(arrays["grid.first_entry"], tree().grid.first_entry)

    def test_keeps_settings_that_numpy_made_as_plain_values(self, tmp_path: Path):
        made = replace(tree(), settings={"nodes": np.int64(7), "share": np.float32(0.5), "list": np.arange(3)})
        write_tree(tmp_path / "t", made)
        assert read_tree(tmp_path / "t").settings == {"nodes": 7, "share": 0.5, "list": [0, 1, 2]}

    @pytest.mark.parametrize("odd", [float("nan"), float("inf"), object(), {1, 2}])
    def test_must_have_settings_that_are_plain_values(self, tmp_path: Path, odd: object):
        with pytest.raises(InvalidInput, match="plain values"):
            write_tree(tmp_path / "t", replace(tree(), settings={"odd": odd}))
        assert list(tmp_path.iterdir()) == []

    def test_must_be_one_that_can_be_opened_again(self, tmp_path: Path):
        with pytest.raises(InvalidInput, match="a parent that is no node"):
            write_tree(tmp_path / "t", replace(tree(), parent=changed(tree().parent, 5, 10**6)))
        assert list(tmp_path.iterdir()) == []


class TestTheChecksum:
    def test_is_looked_at_once_for_each_opening(self, path: Path, monkeypatch: pytest.MonkeyPatch):
        looks: list[SafetensorsFile] = []
        original = SafetensorsFile.is_intact.fget
        assert original is not None
        monkeypatch.setattr(
            SafetensorsFile, "is_intact", property(lambda self: looks.append(self) or original(self)), raising=True
        )
        opened = read_tree(path)
        assert looks == []
        ensure_verified(opened)
        ensure_verified(opened)
        ensure_verified(replace(opened, notes={"of the same": "file"}))
        assert looks == [opened.source]
        ensure_verified(read_tree(path))
        assert len(looks) == 2

    def test_is_not_asked_of_a_tree_that_was_grown(self):
        assert tree().source is None
        ensure_verified(tree())

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("builder", "diverse"),
            ("settings", "{}"),
            ("character", "figure 1"),
            ("gambol", "9.9"),
            ("notes", '{"a":1}'),
            ("planning_rate_hz", "11.0"),
            ("begins", "null"),
        ],
    )
    def test_finds_a_text_that_was_altered(self, path: Path, text: str, value: str):
        header, body = parted(path.read_bytes()) or ({}, b"")
        assert header["__metadata__"][text] != value
        header["__metadata__"][text] = value
        path.write_bytes(joined(header, body))
        opened = read_tree(path)  # nothing that kernels rely on
        for _ in range(2):
            with pytest.raises(MalformedFile, match="the checksum is wrong") as caught:
                ensure_verified(opened)
            assert caught.value.path == path
        path.write_bytes(sealed(path.read_bytes()))
        ensure_verified(read_tree(path))

    def test_finds_another_cost(self, path: Path):
        data = bytearray(path.read_bytes())
        cost = tree().cost[1:3].tobytes()
        data[data.index(cost)] ^= 1
        path.write_bytes(bytes(data))
        assert "the checksum is wrong" in refused(path)


class TestAFileThatIsNoTree:
    @pytest.mark.slow
    def test_is_refused_whichever_byte_is_altered(self, tmp_path: Path):
        small = tmp_path / "t.safetensors"
        write_tree(small, grow_exhaustive(figure(), depth=0))
        data = small.read_bytes()
        for place in range(len(data)):
            altered = bytearray(data)
            altered[place] ^= 1 << place % 8
            small.unlink()  # what is mapped must not be written to
            small.write_bytes(altered)
            refused(small)

    def test_is_refused_wherever_it_is_cut(self, path: Path):
        data = path.read_bytes()
        for length in {*range(0, len(data), 97), *range(20), len(data) - 1}:
            path.unlink()
            path.write_bytes(data[:length])
            assert any(word in refused(path) for word in ("cut short", "empty", "too few"))

    @pytest.mark.parametrize("more", [b"\0", b" ", b"x" * 5000])
    def test_is_refused_where_something_follows(self, path: Path, more: bytes):
        path.write_bytes(path.read_bytes() + more)
        assert "followed by something else" in refused(path)

    @pytest.mark.parametrize(
        ("text", "value", "reason"),
        [
            ("version", "2", "of version 2, expected 1"),
            ("version", "", "expected 1"),
            ("format", "gambol character", "not a search tree"),
            ("begins", "7", "begins must be a text or null"),
            ("begins", "stand", "begins is no proper JSON"),
            ("planning_rate_hz", "1e999", "no finite number"),
            ("planning_rate_hz", "-30", "must be a number above 0"),
            ("planning_rate_hz", "9" * 400, "must be a number above 0"),
            ("planning_rate_hz", "true", "must be a number above 0"),
            ("settings", "[]", "settings must be a JSON object"),
            ("settings", '{"a":1,"a":2}', "named twice"),
            ("notes", '{"a":NaN}', "no finite number"),
            ("notes", '"\\ud800"', "notes is no proper JSON"),
            ("behaviors", "[]", "behaviors must be a list"),
            ("behaviors", '[["a",1]]', "a name, a number of clips and a digest"),
            ("behaviors", '[["a",true,"b"]]', "a name, a number of clips and a digest"),
            ("grid", "{}", "grid must have"),
        ],
    )
    def test_is_refused_for_what_its_texts_say(self, path: Path, text: str, value: str, reason: str):
        header, body = parted(path.read_bytes()) or ({}, b"")
        header["__metadata__"][text] = value
        path.write_bytes(sealed(joined(header, body)))
        assert reason in refused(path)

    def test_is_refused_if_another_program_wrote_it(self, tmp_path: Path):
        library = pytest.importorskip("safetensors.numpy")
        library.save_file({"pose": np.zeros((1, 3))}, tmp_path / "other", metadata={"format": "gambol search tree"})
        assert "checksum" in refused(tmp_path / "other")

    def test_that_is_not_there_or_no_file_is_named(self, tmp_path: Path):
        with pytest.raises(UnreadableFile, match="nosuch"):
            read_tree(tmp_path / "nosuch")
        with pytest.raises(UnreadableFile, match="folder"):
            read_tree(tmp_path)
        if os.name == "posix":
            with pytest.raises(UnreadableFile, match="no regular file"):
                read_tree("/dev/null")
        with pytest.raises(FileProblem):
            read_tree(tmp_path / "null\0character")


class TestAForgedTree:
    """Its checksum is right, but a kernel would read outside an array or never end."""

    @pytest.mark.parametrize("parent", [-2, -1, 10**6, 2**31 - 1])
    def test_is_refused_for_a_parent_that_is_no_node(self, path: Path, parent: int):
        assert "a parent that is no node" in forged(path, parent=changed(tree().parent, 4, parent))

    def test_is_refused_for_a_circle(self, path: Path):
        node = int(np.flatnonzero(tree().parent > 0)[0])
        parent = changed(tree().parent, tree().parent[node], node)
        assert "not later than its parent" in forged(path, parent=parent)
        assert "not later than its parent" in forged(path, parent=changed(tree().parent, 7, 7))
        # Times that would make the circle look right cannot all be right.
        for frame in (0, 65535):
            frames = changed(tree().frame, node, frame)
            assert "not later than its parent" in forged(path, parent=parent, frame=frames)

    def test_is_refused_for_a_clip_that_no_behavior_has(self, path: Path):
        assert "a clip that no" in forged(path, clip=changed(tree().clip, 3, len(tree().clip_behavior)))

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30])
    def test_is_refused_for_a_place_that_is_none(self, path: Path, value: float):
        for axis in range(3):
            assert "nowhere near" in forged(path, pose=changed(tree().pose, (5, axis), value))

    def test_is_refused_for_a_root_elsewhere(self, path: Path):
        assert "the root must be" in forged(path, pose=changed(tree().pose, (0, 0), 1.0))
        assert "the root must be" in forged(path, parent=changed(tree().parent, 0, 1))
        assert "the root must be" in forged(path, frame=changed(tree().frame, 0, 1))

    @pytest.mark.parametrize("node", [-1, 0, 10**6, -(2**31)])
    def test_is_refused_for_a_list_with_what_is_no_node(self, path: Path, node: int):
        assert "a goal list with" in forged(path, **{"grid.entries": changed(tree().grid.entries, 9, node)})

    def test_is_refused_for_lists_that_overlap_or_end_outside(self, path: Path):
        first = tree().grid.first_entry
        middle = int(np.flatnonzero(np.diff(first) > 0)[0]) + 1
        for value in (-1, first[-1] + 1, 2**62):
            assert "ends before it begins" in forged(path, **{"grid.first_entry": changed(first, middle, value)})
        assert "hold all entries" in forged(path, **{"grid.first_entry": changed(first, -1, first[-1] + 1)})
        assert "hold all entries" in forged(path, **{"grid.first_entry": changed(first, 0, -1)})
        assert "one number more" in forged(path, **{"grid.first_entry": first[:-1].copy()})

    def test_is_refused_for_another_number_of_groups(self, path: Path):
        assert "groups of behaviors" in forged(path, edge_cost=changed(tree().edge_cost, (0, 1), -1))

    def test_is_refused_for_costs_out_of_range(self, path: Path):
        assert "negative cost" in forged(path, cost=changed(tree().cost, 3, -5))
        assert "edge_cost out of range" in forged(path, edge_cost=changed(tree().edge_cost, (0, 0), 2**40))
        assert "first_cost out of range" in forged(path, first_cost=changed(tree().first_cost, 0, -2))

    def test_is_refused_for_arrays_of_other_types_and_shapes(self, path: Path):
        assert "must be float32" in forged(path, pose=tree().pose.astype(np.float64))
        assert "must be int32" in forged(path, cost=tree().cost[:-1].copy())
        assert "row of numbers" in forged(path, parent=np.array(3, dtype=np.int32))
        assert "edge_cost must be int64" in forged(path, edge_cost=tree().edge_cost[:-1].copy())
        assert "entries must be" in forged(path, **{"grid.entries": tree().grid.entries.astype(np.int64)})
        assert "which no search tree has" in forged(path, more=np.zeros(3))

    @pytest.mark.parametrize("name", ["tree", "tree-forged"])
    def test_damaged_in_whatever_way_is_refused_or_harmless(self, name: str, tmp_path: Path):
        job = FuzzJob(
            TARGETS[name], 300, chunk_size=150, module="evidence.soak.mutated_trees", failures_folder=tmp_path
        )
        tally = run_job(job, tmp_path).tally
        assert tally.failures == []
        assert tally.inputs == 300
        assert sum(tally.rejected.values()) >= 200
        if name == "tree":
            assert tally.accepted == 0
        else:
            assert tally.accepted > 10


class TestTheContainer:
    @pytest.mark.slow
    @given(
        st.dictionaries(
            st.text(min_size=1, max_size=5).filter(lambda name: name != "__metadata__"),
            st.tuples(
                st.sampled_from(["f8", "f4", "i8", "i4", "u2", "u1", "?"]),
                st.lists(st.integers(0, 4), max_size=3),
            ),
            max_size=6,
        ),
        st.dictionaries(st.text(max_size=5).filter(lambda name: name != "checksum"), st.text(max_size=20)),
    )
    @settings(max_examples=60, deadline=None)
    def test_gives_back_what_was_put_in(self, tmp_path_factory, wanted, texts):
        path = tmp_path_factory.mktemp("containers") / "c"
        arrays = {name: np.arange(np.prod(shape)).reshape(shape).astype(kind) for name, (kind, shape) in wanted.items()}
        write_safetensors(path, arrays, texts)
        opened = open_safetensors(path)
        assert opened.is_intact
        assert {name: text for name, text in opened.metadata.items() if name != "checksum"} == texts
        assert set(opened.arrays) == set(arrays)
        for name, array in arrays.items():
            assert opened.arrays[name].dtype == array.dtype
            assert np.array_equal(opened.arrays[name], array)
        library = pytest.importorskip("safetensors.numpy")
        for name, array in library.load(path.read_bytes()).items():
            assert np.array_equal(array, arrays[name])

    @pytest.mark.parametrize("data", [b"", b"1234567", b"\0" * 8, b"\xff" * 64, b"\2" + b"\0" * 7 + b"[]"])
    def test_is_told_from_other_files(self, data: bytes):
        with pytest.raises(MalformedFile):
            parse_safetensors(data)

    def test_holds_numbers_alone(self, tmp_path: Path):
        with pytest.raises(InvalidInput, match="cannot hold"):
            write_safetensors(tmp_path / "c", {"words": np.array(["a"])}, {})


class TestAnAudit:
    def test_finds_costs_that_do_not_add_up(self):
        wrong = replace(tree(), cost=changed(tree().cost, 6, tree().cost[6] + 1))
        assert any("another cost" in problem for problem in audit_tree(wrong))

    def test_finds_what_may_not_follow(self):
        edge_cost = tree().edge_cost.copy()
        nodes = np.flatnonzero(tree().parent > 0)
        before, after = (int(tree().clip_behavior[tree().clip[n]]) for n in (tree().parent[nodes[0]], nodes[0]))
        edge_cost[before, after] = -1
        assert any("may not follow" in problem for problem in audit_tree(replace(tree(), edge_cost=edge_cost)))

    def test_finds_lists_out_of_order(self):
        grid = tree().grid
        longest = int(np.argmax(np.diff(grid.first_entry)))
        entries = grid.entries.copy()
        entries[grid.first_entry[longest] : grid.first_entry[longest + 1]] = entries[
            grid.first_entry[longest] : grid.first_entry[longest + 1]
        ][::-1]
        wrong = replace(tree(), grid=replace(grid, entries=entries))
        assert any("goal lists" in problem for problem in audit_tree(wrong))
        moved = replace(tree(), grid=replace(grid, x0=grid.x0 + 0.2))
        assert any("goal lists" in problem for problem in audit_tree(moved))

    def test_finds_places_and_times_that_the_clips_do_not_lead_to(self):
        for name, step in (("pose", np.float32(1e-6)), ("frame", np.uint16(1))):
            array = getattr(tree(), name)
            last = int(np.argmax(tree().frame))
            wrong = replace(tree(), **{name: changed(array, last, array[last] + step)})
            assert any("not where or when" in problem for problem in audit_tree(wrong, figure()))

    def test_finds_another_character(self):
        problems = audit_tree(tree(), figure(1))
        assert len(problems) == 1
        assert "figure 1" in problems[0]

    def test_lets_a_character_have_more_or_fewer_behaviors(self):
        names = [one.name for one in figure().behaviors]
        fewer = figure().only([name for name in reversed(names) if name != "hop"])
        assert audit_tree(tree(), fewer) == []
        assert audit_tree(grow_exhaustive(fewer, depth=2), figure()) == []


@pytest.mark.slow
def test_the_page_on_tree_files_says_what_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = (Path(__file__).parent.parent.parent / "docs" / "tree_files.md").read_text(encoding="utf-8")
    pytest.importorskip("safetensors")
    monkeypatch.chdir(tmp_path)
    commands = [line.split("  #")[0].strip() for line in page.splitlines() if line.startswith("gambol tree ")]
    assert len(commands) == 4
    for command in commands:
        done = CliRunner().invoke(app, shlex.split(command)[1:])
        assert done.exit_code == 0, done.output


def test_the_page_on_tree_files_lists_all_arrays_and_texts(path: Path):
    page = (Path(__file__).parent.parent.parent / "docs" / "tree_files.md").read_text(encoding="utf-8")
    opened = open_safetensors(path)
    kinds = {kind: name for name, kind in TYPES.items()}
    rows = re.findall(r"^\| `([\w.]+)` \| (\w+) \| ([^|]+) \| ", page, re.MULTILINE)
    assert [(name, kind) for name, kind, _ in rows] == [(name, kinds[one.dtype]) for name, one in opened.arrays.items()]
    assert {name: shape.count(",") + 1 for name, _, shape in rows} == {n: one.ndim for n, one in opened.arrays.items()}
    texts = page.partition("### Texts")[2].partition("## What")[0]
    assert re.findall(r"^\| `(\w+)` \|", texts, re.MULTILINE) == list(opened.metadata)


def test_the_checksum_is_what_the_page_says(path: Path):
    data = path.read_bytes()
    digits = re.search(rb"sha256:([0-9a-f]{64})", data)
    assert digits is not None
    assert hashlib.sha256(data.replace(digits[1], b"0" * 64)).hexdigest().encode() == digits[1]
    assert (8 + int.from_bytes(data[:8], "little")) % 64 == 0
