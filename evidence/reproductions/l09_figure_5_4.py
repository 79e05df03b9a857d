"""L09 figure 5.4: four inputs and fifteen variants laid over each other, for three kinds of motion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Row, Table, row
from evidence.reproductions.variation_inputs import FOUR, SOURCES, Inputs, inputs_of, said_of
from evidence.reproductions.variation_tables import PAPER, STABLE, VARIANTS, learned, setting_table, variants_of
from gambol.pictures import draw_overlaid_poses
from gambol.variation import DEFAULT_PRESET, VariationReport, distances, is_varied, learn, report_on, shape
from gambol.variation.measures.distances import REPEAT_M

NAME = "l09-figure-5.4"
TITLE = "L09 figure 5.4: inputs and outputs laid over each other"
SHOWN = ("cheering", "walk", "swim")
MADE, BY_COUNT = "inputs and variants", "walks, by the number of inputs"
WIDTH_PX, QUICK_WIDTH_PX = 1400, 560


class Made(NamedTuple):
    """What came of one kind by one preset."""

    inputs: Inputs
    report: VariationReport
    copies: int  # variants that are an input, or another variant


class Counted(NamedTuple):
    """What came of so many inputs."""

    many: int  # inputs
    sound: bool  # varied, and within the inputs' ranges, slides and accelerations
    inputs_m: float  # between inputs, root mean square
    variants_m: float
    slide_m: float


def run(quick: bool, say: Say) -> Result:
    """Learn from four motions of each kind, make fifteen of each, and measure and draw both."""
    made, pictures = [], {}
    for number, kind in enumerate(SOURCES):
        inputs = inputs_of(kind)
        presets = (DEFAULT_PRESET,) if quick else (DEFAULT_PRESET, STABLE, PAPER)
        for preset in presets:
            say(f"{inputs.name}, {preset}", number / len(SOURCES))
            made.append(_made(inputs, preset))
        if kind in SHOWN:
            pictures[f"{NAME}-{kind}.png"] = _picture(inputs, QUICK_WIDTH_PX if quick else WIDTH_PX)
    counted = [_counted(count) for count in ((2, 4, 6, 10) if quick else (2, 3, 4, 6, 10))]
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            said_of(list(SOURCES)),
            f"Four inputs of each kind, {VARIANTS} variants (seeds 0 to {VARIANTS - 1}), constraints on. Preset "
            f"`{DEFAULT_PRESET}` is drawn; `{STABLE}` is the thesis's network with what keeps it in the data, "
            f"`{PAPER}` the network as printed.",
        ),
        tables=(_settings(made), _made_table(made), _count_table(counted)),
        differences=_differences(made, counted),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _made(inputs: Inputs, preset: str) -> Made:
    model = learned(inputs, preset)
    variants = variants_of(model)
    shapes = [shape(variant.motion) for variant in variants]
    given = [shape(item.motion) for item in inputs.four]
    between = distances(shapes, [*given, *shapes])
    between[:, len(given) :][np.diag_indices(len(shapes))] = np.inf
    return Made(inputs, report_on(model, variants), int(np.sum(between.min(axis=1) < REPEAT_M)))


def _counted(count: int) -> Counted:
    walks = inputs_of("walk")
    model = learn(walks.gathered([*walks.four, *walks.others][:count]))
    found = report_on(model, variants_of(model))
    assert found.repeats is not None
    assert found.input_repeats is not None
    assert found.input_change_m is not None
    shapes = [shape(variant.motion) for variant in variants_of(model)]
    apart = distances(shapes)[np.triu_indices(len(shapes), 1)]
    sound = found.physical.passes and is_varied(found.repeats, found.input_repeats)
    return Counted(count, sound, found.input_change_m, float(np.mean(apart**2) ** 0.5), found.physical.slide_m_s)


def _settings(made: Sequence[Made]) -> Table:
    frames = {one.inputs.kind: one.inputs.frames for one in made}
    rate = made[0].inputs.four[0].motion.rate_hz
    return setting_table([
        ("steps: structure or registration, synthesis, constraints", 3, "l09.c1.3.steps"),
        ("inputs of a model", len(made[0].inputs.four), "l09.c5.sequences"),
        ("kinds of motion", len(frames), "l09.c5.kinds"),
        ("kinds that are drawn", len(SHOWN), "l09.c5.fig4.kinds"),
        ("inputs laid over each other", len(made[0].inputs.four), "l09.c5.fig4.inputs"),
        ("variants laid over each other", len(made[0].report.qualities), "l09.c5.fig4.outputs"),
        *((f"frames of the inputs: {kind}", frames[kind], f"l09.c5.frames.{kind}") for kind in SOURCES),
        ("frames a second", round(rate), "l09.c5.rate"),
    ])  # fmt: skip


def _made_table(made: Sequence[Made]) -> Table:
    rows: list[Row] = []
    for one in made:
        found = one.report
        seconds = [quality.duration_s for _, quality in found.qualities]
        values = [
            one.copies, None if found.change is None else 100.0 * found.change.rms_m,
            None if found.input_change_m is None else 100.0 * found.input_change_m,
            f"{min(seconds):.2f} to {max(seconds):.2f}",
            "yes" if found.physical.slides_no_more else "no", "yes" if found.physical.stays_in_range else "no",
            "yes" if found.physical.no_sharper else "no",
        ]  # fmt: skip
        rows.append(row(f"{one.inputs.name}, {found.preset}", values))
    copies = sum(one.copies for one in made if one.report.preset == DEFAULT_PRESET)
    rows.append(row(f"all kinds, {DEFAULT_PRESET}", [copies, *[None] * 6], [claim("l09.c5.copies"), *[None] * 6]))
    columns = (
        "copies", "change from inputs, cm", "between inputs, cm", "seconds", "slides no more", "in range", "no sharper",
    )  # fmt: skip
    note = (
        "Copies: variants within 1 mm of an input or of another variant, on the root mean square. Changes are of "
        "joints as seen from the root. The last three: feet slide no more than the inputs', no number leaves the "
        "inputs' range by more than a tenth, no joint accelerates more than a quarter above the inputs' highest."
    )
    return Table(MADE, columns, tuple(rows), note)


def _count_table(counted: Sequence[Counted]) -> Table:
    fewest = next((one.many for one in counted if one.sound), None)
    published = {10: "l09.c7.inputs.most", 6: "l09.c7.inputs.reduced"}
    rows = [
        row(
            f"{one.many} inputs",
            [
                one.many,
                100.0 * one.inputs_m,
                100.0 * one.variants_m,
                100.0 * one.slide_m,
                "yes" if one.sound else "no",
            ],
            [claim(published[one.many]) if one.many in published else None, None, None, None, None],
        )
        for one in counted
    ]
    rows.append(
        row(
            "fewest that are sound", [fewest, None, None, None, None], [claim("l09.c5.inputs.least"), *[None] * 4],
            note=f"Of {', '.join(str(one.many) for one in counted)} that were tried, by these measures; the thesis "
            "judges by eye, and says that its network needs four.",
        )
    )  # fmt: skip
    columns = ("inputs", "between inputs, cm", "between variants, cm", "feet slide, cm/s", "sound")
    note = f"Preset `{DEFAULT_PRESET}`. Sound: nothing repeats, and all three measures of the table above hold."
    return Table(BY_COUNT, columns, tuple(rows), note)


def _differences(made: Sequence[Made], counted: Sequence[Counted]) -> tuple[str, ...]:
    said = [
        f"Of {sum(len(one.report.qualities) for one in made)} variants {sum(one.copies for one in made)} are copies of "
        "an input or of each other."
    ]  # fmt: skip
    for preset in dict.fromkeys(one.report.preset for one in made):
        own = [one for one in made if one.report.preset == preset]
        sound = [one for one in own if one.report.physical.passes]
        said.append(
            f"By `{preset}` variants of {len(sound)} of {len(own)} kinds stay within what the inputs do; the thesis "
            "shows pictures and gives no such measure."
        )
    four, most = next(one for one in counted if one.many == FOUR), counted[-1]
    more = "more" if most.variants_m > four.variants_m else "no more"
    said.append(
        f"Variants of {most.many} walks vary {more} than those of {FOUR}: they are {100.0 * most.variants_m:.1f} and "
        f"{100.0 * four.variants_m:.1f} cm apart, as the inputs are {100.0 * most.inputs_m:.1f} and "
        f"{100.0 * four.inputs_m:.1f} cm. The thesis has more from ten inputs only where these span more."
    )
    return tuple(said)


def _picture(inputs: Inputs, width_px: int) -> Picture:
    variants = [variant.motion for variant in variants_of(learned(inputs))]
    rows = [
        (f"{len(inputs.four)} {inputs.name}", [item.motion for item in inputs.four]),
        (f"{len(variants)} variants", variants),
    ]
    return draw_overlaid_poses(rows, width_px=width_px)


ITEM = Item(NAME, "four inputs and fifteen variants of three kinds of motion, laid over each other", run)
