"""Mistakes as they are written in the panel."""

from __future__ import annotations

import html
from collections.abc import Sequence

from gambol.errors import EntryProblem, GambolError, InvalidEntries, MalformedFile
from gambol.view.edit import entries
from gambol.view.edit.entries import Data

MOST_LISTED = 20
RED = "#d63031"


def problem_list(problems: Sequence[EntryProblem], data: Data) -> str:
    """Return what is wrong with a draft, each mistake with the name of the thing that it is about."""
    if not problems:
        return ""
    names = [entries.name_of(data, entries.thing_key(entries.key_of(problem.key))) for problem in problems]
    lines = [f"**{html.escape(name)}** – {html.escape(str(problem))}" if name else html.escape(str(problem))
             for name, problem in zip(names, problems, strict=True)]  # fmt: skip
    many = "One mistake" if len(problems) == 1 else f"{len(problems)} mistakes"
    return _listed(f"{many}: a draft, which cannot be saved yet", lines)


def mistake_list(title: str, error: GambolError) -> str:
    """Return what was refused and why."""
    problems: Sequence[EntryProblem | str] = (str(error),)
    if isinstance(error, InvalidEntries):
        problems = error.problems
    elif isinstance(error, MalformedFile):
        problems = (EntryProblem("", error.message, error.line),)
    return _listed(html.escape(title), [html.escape(str(problem)) for problem in problems])


def _listed(title: str, lines: Sequence[str]) -> str:
    more = [f"and {len(lines) - MOST_LISTED} more"] if len(lines) > MOST_LISTED else []
    listed = "\n".join(f"- {line}" for line in [*lines[:MOST_LISTED], *more])
    return f'<span style="color:{RED}">**{title}**</span>\n\n{listed}'
