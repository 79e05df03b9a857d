"""L09 figure 5.8: sets of walks of which one does not fit, and whether that is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.screened_walks import BY_PARTS, PRINTED, UNLIKE, high_arms, judged, sound_walks, veering
from evidence.reproductions.variation_inputs import inputs_of, said_of
from evidence.reproductions.variation_tables import setting_table, variants_of
from gambol.motion import Motion
from gambol.pictures import Color, draw_overlaid_poses
from gambol.variation import Example, Screening, distances, learn, report_on, shape
from gambol.variation.screening import MARGIN

NAME = "l09-figure-5.8"
TITLE = "L09 figure 5.8: sets of motions that do not go together"
SETS: dict[str, Callable[[Example], Example]] = {"high arms": high_arms, "turning right": veering}
SEEN, LEARNED = "what is dropped", "what is learned from"
BLUE, MAGENTA = (0.36, 0.52, 0.78), (0.85, 0.20, 0.62)
PHASES = (0.05, 0.3, 0.55, 0.8)
VARIANTS, QUICK_VARIANTS = 15, 5
WIDTH_PX, QUICK_WIDTH_PX = 1400, 560


class Outcome(NamedTuple):
    """What came of learning from some motions."""

    inputs: int
    inputs_m: float  # between inputs
    variants_m: float  # from each variant to the nearest input
    sound: bool


def run(quick: bool, say: Say) -> Result:
    """Put one unlike walk among four, ask the screening, and learn from them all the same."""
    walks = sound_walks()
    known, count = walks.known, QUICK_VARIANTS if quick else VARIANTS
    sets = {name: [*walks.similar, make(walks.known[0])] for name, make in SETS.items()}
    screenings: dict[tuple[str, str], Screening] = {}
    for number, (name, members) in enumerate(sets.items()):
        say(f"screening: {name}", number / len(sets))
        for way in (BY_PARTS, PRINTED):
            screenings[name, way] = judged(known, members, by_parts=way == BY_PARTS, quick=quick)
    outcomes = {"the four similar ones": _learned(walks.similar, count)}
    outcomes |= {f"with one of {name}": _learned(members, count) for name, members in sets.items()}
    outcomes |= {f"four of {name}": _learned([make(one) for one in known[:4]], count) for name, make in SETS.items()}
    rows = [(f"four walks, and one of {name}", [item.motion for item in members]) for name, members in sets.items()]
    picture = draw_overlaid_poses(
        rows, phases=PHASES, width_px=QUICK_WIDTH_PX if quick else WIDTH_PX, colors=_color, view="front"
    )
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            said_of(["walk"]),
            f"Four sound walks and one made unlike out of another: {UNLIKE[0]}; {UNLIKE[1]}. {len(known)} further "
            f"walks are known to fit ({'one round' if quick else 'all'} of their splits, seed 0). {count} variants "
            f"(seeds 0 to {count - 1}) of what is learned.",
        ),
        tables=(_settings(sets), _seen_table(screenings), _learned_table(outcomes)),
        differences=_differences(screenings, outcomes),
        pictures=(f"{NAME}.png",),
    )
    return Result(report, {f"{NAME}.png": picture})


def _learned(items: Sequence[Example], count: int) -> Outcome:
    model = learn(inputs_of("walk").gathered(items))
    variants = variants_of(model, count)
    found = report_on(model, variants)
    assert found.input_change_m is not None
    nearest = distances([shape(one.motion) for one in variants], [shape(item.motion) for item in items]).min(axis=1)
    return Outcome(len(items), found.input_change_m, float(np.median(nearest)), found.physical.passes)


def _settings(sets: Mapping[str, Sequence[Example]]) -> Table:
    members = next(iter(sets.values()))
    return setting_table([
        ("sets", len(sets), "l09.c5.fig8.sets"),
        ("walk cycles of a set", len(members), "l09.c5.fig8.cycles"),
        ("of these similar", len(members) - 1, "l09.c5.fig8.similar"),
        ("of these unlike", 1, "l09.c5.fig8.unlike"),
        ("steps of a cycle", _steps(members[0].motion, members[0]), "l09.c5.steps"),
        ("unlike cycles that are learned from by themselves", 4, "l09.c5.fig8.enough"),
    ])  # fmt: skip


def _steps(motion: Motion, example: Example) -> int:
    """Return how many feet come down: each foot that is planted makes a step in a cycle."""
    planted = example.contacts.planted
    joints = {
        motion.skeleton.names[point.joint] for p, point in enumerate(example.contacts.points) if planted[:, p].any()
    }
    return len({name.startswith("Left") for name in joints})


def _seen_table(screenings: Mapping[tuple[str, str], Screening]) -> Table:
    rows = []
    for (name, way), found in screenings.items():
        unlike = found.judged[-1]
        dropped = sum(not one.kept for one in found.judged[:-1])
        values = ["kept" if unlike.kept else "dropped", unlike.score, found.threshold, unlike.part, dropped]
        rows.append(row(f"{name}, {way}", values))
    columns = ("the unlike one", "score", "threshold", "least like", "similar ones dropped, of 4")
    note = (
        "As printed: log-likelihood of the whole a frame and number, and the tenth percentile of those known to fit. "
        "By parts: the worst part's, 0 as usual and -1 at its tenth percentile; the threshold is "
        f"{MARGIN:g} times the tenth percentile of the worst parts of those known to fit."
    )
    return Table(SEEN, columns, tuple(rows), note)


def _learned_table(outcomes: Mapping[str, Outcome]) -> Table:
    rows = [
        row(name, [one.inputs, 100.0 * one.inputs_m, 100.0 * one.variants_m, "yes" if one.sound else "no"])
        for name, one in outcomes.items()
    ]
    columns = ("inputs", "between inputs, cm", "variants to the nearest, cm", "sound")
    note = "Sound: slides, ranges and accelerations within those of the inputs that they were learned from."
    return Table(LEARNED, columns, tuple(rows), note)


def _differences(screenings: Mapping[tuple[str, str], Screening], outcomes: Mapping[str, Outcome]) -> tuple[str, ...]:
    said = []
    for way in (BY_PARTS, PRINTED):
        own = [found for (_, other), found in screenings.items() if other == way]
        dropped = sum(not found.judged[-1].kept for found in own)
        wrongly = sum(not one.kept for found in own for one in found.judged[:-1])
        said.append(
            f"Judged {way}, {dropped} of {len(own)} unlike walks are dropped, and {wrongly} of {4 * len(own)} similar "
            "ones."
        )
    four, *others = outcomes.values()
    mixed = others[: len(SETS)]
    said.append(
        f"With one unlike walk half the variants are within {_cm(one.variants_m for one in mixed)} of the nearest "
        f"input, without within {_cm([four.variants_m])}; {sum(one.sound for one in mixed)} of {len(mixed)} such sets "
        "give sound ones. Ours lays motions over each other and gives walks in between; of the thesis's network "
        "nothing reasonable may come."
    )
    alone = [name for name, one in outcomes.items() if name.startswith("four of") and one.sound]
    said.append(
        f"Of four unlike walks by themselves {len(alone)} of {len(SETS)} sets give sound variants; the thesis says "
        "that they can be used."
    )
    return tuple(said)


def _cm(metres: Iterable[float]) -> str:
    return " and ".join(f"{100.0 * one:.1f}" for one in metres) + " cm"


def _color(number: int) -> Color:
    return MAGENTA if number == 4 else BLUE


ITEM = Item(NAME, "four walks and one that does not fit: how it is recognised, and what it does to variants", run)
