"""LK05 figure 1: one hundred people cross a square, each planned for around all before it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from evidence.reproductions.claim import claim
from evidence.reproductions.data_sizes import data_frames
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.played import (
    CHARACTERS,
    MOTION,
    OTHER_MACHINE,
    PLANNING,
    TOTAL,
    Played,
    check_sentence,
    delivered_row,
    delivered_table,
    play,
)
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.scene_drawing import MapPanel, draw_instants, draw_maps, shown_of, stacked
from gambol.characters import Character
from gambol.scenes import Scene, load_scene
from gambol.world import World

NAME = "lk05-figure-1"
SCENE = "crossing"
WAIT = "stop-and-wait"
WIDER = 1.65  # times: then motions last about as long as the paper's
QUICK_EVERY = 5  # of the cast, at quick size
STOPPING = "stopping and waiting"


def run(quick: bool, say: Say) -> Result:
    """Play the crossing, the same with longer ways, and both without the behavior that stops and waits."""
    make = partial(crossing, QUICK_EVERY if quick else 1)
    scene = make()
    near = play(SCENE, make, say)
    far = play(f"crossing, ways {WIDER:g} times as long", lambda: widened(make(), WIDER), say)
    never = play("crossing, nobody can stop and wait", lambda: without(make(), WAIT), say)
    frames = data_frames(scene.cast[0].character)
    seconds = frames.with_margins / scene.cast[0].character.planning_rate_hz
    note = OTHER_MACHINE + " The paper's world is known from a picture alone."
    published = {
        PLANNING: claim("lk05.s4.hundred.planning"),
        MOTION: claim("lk05.s4.hundred.motion"),
        TOTAL: claim("lk05.s4.hundred.total"),
        CHARACTERS: claim("lk05.fig1.characters"),
    }
    few = "At quick size a fifth of the cast. " if quick else ""
    rows = (
        delivered_row(near, {CHARACTERS: claim("l09.c1.hundred")}, note=few + "As it ships."),
        delivered_row(far, published, note=few + note),
        delivered_row(never),
    )
    waiting = Table(
        STOPPING,
        ("arrive", "play stop-and-wait", "stop and set off again"),
        tuple(row(one.label, [one.arrived, one.count(WAIT), _stops(one)]) for one in (near, far, never)),
    )
    data = Table(
        "setting",
        ("ours",),
        (
            row(
                "data of the state machine, s", [seconds], [claim("lk05.s4.hundred.data")],
                note="Margins for blending included; LK05's 1,648 frames at 30 Hz are these 55 s.",
            ),
            row("clips that they move by", [_clips(scene)], [claim("l09.s7.clips")]),
            row("people that move by these", [len(scene.cast)], [claim("l09.s7.characters")]),
            row("variety: different behaviors played", [_kinds(far)]),
        ),
    )  # fmt: skip
    return Result(
        Report(
            item=NAME,
            title="LK05 figure 1: one hundred people",
            quick=quick,
            setting=(
                f"The shipped scene `{SCENE}` (seed {scene.seed}), {len(scene.cast)} people from four sides among a "
                "fountain, a kiosk and benches on 70 x 70 m, all with LK05's 25 states; and the same with all places "
                f"{WIDER:g} times as far from its middle. Planned one after another by A* of weight 1.5, each a "
                "mover for those after it.",
            ),
            tables=(delivered_table(rows), waiting, data),
            differences=(
                check_sentence(near),
                check_sentence(far),
                _waiting_sentence(near, far, never),
                f"{far.total_s:,.0f} s of motion come from {seconds:.0f} s of data; planning takes "
                f"{1000 * far.planning_s / far.motion_s:.2g} ms for a second of motion, the paper's about 100 ms.",
            ),
            pictures=(f"{NAME}.png",),
        ),
        {f"{NAME}.png": _picture(near, far)},
    )


def crossing(every: int) -> Scene:
    """Return the shipped scene with every so many of its cast."""
    scene = load_scene(SCENE)
    return replace(scene, cast=scene.cast[::every])


def widened(scene: Scene, factor: float) -> Scene:
    """Return a scene whose starts, goals and obstacles are so many times as far from its middle."""
    x0, y0, x1, y1 = scene.world.bounds
    middle_x, middle_y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)

    def moved(x: float, y: float) -> tuple[float, float]:
        return middle_x + factor * (x - middle_x), middle_y + factor * (y - middle_y)

    obstacles = tuple(replace(one, pose=(*moved(*one.pose[:2]), one.pose[2])) for one in scene.world.obstacles)
    cast = []
    for actor in scene.cast:
        assert actor.goal is not None, "everybody has somewhere to go"
        x, y = moved(actor.goal.x, actor.goal.y)
        start = (*moved(*actor.start[:2]), actor.start[2])
        cast.append(replace(actor, start=start, goal=replace(actor.goal, x=x, y=y)))
    return replace(scene, world=World((*moved(x0, y0), *moved(x1, y1)), obstacles), cast=tuple(cast))


def without(scene: Scene, behavior: str) -> Scene:
    """Return a scene whose cast does not have a behavior."""
    known: dict[int, Character] = {}  # those who share a character still do

    def less(character: Character) -> Character:
        names = [one.name for one in character.behaviors if one.name != behavior]
        return known.setdefault(id(character), character.only(names))

    return replace(scene, cast=tuple(replace(actor, character=less(actor.character)) for actor in scene.cast))


def _stops(played: Played) -> int:
    """Return how many stop on the way and set off again."""
    return sum("stop" in plan.behaviors[:-1] for plan in played.performance.plans)


def _clips(scene: Scene) -> int:
    """Return how many clips the one character has, that all of the cast share."""
    return sum(len(one.clips) for one in scene.cast[0].character.behaviors)


def _kinds(played: Played) -> int:
    return len({name for plan in played.performance.plans for name in plan.behaviors})


def _waiting_sentence(near: Played, far: Played, never: Played) -> str:
    return (
        f"The paper calls stop-and-wait important here; {near.count(WAIT)} of {near.arrived} play it in the shipped "
        f"scene and {far.count(WAIT)} of {far.arrived} with longer ways, and without it {never.arrived} of "
        f"{len(never.performance.plans)} arrive: turning aside, shorter steps or setting off later cost less than "
        "standing."
    )


def _picture(near: Played, far: Played) -> Picture:
    performance = near.performance
    half_s = 0.5 * performance.ends_s
    return stacked(
        [
            draw_instants(performance, [(half_s, f"{len(performance.plans)} people")], across=1, aspect=2.3),
            draw_maps(
                [MapPanel(one.label, one.performance.scene.world, shown_of(one.performance)) for one in (near, far)],
                across=2,
            ),
        ]
    )


ITEM = Item(NAME, "one hundred people cross a square, planned one after another", run)
