"""A hand that drags a goal: those of all who are chosen go along with it."""

from __future__ import annotations

from gambol.crowd.glance import goals
from gambol.errors import InvalidInput
from gambol.view.crowd.run import CrowdRun, Point

LIVE = 24  # more than these are sent off only when the hand lets go


class GoalHand:
    """Remembers from where goals were taken, so that all of them are moved alike."""

    def __init__(self, run: CrowdRun) -> None:
        self._run = run
        self._taken: dict[int, dict[int, Point]] = {}  # by whose goal is in a hand: all that go along, from where

    def drag(self, who: int, x: float, y: float, *, done: bool) -> None:
        """Move someone's goal, and with it those of all others who are chosen.

        Where there is no room, a goal stays where it was last; that is an error when the hand lets go.
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
            if refused:
                raise (
                    refused[0]
                    if len(taken) == 1
                    else InvalidInput(
                        f"{len(refused)} of {len(taken)} cannot stand there: they go where they were sent before"
                    )
                )
