from __future__ import annotations

import csv
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.strategies import motions

from gambol.errors import InvalidInput, MalformedFile, UnreadableFile
from gambol.files.bvh import parse_bvh, read_bvh, to_bvh, write_bvh
from gambol.files.bvh.numbers import first_bad_word, read_numbers
from gambol.geometry import quaternion
from gambol.motion import joint_names, travel

SMALL = """HIERARCHY
ROOT Hips
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
	JOINT Spine
	{
		OFFSET 0 10 0
		CHANNELS 3 Zrotation Yrotation Xrotation
		End Site
		{
			OFFSET 0 5 0
		}
	}
}
MOTION
Frames: 2
Frame Time: .0083333
1 2 3 0 0 0 90 0 0
4 5 6 0 90 0 0 0 0
"""


def small(**replacements: str) -> str:
    text = SMALL
    for old, new in replacements.items():
        old = old.replace("_", " ")
        assert old in text
        text = text.replace(old, new)
    return text


def read(text: str | bytes, **options):
    return parse_bvh(text, **{"unit": "m", "t_pose": "keep", **options})


def test_axes_units_and_channel_order_are_those_of_the_file():
    motion = read(SMALL).motion
    assert motion.rate_hz == 120.0
    assert np.allclose(motion.root_positions, [[3, 1, 2], [6, 4, 5]])
    # The spine points up; turning 90 degrees about the file's Z (our X, forward) lays its tip to the right.
    assert np.allclose(motion.world_positions[0, 1], [3, 1, 12])
    assert np.allclose(motion.tip_positions[0, 0], [3, 1 - 5, 12])
    assert np.allclose(motion.tip_positions[1, 0], [6, 4, 20])


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_reads_the_same(line_end):
    motion = read(SMALL.replace("\n", line_end)).motion
    assert np.array_equal(motion.world_positions, read(SMALL).motion.world_positions)


def test_mixed_line_ends_tabs_blank_lines_and_scientific_notation_are_read():
    text = SMALL.replace("1 2 3 0 0 0 90 0 0", "\n\n1.0e0\t+2.\t.3E1 0 0 -0 9e+1 0 0  ").replace(
        "MOTION\n", "MOTION\r\n"
    )
    assert np.allclose(read(text).motion.world_positions, read(SMALL).motion.world_positions)


def test_frames_may_wrap_over_lines_where_their_number_fits():
    wrapped = SMALL.replace("1 2 3 0 0 0", "1 2 3\n0 0 0")
    assert np.array_equal(read(wrapped).motion.rotations, read(SMALL).motion.rotations)


def test_a_hierarchy_on_one_line_is_read():
    head, tail = SMALL.split("MOTION")
    assert read(" ".join(head.split()) + "\nMOTION" + tail).motion.skeleton.names == ("Hips", "Spine")


def test_rotations_before_positions_single_channels_and_none_are_understood():
    text = SMALL.replace(
        "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation",
        "6 Zrotation Yrotation Xrotation Xposition Yposition Zposition",
    ).replace("CHANNELS 3 Zrotation Yrotation Xrotation", "CHANNELS 1 Yrotation")
    text = text.replace("1 2 3 0 0 0 90 0 0", "0 0 0 1 2 3 90").replace("4 5 6 0 90 0 0 0 0", "0 90 0 4 5 6 0")
    motion = read(text).motion
    assert np.allclose(motion.root_positions[0], [3, 1, 2])
    assert quaternion.heading(motion.rotations[0, 1]) == pytest.approx(np.pi / 2)

    no_positions = SMALL.replace("6 Xposition Yposition Zposition", "3").replace("1 2 3 0", "0").replace("4 5 6 0", "0")
    assert np.allclose(read(no_positions.replace("OFFSET 0 0 0", "OFFSET 7 8 9")).motion.root_positions, [9, 7, 8])

    still = SMALL.replace("CHANNELS 3 Zrotation Yrotation Xrotation", "CHANNELS 0").replace(" 90 0 0\n", "\n")
    still = still.replace(" 0 90 0 0 0 0", " 0 90 0")
    assert np.allclose(read(still).motion.rotations[:, 1], [1, 0, 0, 0])


