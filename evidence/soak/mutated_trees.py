"""Files of search trees, damaged and forged.

A *damaged* file is one whose bytes were changed in whatever way: it must be refused, by its structure or by its
checksum.  A *forged* one was changed by somebody who then put the checksum right.  That may be a proper tree, of
another name or with other paths, so it may be opened; but whatever is opened must be looked up without reading
outside an array and without going round in circles.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import struct
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from evidence.soak.fuzz_formats import Input, Target
from evidence.soak.mutations import BYTE_MUTATIONS, HOSTILE_WORDS, Mutation
from evidence.soak.planning_problems import random_figure
from gambol.characters import Character
from gambol.errors import GambolError
from gambol.trees import LookUp, SearchTree, grow_exhaustive, read_tree, write_tree
from gambol.trees.file import ensure_verified
from gambol.world import Footprint, Obstacle, World

FIGURES = 3
DEPTH = 2
QUERIES = 40
NO_DIGITS = b"0" * 64
_CHECKSUM = re.compile(rb"sha256:([0-9a-f]{64})")
_WIDTHS = {"F64": "d", "I64": "q", "F32": "f", "I32": "i", "U16": "H"}
ODD_NUMBERS = (
    -(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 7, 255, 65535, 65536, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1, 2**64,
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 1.5, 1e300, 2**40, 2**70, "", "0", "\ud800", "F64", "I32", "U16", "F8_E4M3", [], [0], [0, 0],
    [[0]], {}, {"a": {}}, "null", "[]", "{}", "[[]]", "1e999", "NaN", "[" * 100_000, "\0", "é" * 50,
)  # fmt: skip


class WasOpened(AssertionError):
    """A damaged file was taken for a tree."""


@cache
def figures() -> tuple[Character, ...]:
    return tuple(
        replace(random_figure(np.random.default_rng((2006, number))), name=f"figure {number}")
        for number in range(FIGURES)
    )


def tree_corpus() -> list[bytes]:
    """Return small trees as files: of figures that rest and that do not, from any behavior and from a label."""
    trees = [grow_exhaustive(figure, depth=DEPTH) for figure in figures()]
    trees.append(grow_exhaustive(figures()[0], depth=DEPTH + 1, begins="go", seed=5))
    trees.append(grow_exhaustive(figures()[1], depth=0))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.safetensors"
        found = []
        for tree in trees:
            write_tree(path, tree)
            found.append(path.read_bytes())
    return found


def open_damaged(data: bytes) -> SearchTree:
    """Open a file that must not be accepted unless it is one of the valid ones."""
    tree = _opened(data)
    walk(tree)  # whoever does not look at the checksum must not come to harm
    ensure_verified(tree)
    if data not in TARGETS["tree"].corpus:
        raise WasOpened("a damaged file was opened, and its checksum is right")
    return tree


def open_forged(data: bytes) -> SearchTree:
    """Open a file whose checksum is right, and if that succeeds use it in every way that there is."""
    tree = _opened(data)
    ensure_verified(tree)
    walk(tree)
    for figure in figures():
        try:
            look_up = LookUp(tree, figure, _world())
        except GambolError:
            continue  # another character's
        rng = np.random.default_rng(len(data))
        starts = rng.uniform((-3.0, -3.0, -4.0), (3.0, 3.0, 4.0), (QUERIES, 3))
        answers = look_up.many(starts, starts[:, :2] + rng.uniform(-1.5, 1.5, (QUERIES, 2)))
        for node, start in zip(answers.nodes.tolist(), starts.tolist(), strict=True):
            if node >= 0:
                look_up.steps(node, tuple(start))
    return tree


def walk(tree: SearchTree) -> None:
    """Raise unless every place that a tree points at is there, in plain Python; every path must come to the root."""
    nodes, clips, behaviors = len(tree), len(tree.clip_behavior), len(tree.behaviors)
    parent, clip, frame = tree.parent.tolist(), tree.clip.tolist(), tree.frame.tolist()
    assert tree.edge_cost.shape == (behaviors, behaviors)
    assert tree.first_cost.shape == (behaviors,)
    assert clips == sum(one.clips for one in tree.behaviors)
    assert all(abs(value) < 1e6 for value in tree.pose.reshape(-1).tolist())
    for node in range(nodes):
        assert 0 <= clip[node] < clips
        steps, at = 0, node
        while at != 0:
            assert 0 <= parent[at] < nodes
            assert frame[parent[at]] < frame[at]
            at, steps = parent[at], steps + 1
            assert steps <= nodes, "round in circles"
    grid = tree.grid
    first, entries = grid.first_entry.tolist(), grid.entries.tolist()
    assert len(first) == grid.rows * grid.columns * grid.groups + 1
    assert grid.cell_m > 0.0
    for number in range(len(first) - 1):
        assert 0 <= first[number] <= first[number + 1] <= len(entries)
        assert all(1 <= node < nodes for node in entries[first[number] : first[number + 1]])


def check_tree(tree: object) -> None:
    if not isinstance(tree, SearchTree):
        raise TypeError(f"the reader returned {type(tree).__name__}, not a tree")


@cache
def _world() -> World:
    things = (
        Obstacle("box", Footprint.box(0.4, 0.2), (1.0, 0.5, 0.3), 0.0, 2.0),
        Obstacle("disc", Footprint.disc(0.2), (-1.0, -0.5, 0.0), 0.0, 2.0),
    )
    return World((-4.0, -4.0, 4.0, 4.0), things)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


_numbers = count()


def _opened(data: bytes) -> SearchTree:
    """Open bytes as what they are in use: a file that is mapped."""
    path = Path(_folder().name) / f"{next(_numbers)}.safetensors"
    path.write_bytes(data)
    try:
        return read_tree(path)
    finally:
        path.unlink()


def sealed(data: bytes) -> bytes:
    """Put the checksum of a file right, if it has one."""
    found = _CHECKSUM.search(data)
    if found is None:
        return data
    zeroed = data[: found.start(1)] + NO_DIGITS + data[found.end(1) :]
    return data[: found.start(1)] + hashlib.sha256(zeroed).hexdigest().encode() + data[found.end(1) :]


def parted(data: bytes) -> tuple[dict[str, Any], bytes] | None:
    """Return header and arrays, or None where earlier damage left none."""
    length = int.from_bytes(data[:8], "little")
    try:
        header = json.loads(data[8 : 8 + length])
    except (ValueError, RecursionError):
        return None
    return (header, data[8 + length :]) if isinstance(header, dict) and len(data) >= 8 + length else None


def joined(header: Mapping[str, Any], body: bytes) -> bytes:
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)
    return len(text).to_bytes(8, "little") + text + body


def _with_header(change: Callable[[random.Random, dict[str, Any]], None]) -> Mutation:
    """Return a mutation of the header alone, which stays JSON, with its length put right."""

    def mutate(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
        parts = parted(data)
        if parts is None:
            return data + b"\0"
        change(rng, parts[0])
        return joined(*parts)

    return mutate


def _entries(header: dict[str, Any]) -> list[str]:
    """Return the names of arrays that are still described as arrays are."""
    return [
        name
        for name, about in header.items()
        if isinstance(about, dict) and isinstance(about.get("data_offsets"), list) and len(about["data_offsets"]) == 2
    ]


def _typed_entries(header: dict[str, Any]) -> list[str]:
    """Return the names of arrays of a type that numbers can be put into."""
    return [name for name in _entries(header) if str(header[name].get("dtype")) in _WIDTHS]


def _change_entry(rng: random.Random, header: dict[str, Any]) -> None:
    """Give an array another type, shape or place."""
    names = _entries(header)
    if not names:
        return
    about = header[rng.choice(names)]
    field = rng.choice(list(about))
    value = about[field]
    if isinstance(value, list) and value and rng.random() < 0.7:
        place = rng.randrange(len(value))
        nearby = [value[place] + step for step in (-64, -8, -4, -1, 1, 4, 8, 64)] if type(value[place]) is int else []
        value[place] = rng.choice((*nearby, *ODD_NUMBERS))
    else:
        about[field] = rng.choice(ODD_VALUES)


def _change_shape(rng: random.Random, header: dict[str, Any]) -> None:
    """Describe the same bytes as another type or shape."""
    names = _entries(header)
    if not names:
        return
    about = header[rng.choice(names)]
    begin, end = about["data_offsets"]
    kind = rng.choice(tuple(_WIDTHS))
    about["dtype"] = kind
    if type(begin) is int and type(end) is int:
        total = max(end - begin, 0) // struct.calcsize(_WIDTHS[kind])
        about["shape"] = rng.choice(([total], [total // 2, 2], [total // 3, 3], [1, total], [total, 0], []))


def _swap_places(rng: random.Random, header: dict[str, Any]) -> None:
    """Let two arrays have each other's bytes."""
    names = _entries(header)
    if len(names) >= 2:
        one, other = rng.sample(names, 2)
        about, another = header[one], header[other]
        if rng.random() < 0.5:
            about["data_offsets"], another["data_offsets"] = another["data_offsets"], about["data_offsets"]
        else:
            header[one], header[other] = another, about


