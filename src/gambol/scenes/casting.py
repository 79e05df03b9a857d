"""The cast of a scene file: load characters, apply preferences and tags, read starts and goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from gambol.characters.character import Behavior, Character
from gambol.characters.store import is_character_file, load_character
from gambol.errors import GambolError, InvalidInput
from gambol.files.entries import Problems
from gambol.files.toml_lines import Key
from gambol.scenes.aims import Aim, Area, Follow, Visit, Wander
from gambol.scenes.draft import Draft
from gambol.scenes.file_model import ActorEntry, GoalEntry, GroupEntry, PerformerEntry
from gambol.scenes.groups import Member, chance, group_members
from gambol.scenes.places import PlaceCheck
from gambol.scenes.scene import Actor
from gambol.scenes.world_model import TerrainEntry
from gambol.search.problem import Goal

OpenCharacter = Callable[..., Character]  # (path, *, motions)
CROWD_SUBSET = "crowd"  # name of the subset that characters of a crowd use by default, if they have it


class Wardrobe:
    """The characters of all entries; each is loaded once, and entries with equal settings share one object."""

    def __init__(
        self,
        beside: Path,
        motions: Path | str | None,
        problems: Problems,
        *,
        subset: str | None = None,
        open_file: OpenCharacter = load_character,
    ) -> None:
        """Prepare to load characters from files beside the scene.

        subset: used for characters that have it, if an entry names none.
        open_file: opens a character's file.
        """
        self.subset = subset
        self.open_file = open_file
        self.beside = beside
        self.motions = motions
        self.problems = problems
        self._loaded: dict[str, Character | str] = {}
        self._dressed: dict[object, Character] = {}

    def dress(self, key: Key, entry: PerformerEntry) -> Character | None:
        """Return an entry's character, or None after adding its mistakes."""
        loaded = self._load(entry.character)
        if isinstance(loaded, str):
            self.problems.add((*key, "character"), loaded)
            return None
        if entry.subset is not None and entry.subset not in loaded.subsets:
            kind = f"subset of character {loaded.name!r}:"
            self.problems.add_unknown((*key, "subset"), kind, entry.subset, tuple(loaded.subsets))
            return None
        subset = self.subset if entry.subset is None and self.subset in loaded.subsets else entry.subset
        plain = self._once((entry.character, subset), lambda: _subset(loaded, subset))
        weights = self._known(key, "weights", entry.weights, plain, kinds=True)
        special = self._known(key, "special", entry.special, plain, kinds=False)
        if not weights and not special:
            return plain
        wish = (entry.character, subset, tuple(sorted(weights.items())), tuple(sorted(special.items())))
        return self._once(wish, lambda: tagged(plain.with_weights(weights), special))

    def _once(self, wish: object, make: Callable[[], Character]) -> Character:
        if wish not in self._dressed:
            self._dressed[wish] = make()
        return self._dressed[wish]

    def _load(self, source: str) -> Character | str:
        """Return the character of a name or file, or an error message."""
        if source not in self._loaded:
            try:
                if is_character_file(source):
                    self._loaded[source] = self.open_file(self.beside / source, motions=self.motions)
                else:
                    self._loaded[source] = load_character(source)
            except GambolError as error:
                self._loaded[source] = str(error)
        return self._loaded[source]

    def _known(self, key: Key, table: str, wishes: Mapping[str, object], character: Character, *, kinds: bool) -> dict:
        """Return the settings of behaviors that exist; add the others as mistakes."""
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
    """Return the character with behaviors tagged by hand; special maps names or labels to kinds of obstacles."""
    if not special:
        return character

    def one(behavior: Behavior) -> Behavior:
        kind = special.get(behavior.name, special.get(behavior.label))
        return behavior if kind is None else replace(behavior, annotation=replace(behavior.annotation, special=kind))

    return replace(character, behaviors=tuple(one(behavior) for behavior in character.behaviors))


def read_cast(draft: Draft, places: PlaceCheck, wardrobe: Wardrobe, problems: Problems) -> list[tuple[Key, Actor]]:
    """Return the cast, each with the key of its start, and add its mistakes."""
    caster = _Caster(draft, places, problems)
    cast: list[tuple[Key, Actor]] = []
    counts: dict[str, int] = {}
    for key, entry in draft.cast:
        character = wardrobe.dress(key, entry)
        stem = Path(entry.character).stem
        name = entry.name or f"{stem}-{counts.get(stem, 0)}"
        counts[stem] = counts.get(stem, 0) + (entry.name is None)
        if character is not None:
            _check_behaviors(key, entry, character, problems)
            cast += caster.actor(key, name, entry, character)
    for key, group in draft.groups:
        character = wardrobe.dress(key, group)
        if character is not None:
            _check_behavior((*key, "behavior"), group.behavior, character, problems)
            cast += caster.members(key, group, character)
    _check_names(cast, problems)
    listed = {key for key, entry in draft.cast if entry.goals is not None} | {key for key, _ in draft.groups}
    for key, actor in cast:
        _check_places(key, actor, places, listed=key[:2] in listed)
    places.overlaps(cast)
    if draft.whole:
        check_following(cast, problems)
    return cast


