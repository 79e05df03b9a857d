"""The world of a scene file, without entries that have mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from gambol.files.entries import Problems
from gambol.files.toml_lines import Key
from gambol.scenes.draft import Draft
from gambol.scenes.things import Recordings, mesh_parts, movers_of, obstacle_of, terrain_of
from gambol.world.terrain import Terrain
from gambol.world.world import Mover, Obstacle, World

Bounds = tuple[float, float, float, float]


class Setting(NamedTuple):
    """The parts of a world, without those that have mistakes."""

    bounds: Bounds | None  # None: the entry has a mistake
    obstacles: list[tuple[Key, Obstacle]]
    movers: list[tuple[Key, Mover]]
    terrain: Terrain | None

    def world(self) -> World:
        """Return the world; only for a file without mistakes."""
        assert self.bounds is not None
        return World(
            bounds=self.bounds,
            obstacles=tuple(obstacle for _, obstacle in self.obstacles),
            movers=tuple(mover for _, mover in self.movers),
            terrain=self.terrain,
        )


def read_setting(draft: Draft, beside: Path, problems: Problems) -> Setting:
    """Return the world of a file, and add its mistakes."""
    obstacles = [
        (key, obstacle) for key, entry in draft.obstacles if (obstacle := obstacle_of(entry, key, problems)) is not None
    ]
    grounds: list[tuple[Key, Terrain]] = []
    own = None if draft.world is None else terrain_of(draft.world, beside, problems)
    if own is not None:
        grounds.append((("world", "terrain"), own))
    for key, entry in draft.meshes:
        parts = mesh_parts(entry, key, beside, problems)
        if parts is not None:
            obstacles += [(key, obstacle) for obstacle in parts.obstacles]
            grounds += [(key, parts.terrain)] if parts.terrain is not None else []
    for key, _ in grounds[1:]:
        problems.add(key, "there is another terrain already: only one terrain or mesh may make hills")
    recordings = Recordings(beside)
    movers = [(key, mover) for key, entry in draft.movers for mover in movers_of(entry, key, recordings, problems)]
    _check_names([*obstacles, *movers], problems)
    bounds = None
    if draft.world is not None:
        x0, y0, x1, y1 = draft.world.bounds
        bounds = (float(x0), float(y0), float(x1), float(y1))
    return Setting(bounds, obstacles, movers, grounds[0][1] if grounds else None)


def _check_names(things: list[tuple[Key, Obstacle]] | list[tuple[Key, Obstacle | Mover]], problems: Problems) -> None:
    names: set[str] = set()
    for key, thing in things:
        if thing.name in names:
            problems.add((*key, "name"), f"there are two things called {thing.name!r}")
        names.add(thing.name)
