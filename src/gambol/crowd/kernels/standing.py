"""How long a root stays about one place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel


class Stand(NamedTuple):
    """A stretch of frames."""

    first: int
    frames: int


@allocation_free_kernel
def longest_stand(points: np.ndarray, across_m: float) -> Stand:
    """Return the longest stretch in which points (F, 2) fit into a box with sides along x and y and this diagonal.

    The earliest of equally long ones; no frames where there are no points.
    """
    best, best_first, begin = 0, 0, 0
    least_x = greatest_x = least_y = greatest_y = 0.0
    for now in range(len(points)):
        x, y = points[now, 0], points[now, 1]
        if now == begin:
            least_x = greatest_x = x
            least_y = greatest_y = y
        else:
            least_x, greatest_x = min(least_x, x), max(greatest_x, x)
            least_y, greatest_y = min(least_y, y), max(greatest_y, y)
        if (greatest_x - least_x) ** 2 + (greatest_y - least_y) ** 2 > across_m * across_m:
            # As far back from here as fits: who moves does not look back far.
            least_x = greatest_x = x
            least_y = greatest_y = y
            begin = now
            while begin > 0:
                x, y = points[begin - 1, 0], points[begin - 1, 1]
                wide = max(greatest_x, x) - min(least_x, x)
                high = max(greatest_y, y) - min(least_y, y)
                if wide * wide + high * high > across_m * across_m:
                    break
                least_x, greatest_x = min(least_x, x), max(greatest_x, x)
                least_y, greatest_y = min(least_y, y), max(greatest_y, y)
                begin -= 1
        if now - begin + 1 > best:
            best, best_first = now - begin + 1, begin
    return Stand(best_first, best)
