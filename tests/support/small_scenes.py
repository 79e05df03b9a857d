"""Scenes that are planned in no time."""

from __future__ import annotations

ALONE = """
name = "alone"
[world]
bounds = [0, 0, 14, 8]
[[obstacles]]
name = "pillar"
at = [6, 4]
radius_m = 0.5
[[cast]]
name = "Ann"
subset = "lk05"
start = [2, 4]
goal = [11, 4]
"""

#: Two change sides, one sets out later, and one is shut in.
TOGETHER = """
name = "together"
seed = 7
[world]
bounds = [0, 0, 16, 12]
[[obstacles]]
name = "cell, south"
at = [8, 8.5]
size = [4, 0.3]
[[obstacles]]
name = "cell, north"
at = [8, 11.5]
size = [4, 0.3]
[[obstacles]]
name = "cell, west"
at = [6, 10]
size = [0.3, 3.3]
[[obstacles]]
name = "cell, east"
at = [10, 10]
size = [0.3, 3.3]
[[cast]]
name = "Ann"
subset = "lk05"
start = [2, 4]
goal = [13, 4]
[[cast]]
name = "Bob O'Neil"
subset = "lk05"
start = [14, 4.3]
heading_deg = 180
goal = [3, 4.3]
starts_at_s = 1
[[cast]]
name = "Cas"
subset = "lk05"
start = [8, 10]
goal = [8, 2]
"""


def without_cas(text: str) -> str:
    """Return the scene of several without the one who is shut in."""
    return text[: text.index('[[cast]]\nname = "Cas"')]
