"""How a crowd fared, worked out from its recording."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support import crowd_recordings
from tests.support.crowd_recordings import random_recording

from gambol.characters import Character, load_character, place_steps
from gambol.crowd.event import Event
from gambol.crowd.kernels.standing import longest_stand
from gambol.crowd.recording import Recording
from gambol.crowd.recording_builder import RecordingBuilder
from gambol.crowd.recording_statistics import done_frames, root_points, statistics
from gambol.errors import InvalidInput
from gambol.search import Outcome
from gambol.stages import RunFacts, RunReport
from gambol.stages.crowd_report import MOST_LISTED

RUN = RunFacts("x", 0, 1, "swept", True, 1.0, 2.0, 3.0, {"propose": 1.5}, 7, {"look_ups": 9}, 0)


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("crowd")


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10**6), st.integers(0, 60), st.floats(0.05, 2.0))
def test_the_longest_stand_is_the_longest_of_all_stretches_that_fit(seed: int, frames: int, across_m: float):
    chance = np.random.default_rng(seed)
    pace = chance.choice([0.0, 0.02, 0.3], frames)[:, None]
    points = np.cumsum(pace * chance.normal(size=(frames, 2)), axis=0)
    best = (0, 0)
    for first in range(frames):
        for last in range(first, frames):
            if np.hypot(*np.ptp(points[first : last + 1], axis=0)) <= across_m and last - first + 1 > best[1]:
                best = (first, last - first + 1)
    assert tuple(longest_stand(points, across_m)) == best


def played(human: Character, behaviors: list[list[str]], frames: int, arrivals: list[tuple[int, int]]) -> Recording:
    """Return a recording in which some play these behaviors, far apart, and arrive at these frames."""
    builder = RecordingBuilder()
    for who, names in enumerate(behaviors):
        steps = place_steps(human, names, start=(0.0, 20.0 * who, 0.0))
        for clip, step in zip(crowd_recordings.flat_clips(human, steps), steps, strict=True):
            builder.append([who], [clip], step.frame, [step.pose])
    for who, frame in arrivals:
        builder.arrive([who], frame)
    return builder.recording(
        rate_hz=30.0, frames=frames, characters=[human], names=[f"p{who}" for who in range(len(behaviors))],
        kind=[0] * len(behaviors),
    )  # fmt: skip


def test_roots_are_where_the_motions_have_them(human: Character):
    recording = random_recording([human], [0] * 5, frames=150, seed=4)
    for number, points in enumerate(root_points(recording)):
        motion = recording.motion(number)
        every = round(motion.rate_hz / recording.rate_hz)
        assert np.abs(points - motion.root_positions[::every, :2]).max() < 0.15  # hips sway about the path


def test_speeds_and_waits_count_while_there_is_somewhere_to_go(human: Character):
    names = ["stand"] * 3 + ["start"] + ["jog"] * 4 + ["stop"] + ["stand"] * 6
    begins = [step.frame for step in place_steps(human, names)]
    sets_off, arrived = begins[3], begins[9]
    recording = played(human, [names], begins[-1], [(0, arrived)])
    found = statistics(recording, goals=[1])
    assert (found.characters, found.goals_reached, found.with_last_goal, found.arrived) == (1, 1, 1, 1)
    assert found.longest_waits[0].name == "p0"
    assert sets_off / 30.0 <= found.longest_wait_s < sets_off / 30.0 + 1.0  # standing, and some of the start
    (points,) = root_points(recording)
    way_m = np.linalg.norm(np.diff(points[: arrived + 1], axis=0), axis=1).sum()
    assert found.mean_speed_m_s == pytest.approx(way_m / (arrived / 30.0))
    assert sum(found.speeds) == pytest.approx(1.0)
    assert found.speeds[0] > 0.3
    endless = statistics(recording, goals=[0])
    assert (endless.with_last_goal, endless.arrived) == (0, 0)
    assert endless.longest_wait_s >= (begins[-1] - arrived - 1) / 30.0
    assert endless.longest_waits[0].since_s > arrived / 30.0 - 1.0


def test_one_is_done_with_the_last_of_its_goals(human: Character):
    recording = played(human, [["stand"] * 5] * 4, 140, [(0, 20), (2, 30), (0, 70), (2, 90), (2, 10)])
    assert done_frames(recording, [2, 1, 2, 0]).tolist() == [70, 140, 30, 140]
    assert done_frames(recording).tolist() == [70, 140, 90, 140]
    with pytest.raises(InvalidInput, match="a number for each of 4"):
        done_frames(recording, [1, 1])


def test_nobody_at_all_has_no_numbers_but_zeros(human: Character):
    found = statistics(played(human, [], 30, []))
    assert (found.longest_wait_s, found.mean_speed_m_s, found.mean_wait_s, sum(found.waits)) == (0, 0, 0, 0)
    assert sum(found.speeds) == 0


def report_on(recording: Recording, goals: list[int], **run: int) -> RunReport:
    numbers = np.array(goals)
    return RunReport.of(recording, RUN._replace(**run), goals=numbers, statistics=statistics(recording, goals=numbers))


def test_who_has_not_arrived_makes_it_a_partial_success_and_who_cannot_does_not(human: Character):
    recording = played(human, [["stand"] * 4] * 4, 100, [(0, 20), (3, 30)])
    report = report_on(recording, [1, 1, 0, 2])
    assert [fare.outcome for fare in report.fares] == [
        Outcome.FOUND, Outcome.PARTIAL, Outcome.FOUND, Outcome.PARTIAL
    ]  # fmt: skip
    assert report.outcome is Outcome.PARTIAL
    assert report.unfinished[1].reason == "1 of 2 goals reached so far"
    lost = [Event(9, "no way", 1, "there is no way"), Event(9, "no way", 3, "there is no way")]
    walled = Recording(**{**vars(recording), "events": lost})
    report = report_on(walled, [1, 1, 0, 2])
    assert [fare.name for fare in report.unreachable] == ["p1", "p3"]
    assert report.outcome is Outcome.FOUND
    assert report_on(walled, [1, 1, 0, 2], waiting_to_appear=1).outcome is Outcome.PARTIAL
    assert report_on(walled, [1, 1, 0, 2]).to_json()["arrived"] == 1


def test_the_report_on_many_stays_small(human: Character):
    recording = played(human, [["stand"]] * 300, 30, [(who, 10) for who in range(290)])
    told = report_on(recording, [1] * 300).to_json()
    assert [row["name"] for row in told["characters"]] == [f"p{who}" for who in range(290, 300)]
    assert told["characters_not_listed"] == 290
    assert len(report_on(recording, [2] * 300).to_json()["characters"]) == MOST_LISTED
