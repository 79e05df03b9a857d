"""L09 figure 6.1: people who run side by side with five clips, and with thirty-two variants more."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.joggers import AHEAD_VARIANTS, SEED, TURN_VARIANTS, filled, five_jogs, turns_deg
from evidence.reproductions.report import Report, Row, Table, row
from evidence.reproductions.side_by_side import LABEL, recording_of, side_by_side
from evidence.reproductions.variation_inputs import captures
from evidence.reproductions.variation_tables import STABLE, setting_table
from gambol.characters import Character
from gambol.crowd import Recording, Repeats, count_repeats, places
from gambol.crowd.moment import moment
from gambol.crowd.repeats import NEAR_M, TOGETHER_S, repeating_at
from gambol.pictures import INK, Camera, CrowdFigures, CrowdFilm, PictureStage, Text, draw_texts
from gambol.search import AStar, Plan, Planner, Problem, SharedOut
from gambol.stages import PlanStage, perform
from gambol.trees import TreePlanner, grow_diverse
from gambol.variation import DEFAULT_PRESET

NAME = "l09-figure-6.1"
TITLE = "L09 figure 6.1: five clips, and thirty-two variants more"
REPEATS, SPEED = "repeats side by side", "look-up against search"
FEW = "5 clips"
TREES = 4  # shared out, besides the one that the thesis has
EARLIEST_S, LATEST_S = 0.5, 4.0  # after they set off: the instant between at which most repeat somebody is drawn
NEAREST = 0.6  # of the camera's distance to sixteen people, however few there are
ALIKE, UNLIKE = (0.91, 0.42, 0.12), (0.45, 0.56, 0.66)  # who repeats somebody near by, and who does not


@dataclass(frozen=True)
class Size:
    preset: str
    variants: tuple[int, int]  # of the jog straight on, and of each turn
    seeds: int
    people: int
    nodes: int
    picture: tuple[int, int]


FULL = Size(STABLE, (AHEAD_VARIANTS, TURN_VARIANTS), 4, 16, 40_000, (1200, 360))
QUICK = Size(DEFAULT_PRESET, (AHEAD_VARIANTS, TURN_VARIANTS), 1, 6, 4_000, (600, 180))


@dataclass(frozen=True)
class Stopwatch:
    """A planner, and how long it took for each of its plans."""

    planner: Planner
    seconds: list[float] = field(default_factory=list)

    def solve(self, problem: Problem) -> Plan:
        begun = time.perf_counter()
        plan = self.planner.solve(problem)
        self.seconds.append(time.perf_counter() - begun)
        return plan


class Group(NamedTuple):
    """What groups of all seeds did in one way."""

    found: int
    people: int
    repeats: tuple[Repeats, ...]
    faults: int  # collisions, touches and steps that may not follow
    seconds: tuple[float, ...]  # of each plan
    recording: Recording  # of the first seed
    stage: PictureStage

    @property
    def share(self) -> float:
        begun = sum(one.clips_begun for one in self.repeats)
        return 100.0 * sum(one.repeating for one in self.repeats) / begun if begun else float("nan")


def run(quick: bool, say: Say) -> Result:
    """Grow trees of five clips and of these with variants, and let the same people run by each."""
    size = QUICK if quick else FULL
    few = five_jogs()
    say(f"making variants by {size.preset}", 0.0)
    many = filled(few, preset=size.preset, variants=size.variants)
    clips = sum(len(one.clips) for one in many.behaviors)
    ways: dict[str, tuple[Character, int]] = {
        FEW: (few, 1), f"{clips} clips": (many, 1), f"{clips} clips in {TREES} trees": (many, TREES),
    }  # fmt: skip
    groups: dict[str, Group] = {}
    for number, (name, (character, count)) in enumerate(ways.items()):
        say(f"running with {name}", number / len(ways))
        groups[name] = _group(character, count, size)
    at_s = most_alike_s(groups[FEW].recording)
    searched = _searched(few, size)
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            ("Five jogs of CMU's subject 108, a take each" if captures() is not None else
             "No captures (GAMBOL_MOCAP is not set): five jogs of the built-in human, a clip each")
            + f"; variants by preset `{size.preset}` with hips and legs held (seed {SEED}).",
            f"{size.seeds} group{'s' if size.seeds > 1 else ''} of {size.people} people "
            f"({'seeds 0 to ' if size.seeds > 1 else 'seed '}{size.seeds - 1}) who set off side by side in "
            f"mid-jog, planned by look-up in diverse trees of {size.nodes:,} nodes, each "
            f"keeping clear of those before; judged at full rate. A repeat: a clip that somebody within {NEAR_M:g} m "
            f"began at most {TOGETHER_S:g} s before and still plays.",
        ),
        tables=(_settings(few, many, size), _repeats_table(groups), _speed_table(groups[FEW], searched)),
        differences=_differences(groups, searched),
        pictures=(f"{NAME}.png",),
    )  # fmt: skip
    pictures = [_picture(name, one, at_s, size) for name, one in groups.items()]
    return Result(report, {f"{NAME}.png": np.concatenate(pictures)})


def most_alike_s(recording: Recording) -> float:
    """Return the time, soon after they set off, at which most people repeat somebody near by."""
    frames = range(*(min(round(at_s * recording.rate_hz), recording.frames) for at_s in (EARLIEST_S, LATEST_S)))
    return max(frames, key=lambda frame: int(repeating_at(recording, frame).sum())) / recording.rate_hz


def _group(character: Character, count: int, size: Size) -> Group:
    trees = [grow_diverse(character, nodes=size.nodes, begins=LABEL, seed=seed) for seed in range(count)]
    watch = Stopwatch(SharedOut(tuple(TreePlanner(trees=[tree]) for tree in trees)))
    found, faults, repeats, first = 0, 0, [], None
    for seed in range(size.seeds):
        scene = side_by_side(character, size.people, seed)
        done = perform(scene, PlanStage(watch))
        assert done.report is not None
        faults += sum(map(len, (done.report.collisions, done.report.touches, done.report.illegal_transitions)))
        found += sum(plan.found for plan in done.plans)
        recording = recording_of(done)
        repeats.append(count_repeats(recording))
        first = first or (recording, PictureStage.of(scene.world))
    assert first is not None
    return Group(found, size.seeds * size.people, tuple(repeats), faults, tuple(watch.seconds), *first)


def _searched(character: Character, size: Size) -> tuple[float, ...]:
    """Return the seconds of A* for each of the people of the first group."""
    watch = Stopwatch(AStar())
    perform(side_by_side(character, size.people, 0), PlanStage(watch), check=False)
    return tuple(watch.seconds)


def _picture(name: str, group: Group, at_s: float, size: Size) -> Picture:
    """Return people at a time; who repeats somebody near by is orange."""
    recording = group.recording
    alike = repeating_at(recording, round(at_s * recording.rate_hz))
    colors = np.where(alike[:, None], ALIKE, UNLIKE)
    x, y = places(recording, moment(recording, at_s))[:, :2].mean(axis=0).tolist()
    away = max(NEAREST, size.people / FULL.people)
    camera = Camera((x + 17.0 * away, y + 6.0 * away, 6.5 * away), (x, y, 0.7))
    film = CrowdFilm(group.stage, CrowdFigures.of(recording, colors), np.array([at_s]), (camera,), size.picture)
    letters = 20 if size.picture[0] > 1000 else 11
    words = f"{name}: {alike.sum()} of {len(recording)} repeat somebody near by (orange)"
    return draw_texts(film.frame(0), [Text(words, 0.8 * letters, 1.5 * letters, letters, INK)])


def _settings(few: Character, many: Character, size: Size) -> Table:
    own = sorted(abs(turn) for turn in turns_deg(few)[1:])
    most = [len(one.clips) for one in many.behaviors]
    fewest = len(few.behaviors)
    return setting_table([
        ("captured clips of each behavior (the thesis names four as usual, and had one)", 1, "l09.c6.captured"),
        ("clips of each behavior here", max(len(one.clips) for one in few.behaviors), "l09.c6.each"),
        ("variants made in advance of a behavior, at most", max(most) - 1, "l09.c6.advance"),
        ("clips", sum(len(one.clips) for one in few.behaviors), "l09.c6.clips"),
        ("smaller turns, degrees (mean of both sides)", float(np.mean(own[:2])), "l09.c6.turn.small"),
        ("larger turns, degrees (mean of both sides)", float(np.mean(own[2:])), "l09.c6.turn.large"),
        ("variants straight on", most[0] - 1, "l09.c6.ahead"),
        ("variants of each turn", most[1] - 1, "l09.c6.turns"),
        ("variants altogether", sum(most) - fewest, "l09.c6.variants"),
        ("trees: few clips and many", 2, "l09.c6.trees"),
    ])  # fmt: skip


def _repeats_table(groups: Mapping[str, Group]) -> Table:
    rows: list[Row] = []
    for number, (name, one) in enumerate(groups.items()):
        values = [
            one.share, sum(each.repeating for each in one.repeats), sum(each.clips_begun for each in one.repeats),
            max(each.distinct_clips for each in one.repeats), f"{one.found} of {one.people}", one.faults,
        ]  # fmt: skip
        rows.append(row(name, values, [claim("l09.c6.repeats"), *[None] * 5] if number == 1 else None))
    columns = ("% repeats", "repeats", "clips begun", "distinct clips", "arrive", "faults")
    note = "The thesis says what is seen, without a count. Faults: touches, collisions, steps that may not follow."
    return Table(REPEATS, columns, tuple(rows), note)


def _speed_table(looked_up: Group, searched: Sequence[float]) -> Table:
    a, b = float(np.median(searched)), float(np.median(looked_up.seconds))
    rows = (
        row("A*", [1000.0 * a, None]),
        row("look-up in a tree", [1000.0 * b, None]),
        row(
            "times faster", [None, a / b],
            note="The same people with the same five clips, one after another, among few pillars and each other; a "
            "look-up here includes sub-goals and laying out who moves. `l09-table-4.2` asks what the thesis asked.",
        ),
    )  # fmt: skip
    return Table(SPEED, ("median ms a plan", "ratio"), rows)


def _differences(groups: Mapping[str, Group], searched: Sequence[float]) -> tuple[str, ...]:
    few, many, shared = groups.values()
    ratio = float(np.median(searched) / np.median(few.seconds))
    word = "fewer" if many.share < few.share else "no fewer"
    return (
        f"With variants {word} clips are begun beside the same: {many.share:.1f} % against {few.share:.1f} % with five "
        f"clips, and {shared.share:.1f} % where people look into {TREES} trees. {_why_trees(many, shared)}",
        f"Look-up is {ratio:.1f} times as fast as A* here; the thesis, of its trees in general, says more than 100 "
        "times.",
        f"{sum(one.faults for one in groups.values())} touches, collisions or false steps in all groups.",
    )


def _why_trees(many: Group, shared: Group) -> str:
    if shared.share < many.share:
        return (
            "A tree draws a clip for each node, and near its root it has few: in one tree who sets off together "
            "sets off alike."
        )
    return "More trees, each of which draws clips of its own, do not lessen repeats in these groups."


ITEM = Item(NAME, "people side by side with five clips and with 32 variants more: how often two play the same", run)
