"""The folder "Share" of the panel: the present view as files."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import viser

from gambol.errors import InvalidInput
from gambol.files.disk import write_atomically
from gambol.view.sharing import page, picture, video

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer

#: Width and height in pixels of pictures and films, by what the panel calls them.
SIZES = {"1280 x 720": (1280, 720), "1920 x 1080": (1920, 1080), "3840 x 2160": (3840, 2160), "640 x 360": (640, 360)}
DEFAULT_S = 10.0  # s, 1 to MOST_S: how much of a film is shared at first
MOST_S = 60.0  # s: how much of a film can be shared; larger: larger files
MOST_NUMBERED = 1000  # >= 1: files of one name, each with its number


class Share:
    """Files go to the browser that asks for them and, if it wishes, into the viewer's folder."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._stopped = threading.Event()
        gui = viewer.gui
        with gui.add_folder("Share", expand_by_default=False):
            self._name = gui.add_text("File name", "gambol", hint="Without its ending")
            self._size = gui.add_dropdown("Size", tuple(SIZES), hint="Of pictures and films, in pixels")
            self._moves = gui.add_checkbox("Moving", True, hint="Pages show what is played as it moves")
            self._longest = gui.add_slider("Seconds", 1.0, MOST_S, 0.5, DEFAULT_S, hint="At most, of what moves")
            self._saves = gui.add_checkbox("Save in folder", False, hint=f"A copy in {viewer.folder.path}")
            self._ask(gui.add_button("Page (HTML)", hint="Opens in any browser, without this viewer"), self._page)
            self._ask(gui.add_button("Picture (PNG)", hint="From where you look"), self._picture)
            self._ask(gui.add_button("Film (MP4)", hint="Drawn by this browser: keep it in sight"), self._film)
            self._progress = gui.add_progress_bar(0.0, visible=False)
            self._stop = gui.add_button("Stop the film", visible=False)
            self._stop.on_click(lambda _: self._stopped.set())  # at once: the desk is busy filming

    def _ask(self, button: viser.GuiButtonHandle, make: Callable[[viser.ClientHandle], tuple[bytes, str]]) -> None:
        """Make a button create a file and hand it over."""

        def asked(event: viser.GuiEvent[viser.GuiButtonHandle]) -> None:
            client = event.client
            if client is not None:
                self._viewer.desk.leave(lambda: self._hand_over(client, make))

        button.on_click(asked)

    def _hand_over(self, client: viser.ClientHandle, make: Callable[[viser.ClientHandle], tuple[bytes, str]]) -> None:
        self.path_for(".html")  # finds a bad name before any work is done
        try:
            content, suffix = make(client)
        except (RuntimeError, TimeoutError) as error:  # from viser: the page is gone, hidden or without a canvas
            raise InvalidInput(f"the browser that asked does not draw: {error}; keep its page in sight") from None
        path = self.path_for(suffix)
        if self._saves.value:
            write_atomically(path, content)
            self._viewer.tell(f"saved as {path.relative_to(self._viewer.folder.path)}")
        client.send_file_download(path.name, content, save_immediately=True)

    def path_for(self, suffix: str) -> Path:
        """Return the path at which to save a file; it never replaces an existing file."""
        name = self._name.value.strip()
        if not name:
            raise InvalidInput("a file needs a name")
        for number in range(1, MOST_NUMBERED + 1):
            path = self._viewer.folder.file(f"{name}{'' if number == 1 else f'-{number}'}{suffix}", suffix)
            if not path.exists():
                return path
        raise InvalidInput(f"there are {MOST_NUMBERED:,} files of the name {name!r} already")

    def _page(self, client: viser.ClientHandle) -> tuple[bytes, str]:
        tab = self._viewer.tab
        film = tab.film() if tab is not None and self._moves.value else None
        return page(self._viewer.server, client.camera, film, most_s=self._longest.value), ".html"

    def _picture(self, client: viser.ClientHandle) -> tuple[bytes, str]:
        return picture(client, SIZES[self._size.value]), ".png"

    def _film(self, client: viser.ClientHandle) -> tuple[bytes, str]:
        tab = self._viewer.tab
        film = tab.film() if tab is not None else None
        if film is None:
            raise InvalidInput("nothing here moves; ways, crowds and motions can be filmed")
        self._stopped.clear()
        self._progress.visible = self._stop.visible = True
        try:
            made = video(
                client,
                film,
                SIZES[self._size.value],
                most_s=self._longest.value,
                progress=self._show_progress,
                is_stopped=self._stopped.is_set,
            )
        finally:
            self._progress.visible = self._stop.visible = False
            self._progress.value = 0.0
        return made, ".mp4"

    def _show_progress(self, share: float) -> None:
        self._progress.value = round(100.0 * share, 1)
