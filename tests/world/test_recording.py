from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.errors import GambolError, InvalidEntries, MalformedFile, UnreadableFile
from gambol.world.recording import format_recording, parse_recording, read_recording, write_recording
from gambol.world.world import Trajectory

ROOT = Path(__file__).parent.parent.parent
SMALL = """time_s,name,x,y,heading_deg
0,ball,1,2,0
0,box,5,5,90
0.5,box,5,6,180
0.1,ball,1.5,2,0
0.2,ball,2,2,0
"""


def test_rows_of_different_things_may_come_in_any_order():
    things = parse_recording(SMALL)
    assert list(things) == ["ball", "box"]
    assert things["ball"].times_s.tolist() == [0.0, 0.1, 0.2]
    assert things["ball"].poses[:, 0].tolist() == [1.0, 1.5, 2.0]
    assert np.allclose(things["box"].poses[:, 2], [np.pi / 2, np.pi])


def test_between_two_rows_a_thing_goes_straight_and_turns_evenly():
    pose, _ = parse_recording(SMALL)["box"].at(0.25)
    assert np.allclose(pose, [5.0, 5.5, np.radians(135.0)])


def test_heights_come_from_the_recording_or_from_whoever_reads_it():
    tall = parse_recording("time_s,name,x,y,heading_deg,bottom_m,top_m\n0,lift,0,0,0,0,1\n1,lift,0,0,0,2,3\n")
    assert tall["lift"].heights_m.tolist() == [[0.0, 1.0], [2.0, 3.0]]
    assert (parse_recording(SMALL, heights_m=(0.5, 1.5))["ball"].heights_m == [0.5, 1.5]).all()


def test_columns_may_be_in_another_order():
    other = parse_recording("name,heading_deg,y,x,time_s\nball,90,2,1,0\n")["ball"]
    assert np.allclose(other.poses, [[1.0, 2.0, np.pi / 2]])


def test_blank_lines_and_comments_are_passed_over():
    assert list(parse_recording(SMALL + "\n# the end\n")) == ["ball", "box"]


def test_a_thing_seen_once_stands_still_even_in_a_recording_that_repeats():
    still = parse_recording("time_s,name,x,y,heading_deg\n3,post,1,2,0\n", repeat="loop")["post"]
    assert still.repeat == "once"
    assert not still.moves


numbers = st.floats(-1e4, 1e4)


@st.composite
def trajectories(draw: st.DrawFn) -> Trajectory:
    count = draw(st.integers(1, 6))
    steps = draw(st.lists(st.floats(0.01, 10.0), min_size=count, max_size=count))
    rows = draw(st.lists(st.tuples(numbers, numbers, numbers), min_size=count, max_size=count))
    bottoms = np.array(draw(st.lists(st.floats(0.0, 3.0), min_size=count, max_size=count)))
    return Trajectory(np.cumsum(steps), np.array(rows), np.column_stack((bottoms, bottoms + 1.0)))


@settings(deadline=None)
@given(st.dictionaries(st.text("abc, \"'x#é", min_size=1).map(lambda name: f"n{name}n"), trajectories(), min_size=1))
def test_what_is_written_is_read_again(things: dict[str, Trajectory]):
    again = parse_recording(format_recording(things, decimals=9), heights_m=(0.0, 1.0))
    assert set(again) == set(things)
    for name, trajectory in things.items():
        assert np.allclose(again[name].times_s, trajectory.times_s, atol=1e-9)
        assert np.allclose(again[name].poses, trajectory.poses, atol=1e-8)
        if np.ptp(trajectory.heights_m):
            assert np.allclose(again[name].heights_m, trajectory.heights_m, atol=1e-9) or len(trajectory.times_s) == 1


