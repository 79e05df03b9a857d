"""Climb: walk up to a ledge of 0.9 m, get onto it and walk on, over grasp points scattered along its surfaces."""

from gambol import ClimbStage, perform
from gambol.scenes import parse_scene
from gambol.stages import Climber

SCENE = """
name = "ledge"
kind = "climb"

[plane]
bounds = [0, -0.5, 6, 4]

[[polygons]]
box = [0, -0.5, 6, 0]

[[polygons]]
box = [3, 0, 6, 0.9]

[[scatter]]
surfaces = ["floors", "walls"]
spacing_m = 0.2

[[cast]]
name = "Ann"
start = [1, 0]
goal = [4.6, 1.88]
"""

performance = perform(parse_scene(SCENE), ClimbStage(Climber(seeds=3)))
(ann,) = performance.climbs
assert performance.report is not None
print(f"{ann.name}: {ann.outcome.value}, {ann.duration_s:.1f} s, seed {ann.seed}")
way = ann.itinerary
if way is not None:
    print(", ".join(f"{span.mode.label} from {way.seconds(span.first):.1f} s" for span in way.modes))
print(f"check: {performance.report.summary}")
for path in performance.save("out/ledge.bvh", "out/ledge.txt").files:
    print(path)
