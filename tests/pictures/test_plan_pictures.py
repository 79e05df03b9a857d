from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image
from tests.support.statues import write_course

from gambol.animate import play
from gambol.body import Body
from gambol.characters import Character, load_character, place_steps
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import planar
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.map_labels import Label, place_labels
from gambol.pictures.map_paths import way_color
from gambol.pictures.map_tree import RAMP, cost_colors, draw_reached, draw_tree
from gambol.pictures.map_world import ghost_times
from gambol.pictures.plan_numbers import _counted
from gambol.pictures.plan_picture import plan_picture
from gambol.pictures.plan_video import frame_count, plan_frames, plan_video
from gambol.pictures.png import encode_png
from gambol.pictures.shown import Shown, show_all
from gambol.pictures.silhouette import silhouettes
from gambol.pictures.stage import PictureStage, doll
from gambol.pictures.unrolled import Unrolled
from gambol.pictures.world_colors import THING_COLORS, character_color, kind_of
from gambol.pictures.world_meshes import (
    MoverModel,
    Prism,
    contour_levels,
    contour_lines,
    obstacle_mesh,
    terrain_meshes,
)
from gambol.search import Goal, Outcome, Plan, Problem, SearchStatistics, SearchTrace
from gambol.world import Footprint, Mover, Obstacle, Special, Terrain, Trajectory, World

BOUNDS = (-3.0, -4.0, 12.0, 4.0)
CORNERS = [(0.0, 0.0), (2.0, 0.0), (2.0, 0.6), (0.7, 0.6), (0.7, 1.9), (0.0, 1.9)]
SHAPES = {
    "box": Footprint.box(1.4, 0.6),
    "disc": Footprint.disc(0.7),
    "angle": Footprint.polygon(CORNERS),
}
poses = st.tuples(st.floats(-4.0, 4.0), st.floats(-4.0, 4.0), st.floats(-7.0, 7.0))


@cache
def statue() -> Character:
    with TemporaryDirectory() as folder:
        return load_character(write_course(Path(folder)))


def planned(*names: str, start: tuple[float, float, float] = (0.0, 0.0, 0.0), frame: int = 0) -> Plan:
    steps = place_steps(statue(), names, start=start, frame=frame)
    cost = sum(statue().behaviors[step.behavior].cost("path") for step in steps)
    return Plan(Outcome.FOUND, "", statue(), steps, cost, 1.0, SearchStatistics(12, 80, 240, 900, 0.002))


def shown(*names: str, start: tuple[float, float, float] = (0.0, 0.0, 0.0), frame: int = 0) -> Shown:
    plan = planned(*names, start=start, frame=frame)
    return show_all([plan], [play(statue(), plan.steps)], None, None)[0]


def fan(count: int, *, reach: float) -> SearchTrace:
    """A tree whose nodes cost as much as they are far to the right of the origin."""
    x = np.linspace(0.0, reach, count)
    nodes = np.column_stack((x, np.zeros(count), np.zeros(count)))
    integers = np.arange(count, dtype=np.int32)
    return SearchTrace(nodes, integers - 1, x.copy(), integers, integers, np.ones(count, dtype=np.bool_))


def hills() -> Terrain:
    x, y = np.meshgrid(np.arange(-6.0, 14.0, 0.25), np.arange(-7.0, 7.0, 0.25))
    return Terrain((-6.0, -7.0), 0.25, 0.8 * np.exp(-((x - 4.0) ** 2 + y**2) / 8.0) + 0.05 * np.sin(x))


def areas(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)


def test_what_is_low_is_a_hurdle_what_hangs_is_a_beam_and_notes_come_before_heights():
    def named(bottom: float, top: float, special: Special | None = None) -> str:
        return kind_of(Obstacle("thing", SHAPES["box"], (0.0, 0.0, 0.0), bottom, top, special))

    assert [named(0.0, 0.4), named(0.0, 2.0), named(1.1, 2.0)] == ["hurdle", "wall", "beam"]
    assert named(0.0, 0.4, Special("jump", 1.0)) == "annotated"
    assert len({THING_COLORS[kind] for kind in THING_COLORS}) == len(THING_COLORS)


