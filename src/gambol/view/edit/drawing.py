"""A scene that is edited, in the browser: each thing is a node that can be clicked and dragged."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.files.entries import shown_key, tables
from gambol.files.toml_lines import Key
from gambol.pictures.mesh import Mesh
from gambol.pictures.world_colors import THING_COLORS, character_color, kind_of
from gambol.pictures.world_meshes import SPACING_M, Prism
from gambol.view.drag import make_draggable
from gambol.view.edit import entries
from gambol.view.edit.entries import BUMPS, Data
from gambol.view.edit.marks import SHEET, Color, Node, disc, heights_at, pawn, place_for_many
from gambol.view.edit.sketch import Sketch
from gambol.view.edit.toml_edit import get
from gambol.view.stage import bytes_of
from gambol.world.terrain import Terrain
from gambol.world.world import Obstacle

ROOT = "/edit"  # name of the node that holds all things
WRONG = (214, 48, 49)  # RGB, 0 to 255: things with mistakes
CHOSEN = (20, 110, 235)  # RGB, 0 to 255: the outline and knobs of the chosen thing
TINT = 0.45  # 0 to 1: share of CHOSEN in the chosen thing's own color; larger: bluer
HILL = (150, 175, 120)  # RGB, 0 to 255: middles of bumps
BUMP_M = 0.5  # m, > 0: radius of the disc at the middle of a bump
PLACE_M = 0.3  # m, > 0: radius of the places of a path
WAY_M = 0.02  # m, > 0: height of lines from place to place above the ground
WAY_STEP_M = 0.5  # m, > 0: length of their pieces on uneven ground; larger: hills may hide them

Choose = Callable[[Key], None]
Moved = Callable[[Key, float, float], None]


class Drawing:
    """The nodes of all things; only changed nodes are sent anew."""

    def __init__(self, scene: viser.SceneApi, choose: Choose, moved: Moved) -> None:
        self._scene, self._choose, self._moved = scene, choose, moved
        self._handles: dict[Key, viser.MeshHandle] = {}
        self._drawn: dict[Key, tuple] = {}
        self._ways: viser.LineSegmentsHandle | None = None

    def draw(self, data: Data, sketch: Sketch, wrong: set[Key], thing: Key) -> None:
        """Draw what a text says.  wrong: keys of spots and things with mistakes.  thing: key of the chosen thing."""
        drawn = dict(nodes(data, sketch, wrong))
        drawn |= {key: _tinted(node) for key, node in drawn.items() if thing and key[: len(thing)] == thing}
        for key in [key for key in self._handles if key not in drawn]:
            self._handles.pop(key).remove()
            del self._drawn[key]
        for key, node in drawn.items():
            told = (node.vertices.tobytes(), node.triangles.tobytes(), node.opacity)
            if self._drawn.get(key) != told:
                self._add(key, node)
                self._drawn[key] = told
            self._handles[key].position, self._handles[key].color = node.at, node.color
        self._draw_ways(data, sketch.world.terrain)

    def clear(self) -> None:
        for handle in self._handles.values():
            handle.remove()
        self._handles, self._drawn = {}, {}
        if self._ways is not None:
            self._ways.remove()
            self._ways = None

    def _add(self, key: Key, node: Node) -> None:
        name = f"{ROOT}/{shown_key(key)}"
        # A mesh with both sides would receive its own shadow.
        handle = self._scene.add_mesh_simple(
            name, node.vertices.astype(np.float32), node.triangles.astype(np.uint32), color=node.color,
            side="double", flat_shading=True, opacity=node.opacity, position=node.at, receive_shadow=False,
        )  # fmt: skip
        self._handles[key] = handle
        if not node.can_be_taken:
            return

        def moved(x: float, y: float, done: bool) -> None:
            for part in (handle, self._handles.get((*key, SHEET))):
                if part is not None:
                    part.position = (x, y, float(part.position[2]))
            if done:
                self._moved(key, x, y)

        handle.on_click(lambda _: self._choose(key))
        make_draggable(handle, moved)

    def _draw_ways(self, data: Data, terrain: Terrain | None) -> None:
        """Draw lines from starts over way-points to goals, and along the paths of movers."""
        if self._ways is not None:
            self._ways.remove()
            self._ways = None
        segments: list[NDArray[np.floating]] = []
        colors: list[Color] = []
        for index in range(len(tables(data.get("cast")))):
            places = entries.spots(data, ("cast", index))
            ends = [spot for spot in places if spot.key[-1] == "goal"]
            between = [spot for spot in places if spot.key[-1] not in ("goal", "wander")]
            _chain([*between, *ends], bytes_of(character_color(index)), segments, colors)
        for index in range(len(tables(data.get("movers")))):
            places = entries.spots(data, ("movers", index))[1:]
            _chain(places, bytes_of(THING_COLORS["mover"]), segments, colors)
        if segments:
            pieces = [_pieces(segment, 1 if terrain is None else None) for segment in segments]
            counts = [len(one) for one in pieces]
            places = np.concatenate(pieces)
            heights = WAY_M + heights_at(terrain, places.reshape(-1, 2)).reshape(-1, 2, 1)
            self._ways = self._scene.add_line_segments(
                f"{ROOT}/ways",
                np.concatenate((places, heights), axis=2).astype(np.float32),
                np.repeat(np.array(colors, dtype=np.uint8), counts, axis=0)[:, None].repeat(2, axis=1),
                thickness=2.5,
                thickness_units="screen",
            )


def _chain(places: list[entries.Spot], color: Color, segments: list[NDArray[np.floating]], colors: list[Color]) -> None:
    for first, second in pairwise(places):
        segments.append(np.array([[first.x, first.y], [second.x, second.y]]))
        colors.append(color)


def _pieces(segment: NDArray[np.floating], count: int | None) -> NDArray[np.floating]:
    """Return the pieces of a segment (N, 2, 2).  count: N; None: as many as it takes to follow the ground."""
    count = count or max(math.ceil(float(np.linalg.norm(segment[1] - segment[0])) / WAY_STEP_M), 1)
    points = segment[0] + np.linspace(0.0, 1.0, count + 1)[:, None] * (segment[1] - segment[0])
    return np.stack((points[:-1], points[1:]), axis=1)


def _tinted(node: Node) -> Node:
    """Return a node with the color of the chosen thing; one with a mistake stays red."""
    if node.color == WRONG:
        return node
    red, green, blue = (round((1.0 - TINT) * own + TINT * other) for own, other in zip(node.color, CHOSEN, strict=True))
    return node._replace(color=(red, green, blue))


def nodes(data: Data, sketch: Sketch, wrong: set[Key]) -> list[tuple[Key, Node]]:
    """Return the nodes of all things by their keys.  wrong: the keys of spots and things with mistakes."""
    terrain = sketch.world.terrain
    found: list[tuple[Key, Node]] = []
    for key, obstacles in sketch.obstacles.items():
        at = entries.middle(get(data, key, {}))
        meshes = [_prism(one, terrain) for one in obstacles]
        if meshes:
            color = WRONG if key in wrong else bytes_of(THING_COLORS[kind_of(obstacles[0])])
            found.append((key, _around(meshes, at, color)))
    for key, movers in sketch.movers.items():
        at = entries.middle(get(data, key, {}))
        meshes = []
        for mover in movers:
            pose, heights = mover.trajectory.at(0.0)
            prism = Prism.of(mover.footprint, spacing_m=np.inf if terrain is None else SPACING_M)
            meshes.append(prism.mesh(pose, (float(heights[0]), float(heights[1])), (0, 0, 0), terrain=terrain))
        if meshes:
            found.append((key, _around(meshes, at, WRONG if key in wrong else bytes_of(THING_COLORS["mover"]))))
        for spot in entries.spots(data, key)[1:]:
            color = WRONG if spot.key in wrong else bytes_of(THING_COLORS["mover"])
            found.append((spot.key, disc(spot, PLACE_M, color, terrain)))
    for index in range(len(tables(data.get("cast")))):
        found += _actor(data, ("cast", index), terrain, wrong)
    for index in range(len(tables(data.get("groups")))):
        found += _group(data, ("groups", index), terrain, wrong)
    for index, bump in enumerate(tables(get(data, BUMPS))):
        key = (*BUMPS, index)
        spot = entries.Spot(key, *entries.middle(bump))
        found.append((key, disc(spot, BUMP_M, WRONG if key in wrong else HILL, terrain)))
    return found


def _prism(obstacle: Obstacle, terrain: Terrain | None) -> Mesh:
    prism = Prism.of(obstacle.footprint, spacing_m=np.inf if terrain is None else SPACING_M)
    return prism.mesh(obstacle.pose, (obstacle.bottom_m, obstacle.top_m), (0, 0, 0), terrain=terrain)


def _around(meshes: list[Mesh], at: tuple[float, float], color: Color) -> Node:
    """Return meshes in the world as one node in the frame of a place."""
    counts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    vertices = np.concatenate([mesh.vertices for mesh in meshes]) - (*at, 0.0)
    triangles = np.concatenate([mesh.triangles + count for mesh, count in zip(meshes, counts[:-1], strict=True)])
    return Node(np.round(vertices, 5), triangles, color, (*at, 0.0))


def _actor(data: Data, key: Key, terrain: Terrain | None, wrong: set[Key]) -> list[tuple[Key, Node]]:
    own = bytes_of(character_color(int(key[-1])))
    found: list[tuple[Key, Node]] = []
    for spot in entries.spots(data, key):
        color = WRONG if spot.key in wrong or (key in wrong and spot.key[-1] == "start") else own
        if spot.key[-1] == "start":
            heading = math.radians(entries.facing_deg(data, key))
            vertices, triangles = pawn(heading)
            ground = float(heights_at(terrain, np.array([[spot.x, spot.y]]))[0])
            found.append((spot.key, Node(vertices, triangles, color, (spot.x, spot.y, ground))))
            continue
        value = get(data, spot.key)
        if spot.key[-1] == "wander":
            found += place_for_many(spot, value, color, terrain, opacity=0.25)
        else:
            tolerance = value.get("tolerance_m", 0.5) if isinstance(value, dict) else 0.5
            found.append((spot.key, disc(spot, float(tolerance), color, terrain)))
    return found


def _group(data: Data, key: Key, terrain: Terrain | None, wrong: set[Key]) -> list[tuple[Key, Node]]:
    """Return the nodes of a group's areas, lines and circles."""
    found: list[tuple[Key, Node]] = []
    number = len(tables(data.get("cast"))) + int(key[-1])
    for spot in entries.spots(data, key):
        is_first = spot.key[-1] == "starts"
        color = WRONG if spot.key in wrong or (is_first and key in wrong) else bytes_of(character_color(number))
        found += place_for_many(spot, get(data, spot.key), color, terrain, opacity=0.6 if is_first else 0.3)
    return found
