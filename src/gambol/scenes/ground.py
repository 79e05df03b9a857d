"""Make terrain and meshes from a scene file's entries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gambol.errors import GambolError
from gambol.files.entries import Problems
from gambol.files.toml_lines import Key
from gambol.scenes.file_model import GroundMeshEntry, MeshEntry, TerrainEntry, WorldEntry
from gambol.world.obstacle import Pose
from gambol.world.terrain import Terrain
from gambol.world.terrain_sources import Bump, terrain_from_bumps, terrain_from_image, terrain_from_mesh

if TYPE_CHECKING:
    from gambol.world.meshes import MeshParts

DEFAULT_CELL_M = 0.1  # m, > 0: distance between height samples; smaller is finer and takes more memory


def terrain_of(world: WorldEntry, beside: Path, problems: Problems) -> Terrain | None:
    """Return a world's own terrain; None if it is level, or after adding its mistakes."""
    entry = world.terrain
    if entry is None:
        return None
    source = next((name for name in ("bumps", "image", "mesh") if getattr(entry, name)), None)
    if source is None:
        return None
    try:
        return _terrain(entry, world, beside)
    except GambolError as error:
        problems.add(("world", "terrain", source), str(error))
        return None


def _terrain(entry: TerrainEntry, world: WorldEntry, beside: Path) -> Terrain:
    x0, y0, x1, y1 = world.bounds
    if entry.image is not None:
        black, white = entry.image.heights_m
        return terrain_from_image(
            beside / entry.image.file, (x0, y0, x1, y1), heights_m=(black, white), cell_m=entry.cell_m
        )
    cell_m = DEFAULT_CELL_M if entry.cell_m is None else entry.cell_m
    if entry.mesh is not None:
        return terrain_from_mesh(
            beside / entry.mesh.file,
            pose=_pose(entry.mesh),
            scale=entry.mesh.scale,
            up=entry.mesh.up,
            cell_m=cell_m,
        )
    bumps = [Bump((bump.at[0], bump.at[1]), bump.radius_m, bump.height_m, bump.flat_m) for bump in entry.bumps]
    return terrain_from_bumps((x0, y0, x1, y1), bumps, cell_m=cell_m)


def mesh_parts(entry: MeshEntry, key: Key, beside: Path, problems: Problems) -> MeshParts | None:
    """Return the obstacles and terrain of a mesh, or None after adding its mistakes."""
    from gambol.world.meshes import mesh_world_parts  # slow to import: only scenes with meshes need it

    try:
        return mesh_world_parts(
            beside / entry.file,
            pose=_pose(entry),
            scale=entry.scale,
            up=entry.up,
            cell_m=entry.cell_m,
            step_m=entry.step_m,
            name=entry.name or Path(entry.file).stem,
        )
    except GambolError as error:
        problems.add((*key, "file"), str(error))
        return None


def _pose(entry: GroundMeshEntry) -> Pose:
    return float(entry.at[0]), float(entry.at[1]), float(np.radians(entry.heading_deg))
