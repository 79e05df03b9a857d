"""Poses of a running crowd, against the motions of its recording."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import ArrayLike

from gambol.characters import load_character
from gambol.crowd.crowd import Crowd
from gambol.crowd.errand import Errand
from gambol.crowd.live_poses import LivePoses
from gambol.crowd.poses import ALL, FEW, FEW_JOINTS, NONE
from gambol.crowd.recording import Recording
from gambol.errors import InvalidInput
from gambol.world import World

EQUAL_M = 1e-4
LATE_CHANGE_M = 0.025  # by a change of what comes next just before it does
FRAMES = 240


class Seen(NamedTuple):
    """What was shown at one frame of someone."""

    after: int  # the clip to come, as it was known then; -1: standing
    positions: np.ndarray
    rotations: np.ndarray


class Run(NamedTuple):
    """A crowd that has run, and what it showed on the way."""

    crowd: Crowd
    recording: Recording
    seen: dict[tuple[int, int], Seen]  # by who and frame


@pytest.fixture(scope="module")
def run() -> Run:
    """Run humans, a horse and a skateboarder about a square; one leaves, and one takes its place."""
    kinds = [load_character("human").subset("crowd"), load_character("horse"), load_character("skateboarder")]
    crowd = Crowd(World(bounds=(0.0, 0.0, 40.0, 40.0)), kinds, seed=3)
    wander = Errand.wander((2.0, 2.0, 38.0, 38.0))
    for number in range(30):
        crowd.add(0, (3.0 + 5.0 * (number % 6), 3.0 + 4.0 * (number // 6), 0.7 * number), wander)
    crowd.add(0, (35.0, 3.0, 0.0), Errand.to(35.0, 3.0))  # who only stands
    crowd.add(1, (10.0, 34.0, 0.0), wander)
    crowd.add(2, (30.0, 34.0, 0.0), wander)
    live, seen = LivePoses(crowd, rotations=True), {}
    for _ in range(FRAMES):
        crowd.step()
        if crowd.frame == 80:
            crowd.remove(4)
        if crowd.frame == 90:
            crowd.add(0, (20.0, 37.0, 1.0), wander)
        for figures in live.now():
            assert figures.rotations is not None
            for who, positions, rotations in zip(figures.ids, figures.positions, figures.rotations, strict=True):
                place = crowd._place[int(who)]
                flock = crowd._flock
                known = flock.clip[place, 1] if flock.count[place] > 1 else -1
                after = int(known - crowd._tables.clips.first_clip[figures.kind]) if known >= 0 else -1
                seen[int(who), crowd.frame] = Seen(after, positions.copy(), rotations.copy())
    return Run(crowd, crowd.recording(), seen)


@pytest.fixture(scope="module")
def live(run: Run) -> LivePoses:
    return LivePoses(run.crowd)


def test_poses_are_those_of_the_recorded_motions(run: Run):
    recording = run.recording
    checked, late, joins = 0, 0, 0
    for who in range(len(recording)):
        motion = recording.motion(who)
        first, last = recording.presence(who)
        steps = slice(int(recording.first_step[who]), int(recording.first_step[who + 1]))
        begins, clips = recording.frame[steps], recording.clip[steps]
        stands = _stands(run, who)
        for frame in range(max(first, 1), last + 1):
            step = int(np.searchsorted(begins, frame, "right")) - 1
            if step + 1 == len(begins):  # how this one ends is not decided
                break
            shown = run.seen[who, frame]
            row = round((frame - first) * motion.rate_hz / recording.rate_hz)
            gap = np.abs(shown.positions - motion.world_positions[row]).max()
            came = int(clips[step + 1])
            if came == shown.after or (shown.after < 0 and came in stands):
                assert gap <= EQUAL_M, (who, frame)
                same = np.abs(np.sum(shown.rotations * motion.world_rotations[row], axis=-1))
                assert same.min() > 1.0 - 1e-5
                checked += 1
                joins += frame == begins[step]
            else:
                assert gap <= LATE_CHANGE_M, (who, frame)
                late += gap > EQUAL_M
    assert checked > 5000
    assert joins > 200
    assert late < 0.02 * checked


def _stands(run: Run, who: int) -> list[int]:
    """Return the clips of standing of someone's kind."""
    clips, kind = run.crowd._tables.clips, run.recording.kind[who]
    own = clips.stand[clips.first_stand[kind] : clips.first_stand[kind + 1]]
    return (own - clips.first_clip[kind]).tolist()


