"""The command line, run in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from gambol.cli.app import app, main

Run = Callable[..., tuple[int, str, str]]


def runner(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: Callable[..., Any] = app
) -> Run:
    """Return a function that runs a command, by default `gambol`: exit code, standard output, error output."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["gambol", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main(command)
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run
