"""Editing a scene: a user adds, chooses, drags, turns, shapes and deletes things, and can undo all of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import viser

from gambol.errors import GambolError
from gambol.files.entries import shown_key
from gambol.files.toml_lines import Key
from gambol.view.desk import Job
from gambol.view.document import Document
from gambol.view.edit import entries
from gambol.view.edit.chosen_panel import Acts, ChosenPanel
from gambol.view.edit.drawing import Drawing
from gambol.view.edit.entry_changes import GRAIN, add_point, can_lose, delete, duplicate, move
from gambol.view.edit.entry_text import with_entry_text
from gambol.view.edit.field_panel import FieldPanel
from gambol.view.edit.fields import Field, scene_fields
from gambol.view.edit.files import FilesPanel
from gambol.view.edit.handles import Handles
from gambol.view.edit.knobs import Shape
from gambol.view.edit.looking import USUAL_KNOB_M, knob_radius_m, seen_place
from gambol.view.edit.mistakes import problem_list
from gambol.view.edit.outlines import place_of, spot_of
from gambol.view.edit.sketch import Sketch, Sketcher
from gambol.view.edit.templates import add, templates_for
from gambol.view.edit.toml_edit import get
from gambol.view.tab import Tab
from gambol.view.viewer import Viewer

NOTHING = "–"  # stands for no thing in a list
MOST_LISTED = 1000  # >= 1: things in the list of names; larger: slower in huge scenes
KNOB_CHANGE = 1.3  # > 1: knobs are drawn anew if their size has to change by this factor; larger: more seldom


class EditTab(Tab):
    """A change that makes the scene invalid is kept, and its mistakes are shown at their places."""

    title = "Edit"
    order = 50

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        gui = viewer.gui
        with gui.add_folder(None) as self._while_open:
            self._problems = gui.add_html("", visible=False)
            self._wrong = gui.add_button("Choose what is wrong", visible=False, color="red")
            self._changes = gui.add_button_group("Changes", ("Undo", "Redo", "Save"))
            self._what = gui.add_dropdown("Add", templates_for("plan"))
            self._add = gui.add_button("Add it", icon=viser.Icon.PLUS)
            self._things = gui.add_dropdown("Chosen", tuple[str, ...]((NOTHING,)))
            self._keys: dict[str, Key] = {}
            acts = Acts(self._duplicate, self._delete, self._add_point, self._use_text, self._set)
            self._panel = ChosenPanel(gui, viewer.desk.leave, acts)
            with gui.add_folder("Scene", expand_by_default=False) as scene:
                pass
            self._scene_fields = FieldPanel(gui, scene, self._set)
        self.files = FilesPanel(viewer)
        self._drawing = Drawing(viewer.scene, self._choose_later, self._moved)
        self._handles = Handles(viewer.scene, self._choose_later, self._shaped)
        self._sketcher: Sketcher | None = None
        self._ground = ""  # what the text said about the ground that is shown
        self.chosen: Key = ()  # key of a thing, or of a part of one
        self._document: Document | None = None  # was shown last
        self._knob_m = USUAL_KNOB_M
        self._listen()
        self._add_commands()

    def accepts(self) -> bool:
        return True

    def show(self) -> None:
        document = self.viewer.document
        if document is not self._document:
            self._document, self.chosen = document, ()
        self.files.refresh()
        editable = document is not None and document.scene.kind != "climb"  # climbs are not on the ground
        self._while_open.visible = editable
        self._ground = ""
        if document is not None and editable:
            if self._sketcher is None or self._sketcher.beside != document.beside:
                self._sketcher = Sketcher(document.beside)
            self._refresh()

    def hide(self) -> None:
        self._drawing.clear()
        self._handles.clear()
        if self.viewer.document is not None and self._ground:
            self.viewer.stage.show_scene(self.viewer.document.scene)
        self._ground = ""

    def choose(self, key: Key) -> None:
        """Choose a thing or a part of one by its key; (): choose nothing."""
        self.chosen = key
        self._refresh()

    def edit(self, change, *, about: str = "") -> None:
        """Change the text.  change: from a text, and what it says, to the changed text."""
        document = self.viewer.document
        if document is None:
            return
        data = document.data
        try:
            document.edit(lambda text: change(text, data), about=about)
        finally:
            self._refresh()  # after an error, a dragged thing goes back

    def _listen(self) -> None:
        desk = self.viewer.desk
        jobs = {"Undo": lambda: self.step(True), "Redo": lambda: self.step(False), "Save": self.files.save}
        self._changes.on_click(lambda event: desk.leave(jobs[event.target.value]))
        self._wrong.on_click(lambda _: desk.leave(self._choose_wrong))
        self._add.on_click(self._add_asked)

        def chosen(event: viser.GuiEvent) -> None:
            if event.client is not None:
                desk.leave(lambda: self.choose(self._keys.get(self._things.value, ())))

        def looks(camera: viser.CameraHandle) -> None:
            if self.viewer.tab is self and self.chosen:
                desk.leave(self._fit_knobs, about="knobs")

        self._things.on_update(chosen)

        def joined(client: viser.ClientHandle) -> None:
            client.camera.on_update(looks)

        self.viewer.server.on_client_connect(joined)

    def _add_commands(self) -> None:
        gui = self.viewer.gui
        self._command(gui.add_command("Save the scene", hotkey="S", modifier="cmd/ctrl"), self.files.save)
        self._command(gui.add_command("Duplicate what is chosen", hotkey="D", modifier="shift"), self._duplicate)
        self._command(gui.add_command("Delete what is chosen", hotkey="delete"), self._delete)
        self._command(gui.add_command("Choose nothing", hotkey="escape"), lambda: self.choose(()))

    def _command(self, command: viser.CommandHandle, job: Job) -> None:
        command.on_trigger(lambda _: self.viewer.desk.leave(job) if self.viewer.tab is self else None)

    def _add_asked(self, event: viser.GuiEvent) -> None:
        x, y = seen_place(event.client.camera) if event.client is not None else (0.0, 0.0)
        what = self._what.value

        def change(text: str, data: entries.Data) -> str:
            text, self.chosen = add(text, data, what, x, y)
            return text

        self.viewer.desk.leave(lambda: self.edit(change))

    def step(self, back: bool) -> None:
        document = self.viewer.document
        if document is not None:
            document.undo() if back else document.redo()
            self._refresh()

    def _duplicate(self) -> None:
        def change(text: str, data: entries.Data) -> str:
            text, self.chosen = duplicate(text, data, entries.thing_key(self.chosen))
            return text

        if self.chosen:
            self.edit(change)

    def _delete(self) -> None:
        if not self.chosen or self.viewer.document is None:
            return
        thing = entries.thing_key(self.chosen)
        is_part = can_lose(self.viewer.document.data, self.chosen)
        key = self.chosen if is_part else thing
        self.chosen = thing if is_part else ()
        self.edit(lambda text, data: delete(text, data, key))

    def _add_point(self) -> None:
        def change(text: str, data: entries.Data) -> str:
            added = add_point(text, data, entries.thing_key(self.chosen))
            if added is None:
                return text
            text, self.chosen = added
            return text

        if self.chosen:
            self.edit(change)

    def _use_text(self, new: str) -> None:
        thing = entries.thing_key(self.chosen)
        if not thing:
            return
        try:
            self.edit(lambda text, data: with_entry_text(text, thing, new))
        except GambolError as error:
            self._panel.refuse(error)
            raise

    def _set(self, field: Field, value: Any) -> None:
        chosen = self.chosen
        about = f"{field.label} of {shown_key(chosen)}"

        def change(text: str, data: entries.Data) -> str:
            return text if get(data, chosen) is None else field.apply(text, data, value)

        self.viewer.desk.leave(lambda: self.edit(change, about=about), about=about)

    def _moved(self, key: Key, x: float, y: float) -> None:
        """Take a drag of a spot to a place."""

        def work() -> None:
            self.chosen = key
            self.edit(lambda text, data: move(text, data, key, round(x, GRAIN), round(y, GRAIN)))

        self.viewer.desk.leave(work)

    def _shaped(self, about: str, shape: Shape, done: bool) -> None:
        """Take a drag of a knob."""
        self.viewer.desk.leave(
            lambda: self.edit(lambda text, data: shape(text, data, 0.0, 0.0), about=about), about=f"knob {about}"
        )

    def _choose_wrong(self) -> None:
        """Choose the next spot or thing with a mistake after the chosen one."""
        document = self.viewer.document
        found = [] if document is None else self._wrong_keys(document.data)
        if found:
            self.choose(found[(found.index(self.chosen) + 1) % len(found) if self.chosen in found else 0])

    def _wrong_keys(self, data: entries.Data) -> list[Key]:
        """Return the keys of spots and things with mistakes, each once."""
        problems = self.viewer.document.problems if self.viewer.document is not None else ()
        keys = (spot_of(data, entries.key_of(problem.key)) for problem in problems)
        return list(dict.fromkeys(key for key in keys if key))

    def _fit_knobs(self) -> None:
        """Draw the knobs anew if a camera has moved, so that their size no longer fits."""
        document = self.viewer.document
        if document is not None and self.chosen:
            ratio = self._knob_size(document.data) / self._knob_m
            if not 1.0 / KNOB_CHANGE < ratio < KNOB_CHANGE:
                self._refresh()

    def _knob_size(self, data: entries.Data) -> float:
        cameras = [client.camera for client in self.viewer.server.get_clients().values()]
        return knob_radius_m(cameras, place_of(data, self.chosen))

    def _choose_later(self, key: Key) -> None:
        self.viewer.desk.leave(lambda: self.choose(key), about="choose")

    def _refresh(self) -> None:
        """Show the document as it is now."""
        document, viewer = self.viewer.document, self.viewer
        if document is None or document.scene.kind == "climb" or self._sketcher is None or viewer.tab is not self:
            return
        data = document.data
        if get(data, self.chosen) is None:
            self.chosen = ()
        sketch = self._sketcher.sketch(document.readable_data, document.scene.world.bounds)
        self._show_ground(data, sketch)
        thing = entries.thing_key(self.chosen)
        self._drawing.draw(data, sketch, set(self._wrong_keys(data)), thing)
        self._knob_m = self._knob_size(data)
        self._handles.draw(data, sketch, self.chosen, document.problems, knob_m=self._knob_m)
        self._show_panel(data)
        viewer.write_title()
        viewer.list_tabs()

    def _show_ground(self, data: entries.Data, sketch: Sketch) -> None:
        said = repr((sketch.world.bounds, get(data, ("world", "terrain")), data.get("meshes")))
        if said != self._ground:
            self.viewer.stage.show(sketch.world)
            self._ground = said

    def _show_panel(self, data: entries.Data) -> None:
        document = self.viewer.document
        assert document is not None
        known = entries.things(data)[:MOST_LISTED]
        count = Counter(one.name for one in known)
        self._keys = {
            one.name if count[one.name] == 1 else f"{one.name} ({one.key[0]} {one.key[-1]})": one.key for one in known
        }
        options = (NOTHING, *self._keys)
        if self._things.options != options:
            self._things.options = options
        thing = entries.thing_key(self.chosen)
        self._things.value = next((name for name, key in self._keys.items() if key == thing), NOTHING)
        offered = templates_for(str(data.get("kind", "plan")))
        if self._what.options != offered:
            self._what.options = offered
        self._panel.show(document.text, data, self.chosen)
        self._scene_fields.show(scene_fields(data))
        self._problems.content, self._problems.visible = problem_list(document.problems, data), not document.is_valid
        self._wrong.visible = bool(self._wrong_keys(data))
