"""Code and commands on the pages of the documentation, and the files that pages take for granted."""

from __future__ import annotations

import re
import shlex
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
import typer.main
from tools.authoring.walk import walk

from gambol import load_character, write_motion
from gambol.cli.app import app
from gambol.scenes.find import FOLDER
from gambol.trees import grow_diverse, write_tree
from gambol.variation import cut_example, gather, learn, write_model

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PLANNERS = [page for page in PAGES if page.parent.name == "planners"]
#: Pages that are gone through step by step, their Python too, in test_docs_tutorials.py.
WALKED = [
    ROOT / "docs" / "start.md",
    *(
        ROOT / "docs" / "tutorials" / f"{name}.md"
        for name in ("first_character", "scene", "tree", "crowd", "variants", "climb")
    ),
]
FENCE = re.compile(r"^ *(?P<fence>`{3,})(?P<language>[\w-]*)[^\n]*\n(?P<code>.*?)^ *(?P=fence) *$", re.M | re.S)
NOT_RUN = re.compile(r"<!-- not run:(?P<reason>.*?)-->\s*\Z")
SHELL = ("", "bash", "console", "sh", "shell", "text")
ENDS = re.compile(r"[();|&]+\Z")  # what ends a command in a shell
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]  # any wrong option; typer does not hand it out
#: What stands for something else: FILE, <name>, [-o FILE], and so on.
PLACEHOLDER = re.compile(r"<[\w -]+>|\[-|\b[A-Z][A-Z_]{2,}\b(?!\.)|\[[A-Z]|…|\.\.\.")


class Block(NamedTuple):
    """A block of code on a page; reason says why it is not run, and is None if it is."""

    page: Path
    line: int
    language: str
    code: str
    reason: str | None = None


def blocks(page: Path) -> list[Block]:
    """Return the blocks of code on a page, in order."""
    text, found = page.read_text(encoding="utf-8"), []
    for block in FENCE.finditer(text):
        line = text.count("\n", 0, block.start("code")) + 1
        above = NOT_RUN.search(text[: block.start()])
        reason = above["reason"].strip() if above else None
        found.append(Block(page, line, block["language"], textwrap.dedent(block["code"]), reason))
    return found


def programs(page: Path) -> list[Block]:
    """Return the blocks of Python on a page, in order."""
    return [block for block in blocks(page) if block.language in ("python", "py")]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def run_page(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a page's blocks of Python in order, as one program; errors name the lines of the page."""
    program = ModuleType("page")
    monkeypatch.setitem(sys.modules, program.__name__, program)  # dataclasses look for the module of their class
    for block in programs(page):
        assert block.reason != "", f"{name_of(page)}:{block.line - 1} is not run, and does not say why"
        if block.reason is None:
            exec(compile("\n" * (block.line - 1) + block.code, str(page), "exec"), program.__dict__)


def _tree(path: Path) -> None:
    write_tree(path, grow_diverse(load_character("human").subset("lk06-21"), nodes=2_000, begins="jog-left"))


def _model(path: Path) -> None:
    human = load_character("human")
    clips = [human.behavior(name).clips[0] for name in ("jog", "jog-left-30", "jog-right-30")]
    write_model(path, learn(gather([cut_example(clip.name, clip.motion) for clip in clips])))


#: Files that pages speak of as the reader's own, or that commands on the same page make, and what makes them here.
INPUTS: dict[str, Callable[[Path], Any]] = {
    "take.bvh": lambda path: write_motion(path, walk(strides=5)),
    "walk.bvh": lambda path: write_motion(path, walk(strides=5)),
    "my_scene.toml": lambda path: path.write_text((FOLDER / "first.toml").read_text(encoding="utf-8"), "utf-8"),
    "yard.toml": lambda path: path.write_text((FOLDER / "first.toml").read_text(encoding="utf-8"), "utf-8"),
    "jog.safetensors": _tree,
    "walk.variation": _model,
}


def provide_inputs(page: Path, folder: Path) -> None:
    """Make those of INPUTS whose names are in the page's Python."""
    code = "".join(block.code for block in programs(page))
    for name, make in INPUTS.items():
        if re.search(rf"[\"'](?:\./)?{re.escape(name)}[\"']", code):
            make(folder / name)


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of every `gambol` command in lines of a shell, without what is said beside them."""
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        if not re.search(r"(?:^|[\s/(])gambol(?=\s|$)", line.split("  #")[0]):
            continue
        lexer = shlex.shlex(re.sub(r"^\s*(?:[$>%] )?", "", line), posix=True, punctuation_chars="();|&")
        lexer.commenters = "#"
        words: list[str] = []
        for word in [*lexer, ";"]:
            if not ENDS.match(word):
                words.append(word)
                continue
            while words and (re.fullmatch(r"\w+=.*", words[0]) or words[0] in ("do", "time", "nice", "then")):
                del words[0]
            if words and Path(words[0]).name == "gambol":
                yield words[1:]
            words = []


def wrong_with(words: list[str], *, mentioned: bool = False) -> str | None:
    """Return what is wrong with a command: its name, its options or its arguments; it is not run.

    Where a command is only mentioned, or a word stands for others as FILE in a synopsis does, names of options are
    looked at, and nothing else.
    """
    whole, words = " ".join(["gambol", *words]), list(words)
    command: Any = typer.main.get_command(app)
    context: Any = None
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return f"{whole}: there is no command {words[0]}"
        context = command.context_class(command, parent=context, info_name=command.name)
        command = command.get_command(context, words.pop(0))
    if mentioned or PLACEHOLDER.search(whole):
        known = {"-h", "--help"}.union(*((*option.opts, *option.secondary_opts) for option in command.params))
        asked = {word.strip("[]").split("=")[0] for word in words if re.match(r"\[?--?[a-z]", word)}
        return f"{whole}: there is no option {min(asked - known)}" if asked - known else None
    try:
        command.make_context(command.name, words, parent=context)
    except typer.Exit:  # --help and --version end there
        return None
    except USAGE_ERROR as error:
        return f"{whole}: {error}"
    return None
