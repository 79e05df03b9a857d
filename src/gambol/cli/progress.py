"""A progress bar for what takes longer than a moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn


class Say(Protocol):
    """To be told what is being done, which share of it is, and what else there is to say meanwhile."""

    def __call__(self, what: str, share: float, detail: str = "") -> None: ...


@contextmanager
def progress_bar(*, hidden: bool = False) -> Iterator[Say]:
    """Lend a function to be told what is being done and which share of it is; nothing is left on the screen.

    Where nobody looks, as in a pipe, nothing is shown.
    """
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=hidden or not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        shown = ""

        def say(what: str, share: float, detail: str = "") -> None:
            nonlocal shown
            if what != shown:
                bar.reset(task)
                shown = what
            # A bar at nothing says less than one that goes back and forth.
            bar.update(
                task, description=f"{what} {detail}".rstrip(), total=1.0 if share > 0.0 else None, completed=share
            )

        yield say
