"""The full-rate check: the independent judge of delivered motions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judges.kernels.distance import Ground, Prisms
from gambol.judges.kernels.prisms import find_collisions
from gambol.judges.kernels.touches import Cast, find_touches
from gambol.judges.legality import find_illegal
from gambol.judges.report import BOUNDS, CheckReport, Collision, IllegalTransition, Place, Touch
from gambol.judges.tables import (
    Performer,
    frames_within,
    own_capsules,
    place_cast,
    tabulate_ground,
    tabulate_things,
    time_blocks,
)
from gambol.world.world import World

__all__ = ["CheckReport", "Collision", "IllegalTransition", "Performer", "Touch", "check_motions"]

COLLISION_DEPTH_M = 0.01  # m, >= 0: a capsule less deep in a thing does not collide; larger accepts more
LEAVES = -1  # number of the bounds among the things


def check_motions(
    world: World,
    performers: Sequence[Performer],
    *,
    collision_depth_m: float = COLLISION_DEPTH_M,
    from_s: float | None = None,
    until_s: float | None = None,
    resting: bool = False,
    progress: Callable[[float], None] | None = None,
) -> CheckReport:
    """Judge delivered motions, at their own frames and between them.

    A body is its capsules (`Body.place`); the ends of their axes move straight and evenly from frame to
    frame.  A *collision* is a capsule that enters an obstacle or a mover, or leaves the bounds, by more
    than `collision_depth_m`; a *touch* is a meeting of two capsules of different performers.  A contact
    that lasts is one finding, at its deepest moment.

    Nothing is missed between frames: a stretch of time is halved until what moves in it cannot come near
    enough.  A contact within 0.01 mm of the limit counts.

    Depth is the radius minus the least signed distance from the axis to the solid: how deep the deepest
    ball of the capsule is inside.  The signed distance is negative inside: minus the distance to the
    surface.  A capsule thinner than `collision_depth_m` collides when its axis enters.

    Over terrain heights count from the local ground: each point of an axis is lowered by the height of
    the ground below it, and axes are cut into pieces that follow the ground to a millimetre.  Balls stay
    balls, so on a slope of s depths are exact to about s/2 of the radius.  Feet that sink into the ground
    are not checked here.

    A performer stands in its first pose before its start and in its last pose after its end; others may
    touch it then.  Movers collide only with the delivered frames; with `resting` also with performers
    that stand before and after them.

    With steps, their transitions, joins and timing are checked too, and whether the delivered root
    follows them within 2 cm.  This code shares nothing with planners or their grids.

    from_s: start of the check; by default the start of the first motion.
    until_s: end of the check; by default the end of the last motion.
    progress: called from time to time with the share of the work that is done.

    >>> from gambol.animate.realize import play
    >>> from gambol.body.capsules import Body
    >>> from gambol.characters import load_character
    >>> from gambol.world.world import Footprint
    >>> from gambol.world.world import Obstacle
    >>> jog = play(load_character("human"), ["start", "jog", "stop"])
    >>> ann = Performer("Ann", jog, Body.from_skeleton(jog.skeleton))
    >>> wall = Obstacle("wall", Footprint.box(0.2, 2.0), (3.0, 0.0, 0.0))
    >>> report = check_motions(World((-5.0, -5.0, 15.0, 5.0), obstacles=(wall,)), [ann])
    >>> report.is_clean, report.collisions[0].thing
    (False, 'wall')
    >>> check_motions(World((-5.0, -5.0, 15.0, 5.0)), [ann]).is_clean
    True
    """
    begin_s, end_s = _times(performers, from_s, until_s)
    _check_input(performers, collision_depth_m)
    prisms, ground = tabulate_things(world, begin_s, end_s), tabulate_ground(world.terrain)
    collisions, touches = [np.empty((0, 9))], [np.empty((0, 10))]
    slices = 0
    for edges in time_blocks(performers, begin_s, end_s) if performers else ():
        cast = place_cast(performers, edges[0], edges[-1])
        for number in range(len(performers)):
            rows = _delivered_collisions(cast, number, edges, prisms, ground, collision_depth_m)
            collisions += [rows, _departures(cast, number, edges, world.bounds, collision_depth_m)]
        met = find_touches(cast, edges)
        met[:, 0] += slices
        touches.append(met)
        slices += len(edges) - 1
        if progress is not None:
            progress((edges[-1] - begin_s) / (end_s - begin_s) if end_s > begin_s else 1.0)
    if resting:
        collisions += _resting_collisions(performers, begin_s, end_s, prisms, ground, collision_depth_m)
    return CheckReport(
        _collisions(world, performers, np.concatenate(collisions)),
        _touches(performers, np.concatenate(touches)),
        tuple(finding for performer in performers for finding in _illegal(performer)),
        sum(performer.frames_until(end_s) for performer in performers),
    )


def _times(performers: Sequence[Performer], from_s: float | None, until_s: float | None) -> tuple[float, float]:
    begin_s = min((performer.start_s for performer in performers), default=0.0) if from_s is None else float(from_s)
    end_s = max((performer.end_s for performer in performers), default=0.0) if until_s is None else float(until_s)
    if not np.isfinite(begin_s):
        raise InvalidInput(f"a check must begin at a finite time, not at {from_s}")
    if not (np.isfinite(end_s) and end_s >= begin_s):
        raise InvalidInput(f"a check must end after it begins at {begin_s:g} s, not at {end_s:g} s")
    return begin_s, end_s


def _check_input(performers: Sequence[Performer], collision_depth_m: float) -> None:
    names = [performer.name for performer in performers]
    if len(set(names)) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise InvalidInput(f"performers must have unique names, not {', '.join(twice)}")
    if not (np.isfinite(collision_depth_m) and collision_depth_m >= 0.0):
        raise InvalidInput(f"a depth must not be negative, not {collision_depth_m}")


def _delivered_collisions(
    cast: Cast, number: int, edges: FloatArray, prisms: Prisms, ground: Ground, depth_m: float
) -> FloatArray:
    """Return a performer's collisions as rows (R, 9): performer, thing, interval, time, depth, x, y, z, capsule."""
    first, last = frames_within(cast, number, edges[0], edges[-1])
    if cast.frame_count[number] == 1:
        if not edges[0] <= cast.start_s[number] <= edges[-1]:
            return np.empty((0, 9))
        pairs = np.zeros((1, 2), dtype=np.int64)
    else:
        pairs = np.arange(first, last)[:, None] + np.arange(2)
    times = cast.start_s[number] + pairs / cast.rate_hz[number]
    starts, ends, radius = own_capsules(cast, number)
    found = find_collisions(starts, ends, radius, pairs - cast.frame_first[number], times, prisms, ground, depth_m)
    return _labelled(number, found, first)


