"""The obstacles that are dragged through a crowd, and all that moves in it, in the browser's scene."""

from __future__ import annotations

import numpy as np
import viser

from gambol.geometry import quaternion
from gambol.pictures.world_colors import THING_COLORS
from gambol.pictures.world_meshes import Prism
from gambol.view.crowd.run import CART_NAME, CrowdRun
from gambol.view.crowd.things import BALL_M
from gambol.view.stage import BrowserStage
from gambol.world.world import Mover, Obstacle

BALL = (226, 120, 52)  # RGB, 0 to 255: balls and ghosts
CART_COLOR = (70, 120, 190)  # RGB, 0 to 255: the cart
GHOST_OPACITY = 0.35  # 0 to 1: ghosts; larger: hide more
Handle = viser.MeshHandle | viser.IcosphereHandle


class CrowdShapes:
    """Puts the stage's obstacles and movers where the crowd has them; an obstacle that waits for room has a ghost."""

    def __init__(self, scene: viser.SceneApi, stage: BrowserStage, run: CrowdRun) -> None:
        self._scene, self._stage, self._run = scene, stage, run
        self._first = {one.name: one for one in run.crowd.world.obstacles}
        self._shown = dict(self._first)
        self._ghosts: dict[str, viser.MeshHandle] = {}
        self._things: dict[str, Handle] = {}  # balls and the cart

    def place(self) -> None:
        """Put all of them where they are now."""
        world, time_s = self._run.crowd.world, self._run.time_s
        for obstacle in world.obstacles:
            if self._shown.get(obstacle.name) is not obstacle and obstacle.name in self._stage.obstacles:
                put(self._stage.obstacles[obstacle.name], obstacle.pose)
                self._shown[obstacle.name] = obstacle
        names = {mover.name for mover in world.movers}
        for name in [name for name in self._things if name not in names]:
            self._things.pop(name).remove()
        for mover in world.movers:
            pose, heights = mover.trajectory.at(time_s)
            if mover.name in self._stage.movers:
                put(self._stage.movers[mover.name], pose)
                continue
            if mover.name not in self._things:
                self._things[mover.name] = self._add(mover)
            height = 0.0 if mover.name == CART_NAME else float(heights[0]) + BALL_M
            put(self._things[mover.name], pose, height)
        self._place_ghosts()

    def remove(self) -> None:
        """Take away ghosts, balls and cart, and put the stage's obstacles back."""
        for handle in (*self._ghosts.values(), *self._things.values()):
            handle.remove()
        self._ghosts, self._things = {}, {}
        for name, obstacle in self._first.items():
            if self._shown[name] is not obstacle and name in self._stage.obstacles:
                put(self._stage.obstacles[name], obstacle.pose)

    def _place_ghosts(self) -> None:
        waiting = self._run.waiting
        for name in [name for name in self._ghosts if name not in waiting]:
            self._ghosts.pop(name).remove()
        for name, (x, y) in waiting.items():
            if name not in self._ghosts:
                self._ghosts[name] = self._add_ghost(self._shown[name])
            put(self._ghosts[name], (x, y, self._shown[name].pose[2]))

    def _add_ghost(self, obstacle: Obstacle) -> viser.MeshHandle:
        mesh = Prism.of(obstacle.footprint).mesh(
            (0.0, 0.0, 0.0), (obstacle.bottom_m, obstacle.top_m), THING_COLORS["wall"]
        )
        return self._scene.add_mesh_simple(
            f"/crowd/ghosts/{obstacle.name}", mesh.vertices.astype(np.float32), mesh.triangles.astype(np.uint32),
            color=BALL, opacity=GHOST_OPACITY, side="double", cast_shadow=False,
        )  # fmt: skip

    def _add(self, mover: Mover) -> Handle:
        name = f"/crowd/things/{mover.name}"
        if mover.name != CART_NAME:
            return self._scene.add_icosphere(name, BALL_M, BALL)
        low, high = mover.trajectory.heights_m[0]
        mesh = Prism.of(mover.footprint).mesh((0.0, 0.0, 0.0), (float(low), float(high)), THING_COLORS["mover"])
        return self._scene.add_mesh_simple(
            name, mesh.vertices.astype(np.float32), mesh.triangles.astype(np.uint32), color=CART_COLOR,
            side="double", flat_shading=True, receive_shadow=False,
        )  # fmt: skip


def put(handle: Handle, pose, height_m: float = 0.0) -> None:
    """Put something at a pose."""
    x, y, heading = (float(value) for value in pose)
    handle.position, handle.wxyz = (x, y, height_m), quaternion.from_heading(heading)
