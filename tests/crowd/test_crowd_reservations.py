"""Who meets whom, against every part of every body in every frame."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.crowd_bodies import Bodies, bodies_meet, clip_bodies, random_flock, rest_bodies, trajectory_bodies

from gambol.characters import load_character
from gambol.crowd.arrays import NOBODY, Cells, Flock
from gambol.crowd.kernels.reservations import (
    DISC_MARGIN_M,
    PARTING_M,
    clips_meet,
    gather,
    root_at,
    sort_into_cells,
    who_is_near_clip,
    who_meets_clip,
    who_meets_rest,
)
from gambol.crowd.kinds import Clips, compile_kinds
from gambol.geometry import planar

CELL_M = 3.0


@pytest.fixture(scope="module")
def clips() -> Clips:
    return compile_kinds((load_character("human").subset("crowd"), load_character("horse"))).clips


@pytest.fixture(scope="module")
def on_the_spot(clips: Clips) -> Clips:
    """Clips whose bodies change while their roots stay where they are."""
    samples = clips.samples.copy()
    samples[:, :2] = 0.0
    circle = np.column_stack((np.zeros((len(clips.reach), 2)), clips.reach))
    return clips._replace(samples=samples, stride=np.zeros_like(clips.stride), circle=circle)


def _turned(pose: np.ndarray) -> tuple[float, float, float, float]:
    return float(pose[0]), float(pose[1]), float(np.cos(pose[2])), float(np.sin(pose[2]))


def _random_pose(rng: np.random.Generator, size_m: float) -> np.ndarray:
    return np.array([*rng.uniform(-size_m / 2, size_m / 2, 2), rng.uniform(-4.0, 4.0)])


def _agree(clips: Clips, seed: int, size_m: float, *, rests: bool) -> bool:
    """Compare two clips placed by chance, or a clip and one who rests, with the oracle; return whether they meet."""
    rng = np.random.default_rng(seed)
    one, other = (int(number) for number in rng.integers(len(clips.duration), size=2))
    mine, others = _random_pose(rng, size_m), _random_pose(rng, size_m)
    begins, begun = 0, int(rng.integers(-clips.duration[other], clips.duration[one] + 1))
    first, last = max(begins, begun), min(begins + clips.duration[one], begun + clips.duration[other])
    theirs, number = clip_bodies(clips, other, others, begun), np.int64(other)
    if rests:
        kind = int(clips.kind_of_clip[other])
        first, last, number = max(begins, begun), begins + clips.duration[one], ~clips.rest_sample[kind]
        theirs = rest_bodies(clips, kind, others, begun)
    expected = bodies_meet(clip_bodies(clips, one, mine, begins), theirs)
    for swapped in (False, True):
        a = (np.int64(one), *_turned(mine), np.int64(begins))
        b = (number, *_turned(others), np.int64(begun))
        both = (*b, *a) if swapped else (*a, *b)
        assert clips_meet(clips, *both, np.int64(first), np.int64(last)) == expected, (seed, one, other, swapped)
        if expected:  # and not a frame later than they do
            begin = _first_meeting(clip_bodies(clips, one, mine, begins), theirs)
            assert clips_meet(clips, *both, np.int64(first), np.int64(begin)), (seed, one, other, swapped)
            assert not clips_meet(clips, *both, np.int64(first), np.int64(begin - 1)), (seed, one, other, swapped)
    return expected


def _first_meeting(clip: Bodies, other: Bodies) -> int:
    """Return the first frame at which a clip meets another or one who rests."""
    for frame, body in zip(clip.frame, clip.cylinders, strict=True):
        if bodies_meet(Bodies(np.array([frame]), body[None]), other):
            return int(frame)
    raise AssertionError("they do not meet")


@pytest.mark.parametrize("rests", [False, True])
def test_two_clips_meet_where_any_of_their_parts_do(clips: Clips, rests: bool) -> None:
    met = [_agree(clips, seed, 3.0, rests=rests) for seed in range(500)]
    assert 100 < sum(met) < 400  # both answers were put to the test


@pytest.mark.parametrize("rests", [False, True])
def test_two_who_stay_in_their_places_may_meet_later(on_the_spot: Clips, rests: bool) -> None:
    met = [_agree(on_the_spot, seed, 1.6, rests=rests) for seed in range(300)]
    assert 50 < sum(met) < 290


def test_two_discs_that_roll_at_each_other_are_caught_at_their_first_frame(clips: Clips) -> None:
    """Where speeds and sizes are exactly as bounded, one frame skipped too many would be seen."""
    rng = np.random.default_rng(1)
    samples, parts, stride = clips.samples.copy(), np.zeros_like(clips.parts), np.zeros_like(clips.stride)
    parts[:, 0] = 0.0, 0.0, 0.3, 0.0, 1.0, 0.3
    parts[:, 1:, 5] = -np.inf
    samples[:, 1:5] = 0.0, 1.0, 0.0, 0.3
    for clip, (begin, frames) in enumerate(zip(clips.first_sample, clips.duration, strict=True)):
        stride[clip] = rng.uniform(0.01, 0.2)
        samples[begin : begin + frames + 1, 0] = stride[clip] * np.arange(frames + 1)
    rolling = clips._replace(samples=samples, parts=parts, stride=stride, reach=np.full(len(stride), 0.3))
    met = 0
    for _ in range(400):
        one, other = rng.integers(int(clips.first_clip[1]), size=2)
        away = float(rng.uniform(0.6, 9.0))
        last = min(clips.duration[one], clips.duration[other])
        at = int(np.ceil((away - 0.6) / (stride[one] + stride[other])))
        both = (one, 0.0, 0.0, 1.0, 0.0, np.int64(0), other, away, 0.0, -1.0, 0.0, np.int64(0), np.int64(0))
        assert clips_meet(rolling, *both, np.int64(last)) == (at <= last)
        if at <= last:
            assert clips_meet(rolling, *both, np.int64(at))
            assert not clips_meet(rolling, *both, np.int64(at - 1))
            met += 1
    assert 50 < met < 350


@pytest.mark.parametrize("seed", range(6))
def test_whom_a_clip_meets_is_the_first_whose_trajectory_it_meets(clips: Clips, seed: int) -> None:
    rng = np.random.default_rng(seed)
    flock = random_flock(clips, 12, rng, size_m=14.0, jump_m=2.0)
    held = [trajectory_bodies(clips, flock, who) for who in range(12)]
    near = np.arange(12)
    rng.shuffle(near)
    outcomes = []
    for _ in range(60):
        clip, pose, begins = int(rng.integers(len(clips.duration))), _random_pose(rng, 14.0), int(rng.integers(0, 150))
        if rng.random() < 0.5:  # it ends about when another comes to rest, and where that one does
            whose = int(rng.integers(12))
            begins = int(flock.end_frame[whose] - clips.duration[clip] + rng.integers(-1, 2))
            end = planar.compose(np.array([[0.0, 0.0, pose[2]]]), clips.displacement[clip : clip + 1, :3])[0]
            pose[:2] = flock.end[whose, :2] - end[:2] + rng.uniform(-0.5, 0.5, 2)
        found = who_meets_clip(
            clips, flock, near, np.int64(12), np.int64(clip), *_turned(pose), np.int64(begins)
        )  # fmt: skip
        mine = clip_bodies(clips, clip, pose, begins)
        met = [who for who in near if any(bodies_meet(mine, other) for other in held[who])]
        assert found == (met[0] if met else NOBODY)
        outcomes.append(bool(met))
    assert 5 < sum(outcomes) < 58


@pytest.mark.parametrize("seed", range(6))
def test_who_comes_by_one_that_stands_for_ever_is_found_whenever_that_is(clips: Clips, seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    flock = random_flock(clips, 8, rng, size_m=14.0, jump_m=2.0)
    held = [trajectory_bodies(clips, flock, who) for who in range(8)]
    near = np.arange(8)
    outcomes = []
    for _ in range(60):
        kind, pose, begins = int(rng.integers(2)), _random_pose(rng, 14.0), int(rng.integers(0, 150))
        found = who_meets_rest(clips, flock, near, np.int64(8), np.int64(kind), *_turned(pose), np.int64(begins))
        mine = rest_bodies(clips, kind, pose, begins)
        met = [who for who in near if any(bodies_meet(mine, other) for other in held[who])]
        assert found == (met[0] if met else NOBODY)
        outcomes.append(bool(met))
    assert 5 < sum(outcomes) < 55


def test_the_frame_where_two_clips_meet_counts_for_both(clips: Clips) -> None:
    """Who begins at the frame at which another's clip ends is held against that clip's last instant."""
    for clip in range(0, int(clips.first_clip[1]), 7):
        flock = random_flock(clips, 1, np.random.default_rng(clip), size_m=4.0, kind_of=np.zeros(1, np.int32))
        flock.clip[0, 0], flock.count[0] = clip, 1
        ends = int(flock.frame[0, 0] + clips.duration[clip])
        # It is gone far away when it stands, so that only its last instant is where the other begins to stand.
        flock.end[0, :2], flock.end_frame[0] = 1000.0, ends
        flock.box[0] = -2000.0, -2000.0, 2000.0, 2000.0
        last = planar.compose(flock.pose[:1, 0, :3], clips.displacement[clip : clip + 1, :3])[0]
        near = np.zeros(1, np.int64)
        for late, expected in ((0, 0), (1, NOBODY)):
            found = who_meets_rest(clips, flock, near, np.int64(1), np.int64(0), *_turned(last), np.int64(ends + late))
            assert found == expected


def _cells(count: int, rows: int, columns: int, x0: float, y0: float) -> Cells:
    return Cells(
        x0, y0, CELL_M, rows, columns, np.zeros(rows * columns + 1, np.int64), np.zeros(count, np.int32), np.zeros(2),
        np.zeros(rows * columns, np.int32),
    )  # fmt: skip


@pytest.fixture(scope="module")
def sparse(clips: Clips) -> Flock:
    """Eighty places, some of them free, of whom many reach beyond the cells."""
    rng = np.random.default_rng(5)
    flock = random_flock(clips, 80, rng, size_m=40.0)
    flock.taken[rng.random(80) < 0.2] = False
    return flock


def test_everyone_is_sorted_into_the_cell_nearest_to_the_middle_of_its_box(sparse: Flock) -> None:
    cells = _cells(80, 9, 11, -15.0, -13.0)
    sort_into_cells(sparse, np.int64(80), cells)
    x, y = 0.5 * (sparse.box[:, 0] + sparse.box[:, 2]), 0.5 * (sparse.box[:, 1] + sparse.box[:, 3])
    column = np.clip(np.floor((x - cells.x0) / CELL_M), 0, 10).astype(int)
    row = np.clip(np.floor((y - cells.y0) / CELL_M), 0, 8).astype(int)
    for cell in range(99):
        expected = np.flatnonzero(sparse.taken & (row * 11 + column == cell))
        np.testing.assert_array_equal(cells.who[cells.first[cell] : cells.first[cell + 1]], expected)
        assert cells.still[cell] == (sparse.count[expected] == 1).sum()
    assert cells.first[-1] == sparse.taken.sum()
    boxes = sparse.box[sparse.taken]
    np.testing.assert_array_equal(cells.half, (0.5 * (boxes[:, 2:] - boxes[:, :2])).max(axis=0))


def test_all_whose_boxes_meet_a_box_are_gathered(sparse: Flock) -> None:
    cells = _cells(80, 9, 11, -15.0, -13.0)
    sort_into_cells(sparse, np.int64(80), cells)
    rng = np.random.default_rng(6)
    near = np.zeros(80, np.int64)
    for _ in range(300):
        low = rng.uniform(-40.0, 40.0, 2)
        high = low + rng.uniform(0.0, 12.0, 2)
        who = int(rng.integers(80))
        count = gather(cells, sparse, np.int64(who), low[0], low[1], high[0], high[1], near)
        meets = (sparse.box[:, :2] <= high).all(axis=1) & (sparse.box[:, 2:] >= low).all(axis=1)
        expected = np.flatnonzero(meets & sparse.taken & (np.arange(80) != who))
        assert sorted(near[:count]) == expected.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_discs_are_looked_at_in_the_middle_and_at_the_end_of_a_clip_only(clips: Clips, seed: int) -> None:
    rng = np.random.default_rng(seed)
    flock = random_flock(clips, 6, rng, size_m=7.0)
    near = np.arange(6)
    radius = clips.samples[clips.rest_sample, 4] + DISC_MARGIN_M
    outcomes = []
    for _ in range(60):
        clip, pose, begins = int(rng.integers(len(clips.duration))), _random_pose(rng, 7.0), int(rng.integers(20, 150))
        kind = int(clips.kind_of_clip[clip])
        found = who_is_near_clip(
            clips, flock, near, np.int64(6), np.int64(kind), np.int64(clip), *_turned(pose), np.int64(begins)
        )
        met = []
        for who in near:
            before, middle, end = (
                np.hypot(*(_root(clips, clip, pose, passed) - _root_of(clips, flock, int(who), begins + passed)))
                for passed in (0, int(clips.duration[clip]) // 2, int(clips.duration[clip]))
            )
            is_near = min(middle, end) <= radius[kind] + radius[flock.kind[who]]
            if is_near and min(middle, end) <= before - PARTING_M:
                met.append(who)
        assert found == (met[0] if met else NOBODY)
        outcomes.append(bool(met))
    assert 5 < sum(outcomes) < 55


def test_the_root_goes_along_what_is_held_and_stays_at_its_end(clips: Clips) -> None:
    flock = random_flock(clips, 5, np.random.default_rng(8), size_m=10.0)
    for who in range(5):
        for frame in range(int(flock.frame[who, 0]), int(flock.end_frame[who]) + 5):
            found = root_at(clips, flock, np.int64(who), np.int64(frame))
            np.testing.assert_allclose(found, _root_of(clips, flock, who, frame), atol=1e-9)


def _root(clips: Clips, clip: int, pose: np.ndarray, passed: int) -> np.ndarray:
    path = np.array([[*clips.samples[clips.first_sample[clip] + passed, :2], 0.0]])
    return planar.compose(pose[None], path)[0, :2]


def _root_of(clips: Clips, flock: Flock, who: int, frame: int) -> np.ndarray:
    for segment in reversed(range(flock.count[who])):
        passed = frame - int(flock.frame[who, segment])
        clip = int(flock.clip[who, segment])
        if 0 <= passed < clips.duration[clip]:
            return _root(clips, clip, flock.pose[who, segment, :3], passed)
    return flock.end[who, :2]
