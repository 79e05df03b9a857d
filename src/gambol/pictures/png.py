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

MOST_BYTES = 300_000  # above this, a picture is written with a palette
PALETTE_ROUNDS = 2  # of refining the palette


def write_png(pixels: NDArray[np.uint8], path: Path | str, *, most_bytes: int = MOST_BYTES) -> None:
    """Write pixels (H, W, 3): in full color where that is small enough, else with 256 colors."""
    write_atomically(path, encode_png(pixels, most_bytes=most_bytes))


def encode_png(pixels: NDArray[np.uint8], *, most_bytes: int = MOST_BYTES) -> bytes:
    """Return pixels (H, W, 3) as a PNG file's bytes; see `write_png`."""
    from PIL import Image

    image = Image.fromarray(pixels)
    data = _saved(image)
    if len(data) <= most_bytes:
        return data
    # Median cut gives the soft gradients of floor and sky most of the colors, so they show no bands;
    # without dithering, which would multiply the bytes.
    return _saved(image.quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=PALETTE_ROUNDS, dither=Image.Dither.NONE))


def _saved(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
