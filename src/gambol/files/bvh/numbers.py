"""The lower half of a BVH file: a long table of decimal numbers."""

from __future__ import annotations

import re
from itertools import chain, islice

import numpy as np

from gambol.geometry.arrays import FloatArray

# Words become numbers a block of text at a time: Python's words take twenty times the bytes of their text.
_BLOCK = re.compile(rb"[\s\S]{1,1000000}\S*")
_WORD = re.compile(rb"\S+")
_NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_ALLOWED = b"0123456789+-.eE \t\n\r\v\f"  # without them, Python would also take 1_000, nan and infinity


def read_numbers(data: bytes, start: int) -> FloatArray:
    """Return the numbers from byte `start` on, as Python's `float` reads them; ValueError if a word is no number."""
    if others := data[start:].translate(None, _ALLOWED):
        raise ValueError(f"could not convert {others[:10]} to numbers")
    words = chain.from_iterable(block.group().split() for block in _BLOCK.finditer(data, start))
    return np.fromiter(map(float, words), np.float64)


def first_bad_word(data: bytes, start: int) -> int:
    """Return the index of the first word that is no decimal number."""
    words = enumerate(_WORD.finditer(data, start))
    return next(index for index, word in words if not _NUMBER.fullmatch(word.group()))


def nth_word(data: bytes, start: int, index: int) -> re.Match[bytes]:
    """Return a word by its index in the table."""
    return next(islice(_WORD.finditer(data, start), index, None))


def ragged_line(data: bytes, start: int, columns: int) -> tuple[int, list[bytes]] | None:
    """Return the first line whose number of values is not `columns`: the lines before it, and its words."""
    for lines_before, line in enumerate(data[start:].splitlines()):
        words = line.split()
        if len(words) not in (0, columns):
            return lines_before, words
    return None
