"""What is drawn on the ground around a crowd: marks of the chosen characters, goals, ways, lanes and queues."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.crowd.floor import Floor
from gambol.crowd.glance import goals, queues, way_of
from gambol.geometry.arrays import FloatArray
from gambol.view.crowd.run import CrowdRun
from gambol.view.drag import make_draggable

Dragged = Callable[[int, float, float, bool], None]  # id of the character, x, y, and whether the hand let go there
BURIED_M = -1000.0  # m: height of marks that are free
PAINT_M = 0.03  # m, > 0: height of lines and small marks above the ground
RING_M = 0.04  # m, > 0: height of the rings around chosen characters
DISC_M = 0.05  # m, > 0: height of the goals that can be dragged
MOST_RINGS = 200  # >= 1: chosen characters with a ring
MOST_DISCS = 24  # >= 1: goals that can be dragged at a time; larger: more clutter
MOST_WAYS = 400  # >= 1: ways that are drawn at a time; larger: slower
ARROWS_EVERY_M = 1.0  # m, > 0: distance of two arrows along lanes
CHOSEN = (255, 196, 0)  # RGB, 0 to 255: rings and ways of chosen characters
GOAL = (230, 92, 60)  # RGB, 0 to 255: goals
WAY = (120, 150, 200)  # RGB, 0 to 255: ways of all others
LANE = (90, 160, 110)  # RGB, 0 to 255: lanes
QUEUE = (190, 90, 160)  # RGB, 0 to 255: characters that queue
THIN_M = 0.03  # m, > 0: width of lines
THICK_M = 0.08  # m, > 0: width of the ways of chosen characters


class Marks:
    """Copies of one flat ring or disc.  most: their number."""

    def __init__(self, scene: viser.SceneApi, name: str, inner_m: float, outer_m: float, color, most: int) -> None:
        vertices, triangles = ring_mesh(inner_m, outer_m)
        self._positions = np.full((most, 3), (0.0, 0.0, BURIED_M), np.float32)
        unturned = np.tile(np.array([1.0, 0.0, 0.0, 0.0], np.float32), (most, 1))
        self._handle = scene.add_batched_meshes_simple(
            name, vertices, triangles, unturned, self._positions, batched_colors=color, lod="off", cast_shadow=False,
            side="double",
        )  # fmt: skip

    def put(self, points: FloatArray, height_m: float) -> None:
        """Put a copy at each of the points (M, 2), and hide the others."""
        count = min(len(points), len(self._positions))
        self._positions[:] = 0.0, 0.0, BURIED_M
        self._positions[:count, :2], self._positions[:count, 2] = points[:count], height_m
        self._handle.batched_positions = self._positions

    def remove(self) -> None:
        self._handle.remove()


class Lines:
    """Line segments of one color on the ground."""

    def __init__(self, scene: viser.SceneApi, name: str, color: tuple[int, int, int], thickness_m: float) -> None:
        nothing = np.zeros((1, 2, 3), np.float32)
        self._handle = scene.add_line_segments(name, nothing, color, thickness=thickness_m, visible=False)

    def draw(self, segments: FloatArray) -> None:
        """Draw segments (S, 2, 2) in place of those before."""
        self._handle.visible = len(segments) > 0
        if len(segments):
            heights = np.full((*segments.shape[:2], 1), PAINT_M)
            self._handle.points = np.concatenate((segments, heights), axis=-1).astype(np.float32)

    def remove(self) -> None:
        self._handle.remove()


class CrowdOverlays:
    """All that is drawn on the ground.  Chosen characters are always marked; the rest can be switched on."""

    def __init__(self, scene: viser.SceneApi, run: CrowdRun, dragged: Dragged) -> None:
        self._scene, self._run, self._dragged = scene, run, dragged
        self._rings = Marks(scene, "/crowd/chosen", 0.42, 0.52, CHOSEN, MOST_RINGS)
        self._goals = Marks(scene, "/crowd/goals", 0.0, 0.16, GOAL, max(2 * len(run.crowd), 500))
        self._ways = Lines(scene, "/crowd/ways", WAY, THIN_M)
        self._own_ways = Lines(scene, "/crowd/own_ways", CHOSEN, THICK_M)
        self._lanes = Lines(scene, "/crowd/lanes", LANE, THIN_M)
        self._queues = Marks(scene, "/crowd/queues", 0.28, 0.36, QUEUE, max(2 * len(run.crowd), 500))
        self._discs: dict[int, viser.CylinderHandle] = {}
        self._held: set[int] = set()  # ids of characters whose goals are dragged
        self._drawn: NDArray[np.int8] | None = None  # the lanes that are drawn

    def mark(self, roots: FloatArray) -> None:
        """Mark the chosen characters at their roots (M, 2), and show their goals as discs to drag."""
        self._rings.put(roots, RING_M)
        chosen = self._run.chosen[:MOST_DISCS]
        for who in [who for who in self._discs if who not in chosen]:
            self._discs.pop(who).remove()
            self._held.discard(who)
        if not chosen:
            return
        for who, (x, y) in zip(chosen, goals(self._run.crowd, chosen).tolist(), strict=True):
            if who not in self._discs:
                self._discs[who] = self._add_disc(who, x, y)
            elif who not in self._held:
                self._discs[who].position = (x, y, DISC_M)

    def draw(self, *, with_goals: bool, with_ways: bool, with_lanes: bool) -> None:
        """Draw the overlays that are switched on anew."""
        run = self._run
        ids = run.crowd.ids
        self._goals.put(goals(run.crowd, ids) if with_goals else np.zeros((0, 2)), PAINT_M)
        others = [who for who in ids if who not in set(run.chosen)][:MOST_WAYS] if with_ways else []
        self._ways.draw(_segments(way_of(run.crowd, who) for who in others))
        self._own_ways.draw(_segments(way_of(run.crowd, who) for who in run.chosen[:MOST_WAYS]))
        if with_lanes and (self._drawn is None or not np.array_equal(run.crowd.floor.way, self._drawn)):
            self._drawn = run.crowd.floor.way.copy()
            self._lanes.draw(lane_arrows(run.crowd.floor))
        elif not with_lanes and self._drawn is not None:
            self._drawn = None
            self._lanes.draw(np.zeros((0, 2, 2)))
        waiting = [who for queue in queues(run.crowd) for who in queue] if with_lanes else []
        self._queues.put(np.array([way_of(run.crowd, who)[0] for who in waiting]).reshape(-1, 2), PAINT_M)

    def remove(self) -> None:
        for one in (self._rings, self._goals, self._ways, self._own_ways, self._lanes, self._queues):
            one.remove()
        for disc in self._discs.values():
            disc.remove()
        self._discs = {}

    def _add_disc(self, who: int, x: float, y: float) -> viser.CylinderHandle:
        disc = self._scene.add_cylinder(f"/crowd/goal/{who}", 0.4, 0.08, color=GOAL, position=(x, y, DISC_M))

        def moved(x: float, y: float, done: bool) -> None:
            if self._discs.get(who) is not disc:
                return  # the character is not chosen any more
            (self._held.discard if done else self._held.add)(who)
            if not done:
                disc.position = (x, y, DISC_M)
            self._dragged(who, x, y, done)

        make_draggable(disc, moved)
        return disc


def _segments(polylines: Iterable[FloatArray]) -> FloatArray:
    """Return the segments (S, 2, 2) of lines (K, 2)."""
    parts = [np.stack((line[:-1], line[1:]), axis=1) for line in polylines if len(line) > 1]
    return np.concatenate(parts) if parts else np.zeros((0, 2, 2))


def lane_arrows(floor: Floor) -> FloatArray:
    """Return arrows (S, 2, 2) along the lanes of a floor, three segments each."""
    step = max(1, round(ARROWS_EVERY_M / floor.cell_m))
    rows, columns = np.nonzero(floor.way[step // 2 :: step, step // 2 :: step] >= 0)
    rows, columns = step // 2 + rows * step, step // 2 + columns * step
    turn = floor.way[rows, columns] * (np.pi / 8.0)
    middle = np.stack((floor.x0 + (columns + 0.5) * floor.cell_m, floor.y0 + (rows + 0.5) * floor.cell_m), axis=-1)

    def along(angle: FloatArray, reach_m: float) -> FloatArray:
        return reach_m * np.stack((np.cos(angle), np.sin(angle)), axis=-1)

    tip, tail = middle + along(turn, 0.3), middle - along(turn, 0.3)
    sides = [tip - along(turn + side, 0.18) for side in (-0.6, 0.6)]
    return np.concatenate([np.stack((tail, tip), axis=1), *(np.stack((side, tip), axis=1) for side in sides)])


def ring_mesh(inner_m: float, outer_m: float, sides: int = 28) -> tuple[FloatArray, NDArray[np.uint32]]:
    """Return vertices and triangles of a flat ring; with an inner radius of 0, of a disc."""
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    circle = np.stack((np.cos(turn), np.sin(turn), np.zeros(sides)), axis=-1)
    vertices = np.concatenate((inner_m * circle, outer_m * circle))
    own, following = np.arange(sides), (np.arange(sides) + 1) % sides
    outward = np.stack((own, own + sides, following + sides), axis=-1)
    inward = np.stack((own, following + sides, following), axis=-1)
    return vertices, np.concatenate((outward, inward)).astype(np.uint32)
