"""Mistakes as lists for the panel."""

from __future__ import annotations

from collections.abc import Sequence

from gambol.errors import EntryProblem, GambolError, InvalidEntries, MalformedFile
from gambol.view.edit import entries
from gambol.view.edit.entries import Data
from gambol.view.words import bullets

MOST_LISTED = 20  # >= 1: mistakes in a list; larger: longer panel


def problem_list(problems: Sequence[EntryProblem], data: Data) -> str:
    """Return a list of a draft's mistakes, each with the name of its thing; "": there are none."""
    if not problems:
        return ""
    names = [entries.name_of(data, entries.thing_key(entries.key_of(problem.key))) for problem in problems]
    many = "One mistake" if len(problems) == 1 else f"{len(problems)} mistakes"
    listed = [(name, str(problem)) for name, problem in zip(names, problems, strict=True)]
    return _listed(f"{many}: a draft, which cannot be saved yet", listed)


def mistake_list(title: str, error: GambolError) -> str:
    """Return a list of the mistakes in an error, below a title."""
    problems: Sequence[EntryProblem | str] = (str(error),)
    if isinstance(error, InvalidEntries):
        problems = error.problems
    elif isinstance(error, MalformedFile):
        problems = (EntryProblem("", error.message, error.line),)
    return _listed(title, [("", str(problem)) for problem in problems])


def _listed(title: str, lines: Sequence[tuple[str, str]]) -> str:
    more = [("", f"and {len(lines) - MOST_LISTED} more")] if len(lines) > MOST_LISTED else []
    return bullets(title, [*lines[:MOST_LISTED], *more])
