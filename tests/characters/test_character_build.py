from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.support.statues import GOOD, course, write_course
from tests.support.steppers import biped
from tools.authoring.walk import walk

from gambol.characters import takes as takes_module
from gambol.characters.action_table import compile_actions
from gambol.characters.check_clips import mean_slide
from gambol.characters.make_clip import facing_headings, make_clip
from gambol.characters.splice import fading, splice
from gambol.characters.stepping import Way, step_from_stand
from gambol.characters.store import load_character
from gambol.characters.takes import Take, loop_take, motions_folder
from gambol.errors import InvalidEntries, InvalidInput
from gambol.files import write_bvh
from gambol.geometry import planar, quaternion
from gambol.motion import Motion, Skeleton, detect_contacts, edits


def load(tmp_path: Path, text: str = GOOD):
    path = write_course(tmp_path)
    path.write_text(text)
    return load_character(path)


def test_a_built_character_says_what_its_course_was(tmp_path: Path):
    character = load(tmp_path)
    assert character.behavior("roll").clips[0].displacement == pytest.approx([1.0, 0.0, 0.0], abs=1e-3)
    assert character.behavior("left").clips[0].displacement[2] == pytest.approx(np.radians(40.0), abs=0.01)
    assert character.behavior("stand").cost("path") == pytest.approx(1.0 * 2.5)
    assert character.successors("stop") == ("stand", "go")
    assert character.subset("moving").successors("roll") == ("roll", "left", "right")


def test_each_file_is_read_once_and_equal_cuts_are_one_clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    read: list[str] = []
    original = takes_module.read_motion

    def counted(path: Path, *options: object):
        read.append(path.name)
        return original(path, *options)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(takes_module, "read_motion", counted)
    again = GOOD + (
        '\n[[behaviors]]\nname = "roll on"\nbegins = "rolling"\nends = "rolling"\n'
        'clips = [{ file = "course.bvh", first = 30, last = 90 }]\n'
    )
    character = load(
        tmp_path, again.replace("[subsets]\nmoving", "[subsets_]\nmoving").replace("[subsets_]", "[extra]")
    )
    assert read == ["course.bvh"]
    assert character.behavior("roll").clips[0] is character.behavior("roll on").clips[0]


def test_a_hundred_thousand_clips_of_one_behavior_compile_to_one_set_of_samples(tmp_path: Path):
    text = GOOD.replace("first = 30, last = 90 }", "first = 30, last = 90, count = 100_000 }")
    character = load(tmp_path, text)
    table = compile_actions(character)
    assert len(character.behavior("roll").clips) == 100_000
    assert len(table.duration) == 100_005
    assert len(table.path) == sum(b.clips[0].duration + 1 for b in character.behaviors)
    assert character.behavior("roll").cost("path") == pytest.approx(1.0, abs=1e-3)


def test_a_clip_can_be_mirrored_sped_up_and_bent(tmp_path: Path):
    text = GOOD.replace("first = 90, last = 210 }", "first = 90, last = 210, mirrored = true, speed = 2.0 }")
    text = text.replace("first = 30, last = 90 }", "first = 30, last = 90, bend_deg = -30 }")
    character = load(tmp_path, text)
    assert character.behavior("left").clips[0].displacement[2] == pytest.approx(np.radians(-40.0), abs=0.02)
    assert character.behavior("left").clips[0].duration_s == pytest.approx(1.0)
    assert character.behavior("roll").clips[0].displacement[2] == pytest.approx(np.radians(-30.0), abs=1e-3)


def test_mistakes_that_show_only_when_a_clip_is_made_name_the_clip(tmp_path: Path):
    text = GOOD.replace("first = 580, last = 640 }", "first = 580, last = 640, bend_deg = 30 }")
    text = text.replace("first = 30, last = 90 }", "first = 30, last = 90, step = { left_m = 0.3 } }")
    with pytest.raises(InvalidEntries) as raised:
        load(tmp_path, text)
    assert {problem.key for problem in raised.value.problems} == {"behaviors[0].clips[0]", "behaviors[4].clips[0]"}
    assert all(problem.line is not None for problem in raised.value.problems)


