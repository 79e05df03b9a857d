"""Tutorials are gone through as readers do: files saved, commands and programs run in order, what is printed compared.

Films are left out, as drawing takes a minute each, and so is the viewer.  Numbers may differ, words may not.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from pathlib import Path

import pytest
from tests.support.command_line import runner
from tests.support.data_folders import named_folder
from tests.support.docs_pages import ROOT, WALKED, name_of

sys.path.insert(0, str(ROOT / "tools"))

from tutorial_pages import Command, Printed, Program, SavedFile, steps

pytestmark = pytest.mark.slow

CAPTURED = re.compile(r"captures/|walks\.variation|walker|park\.toml")  # what only those who have captures can make


def captures_in(folder: Path) -> bool:
    """Put CMU's takes into a folder as tutorials name them; return whether there are any."""
    given = named_folder("GAMBOL_MOCAP")
    if given is None:
        return False
    (folder / "captures").mkdir()
    for path in given.rglob("*.bvh"):
        (folder / "captures" / path.name).symlink_to(path.resolve())
    return True


def shortened(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command without films; nothing where only a film was asked for, or the viewer."""
    if words[0] == "view":
        return ()
    kept: list[str] = []
    for word in words:
        if kept and kept[-1] == "-o" and word.endswith(".mp4"):
            kept.pop()
        else:
            kept.append(word)
    return () if len(kept) < len(words) and "-o" not in kept else tuple(kept)


def pattern(line: str) -> str:
    """Return what a printed line has to be found by: its words, whatever its numbers, spaces and cut ends."""
    words = re.sub(r"(?<![A-Za-z_])[\d,]*\d(\.\d+)?", "#", " ".join(line.split()))
    return re.sub(r"# (ms|s|kB|MB)\b", "# unit", words)


def missing(printed: Printed, output: str) -> str | None:
    """Return the first line of a page that was not printed, in the order of the page."""
    rest = pattern(output)
    for line in printed.lines:
        if ".mp4  " in line:  # not made here
            continue
        for piece in filter(None, (part.strip() for part in pattern(line).split("…"))):
            before, found, rest = rest.partition(piece)
            if not found:
                return f"{piece!r} is not in {before!r}"
    return None


@pytest.mark.parametrize("page", WALKED, ids=name_of)
def test_a_tutorial_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "118")
    has_captures, run, program = captures_in(tmp_path), runner(monkeypatch, capsys), {"__name__": "page"}
    output, is_whole, has_printed, done = "", True, False, 0
    for step in steps(page):
        if isinstance(step, SavedFile):
            (tmp_path / step.name).write_text(step.text, encoding="utf-8")
            continue
        if isinstance(step, Printed):
            has_printed = True
            if is_whole:
                assert (wrong := missing(step, output)) is None, f"{name_of(page)}:{step.line}: {wrong}"
            continue
        if has_printed or isinstance(step, Program):
            output, is_whole, has_printed = "", True, False
        if isinstance(step, Program):
            written = io.StringIO()
            with contextlib.redirect_stdout(written):
                exec(compile("\n" * (step.line - 1) + step.code, str(page), "exec"), program)
            output, done = written.getvalue(), done + 1
            continue
        words = shortened(step.words)
        if not words or (CAPTURED.search(" ".join(words)) and not has_captures):
            is_whole = False
            continue
        code, out, err = run(*words)
        assert code == step.exit_code, f"{name_of(page)}: gambol {' '.join(words)}: {out}{err}"
        output, done = output + err + out, done + 1
    if not done:
        pytest.skip("needs captures: GAMBOL_MOCAP is not set")


def test_what_was_not_printed_is_told():
    page = Printed(1, ("Ann   found  13.60  39.0 ms", "out/a.png  353 kB"))
    assert missing(page, "name outcome\nAnn found 7 1.2 s\n\nout/a.png  1.0 MB\n") is None
    assert missing(page, "Ann lost 7 1.2 s\nout/a.png  1.0 MB\n") is not None
    assert missing(page, "out/a.png  1.0 MB\nAnn found 7 1.2 s\n") is not None


def test_films_are_left_out_of_commands():
    assert shortened(("plan", "a", "-o", "a.mp4", "-o", "a.png")) == ("plan", "a", "-o", "a.png")
    assert shortened(("plan", "a", "-o", "a.mp4")) == () == shortened(("view", "a.toml"))


def test_steps_of_a_page_are_read_in_order(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(
        "```\nbefore\n```\n\n<!-- file: a.toml -->\n```toml\nx = 1\n```\n\n"
        "<!-- exit: 1 -->\n```\ngambol plan a.toml  # go\n```\n\n"
        "```\nno way\n```\n\n```python\nprint(1)\n```\n",
        encoding="utf-8",
    )
    assert list(steps(page)) == [
        SavedFile("a.toml", "x = 1\n"),
        Command(("plan", "a.toml"), 1),
        Printed(16, ("no way",)),
        Program(20, "print(1)\n"),
    ]
