"""Run scripts in Blender and render what they leave.

Runs in a Python that has bpy; `draw_blender.py` starts it.  Reads jobs as JSON from a file, each with `script` (a
file), `frames` (bodies are shown at all of them, copied), `eye` and `target` (metres, in Blender's axes), and
`picture` (PNG).

    python blender_render.py JOBS.json
"""

from __future__ import annotations

import json
import runpy
import sys
from math import radians
from pathlib import Path

import bpy
from mathutils import Vector

SIZE_PX = (900, 500)
SAMPLES = 48
COLORS = ((0.10, 0.32, 0.42), (0.75, 0.26, 0.10), (0.36, 0.40, 0.20), (0.62, 0.45, 0.12))  # of people, in turn


def paint(name: str, color: tuple[float, float, float], *, roughness: float = 0.7) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    surface = material.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (*color, 1.0)
    surface.inputs["Roughness"].default_value = roughness
    return material


def skinned() -> list[bpy.types.Object]:
    """Return the bodies of the people."""
    return [
        thing
        for thing in bpy.context.scene.objects
        if thing.type == "MESH" and any(modifier.type == "ARMATURE" for modifier in thing.modifiers)
    ]


def copy_bodies(frames: list[int]) -> None:
    """Leave a still copy of every body at every frame, and hide the bodies themselves."""
    scene, bodies = bpy.context.scene, skinned()
    for number, body in enumerate(bodies):
        color = COLORS[number % len(COLORS)]
        for frame in frames:
            scene.frame_set(frame)
            shape = bpy.data.meshes.new_from_object(body.evaluated_get(bpy.context.evaluated_depsgraph_get()))
            shape.materials.clear()
            shape.materials.append(paint(f"{body.name} {frame}", color))
            for polygon in shape.polygons:
                polygon.use_smooth = True
            still = bpy.data.objects.new(f"{body.name} at {frame}", shape)
            still.matrix_world = body.matrix_world
            scene.collection.objects.link(still)
        body.hide_render = True


def add_studio(eye: list[float], target: list[float]) -> None:
    """Add a floor, a sun, a sky and a camera."""
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_plane_add(size=200.0)
    bpy.context.object.data.materials.append(paint("floor", (0.55, 0.55, 0.52), roughness=0.9))
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle = 2.3, radians(4.0)
    light = bpy.data.objects.new("sun", sun)
    light.rotation_euler = (radians(40.0), radians(12.0), radians(60.0))
    scene.collection.objects.link(light)
    scene.world = bpy.data.worlds.new("sky")
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.75, 0.82, 0.9, 1.0)
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.5
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = eye
    camera.rotation_euler = (Vector(target) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera


def render(picture: str) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.device = SAMPLES, False, "CPU"
    scene.render.resolution_x, scene.render.resolution_y = SIZE_PX
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)


def run(job: dict) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    runpy.run_path(job["script"])
    if not skinned():
        sys.exit(f"{job['script']} leaves nobody to show")
    copy_bodies(job["frames"])
    add_studio(job["eye"], job["target"])
    render(job["picture"])


def main() -> None:
    for job in json.loads(Path(sys.argv[1]).read_text()):
        run(job)


if __name__ == "__main__":
    main()
