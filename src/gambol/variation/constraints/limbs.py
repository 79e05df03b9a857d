"""The angles of a limb [L09 5.5]: 6 of a leg (hip 3, knee 1, ankle 2), 7 of an arm (shoulder 3, elbow 1, wrist 3).

An angle is the part of a joint's rotation vector, from its mean rotation, along an axis that does not change.  Hip,
shoulder and wrist have three; knee and elbow have the one along which the motions turn them most, the ankle has two.
The rest of their rotation vectors is held.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambol.errors import UnknownName
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.motion.contacts import ContactPoint, contact_points, point_positions
from gambol.motion.joint_names import Limb, arms, legs
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.motion.two_bone_ik import hinge_axis
from gambol.variation.constraints.kernels.limb import LimbFrames
from gambol.variation.encoding import mean_rotation, rotation_vectors

LEG_ANGLES = (3, 1, 2)  # number of angles of hip, knee and ankle
ARM_ANGLES = (3, 1, 3)  # number of angles of shoulder, elbow and wrist
STOP_TRIED_RAD = np.radians(
    np.arange(-179.0, 180.0)
)  # hinge angles tried, to find the one that stretches the limb most
LEAST_BEND_RAD = np.radians(4.0)  # radians: knees and elbows bend by at least this
FOLDED_RAD = np.radians(160.0)  # radians: knees and elbows bend by at most this
LEAST_SPREAD_RAD = 0.02  # radians: a joint whose turns spread less about an axis does not show that axis
VARYING = ("base", "origin", "held", "offsets", "links", "points")  # fields of LimbFrames with a row for each frame


class LimbAngles(NamedTuple):
    """The numbers that are a limb's angles, for motions of one skeleton."""

    limb: Limb
    means: FloatArray  # (3, 4) mean local rotations of its joints
    joints: Int64Array  # (N,) 0, 1 or 2: the joint of each angle
    axes: FloatArray  # (N, 3) unit, in the frame of the mean rotation; the axes of a joint are perpendicular

    def of(self, motion: Motion) -> FloatArray:
        """Return the angles (F, N) of a motion."""
        return np.einsum("fnc,nc->fn", self.vectors(motion)[:, self.joints], self.axes)

    def turned(self, motion: Motion, angles: FloatArray) -> Motion:
        """Return the motion with the limb's angles (F, N) in place of its own."""
        vectors = self.vectors(motion)
        change = angles - self.of(motion)
        for angle, joint in enumerate(self.joints):
            vectors[:, joint] += change[:, angle, None] * self.axes[angle]
        changed = np.any(change != 0.0, axis=1)
        rotations = np.array(motion.rotations)
        own = quaternion.multiply(self.means, quaternion.exp(vectors))
        rotations[np.ix_(changed, self._indices)] = own[changed]
        return motion.with_rotations(rotations)

    def frames(self, motion: Motion, points: Sequence[ContactPoint]) -> LimbFrames:
        """Return the limb's frames as the kernels take them; points are fixed to the limb's end or to a joint below."""
        positions, rotations = motion.world_positions, motion.world_rotations
        root, middle, end = self._indices
        parents = motion.skeleton.parents
        vectors = self.vectors(motion)
        for angle, joint in enumerate(self.joints):
            along = vectors[:, joint] @ self.axes[angle]
            vectors[:, joint] -= along[:, None] * self.axes[angle]
        offsets, links = [], []
        for above, below in ((root, middle), (middle, end)):
            back = quaternion.conjugate(rotations[:, above])
            offsets.append(quaternion.rotate(back, positions[:, below] - positions[:, above]))
            links.append(quaternion.multiply(back, rotations[:, parents[below]]))
        return LimbFrames(
            np.ascontiguousarray(rotations[:, parents[root]]),
            np.ascontiguousarray(positions[:, root]),
            self.means,
            vectors,
            self.joints,
            self.axes,
            np.stack(offsets, axis=1),
            np.stack(links, axis=1),
            quaternion.rotate(
                quaternion.conjugate(rotations[:, end, None]),
                point_positions(motion, tuple(points)) - positions[:, end, None],
            ),
        )

    def stops(self, motion: Motion) -> FloatArray:
        """Return the smallest and largest angles allowed, (2, N): knees and elbows bend to one side only.

        The motion shows that side.
        """
        stops = np.array([[-np.inf], [np.inf]]) * np.ones(len(self.joints))
        angles = np.tile(self.of(motion).mean(axis=0), (len(STOP_TRIED_RAD), 1))
        hinge = int(np.flatnonzero(self.joints == 1)[0])
        shown = angles[0, hinge]
        angles[:, hinge] = STOP_TRIED_RAD
        first = self.frames(motion, (ContactPoint("end", self.limb.end),))
        still = first._replace(**{name: np.repeat(getattr(first, name)[:1], len(angles), axis=0) for name in VARYING})
        spans = np.linalg.norm(still.places(angles)[0][:, 0] - still.origin, axis=1)
        straight = STOP_TRIED_RAD[spans.argmax()]
        ends = straight + np.array([LEAST_BEND_RAD, FOLDED_RAD]) * (1.0 if shown > straight else -1.0)
        stops[:, hinge] = ends.min(), ends.max()
        return stops

    @property
    def _indices(self) -> list[int]:
        return [self.limb.root, self.limb.middle, self.limb.end]

    def vectors(self, motion: Motion) -> FloatArray:
        """Return the joints' rotation vectors from their means (F, 3, 3)."""
        return rotation_vectors(motion.rotations[:, self._indices], self.means)


