"""Whatever bytes a glTF reader is given, it answers quickly, with a motion or with an error that explains."""

from __future__ import annotations

import copy
import json
import time
import tracemalloc
from typing import Any

import numpy as np
import pytest
from tests.support.gltf_files import GltfFile, blender_like, changed, pack_glb, three_bones, unpack_glb

from gambol.errors import GambolError, MalformedFile, UnreadableFile
from gambol.files.gltf import parse_gltf

SLOWEST_S = 2.0
MOST_BYTES = 200_000_000


def valid() -> tuple[dict[str, Any], bytes]:
    file, _, _ = blender_like(np.random.default_rng(0))
    return unpack_glb(file.glb())


def refused(data: bytes) -> str:
    """Return the error's message, having checked that it came soon and cheaply."""
    tracemalloc.start()
    start = time.perf_counter()
    with pytest.raises(MalformedFile) as error:
        parse_gltf(data)
    seconds, (_, peak) = time.perf_counter() - start, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 4.0 * SLOWEST_S, f"{seconds} s"  # tracing slows Python down
    assert peak < MOST_BYTES + 8 * len(data), f"{peak} bytes"
    return str(error.value)


def test_what_is_neither_glb_nor_gltf_is_named_as_such() -> None:
    contents, binary = valid()
    data = pack_glb(contents, binary)
    for bad in (b"", b"glTF", b"PK\3\4" + data, b"\0" * 1000, b"[]", data[:15], data[: len(data) // 2], data[:-1]):
        assert refused(bad)
    assert "version" in refused(data[:4] + b"\1\0\0\0" + data[8:])
    assert "claims" in refused(data[:8] + b"\xff\xff\xff\xff" + data[12:])
    assert "claims" in refused(data[:12] + b"\xff\xff\xff\x7f" + data[16:])
    assert "JSON" in refused(data[:16] + b"BIN\0" + data[20:])


@pytest.mark.parametrize(
    "text",
    [
        b"{", b"[1, 2]", b'{"asset": ', b"\xff\xfe{}", b'{"asset": {"version": NaN}}', b'{"asset": {"version": "1.0"}}',
        b'{"asset": 3}', b"{}", b'{"asset": {"version": "2.0"}}', b"[" * 100_000, b'{"a":' * 100_000,
        b'{"asset": {"version": "2.0"}, "nodes": [' + b"{}," * 3_000_000 + b"{}]}",
        b'{"asset": {"version": "2.0"}, "nodes": [' + b"{}," * 150_000 + b"{}]}",
        b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [' + b"9" * 100_000 + b", 0, 0]}]}",
        b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [1e999, 0, 0]}]}',
    ],
    ids=lambda text: repr(text[:44]),
)  # fmt: skip
def test_bad_json_is_refused(text: bytes) -> None:
    assert refused(pack_glb(text, b""))
    if text[:1] == b"{":
        assert refused(text)