def test_a_hundred_characters_have_colors_that_differ():
    colors = np.array([character_color(index) for index in range(100)])
    assert colors.min() >= 0.0
    assert colors.max() <= 1.0
    assert min(float(np.abs(a - b).max()) for a, b in combinations(colors, 2)) > 0.004
    first = [float(np.abs(a - b).max()) for a, b in combinations(colors[:12], 2)]
    assert min(first) > 0.04


@pytest.mark.parametrize("shape", SHAPES)
@given(pose=poses, bottom=st.floats(-1.0, 2.0), height=st.floats(0.05, 3.0))
@settings(max_examples=15, deadline=None)
def test_a_prism_has_the_area_of_its_footprint_twice_and_that_of_its_sides(shape, pose, bottom, height):
    region = SHAPES[shape].region(pose)
    mesh = Prism.of(SHAPES[shape]).mesh(pose, (bottom, bottom + height), (0.5, 0.5, 0.5))
    sizes = areas(mesh.vertices, mesh.triangles)
    is_level = np.ptp(mesh.vertices[mesh.triangles][:, :, 2], axis=1) < 1e-12
    assert sizes[is_level].sum() == pytest.approx(2.0 * shapely.area(region), rel=0.02)
    assert sizes[~is_level].sum() == pytest.approx(height * shapely.length(region), rel=0.02)
    assert mesh.vertices[:, 2].min() == pytest.approx(bottom)
    assert mesh.vertices[:, 2].max() == pytest.approx(bottom + height)
    edge = shapely.boundary(region)
    assert float(np.max(shapely.distance(edge, shapely.points(mesh.vertices[:, :2])))) < 0.006


def test_the_sides_of_a_prism_face_outward():
    for footprint in SHAPES.values():
        mesh = Prism.of(footprint).mesh((1.0, 2.0, 0.7), (0.0, 1.0), (0.5, 0.5, 0.5))
        region = footprint.region((1.0, 2.0, 0.7))
        corners, normals = mesh.vertices[mesh.triangles], mesh.normals[mesh.triangles[:, 0]]
        is_side = np.abs(normals[:, 2]) < 0.5
        middles = corners[is_side].mean(axis=1)[:, :2] + 0.03 * normals[is_side, :2]
        assert not np.any(shapely.contains_xy(region, middles[:, 0], middles[:, 1]))


def test_things_on_hills_keep_their_heights_above_the_ground_under_each_point():
    terrain = hills()
    wall = Obstacle("wall", Footprint.box(6.0, 0.4), (4.0, 0.5, 0.4), 0.2, 1.7)
    mesh = obstacle_mesh(wall, terrain=terrain)
    above = mesh.vertices[:, 2] - terrain.height(mesh.vertices)
    assert np.all((np.abs(above - 0.2) < 1e-9) | (np.abs(above - 1.7) < 1e-9))
    top = mesh.vertices[np.abs(above - 1.7) < 1e-9]
    assert np.ptp(top[:, 2]) > 0.3  # it follows the hill instead of bridging it


def test_a_cut_wall_is_lower_and_a_beam_keeps_its_bottom():
    wall = Obstacle("wall", SHAPES["box"], (0.0, 0.0, 0.0), 0.0, 3.0)
    beam = Obstacle("beam", SHAPES["box"], (0.0, 0.0, 0.0), 1.2, 3.0)
    assert obstacle_mesh(wall, cut_m=1.0).vertices[:, 2].max() == pytest.approx(1.0)
    cut = obstacle_mesh(beam, cut_m=1.0).vertices[:, 2]
    assert cut.min() == pytest.approx(1.2)
    assert cut.max() < 2.0
    assert obstacle_mesh(wall).vertices[:, 2].max() == pytest.approx(3.0)


