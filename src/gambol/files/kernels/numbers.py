"""Read a long table of decimal numbers from bytes, several times faster than numpy's own parser."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import kernel

# Below 2^53 a mantissa is exact in a float64, and so are the powers of ten up to 10^22: then one
# multiplication or division rounds correctly [Clinger 1990, How to read floating point numbers
# accurately].  Rarer numbers are left to Python.
EXACT_MANTISSA = 1 << 53
EXACT_POWER = 22
POWERS_OF_TEN = np.array([10.0**power for power in range(EXACT_POWER + 1)])

_TAB, _NEWLINE, _RETURN, _SPACE = 9, 10, 13, 32
_PLUS, _MINUS, _POINT, _ZERO, _NINE, _UPPER_E, _LOWER_E = 43, 45, 46, 48, 57, 69, 101


class NumberTable(NamedTuple):
    values: np.ndarray  # (N,)
    hard: np.ndarray  # (H, 3) index, first and last byte (excluded) of numbers that need slow parsing
    bad: int  # where the first token that is no number begins, or -1
    lines: int  # lines with numbers on them
    ragged_byte: int  # where the first line with another count than `columns` ends, or -1
    ragged_count: int  # and how many numbers it has


@kernel
def parse_table(data, start, columns):
    """Read white-space separated decimal numbers from byte `start` to the end."""
    size = data.shape[0]
    values = np.empty((size - start + 1) // 2 + 1)
    hard = []
    hard.append((0, 0, 0))
    hard.clear()
    count = 0
    lines = 0
    in_line = 0
    ragged_byte = -1
    ragged_count = 0
    i = start
    while i < size:
        c = data[i]
        if c == _SPACE or (_TAB <= c <= _RETURN):
            if (c == _NEWLINE or c == _RETURN) and in_line > 0:
                lines += 1
                if in_line != columns and ragged_byte < 0:
                    ragged_byte = i
                    ragged_count = in_line
                in_line = 0
            i += 1
            continue

        token = i
        negative = c == _MINUS
        if c == _MINUS or c == _PLUS:
            i += 1
        mantissa = 0
        digits = 0
        decimals = 0
        exact = True
        seen_point = False
        while i < size:
            c = data[i]
            if _ZERO <= c <= _NINE:
                digits += 1
                if mantissa < EXACT_MANTISSA // 10:
                    mantissa = 10 * mantissa + (c - _ZERO)
                    if seen_point:
                        decimals += 1
                else:
                    exact = False
            elif c == _POINT and not seen_point:
                seen_point = True
            else:
                break
            i += 1
        exponent = 0
        if digits > 0 and i < size and (data[i] == _LOWER_E or data[i] == _UPPER_E):
            i += 1
            down = i < size and data[i] == _MINUS
            if i < size and (data[i] == _MINUS or data[i] == _PLUS):
                i += 1
            exponent_digits = 0
            while i < size and _ZERO <= data[i] <= _NINE:
                exponent = min(10 * exponent + (data[i] - _ZERO), 10_000)
                exponent_digits += 1
                i += 1
            if exponent_digits == 0:
                digits = 0
            if down:
                exponent = -exponent
        if digits == 0 or (i < size and data[i] != _SPACE and not (_TAB <= data[i] <= _RETURN)):
            return values[:count], _rows(hard), token, lines, ragged_byte, ragged_count

        power = exponent - decimals
        value = float(mantissa)
        if mantissa == 0 and exact:
            value = 0.0
        elif exact and -EXACT_POWER <= power <= EXACT_POWER:
            if power < 0:
                value /= POWERS_OF_TEN[-power]
            else:
                value *= POWERS_OF_TEN[power]
        else:
            hard.append((count, token, i))
        values[count] = -value if negative else value
        count += 1
        in_line += 1
    if in_line > 0:
        lines += 1
        if in_line != columns and ragged_byte < 0:
            ragged_byte = size
            ragged_count = in_line
    return values[:count], _rows(hard), -1, lines, ragged_byte, ragged_count


@kernel
def _rows(triples):
    rows = np.empty((len(triples), 3), np.int64)
    for i in range(len(triples)):
        rows[i, 0] = triples[i][0]
        rows[i, 1] = triples[i][1]
        rows[i, 2] = triples[i][2]
    return rows


def read_table(data: bytes, start: int, columns: int) -> NumberTable:
    """Read the numbers from byte `start` on, each rounded exactly as Python would."""
    table = NumberTable(*parse_table(np.frombuffer(data, dtype=np.uint8), start, columns))
    for index, first, last in table.hard.tolist():
        table.values[index] = float(data[first:last])
    return table
