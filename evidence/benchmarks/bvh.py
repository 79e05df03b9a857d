"""Reading BVH, against bvhio from PyPI in the same run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import bvhio
from tools.authoring.walk import walk

from evidence.benchmarks.timing import Row, median_seconds
from gambol.files import read_bvh, write_bvh

LONG_CAPTURE = "var_swim_breast/126_03.bvh"  # 2,584 frames of 31 joints


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "walk.bvh"
        write_bvh(made, walk(strides=40))
        rows = [_compare(made, "BVH of 2,617 frames, 22 joints (the built-in walk)")]
    if captures := os.environ.get("GAMBOL_MOCAP"):
        rows.append(_compare(Path(captures) / LONG_CAPTURE, "BVH of 2,584 frames, 31 joints (CMU 126_03)"))
    return rows


def _compare(path: Path, what: str) -> Row:
    ours = median_seconds(lambda: read_bvh(path))
    other = median_seconds(lambda: bvhio.readAsBvh(str(path)), runs=3)
    return Row(
        f"read {what}", f"{ours * 1e3:.1f} ms", f"{other * 1e3:.0f} ms (bvhio)", f"{other / ours:.1f}",
        "ours includes unit guess, T-pose check, checks of every number and quaternions",
    )  # fmt: skip
