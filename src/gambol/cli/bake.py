"""`gambol bake`: jobs of many tasks, on this machine or on a cluster."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from gambol.bake.baking import RETRIES, bake
from gambol.bake.engine import Engine
from gambol.bake.job import Job, load_job
from gambol.bake.pool import Pool
from gambol.bake.ray_engine import RayEngine
from gambol.bake.report import write_outputs
from gambol.bake.store import Store
from gambol.cli.bake_report import bake_bar, baked_as_dict, print_baked, print_jobs
from gambol.cli.options import JsonOption
from gambol.errors import InvalidInput, UnknownName
from gambol.files.disk import check_writable

NOT_ALL_WELL = 1  # exit code: some task failed
ENGINES = ("pool", "ray")
_RUN = "Run"


def bake_command(
    jobs: Annotated[list[Path], typer.Argument(metavar="JOB...", help="Job files: TOML, see docs/baking.md.")],
    out: Annotated[
        Path,
        typer.Option("-o", "--out", metavar="DIR", help="Folder of results; finished tasks in it are not done again."),
    ],
    engine: Annotated[
        str, typer.Option(rich_help_panel=_RUN, help="pool: processes on this machine; ray: a Ray cluster.")
    ] = "pool",
    address: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=_RUN,
            help="Address of a running Ray cluster (auto: on this machine); by default one is started here.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "-j",
            "--workers",
            rich_help_panel=_RUN,
            help="Number of tasks at the same time (by default one per processor).",
        ),
    ] = None,
    retries: Annotated[
        int, typer.Option(rich_help_panel=_RUN, min=0, help="How many times a failed task is tried again.")
    ] = RETRIES,
    limit_s: Annotated[
        float | None,
        typer.Option("--limit", rich_help_panel=_RUN, metavar="SECONDS", help="A task that takes longer has failed."),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            rich_help_panel=_RUN,
            help="Read all finished results and bake damaged ones again; by default only sizes are checked.",
        ),
    ] = False,
    check_only: Annotated[
        bool, typer.Option("--check-only", help="Only read the jobs and print their numbers of tasks.")
    ] = False,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only problems.")] = False,
) -> None:
    """Bake jobs: all combinations of scenes, seeds and settings, and other large sets of tasks.

    After an interruption, the same command continues: it does the tasks that are not done.

    Exit code 0: all tasks are done.  1: some failed.  2: the input is wrong, or the folder is not writable.
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
        print_jobs(read, Store(out), as_json=as_json)
        return
    baked, files = [], []
    for job in read:
        store = Store(out)
        store.prepare()
        with (
            bake_bar(job.name, hidden=as_json or quiet) as say,
            closing(_engine(engine, job, store, address, workers, limit_s)) as chosen,
            _told_if_interrupted(),
        ):
            baked.append(bake(job, store, chosen, retries=retries, verify=verify, progress=say))
        files.append(write_outputs(baked[-1]))
        if not as_json:
            print_baked(baked[-1], files[-1], quiet=quiet)
    if as_json:
        told = [baked_as_dict(one, written) for one, written in zip(baked, files, strict=True)]
        typer.echo(json.dumps(told, ensure_ascii=False))
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
