"""Climbing scenes with many times their grasp points."""

from __future__ import annotations

import re
from functools import cache, partial
from unittest.mock import patch

from gambol.climb import ClimbProblem, climb_problems
from gambol.scenes import climbing, parse_scene, shipped_path
from gambol.world.scatter import without_repeats


@cache
def denser(scene: str, times: int) -> ClimbProblem:
    """Return the problem of a scene with so many times the grasp points: the spacing of all rows is divided.

    Scenes keep points 2 cm apart; here they may be as near as a tenth of that.
    """
    text = shipped_path(scene).read_text(encoding="utf-8")
    text = re.sub(r"spacing_m = ([\d.]+)", lambda match: f"spacing_m = {float(match[1]) / times:.6g}", text)
    with patch.object(climbing, "without_repeats", partial(without_repeats, apart_m=0.002)):
        return next(iter(climb_problems(parse_scene(text)).values()))
