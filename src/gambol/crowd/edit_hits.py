"""Whom an edit of a running crowd's world meets, and from when until when."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.edit import Edit, Hit
from gambol.crowd.kernels.edits import RESTING_SWAY_M, list_contacts, list_meetings
from gambol.crowd.kernels.reservations import FOREVER
from gambol.crowd.movers import Movers
from gambol.geometry.arrays import BoolArray
from gambol.search.kernels.traffic import body_stays_free
from gambol.search.traffic_table import TrafficTable
from gambol.world.world import Mover, Obstacle, Pose

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd


@dataclass(eq=False)
class Intruder:
    """An obstacle that somebody may still be in, or that is to come."""

    edit: Edit
    obstacle: Obstacle  # as planned with; its name is its own
    official: Obstacle
    replaces: Obstacle | None  # as planned with; where an obstacle is moved
    pieces: object
    box: NDArray[np.float64]
    contacts: dict[int, tuple[int, int]] = field(default_factory=dict)  # first and last frame by place

    @property
    def may_wait(self) -> bool:
        return self.edit.is_pending and self.edit.when != "now"


def met_by_obstacle(crowd: Crowd, intruder: Intruder) -> dict[int, tuple[int, int]]:
    """Return the first and last frames at which held trajectories meet an obstacle, by place."""
    listed, spans = (np.empty(crowd._count, np.int64), np.empty((crowd._count, 2), np.int64))
    total = list_contacts(
        intruder.pieces, intruder.box, crowd._tables.clips, crowd._flock, np.int64(crowd._count),
        np.int64(crowd.frame), listed, spans,
    )  # fmt: skip
    return _contacts(listed, spans, int(total))


def met_by_mover(
    crowd: Crowd, table: TrafficTable, base_frame: int, places: NDArray[np.int64]
) -> dict[int, tuple[int, int]]:
    """Return the first and last frames at which those at some places meet what moves, by place."""
    tables = crowd._tables
    listed, spans = np.empty(len(places), np.int64), np.empty((len(places), 2), np.int64)
    total = list_meetings(
        table, np.int64(base_frame), tables.actions, tables.clips, crowd._flock, places,
        np.int64(len(places)), np.int64(crowd.frame), listed, spans,
    )  # fmt: skip
    return _contacts(listed, spans, int(total))


def near_way_of(crowd: Crowd, mover: Mover) -> BoolArray:
    """Mark the places whose held trajectories come anywhere near the rest of a mover's way."""
    flock, count, trajectory = crowd._flock, crowd._count, mover.trajectory
    phase = trajectory.times_s[0] if trajectory.repeat != "once" else trajectory.phase(crowd.time_s)
    poses, _ = trajectory.at(np.concatenate(([phase], trajectory.times_s[trajectory.times_s > phase])))
    reach, box = mover.footprint.reach_m, flock.box[:count]
    low, high = poses[:, :2].min(axis=0) - reach, poses[:, :2].max(axis=0) + reach
    return flock.taken[:count] & (box[:, :2] <= high).all(axis=1) & (box[:, 2:] >= low).all(axis=1)


def stand_is_met(crowd: Crowd, movers: Movers, kind: int, pose: Pose) -> bool:
    """Return whether something that moves meets a character of a kind that stands at a pose from now on."""
    clips, actions = crowd._tables.clips, crowd._tables.actions
    stand = clips.first_sample[clips.stand[clips.first_stand[kind]]]
    x, y, heading = pose
    return not body_stays_free(
        movers.table, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high,
        actions.outer_radius, stand, x, y, math.cos(heading), math.sin(heading),
        np.int64(crowd.frame - movers.frame), RESTING_SWAY_M, 0.0, 0.0,
    )  # fmt: skip


def note_hits(crowd: Crowd, edit: Edit, contacts: dict[int, tuple[int, int]], *, anew: bool = False) -> None:
    """Note who is met by an edit from now on, and who is not any more.

    anew: whether somebody may be met who was not before.
    """
    frame = crowd.frame
    met = {int(crowd._id[place]): span for place, span in contacts.items()}
    for who, hits in list(edit.hits.items()):
        hit = hits[-1]
        if hit.last_frame is not None and hit.last_frame < frame:
            continue  # that is over
        first, last = met.pop(who, (None, frame))
        if first is not None and (first == frame or hit.first_frame >= frame):
            hit.first_frame = first if hit.first_frame >= frame else hit.first_frame
            hit.last_frame = None if last == FOREVER else last
        elif hit.first_frame >= frame:  # it got away
            hits.pop()
        elif first is None:
            hit.last_frame = frame if hit.last_frame is None else min(hit.last_frame, frame)
        else:  # it is out, and will be met again
            hit.last_frame = frame
            hits.append(Hit(first, None if last == FOREVER else last))
        if not hits:
            del edit.hits[who]
    if anew:
        for who, (first, last) in met.items():
            edit.hits.setdefault(who, []).append(Hit(first, None if last == FOREVER else last))
            crowd._event("hit by an edit", who, f"{edit.name} ({edit.kind} {edit.number})")


def _contacts(listed: NDArray[np.int64], spans: NDArray[np.int64], total: int) -> dict[int, tuple[int, int]]:
    """Return first and last frames by place."""
    return {
        place: (first, last)
        for place, (first, last) in zip(listed[:total].tolist(), spans[:total].tolist(), strict=True)
    }
