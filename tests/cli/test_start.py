"""The command line answers at once: help, the version, a misspelt scene and a plan wait for nothing slow."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SLOW = ("numba", "scipy", "matplotlib", "viser", "trimesh")  # modules that take long to load
#: Runs a command; then tells its exit code and the modules that were loaded.
PROGRAM = """
import json, sys
from gambol.__main__ import main
sys.argv = ["gambol", *sys.argv[1:]]
try:
    main()
except SystemExit as ended:
    print(json.dumps([ended.code, sorted(sys.modules)]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("command", "code", "unneeded"),
    [
        ("--help", 0, (*SLOW, "numpy", "pydantic")),
        ("--version", 0, (*SLOW, "numpy", "pydantic")),
        ("plan nosuchscene", 2, SLOW),
        ("plan missing.toml", 2, SLOW),
        ("crowd nosuchscene", 2, SLOW),
        ("climb nosuchscene", 2, SLOW),
        ("plan first -o first.glb -o first.bvh", 0, SLOW),
    ],
)
def test_nothing_slow_is_loaded_to_answer_at_once_or_to_plan(command, code, unneeded, tmp_path):
    program = [sys.executable, "-c", PROGRAM, *command.split()]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True)
    ended, loaded = json.loads(done.stderr.splitlines()[-1])
    assert ended == code, done.stderr
    assert not set(unneeded) & set(loaded)
