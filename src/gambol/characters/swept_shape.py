"""Find the space that a body fills while a clip plays: eight upright cylinders for each instant.

One disc around the root is too crude: with it a jump does not clear the lowest hurdle, and a crawl leaves
parts of the body half a metre outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.characters.clip import PARTS, SweptShape
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.motion import joint_names
from gambol.motion.figure import groups_of_joints, prop_joints
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from gambol.body.capsules import Body

CENTRING_STEPS = 12  # steps, >= 1, that centre a cylinder; more makes cylinders slightly narrower


class Segments(NamedTuple):
    """Pieces of a body's capsules, cut where one part of the shape ends and the next begins."""

    capsule: Int32Array  # (N,) the capsule
    first: FloatArray  # (N,) share of the capsule, 0 to 1, at which the piece starts
    last: FloatArray  # (N,) share at which it ends
    part: Int32Array  # (N,) index into PARTS


def sweep(motion: Motion, path: FloatArray, body: Body, *, margin: int, frames_per_step: int) -> SweptShape:
    """Return the cylinders that contain a body's capsules at every frame of a clip, instant by instant.

    path: (K, 3) the poses of the instants; instant k is frame margin + k * frames_per_step.
    """
    starts, ends = body.place(motion)
    segments = part_segments(body)
    bones = (ends - starts)[:, segments.capsule]
    points = np.concatenate(
        [starts[:, segments.capsule] + share[:, None] * bones for share in (segments.first, segments.last)], axis=1
    )  # (F, 2N, 3): a cylinder is convex, so it contains a segment if it contains both end spheres
    radii = np.tile(body.radius[segments.capsule], 2)
    part_of = np.tile(segments.part, 2)
    half = (frames_per_step + 1) // 2
    frames = margin + np.arange(len(path))[:, None] * frames_per_step + np.arange(-half, half + 1)
    frames = np.clip(frames, margin, motion.frame_count - 1 - margin)  # margins belong to the neighbours' shapes
    local = np.array(points[frames])
    local[..., :2] = planar.rotate(-path[:, None, None, 2], local[..., :2] - path[:, None, None, :2])
    cylinders = [_cylinder(local[:, :, part_of == part], radii[part_of == part]) for part in range(len(PARTS))]
    offset, radius, low, high = (np.stack(column, axis=1) for column in zip(*cylinders, strict=True))
    return SweptShape(offset, radius, low, high)


