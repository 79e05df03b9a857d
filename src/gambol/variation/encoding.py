"""Encode a motion as a table of numbers, and back: the degrees of freedom that a model of variation learns.

A joint is the rotation vector from its mean rotation: three numbers that are zero on average and continuous.  The root
is encoded relative to where it faces, so that walks in any direction are alike and an endless one stays inside the
data: its speeds forward, to the left and of turning, its height, and how it leans.  The root of a body that goes
nowhere or lies can be encoded absolutely: its position, and its rotation from its mean rotation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

RootKind = Literal["travelling", "absolute"]
ROOT_NAMES: dict[RootKind, tuple[str, ...]] = {
    "travelling": ("root forward", "root left", "root turn", "root height", "root roll", "root pitch"),
    "absolute": ("root x", "root y", "root z", "root turn x", "root turn y", "root turn z"),
}
ROOT_COUNT = 6  # numbers of a root
AXES = "xyz"
STILL_RAD = 0.002  # radians: a degree of freedom that spreads less about its mean is still, and is not learned
LEAST_SPREAD = np.array(
    [0.05, 0.05, 0.05, 0.005, 0.005, 0.005]
)  # m/s, rad/s, m, rad: least spreads of a root's numbers
LEAST_SPREAD_ABSOLUTE = np.full(ROOT_COUNT, 0.005)  # m, rad: least spreads of an absolute root's numbers
LEAST_SPREAD_RAD = 0.005  # radians: least spread of a joint's number
FARTHEST_RAD = 1.5 * np.pi  # radians from the mean: farther away it is not clear which way round a rotation vector goes
CAREFREE_RAD = 2.5  # radians from the mean: a joint that turns no farther stays clear of half a turn
#: Joints whose captured motion is noise: fingers, thumbs and the ends of toes.
NOISY = re.compile(r"finger|thumb|index|handend|_end$", re.IGNORECASE)


class Dropped(NamedTuple):
    """A degree of freedom that is not learned, and stays at its mean."""

    name: str
    reason: str  # "finger": noise; "still"


@dataclass(frozen=True, eq=False)
class Encoding:
    """The numbers that stand for a motion of one skeleton at one rate."""

    skeleton: Skeleton
    rate_hz: float
    root: RootKind
    means: FloatArray  # (J, 4) mean local rotations; the root's counts only where the root is absolute
    columns: NDArray[np.int64]  # (D - 6,) which of the 3 J numbers of joints are learned
    spread: FloatArray  # (D,) standard deviation of each number over the examples, at least the least spread
    dropped: tuple[Dropped, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "means", frozen_array(self.means))
        object.__setattr__(self, "columns", frozen_array(self.columns, np.int64))
        object.__setattr__(self, "spread", frozen_array(self.spread))
        if self.spread.shape != (ROOT_COUNT + len(self.columns),):
            raise InvalidInput(f"one spread for each of {ROOT_COUNT + len(self.columns)} numbers expected")

    @property
    def count(self) -> int:
        """D: the degrees of freedom."""
        return len(self.spread)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of each number: "root height", "LeftArm x"."""
        joints = (f"{self.skeleton.names[column // 3]} {AXES[column % 3]}" for column in self.columns)
        return (*ROOT_NAMES[self.root], *joints)

    @property
    def joints(self) -> NDArray[np.int64]:
        """Return the joint of each number (D,); the root's six belong to joint 0."""
        return np.concatenate((np.zeros(ROOT_COUNT, np.int64), self.columns // 3))

    def of_joints(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """Return which numbers (D,) belong to the named joints; the root's name stands for the root's six."""
        for name in names:
            if name not in self.skeleton.names:
                raise UnknownName("joint", name, self.skeleton.names)
        return np.isin(self.joints, [self.skeleton.names.index(name) for name in names])

    def encode(self, motion: Motion) -> FloatArray:
        """Return the numbers (F, D) of a motion on this skeleton at this rate."""
        if motion.skeleton.names != self.skeleton.names:
            raise InvalidInput("the motion has other joints than the encoding's skeleton")
        if abs(motion.rate_hz - self.rate_hz) > 1e-6:
            raise InvalidInput(f"a motion at {self.rate_hz:g} Hz expected, not {motion.rate_hz:g}")
        if self.root == "travelling":
            root = _travelling_root(motion)
        else:
            root = np.hstack((motion.root_positions, rotation_vectors(motion.rotations[:, 0], self.means[0])))
        vectors = rotation_vectors(motion.rotations, self.means).reshape(motion.frame_count, -1)
        return np.hstack((root, vectors[:, self.columns]))

    def decode(self, values: FloatArray, *, start: FloatArray | None = None) -> Motion:
        """Return the motion that numbers (F, D) stand for.

        start: x, y and heading of the root's first frame, for a root that travels; by default the origin, facing +X.
        """
        if values.ndim != 2 or values.shape[1] != self.count:
            raise InvalidInput(f"values of shape (F, {self.count}) expected, not {values.shape}")
        frames, joints = len(values), self.skeleton.joint_count
        vectors = np.zeros((frames, 3 * joints))
        vectors[:, self.columns] = values[:, ROOT_COUNT:]
        rotations = quaternion.multiply(self.means, quaternion.exp(vectors.reshape(frames, joints, 3)))
        if self.root == "travelling":
            poses = path_of(values, self.rate_hz, start)
            positions = np.column_stack((poses[:, :2], values[:, 3]))
            lean = quaternion.exp(np.column_stack((values[:, 4:6], np.zeros(frames))))
            rotations[:, 0] = quaternion.multiply(quaternion.from_heading(poses[:, 2]), lean)
        else:
            positions = values[:, :3]
            rotations[:, 0] = quaternion.multiply(self.means[0], quaternion.exp(values[:, 3:6]))
        return Motion(self.skeleton, self.rate_hz, positions, rotations)


def encoding_of(motions: Sequence[Motion], *, root: RootKind) -> Encoding:
    """Choose the numbers for motions of one skeleton at one rate: all those that move and are not noise."""
    if not motions:
        raise InvalidInput("an encoding needs at least one motion")
    first = motions[0]
    means = np.stack(
        [
            mean_rotation(np.concatenate([motion.rotations[:, joint] for motion in motions]))
            for joint in range(first.skeleton.joint_count)
        ]
    )
    vectors = np.concatenate([rotation_vectors(motion.rotations, means) for motion in motions])
    farthest = np.linalg.norm(vectors, axis=-1).max(axis=0)
    farthest[0] = 0.0 if root == "travelling" else farthest[0]
    if farthest.max() > FARTHEST_RAD:
        name = first.skeleton.names[int(farthest.argmax())]
        raise InvalidInput(f"{name} turns by {np.degrees(farthest.max()):.0f} degrees from its mean; 270 are the most")
    spreads = vectors.std(axis=0)  # (J, 3)
    columns, dropped = [], []
    for joint, name in enumerate(first.skeleton.names):
        if joint == 0:
            continue
        for axis in range(3):
            if NOISY.search(name):
                dropped.append(Dropped(f"{name} {AXES[axis]}", "finger"))
            elif spreads[joint, axis] < STILL_RAD:
                dropped.append(Dropped(f"{name} {AXES[axis]}", "still"))
            else:
                columns.append(3 * joint + axis)
    spread = np.concatenate((np.ones(ROOT_COUNT), np.maximum(spreads.reshape(-1)[columns], LEAST_SPREAD_RAD)))
    encoding = Encoding(first.skeleton, first.rate_hz, root, means, np.array(columns), spread, tuple(dropped))
    roots = np.concatenate([encoding.encode(motion)[:, :ROOT_COUNT] for motion in motions])
    least = LEAST_SPREAD if root == "travelling" else LEAST_SPREAD_ABSOLUTE
    spread[:ROOT_COUNT] = np.maximum(roots.std(axis=0), least)
    return Encoding(first.skeleton, first.rate_hz, root, means, np.array(columns), spread, tuple(dropped))


def mean_rotation(rotations: FloatArray) -> FloatArray:
    """Return the rotation (4,) nearest to all of (N, 4): the largest eigenvector of their outer products."""
    _, vectors = np.linalg.eigh(rotations.T @ rotations)
    mean = vectors[:, -1]
    return mean if mean[0] >= 0.0 else -mean


def rotation_vectors(rotations: FloatArray, means: FloatArray) -> FloatArray:
    """Return how rotations (F, ..., 4) are turned from their means, in the means' own axes: (F, ..., 3).

    They are continuous in time: from the frame nearest to the mean, a rotation may go on past half a turn.
    """
    vectors = quaternion.log(quaternion.multiply(quaternion.conjugate(means), rotations))
    tracks = vectors.reshape(len(vectors), -1, 3)
    for track in np.flatnonzero(np.linalg.norm(tracks, axis=-1).max(axis=0, initial=0.0) > CAREFREE_RAD):
        _unwind(tracks[:, track])
    return vectors


def _unwind(vectors: FloatArray) -> None:
    """Make one joint's rotation vectors (F, 3) continuous, from the shortest one to either side."""
    shortest = int(np.linalg.norm(vectors, axis=1).argmin())
    ways = (range(shortest + 1, len(vectors)), 1), (range(shortest - 1, -1, -1), -1)
    for frames, step in ways:
        for frame in frames:
            now, before = vectors[frame], vectors[frame - step]
            other = now * (1.0 - 2.0 * np.pi / max(float(np.linalg.norm(now)), 1e-9))  # same rotation, other way round
            if np.linalg.norm(other - before) < np.linalg.norm(now - before):
                vectors[frame] = other


def path_of(values: FloatArray, rate_hz: float, start: FloatArray | None = None) -> FloatArray:
    """Return x, y and heading (F, 3) of a root that travels; the speeds of its first frame do not count."""
    poses = np.zeros((len(values), 3))
    poses[0] = 0.0 if start is None else start
    poses[1:, 2] = poses[0, 2] + np.cumsum(values[1:, 2]) / rate_hz
    steps = planar.rotate(poses[:-1, 2], values[1:, :2] / rate_hz)
    poses[1:, :2] = poses[0, :2] + np.cumsum(steps, axis=0)
    return poses


def _travelling_root(motion: Motion) -> FloatArray:
    """Return speeds forward, to the left and of turning since the frame before, height, and how the root leans."""
    headings = np.unwrap(quaternion.heading(motion.rotations[:, 0]))
    lean = quaternion.log(
        quaternion.multiply(quaternion.conjugate(quaternion.from_heading(headings)), motion.rotations[:, 0])
    )
    speeds = np.zeros((motion.frame_count, 3))
    steps = np.diff(motion.root_positions[:, :2], axis=0)
    speeds[1:, :2] = planar.rotate(-headings[:-1], steps) * motion.rate_hz
    speeds[1:, 2] = np.diff(headings) * motion.rate_hz
    if motion.frame_count > 1:
        speeds[0] = speeds[1]
    return np.column_stack((speeds, motion.root_positions[:, 2], lean[:, :2]))
