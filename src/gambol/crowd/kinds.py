"""The kinds of characters in a crowd, compiled into one table for all of them.

Clips of all kinds are numbered through, and so are their samples, so that bodies of different kinds meet each
other in one and the same kernel.  A *state* is what may be played next: behaviors that the same ones may follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.crowd.fans import Fans, compile_fans
from gambol.crowd.kind import CrowdKind, rest_of
from gambol.errors import InvalidInput
from gambol.search.moves import Moves, moves_of


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
    parts = [CrowdKind(*given) for given in zip(characters, tables, moves, strict=True)]
    actions = _joined_actions(tables)
    clips = _joined_clips(parts, tables, moves)
    return Kinds(
        actions, clips, compile_fans(parts, clips.first_clip[:-1].tolist()), np.array([kind.turning for kind in parts])
    )


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


def _joined_clips(kinds: Sequence[CrowdKind], tables: Sequence[ActionTable], moves: Sequence[Moves]) -> Clips:
    samples_before = np.cumsum([0, *(len(table.path) for table in tables)])
    clips_before = np.cumsum([0, *(len(table.duration) for table in tables)]).astype(np.int64)
    states_before = np.cumsum([0, *(kind.states for kind in kinds)])
    samples = np.concatenate([one.samples for one in moves])
    parts = np.concatenate([one.parts for one in moves])
    rest_rows, rest_parts = zip(*(rest_of(kind) for kind in kinds), strict=True)
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
