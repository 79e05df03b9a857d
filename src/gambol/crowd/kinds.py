"""The kinds of characters in a crowd, compiled into one table for all of them.

Clips of all kinds are numbered through, and so are their samples, so that bodies of different kinds meet each
other in one and the same kernel.  A *state* is what may be played next: behaviors that the same ones may follow.
A *fan* of a state is the exhaustive search tree [LK06 3] of all that may be played from it, two clips deep.  Where
behaviors have several clips, a state has several fans: each draws one clip for every behavior, and together they draw
them all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.character.action_table import ActionTable, action_table
from gambol.character.character import Character
from gambol.errors import InvalidInput
from gambol.plan.moves import Moves, moves_of, rest_label

FAN_DEPTH = 2
MOST_FANS = 32  # of a state
STRAIGHT_RAD = 0.1  # what turns less goes straight on
STILL_M = 0.02  # who stands comes back to the same place
CREEPING = 2.0  # a second of stepping ahead from rest to rest counts for so many: better leave at an angle
ASIDE_DEARER = 0.5  # a second of stepping aside or back, from rest to rest, counts for so much more
TURNING_LOSS_S = 0.2  # a turn on the spot counts for so much more: who could as well wait does not turn
WAIT = "wait"


class Fans(NamedTuple):
    """T states, W fans, N nodes; a node's parent is another node of the same fan, or -1."""

    first_fan: np.ndarray  # (T + 1,) fans of each state
    first: np.ndarray  # (W + 1,) nodes of each fan
    parent: np.ndarray  # (N,) int32, index into all nodes
    clip: np.ndarray  # (N,) int32, of all kinds
    pose: np.ndarray  # (N, 4) x, y, cosine and sine where the clip ends, from where the fan begins
    frames: np.ndarray  # (N,) int32 until then
    loss_s: np.ndarray  # (N,) seconds that count until then, waiting apart
    waiting_s: np.ndarray  # (N,) seconds of waiting until then
    state: np.ndarray  # (N,) int32 after the clip
    following: np.ndarray  # (N,) int32 one of the fans of that state: how it comes to rest
    box: np.ndarray  # (W, 4) around everything in the fan, stops included, from where it begins
    first_stop: np.ndarray  # (W + 1,) stops of each fan
    stop: np.ndarray  # (Q,) int32 clips that bring a state to rest, the shortest first
    is_rest: np.ndarray  # (T,) bool: who is in this state stands
    settling_s: np.ndarray  # (T,) seconds that a state loses before it goes at full speed
    turning_m: np.ndarray  # (T,) radius of the tightest turn in a state; 0 at rest


class Clips(NamedTuple):
    """C clips and S samples of all kinds; K kinds.  It reads like `plan.moves.Moves` where kernels expect that."""

    duration: np.ndarray  # (C,) int64 planning frames
    first_sample: np.ndarray  # (C,) int64
    displacement: np.ndarray  # (C, 5) x, y, heading, its cosine and sine
    state: np.ndarray  # (C,) int32 after the clip
    reach: np.ndarray  # (C,) greatest outer radius, metres
    stride: np.ndarray  # (C,) greatest way of the root in a frame, metres
    circle: np.ndarray  # (C, 3)
    samples: np.ndarray  # (S, 6) x, y, cosine, sine, outer radius, metres since the clip's start
    parts: np.ndarray  # (S, 8, 6) ahead, aside, radius, low, high, reach; the farthest reaching first
    rest_sample: np.ndarray  # (K,) int64 a sample that holds all of standing
    rest_state: np.ndarray  # (K,) int32
    first_stand: np.ndarray  # (K + 1,)
    stand: np.ndarray  # (W,) int32 clips of standing, by kind, the shortest first
    speed: np.ndarray  # (K,) metres a second at full speed
    kind_of_clip: np.ndarray  # (C,) int32
    first_clip: np.ndarray  # (K + 1,) int64: clip c of kind k is first_clip[k] + c


class Kinds(NamedTuple):
    """All that kernels read of the characters."""

    actions: ActionTable
    clips: Clips
    fans: Fans
    turning: np.ndarray  # (K,) metres of room in which a kind can turn on the spot


def compile_kinds(characters: Sequence[Character]) -> Kinds:
    """Compile the kinds of a crowd; one that cannot stand and start again is refused."""
    rates = {character.planning_rate_hz for character in characters}
    if len(rates) > 1:
        raise InvalidInput(f"the characters of a crowd must plan at one rate, not at {sorted(rates)}")
    tables = [action_table(character) for character in characters]
    moves = [moves_of(character) for character in characters]
    parts = [_Kind(*given) for given in zip(characters, tables, moves, strict=True)]
    actions = _joined_actions(tables)
    clips = _joined_clips(parts, tables, moves)
    return Kinds(actions, clips, _joined_fans(parts, clips), np.array([kind.turning for kind in parts]))


