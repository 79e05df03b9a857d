"""Small scenes of climbers."""

from __future__ import annotations

GROUND = """
name = "small"
kind = "climb"
seed = 3
[plane]
bounds = [0, -0.5, 6, 3]
[[polygons]]
box = [0, -0.5, 6, 0]
[[scatter]]
surfaces = "floors"
spacing_m = 0.2
"""
ANN = """
[[cast]]
name = "Ann"
start = [0.8, 0]
goal = [2.4, 0.98]
"""
ALONE = GROUND + ANN
#: Both go to the right, well apart.
TOGETHER = f"""{ALONE}
[[cast]]
name = "Bob / B."
figure = "child"
start = [3.6, 0]
goal = [4.8, 0.67]
"""
#: They go through each other.
CROSSING = f"""{ALONE}
[[cast]]
name = "Bob"
start = [2.4, 0]
goal = [0.8, 0.98]
"""
WAYS = f"""{ALONE}approach = [-4, 1]
onward = [6, -1]
"""
PIT = """
name = "pit"
kind = "climb"
[plane]
bounds = [0, -2, 6, 3]
[[polygons]]
box = [0, -2, 1.5, 0]
[[polygons]]
box = [4.5, -2, 6, 0]
[[scatter]]
surfaces = "floors"
spacing_m = 0.25
[[cast]]
name = "Ann"
start = [0.8, 0]
goal = [5, 0.98]
"""
#: The ceiling is too low for who would stand there.
LOW = f"""{ALONE}
[[polygons]]
box = [0, 0.7, 1.6, 3]
"""
