"""Learn from four similar walks how they vary, and make new ones; save what was learned and go on from it."""

import numpy as np

from gambol import load_character, vary, write_motion
from gambol.animate import play
from gambol.geometry import quaternion
from gambol.motion import edits
from gambol.variation import read_model, report_on, write_model

# Captures of the same person doing the same thing again are best; here an authored walk is bent by hand.
rng = np.random.default_rng(1)
walk = play(load_character("human"), ["walk"] * 3)
walks = {}
for number in range(4):
    take = edits.retime(walk, speed=rng.uniform(0.95, 1.05))
    turns = 2.0 * np.pi * np.arange(take.frame_count) / ((take.frame_count - 1) / 3)
    rotations = take.rotations.copy()
    for name in ("LeftArm", "RightArm", "LeftForeArm", "RightForeArm", "Spine", "Head"):
        joint = take.skeleton.index(name)
        sway = 0.08 * (rng.normal(size=3) + np.outer(np.sin(turns), rng.normal(size=3)))
        rotations[:, joint] = quaternion.multiply(rotations[:, joint], quaternion.exp(sway))
    stride = (take.frame_count - 1) // 3
    walks[f"walk {number}"] = edits.cut(take.with_rotations(rotations), stride, 2 * stride)

model = vary(walks, cyclic=True)
variants = [model.sample(seed) for seed in range(6)]
print(report_on(model, variants).describe())
for variant in variants[:2]:
    write_motion(f"out/walk_{variant.seed}.bvh", variant.motion)

write_model("out/walk.variation", model)
stream = read_model("out/walk.variation").sample_stream(6.0, seed=7, amount=1.2)  # new cycles, each from the last
write_motion("out/walk_on.glb", stream.motion)
print(f"{stream.motion.duration_s:g} s of walking, no two strides alike")
