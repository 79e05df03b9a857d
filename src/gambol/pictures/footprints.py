"""Marks on the ground below planted feet and hands."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import ContactPoint, Contacts, point_positions, runs
from gambol.motion.motion import Motion
from gambol.pictures.figure import LEFT, RIGHT
from gambol.pictures.mesh import Color, Mesh

LIFT_M = 0.004  # metres: marks lie this much above the ground
HEEL_WIDTH = 0.22  # lengths from heel to ball: half the width at the heel
BALL_WIDTH = 0.30  # lengths from heel to ball: half the width at the ball
TOES = 0.14  # lengths from heel to ball: the toes reach this far beyond the ball
DOT_M = 0.055  # metres: radius of the mark of a hand, or of a foot without a known ball
SIDES = 12  # corners of half a round end


def footprints(motion: Motion, contacts: Contacts) -> list[Mesh]:
    """Return a flat mark for each time a foot or a hand is planted: left in blue, right in vermilion."""
    positions = point_positions(motion, contacts.points)
    marks = []
    for side, color in (("left", LEFT), ("right", RIGHT)):
        heel, toe, hand = (contacts.index(f"{side}_{part}") for part in ("heel", "toe", "hand"))
        foot = [point for point in (heel, toe) if point >= 0]
        for first, last in _stances(contacts, foot):
            marks.append(_footprint(positions[first : last + 1], heel, toe, contacts, color))
        for first, last in _stances(contacts, [hand] if hand >= 0 else []):
            marks.append(_dot(positions[first : last + 1, hand].mean(axis=0), contacts, color))
    return marks


def _stances(contacts: Contacts, points: list[int]) -> list[tuple[int, int]]:
    """List first and last frames of stretches in which at least one of the points is planted."""
    return runs(np.asarray(contacts.planted[:, points].any(axis=1)))


def side_colors(points: tuple[ContactPoint, ...]) -> dict[str, Color]:
    """Return the colors of the sides on which a skeleton has feet or hands."""
    sides = {point.name.split("_")[0] for point in points}
    return {side: color for side, color in (("left", LEFT), ("right", RIGHT)) if side in sides}


def _footprint(stance: FloatArray, heel: int, toe: int, contacts: Contacts, color: Color) -> Mesh:
    """Return a foot's mark where it stands flattest during a stance (F, P, 3)."""
    if toe < 0:
        return _dot(stance[:, heel].mean(axis=0), contacts, color)
    lowest = int(np.argmin(stance[:, heel, 2] + stance[:, toe, 2]))
    start, ball = stance[lowest, heel, :2], stance[lowest, toe, :2]
    length = float(np.linalg.norm(ball - start))
    if length < 1e-6:
        return _dot(stance[lowest, heel], contacts, color)
    return _rounded(start, ball + TOES * (ball - start), HEEL_WIDTH * length, BALL_WIDTH * length, contacts, color)


def _dot(place: FloatArray, contacts: Contacts, color: Color) -> Mesh:
    return _rounded(place[:2], place[:2], DOT_M, DOT_M, contacts, color)


def _rounded(
    start: FloatArray, end: FloatArray, start_radius: float, end_radius: float, contacts: Contacts, color: Color
) -> Mesh:
    """Return a flat shape on the ground with a round end about each of two points (2,)."""
    along = end - start
    heading = float(np.arctan2(along[1], along[0]))
    turns = np.linspace(-0.5 * np.pi, 0.5 * np.pi, SIDES) + heading
    front = np.column_stack((np.cos(turns), np.sin(turns)))
    outline = np.concatenate((end + end_radius * front, start - start_radius * front))
    points = np.concatenate((0.5 * (start + end)[None], outline))
    vertices = np.column_stack((points, contacts.ground.heights(points) + LIFT_M))
    edge = np.arange(1, len(points))
    triangles = np.column_stack((np.zeros_like(edge), edge, np.roll(edge, -1))).astype(np.int32)
    return Mesh(vertices, np.tile([0.0, 0.0, 1.0], (len(vertices), 1)), triangles, color, casts_shadow=False)
