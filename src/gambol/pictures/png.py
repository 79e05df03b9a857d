"""Write pictures as small PNG files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from gambol.files.disk import write_atomically

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 300_000
COARSER = (1, 2, 3, 4)  # steps between levels: each takes fewer bytes, and none is seen
COMPRESSION = 7  # of zlib: 9 takes four times as long for 3 % fewer bytes
PALETTE_ROUNDS = 2  # of refining the palette
WHITE = 0xFFFFFF
RARE_POWER = 0.7  # of the number of pixels, by which a color counts where rare ones are to be kept


def write_png(
    pixels: NDArray[np.uint8], path: Path | str, *, most_bytes: int = MOST_BYTES, keeps_rare: bool = False
) -> None:
    """Write pixels (H, W, 3) as a PNG with as many colors as keep it below `most_bytes`, at least 256.

    keeps_rare: small things in colors of their own keep these, at the price of softness in gradients.
    """
    write_atomically(path, encode_png(pixels, most_bytes=most_bytes, keeps_rare=keeps_rare))


def encode_png(pixels: NDArray[np.uint8], *, most_bytes: int = MOST_BYTES, keeps_rare: bool = False) -> bytes:
    """Return pixels (H, W, 3) as the bytes of a PNG file; see `write_png`."""
    from PIL import Image

    for step in COARSER:
        data = _saved(Image.fromarray(_rounded(pixels, step)))
        if len(data) <= most_bytes:
            return data
    # Median cut gives the soft gradients of floor and sky most of the colors, so they show no bands;
    # without dithering, which would multiply the bytes.
    if keeps_rare:
        return _saved(_with_rare_colors(pixels))
    image = Image.fromarray(pixels)
    return _saved(image.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=PALETTE_ROUNDS, dither=Image.Dither.NONE))


def _with_rare_colors(pixels: NDArray[np.uint8]) -> Image:
    """Return pixels in 256 colors, chosen as if each color had fewer pixels, the more of them it has."""
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
    # Pillow's own search for the nearest color of a palette rounds to a coarse grid.
    _, nearest = KDTree(palette.astype(np.float64)).query(colors.astype(np.float64))
    image = Image.fromarray(np.asarray(nearest, dtype=np.uint8)[places.reshape(pixels.shape[:2])], mode="P")
    image.putpalette(palette.tobytes())
    return image


def _rounded(pixels: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Round levels to whole steps counted from white, which stays white."""
    levels = np.arange(256)
    return (255 - np.minimum(255, (255 - levels + step // 2) // step * step)).astype(np.uint8)[pixels]


def _saved(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=COMPRESSION)
    return buffer.getvalue()
