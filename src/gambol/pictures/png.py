"""Write pictures as small PNG files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.files.disk import write_atomically
from gambol.pictures.pixels import Pixels

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 300_000  # bytes: larger files get fewer colors
COARSER = (1, 2, 3, 4)  # steps between levels of a color: larger ones take fewer bytes, all are too small to be seen
COMPRESSION = 7  # 0 to 9, zlib's level: 9 takes four times as long for 3 % fewer bytes
PALETTE_ROUNDS = 2  # >= 0: rounds that refine a palette; more are slower and give softer colors
WHITE = 0xFFFFFF
AT_A_TIME = 8192  # colors, >= 1, that look for their palette's at a time; more takes more memory
RARE_POWER = 0.7  # 0 to 1: a color of n pixels counts as n to this power; smaller favors rare colors


def write_png(pixels: Pixels, path: Path | str, *, most_bytes: int = MOST_BYTES, keeps_rare: bool = False) -> None:
    """Write pixels (H, W, 3) as a PNG with as many colors as fit into `most_bytes`, at least 256.

    keeps_rare: whether small things keep colors of their own; gradients are coarser then.
    """
    write_atomically(path, encode_png(pixels, most_bytes=most_bytes, keeps_rare=keeps_rare))


def encode_png(pixels: Pixels, *, most_bytes: int = MOST_BYTES, keeps_rare: bool = False) -> bytes:
    """Return pixels (H, W, 3) as the bytes of a PNG file; see `write_png`."""
    from PIL import Image

    def encoded(step: int) -> bytes:
        return _saved(Image.fromarray(_rounded(pixels, step)))

    data = encoded(COARSER[0])
    if len(data) <= most_bytes:
        return data
    coarsest = encoded(COARSER[-1])
    if len(coarsest) <= most_bytes:
        finer = (data for step in COARSER[1:-1] if len(data := encoded(step)) <= most_bytes)
        return next(finer, coarsest)
    # Median cut gives most colors to the soft gradients of floor and sky, so they show no bands.
    # Dithering would multiply the bytes.
    if keeps_rare:
        return _saved(_with_rare_colors(pixels))
    image = Image.fromarray(pixels)
    return _saved(image.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=PALETTE_ROUNDS, dither=Image.Dither.NONE))


def _with_rare_colors(pixels: Pixels) -> Image:
    """Return pixels in 256 colors; common colors count less than their pixels, so that rare ones are kept."""
    from PIL import Image

    levels = pixels.astype(np.uint32)
    codes, places, counts = np.unique(
        levels[..., 0] << 16 | levels[..., 1] << 8 | levels[..., 2], return_inverse=True, return_counts=True
    )
    colors = np.stack((codes >> 16, codes >> 8 & 255, codes & 255), axis=-1).astype(np.uint8)
    sample = np.repeat(colors, np.ceil(counts**RARE_POWER).astype(np.int64), axis=0)
    chosen = Image.fromarray(sample[None]).quantize(
        256, method=Image.Quantize.MEDIANCUT, kmeans=PALETTE_ROUNDS, dither=Image.Dither.NONE
    )
    palette = np.array(chosen.getpalette(), dtype=np.uint8).reshape(-1, 3)
    if codes[-1] == WHITE:
        palette[palette.sum(axis=1).argmax()] = 255  # paper stays white
    # Pillow would round to a coarse grid in its search for the nearest color.
    image = Image.fromarray(_nearest(colors, palette)[places.reshape(pixels.shape[:2])], mode="P")
    image.putpalette(palette.tobytes())
    return image


def _nearest(colors: NDArray[np.uint8], palette: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the number (N,) of the palette's color nearest to each color (N, 3)."""
    own, squares = palette.astype(np.float32), (palette.astype(np.float32) ** 2).sum(axis=1)
    some = (colors[first : first + AT_A_TIME] for first in range(0, len(colors), AT_A_TIME))
    # Squares of distances, but for each color's own square, are exact: whole numbers below 2 to the 24th.
    nearest = [np.argmin(squares - 2.0 * (part.astype(np.float32) @ own.T), axis=1) for part in some]
    return np.concatenate(nearest).astype(np.uint8)


def _rounded(pixels: Pixels, step: int) -> Pixels:
    """Round levels to multiples of a step, counted from white."""
    levels = np.arange(256)
    return (255 - np.minimum(255, (255 - levels + step // 2) // step * step)).astype(np.uint8)[pixels]


def _saved(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=COMPRESSION)
    return buffer.getvalue()
