from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evidence.soak.planning_problems import random_figure

from gambol.characters import Character
from gambol.errors import InvalidInput, UnknownName
from gambol.trees import cache as tree_cache
from gambol.trees.builders import BUILDERS
from gambol.trees.cache import kept_tree, tree_folder
from gambol.trees.file import read_tree
from gambol.trees.region import Region

SETTINGS = {"depth": 2, "begins": "go"}


@cache
def figure() -> Character:
    return random_figure(np.random.default_rng(4))


@pytest.fixture
def grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An empty cache, and the builders of all trees that are grown meanwhile."""
    seen: list[str] = []
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path / "cache"))

    def noted(name: str, builder: Any) -> Any:
        @wraps(builder)
        def grow(*given: Any, **settings: Any) -> Any:
            seen.append(name)
            return builder(*given, **settings)

        return grow

    for name, builder in list(BUILDERS.items()):
        monkeypatch.setitem(BUILDERS, name, noted(name, builder))
    return seen


def files() -> list[Path]:
    return sorted(tree_folder().iterdir())


def test_a_tree_is_grown_once(grown: list[str]):
    first = kept_tree(figure(), "exhaustive", SETTINGS)
    assert first.source is None
    again = kept_tree(figure(), "exhaustive", dict(reversed(SETTINGS.items())))
    assert again.source is not None
    assert np.array_equal(first.pose, again.pose)
    assert grown == ["exhaustive"]
    assert len(files()) == 1


def test_whatever_makes_another_tree_is_another_file(grown: list[str]):
    weights = {"forward": 3.0}
    behaviors = figure().behaviors
    others = [
        (figure(), "exhaustive", SETTINGS),
        (figure(), "exhaustive", {**SETTINGS, "depth": 1}),
        (figure(), "exhaustive", {**SETTINGS, "begins": None}),
        (figure(), "exhaustive", {**SETTINGS, "seed": 1}),
        (figure(), "pruned", {**SETTINGS, "nodes": 30}),
        (figure(), "diverse", {"nodes": 30, "region": Region.disc(3.0)}),
        (figure(), "diverse", {"nodes": 30, "region": Region.half_disc(3.0)}),
        (figure().with_weights(weights), "exhaustive", SETTINGS),
        (replace(figure(), behaviors=behaviors[:3], transitions=()), "exhaustive", SETTINGS),
        (replace(figure(), name="another"), "exhaustive", SETTINGS),
    ]
    for _ in range(2):
        for character, builder, settings in others:
            kept_tree(character, builder, settings)
    assert len(grown) == len(others)
    assert len(files()) == len(others)


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_file_is_grown_again_and_mended(grown: list[str], damage: bytes | None):
    good = kept_tree(figure(), "exhaustive", SETTINGS)
    (path,) = files()
    data = bytearray(path.read_bytes())
    if damage is None:
        data[data.index(good.cost[1:].tobytes())] ^= 1  # only the checksum knows
    path.unlink()
    path.write_bytes(data if damage is None else damage)
    again = kept_tree(figure(), "exhaustive", SETTINGS)
    assert np.array_equal(again.cost, good.cost)
    assert grown == ["exhaustive"] * 2
    assert np.array_equal(read_tree(path, verify=True).cost, good.cost)


def test_without_a_place_to_write_a_tree_is_simply_grown(
    grown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path / "file"))
    for _ in range(2):
        assert len(kept_tree(figure(), "exhaustive", SETTINGS)) > 1
    assert grown == ["exhaustive"] * 2


def test_what_other_code_grew_is_removed_and_what_is_not_ours_stays(grown: list[str], monkeypatch: pytest.MonkeyPatch):
    kept_tree(figure(), "exhaustive", SETTINGS)
    kept_tree(replace(figure(), name="another"), "exhaustive", SETTINGS)
    before = set(files())
    (tree_folder() / "notes.txt").write_text("mine")
    monkeypatch.setattr(tree_cache, "_code", lambda: "0" * 8)
    kept_tree(figure(), "exhaustive", SETTINGS)
    names = {path.name for path in files()}
    assert "notes.txt" in names
    assert sum(name.startswith("another-") for name in names) == 1
    assert sum(name.startswith("figure-") for name in names) == 1
    assert len(set(files()) - before) == 2
    assert grown == ["exhaustive"] * 3


def test_of_too_many_the_longest_unused_goes(grown: list[str], monkeypatch: pytest.MonkeyPatch):
    paths = []
    for age, seed in enumerate((1, 2, 3)):
        kept_tree(figure(), "exhaustive", {**SETTINGS, "seed": seed})
        paths.append(next(path for path in files() if path not in paths))
        os.utime(paths[-1], (1e9 + age, 1e9 + age))
    kept_tree(figure(), "exhaustive", {**SETTINGS, "seed": 1})  # now it is the one used last
    size = paths[0].stat().st_size
    monkeypatch.setattr(tree_cache, "MOST_KEPT_BYTES", int(3.5 * size))
    kept_tree(figure(), "exhaustive", {**SETTINGS, "seed": 4})
    assert [path.exists() for path in paths] == [True, False, True]


@pytest.mark.parametrize(
    ("builder", "settings", "words"),
    [
        ("exhuastive", {}, "did you mean 'exhaustive'"),
        ("exhaustive", {"depths": 2}, "did you mean 'depth'"),
        ("exhaustive", {}, "needs a setting 'depth'"),
        ("diverse", {"nodes": 10, "region": object()}, "plain values or regions"),
    ],
)
def test_settings_that_a_builder_does_not_take_are_refused(
    grown: list[str], builder: str, settings: dict[str, object], words: str
):
    with pytest.raises(InvalidInput, match=words):
        kept_tree(figure(), builder, settings)
    assert grown == []


def test_an_unknown_builder_is_named():
    with pytest.raises(UnknownName, match="greedy"):
        kept_tree(figure(), "greedy")


@pytest.mark.slow
def test_two_processes_at_once_do_each_other_no_harm(tmp_path: Path):
    code = (
        "import numpy as np; from evidence.soak.planning_problems import random_figure; "
        "from gambol.trees.cache import kept_tree; "
        "t = [kept_tree(random_figure(np.random.default_rng(4)), 'exhaustive', {'depth': d % 4}) for d in range(40)]; "
        "print(sum(len(one) for one in t))"
    )
    environment = {**os.environ, "GAMBOL_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent.parent.parent)}
    both = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = {one.communicate(timeout=120)[0] for one in both}
    assert [one.returncode for one in both] == [0, 0]
    assert len(said) == 1
    assert len(list((tmp_path / "trees").iterdir())) == 4
    for path in (tmp_path / "trees").iterdir():
        read_tree(path, verify=True)
