"""Changes made by hand while planning: shown at once, and written into the scene when the hand rests."""

from __future__ import annotations

from collections.abc import Callable

from gambol.errors import GambolError
from gambol.view.edit.entries import Data
from gambol.view.later import Later
from gambol.view.viewer import Viewer

Edit = Callable[[str, Data], str]  # a text, and what it says


class LaterEdits:
    """Reading a whole scene again takes longer than a hand may wait: that is done once for all of a drag."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._edits: dict[str, Edit] = {}
        self._later = Later(viewer.desk, "write down")

    def note(self, about: str, edit: Edit, *, held: bool = False) -> None:
        """Note a change, in place of one about the same that is not written yet.

        held: a hand has not let go yet: it is not to be written before that.
        """
        self._edits[about] = edit
        if held:
            self._later.cancel()
        else:
            self._later.ask(self.write)

    def write(self) -> None:
        """Write all changes into the document now; each is a step back."""
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
