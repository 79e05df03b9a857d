"""Check that Blender shows our files as we mean them, and that we read Blender's as it does.

Writes motions as BVH, GLB and USD, has Blender import each and compares the world positions of all
joints; then has Blender export what it imported, and compares what our readers make of that.  Of a GLB
file of two both have to move.  At last it bakes a small job and has Blender open its top stage: every
character has to be there, and to move.

    python tools/check_blender.py [--blender-python PYTHON]

Blender runs as a module (bpy) in an environment of its own, as it needs an older numpy; without
the option one is made under out/, which downloads some 300 MB.  With GAMBOL_MOCAP set to a folder
of captures, one of them is checked too.  Exits 1 where a joint is off by more than a millimetre.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from blender_bake import baked_stage, expected_roots, moving, worst_pairing
from numpy.typing import NDArray

from gambol.animate.playing import play
from gambol.characters.store import load_character
from gambol.files.formats import read_motion, write_motion
from gambol.files.gltf import GlbActor, write_cast_glb
from gambol.motion import edits
from gambol.motion.motion import Motion

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("bpy==5.0.1", "numpy<2")
SUFFIXES = (".bvh", ".glb", ".usda", ".usdc")
EXPORTED = {".glb": ".glb", ".usdc": ".usda"}  # what Blender is to write after importing which
FRAMES = 12  # compared, spread over the motion
TOLERANCE_M = 1e-3

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """One comparison: a line of the table."""

    motion: str
    way: str
    worst_m: float

    def __str__(self) -> str:
        verdict = "ok" if self.worst_m <= TOLERANCE_M else "OFF"
        return f"{self.motion:<14} {self.way:<24} {1000.0 * self.worst_m:>10.4f} mm   {verdict}"


def test_motions() -> Iterator[tuple[str, Motion]]:
    """Yield a walk made by code and, where captures are at hand, one of them."""
    yield "walk", play(load_character("human"), ["walk"] * 2)
    folder = os.environ.get("GAMBOL_MOCAP")
    if folder:
        capture = sorted(Path(folder).glob("walk_turn/*.bvh"))[0]
        yield capture.stem, read_motion(capture).motion


def blender_positions(python: Path, jobs: list[dict], folder: Path) -> list[FloatArray]:
    """Have Blender do the jobs, and return joint positions (F, J, 3) in its axes."""
    asked, answered = folder / "jobs.json", folder / "positions.json"
    asked.write_text(json.dumps(jobs))
    script = ROOT / "tools" / "blender_positions.py"
    finished = subprocess.run([python, script, asked, answered], capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        sys.exit(f"Blender failed:\n{finished.stdout}{finished.stderr}")
    return [np.array(positions) for positions in json.loads(answered.read_text())]


def ours_from_blender(positions: FloatArray, suffix: str) -> FloatArray:
    """Return Blender's positions in our axes.

    Both are Z up.  Y-up files that face +Z it turns to face -Y; Z-up stages it takes as they are.
    """
    return positions if suffix.startswith(".usd") else positions[..., [1, 0, 2]] * (-1.0, 1.0, 1.0)


def worst_distance(a: FloatArray, b: FloatArray) -> float:
    return float(np.linalg.norm(a - b, axis=-1).max())


def check_motion(python: Path, name: str, motion: Motion, folder: Path) -> Iterator[Row]:
    """Yield a row for each format into Blender, and for each that Blender wrote into our readers."""
    frames = np.unique(np.linspace(0, motion.frame_count - 1, FRAMES).astype(int))
    jobs = []
    for suffix in SUFFIXES:
        write_motion(folder / f"{name}{suffix}", motion, name="walker")
        job = {
            "path": str(folder / f"{name}{suffix}"),
            "rate_hz": motion.rate_hz,
            "frames": frames.tolist(),
            "names": list(motion.skeleton.names),
        }
        if suffix in EXPORTED:
            job["export"] = str(folder / f"{name}_from_blender{EXPORTED[suffix]}")
        jobs.append(job)
    shown = blender_positions(python, jobs, folder)
    for job, positions in zip(jobs, shown, strict=True):
        suffix = Path(job["path"]).suffix
        expected = motion.world_positions[frames]
        yield Row(name, f"{suffix} into Blender", worst_distance(ours_from_blender(positions, suffix), expected))
        if "export" in job:
            yield check_export(name, job, positions)


def check_export(name: str, job: dict, shown: FloatArray) -> Row:
    """Compare what we read from Blender's own file with what Blender showed before it wrote it."""
    path = Path(job["export"])
    motion = read_motion(path).motion
    way = f"Blender's {path.suffix} read"
    if motion.frame_count <= max(job["frames"]) or not np.isclose(motion.rate_hz, job["rate_hz"]):
        return Row(name, way, np.inf)
    joints = [motion.skeleton.index(joint) for joint in job["names"]]
    ours = motion.world_positions[job["frames"]][:, joints]
    return Row(name, way, worst_distance(ours, ours_from_blender(shown, path.suffix)))


def check_cast(python: Path, folder: Path) -> Iterator[Row]:
    """Yield a row for a GLB file of two: Blender plays the first animation alone, and both have to move."""
    first = play(load_character("human"), ["walk"] * 2)
    motions = first, edits.move(first, (3.0, 2.0, 1.0))
    write_cast_glb(folder / "cast.glb", [GlbActor(f"walker {n}", motion) for n, motion in enumerate(motions)])
    frames = np.linspace(0, first.frame_count - 1, FRAMES).astype(int).tolist()
    job = {"path": str(folder / "cast.glb"), "rate_hz": first.rate_hz, "frames": frames}
    (shown,) = blender_positions(python, [job], folder)
    expected = np.stack([motion.root_positions[frames] for motion in motions], axis=1)
    worst = worst_pairing(ours_from_blender(shown, ".glb"), expected)
    yield Row("cast", f"{moving(shown)} of 2 move in Blender", worst)


def check_bake(python: Path, folder: Path) -> Iterator[Row]:
    """Yield a row for the top stage of a baked job: how far its characters are from where the USD library has them."""
    stage = baked_stage(folder)
    codes, expected = expected_roots(stage)
    job = {"path": str(stage), "rate_hz": 60.0, "frames": codes}
    (shown,) = blender_positions(python, [job], folder)
    count, of = moving(shown), moving(expected)
    worst = worst_pairing(shown, expected) if count == of else np.inf
    yield Row("baked job", f"{count} of {of} move in Blender", worst)


def blender_environment() -> Path:
    """Return the Python of an environment with Blender under out/, made if need be."""
    folder = ROOT / "out" / "blender-env"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        print(f"making {folder} with {', '.join(PACKAGES)}")
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--blender-python", type=Path, help="a Python that has bpy")
    python = parser.parse_args().blender_python or blender_environment()
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for name, motion in test_motions() for row in check_motion(python, name, motion, Path(folder))]
        rows += check_cast(python, Path(folder))
        rows += check_bake(python, Path(folder))
    print("\n".join(map(str, rows)))
    return 0 if all(row.worst_m <= TOLERANCE_M for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
