"""A recording as a plain table: where everybody was, time by time."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import action_table
from gambol.crowd.export import Who, chosen, time_range
from gambol.crowd.moment import moment, places
from gambol.crowd.recording import Recording
from gambol.errors import InvalidInput, UnknownName
from gambol.extras import check_extra
from gambol.files.disk import atomic_path
from gambol.geometry.planar import wrap_angle

SUFFIXES = (".csv", ".parquet")
DEFAULT_RATE_HZ = 10.0
ROWS_A_GROUP = 1 << 17  # of a Parquet file: read and written at once


class TableBlock(NamedTuple):
    """Rows of one time, by character."""

    time_s: NDArray[np.float64]
    id: NDArray[np.int64]
    name: list[str]
    x: NDArray[np.float64]  # metres, to a tenth of a millimetre
    y: NDArray[np.float64]
    heading_deg: NDArray[np.float64]  # counter-clockwise from +x, from -180 to 180, to a hundredth
    behavior: list[str]


def write_table(
    path: Path | str,
    recording: Recording,
    *,
    rate_hz: float = DEFAULT_RATE_HZ,
    who: Who = None,
    from_s: float | None = None,
    until_s: float | None = None,
) -> int:
    """Write where everybody was as .csv or .parquet, by the suffix, and return how many rows there are.

    Columns: time_s, id, name, x, y, heading_deg, behavior; a row for each time and each character who is there.
    The place is that of the path which a clip follows, as planned.
    """
    path = Path(path)
    blocks = table_blocks(recording, rate_hz=rate_hz, who=who, from_s=from_s, until_s=until_s)
    if path.suffix.lower() == ".csv":
        return _write_csv(path, blocks)
    if path.suffix.lower() == ".parquet":
        return _write_parquet(path, blocks)
    raise UnknownName("suffix of a table", path.suffix, SUFFIXES)


def table_blocks(
    recording: Recording,
    *,
    rate_hz: float = DEFAULT_RATE_HZ,
    who: Who = None,
    from_s: float | None = None,
    until_s: float | None = None,
) -> Iterator[TableBlock]:
    """Yield the rows of one time after another."""
    if not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"a table needs a positive number of rows a second, not {rate_hz}")
    begin_s, end_s = time_range(recording, from_s, until_s)
    wanted = np.zeros(len(recording), dtype=bool)
    wanted[chosen(recording, who)] = True
    return _blocks(recording, np.arange(int((end_s - begin_s) * rate_hz + 1e-9) + 1) / rate_hz + begin_s, wanted)


def _blocks(recording: Recording, times: NDArray, wanted: NDArray[np.bool_]) -> Iterator[TableBlock]:
    labels = [_behaviors(recording, kind) for kind in range(len(recording.characters))]
    for time_s in times:
        now = moment(recording, float(time_s))
        now = now._make(column[wanted[now.who]] for column in now)
        poses = places(recording, now)
        yield TableBlock(
            time_s=np.full(len(now.who), round(float(time_s), 6)),
            id=now.who,
            name=[recording.names[n] for n in now.who],
            x=np.round(poses[:, 0], 4),
            y=np.round(poses[:, 1], 4),
            heading_deg=np.round(wrap_angle(poses[:, 2]) * (180.0 / np.pi), 2),
            behavior=[labels[kind][clip] for kind, clip in zip(now.kind, now.clip, strict=True)],
        )


def _behaviors(recording: Recording, kind: int) -> list[str]:
    """Return the behavior's name for each clip of a kind."""
    character = recording.characters[kind]
    return [character.behaviors[index].name for index in action_table(character).clip_behavior]


def _write_csv(path: Path, blocks: Iterator[TableBlock]) -> int:
    count = 0
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TableBlock._fields)
        for block in blocks:
            writer.writerows(zip(*(_plain(column) for column in block), strict=True))
            count += len(block.id)
    return count


def _plain(column: Any) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else column


def _write_parquet(path: Path, blocks: Iterator[TableBlock]) -> int:
    check_extra("tables", "Parquet files")
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema(
        [
            ("time_s", pyarrow.float64()), ("id", pyarrow.int32()), ("name", pyarrow.string()),
            ("x", pyarrow.float32()), ("y", pyarrow.float32()), ("heading_deg", pyarrow.float32()),
            ("behavior", pyarrow.string()),
        ]
    )  # fmt: skip
    count = 0
    with atomic_path(path) as temporary, parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:
        for group in _groups(blocks):
            columns = [_joined(parts) for parts in zip(*group, strict=True)]
            table = pyarrow.table(
                [pyarrow.array(column, type=kind) for column, kind in zip(columns, schema.types, strict=True)],
                schema=schema,
            )
            writer.write_table(table)
            count += len(table)
    return count


def _groups(blocks: Iterator[TableBlock]) -> Iterator[list[TableBlock]]:
    """Yield blocks together until they are enough to be written at once."""
    group: list[TableBlock] = []
    rows = 0
    for block in blocks:
        group.append(block)
        rows += len(block.id)
        if rows >= ROWS_A_GROUP:
            yield group
            group, rows = [], 0
    if group:
        yield group


def _joined(parts: tuple[Any, ...]) -> Any:
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return [item for part in parts for item in part]
