"""ASF/AMC in, against a second implementation with matrices and against hostile input."""

from __future__ import annotations

import math
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from evidence.soak.corpus.acclaim import to_amc, to_asf
from evidence.soak.corpus.motions import small_motions
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.errors import InvalidInput, MalformedFile, UnreadableFile
from gambol.files.asf_amc import parse_amc, parse_asf, read_asf_amc
from gambol.files.bvh import read_bvh
from gambol.motion import Motion, joint_names

CMU_UNIT = 0.0254 / 0.45

# A skeleton like CMU's: direction, length, axis in degrees, dof; the left side's is mirrored.
SPINE = {
    "lowerback": ((0.05, 0.998, -0.02), 2.05, (0, 0, 0), "rx ry rz"),
    "upperback": ((0.001, 0.999, 0.01), 2.06, (0, 0, 0), "rx ry rz"),
    "thorax": ((0.0, 0.999, -0.01), 2.07, (0, 0, 0), "rx ry rz"),
    "lowerneck": ((-0.01, 0.99, 0.13), 1.74, (0, 0, 0), "rx ry rz"),
    "upperneck": ((0.02, 0.99, -0.08), 1.78, (0, 0, 0), "rx ry rz"),
    "head": ((0.01, 0.99, -0.02), 1.79, (0, 0, 0), "rx ry rz"),
}
LEFT = {
    "hipjoint": ((0.645, -0.714, 0.273), 2.4, (0, 0, 0), ""),
    "femur": ((0.342, -0.94, 0.0), 7.16, (0, 0, 20), "rx ry rz"),
    "tibia": ((0.342, -0.94, 0.0), 7.49, (0, 0, 20), "rx"),
    "foot": ((0.12, -0.33, 0.94), 2.15, (-90, 0, 20), "rx rz"),
    "toes": ((0.001, -0.002, 1.0), 1.14, (-90, 0, 20), "rx"),
    "clavicle": ((0.93, 0.37, -0.02), 3.73, (0, 0, 0), "ry rz"),
    "humerus": ((1.0, -4.48953e-11, 1.43537e-26), 5.33, (180, 30, 90), "rx ry rz"),
    "radius": ((1.0, -4.48953e-11, 1.4e-26), 3.42, (180, 30, 90), "rx"),
    "wrist": ((1.0, -8.9e-11, 2.8e-26), 1.71, (-9.31228e-15, 90, 90), "ry"),
    "hand": ((1.0, -8.9e-11, 5.7e-26), 0.69, (-1.83174e-14, 90, 90), "rx rz"),
    "fingers": ((1.0, -1.8e-10, 1.1e-25), 0.56, (-3.6e-14, 90, 90), "rx"),
    "thumb": ((0.707, -6.3e-11, 0.707), 0.8, (-90, 45, 6.7e-15), "rx rz"),
}
HIERARCHY = """\
    root lhipjoint rhipjoint lowerback
    lhipjoint lfemur
    lfemur ltibia
    ltibia lfoot
    lfoot ltoes
    rhipjoint rfemur
    rfemur rtibia
    rtibia rfoot
    rfoot rtoes
    lowerback upperback
    upperback thorax
    thorax lowerneck lclavicle rclavicle
    lowerneck upperneck
    upperneck head
    lclavicle lhumerus
    lhumerus lradius
    lradius lwrist
    lwrist lhand lthumb
    lhand lfingers
    rclavicle rhumerus
    rhumerus rradius
    rradius rwrist
    rwrist rhand rthumb
    rhand rfingers
"""
HEADER = """\
# AST/ASF file generated using VICON BodyLanguage
# -----------------------------------------------
:version 1.10
:name VICON
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   .ast/.asf automatically generated from VICON data using
   VICON BodyBuilder and BodyLanguage model FoxedUp or BRILLIANT.MOD
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0\x20\x20
   orientation 0 0 0\x20
"""


def cmu_bones() -> dict[str, tuple]:
    right = {
        "r" + name: ((-x, y, z), length, (a, -b, -c), dof) for name, ((x, y, z), length, (a, b, c), dof) in LEFT.items()
    }
    return {**{"l" + name: bone for name, bone in LEFT.items()}, **right, **SPINE}


