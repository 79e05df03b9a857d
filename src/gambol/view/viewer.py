"""The viewer: a server for browsers, what is open, and the tabs that show it."""

from __future__ import annotations

import html
import logging
from pathlib import Path
from typing import NamedTuple

import viser

from gambol.errors import GambolError
from gambol.variation.file import SUFFIX as MODEL
from gambol.variation.file import read_model
from gambol.variation.model import VariationModel
from gambol.view.desk import Desk, at_the_desk
from gambol.view.document import Document
from gambol.view.folder import Folder
from gambol.view.gallery import Gallery
from gambol.view.play.recorded import Recorded, is_recorded, read_recorded
from gambol.view.server import LOCAL, address_of, start_server, stop_server
from gambol.view.share import Share
from gambol.view.stage import BrowserStage
from gambol.view.tab import Tab, find_tabs

PLAY, VARY = "Play", "Vary"  # titles of the tabs for recordings and for models, which have no scene
NOTHING_OPEN = "Choose a scene, make one under <em>Edit</em>, or play a file under <em>Play</em>."
TITLE = "padding:0.3em 0.75em;font-size:0.875em;line-height:1.45;overflow-wrap:anywhere"  # style of the whole title
HEADING = "font-size:1.3em;font-weight:600;line-height:1.35"  # style of the name in the title
#: Notices stand at the lower left, where they cover neither the gallery's tabs nor the panel.
NOTICES = (
    '<style>.mantine-Notifications-root[data-position="top-left"]{top:auto!important;bottom:16px!important}</style>'
)
NOTICE_S = 12.0  # s, > 0: how long a message stays
PATIENCE_S = 2.0  # s, >= 0: how long closing waits for work that is begun
log = logging.getLogger(__name__)


class Variation(NamedTuple):
    """A model of how motions vary."""

    name: str
    model: VariationModel


Source = Document | Recorded | Variation


def read_source(source: Path | str) -> Source:
    """Read a scene file, a shipped scene, a motion, a recording or a model; an error lists all mistakes."""
    if Path(source).suffix.lower() == MODEL:
        return Variation(Path(source).name, read_model(source))
    if is_recorded(source):
        path = Path(source).resolve()
        return read_recorded(path.name, Folder(path.parent), trusted=True)
    return Document.open(source)


