"""Tutorials as their readers go through them: files to save, commands to type, programs to run, what is printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"(?P<marks>(?:^<!-- [^\n]* -->\n)*)^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
MARK = re.compile(r"<!-- (\w[\w ]*): (.*?) -->")


@dataclass(frozen=True)
class SavedFile:
    """A file to save: a block under `<!-- file: NAME -->`."""

    name: str
    text: str


@dataclass(frozen=True)
class Command:
    """A `gambol` command, without the word itself; `<!-- exit: 1 -->` says with which code those of a block end."""

    words: tuple[str, ...]
    exit_code: int


@dataclass(frozen=True)
class Program:
    """A block of Python, and the line on which its code begins."""

    line: int
    code: str


@dataclass(frozen=True)
class Printed:
    """What the commands of the block before, or the program, print: some of their lines, in order."""

    line: int
    lines: tuple[str, ...]


Step = SavedFile | Command | Program | Printed


def steps(page: Path) -> Iterator[Step]:
    """Yield what a reader of a page does and sees, in order."""
    text, has_run = page.read_text(encoding="utf-8"), False
    for block in BLOCK.finditer(text):
        marks: dict[str, str] = dict(MARK.findall(block["marks"]))
        line = text.count("\n", 0, block.start("text")) + 1
        if "file" in marks:
            yield SavedFile(marks["file"], block["text"])
        if "not run" in marks:
            continue
        if block["language"] == "python":
            has_run = True
            yield Program(line, block["text"])
        elif block["language"] == "":
            typed = [row.split("  #")[0] for row in block["text"].splitlines() if row.startswith("gambol ")]
            for row in typed:
                yield Command(tuple(shlex.split(row)[1:]), int(marks.get("exit", 0)))
            if has_run and not typed:
                yield Printed(line, tuple(row for row in block["text"].splitlines() if row))
            has_run = has_run or bool(typed)
