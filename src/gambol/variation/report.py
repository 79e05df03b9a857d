"""A report on a model and the variants it made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.errors import InvalidInput
from gambol.motion.quality import Quality, measure_quality
from gambol.variation.encoding import Dropped
from gambol.variation.measures.distances import Change, Repetition, change_of, distances, is_varied, repetition, shape
from gambol.variation.measures.physical import Comparison, compare
from gambol.variation.measures.principal import ENERGY, principal_directions
from gambol.variation.model import Variant, VariationModel

LENGTHS_ALIKE = 2.0  # lengths of the longest input: longer variants, such as streams, are not compared in shape
#: Why degrees of freedom are left out, in words.
REASONS: Mapping[str, str] = {
    "finger": "captured fingers, thumbs and ends are noise",
    "still": "they hardly move",
}


@dataclass(frozen=True, eq=False)
class VariationReport:
    """A model and its variants in numbers; None where there is too little to compare."""

    preset: str
    inputs: tuple[tuple[str, float], ...]  # names and seconds
    cyclic: bool
    root: str
    degrees: int
    dropped: tuple[Dropped, ...]
    learned: Mapping[str, Any]  # plain values from the preset's `as_arrays`
    dimensions: int  # principal directions that keep 99 % of the inputs' energy
    kept: float  # share of the variants' energy that these directions keep
    amount: float
    change: Change | None
    input_change_m: float | None  # root mean square distance between inputs
    repeats: Repetition | None  # among variants
    input_repeats: Repetition | None  # among inputs
    physical: Comparison
    qualities: tuple[tuple[int, Quality], ...]  # seeds and qualities of the variants

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, ready for JSON."""
        return {
            "preset": self.preset,
            "amount": self.amount,
            "inputs": [{"name": name, "duration_s": seconds} for name, seconds in self.inputs],
            "cyclic": self.cyclic,
            "root": self.root,
            "degrees_of_freedom": self.degrees,
            "dropped": [{"name": name, "reason": reason} for name, reason in self.dropped],
            "learned": dict(self.learned),
            "dimensions_for_99_percent": self.dimensions,
            "energy_of_variants_in_these": self.kept,
            "change_rms_cm": None if self.change is None else 100.0 * self.change.rms_m,
            "change_between_inputs_rms_cm": None if self.input_change_m is None else 100.0 * self.input_change_m,
            "repeats": None if self.repeats is None else self.repeats.repeats,
            "nearest_median_cm": None if self.repeats is None else 100.0 * self.repeats.median_m,
            "nearest_median_of_inputs_cm": None if self.input_repeats is None else 100.0 * self.input_repeats.median_m,
            "physical": self.physical.as_dict(),
            "variants": [
                {
                    "seed": seed,
                    "duration_s": quality.duration_s,
                    "foot_slide_mean_cm_s": quality.foot_slide_mean_cm_s,
                    "ground_penetration_cm": quality.ground_penetration_cm,
                }
                for seed, quality in self.qualities
            ],
        }

    def describe(self) -> str:
        """Return the report as lines of text."""
        seconds = [quality.duration_s for _, quality in self.qualities]
        lines = [
            f"learned by the preset {self.preset} from {_count(len(self.inputs), 'input')}"
            + (", as cycles: " if self.cyclic else ": ")
            + ", ".join(name for name, _ in self.inputs),
            f"{self.degrees} degrees of freedom; {self.dimensions} principal directions keep {100 * ENERGY:.0f} % of "
            f"the inputs, and {100 * self.kept:.0f} % of what is new",
            *_dropped_lines(self.dropped),
            f"{_count(len(seconds), 'variant')} of {min(seconds):.2f} to {max(seconds):.2f} s, "
            f"of inputs of {min(s for _, s in self.inputs):.2f} to {max(s for _, s in self.inputs):.2f} s",
        ]
        if self.change is not None and self.input_change_m is not None:
            lines.append(
                f"joints differ from the inputs by {100 * self.change.rms_m:.1f} cm, "
                f"as inputs do from each other by {100 * self.input_change_m:.1f} cm"
            )
        if self.repeats is not None and self.input_repeats is not None:
            verdict = "" if is_varied(self.repeats, self.input_repeats) else ": too alike"
            lines.append(
                f"{_count(self.repeats.repeats, 'repeat')}; the nearest other is {100 * self.repeats.median_m:.1f} cm "
                f"away in the median, among inputs {100 * self.input_repeats.median_m:.1f} cm{verdict}"
            )
        return "\n".join([*lines, self.physical.describe()])


def report_on(model: VariationModel, variants: Sequence[Variant], *, amount: float = 1.0) -> VariationReport:
    """Measure variants of a model against its inputs; long ones, such as streams, are not compared in shape."""
    if not variants:
        raise InvalidInput("at least one variant is needed for a report")
    examples = model.examples
    parts = principal_directions(examples.encoding, examples.values)
    needed = parts.needed()
    values = np.concatenate([examples.encoding.encode(variant.motion) for variant in variants])
    inputs, made = [shape(item.motion) for item in examples.items], [shape(variant.motion) for variant in variants]
    longest = LENGTHS_ALIKE * max(item.motion.duration_s for item in examples.items)
    several = len(inputs) > 1
    compared = len(variants) > 1 and all(variant.motion.duration_s <= longest for variant in variants)
    between = distances(inputs)[np.triu_indices(len(inputs), 1)]
    return VariationReport(
        preset=model.preset,
        inputs=tuple((item.name, item.motion.duration_s) for item in examples.items),
        cyclic=examples.cyclic,
        root=examples.encoding.root,
        degrees=examples.encoding.count,
        dropped=examples.encoding.dropped,
        learned=model.sampler.as_arrays()[1],
        dimensions=needed,
        kept=parts.kept(values, needed),
        amount=amount,
        change=change_of(examples, [variant.motion for variant in variants]) if compared else None,
        input_change_m=float(np.mean(between**2) ** 0.5) if several else None,
        repeats=repetition(made) if compared else None,
        input_repeats=repetition(inputs) if several else None,
        physical=compare(
            [(variant.motion, variant.contacts) for variant in variants],
            [(item.motion, item.contacts) for item in examples.items],
            examples.encoding,
        ),
        qualities=tuple(
            (variant.seed, measure_quality(variant.motion, contacts=variant.contacts)) for variant in variants
        ),
    )


def _dropped_lines(dropped: Sequence[Dropped]) -> list[str]:
    """Return lines on what is left out, grouped by reason."""
    lines = []
    for reason in dict.fromkeys(one.reason for one in dropped):
        names = [one.name for one in dropped if one.reason == reason]
        joints = dict.fromkeys(name.rpartition(" ")[0] for name in names)
        whole = [joint for joint in joints if sum(name.startswith(f"{joint} ") for name in names) == 3]
        said = [*whole, *(name for name in names if name.rpartition(" ")[0] not in whole)]
        lines.append(f"{len(names)} left out, as {REASONS.get(reason, reason)}: {', '.join(said)}")
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