def asf_text(bones: dict[str, tuple], hierarchy: str = HIERARCHY, header: str = HEADER) -> str:
    """Lay bones out as CMU's files do."""
    lines = [header + ":bonedata"]
    for number, (name, (direction, length, axis, dof, *order)) in enumerate(bones.items(), 1):
        lines += ["  begin", f"     id {number} ", f"     name {name}"]
        lines.append(f"     direction {' '.join(f'{value:g}' for value in direction)}  ")
        lines.append(f"     length {length:g} ")
        lines.append(f"     axis {' '.join(f'{value:g}' for value in axis)}  {order[0] if order else 'XYZ'}")
        if dof:
            first, *others = ["(-160.0 20.0)"] * len(dof.split())
            lines += [f"    dof {dof}", f"    limits {first}", *(" " * 11 + other for other in others)]
        lines.append("  end")
    return "\n".join([*lines, ":hierarchy", "  begin", hierarchy.rstrip("\n"), "  end"]) + "\n"


def amc_text(frames: list[dict[str, list[float]]], numbers: list[int] | None = None) -> str:
    lines = ["#!OML:ASF F:\\VICON\\USERDATA\\INSTALL\\rory3\\rory3.ASF", ":FULLY-SPECIFIED", ":DEGREES"]
    for index, frame in enumerate(frames):
        lines.append(str(numbers[index] if numbers else index + 1))
        lines += [f"{name} {' '.join(f'{value!r}' for value in values)}" for name, values in frame.items()]
    return "\n".join(lines) + "\n"


def random_frames(bones: dict[str, tuple], count: int, seed: int = 1) -> list[dict[str, list[float]]]:
    rng = np.random.default_rng(seed)
    frames = []
    for _ in range(count):
        frame = {"root": [*rng.normal(0, 20, 3).tolist(), *rng.uniform(-180, 180, 3).tolist()]}
        for name, bone in bones.items():
            if dof := bone[3].split():
                frame[name] = [float(rng.normal(0, 1 if word in "tx ty tz l" else 60)) for word in dof]
        frames.append(frame)
    return frames


def turn(axis: str, degrees: float) -> np.ndarray:
    """Return the textbook matrix of a turn about one axis."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    rows = {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]]}
    return np.array(rows.get(axis, [[c, -s, 0], [s, c, 0], [0, 0, 1]]))


def applied_in_turn(turns: list[tuple[str, float]]) -> np.ndarray:
    """Multiply turns so that the first in the list acts first."""
    matrix = np.eye(3)
    for axis, degrees in turns:
        matrix = turn(axis, degrees) @ matrix
    return matrix


def brute_force(
    bones: dict[str, tuple], hierarchy: str, frame: dict[str, list[float]]
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return where bones start and end in one frame, in the file's axes and units, by recursion."""
    children: dict[str, list[str]] = {}
    for parent, *names in map(str.split, hierarchy.splitlines()):
        children.setdefault(parent, []).extend(names)
    starts, ends = {}, {}

    def visit(name: str, start: np.ndarray, world: np.ndarray) -> None:
        direction, length, axis, dof, *order = bones[name]
        given = dict(zip(dof.split(), frame.get(name, [0.0] * len(dof.split())), strict=True))
        frame_axes = applied_in_turn(list(zip((order or ["XYZ"])[0].lower(), axis, strict=True)))
        shift = [given.get("tx", 0.0), given.get("ty", 0.0), given.get("tz", 0.0)]
        starts[name] = start + world @ frame_axes @ shift
        turns = applied_in_turn([(word[1], value) for word, value in given.items() if word[0] == "r"])
        world = world @ frame_axes @ turns @ np.linalg.inv(frame_axes)
        unit = np.array(direction) / np.linalg.norm(direction)
        ends[name] = starts[name] + world @ unit * (length + given.get("l", 0.0))
        for child in children.get(name, []):
            visit(child, ends[name], world)

    position, angles = np.array(frame["root"][:3]), frame["root"][3:]
    starts["root"] = position
    for child in children["root"]:
        visit(child, position, applied_in_turn(list(zip("xyz", angles, strict=True))))
    return starts, ends


