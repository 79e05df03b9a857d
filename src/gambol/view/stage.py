"""A world in the browser: ground, obstacles by their kind, what moves, and light."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.pictures.mesh import Color, Mesh
from gambol.pictures.world_colors import THING_COLORS, kind_of
from gambol.pictures.world_meshes import MARGIN_M, Prism, base_ground, obstacle_mesh, terrain_meshes
from gambol.scenes.scene import Scene
from gambol.view.climb.diorama import SIDE_ON, Diorama
from gambol.view.climb.rods import add_rods
from gambol.view.meshes import facing_out
from gambol.world.obstacle import Obstacle
from gambol.world.world import World

FLOOR = (236, 236, 236)
LINE, MAIN_LINE = (216, 216, 216), (196, 196, 196)
HILL_LINE = (160, 164, 152)  # on terrain, which is darker
LINES_APART_M = (1.0, 5.0, 25.0)  # on hills: the first that makes few enough
MOST_LINES, LINE_PIECES, LINE_RISE_M = (
    50,
    3,
    0.015,
)  # in a direction; for each square that a line passes; above the ground
WHITE, BOUNCED = (255, 255, 255), (214, 206, 198)
SUN = (-0.7, -0.5, 1.6)  # where the light comes from: what faces who looks is lit, and shadows fall to the right
FIELD_OF_VIEW_RAD = math.radians(35.0)
LOOKING = np.array([0.22, 0.80, -0.66])  # at a whole world: +X to the right, +Y away
# What is seen whole leaves so much free, in halves of the picture's height.  How many pixels high a window is pages do
# not say, only its shape: the panel is taken to be as wide as it is on a laptop.
MARGIN, MARGIN_ABOVE, PANEL = 0.10, 0.12, 0.90
LAPTOP, SAME_SHAPE = 1.6, 0.02  # width by height, for those who have yet to come; and what is no other shape
SAME_PLACE_M = 0.01
FAR_M = 20.0  # from nothing
NOWHERE, UPSIDE_DOWN = (0.0, 0.0, -1.0), (0.0, 1.0, 0.0, 0.0)  # a pose that nothing has
HIGH_M = 5.0  # so much of what is higher has to be seen
PANEL_SHARE = 0.42  # of half the picture's height: by so much what is looked at is left of the middle


def bytes_of(color: Color) -> tuple[int, int, int]:
    """Return a color from 0 to 255."""
    red, green, blue = (round(255 * value) for value in color)
    return red, green, blue


def _lines_on_hills(world: World) -> NDArray[np.float32]:
    """Return the lines of a grid that follow the ground, as pieces (N, 2, 3)."""
    assert world.terrain is not None
    x0, y0, x1, y1 = world.bounds
    apart_m = next((one for one in LINES_APART_M if max(x1 - x0, y1 - y0) <= MOST_LINES * one), LINES_APART_M[-1])
    pieces = []
    for axis, (low, high, across_low, across_high) in enumerate(((x0, x1, y0, y1), (y0, y1, x0, x1))):
        along = np.linspace(low, high, max(math.ceil(LINE_PIECES * (high - low) / apart_m), 1) + 1)
        for across in np.arange(math.ceil(across_low / apart_m) * apart_m, across_high + 1e-9, apart_m):
            places = np.column_stack((along, np.full(len(along), across)))[:, :: 1 if axis == 0 else -1]
            points = np.column_stack((places, world.terrain.height(np.ascontiguousarray(places)) + LINE_RISE_M))
            pieces.append(np.stack((points[:-1], points[1:]), axis=1))
    return np.concatenate(pieces).astype(np.float32)


def _outermost(world: World) -> FloatArray:
    """Return points (N, 3) of a world; who sees these sees all of it."""
    x0, y0, x1, y1 = world.bounds
    tops = [(*one.pose[:2], min(one.top_m, HIGH_M)) for one in world.obstacles]
    if world.terrain is None:
        return np.array([(x, y, 0.0) for x in (x0, x1) for y in (y0, y1)] + tops)
    sides = (np.linspace(low - MARGIN_M, high + MARGIN_M, MOST_LINES) for low, high in ((x0, x1), (y0, y1)))
    places = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    places = np.concatenate((places, np.array(tops).reshape(-1, 3)[:, :2]))
    above = np.concatenate((np.zeros(len(places) - len(tops)), [top for *_, top in tops]))
    return np.column_stack((places, world.terrain.height(places) + above))


class Stage:
    """The things of a world, each a node of the browser's scene; one world at a time."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._scene, self._server = server.scene, server
        self._scene.set_up_direction("+z")
        self._scene.configure_default_lights(False)
        self._scene.configure_environment_map(None)  # its light, added to ours, bleaches all colors
        self._scene.add_light_hemisphere(
            "/light/sky", sky_color=(255, 255, 255), ground_color=(214, 206, 198), intensity=1.6
        )
        # Light comes from where its node is, whichever way that is turned.
        self._scene.add_light_directional("/light/sun", intensity=2.4, cast_shadow=True, position=SUN)
        self.world: World | None = None
        self._diorama: Diorama | None = None  # of a climb: the plane above the world's ground
        self._is_seen_whole = False  # whether who comes begins with a view of all
        # The first time that a page is told where to begin, it goes there, whatever else it is told meanwhile.
        self._begin_at(-FAR_M * LOOKING, np.zeros(3))
        self.obstacles: dict[str, viser.MeshHandle] = {}
        self.movers: dict[str, viser.MeshHandle] = {}

    def show_scene(self, scene: Scene) -> None:
        """Show a scene's world in place of the one before; that of a climb is in the round."""
        if scene.environment is None:
            self.show(scene.world)
            return
        diorama = Diorama.of(scene)
        self.show(scene.world, floor_m=diorama.floor_m)
        self._diorama = diorama
        for number, mesh in enumerate(diorama.meshes):
            self._add(f"/world/solids/{number}", mesh)
        add_rods(self._scene, "/world/holds", diorama.places, diorama.sizes, diorama.colors)

    def show(self, world: World, *, floor_m: float | None = None) -> None:
        """Show a world in place of the one before.

        floor_m: the height of its floor; None: at zero, or just below all of its terrain.
        """
        self.clear()
        self.world = world
        x0, y0, x1, y1 = world.bounds
        floor = base_ground(world).height_m if floor_m is None else floor_m
        self._scene.add_grid(
            "/world/floor", x1 - x0, y1 - y0, cell_size=1.0, section_size=5.0, cell_color=LINE, section_color=MAIN_LINE,
            plane_color=FLOOR, plane_opacity=1.0, position=(0.5 * (x0 + x1), 0.5 * (y0 + y1), floor), fade_distance=1e4,
            shadow_opacity=0.25,
        )  # fmt: skip
        for number, mesh in enumerate(terrain_meshes(world)):
            self._add(f"/world/ground/{number}", mesh)
        if world.terrain is not None:
            self._scene.add_line_segments(
                "/world/lines", _lines_on_hills(world), HILL_LINE, thickness=1.0, thickness_units="screen"
            )
        for obstacle in world.obstacles:
            self.show_obstacle(obstacle)
        for mover in world.movers:
            prism = Prism.of(mover.footprint)
            pose, heights = mover.trajectory.at(0.0)
            mesh = prism.mesh((0.0, 0.0, 0.0), (float(heights[0]), float(heights[1])), THING_COLORS["mover"])
            self.movers[mover.name] = self._add_at(f"/world/movers/{mover.name}", mesh, pose)

    def show_obstacle(self, obstacle: Obstacle) -> viser.MeshHandle:
        """Show an obstacle, in place of the one of the same name if there is one."""
        handle = self._add_at(f"/world/obstacles/{obstacle.name}", self._own_mesh(obstacle), self._own_pose(obstacle))
        self.obstacles[obstacle.name] = handle
        return handle

    def change_obstacle(self, obstacle: Obstacle) -> None:
        """Show what has become of the obstacle of this name; its node stays, so that it can be dragged meanwhile."""
        handle, mesh = self.obstacles[obstacle.name], self._own_mesh(obstacle)
        vertices, triangles = mesh.vertices.astype(np.float32), facing_out(mesh)
        if handle.vertices.shape != vertices.shape or (handle.vertices != vertices).any():
            handle.vertices, handle.faces = vertices, triangles
        self._put(handle, self._own_pose(obstacle))

    def _own_pose(self, obstacle: Obstacle) -> tuple[float, float, float]:
        """Return where an obstacle's node is; on uneven ground it is not turned, its mesh is."""
        x, y, heading = obstacle.pose
        return (x, y, heading) if self.world is not None and self.world.terrain is None else (x, y, 0.0)

    def _own_mesh(self, obstacle: Obstacle) -> Mesh:
        """Return the mesh of an obstacle around where its node is."""
        assert self.world is not None
        terrain = self.world.terrain
        if terrain is None:
            return Prism.of(obstacle.footprint).mesh(
                (0.0, 0.0, 0.0), (obstacle.bottom_m, obstacle.top_m), THING_COLORS[kind_of(obstacle)]
            )
        mesh = obstacle_mesh(obstacle, terrain=terrain)
        return replace(mesh, vertices=mesh.vertices - (*obstacle.pose[:2], 0.0))

    def remove_obstacle(self, name: str) -> None:
        self.obstacles.pop(name).remove()

    def at(self, time_s: float) -> None:
        """Put what moves where it is at a time."""
        for mover in self.world.movers if self.world is not None else ():
            self._put(self.movers[mover.name], mover.trajectory.at(time_s)[0])

    def clear(self) -> None:
        """Show nothing."""
        if self.world is not None:
            self._scene.remove_by_name("/world")
        self.world, self._diorama, self.obstacles, self.movers = None, None, {}, {}

    def look_at_all(self) -> None:
        """Let those who come, and those who are there, see the whole world beside the panel, as large as fits."""
        self._begin_at(*self._view_of_all(LAPTOP))
        self._is_seen_whole = True
        for client in self._server.get_clients().values():
            self._turn(client, *self._view_of_all(client.camera.aspect))

    def is_unfitted(self, client: viser.ClientHandle) -> bool:
        """Tell whether a browser sees the whole world as on a laptop, though its window has another shape."""
        begins = np.allclose(client.camera.position, self._server.initial_camera.position, atol=SAME_PLACE_M)
        return self._is_seen_whole and bool(begins) and abs(client.camera.aspect - LAPTOP) > SAME_SHAPE

    def fit(self, client: viser.ClientHandle) -> None:
        """Let a browser that has just come, or has reset its view, see the whole world in a window of its shape."""
        if self.world is not None and self.is_unfitted(client):
            self._turn(client, *self._view_of_all(client.camera.aspect))

    def _view_of_all(self, aspect: float) -> tuple[FloatArray, FloatArray]:
        """Return from where to where one looks who sees all of the world in a window of a shape, width by height."""
        assert self.world is not None
        looking = LOOKING if self._diorama is None else SIDE_ON
        along = looking / np.linalg.norm(looking)
        right = np.cross(along, (0.0, 0.0, 1.0)) / np.hypot(*along[:2])
        up, slope = np.cross(right, along), math.tan(0.5 * FIELD_OF_VIEW_RAD)
        points = _outermost(self.world) if self._diorama is None else self._diorama.outermost
        depth = points @ along
        # How far along the eye may be, so that all points are between two edges of the picture, and where it is across.
        far, across = np.inf, []
        height = 1.0 - MARGIN_ABOVE
        for axis, low, high in ((right, MARGIN - aspect, max(aspect - PANEL, 0.0)), (up, -height, height)):
            least, most = (points @ axis - high * slope * depth).max(), (points @ axis - low * slope * depth).min()
            far = min(far, float((most - least) / ((high - low) * slope)))
            across.append((least, most, low, high))
        sideways, upward = (
            0.5 * (least + most + (low + high) * slope * far) for least, most, low, high in across
        )  # fmt: skip
        eye = far * along + sideways * right + upward * up
        axis = 2 if self._diorama is None else 1  # one looks at the ground, or at the plane of a climb
        return eye, eye - along * eye[axis] / along[axis]

    def look(self, position: FloatArray, at: FloatArray) -> None:
        """Let all look from one place to another, also those who come."""
        self._begin_at(position, at)
        self._is_seen_whole = False
        for client in self._server.get_clients().values():
            self._turn(client, position, at)

    def _begin_at(self, position: FloatArray, at: FloatArray) -> None:
        camera = self._server.initial_camera
        camera.position, camera.look_at, camera.up, camera.fov = position, at, (0.0, 0.0, 1.0), FIELD_OF_VIEW_RAD

    def _turn(self, client: viser.ClientHandle, position: FloatArray, at: FloatArray) -> None:
        with client.atomic():
            client.camera.up_direction = (0.0, 0.0, 1.0)
            client.camera.fov = FIELD_OF_VIEW_RAD
            client.camera.position, client.camera.look_at = position, at

    def _add(self, name: str, mesh: Mesh) -> viser.MeshHandle:
        # What is seen from both sides would throw a shadow on itself.
        return self._scene.add_mesh_simple(
            name, mesh.vertices.astype(np.float32), facing_out(mesh), color=bytes_of(mesh.color), side="front",
            flat_shading=not mesh.is_ground, cast_shadow=mesh.casts_shadow,
        )  # fmt: skip

    def _add_at(self, name: str, mesh: Mesh, pose: Sequence[float] | FloatArray) -> viser.MeshHandle:
        """Add a mesh and put it somewhere, also if something of its name was elsewhere a moment ago.

        Pages keep the pose of what is removed and added again at once, and a pose is sent only where it changes.
        """
        handle = self._add(name, mesh)
        handle.position, handle.wxyz = NOWHERE, UPSIDE_DOWN
        self._put(handle, pose)
        return handle

    def _put(self, handle: viser.MeshHandle, pose: Sequence[float] | FloatArray) -> None:
        x, y, heading = (float(value) for value in pose)
        handle.position, handle.wxyz = (x, y, 0.0), quaternion.from_heading(heading)
