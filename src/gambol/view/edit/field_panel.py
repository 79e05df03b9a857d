"""Fields of a thing as controls of the panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import viser

from gambol.view.edit.fields import Field

DECIMALS = 6  # decimals of numbers that come from a browser; larger: longer texts
Set = Callable[[Field, Any], None]


class FieldPanel:
    """The controls for some fields; while the fields stay the same, only the values in them change."""

    def __init__(self, gui: viser.GuiApi, folder: viser.GuiFolderHandle, changed: Set) -> None:
        self._gui, self._folder, self._changed = gui, folder, changed
        self._fields: list[Field] = []
        self._controls: list[Any] = []

    def show(self, fields: Sequence[Field]) -> None:
        same = [_form(field) for field in fields] == [_form(field) for field in self._fields]
        self._fields = list(fields)
        if not same:
            self.clear()
            self._fields = list(fields)
            with self._folder:
                self._controls = [self._add(index, field) for index, field in enumerate(fields)]
            return
        for control, field in zip(self._controls, fields, strict=True):
            value = _within(field)
            if control.value != value:
                control.value = value

    def clear(self) -> None:
        for control in self._controls:
            control.remove()
        self._fields, self._controls = [], []

    def _add(self, index: int, field: Field) -> Any:
        gui, value = self._gui, _within(field)
        if field.kind in ("number", "whole"):
            step = 1 if field.kind == "whole" else field.step
            control = gui.add_number(field.label, value, min=field.low, max=field.high, step=step)
        elif field.kind == "slider":
            assert field.low is not None and field.high is not None and field.step is not None  # noqa: PT018
            control = gui.add_slider(field.label, field.low, field.high, field.step, value)
        elif field.kind == "place":
            control = gui.add_vector2(field.label, value, step=field.step)
        elif field.kind == "choice":
            control = gui.add_dropdown(field.label, field.options, initial_value=value)
        elif field.kind == "check":
            control = gui.add_checkbox(field.label, value)
        else:
            control = gui.add_text(field.label, value)

        def update(event: viser.GuiEvent) -> None:
            if event.client is not None:  # by hand
                self._changed(self._fields[index], _clean(event.target.value))

        control.on_update(update)
        return control


def _form(field: Field) -> tuple:
    return field.label, field.kind, field.low, field.high, field.step, field.options


def _within(field: Field) -> Any:
    """Return a field's value in the form and range of its control."""
    if field.kind == "slider":
        assert field.low is not None
        assert field.high is not None
        return min(max(float(field.value), field.low), field.high)
    if field.kind == "choice":
        return field.value if field.value in field.options else field.options[0]
    return tuple(float(one) for one in field.value) if field.kind == "place" else field.value


def _clean(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS)
    return tuple(_clean(one) for one in value) if isinstance(value, (tuple, list)) else value
