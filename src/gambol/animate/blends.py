"""Blends of pairs of clips, computed once and played many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.characters.motion_table import (
    MotionTable,
    allowed_pairs,
    distinct_clips,
    join_windows,
    room_for_joins,
    struct_of_clips,
    struct_of_limbs,
    tabulate_clips,
    tabulate_limbs,
)
from gambol.core import Struct, lib, pointer, struct_of
from gambol.errors import InvalidInput
from gambol.geometry.arrays import Int64Array

MOST_BYTES = 4 << 30  # bytes: the most memory for blends made beforehand; larger characters need more


class BlendTable(NamedTuple):
    """N blends with W frames in all, each seen from its join's pose.

    Poses are in single precision: that is good to a thousandth of a millimetre.
    """

    first: np.ndarray  # (N,) row of each blend's first frame
    window: np.ndarray  # (N,) number of frames on either side of the join
    root_positions: np.ndarray  # (W, 3) metres
    rotations: np.ndarray  # (W, J, 4) local
    offsets: np.ndarray  # (W, J, 3) metres, or (1, J, 3) where all bones are rigid
    planted: np.ndarray  # (W, P) whether each contact point rests


@dataclass(frozen=True, eq=False)
class Blends:
    """Clips and the blended frames around their joins, as flat arrays that are ready to play."""

    clips: tuple[Clip, ...]
    frames: MotionTable
    pairs: Int64Array  # (N, 2) first and second clip of each join, in ascending order
    joins: BlendTable

    @classmethod
    def of(cls, character: Character) -> Blends:
        """Blend each clip of a character with each that may follow it; a pair takes about 10 kB."""
        clips, members = distinct_clips(character)
        return cls.between(clips, allowed_pairs(character, members))

    @classmethod
    def between(cls, clips: Sequence[Clip], pairs: Int64Array) -> Blends:
        """Blend pairs (N, 2) of numbers of clips."""
        frames = tabulate_clips(clips)
        pairs = np.unique(np.asarray(pairs, dtype=np.int64).reshape(-1, 2), axis=0)
        windows = join_windows(frames, pairs)
        joins = _empty_joins(frames, windows)
        limbs = struct_of_limbs(tabulate_limbs(clips[0].motion.skeleton, clips[0].contacts.points))
        blends = cls(tuple(clips), frames, pairs, joins)
        of_clips, of_joins = blend_structs(blends)
        room = room_for_joins(of_clips, windows)
        lib.gb_joins_fill(of_clips.c, limbs.c, pointer(pairs, "int64_t"), of_joins.c, pointer(room, "double"))
        return blends

    @cached_property
    def _number_of(self) -> dict[int, int]:
        return {id(clip): number for number, clip in enumerate(self.clips)}

    def numbers(self, clips: Sequence[Clip]) -> Int64Array:
        """Return the numbers of clips; a clip of another character is an error."""
        for clip in clips:
            if id(clip) not in self._number_of:
                raise InvalidInput(f"these blends do not contain clip {clip.name!r}: they were made for other clips")
        return np.array([self._number_of[id(clip)] for clip in clips], dtype=np.int64)

    def find(self, numbers: Int64Array) -> Int64Array:
        """Return the number of the blend between each clip of a sequence and the next; a missing blend is an error."""
        count = len(self.clips)
        keys, wanted = self.pairs @ [count, 1], numbers[:-1] * count + numbers[1:]
        found = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        for key in wanted[keys[found] != wanted] if len(keys) else wanted:
            one, two = (self.clips[number].name for number in divmod(int(key), count))
            raise InvalidInput(f"these blends contain none between {one!r} and {two!r}")
        return found


_KNOWN: WeakKeyDictionary[Blends, tuple[Struct, Struct]] = WeakKeyDictionary()


def blend_structs(blends: Blends) -> tuple[Struct, Struct]:
    """Return clips and joins as the core reads them, laid out once."""
    if blends not in _KNOWN:
        _KNOWN[blends] = struct_of_clips(blends.frames), _struct_of_joins(blends.joins)
    return _KNOWN[blends]


def _struct_of_joins(joins: BlendTable) -> Struct:
    return struct_of("gb_joins", joins, count=len(joins.first))


def _empty_joins(frames: MotionTable, windows: Int64Array) -> BlendTable:
    sizes = 2 * windows + 1
    rows, joints = int(sizes.sum()), frames.rotations.shape[1]
    if rows * joints * 16 > MOST_BYTES:
        raise InvalidInput(
            f"blending {len(windows):,} pairs of clips beforehand takes {rows * joints * 16 / 2**30:.0f} GiB, "
            f"at most {MOST_BYTES >> 30} expected; leave out `blends` to blend pairs while they play"
        )
    rigid = len(frames.offsets) == 1
    return BlendTable(
        first=np.cumsum(sizes) - sizes,
        window=windows,
        root_positions=np.empty((rows, 3), dtype=np.float32),
        rotations=np.empty((rows, joints, 4), dtype=np.float32),
        offsets=np.empty((1 if rigid else rows, joints, 3), dtype=np.float32),
        planted=np.empty((rows, frames.planted.shape[1]), dtype=bool),
    )
