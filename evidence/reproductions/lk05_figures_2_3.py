"""LK05 figures 2 and 3: the state machines of human, skateboarder and horse, and how much data they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from evidence.reproductions.claim import claim
from evidence.reproductions.data_sizes import clips_of, count_of, data_frames, margin_of, span
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Row, Table, Value, row
from evidence.reproductions.scene_drawing import pixels_of, stacked
from gambol.characters import DEFAULT_WEIGHTS, Behavior, Character, load_character
from gambol.pictures import draw_state_machine

NAME = "lk05-figures-2-3"
SIMPLE = ("start", "jog", "jog-left-30", "jog-right-30", "stop")  # the states of LK05 figure 2
COLUMNS = ("LK05", "L09 3.2")
SPECIAL, SHORT = ("jump", "duck", "crawl", "stop-and-wait"), "step-"
SIDES = (("forward", ""), ("left", "left"), ("right", "right"))


def run(quick: bool, say: Say) -> Result:
    """Count what the characters have, and draw their machines."""
    say("counting states and frames", 0.0)
    human, skater, horse = (load_character(name).subset("lk05") for name in ("human", "skateboarder", "horse"))
    simple = human.only(SIMPLE, name="human/figure-2")
    ours, theirs = data_frames(human), 1648
    return Result(
        Report(
            item=NAME,
            title="LK05 figures 2 and 3: state machines and data",
            quick=quick,
            setting=(
                "The built-in characters with their subset `lk05`, which has the paper's states as far as its text "
                "names them; all clips are made by code, none is captured. Frames are planning frames, 30 a second; "
                "nothing is random (no seed). Quick and full size are the same.",
            ),
            tables=(_rates(human), _human(human), _skater(skater), _horse(horse)),
            differences=(
                f"The human's {len(human.behaviors)} states are {len(clips_of(human))} clips of {ours.proper:,} "
                f"frames, {ours.with_margins:,} with what blending uses, where LK05's are {theirs:,}: its clips "
                "are cycles and single jumps of the shortest length that joins.",
                f"The skateboarder has {data_frames(skater).with_margins:,} frames (835), the horse "
                f"{data_frames(horse).with_margins:,} (194): turns of the horse are two strides long, so as to lean "
                "in and out of them.",
                f"The largest machine of a character that ships has {len(load_character('human').behaviors)} "
                "states; planners see them all where no subset is asked for.",
            ),
            pictures=(f"{NAME}.png",),
        ),
        {f"{NAME}.png": _picture((simple, human, skater, horse))},
    )


def _both(label: str, ours: Value, key: str, *, note: str = "", also: str | None = None) -> Row:
    """Return a number beside what the paper and the thesis say of it."""
    thesis = claim(f"l09.c3.{also or key}")
    return row(label, [ours, ours], [claim(f"lk05.s31.{key}"), thesis], note=note)


def _rates(human: Character) -> Table:
    edges = int((human.transition_costs < float("inf")).sum())
    degrees = 3 * len(human.skeleton.names) + 3
    rows = (
        row("rate of capture, Hz", ["none captured", None], [claim("lk05.s31.capture.rate"), None]),
        row(
            "rate of the data, Hz", [human.planning_rate_hz] * 2, [claim("lk05.s31.rate"), claim("l09.c3.rate")],
            note=f"Delivered motion has {clips_of(human)[0].motion.rate_hz:g} frames a second.",
        ),
        row(
            "states of the largest machine", [len(human.behaviors)] * 2,
            [claim("lk05.s2.states.largest"), claim("l09.c3.states.largest")],
        ),
        row(
            "nodes, where motion graphs have", [len(human.behaviors)] * 2,
            [claim("lk05.s2.graph.nodes"), claim("l09.c3.graph.nodes")],
        ),
        row(
            "edges, where motion graphs have", [edges] * 2,
            [claim("lk05.s2.graph.edges"), claim("l09.c3.graph.edges")],
        ),
        row("degrees of freedom", [None, degrees], [None, claim("l09.c3.dof")],
            note="Three for each joint of the human and three for its place."),
        row("weight of a behavior by default", [None, DEFAULT_WEIGHTS["forward"]], [None, claim("l09.c3.weight")],
            note="Of what leads straight ahead; turns, jumps, crawling and waiting weigh more, in LK05's order."),
    )  # fmt: skip
    return Table("setting", COLUMNS, rows)


def _human(human: Character) -> Table:
    jogs = [one for one in human.behaviors if one.name.startswith("jog")]
    special = [one for one in human.behaviors if one.name.startswith(SPECIAL)]
    short = [one for one in human.behaviors if one.name.startswith(SHORT)]
    rows = [
        _both("states", len(human.behaviors), "human.states"),
        _both("kinds of jogging", len(jogs), "human.jogs"),
        *(_both(f"… {words}", count_of(human, "jog", side), f"human.jogs.{words}") for words, side in SIDES),
        _both("frames of data, margins included", data_frames(human).with_margins, "human.frames"),
        _both("clips in a state", span([len(one.clips) for one in human.behaviors]), "human.clips"),
        _both("frames of a jogging clip", _frames(jogs), "human.jog.frames"),
        _both("frames of a specialized behavior", _frames(special), "human.special.frames",
              note="Crawling is three behaviors here: down, along and up again."),
        _both("frames of a shorter jogging state", _frames(short), "human.short.frames"),
        _both("frames for blending, on either side", span([margin_of(one) for one in clips_of(human)]), "human.blend"),
    ]  # fmt: skip
    return Table("human", COLUMNS, tuple(rows))


def _skater(skater: Character) -> Table:
    clips = clips_of(skater)
    glides = [one for one in skater.behaviors if one.name.startswith("glide")]
    rows = [
        _both("gliding behaviors", len(glides), "skate.glides"),
        *(_both(f"… {words}", count_of(skater, "glide", side), f"skate.{words}") for words, side in SIDES),
        _both("frames of data, margins included", data_frames(skater).with_margins, "skate.frames"),
        _both("states", len(skater.behaviors), "skate.states"),
        _both("clips in a state", span([len(one.clips) for one in skater.behaviors]), "skate.clips"),
        _both("frames of a clip", span([clip.duration for clip in clips]), "skate.clip.frames",
              note="The longest is stop-and-wait."),
        _both("frames for blending, both sides", span([2 * margin_of(clip) for clip in clips]), "skate.blend"),
    ]  # fmt: skip
    return Table("skateboarder", COLUMNS, tuple(rows))


def _horse(horse: Character) -> Table:
    clips = clips_of(horse)
    rows = [
        _both("motions that all is made from", count_of(horse, "gallop"), "horse.source"),
        _both("galloping behaviors", len(horse.behaviors), "horse.gallops"),
        *(_both(f"… {words}", count_of(horse, "gallop", side), f"horse.{words}") for words, side in SIDES),
        _both("frames of data, margins included", data_frames(horse).with_margins, "horse.frames"),
        _both("states", len(horse.behaviors), "horse.states"),
        _both("clips in a state", span([len(one.clips) for one in horse.behaviors]), "horse.clips"),
        _both("frames of a clip", span([clip.duration for clip in clips]), "horse.clip.frames"),
        _both("frames for blending, both sides", span([2 * margin_of(clip) for clip in clips]), "horse.blend"),
    ]
    return Table("horse", COLUMNS, tuple(rows))


def _frames(behaviors: Sequence[Behavior]) -> int | str:
    return span([clip.duration for one in behaviors for clip in one.clips])


def _picture(characters: Sequence[Character]) -> Picture:
    return stacked([pixels_of(partial(draw_state_machine, one)) for one in characters])


ITEM = Item(NAME, "state machines of human, skateboarder and horse, and how much data they are", run)
