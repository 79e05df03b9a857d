"""Make a walk, mirror and retime it, join the pieces, and write files for other programs."""

from pathlib import Path

from gambol import load_character, write_motion
from gambol.animate import play
from gambol.motion import edits, measure_quality, mirror, remove_foot_skate

steady = play(load_character("human"), ["walk", "walk"])
half = steady.frame_count // 2
brisk = edits.retime(edits.cut(mirror(steady), 0, half), speed=1.2)
motion = remove_foot_skate(edits.join([steady, brisk]))

out = Path("out")
for name in ("walk.bvh", "walk.glb"):
    write_motion(out / name, motion)
print(measure_quality(motion).describe())
