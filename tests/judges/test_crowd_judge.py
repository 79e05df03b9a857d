from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from tests.support.crowd_recordings import flat_clips, random_names

from gambol.body import Body
from gambol.characters import Character, Clip, load_character, place_steps
from gambol.core import lib, pointer
from gambol.crowd import Recording, RecordingBuilder
from gambol.errors import InvalidInput
from gambol.judges import crowd_blocks as judge_blocks
from gambol.judges import rows as judge_rows
from gambol.judges.crowd_figures import struct_of_figures, struct_of_steps, tabulate_figures
from gambol.judges.crowds import CrowdReport, join_reports, judge_crowd
from gambol.judges.legality import find_illegal
from gambol.judges.motions import Collision, Performer, Touch, check_motions
from gambol.motion import Contacts, sample
from gambol.world import Footprint, Mover, Obstacle, Terrain, Trajectory, World

FRAME_S = 1.0 / 60.0  # of the delivered motions
ROOM_M = 2.0
WIDE = World((-50.0, -50.0, 50.0, 50.0))
seeds = st.integers(0, 2**32 - 1)


@cache
def human() -> Character:
    return load_character("human").subset("crowd")


@cache
def slow_camera() -> Character:
    """Return the human with half the frames."""
    return replace(
        human(),
        behaviors=tuple(
            replace(behavior, clips=tuple(every_other_frame(clip) for clip in behavior.clips))
            for behavior in human().behaviors
        ),
    )


def every_other_frame(clip: Clip) -> Clip:
    frames = np.arange(clip.margin % 2, clip.motion.frame_count, 2)
    return replace(
        clip,
        motion=sample(clip.motion, frames, rate_hz=30.0),
        margin=clip.margin // 2,
        contacts=Contacts(clip.contacts.points, clip.contacts.planted[frames], clip.contacts.ground),
        recorded=None,
    )


def record(
    characters: Sequence[Character],
    played: Sequence[tuple[int, Sequence[str], tuple[float, float, float], int]],
    *,
    frames: int,
    until: ArrayLike | None = None,
) -> Recording:
    """Record who plays what: kind, behaviors, where and from which frame on."""
    builder = RecordingBuilder()
    for who, (kind, names, start, frame) in enumerate(played):
        steps = place_steps(characters[kind], names, start=start, frame=frame, seed=who)
        clips = flat_clips(characters[kind], steps)
        builder.append([who] * len(steps), clips, [step.frame for step in steps], [step.pose for step in steps])
    return builder.recording(
        rate_hz=30.0, frames=frames, characters=characters, names=[f"P{n}" for n in range(len(played))],
        kind=[kind for kind, *_ in played], until=until,
    )  # fmt: skip


def crowded(seed: int, *, count: int = 6, frames: int = 60) -> tuple[Recording, World]:
    """Return people of two rates who come and go in a room that is much too small, with things that stand and move."""
    rng = np.random.default_rng(seed)
    played = []
    until = np.full(count, frames)
    for who in range(count):
        kind, begin = int(rng.integers(2)), int(rng.integers(2) * rng.integers(frames - 10))
        character = (human(), slow_camera())[kind]
        first = str(rng.choice([behavior.name for behavior in character.behaviors]))
        names = random_names(character, frames - begin, rng, first=first)
        place = (*rng.uniform(-ROOM_M, ROOM_M, 2).tolist(), float(rng.uniform(-3, 3)))
        played.append((kind, names, place, begin))
        if who % 3 == 2:
            until[who] = rng.integers(begin + 2, frames)
    return record((human(), slow_camera()), played, frames=frames, until=until), random_world(rng)


def random_world(rng: np.random.Generator) -> World:
    shapes = (Footprint.box(0.1, 3.0), Footprint.box(0.7, 0.4), Footprint.disc(0.3))
    poses = np.column_stack((rng.uniform(-ROOM_M, ROOM_M, (5, 2)), rng.uniform(-3, 3, 5)))
    obstacles = tuple(
        Obstacle(f"rock {n}", shapes[n % 3], tuple(pose.tolist()), 0.0, float(rng.uniform(0.2, 2.0)))
        for n, pose in enumerate(poses)
    )
    movers = tuple(
        Mover(
            f"ball {n}",
            shapes[n + 1],
            Trajectory(
                np.cumsum(rng.uniform(0.1, 0.8, 4)), rng.uniform(-ROOM_M, ROOM_M, (4, 3)),
                np.tile((0.0, 1.5), (4, 1)), repeat,
            ),
        )
        for n, repeat in enumerate(("once", "loop"))
    )  # fmt: skip
    return World((-ROOM_M, -ROOM_M, ROOM_M, ROOM_M), obstacles, movers)


