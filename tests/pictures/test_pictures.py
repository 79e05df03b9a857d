from __future__ import annotations

import io
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tests.support.steppers import stepping
from tests.support.strategies import motions
from tools.draw.contact_sheet import contact_sheet

from gambol.errors import InvalidInput, UnknownName, UnreadableFile
from gambol.files import read_bvh
from gambol.geometry import quaternion
from gambol.motion import Ground, Motion, Skeleton, detect_contacts, measure_quality
from gambol.pictures.camera import Camera
from gambol.pictures.figure import figure, skin_of
from gambol.pictures.footprints import footprints
from gambol.pictures.mesh import Mesh, Polyline
from gambol.pictures.motion_strip import IN_PLACE_POSES, draw_strip
from gambol.pictures.png import encode_png
from gambol.pictures.quality_picture import quality_picture
from gambol.pictures.render import render
from gambol.pictures.shapes import box, capsule
from gambol.pictures.studio import Studio

RED, BLUE = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9)
CAMERA = Camera((4.0, -4.0, 2.0), (0.0, 0.0, 0.5))
SIZE = (96, 64)


@pytest.fixture(scope="module")
def walk() -> Motion:
    return stepping(strides=3, rate_hz=60.0).motion


def test_what_is_nearer_hides_what_is_farther_in_any_order():
    near, far = box((-0.3, -0.3, 0.2), (0.3, 0.3, 0.8), RED), box((-1.5, 0.8, 0.0), (1.5, 1.2, 1.5), BLUE)
    camera = Camera((0.0, -6.0, 0.5), (0.0, 0.0, 0.5))
    one, other = render([near, far], camera, SIZE), render([far, near], camera, SIZE)
    np.testing.assert_array_equal(one, other)
    red, _, blue = one[32, 48].astype(int)
    assert red > blue + 50


def test_the_same_scene_gives_the_same_bytes():
    scene = [capsule((0.0, 0.0, 0.5), (0.3, 0.2, 1.2), 0.2, 0.1, RED), box((0.5, 0.0, 0.0), (1.0, 0.4, 0.4), BLUE)]
    line = [Polyline([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)], BLUE)]
    np.testing.assert_array_equal(
        render(scene, CAMERA, SIZE, polylines=line), render(scene, CAMERA, SIZE, polylines=line)
    )


def test_an_empty_scene_is_floor_and_background_without_color():
    picture = render([], CAMERA, SIZE)
    assert picture.shape == (64, 96, 3)
    assert picture.dtype == np.uint8
    assert np.all(np.ptp(picture, axis=2) <= 1)
    assert picture.min() > 200


def test_what_is_behind_the_camera_is_not_seen():
    behind = box((10.0, -12.0, 3.0), (11.0, -11.0, 4.0), RED)
    line = Polyline([(10.0, -10.0, 4.0), (11.0, -10.0, 4.0)], RED)
    np.testing.assert_array_equal(
        render([behind], CAMERA, SIZE, polylines=[line]), render([], CAMERA, SIZE, polylines=[])
    )
    pixels, depth = CAMERA.project((10.0, -12.0, 3.0), SIZE)
    assert np.all(np.isnan(pixels))
    assert depth < 0.0


@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1), (3, 2)])
def test_tiny_pictures_are_possible(size):
    picture = render([capsule((0, 0, 0.3), (0, 0, 1.0), 0.3, 0.3, RED)], CAMERA, size)
    assert picture.shape == (size[1], size[0], 3)


def test_a_camera_inside_a_box_sees_its_walls_all_around():
    walls = box((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0), RED, heading_rad=0.4)
    for target in ((1.0, 0.2, 0.0), (-1.0, 0.3, 0.2), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)):
        picture = render([walls], Camera((0.1, 0.0, 0.0), target, 1.5), SIZE, studio=Studio(Ground(-5.0)))
        assert np.all(picture[..., 0].astype(int) > picture[..., 2].astype(int) + 20)


