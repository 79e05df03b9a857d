"""Read scenes of the kind "climb": plane, polygons, grasp points and climbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import shapely

from gambol.errors import InvalidInput
from gambol.files.entries import Problems, validate
from gambol.files.toml_lines import Key
from gambol.scenes.casting import Wardrobe
from gambol.scenes.climb_actor import ClimbActor, FigureWish
from gambol.scenes.climb_model import (
    ClimberEntry,
    ClimbFile,
    FigureEntry,
    GraspEntry,
    PlaneEntry,
    PolygonEntry,
    ScatterEntry,
)
from gambol.scenes.draft import entries_of, most_of, without_foreign_keys
from gambol.scenes.file_model import PerformerEntry
from gambol.scenes.groups import chance
from gambol.scenes.scene import Scene
from gambol.search.problem import Goal
from gambol.world.environment import Environment, GraspPoint
from gambol.world.scatter import TILTS, Chosen, scatter, without_repeats
from gambol.world.surfaces import Edges
from gambol.world.world import Pose, World

ON_SURFACE_M = 0.02  # m, > 0: a grasp point this close to a surface is on it; larger accepts less exact points
START_M = 0.6  # m, > 0: a start needs a grasp point this close; larger accepts less exact starts
MOST_POINTS = 20_000  # grasp points, > 0: the most in one scene
MOST_CORNERS = 20_000  # corners of polygons, > 0: the most in one scene
DEPTH_M = 3.0  # m, > 0: how far the ground reaches on either side of the plane
AROUND_M = 1.0  # m, > 0: how far the ground reaches around an approach's start or a goal onward
NEAREST_M = 1.0  # m, >= 0: least distance from a climb's end to an approach's start or a goal onward


def read_climb_scene(data: Mapping[str, Any], text: str, *, wardrobe: Wardrobe, problems: Problems) -> Scene:
    """Return the scene that a file's data describe; raise all mistakes together."""
    own = without_foreign_keys(data, "climb", problems)
    file = validate(ClimbFile, own, problems)
    environment = read_environment(own, problems)
    climbers = entries_of(own, "cast", ClimberEntry)
    climbs = _climbs(climbers, wardrobe, problems)
    if environment is not None:
        for key, climb in climbs:
            _check_places(key, climb, environment, problems)
    problems.raise_if_any()
    assert file is not None
    assert environment is not None
    return Scene(
        name=file.name,
        world=_ground(environment, [climb for _, climb in climbs]),
        summary=file.summary,
        kind="climb",
        seed=file.seed,
        extra=file.extra,
        text=text,
        environment=environment,
        climbs=tuple(climb for _, climb in climbs),
    )


def read_environment(data: Mapping[str, Any], problems: Problems) -> Environment | None:
    """Return a file's environment without the entries that have mistakes; None without a plane."""
    plane = most_of(PlaneEntry, data.get("plane"))
    if plane is None:
        return None
    given = data.get("seed", 0)
    seed = given if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else 0
    low_x, low_z, high_x, high_z = (float(number) for number in plane.bounds)
    bounds = (low_x, low_z, high_x, high_z)
    polygons = [
        polygon
        for key, entry in entries_of(data, "polygons", PolygonEntry)
        if (polygon := _polygon(key, entry, bounds, problems)) is not None
    ]
    _check_names("polygons", entries_of(data, "polygons", PolygonEntry), problems)
    if sum(len(polygon) for polygon in polygons) > MOST_CORNERS:
        problems.add(("polygons",), f"there are more than {MOST_CORNERS:,} corners")
        return None
    environment = Environment(bounds, polygons)
    edges = Edges.of(environment.polygons)
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in environment.polygons])
    points: list[GraspPoint] = []
    for key, entry in entries_of(data, "grasps", GraspEntry):
        if len(points) <= MOST_POINTS:
            points += _placed(key, entry, environment, edges, solid, problems)
    for key, entry in entries_of(data, "scatter", ScatterEntry):
        if len(points) <= MOST_POINTS:
            points += _scattered(key, entry, environment, seed, problems)
    if len(points) > MOST_POINTS:
        where = "grasps" if "grasps" in data else "scatter"
        problems.add((where,), f"there are more than {MOST_POINTS:,} grasp points")
        return None
    return environment.with_grasp_points(without_repeats(points))


