"""The scenes that ship, as a wall of small maps to be opened by a click."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gambol.io.entries import parse_toml
from gambol.scene.shipped import ShippedScene, shipped_path, shipped_scenes
from gambol.view.minimap import minimap

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer

TITLES = {"plan": "Plans", "crowd": "Crowds", "climb": "Climbs"}  # of the tabs, by the kind of scene
PLACE = {"x": 16.0, "y": 16.0, "width": 900.0, "height": 760.0}  # of the wall in the window, in pixels
STYLE = """<style>
.gambol-wall { display: grid; grid-template-columns: repeat(auto-fill, minmax(170px, 1fr)); gap: 10px; padding: 10px; }
.gambol-card { display: block; cursor: pointer; border: 1px solid #ccc; border-radius: 6px; overflow: hidden;
  font-size: 12px; line-height: 1.3; }
.gambol-card:hover, .gambol-card:focus { border-color: #228be6; box-shadow: 0 0 0 1px #228be6; outline: none; }
.gambol-card svg { display: block; width: 100%; aspect-ratio: 1.6; background: #dfe1e4; }
.gambol-card b { display: block; padding: 5px 8px 0; font-size: 13px; }
.gambol-card span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  margin: 0 8px 6px; min-height: 2.6em; opacity: 0.75; }
"""
SHOWN_AT_ONCE = 6  # maps, while they are drawn
NO_MAP = '<svg viewBox="0 0 16 10" aria-hidden="true"></svg>'


class Wall:
    """The scenes of one kind: cards, each the label of a button that itself is not shown."""

    def __init__(self, viewer: Viewer, scenes: list[ShippedScene], opened: Callable[[str], None]) -> None:
        self._viewer = viewer
        self._text = viewer.gui.add_html("")
        self._scenes = scenes
        self._maps = dict.fromkeys((scene.name for scene in scenes), NO_MAP)
        self._buttons = []
        for scene in scenes:
            button = viewer.gui.add_button(scene.name)
            button.on_click(lambda _, name=scene.name: viewer.desk.leave(lambda: opened(name), about="open"))
            self._buttons.append(button._impl.uuid)
        self._write()

    def draw(self) -> None:
        """Draw the maps, each in its turn on the desk; those whose scenes name meshes, which are slow to read, last."""
        read = {scene.name: parse_toml(shipped_path(scene.name).read_text(encoding="utf-8")) for scene in self._scenes}
        for name, data in sorted(read.items(), key=lambda item: "meshes" in item[1]):
            self._viewer.desk.leave(lambda name=name, data=data: self._draw(name, data))

    def _draw(self, name: str, data: dict[str, Any]) -> None:
        self._maps[name] = minimap(data, shipped_path(name).parent)
        left = sum(drawn is NO_MAP for drawn in self._maps.values())
        if left % SHOWN_AT_ONCE == 0 or "meshes" in data:
            self._write()

    def _write(self) -> None:
        self._text.content = _wall_text(
            [(scene, button, self._maps[scene.name]) for scene, button in zip(self._scenes, self._buttons, strict=True)]
        )


class Gallery:
    """A wall for each kind of scene.  Maps are drawn when it is first shown."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._is_drawn = False
        self._asked = ""  # the scene that was asked for last, in place of changes that are not saved
        gui = viewer.gui
        self._again = gui.add_button("Scenes", hint="The scenes that ship, to be opened by a click")
        self._again.on_click(lambda _: viewer.desk.leave(self.show, about="gallery"))
        self._panel = gui.add_panel(visible=False)
        self._panel.float(**PLACE)
        self._walls = []
        scenes = shipped_scenes()
        for kind, title in TITLES.items():
            if any(scene.kind == kind for scene in scenes):
                with self._panel.add_tab(title):
                    self._walls.append(Wall(viewer, [scene for scene in scenes if scene.kind == kind], self._open))

    def show(self) -> None:
        """Show the scenes, over what is open."""
        self._panel.visible, self._again.visible = True, False
        if not self._is_drawn:
            self._is_drawn = True
            for wall in self._walls:
                wall.draw()

    def hide(self) -> None:
        """Leave the scenes behind a button."""
        self._panel.visible, self._again.visible = False, True

    def _open(self, name: str) -> None:
        viewer = self._viewer
        again, self._asked = self._asked == name, name
        if viewer.document is not None and not viewer.document.is_saved and not again:
            text = f"Changes of {viewer.document.scene.name} are not saved. Do it again to go on without them."
            viewer.tell(text, title="Not saved")
            return
        self._asked = ""
        viewer.open(name)


def _wall_text(cards: list[tuple[ShippedScene, str, str]]) -> str:
    """Return a wall as HTML.  cards: of each the scene, the identity of its button, and its map."""
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