def test_everyone_is_shown_at_every_frame_at_which_they_are_there(run: Run):
    for who in range(len(run.recording)):
        first, last = run.recording.presence(who)
        shown = [frame for number, frame in run.seen if number == who]
        assert shown == list(range(max(first, 1), last + 1))


def test_some_are_shown_in_the_order_asked_for(live: LivePoses):
    whole = {int(who): row.copy() for figures in live.now() for who, row in zip(*figures[1:3], strict=True)}
    chosen = [31, 7, 20, 32, 3]
    figures = live.now(chosen)
    assert [found.ids.tolist() for found in figures] == [[7, 20, 3], [31], [32]]
    for found in figures:
        assert found.rotations is None
        for who, row in zip(found.ids.tolist(), found.positions, strict=True):
            np.testing.assert_array_equal(row, whole[who])


def test_who_is_far_off_gets_few_joints_or_none(run: Run, live: LivePoses):
    ids = [0, 1, 2]
    whole = live.now(ids)[0].positions.copy()
    joints = [run.crowd.kinds[0].skeleton.index(name) for name in FEW_JOINTS]
    live.now(ids)[0].positions[:] = np.nan
    part = live.now(ids, detail=np.array([FEW, NONE, ALL]))[0].positions
    np.testing.assert_array_equal(part[2], whole[2])
    assert np.isnan(part[1]).all()
    np.testing.assert_array_equal(part[0, joints], whole[0, joints])
    assert np.isnan(np.delete(part[0], joints, axis=0)).all()
    live.now(ids)[0].positions[:] = np.nan
    assert np.isnan(live.now(detail=NONE)[0].positions[:3]).all()


def test_a_crowd_shows_what_its_live_poses_do(run: Run, live: LivePoses):
    own, shown = run.crowd.poses(), live.now()
    assert len(own) == len(shown) == 3
    for one, other in zip(own, shown, strict=True):
        assert np.array_equal(one.ids, other.ids)
        assert np.array_equal(one.positions, other.positions)
    assert run.crowd.poses([7])[0].ids.tolist() == [7]
    assert np.shares_memory(run.crowd.poses()[0].positions, own[0].positions)


def test_arrays_are_filled_anew_not_made_anew(live: LivePoses):
    one, two = live.now()[0], live.now()[0]
    assert np.shares_memory(one.positions, two.positions)
    assert live.nbytes > one.positions.nbytes


def test_a_crowd_that_grows_gets_larger_arrays():
    human = load_character("human").subset("crowd")
    crowd = Crowd(World(bounds=(0.0, 0.0, 60.0, 60.0)), [human], seed=0)
    live = LivePoses(crowd)
    assert len(live.now()[0].ids) == 0
    for number in range(150):
        crowd.add(0, (3.0 + 4.0 * (number % 14), 3.0 + 4.0 * (number // 14), 0.0), Errand.to(30.0, 30.0))
    figures = live.now()[0]
    assert figures.ids.tolist() == list(range(150))
    heads = figures.positions[:, human.skeleton.index("Head")]
    np.testing.assert_allclose(heads[:, 0], 3.0 + 4.0 * (np.arange(150) % 14), atol=0.3)
    np.testing.assert_allclose(heads[:, 1], 3.0 + 4.0 * (np.arange(150) // 14), atol=0.3)


@pytest.mark.parametrize(
    ("ids", "detail", "said"),
    [
        ([4], ALL, "has the number 4"),
        ([1, 1], ALL, "once at most"),
        ([[1]], ALL, "ids"),
        ([0.5], ALL, "ids"),
        (None, 3, "detail"),
        (None, [ALL] * 3, "one for each of ids"),
        ([1, 2], [ALL], "one for each of ids"),
    ],
)
def test_what_makes_no_sense_is_refused(live: LivePoses, ids: list | None, detail: ArrayLike, said: str):
    with pytest.raises(InvalidInput, match=said):
        live.now(ids, detail=detail)