def test_another_skeleton_is_taken_over_only_where_that_is_asked_for(tmp_path: Path):
    small = Skeleton(biped().names, biped().parents, biped().offsets * 0.8)
    motion = course()
    path = write_course(tmp_path)
    write_bvh(tmp_path / "small.bvh", Motion(small, 60.0, motion.root_positions * 0.8, motion.rotations), unit="cm")
    text = GOOD.replace('{ file = "course.bvh", first = 90,', '{ file = "small.bvh", first = 90,')
    path.write_text(text)
    with pytest.raises(InvalidEntries, match="add retarget = true"):
        load_character(path)
    path.write_text(text.replace("first = 90,", "retarget = true, first = 90,"))
    clip = load_character(path).behavior("left").clips[0]
    assert clip.path_length_m == pytest.approx(2.0, rel=0.05)
    assert clip.motion.skeleton.offsets == pytest.approx(biped().offsets, abs=1e-3)


def test_frames_count_as_in_the_file_though_a_t_pose_was_left_out(tmp_path: Path):
    path = write_course(tmp_path)
    motion = course()
    still = edits.cut(motion, 0, 0)
    with_pose = replace(
        motion,
        root_positions=np.concatenate((still.root_positions, motion.root_positions)),
        rotations=np.concatenate((quaternion.identity(1, motion.skeleton.joint_count), motion.rotations)),
    )
    plain = load_character(path).behavior("left").clips[0]
    write_bvh(tmp_path / "course.bvh", with_pose, unit="cm")
    text = GOOD.replace("ground_m = 0.0", 'ground_m = 0.0\nt_pose = "drop"')
    path.write_text(text.replace("first = 90, last = 210", "first = 91, last = 211"))
    assert load_character(path).behavior("left").clips[0].path == pytest.approx(plain.path, abs=1e-6)
    path.write_text(text.replace("first = 30, last = 90", "first = 0, last = 90"))
    with pytest.raises(InvalidEntries, match="frames 1 to 901"):
        load_character(path)


def test_a_clip_goes_on_with_another_piece_without_a_jump(tmp_path: Path):
    more = '210, then = [{ file = "course.bvh", first = 270, last = 390 }] }'
    text = GOOD.replace("first = 90, last = 210 }", f"first = 90, last = {more}")
    clip = load(tmp_path, text).behavior("left").clips[0]
    assert clip.duration_s == pytest.approx(4.0)
    assert clip.displacement[2] == pytest.approx(0.0, abs=0.02)
    steps = np.linalg.norm(np.diff(clip.motion.world_positions, axis=0), axis=-1)
    assert steps.max() < 1.3 / 60.0


def test_what_differs_at_a_seam_dies_away_in_pose_and_in_speed():
    motion = walk(strides=3)
    a, b = edits.cut(motion, 0, 60), edits.cut(motion, 75, 180)
    joined = splice(a, b, a_from_seam=seam(a, 60), b_from_seam=seam(b, 0), over_s=0.5)
    assert joined.frame_count == a.frame_count + b.frame_count - 1
    assert np.allclose(joined.rotations[:61], a.rotations)
    assert np.abs(np.abs(np.sum(joined.rotations[61 + 31 :] * b.rotations[32:], axis=-1)) - 1.0)[:, 1:].max() < 1e-9
    jumps = np.linalg.norm(np.diff(joined.world_positions, n=2, axis=0), axis=-1)
    usual = np.linalg.norm(np.diff(motion.world_positions, n=2, axis=0), axis=-1).max()
    assert jumps.max() < 2.0 * usual


def test_the_curves_of_a_seam_start_and_end_as_they_should():
    falling, leaving = fading(41, 30.0)
    assert falling[0] == 1.0
    assert leaving[0] == 0.0
    assert np.allclose(falling[30:], 0.0)
    assert np.allclose(leaving[30:], 0.0)
    assert leaving[1] == pytest.approx(1.0, abs=0.02)
    assert abs(falling[1] - 1.0) < 1e-3


