"""A world cut into strips, each of which a region of a crowd plans for; and how far anybody reaches over a border.

Nobody may promise to come where somebody else promises it at the same time without either knowing.  How far from the
end of its present clip anyone may come by what it promises is known from the clips alone, and so is how wide strips
must be for those who are not neighbours to have nothing to do with each other: see docs/crowd_proof.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.doors import REACH_M
from gambol.crowd.gates import WAITING_M
from gambol.crowd.kinds import Kinds
from gambol.crowd.lanes import Lanes
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.world.world import World

MARGIN_M = 0.05  # on all that is reached: far more than rounding
STEP_M = 0.5  # by which a border is moved out of the way of doors


class Reach(NamedTuple):
    """How far from where their present clip ends characters come, bodies included, metres."""

    by_state: FloatArray  # (T,) by all that may be played from each state
    tail_m: float  # the greatest of these
    held_m: float  # by all that anybody ever holds: the present clip, what is left of a tail, a stop

    @property
    def width_m(self) -> float:
        """The width that a strip must be above, so that only neighbours have to do with each other."""
        return self.held_m + self.tail_m


def reach_of(kinds: Kinds) -> Reach:
    """Return upper bounds of how far the kinds of a crowd reach."""
    clips, fans = kinds.clips, kinds.fans
    corner = np.hypot(
        np.maximum(np.abs(fans.box[:, 0]), np.abs(fans.box[:, 2])),
        np.maximum(np.abs(fans.box[:, 1]), np.abs(fans.box[:, 3])),
    )
    by_state = np.maximum.reduceat(corner, fans.first_fan[:-1]) + MARGIN_M
    rest_m = float(clips.samples[clips.rest_sample, 4].max())
    middle, radius, way = clips.circle[:, :2], clips.circle[:, 2], clips.displacement[:, :2]
    ahead = np.hypot(*middle.T) + radius  # from where a clip begins
    behind = np.hypot(*(middle - way).T) + radius  # from where it ends
    stop_m = float(max(ahead.max(), np.hypot(*way.T).max() + rest_m))
    left_m = float(np.hypot(*way.T).max()) + stop_m  # of a tail whose first clip has become the present one
    tail_m = float(by_state.max())
    return Reach(by_state, tail_m, max(tail_m, left_m, float(behind.max())) + MARGIN_M)


@dataclass(frozen=True, eq=False)
class Strip:
    """What one region plans for: everyone whose present clip ends between two lines across the world."""

    number: int
    axis: int  # along which the world is cut: 0 for x, 1 for y
    low: float  # -inf for the first
    high: float  # inf for the last
    reach: Reach

    def holds(self, at: FloatArray) -> NDArray[np.bool_]:
        """Tell which coordinates along the axis are in the strip."""
        return (at >= self.low) & (at < self.high)

    def may_plan(self, at: FloatArray, state: NDArray[np.int32], frame: int) -> NDArray[np.bool_]:
        """Tell who, in some states and at some coordinates where their present clips end, may plan in a frame.

        Those who surely stay as far from every border as others may come over it plan at any time; the rest when it
        is their strip's turn, which is never that of a strip next to it.
        """
        own, others = self.reach.by_state[state], self.reach.tail_m
        inner = (at - own > self.low + others) & (at + own < self.high - others)
        if (frame - self.number) % 2 == 0:
            inner |= self.holds(at)
        return inner


def cut_strips(
    world: World,
    reach: Reach,
    regions: int,
    *,
    lanes: Lanes | None = None,
    cuts: Sequence[float] | None = None,
) -> tuple[Strip, ...]:
    """Cut a world across its longer side into strips of about one width, away from doors and gates where there is room.

    cuts: the borders, if they are to be elsewhere; they must rise.
    """
    if regions < 1:
        raise InvalidInput(f"a crowd has one region or more, not {regions}")
    x0, y0, x1, y1 = world.bounds
    axis = 0 if x1 - x0 >= y1 - y0 else 1
    low, high = (x0, x1) if axis == 0 else (y0, y1)
    least_m = reach.width_m
    if cuts is None:
        if regions > 1 and (high - low) / regions <= least_m:
            raise InvalidInput(
                f"{regions} regions of {high - low:g} m would be {(high - low) / regions:.1f} m wide: these characters "
                f"need more than {least_m:.1f} m; at most {max(int((high - low) / least_m), 1)} regions are possible"
            )
        cuts = _place_cuts(low, high, regions, least_m, _in_the_way(lanes, axis))
    elif len(cuts) != regions - 1:
        raise InvalidInput(f"{regions} regions have {regions - 1} borders, not {len(cuts)}")
    borders = [low, *(float(cut) for cut in cuts), high]
    if regions > 1 and min(np.diff(borders)) <= least_m:
        raise InvalidInput(
            f"regions must be more than {least_m:.1f} m wide for these characters, not {min(np.diff(borders)):.1f} m"
        )
    ends = [-np.inf, *borders[1:-1], np.inf]
    return tuple(Strip(number, axis, ends[number], ends[number + 1], reach) for number in range(regions))


def _in_the_way(lanes: Lanes | None, axis: int) -> FloatArray:
    """Return where no border should be (M, 2): where people queue for doors, or wait for gates."""
    spans = []
    for place, around_m in (
        *((door.place, REACH_M) for door in (() if lanes is None else lanes.doors)),
        *((gate.middle, WAITING_M) for gate in (() if lanes is None else lanes.gates)),
    ):
        spans.append((place[axis] - around_m, place[axis] + around_m))
    return np.array(spans).reshape(-1, 2)


def _place_cuts(low: float, high: float, regions: int, least_m: float, spans: FloatArray) -> list[float]:
    """Return borders as near to even ones as can be: those in nobody's way first, and strips wide enough always."""
    cuts: list[float] = []
    for number in range(1, regions):
        even = low + (high - low) * number / regions
        first = (cuts[-1] if cuts else low) + least_m + MARGIN_M
        last = high - (regions - number) * (least_m + MARGIN_M)
        tried = np.append(np.arange(first, max(last, first), STEP_M), min(max(even, first), max(last, first)))
        within = ((tried[:, None] > spans[:, 0]) & (tried[:, None] < spans[:, 1])).sum(axis=1)
        cuts.append(float(tried[np.lexsort((np.abs(tried - even), within))[0]]))
    return cuts
