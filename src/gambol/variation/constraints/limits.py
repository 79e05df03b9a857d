"""Check that a motion stays in the range of the data, and bring it back.

Fifteen variants of four examples reach farther than the examples do, by chance alone, and farther still if they vary
more than the examples.  A degree of freedom that leaves their range is shifted back, smoothly in time and as long as
necessary, so that its fine structure stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.variation.encoding import ROOT_COUNT, Encoding
from gambol.variation.examples import Examples

MOST_BEYOND = 0.10  # share of a degree of freedom's range that a motion may leave it by, on either side
ROOM = 0.08  # share of the range beyond it to which a motion is brought back; larger: fewer motions change
BACK_S = 0.15  # seconds before and after a degree of freedom leaves its range during which it is shifted back


class Beyond(NamedTuple):
    """A degree of freedom that leaves its range."""

    name: str
    share: float  # largest distance from the range, as a share of the range
    frame: int  # frame of that distance


@dataclass(frozen=True, eq=False)
class Limits:
    """The range of each number of an encoding."""

    encoding: Encoding
    low: FloatArray  # (D,)
    high: FloatArray  # (D,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", frozen_array(self.low))
        object.__setattr__(self, "high", frozen_array(self.high))
        if not (self.low.shape == self.high.shape == (self.encoding.count,) and np.all(self.low <= self.high)):
            raise InvalidInput(f"a lowest and a highest value for each of {self.encoding.count} numbers expected")

    @property
    def width(self) -> FloatArray:
        return np.maximum(self.high - self.low, 1e-9)

    def beyond(self, values: FloatArray) -> FloatArray:
        """Return how far numbers (F, D) are out of their range, as a share of it; zero inside."""
        return np.maximum(np.maximum(self.low - values, values - self.high), 0.0) / self.width

    def check(self, values: FloatArray, *, most: float = MOST_BEYOND) -> tuple[Beyond, ...]:
        """Return the joints' degrees of freedom that leave their range by more than a share of it, farthest first."""
        shares = self.beyond(values)
        frames = shares.argmax(axis=0)
        farthest = shares.max(axis=0)
        found = [
            Beyond(name, float(farthest[number]), int(frames[number]))
            for number, name in enumerate(self.encoding.names)
            if number >= ROOT_COUNT and farthest[number] > most
        ]
        return tuple(sorted(found, key=lambda one: -one.share))

    def brought_back(self, values: FloatArray, *, room: float = ROOM) -> FloatArray:
        """Return numbers (F, D) whose joints leave their range by at most a share of it, `room`.

        Numbers that leave it by less stay as they are.  The root's numbers stay: a body's place has no range.
        """
        back = np.array(values)
        reach = max(1, round(BACK_S * self.encoding.rate_hz))
        room_each = room * self.width
        for sign, bound in ((1.0, self.high + room_each), (-1.0, room_each - self.low)):
            over = np.maximum(sign * back - bound, 0.0)
            over[:, :ROOT_COUNT] = 0.0
            columns = np.flatnonzero(over.any(axis=0))
            if len(columns):
                back[:, columns] -= sign * covering(over[:, columns], reach)
        return np.clip(back, *self._bounds(room)) if room >= 0.0 else back

    def _bounds(self, room: float) -> tuple[FloatArray, FloatArray]:
        low, high = self.low - room * self.width, self.high + room * self.width
        low[:ROOT_COUNT], high[:ROOT_COUNT] = -np.inf, np.inf
        return low, high


def limits_of(examples: Examples) -> Limits:
    """Return the range of each number over all examples."""
    return limits_of_values(examples.encoding, examples.values)


def limits_of_values(encoding: Encoding, values: Sequence[FloatArray]) -> Limits:
    """Return the range of each number over motions (F, D)."""
    low = np.min([one.min(axis=0) for one in values], axis=0)
    high = np.max([one.max(axis=0) for one in values], axis=0)
    return Limits(encoding, low, high)


def covering(excess: FloatArray, reach: int) -> FloatArray:
    """Return smooth curves (F, C) that are nowhere below the excess."""
    # The smoothing reaches no farther than the maximum filter, so it cuts off no peak.
    highest = scipy.ndimage.maximum_filter1d(excess, 2 * reach + 1, axis=0, mode="nearest")
    return scipy.ndimage.gaussian_filter1d(highest, reach / 3.0, axis=0, radius=reach, mode="nearest")
