"""Exact repeats side by side, held against counting by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.crowd_recordings import flat_clips, random_recording

from gambol.characters import Character, clip_of, load_character, place_steps
from gambol.crowd.recording import Recording
from gambol.crowd.recording_builder import RecordingBuilder
from gambol.crowd.repeats import Repeats, count_repeats, repeating_at


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("crowd")


def counted(recording: Recording, near_m: float, together_s: float) -> Repeats:
    """Count by looking at every pair of people and clips."""
    begun = []
    for who in range(len(recording)):
        character = recording.characters[recording.kind[who]]
        for step in recording.steps(who):
            if character.behaviors[step.behavior].name != "stand" and step.frame < recording.until[who]:
                begun.append((who, clip_of(character, step), step))
    pairs, later_ones = 0, set()
    for one in begun:
        for number, other in enumerate(begun):
            behind = other[2].frame - one[2].frame
            if one[0] == other[0] or one[1] is not other[1] or not 0 <= behind <= together_s * recording.rate_hz:
                continue
            if behind == 0 and one[0] > other[0]:
                continue  # a pair counts once
            if behind < one[1].duration:
                place = one[1].place(np.array(one[2].pose))[behind]
                if np.hypot(*(place[:2] - other[2].pose[:2])) <= near_m:
                    pairs += 1
                    later_ones.add(number)
    return Repeats(len(begun), pairs, len(later_ones), len({id(clip) for _, clip, _ in begun}))


@pytest.mark.parametrize(("near_m", "together_s"), [(5.0, 0.5), (12.0, 0.2), (25.0, 1.5)])
def test_repeats_are_those_that_a_look_at_every_pair_finds(human: Character, near_m: float, together_s: float):
    few = human.only([one.name for one in human.behaviors if one.name in ("stand", "start", "jog", "stop")])
    recording = random_recording([few, human], [0] * 12 + [1] * 8, frames=240, seed=5)
    found = count_repeats(recording, near_m=near_m, together_s=together_s)
    expected = counted(recording, near_m, together_s)
    assert found.clips_begun == expected.clips_begun
    assert (found.pairs, found.repeating) == (expected.pairs, expected.repeating)
    assert found.distinct_clips == expected.distinct_clips
    assert found.pairs > 0


def side_by_side(human: Character, behind: list[int], aside_m: list[float]) -> Recording:
    builder = RecordingBuilder()
    steps = [
        (who, step)
        for who, (frame, y) in enumerate(zip(behind, aside_m, strict=True))
        for step in place_steps(human, ["stand", "start", "stop", *["stand"] * 4], start=(0.0, y, 0.0), frame=frame)
    ]
    for who, step in sorted(steps, key=lambda one: one[1].frame):
        builder.append([who], flat_clips(human, [step]), step.frame, [step.pose])
    return builder.recording(
        rate_hz=30.0, frames=140, characters=[human], names=[f"p{who}" for who in range(len(behind))],
        kind=[0] * len(behind),
    )  # fmt: skip


def test_who_is_too_late_or_too_far_repeats_nobody(human: Character):
    assert count_repeats(side_by_side(human, [0, 15], [0.0, 2.0])).repeating == 2
    assert count_repeats(side_by_side(human, [0, 16], [0.0, 2.0])).repeating == 0
    assert count_repeats(side_by_side(human, [0, 0], [0.0, 5.1])).repeating == 0
    three = count_repeats(side_by_side(human, [0, 0, 0], [0.0, 1.0, 2.0]))
    assert (three.pairs, three.repeating, three.clips_begun, three.distinct_clips) == (6, 4, 6, 2)
    assert three.share == pytest.approx(2.0 / 3.0)


def test_who_repeats_somebody_at_a_frame_is_marked_with_whom_it_repeats(human: Character):
    recording = side_by_side(human, [0, 10, 40], [0.0, 2.0, 4.0])
    begins = recording.steps(1)[1].frame
    assert repeating_at(recording, begins - 1).tolist() == [False, False, False]  # the second still stands
    assert repeating_at(recording, begins).tolist() == [True, True, False]  # the third is too late
