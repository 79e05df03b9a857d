"""A quick check of a running crowd: do characters touch each other or stand in something now?

The judge checks every delivered frame; this checks one, so it is fast enough while the crowd runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import shapely

from gambol.body.capsules import Body
from gambol.crowd.crowd import Crowd
from gambol.crowd.edit import Edit
from gambol.crowd.live_poses import Figures
from gambol.geometry import quaternion
from gambol.judges.kernels.present import list_entries, list_touches
from gambol.world.table import pieces_of
from gambol.world.world import Obstacle

MOST = 1000  # findings of each kind, >= 1: the most to list
DEPTH_M = 0.01  # m, >= 0: a character less deep in a thing does not count; larger accepts more
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
    ids, starts, ends, radius, count = _capsules(figures, bodies)
    if not len(ids):
        return PresentFindings((), (), ())
    there = radius > 0.0
    middle = starts[..., :2].sum(axis=1) / count[:, None]
    away = np.maximum(*(np.linalg.norm(points[..., :2] - middle[:, None], axis=-1) for points in (starts, ends)))
    reach = np.where(there, away + radius, 0.0).max(axis=1)
    tree = shapely.STRtree(shapely.points(middle))
    near = tree.query(shapely.points(middle), predicate="dwithin", distance=2.0 * float(reach.max())).T
    near = np.ascontiguousarray(near[near[:, 0] < near[:, 1]], dtype=np.int64)
    pairs = np.zeros((MOST, 2), np.int64)
    total = list_touches(starts, ends, radius, count, middle, reach, near, pairs)
    touches = tuple((int(ids[a]), int(ids[b])) for a, b in pairs[: min(total, MOST)])
    things = _things(crowd)
    found = np.zeros((MOST, 2), np.int64)
    total = list_entries(starts, ends, radius, count, middle, reach, pieces_of(things), DEPTH_M, found)
    entries = {(int(ids[who]), things[thing].name) for who, thing in found[: min(total, MOST)].tolist()}
    hits = {(who, name) for who, name in entries if _is_explained(crowd.edits, who, name, crowd.frame)}
    return PresentFindings(touches, tuple(sorted(entries - hits)), tuple(sorted(hits)))


def _capsules(figures: Sequence[Figures], bodies: Sequence[Body]) -> tuple:
    """Return ids (N,), starts and ends (N, C, 3), radii (N, C) and numbers of capsules (N,) of all characters."""
    most = max((body.part_count for body in bodies), default=0)
    total = sum(len(one.ids) for one in figures)
    ids, count = np.zeros(total, np.int64), np.zeros(total, np.int64)
    starts, ends, radius = np.zeros((total, most, 3)), np.zeros((total, most, 3)), np.zeros((total, most))
    begin = 0
    for one in figures:
        body, end, parts = bodies[one.kind], begin + len(one.ids), bodies[one.kind].part_count
        assert one.rotations is not None
        turned = one.rotations[:, body.joint].astype(np.float64)
        at = one.positions[:, body.joint].astype(np.float64)
        ids[begin:end], count[begin:end], radius[begin:end, :parts] = one.ids, parts, body.radius
        starts[begin:end, :parts] = at + quaternion.rotate(turned, body.start)
        ends[begin:end, :parts] = at + quaternion.rotate(turned, body.end)
        begin = end
    return ids, starts, ends, radius, count


def _things(crowd: Crowd) -> tuple[Obstacle, ...]:
    """Return all obstacles, and all movers as obstacles at their present places."""
    things = list(crowd.world.obstacles)
    for mover in crowd.world.movers:
        pose, heights = mover.trajectory.at(crowd.time_s)
        x, y, heading = (float(value) for value in pose)
        things.append(Obstacle(mover.name, mover.footprint, (x, y, heading), float(heights[0]), float(heights[1])))
    return tuple(things)


def _is_explained(edits: Iterable[Edit], who: int, name: str, frame: int) -> bool:
    """Return whether an edit of this thing hits this character now."""
    for edit in edits:
        for hit in edit.hits.get(who, ()) if edit.name == name else ():
            last = math.inf if hit.last_frame is None else hit.last_frame
            if hit.first_frame - SPARE_FRAMES <= frame <= last + SPARE_FRAMES:
                return True
    return False
