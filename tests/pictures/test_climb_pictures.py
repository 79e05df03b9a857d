"""Pictures of climbs: figures are drawn where they are, and whole files are written."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import shapely
from PIL import Image
from tests.support.climb_cases import (
    box,
    flat,
    problem_in,
    scripted_walk,
    scripted_walk_motion,
    small_problems,
    wall_points,
)
from tools.draw.comfort import comfort_page, values
from tools.draw.mode_change import transition_frames, transition_of, transition_page
from tools.draw.mode_machine import machine_page
from tools.draw.postures import CASES

from gambol.climb import FREE, HEURISTICS, LINKS, Climb, ClimbMotion, ClimbPath, Figure, Mode, figure_skeleton
from gambol.climb.kernels.kinematics import place
from gambol.climb.stances.machine import COSTS
from gambol.errors import InvalidInput, UnknownName
from gambol.motion import Motion
from gambol.pictures.camera import Camera
from gambol.pictures.climb_environment import AIR, HELD, SOLID, draw_environment
from gambol.pictures.climb_figure import MODE_COLORS, Shades, Shape, capsule_outline, draw_shapes, figure_shapes, posed
from gambol.pictures.climb_numbers import numbers_page, outside_span
from gambol.pictures.climb_picture import climb_picture
from gambol.pictures.climb_round import Diorama, climb_film, film_frames
from gambol.pictures.climb_strip import course_page, evenly, mode_runs, spaced, strip_page
from gambol.pictures.climb_track import Track, foot_angle
from gambol.pictures.climb_video import climb_frames, climb_video, frame_count, paint, size_for, view_of
from gambol.pictures.page import Page
from gambol.pictures.png import encode_png
from gambol.pictures.shapes import capsule
from gambol.search import Outcome
from gambol.world import Environment, GraspPoint

EXTENT = (-1.0, -0.5, 3.0, 2.5)
SCALE = 100  # pixels a metre
PROBLEM = problem_in(flat())
WALK = scripted_walk_motion()
FEET = [(0.0, 1.0), (0.0, 1.0)]


def opened(path: Path) -> np.ndarray:
    """Read a whole picture: a file that was cut off fails."""
    with Image.open(path) as picture:
        picture.load()
        return np.asarray(picture.convert("RGB"))


def seen(shapes: list[Shape], held: list[int] | None = None) -> np.ndarray:
    """Draw shapes on the floor of `flat` at a known scale."""
    page = Page(*(round(SCALE * span) for span in (EXTENT[2] - EXTENT[0], EXTENT[3] - EXTENT[1])))
    axes = page.axes(0.0, 0.0, page.width, page.height)
    draw_environment(axes, flat(), extent=EXTENT, held=held or [], ticks=False)
    draw_shapes(axes, shapes)
    return page.pixels()


def at(picture: np.ndarray, x: float, z: float) -> np.ndarray:
    """Return the color at a place, 0 to 1."""
    return picture[round(SCALE * (EXTENT[3] - z)), round(SCALE * (x - EXTENT[0]))] / 255.0


def turned(path: ClimbPath) -> ClimbPath:
    """Return a path mirrored at x = 0: it faces the other way, and left is right."""
    q = path.configurations[:, [0, 1, 2, 3, 6, 7, 4, 5, 10, 11, 8, 9]] * np.array([-1.0, *[1.0] * 11])
    return ClimbPath(q, -path.facings, path.modes, path.grasps[:, [1, 0, 3, 2]], path.sources)


def standing(facing: float) -> list[Shape]:
    """Return one who stands at x = 1, left arm and leg forward."""
    table = Figure().table
    q = np.array([1.0, 0.93, 0.0, 0.0, 0.9, 0.0, -0.5, 0.0, 0.5, 0.0, -0.5, 0.0])
    points = np.empty((12, 2))
    place(table, facing, q, points)
    return figure_shapes(table, facing, 0.0, points, FEET, Shades.of(MODE_COLORS[Mode.WALK], facing))


def test_a_figure_is_where_its_links_are_with_near_limbs_before_far_ones():
    shades = Shades.of(MODE_COLORS[Mode.WALK])
    for facing, ahead, behind in ((1.0, shades.far, shades.near), (-1.0, shades.near, shades.far)):
        picture = seen(standing(facing))
        # Left limbs are forward: they are far from who looks at a figure that faces +x.
        for thigh, color in ((0.5, ahead), (-0.5, behind)):
            x, z = 1.0 + facing * 0.30 * math.sin(thigh), 0.93 - 0.30 * math.cos(thigh)
            np.testing.assert_allclose(at(picture, x, z), color, atol=0.02)
        np.testing.assert_allclose(at(picture, 1.0, 1.65), shades.trunk, atol=0.02)
        np.testing.assert_allclose(at(picture, 1.0 - facing * 0.6, 1.6), AIR, atol=0.02)
        np.testing.assert_allclose(at(picture, 1.0, -0.3), SOLID, atol=0.02)


def test_mirrored_climbs_give_mirrored_pictures():
    track = Track.of(PROBLEM, scripted_walk())
    other = Track.of(problem_in(mirrored_flat()), turned(scripted_walk()))
    for index in (0, 7, 30, 55):
        ours, theirs = posed(track, index), posed(other, index)
        for one, two in zip(ours, theirs, strict=True):
            assert one.color == two.color
            own, mirror = (shapely.Polygon(corners).buffer(0.0) for corners in (one.corners * (-1.0, 1.0), two.corners))
            assert shapely.symmetric_difference(own, mirror).area < 1e-9


def mirrored_flat() -> Environment:
    points = [GraspPoint(-point.x, point.z, point.kind, point.normal) for point in flat().grasp_points]
    return Environment((-9.0, -0.5, 1.0, 3.0), [box(-9.0, -0.5, 1.0, 0.0)], points)


def test_what_is_drawn_lies_within_the_capsules_that_are_kept_out_of_obstacles():
    rng = np.random.default_rng(3)
    for name in ("adult", "child"):
        figure = Figure(name, 1.2, legs=0.93, head=1.25) if name == "child" else Figure()
        table = figure.table
        for facing in (1.0, -1.0):
            q = rng.uniform(table.low.clip(-2.0), table.high.clip(None, 2.0))
            points = np.empty((12, 2))
            place(table, facing, q, points)
            shapes = figure_shapes(table, facing, q[2] + q[3], points, FEET, Shades.of((0.5, 0.5, 0.5)))
            body = shapely.unary_union([
                shapely.buffer(shapely.LineString(points[list(ends)]), table.radius[number])
                for number, ends in enumerate(LINKS.values())
            ])  # fmt: skip
            # Far palm, forearm, arm, foot, shank, thigh; throat, torso, head; then the near ones.
            is_hand_or_foot = {0, 3, 9, 12}
            for number, shape in enumerate(shapes):
                beyond = 0.0 if number not in is_hand_or_foot else 0.3
                # The nose is a nose's length ahead of the ball that stands for a head.
                room = 0.02 if number == 8 else 0.002
                assert shapely.covers(body.buffer(room + beyond), shapely.Polygon(shape.corners))


def test_one_who_turns_is_seen_from_the_front_in_between():
    widths = [
        np.ptp(np.concatenate([shape.corners for shape in standing(facing)]), axis=0)[0] for facing in (1.0, 0.4, 0.0)
    ]
    assert widths[0] > widths[1] > widths[2] > 0.2
    shades = Shades.of(MODE_COLORS[Mode.WALK], 0.0)
    assert shades.near == shades.far == shades.trunk
    head = {facing: standing(facing)[8].corners[:, 0] - 1.0 for facing in (1.0, -1.0)}
    np.testing.assert_allclose(head[1.0], -head[-1.0], atol=1e-12)
    assert head[1.0].max() > -head[1.0].min() + 0.01  # the nose


def test_capsules_are_the_hulls_of_two_discs():
    for start, end, a, b in (((0, 0), (1, 0.5), 0.2, 0.1), ((0, 0), (0, -1), 0.1, 0.3), ((0, 0), (0.05, 0), 0.1, 0.3)):
        drawn = shapely.Polygon(capsule_outline(np.array(start, float), np.array(end, float), a, b))
        discs = [shapely.Point(middle).buffer(radius, 64) for middle, radius in ((start, a), (end, b))]
        hull = shapely.union_all(discs).convex_hull
        assert shapely.symmetric_difference(drawn, hull).area < 0.03 * hull.area


def test_feet_lie_on_what_they_hold_and_free_toes_are_in_nothing():
    slope = math.radians(30.0)
    hill = GraspPoint(0.0, 0.0, "hybrid", (-math.sin(slope), math.cos(slope)))
    assert foot_angle(hill, 1.0) == pytest.approx(slope)
    assert foot_angle(hill, -1.0) == pytest.approx(-slope)
    wall = wall_points(3.0, [1.0])[0]
    assert foot_angle(wall, 1.0) == 0.0
    assert foot_angle(wall, -1.0) == pytest.approx(-0.5 * math.pi)
    track = Track.of(PROBLEM, WALK)
    held = track.path.grasps[:, 2:] != FREE
    np.testing.assert_allclose(track.feet[held], 0.0, atol=1e-12)
    solid = shapely.Polygon(flat().polygons[0])
    for index in range(0, len(track), 5):
        foot = shapely.Polygon(posed(track, index)[3].corners)
        assert shapely.intersection(foot.buffer(0.0), solid).area < 2e-4
    # Nothing jumps: a foot that is let go turns without haste.
    assert np.abs(np.diff(track.feet, axis=0)).max() < 0.45


def test_a_shape_covers_its_pixels_and_no_others():
    picture = np.full((60, 80, 3), 200, dtype=np.uint8)
    square = np.array([(10.0, 10.0), (40.0, 10.0), (40.0, 30.0), (10.0, 30.0)])
    paint(picture, [Shape(square, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0))])
    assert np.all(picture[12:28, 12:38] == (255, 0, 0))
    changed = np.argwhere(np.any(picture != 200, axis=-1))
    assert changed.min(axis=0).tolist() >= [9, 9]
    assert changed.max(axis=0).tolist() <= [31, 41]
    beyond = picture.copy()
    paint(beyond, [Shape(square + 500.0, (0.0, 1.0, 0.0), (0.0, 0.0, 0.0))])
    assert np.array_equal(beyond, picture)


def test_held_points_are_highlighted():
    assert np.allclose(at(seen([], held=[2]), 0.6, 0.0), HELD, atol=0.05)
    assert not np.allclose(at(seen([]), 0.6, 0.0), HELD, atol=0.05)


def test_figures_are_evenly_spaced_along_the_way():
    gone = np.concatenate(([0.0], np.cumsum(np.random.default_rng(1).uniform(0.0, 1.0, 200))))
    chosen = evenly(gone, 11)
    assert (chosen[0], chosen[-1], len(chosen)) == (0, 200, 11)
    assert np.ptp(np.diff(gone[chosen])) < 2.0
    track = Track.of(PROBLEM, WALK)
    places = track.centres[spaced(track), 0]
    assert np.diff(places).min() > 0.7 * 0.42 * 1.75 - 1e-9


def changing() -> ClimbMotion:
    """Return the walk with a part that pretends to be climbing."""
    path = WALK.path
    modes = path.modes.copy()
    modes[30:60] = Mode.CLIMB
    return ClimbMotion(replace(path, modes=modes), WALK.rate_hz)


def test_a_change_of_mode_is_found_and_shown_from_both_sides():
    track = Track.of(PROBLEM, changing())
    assert [(first, last) for first, last, _ in mode_runs(track.path)] == [(0, 29), (30, 59), (60, len(track) - 1)]
    assert transition_of(track.path) == 60
    frames = transition_frames(track, 60, 6)
    assert frames == sorted(frames)
    assert frames[0] < 60 < frames[-1]
    assert transition_of(WALK.path) is None


def test_balance_is_measured_from_what_is_held():
    track = Track.of(PROBLEM, WALK)
    outside = outside_span(track)
    both = np.all(track.path.grasps[:, 2:] != FREE, axis=1)
    for index in np.flatnonzero(both):
        feet = track.points[index, [9, 11], 0]
        x = float(track.centres[index, 0])
        assert outside[index] == pytest.approx(max(feet.min() - 0.06 - x, x - feet.max() - 0.16), abs=1e-9)


def test_pictures_of_a_climb_are_whole_and_not_large():
    walk, planned, changed = (Track.of(PROBLEM, one) for one in (WALK, WALK.path, changing()))
    for pixels in (
        course_page(walk, "walk"),
        strip_page([planned, walk], "climb", every=(5, 9)),
        transition_page(changed, 60, 4, "climb"),
        numbers_page(changed, "climb"),
        machine_page(COSTS),
    ):
        assert len(encode_png(pixels, keeps_rare=True)) < 300_000
        assert pixels.shape[1] >= 600
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20


def test_a_whole_picture_shows_what_there_is(tmp_path: Path):
    found = Climb(PROBLEM, "stances", Outcome.FOUND, "", WALK.path, WALK, 0.2)
    climb_picture(tmp_path / "found.png", found)
    partly = Climb(PROBLEM, "paper", Outcome.OUT_OF_BUDGET, "the way is blocked", WALK.path, None)
    climb_picture(tmp_path / "partly.png", partly)
    nothing = Climb(small_problems()["bars"], "stances", Outcome.START_BLOCKED, "no floor", None, None)
    climb_picture(tmp_path / "nothing.png", nothing)
    heights = [opened(tmp_path / f"{name}.png").shape[0] for name in ("found", "partly", "nothing")]
    assert heights[0] > heights[1] + 500


def test_every_heuristic_has_its_postures():
    assert tuple(case.name for case in CASES) == HEURISTICS
    for case in CASES:
        along = values(case, np.linspace(case.low, case.high, 21))
        good, bad = values(case, np.array([case.good, case.bad]))
        assert along.min() >= 1.0 - 1e-12
        assert good < 1.05 * along.min() < 0.5 * bad
    assert len(encode_png(comfort_page(), most_bytes=200_000, keeps_rare=True)) < 200_000


def test_a_video_shows_the_figure_and_lasts_as_long(tmp_path: Path):
    from imageio_ffmpeg import count_frames_and_secs

    climb_video(tmp_path / "v.mp4", PROBLEM, WALK, size=(240, 136), rate_hz=10.0)
    frames, _ = count_frames_and_secs(str(tmp_path / "v.mp4"))
    assert frames == frame_count(WALK, 10.0)
    size = size_for(PROBLEM)
    assert size[0] % 2 == size[1] % 2 == 0
    assert size[1] < size[0]
    with pytest.raises(InvalidInput, match="even"):
        climb_video(tmp_path / "v.mp4", PROBLEM, WALK, size=(241, 136))
    with pytest.raises(InvalidInput, match="rate"):
        frame_count(WALK, 0.0)


def test_the_camera_follows_in_a_wide_scene_and_stands_still_in_a_small_one():
    wide = replace(PROBLEM, environment=flat(40.0))
    size = (480, 270)
    view = view_of(wide, size)
    assert view.backdrop.shape[1] > 3 * size[0]
    blue = np.array(Shades.of(MODE_COLORS[Mode.WALK]).trunk)
    places = []
    for frame in islice(climb_frames(wide, WALK, size=size, rate_hz=6.0), 20):
        assert frame.shape == (270, 480, 3)
        is_figure = np.all(np.abs(frame[:230] / 255.0 - blue) < 0.02, axis=-1)
        assert is_figure.sum() > 60
        places.append(np.argwhere(is_figure)[:, 1].mean())
    # It starts at the left edge of the scene, and never leaves the picture.
    assert max(places) < 0.75 * size[0]
    assert view_of(PROBLEM, (960, 540)).backdrop.shape == (540, 960, 3)


def test_a_film_of_the_body_needs_a_body_for_every_frame(tmp_path: Path):
    skeleton = figure_skeleton(PROBLEM.figure)
    count = 8
    motion = ClimbMotion(WALK.path.part(0, count), WALK.rate_hz)
    places = np.column_stack((motion.path.configurations[:, 0], np.zeros(count), np.full(count, 0.95)))
    still = np.tile((1.0, 0.0, 0.0, 0.0), (count, skeleton.joint_count, 1))
    body = Motion(skeleton, WALK.rate_hz, places, still)
    frames = list(islice(film_frames(PROBLEM, motion, body, size=(128, 96)), 2))
    assert frames[0].shape == (96, 128, 3)
    # Walking is blue, and nothing else is as blue as that.
    middle = frames[0][25:75, 40:90].astype(int)
    assert (middle[..., 2] - middle[..., 0] > 60).sum() > 60
    with pytest.raises(InvalidInput, match="frames"):
        next(film_frames(PROBLEM, WALK, body))
    with pytest.raises(UnknownName, match="view"):
        next(film_frames(PROBLEM, motion, body, view="above"))
    with pytest.raises(InvalidInput, match="even"):
        climb_film(tmp_path / "f.mp4", PROBLEM, motion, body, size=(33, 32))


def test_a_shadow_is_no_larger_than_its_body():
    stage = Diorama.of(small_problems()["bars"].environment)
    # A thin pole that leans: what the lamp sees of it is far smaller than what is around it.
    pole, gone = (capsule((3.7, y, -1.4), (4.9, y, -0.2), 0.05, 0.05, (0.2, 0.4, 0.9)) for y in (0.0, 90.0))
    camera = Camera((2.6, -9.0, 1.0), (4.3, 0.0, -0.4), math.radians(24.0))
    with_it, without = (stage.picture(body, camera, (200, 150)).astype(int).sum(axis=-1) for body in (pole, gone))
    assert 150 < (with_it < without - 30).sum() < 700


def test_surfaces_look_away_from_what_is_solid():
    for mesh in Diorama.of(small_problems()["wall"].environment).meshes[:1]:
        assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)
        # A wall's surfaces look away from what is solid: a step outward is in the air.
        middles = mesh.vertices[mesh.triangles].mean(axis=1)
        outward = mesh.normals[mesh.triangles[:, 0]]
        solid = shapely.union_all(
            [shapely.Polygon(corners) for corners in small_problems()["wall"].environment.polygons]
        )
        step = middles + 0.01 * outward
        assert not shapely.contains_xy(solid, step[:, 0], step[:, 2]).any()
