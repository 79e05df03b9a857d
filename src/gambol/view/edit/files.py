"""Making, opening, uploading and saving scenes in the viewer's folder, from the panel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import viser

from gambol.errors import GambolError, InvalidInput
from gambol.scenes.file import MAX_BYTES
from gambol.view.document import Document, decoded
from gambol.view.edit.mistakes import mistake_list
from gambol.view.edit.templates import NEW_KINDS, new_scene
from gambol.view.viewer import Viewer

NONE = "–"  # stands for no file in a list
MOST_LEFT = 5  # >= 0: unsaved scenes that are kept after another was opened; larger: more memory
NEW_SIZE_M = (20.0, 12.0)  # m, 2 to 1000: width and depth of a new scene, at first


class FilesPanel:
    """A file with mistakes is refused with a list of them, and the open scene stays open.

    The panel leads back to scenes that were left without saving.
    """

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        gui, desk = viewer.gui, viewer.desk
        self._replace: Path | None = None  # the next request to save replaces this file
        self._last: Document | None = None  # was open when the panel was shown last
        self._left: list[Document] = []  # are no longer open, and not saved
        with gui.add_folder("Files", expand_by_default=False) as self._files:
            self._back = gui.add_button("Back", visible=False)
            self._name = gui.add_text("Save as", "")
            self._save = gui.add_button("Save")
            self._names = gui.add_dropdown("File", tuple[str, ...]((NONE,)))
            opened = gui.add_button("Open")
            upload = gui.add_upload_button("Upload a scene…", mime_type=".toml")
            self._refused = gui.add_html("", visible=False)
        with gui.add_folder("New scene", expand_by_default=False) as self._new:
            self._kind = gui.add_dropdown("Kind", NEW_KINDS)
            self._size = gui.add_vector2("Width, depth", NEW_SIZE_M, min=(2.0, 2.0), max=(1000.0, 1000.0), step=1.0)
            new = gui.add_button("Make a new scene")
        self._back.on_click(lambda _: desk.leave(self.back))
        opened.on_click(lambda _: desk.leave(self.open))
        new.on_click(lambda _: desk.leave(self.new))
        self._save.on_click(lambda _: desk.leave(self.save))
        upload.on_upload(lambda event: self._uploaded(event.target.value))

    def refresh(self) -> None:
        """Show the files in the folder, and the name of the open one."""
        document = self.viewer.document
        is_open = document is not None
        labels = ("Files", "New scene") if is_open else (None, None)  # a folder without a label is unfolded
        self._files.label, self._new.label = labels
        self._name.visible = self._save.visible = is_open
        options = tuple(self.viewer.folder.names(".toml")) or (NONE,)
        if self._names.options != options:
            self._names.options = options
        if document is not None:
            name = self._relative(document.path) if document.path is not None else f"{document.scene.name}.toml"
            self._name.value = name
        self._replace = None
        last, self._last = self._last, document
        if last is not None and last is not document and not last.is_saved:
            self._left.append(last)
        self._left = [one for one in self._left if one is not document and not one.is_saved][-MOST_LEFT:]
        self._back.visible = bool(self._left)
        if self._left:
            self._back.label = f"Back to {self._left[-1].scene.name}, not saved"

    def back(self) -> None:
        """Show the last scene that was left without saving."""
        if self._left:
            self.viewer.show(self._left[-1])
            self.viewer.select("Edit")

    def new(self) -> None:
        width, depth = self._size.value
        text = new_scene("new", self._kind.value, round(float(width), 2), round(float(depth), 2))
        self._show("a new scene", lambda: self._document(text))

    def open(self) -> None:
        name = self._names.value
        if name == NONE:
            raise InvalidInput(f"there is no scene in {self.viewer.folder.path}")
        path = self.viewer.folder.file(name, ".toml")
        self._show(name, lambda: Document.open(path, within=self.viewer.folder.path))

    def save(self) -> None:
        """Save under the name in the panel; to replace another file takes two requests."""
        if self.viewer.document is None:
            raise InvalidInput("there is nothing to save: open or make a scene")
        try:
            self._save_as(self.viewer.document, self._name.value.strip())
        except GambolError as error:
            self._refuse("Not saved: what is wrong comes first.", error)
            raise

    def _save_as(self, document: Document, name: str) -> None:
        viewer = self.viewer
        if not name:
            raise InvalidInput("a file needs a name")
        path = viewer.folder.file(name if name.lower().endswith(".toml") else f"{name}.toml", ".toml")
        is_another = document.path is None or path != document.path.resolve()
        if document.is_valid and is_another and path.exists() and self._replace != path:
            self._replace = path
            viewer.tell(f"There is {path.name} already. Save again to replace it.", title="Replace?")
            return
        document.save(path)
        self._refused.visible = False
        viewer.write_title()
        self.refresh()
        viewer.tell(f"Saved as {self._relative(path)}.")

    def _uploaded(self, file: viser.UploadedFile) -> None:
        def work() -> None:
            def read() -> Document:
                if len(file.content) > MAX_BYTES:
                    raise InvalidInput(f"{len(file.content):,} bytes are more than the {MAX_BYTES:,} that are read")
                return self._document(decoded(file.content))

            self._show(Path(file.name).name, read)

        self.viewer.desk.leave(work)

    def _document(self, text: str) -> Document:
        folder = self.viewer.folder.path
        return Document(text, beside=folder, within=folder)

    def _show(self, name: str, read: Callable[[], Document]) -> None:
        """Read a document, and show it in place of the open one."""
        try:
            document = read()
        except GambolError as error:
            self._refuse(f"{name} is refused.", error)
            raise
        self._refused.visible = False
        self.viewer.show(document)
        self.viewer.select("Edit")

    def _refuse(self, title: str, error: GambolError) -> None:
        self._refused.content, self._refused.visible = mistake_list(title, error), True

    def _relative(self, path: Path) -> str:
        folder = self.viewer.folder.path
        resolved = path.resolve()
        return str(resolved.relative_to(folder)) if folder in resolved.parents else path.name
