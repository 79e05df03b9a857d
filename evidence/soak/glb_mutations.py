"""Ways to damage a GLB file behind a container that stays valid, so that damage reaches the reader's depths."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from evidence.soak.corpus.glb import GLB_HEADER, pack, unpack
from evidence.soak.mutations import BYTE_MUTATIONS, TEXT_MUTATIONS, Mutation

HOSTILE_VALUES = (
    None, True, False, -1, 0, 1, 2, 3, 5120, 5126, 2**31, 2**32, 2**63, 10**30, 1e300, -0.5, 1.5, float("nan"),
    float("inf"), "", "0", "VEC3", "MAT4", "A" * 100_000, "data:application/octet-stream;base64,AAAA", "../x.bin",
    [], {}, [0], [-1], [0, 0], [[]], [None], [1e39] * 3, [0.0] * 4, list(range(1000)), {"a": {}}, {"node": 0},
)  # fmt: skip
HOSTILE_FLOATS = tuple(
    struct.pack("<f", value)
    for value in (float("nan"), float("inf"), -float("inf"), 3.4e38, -3.4e38, 1e-45, 0.0, -0.0, 1e9, -1.0)
)


def replace_value(rng: random.Random, document: Any) -> Any:
    holder, key = _random_place(rng, document)
    holder[key] = rng.choice(HOSTILE_VALUES)
    return document


def copy_value(rng: random.Random, document: Any) -> Any:
    holder, key = _random_place(rng, document)
    other, other_key = _random_place(rng, document)
    # Through text, since a value put inside itself would never end.
    holder[key] = json.loads(json.dumps(other[other_key]))
    return document


def delete_value(rng: random.Random, document: Any) -> Any:
    holder, key = _random_place(rng, document)
    del holder[key]
    return document


def change_integer(rng: random.Random, document: Any) -> Any:
    """Point somewhere else: most integers in a glTF file are indices, counts and offsets."""
    places = [(holder, key) for holder, key in _places(document) if type(holder[key]) is int]
    if places:
        holder, key = rng.choice(places)
        holder[key] = rng.choice(
            (holder[key] + 1, holder[key] - 1, rng.randrange(20), holder[key] * 1000, -holder[key])
        )
    return document


def repeat_entries(rng: random.Random, document: Any) -> Any:
    lists = [holder[key] for holder, key in _places(document) if isinstance(holder[key], list) and holder[key]]
    if lists:
        entries = rng.choice(lists)
        entries.extend([rng.choice(entries)] * rng.choice((1, 2, 10, 3000)))
    return document


def damage_floats(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Put hostile numbers into the binary chunk."""
    document, binary = unpack(data)
    changed = bytearray(binary)
    for _number in range(rng.choice((1, 4, 50))):
        if len(changed) >= 4:
            place = 4 * rng.randrange(len(changed) // 4)
            changed[place : place + 4] = rng.choice(HOSTILE_FLOATS)
    return pack(document, bytes(changed))


def damage_text(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Damage the JSON as text."""
    document, binary = unpack(data)
    name = rng.choice(list(TEXT_MUTATIONS))
    return pack(TEXT_MUTATIONS[name](rng, document, [unpack(other)[0] for other in others]), binary)


def damage_header(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Lie about versions, lengths and kinds of chunks."""
    changed = bytearray(data)
    place = 4 * rng.randrange((GLB_HEADER.size + 8) // 4)
    lie = rng.choice((0, 1, 3, len(data) - 1, len(data) + 1, 2**31, 2**32 - 1))
    changed[place : place + 4] = struct.pack("<I", lie)
    return bytes(changed)


def _on_document(change: Callable[[random.Random, Any], Any]) -> Mutation:
    def mutation(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
        document, binary = unpack(data)
        return pack(json.dumps(change(rng, json.loads(document))).encode(), binary)

    return mutation


def _or_bytes(mutation: Mutation) -> Mutation:
    """Fall back to damaging bytes where an earlier mutation left no valid container or JSON."""

    def safe(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
        try:
            return mutation(rng, data, others)
        except (ValueError, IndexError, TypeError, RecursionError, struct.error):
            return BYTE_MUTATIONS["flip_bits"](rng, data, others)

    return safe


def _places(document: Any) -> list[tuple[Any, Any]]:
    """List every value of a document as its holder and its key or index."""
    found, waiting = [], [document]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])
    return found


def _random_place(rng: random.Random, document: Any) -> tuple[Any, Any]:
    return rng.choice(_places(document))


GLB_MUTATIONS: Mapping[str, Mutation] = MappingProxyType({
    **{change.__name__: _or_bytes(_on_document(change)) for change in (
        replace_value, copy_value, delete_value, change_integer, repeat_entries)},
    **{change.__name__: _or_bytes(change) for change in (damage_floats, damage_text, damage_header)},
    **BYTE_MUTATIONS,
})  # fmt: skip
