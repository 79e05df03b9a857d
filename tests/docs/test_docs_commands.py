"""What the page of commands says about `--json` is what commands print."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.support.command_line import runner

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tools"))

from write_commands import KEYS, commands


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("scenes", ""),
        ("plan", "first --no-check"),
        ("crowd", "doorway-4 --seconds 0.2 --no-check"),
        ("climb", "climb-flat --no-check"),
        ("character build", "human"),
        ("character check", "human"),
        ("tree grow", "human --subset lk06-13 --nodes 200 --from stand -o a.tree"),
    ],
)
def test_keys_of_json_are_those_on_the_page(
    name: str, arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    _, out, _ = runner(monkeypatch, capsys)(*name.split(), *arguments.split(), "--json")
    told = json.loads(out)
    assert list(told[0] if isinstance(told, list) else told) == KEYS[name].split()


def test_keys_are_told_only_of_commands_that_there_are():
    assert set(KEYS) <= {name for name, _ in commands()}
