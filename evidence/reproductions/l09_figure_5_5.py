"""L09 figure 5.5: one jump, and four variants of it by what other jumps taught."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.variation_inputs import inputs_of, said_of
from evidence.reproductions.variation_tables import STABLE, learned, setting_table
from gambol.motion import Motion
from gambol.pictures import draw_overlaid_poses
from gambol.variation import DEFAULT_PRESET, Encoding, distances, shape
from gambol.variation.encoding import ROOT_COUNT

NAME = "l09-figure-5.5"
TITLE = "L09 figure 5.5: four variants of one jump"
VARIANTS = 4
PHASES = 30  # at which motions are compared
SPREADS = "spread of angles, degrees"
INPUTS = "the four others"
#: Which joints are of which part, by their names.
PARTS = {
    "head": r"Neck|Head", "arms": r"Shoulder|Arm|Hand", "legs": r"Leg|Foot|Toe", "trunk": r"Spine|LowerBack|Hips",
}  # fmt: skip
WIDTH_PX, QUICK_WIDTH_PX = 1400, 560


def run(quick: bool, say: Say) -> Result:
    """Learn from four jumps, make variants of a fifth, and measure how much each part of the body varies."""
    jumps = inputs_of("jump")
    one = jumps.others[0]
    presets = (DEFAULT_PRESET,) if quick else (DEFAULT_PRESET, STABLE)
    made: dict[str, list[Motion]] = {}
    for number, preset in enumerate(presets):
        say(f"learning from {jumps.name} by {preset}", number / len(presets))
        model = learned(jumps, preset)
        made[preset] = [model.sample_of(one, seed).motion for seed in range(VARIANTS)]
    encoding = learned(jumps).examples.encoding
    spreads = {INPUTS: part_spreads(encoding, [item.motion for item in jumps.four])}
    spreads |= {preset: part_spreads(encoding, motions) for preset, motions in made.items()}
    least = min(spreads[DEFAULT_PRESET], key=lambda part: spreads[DEFAULT_PRESET][part])
    apart = {preset: _apart(one.motion, motions) for preset, motions in made.items()}
    picture = draw_overlaid_poses(
        [("one motion", [one.motion]), (f"{VARIANTS} variants of it", made[DEFAULT_PRESET])],
        width_px=QUICK_WIDTH_PX if quick else WIDTH_PX,
    )
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            said_of(["jump"]),
            f"The motion that is varied, {one.name}, is none of the four that were learned from; seeds 0 to "
            f"{VARIANTS - 1}.",
        ),
        tables=(
            setting_table([
                ("motions that are varied", 1, "l09.c5.fig5.inputs"),
                ("variants", len(made[DEFAULT_PRESET]), "l09.c5.fig5.outputs"),
                ("what varies least", least, "l09.c5.fig5.head"),
            ]),
            _spread_table(spreads),
            Table(
                "distances, cm", ("from the one", "between variants"),
                tuple(row(preset, [100.0 * values[0], 100.0 * values[1]]) for preset, values in apart.items()),
                "Root mean square over joints and phases, as seen from the root.",
            ),
        ),
        differences=_differences(spreads, least),
        pictures=(f"{NAME}.png",),
    )  # fmt: skip
    return Result(report, {f"{NAME}.png": picture})


def part_spreads(encoding: Encoding, motions: Sequence[Motion]) -> dict[str, float]:
    """Return how much the angles of each part differ between motions at equal shares of the time, in degrees."""
    values = np.stack([_at_phases(encoding.encode(motion)) for motion in motions])  # (L, N, D)
    spread = np.sqrt(np.mean(values.var(axis=0, ddof=1), axis=0))
    found = {}
    for part, pattern in PARTS.items():
        own = [c for c in range(ROOT_COUNT, encoding.count) if re.search(pattern, encoding.names[c])]
        if own:
            found[part] = float(np.degrees(np.sqrt(np.mean(spread[own] ** 2))))
    return found


def _at_phases(values: NDArray[np.float64]) -> NDArray[np.float64]:
    at = np.linspace(0.0, len(values) - 1.0, PHASES)
    return np.column_stack([np.interp(at, np.arange(len(values)), column) for column in values.T])


def _apart(one: Motion, motions: Sequence[Motion]) -> tuple[float, float]:
    shapes = [shape(motion) for motion in motions]
    between = distances(shapes)[np.triu_indices(len(shapes), 1)]
    return float(np.mean(distances([shape(one)], shapes))), float(np.mean(between))


def _spread_table(spreads: Mapping[str, Mapping[str, float]]) -> Table:
    parts = tuple(next(iter(spreads.values())))
    rows = tuple(row(name, [own[part] for part in parts]) for name, own in spreads.items())
    note = "Standard deviation between motions at equal shares of their time, root mean square over angles and time."
    return Table(SPREADS, parts, rows, note)


def _differences(spreads: Mapping[str, Mapping[str, float]], least: str) -> tuple[str, ...]:
    inputs, ours = spreads[INPUTS], spreads[DEFAULT_PRESET]
    of_inputs = min(inputs, key=lambda part: inputs[part])
    order = [sorted(one, key=lambda part: one[part]) for one in (inputs, ours)]
    follow = "the same order of parts as" if order[0] == order[1] else "another order of parts than"
    return (
        f"In the thesis the head varies least, as in its inputs; here what varies least is of the {least} "
        f"({ours[least]:.1f}°; the head {ours.get('head', float('nan')):.1f}°), and in the four others of the "
        f"{of_inputs} ({inputs[of_inputs]:.1f}°). The thesis's jumps are not these.",
        f"The variants of one motion have {follow} the motions that were learned from, and spread "
        f"{np.mean(list(ours.values())) / np.mean(list(inputs.values())):.2f} times as much.",
    )


ITEM = Item(NAME, "four variants of one jump by what other jumps taught, and which part varies least", run)
