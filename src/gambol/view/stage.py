"""A world in the browser: ground, obstacles by their kind, movers, and light."""

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
from gambol.view.meshes import add_rods, facing_out
from gambol.world.world import Obstacle, World

FLOOR = (236, 236, 236)  # RGB, 0 to 255: the floor
LINE = (216, 216, 216)  # RGB, 0 to 255: lines of the floor's grid, a metre apart
MAIN_LINE = (196, 196, 196)  # RGB, 0 to 255: every fifth line
HILL_LINE = (160, 164, 152)  # RGB, 0 to 255: lines on terrain, which is darker than the floor
SKY = (255, 255, 255)  # RGB, 0 to 255: light from above
BOUNCED = (214, 206, 198)  # RGB, 0 to 255: light from below, as from a ground
LINES_APART_M = (1.0, 5.0, 25.0)  # m: distances of lines on hills; the first that makes at most MOST_LINES is taken
MOST_LINES = 50  # lines in each direction on hills, about; larger: finer grid
LINE_PIECES = 3  # >= 1: straight pieces of a line on hills from one crossing to the next; larger: follows them closer
LINE_RISE_M = 0.015  # m, > 0: height of lines above hills; smaller: hills may hide them
SUN = (-0.7, -0.5, 1.6)  # direction of the sun: lit sides face the first view, and shadows fall to the right
FIELD_OF_VIEW_RAD = math.radians(35.0)  # rad: angle of view from below to above; larger: more perspective
LOOKING = np.array([0.22, 0.80, -0.66])  # direction of the first view: +X to the right, +Y away
# A view of all leaves these margins free, in halves of the picture's height.  Pages tell the shape of their window but
# not its pixels: the panel is taken to be as wide as on a laptop.
MARGIN = 0.10  # left of the world
MARGIN_ABOVE = 0.12  # above the world, and below it
PANEL = 0.90  # right of the world, under the panel
LAPTOP = 1.6  # width by height of a window, for browsers that have yet to come
SAME_SHAPE = 0.02  # >= 0: windows whose width by height differ by less have the same shape
SAME_PLACE_M = 0.01  # m, >= 0: a camera that is nearer than this to the first view has not been moved
FAR_M = 20.0  # m: distance of the camera from the origin while no world is shown
NOWHERE, UPSIDE_DOWN = (0.0, 0.0, -1.0), (0.0, 1.0, 0.0, 0.0)  # place and turn that no node has
HIGH_M = 5.0  # m: a view of all shows obstacles up to this height
PANEL_SHARE = 0.42  # halves of the picture's height: the middle beside the panel is this far left of the whole middle


def bytes_of(color: Color) -> tuple[int, int, int]:
    """Return a color from 0 to 1 as bytes from 0 to 255."""
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
    """Return points (N, 3) of a world: a view of them is a view of all of it."""
    x0, y0, x1, y1 = world.bounds
    tops = [(*one.pose[:2], min(one.top_m, HIGH_M)) for one in world.obstacles]
    if world.terrain is None:
        return np.array([(x, y, 0.0) for x in (x0, x1) for y in (y0, y1)] + tops)
    sides = (np.linspace(low - MARGIN_M, high + MARGIN_M, MOST_LINES) for low, high in ((x0, x1), (y0, y1)))
    places = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    places = np.concatenate((places, np.array(tops).reshape(-1, 3)[:, :2]))
    above = np.concatenate((np.zeros(len(places) - len(tops)), [top for *_, top in tops]))
    return np.column_stack((places, world.terrain.height(places) + above))


