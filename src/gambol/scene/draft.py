"""What can be read of a scene file, whatever else is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from gambol.io.entries import Problems, readable, tables, validate
from gambol.io.toml_lines import Key
from gambol.scene.file_model import (
    ActorEntry,
    GroupEntry,
    MeshEntry,
    MoverEntry,
    ObstacleEntry,
    SceneFile,
    WorldEntry,
)

Model = TypeVar("Model", bound=BaseModel)


class Draft(NamedTuple):
    """The tables of a file that have no mistake of form, with their keys."""

    file: SceneFile | None  # None: there is a mistake somewhere
    world: WorldEntry | None
    obstacles: list[tuple[Key, ObstacleEntry]]
    meshes: list[tuple[Key, MeshEntry]]
    movers: list[tuple[Key, MoverEntry]]
    cast: list[tuple[Key, ActorEntry]]
    groups: list[tuple[Key, GroupEntry]]
    seed: int
    cast_is_whole: bool  # whether all of the cast and groups can be read


def read_draft(data: Mapping[str, Any], problems: Problems) -> Draft:
    """Add all mistakes of form, and return what has none, so that mistakes of meaning can be told with them."""
    file = validate(SceneFile, data, problems)
    seed = data.get("seed", 0)
    cast, groups = _entries(data, "cast", ActorEntry), _entries(data, "groups", GroupEntry)
    return Draft(
        file=file,
        world=readable(WorldEntry, data.get("world")),
        obstacles=_entries(data, "obstacles", ObstacleEntry),
        meshes=_entries(data, "meshes", MeshEntry),
        movers=_entries(data, "movers", MoverEntry),
        cast=cast,
        groups=groups,
        seed=seed if isinstance(seed, int) and seed >= 0 else 0,
        cast_is_whole=len(cast) + len(groups) == sum(len(tables(data.get(name))) for name in ("cast", "groups")),
    )


def _entries(data: Mapping[str, Any], name: str, model: type[Model]) -> list[tuple[Key, Model]]:
    found = ((index, readable(model, raw)) for index, raw in enumerate(tables(data.get(name))))
    return [((name, index), entry) for index, entry in found if entry is not None]