def test_the_ground_hides_what_lies_below_it_and_not_what_stands_on_it():
    below, empty = [box((-0.5, -0.5, -1.0), (0.5, 0.5, -0.2), RED)], render([], CAMERA, SIZE)
    np.testing.assert_array_equal(render(below, CAMERA, SIZE), empty)
    lowered = Studio(Ground(-1.0))
    assert np.any(render(below, CAMERA, SIZE, studio=lowered) != render([], CAMERA, SIZE, studio=lowered))


def test_a_body_above_the_ground_darkens_it_below_and_toward_the_far_side_of_the_lamp():
    studio = Studio(key_azimuth_rad=math.pi, key_elevation_rad=math.radians(45.0))
    above = Camera((0.0, 0.0, 10.0), (0.0, 0.0, 0.0), orthographic_height_m=6.0)
    ball = capsule((-0.8, 0.0, 1.0), (-0.8, 0.0, 1.0), 0.3, 0.3, RED)
    change = render([], above, (61, 61), studio=studio).astype(int) - render([ball], above, (61, 61), studio=studio)
    place = above.project((0.2, 0.0, 0.0), (61, 61))[0].astype(int)  # one metre along +X: the lamp stands at -X
    assert change[place[1], place[0]].min() > 20
    assert np.abs(change[30, 2]).max() == 0  # toward the lamp: no shadow
    assert np.abs(change[2]).max() == 0


def test_meshes_that_cast_no_shadow_change_nothing_but_their_own_pixels():
    mark = box((-0.5, -0.5, 0.5), (0.5, 0.5, 0.6), RED)
    quiet = Mesh(mark.vertices, mark.normals, mark.triangles, mark.color, casts_shadow=False)
    changed = np.any(render([quiet], CAMERA, SIZE) != render([], CAMERA, SIZE), axis=2)
    pixels, _ = CAMERA.project(mark.vertices, SIZE)
    low, high = np.floor(pixels.min(axis=0)).astype(int), np.ceil(pixels.max(axis=0)).astype(int)
    changed[low[1] : high[1] + 1, low[0] : high[0] + 1] = False
    assert not changed.any()


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_framing_shows_all_points_and_wastes_no_room(seed):
    rng = np.random.default_rng(seed)
    # Two or three points may lie behind each other, and then look small from any distance.
    points = rng.normal(size=(int(rng.integers(8, 30)), 3)) * rng.uniform(0.2, 5.0, 3) + rng.normal(scale=50.0, size=3)
    size = (int(rng.integers(100, 400)), int(rng.integers(100, 400)))
    camera = Camera.framing(points, rng.normal(size=3), aspect=size[0] / size[1], margin=0.1)
    pixels, depth = camera.project(points, size)
    shares = pixels / size
    assert np.all(depth > 0.0)
    assert shares.min() >= 0.1 - 1e-6
    assert shares.max() <= 0.9 + 1e-6
    used = shares.max(axis=0) - shares.min(axis=0)
    assert used.max() > 0.6  # perspective may keep one side from touching


def test_invalid_cameras_meshes_and_sizes_are_refused():
    good = box((0, 0, 0), (1, 1, 1), RED)
    for make in (
        lambda: Camera((0, 0, 0), (0, 0, 0)),
        lambda: Camera((0, 0, math.nan), (1, 0, 0)),
        lambda: Camera((0, 0, 0), (1, 0, 0), 4.0),
        lambda: Camera((0, 0, 0), (1, 0, 0), orthographic_height_m=0.0),
        lambda: Camera.framing(np.empty((0, 3)), (1, 0, 0), aspect=1.0),
        lambda: Mesh(good.vertices, good.normals[:-1], good.triangles, RED),
        lambda: Mesh(good.vertices, good.normals, good.triangles + 100, RED),
        lambda: Mesh(good.vertices * np.nan, good.normals, good.triangles, RED),
        lambda: Mesh(good.vertices, good.normals, good.triangles, (1.0, 2.0, 0.0)),
        lambda: Polyline([(0, 0, math.inf)], RED),
        lambda: Polyline([(0, 0, 0)], RED, width_px=0.0),
        lambda: box((1, 0, 0), (0, 1, 1), RED),
        lambda: capsule((0, 0, 0), (1, 0, 0), 0.0, 1.0, RED),
        lambda: render([], CAMERA, (0, 10)),
        lambda: render([], CAMERA, (10, 100_000)),
    ):
        with pytest.raises(InvalidInput):
            make()


