"""Grow a search tree once, keep it in a file, and ask it for ways in worlds that it has never seen."""

from pathlib import Path

import numpy as np

from gambol import Footprint, Obstacle, World, load_character
from gambol.trees import LookUp, grow_diverse, read_tree, write_tree

jogger = load_character("human").subset("lk06-13")
path = Path("out/jogger.tree")
write_tree(path, grow_diverse(jogger, nodes=40_000, begins="jog-left"))
tree = read_tree(path)  # mapped, not read: as many processes as like may share it
print(f"{len(tree):,} nodes, {tree.depth.max()} deep, {tree.bytes_used / 1e6:.1f} MB")

rng = np.random.default_rng(7)
for number in range(3):
    boxes = [
        Obstacle(
            f"box {n}", Footprint.box(*rng.uniform(0.5, 2.0, 2)), (*rng.uniform(-14.0, 14.0, 2), rng.uniform(0.0, 3.0))
        )
        for n in range(40)
    ]
    world = World((-20, -20, 20, 20), tuple(box for box in boxes if np.hypot(*box.pose[:2]) > 3.0))
    asked = LookUp(tree, jogger, world)
    goals = rng.uniform(-12.0, 12.0, (200, 2))
    answers = asked.many(np.zeros((200, 3)), goals)
    print(f"world {number}: {answers.found.sum()} of 200 goals, {answers.counts.visited / 200:.0f} nodes looked at")
