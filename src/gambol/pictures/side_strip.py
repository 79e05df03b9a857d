"""Motions from the side along straightened ways, with crossed things, and behaviors below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from gambol.body.skin import Skin
from gambol.geometry.arrays import FloatArray
from gambol.motion.ground import Ground
from gambol.pictures.camera import Camera, view_axes
from gambol.pictures.figure import faded, figure
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.lettering import INK, PALE_INK, Text, draw_texts, text_width
from gambol.pictures.mesh import Mesh
from gambol.pictures.pixels import Pixels
from gambol.pictures.render import render
from gambol.pictures.shapes import box
from gambol.pictures.shown import Shown
from gambol.pictures.stage import skins_for
from gambol.pictures.studio import Studio
from gambol.pictures.unrolled import Crossing, Unrolled
from gambol.pictures.world_colors import BEAM_BOTTOM_M
from gambol.pictures.world_meshes import MARGIN_M, terrain_meshes
from gambol.world.terrain import Terrain
from gambol.world.world import World

LOOKING = (-0.10, 0.97, -0.20)  # direction of the view; the way leads along +X
FIGURE_PX = 130  # pixels: usual height of a figure
LEAST_FIGURE_PX = 92  # pixels: least height of a figure, along a long way
MOST_ROWS = {1: 3, 2: 1, 3: 1}  # rows of a character's strip at most, by the number of characters
SHORTEST = 0.72  # 0 to 1: a row shows at least this share of its usual length; shorter ways leave its sides empty
SQUEEZED = 0.3  # >= 0: a row may hold this share more than its usual length before another row is added
SPACING = 0.50  # heights of the figure from pose to pose, at least
LENGTHS = 1.0  # lengths of the figure from pose to pose, at least
HEAD_ROOM = 1.28  # heights of the figure that fit into a row, so that jumps have room
BAND_PX = 44  # pixels: height of the band below the figures, for behaviors and seconds
BAR_PX = 5  # pixels: height of the bar in the band
GAP_PX = 12  # pixels between strips
DEPTH_M = (-0.75, 0.95)  # metres: things to pass over reach from this y to that, across the way
BEHIND_M = (0.42, 1.25)  # metres: things to pass below reach from this y to that, behind the figure
THICK_M = 0.5  # metres: greatest height of a thing to pass below
GROUND_M = (-8.0, 2.5)  # metres: hilly ground reaches from this y to that
GROUND_CELL_M = 0.1  # metres: cell of hilly ground
LETTER_PX = 12  # pixels: size of letters in the band


@dataclass(frozen=True)
class Row:
    """A piece of a way, drawn on one line."""

    first_m: float
    last_m: float


def draw_side_strips(world: World, cast: Sequence[Shown], *, width_px: int) -> Pixels:
    """Return the strips of one to three characters, below each other."""
    skins = skins_for(cast)
    parts = []
    for one, skin in zip(cast, skins, strict=True):
        strip = _Strip(world, Unrolled.of(one), skin, width_px, MOST_ROWS[len(cast)])
        parts.append(np.full((GAP_PX, width_px, 3), 255, dtype=np.uint8))
        name = one.name if len(cast) > 1 else None
        parts += [strip.row(row, name) for row in strip.rows()]
    return np.concatenate(parts)


class _Strip:
    """One character's strip, made row by row at one scale."""

    def __init__(self, world: World, way: Unrolled, skin: Skin, width_px: int, most_rows: int) -> None:
        self.way, self.skin, self.width_px = way, skin, width_px
        self.terrain = world.terrain
        self.crossings = way.crossings(world)
        length, _, height = np.ptp(skin.vertices, axis=0).tolist()
        self.height_m = height
        self.spacing_m = max(SPACING * height, LENGTHS * length, 0.05)
        # Room at both ends of the way: a figure that stands at its end reaches beyond it.
        reach = float(np.abs(skin.vertices[:, 0] - skin.skeleton.rest_positions[0, 0]).max())
        self.room_m = max(0.45 * height, 1.1 * reach)
        usual_m, most_m = (width_px * height / size - 2.0 * self.room_m for size in (FIGURE_PX, LEAST_FIGURE_PX))
        rows = int(np.clip(np.ceil(way.length_m / usual_m - SQUEEZED), 1, most_rows))
        self.row_count = rows
        #: Metres on the picture for a metre of the way: a long way is shortened, its figures are not.
        self.shortened = min(1.0, rows * most_m / way.length_m)
        self.shown_m = max(way.length_m * self.shortened / rows, SHORTEST * usual_m) + 2.0 * self.room_m

    def rows(self) -> list[Row]:
        edges = np.linspace(0.0, self.way.length_m, self.row_count + 1).tolist()
        return [Row(first, last) for first, last in pairwise(edges)]

    def row(self, row: Row, name: str | None) -> Pixels:
        """Render a row of figures, with their behaviors below."""
        places = self._places(row)
        meshes = [self._figure(along) for along in places.tolist()]
        shown = [
            crossing
            for crossing in self.crossings
            if crossing.ends_m > row.first_m - self.room_m and crossing.begins_m < row.last_m + self.room_m
        ]
        meshes += [self._thing(crossing) for crossing in shown]
        ground, studio = self._ground(row)
        camera, size = self._camera(row)
        pixels = render([*ground, *meshes], camera, size, studio=studio.lit_for(camera))
        if row.first_m == 0.0:
            pixels = draw_texts(pixels, self._heading(name))
        return np.concatenate((pixels, self._band(row, camera, size)))

    def _heading(self, name: str | None) -> list[Text]:
        """Return the character's name, and by how much the way is shortened."""
        texts = [] if name is None else [Text(name, 14, 22, 15, faded(self.way.shown.color, INK, 0.5))]
        if self.shortened < 0.95:
            words = f"way shortened to {100.0 * self.shortened:.0f} %"
            texts.append(Text(words, self.width_px - 14, 22, 11, PALE_INK, "rs"))
        return texts

    def _places(self, row: Row) -> FloatArray:
        """Return the places of figures along the way: evenly spaced, but with one at each crossed thing."""
        count = max(2, int((row.last_m - row.first_m) * self.shortened / self.spacing_m) + 1)
        places = np.linspace(row.first_m, row.last_m, count, endpoint=row.last_m >= self.way.length_m - 1e-9)
        for crossing in self.crossings:
            middle = 0.5 * (crossing.begins_m + crossing.ends_m)
            if row.first_m < middle < row.last_m:
                places[np.argmin(np.abs(places - middle))] = middle
        return places

    def _figure(self, along_m: float) -> Mesh:
        shown = self.way.shown
        assert shown.motion is not None
        frame = shown.frame_at(float(self.way.time_at(np.array([along_m]))[0]))
        vertices = self.way.straighten(self.skin.deform(shown.motion, [frame])[0], along_m)
        return figure(self.skin, vertices + ((self.shortened - 1.0) * along_m, 0.0, 0.0), shown.color)

    def _ground_height(self, along_m: float) -> float:
        if self.terrain is None:
            return 0.0
        return float(self.terrain.height(self.way.pose_at(np.array([along_m])))[0])

    def _thing(self, crossing: Crossing) -> Mesh:
        """Return a slice of a crossed thing; things to pass below stand behind the figure, so that it is visible."""
        middle, half = 0.5 * (crossing.begins_m + crossing.ends_m), 0.5 * (crossing.ends_m - crossing.begins_m)
        base, place = self._ground_height(middle), middle * self.shortened
        hangs = crossing.bottom_m >= BEAM_BOTTOM_M
        near, far = BEHIND_M if hangs else DEPTH_M
        top = min(crossing.top_m, crossing.bottom_m + THICK_M) if hangs else min(crossing.top_m, self.height_m)
        low = (place - half, near, base + crossing.bottom_m)
        return box(low, (place + half, far, base + top), crossing.color)

    def _ground(self, row: Row) -> tuple[list[Mesh], Studio]:
        """Return the ground along the way, and a studio to show it in."""
        if self.terrain is None:
            return [], Studio()
        first, last = row.first_m * self.shortened - 2.0 * self.room_m, row.last_m * self.shortened + 2.0 * self.room_m
        along = np.arange(first, last, GROUND_CELL_M)
        # The ground beside the way is as high as the way: a curved way would fold the real ground.
        profile = self.terrain.height(self.way.pose_at(along / self.shortened))
        across = np.arange(GROUND_M[0], GROUND_M[1], GROUND_CELL_M)
        unrolled = Terrain((float(along[0]), GROUND_M[0]), GROUND_CELL_M, np.tile(profile, (len(across), 1)))
        low, high = float(along[0]) + MARGIN_M, float(along[-1]) - MARGIN_M
        world = World((low, GROUND_M[0] + MARGIN_M, high, GROUND_M[1] - MARGIN_M), terrain=unrolled)
        studio = replace(Studio(), ground=Ground(float(profile.min()) - 3.0), terrain=unrolled)
        return terrain_meshes(world)[:1], studio

    def _camera(self, row: Row) -> tuple[Camera, tuple[int, int]]:
        middle = row.first_m * self.shortened - self.room_m + 0.5 * self.shown_m
        if self.row_count == 1:
            middle = 0.5 * self.way.length_m * self.shortened
        axes = view_axes(np.array(LOOKING))
        along = np.linspace(row.first_m, row.last_m, 40)
        ground = np.zeros(40) if self.terrain is None else self.terrain.height(self.way.pose_at(along))
        low = float(ground.min()) - 0.16 * self.height_m
        high = float(ground.max()) + HEAD_ROOM * self.height_m
        down = -axes[1, 2]
        height_m = (high - low) * down
        target = np.array([middle, 0.0, 0.5 * (low + high)])
        eye = target - 30.0 * axes[2]
        size = (self.width_px, max(60, round(self.width_px * height_m / self.shown_m)))
        height_m = self.shown_m * size[1] / size[0]
        return Camera(tuple(eye.tolist()), tuple(target.tolist()), orthographic_height_m=height_m), size

    def _band(self, row: Row, camera: Camera, size: tuple[int, int]) -> Pixels:
        """Draw behaviors as a bar in the colors of their kinds, with names and seconds."""
        band = np.full((BAND_PX, self.width_px, 3), 255, dtype=np.uint8)
        texts, free = [], 0.0
        shown, way = self.way.shown, self.way
        for run in shown.runs:
            first, last = max(way.along_m[run.first], row.first_m), min(way.along_m[run.last], row.last_m)
            if last <= first:
                continue
            left, right = (self._x(value, camera, size) for value in (first, last))
            band[3 : 3 + BAR_PX, round(left) : max(round(left) + 1, round(right) - 2)] = _bytes(KIND_COLORS[run.kind])
            text = Text(
                run.words.replace("×", "x"),
                0.5 * (left + right),
                3 + BAR_PX + 3 + LETTER_PX,
                LETTER_PX,
                faded(KIND_COLORS[run.kind], INK, 0.3),
                "ms",
            )
            half = 0.5 * text_width(text)
            if half <= 0.5 * (right - left) + 4 and text.x - half > free:
                texts.append(text)
                free = text.x + half + 3
        return draw_texts(band, [*texts, *self._seconds(row, camera, size)])

    def _seconds(self, row: Row, camera: Camera, size: tuple[int, int]) -> list[Text]:
        """Return whole seconds, where they have room."""
        shown = self.way.shown
        times = np.arange(np.ceil(shown.begins_s), shown.ends_s + 1e-9)
        along = np.interp(times, shown.times_s, self.way.along_m)
        texts, free = [], 0.0
        for time, place in zip(times.tolist(), along.tolist(), strict=True):
            if row.first_m - 1e-9 <= place <= row.last_m + 1e-9:
                text = Text(f"{time:.0f} s", self._x(place, camera, size), BAND_PX - 7, 10, PALE_INK, "ms")
                if text.x - 0.5 * text_width(text) > free:
                    texts.append(text)
                    free = text.x + 0.5 * text_width(text) + 8
        return texts

    def _x(self, along_m: float, camera: Camera, size: tuple[int, int]) -> float:
        place = np.array([along_m * self.shortened, 0.0, self._ground_height(along_m)])
        return float(camera.project(place, size)[0][0])


def _bytes(color: Sequence[float]) -> Pixels:
    return np.round(255.0 * np.array(color)).astype(np.uint8)
