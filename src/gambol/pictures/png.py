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
PALETTE_ROUNDS = 2  # of refining the palette


def write_png(pixels: NDArray[np.uint8], path: Path | str, *, most_bytes: int = MOST_BYTES) -> None:
    """Write pixels (H, W, 3) as a PNG with as many colors as keep it below `most_bytes`, at least 256."""
    write_atomically(path, encode_png(pixels, most_bytes=most_bytes))


def encode_png(pixels: NDArray[np.uint8], *, most_bytes: int = MOST_BYTES) -> bytes:
    """Return pixels (H, W, 3) as the bytes of a PNG file; see `write_png`."""
    from PIL import Image

    # Every other level is one that no eye misses, and a third of the bytes.
    for image in (Image.fromarray(pixels), Image.fromarray(pixels | 1), Image.fromarray(_every_third(pixels))):
        data = _saved(image)
        if len(data) <= most_bytes:
            return data
    # Median cut gives the soft gradients of floor and sky most of the colors, so they show no bands;
    # without dithering, which would multiply the bytes.
    image = Image.fromarray(pixels)
    return _saved(image.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=PALETTE_ROUNDS, dither=Image.Dither.NONE))


def _every_third(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return (pixels // 3 * 3).astype(np.uint8)


def _saved(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