class BrowserStage:
    """The things of a world, each a node of the browser's scene; one world at a time."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._scene, self._server = server.scene, server
        self._scene.set_up_direction("+z")
        self._scene.configure_default_lights(False)
        self._scene.configure_environment_map(None)  # its light, added to ours, bleaches all colors
        self._scene.add_light_hemisphere("/light/sky", sky_color=SKY, ground_color=BOUNCED, intensity=1.6)
        # Light comes from the place of its node, whichever way that is turned.
        self._scene.add_light_directional("/light/sun", intensity=2.4, cast_shadow=True, position=SUN)
        self.world: World | None = None
        self._diorama: Diorama | None = None  # a climb's solids and holds above the world's ground
        self._is_seen_whole = False  # whether browsers begin with a view of all
        # A page goes to the first place that it is told to begin at, whatever else it is told meanwhile.
        self._begin_at(-FAR_M * LOOKING, np.zeros(3))
        self.obstacles: dict[str, viser.MeshHandle] = {}
        self.movers: dict[str, viser.MeshHandle] = {}

    def show_scene(self, scene: Scene) -> None:
        """Show a scene's world in place of the one before; a climb's is drawn out in depth."""
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
            name = f"/world/obstacles/{obstacle.name}"
            self.obstacles[obstacle.name] = self._add_at(name, self._own_mesh(obstacle), self._own_pose(obstacle))
        for mover in world.movers:
            prism = Prism.of(mover.footprint)
            pose, heights = mover.trajectory.at(0.0)
            mesh = prism.mesh((0.0, 0.0, 0.0), (float(heights[0]), float(heights[1])), THING_COLORS["mover"])
            self.movers[mover.name] = self._add_at(f"/world/movers/{mover.name}", mesh, pose)

    def change_obstacle(self, obstacle: Obstacle) -> None:
        """Show an obstacle in place of the one of its name; the node stays, so that it can be dragged meanwhile."""
        handle, mesh = self.obstacles[obstacle.name], self._own_mesh(obstacle)
        vertices, triangles = mesh.vertices.astype(np.float32), facing_out(mesh)
        if handle.vertices.shape != vertices.shape or (handle.vertices != vertices).any():
            handle.vertices, handle.faces = vertices, triangles
        self._put(handle, self._own_pose(obstacle))

    def _own_pose(self, obstacle: Obstacle) -> tuple[float, float, float]:
        """Return the pose of an obstacle's node; on uneven ground its mesh is turned instead."""
        x, y, heading = obstacle.pose
        return (x, y, heading) if self.world is not None and self.world.terrain is None else (x, y, 0.0)

    def _own_mesh(self, obstacle: Obstacle) -> Mesh:
        """Return the mesh of an obstacle in the frame of its node."""
        assert self.world is not None
        terrain = self.world.terrain
        if terrain is None:
            return Prism.of(obstacle.footprint).mesh(
                (0.0, 0.0, 0.0), (obstacle.bottom_m, obstacle.top_m), THING_COLORS[kind_of(obstacle)]
            )
        mesh = obstacle_mesh(obstacle, terrain=terrain)
        return replace(mesh, vertices=mesh.vertices - (*obstacle.pose[:2], 0.0))

    def at(self, time_s: float) -> None:
        """Put the movers where they are at a time."""
        for mover in self.world.movers if self.world is not None else ():
            self._put(self.movers[mover.name], mover.trajectory.at(time_s)[0])

    def clear(self) -> None:
        """Show nothing."""
        if self.world is not None:
            self._scene.remove_by_name("/world")
        self.world, self._diorama, self.obstacles, self.movers = None, None, {}, {}

    def look_at_all(self) -> None:
        """Show the whole world beside the panel, as large as fits, in browsers that are there and that will come."""
        self._begin_at(*self._view_of_all(LAPTOP))
        self._is_seen_whole = True
        for client in self._server.get_clients().values():
            self._turn(client, *self._view_of_all(client.camera.aspect))

    def is_unfitted(self, client: viser.ClientHandle) -> bool:
        """Tell whether a browser still has the first view of a laptop, though its window has another shape."""
        begins = np.allclose(client.camera.position, self._server.initial_camera.position, atol=SAME_PLACE_M)
        return self._is_seen_whole and bool(begins) and abs(client.camera.aspect - LAPTOP) > SAME_SHAPE

    def fit(self, client: viser.ClientHandle) -> None:
        """Show the whole world in a browser that has just come, or has reset its view, as its window needs."""
        if self.world is not None and self.is_unfitted(client):
            self._turn(client, *self._view_of_all(client.camera.aspect))

    def _view_of_all(self, aspect: float) -> tuple[FloatArray, FloatArray]:
        """Return an eye, and the point it looks at, with a view of the whole world.  aspect: width by height."""
        assert self.world is not None
        looking = LOOKING if self._diorama is None else SIDE_ON
        along = looking / np.linalg.norm(looking)
        right = np.cross(along, (0.0, 0.0, 1.0)) / np.hypot(*along[:2])
        up, slope = np.cross(right, along), math.tan(0.5 * FIELD_OF_VIEW_RAD)
        points = _outermost(self.world) if self._diorama is None else self._diorama.outermost
        depth = points @ along
        # The eye goes along as far as all points stay between the edges of the picture, and across to their middle.
        far, across = np.inf, []
        height = 1.0 - MARGIN_ABOVE
        for axis, low, high in ((right, MARGIN - aspect, max(aspect - PANEL, 0.0)), (up, -height, height)):
            least, most = (points @ axis - high * slope * depth).max(), (points @ axis - low * slope * depth).min()
            far = min(far, float((most - least) / ((high - low) * slope)))
            across.append((least, most, low, high))
        sideways, upward = (0.5 * (least + most + (low + high) * slope * far) for least, most, low, high in across)
        eye = far * along + sideways * right + upward * up
        axis = 2 if self._diorama is None else 1  # look at the ground, or at the plane of a climb
        return eye, eye - along * eye[axis] / along[axis]

    def look(self, position: FloatArray, at: FloatArray) -> None:
        """Point all cameras from one place to another, also those of browsers that will come."""
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
        # A mesh with both sides would throw a shadow on itself.
        return self._scene.add_mesh_simple(
            name, mesh.vertices.astype(np.float32), facing_out(mesh), color=bytes_of(mesh.color), side="front",
            flat_shading=not mesh.is_ground, cast_shadow=mesh.casts_shadow,
        )  # fmt: skip

    def _add_at(self, name: str, mesh: Mesh, pose: Sequence[float] | FloatArray) -> viser.MeshHandle:
        """Add a mesh at a pose, even if a node of its name was elsewhere a moment ago.

        Pages keep the pose of a node that is removed and added again at once, and a pose is sent only if it changes.
        """
        handle = self._add(name, mesh)
        handle.position, handle.wxyz = NOWHERE, UPSIDE_DOWN
        self._put(handle, pose)
        return handle

    def _put(self, handle: viser.MeshHandle, pose: Sequence[float] | FloatArray) -> None:
        x, y, heading = (float(value) for value in pose)
        handle.position, handle.wxyz = (x, y, 0.0), quaternion.from_heading(heading)