def _cylinder(points: FloatArray, radii: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return K upright cylinders, each around spheres (W, N, 3): axis, radius, low, high.

    The axis comes from a few steps of Badoiu and Clarkson's walk towards the farthest sphere.
    """
    count = len(points)
    if points.shape[2] == 0:  # a figure without this part gets a cylinder of no size
        nothing = np.zeros(count)
        return np.zeros((count, 2)), nothing, nothing, nothing
    flat = points.reshape(count, -1, 3)
    sizes = np.broadcast_to(radii, points.shape[:3]).reshape(count, -1)
    axis = 0.5 * (flat[..., :2].min(axis=1) + flat[..., :2].max(axis=1))
    for step in range(1, CENTRING_STEPS + 1):
        reach = np.linalg.norm(flat[..., :2] - axis[:, None], axis=-1) + sizes
        farthest = np.argmax(reach, axis=1)
        axis += (flat[np.arange(count), farthest, :2] - axis) / (step + 4)
    reach = np.linalg.norm(flat[..., :2] - axis[:, None], axis=-1) + sizes
    return axis, reach.max(axis=1), (flat[..., 2] - sizes).min(axis=1), (flat[..., 2] + sizes).max(axis=1)


def part_segments(body: Body) -> Segments:
    """Cut a body's capsules into segments of the eight parts.

    A person's shins, thighs and upper arms are halved between two parts, so that no part is longer
    than it must be: the lower shin goes with the foot, the knee takes half of both bones that meet
    there, the upper thigh and the upper half of the upper arm go with the trunk; what a person
    stands on goes with the feet, the front half with the left one.  A figure file may state
    the parts, any other figure is grouped by nearness.
    """
    skeleton = body.skeleton
    legs, arms = joint_names.legs(skeleton), joint_names.arms(skeleton)
    neck = next((joint for name in ("Neck", "Head") if (joint := joint_names.find(skeleton, name)) >= 0), -1)
    count = body.part_count
    if len(legs) < 2 or len(arms) < 2 or neck < 0:
        stated = groups_of_joints(skeleton)
        groups = _clusters(body) if stated is None else stated[body.joint]
        return Segments(np.arange(count, dtype=np.int32), np.zeros(count), np.ones(count), groups)
    # Each joint's capsules belong to one part near the joint and to one at their far end.
    near = np.full(skeleton.joint_count, PARTS.index("trunk"))
    near[skeleton.is_below(neck)] = PARTS.index("head")
    far = np.array(near)
    for side, (leg, arm) in enumerate(zip(legs, arms, strict=True)):
        foot, knee, forearm = (PARTS.index(part) + side for part in ("left foot", "left knee", "left forearm"))
        for joint, at_joint, at_end in (
            (leg.root, PARTS.index("trunk"), knee), (leg.middle, knee, foot), (leg.end, foot, foot),
            (arm.root, PARTS.index("trunk"), forearm), (arm.middle, forearm, forearm),
        ):  # fmt: skip
            below = skeleton.is_below(joint)
            near[below], far[below] = at_joint, at_end
    near, far = near[body.joint], far[body.joint]
    props = prop_joints(skeleton)[body.joint]
    if props.any():
        ends = np.stack((body.rest_cones.start[props, 0], body.rest_cones.end[props, 0]))
        near[props], far[props] = np.where(ends > ends.mean(), PARTS.index("left foot"), PARTS.index("right foot"))
    return _halved(body, near, far)


def _halved(body: Body, near: Int32Array, far: Int32Array) -> Segments:
    """Cut a capsule in the middle if its ends belong to different parts."""
    flipped = np.linalg.norm(body.start, axis=1) > np.linalg.norm(body.end, axis=1)
    at_start, at_end = np.where(flipped, far, near), np.where(flipped, near, far)
    capsules = np.arange(body.part_count, dtype=np.int32)
    cut = at_start != at_end
    return Segments(
        np.concatenate((capsules, capsules[cut])),
        np.concatenate((np.zeros(len(capsules)), np.full(cut.sum(), 0.5))),
        np.concatenate((np.where(cut, 0.5, 1.0), np.ones(cut.sum()))),
        np.concatenate((at_start, at_end[cut])).astype(np.int32),
    )


def _clusters(body: Body) -> Int32Array:
    """Group the capsules of any figure into at most eight groups, around those farthest apart along the bones.

    Straight distances would put both hind hooves of a horse, side by side at rest, into one group that is
    as long as its stride.
    """
    middles = body.skeleton.rest_positions[body.joint] + 0.5 * (body.start + body.end)
    straight = np.linalg.norm(middles[:, None] - middles, axis=-1)
    ways = np.maximum(straight, _ways_between(body.skeleton)[np.ix_(body.joint, body.joint)])
    centres = [int(np.argmax(ways.mean(axis=1)))]
    while len(centres) < min(len(PARTS), len(middles)):
        centres.append(int(np.argmax(ways[:, centres].min(axis=1))))
    return np.argmin(ways[:, centres], axis=1).astype(np.int32)


def _ways_between(skeleton: Skeleton) -> FloatArray:
    """Return the distances (J, J) from joint to joint along the bones, metres."""
    ways = np.zeros((skeleton.joint_count, skeleton.joint_count))
    for joint in range(1, skeleton.joint_count):
        ways[joint, :joint] = ways[skeleton.parents[joint], :joint] + skeleton.bone_lengths[joint]
        ways[:joint, joint] = ways[joint, :joint]
    return ways