class _Caster:
    """Makes actors from entries."""

    def __init__(self, draft: Draft, places: PlaceCheck, problems: Problems) -> None:
        self.seed = draft.seed
        self.in_crowd = draft.kind == "crowd"
        self.bounds = places.setting.bounds
        self.places = places
        self.problems = problems
        self.terrain = (None if draft.world is None else draft.world.terrain) or TerrainEntry()

    def actor(self, key: Key, name: str, entry: ActorEntry, character: Character) -> list[tuple[Key, Actor]]:
        """Return the actor of an entry in a list; the list is empty if the entry has no goal."""
        visited = entry.goals if entry.goal is None else (*entry.waypoints, entry.goal)
        goals = tuple(_goal(place) for place in visited or ())
        aim = self._aim(key, entry, goals, character)
        if not goals and aim is None:
            return []
        if entry.heading_deg is not None:
            heading = float(np.radians(entry.heading_deg))
        elif goals:
            heading = float(np.arctan2(goals[0].y - entry.start[1], goals[0].x - entry.start[0]))
        else:
            heading = float(chance(self.seed, name, "heading").uniform(-np.pi, np.pi))
        start = (float(entry.start[0]), float(entry.start[1]), heading)
        means = _means(entry, self.terrain)
        made = Actor(name, character, start, *_last(goals), begins=entry.begins, aim=aim, **means)
        return [((*key, "start"), replace(made, appears_s=entry.appears_at_s))]

    def members(self, key: Key, group: GroupEntry, character: Character) -> list[tuple[Key, Actor]]:
        """Return all members of a group."""
        room_m = self._room_m(character) + group.jitter_m
        try:
            members = group_members(group, seed=self.seed, are_open=lambda at: self.places.are_open(at, room_m))
        except InvalidInput as error:
            self.problems.add(key, str(error))
            return []
        means, company = _means(group, self.terrain), group.name if group.together else None
        elsewhere = self._aim(key, group, (), character)

        def one(member: Member) -> Actor:
            goals = tuple(Goal(*at, tolerance_m=group.tolerance_m, behavior=group.behavior) for at in member.goals)
            aim = self._aim(key, group, goals, character) if goals else elsewhere
            start = (*member.start, member.heading_rad)
            return Actor(
                member.name, character, start, *_last(goals),
                aim=aim, appears_s=member.appears_s, company=company, **means,
            )  # fmt: skip

        return [((*key, "starts"), one(member)) for member in members]

    def _aim(self, key: Key, entry: PerformerEntry, goals: tuple[Goal, ...], character: Character) -> Aim | None:
        if not self.in_crowd:
            return None
        if goals:
            return Visit(goals, entry.then)
        if entry.wander is not None and self.bounds is not None:
            given = entry.wander.area
            area: Area = self.bounds if given is None else (given[0], given[1], given[2], given[3])
            self.places.area((*key, "wander"), area, self._room_m(character))
            return Wander(area, entry.wander.count, entry.then)
        return None if entry.follow is None else Follow(entry.follow.who, entry.follow.distance_m)

    def _room_m(self, character: Character) -> float:
        return max(parts.outer_radius for parts in self.places.first_parts(character, None))


def _last(goals: tuple[Goal, ...]) -> tuple[Goal | None, tuple[Goal, ...]]:
    """Return the last goal and those before it."""
    return (goals[-1], goals[:-1]) if goals else (None, ())


def check_following(cast: list[tuple[Key, Actor]], problems: Problems) -> None:
    """Add followers whose leader does not exist, and followers that follow each other in a circle."""
    leaders = {actor.name: actor.aim.who for _, actor in cast if isinstance(actor.aim, Follow)}
    names = {actor.name for _, actor in cast}
    for key, actor in cast:
        if not isinstance(actor.aim, Follow):
            continue
        spot = (*key[:2], "follow")
        if actor.aim.who not in names:
            problems.add_unknown(spot, "one of the cast called", actor.aim.who, sorted(names))
        elif _leads_back(actor.name, leaders):
            problems.add(spot, f"{actor.name!r} would follow itself: its leaders form a circle")


def _leads_back(name: str, leaders: Mapping[str, str]) -> bool:
    ahead, seen = leaders.get(name), {name}
    while ahead is not None and ahead not in seen:
        seen.add(ahead)
        ahead = leaders.get(ahead)
    return ahead == name


def _means(entry: PerformerEntry, terrain: TerrainEntry) -> dict:
    """Return the settings that actors and groups share."""
    return {
        "start_s": entry.starts_at_s,
        "climb_cost": terrain.climb_cost if entry.climb_cost is None else entry.climb_cost,
        "descend_cost": terrain.descend_cost if entry.descend_cost is None else entry.descend_cost,
        "max_expansions": entry.max_expansions,
        "horizon_s": entry.horizon_s,
        "source": entry.character if is_character_file(entry.character) else "",
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
    if entry.goal is not None:
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


def _check_places(key: Key, actor: Actor, places: PlaceCheck, *, listed: bool) -> None:
    """Add impossible starts and goals; listed: the file has goals as a list, not as goal and waypoints."""
    places.start(key, actor)
    if actor.goal is None:
        return
    table, before = key[:2], len(actor.waypoints)
    for index, waypoint in enumerate(actor.waypoints):
        places.goal((*table, "goals" if listed else "waypoints", index), actor, waypoint, last=False)
    last = ("goal",) if not listed else ("goals", before) if before > 0 else ("goals",)
    places.goal((*table, *last), actor, actor.goal, last=True)