def to_ours(vector: np.ndarray, unit: float = CMU_UNIT) -> np.ndarray:
    x, y, z = vector
    return np.array([z, x, y]) * unit


def assert_agrees(bones: dict[str, tuple], hierarchy: str, frames: list[dict], motion, tips: bool = True) -> None:
    skeleton = motion.skeleton
    for index, frame in enumerate(frames):
        starts, ends = brute_force(bones, hierarchy, frame)
        for name, start in starts.items():
            found = motion.world_positions[index, skeleton.index(name)]
            np.testing.assert_allclose(found, to_ours(start), atol=1e-9, err_msg=f"{name} in frame {index}")
        for tip, joint in enumerate(skeleton.tip_parents if tips else ()):
            found = motion.tip_positions[index, tip]
            np.testing.assert_allclose(found, to_ours(ends[skeleton.names[joint]]), atol=1e-9)


BONES = cmu_bones()
ASF = asf_text(BONES)
FRAMES = random_frames(BONES, 4)
AMC = amc_text(FRAMES)


def small_pair(**replaced: str) -> tuple[str, str]:
    """Return a skeleton of two bones and two frames of motion, with parts of the texts replaced."""
    asf = (
        ":version 1.10\n:name two\n:units\n mass 1.0\n length 0.45\n angle deg\n"
        ":root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n"
        ":bonedata\n begin\n id 1\n name thigh\n direction 0 -1 0\n length 4\n axis 0 0 20 XYZ\n dof rx ry rz\n"
        " limits (-160.0 20.0)\n (-70.0 70.0)\n (-60.0 inf)\n end\n"
        " begin\n id 2\n name shin\n direction 0 -1 0\n length 5\n axis 0 0 20 XYZ\n dof rx\n end\n"
        ":hierarchy\n begin\n root thigh\n thigh shin\n end\n"
    )
    amc = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 9 0 0 0 0\nthigh 1 2 3\nshin 4\n"
    amc += "2\nroot 1 9 0 0 90 0\nthigh 9 0 0\nshin 9\n"
    for old, new in replaced.items():
        asf, amc = (text.replace(old.replace("_", " "), new) for text in (asf, amc))
    return asf, amc


def test_positions_agree_with_a_second_implementation_on_a_cmu_skeleton():
    reading = parse_amc(AMC, parse_asf(ASF))
    assert reading.motion.skeleton.joint_count == 31
    assert reading.motion.frame_count == 4
    assert len(reading.motion.skeleton.tip_parents) == 7  # toes, fingers and thumbs of both sides, head
    assert_agrees(BONES, HIERARCHY, FRAMES, reading.motion)


def test_a_joint_sits_where_its_bone_starts_and_the_rest_pose_follows_directions():
    skeleton = parse_asf(ASF).skeleton
    assert skeleton.names[:4] == ("root", "lhipjoint", "lfemur", "ltibia")
    assert np.all(skeleton.offsets[skeleton.index("lhipjoint")] == 0.0)
    hip = np.array(LEFT["hipjoint"][0]) / np.linalg.norm(LEFT["hipjoint"][0]) * LEFT["hipjoint"][1]
    np.testing.assert_allclose(skeleton.rest_positions[skeleton.index("lfemur")], to_ours(hip), atol=1e-12)
    assert skeleton.rest_positions[skeleton.index("lhumerus"), 1] > 0.0  # left is +Y
    assert skeleton.rest_positions[skeleton.index("ltibia"), 2] < 0.0  # knees are below the hips


def test_zero_values_are_the_rest_pose():
    still = [{name: [0.0] * len(values) for name, values in FRAMES[0].items()}]
    motion = parse_amc(amc_text(still), parse_asf(ASF)).motion
    np.testing.assert_allclose(motion.rotations[..., 1:], 0.0, atol=1e-12)
    np.testing.assert_allclose(motion.world_positions[0], motion.skeleton.rest_positions, atol=1e-12)


