"""What is shown around a chosen thing: an outline, its name, knobs to turn and shape it; and what is wrong where."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import shapely
import viser
from shapely.geometry.base import BaseGeometry

from gambol.errors import EntryProblem
from gambol.io.entries import shown_key
from gambol.io.toml_lines import Key
from gambol.view.drag import make_draggable
from gambol.view.edit import entries
from gambol.view.edit.entries import BUMPS, Data
from gambol.view.edit.entry_changes import GRAIN, move, turn
from gambol.view.edit.sketch import Sketch
from gambol.view.edit.toml_edit import get, put

ROOT = "/edit-handles"
CHOSEN = (20, 110, 235)
KNOB_M = 0.16  # radius of a knob
BEYOND_M = 0.8  # from a thing to the knob that turns it
SIDE_M = 0.3  # from a side to the knob that moves it
AROUND_M = 0.12  # from a thing to its outline
PAINT_M = 0.03  # outlines are drawn this far above the ground
LABEL_M = 0.35  # from the top of a thing to what is written there
LEAST_SIZE_M = 0.05  # to which a thing can be made smaller
LONGEST = 70  # characters of a message at a thing

Shape = Callable[[str, Data, float, float], str]  # text, what it says, the place a knob is dragged to
Shaped = Callable[[str, Shape], None]  # what the change is about, and the change


class Knob(NamedTuple):
    """A handle at a place, and what dragging it does."""

    key: Key
    x: float
    y: float
    shape: Shape


class Handles:
    """Outline, knobs and labels; what stays is moved, not made anew, so that it can be dragged all the while."""

    def __init__(self, scene: viser.SceneApi, choose: Callable[[Key], None], shaped: Shaped) -> None:
        self._scene, self._choose, self._shaped = scene, choose, shaped
        self._knobs: dict[Key, viser.IcosphereHandle] = {}
        self._shapes: dict[Key, Shape] = {}
        self._others: list[viser.SceneNodeHandle] = []

    def draw(self, data: Data, sketch: Sketch, chosen: Key, problems: Sequence[EntryProblem]) -> None:
        """chosen: the key of a thing or of a part of it; none: only mistakes are shown."""
        for other in self._others:
            other.remove()
        self._others = []
        thing = entries.thing_key(chosen)
        knobs = {knob.key: knob for knob in _knobs(data, sketch, thing)} if thing else {}
        for key in [key for key in self._knobs if key not in knobs]:
            self._knobs.pop(key).remove()
        for knob in knobs.values():
            self._put(knob, sketch)
        if thing:
            self._outline(data, sketch, thing, chosen)
        self._write_problems(data, sketch, problems)

    def clear(self) -> None:
        for handle in (*self._others, *self._knobs.values()):
            handle.remove()
        self._others, self._knobs = [], {}

    def _put(self, knob: Knob, sketch: Sketch) -> None:
        position = (knob.x, knob.y, _ground(sketch, knob.x, knob.y) + KNOB_M)
        self._shapes[knob.key] = knob.shape
        if knob.key in self._knobs:
            self._knobs[knob.key].position = position
            return
        handle = self._scene.add_icosphere(
            f"{ROOT}/{shown_key(knob.key)}", KNOB_M, CHOSEN, subdivisions=2, position=position, cast_shadow=False
        )
        is_point = isinstance(knob.key[-1], int) and knob.key[-2] != "size"
        if is_point:
            handle.on_click(lambda _: self._choose(knob.key))

        def moved(x: float, y: float, done: bool) -> None:
            shape = self._shapes[knob.key]
            self._shaped(shown_key(knob.key), lambda text, data, *_: shape(text, data, x, y))

        make_draggable(handle, moved)
        self._knobs[knob.key] = handle

    def _outline(self, data: Data, sketch: Sketch, thing: Key, chosen: Key) -> None:
        region = _region(data, sketch, thing if chosen == thing else chosen)
        if region is None or region.is_empty:
            return
        segments = []
        for part in getattr(region, "geoms", [region]):
            ring = np.asarray(part.exterior.coords)[:, :2]
            heights = np.array([_ground(sketch, x, y) for x, y in ring]) + PAINT_M
            points = np.column_stack((ring, heights))
            segments.append(np.stack((points[:-1], points[1:]), axis=1))
        lines = np.concatenate(segments).astype(np.float32)
        self._others.append(
            self._scene.add_line_segments(f"{ROOT}/outline", lines, CHOSEN, thickness=3.0, thickness_units="screen")
        )
        name = entries.name_of(data, thing)
        x, y, z = _top(data, sketch, chosen)
        self._others.append(self._scene.add_label(f"{ROOT}/name", name, position=(x, y, z), anchor="bottom-center"))

    def _write_problems(self, data: Data, sketch: Sketch, problems: Sequence[EntryProblem]) -> None:
        for number, problem in enumerate(problems):
            spot = spot_of(data, entries.key_of(problem.key))
            if not spot:
                continue
            x, y, z = _top(data, sketch, spot)
            short = problem.message if len(problem.message) <= LONGEST else f"{problem.message[:LONGEST]}…"
            self._others.append(
                self._scene.add_label(f"{ROOT}/problem-{number}", f"⚠ {short}", position=(x, y, z + LABEL_M),
                                      anchor="bottom-center")
            )  # fmt: skip


def spot_of(data: Data, key: Key) -> Key:
    """Return the spot, or else the thing, that a key is about; none where it is about neither."""
    thing = entries.thing_key(key)
    if not thing:
        return ()
    known = {spot.key for spot in entries.spots(data, thing)}
    return next((key[:length] for length in range(len(key), len(thing), -1) if key[:length] in known), thing)


def _knobs(data: Data, sketch: Sketch, thing: Key) -> list[Knob]:
    entry = get(data, thing, {})
    found = [Knob(spot.key, spot.x, spot.y, _moving(spot.key)) for spot in entries.corner_spots(data, thing)]
    if thing[: len(BUMPS)] == BUMPS:
        x, y = entries.middle(entry)
        return [Knob((*thing, "radius_m"), x + float(entry.get("radius_m", 1.0)), y, _radius(thing))]
    if thing[0] == "cast":
        return _facing_knob(data, thing)
    if thing[0] not in ("obstacles", "movers", "meshes") or "recording" in entry:
        return []
    heading = math.radians(entry.get("heading_deg", 0.0))
    ahead, aside = (math.cos(heading), math.sin(heading)), (-math.sin(heading), math.cos(heading))
    x, y = entries.middle(entry)
    reach = 0.0
    if isinstance(entry.get("size"), list):
        length, width = entry["size"]
        reach = 0.5 * length
        found.append(Knob((*thing, "size", 0), x + (0.5 * length + SIDE_M) * ahead[0],
                          y + (0.5 * length + SIDE_M) * ahead[1], _side(thing, 0, ahead)))  # fmt: skip
        found.append(Knob((*thing, "size", 1), x + (0.5 * width + SIDE_M) * aside[0],
                          y + (0.5 * width + SIDE_M) * aside[1], _side(thing, 1, aside)))  # fmt: skip
    if "radius_m" in entry:
        radius = float(entry["radius_m"])
        found.append(Knob((*thing, "radius_m"), x, y - radius - SIDE_M, _radius(thing, SIDE_M)))
    elif "falling" not in entry:
        if not reach:
            region = _region(data, sketch, thing)
            reach = 0.0 if region is None or region.is_empty else 0.5 * math.dist(region.bounds[:2], region.bounds[2:])
        away = reach + SIDE_M + BEYOND_M
        found.append(Knob((*thing, "turn"), x + away * ahead[0], y + away * ahead[1], _turning(thing)))
    return found


def _facing_knob(data: Data, thing: Key) -> list[Knob]:
    places = entries.spots(data, thing)
    if not places or places[0].key[-1] != "start":
        return []
    heading = math.radians(entries.facing_deg(data, thing))
    x, y = places[0].x + BEYOND_M * 1.4 * math.cos(heading), places[0].y + BEYOND_M * 1.4 * math.sin(heading)

    def shape(text: str, data: Data, x: float, y: float) -> str:
        start = entries.spots(data, thing)[0]
        return put(text, (*thing, "heading_deg"), float(round(math.degrees(math.atan2(y - start.y, x - start.x)))))

    return [Knob((*thing, "turn"), x, y, shape)]


def _moving(key: Key) -> Shape:
    return lambda text, data, x, y: move(text, data, key, round(x, GRAIN), round(y, GRAIN))


def _turning(thing: Key) -> Shape:
    def shape(text: str, data: Data, x: float, y: float) -> str:
        x0, y0 = entries.middle(get(data, thing, {}))
        return turn(text, data, thing, float(round(math.degrees(math.atan2(y - y0, x - x0)))))

    return shape


def _side(thing: Key, axis: int, direction: tuple[float, float]) -> Shape:
    def shape(text: str, data: Data, x: float, y: float) -> str:
        x0, y0 = entries.middle(get(data, thing, {}))
        half = (x - x0) * direction[0] + (y - y0) * direction[1] - SIDE_M
        return put(text, (*thing, "size", axis), round(max(2.0 * half, LEAST_SIZE_M), GRAIN))

    return shape


def _radius(thing: Key, beyond_m: float = 0.0) -> Shape:
    def shape(text: str, data: Data, x: float, y: float) -> str:
        radius = math.dist((x, y), entries.middle(get(data, thing, {}))) - beyond_m
        return put(text, (*thing, "radius_m"), round(max(radius, LEAST_SIZE_M), GRAIN))

    return shape


def _region(data: Data, sketch: Sketch, key: Key) -> BaseGeometry | None:
    """Return the outline of a thing or spot in plan view."""
    if key in sketch.obstacles:
        regions = [one.footprint.region(one.pose) for one in sketch.obstacles[key]]
        return shapely.union_all(shapely.buffer(regions, AROUND_M))
    if key in sketch.movers:
        regions = [one.footprint.region(one.trajectory.at(0.0)[0]) for one in sketch.movers[key]]
        return shapely.union_all(shapely.buffer(regions, AROUND_M))
    if key[: len(BUMPS)] == BUMPS:
        entry = get(data, key, {})
        return shapely.Point(*entries.middle(entry)).buffer(float(entry.get("radius_m", 1.0)))
    value = get(data, key)
    spots = entries.spots(data, entries.thing_key(key)) + entries.corner_spots(data, entries.thing_key(key))
    spot = next((one for one in spots if one.key == key), spots[0] if spots else None)
    if spot is None:
        return None
    area = value if isinstance(value, list) and len(value) == 4 else get(value, ("area",))
    if area is not None:
        return shapely.box(*area).buffer(AROUND_M)
    tolerance = get(value, ("tolerance_m",)) or get(value, ("circle", "radius_m")) or 0.4
    return shapely.Point(spot.x, spot.y).buffer(float(tolerance) + AROUND_M)


def _top(data: Data, sketch: Sketch, key: Key) -> tuple[float, float, float]:
    """Return the place above a thing or spot at which something is written."""
    thing = entries.thing_key(key)
    spots = [*entries.spots(data, thing), *entries.corner_spots(data, thing)]
    spot = next((one for one in spots if one.key == key), spots[0] if spots else None)
    if spot is None:
        return 0.0, 0.0, 0.0
    height = 1.9 if spot.key[-1] == "start" else 0.1
    if key == thing and key in sketch.obstacles:
        height = max((one.top_m for one in sketch.obstacles[key]), default=0.1)
    elif key == thing and key in sketch.movers:
        height = max((float(one.trajectory.at(0.0)[1][1]) for one in sketch.movers[key]), default=0.1)
    return spot.x, spot.y, _ground(sketch, spot.x, spot.y) + height + 0.1


def _ground(sketch: Sketch, x: float, y: float) -> float:
    terrain = sketch.world.terrain
    return 0.0 if terrain is None else float(terrain.height(np.array([[x, y]], dtype=np.float64))[0])