def test_positions_on_inner_joints_replace_their_offsets():
    text = (
        SMALL.replace("CHANNELS 3 Zrotation Yrotation Xrotation", "CHANNELS 4 Yposition Zrotation Yrotation Xrotation")
        .replace(" 90 0 0\n", " 11 90 0 0\n")
        .replace("0 90 0 0 0 0", "0 90 0 12 0 0 0")
    )
    motion = read(text).motion
    assert np.allclose(motion.world_positions[:, 1, 2] - motion.root_positions[:, 2], [11, 12])


def test_leaves_without_end_site_and_zero_length_bones_are_fine():
    text = SMALL.replace("\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 5 0\n\t\t}\n", "").replace(
        "OFFSET 0 10 0", "OFFSET 0 0 0"
    )
    motion = read(text).motion
    assert len(motion.skeleton.tip_parents) == 0
    assert motion.skeleton.bone_lengths[1] == 0.0


def test_names_may_be_spaced_foreign_or_repeated():
    reading = read(SMALL.replace("Hips", "Left Ärm 骨").replace("Spine", "Left Ärm 骨").encode())
    assert reading.motion.skeleton.names == ("Left Ärm 骨", "Left Ärm 骨_2")
    assert any("more than once" in note for note in reading.notes)
    assert read(SMALL.replace("Hips", "Hüfte").encode("latin-1")).motion.skeleton.names[0] == "Hüfte"


@pytest.mark.parametrize("claim", ["5", "1"])
def test_a_wrong_frame_count_is_said_and_the_data_kept(claim):
    reading = read(SMALL.replace("Frames: 2", f"Frames: {claim}"))
    assert reading.motion.frame_count == 2
    assert f"the file claims {claim} frames and holds 2; kept those 2" in reading.notes


@pytest.mark.parametrize(
    ("token", "rate_hz"),
    [
        (".0083333", 120.0), ("0.033333", 30.0), ("0.0333667", 30 / 1.001), ("0.0416667", 24.0), ("0.04", 25.0),
        ("0.01666", 60.0), ("8.333333e-3", 120.0), ("1", 1.0), ("0.0421941", 1 / 0.0421941), ("2.5", 0.4),
    ],
)  # fmt: skip
def test_a_printed_frame_time_means_the_rate_it_was_rounded_from(token, rate_hz):
    assert read(SMALL.replace(".0083333", token)).motion.rate_hz == pytest.approx(rate_hz, rel=1e-12)


def test_the_true_rate_can_be_given_even_where_the_file_has_none():
    assert read(SMALL, rate_hz=60.0).motion.rate_hz == 60.0
    assert read(SMALL.replace(".0083333", "0"), rate_hz=60.0).motion.rate_hz == 60.0


@pytest.mark.parametrize(
    ("unit", "metres"), [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254), ("cmu", 0.0564444)]
)
def test_the_unit_is_recognised_from_body_size(unit, metres):
    text = SMALL.replace("OFFSET 0 10 0", f"OFFSET 0 {0.7 / metres:.4f} 0").replace("0 5 0", f"0 {0.4 / metres:.4f} 0")
    reading = parse_bvh(text)
    assert any(f": {unit} (" in note for note in reading.notes)
    assert np.allclose(reading.motion.skeleton.offsets[1], [0, 0, 0.7], atol=1e-4)


def t_pose_file(first: str) -> str:
    rows = [f"0 90 0 1{i}.3 2.1{i} 0.5 4{i}.25 3.75 1.1" for i in range(8)]
    return SMALL.split("Frames")[0] + "\n".join(["Frames: 9", "Frame Time: 0.01", first, *rows]) + "\n"


def test_a_leading_t_pose_is_dropped_unless_asked_otherwise():
    text = t_pose_file("0 90 0 0 0 0 0 0 0")
    assert parse_bvh(text).motion.frame_count == 8
    assert "the first frame is a T-pose and was dropped" in parse_bvh(text).notes
    assert parse_bvh(text, t_pose="keep").motion.frame_count == 9
    assert [parse_bvh(text, t_pose=asked).first_frame for asked in ("auto", "drop", "keep")] == [1, 1, 0]
    assert parse_bvh(t_pose_file("0 90 0 9.3 2.1 0.5 39.25 3.75 1.1")).motion.frame_count == 9
    assert parse_bvh(SMALL, t_pose="drop").motion.frame_count == 1
    with pytest.raises(InvalidInput, match="t_pose must be"):
        parse_bvh(text, t_pose="maybe")