class Viewer:
    """What all browsers show, which is the same.

    Any thread may call its methods: the desk does one thing after another, and each call waits until it is done.
    """

    def __init__(self, *, host: str = LOCAL, port: int = 8080, folder: Path | str = ".") -> None:
        """folder: the only folder in which browsers can read and write files."""
        self.folder = Folder(folder)
        self.server = start_server(host, port)
        self.server.gui.configure_theme(show_logo=False, show_share_button=False, control_width="medium")
        self.gui, self.scene = self.server.gui, self.server.scene
        self.desk = Desk(self.tell)
        self.stage = BrowserStage(self.server)
        self.server.on_client_connect(self._fit_view)
        self.document: Document | None = None
        self.recording: Recorded | None = None  # the tab "Play" plays it
        self.variation: Variation | None = None  # the tab "Vary" varies it
        self.tab: Tab | None = None
        self._title = self.gui.add_html("")
        self.gallery = Gallery(self)
        self._buttons = self.gui.add_button_group("Show", ("–",), visible=False)
        self._buttons.on_click(lambda event: self.desk.leave(lambda: self.select(event.target.value)))
        self.tabs: list[Tab] = []
        self._folders: list[viser.GuiFolderHandle] = []
        for kind in find_tabs():
            with self.gui.add_folder(kind.title, visible=False) as panel:
                self.tabs.append(kind(self))
            self._folders.append(panel)
        undo = self.gui.add_command("Undo", hotkey="Z", modifier="cmd/ctrl")
        undo.on_trigger(lambda _: self.desk.leave(lambda: self._step(True)))
        redo = self.gui.add_command("Redo", hotkey="Z", modifier="cmd/ctrl+shift")
        redo.on_trigger(lambda _: self.desk.leave(lambda: self._step(False)))
        self.share = Share(self)
        self._offer_tabs()

    @property
    def address(self) -> str:
        """The link to the viewer."""
        return address_of(self.server.get_host(), self.server.get_port())

    @at_the_desk
    def open(self, source: Path | str) -> None:
        """Open a scene, a motion, a recording or a model of variation; after an error the last one stays open."""
        self.present(read_source(source))

    @at_the_desk
    def present(self, what: Source) -> None:
        """Show a document, play a recording or vary motions, in place of what is open."""
        if isinstance(what, Recorded):
            self.play(what)
        elif isinstance(what, Variation):
            self.vary(*what)
        else:
            what.confine(self.folder.path)
            self.show(what)

    @at_the_desk
    def play(self, recording: Recorded) -> None:
        """Play a motion or a recording, in place of the one before."""
        self._put_away()
        self.recording = recording
        self.select(PLAY)

    @at_the_desk
    def vary(self, name: str, model: VariationModel) -> None:
        """Show variants of a model, in place of the one before."""
        self._put_away()
        self.variation = Variation(name, model)
        self.list_tabs()
        self.select(VARY)

    @at_the_desk
    def choose(self) -> None:
        """Show the scenes that ship, to choose from, over what is open."""
        self.gallery.show()

    def _put_away(self) -> None:
        if self.tab is not None:
            self.tab.hide()
        self.gallery.hide()
        self.tab = None

    @at_the_desk
    def show(self, document: Document) -> None:
        """Show a document in place of the one that is open."""
        self._put_away()
        self.document = document
        self.stage.show_scene(document.scene)
        self.stage.look_at_all()
        self.write_title()
        self._offer_tabs()

    @at_the_desk
    def changed(self) -> None:
        """Show the document again after a change: the same tab, from the same view."""
        assert self.document is not None
        if self.tab is not None:
            self.tab.hide()
        self.stage.show_scene(self.document.scene)
        self.write_title()
        if self.tab is not None:
            self.tab.show()

    @at_the_desk
    def select(self, title: str) -> None:
        """Show a tab."""
        if self.tab is not None:
            self.tab.hide()
        self.tab = next((tab for tab in self.tabs if tab.title == title and tab.accepts()), None)
        for tab, panel in zip(self.tabs, self._folders, strict=True):
            panel.visible = tab is self.tab
        self.write_title()
        if self.tab is not None:
            self.tab.show()

    def tell(self, error: Exception | str, *, title: str = "") -> None:
        """Show an error, or a message about what was done, in all browsers."""
        is_ours = isinstance(error, GambolError | str)
        if not is_ours:
            log.exception("in the viewer", exc_info=error)
        text = str(error) if is_ours else f"{type(error).__name__}: {error}"
        color = "blue" if isinstance(error, str) else "red"
        for client in self.server.get_clients().values():
            client.add_notification(
                title or ("Done" if isinstance(error, str) else "This does not work"), text,
                auto_close_seconds=NOTICE_S, color=color,
            )  # fmt: skip

    def close(self) -> None:
        """Stop the server; long work is left unfinished."""
        self.desk.close(PATIENCE_S)
        self.gallery.close()
        stop_server(self.server)

    def _fit_view(self, client: viser.ClientHandle) -> None:
        """Fit the first view of a browser to its window."""

        def moved(_: viser.CameraHandle) -> None:
            if self.stage.is_unfitted(client):
                self.desk.leave(lambda: self.stage.fit(client), about=f"fit {client.client_id}")

        client.camera.on_update(moved)
        moved(client.camera)

    def _step(self, back: bool) -> None:
        if self.tab is not None:
            self.tab.step(back)

    def _offer_tabs(self) -> None:
        """Show the first tab that accepts what is open, and buttons for the others."""
        usable = self.list_tabs()
        self.select(usable[0].title if usable else "")

    @at_the_desk
    def list_tabs(self) -> list[Tab]:
        """Return the tabs that accept what is open, and show buttons for exactly these."""
        usable = [tab for tab in self.tabs if tab.accepts()]
        titles = tuple(tab.title for tab in usable) or ("–",)
        if self._buttons.options != titles:
            self._buttons.options = titles
        self._buttons.visible = len(usable) > 1
        return usable

    @at_the_desk
    def write_title(self) -> None:
        """Write what is shown, and whether it is saved, into the panel."""
        name, about = "", NOTHING_OPEN
        if self.document is not None:
            scene = self.document.scene
            name = html.escape(scene.name) + ("" if self.document.is_saved else " *")
            about = html.escape(scene.summary)
        if self.tab is not None and (own := self.tab.heading()) is not None:
            name, about = html.escape(own[0]), html.escape(own[1])
        heading = f'<div style="{HEADING}">{name}</div>' if name else ""
        self._title.content = f'{NOTICES}<div style="{TITLE}">{heading}{about}</div>'
