"""KP00 figure 13: from climbing to walking, and how much harder changes of mode are than going on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

from tools.draw.mode_change import transition_frames, transition_of, transition_page

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import climbed, judged, seeded
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Row, Table, row
from gambol.climb import ClimbMotion, Mode, StancesCore
from gambol.climb.stances.proposals import Proposal
from gambol.climb.stances.search import StanceNode, StanceSearch
from gambol.judges import judge_climb
from gambol.pictures import Track

NAME = "kp00-figure-13"
TITLE = "KP00 figure 13: from climbing to walking"
SCENE, SEED, SHOWN = "climb-wall", 0, 10
FULL_SEEDS, QUICK_SEEDS = 10, 2
CHANGE, EDGES, CONSTRAINTS = "from climbing to walking", "changes of hold tried", "constraints broken"
SECONDS, COLLISIONS, DRIFT, LIMITS, ILLEGAL, FORBIDDEN = (
    "seconds", "collisions", "drift of holds, mm", "frames beyond joint limits", "illegal", "frames gravity forbids",
)  # fmt: skip
WITHIN, BETWEEN = "within a mode", "between modes"
TRIED, SHARE, EACH = "tried", "% that succeed", "ms each"
SCENES = ("climb-wall", "climb-bars", "climb-tunnel")


@dataclass
class Tries:
    """How many changes of hold were tried, how many came to something, and how long they took."""

    tried: int = 0
    made: int = 0
    seconds: float = 0.0


@dataclass
class Counted:
    by_kind: dict[str, Tries] = field(default_factory=lambda: {WITHIN: Tries(), BETWEEN: Tries()})


def run(quick: bool, say: Say) -> Result:
    """Climb a wall from several seeds, judge the change alone, and count what the search tries."""
    seeds = range(SEED, SEED + (QUICK_SEEDS if quick else FULL_SEEDS))
    rows: list[Row] = []
    broken = 0
    pictures: dict[str, Picture] = {}
    for seed in seeds:
        say("climbing the wall", (seed - SEED) / len(seeds))
        climb, whole = climbed(SCENE, seed), judged(SCENE, seed)
        middle = None if climb.motion is None else transition_of(climb.motion.path)
        if climb.motion is None or whole is None or middle is None:
            continue
        track = Track.of(climb.problem, climb.motion)
        frames = transition_frames(track, middle, SHOWN)
        first, last = frames[0], frames[-1]
        part = judge_climb(climb.problem, ClimbMotion(climb.motion.path.part(first, last + 1), climb.motion.rate_hz))
        # Whether momentum or a next hold saves one is seen in the whole motion only.
        fallen = sum(max(0, min(b, last) - max(a, first) + 1) for a, b in whole.gravity.stretches)
        faults = [part.collisions, part.drifting, part.over_limit, len(part.illegal)]
        broken += sum(faults)
        ours = [(last - first) / climb.motion.rate_hz, part.collisions, part.drift_mm.value, part.over_limit,
                len(part.illegal), fallen]  # fmt: skip
        rows.append(row(f"seed {seed}", ours))
        if seed == SEED:
            pictures[f"{NAME}.png"] = transition_page(track, middle, SHOWN, "from climbing to walking")
    say("counting what is tried", 0.9)
    counted = _tries(seeds)
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"The shipped scene `{SCENE}`, adult figure, seeds {seeds.start} to {seeds.stop - 1}; frames from three "
            "changes of hold before the change of mode to three after the figure walks, at 60 frames a second.",
            f"Tries: {', '.join(SCENES)}, the same seeds, the search over stances, time of the processor.",
        ),
        tables=(
            Table(CHANGE, (SECONDS, COLLISIONS, DRIFT, LIMITS, ILLEGAL, FORBIDDEN), tuple(rows)),
            _edges_table(counted),
            Table("constraints", ("ours",), (row(CONSTRAINTS, [broken], [claim("kp00.fig13.constraints")],
                  note="collisions, drifting holds, joints beyond limits and illegal holds in all seeds"),)),
        ),
        differences=_differences(len(rows), len(seeds), broken, counted),
        pictures=tuple(pictures),
    )  # fmt: skip
    return Result(report, pictures)


@contextmanager
def _counting(counted: Counted) -> Iterator[None]:
    usual = StanceSearch._try

    def counts(self: StanceSearch, parent: StanceNode, proposal: Proposal, effort: float = 1.0) -> StanceNode | None:
        kind = counted.by_kind[WITHIN if Mode(parent.stance.mode) == Mode(proposal.stance.mode) else BETWEEN]
        begun, known = time.process_time(), len(self.reached)
        node = usual(self, parent, proposal, effort)
        kind.tried += 1
        kind.made += len(self.reached) > known
        kind.seconds += time.process_time() - begun
        return node

    with patch.object(StanceSearch, "_try", counts):
        yield


def _tries(seeds: range) -> Counted:
    counted = Counted()
    with _counting(counted):
        for scene in SCENES:
            for seed in seeds:
                StancesCore().search(seeded(scene, seed))
    return counted


def _share(tries: Tries) -> float:
    return 100.0 * tries.made / tries.tried if tries.tried else float("nan")


def _edges_table(counted: Counted) -> Table:
    rows = [
        row(kind, [one.tried, _share(one), 1000.0 * one.seconds / one.tried if one.tried else None],
            [None, claim("kp00.s5.bottleneck") if kind == BETWEEN else None, None])
        for kind, one in counted.by_kind.items()
    ]  # fmt: skip
    return Table(EDGES, (TRIED, SHARE, EACH), tuple(rows), "Succeeds: the body fits and a way leads there.")


def _differences(shown: int, of: int, broken: int, counted: Counted) -> tuple[str, ...]:
    within, between = (_share(counted.by_kind[kind]) for kind in (WITHIN, BETWEEN))
    harder = "so changes of mode are the bottleneck here too" if between < within else (
        "so changes of mode are no bottleneck here, unlike in the paper"
    )  # fmt: skip
    return (
        f"{shown} of {of} seeds come from climbing to walking, with {broken} constraints broken on the way; the paper "
        "calls its motion plausible and within its constraints, without numbers.",
        f"Of changes of hold within a mode {within:.0f} % succeed, of those between modes {between:.0f} %: {harder}.",
    )


ITEM = Item(NAME, "the change from climbing to walking, judged by itself, and how hard changes of mode are", run)
