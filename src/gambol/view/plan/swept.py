"""The cylinders that planning takes for the body, along a way."""

from __future__ import annotations

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.characters.action_table import action_table
from gambol.characters.step import clip_of
from gambol.pictures.kinds import KIND_COLORS
from gambol.search.plan import Plan
from gambol.search.problem import Problem
from gambol.view.plan.paint import UNTURNED

EVERY_FRAMES = 6  # between the instants of clips whose shapes are drawn
MOST_SHAPES = 4_000
RIM = 12  # corners of a cylinder's circle


def swept_shapes(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw the cylinders that stand for the body every few frames, in the colors of what is done."""
    if not plan.steps:
        return
    actions, terrain = action_table(problem.character), problem.world.terrain
    poses, samples, colors, grounds = [], [], [], []
    for step in plan.steps:
        clip = clip_of(problem.character, step)
        chosen = np.arange(0, clip.duration + 1, EVERY_FRAMES)
        placed = clip.place(np.array(step.pose))[chosen]
        number = int(actions.behavior_clips[step.behavior]) + step.clip
        poses.append(placed)
        samples.append(int(actions.clip_samples[number]) + chosen)
        color = KIND_COLORS[problem.character.behaviors[step.behavior].kind]
        colors.append(np.tile(np.rint(255.0 * np.array(color)).astype(np.uint8), (len(chosen), 1)))
        grounds.append(np.zeros(len(chosen)) if terrain is None else terrain.height(placed[:, :2]))
    pose, sample = np.concatenate(poses), np.concatenate(samples)
    radius, low, high = (values[sample] for values in (actions.part_radius, actions.part_low, actions.part_high))
    offset = actions.part_offset[sample]
    cosine, sine = np.cos(pose[:, 2:]), np.sin(pose[:, 2:])
    x = pose[:, :1] + cosine * offset[..., 0] - sine * offset[..., 1]
    y = pose[:, 1:2] + sine * offset[..., 0] + cosine * offset[..., 1]
    z = 0.5 * (low + high) + np.concatenate(grounds)[:, None]
    solid = (high > low) & (radius > 0.0)
    middle = np.stack((x[solid], y[solid], z[solid]), axis=1)
    scale = np.stack((radius[solid], radius[solid], (high - low)[solid]), axis=1)
    color = np.broadcast_to(np.concatenate(colors)[:, None], (*solid.shape, 3))[solid]
    every = max(1, -(-len(middle) // MOST_SHAPES))
    vertices, triangles = _cylinder()
    scene.add_batched_meshes_simple(
        name, vertices, triangles, np.tile(UNTURNED, (len(middle[::every]), 1)), middle[::every],
        batched_scales=scale[::every], batched_colors=color[::every], opacity=0.16, cast_shadow=False,
        receive_shadow=False, side="double", lod="off",
    )  # fmt: skip


def _cylinder() -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Return an upright cylinder of radius and height one around the origin."""
    turn = np.arange(RIM) * (2.0 * np.pi / RIM)
    ring = np.column_stack((np.cos(turn), np.sin(turn)))
    vertices = np.concatenate([np.column_stack((ring, np.full(RIM, level))) for level in (-0.5, 0.5)])
    here, following = np.arange(RIM), (np.arange(RIM) + 1) % RIM
    side = np.concatenate((
        np.column_stack((here, following, here + RIM)), np.column_stack((following, following + RIM, here + RIM))
    ))  # fmt: skip
    top = np.column_stack((np.full(RIM - 2, RIM), RIM + here[1:-1], RIM + here[2:]))
    return vertices.astype(np.float32), np.concatenate((side, top)).astype(np.uint32)
