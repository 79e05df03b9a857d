"""Import motion files into Blender and report where it puts their joints.

Runs in a Python that has bpy; `check_blender.py` starts it.  Reads jobs as JSON from a file, each
with `path`, `rate_hz`, `frames` and `names`, and writes to another the world positions (F, J, 3)
of the bones' heads, in metres and in Blender's axes (Z up).  A job with `export` names a file to
which Blender then writes the armature again.  A job without `names` is about a stage of many: of every
armature it gets the first bone alone.

    python blender_positions.py JOBS.json POSITIONS.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import bpy

BVH_METRES = 0.01  # written in centimetres
BVH_START = 1  # the scene's frame that the importer puts a file's first frame at


def import_file(path: str, rate_hz: float) -> None:
    """Empty Blender and import a file by its suffix, into a scene of its rate."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    render = bpy.context.scene.render
    render.fps = max(1, round(rate_hz))
    render.fps_base = render.fps / rate_hz
    suffix = Path(path).suffix
    if suffix == ".bvh":
        bpy.ops.import_anim.bvh(
            filepath=path, axis_forward="-Z", axis_up="Y", global_scale=BVH_METRES, frame_start=BVH_START,
            update_scene_fps=True, update_scene_duration=True,
        )  # fmt: skip
    elif suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=path)
    else:
        bpy.ops.wm.usd_import(filepath=path)


def export_file(path: str) -> None:
    """Write the scene as Blender does by default, armatures and animation included."""
    suffix = Path(path).suffix
    if suffix == ".glb":
        bpy.ops.export_scene.gltf(filepath=path)
    else:
        bpy.ops.wm.usd_export(filepath=path, export_animation=True)


def bone_heads(armature: bpy.types.Object, names: list[str]) -> list[list[float]]:
    """Return the heads of bones in the world, as the scene stands."""
    return [list(armature.matrix_world @ armature.pose.bones[name].head) for name in names]


def first_heads(frame: float) -> list[list[float]]:
    """Return where the first bone of every armature is at a frame."""
    bpy.context.scene.frame_set(int(frame))
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    return [list(one.matrix_world @ one.pose.bones[0].head) for one in armatures]


def run(job: dict) -> list[list[list[float]]]:
    """Import one file and return the heads of its bones, frame by frame."""
    import_file(job["path"], job["rate_hz"])
    scene = bpy.context.scene
    if "names" not in job:
        return [first_heads(frame) for frame in job["frames"]]
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    positions = []
    start = BVH_START if job["path"].endswith(".bvh") else 0
    for frame in job["frames"]:
        scene.frame_set(start + frame)
        positions.append(bone_heads(armature, job["names"]))
    if job.get("export"):
        export_file(job["export"])
    return positions


def main() -> None:
    jobs_path, positions_path = sys.argv[1:]
    jobs = json.loads(Path(jobs_path).read_text())
    Path(positions_path).write_text(json.dumps([run(job) for job in jobs]))


if __name__ == "__main__":
    main()
