"""LK05 figure 7: one way with two preferences, over a hill and a hurdle or around both."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.played import check_sentence, delivered_row, delivered_table, play
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.scene_drawing import MapPanel, draw_instants, draw_maps, shown_of, stacked
from gambol.scenes import Scene, load_scene
from gambol.search import Plan, path_of
from gambol.world import Terrain

NAME = "lk05-figure-7"
SCENE, NORMAL, HIGH = "preferences", "bold", "careful"
COSTS = (("normal costs", NORMAL), ("high costs", HIGH))
PREFERENCES = "by preference"
DIFFERENT = "different paths"
INSTANTS = ((3.5, "over the hill or around it"), (9.4, "over the hurdle or around it"))
APART_M = 2.0  # two ways are different where one gets farther than this from the other


def run(quick: bool, say: Say) -> Result:
    """Plan the same way with normal and with high costs of jumping and climbing, and the scene's two together."""
    scene = load_scene(SCENE)
    together = play(SCENE, lambda: load_scene(SCENE), say)
    alone = [play(words, partial(_alone, whose), say) for words, whose in COSTS]
    terrain = scene.world.terrain
    assert terrain is not None, "the scene has a hill"
    plans = [one.performance.plans[0] for one in alone]
    apart = farthest_apart(*plans)
    different = 1 + int(apart > APART_M)
    rows = [
        row(one.label, [_length(plan), _rise(plan, terrain), one.count("jump"), plan.cost, plan.statistics.expansions])
        for one, plan in zip(alone, plans, strict=True)
    ]
    rows.append(row(DIFFERENT, [different, None, None, None, None], [claim("lk05.fig7.paths"), None, None, None, None]))
    columns = ("way, m", "rise, m", "jumps", "cost", "expansions")
    table = Table(
        PREFERENCES, columns, tuple(rows),
        f"The last row counts paths: two where one gets farther than {APART_M:g} m from the other.",
    )  # fmt: skip
    both = together.performance
    pictures = stacked(
        [
            draw_maps([MapPanel("both, planned one after the other", scene.world, shown_of(both))], across=1),
            draw_instants(both, INSTANTS, across=2),
        ]
    )
    return Result(
        Report(
            item=NAME,
            title="LK05 figure 7: preferences by cost",
            quick=quick,
            setting=(
                f"The shipped scene `{SCENE}` (seed {scene.seed}): hills of up to 0.9 m, then a wall with a hurdle of "
                "35 cm. The human with LK05's 25 states: normally a metre of rise costs 2 more and one of fall 1; with "
                "high costs 40 and 20, and jumps weigh 20 in place of 1.5. Rows of the second table begin at the same "
                "place, with the same planner; quick and full size are the same.",
            ),
            tables=(
                delivered_table(tuple(delivered_row(one) for one in (together, *alone))),
                table,
            ),
            differences=(
                check_sentence(together),
                f"With high costs the way is {_length(plans[1]) - _length(plans[0]):.1f} m longer, rises "
                f"{_rise(plans[1], terrain):.2f} m in place of {_rise(plans[0], terrain):.2f} m and has "
                f"{alone[1].count('jump')} jumps in place of {alone[0].count('jump')}; the two are up to {apart:.1f} m "
                "apart. The paper gives no numbers for this figure.",
            ),
            pictures=(f"{NAME}.png",),
        ),
        {f"{NAME}.png": pictures},
    )


def _alone(whose: str) -> Scene:
    """Return the scene with one of its cast, who begins and ends where the first one does."""
    scene = load_scene(SCENE)
    first, chosen = scene.actor(NORMAL), scene.actor(whose)
    return replace(scene, cast=(replace(chosen, start=first.start, goal=first.goal),))


def _length(plan: Plan) -> float:
    return float(np.linalg.norm(np.diff(path_of(plan)[:, :2], axis=0), axis=1).sum())


def _rise(plan: Plan, terrain: Terrain) -> float:
    """Return the metres that a plan's root goes up, all together."""
    changes = np.diff(terrain.height(path_of(plan)[:, :2]))
    return float(changes[changes > 0.0].sum())


def farthest_apart(one: Plan, other: Plan) -> float:
    """Return how far the first way gets from the second."""
    here, there = path_of(one)[:, :2], path_of(other)[:, :2]
    return float(np.linalg.norm(here[:, None] - there[None], axis=2).min(axis=1).max())


ITEM = Item(NAME, "the same way with normal and with high costs of jumping and climbing", run)
