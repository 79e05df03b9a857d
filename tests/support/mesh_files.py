"""Meshes made for tests, and what must hold of the obstacles they become."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import shapely
import trimesh
from scipy.spatial import ConvexHull, cKDTree

from gambol.world import Obstacle, Terrain

WITHIN_M = 0.01


def write(path: Path, shapes: Sequence[trimesh.Trimesh]) -> Path:
    """Write shapes given Z up to a file with the up axis that `read_mesh` takes for granted."""
    y_up = path.suffix in (".glb", ".gltf", ".obj")
    scene = trimesh.Scene()
    for number, shape in enumerate(shapes):
        copy = shape.copy()
        if y_up:
            copy.vertices = copy.vertices[:, [1, 2, 0]]
        scene.add_geometry(copy, node_name=f"shape {number}", geom_name=f"shape {number}")
    if path.suffix == ".glb":
        path.write_bytes(scene.export(file_type="glb"))
    elif path.suffix == ".gltf":
        for name, data in scene.export(file_type="gltf").items():
            (path.parent / (path.name if name == "model.gltf" else name)).write_bytes(data)
    else:
        trimesh.util.concatenate([shape.copy() for shape in scene.geometry.values()]).export(path)
    return path


def box(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> trimesh.Trimesh:
    low, high = np.array((x[0], y[0], z[0])), np.array((x[1], y[1], z[1]))
    mesh = trimesh.creation.box(extents=high - low)
    mesh.apply_translation(0.5 * (low + high))
    return mesh


def floor(length: float = 8.0, width: float = 6.0) -> trimesh.Trimesh:
    return box((0.0, length), (0.0, width), (-0.1, 0.0))


def sheet(corners: Sequence[Sequence[float]]) -> trimesh.Trimesh:
    """Return a flat convex face, counter-clockwise."""
    count = len(corners)
    return trimesh.Trimesh(corners, [[0, k, k + 1] for k in range(1, count - 1)], process=False)


def extruded(polygon: shapely.Polygon, bottom: float, top: float) -> trimesh.Trimesh:
    """Return an upright prism over a polygon, with holes or without, as one closed surface."""
    polygon = shapely.orient_polygons(polygon)  # type: ignore[assignment]
    points: list[tuple[float, float]] = []
    sides: list[tuple[int, int]] = []
    for ring in (polygon.exterior, *polygon.interiors):
        first, count = len(points), len(ring.coords) - 1
        points += [(x, y) for x, y in ring.coords[:-1]]
        sides += [(first + k, first + (k + 1) % count) for k in range(count)]
    index = {point: number for number, point in enumerate(points)}
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(polygon))
    caps = np.array(
        [[index[tuple(p)] for p in shapely.get_coordinates(shapely.orient_polygons(t))[:3]] for t in triangles]
    )
    n, (a, b) = len(points), np.array(sides).T
    low, high = (np.column_stack((points, np.full(n, z))) for z in (bottom, top))
    faces = (caps[:, ::-1], caps + n, np.column_stack((a, b, b + n)), np.column_stack((a, b + n, a + n)))
    return trimesh.Trimesh(np.concatenate((low, high)), np.concatenate(faces), process=False)


def hills(height: Callable[..., np.ndarray], length: float, width: float, spacing: float) -> trimesh.Trimesh:
    """Return a surface z = height(x, y) as a grid of triangles."""
    columns, rows = round(length / spacing) + 1, round(width / spacing) + 1
    x, y = np.meshgrid(np.linspace(0.0, length, columns), np.linspace(0.0, width, rows))
    number = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1]
    faces = np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])
    return trimesh.Trimesh(np.stack((x, y, height(x, y)), axis=-1).reshape(-1, 3), faces, process=False)


def surface_points(shapes: Sequence[trimesh.Trimesh], count: int, rng: np.random.Generator) -> np.ndarray:
    """Return points all over the surfaces (N, 3), and all corners."""
    found = []
    for shape in shapes:
        corners = shape.vertices[shape.faces]
        areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        chosen = rng.choice(len(corners), size=count, p=areas / areas.sum())
        u, v = rng.random((2, count, 1))
        over = u + v > 1.0
        u, v = np.where(over, 1.0 - u, u), np.where(over, 1.0 - v, v)
        a, b, c = (corners[chosen, k] for k in range(3))
        found += [a + u * (b - a) + v * (c - a), np.asarray(shape.vertices)]
    return np.concatenate(found)


def covered(
    obstacles: Sequence[Obstacle], points: np.ndarray, *, spare_m: float = 0.0, terrain: Terrain | None = None
) -> np.ndarray:
    """Return which points (N, 3) lie inside an obstacle made larger by `spare_m` on all sides."""
    above = points[:, 2] - (0.0 if terrain is None else terrain.height(points))
    inside = np.zeros(len(points), dtype=bool)
    for obstacle in obstacles:
        between = (above >= obstacle.bottom_m - spare_m) & (above <= obstacle.top_m + spare_m)
        region = obstacle.footprint.region(obstacle.pose)
        region = region.buffer(spare_m) if spare_m > 0.0 else region
        inside |= between & shapely.intersects_xy(region, points[:, 0], points[:, 1])
    return inside


def far_from(shapes: Sequence[trimesh.Trimesh], points: np.ndarray, away_m: float) -> np.ndarray:
    """Return which points are outside all shapes, taken as convex, and farther than `away_m` from their surfaces."""
    spacing = 0.03
    far = np.ones(len(points), dtype=bool)
    rng = np.random.default_rng(1)
    for shape in shapes:
        hull = ConvexHull(shape.vertices, qhull_options="QJ")
        far &= np.any(points @ hull.equations[:, :3].T + hull.equations[:, 3] > 0.0, axis=1)
        dense = surface_points([shape], int(4.0 * shape.area / spacing**2) + 100, rng)
        far &= cKDTree(dense).query(points)[0] > away_m + spacing
    return far
