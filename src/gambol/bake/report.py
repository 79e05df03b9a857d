"""The report of a job for people: NAME.md with tables and failures, NAME.png with plots, NAME.csv with all tasks.

Only the first two contain times.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from statistics import fmean, median
from typing import Any

from gambol.bake.baking import Baked
from gambol.bake.kinds.registry import KINDS
from gambol.bake.logs import History, read_history
from gambol.bake.shots import write_top_stage
from gambol.bake.task import Task
from gambol.extras import is_installed
from gambol.files.disk import write_atomically

FAILED = "failed"  # outcome of a task that failed
MOST_LISTED = 200  # >= 1: tasks, and failures, that the report lists by name; larger: longer page
_SEED = re.compile(r"-seed-\d+$")  # the last part of a task's name


@dataclass(frozen=True, eq=False)
class Row:
    """A task and its outcome."""

    task: Task
    summary: Mapping[str, Any]  # empty: it failed
    error: str
    folder: str  # folder of its files, relative to the job's folder
    files: tuple[str, ...]
    seconds: float | None  # None: in no log

    @property
    def group(self) -> tuple[str, str]:
        """The task's kind, and its name without the seed."""
        return self.task.kind, _SEED.sub("", self.task.label)

    @property
    def outcome(self) -> str:
        return FAILED if self.error else str(self.summary.get("outcome", ""))


def write_outputs(baked: Baked) -> list[Path]:
    """Write the report into a job's folder, and a top stage if there are shots; return the files."""
    stage = write_top_stage(baked)
    return [*write_report(baked, top_stage=stage), *([] if stage is None else [stage])]


def write_report(baked: Baked, *, top_stage: Path | None = None) -> list[Path]:
    """Write tables and a list of all tasks of a job, and plots where they can be drawn; return the files."""
    history = read_history(baked.store.folder / "logs", baked.job.name)
    rows = list(_rows(baked, history))
    stem = baked.store.folder / baked.job.name
    page, plots, table = (stem.with_name(f"{stem.name}{suffix}") for suffix in (".md", ".png", ".csv"))
    write_atomically(table, table_text(rows).encode())
    pictures = [plots] if is_installed("pictures") else []
    if pictures:
        _draw(plots, rows, history)
    write_atomically(page, page_text(baked, rows, history, plots, top_stage).encode())
    return [page, *pictures, table]


def _rows(baked: Baked, history: History) -> Iterator[Row]:
    store = baked.store
    for task in baked.job.tasks:
        folder = store.place_of(task.key).relative_to(store.folder).as_posix()
        seconds = history.seconds.get(task.key)
        if task.key in baked.failures:
            yield Row(task, {}, baked.failures[task.key], folder, (), seconds)
        else:
            result = store.result(task.key)
            yield Row(task, result["summary"], "", folder, tuple(sorted(result["files"])), seconds)


