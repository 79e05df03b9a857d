"""The command line: choose jobs, run their chunks, keep what they find."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from evidence.soak.bake_survival import BakeSurvivalJob
from evidence.soak.climb_ablation import ClimbAblationJob
from evidence.soak.climb_density import ClimbDensityJob
from evidence.soak.climb_random import ClimbRandomJob
from evidence.soak.climb_seeds import ClimbSeedsJob
from evidence.soak.core_equality import EqualityJob
from evidence.soak.crowd_density import DensityJob
from evidence.soak.crowd_doorways import doorways_jobs
from evidence.soak.crowd_regions import crowd_regions_jobs
from evidence.soak.crowd_scenes import crowd_slices_jobs
from evidence.soak.fuzz_formats import TARGETS
from evidence.soak.fuzzing import FuzzJob
from evidence.soak.mutated_trees import TARGETS as TREE_TARGETS
from evidence.soak.planner_optimality import OptimalityJob
from evidence.soak.random_scenes import random_scene_jobs
from evidence.soak.search_variants import TableLossJob, VariantsJob
from evidence.soak.sequences import sequence_jobs
from evidence.soak.shipped_scenes import ShippedScenesJob
from evidence.soak.tally import Record, Tally
from evidence.soak.tree_look_ups import TreeLookUpsJob
from evidence.soak.tree_scenes import tree_scene_jobs
from evidence.soak.variation import variation_jobs
from evidence.soak.variation_crowd import variation_crowd_jobs
from evidence.soak.variation_screening import ScreeningJob
from evidence.soak.view_browsers import ViewBrowsersJob

RESULTS = Path(__file__).resolve().parent / "results"


class Session(Protocol):
    """What one worker holds while it runs chunks of a job."""

    def run_chunk(self, chunk: int) -> Tally: ...


class Job(Protocol):
    """A long run in chunks; a chunk's number is all it depends on."""

    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def chunk_count(self) -> int: ...
    @property
    def facts(self) -> dict[str, Any]: ...  # what must be equal for an earlier run to be taken up

    def session(self) -> AbstractContextManager[Session]: ...


JOBS: Sequence[Job] = (
    *(FuzzJob(target, target.inputs) for target in TARGETS.values()),
    *(FuzzJob(target, target.inputs, module="evidence.soak.mutated_trees") for target in TREE_TARGETS.values()),
    *sequence_jobs(),
    *random_scene_jobs(),
    ShippedScenesJob(),
    OptimalityJob(),
    EqualityJob(),
    VariantsJob(),
    TableLossJob(),
    TreeLookUpsJob(),
    *tree_scene_jobs(),
    *crowd_slices_jobs(),
    *doorways_jobs(),
    DensityJob(),
    *crowd_regions_jobs(),
    *variation_crowd_jobs(),
    ViewBrowsersJob(),
    *variation_jobs(),
    ScreeningJob(),
    ClimbSeedsJob(),
    ClimbRandomJob(),
    ClimbAblationJob(),
    ClimbDensityJob(),
    BakeSurvivalJob(),
)


def run_job(
    job: Job, folder: Path, *, workers: int = 1, deadline: float | None = None, progress: Progress | None = None
) -> Record:
    """Run the chunks of a job that are not done yet, until `deadline` on the monotonic clock."""
    record = Record(folder / f"{job.name}.json", job.facts, job.chunk_count)
    record.load()
    bar = progress.add_task(job.name, total=job.chunk_count, completed=len(record.done)) if progress else None
    waiting = iter([chunk for chunk in range(job.chunk_count) if chunk not in record.done])
    lock = threading.Lock()
    errors: list[BaseException] = []

    def next_chunk() -> int | None:
        with lock:
            late = deadline is not None and time.monotonic() > deadline
            return None if late or errors else next(waiting, None)

    def work() -> None:
        try:
            with job.session() as session:
                while (chunk := next_chunk()) is not None:
                    tally = session.run_chunk(chunk)
                    with lock:
                        record.add(chunk, tally)
                    if progress is not None and bar is not None:
                        progress.advance(bar)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return record


def main(arguments: Sequence[str] | None = None) -> int:
    """Run jobs; 0 if nothing was found, 1 if something was, 2 for an unknown job."""
    options = _parser().parse_args(arguments)
    console = Console()
    known = {job.name: job for job in JOBS}
    unknown = [name for name in options.only if name not in known]
    if unknown:
        console.print(f"no job {unknown[0]!r}; there are: {', '.join(known)}")
        return 2
    chosen = [known[name] for name in options.only] or list(JOBS)
    if options.list:
        for job in chosen:
            console.print(f"{job.name:16} {_state(job):>10}  {job.summary}", highlight=False)
        return 0
    if options.again:
        for job in chosen:
            (RESULTS / f"{job.name}.json").unlink(missing_ok=True)
    deadline = None if options.minutes is None else time.monotonic() + 60.0 * options.minutes
    columns = (TextColumn("{task.description:16}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        records = [
            run_job(job, RESULTS, workers=options.workers, deadline=deadline, progress=progress) for job in chosen
        ]
    for line in _report(records):
        console.print(line, highlight=False)
    return 1 if any(record.tally.failures for record in records) else 0


def _report(records: Sequence[Record]) -> Iterator[str]:
    for record in records:
        tally = record.tally
        yield (
            f"{record.path.stem:16} {tally.inputs:>7,} inputs, {tally.accepted:,} accepted, "
            f"{sum(tally.rejected.values()):,} rejected, {len(tally.failures):,} failures; "
            f"slowest {tally.slowest_s:.2f} s, {tally.peak_mb:.0f} MB"
            + ("" if record.is_finished else f"; {len(record.done)} of {record.chunk_count} chunks so far")
        )
        for failure in tally.failures[:5]:
            yield f"    input {failure['input']}: {failure['error']}: {failure['message'][:100]} ({failure['recipe']})"


def _state(job: Job) -> str:
    record = Record(RESULTS / f"{job.name}.json", job.facts, job.chunk_count)
    record.load()
    return "finished" if record.is_finished else f"{len(record.done) / job.chunk_count:.0%}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evidence.soak", description=__doc__)
    parser.add_argument("--only", metavar="NAME", action="append", default=[], help="run this job (may be repeated)")
    parser.add_argument("--list", action="store_true", help="list the jobs and how far they are")
    parser.add_argument("--again", action="store_true", help="forget what earlier runs found")
    parser.add_argument("--minutes", type=float, metavar="M", help="start no chunk after so many minutes")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes side by side")
    return parser
