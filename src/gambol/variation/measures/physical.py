"""Whether new motions make physical sense, measured against the motions that the model learned from.

Three measures.  *Foot slide*: how fast planted heels and toes slide, on average (`quality.slide_speeds`).  *Joint
ranges*: the lowest and highest of each joint's degrees of freedom.  *Acceleration peaks*: the highest acceleration of
each joint in the world.  All are strict: the worst of all variants counts, for every degree of freedom and every joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.motion.contacts import Contacts
from gambol.motion.motion import Motion
from gambol.motion.quality import slide_speeds
from gambol.variation.constraints.limits import MOST_BEYOND
from gambol.variation.constraints.peaks import accelerations
from gambol.variation.encoding import ROOT_COUNT, Encoding

MOST_SHARPER = 1.25  # times the inputs' highest acceleration of the same joint: higher ones fail
LEAST_PEAK_M_S2 = 0.5  # metres a second squared: joints that accelerate less in the inputs count as this


class Measured(NamedTuple):
    """One motion's measures."""

    slide_m_s: float  # mean over all planted frames of heels and toes; NaN where nothing is planted
    fastest_slide_m_s: float
    low: FloatArray  # (D,) lowest of each degree of freedom; the root's first
    high: FloatArray  # (D,)
    peaks_m_s2: FloatArray  # (J,) each joint's highest acceleration in the world


@dataclass(frozen=True, eq=False)
class Comparison:
    """Variants against inputs; each gate holds the worst case."""

    names: tuple[str, ...]  # names of the joints' degrees of freedom
    joints: tuple[str, ...]
    slide_m_s: float  # the variants' mean
    input_slide_m_s: float  # the inputs' mean
    beyond: FloatArray  # (D - 6,) how far each degree of freedom leaves the inputs' range, as a share of it
    sharper: FloatArray  # (J,) the variants' highest acceleration over the inputs' highest
    fastest_slide_m_s: float = float("nan")  # the variants' fastest
    input_fastest_slide_m_s: float = float("nan")  # the inputs' fastest

    def __post_init__(self) -> None:
        object.__setattr__(self, "beyond", frozen_array(self.beyond))
        object.__setattr__(self, "sharper", frozen_array(self.sharper))

    @property
    def slides_no_more(self) -> bool:
        """Whether feet slide no more than in the inputs; true where nothing is planted in either."""
        if np.isnan(self.slide_m_s):
            return True
        return bool(self.slide_m_s <= self.input_slide_m_s)

    @property
    def stays_in_range(self) -> bool:
        return bool(self.beyond.max(initial=0.0) <= MOST_BEYOND)

    @property
    def no_sharper(self) -> bool:
        return bool(self.sharper.max(initial=0.0) <= MOST_SHARPER)

    @property
    def passes(self) -> bool:
        return self.slides_no_more and self.stays_in_range and self.no_sharper

    def _worst(self) -> tuple[tuple[str, float], tuple[str, float]]:
        """Return the degree of freedom that leaves its range farthest, and the sharpest joint, with their numbers."""
        sharpest = int(self.sharper.argmax())
        sharper = (self.joints[sharpest], float(self.sharper[sharpest]))
        if not len(self.beyond):  # nothing but the root moves
            return ("none", 0.0), sharper
        farthest = int(self.beyond.argmax())
        return (self.names[farthest], float(self.beyond[farthest])), sharper

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings, ready for JSON."""
        (farthest, beyond), (sharpest, sharper) = self._worst()
        return {
            "foot_slide_cm_s": _plain(100.0 * self.slide_m_s),
            "input_foot_slide_cm_s": _plain(100.0 * self.input_slide_m_s),
            "fastest_foot_slide_cm_s": _plain(100.0 * self.fastest_slide_m_s),
            "input_fastest_foot_slide_cm_s": _plain(100.0 * self.input_fastest_slide_m_s),
            "farthest_beyond_range": beyond,
            "farthest_beyond_range_of": farthest,
            "highest_acceleration_ratio": sharper,
            "highest_acceleration_ratio_of": sharpest,
            "slides_no_more": self.slides_no_more,
            "stays_in_range": self.stays_in_range,
            "no_sharper": self.no_sharper,
        }

    def describe(self) -> str:
        """Return the report as three lines of text."""
        (farthest, beyond), (sharpest, sharper) = self._worst()
        marks = ["holds" if held else "FAILS" for held in (self.slides_no_more, self.stays_in_range, self.no_sharper)]
        slide = f"feet slide {100 * self.slide_m_s:.1f} cm/s, in the inputs {100 * self.input_slide_m_s:.1f}"
        return "\n".join(
            (
                f"{marks[0]}: {'no foot is ever planted' if np.isnan(self.slide_m_s) else slide}",
                f"{marks[1]}: ranges are left by {100 * beyond:.0f} % at most ({farthest})",
                f"{marks[2]}: accelerations are up to {sharper:.2f} times as high ({sharpest})",
            )
        )


def measure(motion: Motion, contacts: Contacts, encoding: Encoding) -> Measured:
    """Measure one motion; the encoding says which degrees of freedom count."""
    slides = slide_speeds(motion, contacts)
    slides = slides[~np.isnan(slides)]
    values = encoding.encode(motion)
    return Measured(
        float(slides.mean()) if len(slides) else np.nan,
        float(slides.max()) if len(slides) else np.nan,
        values.min(axis=0),
        values.max(axis=0),
        accelerations(motion).max(axis=0, initial=0.0),
    )


def compare(
    variants: Sequence[tuple[Motion, Contacts]], inputs: Sequence[tuple[Motion, Contacts]], encoding: Encoding
) -> Comparison:
    """Compare new motions with the motions that the model learned from."""
    if not variants or not inputs:
        raise InvalidInput("at least one variant and one input are needed for a comparison")
    new = [measure(*one, encoding) for one in variants]
    old = [measure(*one, encoding) for one in inputs]
    low, high = np.min([one.low for one in old], axis=0), np.max([one.high for one in old], axis=0)
    lower, higher = np.min([one.low for one in new], axis=0), np.max([one.high for one in new], axis=0)
    beyond = np.maximum(np.maximum(low - lower, higher - high), 0.0) / np.maximum(high - low, 1e-9)
    peaks = [np.max([one.peaks_m_s2 for one in some], axis=0) for some in (new, old)]
    return Comparison(
        encoding.names[ROOT_COUNT:],
        encoding.skeleton.names,
        _mean([one.slide_m_s for one in new]),
        _mean([one.slide_m_s for one in old]),
        beyond[ROOT_COUNT:],
        peaks[0] / np.maximum(peaks[1], LEAST_PEAK_M_S2),
        *(
            max((one.fastest_slide_m_s for one in some if one.fastest_slide_m_s >= 0.0), default=np.nan)
            for some in (new, old)
        ),
    )


def _mean(values: list[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