def performer(recording: Recording, n: int) -> Performer:
    body = Body.from_skeleton(recording.characters[recording.kind[n]].skeleton)
    return Performer(recording.names[n], recording.motion(n), body, recording.motion_start_s(n))


def checked(recording: Recording, world: World) -> tuple[list[Collision], list[Touch], int]:
    """Return what `check_motions` finds; touches pair by pair while both are there.

    Someone far away with all frames has the check look at the same slices of time whatever the rates of the pair.
    """
    stranger = performer(record((human(),), [(0, ["stand"], (900.0, 0.0, 0.0), 0)], frames=20), 0)
    stranger = replace(stranger, name="stranger")
    performers = [performer(recording, n) for n in range(len(recording))]
    alone = [check_motions(world, [one]) for one in performers]
    touches: list[Touch] = []
    for pair in combinations(performers, 2):
        begin_s, end_s = max(one.start_s for one in pair), min(one.end_s for one in pair)
        if begin_s < end_s:
            touches += check_motions(WIDE, [*pair, stranger], from_s=begin_s, until_s=end_s).touches
    return [found for report in alone for found in report.collisions], touches, sum(r.frames for r in alone)


def contacts(collisions: Sequence[Collision], touches: Sequence[Touch]) -> list[tuple[str, str, float]]:
    """Return who meets whom or what, and how deeply, each time."""
    one = [(found.performer, found.thing, found.depth_m) for found in collisions]
    return sorted(one + [(found.first, found.second, found.depth_m) for found in touches])


def assert_alike(found: Sequence[tuple[str, str, float]], expected: Sequence[tuple[str, str, float]]) -> None:
    assert [one[:2] for one in found] == [one[:2] for one in expected]
    assert [one[2] for one in found] == pytest.approx([one[2] for one in expected], abs=3e-4)


@settings(deadline=None, max_examples=6)
@given(seed=seeds)
def test_a_crowd_is_judged_as_the_check_judges_its_motions(seed: int):
    recording, world = crowded(seed)
    report = judge_crowd(recording, world)
    collisions, touches, frames = checked(recording, world)
    assert_alike(contacts(report.collisions, report.touches), contacts(collisions, touches))
    assert report.frames == frames
    assert not report.illegal_transitions
    for found in (*report.collisions, *report.touches):
        assert found.begin_s <= found.time_s <= found.end_s


def test_the_rooms_of_these_tests_are_full_of_contacts():
    reports = [judge_crowd(*crowded(seed)) for seed in range(3)]
    assert all(len(report.collisions) > 5 for report in reports)
    assert sum(len(report.touches) for report in reports) > 3
    assert any(found.thing.startswith("ball") for report in reports for found in report.collisions)
    assert any(found.thing == "bounds" for report in reports for found in report.collisions)


def test_a_finding_begins_and_ends_where_the_check_begins_and_ceases_to_see_it():
    seen = 0
    for recording, world in map(crowded, range(4)):
        for found in judge_crowd(recording, world).touches:
            pair = [performer(recording, n) for n in (found.who, found.whom)]
            there_s = max(one.start_s for one in pair), min(one.end_s for one in pair)
            for edge_s, inward in ((found.begin_s, 1), (found.end_s, -1)):
                for side, expected in ((inward, True), (-inward, False)):
                    low, high = sorted((edge_s, edge_s + side * FRAME_S))
                    if low >= there_s[0] - 1e-6 and high <= there_s[1] + 1e-6:
                        assert bool(check_motions(WIDE, pair, from_s=low, until_s=high).touches) == expected
                        seen += 1
    assert seen > 5


