"""Ways to damage a file: each takes a source of chance, a file's bytes and the other valid files.

All chance comes from the `random.Random` handed in, so that an input's number is all it takes to
make the input again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

MAX_BYTES = 1 << 20  # what blocks are repeated up to
Mutation = Callable[[random.Random, bytes, Sequence[bytes]], bytes]

HOSTILE_WORDS = (
    b"nan", b"-nan", b"NaN", b"inf", b"-inf", b"Infinity", b"1e999", b"-1e999", b"1e308", b"-1.7e308", b"1e-320",
    b"0", b"-0", b"-1", b"1.5", b"2147483648", b"4294967295", b"-9223372036854775808", b"18446744073709551616",
    b"1" + b"0" * 30, b"9" * 400, b"9" * 5000, b"1e", b"1.2.3", b"--1", b"0x10", b"1_000", b"1,5", b".", b"-",
    b"", b"{", b"}", b"[", b"]", b"(", b")", b'"', b"'", b":", b";", b"#", b"\\", b"@", b"<", b">", b"=", b"/", b"..",
    b"A" * 100_000, b"\xd9\xa1\xd9\xa2", b"\xe2\x80\xae", b"%n%s", b"../../x", b"true", b"None", b"null", b"\0",
    b"root",
)  # fmt: skip
HOSTILE_COUNTS = (
    b"-1", b"0", b"1", b"2", b"255", b"65536", b"1000000", b"2147483647", b"4294967296", b"99999999999", b"1e9",
)  # fmt: skip

_WORD = re.compile(rb"[^\s]+")
_PIECE = re.compile(rb"[-+]?\.?\d[\w.+-]*|\w+|[^\w\s]")  # finer: numbers, names, signs
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_WHOLE = re.compile(rb"(?<![\w.])\d+(?![\w.])")


def flip_bits(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    damaged = bytearray(data)
    for _flip in range(rng.choice((1, 1, 2, 8, 64))):
        if damaged:
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def overwrite_bytes(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, length = rng.randrange(len(data) + 1), rng.choice((1, 4, 16, 256))
    fill = rng.choice((bytes(length), b"\xff" * length, rng.randbytes(length)))
    return data[:start] + fill + data[start + length :]


def insert_bytes(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + rng.randbytes(rng.choice((1, 4, 100, 5000))) + data[start:]


def delete_bytes(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.choice((1, 2, 4, 30, 500)) :]


def truncate(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def repeat_bytes(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start = rng.randrange(len(data) + 1)
    block = data[start : start + rng.choice((4, 64, 1024))]
    return data[:start] + block * _repeats(rng, len(block), len(data)) + data[start:]


def splice(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def replace_word(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return _with_match_replaced(rng, data, rng.choice((_WORD, _PIECE)), rng.choice(HOSTILE_WORDS))


def copy_word(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    source = rng.choice((data, rng.choice(others)))
    found = _random_match(rng, source, _PIECE)
    return _with_match_replaced(rng, data, _PIECE, found.group() if found else b"")


def copy_like(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Put a number in the place of a number, or a name in the place of a name."""
    kind = rng.choice((_NUMBER, _NAME))
    found = _random_match(rng, rng.choice((data, rng.choice(others))), kind)
    return data if found is None else _with_match_replaced(rng, data, kind, found.group())


