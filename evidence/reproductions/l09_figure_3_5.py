"""L09 figure 3.5: twenty people among rolling spheres and each other."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.played import CHARACTERS, Played, check_sentence, delivered_row, delivered_table, play
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.scene_drawing import MapPanel, draw_instants, draw_maps, shown_of, stacked
from gambol.characters import Character
from gambol.scenes import Scene, load_scene
from gambol.search import path_of

NAME = "l09-figure-3.5"
SCENE = "spheres"
ENDS, JOG = ("start", "stop"), "jog"
QUICK_EVERY = 2  # of the cast, at quick size
ENOUGH = "how many jogging behaviors are enough"
KEEPING_UP = "how many people a search plans for in real time"
SEVEN = (JOG, "jog-left-15", "jog-left-30", "jog-left-50", "jog-right-15", "jog-right-30", "jog-right-50")
FIVE, THREE = (JOG, "jog-left-30", "jog-left-50", "jog-right-30", "jog-right-50"), (JOG, "jog-left-30", "jog-right-30")


def run(quick: bool, say: Say) -> Result:
    """Play the spheres with all of LK05's states, and with seven, five and three ways of jogging alone."""
    make = partial(spheres, QUICK_EVERY if quick else 1)
    scene = make()
    whole = play(f"{SCENE}, LK05's 25 states", make, say)
    few = {
        len(names): play(f"{SCENE}, start, stop and {len(names)} jogs", partial(_with_jogs, make, names), say)
        for names in (SEVEN, FIVE, THREE)
    }
    people = len(scene.cast)
    least = min((count for count, one in few.items() if one.arrived == people and one.faults == 0), default=0)
    rows = (
        delivered_row(whole, {CHARACTERS: claim("l09.c3.spheres")}, note="The thesis gives no times for this figure."),
        *(delivered_row(one) for one in few.values()),
    )
    enough = Table(
        ENOUGH,
        ("jogging behaviors",),
        (
            row(
                "with which all arrive and nothing is touched", [least], [claim("l09.c3.enough")],
                note="The fewest of seven, five and three that were tried in this scene, beside start and stop; the "
                "thesis speaks of many people in large environments.",
            ),
        ),
    )  # fmt: skip
    keeping_up = Table(
        KEEPING_UP,
        ("people",),
        (
            row(
                "that can be planned for while one motion lasts", [round(whole.motion_s / whole.planning_s)],
                [claim("l09.c4.real_time")],
                note=f"Reckoned, not run: seconds of motion by seconds of planning, each, with {people} people in this "
                "scene. The thesis's number is of its search on its machine.",
            ),
        ),
    )  # fmt: skip
    path = path_of(whole.performance.plans[0])
    return Result(
        Report(
            item=NAME,
            title="L09 figure 3.5: twenty people among moving spheres",
            quick=quick,
            setting=(
                f"The shipped scene `{SCENE}` (seed {scene.seed}): {people} people, half of them each way, over "
                f"40 x 30 m with {len(scene.world.movers)} spheres whose motion a rigid-body solver left as a file; to "
                "the planner they are upright cylinders as high as the spheres. "
                "Planned one after another by A* of weight 1.5, each a mover for those after it; spheres are known in "
                "advance, as in the thesis.",
            ),
            tables=(delivered_table(rows), enough, keeping_up),
            differences=(
                check_sentence(whole),
                *(check_sentence(one) for one in few.values()),
                f"With LK05's states the first travels {abs(path[-1, 0] - path[0, 0]):.0f} m; planning takes "
                f"{1000 * whole.planning_s:.0f} ms for each, for {whole.motion_s:.1f} s of motion.",
            ),
            pictures=(f"{NAME}.png",),
        ),
        {f"{NAME}.png": _picture(whole, few[len(SEVEN)])},
    )


def spheres(every: int) -> Scene:
    """Return the shipped scene with every so many of its cast."""
    scene = load_scene(SCENE)
    return replace(scene, cast=scene.cast[::every])


def _with_jogs(make: partial[Scene], names: tuple[str, ...]) -> Scene:
    """Return the scene whose cast can set off, jog in so many ways, and stop."""
    scene = make()
    known: dict[int, Character] = {}  # those who share a character still do

    def only(character: Character) -> Character:
        return known.setdefault(id(character), character.only((*ENDS, *names)))

    return replace(scene, cast=tuple(replace(actor, character=only(actor.character)) for actor in scene.cast))


def _picture(whole: Played, seven: Played) -> Picture:
    performance = whole.performance
    ends = performance.ends_s
    instants = [(share * ends, "people and spheres") for share in (0.25, 0.45, 0.6, 0.75)]
    return stacked(
        [
            draw_instants(performance, instants, across=2, aspect=1.9),
            draw_maps(
                [MapPanel(one.label, one.performance.scene.world, shown_of(one.performance)) for one in (whole, seven)],
                across=2,
            ),
        ]
    )


ITEM = Item(NAME, "twenty people avoid rolling spheres and each other; how few jogs are enough", run)