def test_drop_outs_with_the_root_at_zero_are_reported():
    reading = read(SMALL.replace("1 2 3 0 0 0 90", "0 0 0 0 0 0 90"))
    assert any("1 frames (capture drop-outs): 0" in note for note in reading.notes)


BROKEN = {
    "empty": ("", 1, "empty"),
    "binary": (b"\x00\x01\x02", 1, "binary"),
    "not BVH": ("solid cube", 1, "HIERARCHY"),
    "no root": (small(ROOT="JOINT"), 2, "ROOT"),
    "no motion": (SMALL.split("MOTION")[0], 16, "MOTION"),
    "truncated hierarchy": (SMALL[:120], 6, "expected"),
    "bad offset": (small(OFFSET_0_10_0="OFFSET 0 ten 0"), 8, "'ten'"),
    "nan offset": (small(OFFSET_0_10_0="OFFSET 0 nan 0"), 8, "'nan'"),
    "short offset": (small(OFFSET_0_10_0="OFFSET 0 10"), 9, "'CHANNELS'"),
    "bad channel": (SMALL.replace("3 Zrotation", "3 Wrotation"), 9, "'Wrotation'"),
    "channel twice": (SMALL.replace("3 Zrotation Yrotation", "3 Zrotation Zrotation"), 9, "twice"),
    "bad channel count": (SMALL.replace("CHANNELS 3", "CHANNELS 999999999"), 9, "'999999999'"),
    "second root": (SMALL.replace("MOTION", "ROOT Other\n{\n}\nMOTION"), 16, "second ROOT"),
    "extra brace": (SMALL.replace("MOTION", "}\nMOTION"), 16, "MOTION"),
    "bad frames": (small(Frames="Frames").replace("Frames: 2", "Frames: two"), 17, "'two'"),
    "bad frame time": (SMALL.replace(".0083333", "soon"), 18, "'soon'"),
    "zero frame time": (SMALL.replace(".0083333", "0.0"), 18, "above zero"),
    "no header": (SMALL.replace("Frames: 2\n", ""), 16, "Frames: N"),
    "no frames": (SMALL.split("1 2 3")[0], 19, "no frames"),
    "nan value": (SMALL.replace("4 5 6", "4 nan 6"), 20, "frame 1, 'Hips yposition'; found 'nan'"),
    "infinite value": (SMALL.replace("4 5 6", "4 1e999 6"), 20, "found '1e999'"),
    "word among numbers": (SMALL.replace("4 5 6", "4 x5 6"), 20, "found 'x5'"),
    "comma for a point": (SMALL.replace("4 5 6", "4 5,0 6"), 20, "found '5,0'"),
    "truncated row": (SMALL.rstrip()[:-8], 20, "values, expected 9"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_get_an_error_with_line_and_token(case, tmp_path):
    data, line, message = BROKEN[case]
    path = tmp_path / "broken.bvh"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(MalformedFile) as caught:
        read_bvh(path)
    assert caught.value.line == line, caught.value
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def huge_files() -> dict[str, str]:
    joint = "JOINT j\n{\nOFFSET 0 1 0\nCHANNELS 0\n"
    wide = "\n".join(f"JOINT j{i}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n}}" for i in range(9_000))
    head = SMALL.split("\tJOINT")[0]
    return {
        "a million joints": head + joint * 1_000_000,
        "deep nesting": "HIERARCHY\nROOT a\n" + "{\n" * 1_000_000,
        "a gigabyte claimed": SMALL.replace("Frames: 2", "Frames: 99999999999999"),
        "many joints and frames": f"{head}{wide}\n}}\nMOTION\nFrames: 9\nFrame Time: 1\n" + "0 0 0 0 0 0\n" * 99_999,
        "a run of blanks": SMALL.replace("Frames: 2", "Frames" + " " * 1_000_000),
        "a long token": SMALL.replace("4 5 6", "4" * 1_000_000),
    }  # fmt: skip


@pytest.mark.parametrize("case", huge_files())
def test_hostile_sizes_end_quickly(case):
    data = huge_files()[case]
    start = time.process_time()
    with pytest.raises(MalformedFile) as caught:
        parse_bvh(data, unit="m")
    assert len(str(caught.value)) < 400
    assert time.process_time() - start < 10.0


def test_missing_files_and_folders_are_said_to_be_so(tmp_path):
    with pytest.raises(UnreadableFile, match="No such file"):
        read_bvh(tmp_path / "none.bvh")
    with pytest.raises(UnreadableFile, match="folder"):
        read_bvh(tmp_path)


@given(motions())
@settings(deadline=None, max_examples=60)
def test_a_motion_written_and_read_again_has_its_joints_where_they_were(motion):
    back = parse_bvh(to_bvh(motion), unit="cm", t_pose="keep").motion
    assert back.frame_count == motion.frame_count
    assert back.rate_hz == pytest.approx(motion.rate_hz, rel=1e-9)
    # Joints come back depth first, under the same names but for characters that BVH cannot hold.
    written = [name.replace(" ", "_") for name in motion.skeleton.names]
    order = [back.skeleton.index(name) for name in written]
    assert np.abs(back.world_positions[:, order] - motion.world_positions).max() < 1e-6
    assert len(back.skeleton.tip_parents) == len(motion.skeleton.tip_parents)


@given(motions(max_joints=4, translations=False))
@settings(deadline=None, max_examples=20)
def test_writing_twice_gives_the_same_text(motion):
    once = to_bvh(motion)
    again = to_bvh(parse_bvh(once, unit="cm", t_pose="keep").motion)
    assert to_bvh(parse_bvh(again, unit="cm", t_pose="keep").motion).split("MOTION")[0] == again.split("MOTION")[0]


def test_zero_rotations_are_the_rest_pose(tmp_path):
    motion = read(SMALL).motion
    write_bvh(tmp_path / "a" / "rest.bvh", motion.with_rotations(quaternion.identity(2, 2)))
    rows = (tmp_path / "a" / "rest.bvh").read_text().splitlines()[-2:]
    assert all(float(value) == 0.0 for row in rows for value in row.split()[3:])
    assert [entry.name for entry in (tmp_path / "a").iterdir()] == ["rest.bvh"]


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["r", ".17g", ".3e", ".4f", "+.6f"]))
@settings(deadline=None, max_examples=300)
def test_numbers_are_read_exactly_as_python_reads_them(value, style):
    text = repr(value) if style == "r" else format(value, style)
    assert read_numbers(text.encode(), 0).tolist() == [float(text)]


