"""A log of a crowd that is cut off behind, against one that is kept whole."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.crowd_recordings import flat_clips, random_names

from gambol.characters import Character, load_character, place_steps
from gambol.crowd.event import Event
from gambol.crowd.recording import Recording
from gambol.crowd.recording_builder import RecordingBuilder

FRAMES, CUTS, PEOPLE, LEAVES = 400, (0, 31, 90, 91, 215), 6, 3


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("crowd")


def _logs(human: Character) -> tuple[RecordingBuilder, RecordingBuilder, list[int]]:
    """Return a log that was cut on the way and one that was not, and how long the first was after each cut."""
    rng = np.random.default_rng(4)
    rows = []
    for who in range(PEOPLE):
        frames = 80 if who == LEAVES else FRAMES
        steps = place_steps(human, random_names(human, frames, rng), start=(4.0 * who, 0.0, 0.0), frame=7 * who)
        rows += [(step.frame, who, clip, step) for clip, step in zip(flat_clips(human, steps), steps, strict=True)]
    cut, whole = RecordingBuilder(), RecordingBuilder()
    lengths = []
    for frame in range(FRAMES):
        for begins, who, clip, step in rows:
            if begins == frame:
                for log in (cut, whole):
                    log.append([who], [clip], frame, [step.pose])
        for log in (cut, whole):
            log.note(Event(frame, "edit", -1, ""))
            log.arrive([frame % PEOPLE], frame)
        if frame in CUTS:
            cut.cut(frame, gone=[LEAVES] if frame > 80 else [])
            lengths.append(len(cut))
    return cut, whole, lengths


def _recording(log: RecordingBuilder, human: Character) -> Recording:
    until = [80 if who == LEAVES else FRAMES for who in range(PEOPLE)]
    return log.recording(rate_hz=30.0, frames=FRAMES, characters=[human], names="abcdef", kind=[0] * 6, until=until)


def test_from_the_cut_on_motions_are_the_same(human: Character):
    cut, whole, _ = _logs(human)
    short, full = _recording(cut, human), _recording(whole, human)
    from_s = CUTS[-1] / 30.0
    for who in range(PEOPLE):
        if who != LEAVES:
            one, other = short.motion(who, from_s), full.motion(who, from_s)
            np.testing.assert_array_equal(one.world_positions, other.world_positions)
    assert short.arrivals.tolist() == [row for row in full.arrivals.tolist() if row[1] >= CUTS[-1]]
    assert [event.frame for event in short.events] == list(range(CUTS[-1], FRAMES))


def test_what_is_over_is_forgotten(human: Character):
    cut, whole, lengths = _logs(human)
    assert max(lengths) <= 2 * PEOPLE
    assert lengths[-1] <= 2 * (PEOPLE - 1)
    assert len(cut) < 0.7 * len(whole)
    assert _recording(cut, human).presence(LEAVES) == (0, -1)


def test_an_empty_log_can_be_cut():
    log = RecordingBuilder()
    log.cut(10)
    assert len(log) == 0