@settings(deadline=None, max_examples=4)
@given(seed=seeds)
def test_figures_are_placed_where_the_delivered_motion_has_them(seed: int):
    recording, _ = crowded(seed, count=4)
    figures, steps, _ = tabulate_figures(recording)
    tables = struct_of_figures(figures), struct_of_steps(steps)
    desk = judge_blocks.furnish(figures, *tables, len(recording))
    body = Body.from_skeleton(human().skeleton)
    block, axes = desk.block, np.empty((body.part_count, 2, 3))
    delivered = []
    for n in range(len(recording)):
        motion = recording.motion(n)
        delivered.append((round(recording.motion_start_s(n) * motion.rate_hz), *body.place(motion)))
    for first in range(0, recording.frames - 1, 10):
        lib.gb_check_lay_block(
            *(table.c for table in tables), first, min(first + 10, recording.frames - 1), desk.table.c
        )
        for n in range(len(recording)):
            begin, starts, ends = delivered[n]
            for column in range(block.last[n] - block.first[n] + 1):
                frame = block.first[n] + column - begin
                lib.gb_check_place_frame(desk.crowd.c, n, column, pointer(axes, "double"))
                assert np.abs(axes - np.stack((starts[frame], ends[frame]), axis=1)).max() < 2e-6
                x, y, reach = block.disc[n, column]
                for points in (starts[frame], ends[frame]):
                    assert np.all(np.hypot(points[:, 0] - x, points[:, 1] - y) + body.radius <= reach)


def facts(report: CrowdReport) -> tuple:
    return (report.collisions, report.touches, report.illegal_transitions, report.frames, report.from_s, report.until_s)


@pytest.mark.parametrize("cuts", [(0.5,), (0.333, 1.0, 1.04, 1.8)])
def test_parts_of_a_recording_make_the_whole(cuts: tuple[float, ...]):
    recording, world = crowded(2)
    edges = (0.0, *(round(cut * 30) / 30 for cut in cuts), None)
    parts = [judge_crowd(recording, world, from_s=begin or 0.0, until_s=end) for begin, end in pairwise(edges)]
    assert sum(len(part.touches) for part in parts) > 0
    assert facts(join_reports(parts)) == facts(judge_crowd(recording, world))


def test_the_report_depends_neither_on_threads_nor_on_how_much_is_looked_at_at_a_time(monkeypatch: pytest.MonkeyPatch):
    recording, world = crowded(3)
    whole = facts(judge_crowd(recording, world))
    shares: list[float] = []
    assert facts(judge_crowd(recording, world, threads=2, progress=shares.append)) == whole
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    monkeypatch.setattr(judge_blocks, "BLOCK_FRAMES", 4)
    monkeypatch.setattr(judge_rows, "SOME_ROWS", 1)
    monkeypatch.setattr(judge_rows, "MOST_ROWS", 5)
    assert facts(judge_crowd(recording, world)) == whole


def standing(*places: tuple[float, float], frames: int = 60, **options: Sequence[int]) -> Recording:
    starts = options.get("starts", [0] * len(places))
    played = [(0, ["stand"] * 4, (*place, 0.0), start) for place, start in zip(places, starts, strict=True)]
    return record((human(),), played, frames=frames, until=options.get("until"))


def test_nobody_is_overlooked_in_a_wide_crowd_whose_members_touch_across_the_cells_of_the_grid():
    rng = np.random.default_rng(0)
    middles, turns = rng.uniform(0.0, 25.0, (60, 2)), rng.uniform(0.0, 2.0 * np.pi, 60)
    apart = 0.11 * np.column_stack((np.cos(turns), np.sin(turns)))
    recording = standing(*map(tuple, np.concatenate((middles - apart, middles + apart)).tolist()), frames=4)
    report = judge_crowd(recording, WIDE)
    expected = check_motions(WIDE, [performer(recording, n) for n in range(len(recording))])
    assert len(expected.touches) > 40
    assert_alike(contacts([], report.touches), contacts([], expected.touches))


def test_who_is_gone_or_not_yet_there_touches_nobody():
    gone = standing((0.0, 0.0), (0.0, 0.1), starts=[0, 30], until=[31, 60])
    assert judge_crowd(gone, WIDE).is_clean
    meeting = judge_crowd(standing((0.0, 0.0), (0.0, 0.1), starts=[0, 30], until=[41, 60]), WIDE)
    (touch,) = meeting.touches
    assert (touch.who, touch.whom) == (0, 1)
    assert touch.begin_s == pytest.approx(1.0)
    assert touch.end_s == pytest.approx(40 / 30)


