"""LK06 figure 15: 150 characters in real time, and something that is shot at them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.published import number
from evidence.reproductions.report import Report, Table, Value, row
from evidence.reproductions.shot_drawing import draw_shot
from evidence.reproductions.shots import (
    RADIUS_M,
    SPEED_M_S,
    TRIES,
    Aim,
    Verdict,
    Watched,
    judged,
    watch,
    went_elsewhere,
)
from gambol.scenes import Scene, load_scene

NAME = "lk06-figure-15"
SCENE, SEED = "crowd-150", 15
TIMES, SAFE, PUBLISHED = "a frame", "what the judge finds", "published"
CALM, SHOT = "left alone", "shot at"
ANSWER_S = 1.0  # within which it is counted who goes another way because of a shot
COMPILED = 10  # frames
AROUND_M = 9.0  # that the picture shows
FOUND, AVOIDED, HITS = "touches, collisions and illegal transitions", "would have been hit", "hit"


@dataclass(frozen=True)
class Size:
    seconds: float
    first_s: float  # the first shot
    every_s: float
    warm_up_s: float = 3.0


FULL = Size(60.0, 1.0, 4.0)
QUICK = Size(5.0, 1.0, 2.0, 2.0)


def run(quick: bool, say: Say) -> Result:
    """Run the crowd left alone and shot at, and judge both."""
    size, scene = (QUICK if quick else FULL), load_scene(SCENE)
    rate_hz = scene.cast[0].character.planning_rate_hz
    frames, warm_up = round(size.seconds * rate_hz), round(size.warm_up_s * rate_hz)
    shot_at = range(round(size.first_s * rate_hz), frames - round(ANSWER_S * rate_hz), round(size.every_s * rate_hz))
    calm = watch(scene, frames, say, warm_up=warm_up)
    watch(scene, COMPILED, say, warm_up=1, shot_at=(1,), aim=Aim(calm, seed=SEED))  # what was never run is compiled
    shot = watch(scene, frames, say, warm_up=warm_up, shot_at=shot_at, aim=Aim(calm, seed=SEED))
    say("judging", 0.7)
    verdict = judged(shot, calm, scene.world)
    answered = went_elsewhere(shot, calm, warm_up + shot_at[0] + round(ANSWER_S * rate_hz))
    say("drawing", 0.9)
    begins_s = float(shot.shots[0].trajectory.times_s[0])
    instants = [(begins_s + 0.4, "an obstacle has been shot at the crowd"), (begins_s + 1.8, "and passes through it")]
    picture = draw_shot(shot.crowd.recording(), scene.world, shot.shots[0], instants, around_m=AROUND_M)
    return Result(_report(quick, size, scene, calm, shot, verdict, answered), {f"{NAME}.png": picture})


def _report(
    quick: bool, size: Size, scene: Scene, calm: Watched, shot: Watched, verdict: Verdict, answered: int
) -> Report:
    step_ms, poses_ms = 1e3 * float(shot.step_s.mean()), 1e3 * float(shot.poses_s.mean())
    found = verdict.report
    return Report(
        item=NAME,
        title="LK06 figure 15: 150 characters, and an obstacle shot at them",
        quick=quick,
        setting=(
            f"The shipped scene `{SCENE}` (seed {scene.seed}): {len(scene.cast)} humans with eight-part bodies wander "
            f"in 60 x 60 m among boxes and walls, {size.seconds:g} s at 30 planning frames a second after "
            f"{size.warm_up_s:g} s that are not measured; once left alone, once shot at {len(shot.shots)} times (seed "
            f"{SEED}, from {size.first_s:g} s on every {size.every_s:g} s).",
            f"What is shot is a disc of {RADIUS_M:g} m radius, 1.5 m high, at {SPEED_M_S:g} m/s from edge to edge, "
            f"past all obstacles; of {TRIES} random lines that which would meet most people had they gone on as when "
            "left alone. They know its way from the frame on in which it is shot.",
            "Times are of the processor, one thread. A frame is `Crowd.step`: clips that begin, errands, routes, and a "
            "look-up for everyone who wants to plan; poses are all joints of all, and nothing is drawn.",
        ),
        tables=(_times_table(calm, shot), _judge_table(shot, verdict, answered), _published_table(scene, shot)),
        differences=(
            f"A frame of {len(shot.crowd)} takes {step_ms:.2f} ms and its poses {poses_ms:.3f} ms, where the paper "
            "takes about 8.5 ms to plan for one character once; in a frame of ours "
            f"{shot.look_ups / len(shot.step_s):.1f} are planned for.",
            f"The paper shows by a picture that characters avoid what is shot; here {verdict.would_hit} would have "
            f"been hit by {len(shot.shots)} shots had they gone on as they did without, and {verdict.hits} are hit. "
            f"{answered} go another way within {ANSWER_S:g} s of the first shot.",
            f"In {found.frames:,} delivered frames the independent judge finds {len(found.touches)} touches, "
            f"{len(found.collisions)} collisions that no shot explains and {len(found.illegal_transitions)} illegal "
            "transitions; the paper counts none of these.",
        ),
        pictures=(f"{NAME}.png",),
    )


def _times_table(calm: Watched, shot: Watched) -> Table:
    rows = []
    for label, one in ((CALM, calm), (SHOT, shot)):
        both = one.step_s + one.poses_s
        rows.append(row(label, [
            1e3 * float(one.step_s.mean()), 1e3 * float(np.quantile(one.step_s, 0.99)), 1e3 * float(one.poses_s.mean()),
            1.0 / float(both.mean()), one.look_ups / len(one.step_s), 1e3 * one.replan_s,
        ]))  # fmt: skip
    headings = (
        "mean ms", "99 of 100 below, ms", "all poses, ms", "frames a second, poses included", "planned for in a frame",
        "ms to plan for one",
    )  # fmt: skip
    note = "To plan for one is a frame's whole time by how many are planned for in it. Nothing is drawn."
    return Table(TIMES, headings, tuple(rows), note)


def _judge_table(shot: Watched, verdict: Verdict, answered: int) -> Table:
    rows = (
        row("delivered frames judged", [verdict.report.frames]),
        row(FOUND, [verdict.faults]),
        row("shots", [len(shot.shots)]),
        row(AVOIDED, [verdict.would_hit]),
        row(HITS, [verdict.hits], note="Nobody breaks off a clip: who is in the way by then may be hit."),
        row(f"go another way within {ANSWER_S:g} s of the first shot", [answered]),
    )
    return Table(SAFE, ("ours",), rows)


def screen_hz(shot: Watched) -> float:
    """Return the rate of a screen that needs as long for drawing as the paper's, whose planning took a part."""
    drawing_s = 1.0 / number(claim("lk06.fig15.screen")) - 1e-3 * number(claim("lk06.fig15.ms"))
    return 1.0 / (drawing_s + float((shot.step_s + shot.poses_s).mean()))


