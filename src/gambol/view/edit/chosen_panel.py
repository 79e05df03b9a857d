"""The part of the panel about the chosen thing: its actions, fields and text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import viser

from gambol.errors import GambolError
from gambol.files.toml_lines import Key
from gambol.view.desk import Job
from gambol.view.edit import entries
from gambol.view.edit.entries import Data
from gambol.view.edit.entry_changes import add_point
from gambol.view.edit.entry_text import entry_text
from gambol.view.edit.field_panel import FieldPanel, Set
from gambol.view.edit.fields import part_name, thing_fields
from gambol.view.edit.mistakes import mistake_list


class Acts(NamedTuple):
    """The actions for the chosen thing."""

    duplicate: Job
    delete: Job
    add_point: Job
    use_text: Callable[[str], None]
    set_field: Set


class ChosenPanel:
    """Typed text stays until it is used, or until the thing changes in another way."""

    def __init__(self, gui: viser.GuiApi, leave: Callable[[Job], None], acts: Acts) -> None:
        with gui.add_folder("Chosen", visible=False) as self._folder:
            doing = gui.add_button_group("Do", ("Duplicate", "Delete"))
            self._point = gui.add_button("Add a point", visible=False, icon=viser.Icon.PLUS)
        self._fields = FieldPanel(gui, self._folder, acts.set_field)
        with gui.add_folder("As text", expand_by_default=False, visible=False) as self._text_folder:
            self._text = gui.add_text("Text", "", multiline=True)
            use = gui.add_button("Use this text")
            self._refused = gui.add_html("", visible=False)
        self._shown: tuple[Key, str] = ((), "")  # the thing that was shown last, and its text
        doing.on_click(lambda event: leave(acts.duplicate if event.target.value == "Duplicate" else acts.delete))
        self._point.on_click(lambda _: leave(acts.add_point))
        use.on_click(lambda _: leave(lambda: acts.use_text(self._text.value)))

    def show(self, text: str, data: Data, chosen: Key) -> None:
        """Show the controls for a thing or a part of it.  chosen: its key; (): show none."""
        thing = entries.thing_key(chosen)
        self._folder.visible = bool(thing)
        if not thing:
            self._fields.clear()
            self._text_folder.visible = False
            return
        part = part_name(chosen) if chosen != thing else ""
        self._folder.label = f"{entries.name_of(data, thing)}{', ' if part else ''}{part}"
        self._fields.show(thing_fields(data, thing, chosen if part else ()))
        added = add_point(text, data, thing)
        self._point.visible = added is not None
        if added is not None:
            self._point.label = f"Add a {part_name(added[1]).rsplit(' ', 1)[0]}"
        self._show_text(text, thing)

    def refuse(self, error: GambolError) -> None:
        """Write below the text what is wrong with it."""
        self._refused.content, self._refused.visible = mistake_list("Not used: what is wrong comes first.", error), True

    def _show_text(self, text: str, thing: Key) -> None:
        try:
            own = entry_text(text, thing)
        except GambolError:  # its tables stand in several places
            self._text_folder.visible = False
            return
        self._text_folder.visible = True
        if self._shown != (thing, own):
            self._shown = (thing, own)
            self._text.value = own
            self._refused.visible = False