@given(st.floats(-1.0, 9.0))
@settings(max_examples=20, deadline=None)
def test_a_mover_is_drawn_where_its_trajectory_has_it(time_s):
    trajectory = Trajectory([0.0, 2.0, 3.0], [(0, 0, 0), (2, 1, 3), (1, 3, 1)], [(0, 1), (0.5, 2), (0, 1)], "bounce")
    mover = Mover("log", SHAPES["angle"], trajectory)
    mesh = MoverModel.of(mover, None).mesh(time_s)
    pose, heights = trajectory.at(time_s)
    edge = shapely.boundary(mover.footprint.region(pose))
    assert float(np.max(shapely.distance(edge, shapely.points(mesh.vertices[:, :2])))) < 1e-6
    assert (mesh.vertices[:, 2].min(), mesh.vertices[:, 2].max()) == pytest.approx(tuple(heights))


def test_the_terrains_mesh_lies_on_the_terrain_and_holds_the_bounds():
    world = World(BOUNDS, terrain=hills())
    top, skirt = terrain_meshes(world)
    np.testing.assert_allclose(top.vertices[:, 2], hills().height(top.vertices), atol=1e-12)
    slopes = hills().gradient(top.vertices)
    np.testing.assert_allclose(top.normals[:, :2], -slopes * top.normals[:, 2:], atol=1e-9)
    low, high = top.vertices.min(axis=0), top.vertices.max(axis=0)
    assert low[0] < BOUNDS[0]
    assert low[1] < BOUNDS[1]
    assert high[0] > BOUNDS[2]
    assert high[1] > BOUNDS[3]
    assert skirt.vertices[:, 2].min() < low[2]
    assert terrain_meshes(World(BOUNDS)) == []


def test_contours_lie_at_round_heights_on_the_ground_and_spare_plains():
    lines = contour_lines(World(BOUNDS, terrain=hills()))
    assert 3 <= len({round(float(line.points[0, 2]), 3) for line in lines}) <= 12
    for line in lines:
        np.testing.assert_allclose(hills().height(line.points), line.points[:, 2], atol=0.02)
    plain = np.zeros((40, 40))
    plain[10:20, 10:20] = np.linspace(0.0, 1.0, 10)
    plain[30:, 30:] = -0.5
    assert not np.any(np.isclose(contour_levels(plain), 0.0, atol=1e-6))
    assert len(contour_levels(np.zeros((4, 4)))) == 0


def test_the_runs_of_a_plan_cover_its_path_and_count_what_is_repeated():
    one = shown("roll", "roll", "left", "roll", "stop", frame=15)
    assert [run.words for run in one.runs] == ["roll ×2", "left", "roll", "stop"]
    assert one.runs[0].first == 0
    assert one.runs[-1].last == len(one.path) - 1
    assert all(a.last == b.first for a, b in zip(one.runs[:-1], one.runs[1:], strict=True))
    assert one.begins_s == pytest.approx(15 / statue().planning_rate_hz)
    steps = np.linalg.norm(np.diff(one.path[:, :2], axis=0), axis=1)
    assert steps.max() < 0.5
    last = one.plan.steps[-1]
    end = planar.compose(np.array(last.pose), statue().behaviors[last.behavior].clips[last.clip].displacement)
    np.testing.assert_allclose(one.path[-1], end, atol=1e-9)


def test_who_has_not_set_off_stands_at_the_start_and_who_has_arrived_at_the_end():
    one = shown("roll", "stop", frame=30)
    assert one.motion is not None
    assert one.frame_at(-1.0) == one.frame_at(one.begins_s) == 0
    assert one.frame_at(one.ends_s + 5.0) == one.motion.frame_count - 1
    assert one.behavior_at(one.begins_s - 0.1) is None
    assert one.behavior_at(one.begins_s + 0.01) == "roll"
    assert one.behavior_at(one.ends_s + 0.1) is None


def test_plans_motions_problems_and_names_must_match():
    plan = planned("roll", "stop")
    motion = play(statue(), plan.steps)
    for plans, motions, names in (
        ([plan], [], None),
        ([plan], [motion], ["a", "b"]),
        ([], [], None),
        ([plan], [None], None),
    ):
        with pytest.raises(InvalidInput):
            show_all(plans, motions, None, names)


