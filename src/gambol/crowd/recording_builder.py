"""A log of what a running crowd does, and the recording that becomes of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.characters.character import Character
from gambol.crowd.event import Event
from gambol.crowd.recording import Recording
from gambol.geometry.arrays import GrowingArray


class RecordingBuilder:
    """What a running crowd appends to, at a cost that does not depend on how much there is."""

    def __init__(self) -> None:
        self._who = GrowingArray(np.int32)
        self._clip = GrowingArray(np.uint16)
        self._frame = GrowingArray(np.int32)
        self._pose = GrowingArray(np.float64, 3)
        self._arrivals = GrowingArray(np.int32, 2)
        self._events: list[Event] = []

    def __len__(self) -> int:
        return len(self._who)

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in (self._who, self._clip, self._frame, self._pose, self._arrivals))

    @property
    def arrivals(self) -> NDArray[np.int32]:
        """Who has arrived and at which frame (M, 2)."""
        return self._arrivals.rows

    @property
    def events(self) -> tuple[Event, ...]:
        """What was noted."""
        return tuple(self._events)

    @property
    def columns(self) -> tuple[NDArray, NDArray, NDArray, NDArray, NDArray]:
        """Who (S,) began which clip, when and where, and all arrivals, in the order in which they were appended."""
        return self._who.rows, self._clip.rows, self._frame.rows, self._pose.rows, self._arrivals.rows

    def append(self, who: ArrayLike, clip: ArrayLike, frame: ArrayLike, pose: ArrayLike) -> None:
        """Append clips (M,) that characters (M,) begin at frames (M,), or all at one frame, and at poses (M, 3)."""
        who = np.asarray(who, dtype=np.int32)
        count = len(who)
        self._who.append(who)
        self._clip.extend(count)[:] = clip
        self._frame.extend(count)[:] = frame
        self._pose.extend(count)[:] = pose

    def arrive(self, who: ArrayLike, frame: ArrayLike) -> None:
        """Note that characters (M,) have arrived, at frames (M,) or all at one frame."""
        rows = self._arrivals.extend(len(np.asarray(who)))
        rows[:, 0], rows[:, 1] = who, frame

    def note(self, event: Event) -> None:
        """Note something that happened."""
        self._events.append(event)

    def cut(self, frame: int, *, gone: ArrayLike = ()) -> None:
        """Forget what was over before a frame, so that a crowd that runs for hours stays within bounds.

        From this frame on, motions are what they would have been: each keeps the clip it plays then and the one
        before, which it blends with.  Earlier, recordings made later show nobody or only some.
        gone: the numbers of those who have left by then; nothing of them is kept.
        """
        who, begins = self._who.rows, self._frame.rows
        order = np.lexsort((begins, who))
        sorted_who = who[order]
        # A clip is over when its character has begun another by then; of those only the last is still of use.
        followed = (sorted_who[1:] == sorted_who[:-1]) & (begins[order[1:]] <= frame)
        over = order[:-1][followed]
        is_last = np.append(who[over[1:]] != who[over[:-1]], True)[: len(over)]
        kept = np.ones(len(who), dtype=bool)
        kept[over[~is_last]] = False
        kept &= ~np.isin(who, np.asarray(gone, dtype=np.int64))
        self._who, self._clip = _only(self._who, kept), _only(self._clip, kept)
        self._frame, self._pose = _only(self._frame, kept), _only(self._pose, kept)
        self._arrivals = _only(self._arrivals, self._arrivals.rows[:, 1] >= frame)
        self._events = [event for event in self._events if event.frame >= frame]

    def recording(
        self,
        *,
        rate_hz: float,
        frames: int,
        characters: Sequence[Character],
        names: Sequence[str],
        kind: ArrayLike,
        until: ArrayLike | None = None,
        scene: str = "",
        sources: Sequence[str] = (),
    ) -> Recording:
        """Return what was appended so far, by character and then by frame.

        until: (N,) the frame after the last one in which each was there; None: all are there to the end.
        """
        order = np.lexsort((self._frame.rows, self._who.rows))
        counts = np.bincount(self._who.rows, minlength=len(names))
        return Recording(
            rate_hz=rate_hz,
            frames=frames,
            characters=tuple(characters),
            names=tuple(names),
            kind=np.asarray(kind, dtype=np.int32),
            first_step=np.concatenate(([0], np.cumsum(counts))),
            clip=self._clip.rows[order],
            frame=self._frame.rows[order],
            pose=self._pose.rows[order],
            until=np.full(len(names), frames) if until is None else np.asarray(until),
            arrivals=self._arrivals.rows,
            events=tuple(self._events),
            scene=scene,
            sources=tuple(sources),
        )


def _only(array: GrowingArray, kept: NDArray[np.bool_]) -> GrowingArray:
    """Return some of the rows, with room for more."""
    rows = array.rows[kept]
    fewer = GrowingArray(rows.dtype, *rows.shape[1:])
    fewer.append(rows)
    return fewer