def test_an_edit_that_lands_on_someone_is_a_collision_for_as_long_as_it_is_there():
    recording = standing((0.0, 0.0), (5.0, 0.0))
    box = Obstacle("box", Footprint.box(1.0, 1.0), (0.0, 0.0, 0.0))
    edited = replace(WIDE, obstacles=(box,))
    aside = replace(WIDE, obstacles=(replace(box, pose=(5.5, 0.0, 0.0)),))
    report = judge_crowd(recording, WIDE, edits=[(21, edited), (41, aside), (50, WIDE)])
    assert [(found.performer, found.thing) for found in report.collisions] == [("P0", "box"), ("P1", "box")]
    assert [found.begin_s for found in report.collisions] == pytest.approx([21 / 30, 41 / 30])
    assert [found.end_s for found in report.collisions] == pytest.approx([41 / 30, 50 / 30])
    late = judge_crowd(recording, WIDE, from_s=45 / 30, edits=[(21, edited), (41, aside), (50, WIDE)])
    assert [(found.performer, found.begin_s) for found in late.collisions] == [("P1", pytest.approx(1.5))]


def test_things_far_away_change_nothing():
    recording, world = crowded(4)
    expected = facts(judge_crowd(recording, world))
    far = tuple(Obstacle(f"far {n}", Footprint.box(0.5, 9.0), (12.0 + n, 12.0 - n, 0.3 * n)) for n in range(9))
    more = replace(world, obstacles=(*world.obstacles, *far))
    assert facts(judge_crowd(recording, more)) == expected


def tampered(recording: Recording, **arrays: np.ndarray) -> Recording:
    """Change a recording behind its back: at birth it would be refused."""
    for name, values in arrays.items():
        values.setflags(write=False)
        object.__setattr__(recording, name, values)
    return recording


def test_steps_that_are_not_allowed_or_do_not_join_are_told_as_the_check_tells_them():
    names = ["stand", "start-walk", "walk", "walk", "stop-walk", "stand"]
    whole = record((human(),), [(0, names, (0.0, 0.0, 0.3), 5), (0, names, (9.0, 0.0, 0.3), 0)], frames=150)
    motion = whole.motion(1)
    pose, clip, frame = np.array(whole.pose), np.array(whole.clip), np.array(whole.frame)
    pose[9, 0] += 0.05
    frame[10:] += 1
    clip[8] = 0
    recording = tampered(whole, pose=pose, clip=clip, frame=frame)
    report = judge_crowd(recording, WIDE)
    everything = find_illegal("P1", human(), recording.steps(1), motion, 0.0)
    expected = [found for found in everything if "root" not in found.reason and "motion" not in found.reason]
    assert len(expected) >= 4
    assert list(report.illegal_transitions) == expected
    early = judge_crowd(recording, WIDE, until_s=float(frame[8]) / 30)
    late = judge_crowd(recording, WIDE, from_s=float(frame[8]) / 30)
    assert (*early.illegal_transitions, *late.illegal_transitions) == report.illegal_transitions
    assert early.illegal_transitions
    assert late.illegal_transitions


def test_a_crowd_of_nobody_is_clear():
    nobody = record((human(),), [], frames=30)
    assert judge_crowd(nobody, WIDE).is_clean
    assert judge_crowd(nobody, WIDE).frames == 0


def test_wrong_input_is_refused():
    recording = standing((0.0, 0.0))
    with pytest.raises(InvalidInput, match="ends after that"):
        judge_crowd(recording, WIDE, from_s=1.0, until_s=0.5)
    with pytest.raises(InvalidInput, match="in the order"):
        judge_crowd(recording, WIDE, edits=[(9, WIDE), (3, WIDE)])
    with pytest.raises(InvalidInput, match="level ground"):
        judge_crowd(recording, replace(WIDE, terrain=Terrain((0.0, 0.0), 1.0, np.zeros((2, 2)))))
    with pytest.raises(InvalidInput, match="one thread"):
        judge_crowd(recording, WIDE, threads=0)
    with pytest.raises(InvalidInput, match="negative"):
        judge_crowd(recording, WIDE, collision_depth_m=-1.0)
