"""Inputs and variants in the browser's scene, on a floor of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gambol.view.play.player import Player
from gambol.view.vary.arrangement import Arrangement
from gambol.world.world import World

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer

LABELS = "/vary/labels"


class Showing:
    """One arrangement at a time, at any instant of it."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._player: Player | None = None
        self._floor: World | None = None

    @property
    def is_empty(self) -> bool:
        return self._player is None

    @property
    def joints(self) -> int:
        return 0 if self._player is None else self._player.recorded.joints

    def show(self, arrangement: Arrangement) -> None:
        """Show an arrangement in place of the one before; one looks at all of it anew where it takes other room."""
        self.clear()
        viewer, bounds = self._viewer, arrangement.recorded.bounds
        if self._floor is None or self._floor.bounds != bounds:
            self._floor = World(bounds)
            viewer.stage.show(self._floor)
            viewer.stage.look_at_all()
        self._player = Player(viewer.scene, arrangement.recorded)
        for number, label in enumerate(arrangement.labels):
            viewer.scene.add_label(f"{LABELS}/{number}", label.text, position=label.place, anchor="bottom-center")

    def at(self, time_s: float) -> None:
        """Put everybody where they are at a time."""
        if self._player is not None:
            with self._viewer.server.atomic():
                self._player.show(time_s)

    def clear(self) -> None:
        """Show nobody; the floor stays."""
        if self._player is not None:
            self._player.remove()
            self._viewer.scene.remove_by_name(LABELS)
        self._player = None

    def leave(self) -> None:
        """Show nothing of its own any more, and the scene that is open again."""
        self.clear()
        if self._floor is None:
            return
        self._floor = None
        stage, document = self._viewer.stage, self._viewer.document
        if document is None:
            stage.clear()
        else:
            stage.show_scene(document.scene)
            stage.look_at_all()
