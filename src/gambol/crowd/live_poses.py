"""Full poses of a running crowd at its present frame: of all, of some, or fewer joints of those far away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.crowd.kernels.live_poses import gather_present, list_kind
from gambol.crowd.kernels.poses import ALL, NONE, place_joints
from gambol.crowd.poses import PosePlayer
from gambol.errors import InvalidInput
from gambol.geometry.arrays import Int64Array

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd

Float32Array = NDArray[np.float32]


class Figures(NamedTuple):
    """Where the joints of M characters of one kind are.  The arrays are filled anew by the next call."""

    kind: int
    ids: Int64Array  # (M,) who they are
    positions: Float32Array  # (M, J, 3) in the world
    rotations: Float32Array | None  # (M, J, 4) in the world, where they were asked for


class LivePoses:
    """Poses of a crowd as it runs.

    They are those of its recording's motions at the same time, as long as nobody changes what comes after the clip that
    ends: a change in the last quarter of a second before that moves joints by up to two centimetres.
    """

    def __init__(self, crowd: Crowd, *, rotations: bool = False, few: Sequence[str] | None = None) -> None:
        """Work out all poses of all kinds.  rotations, few: see `PosePlayer.of`."""
        self._crowd = crowd
        self._players = [PosePlayer.of(kind, rotations=rotations, few=few) for kind in crowd.kinds]
        self._columns = _Columns(0)
        self._rooms = [_Room(player, 0, rotations) for player in self._players]
        self._rotations = rotations

    @property
    def nbytes(self) -> int:
        """Memory of the tables, and of the arrays that are filled."""
        rooms = sum(array.nbytes for room in self._rooms for array in (room.positions, room.rotations, room.ids))
        return rooms + sum(player.nbytes for player in self._players) + self._columns.nbytes

    def now(
        self, ids: ArrayLike | None = None, *, detail: ArrayLike = ALL, later_frames: float = 0.0
    ) -> tuple[Figures, ...]:
        """Return the poses at the crowd's present frame, for each of its kinds.

        ids: only of these, in their order; by default of all who are there.
        detail: ALL joints, FEW or NONE, or one of these for each of `ids`.  Joints that are not asked for keep what
        the arrays hold, which need not be of the same character.
        later_frames: from 0 to 1: on the way to the next frame.
        """
        if not 0.0 <= later_frames <= 1.0:
            raise InvalidInput(f"poses are known from the present frame to the next, not {later_frames} frames later")
        crowd, columns = self._crowd, self._columns
        flock, count = crowd._flock, crowd._count
        if len(flock.taken) > len(columns.clip):
            self._columns = columns = _Columns(len(flock.taken))
            self._rooms = [_Room(player, len(flock.taken), self._rotations) for player in self._players]
        gather_present(
            crowd._tables.clips, flock, np.int64(count), np.int64(crowd.frame), columns.clip, columns.before,
            columns.after, columns.phase, columns.pose,
        )  # fmt: skip
        columns.phase += later_frames
        chosen = None if ids is None else self._places(np.asarray(ids))
        self._set_detail(chosen, np.asarray(detail))
        found = []
        for kind, (player, room) in enumerate(zip(self._players, self._rooms, strict=True)):
            if chosen is None:
                total = list_kind(flock, crowd._id, np.int64(count), np.int64(kind), columns.places, room.ids)
            else:
                own = chosen[flock.kind[chosen] == kind]
                total = len(own)
                columns.places[:total], room.ids[:total] = own, crowd._id[own]
            place_joints(
                player.table, player.few, columns.places[:total], columns.clip, columns.before, columns.after,
                columns.phase, columns.pose, columns.detail, room.positions[:total],
                room.rotations[: total if self._rotations else 0],
            )  # fmt: skip
            turned = room.rotations[:total] if self._rotations else None
            found.append(Figures(kind, room.ids[:total], room.positions[:total], turned))
        return tuple(found)

    def _places(self, ids: NDArray) -> Int64Array:
        """Return where in the crowd's arrays some are."""
        crowd = self._crowd
        if ids.ndim != 1 or (len(ids) and ids.dtype.kind not in "iu"):
            raise InvalidInput(f"ids: numbers of characters (M,) expected, not {ids.dtype} {ids.shape}")
        if len(np.unique(ids)) < len(ids):
            raise InvalidInput("ids: everyone once at most expected")
        places = np.array([crowd._place.get(who, -1) for who in ids.tolist()], dtype=np.int64)
        if np.any(places < 0):
            raise InvalidInput(f"nobody in this crowd has the number {ids[int(np.argmin(places))]}")
        return places

    def _set_detail(self, chosen: Int64Array | None, detail: NDArray) -> None:
        if detail.dtype.kind not in "iu" or (detail.size and not (detail.min() >= NONE and detail.max() <= ALL)):
            raise InvalidInput(f"detail: numbers from {NONE} to {ALL} expected")
        if detail.ndim == 0:
            self._columns.detail.fill(detail)
        elif chosen is None or detail.shape != chosen.shape:
            raise InvalidInput(f"detail: one number, or one for each of ids, expected, not {detail.shape}")
        else:
            self._columns.detail[chosen] = detail


class _Columns:
    """What N places play, as `place_joints` takes it."""

    def __init__(self, places: int) -> None:
        self.clip, self.before, self.after = (np.full(places, -1, np.int32) for _ in range(3))
        self.phase, self.pose = np.zeros(places), np.zeros((places, 3))
        self.detail, self.places = np.zeros(places, np.uint8), np.zeros(places, np.int64)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in vars(self).values())


class _Room:
    """Arrays for up to N characters of one kind."""

    def __init__(self, player: PosePlayer, places: int, rotations: bool) -> None:
        self.ids = np.zeros(places, np.int64)
        self.positions = np.zeros((places, player.joint_count, 3), np.float32)
        self.rotations = np.zeros((places if rotations else 0, player.joint_count, 4), np.float32)
