"""What a glance at the room around two points tells of a clip: surely free, surely not, or look closer."""

from __future__ import annotations

import numpy as np

from gambol.characters.action_table import ActionTable
from gambol.search.kernels.collision import sideways_margin
from gambol.search.search import Setting
from gambol.trees.fit import Fit
from gambol.trees.tree import SearchTree
from gambol.world.table import WorldTable

SLACK_M = 1e-3  # more than poses are rounded by
#: Columns: room that surely is enough at the end and in the middle of a clip, room that surely is not, and where the
#: middle is: so much of the way from start to end, and of the same turned left, off the start.
END_ENOUGH, END_NEEDED, MIDDLE_ENOUGH, MIDDLE_NEEDED, ALONG, ACROSS = range(6)
SHORT_M = 0.05  # of a clip that gets less far, the middle is not between its ends


Seen = tuple[float, float, float, bytes]


def seen_of(setting: Setting) -> Seen:
    """Return all of a world that glances depend on: heights that all obstacles fill, steepness, annotations."""
    bottom, top = _filled_heights(setting.world)
    return bottom, top, float(setting.world.ground.steepest), setting.query.special.tobytes()


def glances(tree: SearchTree, fitted: Fit, setting: Setting) -> np.ndarray:
    """Return the columns of `gb_tree_fit.glances` for each of a tree's clips (C, 6)."""
    actions, query = setting.actions, setting.query
    clip = np.maximum(fitted.clip, 0)
    behavior = actions.clip_behavior[clip]
    first, last = actions.clip_samples[clip], actions.clip_samples[clip] + actions.duration[clip]
    middle = first + actions.duration[clip] // 2
    radius = query.radius[behavior]
    sure = core_radii(setting.world, actions)
    wider = sideways_margin(setting.world.ground.steepest)
    columns = np.empty((len(clip), 6))
    for sample, enough, needed in (
        (last, END_ENOUGH, END_NEEDED),
        (middle, MIDDLE_ENOUGH, MIDDLE_NEEDED),
    ):
        columns[:, enough] = np.where(radius > 0.0, radius, actions.outer_radius[sample] + wider) + SLACK_M
        columns[:, needed] = np.where(radius > 0.0, radius, sure[sample]) - SLACK_M
    # Where the middle is between the ends, and of the same turned left.
    moved, halfway = actions.displacement[clip, :2], actions.path[middle, :2]
    squared = (moved**2).sum(axis=1)
    is_short = squared < SHORT_M**2
    squared = np.where(is_short, 1.0, squared)
    columns[:, ALONG] = np.where(is_short, 0.0, (moved * halfway).sum(axis=1) / squared)
    columns[:, ACROSS] = np.where(is_short, 0.0, (moved[:, 0] * halfway[:, 1] - moved[:, 1] * halfway[:, 0]) / squared)
    leaves = is_short & (np.hypot(*halfway.T) > SLACK_M)
    columns[leaves, MIDDLE_ENOUGH] = columns[leaves, MIDDLE_NEEDED] = -np.inf
    # What may pass things that are annotated for it is left to the test of the whole clip.
    special = query.special[behavior] != -1
    columns[special, : MIDDLE_NEEDED + 1] = -np.inf
    return columns


def core_radii(world: WorldTable, actions: ActionTable) -> np.ndarray:
    """Return how near the root of each instant (S,) surely cannot come to any obstacle of a world.

    That is the widest part around the root, of those at heights that all obstacles fill.
    """
    bottom, top = _filled_heights(world)
    at_height = (actions.part_low < top) & (bottom < actions.part_high) & (actions.part_low < actions.part_high)
    around = actions.part_radius - np.linalg.norm(actions.part_offset, axis=-1)
    return np.where(at_height & (bottom < top), around, 0.0).max(axis=1)


def _filled_heights(world: WorldTable) -> tuple[float, float]:
    """Return the heights between which all obstacles are."""
    return float(world.pieces.bottom.max(initial=-np.inf)), float(world.pieces.top.min(initial=np.inf))