def assert_comes_back(motion: Motion, *, atol: float) -> None:
    """Write a motion as ASF/AMC with turned axes, read it and compare."""
    axis = (10.0, -90.0, 35.0)
    asf = parse_asf(to_asf(motion.skeleton, axis_degrees=axis))
    back = parse_amc(to_amc(motion, axis_degrees=axis), asf, rate_hz=motion.rate_hz).motion
    joints = [0, *(back.skeleton.index(name) for name in motion.skeleton.names[1:])]
    np.testing.assert_allclose(back.world_positions[:, joints], motion.world_positions, atol=atol)
    np.testing.assert_allclose(
        np.abs(np.sum(back.world_rotations[:, joints] * motion.world_rotations, -1)), 1, atol=1e-6
    )


@pytest.mark.parametrize("shape", ["single joint, one frame", "chain", "biped"])
def test_a_motion_written_as_a_pair_comes_back(shape):
    assert_comes_back(small_motions()[shape], atol=1e-7)


@pytest.mark.parametrize("capture", ["walk_forward/07_01.bvh", "crawl/108_23.bvh", "var_jumpingjack/22_15.bvh"])
def test_a_capture_written_as_a_pair_comes_back(mocap: Path, capture):
    assert_comes_back(read_bvh(mocap / capture).motion, atol=1e-6)


