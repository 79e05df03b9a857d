"""The tests in C, under sanitizers, and the sources as C99, as C++ and with a word of a program's own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support.core_builds import COMMAND, variants

pytestmark = pytest.mark.skipif(COMMAND is None, reason="there is no C compiler")


def test_all_claims_of_the_tests_in_c_hold_under_sanitizers(tmp_path: Path):
    program = tmp_path / "tests"
    variants.compile_tests(program, command(), (*variants.SANITIZERS, "-O0"))
    said = subprocess.run([str(program)], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    names = [line.split()[0] for line in said.stdout.splitlines()]
    assert sorted(names) == [path.stem for path in variants.test_files() if path.stem != "main"]


def command() -> list[str]:
    assert COMMAND is not None
    return COMMAND


def said_of(arguments: list[str], files: list[Path]) -> str:
    """Return what a compiler has to say about files."""
    checked = [*arguments, *variants.core.WARNINGS, "-fsyntax-only", *variants.INCLUDES, *map(str, files)]
    return subprocess.run(checked, capture_output=True, text=True).stderr


def everything() -> list[Path]:
    return [*variants.core.sources(), *variants.test_files(), *(variants.ROOT / "tests" / "replay").glob("*.c")]


def test_the_sources_are_c_plus_plus_too():
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    assert said_of([compiler, "-std=c++17", "-x", "c++"], everything()) == ""


def test_a_program_may_say_what_stands_before_each_function():
    """As one would who compiles the core for a GPU: -DGB_FN=__device__."""
    assert said_of([*command(), "-std=c99", "-DGB_FN=__attribute__((unused))"], everything()) == ""


def test_the_sources_are_plain_c99():
    assert said_of([*command(), "-std=c99", "-Wpedantic"], variants.core.sources()) == ""


def test_no_function_of_the_library_but_those_that_move_bytes_is_called():
    """Libraries differ in the last bit of a sine from system to system; nothing allocates, prints or exits."""
    nm = shutil.which("nm")
    if nm is None or variants.core.library_name() != "libgambol.so":
        pytest.skip("there is no nm to look into a shared library of Linux")
    library = str(variants.core.PACKAGE / variants.core.library_name())
    told = subprocess.run([nm, "-D", "--undefined-only", library], capture_output=True, text=True, check=True)
    called = {line.split()[-1].partition("@")[0] for line in told.stdout.splitlines() if " U " in line}
    assert called <= {"memcpy", "memmove", "memset", "memcmp", "sqrt", "__stack_chk_fail"}
