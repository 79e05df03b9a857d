"""`gambol view` on the command line: what it prints, where it listens, how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.support.command_line import Run, runner

pytestmark = pytest.mark.slow

PATIENCE_S = 120.0  # with a process that may have to compile
BROKEN = """name = "broken"
[world]
bounds = [0, 0, 10]
[[cast]]
name = "A"
start = [1, 1]
goal = [50, "x"]
colour = "red"
"""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@contextmanager
def started(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the command in a process of its own; yield it with the link that it prints."""
    command = [sys.executable, "-c", "from gambol.cli.app import main; main()", "view", *map(str, arguments)]
    # Tests that are run in the background have interrupts ignored, and so would have what they start.
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, heeded)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        link = re.match(r"http://\S+", line)
        assert link is not None, line + process.communicate(timeout=PATIENCE_S)[1]
        yield process, link[0]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_a_link_serves_a_page_and_ends_cleanly(tmp_path: Path, ending: signal.Signals):
    with started("first", "--port", 0, "--no-open", "--folder", tmp_path) as (process, link):
        assert link.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(link, timeout=PATIENCE_S) as answer:
            assert b"<html" in answer.read().lower()
        process.send_signal(ending)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert out == ""  # the link was the first line, and the only one
    assert err == ""


def test_a_port_in_use_is_named(run: Run, tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = run("view", "--port", port, "--no-open", "--folder", tmp_path)
    assert code == 2
    assert f"port {port} of 127.0.0.1 is in use" in err
    assert out == ""


def test_all_mistakes_of_a_scene_are_listed_before_anything_is_served(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gambol.view.viewer.start_server", lambda host, port: pytest.fail("a server was started"))
    path = tmp_path / "broken.toml"
    path.write_text(BROKEN)
    code, _, err = run("view", path, "--no-open", "--folder", tmp_path)
    assert code == 2
    for part in ("bounds", "goal", "colour"):
        assert part in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("mase",), "did you mean 'maze'?"),
        (("nowhere/none.toml",), "none.toml"),
        (("none.bvh",), "none.bvh"),
        (("--folder", "no such folder"), "is no folder"),
        (("--host", "no.such.host.invalid"), "is no address of this machine"),
        (("--host", "192.0.2.1"), "cannot listen on 192.0.2.1"),
    ],
)
def test_bad_arguments_are_told(run: Run, arguments: tuple[str, ...], expected: str):
    code, _, err = run("view", "--no-open", "--port", 0, *arguments)
    assert code == 2
    assert expected in " ".join(err.split())


def test_a_port_that_is_none_is_refused(run: Run):
    code, _, err = run("view", "--port", 70000)
    assert code == 2
    assert "65535" in err


def test_a_public_address_is_warned_of(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gambol.cli.view._wait_for_the_end", lambda: None)
    code, out, err = run("view", "--host", "0.0.0.0", "--port", 0, "--no-open", "--folder", tmp_path)
    assert code == 0
    assert "warning: whoever can reach 0.0.0.0" in err
    assert str(tmp_path) in err.replace("\n", "")
    assert out.startswith("http://127.0.0.1:")


def test_a_browser_is_opened_unless_told_not_to(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    opened: list[str] = []
    monkeypatch.setattr("gambol.cli.view._wait_for_the_end", lambda: None)
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("DISPLAY", ":0")
    _, out, err = run("view", "--port", 0, "--folder", tmp_path)
    assert opened == [out.split()[0]]
    assert err == ""
    run("view", "--port", 0, "--no-open", "--folder", tmp_path)
    assert len(opened) == 1
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    run("view", "--port", 0, "--folder", tmp_path)
    assert len(opened) == 1


def test_other_commands_do_not_wait_for_the_viewer():
    code = "import sys, gambol.cli.app; print([m for m in ('viser', 'gambol.view', 'websockets') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout.strip() == "[]"
