"""Work that waits until a hand rests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from gambol.errors import GambolError
from gambol.view.desk import Desk, Job
from gambol.view.edit.entries import Data

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer

REST_S = 0.4  # s, > 0: a job waits this long for the next request; larger: it follows later
Edit = Callable[[str, Data], str]  # from a text, and what it says, to the changed text


class Later:
    """One job, left on the desk when `REST_S` have passed since the last request."""

    def __init__(self, desk: Desk, about: str) -> None:
        self._desk, self._about = desk, about
        self._timer: threading.Timer | None = None

    def ask(self, job: Job) -> None:
        self.cancel()
        self._timer = threading.Timer(REST_S, lambda: self._desk.leave(job, about=self._about))
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Forget the job if it is not on the desk yet."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


class LaterEdits:
    """Changes made by hand: shown at once, and written into the scene when the hand rests.

    Each writing reads the whole scene again, which takes longer than a hand may wait.
    """

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._edits: dict[str, Edit] = {}
        self._later = Later(viewer.desk, "write down")

    def note(self, about: str, edit: Edit, *, held: bool = False) -> None:
        """Note a change, in place of one about the same that is not written yet.

        held: the hand has not let go; the change is written only after that.
        """
        self._edits[about] = edit
        if held:
            self._later.cancel()
        else:
            self._later.ask(self.write)

    def write(self) -> None:
        """Write all changes into the document now; each is one step of undo."""
        self._later.cancel()
        edits, self._edits = self._edits, {}
        document = self._viewer.document
        if document is None or not edits:
            return
        for about, edit in edits.items():
            try:
                document.edit(lambda text, edit=edit: edit(text, document.data), about=about)
            except GambolError as error:
                self._viewer.tell(error, title=f"The {about} could not be written into the scene")
        self._viewer.write_title()
