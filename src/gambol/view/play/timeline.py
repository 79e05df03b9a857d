"""The timeline of what is played: a slider, a button that starts and pauses, and a clock that passes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import viser

from gambol.view.play.clock import Clock

if TYPE_CHECKING:
    from gambol.view.tab import Tab

STEP_S = 0.01  # of the slider
HELD_S = 0.4  # after a hand has moved the slider, it is left to the hand
SPEEDS = {"¼": 0.25, "½": 0.5, "1": 1.0, "2": 2.0, "4": 4.0}
PANEL_EVERY = 3  # pictures: what the panel says is written less often than bodies are moved


class Timeline:
    """Controls of a tab that plays something.  All but its making happens on the desk."""

    def __init__(self, tab: Tab, show: Callable[[float], None], write: Callable[[], None] | None = None) -> None:
        """Add slider and button to the panel.

        show: shows what is played at a time; write: writes into the panel what is so at the clock's time.
        """
        gui, desk = tab.viewer.gui, tab.viewer.desk
        self.clock = Clock()
        self.slider = gui.add_slider("Time", 0.0, STEP_S, STEP_S, 0.0, hint="In seconds")
        self.button = gui.add_button("Start")
        self._tab, self._desk, self._show, self._write = tab, desk, show, write
        self._speed: viser.GuiDropdownHandle[str] | None = None
        self._loop: viser.GuiCheckboxHandle | None = None
        self._seen, self._held_until, self._ticks = 0.0, 0.0, 0
        self.slider.on_update(tab.when_asked(lambda: self.move_to(self.slider.value)))
        self.button.on_click(lambda _: desk.leave(self.start_or_pause))

    def add_speed(self) -> tuple[viser.GuiDropdownHandle[str], viser.GuiCheckboxHandle]:
        """Add controls of how fast it goes, and whether again and again, to the panel."""
        gui = self._tab.viewer.gui
        self._speed = gui.add_dropdown("Speed", tuple(SPEEDS), initial_value="1")
        self._loop = gui.add_checkbox("Loop", True)
        for control in (self._speed, self._loop):
            control.on_update(self._tab.when_asked(self._read_speed))
        return self._speed, self._loop

    def begin(self, duration_s: float, *, time_s: float = 0.0, runs: bool = True) -> None:
        """Play something else, of so many seconds, from a time on."""
        self.clock = Clock(duration_s, time_s=min(time_s, duration_s))
        self._read_speed()
        if runs:
            self.clock.start()
        self.slider.value = 0.0
        self.slider.max = round(max(math.ceil(duration_s / STEP_S) * STEP_S, STEP_S), 2)
        self._seen, self._held_until = time.monotonic(), 0.0
        self._show(self.clock.time_s)
        self.write()
        self._desk.keep_doing(self._tick)

    def end(self) -> None:
        """Play nothing any more."""
        self._desk.keep_doing(None)
        self.clock.runs = False

    def start_or_pause(self) -> None:
        if self.clock.runs:
            self.clock.runs = False
        else:
            self._seen = time.monotonic()
            self.clock.start()
        self.write()

    def move_to(self, time_s: float) -> None:
        """Go to where a hand has moved the slider, which is left to it for a while."""
        self._held_until = time.monotonic() + HELD_S
        self.go_to(time_s)

    def go_to(self, time_s: float) -> None:
        """Show another time; what runs goes on from there."""
        self.clock.go_to(time_s)
        self._show(self.clock.time_s)
        self.write()

    def write(self) -> None:
        """Write the time into the panel, and what is so at it."""
        label = "Pause" if self.clock.runs else "Start"
        if self.button.label != label:
            self.button.label = label
        if time.monotonic() >= self._held_until:
            self.slider.value = round(self.clock.time_s, 2)
        if self._write is not None:
            self._write()

    def _read_speed(self) -> None:
        if self._speed is not None and self._loop is not None:
            self.clock.speed, self.clock.loops = SPEEDS[self._speed.value], self._loop.value

    def _tick(self) -> None:
        """Let the time pass since the last picture."""
        now = time.monotonic()
        passed, self._seen = now - self._seen, now
        if not self.clock.runs or now < self._held_until:
            return
        self.clock.pass_by(passed)
        try:
            self._show(self.clock.time_s)
        except Exception:
            self.clock.runs = False  # once is enough to say what is wrong
            raise
        self._ticks += 1
        if self._ticks % PANEL_EVERY == 0 or not self.clock.runs:
            self.write()