def test_the_names_map_to_the_common_ones():
    skeleton = parse_asf(ASF).skeleton
    assert [limb.side for limb in joint_names.legs(skeleton)] == ["left", "right"]
    assert [limb.side for limb in joint_names.arms(skeleton)] == ["left", "right"]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_positions_agree_for_any_order_of_axes_and_degrees_of_freedom(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    bones = {}
    for name in ("a", "b", "c", "d"):
        dof = data.draw(st.permutations(["rx", "ry", "rz", "tx", "ty", "tz", "l"]))
        dof = dof[: data.draw(st.integers(0, 7))]
        order = data.draw(st.permutations("XYZ"))
        bones[name] = (rng.normal(size=3), rng.uniform(0, 9), rng.uniform(-180, 180, 3), " ".join(dof), "".join(order))
    # What is printed with six digits is what the file says.
    bones = {
        name: (tuple(float(f"{v:g}") for v in d), float(f"{n:g}"), tuple(float(f"{v:g}") for v in a), *rest)
        for name, (d, n, a, *rest) in bones.items()
    }
    hierarchy = "root a\na b\na c\nc d\n"
    frames = random_frames(bones, 2, seed=int(rng.integers(1 << 30)))
    motion = parse_amc(amc_text(frames), parse_asf(asf_text(bones, hierarchy))).motion
    assert_agrees(bones, hierarchy, frames, motion, tips=not any(bones[leaf][3].count("l") for leaf in "bd"))


@pytest.mark.parametrize("order", ["RZ RY RX TX TY TZ", "tz ry tx rx ty rz"])
def test_the_root_follows_the_order_line(order):
    asf, _ = small_pair(TX_TY_TZ_RX_RY_RZ=order)
    values = dict(zip(order.lower().split(), [10.0, 20.0, 30.0, 40.0, 50.0, 60.0], strict=True))
    motion = parse_amc(":DEGREES\n7\nroot 10 20 30 40 50 60\n", parse_asf(asf)).motion
    expected = to_ours(np.array([values["tx"], values["ty"], values["tz"]]))
    np.testing.assert_allclose(motion.root_positions[0], expected, atol=1e-12)
    turns = [(word[1], value) for word, value in values.items() if word[0] == "r"]
    knee = motion.world_positions[0, 2] - motion.world_positions[0, 0]
    np.testing.assert_allclose(knee, to_ours(applied_in_turn(turns) @ [0, -4, 0]), atol=1e-12)


def test_a_roots_own_position_and_orientation_come_before_the_motion():
    asf, amc = small_pair(position_0_0_0="position 1 2 3", orientation_0_0_0="orientation 0 0 90")
    reading = parse_amc(amc, parse_asf(asf))
    np.testing.assert_allclose(reading.motion.root_positions[0], to_ours(np.array([1, 11, 3])), atol=1e-12)
    knee = reading.motion.world_positions[0, 2] - reading.motion.root_positions[0]
    np.testing.assert_allclose(knee, to_ours(np.array([4, 0, 0])), atol=0.3)  # down, turned by 90°, is +x
    assert any("orientation" in note for note in reading.notes)


def test_angles_may_be_radians_in_both_files():
    asf, amc = small_pair()
    degrees = parse_amc(amc, parse_asf(asf)).motion
    asf = asf.replace("angle deg", "angle rad").replace("0 0 20", f"0 0 {math.radians(20)!r}")
    in_radians = []
    for line in amc.replace(":DEGREES", ":RADIANS").splitlines():
        name, *values = line.split()
        start = 3 if name == "root" else 0
        turned = [repr(math.radians(float(v))) if i >= start else v for i, v in enumerate(values)]
        in_radians.append(" ".join([name, *turned]))
    for text in ("\n".join(in_radians), "\n".join(in_radians).replace(":RADIANS", "")):
        motion = parse_amc(text, parse_asf(asf)).motion
        np.testing.assert_allclose(motion.world_positions, degrees.world_positions, atol=1e-12)


def test_the_unit_of_length_is_that_of_the_file_unless_overruled():
    asf, _ = small_pair()
    assert parse_asf(asf).metres_per_unit == pytest.approx(0.056444, abs=1e-6)
    assert parse_asf(asf.replace("length 0.45", "length 1.0")).metres_per_unit == pytest.approx(0.0254)
    assert parse_asf(asf, unit="cm").skeleton.bone_lengths[2] == pytest.approx(0.04)
    assert parse_asf(asf, unit=0.5).skeleton.bone_lengths[2] == pytest.approx(2.0)
    no_units = asf.replace(":units\n mass 1.0\n length 0.45\n angle deg\n", "")
    assert parse_asf(no_units).notes == ("the skeleton does not say its unit of length: taken as inches",)
    with pytest.raises(InvalidInput, match="unit"):
        parse_asf(asf, unit="furlong")


def test_the_rate_is_120_hz_with_a_note_unless_given():
    asf, amc = map(str, small_pair())
    guessed = parse_amc(amc, parse_asf(asf))
    assert guessed.motion.rate_hz == 120.0
    assert guessed.notes == ("AMC files do not say their rate: taken as 120 Hz",)
    assert parse_amc(amc, parse_asf(asf), rate_hz=60).notes == ()
    for rate in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(InvalidInput, match="rate"):
            parse_amc(amc, parse_asf(asf), rate_hz=rate)


def test_bones_may_come_in_any_order_and_a_missing_one_keeps_zeros_with_a_note():
    asf, _ = small_pair()
    shuffled = "1\nshin 4\nthigh 1 2 3\nroot 0 9 0 0 0 0\n2\nthigh 1 2 3\nroot 0 9 0 0 0 0\n"
    reading = parse_amc(shuffled, parse_asf(asf), rate_hz=120)
    assert reading.notes == ("bones without values in some frames, taken as zero: shin in 1",)
    np.testing.assert_allclose(reading.motion.rotations[1, 2], [1, 0, 0, 0], atol=1e-12)
    assert abs(reading.motion.rotations[0, 2, 0]) < 1.0 - 1e-4


def test_frame_numbers_that_skip_are_noted_and_those_that_go_back_are_an_error():
    asf, amc = small_pair()
    reading = parse_amc(amc.replace("\n2\n", "\n12\n"), parse_asf(asf), rate_hz=120)
    assert reading.motion.frame_count == 2
    assert "leave out 10 frames" in reading.notes[0]
    with pytest.raises(MalformedFile, match="frame 1 after frame 1") as caught:
        parse_amc(amc.replace("\n2\n", "\n1\n"), parse_asf(asf))
    assert caught.value.line == 7


def test_comments_line_ends_case_and_brackets_make_no_difference():
    asf, amc = small_pair()
    expected = parse_amc(amc, parse_asf(asf)).motion.world_positions
    noisy = "\ufeff# caf\xe9\n" + asf.replace("direction 0 -1 0", "direction (0, -1, 0) # down").replace("dof", "DOF")
    for end in ("\r\n", "\r", "\n"):
        motion = parse_amc(amc.replace("\n", end).encode(), parse_asf(noisy.replace("\n", end).encode())).motion
        np.testing.assert_array_equal(motion.world_positions, expected)
    assert parse_asf(b"# caf\xe9 in latin-1\n" + asf.encode()).skeleton.joint_count == 3


def test_a_hierarchy_may_spread_over_lines_and_blocks():
    bones = {name: BONES[name] for name in ("lhipjoint", "rhipjoint", "lowerback")}
    together = parse_asf(asf_text(bones, "root lhipjoint rhipjoint lowerback")).skeleton
    apart = parse_asf(asf_text(bones, "root lhipjoint\nend\nbegin\nroot rhipjoint\nroot lowerback")).skeleton
    assert together.names == apart.names
    np.testing.assert_array_equal(together.offsets, apart.offsets)


def test_unknown_sections_and_keywords_are_ignored_with_a_note():
    asf, _ = small_pair()
    odd = asf.replace(":hierarchy", ":skin\n body.obj\n:hierarchy").replace("id 2\n", "id 2\n bodymass 3\ncolour red\n")
    assert parse_asf(odd).notes == (
        "line 34: section ':skin' is not known and was ignored",
        "'colour' in a bone is not known and was ignored",
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (":root\n", ":roof\n", 36, "without a section :root"),
        (" order TX TY TZ RX RY RZ\n", "", 7, "order"),
        ("TX TY TZ RX", "TX TX TZ RX", 8, "'TX'"),
        ("length 0.45", "length -1", 5, "unit of length"),
        ("angle deg", "angle gon", 6, "'gon'"),
        ("axis XYZ", "axis XXZ", 9, "'XXZ'"),
        ("direction 0 -1 0", "direction 0 nan 0", 16, "'nan'"),
        ("direction 0 -1 0", "direction 0 -1", 16, "3 values after direction"),
        ("direction 0 -1 0", "direction 0 0 0", 13, "direction"),
        ("length 4", "length 1e999", 17, "'1e999'"),
        ("length 4", "length -4", 13, "length"),
        ("length 4", "length four", 17, "'four'"),
        ("dof rx ry rz", "dof rx rx rz", 19, "'rx'"),
        ("dof rx ry rz", "dof rx rw", 19, "'rw'"),
        (" end\n begin\n id 2", " id 2", 23, "second 'id'"),
        ("name shin", "name thigh", 26, "second bone"),
        ("name shin", "name root", 26, "second bone"),
        ("name shin", "name " + "s" * 1000, 26, "characters"),
        ("name shin\n", "", 24, "without name"),
        ("root thigh", "root thigj", 34, "did you mean 'thigh'"),
        ("thigh shin", "thigh shin shin", 35, "'shin'"),
        ("thigh shin", "thigh shin root", 35, "'root'"),
        (" root thigh\n thigh shin", " thigh shin\n shin thigh", 32, "does not hang on the root"),
        (" thigh shin\n", "", 32, "'shin'"),
        (" begin\n root", " root", 33, "expected begin"),
        (":hierarchy", ":bonedata", 32, "second section"),
    ],
)  # fmt: skip
def test_a_broken_skeleton_is_described_with_its_line(old, new, line, message):
    asf, _ = small_pair()
    assert old in asf
    with pytest.raises(MalformedFile, match=message) as caught:
        parse_asf(asf.replace(old, new, 1))
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("1\nroot 0 9", "root 0 9", 3, "number of the first frame"),
        ("1\nroot 0 9", "9999999999\nroot 0 9", 3, "frame number"),
        ("thigh 1 2 3", "thigh 1 2", 5, "2 values in frame 1, expected 3"),
        ("thigh 1 2 3", "thigh 1 2 3 4", 5, "4 values in frame 1, expected 3"),
        ("thigh 1 2 3", "thigh 1 inf 3", 5, "'inf'"),
        ("thigh 1 2 3", "thigh 1 2,5x 3", 5, "4 values"),
        ("thigh 1 2 3", "thigh 1 2x 3", 5, "'2x'"),
        ("thigh 1 2 3", "shin 4", 6, "twice"),
        ("shin 4", "shim 4", 6, "did you mean 'shin'"),
        ("shin 4", "shin 4 :DEGREES", 6, "2 values"),
    ],
)  # fmt: skip
def test_a_broken_motion_is_described_with_its_line(old, new, line, message):
    asf, amc = small_pair()
    assert old in amc
    with pytest.raises(MalformedFile, match=message) as caught:
        parse_amc(amc.replace(old, new, 1), parse_asf(asf))
    assert caught.value.line == line


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\0\1\2\3" * 1000, bytes(range(256)), "\ud800", "#\n#\n", ":\n:"])
def test_what_is_no_such_file_at_all_is_malformed(data):
    asf = parse_asf(small_pair()[0])
    with pytest.raises(MalformedFile):
        parse_asf(data)
    with pytest.raises(MalformedFile):
        parse_amc(data, asf)