def replace_count(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return _with_match_replaced(rng, data, _WHOLE, rng.choice(HOSTILE_COUNTS))


def change_number(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    found = _random_match(rng, data, _NUMBER)
    if found is None:
        return data
    value = float(found.group())
    factor = rng.choice((-1.0, 0.0, 1.0 + 1e-7, 1e-6, 10.0, 1e3, 1e6, 1e12, 1e30))
    changed = rng.choice((f"{value * factor:g}", f"{value + rng.choice((-1, 1)):g}", f"{value:.0f}", f"{value!r}0"))
    return data[: found.start()] + changed.encode() + data[found.end() :]


def delete_lines(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    lines, start = _lines_and_place(rng, data)
    del lines[start : start + rng.choice((1, 1, 2, 10))]
    return b"".join(lines)


def repeat_lines(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    lines, start = _lines_and_place(rng, data)
    block = lines[start : start + rng.choice((1, 1, 3, 20))]
    return b"".join(lines[:start] + block * _repeats(rng, sum(map(len, block)), len(data)) + lines[start:])


def swap_lines(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    lines, first = _lines_and_place(rng, data)
    second = rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"".join(lines)


def insert_foreign_lines(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    lines, start = _lines_and_place(rng, data)
    foreign, place = _lines_and_place(rng, rng.choice(others))
    return b"".join(lines[:start] + foreign[place : place + rng.choice((1, 5, 50))] + lines[start:])


def nest(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Open something thousands of times: what recurses per level runs out of stack."""
    lines, start = _lines_and_place(rng, data)
    opener = rng.choice((b"{\n", b"[", b"(", b"JOINT a\n{\n", b'def Xform "a" {\n', b"begin\n", b'{"a":', b"<", b'"""'))
    lines.insert(start, opener * rng.choice((10, 1000, 20_000)))
    return b"".join(lines)


def change_encoding(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    choice = rng.randrange(7)
    if choice == 0:
        return b"\xef\xbb\xbf" + data
    if choice in (1, 2):
        return data.decode("latin-1").encode("utf-16" if choice == 1 else "utf-32")
    if choice == 3:
        return data.replace(b"\n", b"\r")
    if choice == 4:
        return data.replace(b"\n", rng.choice((b"", b" ", b"\x0b", b"\xe2\x80\xa8", b"\r\n\r\n")))
    place = rng.randrange(len(data) + 1)
    junk = rng.choice((b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\0", b"\x1a", b"\xc2\xa0"))
    return data[:place] + junk + data[place:]


BYTE_MUTATIONS: Mapping[str, Mutation] = MappingProxyType({
    function.__name__: function
    for function in (flip_bits, overwrite_bytes, insert_bytes, delete_bytes, truncate, repeat_bytes, splice)
})  # fmt: skip
TEXT_MUTATIONS: Mapping[str, Mutation] = MappingProxyType({
    function.__name__: function
    for function in (
        replace_word, copy_word, copy_like, replace_count, change_number, delete_lines, repeat_lines, swap_lines,
        insert_foreign_lines, nest, change_encoding, flip_bits, insert_bytes, delete_bytes, truncate, splice,
    )
})  # fmt: skip
#: Those that often leave a file well-formed, so that the damage is met behind the parser.
MILD = frozenset({
    "change_number", "replace_count", "copy_like", "delete_lines", "repeat_lines", "swap_lines",
    "damage_floats", "change_integer", "copy_value", "delete_value", "replace_value",
})  # fmt: skip


def _random_match(rng: random.Random, data: bytes, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
    """Find the first match behind a random place, so that no file is searched as a whole."""
    return pattern.search(data, rng.randrange(len(data) + 1)) or pattern.search(data)


def _with_match_replaced(rng: random.Random, data: bytes, pattern: re.Pattern[bytes], word: bytes) -> bytes:
    found = _random_match(rng, data, pattern)
    return data if found is None else data[: found.start()] + word + data[found.end() :]


def _lines_and_place(rng: random.Random, data: bytes) -> tuple[list[bytes], int]:
    lines = data.splitlines(keepends=True) or [b""]
    return lines, rng.randrange(len(lines))


def _repeats(rng: random.Random, block: int, size: int) -> int:
    """Choose how often to repeat, mostly a little and at times until the file is large."""
    room = max(MAX_BYTES - size, 0) // max(block, 1)
    return min(rng.choice((1, 1, 1, 1, 1, 2, 2, 10, 10, 100, 1000, room)), room)