def test_a_straightened_way_keeps_distances_and_leads_along_x():
    way = Unrolled.of(shown("roll", "left", "roll", "stop"))
    assert np.all(np.diff(way.along_m) > 0.0)
    points = np.random.default_rng(3).normal(size=(20, 3))
    flat = way.straighten(points, 0.6 * way.length_m)
    before = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.testing.assert_allclose(np.linalg.norm(flat[:, None] - flat[None], axis=2), before, atol=1e-9)
    x, y, heading = way.pose_at(np.array([0.6 * way.length_m]))[0]
    ahead = np.array([[x + np.cos(heading), y + np.sin(heading), 0.3]])
    np.testing.assert_allclose(
        way.straighten(ahead, 0.6 * way.length_m), [[0.6 * way.length_m + 1.0, 0.0, 0.3]], atol=1e-9
    )


def test_what_is_crossed_is_found_where_it_is_and_movers_only_at_their_time():
    one = shown("roll", "roll", "roll", "stop")
    middle = one.path[len(one.path) // 2]
    box = Obstacle("hurdle", Footprint.box(0.3, 2.0), tuple(middle), 0.0, 0.4)
    aside = Obstacle("aside", Footprint.box(0.3, 0.5), (middle[0], middle[1] + 3.0, 0.0), 0.0, 0.4)
    time_s = float(one.times_s[len(one.path) // 2])

    def passing(at_s: float) -> Mover:
        times = [at_s - 0.2, at_s, at_s + 0.2]
        spots = [(*(middle[:2] + (0.0, y)), 0.0) for y in (-8.0, 0.0, 8.0)]
        return Mover(f"mover {at_s}", Footprint.box(0.6, 3.0), Trajectory(times, spots, [(0.0, 1.0)] * 3))

    way = Unrolled.of(one)
    found = way.crossings(World(BOUNDS, (box, aside), (passing(time_s), passing(time_s + 3.0))))
    assert [crossing.kind for crossing in found] == ["hurdle", "mover"]
    along = float(np.interp(time_s, one.times_s, way.along_m))
    assert found[0].begins_m == pytest.approx(along - 0.15, abs=0.02)
    assert found[0].ends_m == pytest.approx(along + 0.15, abs=0.02)
    assert found[0].top_m == 0.4


def test_a_silhouette_holds_every_part_of_the_body_and_little_else():
    one = shown("roll", "left", "stop")
    assert one.motion is not None
    body = Body.from_skeleton(statue().skeleton)
    starts, ends = body.place(one.motion)
    for frame in (0, 20, one.motion.frame_count - 1):
        outline = silhouettes(body, one.motion, [frame])[0].outline
        both = np.concatenate((starts[frame], ends[frame]))
        assert np.all(shapely.contains_xy(outline, both[:, 0], both[:, 1]))
        exact = shapely.union_all(
            [
                shapely.buffer(shapely.LineString([a[:2], b[:2]]), radius, quad_segs=32)
                for a, b, radius in zip(starts[frame], ends[frame], body.radius, strict=True)
            ]
        )
        assert shapely.area(shapely.difference(outline, exact)) < 1e-6


def test_the_vertices_of_a_doll_lie_on_its_parts():
    body = Body.from_skeleton(statue().skeleton)
    skin = doll(body)
    assert len(skin.triangles) <= 60 * body.part_count
    low, high = skin.vertices.min(axis=0), skin.vertices.max(axis=0)
    cones = body.rest_cones
    reach = np.concatenate((cones.start - cones.start_radius[:, None], cones.end - cones.end_radius[:, None]))
    assert np.all(low >= reach.min(axis=0) - 1e-9)
    assert np.all(high - low > 0.7 * (np.ptp(np.concatenate((cones.start, cones.end)), axis=0)))


def blank_axes() -> tuple[Figure, FigureCanvasAgg]:
    figure = Figure(figsize=(4.0, 3.0), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, 4.0)
    axes.set_ylim(0.0, 3.0)
    axes.set_axis_off()
    return figure, canvas


def drawn(canvas: FigureCanvasAgg) -> np.ndarray:
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(float) / 255.0


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_labels_never_meet_and_never_leave_the_map(seed):
    rng = np.random.default_rng(seed)
    figure, canvas = blank_axes()
    axes = figure.axes[0]
    labels = [
        Label("word " * int(rng.integers(1, 3)), *rng.uniform((0, 0), (4, 3)), (0, 0, 0), 7.0, float(rng.random()))
        for _ in range(40)
    ]
    count = place_labels(axes, labels, rng.uniform((0, 0), (4, 3), (50, 2)))
    boxes = [text.get_window_extent(canvas.get_renderer()) for text in axes.texts]
    assert count == len(boxes)
    assert 10 <= count <= 40
    for box in boxes:
        assert box.x0 >= 0.0
        assert box.x1 <= 400.0
        assert box.y1 <= 300.0
    shrunk = [(box.x0, box.y0 + 0.1 * box.height, box.x1, box.y1 - 0.1 * box.height) for box in boxes]
    for a, b in combinations(shrunk, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_the_most_important_label_has_its_way():
    figure, _ = blank_axes()
    labels = [Label(f"{n}", 2.0, 1.5, (0, 0, 0), 60.0, priority=float(n), centered=True) for n in (1, 3, 2)]
    assert place_labels(figure.axes[0], labels, np.empty((0, 2))) == 1
    assert figure.axes[0].texts[0].get_text() == "3"


def test_the_search_tree_is_blue_where_cheap_and_red_where_dear():
    assert cost_colors()(0.0)[:3] == pytest.approx(RAMP[0], abs=0.01)
    assert cost_colors()(1.0)[:3] == pytest.approx(RAMP[-1], abs=0.01)
    figure, canvas = blank_axes()
    trace = fan(400, reach=4.0)
    trace = replace(trace, poses=trace.poses + (0.0, 1.5, 0.0))
    draw_tree(figure.axes[0], trace, 4.0)
    line = drawn(canvas)[148:153]
    cheap, dear = (line[:, part].reshape(-1, 3).mean(axis=0) for part in (slice(10, 60), slice(340, 390)))
    assert cheap[2] > cheap[0] + 0.05
    assert dear[0] > dear[2] + 0.05


def test_the_region_reached_is_shaded_and_nothing_else():
    figure, canvas = blank_axes()
    trace = fan(60, reach=1.8)
    trace = replace(trace, poses=trace.poses + (0.2, 1.5, 0.0))
    draw_reached(figure.axes[0], trace, (0.0, 0.0, 4.0, 3.0))
    picture = drawn(canvas)
    assert np.all(picture[150, 40:180].sum(axis=1) < 2.97)
    assert np.all(picture[150, 290:] == 1.0)
    assert np.all(picture[:40] == 1.0)


@given(st.floats(0.0, 500.0), st.integers(3, 6))
def test_ghosts_stand_at_round_times_and_are_few(until_s, most):
    times = ghost_times(until_s, most)
    assert times[0] == 0.0
    assert len(times) <= most
    assert times[-1] <= until_s + 1e-6
    assert until_s < 0.5 or len(times) >= 2


def test_small_things_keep_their_color_when_a_picture_has_too_many():
    rng = np.random.default_rng(5)
    ramp = np.linspace(120, 255, 400)[None, :, None] + rng.normal(scale=6.0, size=(300, 400, 3))
    picture = np.clip(ramp, 0, 254).astype(np.uint8)
    picture[:40] = 255
    picture[100:106, 100:110] = (200, 30, 160)
    small = np.array(Image.open(io.BytesIO(encode_png(picture, most_bytes=1, keeps_rare=True))).convert("RGB"))
    assert np.all(small[:40] == 255)
    assert np.abs(small[100:106, 100:110].astype(int) - (200, 30, 160)).max() <= 12
    assert np.abs(small.astype(int) - picture).mean() < 8.0


def course() -> tuple[World, Plan, Problem]:
    one = planned("roll", "roll", "left", "roll", "stop")
    path = show_all([one], [play(statue(), one.steps)], None, None)[0].path
    hurdle = Obstacle("hurdle", Footprint.box(0.2, 2.0), tuple(path[20]), 0.0, 0.3)
    wall = Obstacle("wall", Footprint.box(1.0, 1.0), (3.0, -2.5, 0.4), 0.0, 2.5)
    beam = Obstacle("beam", Footprint.box(0.3, 1.5), (8.0, 2.8, 0.4), 1.1, 2.5)
    note = Obstacle("note", Footprint.disc(0.4), (10.0, -2.0, 0.0), 0.0, 0.5, Special("jump", 1.0, 0.2))
    cart = Mover("cart", SHAPES["box"], Trajectory([0.0, 3.0], [(-2, -3, 0), (-2, 3, 0)], [(0, 1), (0, 1)], "bounce"))
    world = World(BOUNDS, (hurdle, wall, beam, note), (cart,))
    goal = Goal(float(path[-1, 0]), float(path[-1, 1]), 0.5, heading_rad=0.0)
    problem = Problem(world, statue(), (0.0, 0.0, 0.0), goal, waypoints=(Goal(*path[30, :2].tolist(), 0.4),))
    return world, one, problem


def colors_in(path: Path) -> np.ndarray:
    return np.unique(np.array(Image.open(path).convert("RGB")).reshape(-1, 3), axis=0) / 255.0


def has(colors: np.ndarray, wanted: tuple[float, float, float], tolerance: float = 0.06) -> bool:
    return bool(np.abs(colors - wanted).max(axis=1).min() < tolerance)


@pytest.mark.slow
def test_a_picture_of_a_plan_shows_kinds_of_behaviors_and_things_the_same_each_time(tmp_path: Path):
    world, plan, problem = course()
    plan = replace(plan, trace=fan(50, reach=6.0))
    files = [tmp_path / "first.png", tmp_path / "again.png"]
    for file in files:
        plan_picture(file, world, [plan], [play(statue(), plan.steps)], problems=[problem], title="course")
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_size < 450_000
    colors = colors_in(files[0])
    for kind in {statue().behavior(name).kind for name in plan.behaviors}:
        assert has(colors, KIND_COLORS[kind])
    for kind in ("wall", "hurdle", "mover"):
        assert has(colors, THING_COLORS[kind], 0.12)


@pytest.mark.slow
def test_where_there_is_no_plan_the_picture_has_no_strip_but_the_reason(tmp_path: Path):
    world, plan, problem = course()
    failed = Plan(Outcome.UNREACHABLE, "a wall is in the way", statue(), trace=fan(50, reach=6.0))
    plan_picture(tmp_path / "found.png", world, [plan], [play(statue(), plan.steps)], problems=[problem])
    plan_picture(tmp_path / "failed.png", world, [failed], [None], problems=[problem])
    mute = replace(failed, trace=None)
    plan_picture(tmp_path / "mute.png", world, [mute], [None], problems=[problem])
    heights = [Image.open(tmp_path / f"{name}.png").size[1] for name in ("found", "failed", "mute")]
    assert heights[0] > heights[1] + 100
    red = (0.80, 0.20, 0.12)
    assert has(colors_in(tmp_path / "failed.png"), red)
    assert has(colors_in(tmp_path / "mute.png"), red)


@pytest.mark.slow
def test_many_characters_each_have_a_color_of_their_own(tmp_path: Path):
    plans = [planned("roll", "stop", start=(0.0, -3.5 + 0.5 * n, 0.0)) for n in range(15)]
    plans.append(Plan(Outcome.START_BLOCKED, "it stands in a wall", statue()))
    motions = [play(statue(), plan.steps) if plan.steps else None for plan in plans]
    plan_picture(tmp_path / "many.png", World(BOUNDS), plans, motions)
    colors = colors_in(tmp_path / "many.png")
    cast = show_all(plans, motions, None, None)
    assert sum(has(colors, way_color(one), 0.08) for one in cast[:15]) >= 14


def test_frames_of_a_video_show_movers_and_characters_where_they_are_at_the_time():
    world, plan, _ = course()
    cast = show_all([plan], [play(statue(), plan.steps)], None, None)
    size = (320, 180)
    count = frame_count(cast, 2.0)
    assert count >= cast[0].ends_s * 2.0
    options = {"camera": "fixed", "captions": False, "size": size, "rate_hz": 2.0}
    frames = list(plan_frames(world, cast, 5, **options))
    again = list(plan_frames(world, cast, 5, **options))
    camera = PictureStage.of(world).overview(size[0] / size[1])
    for number, (frame, other) in enumerate(zip(frames, again, strict=True)):
        np.testing.assert_array_equal(frame, other)
        pose, _ = world.movers[0].trajectory.at(number / 2.0)
        (x, y), _ = camera.project(np.array([pose[0], pose[1], 1.0]), size)
        r, _, b = frame[round(y), round(x)].astype(int)
        assert b > r + 25  # movers are blue
        place = cast[0].path[np.argmin(np.abs(cast[0].times_s - number / 2.0))]
        (x, y), _ = camera.project(np.array([place[0], place[1], 0.9]), size)
        around = frame[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5].reshape(-1, 3).astype(int)
        assert np.max(around[:, 0] - around[:, 2]) > 40  # clay


def test_a_camera_that_follows_keeps_everyone_in_view():
    plans = [planned("roll", "roll", "stop", start=(0.0, y, y / 3.0)) for y in (-2.0, 2.0)]
    cast = show_all(plans, [play(statue(), plan.steps) for plan in plans], None, None)
    for frame in plan_frames(World(BOUNDS), cast, 4, camera="follow", captions=False, size=(320, 180), rate_hz=1.0):
        reds, blues = (frame.astype(int)[..., a] - frame.astype(int)[..., b] > 40 for a, b in ((0, 2), (2, 0)))
        for shown_pixels in (reds, blues):
            rows, columns = np.nonzero(shown_pixels)
            assert len(rows) > 5
            assert rows.min() > 0
            assert columns.min() > 0
            assert columns.max() < 319


def test_a_video_tells_how_far_it_is_and_can_be_played(tmp_path: Path):
    _, plan, _ = course()
    told: list[tuple[int, int]] = []
    plan_video(
        tmp_path / "plan.mp4", World(BOUNDS, terrain=hills()), [plan], [play(statue(), plan.steps)],
        size=(96, 64), rate_hz=3.0, progress=lambda done, count: told.append((done, count)),
    )  # fmt: skip
    assert told == [(number, told[-1][1]) for number in range(1, told[-1][1] + 1)]
    assert b"ftyp" in (tmp_path / "plan.mp4").read_bytes()[:32]


def test_odd_sizes_and_unknown_cameras_are_refused(tmp_path: Path):
    _, plan, _ = course()
    motion = play(statue(), plan.steps)
    with pytest.raises(InvalidInput, match="even"):
        plan_video(tmp_path / "a.mp4", World(BOUNDS), [plan], [motion], size=(101, 64))
    with pytest.raises(UnknownName, match="follow"):
        plan_video(tmp_path / "a.mp4", World(BOUNDS), [plan], [motion], camera="folow", size=(96, 64))
    assert not (tmp_path / "a.mp4").exists()


def test_who_looks_up_is_told_by_look_ups_and_who_searches_by_expansions():
    human = load_character("human")

    def told(**counts: int) -> list[str]:
        plan = Plan(Outcome.FOUND, "", human, statistics=SearchStatistics(**counts))
        return [words for words, _ in _counted([plan])]

    assert told(expansions=5) == told() == ["expansions", "nodes", "successors"]
    assert told(look_ups=3) == ["look-ups", "nodes traced"]
    assert told(look_ups=3, expansions=5) == ["look-ups", "nodes traced", "expansions", "nodes"]
