"""The things of a scene's text that can be drawn, even if the text has mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from gambol.errors import MalformedFile
from gambol.files.entries import Problems, readable, tables
from gambol.files.toml_lines import Key
from gambol.scenes.draft import read_draft, read_setting
from gambol.scenes.things import mesh_parts, obstacle_of
from gambol.scenes.world_model import MeshEntry, ObstacleEntry
from gambol.view.edit.entries import Data
from gambol.world.terrain import Terrain
from gambol.world.world import Mover, Obstacle, World

#: Groups of keys that an obstacle can be drawn without; they are left out one group after another.
DISPENSABLE = (("bottom_m", "top_m"), ("special",), ("heading_deg",), ("name",))


class Sketch(NamedTuple):
    """The things of a text that can be drawn, by their keys; all obstacles of a mesh have the mesh's key."""

    world: World  # the ground alone
    obstacles: dict[Key, list[Obstacle]]
    movers: dict[Key, list[Mover]]


class Sketcher:
    """Makes sketches of one text after another; meshes, which are slow to read, are read once."""

    def __init__(self, beside: Path) -> None:
        self.beside = beside
        self._meshes: dict[str, tuple[list[Obstacle], Terrain | None]] = {}

    def sketch(self, data: Data, bounds: tuple[float, float, float, float]) -> Sketch:
        """Return the things that can be drawn.  bounds: are used if the text states none that are valid."""
        ignored = Problems("")
        plain = {name: value for name, value in data.items() if name not in ("meshes", "cast", "groups")}
        setting = read_setting(read_draft(plain, ignored), self.beside, ignored)
        obstacles: dict[Key, list[Obstacle]] = {}
        movers: dict[Key, list[Mover]] = {}
        for key, obstacle in setting.obstacles:
            obstacles.setdefault(key, []).append(obstacle)
        for key, mover in setting.movers:
            movers.setdefault(key, []).append(mover)
        for index, raw in enumerate(tables(data.get("obstacles"))):
            if ("obstacles", index) not in obstacles and (made := _as_far_as_it_goes(raw, index)) is not None:
                obstacles["obstacles", index] = [made]
        terrain = setting.terrain
        for index, raw in enumerate(tables(data.get("meshes"))):
            obstacles["meshes", index], hills = self._mesh(raw, index)
            terrain = terrain or hills
        return Sketch(World(setting.bounds or bounds, terrain=terrain), obstacles, movers)

    def _mesh(self, raw: dict[str, Any], index: int) -> tuple[list[Obstacle], Terrain | None]:
        entry, told = readable(MeshEntry, raw), repr(raw)
        if told not in self._meshes:
            try:
                parts = None if entry is None else mesh_parts(entry, ("meshes", index), self.beside, Problems(""))
            except MalformedFile:
                parts = None
            self._meshes[told] = ([], None) if parts is None else (list(parts.obstacles), parts.terrain)
        return self._meshes[told]


def _as_far_as_it_goes(raw: dict[str, Any], index: int) -> Obstacle | None:
    """Return an obstacle without its invalid keys; None: its shape is invalid."""
    left = dict(raw)
    for keys in DISPENSABLE:
        left = {name: value for name, value in left.items() if name not in keys}
        entry = readable(ObstacleEntry, left)
        if entry is not None:
            return obstacle_of(entry, ("obstacles", index), Problems(""))
    return None
