"""Full poses of a whole crowd: worked out once for every frame of every clip and blend, then only placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from gambol.animate.blends import Blends, BlendTable
from gambol.characters.character import Character
from gambol.characters.motion_table import MotionTable, distinct_clips
from gambol.crowd.kernels.poses import ALL, FEW, NO_CLIP, NONE, PoseTable, place_joints
from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import Int64Array, frozen
from gambol.motion.motion import world_poses

__all__ = ["ALL", "FEW", "NONE", "NO_CLIP", "PosePlayer"]

Float32Array = NDArray[np.float32]
AT_ONCE = 4096  # rows whose kinematics are worked out together
#: Joints that tell what a figure does from afar.
FEW_JOINTS = ("Hips", "Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot")


@dataclass(frozen=True, eq=False)
class PosePlayer:
    """Where the joints of one kind of character are, for whoever plays which clip where.

    At the clips' own frames these are the joints of what `realize` makes of the same steps; between two frames
    they are on the straight line from one to the other (and rotations on the shortest arc).
    """

    character: Character
    table: PoseTable
    few: Int64Array = field(repr=False)  # the joints of those who get FEW

    @classmethod
    def of(
        cls,
        character: Character,
        *,
        rotations: bool = False,
        few: Sequence[str] | None = None,
        blends: Blends | None = None,
    ) -> PosePlayer:
        """Work out all poses: some 15 MB and half a second for a human who knows seventy clips.

        rotations: also those of the joints, for somewhat more than twice the memory.
        few: names of the joints for those who get few; by default hips, head, hands and feet, where there are such.
        blends: those of all the character's pairs of clips (`Blends.of`), so that they are not made again.
        """
        skeleton = character.skeleton
        names = [name for name in FEW_JOINTS if name in skeleton] if few is None else few
        joints = np.array([skeleton.index(name) for name in names], dtype=np.int64)
        return cls(character, _tabulate(character, blends or Blends.of(character), rotations), frozen(joints))

    @property
    def joint_count(self) -> int:
        return self.character.skeleton.joint_count

    @property
    def has_rotations(self) -> bool:
        return self.table.rotations.shape[1] == self.joint_count

    @property
    def nbytes(self) -> int:
        """Memory of the table."""
        return sum(array.nbytes for array in self.table if isinstance(array, np.ndarray))

    def place(
        self,
        clip: ArrayLike,
        before: ArrayLike,
        after: ArrayLike,
        phase: ArrayLike,
        pose: ArrayLike,
        *,
        who: ArrayLike | None = None,
        detail: ArrayLike | None = None,
        positions: Float32Array | None = None,
        rotations: Float32Array | None = None,
    ) -> Float32Array:
        """Return joint positions (M, J, 3) in the world, in single precision.

        clip, before, after: (N,) the clips that characters play, that they played before and that they will play
        after, numbered as in the `ActionTable`; NO_CLIP where there is none or it is not known.
        phase: (N,) planning frames since the clip began; they need not be whole.
        pose: (N, 3) x, y, heading where the clip began.
        who: (M,) which of the N; by default all.
        detail: (N,) ALL, FEW or NONE; by default all of it.  Joints that are not asked for keep what the arrays hold.
        positions, rotations: (M, J, 3) and (M, J, 4) to be filled; rotations only where they are given.
        """
        count = len(np.asarray(clip))
        columns = {
            "clip": _plain(clip, np.int32), "before": _plain(before, np.int32), "after": _plain(after, np.int32),
            "phase": _plain(phase, np.float64), "pose": _plain(pose, np.float64),
            "detail": np.full(count, ALL, dtype=np.uint8) if detail is None else _plain(detail, np.uint8),
        }  # fmt: skip
        chosen = np.arange(count) if who is None else _plain(who, np.int64)
        if positions is None:
            positions = np.zeros((len(chosen), self.joint_count, 3), dtype=np.float32)
        if rotations is not None and not self.has_rotations:
            raise InvalidInput("these poses were made without rotations; ask for them with PosePlayer.of")
        self._check(count, columns, chosen)
        _check_room("positions", positions, (len(chosen), self.joint_count, 3))
        if rotations is None:
            rotations = np.empty((0, self.joint_count, 4), dtype=np.float32)
        else:
            _check_room("rotations", rotations, (len(chosen), self.joint_count, 4))
        place_joints(
            self.table, self.few, chosen, columns["clip"], columns["before"], columns["after"], columns["phase"],
            columns["pose"], columns["detail"], positions, rotations,
        )  # fmt: skip
        return positions

    def _check(self, count: int, columns: dict[str, NDArray], who: NDArray) -> None:
        for name, array in columns.items():
            shape = (count, 3) if name == "pose" else (count,)
            if array.shape != shape:
                raise InvalidInput(f"{name}: numbers {shape} expected, not {array.shape}")
        for name in ("clip", "before", "after"):
            if count and not (columns[name].min() >= NO_CLIP and columns[name].max() < len(self.table.steps)):
                raise InvalidInput(f"{name}: clips from {NO_CLIP} to {len(self.table.steps) - 1} expected")
        if who.ndim != 1 or (len(who) and not (who.min() >= 0 and who.max() < count)):
            raise InvalidInput(f"who: numbers from 0 to {count - 1} expected")


def _check_room(name: str, array: NDArray, shape: tuple[int, ...]) -> None:
    """Refuse arrays to be filled that are not what the kernel is compiled for."""
    if array.shape != shape or array.dtype != np.float32 or not (array.flags.c_contiguous and array.flags.writeable):
        raise InvalidInput(f"{name}: an array {shape} in single precision expected, contiguous and writeable")


def _plain(values: ArrayLike, dtype: DTypeLike) -> NDArray:
    """Return an array of one type, contiguous and writeable, so that kernels are compiled once."""
    return np.require(values, dtype, ["C", "W"])


def _tabulate(character: Character, blends: Blends, rotations: bool) -> PoseTable:
    clips, members = distinct_clips(character)
    frames, joins = blends.frames, blends.joins
    number = blends.numbers(clips)
    known = np.full(len(blends.clips), -1)
    known[number] = np.arange(len(clips))
    pairs = known[blends.pairs]
    own = _runs((frames.first + frames.margin)[number], frames.steps[number] + 1)
    first = np.concatenate(([0], np.cumsum(frames.steps[number] + 1)))
    window = np.maximum(joins.window, 1)
    middle = joins.first + joins.window
    # Frames up to the join are seen from where the first clip begins, those from it on from where the second does.
    ends = _runs(middle - window + 1, window)
    begins = _runs(middle, window)
    carried = np.repeat(frames.end[blends.pairs[:, 0]], window, axis=0)
    joints, rows = character.skeleton.joint_count, len(own) + len(ends) + len(begins)
    positions = np.empty((rows, joints, 3), dtype=np.float32)
    turns = np.empty((rows, joints, 4) if rotations else (1, 1, 4), dtype=np.float32)
    still = np.zeros(3)
    parts = ((frames, own, still), (joins, ends, carried), (joins, begins, still))
    begin = 0
    for source, chosen, carrier in parts:
        _fill(character, source, chosen, carrier, positions[begin:], turns[begin:] if rotations else None)
        begin += len(chosen)
    join = np.full((len(clips), len(clips)), -1, dtype=np.int32)
    join[pairs[:, 0], pairs[:, 1]] = np.where((pairs >= 0).all(axis=1), np.arange(len(pairs)), -1)
    starts = np.cumsum(window) - window
    flat = np.concatenate(members)
    return PoseTable(
        per_step=clips[0].frames_per_step,
        steps=frozen(frames.steps[number][flat].astype(np.int32)),
        clip_row=frozen(first[flat].astype(np.int32)),
        distinct=frozen(flat.astype(np.int32)),
        join=frozen(join),
        window=frozen(window.astype(np.int32)),
        end_row=frozen((len(own) + starts).astype(np.int32)),
        begin_row=frozen((len(own) + len(ends) + starts).astype(np.int32)),
        positions=frozen(positions),
        rotations=frozen(turns),
    )


def _runs(first: Int64Array, count: Int64Array) -> Int64Array:
    """Return runs of so many numbers from each of the first ones, end to end."""
    begins = np.cumsum(count) - count
    return np.arange(int(count.sum())) + np.repeat(first - begins, count)


def _fill(
    character: Character,
    source: MotionTable | BlendTable,
    rows: Int64Array,
    carrier: NDArray[np.float64],
    positions: Float32Array,
    turns: Float32Array | None,
) -> None:
    """Work out the joints of some frames of a table, carried by planar poses (3,) or (R, 3)."""
    carrier = np.broadcast_to(carrier, (len(rows), 3))
    for begin in range(0, len(rows), AT_ONCE):
        chosen = rows[begin : begin + AT_ONCE]
        poses = carrier[begin : begin + AT_ONCE]
        roots = source.root_positions[chosen].astype(np.float64)
        roots[:, :2] = planar.apply(poses, roots[:, :2])
        local = source.rotations[chosen].astype(np.float64)
        local /= np.linalg.norm(local, axis=-1, keepdims=True)
        local[:, 0] = quaternion.multiply(quaternion.from_heading(poses[:, 2]), local[:, 0])
        offsets = character.skeleton.offsets[None] if len(source.offsets) == 1 else source.offsets[chosen]
        offsets = np.asarray(offsets, dtype=np.float64)
        world, turned = world_poses(character.skeleton.parents, offsets, roots, local)
        positions[begin : begin + len(chosen)] = world
        if turns is not None:
            turns[begin : begin + len(chosen)] = turned
