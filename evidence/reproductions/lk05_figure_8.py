"""LK05 figure 8: a skateboarder who waits and jumps, and three horses among fast things."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Picture, Result, Say
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
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.scene_drawing import MapPanel, draw_instants, draw_maps, shown_of, stacked
from gambol.characters import load_character
from gambol.scenes import Scene, load_scene
from gambol.search import Plan

NAME = "lk05-figure-8"
SKATE, HORSES = "skateboarder", "horses"
SETS_OFF_S = 8.0  # a time at which the hook cannot be jumped as it comes: who is on a board has to wait
WAIT, JUMP = "stop-and-wait", "jump"
WAITS = "waits, then jumps"
HOOK_AROUND = np.array([[17.0, 0.0], [34.0, 7.0]])  # what the hook sweeps, and a little more


def run(quick: bool, say: Say) -> Result:
    """Play the skateboarder with LK05's states, as it ships, and the horses."""
    shipped, field = load_scene(SKATE), load_scene(HORSES)
    papers = play("skateboarder, LK05's 11 states", lambda: with_papers_states(load_scene(SKATE)), say)
    whole = play("skateboarder, all states", lambda: load_scene(SKATE), say)
    horses = play(HORSES, lambda: load_scene(HORSES), say)
    waits = sum(waits_and_jumps(plan) for plan in papers.performance.plans)
    note = OTHER_MACHINE + " How long motions last is up to the worlds, which the paper shows in pictures alone."
    rows = (
        delivered_row(
            papers, {PLANNING: claim("lk05.fig8.skate.planning"), MOTION: claim("lk05.fig8.skate.motion")}, note=note
        ),
        delivered_row(whole),
        delivered_row(
            horses,
            {
                CHARACTERS: claim("lk05.fig8.horses"),
                PLANNING: claim("lk05.fig8.horses.planning"),
                MOTION: claim("lk05.fig8.horses.motion"),
            },
            note=note,
        ),
    )
    doing = Table(
        "who stops and waits",
        ("characters",),
        (
            row(f"{papers.label}: {WAITS}", [waits], [claim("lk05.fig8.skate.waits")]),
            row(f"{whole.label}: {WAITS}", [sum(waits_and_jumps(plan) for plan in whole.performance.plans)]),
        ),
    )
    behaviors = ", ".join(papers.performance.plans[0].behaviors)
    return Result(
        Report(
            item=NAME,
            title="LK05 figure 8: a skateboarder and three horses",
            quick=quick,
            setting=(
                f"The shipped scenes `{SKATE}` (seed {shipped.seed}) and `{HORSES}` (seed {field.seed}). The "
                f"skateboarder with LK05's 11 states sets off at {SETS_OFF_S:g} s, rolling, when the hook cannot be "
                "jumped as it comes; with all its states it sets off at 0 s, from rest. The three horses have LK05's "
                f"5 states; {len(field.world.movers)} boxes and drums move as a rigid-body solver left them. Quick and "
                "full size are the same.",
            ),
            tables=(delivered_table(rows), doing),
            differences=(
                check_sentence(papers),
                check_sentence(horses),
                f"With LK05's states the skateboarder plays: {behaviors}.",
                f"With all states it {'waits too' if whole.count(WAIT) else 'never plays stop-and-wait'}: it can slow "
                "down, scoot or set off later, which is cheaper.",
                f"A horse is planned for in {1000 * horses.planning_s:.0f} ms for {horses.motion_s:.1f} s of motion.",
            ),
            pictures=(f"{NAME}-skateboarder.png", f"{NAME}-horses.png"),
        ),
        {f"{NAME}-skateboarder.png": _skate_picture(papers), f"{NAME}-horses.png": _horses_picture(horses)},
    )


def with_papers_states(scene: Scene) -> Scene:
    """Return the skateboarder's scene with LK05's states, setting off late."""
    character = load_character("skateboarder").subset("lk05")
    return replace(scene, cast=(replace(scene.cast[0], character=character, start_s=SETS_OFF_S),))


def waits_and_jumps(plan: Plan) -> bool:
    """Tell whether a plan stops and waits, and jumps after that."""
    names = plan.behaviors
    return WAIT in names and any(name.startswith(JUMP) for name in names[names.index(WAIT) + 1 :])


def _skate_picture(played: Played) -> Picture:
    performance = played.performance
    plan = performance.plans[0]
    rate = plan.character.planning_rate_hz
    begins = {name: step.frame / rate for step, name in reversed(list(zip(plan.steps, plan.behaviors, strict=True)))}
    waits_s = begins.get(WAIT, SETS_OFF_S)
    jumps_s = next((time for name, time in begins.items() if name.startswith(JUMP)), waits_s + 3.0)
    instants = [
        (waits_s, "it comes"), (waits_s + 2.8, "it stands and waits"),
        (jumps_s + 0.9, "the arm is near: it jumps"), (jumps_s + 2.4, "and rolls on"),
    ]  # fmt: skip
    return stacked(
        [
            draw_instants(performance, instants, across=2, aspect=2.6, near=HOOK_AROUND),
            draw_maps([MapPanel("seen from above", performance.scene.world, shown_of(performance))], across=1),
        ]
    )


def _horses_picture(played: Played) -> Picture:
    performance = played.performance
    ends = performance.ends_s
    number = int(np.argmax([plan.duration_s for plan in performance.plans]))
    instants = [(share * ends, f"around the {performance.names[number]}") for share in (0.2, 0.38, 0.56, 0.74)]
    return stacked(
        [
            draw_instants(performance, instants, across=2, aspect=2.2, follow=(number, 13.0)),
            draw_maps([MapPanel("seen from above", performance.scene.world, shown_of(performance))], across=1),
        ]
    )


ITEM = Item(NAME, "a skateboarder waits and jumps over a moving hook; three horses among fast things", run)
