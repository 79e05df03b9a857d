"""The world of a running crowd, and what a user may change in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gambol.crowd.edit import Edit
from gambol.world.world import Footprint, Mover, Obstacle, Pose, World

if TYPE_CHECKING:
    from gambol.crowd.edits import Editor


class EditedWorld:
    """The part of a crowd that asks its editor for changes of the world."""

    _edits: Editor

    @property
    def world(self) -> World:
        """The world as it is now."""
        return self._edits.world

    @property
    def worlds(self) -> list[tuple[int, World]]:
        """The worlds that took the place of the one before, each with the frame from which on; for `judge`."""
        return list(self._edits.worlds)

    @property
    def edits(self) -> list[Edit]:
        """All that was asked for, pending and done; see `gambol.crowd.edits`."""
        return list(self._edits.edits)

    def add_obstacle(self, obstacle: Obstacle, *, when: str = "clear") -> int:
        """Put an obstacle into the world; return the number of the edit.

        when: "clear": as soon as nobody is in its way or will be; "soon": as soon as everybody is out of it within two
        seconds; "now": at once.  Until it takes effect everyone keeps out of its place.
        """
        return self._edits.add_obstacle(obstacle, when)

    def move_obstacle(self, name: str, pose: Pose, *, when: str = "clear") -> int:
        """Put an obstacle elsewhere; return the number of the edit.  Until it takes effect, it stays where it is."""
        return self._edits.move_obstacle(name, pose, when)

    def remove_obstacle(self, name: str) -> int:
        """Take an obstacle away, or drop one that is to come; return the number of the edit."""
        return self._edits.remove_obstacle(name)

    def throw(self, mover: Mover, *, stays: bool = False) -> int:
        """Throw something into the crowd, its trajectory in the crowd's time; return the number of the edit.

        It is there from the next frame on, and gone at the end of its trajectory unless it stays.
        """
        return self._edits.throw(mover, stays)

    def drive(
        self,
        name: str,
        x: float,
        y: float,
        heading: float,
        *,
        footprint: Footprint | None = None,
        heights_m: tuple[float, float] = (0.0, 2.0),
    ) -> int:
        """Say where something that a user drives is in the next frame; return the number of the edit.

        It goes on as it came from where it was said to be before, for a second; there it stands until more is said.
        footprint: to be given the first time.
        """
        return self._edits.drive(name, (float(x), float(y), float(heading)), footprint, heights_m)

    def remove_mover(self, name: str) -> int:
        """Take away something that moves; return the number of the edit."""
        return self._edits.remove_mover(name)
