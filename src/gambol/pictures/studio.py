"""The studio of a picture: floor, background and lamps."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from gambol.motion.ground import Ground
from gambol.pictures.camera import Camera
from gambol.pictures.mesh import Color, to_linear
from gambol.pictures.samples import Triple
from gambol.world.terrain import Terrain

LEVEL_GROUND = Ground(0.0)
FADE = 4.0  # picture heights from the camera's target at which the floor has faded away; larger: a larger floor
KEY_TINT = (1.02, 0.96, 0.88)  # warm
FILL_TINT = (0.86, 0.94, 1.08)  # cool
SKY_TINT = (0.94, 0.98, 1.04)
BOUNCE_TINT = (1.06, 0.98, 0.90)


class Backdrop(NamedTuple):
    """An endless floor that fades into a background; colors are linear."""

    ground: Triple  # height at the origin, slope along x, slope along y
    center_x: float  # metres: the floor is visible around this place
    center_y: float  # metres
    per_fade: float  # 1 / distance from the center at which the floor has faded away
    per_spacing: float  # grid lines per metre
    line: float  # width of grid lines as a share of their spacing
    floor_color: Triple
    line_color: Triple
    top_color: Triple
    bottom_color: Triple


class Lamps(NamedTuple):
    """Two distant lamps and the light from all around; colors are linear."""

    key: Triple  # unit, toward the lamp
    key_color: Triple
    fill: Triple  # unit, toward the lamp
    fill_color: Triple
    sky_color: Triple  # from above
    bounce_color: Triple  # from the ground


@dataclass(frozen=True)
class Studio:
    """A bright room without walls, lit by a warm key lamp and a cool fill lamp."""

    ground: Ground = LEVEL_GROUND
    terrain: Terrain | None = None  # receives the shadows of a hilly world; the studio does not draw its mesh
    key_azimuth_rad: float = math.radians(-125.0)  # the key lamp's direction seen from the scene, from +X
    key_elevation_rad: float = math.radians(52.0)  # above the horizon, > 0
    floor_color: Color = (0.920, 0.920, 0.920)  # all colors are grays, which stay gray in pictures with fewer levels
    line_color: Color = (0.838, 0.838, 0.838)
    top_color: Color = (0.968, 0.968, 0.968)
    bottom_color: Color = (0.920, 0.920, 0.920)
    grid_spacing_m: float = 1.0

    def lit_for(self, camera: Camera) -> Studio:
        """Return the studio with the key lamp above and to the left of the camera."""
        back = -camera.axes[2]
        return replace(self, key_azimuth_rad=math.atan2(back[1], back[0]) - math.radians(38.0))

    @property
    def key(self) -> Triple:
        """The unit vector toward the key lamp."""
        return _toward(self.key_azimuth_rad, self.key_elevation_rad)

    def lamps(self) -> Lamps:
        """Return the lamps for the core."""
        return Lamps(
            key=self.key,
            key_color=_scaled(KEY_TINT, 1.0),
            fill=_toward(self.key_azimuth_rad + math.radians(115.0), math.radians(18.0)),
            fill_color=_scaled(FILL_TINT, 0.20),
            sky_color=_scaled(SKY_TINT, 0.30),
            bounce_color=_scaled(BOUNCE_TINT, 0.15),
        )

    def backdrop(self, camera: Camera) -> Backdrop:
        """Return floor and background for the core; the floor is visible around the camera's target."""
        seen = camera.orthographic_height_m
        if seen is None:
            seen = 2.0 * math.dist(camera.eye, camera.target) * math.tan(0.5 * camera.field_of_view_rad)
        height, slope_x, slope_y = self.ground
        return Backdrop(
            ground=(float(height), float(slope_x), float(slope_y)),
            center_x=camera.target[0],
            center_y=camera.target[1],
            per_fade=1.0 / (FADE * seen),
            per_spacing=1.0 / self.grid_spacing_m,
            line=0.014,
            floor_color=_linear(self.floor_color),
            line_color=_linear(self.line_color),
            top_color=_linear(self.top_color),
            bottom_color=_linear(self.bottom_color),
        )


def _toward(azimuth_rad: float, elevation_rad: float) -> Triple:
    level = math.cos(elevation_rad)
    return level * math.cos(azimuth_rad), level * math.sin(azimuth_rad), math.sin(elevation_rad)


def _scaled(tint: Triple, strength: float) -> Triple:
    return strength * tint[0], strength * tint[1], strength * tint[2]


def _linear(color: Color) -> Triple:
    r, g, b = (float(value) for value in to_linear(color))
    return r, g, b