def test_shapes_are_closed_and_their_normals_point_outward():
    for mesh in (
        box((0, 0, 0), (1, 2, 3), RED, heading_rad=0.3),
        capsule((0, 0, 0), (0.2, 0.4, 1.0), 0.3, 0.15, RED),
        capsule((0, 0, 0), (0.05, 0.0, 0.0), 0.3, 0.1, RED),
    ):
        a, b, c = (mesh.vertices[mesh.triangles[:, i]] for i in range(3))
        flat = np.cross(b - a, c - a)
        assert np.all(np.sum(flat * mesh.normals[mesh.triangles].mean(axis=1), axis=1) >= -1e-12)
        np.testing.assert_allclose(flat.sum(axis=0), 0.0, atol=1e-9)


def test_a_figure_covers_its_own_joints(walk):
    skin = skin_of(walk)
    for frame in (0, 40):
        vertices = skin.deform(walk, [frame])[0]
        camera = Camera.framing(vertices, (-0.5, 0.8, -0.2), aspect=1.0)
        size = (200, 200)
        drawn_over = np.any(render([figure(skin, vertices)], camera, size) != render([], camera, size), axis=2)
        places = camera.project(walk.world_positions[frame], size)[0].astype(int)
        assert np.all(drawn_over[places[:, 1], places[:, 0]])


def test_every_stance_leaves_one_footprint_where_the_foot_is(walk):
    contacts = detect_contacts(walk)
    marks = footprints(walk, contacts)
    feet = [[p for p, point in enumerate(contacts.points) if point.name.startswith(side)] for side in ("left", "right")]
    stances = sum(
        int(np.sum(np.diff(contacts.planted[:, own].any(axis=1).astype(int), prepend=0) == 1)) for own in feet
    )
    assert len(marks) == stances > 2
    for mark in marks:
        assert not mark.casts_shadow
        middle = mark.vertices[:, :2].mean(axis=0)
        ankles = walk.world_positions[:, [walk.skeleton.index("LeftFoot"), walk.skeleton.index("RightFoot")], :2]
        assert np.linalg.norm(ankles - middle, axis=-1).min() < 0.15


@pytest.mark.parametrize("view", ["side", "front", "three-quarter", "follow"])
def test_a_contact_sheet_has_a_cell_for_each_pose(walk, tmp_path: Path, view):
    path = tmp_path / "sheet.png"
    contact_sheet(walk, path, columns=3, rows=2, view=view, width_px=360, title="Gehen – 歩く")
    picture = np.asarray(Image.open(path).convert("RGB"))
    assert picture.shape[1] == 360
    # Gaps between the cells are paper.
    assert np.all(picture[60:, 118:122] >= 250)


def test_a_motion_shorter_than_the_sheet_fills_fewer_cells(walk, tmp_path: Path):
    short = Motion(walk.skeleton, walk.rate_hz, walk.root_positions[:2], walk.rotations[:2])
    contact_sheet(short, tmp_path / "two.png", columns=4, rows=2, width_px=400)
    assert Image.open(tmp_path / "two.png").size[0] < 210


def test_what_a_sheet_cannot_do_is_said(walk, tmp_path: Path):
    with pytest.raises(UnknownName, match="three-quarter"):
        contact_sheet(walk, tmp_path / "x.png", view="three-quarters")
    with pytest.raises(InvalidInput, match="cells"):
        contact_sheet(walk, tmp_path / "x.png", columns=0)
    with pytest.raises(InvalidInput, match="pixels"):
        contact_sheet(walk, tmp_path / "x.png", columns=50, rows=1, width_px=500)
    with pytest.raises(InvalidInput, match="report"):
        quality_picture(walk, measure_quality(stepping(strides=2).motion), tmp_path / "x.png")
    with pytest.raises(UnreadableFile):
        contact_sheet(walk, tmp_path, columns=1, rows=1, width_px=100)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_pictures_for_documents_are_small_files(walk, tmp_path: Path):
    contact_sheet(walk, tmp_path / "sheet.png", title="A walk")
    quality_picture(walk, measure_quality(walk), tmp_path / "quality.png", title="A walk")
    for path in tmp_path.iterdir():
        assert 20_000 < path.stat().st_size < 300_000


