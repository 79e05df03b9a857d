"""Full poses of a crowd, against the motions of its characters."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from tests.support.crowd_recordings import flat_clips, random_names, random_recording

from gambol.animate import play
from gambol.characters import Character, load_character, place_steps
from gambol.characters.action_table import action_table
from gambol.crowd.moment import Moment, moment, places
from gambol.crowd.poses import ALL, FEW, NO_CLIP, NONE, PosePlayer
from gambol.crowd.recording import Recording
from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.motion import sample

EQUAL_M = 1e-4


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("crowd")


@pytest.fixture(scope="module")
def player(human: Character) -> PosePlayer:
    return PosePlayer.of(human, rotations=True)


@pytest.fixture(scope="module")
def recording(human: Character) -> Recording:
    kinds = (human, load_character("horse"), load_character("skateboarder"))
    return random_recording(kinds, [0, 1, 2, 0, 1, 2, 0, 0], frames=120, seed=11)


def _played(player: PosePlayer, now: Moment, **options: np.ndarray) -> np.ndarray:
    return player.place(now.clip, now.before, now.after, now.phase, now.pose, **options)


@pytest.mark.parametrize("name", ["human", "horse", "skateboarder"])
def test_every_frame_is_that_of_the_realized_motion(name: str) -> None:
    character = load_character(name)
    if name == "human":
        character = character.subset("crowd")
    player = PosePlayer.of(character, rotations=True)
    rng = np.random.default_rng(3)
    for seed in range(4):
        steps = place_steps(character, random_names(character, 400, rng), start=(90.0, -70.0, 2.0), seed=seed)
        motion = play(character, steps)
        per_step = player.table.per_step
        clips = np.array([NO_CLIP, *flat_clips(character, steps), NO_CLIP])
        starts = np.array([step.frame for step in steps]) * per_step
        poses = np.array([step.pose for step in steps])
        frames = np.arange(motion.frame_count)
        for side in ("right", "left"):  # where two clips meet, it is the end of one and the beginning of the other
            at = np.maximum(np.searchsorted(starts, frames, side) - 1, 0)
            turned = np.zeros((len(frames), player.joint_count, 4), dtype=np.float32)
            joints = player.place(
                clips[at + 1], clips[at], clips[at + 2], (frames - starts[at]) / per_step, poses[at], rotations=turned
            )
            np.testing.assert_allclose(joints, motion.world_positions, rtol=0, atol=EQUAL_M)
            same = np.abs(np.sum(turned * motion.world_rotations, axis=-1))
            np.testing.assert_allclose(same, 1.0, rtol=0, atol=1e-5)


def test_between_frames_joints_go_straight(human: Character, player: PosePlayer) -> None:
    steps = place_steps(human, ["stand", "start", "jog", "jog"])
    motion = play(human, steps)
    clips = flat_clips(human, steps)
    for index in (1, 2):
        for phase in (0.05, 0.3, 3.9, 10.25, human.behaviors[steps[index].behavior].clips[0].duration - 0.1):
            frame = (steps[index].frame + phase) * player.table.per_step
            turned = np.zeros((1, player.joint_count, 4), dtype=np.float32)
            found = player.place(
                [clips[index]], [clips[index - 1]], [clips[index + 1]], [phase], [steps[index].pose], rotations=turned
            )[0]
            low, share = int(frame), frame - int(frame)
            expected = (1 - share) * motion.world_positions[low] + share * motion.world_positions[low + 1]
            np.testing.assert_allclose(found, expected, rtol=0, atol=EQUAL_M)
            exact = sample(motion, [frame])
            same = np.abs(np.sum(turned[0] * exact.world_rotations[0], axis=-1))
            assert same.min() > np.cos(np.radians(0.5))


def test_all_kinds_of_a_recording_are_played_at_any_planning_frame(recording: Recording) -> None:
    players = [PosePlayer.of(character) for character in recording.characters]
    motions = [recording.motion(n) for n in range(len(recording))]
    for frame in (0, 17, 29, 30, 45, 60, 77, 100, 119):
        now = moment(recording, frame / 30.0)
        there = [n for n in range(len(recording)) if recording.presence(n)[0] <= frame <= recording.presence(n)[1]]
        assert now.who.tolist() == there
        for number, player in enumerate(players):
            some = now.of_kind(number)
            joints = _played(player, some)
            for m, n in enumerate(some.who):
                index = (frame - recording.presence(n)[0]) * player.table.per_step
                np.testing.assert_allclose(joints[m], motions[n].world_positions[index], rtol=0, atol=EQUAL_M)


def test_places_follow_the_paths_of_the_clips(recording: Recording) -> None:
    for time_s in (0.0, 1.0, 2.5, 2.51, 3.9):
        now = moment(recording, time_s)
        for (x, y, heading), n in zip(places(recording, now), now.who, strict=True):
            table = action_table(recording.characters[recording.kind[n]])
            step = max(k for k, one in enumerate(recording.steps(n)) if one.frame <= time_s * 30.0 + 1e-6)
            first = recording.first_step[n] + step
            phase = time_s * 30.0 - recording.frame[first]
            path = table.path[table.clip_samples[recording.clip[first]] :][: table.duration[recording.clip[first]] + 1]
            local = [np.interp(phase, np.arange(len(path)), path[:, axis]) for axis in range(3)]
            bx, by, turn = recording.pose[first]
            assert x == pytest.approx(bx + local[0] * np.cos(turn) - local[1] * np.sin(turn))
            assert y == pytest.approx(by + local[0] * np.sin(turn) + local[1] * np.cos(turn))
            assert heading == pytest.approx(turn + local[2])


def test_level_of_detail_leaves_out_what_is_not_asked_for(human: Character, player: PosePlayer) -> None:
    steps = place_steps(human, ["stand"])
    clip = np.full(3, flat_clips(human, steps)[0])
    pose, none = np.zeros((3, 3)), np.full(3, NO_CLIP)
    whole = player.place(clip, none, none, np.zeros(3), pose)
    positions = np.full((3, player.joint_count, 3), 7.0, dtype=np.float32)
    rotations = np.full((3, player.joint_count, 4), 7.0, dtype=np.float32)
    player.place(
        clip, none, none, np.zeros(3), pose, detail=[ALL, FEW, NONE], positions=positions, rotations=rotations
    )  # fmt: skip
    few = [human.skeleton.index(name) for name in ("Hips", "Head", "LeftHand", "RightHand", "LeftFoot", "RightFoot")]
    others = np.setdiff1d(np.arange(player.joint_count), few)
    assert positions[0].tolist() == whole[0].tolist()
    assert positions[1, few].tolist() == whole[1, few].tolist()
    assert (positions[1, others] == 7.0).all()
    assert (rotations[1, others] == 7.0).all()
    assert not (rotations[1, few] == 7.0).all(axis=-1).any()
    assert (positions[2] == 7.0).all()
    assert (rotations[2] == 7.0).all()
    chosen = PosePlayer.of(human, few=["Neck"])
    only = np.full((1, player.joint_count, 3), 7.0, dtype=np.float32)
    chosen.place(clip, none, none, np.zeros(3), pose, who=[2], detail=[ALL, NONE, FEW], positions=only)
    assert np.flatnonzero((only[0] != 7.0).any(axis=-1)).tolist() == [human.skeleton.index("Neck")]


def test_chosen_characters_come_in_the_order_asked_for(human: Character, player: PosePlayer) -> None:
    clip = np.full(5, flat_clips(human, place_steps(human, ["stand"]))[0])
    none, pose = np.full(5, NO_CLIP), np.arange(15.0).reshape(5, 3)
    whole = player.place(clip, none, none, np.arange(5.0), pose)
    some = player.place(clip, none, none, np.arange(5.0), pose, who=[4, 0, 2])
    assert some.tolist() == whole[[4, 0, 2]].tolist()


def test_what_cannot_be_placed_is_refused(human: Character, player: PosePlayer) -> None:
    one: dict[str, Any] = {"clip": [0], "before": [-1], "after": [-1], "phase": [0.0], "pose": [[0.0, 0.0, 0.0]]}
    for changed, message in (
        ({"clip": [9999]}, "clip"), ({"before": [-2]}, "before"), ({"after": [1, 2]}, "after"),
        ({"pose": [0.0, 0.0, 0.0]}, "pose"), ({"who": [1]}, "who"), ({"detail": [1, 2]}, "detail"),
        ({"positions": np.zeros((1, 3, 3), np.float32)}, "positions"),
        ({"rotations": np.zeros((2, player.joint_count, 4), np.float32)}, "rotations"),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match=message):
            player.place(**{**one, **changed})
    with pytest.raises(InvalidInput, match="without rotations"):
        PosePlayer.of(human).place(**one, rotations=np.zeros((1, player.joint_count, 4), np.float32))


def test_ten_thousand_are_posed_in_a_few_milliseconds(human: Character) -> None:
    player = PosePlayer.of(human)
    rng = np.random.default_rng(0)
    count, clips = 10_000, len(player.table.steps)
    clip = rng.integers(0, clips, count).astype(np.int32)
    phase, pose = rng.integers(0, 10, count).astype(np.float64), rng.uniform(-200, 200, (count, 3))
    positions = np.zeros((count, player.joint_count, 3), dtype=np.float32)
    player.place(clip, clip, clip, phase, pose, positions=positions)
    times = []
    for _ in range(15):
        begun = time.process_time()
        player.place(clip, clip, clip, phase, pose, positions=positions)
        times.append(time.process_time() - begun)
    assert min(times) < 0.005  # some 1 ms; a loaded machine takes longer
    assert player.nbytes < 30e6


def test_turning_the_whole_crowd_turns_the_poses(human: Character, player: PosePlayer) -> None:
    clip = flat_clips(human, place_steps(human, ["start", "jog"]))
    turned = np.zeros((2, player.joint_count, 4), dtype=np.float32)
    ahead = np.zeros((2, player.joint_count, 4), dtype=np.float32)
    none = [NO_CLIP, NO_CLIP]
    a = player.place(clip, none, none, [3, 4], np.zeros((2, 3)), rotations=ahead)
    b = player.place(clip, none, none, [3, 4], [[1.0, 2.0, 0.7]] * 2, rotations=turned)
    turn = quaternion.from_heading(0.7)
    np.testing.assert_allclose(b, quaternion.rotate(turn, a) + [1.0, 2.0, 0.0], rtol=0, atol=1e-5)
    np.testing.assert_allclose(turned, quaternion.multiply(turn, ahead), rtol=0, atol=1e-5)
