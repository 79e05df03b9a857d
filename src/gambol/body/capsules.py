"""A body: capsules around a skeleton's bones, made from the skeleton alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.body.human import human_parts
from gambol.body.parts import POINT_RADIUS_M, Part, bone_parts, bones, find_landmarks
from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray, Int32Array, frozen, frozen_array
from gambol.motion.figure import figure_of, prop_joints
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton


class Cones(NamedTuple):
    """Rounded cones: two spheres and the hull around them."""

    start: FloatArray  # (C, 3)
    end: FloatArray  # (C, 3)
    start_radius: FloatArray  # (C,)
    end_radius: FloatArray  # (C,)

    def select(self, which: NDArray | list[int]) -> Cones:
        """Return some of the cones, by a mask (C,) or by indices."""
        return Cones(*(values[which] for values in self))


def cone_distance(points: FloatArray, cones: Cones, cone: int) -> tuple[FloatArray, FloatArray]:
    """Return the signed distances of points (P, 3) from one cone, negative inside, and unit vectors out of it.

    A rounded cone is all the balls along its axis; what counts is the one that reaches farthest
    towards the point, whose centre is where the flank's normal through the point meets the axis.
    """
    axis = cones.end[cone] - cones.start[cone]
    length = float(np.linalg.norm(axis))
    start_radius, taper = float(cones.start_radius[cone]), float(cones.end_radius[cone] - cones.start_radius[cone])
    outward = points - cones.start[cone]
    if length > abs(taper):
        along = outward @ (axis / length)
        aside = np.sqrt(np.maximum(np.einsum("ij,ij->i", outward, outward) - along * along, 0.0))
        slant = taper / np.sqrt(length * length - taper * taper)
        share = np.clip((along + slant * aside) / length, 0.0, 1.0)
    else:
        # One end holds the other.
        share = np.full(len(points), 1.0 if taper > 0.0 else 0.0)
    outward -= share[:, None] * axis
    away = np.sqrt(np.einsum("ij,ij->i", outward, outward))
    outward /= np.maximum(away, 1e-300)[:, None]
    return away - (start_radius + share * taper), outward


@dataclass(frozen=True, eq=False)
class Body:
    """Rounded cones that move rigidly with a skeleton's joints.

    The skin is drawn around the cones.  What collides is the capsule around each cone, of one
    `radius`, the larger of its two: what is clear of the capsules is clear of the skin, save
    where the skin fills a crease between parts.
    """

    skeleton: Skeleton
    joint: Int32Array  # (C,) the joint each part moves with, C >= 1
    start: FloatArray  # (C, 3) metres, in the joint's frame
    end: FloatArray  # (C, 3) metres, in the joint's frame
    start_radius: FloatArray  # (C,) metres, > 0
    end_radius: FloatArray  # (C,) metres, > 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "joint", frozen_array(self.joint, np.int32))
        for name in ("start", "end", "start_radius", "end_radius"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        count = len(self.joint)
        if count == 0:
            raise InvalidInput("a body needs at least one part")
        shapes = (self.start.shape, self.end.shape, self.start_radius.shape, self.end_radius.shape)
        if shapes != ((count, 3), (count, 3), (count,), (count,)):
            raise InvalidInput(f"{count} parts need ends ({count}, 3) and radii ({count},), not {shapes}")
        if np.any((self.joint < 0) | (self.joint >= self.skeleton.joint_count)):
            raise InvalidInput("a part belongs to a joint that does not exist")
        if not (np.all(self.start_radius > 0.0) and np.all(self.end_radius > 0.0)):
            raise InvalidInput("radii must be positive")

    @classmethod
    def from_skeleton(cls, skeleton: Skeleton) -> Body:
        """Wrap a skeleton's bones: as a figure file says, a person's by anatomy, others by what hangs on them."""
        root = skeleton.rest_positions[0]
        parts = _parts(skeleton) or [Part(0, root, root, POINT_RADIUS_M, POINT_RADIUS_M)]
        joint, start, end, start_radius, end_radius = (np.array(column) for column in zip(*parts, strict=True))
        origin = skeleton.rest_positions[joint]
        return cls(skeleton, joint, start - origin, end - origin, start_radius, end_radius)

    @cached_property
    def radius(self) -> FloatArray:
        """Radii of the capsules (C,) in metres."""
        return frozen(np.maximum(self.start_radius, self.end_radius))

    @property
    def part_count(self) -> int:
        return len(self.joint)

    @cached_property
    def rest_cones(self) -> Cones:
        """The parts in the world at rest."""
        origin = self.skeleton.rest_positions[self.joint]
        return Cones(frozen(origin + self.start), frozen(origin + self.end), self.start_radius, self.end_radius)

    def place(self, motion: Motion) -> tuple[FloatArray, FloatArray]:
        """Return the starts and ends of all parts in the world, (F, C, 3) each."""
        check_same_joints(self.skeleton, motion.skeleton)
        positions = motion.world_positions[:, self.joint]
        rotations = motion.world_rotations[:, self.joint]
        starts = positions + quaternion.rotate(rotations, self.start)
        return starts, positions + quaternion.rotate(rotations, self.end)


def _parts(skeleton: Skeleton) -> list[Part]:
    """Return the parts of a body, then those of the props it carries."""
    props = prop_joints(skeleton)
    stated = _stated_parts(skeleton)
    carried = [part for part in stated if props[part.joint]]
    if len(carried) < len(stated):
        return [part for part in stated if not props[part.joint]] + carried
    person = find_landmarks(skeleton)
    if person is not None:
        return human_parts(person) + carried
    own = [bone for bone in bones(skeleton) if not props[bone.joint if bone.child < 0 else bone.child]]
    return bone_parts(skeleton, own) + carried


def _stated_parts(skeleton: Skeleton) -> list[Part]:
    """Return the parts that a figure file gives, as large as the skeleton."""
    figure = figure_of(skeleton)
    if figure is None:
        return []
    points, scale = skeleton.rest_positions, figure.scale(skeleton)
    parts = []
    for name, start, end, start_radius, end_radius in figure.pieces:
        joint = skeleton.index(name)
        origin = points[joint]
        ends = origin + scale * start, origin + scale * end
        parts.append(Part(joint, *ends, scale * start_radius, scale * end_radius))
    return parts


def check_same_joints(own: Skeleton, other: Skeleton) -> None:
    """Refuse a motion of another skeleton: its joints must have the same names and order."""
    if own is not other and own.names != other.names:
        raise InvalidInput(
            f"the motion moves {other.joint_count} joints, {other.names[0]!r} first; expected the body's own "
            f"{own.joint_count} joints, {own.names[0]!r} first, in the same order"
        )
