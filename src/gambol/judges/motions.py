"""The full-rate check: the independent judge of delivered motions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gambol.core import Struct, lib, pointer
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judges.cast import Cast, Performer, place_cast, room_for, standing_cast, struct_of_cast, time_blocks
from gambol.judges.legality import find_illegal
from gambol.judges.report import BOUNDS, CheckReport, Collision, IllegalTransition, Touch
from gambol.judges.rows import (
    CAPSULE,
    DEPTH,
    FIRST,
    LEAVES,
    MOMENT,
    OTHER_CAPSULE,
    SECOND,
    TIME,
    Findings,
    all_rows,
    place_of,
)
from gambol.judges.tables import COLLISION_DEPTH_M, check_depth, struct_of_surroundings, tabulate_surroundings
from gambol.world.world import World

__all__ = ["CheckReport", "Collision", "IllegalTransition", "Performer", "Touch", "check_motions"]


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

    >>> from gambol import Footprint, Obstacle, World, load_character
    >>> from gambol.animate import play
    >>> from gambol.body import Body
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
    _check_names(performers)
    things = struct_of_surroundings(tabulate_surroundings(world, begin_s, end_s, check_depth(collision_depth_m)))
    collisions, touches = Findings(), Findings()
    slices = 0
    for edges in time_blocks(performers, begin_s, end_s) if performers else ():
        cast = place_cast(performers, edges[0], edges[-1])
        collisions.add(collisions_of(cast, edges[0], edges[-1], things))
        touches.add(touches_of(cast, edges, slices))
        slices += len(edges) - 1
        if progress is not None:
            progress((edges[-1] - begin_s) / (end_s - begin_s) if end_s > begin_s else 1.0)
    for number, performer in enumerate(performers if resting else ()):
        last = performer.motion.frame_count - 1  # follows the last interval between two frames
        waits = (begin_s, min(performer.start_s, end_s), -1), (performer.end_s, end_s, last)
        for wait_from_s, wait_to_s, interval in waits:
            if wait_from_s < wait_to_s:
                found = collisions_of(standing_cast(performer, wait_from_s, wait_to_s), wait_from_s, wait_to_s, things)
                found[:, FIRST], found[:, MOMENT] = number, interval
                collisions.add(found[found[:, SECOND] != LEAVES])
    return CheckReport(
        _collisions(world, performers, collisions.joined()),
        _touches(performers, touches.joined()),
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


def _check_names(performers: Sequence[Performer]) -> None:
    names = [performer.name for performer in performers]
    if len(set(names)) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise InvalidInput(f"performers must have unique names, not {', '.join(twice)}")


def collisions_of(cast: Cast, from_s: float, to_s: float, things: Struct) -> FloatArray:
    """Return rows of the collisions and departures of a cast, a row for each interval between frames or frame.

    things: surroundings as the core reads them.
    """
    bodies, room = struct_of_cast(cast), room_for(cast)
    return all_rows(lambda rows: lib.gb_check_collisions(bodies.c, from_s, to_s, things.c, room.c, rows))


def touches_of(cast: Cast, edges: FloatArray, first_slice: int = 0) -> FloatArray:
    """Return rows of the touches of a cast in slices of time, a row for each slice."""
    bodies, room, boxes = struct_of_cast(cast), room_for(cast), np.empty((len(cast.start_s), 6))
    times, slices, places = pointer(edges, "double"), len(edges) - 1, pointer(boxes, "double")
    return all_rows(
        lambda rows: lib.gb_check_touches(bodies.c, times, slices, first_slice, places, room.c, rows)
    )  # fmt: skip


def _collisions(world: World, performers: Sequence[Performer], rows: FloatArray) -> tuple[Collision, ...]:
    names = [*(thing.name for thing in (*world.obstacles, *world.movers)), BOUNDS]  # LEAVES is the last
    found = []
    for row in rows:
        who, thing = performers[int(row[FIRST])], names[int(row[SECOND])]
        part = who.part(int(row[CAPSULE]))
        found.append(Collision(who.name, thing, float(row[TIME]), float(row[DEPTH]), place_of(row), part))
    return tuple(found)


def _touches(performers: Sequence[Performer], rows: FloatArray) -> tuple[Touch, ...]:
    found = []
    for row in rows:
        one, two = performers[int(row[FIRST])], performers[int(row[SECOND])]
        parts = one.part(int(row[CAPSULE])), two.part(int(row[OTHER_CAPSULE]))
        found.append(Touch(one.name, two.name, float(row[TIME]), float(row[DEPTH]), place_of(row), *parts))
    return tuple(found)


def _illegal(performer: Performer) -> list[IllegalTransition]:
    if performer.character is None or not performer.steps:
        return []
    return find_illegal(performer.name, performer.character, performer.steps, performer.motion, performer.start_s)
