"""Read all entries of a scene file that are readable, whatever mistakes the others have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from gambol.files.entries import Problems, readable, tables, validate
from gambol.files.toml_lines import Key
from gambol.scenes.file_model import (
    ActorEntry,
    GroupEntry,
    MeshEntry,
    MoverEntry,
    ObstacleEntry,
    SceneFile,
    WorldEntry,
)
from gambol.scenes.kind_check import check_kind, without_foreign_keys
from gambol.scenes.scene import KINDS

Model = TypeVar("Model", bound=BaseModel)


class Draft(NamedTuple):
    """The readable tables of a file with their keys; tables with mistakes appear without their wrong keys."""

    file: SceneFile | None  # None: some table has a mistake
    world: WorldEntry | None
    obstacles: list[tuple[Key, ObstacleEntry]]
    meshes: list[tuple[Key, MeshEntry]]
    movers: list[tuple[Key, MoverEntry]]
    cast: list[tuple[Key, ActorEntry]]
    groups: list[tuple[Key, GroupEntry]]
    kind: str
    seed: int
    whole: bool  # whether obstacles, cast and groups have no mistake of form


def read_draft(data: Mapping[str, Any], problems: Problems) -> Draft:
    """Add all mistakes of form, and return the readable entries to look for mistakes of meaning in them."""
    kind = data.get("kind", "plan")
    data = without_foreign_keys(data, kind if kind in KINDS else "plan", problems)
    file = validate(SceneFile, data, problems)
    seed = data.get("seed", 0)
    if kind in KINDS:
        check_kind(data, kind, problems)
    return Draft(
        file=file,
        world=most_of(WorldEntry, data.get("world")),
        obstacles=entries_of(data, "obstacles", ObstacleEntry),
        meshes=entries_of(data, "meshes", MeshEntry),
        movers=entries_of(data, "movers", MoverEntry),
        cast=entries_of(data, "cast", ActorEntry),
        groups=entries_of(data, "groups", GroupEntry),
        kind=kind if kind in KINDS else "plan",
        seed=seed if isinstance(seed, int) and seed >= 0 else 0,
        whole=all(
            readable(model, raw) is not None
            for name, model in (("obstacles", ObstacleEntry), ("cast", ActorEntry), ("groups", GroupEntry))
            for raw in tables(data.get(name))
        ),
    )


def entries_of(data: Mapping[str, Any], name: str, model: type[Model]) -> list[tuple[Key, Model]]:
    """Return the readable tables of an array, with their keys."""
    found = ((index, most_of(model, raw)) for index, raw in enumerate(tables(data.get(name))))
    return [((name, index), entry) for index, entry in found if entry is not None]


def most_of(model: type[Model], raw: object) -> Model | None:
    """Return an entry without its wrong keys; None if it needs them."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        wrong = {details["loc"][0] for details in error.errors(include_url=False) if details["loc"]}
        kept = {key: value for key, value in raw.items() if key not in wrong} if isinstance(raw, dict) else None
        return readable(model, kept)
