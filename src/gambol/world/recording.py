"""Recordings of moving things, from simulations or captures, as CSV.

Each row is a thing at a time: `time_s,name,x,y,heading_deg` and, where heights change, `bottom_m,top_m`.  Rows of
different things may come in any order; rows of one thing go forward in time.  Between two rows a thing goes straight
and turns evenly, by definition.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from gambol.errors import EntryProblem, FileProblem, InvalidEntries, InvalidInput, MalformedFile
from gambol.files.disk import read_bytes, write_atomically
from gambol.world.world import Trajectory

COLUMNS = ("time_s", "name", "x", "y", "heading_deg")
HEIGHTS = ("bottom_m", "top_m")  # optional columns
MAX_BYTES = 200_000_000  # bytes: larger files are refused
DEFAULT_HEIGHTS_M = (0.0, 3.0)  # metres: bottom and top of things in recordings without heights


def read_recording(
    path: Path | str, *, heights_m: tuple[float, float] = DEFAULT_HEIGHTS_M, repeat: str = "once"
) -> dict[str, Trajectory]:
    """Read the trajectory of every thing in a recording, by name.

    heights_m: bottom and top where the recording has none.
    """
    try:
        text = read_bytes(path, max_bytes=MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedFile(f"this is not text in UTF-8: {error.reason}", path=path) from None
    try:
        return parse_recording(text, heights_m=heights_m, repeat=repeat)
    except FileProblem as problem:
        raise problem.in_file(path) from None


def parse_recording(
    text: str, *, heights_m: tuple[float, float] = DEFAULT_HEIGHTS_M, repeat: str = "once"
) -> dict[str, Trajectory]:
    """Return the trajectories in a recording's text; the error lists all mistakes by line."""
    if "\0" in text:
        raise MalformedFile("this is not a table of comma-separated values")
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    mistakes: list[EntryProblem] = []
    samples: dict[str, list[tuple[float, ...]]] = {}
    try:
        columns = _columns(next(rows, []))
        for row in rows:
            if not row or row[0].startswith("#"):
                continue
            try:
                _add(samples, _named(row, columns))
            except InvalidInput as error:
                mistakes.append(EntryProblem("", str(error), rows.line_num))
    except csv.Error as error:
        raise MalformedFile(f"this is not a table of comma-separated values: {error}", line=rows.line_num) from None
    if mistakes:
        raise InvalidEntries(mistakes)
    if not samples:
        raise MalformedFile("the recording has no rows")
    return {name: _trajectory(np.array(lines, dtype=np.float64), heights_m, repeat) for name, lines in samples.items()}


def write_recording(path: Path | str, trajectories: Mapping[str, Trajectory], *, decimals: int = 4) -> None:
    """Write trajectories in rows ordered by time, with heights only if some heights change."""
    write_atomically(path, format_recording(trajectories, decimals=decimals).encode("utf-8"))


def format_recording(trajectories: Mapping[str, Trajectory], *, decimals: int = 4) -> str:
    """Return the text of a recording, which does not say how trajectories repeat."""
    tall = any(np.ptp(trajectory.heights_m, axis=0).any() for trajectory in trajectories.values())
    rows: list[tuple[float, int, list[str]]] = []
    for order, (name, trajectory) in enumerate(trajectories.items()):
        values = np.concatenate(
            (trajectory.poses[:, :2], np.degrees(trajectory.poses[:, 2:]), trajectory.heights_m), axis=1
        )
        for time_s, numbers in zip(trajectory.times_s.tolist(), values.tolist(), strict=True):
            kept = numbers if tall else numbers[:3]
            shown = [_shown(value, decimals) for value in kept]
            rows.append((time_s, order, [_shown(time_s, decimals), name, *shown]))
    rows.sort(key=lambda row: row[:2])
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*COLUMNS, *HEIGHTS) if tall else COLUMNS)
    writer.writerows(row for _, _, row in rows)
    return out.getvalue()


def _columns(header: list[str]) -> dict[str, int]:
    """Return the place of each column."""
    names = [name.strip() for name in header]
    wanted = set(COLUMNS) | (set(HEIGHTS) if set(HEIGHTS) & set(names) else set())
    missing = [name for name in (*COLUMNS, *HEIGHTS) if name in wanted and name not in names]
    unknown = [name for name in names if name not in wanted]
    if missing or unknown or len(set(names)) != len(names):
        raise MalformedFile(
            f"the first line must be {','.join(COLUMNS)}, or that and {','.join(HEIGHTS)}, "
            f"not {','.join(names)[:80]!r}",
            line=1,
        )
    return {name: place for place, name in enumerate(names)}


def _named(row: list[str], columns: Mapping[str, int]) -> tuple[str, tuple[float, ...]]:
    """Return the thing's name and its numbers in our order."""
    if len(row) != len(columns):
        raise InvalidInput(f"{len(columns)} values expected, not {len(row)}")
    name = row[columns["name"]].strip()
    if not name:
        raise InvalidInput("the name is missing")
    numbers: list[float] = []
    for column in (*COLUMNS, *HEIGHTS):
        if column in columns and column != "name":
            try:
                value = float(row[columns[column]])
            except ValueError:
                raise InvalidInput(f"{column} must be a number, not {row[columns[column]][:40]!r}") from None
            if not np.isfinite(value):
                raise InvalidInput(f"{column} must be finite, not {value}")
            numbers.append(value)
    if len(numbers) == 6 and numbers[5] <= numbers[4]:
        raise InvalidInput(f"top_m must be above bottom_m, not {numbers[5]:g} above {numbers[4]:g}")
    return name, tuple(numbers)


def _add(samples: dict[str, list[tuple[float, ...]]], named: tuple[str, tuple[float, ...]]) -> None:
    name, numbers = named
    before = samples.setdefault(name, [])
    if before and numbers[0] <= before[-1][0]:
        raise InvalidInput(f"time_s of {name!r} must increase, not go from {before[-1][0]:g} to {numbers[0]:g}")
    before.append(numbers)


def _trajectory(rows: np.ndarray, heights_m: tuple[float, float], repeat: str) -> Trajectory:
    poses = np.column_stack((rows[:, 1:3], np.radians(rows[:, 3])))
    heights = rows[:, 4:] if rows.shape[1] == 6 else np.tile(heights_m, (len(rows), 1))
    still = Trajectory(rows[:, 0], poses, heights)
    return still if len(rows) == 1 else replace(still, repeat=repeat)


def _shown(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text
