"""The timeline of a tab that plays something: a clock, a slider, and a button that starts and pauses."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import viser

if TYPE_CHECKING:
    from gambol.view.tab import Tab

STEP_S = 0.01  # s, > 0: step of the slider
HELD_S = 0.4  # s, >= 0: the clock leaves the slider to the hand this long after each move
SPEEDS = {"¼": 0.25, "½": 0.5, "1": 1.0, "2": 2.0, "4": 4.0}  # seconds played for each second, by labels
PANEL_EVERY = 3  # pictures, >= 1: from one writing of the panel to the next; larger: later
LONGEST_S = 0.25  # s, > 0: a longer time from tick to tick was a hitch, and the rest of it is skipped


@dataclass
class Clock:
    """A time from zero to a duration, which runs or stands."""

    duration_s: float = 0.0
    time_s: float = 0.0
    speed: float = 1.0  # > 0: seconds of the clock for each second that passes
    loops: bool = True  # begin again at the end; else stop there
    runs: bool = False

    def start(self) -> None:
        """Run; at the end, begin again."""
        if self.time_s >= self.duration_s:
            self.time_s = 0.0
        self.runs = self.duration_s > 0.0

    def go_to(self, time_s: float) -> None:
        """Go to a time, or to the nearer end if it is outside."""
        if not math.isnan(time_s):
            self.time_s = min(max(time_s, 0.0), self.duration_s)

    def pass_by(self, seconds: float) -> None:
        """Let some time pass."""
        if not self.runs:
            return
        time_s = self.time_s + self.speed * min(seconds, LONGEST_S)
        if self.loops:
            self.time_s = time_s % self.duration_s
        else:
            self.go_to(time_s)
            self.runs = self.time_s < self.duration_s


class Timeline:
    """The controls for the time.  Only the desk calls its methods."""

    def __init__(self, tab: Tab, show: Callable[[float], None], write: Callable[[], None] | None = None) -> None:
        """Add slider and button to the panel.

        show: shows a time in the scene; write: writes about the clock's time into the panel.
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
        """Add controls for the speed and for looping to the panel."""
        gui = self._tab.viewer.gui
        self._speed = gui.add_dropdown("Speed", tuple(SPEEDS), initial_value="1")
        self._loop = gui.add_checkbox("Loop", True)
        for control in (self._speed, self._loop):
            control.on_update(self._tab.when_asked(self._read_speed))
        return self._speed, self._loop

    def begin(self, duration_s: float, *, time_s: float = 0.0, runs: bool = True) -> None:
        """Play something else, from a time on."""
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
        """Stop playing."""
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
        """Go to the time of a slider that a hand moves, and leave the slider to the hand for a while."""
        self._held_until = time.monotonic() + HELD_S
        self.go_to(time_s)

    def go_to(self, time_s: float) -> None:
        """Show another time; a running clock goes on from there."""
        self.clock.go_to(time_s)
        self._show(self.clock.time_s)
        self.write()

    def write(self) -> None:
        """Write the time, and what is said about it, into the panel."""
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
            self.clock.runs = False  # show the error once, not at every tick
            raise
        self._ticks += 1
        if self._ticks % PANEL_EVERY == 0 or not self.clock.runs:
            self.write()
