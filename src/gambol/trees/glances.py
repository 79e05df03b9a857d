"""What a glance at the room around two points tells of a clip: surely free, surely not, or look closer."""

from __future__ import annotations

import math

import numpy as np

from gambol.core import lib, rows
from gambol.search.search import Setting
from gambol.search.way import core_radii, filled_heights
from gambol.trees.fit import Fit
from gambol.trees.tree import SearchTree

SLACK_M = 1e-3  # more than poses are rounded by
SHORT_M = 0.05  # of a clip that gets less far, the middle is not between its ends
STEP_M, MOST_STEPS = 0.0125, 255  # of `gb_room.steps`, which count from 1 on
ROUNDING = 1e-6  # steps

Seen = tuple[float, float, float, float, bytes]


def seen_of(setting: Setting) -> Seen:
    """Return all of a world that glances depend on: obstacles' common heights, steepness, cells, annotations."""
    bottom, top = filled_heights(setting.world)
    world = setting.world
    return bottom, top, float(world.ground.steepest), float(world.cell_m), setting.query.special.tobytes()


def glances(tree: SearchTree, fitted: Fit, setting: Setting) -> np.ndarray:
    """Return a `gb_glance` for each of a tree's clips (C,)."""
    actions, query = setting.actions, setting.query
    clip = np.maximum(fitted.clip, 0)
    behavior = actions.clip_behavior[clip]
    first, last = actions.clip_samples[clip], actions.clip_samples[clip] + actions.duration[clip]
    middle = first + actions.duration[clip] // 2
    made = rows("gb_glance", len(clip))
    # Where the middle is between the ends, and of the same turned left.
    moved, halfway = actions.displacement[clip, :2], actions.path[middle, :2]
    squared = (moved**2).sum(axis=1)
    is_short = squared < SHORT_M**2
    squared = np.where(is_short, np.inf, squared)
    made["along"] = (moved * halfway).sum(axis=1) / squared
    made["across"] = (moved[:, 0] * halfway[:, 1] - moved[:, 1] * halfway[:, 0]) / squared
    # What may pass things that are annotated for it is left to the test of the whole clip.
    special = query.special[behavior] != -1
    leaves = special | (is_short & (np.hypot(*halfway.T) > SLACK_M))
    radius, sure = query.radius[behavior], core_radii(setting.world, actions)
    wider = lib.gb_clip_slope_margin(setting.world.ground.steepest)
    for name, sample, is_unknown in (("end", last, special), ("middle", middle, leaves)):
        enough = np.where(radius > 0.0, radius, actions.outer_radius[sample] + wider) + SLACK_M
        needed = np.where(radius > 0.0, radius, sure[sample]) - SLACK_M
        enough, needed = np.where(is_unknown, -np.inf, (enough, needed))
        made[f"{name}_enough"], made[f"{name}_needed"] = enough, needed
        made[f"{name}_sure"], made[f"{name}_least"] = _in_steps(enough, needed, setting.world.cell_m)
    return made


def _in_steps(enough: np.ndarray, needed: np.ndarray, cell_m: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the steps of room at a cell's middle above which it is enough all over the cell, and below which nowhere.

    Outside of all cells the room is -1 step.
    """
    off = math.sqrt(0.5) * cell_m
    sure = np.clip(np.ceil((enough + off) / STEP_M + ROUNDING), 0, MOST_STEPS)
    least = np.clip(np.floor((needed - off) / STEP_M - ROUNDING), 0, MOST_STEPS)
    return np.where(np.isneginf(enough), -2, sure), np.where(needed > 0.0, least, -1)
