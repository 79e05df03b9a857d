"""What a tab of the viewer is.  Every module of `gambol.view.tabs` holds one, and is found there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, ClassVar

import viser

from gambol.view.film import Film

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer


class Tab(ABC):
    """One way to look at what is open.  One tab is shown at a time; all are told when something else is opened."""

    title: ClassVar[str]
    order: ClassVar[int]  # the least is leftmost

    def __init__(self, viewer: Viewer) -> None:
        """Add what the tab has to say and to ask to the panel, in its own folder."""
        self.viewer = viewer

    def when_asked(self, job: Callable[[], None]) -> Callable[[viser.GuiEvent], None]:
        """Return what leaves a job on the desk when a browser, not the viewer itself, has changed a control."""

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
        """Return the name of what it shows and what that is; None: it shows the open document."""
        return None

    def step(self, back: bool) -> None:
        """Undo the last change, or make the one again that was undone last; by default there are none."""
        return

    def film(self) -> Film | None:
        """Return what it plays, to be shared as a moving picture; None: nothing with a beginning and an end."""
        return None


def find_tabs() -> list[type[Tab]]:
    """Return the tabs that there are, leftmost first."""
    from gambol.view import tabs

    found = []
    for module in iter_modules(tabs.__path__):
        for value in vars(import_module(f"{tabs.__name__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Tab) and value.__module__.endswith(f".{module.name}"):
                found.append(value)
    return sorted(found, key=lambda tab: tab.order)