def limb_angles(motions: Sequence[Motion], limb: Limb) -> LimbAngles:
    """Choose a limb's angles by what motions of one skeleton show."""
    counts = LEG_ANGLES if limb in legs(motions[0].skeleton) else ARM_ANGLES
    means, joints, axes = [], [], []
    for joint, (index, count) in enumerate(zip((limb.root, limb.middle, limb.end), counts, strict=True)):
        rotations = np.concatenate([motion.rotations[:, index] for motion in motions])
        mean = mean_rotation(rotations)
        means.append(mean)
        joints += [joint] * count
        if count == 3:
            axes.append(np.eye(3))
        else:
            axes.append(_shown_axes(rotation_vectors(rotations, mean), mean, motions[0], limb, count))
    return LimbAngles(limb, np.stack(means), np.array(joints), np.concatenate(axes))


def end_point(skeleton: Skeleton, name: str) -> tuple[Limb, ContactPoint]:
    """Return the limb and the point of a name: "left_heel", "left_toe", "left_hand" (the knuckles), "right_heel"..."""
    limbs = {
        (limb.side, "hand" if limb in arms(skeleton) else "foot"): limb for limb in (*legs(skeleton), *arms(skeleton))
    }
    points = {point.name: point for point in contact_points(skeleton)}
    if name not in points:
        raise UnknownName("end of a limb", name, tuple(points))
    side, part = name.split("_")
    limb = limbs[side, "hand" if part == "hand" else "foot"]
    point = points[name]
    if point.is_hand and limb.toe >= 0:
        offset = skeleton.rest_positions[limb.toe] - skeleton.rest_positions[limb.end]
        point = ContactPoint(name, limb.end, (float(offset[0]), float(offset[1]), float(offset[2])))
    return limb, point


def _shown_axes(vectors: FloatArray, mean: FloatArray, motion: Motion, limb: Limb, count: int) -> FloatArray:
    """Return the unit axes (count, 3) along which rotation vectors spread most; anatomical ones if they hardly do."""
    spreads, directions = np.linalg.eigh(np.cov(vectors.T, bias=True))
    if spreads[-1] >= LEAST_SPREAD_RAD**2:
        return np.ascontiguousarray(directions[:, ::-1].T[:count])
    hinge = hinge_axis(motion, limb)
    rest = motion.skeleton.rest_positions
    lower = rest[limb.end] - rest[limb.middle]
    other = np.cross(lower, hinge)
    axes = np.stack((hinge, other / max(float(np.linalg.norm(other)), 1e-9)))[:count]
    return quaternion.rotate(quaternion.conjugate(mean), axes)
