"""One kind of character in a crowd: what may be played from which state, what it counts for, and how it stands."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import ActionTable
from gambol.characters.character import Character
from gambol.characters.step import HEADING_TOLERANCE_RAD, PLACE_TOLERANCE_M
from gambol.errors import InvalidInput
from gambol.search.moves import Moves, rest_label

MOST_FANS = 32  # of a state
STRAIGHT_RAD = 0.1  # what turns less goes straight on
STILL_M = 0.02  # who stands comes back to the same place
CREEPING = 2.0  # a second of stepping ahead from rest to rest counts for so many: better leave at an angle
ASIDE_DEARER = 0.5  # a second of stepping aside or back, from rest to rest, counts for so much more
TURNING_LOSS_S = 0.2  # a turn on the spot counts for so much more: who could as well wait does not turn
WAIT = "wait"


class CrowdKind:
    """What is worked out for one kind alone; states and clips count from 0 here."""

    def __init__(self, character: Character, actions: ActionTable, moves: Moves) -> None:
        self.character, self.actions, self.moves = character, actions, moves
        self.successors = [
            np.flatnonzero(np.isfinite(character.transition_costs[behavior])).tolist()
            for behavior in range(len(character.behaviors))
        ]
        self.state_of = moves.state  # by behavior
        self.states = int(self.state_of.max()) + 1
        self.after = [self.successors[int(np.flatnonzero(self.state_of == state)[0])] for state in range(self.states)]
        rest = rest_label(character)
        stands = [
            index
            for index, behavior in enumerate(character.behaviors)
            if behavior.kind == WAIT and behavior.begins == behavior.ends == rest and self._is_still(index)
        ]
        if not stands:
            raise InvalidInput(
                f"character {character.name!r} cannot live in a crowd: it needs a behavior of the kind 'wait' that "
                "begins and ends where it starts from (where `start` begins, if there is one) and ends exactly in its "
                "place, to a millimetre; captured stands sway by more"
            )
        self.rest = int(self.state_of[stands[0]])
        standing = [clip for index in stands for clip in self.clips_of(index)]
        self.stand_clips = sorted(standing, key=lambda clip: int(actions.duration[clip]))
        self.rest_radius = float(rest_of(self)[0][4])
        self.stands = frozenset(stands)
        self.fans = [self._fan_count(state) for state in range(self.states)]
        self.first_fan = [0, *np.cumsum(self.fans).tolist()]
        speeds = np.hypot(*actions.displacement[:, :2].T) / np.maximum(actions.duration, 1) * character.planning_rate_hz
        self.speed = float(speeds.max())
        self.settling = self._settle()
        self.turning_radii = [self._turning_radius(state) for state in range(self.states)]
        self.turning = self._turning_room()

    def clips_of(self, behavior: int) -> list[int]:
        first, last = self.actions.behavior_clips[behavior : behavior + 2]
        return list(range(int(first), int(last)))

    def drawn(self, behavior: int, draw: int) -> int:
        """Return the clip of a behavior in one of the fans; who waits plays the first, so as to decide again soon."""
        options = self.clips_of(behavior)
        return options[0] if behavior in self.stands else options[(draw + draw // len(options)) % len(options)]

    def fan(self, state: int, draw: int) -> int:
        """Return one of a state's fans, for any draw."""
        return self.first_fan[state] + draw % self.fans[state]

    def stops(self, state: int, draw: int) -> list[int]:
        """Return a clip for each behavior that brings a state to rest, the shortest way first."""
        if state == self.rest:
            return []
        ending = [behavior for behavior in self.after[state] if self.state_of[behavior] == self.rest]
        way = self.actions.displacement[:, :2]
        return sorted((self.drawn(behavior, draw) for behavior in ending), key=lambda clip: float(np.hypot(*way[clip])))

    def _fan_count(self, state: int) -> int:
        """Return how many fans draw every clip that may be played first, or second."""
        first = set(self.after[state])
        either = (first | {second for one in first for second in self.successors[one]}) - self.stands
        return min(max((len(self.clips_of(behavior)) for behavior in either), default=1), MOST_FANS)

    def duration_s(self, clip: int) -> float:
        return float(self.actions.duration[clip]) / self.character.planning_rate_hz

    def _outer(self, clip: int) -> float:
        first = int(self.actions.clip_samples[clip])
        return float(self.actions.outer_radius[first : first + int(self.actions.duration[clip]) + 1].max())

    def _is_still(self, behavior: int) -> bool:
        moved = self.actions.displacement[self.clips_of(behavior)]
        # Who stands is set down again where it was, and a recording refuses gaps larger than these.
        return bool((np.abs(moved) < (PLACE_TOLERANCE_M, PLACE_TOLERANCE_M, HEADING_TOLERANCE_RAD)).all())

    def _turning_radius(self, state: int) -> float:
        """Return the radius of the tightest turn that can be made again and again; 0 at rest."""
        again = [behavior for behavior in self.after[state] if self.state_of[behavior] == state]
        turns = [self.actions.displacement[self.clips_of(behavior)[0]] for behavior in again]
        bent = [(math.hypot(x, y), abs(turn)) for x, y, turn in turns if abs(turn) > STRAIGHT_RAD]
        radii = [chord / (2.0 * math.sin(0.5 * turn)) for chord, turn in bent]
        return 0.0 if state == self.rest else min(radii, default=0.0)

    def _turning_room(self) -> float:
        """Return the room that the widest turn on the spot takes; standing, for a kind that has none."""
        stays = [behavior for behavior in self.after[self.rest] if self.state_of[behavior] == self.rest]
        clips = [clip for behavior in stays for clip in self.clips_of(behavior)]
        turns = [clip for clip in clips if self._turns_on_the_spot(clip)]
        return max((self._outer(clip) for clip in turns), default=self.rest_radius)

    def _turns_on_the_spot(self, clip: int) -> bool:
        x, y, turn = self.actions.displacement[clip]
        return abs(turn) > STRAIGHT_RAD and math.hypot(x, y) < 0.5 * self.rest_radius

    def _settle(self) -> NDArray[np.float64]:
        """Return how many seconds each state loses before it goes at full speed: the shortest way over states."""
        lost = np.full(self.states, np.inf)
        edges = []
        for state in range(self.states):
            for behavior in self.after[state]:
                clip = self.clips_of(behavior)[0]
                x, _, turn = self.actions.displacement[clip]
                if abs(turn) < STRAIGHT_RAD and self.character.behaviors[behavior].kind != WAIT:
                    edges.append((state, int(self.state_of[behavior]), self.duration_s(clip) - x / self.speed))
        fastest = [(cost, source) for source, target, cost in edges if source == target]
        lost[min(fastest)[1] if fastest else self.rest] = 0.0
        for _ in range(self.states):
            for source, target, cost in edges:
                lost[source] = min(lost[source], max(cost, 0.0) + lost[target])
        return np.where(np.isfinite(lost), lost, 5.0)

    def loss_s(self, behavior: int, clip: int) -> tuple[float, float]:
        """Return the seconds that a clip counts for, and of these the seconds of waiting, which count apart."""
        seconds = self.duration_s(clip)
        one = self.character.behaviors[behavior]
        if one.kind == WAIT:
            return 0.0, seconds
        x, y, _ = self.actions.displacement[clip]
        way = math.hypot(x, y)
        if one.begins == one.ends == rest_label(self.character):
            if way <= STILL_M:
                return seconds + TURNING_LOSS_S, 0.0
            return seconds * (CREEPING + ASIDE_DEARER * (1.0 - max(x, 0.0) / way)), 0.0
        return seconds, 0.0


