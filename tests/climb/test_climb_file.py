"""Modes and grasps of climbs in their order: as values, in climb files, and in words."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from tests.support.climb_cases import flat, problem_in, scripted_walk_motion

from gambol.climb.climb import ClimbMotion, ClimbPath
from gambol.climb.figure import FREE, LIMBS, Figure
from gambol.climb.file import ClimbLog, ClimbRecord, climbs_to_json, climbs_to_text, parse_climbs, read_climb_file
from gambol.climb.itinerary import TURNING, Itinerary
from gambol.climb.modes import Mode
from gambol.errors import InvalidEntries, InvalidInput, MalformedFile, UnknownName, UnreadableFile
from gambol.search import Outcome


@cache
def motion() -> ClimbMotion:
    """Return a walk made by hand, whose last part is said to be a crawl and a turn."""
    walk = scripted_walk_motion(4)
    path = walk.path
    count = len(path)
    modes = np.where(np.arange(count) < 50, Mode.WALK, Mode.CRAWL)
    facings = np.interp(np.arange(count), [0, 60, 70, count], [1.0, 1.0, -1.0, -1.0])
    return ClimbMotion(ClimbPath(path.configurations, facings, modes, path.grasps, path.sources), walk.rate_hz)


@cache
def itinerary(first_frame: int = 0) -> Itinerary:
    return Itinerary.of(problem_in(flat()).environment, motion(), first_frame=first_frame)


def log() -> ClimbLog:
    way = itinerary(100)
    found = ClimbRecord("Ann", Figure(), "stances", 7, Outcome.FOUND, "", way.last_frame + 51, 12, way)
    blocked = ClimbRecord(
        "Bob „B“", Figure("1.2 m", 1.2, 0.9, 1.0, 1.1), "paper", 7, Outcome.START_BLOCKED, "no room", 0, 0, None
    )
    return ClimbLog("scene", (found, blocked))


def test_phases_say_what_every_frame_holds():
    way, path = itinerary(100), motion().path
    ends = [*(phase.frame for phase in way.phases), way.last_frame + 1]
    assert (way.first_frame, way.last_frame) == (100, 100 + len(path) - 1)
    for phase, (first, after) in zip(way.phases, pairwise(ends), strict=True):
        for frame in range(first - 100, after - 100):
            assert tuple(path.grasps[frame]) == phase.grasps
            assert path.modes[frame] == phase.mode
            assert phase.facing == (path.facings[frame] if abs(path.facings[frame]) == 1.0 else TURNING)
    for before, after in pairwise(way.phases):
        assert (before.mode, before.facing, before.grasps) != (after.mode, after.facing, after.grasps)
    environment = problem_in(flat()).environment
    assert set(way.points) == {int(grasp) for grasp in path.grasps.ravel() if grasp != FREE}
    assert all(environment.grasp_points[number] == point for number, point in way.points.items())


def test_modes_cover_all_frames_and_changes_lead_from_the_first_grasps_to_the_last():
    way, path = itinerary(), motion().path
    assert [(span.mode, span.first, span.last) for span in way.modes] == [
        (Mode.WALK, 0, 49),
        (Mode.CRAWL, 50, len(path) - 1),
    ]
    held: dict[str, int] = dict(zip(LIMBS, way.phases[0].grasps, strict=True))
    for change in way.changes:
        if change.limb:
            assert held[change.limb] == change.left
            held[change.limb] = change.taken
            assert path.grasps[change.frame, LIMBS.index(change.limb)] == change.taken
    assert tuple(held.values()) == tuple(path.grasps[-1])
    taken = np.sum((path.grasps[1:] != path.grasps[:-1]) & (path.grasps[1:] != FREE))
    assert way.regrasps == taken == 4


def test_climbs_come_back_as_they_were(tmp_path):
    path = tmp_path / "new.climb.json"
    path.write_text(climbs_to_json(log()))
    assert read_climb_file(path) == log()
    assert read_climb_file(path).climb("Ann").itinerary == itinerary(100)
    with pytest.raises(UnknownName, match="did you mean 'Ann'"):
        read_climb_file(path).climb("Anne")


def test_the_text_is_json_with_a_phase_to_a_line():
    text = climbs_to_json(log())
    data = json.loads(text)
    assert (data["format"], data["version"], data["scene"]) == ("gambol climb", 1, "scene")
    phases = data["climbs"][0]["phases"]
    assert len([line for line in text.splitlines() if '"left_hand"' in line]) == len(phases) > 8
    assert phases[0]["time_s"] == pytest.approx(100 / motion().rate_hz, abs=1e-3)
    assert phases[0]["left_hand"] is None
    assert data["climbs"][1]["phases"] == []


def test_words_say_what_happens_when():
    text = climbs_to_text(log())
    lines = text.splitlines()
    assert lines[0] == "Ann: found"
    assert "4 regrasps" in lines[1]
    for words in (
        "walk; facing right; left foot on 0 at (0.00, 0.00)",
        "crawl",
        "turning round",
        "facing left",
        "takes",
    ):
        assert words in text
    assert lines[-1] == "Bob „B“: start_blocked: no room"
    times = [float(line.split()[0]) for line in lines if " s  " in line]
    assert times == sorted(times)


def broken(change) -> str:
    data = json.loads(climbs_to_json(log()))
    change(data)
    return json.dumps(data)


def phase(number, **entries):
    return lambda data: data["climbs"][0]["phases"][number].update(entries)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "this is not JSON"),
        ("[]", 'it does not say "format": "gambol climb"'),
        ("9" * 5000, "cannot be read"),
        (broken(lambda data: data.update(version=2)), "version 2 of climb files is not known"),
        (broken(lambda data: data.update(scen="x")), "scen: is an unknown key; did you mean 'scene'"),
        (broken(lambda data: data["climbs"][0].pop("core")), r"climbs\[0\].core: is missing"),
        (broken(phase(1, mode="fly")), r"climbs\[0\].phases\[1\].mode: must be .*not 'fly'"),
        (broken(phase(1, left_foot=999)), "point 999 is held but not listed"),
        (broken(phase(1, frame=90, time_s=2.5)), "must follow each other"),
        (broken(phase(1, time_s=0.5)), r"phases\[1\]: frame .* is at .* s, not at 0.5 s"),
        (broken(lambda data: data["climbs"][0].update(last_frame=10**6)), "last_frame 1000000 is beyond"),
        (broken(lambda data: data["climbs"][0].update(rate_hz=None)), "phases need a rate_hz"),
        (broken(lambda data: data["climbs"][0]["figure"].update(legs=9.0)), "legs are 0.7 to 1.5"),
        (broken(lambda data: data["climbs"][0]["points"].append(data["climbs"][0]["points"][0])), "unique numbers"),
    ],
)
def test_a_broken_file_is_refused_with_its_key(text, said):
    with pytest.raises(MalformedFile, match=said):
        parse_climbs(text)


def test_all_mistakes_are_told_at_once_and_with_the_file(tmp_path):
    path = tmp_path / "bad.climb.json"
    path.write_text(broken(lambda data: (phase(1, mode="fly")(data), data["climbs"][1].pop("name"))))
    with pytest.raises(InvalidEntries, match="2 entries are wrong") as raised:
        read_climb_file(path)
    assert raised.value.path == path
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedFile, match=r"bad.climb.json: this is not text in UTF-8"):
        read_climb_file(path)
    with pytest.raises(UnreadableFile):
        read_climb_file(tmp_path / "none.climb.json")


def test_an_itinerary_without_phases_is_refused():
    with pytest.raises(InvalidInput, match="at least one phase"):
        Itinerary(60.0, (), 0, {})
