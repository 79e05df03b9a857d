"""The cast of a scene file: characters loaded once, preferences and tags applied, starts and goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from gambol.character.behavior import Behavior
from gambol.character.builtin import builtin_character
from gambol.character.character import Character
from gambol.character.file import load_character
from gambol.errors import GambolError, InvalidInput
from gambol.io.entries import Problems
from gambol.io.toml_lines import Key
from gambol.plan.problem import Goal
from gambol.scene.draft import Draft
from gambol.scene.file_model import ActorEntry, GoalEntry, GroupEntry, PerformerEntry, TerrainEntry
from gambol.scene.groups import group_members
from gambol.scene.places import PlaceCheck, first_parts
from gambol.scene.scene import Actor


class Wardrobe:
    """Characters by what the entries ask for; each is loaded once, and equal wishes share one object."""

    def __init__(self, beside: Path, motions: Path | str | None, problems: Problems) -> None:
        self.beside = beside
        self.motions = motions
        self.problems = problems
        self._loaded: dict[str, Character | str] = {}
        self._dressed: dict[object, Character] = {}

    def dress(self, key: Key, entry: PerformerEntry) -> Character | None:
        """Return an entry's character, or None after adding what is wrong with it."""
        loaded = self._load(entry.character)
        if isinstance(loaded, str):
            self.problems.add((*key, "character"), loaded)
            return None
        if entry.subset is not None and entry.subset not in loaded.subsets:
            kind = f"subset of character {loaded.name!r}:"
            self.problems.add_unknown((*key, "subset"), kind, entry.subset, tuple(loaded.subsets))
            return None
        plain = self._once((entry.character, entry.subset), lambda: _subset(loaded, entry.subset))
        weights = self._known(key, "weights", entry.weights, plain, kinds=True)
        special = self._known(key, "special", entry.special, plain, kinds=False)
        if not weights and not special:
            return plain
        wish = (entry.character, entry.subset, tuple(sorted(weights.items())), tuple(sorted(special.items())))
        return self._once(wish, lambda: tagged(plain.with_weights(weights), special))

    def _once(self, wish: object, make: Callable[[], Character]) -> Character:
        if wish not in self._dressed:
            self._dressed[wish] = make()
        return self._dressed[wish]

    def _load(self, source: str) -> Character | str:
        """Return the character of a name or file, or what is wrong with it."""
        if source not in self._loaded:
            try:
                if source.endswith(".toml"):
                    self._loaded[source] = load_character(self.beside / source, motions=self.motions)
                else:
                    self._loaded[source] = builtin_character(source)
            except GambolError as error:
                self._loaded[source] = str(error)
        return self._loaded[source]

    def _known(self, key: Key, table: str, wishes: Mapping[str, object], character: Character, *, kinds: bool) -> dict:
        """Return the wishes about behaviors that exist; add the others."""
        known = behavior_names(character) | ({one.kind for one in character.behaviors} if kinds else set())
        what = "behavior, label or kind" if kinds else "behavior or label"
        for name in wishes:
            if name not in known:
                self.problems.add_unknown((*key, table, name), what, name, tuple(known))
        return {name: wish for name, wish in wishes.items() if name in known}


def _subset(character: Character, name: str | None) -> Character:
    return character if name is None else character.subset(name)


def behavior_names(character: Character) -> set[str]:
    """Return all names and labels of behaviors."""
    return {name for behavior in character.behaviors for name in (behavior.name, behavior.label)}


def tagged(character: Character, special: Mapping[str, str]) -> Character:
    """Return the character with behaviors tagged by hand: kinds of obstacles by name or label."""
    if not special:
        return character

    def one(behavior: Behavior) -> Behavior:
        kind = special.get(behavior.name, special.get(behavior.label))
        return behavior if kind is None else replace(behavior, annotation=replace(behavior.annotation, special=kind))

    return replace(character, behaviors=tuple(one(behavior) for behavior in character.behaviors))


