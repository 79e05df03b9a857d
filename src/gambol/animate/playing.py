"""Turn a plan, or any sequence of behaviors, into one motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gambol.animate.blends import Blends, blend_structs
from gambol.characters.character import Character
from gambol.characters.step import Step, check_steps, clip_of, place_steps
from gambol.core import lib, pointer
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.geometry.arrays import Int64Array
from gambol.motion.contacts import Contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.search.plan import Plan
from gambol.world.terrain import Terrain


class _Layout(NamedTuple):
    """Where each frame of the motion comes from."""

    steps: tuple[Step, ...]
    blends: Blends
    rows: Int64Array  # (F,) row in the clips' table; where negative, ~row in the blends' table
    anchors: Int64Array  # (F,) the pose that places the frame: 2 s is the start of step s, 2 s + 1 its end


def realize(plan: Plan, *, blends: Blends | None = None) -> Motion:
    """Return the motion of a plan, over the terrain of the world that it was planned in.

    It begins when the first step does and ends with the last; a plan without steps has no motion, which is an error.
    blends: as in `play`.

    >>> from gambol import Goal, Problem, World, load_character, realize, solve
    >>> plan = solve(Problem(World((0, 0, 20, 10)), load_character("human"), (1, 5, 0), Goal(18, 5)))
    >>> realize(plan).duration_s == plan.duration_s
    True
    """
    if not plan.steps:
        raise InvalidInput(f"there is no motion: the plan has no steps ({plan.outcome.value}: {plan.reason})")
    terrain = None if plan.problem is None else plan.problem.world.terrain
    return play(plan.character, plan.steps, blends=blends, terrain=terrain)


def play(
    character: Character,
    sequence: Sequence[str] | Sequence[Step],
    *,
    start: tuple[float, float, float] = (0.0, 0.0, 0.0),
    seed: int = 0,
    blends: Blends | None = None,
    terrain: Terrain | None = None,
) -> Motion:
    """Play steps, or behaviors by their names, as one seamless motion.

    The motion begins with the first clip's first frame and ends with the last clip's last frame, without
    margins.  The root in the ground plane follows the placed clips; everything else is blended around each
    join (see `gambol.characters.blend`).

    start, seed: for names only, since steps contain both: the pose (x, y, heading) of the first clip, and
    the seed that chooses among the clips of each behavior.
    blends: from `Blends.of`, to save time; the motion is the same without.
    terrain: the ground under the motion (see `gambol.animate.terrain`); None is level ground at height zero.
    """
    layout = _lay_out(character, sequence, start, seed, blends)
    frames = layout.blends.frames
    roots = np.empty((len(layout.rows), 3))
    rotations = np.empty((len(layout.rows), *frames.rotations.shape[1:]))
    poses = np.empty((len(layout.steps), 2, 3))
    poses[:, 0] = [step.pose for step in layout.steps]
    ends = np.array([clip_of(character, step).displacement for step in layout.steps])
    poses[:, 1] = planar.compose(poses[:, 0], ends)
    clips, joins = blend_structs(layout.blends)
    lib.gb_playback_play(
        clips.c, joins.c, pointer(layout.rows, "int64_t"), pointer(layout.anchors, "int64_t"), len(roots),
        pointer(poses, "double"), pointer(roots, "double"), pointer(rotations, "double"),
    )  # fmt: skip
    rigid = len(frames.offsets) == 1
    translations = None if rigid else _gather(layout, frames.offsets, layout.blends.joins.offsets)
    motion = Motion(character.skeleton, frames.rate_hz, roots, rotations, translations)
    if terrain is None:
        return motion
    from gambol.animate.terrain import over_terrain  # only for worlds with hills

    return over_terrain(motion, _contacts(layout), terrain)


def realized_contacts(
    character: Character, sequence: Sequence[str] | Sequence[Step], *, seed: int = 0, blends: Blends | None = None
) -> Contacts:
    """Return when feet and hands are planted in what `play` makes of the same sequence.

    Away from joins these are the clips' own contacts.  Around a join, each limb has the contacts of the
    clip that it follows at that time.  A terrain changes nothing: the contacts' ground stays level.
    """
    return _contacts(_lay_out(character, sequence, (0.0, 0.0, 0.0), seed, blends))


def _lay_out(
    character: Character,
    sequence: Sequence[str] | Sequence[Step],
    start: tuple[float, float, float],
    seed: int,
    blends: Blends | None,
) -> _Layout:
    if all(isinstance(item, Step) for item in sequence):
        steps = tuple(cast(Sequence[Step], sequence))
        check_steps(character, steps)
    elif all(isinstance(item, str) for item in sequence):
        steps = place_steps(character, cast(Sequence[str], sequence), start=start, seed=seed)
    else:
        raise InvalidInput("a sequence consists of steps or of behaviors' names")
    clips = [clip_of(character, step) for step in steps]
    if blends is None:
        distinct = list({id(clip): clip for clip in clips}.values())
        number_of = {id(clip): number for number, clip in enumerate(distinct)}
        played = np.array([number_of[id(clip)] for clip in clips], dtype=np.int64)
        blends = Blends.between(distinct, np.column_stack((played[:-1], played[1:])))
    numbers = blends.numbers(clips)
    rows = np.empty(int(blends.frames.steps[numbers].sum()) + 1, dtype=np.int64)
    anchors = np.empty(len(rows), dtype=np.int64)
    table, joins = blend_structs(blends)
    lib.gb_playback_lay_out(
        table.c, joins.c, pointer(numbers, "int64_t"), len(numbers), pointer(blends.find(numbers), "int64_t"),
        pointer(rows, "int64_t"), pointer(anchors, "int64_t"),
    )  # fmt: skip
    return _Layout(steps, blends, rows, anchors)


def _contacts(layout: _Layout) -> Contacts:
    planted = _gather(layout, layout.blends.frames.planted, layout.blends.joins.planted)
    return Contacts(layout.blends.clips[0].contacts.points, planted, Ground(0.0))


def _gather(layout: _Layout, of_clips: NDArray, of_blends: NDArray) -> NDArray:
    """Collect each frame's values from the table of the clips or from that of the blends."""
    gathered = np.empty((len(layout.rows), *of_clips.shape[1:]), dtype=of_clips.dtype)
    own = layout.rows >= 0
    gathered[own] = of_clips[layout.rows[own]]
    gathered[~own] = of_blends[~layout.rows[~own]]
    return gathered