def _rename(rng: random.Random, header: dict[str, Any]) -> None:
    name = rng.choice(list(header)) if header else ""
    about = header.pop(name, None)
    if rng.random() < 0.6:
        header[rng.choice(("grid", "pose", "parent", "extra", "__metadata__", name.upper(), name + " "))] = about


def _replace_text(rng: random.Random, header: dict[str, Any]) -> None:
    """Change one of the texts: drop it, put something odd in its place, or alter one character or number of it."""
    texts = header.get("__metadata__")
    if not (isinstance(texts, dict) and texts):
        return
    name = rng.choice(list(texts))
    how = rng.random()
    if how < 0.1:
        del texts[name]
    elif how < 0.2:
        texts[rng.choice(("extra", "format", name + "s"))] = texts[name]
    elif how < 0.45 or not isinstance(texts[name], str) or not texts[name]:
        texts[name] = rng.choice(ODD_VALUES)
    elif how < 0.7:
        place = rng.randrange(len(texts[name]))
        texts[name] = texts[name][:place] + rng.choice('0123456789abz,[]{}":.-e ') + texts[name][place + 1 :]
    else:
        odd = (*(str(number) for number in ODD_NUMBERS), *(word.decode("latin-1") for word in HOSTILE_WORDS[:24]))
        numbers = list(re.finditer(r"-?\d+(?:\.\d+)?", texts[name]))
        if numbers:
            found = rng.choice(numbers)
            texts[name] = texts[name][: found.start()] + rng.choice(odd) + texts[name][found.end() :]