BAD_VALUES = [
    ("nodes", 5), ("nodes", []), ("nodes", [1]), ("nodes.0.children", "abc"), ("nodes.0.children", [99]),
    ("nodes.0.children", [-1]), ("nodes.0.children", [True]), ("nodes.0.children", [1.0]), ("nodes.0.children", [0]),
    ("nodes.2.children", [1]), ("nodes.4.children", [1]), ("nodes.5.children", [0]),
    ("nodes.1.translation", [1, 2]), ("nodes.1.translation", [1, 2, "3"]), ("nodes.1.rotation", [0, 0, 0, None]),
    ("nodes.1.scale", [1e30, 1, 1]), ("nodes.1.scale", 10**400), ("nodes.1.matrix", [0] * 15),
    ("nodes.6.skin", 7), ("nodes.6.skin", "x"), ("skins", {}), ("skins.0.joints", [1, 2, 300]),
    ("skins.0.joints", None), ("skins.0.inverseBindMatrices", 1000), ("skins.0.inverseBindMatrices", 1),
    ("skins.0.inverseBindMatrices", -1), ("animations", [[]]), ("animations.0.channels", {}),
    ("animations.0.channels.0.target", 3), ("animations.0.channels.0.target.node", 1 << 70),
    ("animations.0.channels.0.sampler", 99), ("animations.0.channels.0.sampler", None),
    ("animations.0.samplers", []), ("animations.0.samplers.0.input", -1), ("animations.0.samplers.0.output", 1.5),
    ("animations.0.samplers.0.output", 0), ("animations.0.samplers.0.interpolation", "CUBIC"),
    ("animations.0.samplers.0.interpolation", "CUBICSPLINE"), ("animations.0.samplers.0.interpolation", []),
    ("accessors", "x"), ("accessors.1.count", 10**12), ("accessors.1.count", -1), ("accessors.1.count", 0),
    ("accessors.1.count", "30"), ("accessors.1.count", 29), ("accessors.1.type", "VEC4"), ("accessors.1.type", []),
    ("accessors.1.componentType", 5124), ("accessors.1.componentType", {}), ("accessors.1.bufferView", 100),
    ("accessors.1.byteOffset", 1), ("accessors.1.byteOffset", -4), ("bufferViews.1.byteLength", 10**9),
    ("bufferViews.1.byteOffset", 10**9), ("bufferViews.1.byteOffset", 0.5), ("bufferViews.1.byteStride", 3),
    ("bufferViews.1.byteStride", 255), ("bufferViews.1.buffer", 1), ("bufferViews", None),
    ("buffers", []), ("buffers.0.byteLength", 10**10), ("buffers.0.byteLength", 0), ("buffers.0.uri", "a.bin"),
    ("buffers.0.uri", "data:;base64,A"), ("buffers.0.uri", "data:;base64,****"), ("buffers.0.uri", "data:"),
    ("buffers.0.uri", "data:;base64,AAAA"), ("buffers.0.uri", 5),
    ("accessors.1.sparse", {"count": 99}), ("accessors.1.sparse", {"count": 1, "indices": 4}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value"), BAD_VALUES, ids=lambda part: repr(part)[:30])
def test_a_bad_value_is_refused_with_its_name(path: str, value: object) -> None:
    contents, binary = valid()
    message = refused(pack_glb(changed(contents, path, value), binary))
    assert message


def test_numbers_that_are_none_are_refused_wherever_they_stand() -> None:
    contents, binary = valid()
    for accessor in (0, 1, 2):
        view = contents["bufferViews"][contents["accessors"][accessor]["bufferView"]]
        for bad in (np.nan, np.inf, 3e38):
            at = view["byteOffset"]
            damaged = binary[:at] + np.float32(bad).tobytes() + binary[at + 4 :]
            assert "finite" in refused(pack_glb(contents, damaged))


def test_key_times_must_increase() -> None:
    file = three_bones()
    file.animate(1, "rotation", [0.0, 2.0, 1.0], np.tile([0, 0, 0, 1], (3, 1)))
    assert "increase" in refused(file.glb())


def zeros(file: GltfFile, count: int, kind: str) -> int:
    """Add an accessor of which no byte exists."""
    file.json["accessors"].append({"componentType": 5126, "count": count, "type": kind})
    return len(file.json["accessors"]) - 1


def test_a_few_bytes_cannot_ask_for_gigabytes() -> None:
    file = three_bones()
    file.channel(1, "translation", zeros(file, 10**9, "SCALAR"), zeros(file, 10**9, "VEC3"))
    assert "room" in refused(file.glb())

    file = three_bones()  # each of them fits, all together do not
    for joint in range(3):
        for path in ("translation", "scale"):
            file.channel(joint, path, zeros(file, 900_000, "SCALAR"), zeros(file, 900_000, "VEC3"))
    assert "room" in refused(file.glb())

    file = three_bones()  # many accessors of the same bytes
    times = file.accessor(np.arange(200_000))
    first = file.accessor(np.zeros((200_000, 3)))
    for joint in range(3):
        file.json["accessors"] += [dict(file.json["accessors"][first]) for _ in range(200)]
        for copied in range(2):
            file.channel(joint, ("translation", "scale")[copied], times, first + 1 + joint * 2 + copied)
    for _ in range(100):
        file.json["nodes"].append({"translation": [0, 0, 1]})
        file.json["nodes"][2].setdefault("children", []).append(len(file.json["nodes"]) - 1)
        file.channel(len(file.json["nodes"]) - 1, "translation", times, first + len(file.json["nodes"]))
    assert "room" in refused(file.glb())


def test_two_keys_cannot_ask_for_years_of_frames() -> None:
    file = three_bones()
    file.animate(1, "translation", [0.0, 0.001, 9e8], np.zeros((3, 3)))
    assert "frames" in refused(file.glb())


def test_deep_hierarchies_are_walked_without_recursion() -> None:
    file = GltfFile()
    for depth in range(50_000):
        file.json["nodes"].append({"children": [depth + 1]})
    file.json["nodes"].append({})
    file.skin([50_000])
    assert "nodes carry" in refused(file.glb())
    file.json["skins"][0]["joints"] = [1500]
    assert parse_gltf(file.glb()).motion.skeleton.joint_count == 1
    file.json["nodes"][50_000]["children"] = [0]
    assert "cyclic" in refused(file.glb())


def test_many_equal_names_do_not_take_long() -> None:
    file = GltfFile()
    file.json["nodes"] = [{"name": "a", "children": list(range(1, 2000))}] + [{"name": "a"}] * 1999
    start = time.perf_counter()
    assert len(set(parse_gltf(file.glb()).motion.skeleton.names)) == 2000
    assert time.perf_counter() - start < SLOWEST_S


def test_compressed_buffers_are_named_as_the_reason() -> None:
    contents, binary = valid()
    for view in contents["bufferViews"]:
        view["extensions"] = {"EXT_meshopt_compression": {}}
    with pytest.raises(UnreadableFile, match="EXT_meshopt_compression"):
        parse_gltf(pack_glb(contents, binary))


ODD_VALUES = [
    None, True, False, 0, 1, -1, 2, 3, 7, 255, 256, 5120, 5126, 1 << 31, 1 << 63, -(1 << 40), 10**30, 0.5, -0.0,
    1e-30, 1e30, 1e308, "", "x", "SCALAR", "VEC3", "VEC4", "MAT4", "rotation", "STEP", "CUBICSPLINE", [], {}, [0],
    [[]], [-1], [1, 1], {"count": 1}, [0, 0, 0], [0, 0, 0, 0], [1e8] * 3, "data:,abc", "\ud800",
]  # fmt: skip


def mutated_json(contents: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Replace, remove or exchange a few values anywhere."""
    contents = copy.deepcopy(contents)
    places: list[tuple[Any, Any]] = []
    stack: list[Any] = [contents]
    while stack:
        holder = stack.pop()
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            places.append((holder, key))
            if isinstance(value, (dict, list)):
                stack.append(value)
    for _ in range(rng.integers(1, 4)):
        holder, key = places[rng.integers(len(places))]
        choice = rng.random()
        if choice < 0.7:
            value: Any = ODD_VALUES[rng.integers(len(ODD_VALUES))]
        else:
            other, other_key = places[rng.integers(len(places))]
            try:
                value = copy.deepcopy(other[other_key])
            except (KeyError, IndexError):  # gone by an earlier mutation
                continue
        if isinstance(holder, dict) and choice > 0.6:
            holder.pop(key, None)
        elif isinstance(holder, dict) or key < len(holder):
            holder[key] = value
    return contents


def mutated_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    damaged = bytearray(data)
    for _ in range(rng.integers(1, 12)):
        damaged[rng.integers(len(damaged))] = rng.integers(256)
    return bytes(damaged[: rng.integers(len(damaged))] if rng.random() < 0.1 else damaged)


@pytest.mark.parametrize("seed", range(4))
def test_random_damage_gives_a_motion_or_an_error_of_ours_and_soon(seed: int) -> None:
    rng = np.random.default_rng(seed)
    file, _, _ = blender_like(rng)
    contents, binary = unpack_glb(file.glb())
    text = json.dumps(contents).encode()
    read = 0
    for number in range(1000):
        if number % 4 == 0:
            data = mutated_bytes(pack_glb(contents, binary), rng)
        elif number % 4 == 1:
            data = pack_glb(mutated_bytes(text, rng), binary)
        else:
            data = pack_glb(mutated_json(contents, rng), binary)
        start = time.perf_counter()
        try:
            parse_gltf(data)
            read += 1
        except GambolError:
            pass
        assert time.perf_counter() - start < SLOWEST_S
    assert 50 < read < 950
