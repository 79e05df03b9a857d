"""An obstacle that is changed while planning: it is moved, turned or resized, and the way follows."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import viser

from gambol.files.entries import Problems, parse_toml, readable
from gambol.files.toml_lines import Key
from gambol.scenes.things import obstacle_of
from gambol.scenes.world_model import ObstacleEntry
from gambol.view.edit.entries import Data, middle
from gambol.view.edit.entry_changes import GRAIN, move
from gambol.view.edit.entry_text import entry_text, with_entry_text
from gambol.view.edit.field_panel import FieldPanel
from gambol.view.edit.fields import Field, thing_fields
from gambol.view.edit.handles import Handles
from gambol.view.edit.knobs import Shape
from gambol.view.edit.looking import knob_radius_m
from gambol.view.edit.sketch import Sketch
from gambol.view.later import Edit, LaterEdits
from gambol.view.viewer import Viewer
from gambol.world.world import Obstacle, World

OWN: Key = ("obstacles", 0)  # the key of an entry in a text of its own
NAME = "Name"  # label of the field that only the tab "Edit" shows, since obstacles are known by their names here
Changed = Callable[[Obstacle, float], None]  # takes an obstacle as it is now, and when that was asked for


class Held:
    """The entry of one obstacle apart from its file: fast to change, and put back later."""

    def __init__(self, text: str, key: Key) -> None:
        own = entry_text(text, key)
        self.key = key
        self.text = own if own.lstrip().startswith("[") else f"obstacles = [{own}]"

    @property
    def data(self) -> Data:
        return parse_toml(self.text)

    @property
    def obstacle(self) -> Obstacle | None:
        return self._made(self.text)

    def change(self, edit: Edit) -> Obstacle | None:
        """Change it and return the obstacle; None: that would be invalid, and it stays as it was."""
        text = edit(self.text, self.data)
        made = self._made(text)
        if made is not None:
            self.text = text
        return made

    def put_back(self, text: str, data: Data) -> str:
        """Return the file's text with the entry as it is now."""
        return with_entry_text(text, self.key, entry_text(self.text, OWN))

    def _made(self, text: str) -> Obstacle | None:
        entry = readable(ObstacleEntry, parse_toml(text)["obstacles"][0])
        return None if entry is None else obstacle_of(entry, self.key, Problems(""))


class Holding:
    """The chosen obstacle, with an outline, knobs and fields."""

    def __init__(self, viewer: Viewer, folder: viser.GuiFolderHandle, edits: LaterEdits, changed: Changed) -> None:
        self._viewer, self._folder, self._edits, self._changed = viewer, folder, edits, changed
        self._fields = FieldPanel(viewer.gui, folder, self._set)
        self._handles = Handles(viewer.scene, lambda _: None, self._shaped)
        self._held: Held | None = None
        self._world: World | None = None  # bounds and ground alone

    def take(self, key: Key, world: World) -> None:
        """Choose the obstacle of a key, in place of the one before."""
        document = self._viewer.document
        if document is None or (self._held is not None and self._held.key == key):
            return
        self._edits.write()
        self._held, self._world = Held(document.text, key), World(world.bounds, terrain=world.terrain)
        self._draw()

    def let_go(self) -> None:
        self._held = None
        self._handles.clear()
        self._fields.clear()
        self._folder.visible = False

    def move(self, key: Key, world: World, x: float, y: float, asked: float, *, done: bool) -> None:
        """Choose an obstacle and move it.  done: the hand let go there."""
        self.take(key, world)
        self._change(lambda text, data: move(text, data, OWN, round(x, GRAIN), round(y, GRAIN)), asked, done)

    def redraw(self) -> None:
        """Draw outline and knobs anew."""
        if self._held is not None:
            self._draw()

    def _change(self, edit: Edit, asked: float, done: bool) -> None:
        held = self._held
        if held is None:
            return
        made = held.change(edit)
        if made is not None:
            self._edits.note(f"obstacle {made.name}", held.put_back, held=not done)
            self._changed(made, asked)

    def _shaped(self, about: str, shape: Shape, done: bool) -> None:
        asked = time.perf_counter()
        self._viewer.desk.leave(
            lambda: self._change(lambda text, data: shape(text, data, 0.0, 0.0), asked, done), about=f"knob {about}"
        )

    def _set(self, field: Field, value: Any) -> None:
        asked = time.perf_counter()
        self._viewer.desk.leave(
            lambda: self._change(lambda text, data: field.apply(text, data, value), asked, True),
            about=f"field {field.label}",
        )

    def _draw(self) -> None:
        held = self._held
        assert held is not None
        obstacle, data = held.obstacle, held.data
        if obstacle is None or self._world is None:
            return
        cameras = [client.camera for client in self._viewer.server.get_clients().values()]
        sketch = Sketch(self._world, {OWN: [obstacle]}, {})
        self._handles.draw(data, sketch, OWN, (), knob_m=knob_radius_m(cameras, middle(data["obstacles"][0])))
        self._folder.visible = True
        self._fields.show([field for field in thing_fields(data, OWN) if field.label != NAME])


def with_obstacle(world: World, obstacle: Obstacle) -> World:
    """Return a world with an obstacle in place of the one of its name."""
    things = tuple(obstacle if one.name == obstacle.name else one for one in world.obstacles)
    return World(world.bounds, things, world.movers, world.terrain)
