"""The desk: one thing after another, the last of a subject only, and a job at a steady rate between."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from gambol.errors import InvalidInput
from gambol.view.desk import Desk

PATIENCE_S = 20.0


@pytest.fixture
def told() -> list[Exception]:
    return []


@pytest.fixture
def desk(told: list[Exception]) -> Iterator[Desk]:
    made = Desk(told.append)
    yield made
    made.close()


class Gate:
    """A job that is begun and then waits until it may go on."""

    def __init__(self) -> None:
        self.begun, self.open = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.begun.set()
        assert self.open.wait(PATIENCE_S)


def test_notes_are_done_in_order_on_one_thread(desk: Desk):
    done: list[tuple[int, threading.Thread]] = []
    for number in range(100):
        desk.leave(lambda number=number: done.append((number, threading.current_thread())))
    assert desk.wait(PATIENCE_S)
    assert [number for number, _ in done] == list(range(100))
    assert len({thread for _, thread in done}) == 1
    assert done[0][1] is not threading.current_thread()


def test_of_several_notes_on_a_subject_the_last_is_done(desk: Desk):
    gate, done = Gate(), []
    desk.leave(gate)
    assert gate.begun.wait(PATIENCE_S)
    for number in range(50):
        desk.leave(lambda number=number: done.append(number), about="goal")
    desk.leave(lambda: done.append("other"), about="start")
    desk.leave(lambda: done.append("none"))
    gate.open.set()
    assert desk.wait(PATIENCE_S)
    assert done == [49, "other", "none"]


def test_a_note_that_has_been_begun_is_done_even_if_another_on_its_subject_comes(desk: Desk):
    gate, done = Gate(), []

    def first() -> None:
        gate()
        done.append("first")

    desk.leave(first, about="goal")
    assert gate.begun.wait(PATIENCE_S)
    desk.leave(lambda: done.append("second"), about="goal")
    gate.open.set()
    assert desk.wait(PATIENCE_S)
    assert done == ["first", "second"]


def test_what_goes_wrong_is_told_and_the_next_is_done(desk: Desk, told: list[Exception]):
    done = []

    def wrong() -> None:
        raise ValueError("no such thing")

    desk.leave(wrong)
    desk.leave(lambda: done.append(True))
    assert desk.wait(PATIENCE_S)
    assert done == [True]
    assert [str(error) for error in told] == ["no such thing"]


def test_a_note_may_leave_notes(desk: Desk):
    done = []
    desk.leave(lambda: desk.leave(lambda: done.append(True)))
    assert desk.wait(PATIENCE_S)
    assert done == [True]


def test_a_steady_job_goes_on_between_notes_and_ends_when_told(desk: Desk):
    enough, count = threading.Event(), 0

    def steady() -> None:
        nonlocal count
        count += 1
        if count >= 5:
            enough.set()

    desk.keep_doing(steady, rate_hz=200.0)
    for _ in range(20):
        desk.leave(lambda: time.sleep(0.01))  # slower than the rate, so that notes alone would fill the time
    assert enough.wait(PATIENCE_S)
    assert desk.wait(PATIENCE_S)
    desk.keep_doing(None)
    desk.leave(lambda: None)
    assert desk.wait(PATIENCE_S)
    before = count
    desk.leave(lambda: time.sleep(0.05))
    assert desk.wait(PATIENCE_S)
    assert count == before


def test_what_a_slow_steady_job_misses_is_not_made_up_for(desk: Desk):
    times: list[float] = []

    def steady() -> None:
        times.append(time.monotonic())
        if len(times) == 1:
            time.sleep(0.5)  # forty turns at 80 a second

    desk.keep_doing(steady, rate_hz=80.0)
    ends = time.monotonic() + PATIENCE_S
    while len(times) < 10 and time.monotonic() < ends:
        time.sleep(0.01)
    desk.keep_doing(None)
    # Were the missed turns made up for, all of these would come at once.
    assert times[9] - times[3] > 3.0 / 80.0


def test_a_wrong_steady_job_is_told_of_and_goes_on(desk: Desk, told: list[Exception]):
    def wrong() -> None:
        raise ValueError("again")

    desk.keep_doing(wrong, rate_hz=200.0)
    ends = time.monotonic() + PATIENCE_S
    while len(told) < 3 and time.monotonic() < ends:
        time.sleep(0.01)
    assert len(told) >= 3


def test_closing_does_what_has_been_begun_and_no_more(told: list[Exception]):
    desk, gate, done = Desk(told.append), Gate(), []
    desk.leave(gate)
    assert gate.begun.wait(PATIENCE_S)
    desk.leave(lambda: done.append(True))
    threading.Timer(0.1, gate.open.set).start()
    desk.close()
    assert done == []
    assert not desk._thread.is_alive()


def test_closing_does_not_wait_for_ever_where_it_is_told_not_to(told: list[Exception]):
    desk, gate = Desk(told.append), Gate()
    desk.leave(gate)
    assert gate.begun.wait(PATIENCE_S)
    desk.close(0.05)
    assert desk._thread.is_alive()
    gate.open.set()
    desk.close()


def test_waiting_ends_when_it_has_lasted_long_enough(desk: Desk):
    gate = Gate()
    desk.leave(gate)
    assert not desk.wait(0.05)
    gate.open.set()
    assert desk.wait(PATIENCE_S)


def test_who_has_something_done_waits_for_its_result_or_gets_its_error(desk: Desk, told: list[Exception]):
    def wrong() -> None:
        raise ValueError("this one")

    gate = Gate()
    desk.leave(gate)
    threading.Timer(0.05, gate.open.set).start()
    assert desk.do(threading.current_thread) is desk._thread
    assert gate.begun.is_set()
    with pytest.raises(ValueError, match="this one"):
        desk.do(wrong)
    assert told == []


def test_on_the_desk_itself_something_is_done_at_once(desk: Desk):
    assert desk.do(lambda: desk.do(lambda: 7)) == 7


def test_who_waits_for_a_desk_that_closes_gets_an_error(told: list[Exception]):
    desk, gate = Desk(told.append), Gate()
    desk.leave(gate)
    assert gate.begun.wait(PATIENCE_S)
    threading.Timer(0.05, lambda: desk.close(0.0)).start()
    with pytest.raises(InvalidInput, match="closed"):
        desk.do(lambda: None)
    gate.open.set()
    with pytest.raises(InvalidInput, match="closed"):
        desk.do(lambda: None)
