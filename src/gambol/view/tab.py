"""What a tab of the viewer is.  Every folder of `gambol.view` has one, in its module `tab`, and is found there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import viser

from gambol.geometry.arrays import FloatArray

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer


@dataclass(frozen=True)
class Film:
    """What a tab plays: its time, and how to show any instant of it.

    A live film has no end and no way back: it is filmed from now on, and stays where it has come to.
    """

    duration_s: float  # infinite: it is live
    now_s: float  # the time that is shown at the moment
    joints: int  # number of joints that each picture places
    show: Callable[[float], None]  # shows the world at a time; a live film takes only later and later times
    is_live: bool = False

    def times(self, *, most_s: float, rate_hz: float) -> FloatArray:
        """Return the times of its pictures: all of it or, where that is longer than `most_s`, what comes now."""
        lasts_s = min(self.duration_s, most_s)
        first_s = 0.0 if self.duration_s <= most_s else min(self.now_s, self.duration_s - most_s)  # infinite: from now
        return first_s + np.arange(int(lasts_s * rate_hz + 1e-6) + 1) / rate_hz

    def go_back(self) -> None:
        """Show again what was shown before it was filmed; a live film stays where it is."""
        if not self.is_live:
            self.show(self.now_s)


class Tab(ABC):
    """One way to look at what is open.  The viewer shows one tab at a time."""

    title: ClassVar[str]
    order: ClassVar[int]  # the tab with the least is leftmost

    def __init__(self, viewer: Viewer) -> None:
        """Add the tab's controls to its own folder of the panel."""
        self.viewer = viewer

    def when_asked(self, job: Callable[[], None]) -> Callable[[viser.GuiEvent], None]:
        """Return a callback that leaves a job on the desk when a browser, not the viewer itself, changes a control."""

        def asked(event: viser.GuiEvent) -> None:
            if event.client is not None:
                self.viewer.desk.leave(job, about=f"{self.title} {id(event.target)}")

        return asked

    @abstractmethod
    def accepts(self) -> bool:
        """Tell whether there is anything to show of what is open."""

    @abstractmethod
    def show(self) -> None:
        """Begin to show what is open."""

    @abstractmethod
    def hide(self) -> None:
        """Take away all that it has shown."""

    def heading(self) -> tuple[str, str] | None:
        """Return the name of what it shows, and a description; None: it shows the open document."""
        return None

    def step(self, back: bool) -> None:
        """Undo the last change, or redo the change that was undone last; by default there are none."""
        return

    def film(self) -> Film | None:
        """Return what it plays, for the folder "Share"; None: nothing that moves."""
        return None


def find_tabs() -> list[type[Tab]]:
    """Return all tabs, leftmost first."""
    from gambol import view

    found: list[type[Tab]] = []
    for folder in iter_modules(view.__path__):
        if folder.ispkg:
            module = import_module(f"{view.__name__}.{folder.name}.tab")
            kinds = (value for value in vars(module).values() if isinstance(value, type) and issubclass(value, Tab))
            found += [kind for kind in kinds if kind.__module__ == module.__name__]
    return sorted(found, key=lambda tab: tab.order)
