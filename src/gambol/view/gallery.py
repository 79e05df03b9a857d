"""The scenes that ship, as a wall of small maps; a click opens a scene."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from gambol.files.entries import parse_toml
from gambol.scenes.find import ShippedScene, shipped_path, shipped_scenes
from gambol.view.document import Document
from gambol.view.minimap import minimap

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer

TITLES = {"plan": "Plans", "crowd": "Crowds", "climb": "Climbs"}  # titles of the walls, by the kind of scene
PLACE = {"x": 16.0, "y": 16.0, "width": 900.0, "height": 760.0}  # pixels: where the panel is before it grows
#: Style of the walls, which grow with the window.
STYLE = """<style>
.mantine-Paper-root:has(.gambol-wall) { width: max(calc(100vw - 376px), 380px) !important;
  height: calc(100vh - 40px) !important; }
.gambol-wall { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 12px; padding: 12px; }
.gambol-card { display: block; cursor: pointer; border: 1px solid #ccc; border-radius: 6px; overflow: hidden;
  font-size: 12px; line-height: 1.3; }
.gambol-card:hover, .gambol-card:focus { border-color: #228be6; box-shadow: 0 0 0 1px #228be6; outline: none; }
.gambol-card svg { display: block; width: 100%; aspect-ratio: 1.6; background: #dfe1e4; }
.gambol-card b { display: block; padding: 5px 8px 0; font-size: 13px; }
.gambol-card span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  margin: 0 8px 6px; min-height: 2.6em; opacity: 0.75; }
"""
SHOWN_AT_ONCE = 6  # maps, >= 1: new maps are shown in groups of this size; larger: fewer messages
NO_MAP = '<svg viewBox="0 0 16 10" aria-hidden="true"></svg>'  # stands for a map that is not drawn yet


class Wall:
    """The scenes of one kind as cards; each card is the label of a hidden button."""

    def __init__(self, viewer: Viewer, scenes: list[ShippedScene], opened: Callable[[str], None]) -> None:
        self._viewer = viewer
        self._text = viewer.gui.add_html("")
        self._scenes = scenes
        self.names = [scene.name for scene in scenes]
        self._maps = dict.fromkeys((scene.name for scene in scenes), NO_MAP)
        self._buttons = []
        for scene in scenes:
            button = viewer.gui.add_button(scene.name)
            button.on_click(lambda _, name=scene.name: viewer.desk.leave(lambda: opened(name), about="open"))
            self._buttons.append(button._impl.uuid)
        self._write()

    def take(self, name: str, drawn: str) -> None:
        """Take the map of a scene, and show it with the next group."""
        self._maps[name] = drawn
        left = sum(one is NO_MAP for one in self._maps.values())
        if left % SHOWN_AT_ONCE == 0:
            self._write()

    def _write(self) -> None:
        self._text.content = _wall_text(
            [(scene, button, self._maps[scene.name]) for scene, button in zip(self._scenes, self._buttons, strict=True)]
        )


class Gallery:
    """A wall for each kind of scene.  A thread beside the desk draws the maps, since some take seconds."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._shown = threading.Event()
        self._drawing: threading.Thread | None = None
        self._asked = ""  # the last scene that was clicked while changes were not saved
        gui = viewer.gui
        self._again = gui.add_button("Scenes", hint="The scenes that ship, to be opened by a click")
        self._again.on_click(lambda _: viewer.desk.leave(self.show, about="gallery"))
        self._panel = gui.add_panel(visible=False)
        self._panel.float(**PLACE)
        self._walls: list[Wall] = []
        scenes = shipped_scenes()
        for kind, title in TITLES.items():
            if any(scene.kind == kind for scene in scenes):
                with self._panel.add_tab(title):
                    self._walls.append(Wall(viewer, [scene for scene in scenes if scene.kind == kind], self._open))

    def show(self) -> None:
        """Show the scenes, over what is open."""
        self._panel.visible, self._again.visible = True, False
        self._shown.set()
        if self._drawing is None:
            self._drawing = threading.Thread(target=self._draw, name="gambol maps", daemon=True)
            self._drawing.start()

    def hide(self) -> None:
        """Hide the scenes, and show the button that brings them back."""
        self._shown.clear()
        self._panel.visible, self._again.visible = False, True

    def close(self) -> None:
        """Wake the thread, which ends since the desk is closed."""
        self._shown.set()

    def _draw(self) -> None:
        """Draw all maps, one after another; scenes with meshes, which are slow to read, come last."""
        wanted = []
        for wall in self._walls:
            for name in wall.names:
                data = parse_toml(shipped_path(name).read_text(encoding="utf-8"))
                wanted.append(("meshes" in data, len(wanted), wall, name, data))
        for _, _, wall, name, data in sorted(wanted, key=lambda one: one[:2]):
            self._shown.wait()
            if self._viewer.desk.is_closed:
                return
            drawn = minimap(data, shipped_path(name).parent)
            self._viewer.desk.leave(lambda wall=wall, name=name, drawn=drawn: wall.take(name, drawn))

    def _open(self, name: str) -> None:
        viewer = self._viewer
        again, self._asked = self._asked == name, name
        if viewer.document is not None and not viewer.document.is_saved and not again:
            text = f"Changes of {viewer.document.scene.name} are not saved. Do it again to go on without them."
            viewer.tell(text, title="Not saved")
            return
        self._asked = ""
        path = shipped_path(name)  # never a file that has the same name
        viewer.present(Document(path.read_text(encoding="utf-8"), beside=path.parent))


def _wall_text(cards: list[tuple[ShippedScene, str, str]]) -> str:
    """Return a wall as HTML.  cards: for each the scene, the identity of its button, and its map."""
    hidden = ", ".join(f'div:has(> [id="{button}"])' for _, button, _ in cards)
    texts = []
    for scene, button, picture in cards:
        name, summary = html.escape(scene.name), html.escape(scene.summary)
        texts.append(
            f'<label class="gambol-card" for="{button}" role="button" tabindex="0" aria-label="{name}" '
            f'title="{summary}" onkeydown="if (event.key === \'Enter\') this.click()">'
            f"{picture}<b>{name}</b><span>{summary}</span></label>"
        )
    return f'{STYLE}{hidden} {{ display: none; }}\n</style><div class="gambol-wall">{"".join(texts)}</div>'
