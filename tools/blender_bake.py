"""Bake a small job and check that Blender opens its top stage with every character, moving as it should.

`check_blender.py` runs it.  Blender does not animate instances, so crowds for it are baked with `instanced = false`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom, UsdSkel  # pyright: ignore[reportAttributeAccessIssue]

FloatArray = NDArray[np.float64]
TIMES = 5  # compared, spread over the stage
MOVES_M = 0.5  # who gets so far from where it began moves

SCENE = """
name = "hall"
kind = "crowd"
[world]
bounds = [0, 0, 16, 10]
[[groups]]
name = "east"
count = 3
starts = { line = [[2, 2], [2, 8]] }
goals = { line = [[13, 2], [13, 8]] }
[[groups]]
name = "west"
count = 3
starts = { line = [[14, 3], [14, 7]] }
goals = { line = [[3, 3], [3, 7]] }
"""
JOB = """
name = "shots"
[[tasks]]
kind = "plan"
scenes = ["first", "falling-tree"]
write = ["usdc"]
[[tasks]]
kind = "climb"
scenes = ["climb-wall"]
write = ["usda"]
[[tasks]]
kind = "crowd"
scenes = ["hall.toml"]
seconds = 6.0
seeds = 2
instanced = false
write = ["usdc"]
"""


def baked_stage(folder: Path) -> Path:
    """Bake a job of plans, a climb and crowds; return its top stage."""
    (folder / "hall.toml").write_text(SCENE)
    (folder / "shots.toml").write_text(JOB)
    program = "from gambol.cli.app import main; main()"
    job, out = folder / "shots.toml", folder / "out"
    finished = subprocess.run([sys.executable, "-c", program, "bake", job, "-o", out, "--quiet"], check=False)
    if finished.returncode != 0:
        sys.exit("the job for Blender could not be baked")
    return out / "shots.usda"


def expected_roots(path: Path) -> tuple[list[float], FloatArray]:
    """Return time codes, and where the USD library has the first joint of each character then (T, C, 3), in metres."""
    stage = Usd.Stage.Open(str(path))
    codes = np.linspace(stage.GetStartTimeCode(), stage.GetEndTimeCode(), TIMES).round().tolist()
    places = []
    for prim in stage.Traverse():
        if not prim.IsA(UsdSkel.Root):
            continue
        cache = UsdSkel.Cache()
        cache.Populate(UsdSkel.Root(prim), Usd.PrimDefaultPredicate)
        skeleton = next(one for one in prim.GetChildren() if one.IsA(UsdSkel.Skeleton))
        query = cache.GetSkelQuery(UsdSkel.Skeleton(skeleton))
        frames = [query.ComputeJointWorldTransforms(UsdGeom.XformCache(code))[0] for code in codes]
        places.append([list(frame.ExtractTranslation()) for frame in frames])
    return codes, np.array(places).transpose(1, 0, 2)


def moving(places: FloatArray) -> int:
    """Return how many of some characters (T, C, 3) move."""
    return int((np.linalg.norm(places - places[:1], axis=-1).max(axis=0) >= MOVES_M).sum())


def worst_pairing(ours: FloatArray, theirs: FloatArray) -> float:
    """Return how far the characters of one are from the nearest of the other at any time; infinite if some lack."""
    if ours.shape != theirs.shape:
        return float("inf")
    apart = np.linalg.norm(ours[:, :, None] - theirs[:, None], axis=-1).max(axis=0)  # (C, C)
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))
