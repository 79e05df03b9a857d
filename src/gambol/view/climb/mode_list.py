"""The modes of a climb in the panel: a band and a list to click on."""

from __future__ import annotations

from collections.abc import Callable

from gambol.view.climb.played import Played, Stretch
from gambol.view.climb.words import band_html, mark_html
from gambol.view.viewer import Viewer


class ModeList:
    """One hidden button for each mode; the texts that name the mode are labels of the button."""

    def __init__(self, viewer: Viewer, go_to: Callable[[float], None]) -> None:
        """go_to: is called on the desk with the time at which the clicked mode begins."""
        self._viewer, self._go_to = viewer, go_to
        self._stretches: list[Stretch] = []
        self.folder = viewer.gui.add_folder("Modes")
        with self.folder:
            self._mark = viewer.gui.add_html("")
            self._text = viewer.gui.add_html("")
        self._buttons: list[str] = []

    def show(self, played: Played | None) -> None:
        """Show the modes of a climb in place of those before."""
        self._stretches = [] if played is None else played.stretches()
        while len(self._buttons) < len(self._stretches):
            self._add_button(len(self._buttons))
        self._text.content = band_html(self._stretches, self._buttons) if self._stretches else ""
        self._mark.content = ""

    def mark(self, duration_s: float, time_s: float) -> None:
        """Mark a time on the band."""
        self._mark.content = mark_html(duration_s, time_s) if self._stretches else ""

    def _add_button(self, number: int) -> None:
        with self.folder:
            button = self._viewer.gui.add_button(f"Mode {number}")
        button.on_click(lambda _: self._viewer.desk.leave(lambda: self._go(number)))
        self._buttons.append(button._impl.uuid)

    def _go(self, number: int) -> None:
        if number < len(self._stretches):
            self._go_to(self._stretches[number].start_s)
