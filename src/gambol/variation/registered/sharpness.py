"""How much sharper a motion is than the examples, by the highest acceleration of each joint in the world."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.variation.constraints.peaks import accelerations
from gambol.variation.encoding import NOISY, Encoding
from gambol.variation.examples import Examples

MOST_SHARPER = 1.15  # times the examples' highest acceleration of the same joint: sharper motions are drawn again
TRIES = 6  # the most draws, of which the least sharp is then taken


def peaks(motion: Motion) -> FloatArray:
    """Return each joint's highest acceleration in the world (J,), in metres a second squared."""
    return accelerations(motion).max(axis=0, initial=0.0)


def highest_peaks(examples: Examples) -> FloatArray:
    """Return the examples' highest peaks (J,); infinity for fingers and other noise."""
    highest = np.max([peaks(item.motion) for item in examples.items], axis=0)
    noisy = [bool(NOISY.search(name)) for name in examples.skeleton.names]
    return np.where(noisy, np.inf, np.maximum(highest, 1e-9))


def sharpness(values: FloatArray, encoding: Encoding, highest: FloatArray) -> float:
    """Return the highest peak of a motion (F, D) as a multiple of the examples', at its sharpest joint."""
    return float(np.max(peaks(encoding.decode(values)) / highest))