def grouped(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return rows in groups of tasks that differ only in the seed."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    return groups


def page_text(baked: Baked, rows: Sequence[Row], history: History, plots: Path, top_stage: Path | None = None) -> str:
    """Return the report as Markdown."""
    job, lines = baked.job, [f"# {baked.job.name}", ""]
    if job.summary:
        lines += [job.summary, ""]
    lines += [_sentence(baked, rows, history), ""]
    if is_installed("pictures"):
        lines += [f"![How it went]({plots.name})", ""]
    if top_stage is not None:
        lines += [f"All shots in one stage: [{top_stage.name}]({top_stage.name}).", ""]
    groups = grouped(rows)
    for kind in dict.fromkeys(kind for kind, _ in groups):
        own = {name: found for (of, name), found in groups.items() if of == kind}
        lines += [f"## {kind}", "", *_table(kind, own), ""]
    lines += _failures(rows)
    lines += ["## Tasks", "", *_listed(rows, plots.with_suffix(".csv").name), ""]
    return "\n".join(lines)


def _sentence(baked: Baked, rows: Sequence[Row], history: History) -> str:
    done, work = len(baked.spent), sum(baked.spent.values())
    parts = [
        f"{len(rows):,} tasks: {sum(not row.error for row in rows):,} done, {len(baked.failures):,} failed.",
        f"The latest run of {history.runs:,} did {done:,} in {baked.seconds:,.1f} s on the engine {baked.engine!r}",
        f"({work:,.1f} s of work, {baked.retried:,} tried again); {baked.there:,} were there before.",
    ]
    return " ".join(parts)


def _table(kind: str, groups: Mapping[str, Sequence[Row]]) -> list[str]:
    """Return a table with a row for each group: numbers of tasks, outcomes, and means of the kind's measures."""
    measures = _measures(kind)
    heads = ["tasks of", "tasks", "done", "failed", "outcomes", "clean", *(_words(one) for one in measures), "seconds"]
    lines = [f"| {' | '.join(heads)} |", f"|---|{'--:|' * 3}---|{'--:|' * (len(measures) + 2)}"]
    for name, rows in groups.items():
        good = [row for row in rows if not row.error]
        judged = [row.summary["clean"] for row in good if row.summary.get("clean") is not None]
        counts = Counter(row.outcome for row in good)
        seconds = [row.seconds for row in good if row.seconds is not None]
        cells = [
            _cell(name),
            len(rows),
            len(good),
            len(rows) - len(good),
            ", ".join(f"{_words(outcome)} {count:,}" for outcome, count in counts.most_common()) or "–",
            f"{sum(judged):,} of {len(judged):,}" if judged else "–",
            *(_mean([row.summary.get(measure) for row in good]) for measure in measures),
            f"{median(seconds):.2f}" if seconds else "–",
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return [*lines, "", "Numbers are means over the tasks that are done, seconds are medians."]


def _mean(values: Sequence[Any]) -> str:
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    if not numbers:
        return "–"
    mean = fmean(numbers)
    return f"{mean:,.0f}" if abs(mean) >= 1000.0 else f"{mean:.3g}"


def _failures(rows: Sequence[Row]) -> list[str]:
    failed = [row for row in rows if row.error]
    if not failed:
        return []
    lines = ["## Failures", ""]
    for row in failed[:MOST_LISTED]:
        lines += [f"- **{_cell(row.task.label)}**: {_cell(row.error)}"]
    if len(failed) > MOST_LISTED:
        lines += [f"- and {len(failed) - MOST_LISTED:,} more"]
    return [*lines, "", "Where in the program each of them was, the log says.", ""]


def _listed(rows: Sequence[Row], table: str) -> list[str]:
    lines = []
    for row in rows[:MOST_LISTED]:
        if not row.error:
            files = ", ".join(f"[{_cell(name)}]({row.folder}/{_link(name)})" for name in row.files) or "no files"
            lines.append(f"- [{_cell(row.task.label)}]({row.folder}): {_words(row.outcome)}; {files}")
    more = f"The first {MOST_LISTED} of {len(rows):,}; all" if len(rows) > MOST_LISTED else "All, as a table,"
    return [f"{more} are in [{table}]({table}).", "", *lines]


def table_text(rows: Sequence[Row]) -> str:
    """Return all tasks as CSV: outcome, measures and settings; no times, so that the same job gives the same text."""
    settings = list(dict.fromkeys(key for row in rows for key in row.task.settings))
    measures = list(dict.fromkeys(key for row in rows for key in _measures(row.task.kind)))
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        ["task", "kind", "outcome", "clean", *measures, *(f"setting {one}" for one in settings), "folder", "error"]
    )
    for row in rows:
        told = [row.task.label, row.task.kind, row.outcome, _plain(row.summary.get("clean"))]
        measured = [_plain(row.summary.get(measure)) for measure in measures]
        set_to = [_plain(row.task.settings.get(key)) for key in settings]
        writer.writerow([*told, *measured, *set_to, row.folder, row.error])
    return text.getvalue()


def _plain(value: Any) -> Any:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


def _draw(path: Path, rows: Sequence[Row], history: History) -> None:
    from gambol.pictures.bake_plots import Group, Stint, bake_plots

    kinds = {row.task.key: row.task.kind for row in rows}
    stints = [
        Stint(kinds[one.key], one.worker, one.begun_s, one.ended_s, one.failed)
        for one in history.tries
        if one.key in kinds
    ]
    groups = [
        Group(
            name,
            kind,
            Counter(row.outcome for row in found),
            tuple(row.seconds for row in found if row.seconds is not None),
        )
        for (kind, name), found in grouped(rows).items()
    ]
    bake_plots(path, stints, groups)


def _measures(kind: str) -> tuple[str, ...]:
    return KINDS[kind].measures if kind in KINDS else ()


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(text: str) -> str:
    """Return a text for a cell of Markdown, with signs escaped that would end it."""
    return re.sub(r"([|\[\]<>*`])", r"\\\1", " ".join(text.split()))


def _link(name: str) -> str:
    return name.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