class _Kind:
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
                f"character {character.name!r} cannot live in a crowd: it needs a behavior `start` and one of the kind "
                "'wait' that begins and ends where `start` begins, and stays in its place"
            )
        self.rest = int(self.state_of[stands[0]])
        standing = [clip for index in stands for clip in self.clips_of(index)]
        self.stand_clips = sorted(standing, key=lambda clip: int(actions.duration[clip]))
        self.rest_radius = float(_rest_of(self)[0][4])
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
        return bool((np.abs(moved) < (STILL_M, STILL_M, STRAIGHT_RAD)).all())

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


def _joined_actions(tables: Sequence[ActionTable]) -> ActionTable:
    """Number behaviors, clips and samples of all kinds through."""
    columns = {}
    offsets = {
        "behavior_clips": "clips", "behavior_successors": "successors", "clip_behavior": "behaviors",
        "clip_samples": "samples", "successors": "behaviors",
    }  # fmt: skip
    starts = ("behavior_clips", "behavior_successors")
    counts = [
        {
            "clips": len(t.duration),
            "successors": len(t.successors),
            "behaviors": len(t.behavior_cost),
            "samples": len(t.path),
        }
        for t in tables
    ]
    for name in ActionTable._fields:
        pieces, total = [], 0
        for number, table in enumerate(tables):
            values = getattr(table, name)
            if name in starts and number > 0:
                values = values[1:]
            pieces.append(values + values.dtype.type(total) if name in offsets else values)
            total += counts[number][offsets[name]] if name in offsets else 0
        columns[name] = np.ascontiguousarray(np.concatenate(pieces))
    return ActionTable(**columns)


def _joined_clips(kinds: Sequence[_Kind], tables: Sequence[ActionTable], moves: Sequence[Moves]) -> Clips:
    samples_before = np.cumsum([0, *(len(table.path) for table in tables)])
    clips_before = np.cumsum([0, *(len(table.duration) for table in tables)]).astype(np.int64)
    states_before = np.cumsum([0, *(kind.states for kind in kinds)])
    samples = np.concatenate([one.samples for one in moves])
    parts = np.concatenate([one.parts for one in moves])
    rest_rows, rest_parts = zip(*(_rest_of(kind) for kind in kinds), strict=True)
    displacement = np.concatenate([table.displacement for table in tables])
    first_sample = np.concatenate([t.clip_samples + before for t, before in zip(tables, samples_before, strict=False)])
    duration = np.concatenate([table.duration for table in tables]).astype(np.int64)
    stands = [[clip + before for clip in k.stand_clips] for k, before in zip(kinds, clips_before, strict=False)]
    reach, stride = np.zeros(len(duration)), np.zeros(len(duration))
    for clip, (first, frames) in enumerate(zip(first_sample, duration, strict=True)):
        rows = samples[first : first + frames + 1]
        reach[clip] = rows[:, 4].max()
        stride[clip] = np.hypot(*np.diff(rows[:, :2], axis=0).T).max(initial=0.0)
    return Clips(
        duration=duration,
        first_sample=first_sample.astype(np.int64),
        displacement=np.column_stack((displacement, np.cos(displacement[:, 2]), np.sin(displacement[:, 2]))),
        state=np.concatenate(
            [k.state_of[t.clip_behavior] + b for k, t, b in zip(kinds, tables, states_before, strict=False)]
        ).astype(np.int32),
        reach=reach,
        stride=stride,
        circle=np.concatenate([one.circle for one in moves]),
        samples=np.concatenate((samples, np.stack(rest_rows))),
        parts=np.concatenate((parts, np.stack(rest_parts))),
        rest_sample=len(samples) + np.arange(len(kinds), dtype=np.int64),
        rest_state=np.array([k.rest + b for k, b in zip(kinds, states_before, strict=False)], dtype=np.int32),
        first_stand=np.cumsum([0, *(len(one) for one in stands)]).astype(np.int64),
        stand=np.concatenate(stands).astype(np.int32),
        speed=np.array([kind.speed for kind in kinds]),
        kind_of_clip=np.repeat(np.arange(len(kinds), dtype=np.int32), [len(table.duration) for table in tables]),
        first_clip=clips_before,
    )


def _rest_of(kind: _Kind) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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


