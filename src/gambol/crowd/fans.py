"""All that may be played from each state of a crowd's characters.

A *fan* of a state is the exhaustive search tree [LK06 3] of all that may be played from it, two clips deep.  Where
behaviors have several clips, a state has several fans: each draws one clip for every behavior, and together they draw
them all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambol.crowd.kind import CrowdKind


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


class _Node(NamedTuple):
    """A clip in a fan, and how things are at its end; states, clips and fans count from 0 in each kind."""

    parent: int
    clip: int
    x: float
    y: float
    heading: float
    frames: int
    loss_s: float
    waiting_s: float
    state: int
    following: int


def compile_fans(kinds: Sequence[CrowdKind], first_clip: Sequence[int]) -> Fans:
    """Grow the fans of all kinds; first_clip: the number of each kind's first clip among all."""
    first_fan, first, first_stop = [0], [0], [0]
    nodes: list[_Node] = []
    stops: list[int] = []
    boxes, resting, settling, turning = [], [], [], []
    states_before, fans_before = 0, 0
    for kind, before in zip(kinds, first_clip, strict=True):
        for state in range(kind.states):
            for draw in range(kind.fans[state]):
                begin = len(nodes)
                _grow(kind, state, draw, nodes)
                boxes.append(_box(kind, nodes[begin:], draw))
                nodes[begin:] = [
                    node._replace(
                        clip=node.clip + before,
                        state=node.state + states_before,
                        following=node.following + fans_before,
                    )
                    for node in nodes[begin:]
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


def _grow(kind: CrowdKind, state: int, draw: int, nodes: list[_Node]) -> None:
    """Append the nodes of one of a state's fans: the clip drawn of a behavior first, and each in turn second.

    After waiting, turning or stepping about from rest to rest comes only what sets out: the rest can be decided again.
    """
    begin = len(nodes)
    for behavior in kind.after[state]:
        _append(kind, nodes, -1, behavior, kind.drawn(behavior, draw), draw)
    for parent in range(begin, len(nodes)):
        behavior = int(kind.actions.clip_behavior[nodes[parent].clip])
        for following in kind.successors[behavior]:
            if state == kind.rest == kind.state_of[behavior] == kind.state_of[following]:
                continue
            options = kind.clips_of(following)
            _append(kind, nodes, parent, following, options[(parent + draw) % len(options)], draw)


def _append(kind: CrowdKind, nodes: list[_Node], parent: int, behavior: int, clip: int, draw: int) -> None:
    before = nodes[parent] if parent >= 0 else _Node(-1, -1, 0.0, 0.0, 0.0, 0, 0.0, 0.0, -1, -1)
    dx, dy, turn = kind.actions.displacement[clip]
    cosine, sine = math.cos(before.heading), math.sin(before.heading)
    lost, waited = kind.loss_s(behavior, clip)
    state = int(kind.state_of[behavior])
    nodes.append(
        _Node(
            parent,
            clip,
            before.x + cosine * dx - sine * dy,
            before.y + sine * dx + cosine * dy,
            before.heading + turn,
            before.frames + int(kind.actions.duration[clip]),
            before.loss_s + lost,
            before.waiting_s + waited,
            state,
            kind.fan(state, draw),
        )
    )


def _box(kind: CrowdKind, nodes: list[_Node], draw: int) -> tuple[float, float, float, float]:
    """Return a box around all circles of a fan's clips and of the stops after them."""
    points: list[tuple[float, float, float]] = [(0.0, 0.0, kind.rest_radius)]
    stops = [kind.stops(state, draw % kind.fans[state]) for state in range(kind.states)]
    for node in nodes:
        clip, x, y, heading = node.clip, node.x, node.y, node.heading
        points.append((x, y, kind.rest_radius))
        cosine, sine = math.cos(heading), math.sin(heading)
        dx, dy, turn = kind.actions.displacement[clip]
        back_cosine, back_sine = math.cos(heading - turn), math.sin(heading - turn)
        start_x, start_y = x - back_cosine * dx + back_sine * dy, y - back_sine * dx - back_cosine * dy
        for one, at_x, at_y, c, s in [
            (clip, start_x, start_y, back_cosine, back_sine),
            *((stop, x, y, cosine, sine) for stop in stops[node.state]),
        ]:
            cx, cy, radius = kind.moves.circle[one]
            points.append((at_x + c * cx - s * cy, at_y + s * cx + c * cy, radius))
            ex, ey, _ = kind.actions.displacement[one]
            points.append((at_x + c * ex - s * ey, at_y + s * ex + c * ey, kind.rest_radius))
    x, y, radius = np.array(points).T
    return float((x - radius).min()), float((y - radius).min()), float((x + radius).max()), float((y + radius).max())