def _resting_collisions(
    performers: Sequence[Performer], begin_s: float, end_s: float, prisms: Prisms, ground: Ground, depth_m: float
) -> Iterator[FloatArray]:
    """Yield the same rows for performers before their start and after their end."""
    for number, performer in enumerate(performers):
        last = performer.motion.frame_count - 1  # follows the last interval between two frames
        waits = [(begin_s, min(performer.start_s, end_s), -1), (performer.end_s, end_s, last)]
        for from_s, to_s, interval in waits:
            if from_s < to_s:
                cast = place_cast([performer], from_s, to_s)
                starts, ends, radius = own_capsules(cast, 0)
                frame = 0 if interval < 0 else len(starts) - 1
                pairs, times = np.full((1, 2), frame, dtype=np.int64), np.array([[from_s, to_s]])
                found = find_collisions(starts, ends, radius, pairs, times, prisms, ground, depth_m)
                yield _labelled(number, found, interval)


def _labelled(number: int, found: FloatArray, first: int) -> FloatArray:
    interval, thing = found[:, :1] + first, found[:, 1:2]
    return np.concatenate((np.full_like(thing, number), thing, interval, found[:, 2:]), axis=1)


def _departures(
    cast: Cast, number: int, edges: FloatArray, bounds: tuple[float, float, float, float], depth_m: float
) -> FloatArray:
    """Return the same rows for the frames at which a performer leaves the bounds.

    Between frames the ends of axes move straight, so they are never farther out than at a frame.
    """
    first, last = frames_within(cast, number, edges[0], edges[-1])
    starts, ends, radius = own_capsules(cast, number)
    own = slice(first - cast.frame_first[number], last - cast.frame_first[number] + 1)
    low, high = np.array(bounds[:2]), np.array(bounds[2:])
    inside = radius.max() - depth_m
    if all(
        (p[own, :, axis].min() >= low[axis] + inside) and (p[own, :, axis].max() <= high[axis] - inside)
        for p in (starts, ends)
        for axis in (0, 1)
    ):
        return np.empty((0, 9))
    points = np.stack((starts[own], ends[own]), axis=2)  # (F, C, 2, 3)
    out = np.maximum(low - points[..., :2], points[..., :2] - high).max(axis=-1) + radius[:, None]
    worst = out.reshape(len(out), -1).argmax(axis=1)
    capsule, end = np.divmod(worst, 2)
    frames = np.arange(len(out))
    depth, place = out[frames, capsule, end], points[frames, capsule, end]
    times = cast.start_s[number] + (first + frames) / cast.rate_hz[number]
    rows = np.empty((len(out), 9))
    rows[:, :2] = number, LEAVES
    rows[:, 2], rows[:, 3], rows[:, 4], rows[:, 5:8], rows[:, 8] = first + frames, times, depth, place, capsule
    return rows[depth > depth_m]