def test_a_recording_goes_through_a_file(tmp_path: Path):
    things = parse_recording(SMALL)
    write_recording(tmp_path / "small.csv", things)
    again = read_recording(tmp_path / "small.csv")
    assert all(np.allclose(again[name].poses, things[name].poses) for name in things)
    assert (tmp_path / "small.csv").read_text().splitlines()[:3] == SMALL.splitlines()[:3]


def test_every_wrong_row_is_told_with_its_line(tmp_path: Path):
    path = tmp_path / "bad.csv"
    path.write_text(
        "time_s,name,x,y,heading_deg\n0,a,0,0,0\n0,a,1,0,0\n1,a,zero,0,0\n2,a,nan,0,0\n3,a,0,0\n4,,0,0,0\n5,a,0,0,0\n"
    )
    with pytest.raises(InvalidEntries) as raised:
        read_recording(path)
    told = {problem.line: problem.message for problem in raised.value.problems}
    assert set(told) == {3, 4, 5, 6, 7}
    assert "must increase" in told[3]
    assert "x must be a number, not 'zero'" in told[4]
    assert "finite" in told[5]
    assert "5 values expected, not 4" in told[6]
    assert "name is missing" in told[7]
    assert "bad.csv" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the first line must be"),
        ("time_s,name,x,y\n", "the first line must be"),
        ("time_s,name,x,y,heading_deg,top_m\n", "the first line must be"),
        ("time_s,name,x,y,heading_deg\n", "no rows"),
        ('time_s,name,x,y,heading_deg\n0,"a', "comma-separated"),
        ("time_s,name,x,y,heading_deg,bottom_m,top_m\n0,a,0,0,0,2,1", "top_m must be above bottom_m"),
        ("\0", "comma-separated"),
    ],
)
def test_a_text_that_is_no_recording_is_refused(text: str, says: str):
    with pytest.raises(MalformedFile, match=says):
        parse_recording(text)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(UnreadableFile, match=r"gone\.csv"):
        read_recording(tmp_path / "gone.csv")


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet='0123456789.,-\n\r"naeinftime_s,name,x,y,heading_deg', max_size=80), st.integers(0, 60))
def test_whatever_a_text_says_it_is_a_recording_or_a_clean_error(text: str, at: int):
    try:
        parse_recording(SMALL[:at] + text + SMALL[at:])
    except GambolError:
        return


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    pytest.importorskip("pymunk", reason="the simulation of recordings needs pymunk")
    location = importlib.util.spec_from_file_location("make_recordings", ROOT / "tools" / "make_recordings.py")
    assert location is not None
    assert location.loader is not None
    module = importlib.util.module_from_spec(location)
    sys.modules[location.name] = module  # where dataclasses look for their annotations
    location.loader.exec_module(module)
    return module


def test_the_same_seed_simulates_the_same_recording(generator: ModuleType):
    field = replace(generator.FIELDS[0], duration_s=3.0)
    once = format_recording(generator.simulate(field))
    assert format_recording(generator.simulate(field)) == once
    assert format_recording(generator.simulate(replace(field, seed=9))) != once


def test_recordings_that_ship_are_simulated_as_the_tool_does(generator: ModuleType):
    for field in generator.FIELDS:
        stored = read_recording(generator.FOLDER / field.file)
        made = generator.simulate(replace(field, duration_s=2.0))  # later, the smallest difference grows with each hit
        assert set(stored) == set(made)
        for name, trajectory in made.items():
            times = np.linspace(0.0, 1.5, 16)
            assert np.allclose(stored[name].at(times)[0][:, :2], trajectory.at(times)[0][:, :2], atol=0.05)


def test_simulated_things_never_leave_their_field(generator: ModuleType):
    for field in generator.FIELDS:
        x0, y0, x1, y1 = field.walls
        for trajectory in read_recording(generator.FOLDER / field.file).values():
            x, y = trajectory.poses[:, :2].T
            assert x.min() > x0
            assert x.max() < x1
            assert y.min() > y0
            assert y.max() < y1
            assert trajectory.times_s[-1] == field.duration_s
