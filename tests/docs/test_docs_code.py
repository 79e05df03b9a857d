"""All code on pages runs, and all commands are ones that there are; planners' pages run in test_docs_planners.py,
tutorials in test_docs_tutorials.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.support.docs_pages import (
    FENCE,
    PAGES,
    PLANNERS,
    SHELL,
    WALKED,
    blocks,
    commands,
    name_of,
    programs,
    provide_inputs,
    run_page,
    wrong_with,
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if programs(page) and page not in (*PLANNERS, *WALKED)], ids=name_of
)
def test_the_code_on_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    provide_inputs(page, tmp_path)
    run_page(page, monkeypatch)


def test_pages_that_always_had_code_still_have_it():
    with_code = {name_of(page) for page in PAGES if programs(page)}
    assert with_code >= {"README.md", "docs/planning.md", "docs/crowd.md", "docs/trees.md", "docs/planners/astar.md"}


def test_every_command_on_pages_is_one_that_there_is():
    found = [
        (f"{name_of(page)}:{block.line}", words)
        for page in PAGES
        for block in blocks(page)
        if block.language in SHELL
        for words in commands(block.code)
    ]
    assert len(found) >= 80
    assert not [f"{where}: {wrong}" for where, words in found if (wrong := wrong_with(words))]


def test_every_option_that_text_mentions_is_one_that_there_is():
    wrong = []
    for page in PAGES:
        for mentioned in re.findall(r"`(gambol [^`]*)`(?! \|)", FENCE.sub("", page.read_text(encoding="utf-8"))):
            if mentioned not in FORMATS:
                wrong += [
                    f"{name_of(page)}: {wrong_with(words, mentioned=True) or ''}" for words in commands(mentioned)
                ]
    assert not [line for line in wrong if not line.endswith(": ")]


#: What files call themselves, which are no commands.
FORMATS = ("gambol search tree", "gambol variation model")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("gambol plan hurdles -o out/h.glb --planner tree   # plans", None),
        ("$ GAMBOL_MOCAP=~/cmu .venv/bin/gambol tree info a.tree | head", None),
        ("gambol convert a.bvh \\\n    a.glb && gambol scenes", None),
        ("gambol plan SCENE [-o FILE]... [--planner NAME]", None),
        ("gambol --version", None),
        ("gambol planet hurdles", "there is no command planet"),
        ("gambol tree shrink a.tree", "there is no command shrink"),
        ("gambol plan hurdles --plannner tree", "--plannner"),
        ("gambol plan SCENE [--plannner NAME]", "there is no option --plannner"),
        ("gambol plan search --budget many", "budget"),
        ("gambol plan", "scene"),
        ("gambol scenes && gambol convert a.bvh b.glb c.usda", "c.usda"),
        ("for f in *.bvh; do gambol inspect $f --loud; done", "--loud"),
    ],
)
def test_commands_that_are_wrong_are_told_from_those_that_are_not(line: str, wrong: str | None):
    found = [what for words in commands(line) if (what := wrong_with(words))]
    assert list(commands(line))
    assert (wrong is None) == (not found)
    assert wrong is None or wrong in found[0]


def test_a_block_that_is_not_run_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.support.docs_pages.ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("<!-- not run: it takes a day -->\n```python\nx = 1 / 0\n```\n\n```python\ny = 2\n```\n", "utf-8")
    run_page(page, monkeypatch)
    assert [block.reason for block in programs(page)] == ["it takes a day", None]
    page.write_text("<!-- not run: -->\n```python\nx = 1\n```\n", "utf-8")
    with pytest.raises(AssertionError, match=r"page.md:2 is not run"):
        run_page(page, monkeypatch)


def test_blocks_of_a_page_are_one_program_and_errors_name_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = tmp_path / "page.md"
    page.write_text("# A\n\n```python\nx = 1\n```\n\n1. Item\n\n   ```python\n   x / (x - 1)\n   ```\n", "utf-8")
    with pytest.raises(ZeroDivisionError) as caught:
        run_page(page, monkeypatch)
    assert (caught.traceback[-1].path, caught.traceback[-1].lineno + 1) == (page, 10)
