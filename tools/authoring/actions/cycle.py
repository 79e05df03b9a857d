"""One stride of a steady gait, to start from and to return to."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from tools.authoring.actions.feet import FootTrack
from tools.authoring.actions.mass_path import MassPoint, points_along
from tools.authoring.authored import RATE_HZ
from tools.authoring.figure import FigureTracks, assemble
from tools.authoring.mass import centre_of_mass

from gambol.geometry import planar
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.motion import Motion

IntArray = NDArray[np.intp]

PLACES = ("pelvis", "ankles", "hands")  # tracks that lie in the world
YAWS = ("pelvis_yaw", "foot_yaw", "palm_yaw")  # tracks that turn with the path


def cut(tracks: FigureTracks, frames: slice) -> FigureTracks:
    """Keep some frames of all tracks."""
    every = {field.name: getattr(tracks, field.name) for field in fields(FigureTracks)}
    return FigureTracks(**{name: np.array(values[frames]) for name, values in every.items() if values is not None})


@dataclass(frozen=True, eq=False)
class Cycle:
    """A stride of straight travel along +X; its last frame leads over to the first, a stride further."""

    tracks: FigureTracks  # N frames; the pelvis is above the origin in the first
    planted: BoolArray  # (N, 6) left heel, left toe, right heel, right toe, left hand, right hand
    stride_m: float

    @property
    def frame_count(self) -> int:
        return self.tracks.frame_count

    def at(self, frames: ArrayLike, *, pose: ArrayLike = (0.0, 0.0, 0.0)) -> FigureTracks:
        """Return the tracks at any frames, before and after the stride too, of a stride begun at a pose."""
        strides, within = np.divmod(np.asarray(frames, dtype=np.intp), self.frame_count)
        where = np.asarray(pose, dtype=np.float64)
        tracks: dict[str, FloatArray] = {}
        for field in fields(FigureTracks):
            values = getattr(self.tracks, field.name)
            if values is None:
                continue
            values = np.array(values[within])
            if field.name in PLACES:
                values[..., 0] += (strides * self.stride_m).reshape(-1, *[1] * (values.ndim - 2))
                values[..., :2] = planar.apply(where, values[..., :2])
            elif field.name in YAWS:
                values += where[2]
            tracks[field.name] = values
        return FigureTracks(**tracks)

    def planted_at(self, frames: ArrayLike) -> BoolArray:
        """Return which points rest at any frames, (F, 6)."""
        return self.planted[np.mod(np.asarray(frames, dtype=np.intp), self.frame_count)]

    def foot(self, side: int, first: int, last: int, *, begun: int = 0, pose: ArrayLike = (0.0, 0.0, 0.0)) -> FootTrack:
        """Return what a foot does from one frame to another in strides, one of which is begun at a frame and a pose."""
        frames = np.arange(first, last + 1) - begun
        tracks = self.at(frames, pose=pose)
        planted = self.planted_at(frames)[:, 2 * side : 2 * side + 2]
        return FootTrack(
            first, tracks.ankles[:, side], tracks.foot_yaw[:, side], tracks.foot_pitch[:, side],
            tracks.toe_bend[:, side], planted,
        )  # fmt: skip

    @cached_property
    def _masses(self) -> list[MassPoint]:
        frames = np.arange(-self.frame_count, 2 * self.frame_count)
        return points_along(centre_of_mass(assemble(self.at(frames), RATE_HZ)), -self.frame_count)

    def mass(self, frame: int, *, begun: int = 0, pose: ArrayLike = (0.0, 0.0, 0.0)) -> MassPoint:
        """Return how the centre of mass moves at a frame of strides, one of which is begun at a frame and a pose."""
        strides, within = divmod(frame - begun, self.frame_count)
        point = self._masses[within + self.frame_count]
        x, y, heading = np.asarray(pose, dtype=np.float64)
        place = planar.apply((x, y, heading), point.position[:2] + [strides * self.stride_m, 0.0])
        level, push = planar.rotate(heading, np.stack((point.velocity[:2], point.acceleration[:2])))
        return MassPoint(
            frame,
            np.array([*place, point.position[2]]),
            np.array([*level, point.velocity[2]]),
            np.array([*push, point.acceleration[2]]),
        )

    def motion(self, first: int, last: int) -> Motion:
        """Return the gait itself as a motion, from one frame to another."""
        return assemble(self.at(np.arange(first, last + 1)), RATE_HZ)
