"""L09 figure 5.6: inputs and variants over time, against each other, and in principal dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.variation_inputs import SOURCES, inputs_of, said_of
from evidence.reproductions.variation_tables import VARIANTS, correlation, learned, setting_table, variants_of
from gambol.pictures import draw_variation_plots
from gambol.pictures.variation_plots import choose_numbers
from gambol.variation import Encoding, principal_directions

NAME = "l09-figure-5.6"
TITLE = "L09 figure 5.6: plots of inputs and variants"
KIND = "cheering"
PRINCIPAL, PAIRS = "principal dimensions", "numbers that go together"
THEIR_DIMENSIONS = 11


class Dimensions(NamedTuple):
    """How few dimensions tell a kind of motion."""

    name: str
    numbers: int  # learned
    needed: int  # for 99 %
    kept: float  # % of the inputs, by eleven
    kept_new: float  # % of the variants, by as many as are needed
    needed_both: int  # for 99 % of inputs and variants, as in the thesis
    kept_both: float  # % of these, by eleven


class Pair(NamedTuple):
    """Two numbers, and how they correlate."""

    label: str
    inputs: float
    variants: float


def run(quick: bool, say: Say) -> Result:
    """Plot what was learned from and what is new, and measure principal dimensions and correlations."""
    count = 5 if quick else VARIANTS
    found = []
    for number, kind in enumerate(SOURCES):
        say(f"principal dimensions of {kind}", number / len(SOURCES))
        found.append(_dimensions(kind, count))
    model = learned(inputs_of(KIND))
    examples = model.examples
    new = [examples.encoding.encode(variant.motion) for variant in variants_of(model)]
    pairs = _pairs(examples.encoding, examples.values, new)
    picture = draw_variation_plots(examples.encoding, examples.values, new)
    channels = 3 * examples.skeleton.joint_count + 3
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(said_of(list(SOURCES)), f"Plots are of {inputs_of(KIND).name}; seeds 0 to {VARIANTS - 1}."),
        tables=(
            setting_table(
                [
                    (f"numbers that are learned, of {channels} channels", examples.encoding.count, "l09.c5.dofs"),
                    ("inputs", examples.count, "l09.c5.fig6.inputs"),
                    ("variants", len(new), "l09.c5.fig6.outputs"),
                    ("plots in each of three columns", 2, "l09.c5.fig6.plots"),
                ],
                note="Fingers and what hardly moves are left out of ours.",
            ),
            _table(found),
            Table(
                PAIRS, ("correlation in inputs", "in variants"),
                tuple(row(pair.label, [pair.inputs, pair.variants]) for pair in pairs),
                "The pairs of the middle column: the thesis has such pairs, without numbers.",
            ),
        ),
        differences=_differences(found, pairs),
        pictures=(f"{NAME}.png",),
    )  # fmt: skip
    return Result(report, {f"{NAME}.png": picture})


def _dimensions(kind: str, count: int) -> Dimensions:
    inputs = inputs_of(kind)
    model = learned(inputs)
    examples = model.examples
    parts = principal_directions(examples.encoding, examples.values)
    new = [examples.encoding.encode(variant.motion) for variant in variants_of(model, count)]
    both = principal_directions(examples.encoding, [*examples.values, *new])
    return Dimensions(
        inputs.name, examples.encoding.count, parts.needed(),
        100.0 * float(parts.energies[:THEIR_DIMENSIONS].sum()),
        100.0 * parts.kept(np.concatenate(new), parts.needed()), both.needed(),
        100.0 * float(both.energies[:THEIR_DIMENSIONS].sum()),
    )  # fmt: skip


def _pairs(
    encoding: Encoding, inputs: Sequence[NDArray[np.float64]], variants: Sequence[NDArray[np.float64]]
) -> list[Pair]:
    found = []
    for a, b in choose_numbers(encoding, inputs).pairs:
        values = [correlation(np.concatenate([one[:, [a, b]] for one in some])) for some in (inputs, variants)]
        found.append(Pair(f"{encoding.names[a]} and {encoding.names[b]}", values[0], values[1]))
    return found


def _table(found: Sequence[Dimensions]) -> Table:
    rows = []
    for number, one in enumerate(found):
        published = [
            *[None] * 4, claim("l09.c5.pca.dimensions"), claim("l09.c5.pca.energy"),
        ] if number == 0 else None  # fmt: skip
        note = "The thesis's number is of its cheering motions, with all 62 numbers; ours are other motions."
        values = [one.numbers, one.needed, one.kept, one.kept_new, one.needed_both, one.kept_both]
        rows.append(row(one.name, values, published, note=note if published else ""))
    columns = (
        "numbers", "dimensions for 99 %", f"% kept by {THEIR_DIMENSIONS}", "% of variants kept",
        "dimensions for 99 % of inputs and variants", f"% of these kept by {THEIR_DIMENSIONS}",
    )  # fmt: skip
    note = (
        "Joints' numbers without the root's. The dimensions are the inputs' own, those of the last two columns of "
        "inputs and variants together, as the thesis has it. Variants kept: by as many as keep 99 % of the inputs."
    )
    return Table(PRINCIPAL, columns, tuple(rows), note)


def _differences(found: Sequence[Dimensions], pairs: Sequence[Pair]) -> tuple[str, ...]:
    needed, together = [one.needed for one in found], [one.needed_both for one in found]
    far = max(abs(pair.inputs - pair.variants) for pair in pairs)
    least = min(found, key=lambda one: one.kept_new)
    return (
        f"{_between(needed)} dimensions keep 99 % of the inputs of a kind, and {_between(together)} of inputs and "
        f"variants together; the thesis has {THEIR_DIMENSIONS} for one of them.",
        f"The dimensions that keep 99 % of the inputs keep at least {least.kept_new:.1f} % of the variants "
        f"({least.name}).",
        f"Correlations of variants are within {far:.2f} of the inputs' for the pairs that are drawn.",
    )


def _between(numbers: Sequence[int]) -> str:
    return f"{min(numbers)} to {max(numbers)}" if min(numbers) < max(numbers) else str(min(numbers))


ITEM = Item(NAME, "inputs and variants plotted over time, against each other and in principal dimensions", run)