def test_a_cycle_goes_on_before_and_after_as_itself():
    motion = walk(strides=3)
    length = (motion.frame_count - 1) // 3
    take = Take(motion, detect_contacts(motion), 7)
    looped = loop_take(take, length, 2 * length, before=150, after=20)
    first = length + 7 - looped.left_out
    assert np.allclose(
        looped.motion.rotations[first : first + length], motion.rotations[length : 2 * length], atol=0.02
    )
    clip = make_clip("cycle", looped.motion, first, first + length, contacts=looped.contacts)
    assert clip.recorded == (clip.margin, clip.margin)
    bends = np.linalg.norm(np.diff(looped.motion.world_positions, n=2, axis=0), axis=-1)
    assert bends.max() <= 1.05 * np.linalg.norm(np.diff(motion.world_positions, n=2, axis=0), axis=-1).max()


def test_riding_sideways_faces_along_the_way_even_while_standing():
    motion = course()
    sideways = np.array(motion.rotations)
    sideways[:, 0] = quaternion.multiply(quaternion.from_heading(np.radians(80.0)), sideways[:, 0])
    headings = facing_headings(motion.with_rotations(sideways), "way")
    assert headings == pytest.approx(np.unwrap(quaternion.heading(motion.rotations[:, 0])), abs=0.1)


def test_a_folder_may_hold_several_variables_in_braces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.setenv("OUTER", str(tmp_path))
    monkeypatch.setenv("INNER", "b")
    assert motions_folder("${OUTER}/a/$INNER", beside=Path("/")) == tmp_path / "a" / "b"


@cache
def stand():
    """Two seconds of the built-in human standing as it does in the middle of its first step."""
    frames = np.concatenate((np.full(60, 20), np.full(120, 20), np.full(60, 20)))
    motion = edits.take(walk(strides=1), frames)
    upright = np.array(quaternion.identity(len(frames), motion.skeleton.joint_count))
    roots = np.zeros((len(frames), 3))
    roots[:, 2] = motion.skeleton.rest_positions[0, 2]
    standing = replace(motion, root_positions=roots - [0.0, 0.0, 0.01], rotations=upright)
    contacts = detect_contacts(standing, ground_height_m=0.0)
    return make_clip("stand", standing, 60, 180, contacts=contacts)


@pytest.mark.parametrize(
    "way",
    [
        Way(turn_rad=np.radians(45.0)),
        Way(turn_rad=np.radians(-90.0), footfalls=2),
        Way(left_m=0.35),
        Way(left_m=-0.35),
        Way(forward_m=-0.35),
        Way(forward_m=0.2, left_m=0.1, turn_rad=0.4, footfalls=4),
    ],
)
def test_steps_lead_from_a_stand_to_the_same_stand_elsewhere(way: Way):
    clip = stand()
    stepped = step_from_stand(clip, way)
    assert stepped.displacement == pytest.approx(way.pose, abs=0.02)
    last = clip.motion.frame_count - 1 - clip.margin
    for frame, before, after in ((clip.margin, clip.path[0], stepped.path[0]), (last, clip.path[-1], way.pose)):
        old, new = np.array(clip.motion.world_positions[frame]), np.array(stepped.motion.world_positions[frame])
        old[:, :2] = planar.apply(planar.invert(before), old[:, :2])
        new[:, :2] = planar.apply(planar.invert(after), new[:, :2])
        assert old == pytest.approx(new, abs=0.01)
    assert mean_slide(stepped) < 0.01


def test_feet_take_turns_and_the_first_is_on_the_side_to_which_one_goes():
    stepped = step_from_stand(stand(), Way(left_m=-0.3))
    lifted = {
        side: np.flatnonzero(~stepped.contacts.planted[:, stepped.contacts.index(f"{side}_toe")])
        for side in ("left", "right")
    }
    assert lifted["right"].max() < lifted["left"].min()


def test_steps_that_do_not_fit_into_the_stand_are_refused():
    with pytest.raises(InvalidInput, match="8 footfalls need"):
        step_from_stand(stand(), Way(turn_rad=np.pi, footfalls=8))
    with pytest.raises(InvalidInput, match="even"):
        step_from_stand(stand(), Way(left_m=0.2, footfalls=3))


def seam(motion: Motion, frame: int) -> np.ndarray:
    return np.array([*motion.root_positions[frame, :2], 0.0])
