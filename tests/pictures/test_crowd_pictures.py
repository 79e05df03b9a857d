"""Maps, plots and videos of crowds."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely
from imageio_ffmpeg import count_frames_and_secs
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image
from scipy.spatial import KDTree
from tests.support.command_line import runner
from tests.support.crowd_recordings import random_recording
from tools.draw.crowd_map import crowd_map
from tools.draw.density_plot import density_plot

from gambol.body import Body, Skin, build_skin
from gambol.characters import load_character
from gambol.crowd import Recording, lay_floor, places, root_points
from gambol.crowd.moment import moment
from gambol.errors import InvalidInput, UnknownName
from gambol.pictures.body_outlines import body_outline, stamped
from gambol.pictures.camera import Camera
from gambol.pictures.coarse_skin import coarse_skin
from gambol.pictures.crowd_cameras import crowd_cameras, farthest
from gambol.pictures.crowd_colors import crowd_colors, groups_of
from gambol.pictures.crowd_figures import MOST_WHOLE, CrowdFigures, levels_of
from gambol.pictures.crowd_flow import Line, busiest, crossings, going_speeds, passage_lines
from gambol.pictures.crowd_map import densest_per_m2, draw_crowd_map, free_area_m2
from gambol.pictures.crowd_paint import GRAY, LONGEST_S, PAINTS, STANDING_M, paint_crowd, speeds_at, stood_s
from gambol.pictures.crowd_plots import crowd_panels, draw_panel
from gambol.pictures.crowd_video import CrowdFilm, crowd_video, video_times
from gambol.pictures.flock import MeshFlock
from gambol.pictures.mesh import Mesh
from gambol.pictures.render import render
from gambol.pictures.skin_levels import CELLS_M
from gambol.world import Footprint, Obstacle, World

SMALL = (160, 90)
PILLAR = Obstacle("pillar", Footprint.disc(1.0), (3.0, 2.0, 0.0))
WORLD = World((-40.0, -40.0, 40.0, 40.0), (PILLAR,))
#: Two rooms and a door of 1.6 m between them.
ROOMS = World(
    (0.0, 0.0, 40.0, 30.0),
    (
        Obstacle("low", Footprint.box(0.3, 14.2), (20.0, 7.1, 0.0)),
        Obstacle("high", Footprint.box(0.3, 14.2), (20.0, 22.9, 0.0)),
    ),
)
SCENE = """name = "small"
kind = "crowd"
[world]
bounds = [0, 0, 20, 12]
[[groups]]
name = "human"
count = 6
starts = { area = [1, 1, 19, 11] }
spacing_m = 2
wander = {}
"""


@cache
def people(count: int = 9) -> Recording:
    human = load_character("human").subset("crowd")
    return random_recording([human], [0] * count, frames=150, seed=4)


@cache
def figures() -> CrowdFigures:
    return CrowdFigures.of(people(), crowd_colors(people(), "each"))


@cache
def human_skin() -> Skin:
    return build_skin(Body.from_skeleton(load_character("human").skeleton))


def from_above() -> Camera:
    return Camera((0.0, -70.0, 60.0), (0.0, 0.0, 0.0), 0.9)


@pytest.mark.slow
def test_a_flock_is_drawn_as_its_figures_one_by_one_are() -> None:
    rng = np.random.default_rng(1)
    skin = coarse_skin(human_skin(), 0.15)
    shifts = rng.uniform(-1.5, 1.5, (4, 1, 3)) * (1.0, 1.0, 0.0)
    vertices, normals = skin.vertices + shifts, np.broadcast_to(skin.normals, (4, *skin.normals.shape)).copy()
    colors = rng.uniform(0.2, 0.9, (4, 3))
    meshes = [
        Mesh(one, turned, skin.triangles, (float(r), float(g), float(b)))
        for one, turned, (r, g, b) in zip(vertices, normals, colors, strict=True)
    ]
    camera = Camera((0.0, -9.0, 3.0), (0.0, 0.0, 0.9), 0.6)
    together = render(
        meshes[:1], camera, SMALL, flocks=[MeshFlock(vertices[1:], normals[1:], skin.triangles, colors[1:])]
    )
    np.testing.assert_array_equal(together, render(meshes, camera, SMALL))


def test_a_flock_that_casts_no_shadow_leaves_the_floor_lit() -> None:
    skin = coarse_skin(human_skin(), 0.15)
    camera = Camera((0.0, -9.0, 3.0), (0.0, 0.0, 0.9), 0.6)
    one = skin.vertices[None].copy(), skin.normals[None].copy(), skin.triangles, np.full((1, 3), 0.5)
    shaded, lit = (
        render([], camera, SMALL, flocks=[MeshFlock(*one, casts_shadow=casts)]).astype(int) for casts in (True, False)
    )
    assert (lit >= shaded).all()
    assert (lit - shaded).max() > 20


def test_a_flock_needs_as_many_normals_and_colors_as_figures() -> None:
    with pytest.raises(InvalidInput, match="normals"):
        MeshFlock(np.zeros((2, 3, 3)), np.zeros((2, 2, 3)), np.zeros((1, 3), np.int32), np.zeros((2, 3)))
    with pytest.raises(InvalidInput, match="colors"):
        MeshFlock(np.zeros((2, 3, 3)), np.zeros((2, 3, 3)), np.zeros((1, 3), np.int32), np.zeros((1, 3)))


def test_figures_are_where_the_delivered_motions_are() -> None:
    recording, time_s = people(), 2.5
    camera = from_above()
    drawn = figures().at(time_s, camera, (960, 540))
    assert sum(len(flock) for flock in drawn) == len(moment(recording, time_s).who)
    found = np.concatenate([flock.vertices.reshape(len(flock), -1, 3).mean(axis=1) for flock in drawn])
    for number in moment(recording, time_s).who.tolist():
        motion = recording.motion(number)
        frame = round((time_s - recording.motion_start_s(number)) * motion.rate_hz)
        level = next(
            skin for flock in drawn for skin in figures().skins[0] if len(skin.vertices) == flock.vertices.shape[1]
        )
        expected = level.deform(motion, [frame])[0].mean(axis=0)
        assert np.linalg.norm(found - expected, axis=1).min() < 1e-3


def test_vertices_of_a_figure_are_those_of_its_skin_on_the_delivered_motion() -> None:
    recording, time_s, number = people(), 2.0, 1
    place = places(recording, moment(recording, time_s))[list(moment(recording, time_s).who).index(number)]
    near = Camera((place[0] - 2.0, place[1], 1.5), (place[0], place[1], 1.0), 0.9)
    color = figures().colors[number]
    own = [
        flock.vertices[row]
        for flock in figures().at(time_s, near, (960, 540))
        for row in np.flatnonzero((flock.colors == color).all(axis=1))
    ]
    motion = recording.motion(number)
    frame = round((time_s - recording.motion_start_s(number)) * motion.rate_hz)
    np.testing.assert_allclose(own[0], figures().skins[0][0].deform(motion, [frame])[0], atol=2e-4)


def test_nobody_who_would_be_seen_is_left_out() -> None:
    recording, size = people(), (320, 180)
    rng = np.random.default_rng(8)
    player = figures().players[0]
    for _ in range(30):
        time_s = float(rng.uniform(1.0, 4.0))
        eye, target = rng.uniform((-25, -25, 1), (25, 25, 20)), rng.uniform((-20, -20, 0), (20, 20, 2))
        camera = Camera(tuple(eye.tolist()), tuple(target.tolist()), 0.7)
        now = moment(recording, time_s)
        joints = player.place(now.clip, now.before, now.after, now.phase, now.pose)
        pixels, _ = camera.project(joints, size)
        inside = np.logical_and.reduce((pixels >= 0.0) & (pixels < size), axis=-1)
        visible = np.logical_or.reduce(inside, axis=1)
        drawn = [tuple(color) for flock in figures().at(time_s, camera, size) for color in flock.colors]
        assert {tuple(color) for color in figures().colors[now.who[visible]]} <= set(drawn)


def test_the_nearer_a_figure_the_finer_it_is_and_only_a_few_are_whole() -> None:
    metre_px = np.random.default_rng(2).permutation(np.geomspace(1.0, 2000.0, 200))
    levels = levels_of(metre_px)
    assert (np.diff(levels[np.argsort(metre_px)]) <= 0).all()
    assert np.count_nonzero(levels == 0) <= MOST_WHOLE
    assert set(levels.tolist()) == set(range(len(CELLS_M)))


@pytest.mark.parametrize("cell_m", CELLS_M[1:])
def test_coarse_skins_are_near_the_fine_one_and_still_closed_around_all_limbs(cell_m: float) -> None:
    fine = human_skin()
    coarse = coarse_skin(fine, cell_m)
    assert len(coarse.triangles) < 0.75 * len(fine.triangles)
    gaps, _ = KDTree(coarse.vertices).query(fine.vertices)
    assert gaps.max() <= np.sqrt(3.0) * cell_m
    np.testing.assert_allclose(coarse.weights.sum(axis=1), 1.0)
    np.testing.assert_allclose(np.linalg.norm(coarse.normals, axis=1), 1.0)
    assert (np.sort(coarse.triangles, axis=1)[:, :-1] < np.sort(coarse.triangles, axis=1)[:, 1:]).all()
    # A forearm seen from the front is still as thick as an arm.
    arm = np.abs(coarse.vertices[:, 1] - 0.45) < 0.3
    assert np.ptp(coarse.vertices[arm & (coarse.vertices[:, 1] > 0.3), 2]) > 0.05


def test_outlines_stamped_at_a_pose_are_the_outline_turned_and_moved() -> None:
    outline = body_outline(load_character("human"))
    assert 0.3 < outline.size_m < 0.8
    pose = np.array([[3.0, -2.0, 0.5 * np.pi]])
    placed = stamped(outline.body, pose)[0]
    np.testing.assert_allclose(placed, np.column_stack((3.0 - outline.body[:, 1], -2.0 + outline.body[:, 0])))
    assert shapely.Polygon(outline.body).buffer(0.02).contains(shapely.Polygon(outline.head))


@pytest.mark.slow
def test_a_horse_seen_from_above_is_long_and_its_head_is_in_front() -> None:
    outline = body_outline(load_character("horse"))
    length, width = np.ptp(outline.body, axis=0)
    assert length > 2.5 * width
    assert outline.head[:, 0].mean() > 0.5


def test_maps_show_everyone_in_the_color_of_their_kind() -> None:
    recording = people()
    figure = Figure(figsize=(10.0, 10.0), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.05, 0.05, 0.9, 0.9))
    draw_crowd_map(axes, recording, WORLD, time_s=3.0, color_by="kind", trace_s=0.0)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[..., :3].astype(float) / 255.0
    color = paint_crowd(recording, 3.0, "kind").colors[0]
    now = moment(recording, 3.0)
    assert len(now.who) > 5
    for x, y in axes.transData.transform(places(recording, now)[:, :2]):
        row, column = round(pixels.shape[0] - y), round(x)
        patch = pixels[row - 3 : row + 4, column - 3 : column + 4].reshape(-1, 3)
        shade = patch / np.maximum(patch.max(axis=1, keepdims=True), 1e-9)  # heads are darker
        assert np.abs(shade - color / color.max()).max(axis=1).min() < 0.05


@pytest.mark.parametrize("paint", PAINTS)
def test_maps_are_written_in_every_coloring(tmp_path: Path, paint: str) -> None:
    path = tmp_path / "map.png"
    crowd_map(path, people(), WORLD, color_by=paint, title="test")
    with Image.open(path) as picture:
        assert min(picture.size) > 500
    assert path.stat().st_size < 500_000


def test_maps_refuse_times_and_colors_that_there_are_not(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="recorded"):
        crowd_map(tmp_path / "map.png", people(), WORLD, time_s=100.0)
    with pytest.raises(UnknownName):
        crowd_map(tmp_path / "map.png", people(), WORLD, color_by="mood")
    assert list(tmp_path.iterdir()) == []


def test_those_who_are_done_are_gray_and_the_key_says_so() -> None:
    done = np.arange(9) % 2 == 0
    for by in ("speed", "group"):
        paint = paint_crowd(people(), 3.0, by)
        grayed = paint.with_gray(done)
        assert (grayed.colors[done] == GRAY).all()
        np.testing.assert_array_equal(grayed.colors[~done], paint.colors[~done])
        assert "done" in grayed.words or "done" in [label for label, _ in grayed.labels]
        assert paint.with_gray(np.zeros(9, dtype=bool)) is paint


def test_density_counts_the_ground_that_is_free() -> None:
    assert free_area_m2(lay_floor(WORLD)) == pytest.approx(80.0 * 80.0 - np.pi, abs=3.0)
    points = np.array([(1.0, 1.0), (2.0, 3.0), (4.0, 4.0), (6.0, 1.0)])
    assert densest_per_m2(points, 5.0) == pytest.approx(3 / 25)
    assert densest_per_m2(np.empty((0, 2))) == 0.0


def test_speeds_and_stands_are_those_of_the_paths() -> None:
    recording, time_s = people(), 4.0
    paths = list(root_points(recording))
    speeds, stood = speeds_at(recording, time_s), stood_s(recording, time_s)
    for number, points in enumerate(paths):
        first, last = recording.presence(number)
        if not first <= 120 <= last:
            assert speeds[number] == stood[number] == 0.0
            continue
        here = points[120 - first]
        before = points[90 - first] if first <= 90 else None
        assert speeds[number] == pytest.approx(0.0 if before is None else np.linalg.norm(here - before), abs=1e-9)
        seconds = 0
        while seconds < min(LONGEST_S, 4) and 120 - 30 * (seconds + 1) >= first:
            if np.linalg.norm(points[120 - 30 * (seconds + 1) - first] - here) > STANDING_M:
                break
            seconds += 1
        assert stood[number] == seconds


@pytest.mark.parametrize("seed", range(3))
def test_crossings_are_where_paths_meet_the_line(seed: int) -> None:
    rng = np.random.default_rng(seed)
    recording = people()
    total = 0
    for points in list(root_points(recording))[:6]:
        middle = points[len(points) // 2] + rng.normal(0.0, 0.2, 2)
        turn = rng.uniform(0.0, 2.0 * np.pi)
        across = 1.5 * np.array([np.cos(turn), np.sin(turn)])
        line = Line(tuple(middle - across), tuple(middle + across))
        expected = []
        for number, path in enumerate(root_points(recording)):
            first, _ = recording.presence(number)
            for frame in range(len(path) - 1):
                if shapely.LineString(path[frame : frame + 2]).crosses(shapely.LineString(line)):
                    moved = path[frame + 1] - path[frame]
                    expected.append(((first + frame + 1) / 30.0, moved[0] * across[1] - moved[1] * across[0] > 0.0))
        found = crossings(recording, line)
        assert sorted(zip(found.times_s.tolist(), found.forth.tolist(), strict=True)) == sorted(expected)
        total += len(expected)
    assert total > 0


def test_the_line_across_a_door_spans_it() -> None:
    (line,) = passage_lines(ROOMS)
    assert shapely.LineString(line).distance(shapely.Point(20.0, 15.0)) < 0.3
    assert 1.6 <= np.hypot(*np.subtract(line.left, line.right)) <= 3.2
    assert busiest(people(), []) is None


def test_speeds_of_those_who_are_done_do_not_count() -> None:
    recording = people()
    firsts = np.array([recording.presence(number)[0] for number in range(len(recording))])
    assert len(going_speeds(recording, firsts)) == 0
    every = going_speeds(recording, np.full(len(recording), recording.frames))
    paths = [points[::15] for points in root_points(recording)]
    expected = np.concatenate([np.linalg.norm(np.diff(path, axis=0), axis=1) * 2.0 for path in paths])
    np.testing.assert_allclose(every, expected)


def test_a_crowd_has_plots_of_speed_waits_arrivals_and_flow() -> None:
    panels = crowd_panels(people(), world=ROOMS, line=Line((-20.0, 0.0), (20.0, 0.0)))
    assert len(panels) == 4
    figure = Figure()
    for number, panel in enumerate(panels):
        axes = figure.add_subplot(2, 2, number + 1)
        draw_panel(axes, panel)
        assert axes.patches or axes.lines


def test_density_plots_take_rows_or_a_file_of_them(tmp_path: Path) -> None:
    rows = [
        {"density": 0.1 * k, "mean_speed_m_s": 2.0 / k, "longest_wait_s": k, "arrivals_per_minute": 9 * k, "series": s}
        for k in (1, 2, 3)
        for s in ("swept", "gridmap")
    ]
    density_plot(tmp_path / "rows.png", rows)
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    density_plot(tmp_path / "file.png", tmp_path / "rows.json")
    assert (tmp_path / "rows.png").read_bytes() == (tmp_path / "file.png").read_bytes()


@pytest.mark.parametrize(
    "rows", [[], {"density": 1}, [{"density": 0.1}], [3], [{"density": float("nan"), "mean_speed_m_s": 1.0}]]
)
def test_density_plots_refuse_rows_without_the_numbers(tmp_path: Path, rows: object) -> None:
    with pytest.raises(InvalidInput, match="results"):
        density_plot(tmp_path / "rows.png", rows)  # type: ignore[arg-type]


def test_groups_are_named_before_the_last_hyphen_and_members_have_shades_of_one_color() -> None:
    recording = replace(people(), names=tuple(f"{'east' if n % 2 else 'west-bound'}-{n}" for n in range(9)))
    names, number = groups_of(recording)
    assert names == ("west-bound", "east")
    assert number.tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    colors = crowd_colors(recording)
    assert ((colors >= 0.0) & (colors <= 1.0)).all()
    between = np.linalg.norm(colors[0::2].mean(axis=0) - colors[1::2].mean(axis=0))
    assert np.linalg.norm(colors[0::2] - colors[0::2].mean(axis=0), axis=1).max() < between
    assert len(np.unique(crowd_colors(recording, "each"), axis=0)) == 9
    with pytest.raises(UnknownName):
        crowd_colors(recording, "mood")


def test_the_overview_shows_everyone() -> None:
    times = video_times(people(), 1.0, 3.0, 10.0)
    camera = crowd_cameras(people(), WORLD, times)[0]
    assert crowd_cameras(people(), WORLD, times) == [camera] * len(times)
    for time_s in (1.0, 4.0):
        where = places(people(), moment(people(), time_s))[:, :2]
        pixels, _ = camera.project(np.column_stack((where, np.ones(len(where)))), SMALL)
        inside = ((pixels >= 0.0) & (pixels <= SMALL)).all(axis=1)
        assert inside.mean() > 0.85  # all but a few stragglers


def test_in_a_large_world_the_overview_shows_where_most_are() -> None:
    recording = people()
    owner = np.repeat(np.arange(9), np.diff(recording.first_step))
    pose = recording.pose.copy()
    pose[owner < 4, 0] += 400.0
    camera = crowd_cameras(replace(recording, pose=pose), World((-500, -500, 500, 500)), np.array([2.0, 3.0]))[0]
    assert abs(camera.target[0]) < 60.0
    assert np.linalg.norm(np.subtract(camera.eye, camera.target)) < 300.0


def test_a_camera_that_follows_keeps_whom_it_follows_in_view() -> None:
    recording = people()
    times = video_times(recording, 1.0, 3.0, 10.0)
    number = farthest(recording, times)
    for who in (recording.names[number], None):
        for time_s, camera in zip(times, crowd_cameras(recording, WORLD, times, kind="follow", who=who), strict=True):
            now = moment(recording, float(time_s))
            place = places(recording, now)[list(now.who).index(number)]
            (x, y), _ = camera.project((place[0], place[1], 1.0), SMALL)
            assert 0.1 * SMALL[0] < x < 0.9 * SMALL[0]
            assert 0.1 * SMALL[1] < y < SMALL[1]


def test_an_orbit_turns_at_one_distance() -> None:
    times = video_times(people(), 0.0, 4.0, 5.0)
    cameras = crowd_cameras(people(), WORLD, times, kind="orbit")
    eyes, targets = np.array([one.eye for one in cameras]), np.array([one.target for one in cameras])
    np.testing.assert_allclose(np.linalg.norm(eyes - targets, axis=1), np.linalg.norm(eyes[0] - targets[0]))
    steps = np.linalg.norm(np.diff(eyes, axis=0), axis=1)
    np.testing.assert_allclose(steps, steps[0])
    assert steps[0] > 0.05


def test_cameras_that_there_are_not_are_refused() -> None:
    times = np.array([1.0, 2.0])
    with pytest.raises(UnknownName):
        crowd_cameras(people(), WORLD, times, kind="drone")
    with pytest.raises(UnknownName):
        crowd_cameras(people(), WORLD, times, kind="follow", who="nobody")
    with pytest.raises(InvalidInput, match="follows no character"):
        crowd_cameras(people(), WORLD, times, who=people().names[0])


def test_frames_are_the_same_however_many_threads_draw_them() -> None:
    film = CrowdFilm.of(people(), WORLD, video_times(people(), 1.0, 1.0, 6.0), size=SMALL)
    alone, together = (list(film.frames(range(6), threads=threads)) for threads in (1, 3))
    assert len(alone) == 6
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)
    assert any((alone[0] != picture).any() for picture in alone[1:])


def test_videos_last_as_long_as_asked_or_recorded(tmp_path: Path) -> None:
    told = []
    crowd_video(
        tmp_path / "a.mp4",
        people(),
        WORLD,
        seconds=1.0,
        rate_hz=8.0,
        size=SMALL,
        progress=lambda *one: told.append(one),
    )
    frames, _ = count_frames_and_secs(tmp_path / "a.mp4")
    assert frames == 9
    assert told == [(number, 9) for number in range(1, 10)]
    times = video_times(people(), None, 60.0, 10.0)
    assert times[0] == 0.0
    assert times[-1] == pytest.approx(people().duration_s, abs=0.1)
    for wrong in ((9.0, 1.0, 10.0), (-1.0, 1.0, 10.0), (0.0, 0.0, 10.0), (0.0, 1.0, float("nan"))):
        with pytest.raises(InvalidInput):
            video_times(people(), *wrong)
    with pytest.raises(InvalidInput, match="even"):
        crowd_video(tmp_path / "b.mp4", people(), WORLD, size=(161, 90))


@pytest.mark.slow
def test_the_command_writes_a_picture_and_a_video(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "small.toml"
    scene.write_text(SCENE)
    picture, video = tmp_path / "out" / "a.png", tmp_path / "out" / "a.mp4"
    gambol = runner(monkeypatch, capsys)
    code, _, err = gambol("crowd", scene, "--seconds", "1", "--no-check", "-o", picture, "-o", video)
    assert code == 0, err
    with Image.open(picture) as opened:
        assert opened.size[0] > 600
    frames, seconds = count_frames_and_secs(video)
    assert frames == 16  # both ends count
    assert seconds == pytest.approx(1.0, abs=0.1)
