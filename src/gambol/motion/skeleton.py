"""The tree of joints that a motion moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray, Int32Array, frozen, frozen_array

SAME_BONES_M = 1e-4  # metres: skeletons whose bones differ by less have the same bones


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints in depth-first or breadth-first order: a parent always comes before its children.

    At rest every joint frame is parallel to the world's, so a joint's rotation is the identity
    and its offset is a plain world vector; readers of formats with turned rest frames convert.
    A *tip* is the end of a last bone (BVH's End Site): a point that belongs to a joint, such as
    the top of the head or the end of the toes, with no rotation of its own.
    """

    names: tuple[str, ...]  # J unique names
    parents: Int32Array  # (J,) index of the parent, -1 for the root, which is joint 0
    offsets: FloatArray  # (J, 3) metres, from the parent in its frame; the root's rest position
    tip_parents: Int32Array  # (E,) the joint each tip belongs to
    tip_offsets: FloatArray  # (E, 3) metres, in the frame of its joint

    def __init__(
        self,
        names: Sequence[str],
        parents: ArrayLike,
        offsets: ArrayLike,
        tip_parents: ArrayLike = (),
        tip_offsets: ArrayLike = (),
    ) -> None:
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "parents", frozen_array(parents, np.int32))
        object.__setattr__(self, "offsets", frozen_array(offsets))
        object.__setattr__(self, "tip_parents", frozen_array(tip_parents, np.int32))
        object.__setattr__(self, "tip_offsets", frozen_array(np.reshape(tip_offsets, (-1, 3))))
        self._check()

    def _check(self) -> None:
        count = len(self.names)
        if count == 0:
            raise InvalidInput("a skeleton needs at least one joint")
        if self.parents.shape != (count,) or self.offsets.shape != (count, 3):
            raise InvalidInput(
                f"{count} names need parents of shape ({count},) and offsets of shape ({count}, 3), "
                f"not {self.parents.shape} and {self.offsets.shape}"
            )
        if self.parents[0] != -1 or np.any(self.parents[1:] < 0):
            raise InvalidInput("joint 0 must be the only root (parent -1)")
        if np.any(self.parents >= np.arange(count)):
            raise InvalidInput("each parent must come before its children")
        if len(set(self.names)) != count:
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise InvalidInput(f"joint names must be unique; {', '.join(twice)} occur more than once")
        if len(self.tip_parents) != len(self.tip_offsets):
            raise InvalidInput("each tip needs one parent and one offset")
        if np.any((self.tip_parents < 0) | (self.tip_parents >= count)):
            raise InvalidInput("a tip belongs to a joint that does not exist")
        if not (np.all(np.isfinite(self.offsets)) and np.all(np.isfinite(self.tip_offsets))):
            raise InvalidInput("offsets must be finite numbers")

    @property
    def joint_count(self) -> int:
        return len(self.names)

    @cached_property
    def _index_of(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.names)}

    def __contains__(self, name: str) -> bool:
        return name in self._index_of

    def index(self, name: str) -> int:
        """Return a joint's index; an unknown name is an error that suggests a near one."""
        if name not in self._index_of:
            raise UnknownName("joint", name, self.names)
        return self._index_of[name]

    def is_like(self, other: Skeleton) -> bool:
        """Return whether another skeleton has the same joints on the same bones, to the micrometre."""
        return (
            self.names == other.names
            and np.array_equal(self.parents, other.parents)
            and np.allclose(self.offsets[1:], other.offsets[1:], rtol=0.0, atol=1e-6)
        )

    def children(self, joint: int) -> Int32Array:
        """Return the joints that hang directly on this one."""
        return np.flatnonzero(self.parents == joint).astype(np.int32)

    def is_below(self, joint: int) -> NDArray[np.bool_]:
        """Mark the joint itself and all joints that hang on it, (J,)."""
        below = np.zeros(self.joint_count, dtype=bool)
        below[joint] = True
        for child in range(joint + 1, self.joint_count):
            below[child] |= below[self.parents[child]]
        return below

    @cached_property
    def rest_positions(self) -> FloatArray:
        """World positions of the joints (J, 3) at rest."""
        positions = np.array(self.offsets)
        for joint in range(1, self.joint_count):
            positions[joint] += positions[self.parents[joint]]
        return frozen(positions)

    @cached_property
    def rest_tip_positions(self) -> FloatArray:
        """World positions of the tips (E, 3) at rest."""
        return frozen(self.rest_positions[self.tip_parents] + self.tip_offsets)

    @cached_property
    def bone_lengths(self) -> FloatArray:
        """Distance of each joint from its parent (J,), zero for the root."""
        lengths = np.linalg.norm(self.offsets, axis=1)
        lengths[0] = 0.0
        return frozen(lengths)


def same_bones(a: Skeleton, b: Skeleton) -> bool:
    """Return whether two skeletons have the same joints and bones."""
    return a is b or (
        a.names == b.names
        and np.array_equal(a.parents, b.parents)
        and np.allclose(a.offsets[1:], b.offsets[1:], atol=SAME_BONES_M)
    )