def _polygon(
    key: Key, entry: PolygonEntry, bounds: tuple[float, float, float, float], problems: Problems
) -> np.ndarray | None:
    if entry.box is not None:
        x0, z0, x1, z1 = entry.box
        corners, which = [(x0, z0), (x1, z0), (x1, z1), (x0, z1)], "box"
    else:
        corners, which = [(float(x), float(z)) for x, z in entry.corners or ()], "corners"
    try:
        polygon = Environment(bounds, [corners]).polygons[0]
    except InvalidInput as error:
        problems.add((*key, which), str(error))
        return None
    if shapely.intersection(shapely.Polygon(polygon), shapely.box(*bounds)).area <= 0.0:
        problems.add((*key, which), f"lies outside the bounds {[float(number) for number in bounds]}")
        return None
    return polygon


def _placed(
    key: Key, entry: GraspEntry, environment: Environment, edges: Edges, solid: shapely.Geometry, problems: Problems
) -> list[GraspPoint]:
    """Return an entry's grasp points, up to the first impossible one, which is added as a mistake."""
    points: list[GraspPoint] = []
    for x, z in _places(entry):
        point = _point(x, z, entry, environment, edges, solid)
        if isinstance(point, str):
            problems.add((*key, "line" if entry.at is None else "at"), point)
            break
        points.append(point)
    return points


def _point(
    x: float, z: float, entry: GraspEntry, environment: Environment, edges: Edges, solid: shapely.Geometry
) -> GraspPoint | str:
    """Return a grasp point, or a message about its place."""
    low_x, low_z, high_x, high_z = environment.bounds
    if not (low_x <= x <= high_x and low_z <= z <= high_z):
        return f"({x:g}, {z:g}) lies outside the bounds {list(environment.bounds)}"
    if entry.bar:
        inside = shapely.intersects_xy(solid, x, z)
        return f"a bar at ({x:g}, {z:g}) would be inside something solid" if inside else GraspPoint(x, z, entry.kind)
    near = edges.nearest(x, z)
    if near is None or near.distance_m > ON_SURFACE_M:
        where = "there is none" if near is None else f"the nearest is {near.distance_m:.2g} m away"
        return f"({x:g}, {z:g}) is on no surface, {where}; for a bar in the open say bar = true"
    return GraspPoint(min(max(near.x, low_x), high_x), min(max(near.z, low_z), high_z), entry.kind, near.normal)


def _places(entry: GraspEntry) -> list[tuple[float, float]]:
    if entry.at is not None:
        return [(float(entry.at[0]), float(entry.at[1]))]
    assert entry.line is not None
    first, last = (np.array(end, dtype=np.float64) for end in entry.line)
    if entry.count is not None:
        shares = np.linspace(0.0, 1.0, entry.count)
    else:
        assert entry.spacing_m is not None
        length = float(np.hypot(*(last - first)))
        shares = np.arange(math.floor(min(length / entry.spacing_m + 1e-6, MOST_POINTS)) + 1) * entry.spacing_m / length
    return [(float(x), float(z)) for x, z in first + shares[:, None] * (last - first)]


def _scattered(
    key: Key, entry: ScatterEntry, environment: Environment, seed: int, problems: Problems
) -> list[GraspPoint]:
    if entry.surfaces is not None:
        tilts = tuple(TILTS[name] for name in entry.surfaces)
    else:
        low, high = entry.slope_deg or (0.0, 180.0)
        tilts = ((math.radians(low), math.radians(high)),)
    box = None if entry.within is None else (entry.within[0], entry.within[1], entry.within[2], entry.within[3])
    found = scatter(
        environment,
        Chosen(tilts, box, entry.clearance_m),
        spacing_m=entry.spacing_m,
        kind=entry.kind,
        noise_m=entry.noise_m,
        rng=chance(seed, f"scatter-{key[-1]}", "noise"),
    )
    if not found:
        problems.add(key, "there is no such surface, or no room for a foot on it")
    return list(found)


