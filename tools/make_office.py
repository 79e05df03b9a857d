"""Make the mesh of the shipped office scene: rooms, doorways, furniture; the same bytes each time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import shapely
import trimesh

PATH = Path(__file__).parent.parent / "src" / "gambol" / "scenes" / "shipped" / "office.glb"
LENGTH_M, WIDTH_M, HEIGHT_M = 20.0, 14.0, 2.6
THICK_M = 0.12  # of walls
DOOR_TOP_M = 2.1
CORRIDOR = (6.2, 8.2)  # y of its two walls
COLORS = {
    "floor": (0.62, 0.60, 0.56),
    "wall": (0.85, 0.84, 0.80),
    "wood": (0.63, 0.45, 0.28),
    "dark": (0.25, 0.27, 0.30),
    "metal": (0.55, 0.58, 0.62),
    "cloth": (0.30, 0.42, 0.52),
}
Shape = tuple[str, trimesh.Trimesh]


def box(color: str, x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Shape:
    """Return a box by its ranges."""
    low, high = np.array((x[0], y[0], z[0])), np.array((x[1], y[1], z[1]))
    mesh = trimesh.creation.box(extents=high - low)
    mesh.apply_translation(0.5 * (low + high))
    return color, mesh


def turned(shapes: list[Shape], x: float, y: float, degrees: float) -> list[Shape]:
    """Place furniture made around the origin."""
    matrix = trimesh.transformations.rotation_matrix(math.radians(degrees), (0, 0, 1))
    matrix[:2, 3] = x, y
    for _, mesh in shapes:
        mesh.apply_transform(matrix)
    return shapes


def wall_with_doors(along: str, at: float, span: tuple[float, float], doors: list[tuple[float, float]]) -> list[Shape]:
    """Return a wall along x or y, open at doors (middle, width) with lintels above them."""
    across = (at - 0.5 * THICK_M, at + 0.5 * THICK_M)
    ends = [span[0]]
    shapes = []

    def piece(start: float, stop: float, z: tuple[float, float]) -> Shape:
        return box("wall", (start, stop), across, z) if along == "x" else box("wall", across, (start, stop), z)

    for middle, width in doors:
        ends += [middle - 0.5 * width, middle + 0.5 * width]
        shapes.append(piece(*ends[-2:], (DOOR_TOP_M, HEIGHT_M)))
    ends.append(span[1])
    shapes += [piece(start, stop, (0.0, HEIGHT_M)) for start, stop in zip(ends[::2], ends[1::2], strict=True)]
    return shapes


def desk() -> list[Shape]:
    """Return a desk of 1.6 x 0.8 m: a thin top on two side panels, and one behind the knees."""
    return [
        box("wood", (-0.8, 0.8), (-0.4, 0.4), (0.71, 0.75)),
        box("dark", (-0.76, -0.72), (-0.36, 0.36), (0.0, 0.71)),
        box("dark", (0.72, 0.76), (-0.36, 0.36), (0.0, 0.71)),
        box("dark", (-0.72, 0.72), (0.30, 0.32), (0.25, 0.71)),
        box("dark", (-0.3, 0.3), (0.12, 0.17), (0.80, 1.15)),  # screen
        box("dark", (-0.04, 0.04), (0.15, 0.2), (0.75, 0.95)),
    ]


def chair() -> list[Shape]:
    """Return a chair: seat, back, a column and a foot."""
    column = trimesh.creation.cylinder(radius=0.03, height=0.35, sections=12)
    column.apply_translation((0.0, 0.0, 0.25))
    foot = trimesh.creation.cylinder(radius=0.26, height=0.07, sections=10)
    foot.apply_translation((0.0, 0.0, 0.035))
    return [
        box("cloth", (-0.23, 0.23), (-0.23, 0.23), (0.42, 0.49)),
        box("cloth", (-0.21, 0.21), (-0.25, -0.20), (0.55, 0.95)),
        ("metal", column),
        ("metal", foot),
    ]


def workplace() -> list[Shape]:
    """Return a desk and its chair, a little askew."""
    return [*desk(), *turned(chair(), 0.05, -0.8, 8.0)]


def table() -> list[Shape]:
    """Return a round meeting table on a column."""
    top = trimesh.creation.cylinder(radius=0.9, height=0.04, sections=32)
    top.apply_translation((0.0, 0.0, 0.73))
    column = trimesh.creation.cylinder(radius=0.15, height=0.71, sections=16)
    column.apply_translation((0.0, 0.0, 0.355))
    return [("wood", top), ("metal", column)]


def arch(x: float, y: float, width: float, thick: float) -> Shape:
    """Return a portal across x with a round head, in one piece: 2.3 m high in the middle, 2.6 m outside."""
    outside = [(-0.5 * width - 0.3, 0.0), (-0.5 * width - 0.3, HEIGHT_M), (0.5 * width + 0.3, HEIGHT_M)]
    outside.append((0.5 * width + 0.3, 0.0))
    radius = 0.5 * width
    angles = np.linspace(0.0, math.pi, 13)
    inside = [(radius * math.cos(a), 2.3 - radius * 0.6 + radius * 0.6 * math.sin(a)) for a in angles]
    outline = [*outside, (radius, 0.0), *inside, (-radius, 0.0)]
    mesh = _extruded(outline, thick)
    # The outline is in y and z, the thickness along x.
    mesh.vertices = mesh.vertices[:, [2, 0, 1]] + (x - 0.5 * thick, y, 0.0)
    return "wall", mesh


def _extruded(outline: list[tuple[float, float]], thick: float) -> trimesh.Trimesh:
    """Return a simple polygon, given clockwise, made into a solid of some thickness."""
    polygon = shapely.Polygon(outline)
    flat = shapely.get_coordinates(shapely.orient_polygons(polygon))[:-1]
    index = {tuple(point): number for number, point in enumerate(flat.round(9).tolist())}
    pieces = shapely.get_parts(shapely.constrained_delaunay_triangles(polygon))
    caps = np.array(
        [
            [
                index[tuple(point)]
                for point in shapely.get_coordinates(shapely.orient_polygons(piece))[:3].round(9).tolist()
            ]
            for piece in pieces
        ]
    )
    count = len(flat)
    low, high = np.column_stack((flat, np.zeros(count))), np.column_stack((flat, np.full(count, thick)))
    here, after = np.arange(count), np.roll(np.arange(count), -1)
    sides = np.concatenate(
        (np.column_stack((here, after, after + count)), np.column_stack((here, after + count, here + count)))
    )
    return trimesh.Trimesh(
        np.concatenate((low, high)), np.concatenate((caps[:, ::-1], caps + count, sides)), process=False
    )


def pipe(start: tuple[float, float], stop: tuple[float, float], bottom: float, radius: float) -> Shape:
    """Return a level pipe between two points in plan."""
    ends = [(*start, bottom + radius), (*stop, bottom + radius)]
    return "metal", trimesh.creation.cylinder(radius=radius, segment=ends, sections=12)


def office() -> Iterator[Shape]:
    """Yield all shapes, Z up, in metres; the floor's upper side is at height 0."""
    low, high = CORRIDOR
    yield box("floor", (0.0, LENGTH_M), (0.0, WIDTH_M), (-0.1, 0.0))
    half = 0.5 * THICK_M
    yield from wall_with_doors("x", half, (0.0, LENGTH_M), [])
    yield from wall_with_doors("x", WIDTH_M - half, (0.0, LENGTH_M), [])
    yield from wall_with_doors("y", half, (THICK_M, WIDTH_M - THICK_M), [(0.5 * (low + high), 1.2)])
    yield from wall_with_doors("y", LENGTH_M - half, (THICK_M, WIDTH_M - THICK_M), [(0.5 * (low + high), 1.2)])
    inside = (THICK_M, LENGTH_M - THICK_M)
    yield from wall_with_doors("x", low - half, inside, [(3.0, 1.1), (15.5, 1.2)])
    yield from wall_with_doors("x", high + half, inside, [(5.5, 1.2), (16.5, 1.1)])
    yield from wall_with_doors("y", 9.0, (THICK_M, low - THICK_M), [(4.4, 1.1)])
    yield from wall_with_doors("y", 11.0, (high + THICK_M, WIDTH_M - THICK_M), [(9.8, 1.2)])
    yield arch(10.0, 0.5 * (low + high), 1.3, 0.25)
    for x, y, degrees in ((1.9, 1.9, 90.0), (4.6, 1.3, 180.0), (6.9, 3.2, 215.0)):  # an office of three
        yield from turned(workplace(), x, y, degrees)
    yield from turned(table(), 14.4, 2.6, 0.0)  # a meeting room
    for k in range(5):
        angle = 2.0 * math.pi * (k + 0.2) / 5
        spot = (14.4 + 1.35 * math.cos(angle), 2.6 + 1.35 * math.sin(angle))
        yield from turned(chair(), *spot, math.degrees(angle) + 90.0)
    yield box("wood", (18.9, 19.7), (1.0, 4.2), (0.0, 1.9))  # shelves
    for y, degrees in ((9.1, 180.0), (13.1, 0.0)):  # two rows of desks
        for x in (2.2, 4.0, 7.8):
            yield from turned(workplace(), x, y, degrees)
    yield pipe((11.2, 10.9), (19.8, 10.9), 1.3, 0.05)  # a low pipe right across a room
    yield from turned(workplace(), 18.3, 13.1, 0.0)
    yield from turned(workplace(), 13.2, 13.1, 0.0)
    yield box("wood", (13.0, 13.3), (low, high), (0.0, 0.4))  # a bench right across the corridor


def write_office(path: Path) -> None:
    """Write the office as one .glb, its axes turned to Y up as the format asks."""
    scene = trimesh.Scene()
    for color, shapes in _by_color().items():
        mesh = trimesh.util.concatenate(shapes)
        mesh.vertices = mesh.vertices[:, [1, 2, 0]]
        material = trimesh.visual.material.PBRMaterial(
            name=color, baseColorFactor=(*COLORS[color], 1.0), roughnessFactor=0.9, metallicFactor=0.0
        )
        mesh.visual = trimesh.visual.TextureVisuals(material=material)
        scene.add_geometry(mesh, geom_name=color, node_name=color)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(scene.export(file_type="glb"))


def _by_color() -> dict[str, list[trimesh.Trimesh]]:
    shapes: dict[str, list[trimesh.Trimesh]] = {}
    for color, mesh in office():
        shapes.setdefault(color, []).append(mesh)
    return shapes


if __name__ == "__main__":
    write_office(PATH)
    print(PATH, PATH.stat().st_size, "bytes")
