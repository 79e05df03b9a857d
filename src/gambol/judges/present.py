"""A quick check of a running crowd: do characters touch each other or stand in something now?

The judge checks every delivered frame; this checks one, so it is fast enough while the crowd runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from gambol.body.capsules import Body
from gambol.crowd.crowd import Crowd
from gambol.crowd.edit import Edit
from gambol.crowd.live_poses import Figures
from gambol.geometry import quaternion
from gambol.judges.cast import Cast
from gambol.judges.motions import collisions_of, touches_of
from gambol.judges.rows import LEAVES, SECOND
from gambol.judges.tables import COLLISION_DEPTH_M, struct_of_surroundings, tabulate_surroundings

SPARE_FRAMES = 1  # frames, >= 0: a hit of an edit explains entries this long before and after it


class PresentFindings(NamedTuple):
    """Findings at one instant, by the numbers of characters."""

    touches: tuple[tuple[int, int], ...]  # pairs of characters: nothing explains a touch
    entries: tuple[tuple[int, str], ...]  # character and the thing it is in, without an edit that explains it
    hits: tuple[tuple[int, str], ...]  # character and the thing it is in, explained by an edit


def look_now(crowd: Crowd, figures: Sequence[Figures], bodies: Sequence[Body]) -> PresentFindings:
    """Check all bodies, as they are drawn, against each other and against all things.

    figures: of the crowd's present frame, with rotations.
    bodies: one for each kind.
    """
    ids = np.concatenate([np.empty(0, np.int64), *(one.ids for one in figures)])
    if not len(ids):
        return PresentFindings((), (), ())
    cast, world = _placed(figures, bodies, crowd.time_s), crowd.world
    names = [thing.name for thing in (*world.obstacles, *world.movers)]
    now_s = crowd.time_s
    touches = tuple(
        (int(ids[one]), int(ids[two])) for one, two in touches_of(cast, np.full(2, now_s))[:, :2].astype(np.int64)
    )
    things = struct_of_surroundings(tabulate_surroundings(world, now_s, now_s, COLLISION_DEPTH_M))
    found = collisions_of(cast, now_s, now_s, things)
    inside = found[found[:, SECOND] != LEAVES, :2].astype(np.int64)
    entries = {(int(ids[who]), names[thing]) for who, thing in inside}
    hits = {(who, name) for who, name in entries if _is_explained(crowd.edits, who, name, crowd.frame)}
    return PresentFindings(touches, tuple(sorted(entries - hits)), tuple(sorted(hits)))


def _placed(figures: Sequence[Figures], bodies: Sequence[Body], time_s: float) -> Cast:
    """Return all characters as bodies of one frame, at some time."""
    axes, radius, counts = [], [], []
    for one in figures:
        body = bodies[one.kind]
        assert one.rotations is not None
        turned = one.rotations[:, body.joint].astype(np.float64)
        at = one.positions[:, body.joint].astype(np.float64)
        ends = [at + quaternion.rotate(turned, end) for end in (body.start, body.end)]
        axes.append(np.concatenate(ends, axis=-1).reshape(-1, 6))
        radius += [body.radius] * len(one.ids)
        counts += [body.part_count] * len(one.ids)
    first, zero = np.cumsum([0, *counts]), np.zeros(len(counts), np.int64)
    return Cast(
        start_s=np.full(len(counts), time_s),
        rate_hz=np.ones(len(counts)),
        frame_count=zero + 1,
        capsule_first=first,
        radius=np.concatenate(radius),
        frame_first=zero,
        frame_last=zero,
        row_first=first[:-1],
        axes=np.concatenate(axes),
    )


def _is_explained(edits: Iterable[Edit], who: int, name: str, frame: int) -> bool:
    """Return whether an edit of this thing hits this character now."""
    for edit in edits:
        for hit in edit.hits.get(who, ()) if edit.name == name else ():
            last = math.inf if hit.last_frame is None else hit.last_frame
            if hit.first_frame - SPARE_FRAMES <= frame <= last + SPARE_FRAMES:
                return True
    return False
