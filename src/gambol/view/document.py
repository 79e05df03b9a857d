"""The scene that is open: its text, what it says, and the way back through what was changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import tomlkit

from gambol.io.files import write_atomically
from gambol.scene.file import load_scene, parse_scene
from gambol.scene.scene import Scene

Change = Callable[[tomlkit.TOMLDocument], None]
MOST_STEPS_BACK = 200


@dataclass
class Document:
    """A scene as a text that is changed entry by entry; comments and what is not changed stay as they were."""

    scene: Scene
    beside: Path  # the folder of the files that it names
    path: Path | None = None  # where it was read from, or saved to; None: nowhere yet, or a shipped scene
    _saved: str = ""
    _back: list[str] = field(default_factory=list)
    _forth: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, source: Path | str) -> Document:
        """Read a scene file, or the shipped scene of this name."""
        scene = load_scene(source)
        path = Path(source)
        is_file = path.suffix == ".toml"
        return cls(scene, path.parent if is_file else Path(), path if is_file else None, scene.text)

    @property
    def text(self) -> str:
        return self.scene.text

    @property
    def is_saved(self) -> bool:
        return self.text == self._saved

    @property
    def can_undo(self) -> bool:
        return bool(self._back)

    @property
    def can_redo(self) -> bool:
        return bool(self._forth)

    def change(self, change: Change) -> None:
        """Change entries of the text; what makes no valid scene is an error, and then nothing is changed."""
        document = tomlkit.parse(self.text)
        change(document)
        text = tomlkit.dumps(document)
        if text == self.text:
            return
        scene = parse_scene(text, beside=self.beside)
        self._back = [*self._back, self.text][-MOST_STEPS_BACK:]
        self._forth = []
        self.scene = scene

    def undo(self) -> None:
        """Go back to what was before the last change, if there was one."""
        if self._back:
            self._forth.append(self.text)
            self.scene = parse_scene(self._back.pop(), beside=self.beside)

    def redo(self) -> None:
        """Make the change again that was undone last, if there is one."""
        if self._forth:
            self._back.append(self.text)
            self.scene = parse_scene(self._forth.pop(), beside=self.beside)

    def save(self, path: Path) -> None:
        write_atomically(path, self.text.encode())
        self.path, self._saved = path, self.text
