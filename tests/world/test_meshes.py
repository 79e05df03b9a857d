"""Meshes as obstacles and terrain."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest
import shapely
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.mesh_files import (
    WITHIN_M,
    box,
    covered,
    extruded,
    far_from,
    floor,
    hills,
    sheet,
    surface_points,
    write,
)

from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.world.convex_parts import convex_parts
from gambol.world.meshes import MeshParts, mesh_world_parts

sys.path.append(str(Path(__file__).parent.parent.parent / "tools"))
from make_office import PATH as OFFICE
from make_office import office, write_office

CELL_M = 0.05
LOW_M = 0.02  # what is lower counts as ground


def parts_of(tmp_path: Path, *shapes: trimesh.Trimesh, **options) -> MeshParts:
    return mesh_world_parts(write(tmp_path / "scene.glb", shapes), **options)


def random_turn(rng: np.random.Generator) -> np.ndarray:
    return trimesh.transformations.random_rotation_matrix(rng.random(3))


def random_things(rng: np.random.Generator) -> list[trimesh.Trimesh]:
    """Return convex things of all sorts, turned anyhow, some standing, some hovering, some half below the ground."""
    things = []
    for kind in range(6):
        thing = [
            lambda: trimesh.creation.box(extents=rng.uniform(0.1, 1.0, 3)),
            lambda: trimesh.creation.cylinder(radius=rng.uniform(0.05, 0.4), height=rng.uniform(0.1, 1.5), sections=14),
            lambda: trimesh.creation.icosphere(subdivisions=2, radius=rng.uniform(0.1, 0.6)),
            lambda: trimesh.creation.cone(radius=rng.uniform(0.1, 0.5), height=rng.uniform(0.2, 1.0), sections=12),
            lambda: trimesh.creation.cylinder(radius=0.04, height=rng.uniform(1.0, 3.0), sections=10),
            lambda: sheet([(0, 0, 0), (1.0, 0, 0), (1.2, 0.7, 0), (0.1, 0.6, 0)]),
        ][kind]()
        if kind != 0 or rng.random() < 0.7:
            thing.apply_transform(random_turn(rng))
        thing.apply_translation((*rng.uniform((1.5, 1.5), (6.5, 4.5)), rng.uniform(-0.2, 1.5)))
        things.append(thing)
    return things


@pytest.mark.parametrize("seed", range(5))
def test_obstacles_hold_all_of_the_mesh_above_the_ground_and_nothing_far_from_it(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    things = random_things(rng)
    parts = parts_of(tmp_path, floor(), *things)
    assert parts.terrain is None
    points = surface_points(things, 1500, rng)
    points = points[points[:, 2] > LOW_M + 1e-3]
    assert len(points) > 1000
    assert covered(parts.obstacles, points, spare_m=WITHIN_M).all()
    anywhere = rng.uniform((0.0, 0.0, 0.0), (8.0, 6.0, 3.0), (6000, 3))
    free = anywhere[far_from(things, anywhere, 2.0 * CELL_M * math.sqrt(2.0))]
    assert len(free) > 1000
    # Down to the ground, gaps of two cells are closed.
    free = free[free[:, 2] > 2.0 * CELL_M]
    assert not covered(parts.obstacles, free).any()


@st.composite
def polygons(draw: st.DrawFn) -> shapely.Polygon:
    """Star-shaped polygons with at most one hole."""
    count = draw(st.integers(3, 9))
    radii = np.array(draw(st.lists(st.floats(0.4, 2.0), min_size=count, max_size=count)))
    angles = np.arange(count) * 2.0 * math.pi / count + draw(st.floats(0.0, 1.0))
    outline = np.column_stack((radii * np.cos(angles), radii * np.sin(angles))).round(3) + (3.0, 3.0)
    holes = [0.3 * (outline[::-1] - (3.0, 3.0)) + (3.0, 3.0)] if draw(st.booleans()) else []
    polygon = shapely.Polygon(outline, holes)
    return polygon if polygon.is_valid else shapely.box(0, 0, 1, 1)


@settings(deadline=None, max_examples=60)
@given(polygon=polygons())
def test_convex_parts_are_convex_and_cover_the_polygon_once(polygon: shapely.Polygon) -> None:
    parts = [shapely.Polygon(corners) for corners in convex_parts(polygon)]
    for part in parts:
        assert part.convex_hull.area - part.area <= 1e-9
        assert part.exterior.is_ccw
    assert sum(part.area for part in parts) == pytest.approx(polygon.area, rel=1e-9)
    assert shapely.union_all(parts).symmetric_difference(polygon).area <= 1e-9
    assert len(parts) <= len(shapely.constrained_delaunay_triangles(polygon).geoms)  # type: ignore[attr-defined]


@settings(deadline=None, max_examples=15)
@given(polygon=polygons(), bottom=st.floats(0.0, 1.0), height=st.floats(0.1, 2.0), heading=st.floats(-3.0, 3.0))
def test_an_upright_prism_comes_out_exactly(
    polygon: shapely.Polygon, bottom: float, height: float, heading: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("prism")
    prism = extruded(polygon, bottom, bottom + height)
    pose = (2.0, -1.0, heading)
    parts = parts_of(folder, floor(), prism, pose=pose)
    (obstacle,) = parts.obstacles
    assert (obstacle.bottom_m, obstacle.top_m) == pytest.approx((bottom, bottom + height), abs=1e-5)
    expected = shapely.transform(polygon, lambda points: planar.apply(pose, points))
    assert obstacle.footprint.region(obstacle.pose).symmetric_difference(expected).area < 1e-3


def test_a_turned_box_is_one_obstacle_of_four_corners(tmp_path: Path) -> None:
    thing = trimesh.creation.box(extents=(2.0, 0.3, 1.0))
    thing.apply_transform(trimesh.transformations.rotation_matrix(0.4, (0, 0, 1)))
    thing.apply_translation((3.0, 3.0, 0.5))
    (obstacle,) = parts_of(tmp_path, floor(), thing).obstacles
    (piece,) = obstacle.footprint.pieces
    assert len(piece.corners) == 4
    assert obstacle.footprint.region().area == pytest.approx(0.6, rel=1e-4)


def test_a_wall_with_a_doorway_in_one_piece_stays_open_below_the_lintel(tmp_path: Path) -> None:
    outline = [(0, 0), (1.5, 0), (1.5, 2.1), (2.6, 2.1), (2.6, 0), (5, 0), (5, 2.6), (0, 2.6)]
    wall = extruded(shapely.Polygon(outline), 0.0, 0.12)
    wall.apply_transform(trimesh.transformations.rotation_matrix(math.pi / 2.0, (1, 0, 0)))
    wall.apply_transform(trimesh.transformations.rotation_matrix(0.3, (0, 0, 1)))
    wall.apply_translation((1.0, 2.0, 0.0))
    parts = parts_of(tmp_path, floor(), wall)
    along = np.array([math.cos(0.3), math.sin(0.3)])
    doorway = np.array([1.0, 2.0]) + np.linspace(1.52, 2.58, 20)[:, None] * along
    for z, expected in ((0.1, False), (1.0, False), (2.09, False), (2.11, True), (2.5, True)):
        points = np.column_stack((doorway + 0.06 * np.array([along[1], -along[0]]), np.full(20, z)))
        assert (covered(parts.obstacles, points) == expected).all()
    assert len(parts.obstacles) <= 4
    assert covered(parts.obstacles, surface_points([wall], 2000, np.random.default_rng(0)), spare_m=1e-4).all()


def test_an_arch_is_as_high_as_it_is_to_within_a_cell(tmp_path: Path) -> None:
    angles = np.linspace(0.0, math.pi, 17)
    head = [(math.cos(a), 1.2 + math.sin(a)) for a in angles]
    outline = shapely.Polygon([(1.5, 0), (1.5, 3), (-1.5, 3), (-1.5, 0), (-1, 0), *head[::-1], (1, 0)])
    arch = extruded(outline, 0.0, 0.4)
    arch.apply_transform(trimesh.transformations.rotation_matrix(math.pi / 2.0, (1, 0, 0)))
    arch.apply_translation((4.0, 3.0, 0.0))
    parts = parts_of(tmp_path, floor(), arch)
    for x in np.linspace(-0.9, 0.9, 30):
        head_z = np.interp(x, [p[0] for p in head[::-1]], [p[1] for p in head[::-1]])
        column = np.array([(4.0 + x, 2.8, z) for z in np.arange(0.01, 2.9, 0.01)])
        lowest = column[covered(parts.obstacles, column), 2].min()
        # A cell holds the lowest of its own width, and boxes join heights that differ by a cell.
        steep = abs(x) / math.sqrt(1.0 - x * x)
        assert head_z - CELL_M * (1.0 + steep) - 0.02 <= lowest <= head_z + 0.011


def test_rough_walls_at_an_angle_become_few_obstacles(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    walls = [box((1.0, 6.0), (1.0, 1.15), (0.0, 2.5)), box((5.85, 6.0), (1.15, 4.0), (0.0, 2.5))]
    for wall in walls:
        wall.apply_transform(trimesh.transformations.rotation_matrix(0.2, (0, 0, 1)))
    rough = [wall.subdivide_to_size(0.3) for wall in walls]
    for wall in rough:
        wall.vertices = wall.vertices + rng.normal(size=wall.vertices.shape) * 0.003
    parts = parts_of(tmp_path, floor(), *rough)
    assert len(parts.obstacles) <= 6
    points = surface_points(rough, 2000, rng)
    assert covered(parts.obstacles, points[points[:, 2] > LOW_M], spare_m=1e-3).all()
    area = shapely.union_all([obstacle.footprint.region(obstacle.pose) for obstacle in parts.obstacles]).area
    assert area < 1.25 * (5.0 + 2.85) * 0.15


def test_closed_things_are_solid_and_a_room_seen_from_inside_is_not(tmp_path: Path) -> None:
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.8)
    ball.apply_translation((4.0, 3.0, 1.0))
    inside = np.array([[4.0, 3.0, 1.0], [4.4, 3.2, 0.8]])
    assert covered(parts_of(tmp_path, floor(), ball).obstacles, inside).all()
    room = box((0.0, 8.0), (0.0, 6.0), (0.0, 2.5))
    room.invert()
    parts = parts_of(tmp_path, room)
    assert parts.terrain is None
    assert not covered(parts.obstacles, np.array([[4.0, 3.0, 1.0], [0.2, 0.2, 0.1], [7.8, 5.8, 2.3]])).any()
    walls = np.array([[0.0, 3.0, 1.0], [8.0, 3.0, 1.0], [4.0, 0.0, 0.3], [4.0, 6.0, 2.0]])
    assert covered(parts.obstacles, walls, spare_m=1e-3).all()


def test_a_box_without_underside_is_solid(tmp_path: Path) -> None:
    crate = box((3.0, 4.0), (2.0, 3.0), (0.0, 0.9))
    crate.update_faces(crate.face_normals[:, 2] > -0.5)
    (obstacle,) = parts_of(tmp_path, floor(), crate).obstacles
    assert (obstacle.bottom_m, obstacle.top_m) == pytest.approx((0.0, 0.9), abs=1e-6)
    assert obstacle.footprint.region(obstacle.pose).area == pytest.approx(1.0, rel=1e-4)


def test_a_table_is_free_below_its_top(tmp_path: Path) -> None:
    legs = [box((x, x + 0.06), (y, y + 0.06), (0.0, 0.71)) for x in (2.0, 3.54) for y in (2.0, 2.74)]
    top = box((2.0, 3.6), (2.0, 2.8), (0.71, 0.75))
    parts = parts_of(tmp_path, floor(), top, *legs)
    assert len(parts.obstacles) == 5
    below = np.array([[2.8, 2.4, 0.3], [2.8, 2.4, 0.7], [2.3, 2.1, 0.6]])
    assert not covered(parts.obstacles, below).any()
    assert covered(parts.obstacles, np.column_stack((below[:, :2], np.full(3, 0.73)))).all()


def test_sheets_without_thickness_become_thin_walls_and_tops(tmp_path: Path) -> None:
    wall = sheet([(1.0, 1.0, 0.0), (4.0, 2.0, 0.0), (4.0, 2.0, 2.0), (1.0, 1.0, 2.0)])
    top = sheet([(5.0, 3.0, 0.7), (6.0, 3.0, 0.7), (6.0, 4.0, 0.7), (5.0, 4.0, 0.7)])
    parts = parts_of(tmp_path, floor(), wall, top)
    assert len(parts.obstacles) == 2
    assert all(obstacle.footprint.region().area < 1.1 for obstacle in parts.obstacles)
    assert covered(parts.obstacles, surface_points([wall, top], 500, np.random.default_rng(0)), spare_m=1e-4).all()


def test_hills_become_terrain_and_things_stand_on_it(tmp_path: Path) -> None:
    def height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 0.5 + 0.4 * np.sin(0.8 * x) * np.cos(0.7 * y)

    ground = hills(height, 10.0, 8.0, 0.1)
    wall = box((2.0, 2.2), (1.0, 6.0), (-1.0, 4.5))
    hurdle = box((5.0, 5.3), (2.0, 3.0), (0.0, 1.0))
    pose = (1.0, 2.0, 0.6)
    parts = parts_of(tmp_path, ground, wall, hurdle, pose=pose)
    terrain = parts.terrain
    assert terrain is not None
    rng = np.random.default_rng(0)
    points = rng.uniform((0.1, 0.1), (9.9, 7.9), (4000, 2))
    np.testing.assert_allclose(terrain.height(planar.apply(pose, points)), height(*points.T), atol=0.004)
    surface = surface_points([wall, hurdle], 2000, rng)
    surface = surface[surface[:, 2] > height(*surface[:, :2].T) + LOW_M + 0.01]
    surface[:, :2] = planar.apply(pose, surface[:, :2])
    assert covered(parts.obstacles, surface, spare_m=WITHIN_M, terrain=terrain).all()
    beside = np.array([(x, 2.5, float(height(x, 2.5)) + 0.1) for x in (0.5, 1.5, 3.5, 6.5, 9.0)])
    beside[:, :2] = planar.apply(pose, beside[:, :2])
    assert not covered(parts.obstacles, beside, terrain=terrain).any()
    over = np.array([[5.15, 2.5, 1.0 + 3.0 * CELL_M]])
    over[:, :2] = planar.apply(pose, over[:, :2])
    assert not covered(parts.obstacles, over, terrain=terrain).any()


def test_cliffs_are_obstacles_and_gentle_slopes_are_not(tmp_path: Path) -> None:
    def height(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.clip(0.3 * (x - 2.0), 0.0, 0.6) + np.clip(3.0 * (x - 6.0), 0.0, 1.5) + 0.0 * y

    parts = parts_of(tmp_path, hills(height, 10.0, 6.0, 0.25))
    assert parts.terrain is not None
    for x, expected in ((1.0, False), (3.0, False), (5.0, False), (6.25, True), (8.0, False)):
        point = np.array([[x, 3.0, float(height(np.float64(x), 3.0))]])
        assert (
            covered(
                parts.obstacles, point + (0, 0, 0.0 if expected else 0.05), spare_m=WITHIN_M, terrain=parts.terrain
            )[0]
            == expected
        )


def test_ground_at_another_height_is_terrain_of_that_height(tmp_path: Path) -> None:
    ground, crate = floor(), box((3.0, 4.0), (2.0, 3.0), (0.0, 0.9))
    for shape in (ground, crate):
        shape.apply_translation((0.0, 0.0, 7.5))
    parts = parts_of(tmp_path, ground, crate)
    assert parts.terrain is not None
    np.testing.assert_allclose(parts.terrain.heights_m, 7.5, atol=1e-5)
    (obstacle,) = parts.obstacles
    assert (obstacle.bottom_m, obstacle.top_m) == pytest.approx((0.0, 0.9), abs=1e-4)


def test_furniture_alone_has_no_ground_and_stands_at_height_zero(tmp_path: Path) -> None:
    table = [box((0.0, 3.0), (0.0, 2.0), (0.7, 0.75)), box((0.1, 0.2), (0.1, 1.9), (0.0, 0.7))]
    parts = parts_of(tmp_path, *table)
    assert parts.terrain is None
    assert sorted(obstacle.top_m for obstacle in parts.obstacles) == pytest.approx([0.7, 0.75], abs=1e-6)


def test_floors_of_rooms_that_walls_divide_are_one_ground(tmp_path: Path) -> None:
    rooms = [sheet([(x, 0, 0.3), (x + 3.8, 0, 0.3), (x + 3.8, 5, 0.3), (x, 5, 0.3)]) for x in (0.0, 4.0)]
    wall = box((3.8, 4.0), (0.0, 5.0), (0.2, 3.0))
    parts = parts_of(tmp_path, *rooms, wall, step_m=0.25)
    assert parts.terrain is not None
    np.testing.assert_allclose(parts.terrain.heights_m, 0.3, atol=1e-5)
    (obstacle,) = parts.obstacles
    assert (obstacle.bottom_m, obstacle.top_m) == pytest.approx((0.0, 2.7), abs=1e-4)


def test_carpets_are_ground_and_high_ceilings_are_left_out(tmp_path: Path) -> None:
    carpet = box((1.0, 3.0), (1.0, 3.0), (0.0, 0.015))
    roof = box((0.0, 8.0), (0.0, 6.0), (5.0, 5.2))
    lamp = trimesh.creation.icosphere(radius=0.3)
    lamp.apply_translation((4.0, 3.0, 4.9))
    parts = parts_of(tmp_path, floor(), carpet, roof, lamp)
    assert parts.obstacles == ()
    assert any("left out" in note for note in parts.notes)
    assert len(parts_of(tmp_path, floor(), carpet, roof, ceiling_m=6.0).obstacles) == 1


def test_things_that_touch_stay_two_things(tmp_path: Path) -> None:
    low, high = box((1.0, 2.0), (1.0, 2.0), (0.0, 0.5)), box((2.0, 3.0), (1.0, 2.0), (0.0, 1.5))
    together = trimesh.util.concatenate([low, high])
    parts = parts_of(tmp_path, floor(), together)
    assert sorted(obstacle.top_m for obstacle in parts.obstacles) == pytest.approx([0.5, 1.5])


def test_cells_grow_for_a_large_mesh_and_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gambol.world.meshes.MAX_CELLS", 4000)
    ball = trimesh.creation.icosphere(subdivisions=2, radius=1.0)
    ball.apply_translation((4.0, 3.0, 0.5))
    parts = parts_of(tmp_path, floor(), ball)
    assert any("cells are 0.1" in note for note in parts.notes)
    points = surface_points([ball], 1000, np.random.default_rng(0))
    assert covered(parts.obstacles, points[points[:, 2] > 0.03], spare_m=WITHIN_M).all()


@pytest.mark.parametrize(
    "options",
    [{"cell_m": 0.0}, {"cell_m": math.nan}, {"step_m": -1.0}, {"ceiling_m": 0.0}, {"pose": (0.0, 0.0, math.inf)}],
)
def test_settings_without_sense_are_refused(options: dict, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        parts_of(tmp_path, floor(), **options)


def test_the_office_is_what_its_tool_makes(tmp_path: Path) -> None:
    write_office(tmp_path / "office.glb")
    assert OFFICE.read_bytes() == (tmp_path / "office.glb").read_bytes()
    assert OFFICE.stat().st_size < 100_000


def test_the_office_has_open_doorways_low_pipes_and_all_of_its_furniture() -> None:
    parts = mesh_world_parts(OFFICE)
    assert parts.terrain is None
    assert len(parts.obstacles) < 200
    shapes = [mesh for _, mesh in office()]
    points = surface_points(shapes, 300, np.random.default_rng(0))
    points = points[points[:, 2] > LOW_M + 1e-3]
    assert covered(parts.obstacles, points, spare_m=WITHIN_M).all()
    heights = np.arange(0.05, 2.0, 0.05)
    for x, y in (
        (3.0, 6.14),
        (15.5, 6.14),
        (5.5, 8.26),
        (16.5, 8.26),
        (9.0, 4.4),
        (11.0, 9.8),
        (0.06, 7.2),
        (10.0, 7.2),
    ):
        across = (0.0, 0.5) if x in (9.0, 11.0, 0.06, 10.0) else (0.5, 0.0)
        for side in (-1.0, 0.0, 1.0):
            column = [(x + side * across[0], y + side * across[1], z) for z in heights]
            assert not covered(parts.obstacles, np.array(column)).any()
    pipe = np.array([[15.0, 10.9, z] for z in (0.5, 1.28, 1.32, 1.35, 1.5)])
    assert covered(parts.obstacles, pipe).tolist() == [False, False, True, True, False]
    bench = np.array([[13.15, 7.0, z] for z in (0.1, 0.39, 0.42)])
    assert covered(parts.obstacles, bench).tolist() == [True, True, False]
