"""Opening the library and laying arrays out: what is not of this version, or of another shape or type, is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.support.core_builds import COMMAND, variants

from gambol import core
from gambol.core import Struct, ffi, lib, pointer, struct

FOLDER = Path(core.__file__).parent


def linked_package(folder: Path) -> Path:
    """Return a folder that holds the package, its core's files copied so that they can be spoilt."""
    copy = folder / "gambol"
    (copy / "core").mkdir(parents=True)
    for path in FOLDER.parent.iterdir():
        if path.name not in ("core", "__pycache__"):
            (copy / path.name).symlink_to(path)
    for path in FOLDER.iterdir():
        if path.is_file():
            (copy / "core" / path.name).write_bytes(path.read_bytes())
    return copy / "core"


def error_of_importing(folder: Path) -> str:
    """Return the last line that a new Python says when it imports the core."""
    told = subprocess.run(
        [sys.executable, "-c", "import gambol.core"], env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert told.returncode == 1
    return told.stderr.strip().splitlines()[-1]


def test_a_library_of_another_header_is_refused_with_a_sentence(tmp_path: Path):
    binding = linked_package(tmp_path) / "_binding.py"
    binding.write_text(binding.read_text().replace('HEADER_HASH = "', 'HEADER_HASH = "0'))
    said = error_of_importing(tmp_path)
    assert "was built of another header" in said
    assert "pip install --editable ." in said
    assert said.startswith("ImportError: Gambol's core")


@pytest.mark.parametrize("name", ["_binding.py", variants.core.library_name()])
def test_a_core_that_is_not_there_says_how_to_build_it(tmp_path: Path, name: str):
    (linked_package(tmp_path) / name).unlink()
    said = error_of_importing(tmp_path)
    assert "Gambol's core" in said
    assert "python core/build.py" in said


def test_a_file_that_is_no_library_is_refused(tmp_path: Path):
    (linked_package(tmp_path) / variants.core.library_name()).write_bytes(b"not a library")
    assert "cannot be loaded" in error_of_importing(tmp_path)


def test_without_any_compiler_building_says_in_one_sentence_what_to_do(tmp_path: Path):
    """PATH leads nowhere, CC is not set, and this Python has no ziglang (-I: no packages of elsewhere)."""
    script = variants.core.ROOT / "build.py"
    code = (
        "import runpy, sys, importlib.util as u; sys.argv = ['build.py', '--compiler', '']; found = u.find_spec;"
        "u.find_spec = lambda name, *more: None if name == 'ziglang' else found(name, *more);"
        f"module = runpy.run_path({str(script)!r});"
        "command = module['compiler_command']\n"
        "try: command('')\nexcept module['NoCompiler'] as error: sys.exit(str(error))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    for word in ("no C compiler was found", "apt install gcc", "xcode-select", "CC", "pip install ziglang"):
        assert word in told.stderr


@pytest.mark.skipif(COMMAND is None, reason="there is no C compiler")
def test_the_library_is_of_the_sources_that_are_here():
    """A clone whose C was edited is built anew by `python core/build.py`, which these tests need."""
    assert ffi.string(lib.gb_header_hash()).decode() == variants.core.header_hash()


def trajectory(**changes: object) -> Struct:
    values: dict[str, object] = {
        "count": 2, "times": np.zeros(2), "poses": np.zeros((2, 3)), "heights": np.zeros((2, 2)), "reach": 1.0
    }  # fmt: skip
    return struct("gb_trajectory", **{**values, **changes})


def test_a_struct_holds_what_it_was_given_and_keeps_it_alive():
    times = np.array([1.0, 2.5])
    made = trajectory(times=times, reach=3)
    del times
    assert [made.c.times[0], made.c.times[1], made.c.reach, made.c.count] == [1.0, 2.5, 3.0, 2]
    made.set("times", np.array([7.0, 8.0]))
    assert made.c.times[1] == 8.0


def test_what_is_written_by_the_core_is_in_the_array():
    placed = np.zeros((1, 6))
    poses = np.array([[0.0, 0.0, 0.0], [4.0, 2.0, 1.0]])
    table = trajectory(times=np.array([0.0, 2.0]), poses=poses)
    at = np.array([1.0])
    where = pointer(at, "double")
    lib.gb_traffic_place_stretches(table.c, where, where, where, 1, pointer(placed, "double"))
    assert placed[0].tolist() == [2.0, 1.0, 0.5, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"times": np.zeros(2, np.float32)}, "times must be an array of f8, not of float32"),
        ({"times": np.zeros(2, np.int64)}, "times must be an array of f8, not of int64"),
        ({"times": np.zeros(2, ">f8")}, "times must be an array of f8"),
        ({"poses": np.zeros((3, 2)).T}, "elements of poses must lie side by side"),
        ({"poses": np.zeros((4, 3))[::2]}, "elements of poses must lie side by side"),
        ({"colour": 3}, "gb_trajectory has the fields count, times.*missing are colour"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, object], message: str):
    with pytest.raises(TypeError, match=message):
        trajectory(**changes)


def test_a_field_that_is_not_given_is_told_of():
    with pytest.raises(TypeError, match="too many or missing are block_frames, growth"):
        struct("gb_cell_level", cell_m=1.0)
