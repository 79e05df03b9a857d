"""Whom edits meet and for how long: what they explain, and their kernels, against every frame looked at by itself."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.edited_crowds import RATE_HZ, SQUARE, ball, box, place, wandering

from gambol.crowd import Crowd, Edit, Hit, KnownMover, Movers, lay_floor
from gambol.crowd.kernels.edits import contact_with_pieces, contact_with_traffic, leg_meets_box, way_out
from gambol.crowd.kernels.reservations import FOREVER
from gambol.judges import CrowdCollision, CrowdReport, attribute
from gambol.world import Footprint, Obstacle, World, pieces_of

seeds = st.integers(0, 2**31 - 1)


# --- attribution --------------------------------------------------------------------------------------------------


def finding(begin_s: float, end_s: float, *, who: int = 3, thing: str = "crate") -> CrowdCollision:
    return CrowdCollision("Ann", thing, begin_s, 0.1, (0.0, 0.0, 1.0), "Hips", who, begin_s, end_s)


def report_of(*found: CrowdCollision) -> CrowdReport:
    return CrowdReport(found, (), (), 100, 0.0, 9.0)


@pytest.mark.parametrize(
    ("found", "is_explained"),
    [
        (finding(2.0, 3.0), True),
        (finding(1.5, 3.0), False),  # before the edit
        (finding(2.5, 3.5), False),  # longer than it was met
        (finding(2.0, 3.0, who=4), False),  # somebody else
        (finding(2.0, 3.0, thing="chair"), False),
    ],
)
def test_edit_explains_only_whom_it_met_and_for_as_long(found, is_explained):
    edit = Edit(0, "add", "crate", "now", 59, frame=60, hits={3: [Hit(60, 90)]})
    explained, rest = attribute(report_of(found), [edit])
    assert (tuple(one.found for one in explained) == (found,)) is is_explained
    assert (rest.collisions == ()) is is_explained


def test_edit_does_not_explain_who_stays_in_it_for_longer_than_two_seconds():
    edit = Edit(0, "add", "crate", "now", 59, frame=60, hits={3: [Hit(60, None)]})
    report = report_of(finding(2.0, 4.5))
    assert attribute(report, [edit]) == ((), report)
    (overlap,), _ = attribute(report, [edit], most_s=3.0)
    assert overlap.seconds == 2.5


def test_who_comes_back_into_a_crate_was_not_out_of_it():
    edit = Edit(0, "add", "crate", "now", 59, frame=60, hits={3: [Hit(60, 135)]})
    explained, rest = attribute(report_of(finding(2.0, 3.0), finding(4.2, 4.5)), [edit])
    assert [one.seconds for one in explained] == [1.0]
    assert rest.collisions == (finding(4.2, 4.5),)


def test_what_is_thrown_explains_each_time_it_hits_and_nothing_between():
    edit = Edit(0, "throw", "crate", "now", 59, frame=60, hits={3: [Hit(60, 90), Hit(180, 195)]})
    found = finding(2.0, 3.0), finding(4.0, 4.2), finding(6.0, 6.5)
    explained, rest = attribute(report_of(*found), [edit])
    assert [one.found for one in explained] == [found[0], found[2]]
    assert [one.seconds for one in explained] == [1.0, 0.5]
    assert rest.collisions == (found[1],)


def test_who_is_in_a_crate_before_and_after_it_is_moved_is_in_two_edits():
    added = Edit(0, "add", "crate", "now", 59, frame=60, until=105, hits={3: [Hit(60, 105)]})
    moved = Edit(1, "move", "crate", "now", 104, frame=105, hits={3: [Hit(105, 150)]})
    (one, two), rest = attribute(report_of(finding(2.0, 5.0)), [added, moved])
    assert (one.edit, two.edit) == (added, moved)
    assert (one.seconds, two.seconds) == (1.5, 1.5)
    assert rest.collisions == ()
    moved.hits.clear()
    (one,), rest = attribute(report_of(finding(2.0, 5.0)), [added, moved])
    assert one.edit is added
    assert rest.collisions == (replace(finding(2.0, 5.0), begin_s=3.5),)


# --- hits against plain geometry ----------------------------------------------------------------------------------


def bodies_at(crowd: Crowd, who: int, frame: int) -> np.ndarray:
    """Return x, y, radius, low and high (M, 5) of all parts of a body that holds a trajectory, at a frame to come."""
    clips, flock, at = crowd._tables.clips, crowd._flock, crowd._place[who]
    samples = [
        (clips.first_sample[clip] + frame - begins, pose)
        for clip, begins, pose in zip(flock.clip[at], flock.frame[at], flock.pose[at], strict=True)
    ]
    held = [
        (sample, pose)
        for (sample, pose), clip in zip(samples[: flock.count[at]], flock.clip[at], strict=False)
        if 0 <= sample - clips.first_sample[clip] <= clips.duration[clip]
    ]
    if frame >= flock.end_frame[at]:
        held.append((clips.rest_sample[flock.kind[at]], flock.end[at]))
    rows = []
    for sample, (x, y, _, c, s) in held:
        along, across, turn_c, turn_s = clips.samples[sample, :4]
        ahead, aside, radius, low, high, _ = clips.parts[sample].T
        root, facing, turn = complex(x, y), complex(c, s), complex(turn_c, turn_s)
        points = root + facing * (complex(along, across) + turn * (ahead + 1j * aside))
        rows.append(np.column_stack((points.real, points.imag, radius, low, high))[high > low])
    return np.concatenate(rows)


def is_in(obstacle: Obstacle, bodies: np.ndarray) -> bool:
    x, y, radius, low, high = bodies.T
    near = shapely.distance(obstacle.footprint.region(obstacle.pose), shapely.points(x, y)) < radius
    return bool((near & (obstacle.bottom_m < high) & (low < obstacle.top_m)).any())


def note_who_is_met(crowd: Crowd, met: dict[tuple[int, int], set[int]]) -> None:
    """Note who is in what an edit has put there, now and in the next frame, by plain geometry.

    The next, because where clips follow each other the last instant of the one counts too.  No way out is known of
    those, and only those, who come to rest in it.
    """
    holders = {edit.name: edit for edit in crowd.edits if edit.frame is not None and edit.until is None}
    for obstacle in crowd.world.obstacles:
        for who in crowd.ids:
            if math.dist(place(crowd, who), obstacle.pose[:2]) > 6.0:
                continue  # nobody gets so far in one clip
            edit = holders[obstacle.name]
            for frame in (crowd.frame, crowd.frame + 1):
                if is_in(obstacle, bodies_at(crowd, who, frame)):
                    met.setdefault((edit.number, who), set()).add(frame)
            if who in edit.hits:
                stays = edit.hits[who][-1].last_frame is None
                assert stays == is_in(obstacle, bodies_at(crowd, who, int(FOREVER)))


@pytest.mark.slow
def test_hits_of_obstacles_are_all_frames_in_which_bodies_are_in_them_and_get_longer_by_later_edits_only():
    crowd = wandering(30, seed=7, world=World((-5.0, -5.0, 5.0, 5.0)))
    rng = np.random.default_rng(7)
    met: dict[tuple[int, int], set[int]] = {}
    promised: dict[tuple[int, int], float] = {}  # last frame, by edit and who
    for frame in range(240):
        if frame % 8 == 0:
            where = (*place(crowd, int(rng.integers(30))), float(rng.uniform(-3.0, 3.0)))
            name, when = f"box {frame // 8 % 5}", ("now", "soon", "now")[frame // 8 % 3]
            if name in crowd._edits._obstacle_names:
                crowd.move_obstacle(name, where, when=when)
            else:
                crowd.add_obstacle(replace(box(name, 0.0, 0.0), pose=where), when=when)
        crowd.step()
        note_who_is_met(crowd, met)
        for edit in crowd.edits:
            for who, hits in edit.hits.items():
                last = math.inf if hits[-1].last_frame is None else hits[-1].last_frame
                # Only what is put onto someone later may be in its way out.
                is_met_again = any(who in other.hits for other in crowd.edits if other.number > edit.number)
                assert last <= promised.setdefault((edit.number, who), last) or is_met_again
                promised[edit.number, who] = last
    gone = {edit.number: edit.until for edit in crowd.edits if edit.until is not None}
    met = {key: {frame for frame in frames if frame < gone.get(key[0], FOREVER)} for key, frames in met.items()}
    met = {key: frames for key, frames in met.items() if frames}
    hit = {
        (edit.number, who): (hits[0].first_frame, hits[-1].last_frame)
        for edit in crowd.edits
        for who, hits in edit.hits.items()
        if hits[0].first_frame <= crowd.frame
    }
    assert len(met) > 20
    assert set(met) == set(hit)
    for key, frames in met.items():
        first, last = hit[key]
        assert first == min(frames)
        assert last is None or last >= crowd.frame or abs(last - max(frames)) <= 1


# --- kernels against plain code -----------------------------------------------------------------------------------


@cache
def trailing() -> Crowd:
    """Return a crowd in full motion, not to be changed."""
    crowd = wandering(12, seed=8)
    crowd.run(3.3)
    return crowd


def discs_by_frame(crowd: Crowd, who: int) -> list[list[tuple[float, float, float, float, float]]]:
    """Return x, y, radius, low and high of all parts of a body, from now to the frame after it has come to rest."""
    clips, flock, now = crowd._tables.clips, crowd._flock, crowd.frame
    end_frame = max(int(flock.end_frame[who]), now)
    frames = [[] for _ in range(now, end_frame + 2)]
    bodies = []
    for segment in range(flock.count[who]):
        clip, begins = flock.clip[who, segment], int(flock.frame[who, segment])
        for instant in range(clips.duration[clip] + 1):
            sample = clips.first_sample[clip] + instant
            bodies.append((begins + instant, sample, *flock.pose[who, segment, :3], *clips.samples[sample, :4]))
    rest = clips.rest_sample[flock.kind[who]]
    bodies += [(frame, rest, *flock.end[who, :3], 0.0, 0.0, 1.0, 0.0) for frame in (end_frame, end_frame + 1)]
    for frame, sample, x, y, heading, along, across, cosine, sine in bodies:
        if frame < now:
            continue
        turn = np.exp(1j * heading)
        root, facing = (x + 1j * y + turn * (along + 1j * across), turn * (cosine + 1j * sine))
        for ahead, aside, radius, low, high, _ in clips.parts[sample]:
            if high > low:
                at = root + facing * (ahead + 1j * aside)
                frames[frame - now].append((at.real, at.imag, radius, low, high))
    return frames


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(seeds)
def test_contacts_are_those_of_every_frame_looked_at_by_itself(seed):
    crowd = trailing()
    rng = np.random.default_rng(seed)
    pose = (*rng.uniform(-8.0, 8.0, 2).tolist(), float(rng.uniform(-3.0, 3.0)))
    heights = sorted(rng.choice([0.0, 0.4, 0.8, 1.5, 2.4], 2, replace=False).tolist())
    obstacle = Obstacle("beam", Footprint.box(float(rng.uniform(0.2, 4.0)), 0.5), pose, *heights)
    region = obstacle.footprint.region(pose)
    pieces, clips, flock = pieces_of((obstacle,)), crowd._tables.clips, crowd._flock
    for who in range(len(crowd)):
        met = [
            frame
            for frame, discs in enumerate(discs_by_frame(crowd, who), crowd.frame)
            if any(
                obstacle.bottom_m < high
                and low < obstacle.top_m
                and shapely.distance(region, shapely.Point(x, y)) < radius
                for x, y, radius, low, high in discs
            )
        ]
        first, last = contact_with_pieces(pieces, clips, flock, np.int64(who), np.int64(crowd.frame))
        rests_in = bool(met) and met[-1] == max(int(flock.end_frame[who]), crowd.frame) + 1
        assert first == (met[0] if met else -1)
        assert last == (-1 if not met else FOREVER if rests_in else met[-1])


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(seeds)
def test_contacts_with_what_moves_miss_none_and_are_near_by(seed):
    crowd = trailing()
    rng = np.random.default_rng(seed)
    begin_s = crowd.time_s + float(rng.uniform(-1.0, 1.0))
    thrown = ball("ball", (begin_s, begin_s + 3.0), *rng.uniform(-8.0, 8.0, (2, 2)).tolist())
    movers = Movers((), RATE_HZ)
    movers.put(KnownMover(thrown, stays=True), crowd.frame)
    tables, flock = crowd._tables, crowd._flock
    for who in range(len(crowd)):
        discs_of = discs_by_frame(crowd, who)
        discs_of += discs_of[-1:] * 150
        gaps = []
        for frame, discs in enumerate(discs_of, crowd.frame):
            (x, y, _), _ = thrown.trajectory.at(frame / RATE_HZ)
            gaps.append(min(math.dist((x, y), disc[:2]) - disc[2] for disc in discs if disc[3] < 1.0) - 0.5)
        first, last = contact_with_traffic(
            movers.table, np.int64(movers.frame), tables.actions, tables.clips, flock, np.int64(who),
            np.int64(crowd.frame),
        )  # fmt: skip
        met = [frame for frame, gap in enumerate(gaps, crowd.frame) if gap <= 0.0]
        if met:
            assert 0 <= first <= met[0]
            assert last == FOREVER if met[-1] == crowd.frame + len(gaps) - 1 else met[-1] <= last
        if first >= 0:
            assert gaps[first - crowd.frame] < 0.25  # what it moves in half a frame, and how one sways


@given(st.lists(st.floats(-5.0, 5.0), min_size=4, max_size=4), seeds)
def test_legs_through_a_box_are_found(ends, seed):
    x0, y0 = np.random.default_rng(seed).uniform(-5.0, 3.0, 2)
    x1, y1 = x0 + 2.0, y0 + 1.0
    expected = shapely.LineString([ends[:2], ends[2:]]).distance(shapely.box(x0, y0, x1, y1))
    assert (
        leg_meets_box(ends[0], ends[1], ends[2], ends[3], np.array([x0, y0, x1, y1])) == (expected < 1e-9)
        or expected < 1e-6
    )


@given(seeds)
def test_way_out_is_the_nearest_place_with_room(seed):
    rng = np.random.default_rng(seed)
    floor = lay_floor(World(SQUARE.bounds, (box("slab", *rng.uniform(-4.0, 4.0, 2), length_m=6.0, width_m=4.0),)))
    x, y = rng.uniform(-9.0, 9.0, 2)
    rows, columns = np.nonzero(floor.room >= 0.35)
    away = np.hypot(floor.x0 + (columns + 0.5) * floor.cell_m - x, floor.y0 + (rows + 0.5) * floor.cell_m - y)
    out = way_out(floor, x, y, 0.35, np.int64(120))
    assert math.dist(out, (x, y)) == pytest.approx(away.min())
