"""What is drawn around a chosen thing: outline, name, and knobs to turn and shape it; and mistakes at their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.errors import EntryProblem
from gambol.files.entries import shown_key
from gambol.files.toml_lines import Key
from gambol.view.drag import make_draggable
from gambol.view.edit import entries
from gambol.view.edit.drawing import CHOSEN
from gambol.view.edit.entries import Data
from gambol.view.edit.knobs import Knob, Shape, knobs_of
from gambol.view.edit.outlines import SPOT_M, ground_of, place_of, region_of, spot_of, top_of
from gambol.view.edit.sketch import Sketch
from gambol.view.edit.toml_edit import get

ROOT = "/edit-handles"  # name of the node that holds all of it
PAINT_M = 0.03  # m, > 0: height of outlines above the ground and above tops
LABEL = 2.5  # radii of a knob, > 0: height of a label above the top of a thing
LONGEST = 60  # characters, >= 1: length of a message at a thing; the panel has all of it
BALL_M = 1.0  # m, > 0: radius of a knob before it is scaled

Shaped = Callable[[str, Shape, bool], None]  # takes the subject of a change, the change, and whether the hand let go


class Handles:
    """Outline, knobs and labels; knobs are moved, not made anew, so that they can be dragged all the while."""

    def __init__(self, scene: viser.SceneApi, choose: Callable[[Key], None], shaped: Shaped) -> None:
        self._scene, self._choose, self._shaped = scene, choose, shaped
        self._knobs: dict[Key, viser.IcosphereHandle] = {}
        self._shapes: dict[Key, Shape] = {}
        self._others: list[viser.SceneNodeHandle] = []

    def draw(self, data: Data, sketch: Sketch, chosen: Key, problems: Sequence[EntryProblem], *, knob_m: float) -> None:
        """chosen: the key of a thing or of a part of it; (): show only mistakes.  knob_m: radius of a knob."""
        for other in self._others:
            other.remove()
        self._others = []
        thing = entries.thing_key(chosen)
        knobs = {knob.key: knob for knob in knobs_of(data, sketch, thing, knob_m)} if thing else {}
        for key in [key for key in self._knobs if key not in knobs]:
            self._knobs.pop(key).remove()
        for knob in knobs.values():
            self._put(knob, sketch, knob_m)
        labels = dict(_part_labels(data, thing)) if thing else {}
        if thing:
            self._outline(data, sketch, thing if chosen == thing else chosen)
            labels[thing] = entries.name_of(data, thing)
        wrong = _problem_labels(data, problems)
        if thing and any(place_of(data, key) == place_of(data, thing) for key in wrong):
            del labels[thing]  # a mistake there matters more than its name
        labels.update(wrong)
        for number, (key, text) in enumerate(labels.items()):
            self._write(f"{ROOT}/label-{number}", text, data, sketch, key, knob_m)

    def clear(self) -> None:
        for handle in (*self._others, *self._knobs.values()):
            handle.remove()
        self._others, self._knobs = [], {}

    def _put(self, knob: Knob, sketch: Sketch, radius_m: float) -> None:
        ground = float(ground_of(sketch, np.array([[knob.x, knob.y]]))[0])
        position = (knob.x, knob.y, ground + max(knob.height_m, radius_m))
        self._shapes[knob.key] = knob.shape
        if knob.key in self._knobs:
            self._knobs[knob.key].position, self._knobs[knob.key].scale = position, radius_m
            return
        handle = self._scene.add_icosphere(
            f"{ROOT}/{shown_key(knob.key)}", BALL_M, CHOSEN, subdivisions=2, position=position, scale=radius_m,
            cast_shadow=False,
        )  # fmt: skip
        if knob.is_part:
            handle.on_click(lambda _: self._choose(knob.key))

        def moved(x: float, y: float, done: bool) -> None:
            shape = self._shapes[knob.key]
            self._shaped(shown_key(knob.key), lambda text, data, *_: shape(text, data, x, y), done)

        make_draggable(handle, moved)
        self._knobs[knob.key] = handle

    def _outline(self, data: Data, sketch: Sketch, key: Key) -> None:
        """Draw a line around a thing on the ground, and at the height of its top."""
        region = region_of(data, sketch, key)
        if region is None or region.is_empty:
            return
        rings = [np.asarray(part.exterior.coords)[:, :2] for part in getattr(region, "geoms", [region])]
        heights = [PAINT_M]
        if key in sketch.obstacles or key in sketch.movers:
            heights.append(top_of(data, sketch, key) + PAINT_M)
        segments = [_lines(ring, ground_of(sketch, ring) + height) for ring in rings for height in heights]
        lines = np.concatenate(segments).astype(np.float32)
        self._others.append(
            self._scene.add_line_segments(f"{ROOT}/outline", lines, CHOSEN, thickness=3.5, thickness_units="screen")
        )

    def _write(self, name: str, text: str, data: Data, sketch: Sketch, key: Key, knob_m: float) -> None:
        place = place_of(data, key)
        ground = float(ground_of(sketch, np.array([place]))[0])
        height = top_of(data, sketch, key)
        at = (*place, ground + height + (LABEL * knob_m if height > SPOT_M else knob_m))
        self._others.append(self._scene.add_label(name, text, position=at, anchor="bottom-center"))


def _lines(ring: NDArray[np.floating], heights: NDArray[np.floating]) -> NDArray[np.floating]:
    points = np.column_stack((ring, heights))
    return np.stack((points[:-1], points[1:]), axis=1)


def _part_labels(data: Data, thing: Key) -> Iterator[tuple[Key, str]]:
    """Yield the labels of a thing's places: times on a path, or numbers of way-points and goals."""
    for spot in entries.spots(data, thing):
        if len(spot.key) > 3 and spot.key[-2] == "path" and spot.key[-1] == 0:
            continue  # the mover's name is there
        if len(spot.key) > 3 and spot.key[-2] == "path":
            yield spot.key, f"{get(data, (*spot.key, 'time_s'), 0):g} s"
        elif len(spot.key) > 3 and spot.key[-2] in ("waypoints", "goals"):
            yield spot.key, str(int(spot.key[-1]) + 1)


def _problem_labels(data: Data, problems: Sequence[EntryProblem]) -> dict[Key, str]:
    """Return one line about what is wrong at each spot: several labels would cover each other."""
    found: dict[Key, list[str]] = {}
    for problem in problems:
        key = spot_of(data, entries.key_of(problem.key))
        if key:
            found.setdefault(key, []).append(problem.message)
    return {
        key: f"⚠ {_short(message)}{f' (+{len(others)})' if others else ''}" for key, (message, *others) in found.items()
    }


def _short(message: str) -> str:
    return message if len(message) <= LONGEST else f"{message[: LONGEST - 1].rstrip()}…"