def test_every_truncation_of_a_skeleton_is_read_or_refused():
    asf, _ = small_pair()
    whole = len(asf.rstrip())
    for end in range(whole):
        with pytest.raises(MalformedFile):
            parse_asf(asf[:end])


def test_every_truncation_of_a_motion_is_read_or_refused():
    asf, amc = small_pair()
    skeleton = parse_asf(asf)
    for end in range(len(amc)):
        try:
            motion = parse_amc(amc[:end], skeleton).motion
        except MalformedFile:
            continue
        assert motion.frame_count <= 2


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=300), st.integers(0, 3000))
def test_foreign_bytes_anywhere_never_cause_another_error(junk, place):
    asf, amc = small_pair()
    skeleton = parse_asf(asf)
    for text, parse in ((asf, parse_asf), (amc, lambda data: parse_amc(data, skeleton))):
        place %= len(text)
        with suppress(MalformedFile):
            parse(text[:place].encode() + junk + text[place:].encode())


def test_a_million_bones_are_refused_quickly():
    bone = " begin\n name b{}\n direction 0 1 0\n length 1\n axis 0 0 0 XYZ\n dof rx\n end\n"
    head, _, _ = small_pair()[0].partition(":bonedata")
    text = head + ":bonedata\n" + "".join(bone.format(number) for number in range(1_000_000)) + ":hierarchy\n"
    start = time.process_time()
    with pytest.raises(MalformedFile, match="more than 500,000 lines"):
        parse_asf(text)
    assert time.process_time() - start < 10.0


