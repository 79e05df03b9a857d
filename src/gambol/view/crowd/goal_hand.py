"""A hand that drags a goal: the goals of all chosen characters go along."""

from __future__ import annotations

from gambol.crowd.glance import goals
from gambol.errors import InvalidInput
from gambol.view.crowd.run import CrowdRun, Point

LIVE = 24  # characters, >= 1: more than this are sent only when the hand lets go; larger: slower drags


class GoalHand:
    """Remembers where goals were taken, so that all of them move alike."""

    def __init__(self, run: CrowdRun) -> None:
        self._run = run
        self._taken: dict[int, dict[int, Point]] = {}  # by dragged id: the first places of all goals that move

    def drag(self, who: int, x: float, y: float, *, done: bool) -> None:
        """Move a character's goal and, if it is chosen, the goals of all chosen characters.

        A goal without room stays at its last place; when the hand lets go, that is an error.
        """
        run = self._run
        here = set(run.crowd.ids)
        if who not in here:
            self._taken.pop(who, None)
            return
        if who not in self._taken:
            group = [one for one in run.chosen if one in here] if who in run.chosen else [who]
            self._taken[who] = {
                one: (x, y) for one, (x, y) in zip(group, goals(run.crowd, group).tolist(), strict=True)
            }
        taken = self._taken[who]
        if not done and len(taken) > LIVE:
            return
        shift_x, shift_y = x - taken[who][0], y - taken[who][1]
        refused: list[InvalidInput] = []
        for one, (from_x, from_y) in taken.items():
            try:
                if one in here:
                    run.send(one, from_x + shift_x, from_y + shift_y)
            except InvalidInput as error:
                refused.append(error)
        if done:
            del self._taken[who]
            if refused and len(taken) == 1:
                raise refused[0]
            if refused:
                count = f"{len(refused)} of {len(taken)}"
                raise InvalidInput(f"{count} characters cannot stand there: they go where they were sent before")
