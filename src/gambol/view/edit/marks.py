"""Marks for the things of a scene: figures, discs and sheets on the ground."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.files.toml_lines import Key
from gambol.view.edit.entries import Spot
from gambol.view.edit.toml_edit import get
from gambol.world.terrain import Terrain

DISC_M = 0.05  # m, > 0: height of discs and sheets
#: m: radius and height of the rings of a figure for a character, like a chess pawn as high as a person.
PAWN = (
    (0.0, 0.0), (0.30, 0.0), (0.30, 0.10), (0.20, 0.22), (0.15, 1.15), (0.24, 1.25), (0.12, 1.32), (0.20, 1.46),
    (0.22, 1.56), (0.18, 1.68), (0.0, 1.76),
)  # fmt: skip
SIDES = 20  # >= 3: corners of a figure's rings, and half of those of a disc; larger: rounder
ARROW = ((0.30, 0.20), (0.75, 0.0), (0.30, -0.20))  # m: corners of the arrow before a character that faces +X
LEAST_HALF_M = 0.15  # m, > 0: half the side of the smallest sheet, and half the width of a line
SHEET = "sheet"  # last part of the key of the sheet around a grip
GRIP = 0.15  # > 0: radius of a grip by half the longer side of its area; larger: easier to take
LEAST_GRIP_M = 0.4  # m, > 0: radius of the smallest grip
LARGEST_GRIP_M = 3.0  # m, > 0: radius of the largest grip

Color = tuple[int, int, int]  # RGB, 0 to 255


class Node(NamedTuple):
    """The mesh of a spot, in the frame of its place."""

    vertices: NDArray[np.floating]
    triangles: NDArray[np.integer]
    color: Color
    at: tuple[float, float, float]
    opacity: float | None = None
    can_be_taken: bool = True  # with the mouse


def place_for_many(
    spot: Spot, value: Any, color: Color, terrain: Terrain | None, *, opacity: float
) -> list[tuple[Key, Node]]:
    """Return the grip of an area, line or circle, and a flat sheet around it that the mouse does not take."""
    circle, line = get(value, ("circle",)), get(value, ("line",))
    if isinstance(circle, dict):
        reach = float(circle["radius_m"])
        sheet = disc(spot, reach, color, terrain)
    elif isinstance(line, list):
        reach = 0.5 * math.dist(line[0], line[-1])
        sheet = _band(spot, line, color, terrain)
    else:
        half = _half(get(value, ("area",), value))
        reach = float(half.max())
        sheet = _sheet(spot, half, color, terrain)
    radius_m = min(max(GRIP * reach, LEAST_GRIP_M), LARGEST_GRIP_M)
    grip = disc(spot, radius_m, color, terrain)
    if spot.key[-1] == "wander":  # put it at the edge: the grip of the starts may be in the middle
        grip = grip._replace(vertices=grip.vertices + (0.0, 1.5 * radius_m - float(sheet.vertices[:, 1].max()), 0.0))
    raised = grip._replace(at=(spot.x, spot.y, sheet.at[2] + DISC_M))
    return [(spot.key, raised), ((*spot.key, SHEET), sheet._replace(opacity=opacity, can_be_taken=False))]


def _band(spot: Spot, line: list[list[float]], color: Color, terrain: Terrain | None) -> Node:
    """Return a line as a narrow sheet."""
    vertices, triangles = [], []
    for first, second in pairwise(np.array(line, dtype=float) - (spot.x, spot.y)):
        way = (second - first) / max(float(np.linalg.norm(second - first)), 1e-9)
        aside = LEAST_HALF_M * np.array([-way[1], way[0]])
        corners = np.array([first - aside, second - aside, second + aside, first + aside])
        triangles += [(len(vertices) + np.array(one)).tolist() for one in ((0, 1, 2), (0, 2, 3))]
        vertices += np.column_stack((corners, np.full(4, DISC_M))).tolist()
    ground = float(heights_at(terrain, np.array(line, dtype=float)).max())
    return Node(np.array(vertices), np.array(triangles), color, (spot.x, spot.y, ground))


def _half(area: list[float]) -> NDArray[np.floating]:
    """Return half the sides of an area."""
    return np.maximum(0.5 * np.abs(np.array(area[2:]) - area[:2]), LEAST_HALF_M)


def _sheet(spot: Spot, half: NDArray[np.floating], color: Color, terrain: Terrain | None) -> Node:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    ground = float(heights_at(terrain, corners + (spot.x, spot.y)).max())
    vertices = np.concatenate([np.column_stack((corners, np.full(4, height))) for height in (0.0, DISC_M)])
    sides = [[a, (a + 1) % 4, b] for a, b in ((0, 4), (1, 5), (2, 6), (3, 7))]
    sides += [[(a + 1) % 4, (a + 1) % 4 + 4, a + 4] for a in range(4)]
    triangles = np.array([[4, 5, 6], [4, 6, 7], *sides])
    return Node(vertices, triangles, color, (spot.x, spot.y, ground))


def disc(spot: Spot, radius_m: float, color: Color, terrain: Terrain | None) -> Node:
    rings = ((0.0, 0.0), (radius_m, 0.0), (radius_m, DISC_M), (0.0, DISC_M))
    vertices, triangles = lathed(rings, 2 * SIDES)
    angles = np.linspace(0.0, 2.0 * np.pi, 9)
    rim = np.column_stack((spot.x + radius_m * np.cos(angles), spot.y + radius_m * np.sin(angles)))
    ground = float(heights_at(terrain, rim).max())
    return Node(vertices, triangles, color, (spot.x, spot.y, ground))


def pawn(heading: float) -> tuple[NDArray[np.floating], NDArray[np.integer]]:
    """Return the figure of a character with a heading."""
    vertices, triangles = lathed(PAWN, SIDES)
    arrow = np.array([(*corner, 0.03) for corner in ARROW])
    cosine, sine = math.cos(heading), math.sin(heading)
    arrow[:, :2] = arrow[:, :2] @ np.array([[cosine, sine], [-sine, cosine]])
    tip = np.array([[0, 1, 2]]) + len(vertices)
    return np.concatenate((vertices, arrow)), np.concatenate((triangles, tip))


def lathed(rings: tuple[tuple[float, float], ...], sides: int) -> tuple[NDArray[np.floating], NDArray[np.integer]]:
    """Return the surface of rings about the upright axis.  rings: radius and height of each."""
    angles = np.arange(sides) * 2.0 * np.pi / sides
    around = np.column_stack((np.cos(angles), np.sin(angles)))
    vertices = np.concatenate([np.column_stack((radius * around, np.full(sides, height))) for radius, height in rings])
    first = (np.arange(len(rings) - 1)[:, None] * sides + np.arange(sides)).ravel()
    after = (np.arange(len(rings) - 1)[:, None] * sides + (np.arange(sides) + 1) % sides).ravel()
    lower = np.column_stack((first, after, after + sides))
    upper = np.column_stack((first, after + sides, first + sides))
    return vertices, np.concatenate((lower, upper))


def heights_at(terrain: Terrain | None, places: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.zeros(len(places)) if terrain is None else terrain.height(np.asarray(places, dtype=np.float64))
