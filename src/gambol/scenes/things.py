"""Make obstacles, movers and ground from a scene file's entries."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gambol.errors import GambolError, InvalidInput
from gambol.files.entries import Problems
from gambol.files.toml_lines import Key
from gambol.scenes.world_model import (
    BackAndForthEntry,
    GroundMeshEntry,
    MeshEntry,
    MoverEntry,
    ObstacleEntry,
    ShapeEntry,
    SpinEntry,
    TerrainEntry,
    WorldEntry,
)
from gambol.world.terrain import Terrain
from gambol.world.world import Footprint, Mover, Obstacle, Piece, Pose, Special, Trajectory

if TYPE_CHECKING:
    from gambol.world.meshes import MeshParts


def footprint_of(entry: ShapeEntry, key: Key, problems: Problems) -> Footprint | None:
    """Return the shape of an entry, or None after adding its mistakes."""
    if entry.size is not None:
        return Footprint.box(*entry.size)
    if entry.radius_m is not None:
        return Footprint.disc(entry.radius_m)
    if entry.corners is not None:
        try:
            return Footprint.polygon(entry.corners)
        except InvalidInput as error:
            problems.add((*key, "corners"), str(error))
            return None
    assert entry.line is not None
    assert entry.thickness_m is not None
    pieces = [Piece(np.array(ends, dtype=np.float64), 0.5 * entry.thickness_m) for ends in pairwise(entry.line)]
    if any(np.ptp(piece.corners, axis=0).max() < 1e-6 for piece in pieces):
        problems.add((*key, "line"), "neighbouring points must differ")
        return None
    return Footprint(tuple(pieces))


def pose_of(entry: ShapeEntry) -> Pose:
    """Return the pose of an entry's shape."""
    x, y = entry.at if entry.at is not None else (0.0, 0.0)
    return float(x), float(y), float(np.radians(entry.heading_deg))


def obstacle_of(entry: ObstacleEntry, key: Key, problems: Problems) -> Obstacle | None:
    """Return an entry's obstacle, or None after adding its mistakes."""
    footprint = footprint_of(entry, key, problems)
    if footprint is None:
        return None
    special = entry.special
    return Obstacle(
        name=entry.name or f"obstacle-{key[-1]}",
        footprint=footprint,
        pose=pose_of(entry),
        bottom_m=entry.bottom_m,
        top_m=entry.top_m,
        special=None if special is None else Special(special.kind, special.near_m, special.within_m),
    )


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
    from gambol.world.terrain_sources import Bump, terrain_from_bumps, terrain_from_image, terrain_from_mesh

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


class Recordings:
    """Recordings beside a scene; each is read once."""

    def __init__(self, beside: Path) -> None:
        self.beside = beside
        self._known: dict[str, dict[str, Trajectory] | str] = {}

    def read(self, file: str) -> dict[str, Trajectory] | str:
        """Return the trajectories of a recording, or an error message."""
        if file not in self._known:
            from gambol.world.recording import read_recording  # only for scenes with recordings

            try:
                self._known[file] = read_recording(self.beside / file)
            except GambolError as error:
                self._known[file] = str(error)
        return self._known[file]


def movers_of(entry: MoverEntry, key: Key, recordings: Recordings, problems: Problems) -> list[Mover]:
    """Return the movers of an entry, or none after adding its mistakes."""
    name = entry.name or f"mover-{key[-1]}"
    if entry.falling is not None:
        return _falling(entry, name)
    footprint = footprint_of(entry, key, problems)
    if footprint is None:
        return []
    if entry.recording is not None:
        found = _recorded(entry, key, recordings, problems)
        return [Mover(name, footprint, trajectory) for name, trajectory in found.items()]
    trajectory = _trajectory(entry, key, problems)
    return [] if trajectory is None else [Mover(name, footprint, trajectory)]


def _trajectory(entry: MoverEntry, key: Key, problems: Problems) -> Trajectory | None:
    if entry.path is not None:
        return _path(entry, key, problems)
    heights = (entry.bottom_m, entry.top_m)
    if entry.spin is not None:
        return _spin(pose_of(entry), heights, entry.spin)
    assert entry.back_and_forth is not None
    return _back_and_forth(pose_of(entry), heights, entry.back_and_forth)