def read_cast(draft: Draft, places: PlaceCheck, wardrobe: Wardrobe, problems: Problems) -> list[tuple[Key, Actor]]:
    """Return the cast, and add what is wrong with it; the keys are those of the starts."""
    terrain = (None if draft.world is None else draft.world.terrain) or TerrainEntry()
    cast: list[tuple[Key, Actor]] = []
    counts: dict[str, int] = {}
    for key, entry in draft.cast:
        character = wardrobe.dress(key, entry)
        stem = Path(entry.character).stem
        name = entry.name or f"{stem}-{counts.get(stem, 0)}"
        counts[stem] = counts.get(stem, 0) + (entry.name is None)
        if character is not None:
            _check_behaviors(key, entry, character, problems)
            cast.append(((*key, "start"), _actor(name, entry, character, terrain)))
    for key, group in draft.groups:
        character = wardrobe.dress(key, group)
        if character is not None:
            _check_behavior((*key, "behavior"), group.behavior, character, problems)
            cast += _members(key, group, character, terrain, draft.seed, places, problems)
    _check_names(cast, problems)
    for key, actor in cast:
        _check_places(key, actor, places)
    places.overlaps(cast)
    return cast


def _actor(name: str, entry: ActorEntry, character: Character, terrain: TerrainEntry) -> Actor:
    waypoints = tuple(_goal(place) for place in entry.waypoints)
    goal = _goal(entry.goal)
    first = (*waypoints, goal)[0]
    if entry.heading_deg is None:
        heading = float(np.arctan2(first.y - entry.start[1], first.x - entry.start[0]))
    else:
        heading = float(np.radians(entry.heading_deg))
    start = (float(entry.start[0]), float(entry.start[1]), heading)
    return Actor(name, character, start, goal, waypoints, begins=entry.begins, **_means(entry, terrain))


def _members(
    key: Key,
    group: GroupEntry,
    character: Character,
    terrain: TerrainEntry,
    seed: int,
    places: PlaceCheck,
    problems: Problems,
) -> list[tuple[Key, Actor]]:
    room_m = max(parts.outer_radius for parts in first_parts(character, None)) + group.jitter_m
    try:
        members = group_members(group, seed=seed, is_open=lambda x, y: places.is_open(x, y, room_m))
    except InvalidInput as error:
        problems.add(key, str(error))
        return []
    means = _means(group, terrain)
    return [
        (
            (*key, "starts"),
            Actor(
                member.name,
                character,
                (*member.start, member.heading_rad),
                Goal(*member.goal, tolerance_m=group.tolerance_m, behavior=group.behavior),
                **means,
            ),
        )
        for member in members
    ]


def _means(entry: PerformerEntry, terrain: TerrainEntry) -> dict:
    """Return what actors and groups have in common."""
    return {
        "start_s": entry.starts_at_s,
        "climb_cost": terrain.climb_cost if entry.climb_cost is None else entry.climb_cost,
        "descend_cost": terrain.descend_cost if entry.descend_cost is None else entry.descend_cost,
        "max_expansions": entry.max_expansions,
        "horizon_s": entry.horizon_s,
    }


def _goal(entry: GoalEntry) -> Goal:
    return Goal(
        float(entry.at[0]),
        float(entry.at[1]),
        tolerance_m=entry.tolerance_m,
        heading_rad=None if entry.heading_deg is None else float(np.radians(entry.heading_deg)),
        heading_tolerance_rad=float(np.radians(entry.heading_tolerance_deg)),
        behavior=entry.behavior,
    )


def _check_behaviors(key: Key, entry: ActorEntry, character: Character, problems: Problems) -> None:
    _check_behavior((*key, "goal", "behavior"), entry.goal.behavior, character, problems)
    for index, place in enumerate(entry.waypoints):
        _check_behavior((*key, "waypoints", index, "behavior"), place.behavior, character, problems)
    labels = {behavior.begins for behavior in character.behaviors}
    if entry.begins is not None and entry.begins not in labels:
        problems.add_unknown((*key, "begins"), "transition label", entry.begins, tuple(labels))


def _check_behavior(key: Key, name: str | None, character: Character, problems: Problems) -> None:
    known = behavior_names(character)
    if name is not None and name not in known:
        problems.add_unknown(key, "behavior or label", name, tuple(known))


def _check_names(cast: list[tuple[Key, Actor]], problems: Problems) -> None:
    names: set[str] = set()
    for key, actor in cast:
        if actor.name in names:
            problems.add((*key[:2], "name"), f"there are two of the cast called {actor.name!r}")
        names.add(actor.name)


def _check_places(key: Key, actor: Actor, places: PlaceCheck) -> None:
    places.start(key, actor)
    table = key[:2]
    for index, waypoint in enumerate(actor.waypoints):
        places.goal((*table, "waypoints", index), actor, waypoint, last=False)
    places.goal((*table, "goals" if table[0] == "groups" else "goal"), actor, actor.goal, last=True)