def change_header_text(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Damage the header's bytes, with its length put right."""
    length = int.from_bytes(data[:8], "little")
    if not 0 < length <= len(data) - 8:
        return data + b"\0"
    mutation = rng.choice(list(BYTE_MUTATIONS.values()))
    text = mutation(rng, data[8 : 8 + length], [other[8:2000] for other in others])
    text += b" " * (-(8 + len(text)) % rng.choice((1, 64)))
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


def _one_array(rng: random.Random, data: bytes) -> tuple[dict[str, Any], bytearray, dict[str, Any]] | None:
    """Return the header, the data and an array's entry of a file that can be taken apart, else None."""
    parts = parted(data)
    names = [] if parts is None else _typed_entries(parts[0])
    if parts is None or not names:
        return None
    return parts[0], bytearray(parts[1]), parts[0][rng.choice(names)]


def change_number(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Put other numbers into an array: neighbours, extremes, numbers of other places."""
    drawn = _one_array(rng, data)
    if drawn is None:
        return data + b"\0"
    header, body, about = drawn
    letter, (begin, end) = _WIDTHS[about["dtype"]], about["data_offsets"]
    width = struct.calcsize(letter)
    if not (type(begin) is int and type(end) is int and begin >= 0 and begin + width <= end <= len(body)):
        return data + b"\0"
    for _round in range(rng.choice((1, 1, 1, 2, 10))):
        place = begin + width * rng.randrange((end - begin) // width)
        (old,) = struct.unpack_from("<" + letter, body, place)
        struct.pack_into("<" + letter, body, place, _other_number(rng, letter, old))
    return joined(header, bytes(body))


def _other_number(rng: random.Random, letter: str, old: float) -> float:
    if letter in "fd":
        odd = (0.0, -0.0, 1e-40, 1.0, -50.0, 1e5, 2e5, -1e30, 3e38, float("inf"), float("-inf"), float("nan"))
        return rng.choice((*odd, -old, old * 1.001 if abs(old) < 1e30 else 0.0))
    bits = 8 * struct.calcsize(letter)
    low, high = (0, 2**bits - 1) if letter.isupper() else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    value = rng.choice((old - 1, old + 1, old ^ (1 << rng.randrange(bits - 1)), rng.randrange(100), *ODD_NUMBERS))  # pyright: ignore[reportOperatorIssue]
    return min(max(int(value), low), high)


def swap_numbers(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Exchange two numbers of the same array: a parent for another, a frame for another."""
    drawn = _one_array(rng, data)
    if drawn is None:
        return data + b"\0"
    header, body, about = drawn
    width, (begin, end) = struct.calcsize(_WIDTHS[about["dtype"]]), about["data_offsets"]
    if not (type(begin) is int and type(end) is int and begin >= 0 and begin + 2 * width <= end <= len(body)):
        return change_number(rng, data, others)
    one, other = (begin + width * rng.randrange((end - begin) // width) for _ in range(2))
    body[one : one + width], body[other : other + width] = body[other : other + width], body[one : one + width]
    return joined(header, bytes(body))


FIELD_MUTATIONS: Mapping[str, Mutation] = MappingProxyType({
    "change_entry": _with_header(_change_entry),
    "change_shape": _with_header(_change_shape),
    "swap_places": _with_header(_swap_places),
    "rename": _with_header(_rename),
    "replace_value": _with_header(_replace_text),
    "change_number": change_number,
    "swap_numbers": swap_numbers,
})  # fmt: skip
DAMAGE: Mapping[str, Mutation] = MappingProxyType(
    {**BYTE_MUTATIONS, "change_header_text": change_header_text, **FIELD_MUTATIONS}
)
FORGERY: Mapping[str, Mutation] = MappingProxyType({**FIELD_MUTATIONS, "change_header_text": change_header_text})


@dataclass(frozen=True)
class TreeTarget(Target):
    """Trees in files that are damaged, and sealed again where forged."""

    is_forged: bool = False

    def make_input(self, number: int | str) -> Input:
        """Make input `number`; what happens to leave a valid file as it was is done again otherwise."""
        for attempt in count():
            made = super().make_input(number if attempt == 0 else f"{number}/{attempt}")
            data = sealed(made.data) if self.is_forged else made.data
            if data not in self.corpus:
                return Input(data, made.recipe)
        raise AssertionError("unreachable")


TARGETS: Mapping[str, Target] = MappingProxyType({
    "tree": TreeTarget("tree", ".safetensors", 100_000, tree_corpus, open_damaged, DAMAGE, check=check_tree),
    "tree-forged": TreeTarget(
        "tree-forged", ".safetensors", 50_000, tree_corpus, open_forged, FORGERY, check=check_tree, is_forged=True
    ),
})  # fmt: skip
