"""Worlds full of boxes for the character of C20, drawn by chance: little room beside any way."""

from __future__ import annotations

import numpy as np

from gambol.scenes import Scene, parse_scene

WIDE_M, DEEP_M = 24.0, 10.0
BOXES = 30
SIZES_M = (0.6, 1.8)
CLEAR_M = 1.6  # around start and goal


def cluttered(seed: int, boxes: int = BOXES) -> Scene:
    """Return a world with boxes at places, of sizes and headings by chance, and one who crosses it."""
    chance = np.random.default_rng(seed)
    start, goal = (1.5, 0.5 * DEEP_M), (WIDE_M - 1.5, 0.5 * DEEP_M)
    parts = [f'name = "c20-cluttered-{seed}"', "[world]", f"bounds = [0, 0, {WIDE_M:g}, {DEEP_M:g}]"]
    number = 0
    while number < boxes:
        x, y = chance.uniform(1.0, WIDE_M - 1.0), chance.uniform(0.5, DEEP_M - 0.5)
        if min(np.hypot(x - end[0], y - end[1]) for end in (start, goal)) < CLEAR_M + SIZES_M[1]:
            continue
        across, along = chance.uniform(*SIZES_M, size=2)
        parts += [
            "[[obstacles]]", f'name = "box {number}"', f"at = [{x:.3f}, {y:.3f}]",
            f"size = [{across:.3f}, {along:.3f}]", f"heading_deg = {chance.uniform(-90.0, 90.0):.1f}",
        ]  # fmt: skip
        number += 1
    parts += [
        "[[cast]]", 'name = "Cam"', 'subset = "c20"', f"start = [{start[0]:g}, {start[1]:g}]", "heading_deg = 0",
        f"goal = [{goal[0]:g}, {goal[1]:g}]",
    ]  # fmt: skip
    return parse_scene("\n".join(parts) + "\n")