def _published_table(scene: Scene, shot: Watched) -> Table:
    there = len(shot.crowd)
    frames_hz = 1.0 / float((shot.step_s + shot.poses_s).mean())
    said: list[tuple[str, Value, str, str]] = [
        ("characters in one world", there, "fig15.characters", ""),
        ("characters in real time, up to", there, "s1.characters", ""),
        (
            "ms to plan for one character once", 1e3 * shot.replan_s, "fig15.ms",
            "One iteration of the paper's runtime phase finds the next partial path of one character; ours is a "
            "frame's time by the characters planned for in it, each by a look-up in trees of two clips.",
        ),
        (
            "Hz of a screen", screen_hz(shot), "fig15.screen",
            f"Ours draws nothing: it makes {frames_hz:,.0f} frames a second with all poses. This is the rate if "
            "drawing took as long as what the paper's 23 Hz leave beside one iteration, 35 ms.",
        ),
        ("resolution of the screen", "not drawn", "fig15.resolution", ""),
        (
            "trees that all characters share", "1 set for all", "s1.trees",
            "Everyone of a kind looks up the same trees of two clips, one for each state that plans go on from.",
        ),
    ]  # fmt: skip
    rows = tuple(row(label, [ours], [claim(f"lk06.{key}")], note=note) for label, ours, key, note in said)
    return Table(PUBLISHED, ("ours",), rows)


ITEM = Item(NAME, "150 characters in real time, left alone and shot at: times, who is hit, what the judge says", run)
