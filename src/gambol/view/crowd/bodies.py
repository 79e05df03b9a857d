"""The bodies of a crowd that come and go, in their colors; those far from all cameras have less detail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.crowd.live_poses import Figures
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.pictures.crowd_colors import MOST_GROUPS, SHADES
from gambol.pictures.mesh import Color
from gambol.pictures.world_colors import character_color
from gambol.view.bodies import Bodies, Detail

Poses = Callable[[Int64Array | None], tuple[Figures, ...]]  # from the ids of some characters, or None for all
Coloring = Callable[[int], tuple[float, float, float]]  # from the id of a character to RGB, 0 to 1
Tier = Literal["close", "near", "far"]
DETAILS: dict[Tier, Detail] = {"close": "round", "near": "plain", "far": "rough"}  # how bodies of a tier are shaped
BURIED_M = -1000.0  # m: height of bodies that are free
SPARE = 0.25  # >= 0: free bodies by bodies in use; larger: more memory, fewer new batches
LEAST_SPARE = 8  # >= 0: free bodies at least
CLOSE = 24  # >= 1: characters nearest to a camera are round, up to this number; larger: slower
MANY = 300  # characters: in crowds up to this all joints move
NEAR = 200  # >= CLOSE: characters nearest to a camera with all joints, in larger crowds; larger: slower
CHOOSE_TICKS = 15  # ticks, >= 1: from one choice of the nearest to the next; larger: later
FAR_TICKS = 3  # ticks, >= 1: from one placing of far characters to the next, at least; larger: jerkier
FAR_PLACES_PER_TICK = 4000  # joints, >= 1: more far joints than this are spread over more ticks; larger: slower ticks
#: Joints that limbs hang on: characters far away have stiff limbs and a stiff trunk.
LIMBS = (
    "LeftArm", "RightArm", "LeftUpLeg", "RightUpLeg", "LeftForeUpper", "RightForeUpper", "LeftHindThigh",
    "RightHindThigh",
)  # fmt: skip


def stiff_body(body: Body) -> Body:
    """Return a body whose parts move only with the root and with the joints that limbs hang on."""
    skeleton = body.skeleton
    kept = {0, *(skeleton.index(name) for name in LIMBS if name in skeleton)}
    joints = np.array([_carrier(skeleton.parents, int(joint), kept) for joint in body.joint])
    shift = skeleton.rest_positions[body.joint] - skeleton.rest_positions[joints]
    return Body(skeleton, joints, body.start + shift, body.end + shift, body.start_radius, body.end_radius)


def _carrier(parents: Sequence[int] | NDArray, joint: int, kept: set[int]) -> int:
    """Return the nearest kept joint above a joint, or the joint itself."""
    while joint not in kept:
        joint = int(parents[joint])
    return joint


class Troupe:
    """A batch of bodies of one kind, with free bodies for characters that may come."""

    def __init__(
        self, scene: viser.SceneApi, name: str, body: Body, room: int, color: Coloring, *, tier: Tier = "close"
    ) -> None:
        self.room = room
        self._color = color
        self._colors = np.full((room, 3), 0.5)
        self._free = list(range(room))[::-1]
        self._place: dict[int, int] = {}
        self._ids, self._places = np.zeros(0, np.int64), np.zeros(0, np.int64)
        joints = body.skeleton.joint_count
        self._positions = np.full((room, joints, 3), (0.0, 0.0, BURIED_M), np.float32)
        self._rotations = np.tile(np.array([1.0, 0.0, 0.0, 0.0], np.float32), (room, joints, 1))
        shown = stiff_body(body) if tier == "far" else body
        self._bodies = Bodies(scene, name, shown, self._colors, detail=DETAILS[tier], pieces=body.joint)

    def place(self, ids: Int64Array, positions: NDArray[np.float32], rotations: NDArray[np.float32]) -> None:
        """Show the characters with some ids (M,), M at most `room`, and no others."""
        if not np.array_equal(ids, self._ids):
            self._seat(ids)
        self._positions[self._places], self._rotations[self._places] = positions, rotations
        self._bodies.place(self._positions, self._rotations)

    def remove(self) -> None:
        self._bodies.remove()

    def _seat(self, ids: Int64Array) -> None:
        """Give bodies to characters that have come, and free the bodies of those that have gone."""
        here = set(ids.tolist())
        for who in [who for who in self._place if who not in here]:
            place = self._place.pop(who)
            self._positions[place] = 0.0, 0.0, BURIED_M
            self._free.append(place)
        come = [who for who in ids.tolist() if who not in self._place]
        for who in come:
            self._place[who] = self._free.pop()
            self._colors[self._place[who]] = self._color(who)
        if come:
            self._bodies.paint(self._colors)
        self._ids = ids.copy()
        self._places = np.array([self._place[who] for who in ids.tolist()], dtype=np.int64)


class CrowdBodies:
    """All bodies of a crowd.  A batch is made anew only when it is too small."""

    def __init__(self, scene: viser.SceneApi, name: str, bodies: Sequence[Body], color: Coloring) -> None:
        self._scene, self._name, self._bodies, self._color = scene, name, bodies, color
        self._troupes: dict[tuple[Tier, int], Troupe] = {}  # by tier and kind
        self._close: list[int] = []
        self._near: list[int] = []  # used in crowds larger than MANY
        self._ticks = 0

    def place(self, poses: Poses, ids: Sequence[int], eyes: FloatArray) -> None:
        """Show all characters.  eyes: (E, 3), the places of the cameras."""
        if len(ids) <= CLOSE:
            self._show("close", poses(None))
            self._clear("near", "far")
            return
        is_chosen = self._ticks % CHOOSE_TICKS == 0
        if is_chosen:
            found = nearest(poses(None), eyes, CLOSE if len(ids) <= MANY else NEAR)
            self._close, self._near = found[:CLOSE], found[CLOSE:]
        here, chosen = set(ids), {*self._close, *self._near}
        self._show("close", poses(_those(self._close, here)))
        if len(ids) <= MANY:
            self._show("near", poses(_those(ids, here - chosen)))
            self._clear("far")
        else:
            self._show("near", poses(_those(self._near, here)))
            if is_chosen or self._ticks % far_ticks(len(ids)) == 0:
                self._show("far", poses(_those(ids, here - chosen)))
        self._ticks += 1

    def look_again(self) -> None:
        """Choose the nearest characters anew at the next placing."""
        self._ticks = 0

    def remove(self) -> None:
        self._clear("close", "near", "far")

    def _show(self, tier: Tier, figures: Sequence[Figures]) -> None:
        for one in figures:
            troupe = self._troupes.get((tier, one.kind))
            if troupe is None or len(one.ids) > troupe.room:
                if troupe is not None:
                    troupe.remove()
                elif not len(one.ids):
                    continue
                room = len(one.ids) + max(int(SPARE * len(one.ids)), LEAST_SPARE)
                if tier == "close":
                    room = min(room, CLOSE)
                name = f"{self._name}/{tier}/{one.kind}"
                troupe = Troupe(self._scene, name, self._bodies[one.kind], room, self._color, tier=tier)
                self._troupes[tier, one.kind] = troupe
            assert one.rotations is not None
            troupe.place(one.ids, one.positions, one.rotations)

    def _clear(self, *tiers: Tier) -> None:
        for key in [key for key in self._troupes if key[0] in tiers]:
            self._troupes.pop(key).remove()


def _those(ids: Sequence[int], wanted: set[int]) -> Int64Array:
    return np.array([who for who in ids if who in wanted], dtype=np.int64)


def nearest(figures: Sequence[Figures], eyes: FloatArray, most: int) -> list[int]:
    """Return the ids of the characters whose roots are nearest to any eye (E, 3).  most: their number, at most."""
    ids = np.concatenate([one.ids for one in figures])
    roots = np.concatenate([one.positions[:, 0] for one in figures]).astype(np.float64)
    if not len(eyes):
        return ids[:most].tolist()
    away = np.min([np.linalg.norm(roots - eye, axis=1) for eye in eyes], axis=0)
    return ids[np.argsort(away, kind="stable")[:most]].tolist()


def far_ticks(count: int) -> int:
    """Return the ticks from one placing of far characters to the next.  count: number of characters."""
    return max(FAR_TICKS, -(-count * (len(LIMBS) // 2 + 1) // FAR_PLACES_PER_TICK))


class Palette:
    """Colors of characters: shades of one color for each group if there are few groups, else one color for each.

    The group of a character is the part of its name before the last hyphen.
    """

    def __init__(self, cast: Sequence[str]) -> None:
        """cast: the names of all characters of the scene, which decide between the two."""
        self._groups = {group: number for number, group in enumerate(dict.fromkeys(map(_group, cast)))}
        self._by_group = 1 < len(self._groups) <= MOST_GROUPS

    def color(self, who: int, name: str) -> Color:
        if not self._by_group:
            return character_color(who)
        base = character_color(self._groups.setdefault(_group(name), len(self._groups)))
        shade = SHADES[who % len(SHADES)]
        red, green, blue = (value + shade * (1.0 - value) if shade > 0.0 else value * (1.0 + shade) for value in base)
        return red, green, blue


def _group(name: str) -> str:
    return name.rpartition("-")[0] or name