def rest_of(kind: CrowdKind) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a sample and its parts that hold every instant of standing, turned as it may be."""
    actions = kind.actions
    rows = np.concatenate(
        [actions.clip_samples[clip] + np.arange(actions.duration[clip] + 1) for clip in kind.stand_clips]
    )
    heading = actions.path[rows, 2]
    cosine, sine = np.cos(heading)[:, None], np.sin(heading)[:, None]
    ahead, aside = actions.part_offset[rows, :, 0], actions.part_offset[rows, :, 1]
    x = actions.path[rows, :1] + cosine * ahead - sine * aside
    y = actions.path[rows, 1:2] + sine * ahead + cosine * aside
    middle_x, middle_y = 0.5 * (x.min(axis=0) + x.max(axis=0)), 0.5 * (y.min(axis=0) + y.max(axis=0))
    radius = (np.hypot(x - middle_x, y - middle_y) + actions.part_radius[rows]).max(axis=0)
    low, high = actions.part_low[rows].min(axis=0), actions.part_high[rows].max(axis=0)
    reach = np.where(high > low, np.hypot(middle_x, middle_y) + radius, -np.inf)
    order = np.argsort(-reach, kind="stable")
    parts = np.stack((middle_x, middle_y, radius, low, high, reach), axis=-1)[order]
    return np.array([0.0, 0.0, 1.0, 0.0, reach.max(), 0.0]), parts
