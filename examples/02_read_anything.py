"""Read a motion file of any format, look at it as arrays, and write it as another."""

from pathlib import Path

import numpy as np

from gambol import load_character, read_motion, write_motion
from gambol.animate import play

out = Path("out")
write_motion(out / "walk.bvh", play(load_character("human"), ["walk"]))

reading = read_motion(out / "walk.bvh")
for note in reading.notes:
    print("note:", note)
motion = reading.motion
feet = [motion.skeleton.index(name) for name in ("LeftFoot", "RightFoot")]
heights = motion.world_positions[:, feet, 2]
print(f"{motion.frame_count} frames at {motion.rate_hz:g} Hz; highest ankle {np.max(heights):.2f} m")
write_motion(out / "walk.glb", motion)