@pytest.mark.parametrize(
    "word", ["1_000", "nan", "inf", "1e", "1e+", ".", "-", "+-1", "1.2.3", "0x1", "٣", "1,5", "1-"]
)
def test_only_plain_decimal_numbers_are_read(word):
    text = f"1 -2. +.5\n1E-3 {word} 7".encode()
    with pytest.raises(ValueError, match="could not convert"):
        read_numbers(text, 0)
    assert first_bad_word(text, 0) == 4


def test_every_capture_agrees_with_the_table_of_facts(mocap: Path):
    with (mocap / "INDEX.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 144
    for row in rows:
        reading = read_bvh(mocap / row["file"], rate_hz=float(row["fps_true"]))
        motion = reading.motion
        assert motion.frame_count == int(row["motion_frames"]), row["file"]
        assert round(motion.duration_s, 3) == pytest.approx(float(row["duration_s"]), abs=1e-9), row["file"]
        speed = travel.path_length(motion) / motion.duration_s
        assert speed == pytest.approx(float(row["mean_speed_mps"]), rel=0.01), row["file"]
        leg = joint_names.legs(motion.skeleton)[0]
        length = motion.skeleton.bone_lengths[[leg.middle, leg.end]].sum()
        assert length == pytest.approx(float(row["leg_length_m"]), abs=1e-3), row["file"]
        assert any("drop-outs" in note for note in reading.notes) == (int(row["zero_root_frames"]) > 0)
