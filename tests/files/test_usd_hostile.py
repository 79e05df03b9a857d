"""USD files that are broken, lie, or want more than to be read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pxr import Usd
from tests.support.usd_files import octahedra, two_joints

from gambol.errors import GambolError, InvalidInput, MalformedFile, UnknownName, UnreadableFile
from gambol.files import usd
from gambol.files.usd import extraction, read_usd, write_usd
from gambol.files.usd.transforms import motion_from_transforms

MUTATIONS = 150
STAGE = """#usda 1.0
(
    timeCodesPerSecond = {rate}
    metersPerUnit = {metres}
    upAxis = "Z"
)
def SkelRoot "Model"
{{
    def Skeleton "Skel" (
        prepend apiSchemas = ["SkelBindingAPI"]
    )
    {{
        uniform token[] joints = [{joints}]
        uniform matrix4d[] restTransforms = [{rest}]
        rel skel:animationSource = </Model/Anim>
    }}
    def SkelAnimation "Anim"
    {{
        uniform token[] joints = ["A"]
        float3[] translations.timeSamples = {{ {translations} }}
        quatf[] rotations = [{rotations}]
        half3[] scales = [(1, 1, 1)]
    }}
}}
"""
UNIT = "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))"
GOOD = {
    "rate": "24", "metres": "1", "joints": '"A"', "rest": UNIT, "translations": "0: [(0, 0, 0)]",
    "rotations": "(1, 0, 0, 0)",
}  # fmt: skip


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.usda"
    write_usd(path, two_joints(), skin=octahedra(two_joints().skeleton))
    return path


def test_the_stage_of_these_tests_is_sound(tmp_path: Path) -> None:
    (tmp_path / "a.usda").write_text(STAGE.format(**GOOD))
    assert read_usd(tmp_path / "a.usda").motion.frame_count == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rate": "0"}, "timeCodesPerSecond must be a positive number"),
        ({"rate": "inf"}, "timeCodesPerSecond must be a positive number"),
        ({"metres": "0"}, "metersPerUnit must be a positive number"),
        ({"metres": "nan"}, "metersPerUnit must be a positive number"),
        ({"joints": ""}, "has no joints"),
        ({"joints": '"A", "A"'}, "no tree of joints"),
        ({"joints": '"A/B", "A"'}, "no tree of joints"),
        ({"rest": f"{UNIT}, {UNIT}"}, "must be 1 matrices"),
        ({"rest": "", "joints": '"A", "A/B"'}, "not all its joints are animated"),
        ({"rest": UNIT.replace("0, 0, 0, 1", "nan, 0, 0, 1")}, "number that is not within"),
        ({"translations": "0: [(0, 0, 0), (1, 1, 1)]"}, "no translation, rotation and scale"),
        ({"translations": "0: []"}, "no translation, rotation and scale"),
        ({"translations": "0: [(0, inf, 0)]"}, "number that is not within"),
        ({"translations": "0: [(0, 0, 0)], 1e12: [(1, 0, 0)]"}, "more frames than can be read"),
        ({"translations": "0: [(0, 0, 0)], 1e6: [(1, 0, 0)]"}, "from 2 samples are more than are read"),
        ({"rotations": "(nan, 0, 0, 0)"}, "number that is not within"),
        ({"rotations": "(1, 0, 0)"}, "Tuple dimensions"),
    ],
)
def test_a_stage_that_makes_no_sense_is_malformed(change: dict[str, str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.usda"
    path.write_text(STAGE.format(**{**GOOD, **change}))
    with pytest.raises(MalformedFile, match=message):
        read_usd(path)


def test_a_syntax_error_names_its_line(good: Path) -> None:
    lines = good.read_text().splitlines()
    line = next(number for number, text in enumerate(lines) if "SkelAnimation" in text)
    lines[line] = "        def def"
    good.write_text("\n".join(lines))
    with pytest.raises(MalformedFile) as caught:
        read_usd(good)
    assert caught.value.line == line + 1


def test_files_that_are_something_else(tmp_path: Path, good: Path) -> None:
    binary = bytes(range(256)) * 16
    for name, contents, message in (
        ("garbage.usda", binary, "no USD at all"),
        ("garbage.usdz", binary, "no USD at all"),
        ("empty.usdc", b"", "no USD at all"),
        ("text.usdc", good.read_bytes(), "the contents are text; .usdc files are a crate"),
        ("garbage.usdc", b"PXR-USDC" + binary, "corrupt"),
        ("garbage2.usdz", b"PK\x03\x04" + binary, "not a USD package"),
        ("cut.usda", good.read_bytes()[:3000], "Expected"),
        ("no_skeleton.usda", b'#usda 1.0\ndef Xform "a" {\n}\n', "no skeleton"),
    ):
        path = tmp_path / name
        path.write_bytes(contents)
        with pytest.raises(MalformedFile, match=message):
            read_usd(path)


def test_files_that_are_not_there_or_too_large(tmp_path: Path, good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        read_usd(tmp_path / "gone.usda")
    (tmp_path / "folder.usda").mkdir()
    with pytest.raises(UnreadableFile, match="not a file"):
        read_usd(tmp_path / "folder.usda")
    with pytest.raises(UnknownName, match="suffix"):
        read_usd(tmp_path / "motion.fbx")
    with pytest.raises(InvalidInput, match="rate"):
        read_usd(good, rate_hz=float("nan"))
    monkeypatch.setattr(extraction, "MAX_BYTES", 1000)
    with pytest.raises(UnreadableFile, match="more than the 1,000"):
        read_usd(good)


def test_nothing_outside_the_folder_is_opened(tmp_path: Path, good: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.usda").symlink_to(good)
    assets = ("../good.usda", str(good), "https://example.com/good.usda", "./link.usda", "./gone.usda", "`'x.usda'`")
    listed = ", ".join(f"@{asset}@" for asset in assets)
    targets = ", ".join(f"@{asset}@</World>" for asset in assets)
    path = inside / "top.usda"
    path.write_text(f'#usda 1.0\ndef "World" (\n    references = [{targets}]\n)\n{{\n}}\n')
    with pytest.raises(MalformedFile, match="no skeleton"):
        read_usd(path)
    stage = STAGE.format(**GOOD).replace("(\n", f"(\n    subLayers = [{listed}]\n", 1)
    path.write_text(stage.replace('def SkelRoot "Model"', f'def SkelRoot "Model" (\n    payload = [{targets}]\n)'))
    notes = read_usd(path).notes
    assert len(notes) == len(assets)
    assert all("is not read" in note for note in notes)


def test_arcs_in_variants_and_value_clips_are_not_followed_either(tmp_path: Path, good: Path) -> None:
    path = tmp_path / "inside" / "top.usda"
    path.parent.mkdir()
    clips = '{ dictionary default = { asset[] assetPaths = [@../good.usda@]; string primPath = "/World" } }'
    path.write_text(
        '#usda 1.0\ndef "World" (\n    variants = { string v = "a" }\n    prepend variantSets = "v"\n'
        f'    clips = {clips}\n)\n{{\n    variantSet "v" = {{\n'
        '        "a" (\n            references = @../good.usda@</World>\n        ) {\n        }\n    }\n}\n'
    )
    assert Usd.Stage.Open(str(path)).GetPrimAtPath("/World/Character")  # the library itself does follow them
    with pytest.raises(MalformedFile, match="no skeleton"):
        read_usd(path)


@pytest.mark.parametrize("opening", ['def "a" {\n', "("])
def test_what_crashes_the_library_or_eats_all_memory_is_only_malformed(opening: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.usda"
    start = "#usda 1.0\n" if opening.startswith("def") else '#usda 1.0\ndef "a" {\n    int3 x = '
    path.write_text(start + opening * 100_000)
    with pytest.raises(MalformedFile, match=r"crashed|memory"):
        read_usd(path)


FORK_FOR_EACH = """
import json, os, sys
from usd_extraction.__main__ import main
for number in range(int(sys.argv[2])):
    child = os.fork()
    if child == 0:
        request = {"path": f"{sys.argv[1]}/{number}.usda", "character": None, "rate_hz": None,
                   "max_bytes": 1 << 20, "max_joint_frames": 1 << 20, "max_cpu_s": 60}
        main(json.dumps(request), f"{sys.argv[1]}/{number}.npz")
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.mark.skipif(not hasattr(sys, "getdlopenflags"), reason="needs fork")
def test_mutated_files_give_motions_or_reasons(tmp_path: Path, good: Path) -> None:
    """A process per file, but forked: thirty times faster than starting one, and as good at telling crashes."""
    rng = np.random.default_rng(20)
    original = good.read_bytes()
    for number in range(MUTATIONS):
        (tmp_path / f"{number}.usda").write_bytes(mutated(original, rng))
    command = [sys.executable, "-c", FORK_FOR_EACH, str(tmp_path), str(MUTATIONS)]
    folder = str(Path(usd.__file__).parent)
    finished = subprocess.run(
        command, env={"PYTHONPATH": folder, "OPENBLAS_NUM_THREADS": "1"}, capture_output=True, check=True
    )
    statuses = [int(line) for line in finished.stdout.split()]
    assert len(statuses) == MUTATIONS
    motions = reasons = 0
    for number, status in enumerate(statuses):
        if status:  # a signal is a crash of the library, which costs only that process; an exception is our fault
            assert status < 256, finished.stderr.decode()
            continue
        with np.load(tmp_path / f"{number}.npz") as file:
            arrays = dict(file)
        report = json.loads(bytes(arrays.pop("report")))
        if "error" in report:
            reasons += 1
            continue
        try:
            motion_from_transforms(report, arrays)
            motions += 1
        except GambolError:
            reasons += 1
    assert motions > 10
    assert reasons > 10


def mutated(original: bytes, rng: np.random.Generator) -> bytes:
    """Return a text with a few pieces deleted, doubled, overwritten or replaced by a word of the language."""
    words = (
        b"{",
        b"}",
        b"[",
        b")",
        b'"',
        b"nan",
        b"-1e999",
        b"None",
        b"99999999999",
        b"def",
        b"@a@",
        b"</World>",
        b"\xff",
    )
    data = bytearray(original)
    for _ in range(int(rng.choice([1, 1, 2, 4]))):
        start, length = int(rng.integers(len(data))), int(rng.choice([1, 3, 30, 300]))
        kind = rng.integers(5)
        if kind == 0:
            del data[start : start + length]
        elif kind == 1:
            data[start:start] = data[start : start + length]
        elif kind == 2:
            data[start] = int(rng.integers(256))
        elif kind == 3:
            data[start:start] = words[rng.integers(len(words))]
        else:
            digits = [place for place in range(start, min(start + 100, len(data))) if 48 <= data[place] <= 57]
            for place in digits[:1]:
                data[place : place + 1] = words[rng.integers(len(words))]
    return bytes(data)
