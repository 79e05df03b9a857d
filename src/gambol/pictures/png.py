"""Write pictures as small PNG files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.io.files import write_atomically

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 300_000
COARSER = (1, 2, 3, 4)  # steps between levels: each takes fewer bytes, and none is seen
COMPRESSION = 7  # of zlib: 9 takes four times as long for 3 % fewer bytes
PALETTE_ROUNDS = 2  # of refining the palette


def write_png(pixels: NDArray[np.uint8], path: Path | str, *, most_bytes: int = MOST_BYTES) -> None:
    """Write pixels (H, W, 3) as a PNG with as many colors as keep it below `most_bytes`, at least 256."""
    write_atomically(path, encode_png(pixels, most_bytes=most_bytes))


def encode_png(pixels: NDArray[np.uint8], *, most_bytes: int = MOST_BYTES) -> bytes:
    """Return pixels (H, W, 3) as the bytes of a PNG file; see `write_png`."""
    from PIL import Image

    for step in COARSER:
        data = _saved(Image.fromarray(_rounded(pixels, step)))
        if len(data) <= most_bytes:
            return data
    # Median cut gives the soft gradients of floor and sky most of the colors, so they show no bands;
    # without dithering, which would multiply the bytes.
    image = Image.fromarray(pixels)
    return _saved(image.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=PALETTE_ROUNDS, dither=Image.Dither.NONE))


def _rounded(pixels: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Round levels to whole steps counted from white, which stays white."""
    levels = np.arange(256)
    return (255 - np.minimum(255, (255 - levels + step // 2) // step * step)).astype(np.uint8)[pixels]


def _saved(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=COMPRESSION)
    return buffer.getvalue()
