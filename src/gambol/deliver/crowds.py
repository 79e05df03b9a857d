"""What became of a crowd: its recording, a table, motions, the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.deliver.registry import Delivery, WriteOptions

if TYPE_CHECKING:
    from gambol.stages.crowds import CrowdPerformance
    from gambol.stages.performance import Progress


def write_recording_file(performance: CrowdPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write the recording, which has everyone in it, whoever was chosen."""
    from gambol.crowd.recording_file import write_recording

    write_recording(path, performance.recording)
    return Delivery((path,))


def write_rows(performance: CrowdPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write where the chosen characters are, row by row."""
    from gambol.crowd.table import write_table

    write = partial(write_table, rate_hz=options.table_rate_hz)
    return _of_chosen(performance, path, options, write)


def write_usd(performance: CrowdPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write the motions of the chosen characters into one stage, on the world's clock."""
    from gambol.crowd.export import write_recording_usd

    return _of_chosen(performance, path, options, partial(write_recording_usd, instanced=options.instanced))


def write_glb(performance: CrowdPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write the motions of the chosen characters into one file, on the world's clock."""
    from gambol.crowd.export import write_recording_glb

    return _of_chosen(performance, path, options, write_recording_glb)


def write_each_bvh(performance: CrowdPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write a file for each of the chosen characters, with its name inserted where there are several."""
    from gambol.crowd.export import write_recording_bvh

    return _of_chosen(performance, path, options, write_recording_bvh)


def write_report(performance: CrowdPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write how the crowd got on and what the judge found."""
    from gambol.files.disk import write_atomically

    text = json.dumps(performance.to_json(), ensure_ascii=False, indent=1)
    write_atomically(path, f"{text}\n".encode())
    return Delivery((path,))


def chosen(performance: CrowdPerformance, options: WriteOptions) -> tuple[list[str] | None, tuple[str, ...]]:
    """Return which of the named have appeared (None: everyone is written), and a line about each that has not."""
    if not options.only:
        return None, ()
    there = set(performance.recording.names)
    missing = tuple(f"{name} has not appeared" for name in options.only if name not in there)
    return [name for name in options.only if name in there], missing


def _of_chosen(
    performance: CrowdPerformance, path: Path, options: WriteOptions, write: Callable[..., object]
) -> Delivery:
    """Write what concerns the chosen characters, if any of them has appeared."""
    who, missing = chosen(performance, options)
    if who == []:
        return Delivery(skipped=(*missing, f"{path}: none of the named has appeared"))
    written = write(path, performance.recording, who=who)
    return Delivery(written if isinstance(written, tuple) else (path,), missing)
