"""Compare a GLB file as Blender imports it with the joint positions it was written from.

Runs in a Python that has bpy.  The expected positions come from an .npz file with `names` (J,),
`positions` (F, J, 3) in metres, Z up and X forward, and `rate_hz`:

    python blender_gltf.py FILE.glb EXPECTED.npz [CHARACTER]
"""

from __future__ import annotations

import sys

import bpy
import numpy as np


def import_gltf(path: str) -> None:
    """Empty Blender and import a glTF file at its own rate."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)


def head_positions(armature: bpy.types.Object, names: list[str], times_s: np.ndarray) -> np.ndarray:
    """Return the world positions (F, J, 3) of the bones' heads in our axes: Z up, X forward.

    Blender is Z up too, and imports what faces +Z so that it faces -Y: ours is (-y, x, z) of Blender.
    """
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    positions = np.empty((len(times_s), len(names), 3))
    for row, time_s in enumerate(times_s):
        frame = time_s * rate
        scene.frame_set(int(frame), subframe=frame - int(frame))
        for column, name in enumerate(names):
            x, y, z = armature.matrix_world @ armature.pose.bones[name].head
            positions[row, column] = -y, x, z
    return positions


def find_armature(character: str) -> bpy.types.Object:
    """Return a character's armature, moving: of several animations Blender mutes all but the first."""
    armature = bpy.data.objects[character]
    data = armature.animation_data
    if data.action is None:
        strip = data.nla_tracks[0].strips[0]
        data.action, data.action_slot = strip.action, strip.action_slot
    return armature


def largest_difference_m(path: str, names: list[str], positions: np.ndarray, rate_hz: float, character: str) -> float:
    """Import a GLB file and return how far a bone's head is from where it should be, over all frames."""
    import_gltf(path)
    found = head_positions(find_armature(character), names, np.arange(len(positions)) / rate_hz)
    return float(np.abs(found - positions).max())


def main() -> int:
    path, expected, *rest = sys.argv[1:]
    with np.load(expected) as file:
        names, positions, rate_hz = file["names"].tolist(), file["positions"], float(file["rate_hz"])
    difference = largest_difference_m(path, names, positions, rate_hz, rest[0] if rest else "character")
    print(f"{path}: {len(positions)} frames, {len(names)} joints, largest difference {1000 * difference:.3f} mm")
    return 0 if difference < 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main())
