"""The tab that plays motions and recordings, without a browser."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tests.support.people import horse
from tests.support.played import crowd, walk, write_crowd, write_walk

from gambol.errors import GambolError, InvalidInput, UnknownName
from gambol.files import write_motion
from gambol.motion import Motion, runs
from gambol.view.folder import Folder
from gambol.view.play.curves import MOST_POINTS, _thinned, curves_html, mark_html, numbers
from gambol.view.play.measured import Measured
from gambol.view.play.player import Player
from gambol.view.play.recorded import AWAY_M, of_crowd, of_motions, read_recorded
from gambol.view.play.tab import PlayTab
from gambol.view.play.timeline import Clock
from gambol.view.tab import Film
from gambol.view.viewer import Viewer
from gambol.view.words import paragraph

WAIT_S = 60.0


def the_tab(viewer: Viewer) -> PlayTab:
    return next(tab for tab in viewer.tabs if isinstance(tab, PlayTab))


def do(viewer: Viewer, job) -> None:
    """Have something done on the desk, and wait for it."""
    viewer.desk.do(job)
    assert viewer.desk.wait(WAIT_S)


# Time


def test_a_clock_that_loops_begins_anew():
    clock = Clock(2.0, time_s=1.9, runs=True)
    clock.pass_by(0.2)
    assert clock.time_s == pytest.approx(0.1)
    assert clock.runs


def test_a_clock_that_does_not_loop_stops_at_the_end_and_starts_from_the_beginning():
    clock = Clock(2.0, time_s=1.9, runs=True, loops=False)
    clock.pass_by(0.2)
    assert (clock.time_s, clock.runs) == (2.0, False)
    clock.start()
    assert (clock.time_s, clock.runs) == (0.0, True)


def test_a_clock_runs_at_its_speed_and_does_not_make_up_for_hitches():
    clock = Clock(100.0, speed=2.0, runs=True)
    clock.pass_by(0.1)
    assert clock.time_s == pytest.approx(0.2)
    clock.pass_by(30.0)
    assert clock.time_s < 1.0


def test_a_single_pose_has_no_time_to_run():
    clock = Clock(0.0)
    clock.start()
    assert not clock.runs
    clock.go_to(5.0)
    assert clock.time_s == 0.0


@pytest.mark.parametrize(("now_s", "first_s"), [(0.0, 0.0), (4.0, 4.0), (9.0, 7.0)])
def test_of_a_long_film_what_comes_now_is_shown(now_s: float, first_s: float):
    film = Film(10.0, now_s, 1, lambda time_s: None)
    times = film.times(most_s=3.0, rate_hz=30.0)
    assert times[0] == first_s
    assert times[-1] == pytest.approx(first_s + 3.0)
    assert film.times(most_s=20.0, rate_hz=30.0)[[0, -1]] == pytest.approx([0.0, 10.0])


# What can be played


@pytest.mark.parametrize("suffix", [".bvh", ".glb", ".usda"])
def test_motions_of_every_format_are_read(tmp_path: Path, suffix: str):
    if suffix == ".usda" and find_spec("pxr") is None:
        pytest.skip("usd-core is not installed")
    write_motion(tmp_path / f"walk{suffix}", walk())
    recorded = read_recorded(f"walk{suffix}", Folder(tmp_path))
    assert recorded.names == ("walk",)
    assert recorded.duration_s == pytest.approx(walk().duration_s)
    positions, _ = recorded.figures[0].at(1.0)
    hips = walk().world_positions[30, 0]
    assert positions[0, 0] == pytest.approx(hips, abs=1e-3)


def test_characters_of_one_skeleton_are_placed_together():
    recorded = of_motions("three", {"a": walk(), "b": walk(3.0), "c": walk(6.0)})
    assert len(recorded.figures) == 1
    positions, rotations = recorded.figures[0].at(0.5)
    assert positions.shape[:2] == rotations.shape[:2] == (3, walk().skeleton.joint_count)
    assert np.allclose(positions[1] - positions[0], (3.0, 0.0, 0.0), atol=1e-9)


def test_who_has_arrived_stays_there():
    short = walk()
    recorded = of_motions("one", {"a": short})
    for late_s in (short.duration_s, short.duration_s + 10.0):
        assert np.array_equal(recorded.figures[0].at(late_s)[0][0], short.world_positions[-1])


def test_everybody_of_a_crowd_is_where_their_motion_is_and_away_when_they_are_not_there():
    recording = crowd()
    recorded = of_crowd("few", recording)
    for who, name in enumerate(recording.names):
        motion, start_s = recorded.motion(name)
        first, last = recording.presence(who)
        middle = (first + last) // 2
        positions, _ = recorded.figures[0].at(middle / recording.rate_hz)
        frame = round((middle / recording.rate_hz - start_s) * motion.rate_hz)
        assert positions[who] == pytest.approx(motion.world_positions[frame], abs=2e-3)
        if first > 0:
            assert np.all(recorded.figures[0].at(0.0)[0][who, :, 2] == AWAY_M)


def test_the_floor_reaches_beyond_where_anybody_goes():
    recorded = of_motions("one", {"a": walk()})
    x0, y0, x1, y1 = recorded.bounds
    roots = walk().root_positions
    assert x0 < roots[:, 0].min() - 1.0
    assert x1 > roots[:, 0].max() + 1.0
    assert y0 < roots[:, 1].min() - 1.0
    assert y1 > roots[:, 1].max() + 1.0


def test_a_recording_is_shown_in_its_own_world(tmp_path: Path):
    write_crowd(tmp_path, scene="plaza")
    recorded = read_recorded("few.crowd", Folder(tmp_path))
    assert recorded.world is not None
    assert recorded.world.obstacles
    assert recorded.notes == ()


def test_nothing_to_be_played_is_an_error():
    with pytest.raises(InvalidInput, match="no motion"):
        of_motions("none", {})


# Files, inside the folder only


@pytest.mark.parametrize("name", ["../walk.bvh", "{outside}/walk.bvh", "link.bvh", "below/../../walk.bvh", ""])
def test_no_motion_outside_of_the_folder_is_read(tmp_path: Path, name: str):
    write_walk(tmp_path)
    inside = tmp_path / "inside"
    (inside / "below").mkdir(parents=True)
    (inside / "link.bvh").symlink_to(tmp_path / "walk.bvh")
    with pytest.raises(GambolError):
        read_recorded(name.format(outside=tmp_path), Folder(inside))


def test_files_are_listed_by_their_endings_without_those_that_lead_out(tmp_path: Path):
    write_walk(tmp_path, "secret.bvh")
    inside = tmp_path / "inside"
    for place in (inside, inside / "below", inside / ".hidden"):
        place.mkdir()
        write_walk(place)
    (inside / "WALK.BVH").write_text("")
    (inside / "notes.txt").write_text("")
    (inside / "link.bvh").symlink_to(tmp_path / "secret.bvh")
    (inside / "out").symlink_to(tmp_path)
    assert Folder(inside).names(".bvh", ".glb") == ["WALK.BVH", "below/walk.bvh", "walk.bvh"]


def test_a_recording_cannot_have_files_outside_of_the_folder_read(tmp_path: Path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.png").write_bytes(b"\x89PNG")
    for way in ("../secret.png", str(tmp_path / "secret.png")):
        scene = (
            f'name = "x"\n[world]\nbounds = [0, 0, 9, 9]\n[world.terrain.image]\nfile = "{way}"\nheights_m = [0, 1]\n'
        )
        write_crowd(inside, scene=scene)
        recorded = read_recorded("few.crowd", Folder(inside))
        assert recorded.world is None
        assert "outside of the folder" in recorded.notes[0]


def test_buffers_of_a_motion_are_not_read_from_outside_of_its_folder(tmp_path: Path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.bin").write_bytes(bytes(64))
    buffers = [{"uri": "../secret.bin", "byteLength": 64}]
    (inside / "out.gltf").write_text(json.dumps({"asset": {"version": "2.0"}, "buffers": buffers}))
    with pytest.raises(GambolError):
        read_recorded("out.gltf", Folder(inside))


def test_files_that_cannot_be_played_are_refused_by_their_ending(tmp_path: Path):
    (tmp_path / "scene.toml").write_text("")
    with pytest.raises(UnknownName, match="format that can be played"):
        read_recorded("scene.toml", Folder(tmp_path))


# Curves


def test_curves_show_every_stance_and_a_mark_at_the_present_time():
    measured = Measured.of(walk())
    drawn = curves_html(measured, walk().duration_s)
    stances = sum(len(runs(foot.planted)) for foot in measured.tracks.feet)
    assert drawn.count("<rect") == stances > 2
    for words in ("foot height", "planted slide", "root speed", "fastest turn"):
        assert words in drawn
    assert "left:25.00%" in mark_html(measured, 4.0, 1.0)


def test_curves_of_what_has_no_feet_are_those_of_its_lowest_joint():
    skeleton = horse()
    still = np.zeros((1, skeleton.joint_count, 4))
    still[..., 0] = 1.0
    motion = Motion(skeleton, 30.0, skeleton.offsets[:1], still)
    drawn = curves_html(Measured.of(motion), motion.duration_s)
    assert "lowest joint" in drawn
    assert "nan" not in drawn


def test_a_spike_is_seen_however_long_the_curve():
    values = np.zeros(50_000)
    values[12_345] = 7.0
    x, y = _thinned(np.arange(50_000.0), values)
    assert len(x) == MOST_POINTS
    assert y.max() == 7.0


def test_what_rests_on_the_ground_is_named():
    measured = Measured.of(walk())
    frame = int(np.flatnonzero(measured.tracks.feet[0].planted)[0])
    assert "left" in numbers(measured, frame / 30.0)
    assert measured.resting(walk().duration_s + 5.0) == []


def test_words_from_files_are_no_code_in_the_panel():
    assert "<img" not in paragraph("<img src=x onerror=alert(1)>.bvh")


# The tab


def test_it_is_there_without_any_scene(viewer: Viewer):
    assert viewer.document is None
    viewer.select("Play")
    assert viewer.tab is the_tab(viewer)
    assert the_tab(viewer).film() is None


def test_a_motion_is_opened_and_runs(viewer: Viewer, tmp_path: Path):
    viewer.open(write_walk(tmp_path))
    tab = the_tab(viewer)
    assert viewer.recording is not None
    assert viewer.recording.title == "walk.bvh"
    assert tab.clock.runs
    film = tab.film()
    assert film is not None
    assert film.duration_s == pytest.approx(walk().duration_s)
    assert viewer.stage.world is not None
    assert viewer.stage.world.bounds == viewer.recording.bounds


def test_motions_are_handed_over_by_other_tabs_and_shown_in_the_scene(viewer: Viewer):
    viewer.open("first")
    tab = the_tab(viewer)
    assert viewer.tab is not tab
    do(viewer, lambda: tab.play({"Ann": walk(), "Bob": walk(2.0)}))
    assert viewer.tab is tab
    assert viewer.document is not None
    assert viewer.stage.world is viewer.document.scene.world
    assert viewer.recording is not None
    assert viewer.recording.names == ("Ann", "Bob")


def test_the_scene_is_back_when_another_tab_is_chosen(viewer: Viewer, tmp_path: Path):
    viewer.open("first")
    first = viewer.tab
    assert first is not None
    write_crowd(tmp_path, scene="plaza")
    viewer.open(tmp_path / "few.crowd")
    assert viewer.document is not None
    assert viewer.stage.world is not viewer.document.scene.world
    viewer.select(first.title)
    assert viewer.stage.world is viewer.document.scene.world
    assert viewer.tab is first


def test_a_bad_file_is_refused_with_its_error_and_what_is_played_goes_on(viewer: Viewer, tmp_path: Path):
    tab = the_tab(viewer)
    viewer.open(write_walk(tmp_path))
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 <b>\n}")
    do(viewer, lambda: tab._open("bad.bvh", viewer.folder))
    assert "bad.bvh:4" in tab._words.content
    assert "<b>" not in tab._words.content
    assert str(tmp_path) not in tab._words.content
    assert viewer.recording is not None
    assert viewer.recording.title == "walk.bvh"
    assert tab.clock.runs


@pytest.mark.parametrize("name", ["../../walk.bvh", "/walk.bvh", "walk.bvh"])
def test_an_uploaded_file_is_played_and_leaves_nothing_behind(viewer: Viewer, tmp_path: Path, name: str):
    content = write_walk(tmp_path, "mine.bvh").read_bytes()
    before = set(tmp_path.rglob("*"))
    tab = the_tab(viewer)
    do(viewer, lambda: tab._open_uploaded(Path(name).name, content))
    assert viewer.recording is not None
    assert viewer.recording.title == "walk.bvh"
    assert set(tmp_path.rglob("*")) == before


def test_marks_are_where_feet_rest(viewer: Viewer):
    measured = Measured.of(walk())
    player = Player(viewer.scene, of_motions("one", {"a": walk()}))
    player.mark(measured)
    frame = int(np.flatnonzero(measured.contacts.planted.any(axis=1))[0])
    player.show(frame / 30.0)
    assert player._marks is not None
    scales = np.asarray(player._marks.batched_scales)
    assert np.array_equal(scales > 0.5, measured.contacts.planted[frame])
    assert player._marks.batched_positions[:, :2] == pytest.approx(measured.points[frame][:, :2], abs=1e-5)
    player.marks_shown = False
    player.show(frame / 30.0)
    assert not np.any(np.asarray(player._marks.batched_scales) > 0.5)