def test_a_deep_chain_and_a_ring_of_bones_need_no_recursion():
    names = [f"b{number}" for number in range(5000)]
    bones = dict.fromkeys(names, ((0, 1, 0), 0.01, (0, 0, 0), "rx"))
    chain = "\n".join(f"{a} {b}" for a, b in zip(["root", *names[:-1]], names, strict=True))
    asf = parse_asf(asf_text(bones, chain))
    assert parse_amc("1\nroot 0 0 0 0 0 0\n", asf).motion.world_positions.shape == (1, 5001, 3)
    ring = "\n".join(f"{a} {b}" for a, b in zip(names, [*names[1:], names[0]], strict=True))
    with pytest.raises(MalformedFile, match="does not hang on the root"):
        parse_asf(asf_text(bones, ring))


def test_empty_frames_of_many_bones_cannot_fill_the_memory():
    names = [f"b{number}" for number in range(9000)]
    bones = dict.fromkeys(names, ((0, 1, 0), 0.01, (0, 0, 0), "rx ry rz tx ty tz l"))
    asf = parse_asf(asf_text(bones, "root " + " ".join(names)))
    tracemalloc.start()
    with pytest.raises(MalformedFile, match="are not read"):
        parse_amc("\n".join(map(str, range(100_000))), asf)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 30


def test_errors_name_the_file_at_fault(tmp_path: Path):
    asf, amc = small_pair()
    good, bad, motion = tmp_path / "good.asf", tmp_path / "bad.asf", tmp_path / "take.amc"
    good.write_text(asf)
    bad.write_text(asf.replace("length 4", "length x"))
    motion.write_text(amc.replace("shin 4", "shin"))
    with pytest.raises(MalformedFile) as caught:
        read_asf_amc(bad, motion)
    assert caught.value.where == f"{bad}:17"
    with pytest.raises(MalformedFile) as caught:
        read_asf_amc(good, motion)
    assert caught.value.where == f"{motion}:6"
    with pytest.raises(UnreadableFile):
        read_asf_amc(good, tmp_path / "absent.amc")
    motion.write_text(amc)
    assert read_asf_amc(good, motion, unit="cmu", rate_hz=60.0).motion.rate_hz == 60.0
