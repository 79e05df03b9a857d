"""Clips and joins end to end: the core against a loop over steps and frames."""

from __future__ import annotations

import numpy as np
import pytest

from gambol.animate import Blends
from gambol.animate.blends import blend_structs
from gambol.characters import load_character
from gambol.core import lib, pointer
from gambol.geometry import planar, quaternion


def some_sequence(blends: Blends, rng: np.random.Generator) -> np.ndarray:
    """Return numbers of clips that may follow each other."""
    chosen = [int(rng.integers(len(blends.clips)))]
    for _ in range(int(rng.integers(0, 9))):
        following = blends.pairs[blends.pairs[:, 0] == chosen[-1], 1]
        if len(following):
            chosen.append(int(rng.choice(following)))
    return np.array(chosen, dtype=np.int64)


def laid_out(blends: Blends, numbers: np.ndarray, joins: np.ndarray) -> list[tuple[int, int]]:
    """Return for each frame its row and its pose: the join's frames around a join, else the clip's own."""
    table, found = blends.frames, []
    for s, clip in enumerate(numbers):
        steps = table.steps[clip]
        for f in range(1 if s else 0, steps + 1):  # where two clips meet, the frame is the first one's last
            row, anchor = table.first[clip] + table.margin[clip] + f, 2 * s
            if s and f < blends.joins.window[joins[s - 1]]:
                row = ~(blends.joins.first[joins[s - 1]] + blends.joins.window[joins[s - 1]] + f)
            elif s < len(joins) and f > steps - max(blends.joins.window[joins[s]], 1):
                row = ~(blends.joins.first[joins[s]] + blends.joins.window[joins[s]] + f - steps)
                anchor = 2 * s + 1
            found.append((int(row), anchor))
    return found


@pytest.mark.parametrize("name", ["human", "horse", "skateboarder"])
def test_a_sequence_is_laid_out_and_carried_to_its_poses(name: str) -> None:
    rng, blends = np.random.default_rng(5), Blends.of(load_character(name))
    clips, table = blend_structs(blends)
    for _ in range(12):
        numbers = some_sequence(blends, rng)
        joins = blends.find(numbers)
        frames = int(blends.frames.steps[numbers].sum()) + 1
        rows, anchors = np.empty(frames, dtype=np.int64), np.empty(frames, dtype=np.int64)
        lib.gb_playback_lay_out(
            clips.c, table.c, pointer(numbers, "int64_t"), len(numbers), pointer(joins, "int64_t"),
            pointer(rows, "int64_t"), pointer(anchors, "int64_t"),
        )  # fmt: skip
        assert list(zip(rows, anchors, strict=True)) == laid_out(blends, numbers, joins)

        poses = rng.normal(scale=3.0, size=(2 * len(numbers), 3))
        roots, rotations = np.empty((frames, 3)), np.empty((frames, *blends.frames.rotations.shape[1:]))
        lib.gb_playback_play(
            clips.c, table.c, pointer(rows, "int64_t"), pointer(anchors, "int64_t"), frames,
            pointer(poses, "double"), pointer(roots, "double"), pointer(rotations, "double"),
        )  # fmt: skip
        for frame, (row, pose) in enumerate(zip(rows, poses[anchors], strict=True)):
            source, at = (blends.frames, row) if row >= 0 else (blends.joins, ~row)
            root, turns = source.root_positions[at].astype(float), source.rotations[at].astype(float)
            assert np.allclose(roots[frame], [*planar.apply(pose, root[:2]), root[2]], atol=1e-12)
            turned = quaternion.multiply(quaternion.from_heading(pose[2]), turns[0])
            assert np.allclose(rotations[frame, 0], turned, atol=1e-12)
            assert np.array_equal(rotations[frame, 1:], turns[1:])
