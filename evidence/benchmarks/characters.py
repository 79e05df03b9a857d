"""Loading and compiling a behavior of 100,000 clips, against one of a single clip [LK05's scaling test]."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.authoring.walk import walk

from evidence.benchmarks.timing import Row, median_seconds
from gambol.characters import Character, compile_actions, load_character
from gambol.files import write_bvh

CLIPS = 100_000
CUT = '{ file = "walk.bvh", first = 66, last = 132 }'
TEXT = """
name = "walker"

[[behaviors]]
name = "walk"
begins = "left"
ends = "left"
clips = [{clips}]
"""


def run() -> list[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_bvh(folder / "walk.bvh", walk(strides=3), unit="cm")
        one = _loader(folder, "one", CUT)
        counted = _loader(folder, "counted", CUT.replace(" }", f", count = {CLIPS} }}"))
        listed = _loader(folder, "listed", ",\n".join([CUT] * CLIPS))
        single, many = one(), listed()
        rows = [
            _row(f"loading {CLIPS:,} clips stated by a count", counted, one),
            _row(f"loading {CLIPS:,} clips listed one by one", listed, one),
            _row(
                f"compiling {CLIPS:,} clips of one behavior",
                lambda: compile_actions(many),
                lambda: compile_actions(single),
            ),
        ]
        table = compile_actions(many)
        bytes_used = sum(array.nbytes for array in table)
        assert len(table.duration) == CLIPS
        return [*rows[:2], rows[2]._replace(note=f"{rows[2].note}; the table takes {bytes_used / 2**20:.1f} MiB")]


def _loader(folder: Path, name: str, clips: str) -> Callable[[], Character]:
    path = folder / f"{name}.toml"
    path.write_text(TEXT.replace("{clips}", clips))
    return lambda: load_character(path)


def _row(what: str, many: Callable[[], object], one: Callable[[], object]) -> Row:
    ours, other = median_seconds(many, runs=3), median_seconds(one, runs=3)
    tracemalloc.start()
    many()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    note = f"{ours / CLIPS * 1e6:.1f} µs a clip, peak {peak / 2**20:.0f} MiB"
    return Row(what, f"{ours:.2f} s", f"{other:.4f} s (one clip)", f"{other / ours:.3f}", note)
