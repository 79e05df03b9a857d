"""Do what the page about Blender says, in Blender, and draw its pictures.

    python tools/draw_blender.py [--blender-python PYTHON]

The scenes, the programs and the script for Blender are those of the pages, so this also shows that they work.  As for
`check_blender.py`, Blender is a module (bpy) in an environment of its own, made under out/ if none is named.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from check_blender import ROOT, blender_environment
from draw_start import TUTORIALS, files_of, gambol, still

PAGES = ROOT / "docs" / "tutorials"
PEOPLE = [75, 120, 165, 210, 255, 300, 345, 390]  # frames
CROWD = [240]
Point = tuple[float, float, float]
IMPORT_CROWD = 'import bpy\n\nbpy.ops.wm.usd_import(filepath="{path}")\n'


def programs(page: Path) -> str:
    """Return the blocks of Python on a page as one program."""
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))


def prepare(folder: Path) -> None:
    """Write the files that the pages have their reader write."""
    scenes = {"yard.toml": files_of(ROOT / "docs" / "start.md")["yard.toml"], **files_of(PAGES / "blender.md")}
    for name, text in scenes.items():
        (folder / name).write_text(text, encoding="utf-8")
    gambol(folder, "gambol plan yard.toml -o out/yard.glb -o out/yard.usdc -o out/yard.bvh")
    subprocess.run([sys.executable, "-c", programs(PAGES / "world.md")], cwd=folder, check=True)
    gambol(folder, "gambol bake crowd.toml -o baked")


def job(folder: Path, name: str, script: str, *, frames: list[int], eye: Point, target: Point) -> dict:
    """Return what blender_render.py is to do: run a script, and render it to a picture of this name."""
    (folder / f"{name}.py").write_text(script, encoding="utf-8")
    paths = {"script": str(folder / f"{name}.py"), "picture": str(folder / f"{name}.png")}
    return {**paths, "frames": frames, "eye": eye, "target": target}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--blender-python", type=Path, help="a Python that has bpy")
    python = parser.parse_args().blender_python or blender_environment()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        script = programs(PAGES / "blender.md").replace("/home/me/out", (folder / "out").as_posix())
        stage = IMPORT_CROWD.format(path=(folder / "baked" / "crowd.usda").as_posix())
        jobs = [
            job(folder, "blender", script, frames=PEOPLE, eye=(18.5, -3.4, 4.8), target=(5.2, -8.1, 0.5)),
            job(folder, "blender_crowd", stage, frames=CROWD, eye=(1.5, -4.0, 5.2), target=(8.0, 4.4, 0.5)),
        ]
        asked = folder / "jobs.json"
        asked.write_text(json.dumps(jobs))
        subprocess.run([python, ROOT / "tools" / "blender_render.py", asked], check=True)
        for one in jobs:
            picture = Path(one["picture"])
            still(picture, TUTORIALS / f"{picture.stem}.jpg", width_px=900)


if __name__ == "__main__":
    main()
