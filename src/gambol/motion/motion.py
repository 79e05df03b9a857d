"""A motion: a skeleton's poses, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from gambol.core import lib, pointer
from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray, Int32Array, frozen, frozen_array
from gambol.motion.skeleton import Skeleton
from gambol.notebook import mime_bundle

UNIT_TOLERANCE = 1e-3  # how far a rotation may be from unit length; larger differences are refused


@dataclass(frozen=True, eq=False)
class Motion:
    """Root positions and joint rotations at a fixed rate, in metres and seconds, Z up, X forward.

    Rotations are local, relative to the parent, and the identity at rest.  The constructor scales
    them to exact unit length and picks signs so that they are continuous in time.
    """

    skeleton: Skeleton
    rate_hz: float  # frames a second, > 0
    root_positions: FloatArray  # (F, 3) metres, F >= 1
    rotations: FloatArray  # (F, J, 4) wxyz, joint relative to parent
    translations: FloatArray | None = None  # (F, J, 3) metres, in place of the skeleton's offsets

    def __post_init__(self) -> None:
        root_positions = frozen_array(self.root_positions)
        rotations = np.array(self.rotations, dtype=np.float64, order="C")
        joints = self.skeleton.joint_count
        frames = len(root_positions)
        if not (np.isfinite(self.rate_hz) and self.rate_hz > 0.0):
            raise InvalidInput(f"a motion's rate must be a positive number of frames a second, not {self.rate_hz}")
        if frames == 0:
            raise InvalidInput("a motion needs at least one frame")
        if root_positions.shape != (frames, 3) or rotations.shape != (frames, joints, 4):
            raise InvalidInput(
                f"root positions (F, 3) and rotations (F, {joints}, 4) expected, "
                f"not {root_positions.shape} and {rotations.shape}"
            )
        bad_frame = lib.gb_rotation_settle(pointer(rotations, "double"), frames, joints, UNIT_TOLERANCE)
        if bad_frame >= 0:
            raise InvalidInput(f"rotations must be unit quaternions; frame {bad_frame} has another")
        if not np.all(np.isfinite(root_positions)):
            raise InvalidInput("root positions must be finite numbers")
        object.__setattr__(self, "rate_hz", float(self.rate_hz))
        object.__setattr__(self, "root_positions", root_positions)
        object.__setattr__(self, "rotations", frozen(rotations))
        if self.translations is not None:
            self._set_translations(self.translations)

    def _set_translations(self, translations: ArrayLike) -> None:
        translations = np.array(translations, dtype=np.float64, order="C")
        expected = (self.frame_count, self.skeleton.joint_count, 3)
        if translations.shape != expected or not np.all(np.isfinite(translations)):
            raise InvalidInput(f"translations must be finite and of shape {expected}, not {translations.shape}")
        translations[:, 0] = self.root_positions
        object.__setattr__(self, "translations", frozen(translations))

    _repr_mimebundle_ = mime_bundle

    @property
    def frame_count(self) -> int:
        return len(self.root_positions)

    @property
    def duration_s(self) -> float:
        """Time from the first frame to the last."""
        return (self.frame_count - 1) / self.rate_hz

    @property
    def local_offsets(self) -> FloatArray:
        """Offsets from the parents: (F, J, 3), or (1, J, 3) where all bones are rigid."""
        return self.skeleton.offsets[None] if self.translations is None else self.translations

    @cached_property
    def _world(self) -> tuple[FloatArray, FloatArray]:
        placed = world_poses(self.skeleton.parents, self.local_offsets, self.root_positions, self.rotations)
        return frozen(placed[0]), frozen(placed[1])

    @property
    def world_positions(self) -> FloatArray:
        """Joint positions in the world (F, J, 3); computed once."""
        return self._world[0]

    @property
    def world_rotations(self) -> FloatArray:
        """Joint orientations in the world (F, J, 4); computed once."""
        return self._world[1]

    @cached_property
    def tip_positions(self) -> FloatArray:
        """Positions of the skeleton's tips in the world (F, E, 3)."""
        joints = self.skeleton.tip_parents
        tips = quaternion.rotate(self.world_rotations[:, joints], self.skeleton.tip_offsets)
        return frozen(self.world_positions[:, joints] + tips)

    def with_rotations(self, rotations: FloatArray) -> Motion:
        """Return this motion with other local rotations (F, J, 4)."""
        return replace(self, rotations=rotations)


def world_poses(
    parents: Int32Array, offsets: FloatArray, root_positions: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return positions (F, J, 3) and orientations (F, J, 4) of joints in the world.

    offsets: (F, J, 3), or (1, J, 3) where all bones are rigid; root_positions: (F, 3); rotations: (F, J, 4), local.
    """
    frames, joints = rotations.shape[:2]
    positions, turns = np.empty((frames, joints, 3)), np.empty((frames, joints, 4))
    lib.gb_pose_place(
        pointer(parents, "int32_t"), joints, pointer(offsets, "double"), len(offsets) == 1,
        pointer(root_positions, "double"), pointer(rotations, "double"), frames, pointer(positions, "double"),
        pointer(turns, "double"),
    )  # fmt: skip
    return positions, turns