def _contacts(rows: FloatArray) -> list[FloatArray]:
    """Join rows of the same pair (columns 0 and 1) in consecutive intervals (column 2); keep the deepest.

    Column 3 is the time, which orders the result; column 4 is the depth.
    """
    rows = rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]
    breaks = np.any(np.diff(rows[:, :2], axis=0) != 0.0, axis=1) | (np.diff(rows[:, 2]) > 1.0)
    groups = np.split(rows, np.flatnonzero(breaks) + 1) if len(rows) > 0 else []
    return sorted((group[np.argmax(group[:, 4])] for group in groups), key=lambda row: tuple(row[[3, 0, 1]]))


def _collisions(world: World, performers: Sequence[Performer], rows: FloatArray) -> tuple[Collision, ...]:
    names = [*(thing.name for thing in (*world.obstacles, *world.movers)), BOUNDS]  # LEAVES is the last
    found = []
    for number, thing, _, time, depth, x, y, z, capsule in _contacts(rows):
        who = performers[int(number)]
        part = who.part(int(capsule))
        found.append(Collision(who.name, names[int(thing)], float(time), float(depth), _place(x, y, z), part))
    return tuple(found)


def _touches(performers: Sequence[Performer], rows: FloatArray) -> tuple[Touch, ...]:
    found = []
    for first, second, _, time, depth, x, y, z, capsule, other in _contacts(rows[:, [1, 2, 0, *range(3, 10)]]):
        one, two = performers[int(first)], performers[int(second)]
        parts = one.part(int(capsule)), two.part(int(other))
        found.append(Touch(one.name, two.name, float(time), float(depth), _place(x, y, z), *parts))
    return tuple(found)


def _place(x: float, y: float, z: float) -> Place:
    return float(x), float(y), float(z)


def _illegal(performer: Performer) -> list[IllegalTransition]:
    if performer.character is None or not performer.steps:
        return []
    return find_illegal(
        performer.name, performer.character, performer.steps, performer.motion, performer.start_s
    )  # fmt: skip