def _path(entry: MoverEntry, key: Key, problems: Problems) -> Trajectory | None:
    """Return the trajectory through the places of an entry's path."""
    assert entry.path is not None
    at, heading, bottom, top = entry.at, entry.heading_deg, entry.bottom_m, entry.top_m
    rows: list[tuple[float, ...]] = []
    fine = True
    if at is None and entry.path[0].at is None:
        if entry.size is not None or entry.radius_m is not None:
            problems.add_missing((*key, "path", 0, "at"))
            fine = False
        at = [0.0, 0.0]
    for index, place in enumerate(entry.path):
        at = place.at or at
        heading = heading if place.heading_deg is None else place.heading_deg
        bottom = bottom if place.bottom_m is None else place.bottom_m
        top = top if place.top_m is None else place.top_m
        if rows and place.time_s <= rows[-1][0]:
            problems.add(
                (*key, "path", index, "time_s"), f"times must increase, not go from {rows[-1][0]:g} to {place.time_s:g}"
            )
            fine = False
        if top <= bottom:
            problems.add((*key, "path", index), f"top_m must be above bottom_m, not {top:g} above {bottom:g}")
            fine = False
        assert at is not None
        rows.append((place.time_s, *at, np.radians(heading), bottom, top))
    if entry.repeat != "once" and len(rows) < 2:
        problems.add((*key, "path"), f"a path that repeats ({entry.repeat}) needs at least two places")
        fine = False
    if not fine:
        return None
    table = np.array(rows, dtype=np.float64)
    return Trajectory(table[:, 0], table[:, 1:4], table[:, 4:], entry.repeat)


def _spin(pose: tuple[float, float, float], heights: tuple[float, float], spin: SpinEntry) -> Trajectory:
    turn = np.copysign(2.0 * np.pi, spin.deg_s)
    poses = np.array([pose, (pose[0], pose[1], pose[2] + turn)])
    return Trajectory(np.array([0.0, 360.0 / abs(spin.deg_s)]), poses, np.array([heights, heights]), "loop")


def _back_and_forth(
    pose: tuple[float, float, float], heights: tuple[float, float], motion: BackAndForthEntry
) -> Trajectory:
    direction = (pose[2] if motion.along.startswith("own") else 0.0) + (
        0.5 * np.pi if motion.along.endswith("y") else 0.0
    )
    away = motion.range_m * np.array([np.cos(direction), np.sin(direction), 0.0])
    times = motion.start_s + np.array([0.0, abs(motion.range_m) / motion.speed_m_s])
    return Trajectory(times, np.array([pose, pose + away]), np.array([heights, heights]), "bounce")


def _falling(entry: MoverEntry, name: str) -> list[Mover]:
    from gambol.world.falling import falling_log  # only for scenes with falling things

    falling = entry.falling
    assert falling is not None
    assert entry.radius_m is not None
    assert entry.at is not None
    return list(
        falling_log(
            name,
            at=(entry.at[0], entry.at[1]),
            heading_rad=float(np.radians(falling.heading_deg)),
            length_m=falling.length_m,
            radius_m=entry.radius_m,
            start_s=falling.start_s,
            duration_s=falling.duration_s,
        )
    )


def _recorded(entry: MoverEntry, key: Key, recordings: Recordings, problems: Problems) -> dict[str, Trajectory]:
    assert entry.recording is not None
    known = recordings.read(entry.recording)
    if isinstance(known, str):
        problems.add((*key, "recording"), known)
        return {}
    found: dict[str, Trajectory] = {}
    for index, pattern in enumerate(entry.things):
        matching = [name for name in known if fnmatchcase(name, pattern)]
        if not matching:
            where = (*key, "things", index) if "things" in entry.model_fields_set else (*key, "recording")
            problems.add_unknown(where, f"thing in {entry.recording}:", pattern, tuple(known))
        for name in matching:
            full = name if entry.name is None else f"{entry.name}/{name}"
            found[full] = _as_told(known[name], entry)
    return found


def _as_told(trajectory: Trajectory, entry: MoverEntry) -> Trajectory:
    """Give a recorded trajectory the heights and the repetition that the entry states."""
    heights = trajectory.heights_m
    if {"bottom_m", "top_m"} & entry.model_fields_set:
        heights = np.tile((entry.bottom_m, entry.top_m), (len(heights), 1))
    return replace(trajectory, heights_m=heights, repeat=entry.repeat if len(heights) > 1 else "once")