def test_a_noisy_picture_is_made_smaller_by_giving_up_colors_never_pixels():
    pixels = np.random.default_rng(0).integers(0, 256, (64, 80, 3), dtype=np.uint8)
    exact = encode_png(pixels, most_bytes=1_000_000)
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(exact))), pixels)
    small = encode_png(pixels, most_bytes=5_000)
    assert len(small) < 0.5 * len(exact)
    assert Image.open(io.BytesIO(small)).size == (80, 64)


@pytest.mark.slow
@given(motions(max_joints=8, max_frames=6))
@settings(max_examples=3, deadline=None)
def test_any_skeleton_and_motion_gives_every_picture(tmp_path_factory: pytest.TempPathFactory, motion):
    folder = tmp_path_factory.mktemp("any")
    skin = skin_of(motion)
    contact_sheet(motion, folder / "sheet.png", columns=2, rows=1, skin=skin, width_px=120)
    quality_picture(motion, measure_quality(motion), folder / "quality.png", skin=skin)
    assert len(list(folder.glob("*.png"))) == 2


@pytest.mark.slow
def test_odd_names_and_titles_are_only_text(tmp_path: Path):
    skeleton = Skeleton(("$\\frac{", "名 前"), (-1, 0), ((0, 0, 0.5), (0, 0, 0.5)))
    turns = quaternion.from_heading(np.linspace(0.0, 1.0, 5))[:, None].repeat(2, axis=1)
    motion = Motion(skeleton, 30.0, np.zeros((5, 3)), turns)
    quality_picture(motion, measure_quality(motion), tmp_path / "odd.png", title="two\nlines $x_{")
    contact_sheet(motion, tmp_path / "odd.png", columns=2, rows=1, title="\t\n")


def test_a_figure_that_stays_in_place_is_shown_side_by_side():
    skeleton = Skeleton(("Hips", "Head"), (-1, 0), ((0, 0, 0.5), (0, 0, 0.5)))
    turns = quaternion.from_heading(np.linspace(0.0, 1.0, 30))[:, None].repeat(2, axis=1)
    motion = Motion(skeleton, 30.0, np.tile((0.0, 0.0, 0.5), (30, 1)), turns)
    picture = draw_strip(motion, detect_contacts(motion), skin_of(motion), width_px=500).pixels.astype(int)
    colored = np.any(picture[..., 0] > picture[..., 2] + 12, axis=0)
    assert np.sum(np.diff(colored.astype(int), prepend=0) == 1) == IN_PLACE_POSES


@pytest.mark.slow
def test_importing_pictures_loads_neither_matplotlib_nor_pillow():
    code = (
        "import sys, gambol.pictures.motion_strip, gambol.pictures.quality_picture;"
        "print([name for name in ('matplotlib', 'PIL') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["jog_forward/108_04", "crawl/108_23"])
def test_captures_give_small_pictures(mocap: Path, tmp_path: Path, name):
    motion = read_bvh(mocap / f"{name}.bvh").motion
    quality_picture(motion, measure_quality(motion), tmp_path / "quality.png", title=name)
    assert 50_000 < (tmp_path / "quality.png").stat().st_size < 300_000


def test_a_video_plays_as_long_as_the_motion(tmp_path):
    from imageio_ffmpeg import count_frames_and_secs
    from tools.authoring.walk import walk
    from tools.draw.motion_film import motion_frames

    from gambol.pictures.video import write_video

    motion = walk(strides=1)
    size = (160, 90)
    write_video(motion_frames(motion, size=size, captions={0.5: "walk"}), tmp_path / "walk.mp4", size)
    frames, seconds = count_frames_and_secs(str(tmp_path / "walk.mp4"))
    assert frames == int(motion.duration_s * 30 + 1e-6) + 1
    assert seconds == pytest.approx(motion.duration_s + 1 / 30, abs=0.05)
    assert [entry.name for entry in tmp_path.iterdir()] == ["walk.mp4"]
