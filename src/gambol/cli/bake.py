"""`gambol bake`: jobs of many tasks, on this machine or on a cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from gambol.bake.bake import RETRIES, Baked, Standing, bake
from gambol.bake.engine import Engine
from gambol.bake.job import Job, load_job
from gambol.bake.pool import Pool
from gambol.bake.ray_engine import RayEngine
from gambol.bake.store import Store
from gambol.cli.options import JsonOption
from gambol.cli.targets import check_writable
from gambol.errors import InvalidInput, UnknownName

NOT_ALL_WELL = 1  # exit code
ENGINES = ("pool", "ray")
_RUN = "Run"


def bake_command(
    jobs: Annotated[list[Path], typer.Argument(metavar="JOB...", help="Job files: TOML, see docs/baking.md.")],
    out: Annotated[
        Path,
        typer.Option(
            "-o", "--out", metavar="DIR", help="Folder of results; what is done there already is not done again."
        ),
    ],
    engine: Annotated[
        str, typer.Option(rich_help_panel=_RUN, help="pool: processes on this machine; ray: a Ray cluster.")
    ] = "pool",
    address: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=_RUN,
            help="Of a Ray cluster that is there already (auto: on this machine); by default one is started here.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("-j", "--workers", rich_help_panel=_RUN, help="Tasks side by side (by default one a processor)."),
    ] = None,
    retries: Annotated[
        int, typer.Option(rich_help_panel=_RUN, min=0, help="How often a task that fails is tried again.")
    ] = RETRIES,
    limit_s: Annotated[
        float | None,
        typer.Option(
            "--limit", rich_help_panel=_RUN, metavar="SECONDS", help="After so many seconds a task has failed."
        ),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            rich_help_panel=_RUN,
            help="Read all that is done already, and bake anew what is damaged; else only sizes are looked at.",
        ),
    ] = False,
    check_only: Annotated[
        bool, typer.Option("--check-only", help="Only read the jobs and say what they come to.")
    ] = False,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what went wrong.")] = False,
) -> None:
    """Bake jobs: scenes times seeds times settings, and whatever else is many.

    Interrupted, a bake goes on where it was: the same command does what is not done.

    Exit code 0: all tasks are done.  1: some failed.  2: the input is wrong, or the folder takes nothing more.
    130: interrupted.
    """
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    if address is not None and engine != "ray":
        raise InvalidInput("an address is for --engine ray")
    check_writable(out)
    read = [load_job(path) for path in jobs]
    names = [job.name for job in read]
    if len(set(names)) < len(names):
        raise InvalidInput(f"two jobs are called {max(names, key=names.count)!r}")
    if check_only:
        _print_jobs(read, Store(out), as_json=as_json)
        return
    baked = []
    for job in read:
        store = Store(out)
        store.prepare()
        with (
            _bar(job.name, hidden=as_json or quiet) as say,
            closing(_engine(engine, job, store, address, workers, limit_s)) as chosen,
            _told_if_interrupted(),
        ):
            baked.append(bake(job, store, chosen, retries=retries, verify=verify, progress=say))
    if as_json:
        typer.echo(json.dumps([_as_dict(one) for one in baked], ensure_ascii=False))
    else:
        for one in baked:
            _print(one, quiet=quiet)
    if not all(one.complete for one in baked):
        raise typer.Exit(NOT_ALL_WELL)


def _engine(
    name: str, job: Job, store: Store, address: str | None, workers: int | None, limit_s: float | None
) -> Engine:
    if name == "ray":
        return RayEngine(store, job.gathered, workers=workers, address=address, limit_s=limit_s)
    return Pool(store, job.gathered, workers, limit_s=limit_s)


@contextmanager
def _told_if_interrupted() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as stop:
        Console(stderr=True, highlight=False, soft_wrap=True).print(escape(str(stop)))
        raise


class _Rate(ProgressColumn):
    """Tasks a minute."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{60.0 * speed:.0f} a minute")


@contextmanager
def _bar(name: str, *, hidden: bool) -> Iterator[Callable[[Standing], None]]:
    """Lend a function to be told how far a bake is; where nobody looks, nothing is shown."""
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


def _print_jobs(jobs: list[Job], store: Store, *, as_json: bool) -> None:
    rows = []
    for job in jobs:
        keys = {task.key for task in job.tasks}
        rows.append({"name": job.name, "tasks": len(keys), "done": sum(store.has(key) for key in keys)})
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False))
    else:
        for row in rows:
            typer.echo(f"{row['name']}: {row['tasks']:,} tasks, {row['done']:,} of them done")


def _print(baked: Baked, *, quiet: bool) -> None:
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
        console.print(escape(f"{baked.store.folder / (baked.job.name + '.json')}"))
    for key, error in baked.failures.items():
        Console(stderr=True, highlight=False, soft_wrap=True).print(escape(f"{labels[key]}: {error}"))


def _as_dict(baked: Baked) -> dict[str, object]:
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
        "manifest": str(baked.store.folder / f"{baked.job.name}.json"),
        "log": baked.log,
    }
