"""What a crowd did: which clip each of them began, when and where.  Everything else follows from the clips."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, floor

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from gambol.animate.blends import Blends
from gambol.animate.playing import play
from gambol.characters.action_table import action_table
from gambol.characters.character import Character
from gambol.characters.step import HEADING_TOLERANCE_RAD, PLACE_TOLERANCE_M, Step
from gambol.crowd.event import NOBODY, Event
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import planar
from gambol.geometry.arrays import frozen_array
from gambol.motion.edits import cut
from gambol.motion.motion import Motion

MOST_CLIPS = 1 << 16  # of one kind of character
RATE_TOLERANCE_HZ = 1e-6
KEY = 1 << 32  # more than any frame
TIME_TOLERANCE = 1e-6  # of a frame: times that are meant to be a frame's are
#: The arrays by name, with their types and what their first axis counts.
ARRAYS = {
    "kind": np.int32,
    "first_step": np.int64,
    "clip": np.uint16,
    "frame": np.int32,
    "pose": np.float64,
    "until": np.int32,
    "arrivals": np.int32,
}


@dataclass(frozen=True, eq=False)
class Recording:
    """N characters and the S clips they played, those of one character side by side and in order.

    A character is there from the frame of its first step to `until`.  Its steps follow each other without a gap, in
    time, in space and by what its kind may do.  The last may reach beyond `frames`, and so may steps begun later
    still: they were decided, and say how the clip before them ends.
    """

    rate_hz: float  # planning frames a second
    frames: int  # recorded: frame 0 to frames - 1
    characters: tuple[Character, ...]  # the kinds
    names: tuple[str, ...]  # (N,) unique
    kind: NDArray[np.int32]  # (N,) index into `characters`
    first_step: NDArray[np.int64]  # (N + 1,) the steps of character n are first_step[n] to first_step[n + 1] - 1
    clip: NDArray[np.uint16]  # (S,) numbered through all behaviors of the kind, as in its `ActionTable`
    frame: NDArray[np.int32]  # (S,) at which the clip begins
    pose: NDArray[np.float64]  # (S, 3) x, y, heading where the clip begins
    until: NDArray[np.int32]  # (N,) frame after the last one in which a character is there: `frames`, or earlier
    arrivals: NDArray[np.int32] = field(default_factory=lambda: np.empty((0, 2), np.int32))  # (M, 2) who, frame
    events: tuple[Event, ...] = ()
    scene: str = ""  # text of the scene file, or a name, for showing the world
    sources: tuple[str, ...] = ()  # a character file for each kind, or "" for one that ships with the package

    def __post_init__(self) -> None:
        for name, kind in ARRAYS.items():
            object.__setattr__(self, name, _exact(name, getattr(self, name), kind))
        for name in ("characters", "names"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "events", tuple(Event(*event) for event in self.events))
        object.__setattr__(self, "sources", tuple(self.sources) or ("",) * len(self.characters))
        object.__setattr__(self, "rate_hz", float(self.rate_hz))
        self._check_kinds()
        self._check_shapes()
        self._check_times()
        for number, character in enumerate(self.characters):
            self._check_steps(number, character)

    def __repr__(self) -> str:
        return f"Recording({len(self):,} characters, {len(self.clip):,} steps, {self.duration_s:g} s)"

    def __len__(self) -> int:
        return len(self.names)

    @property
    def duration_s(self) -> float:
        """Time from the first frame to the last."""
        return (self.frames - 1) / self.rate_hz

    def number(self, name: str) -> int:
        """Return the number of a character; an unknown name is an error that suggests a near one."""
        if name not in self.names:
            raise UnknownName("character", name, self.names, place="in this recording")
        return self.names.index(name)

    def presence(self, n: int) -> tuple[int, int]:
        """Return the first and the last frame in which a character is there; (0, -1) for one without steps."""
        first, last = self.first_step[n], self.first_step[n + 1]
        return (int(self.frame[first]), int(self.until[n]) - 1) if last > first else (0, -1)

    def steps(self, n: int) -> tuple[Step, ...]:
        """Return what a character played."""
        return self._steps(n, int(self.first_step[n]), int(self.first_step[n + 1]))

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """Characters and frames of all steps as rising numbers (S,)."""
        owner = np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.first_step))
        return owner * KEY + self.frame

    def steps_at(self, frame: int) -> NDArray[np.int64]:
        """Return the step that each character is at (N,), the last one begun; -1 for those who have begun none."""
        owner = np.arange(len(self), dtype=np.int64)
        found = np.searchsorted(self._keys, owner * KEY + frame, "right") - 1
        return np.where(found >= self.first_step[:-1], found, -1)

    def motion(
        self, n: int, from_s: float | None = None, until_s: float | None = None, *, blends: Blends | None = None
    ) -> Motion:
        """Return a character's motion at the clips' own rate, for as long as it is there.

        from_s, until_s: only this part of the recording's time; the motion's first frame is the first one not before
        from_s (see `motion_start_s`).
        blends: of the character's kind (`Blends.of`), so that none has to be made now; the motion is the same.
        """
        first, last, per_step = self._motion_frames(n, from_s, until_s)
        begin, end = int(self.first_step[n]), int(self.first_step[n + 1])
        starts = self.frame[begin:end].astype(np.int64) * per_step
        # With the step before and the one after: what is at the joins depends on them.
        one = max(int(np.searchsorted(starts, first, "right")) - 2, 0)
        two = min(int(np.searchsorted(starts, last, "right")) + 1, len(starts))
        played = play(self.characters[self.kind[n]], self._steps(n, begin + one, begin + two), blends=blends)
        return cut(played, first - int(starts[one]), last - int(starts[one]))

    def motion_start_s(self, n: int, from_s: float | None = None) -> float:
        """Return when the motion of a character begins, in the recording's time."""
        first, _, per_step = self._motion_frames(n, from_s, None)
        return first / (self.rate_hz * per_step)

    def _motion_frames(self, n: int, from_s: float | None, until_s: float | None) -> tuple[int, int, int]:
        """Return the first and last frame of a motion, at the clips' rate, and how many make a planning frame."""
        per_step = self.characters[self.kind[n]].behaviors[0].clips[0].frames_per_step
        first, last = (frame * per_step for frame in self.presence(n))
        rate_hz = self.rate_hz * per_step
        if from_s is not None:
            first = max(first, ceil(from_s * rate_hz - TIME_TOLERANCE))
        if until_s is not None:
            last = min(last, floor(until_s * rate_hz + TIME_TOLERANCE))
        if last < first:
            raise InvalidInput(f"{self.names[n]!r} is not there at this time of the recording")
        return first, last, per_step

    def _steps(self, n: int, first: int, last: int) -> tuple[Step, ...]:
        table = action_table(self.characters[self.kind[n]])
        clips = self.clip[first:last].astype(np.int64)
        behaviors = table.clip_behavior[clips]
        numbers = clips - table.behavior_clips[behaviors]
        listed = zip(
            behaviors.tolist(), numbers.tolist(), self.pose[first:last].tolist(), self.frame[first:last].tolist(),
            strict=True,
        )  # fmt: skip
        return tuple(Step(behavior, clip, (pose[0], pose[1], pose[2]), frame) for behavior, clip, pose, frame in listed)

    def _check_kinds(self) -> None:
        if not (np.isfinite(self.rate_hz) and self.rate_hz > 0.0):
            raise InvalidInput(f"rate_hz: a positive number of frames a second expected, not {self.rate_hz}")
        if len(self.sources) != len(self.characters):
            raise InvalidInput(f"sources: one for each of {len(self.characters)} kinds expected")
        for character in self.characters:
            if abs(character.planning_rate_hz - self.rate_hz) > RATE_TOLERANCE_HZ:
                raise InvalidInput(
                    f"characters: {character.name!r} plans at {character.planning_rate_hz:g} frames a second, "
                    f"this recording has {self.rate_hz:g}"
                )
            if sum(len(behavior.clips) for behavior in character.behaviors) > MOST_CLIPS:
                raise InvalidInput(f"characters: {character.name!r} has more than {MOST_CLIPS:,} clips")

    def _check_shapes(self) -> None:
        count, steps = len(self.names), len(self.clip)
        for name, shape in (
            ("kind", (count,)), ("first_step", (count + 1,)), ("clip", (steps,)), ("frame", (steps,)),
            ("pose", (steps, 3)), ("until", (count,)), ("arrivals", (len(self.arrivals), 2)),
        ):  # fmt: skip
            if getattr(self, name).shape != shape:
                raise InvalidInput(f"{name}: numbers {shape} expected, not {getattr(self, name).shape}")
        if not all(isinstance(name, str) for name in self.names) or len(set(self.names)) != count:
            raise InvalidInput("names: a different text for each character expected")
        _expect("kind", self.kind, 0, len(self.characters) - 1)
        if self.first_step[0] != 0 or self.first_step[-1] != steps or np.any(np.diff(self.first_step) < 0):
            raise InvalidInput(f"first_step: must rise from 0 to {steps}, the number of steps")
        if not np.all(np.isfinite(self.pose)):
            raise InvalidInput("pose: finite numbers expected")

    def _check_times(self) -> None:
        if not 1 <= self.frames < 1 << 31:
            raise InvalidInput(f"frames: a number from 1 to 2^31 - 1 expected, not {self.frames}")
        _expect("frame", self.frame, 0, (1 << 31) - 1)
        _expect("until", self.until, 0, self.frames)
        _expect("arrivals", self.arrivals[:, 0], 0, len(self) - 1)
        _expect("arrivals", self.arrivals[:, 1], 0, self.frames - 1)
        for event in self.events:
            whole = all(isinstance(number, int) for number in (event.frame, event.who))
            texts = all(isinstance(text, str) for text in (event.kind, event.what))
            if not (whole and texts and event.frame >= 0 and NOBODY <= event.who < len(self)):
                raise InvalidInput(
                    f"events: a frame, a kind, a number of someone or -1, and a text expected, not {event}"
                )

    def _check_steps(self, number: int, character: Character) -> None:
        """Refuse clips that one kind does not have, may not play in this order, or that leave gaps."""
        owner = np.repeat(np.arange(len(self)), np.diff(self.first_step))
        own = np.flatnonzero(self.kind[owner] == number)
        table = action_table(character)
        clips = self.clip[own].astype(np.int64)
        _expect("clip", clips, 0, len(table.duration) - 1)
        ends = self.frame[own].astype(np.int64) + table.duration[clips]
        before = np.flatnonzero(owner[own[1:]] == owner[own[:-1]])  # whose next one is of the same character
        after = before + 1
        self._refuse(
            "frame", own[after], self.frame[own[after]] != ends[before], "does not begin when the one before ends"
        )
        played = table.clip_behavior[clips]
        costs = character.transition_costs[played[before], played[after]]
        self._refuse("clip", own[after], ~np.isfinite(costs), "may not follow the one before")
        gaps = planar.relative(planar.compose(self.pose[own], table.displacement[clips])[before], self.pose[own[after]])
        far = np.linalg.norm(gaps[:, :2], axis=1) > PLACE_TOLERANCE_M
        turned = np.abs(planar.wrap_angle(gaps[:, 2])) > HEADING_TOLERANCE_RAD
        self._refuse("pose", own[after], far | turned, "does not begin where the one before ends")
        some = np.flatnonzero((self.kind == number) & (np.diff(self.first_step) > 0))
        lasts = np.searchsorted(own, self.first_step[some + 1] - 1)
        short = ends[lasts] < self.until[some] - 1
        self._refuse("until", own[lasts], short, "ends before its character is gone")

    def _refuse(self, key: str, steps: NDArray[np.intp], wrong: NDArray[np.bool_], what: str) -> None:
        for step in steps[wrong][:1]:
            owner = int(np.searchsorted(self.first_step, step, "right")) - 1
            number = step - self.first_step[owner]
            raise InvalidInput(f"{key}: step {number} of {self.names[owner]!r} {what}")


def _expect(name: str, values: NDArray, least: int, most: int) -> None:
    if len(values) and not (values.min() >= least and values.max() <= most):
        raise InvalidInput(f"{name}: numbers from {least} to {most} expected")


def _exact(name: str, values: ArrayLike, dtype: DTypeLike) -> NDArray:
    """Return a read-only copy in a type; numbers that it cannot hold are an error."""
    given = np.asarray(values)
    if given.dtype.kind not in "iuf":
        raise InvalidInput(f"{name}: numbers expected")
    with np.errstate(invalid="ignore"):
        array = frozen_array(given, dtype)
    if array.dtype.kind in "iu" and array.dtype != given.dtype and not np.array_equal(array, given):
        raise InvalidInput(f"{name}: whole numbers that fit {array.dtype} expected")
    return array
