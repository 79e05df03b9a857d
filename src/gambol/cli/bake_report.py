"""The progress bar and the reports of `gambol bake`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from gambol.bake.baking import Baked, Standing
from gambol.bake.job import Job
from gambol.bake.store import Store


class _Rate(ProgressColumn):
    """A column that shows tasks a minute."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("")
        rate = 60.0 * speed
        return Text(f"{rate:,.0f} a minute" if rate >= 10.0 else f"{rate:.2g} a minute")


@contextmanager
def bake_bar(name: str, *, hidden: bool) -> Iterator[Callable[[Standing], None]]:
    """Yield a function that shows the progress of a bake; it shows nothing without a terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(),
        TextColumn("{task.fields[detail]}"),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True, disable=hidden or not console.is_terminal) as bar:
        task = bar.add_task(name, total=None, detail="")

        def say(standing: Standing) -> None:
            failed = f"{standing.failed} failed" if standing.failed else ""
            ended = standing.done + standing.failed
            bar.update(task, total=standing.tasks - standing.there, completed=ended, detail=failed)

        yield say


def print_jobs(jobs: Sequence[Job], store: Store, *, as_json: bool) -> None:
    """Print the number of tasks of each job, and how many of them are done."""
    rows = []
    for job in jobs:
        keys = {task.key for task in job.tasks}
        rows.append({"name": job.name, "tasks": len(keys), "done": sum(store.has(key) for key in keys)})
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False))
    else:
        for row in rows:
            typer.echo(f"{row['name']}: {row['tasks']:,} tasks, {row['done']:,} of them done")


def print_baked(baked: Baked, files: Sequence[Path], *, quiet: bool) -> None:
    """Print the result of a job; failures go to the error output."""
    console = Console(highlight=False, soft_wrap=True)
    labels = {task.key: task.label for task in baked.job.tasks}
    if not quiet:
        done = len(baked.spent)
        busy = sum(baked.spent.values())
        console.print(
            escape(
                f"{baked.job.name}: {done:,} tasks done in {baked.seconds:.1f} s ({busy:.1f} s of work), "
                f"{baked.there:,} were done before, {len(baked.failures):,} failed, {baked.retried:,} tried again"
            )
        )
        for path in (manifest_of(baked), *files):
            console.print(escape(str(path)))
    for key, error in baked.failures.items():
        Console(stderr=True, highlight=False, soft_wrap=True).print(escape(f"{labels[key]}: {error}"))


def baked_as_dict(baked: Baked, files: Sequence[Path]) -> dict[str, object]:
    """Return the result of a job as plain values."""
    labels = {task.key: task.label for task in baked.job.tasks}
    return {
        "name": baked.job.name,
        "engine": baked.engine,
        "tasks": len(labels),
        "done": len(baked.spent),
        "done_before": baked.there,
        "failed": {labels[key]: error for key, error in baked.failures.items()},
        "retried": baked.retried,
        "seconds": baked.seconds,
        "manifest": str(manifest_of(baked)),
        "files": [str(path) for path in files],
        "log": baked.log,
    }


def manifest_of(baked: Baked) -> Path:
    return baked.store.folder / f"{baked.job.name}.json"