def _climbs(
    entries: list[tuple[Key, ClimberEntry]], wardrobe: Wardrobe, problems: Problems
) -> list[tuple[Key, ClimbActor]]:
    climbs: list[tuple[Key, ClimbActor]] = []
    for key, entry in entries:
        x, z = (float(number) for number in entry.start.at)
        goal = (float(entry.goal.at[0]), float(entry.goal.at[1]))
        towards = 1 if goal[0] >= x else -1
        on_ground = entry.approach is not None or entry.onward is not None
        onward = entry.onward
        climb = ClimbActor(
            name=entry.name or f"climber-{key[-1]}",
            figure=_figure(entry.figure),
            start=(x, z),
            facing={"right": 1, "left": -1, None: towards}[entry.start.facing],
            mode=entry.start.mode,
            goal=goal,
            tolerance_m=entry.goal.tolerance_m,
            goal_mode=entry.goal.mode,
            max_stances=entry.max_stances,
            character=wardrobe.dress(key, PerformerEntry(character=entry.character)) if on_ground else None,
            approach=_approach(entry, x),
            onward=None if onward is None else Goal(*_floats(onward.goal), tolerance_m=onward.tolerance_m),
        )
        climbs.append((key, climb))
    names: set[str] = set()
    for key, climb in climbs:
        if climb.name in names:
            problems.add((*key, "name"), f"there are two of the cast called {climb.name!r}")
        names.add(climb.name)
    return climbs


def _figure(wish: FigureEntry) -> FigureWish:
    return FigureWish(wish.name or "", wish.stature_m, wish.legs, wish.arms, wish.head)


def _approach(entry: ClimberEntry, x: float) -> Pose | None:
    if entry.approach is None:
        return None
    from_x, from_y = _floats(entry.approach.start)
    heading = entry.approach.heading_deg
    return from_x, from_y, math.atan2(-from_y, x - from_x) if heading is None else math.radians(heading)


def _floats(point: list[float]) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _check_places(key: Key, climb: ClimbActor, environment: Environment, problems: Problems) -> None:
    """Add starts without a grasp point, places out of bounds or in solids, and approaches that are too close."""
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in environment.polygons])
    low_x, low_z, high_x, high_z = environment.bounds
    for which, (x, z) in (("start", climb.start), ("goal", climb.goal)):
        if not (low_x <= x <= high_x and low_z <= z <= high_z):
            problems.add((*key, which), f"({x:g}, {z:g}) lies outside the bounds {list(environment.bounds)}")
            return
        if shapely.intersects_xy(solid.buffer(-ON_SURFACE_M), x, z):
            problems.add((*key, which), f"({x:g}, {z:g}) lies inside something solid")
            return
    hangs = climb.mode == "swing"
    kinds = ("pendent", "hybrid") if hangs else ("load-bearing", "hybrid")
    unfit = "is_floor" if hangs else "is_ceiling"
    points = [one for one in environment.grasp_points if one.kind in kinds and not getattr(one, unfit)]
    x, z = climb.start
    if not any(math.hypot(one.x - x, one.z - z) <= START_M for one in points):
        told = "hang from" if hangs else "stand on"
        problems.add((*key, "start"), f"there is no grasp point to {told} within {START_M:g} m of ({x:g}, {z:g})")
    ends = (
        ("approach", climb.approach, climb.start[0]),
        ("onward", None if climb.onward is None else (climb.onward.x, climb.onward.y), climb.goal[0]),
    )
    for which, place, other in ends:
        if place is not None and math.hypot(place[0] - other, place[1]) < NEAREST_M:
            problems.add((*key, which), f"must be at least {NEAREST_M:g} m away from the climb")


def _check_names(table: str, entries: list[tuple[Key, PolygonEntry]], problems: Problems) -> None:
    names: set[str] = set()
    for key, entry in entries:
        name = entry.name or f"polygon-{key[-1]}"
        if name in names:
            problems.add((*key, "name"), f"there are two {table} called {name!r}")
        names.add(name)


def _ground(environment: Environment, climbs: list[ClimbActor]) -> World:
    """Return level ground around the plane, with room for approaches and goals onward."""
    low_x, _, high_x, _ = environment.bounds
    places = [(low_x, -DEPTH_M), (high_x, DEPTH_M)]
    for climb in climbs:
        for place in (climb.approach, None if climb.onward is None else (climb.onward.x, climb.onward.y)):
            if place is not None:
                places += [(place[0] + side * AROUND_M, place[1] + side * AROUND_M) for side in (-1.0, 1.0)]
    least, greatest = np.min(places, axis=0), np.max(places, axis=0)
    return World(bounds=(float(least[0]), float(least[1]), float(greatest[0]), float(greatest[1])))
