"""The table of a crowd."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gambol.crowd.recording_statistics import SPEED_EDGES_M_S, WAIT_EDGES_S, RecordingStatistics
from gambol.crowd.repeats import NEAR_M, TOGETHER_S
from gambol.stages.crowd_report import RunFacts, RunReport
from gambol.stages.crowds import CrowdPerformance
from gambol.stages.performance import Performance

BAR = 14  # letters, >= 1: length of the longest bar


def show_crowd(console: Console, performance: Performance) -> None:
    """Print arrivals, waits, speeds and what planning took."""
    assert isinstance(performance, CrowdPerformance)
    console.print(_facts(performance.course))
    console.print()
    console.print(_histograms(performance.course.statistics))


def _facts(report: RunReport) -> Table:
    statistics, run = report.statistics, report.run
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    rows = [
        ("crowd", f"{statistics.characters:,} characters, {statistics.duration_s:.1f} s, seed {run.seed}"),
        ("arrivals", _arrivals(statistics)),
        ("speed", f"{statistics.mean_speed_m_s:.2f} m/s on average"),
        ("waits", _waits(statistics)),
        ("repeats", _repeats(statistics)),
        ("plans", _plans(run)),
        ("time", _times(run)),
    ]
    for name, text in rows:
        table.add_row(name, escape(text))
    return table


def _arrivals(statistics: RecordingStatistics) -> str:
    text = f"{statistics.goals_reached:,} goals reached"
    if statistics.with_last_goal > 0:
        text += f"; {statistics.arrived:,} of {statistics.with_last_goal:,} with a last goal have arrived there"
    return text


def _waits(statistics: RecordingStatistics) -> str:
    if not statistics.longest_waits:
        return "none"
    longest = statistics.longest_waits[0]
    where = f"{longest.name} at {longest.x:.1f}, {longest.y:.1f} from {longest.since_s:.0f} s on"
    return f"longest {longest.seconds:.1f} s ({where}), everyone's longest {statistics.mean_wait_s:.1f} s on average"


def _repeats(statistics: RecordingStatistics) -> str:
    repeats = statistics.repeats
    if repeats.clips_begun == 0:
        return "nobody went anywhere"
    return (
        f"{repeats.repeating:,} of {repeats.clips_begun:,} clips begun ({100.0 * repeats.share:.1f} %) are what "
        f"somebody within {NEAR_M:g} m began at most {TOGETHER_S:g} s before; {repeats.distinct_clips:,} clips in use"
    )


def _plans(run: RunFacts) -> str:
    counts = run.counts
    return (
        f"{run.replans:,} taken up, {counts['lost']:,} lost to others, {counts['not_found']:,} times nothing better; "
        f"{counts['look_ups']:,} look-ups, at most {counts['most_look_ups']:,} a frame; {counts['routes']:,} routes"
    )


def _times(run: RunFacts) -> str:
    stages = ", ".join(f"{stage} {spent:.2f}" for stage, spent in run.stage_ms.items())
    threads = "1 thread" if run.threads == 1 else f"{run.threads} threads"
    return f"{run.ms_per_frame:.2f} ms a frame, 95 % below {run.slow_ms:.2f}, on {threads} ({stages})"


def _histograms(statistics: RecordingStatistics) -> Table:
    """Return a table of speeds and waits, side by side."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("speed, m/s", "time", "", "longest wait, s", "people", ""):
        table.add_column(column, no_wrap=True, justify="left" if column == "" else "right")
    speeds = _rows(SPEED_EDGES_M_S, statistics.speeds, [f"{100 * share:.1f} %" for share in statistics.speeds])
    waits = _rows(WAIT_EDGES_S, statistics.waits, [f"{count:,}" for count in statistics.waits])
    for left, right in zip_longest(speeds, waits, fillvalue=("", "", "")):
        table.add_row(*left, *right)
    return table


def _rows(edges: Sequence[float], values: Sequence[float], shown: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return a row for each bin: its limits, its value as text, and a bar."""
    most = max(values, default=0)
    rows = []
    for low, high, value, text in zip(edges, edges[1:], values, shown, strict=False):
        between = f"{low:g} to {high:g}" if np.isfinite(high) else f"more than {low:g}"
        rows.append((between, text, "█" * round(BAR * value / most) if most > 0 else ""))
    return rows
