"""The falling tree, which LK05 and L09 show alike: three people, one before it falls, two over it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from evidence.reproductions.claim import Claim
from evidence.reproductions.item import Result, Say
from evidence.reproductions.played import (
    CHARACTERS,
    MOTION,
    OTHER_MACHINE,
    PLANNING,
    Played,
    check_sentence,
    delivered_row,
    delivered_table,
    play,
)
from evidence.reproductions.published import number
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.scene_drawing import draw_instants
from gambol.scenes import load_scene
from gambol.search import Plan

SCENE, TREE = "falling-tree", "tree"
WHO = "who does what"
PASSES, JUMPS = "pass before it falls", "jump over it"
BEFORE_S = 0.3  # of the first picture, before the fall begins


class Tree(NamedTuple):
    """Where the tree lies, and when it falls."""

    x: float
    falls_s: float
    lies_s: float


def run_falling_tree(name: str, title: str, claims: Mapping[str, Claim], quick: bool, say: Say) -> Result:
    """Play the scene; claims by the columns of the tables."""
    scene = load_scene(SCENE)
    played = play(SCENE, lambda: load_scene(SCENE), say)
    tree = the_tree(played)
    passing = sum(_crosses_s(plan, tree.x) < tree.lies_s for plan in played.performance.plans)
    jumping = played.count("jump")
    beside = {column: claims[column] for column in (CHARACTERS, PLANNING, MOTION)}
    slowest = max(plan.statistics.time_s for plan in played.performance.plans)
    tables = (
        delivered_table((delivered_row(played, beside, note=OTHER_MACHINE),)),
        Table(WHO, ("people",), (
            row(PASSES, [passing], [claims[PASSES]]),
            row(JUMPS, [jumping], [claims[JUMPS]]),
        )),
    )  # fmt: skip
    return Result(
        Report(
            item=name,
            title=title,
            quick=quick,
            setting=(
                f"The shipped scene `{SCENE}` (seed {scene.seed}): the human with LK05's 25 states, a trunk of 16 cm "
                f"radius that falls from {tree.falls_s:g} s to {tree.lies_s:g} s across the way. Planned one after "
                "another by A* of weight 1.5, each a mover for the next. Quick and full size are the same.",
            ),
            tables=tables,
            differences=(
                check_sentence(played),
                f"{passing} of {played.arrived} cross the tree's line before it lies, {jumping} jump; nothing is "
                "annotated as something to jump over: heights decide.",
                f"The longest single search takes {1000 * slowest:.0f} ms; planning takes "
                f"{100 * played.planning_s / played.motion_s:.2g} % of the motion's own time, the paper's less than "
                f"{100 * number(claims[PLANNING]) / number(claims[MOTION]):.0f} %.",
            ),
            pictures=(f"{name}.png",),
        ),
        {f"{name}.png": _picture(played, tree)},
    )


def the_tree(played: Played) -> Tree:
    """Return the scene's tree; before and after its fall it rests for a moment of its trajectory."""
    mover = next(one for one in played.performance.scene.world.movers if one.name.startswith(TREE))
    times = mover.trajectory.times_s
    return Tree(float(mover.trajectory.poses[0, 0]), float(times[1]), float(times[-2]))


def _crosses_s(plan: Plan, x: float) -> float:
    """Return the time at which a plan's root first gets beyond x."""
    rate = plan.character.planning_rate_hz
    for step in plan.steps:
        clip = plan.character.behaviors[step.behavior].clips[step.clip]
        beyond = np.flatnonzero(clip.place(np.array(step.pose))[:, 0] > x)
        if len(beyond):
            return (step.frame + int(beyond[0])) / rate
    return float("inf")


def _picture(played: Played, tree: Tree) -> np.ndarray:
    crossings = sorted(_crosses_s(plan, tree.x) for plan in played.performance.plans)
    last = crossings[-1] if np.isfinite(crossings[-1]) else tree.lies_s + 2.0
    instants = (
        (max(0.0, tree.falls_s - BEFORE_S), "before it falls: the way is open"),
        (tree.falls_s + 0.8 * (tree.lies_s - tree.falls_s), "as it falls: nobody may pass"),
        (crossings[1] if np.isfinite(crossings[1]) else last, "it lies: the second crosses it"),
        (last, "and the last"),
    )
    return draw_instants(played.performance, instants, across=2)
