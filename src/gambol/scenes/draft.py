"""Read all entries of a scene file that are readable, whatever mistakes the others have, and make its world."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from gambol.files.entries import Problems, readable, tables, validate
from gambol.files.toml_lines import Key
from gambol.scenes.file_model import ActorEntry, GroupEntry, SceneFile
from gambol.scenes.scene import KINDS
from gambol.scenes.things import Recordings, mesh_parts, movers_of, obstacle_of, terrain_of
from gambol.scenes.world_model import MeshEntry, MoverEntry, ObstacleEntry, WorldEntry
from gambol.world.terrain import Terrain
from gambol.world.world import Mover, Obstacle, World

CROWD_KEYS = ("goals", "wander", "follow", "then", "appears_at_s", "interval_s", "together")  # refused in plans
PLAN_KEYS = (
    "weights", "special", "climb_cost", "descend_cost", "starts_at_s", "max_expansions", "horizon_s", "begins",
    "behavior",
)  # fmt: skip
GOAL_KEYS = ("heading_deg", "heading_tolerance_deg", "behavior")  # keys of a goal that a crowd does not have
WAYS = ("goal", "goals", "wander", "follow")  # keys of a destination: a character of a crowd has one of them
#: Tables and keys of the cast that only climbs have, and those that only scenes on the ground have.
CLIMB_TABLES = ("plane", "polygons", "grasps", "scatter")
GROUND_TABLES = ("world", "obstacles", "meshes", "movers", "groups")
CLIMBER_KEYS = ("figure", "approach", "onward", "max_stances")
ACTOR_KEYS = ("subset", "heading_deg", "waypoints", *CROWD_KEYS, *PLAN_KEYS)


def without_foreign_keys(data: Mapping[str, Any], kind: str, problems: Problems) -> dict[str, Any]:
    """Return the data without keys that belong to scenes of another kind; add those keys as mistakes.

    Climbs share only the table of the cast with other scenes.  `check_kind` tells plans and crowds apart.
    """
    in_plane = kind == "climb"
    foreign, own_keys = (GROUND_TABLES, ACTOR_KEYS) if in_plane else (CLIMB_TABLES, CLIMBER_KEYS)
    told = "belongs to scenes of the kinds 'plan' and 'crowd'" if in_plane else "belongs to scenes of the kind 'climb'"
    instead = {"world": "; there is plane", "obstacles": "; there are polygons"}
    for name in foreign:
        if name in data:
            problems.add((name,), told + (instead.get(name, "") if in_plane else ""))
    kept = {name: value for name, value in data.items() if name not in foreign}
    if isinstance(kept.get("cast"), list):
        kept["cast"] = [_without(("cast", i), one, own_keys, told, problems) for i, one in enumerate(kept["cast"])]
    return kept


def _without(key: Key, table: object, foreign: tuple[str, ...], told: str, problems: Problems) -> object:
    if not isinstance(table, dict):
        return table
    for name in foreign:
        if name in table:
            problems.add((*key, name), told)
    return {name: value for name, value in table.items() if name not in foreign}


def check_kind(data: Mapping[str, Any], kind: str, problems: Problems) -> None:
    """Add keys that have no meaning in a scene of this kind, and keys of the cast that are missing."""
    world = data.get("world")
    if kind == "crowd" and isinstance(world, dict) and "terrain" in world:
        problems.add(("world", "terrain"), "a crowd walks on level ground: leave out the terrain")
    for name in ("cast", "groups"):
        for index, table in enumerate(tables(data.get(name))):
            if kind == "crowd":
                _check_in_crowd((name, index), table, problems)
            else:
                _check_in_plan((name, index), table, problems)


def _check_in_plan(key: Key, table: Mapping[str, Any], problems: Problems) -> None:
    is_group = key[0] == "groups"
    for name in CROWD_KEYS:
        if name in table and not (is_group and name == "goals"):
            problems.add((*key, name), "belongs to scenes of the kind 'crowd'")
    if is_group and isinstance(table.get("goals"), list):
        problems.add((*key, "goals"), "a list of places belongs to scenes of the kind 'crowd'")
    if not is_group and not set(WAYS) & table.keys():
        problems.add_missing((*key, "goal"))


def _check_in_crowd(key: Key, table: Mapping[str, Any], problems: Problems) -> None:
    for name in PLAN_KEYS:
        if name in table:
            instead = "; there is appears_at_s" if name == "starts_at_s" else ""
            problems.add((*key, name), f"belongs to scenes of the kind 'plan'{instead}")
    _check_goals(key, table, problems)
    given = [name for name in WAYS if name in table]
    if len(given) > 1:
        problems.add((*key, given[1]), f"replaces {given[0]}: give only one of them")
    if not given and key[0] == "cast":
        problems.add_missing(key, f"where to? Give one of {', '.join(WAYS[:-1])} and {WAYS[-1]}", any_of=WAYS)
    if "waypoints" in table and "goal" not in table:
        problems.add((*key, "waypoints"), "belongs to goal")


def _check_goals(key: Key, table: Mapping[str, Any], problems: Problems) -> None:
    """Add keys that goals of a crowd do not have: heading and behavior."""
    places: list[tuple[Key, object]] = [(("goal",), table.get("goal"))]
    for name in ("goals", "waypoints"):
        listed = table.get(name)
        places += [((name, index), place) for index, place in enumerate(listed if isinstance(listed, list) else ())]
    if key[0] == "cast":
        for where, place in places:
            given = place.keys() if isinstance(place, dict) else ()
            for name in GOAL_KEYS:
                if name in given:
                    problems.add((*key, *where, name), "belongs to scenes of the kind 'plan'")


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