def _joined_fans(kinds: Sequence[_Kind], clips: Clips) -> Fans:
    first_fan, first, first_stop = [0], [0], [0]
    nodes: list[tuple[int, int, float, float, float, int, float, float, int, int]] = []
    stops: list[int] = []
    boxes, resting, settling, turning = [], [], [], []
    states_before, fans_before = 0, 0
    for number, kind in enumerate(kinds):
        before = int(clips.first_clip[number])
        for state in range(kind.states):
            for draw in range(kind.fans[state]):
                begin = len(nodes)
                _grow(kind, state, draw, nodes, begin)
                boxes.append(_box(kind, nodes[begin:], draw))
                nodes[begin:] = [
                    (
                        parent,
                        clip + before,
                        x,
                        y,
                        heading,
                        frames,
                        loss,
                        waits,
                        after + states_before,
                        fan + fans_before,
                    )
                    for parent, clip, x, y, heading, frames, loss, waits, after, fan in nodes[begin:]
                ]
                first.append(len(nodes))
                stops += [clip + before for clip in kind.stops(state, draw)]
                first_stop.append(len(stops))
            first_fan.append(len(first) - 1)
            resting.append(state == kind.rest)
            settling.append(kind.settling[state])
            turning.append(kind.turning_radii[state])
        states_before += kind.states
        fans_before = first_fan[-1]
    parent, clip, x, y, heading, frames, loss, waits, after, following = (
        np.array(column) for column in zip(*nodes, strict=True)
    )
    return Fans(
        first_fan=np.array(first_fan, dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        parent=parent.astype(np.int32),
        clip=clip.astype(np.int32),
        pose=np.column_stack((x, y, np.cos(heading), np.sin(heading))),
        frames=frames.astype(np.int32),
        loss_s=loss.astype(np.float64),
        waiting_s=waits.astype(np.float64),
        state=after.astype(np.int32),
        following=following.astype(np.int32),
        box=np.array(boxes),
        first_stop=np.array(first_stop, dtype=np.int64),
        stop=np.array(stops, dtype=np.int32),
        is_rest=np.array(resting),
        settling_s=np.array(settling),
        turning_m=np.array(turning),
    )


def _grow(kind: _Kind, state: int, draw: int, nodes: list, begin: int) -> None:
    """Append the nodes of one of a state's fans: the clip drawn of a behavior first, and each in turn second.

    After waiting, turning or stepping about from rest to rest comes only what sets out: the rest can be decided again.
    """
    for behavior in kind.after[state]:
        _append(kind, nodes, -1, behavior, kind.drawn(behavior, draw), draw)
    for parent in range(begin, len(nodes)):
        behavior = int(kind.actions.clip_behavior[nodes[parent][1]])
        for following in kind.successors[behavior]:
            if state == kind.rest == kind.state_of[behavior] == kind.state_of[following]:
                continue
            options = kind.clips_of(following)
            _append(kind, nodes, parent, following, options[(parent + draw) % len(options)], draw)


def _append(kind: _Kind, nodes: list, parent: int, behavior: int, clip: int, draw: int) -> None:
    x, y, heading, frames, loss, waits = (0.0, 0.0, 0.0, 0, 0.0, 0.0) if parent < 0 else nodes[parent][2:8]
    dx, dy, turn = kind.actions.displacement[clip]
    cosine, sine = math.cos(heading), math.sin(heading)
    lost, waited = kind.loss_s(behavior, clip)
    nodes.append(
        (
            parent,
            clip,
            x + cosine * dx - sine * dy,
            y + sine * dx + cosine * dy,
            heading + turn,
            frames + int(kind.actions.duration[clip]),
            loss + lost,
            waits + waited,
            int(kind.state_of[behavior]),
            kind.fan(int(kind.state_of[behavior]), draw),
        )
    )


def _box(kind: _Kind, nodes: list, draw: int) -> tuple[float, float, float, float]:
    """Return a box around all circles of a fan's clips and of the stops after them."""
    points: list[tuple[float, float, float]] = [(0.0, 0.0, kind.rest_radius)]
    stops = [kind.stops(state, draw % kind.fans[state]) for state in range(kind.states)]
    for _, clip, x, y, heading, _, _, _, after, _ in nodes:
        points.append((x, y, kind.rest_radius))
        cosine, sine = math.cos(heading), math.sin(heading)
        dx, dy, turn = kind.actions.displacement[clip]
        back_cosine, back_sine = math.cos(heading - turn), math.sin(heading - turn)
        start_x, start_y = x - back_cosine * dx + back_sine * dy, y - back_sine * dx - back_cosine * dy
        for one, at_x, at_y, c, s in [
            (clip, start_x, start_y, back_cosine, back_sine),
            *((stop, x, y, cosine, sine) for stop in stops[after]),
        ]:
            cx, cy, radius = kind.moves.circle[one]
            points.append((at_x + c * cx - s * cy, at_y + s * cx + c * cy, radius))
            ex, ey, _ = kind.actions.displacement[one]
            points.append((at_x + c * ex - s * ey, at_y + s * ex + c * ey, kind.rest_radius))
    x, y, radius = np.array(points).T
    return float((x - radius).min()), float((y - radius).min()), float((x + radius).max()), float((y + radius).max())
