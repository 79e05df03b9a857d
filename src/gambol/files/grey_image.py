"""Read grey images as numbers: height maps."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gambol.errors import MalformedFile
from gambol.extras import check_extra
from gambol.files.disk import read_bytes
from gambol.geometry.arrays import FloatArray

if TYPE_CHECKING:
    from PIL.Image import Image as PictureImage

MAX_PIXELS = 1 << 24  # the most pixels of an image that is read
#: The value of white in each of the image library's grey modes.
DEPTHS = {"1": 1.0, "L": 255.0, "I;16": 65535.0, "I;16B": 65535.0, "I;16L": 65535.0, "I": 65535.0}


def read_grey_image(path: Path | str) -> FloatArray:
    """Return a grey image's values (rows, columns) from 0, black, to 1, white; the top row comes first.

    Images of eight and sixteen bits are read, and coloured ones if all their colours are greys.
    """
    check_extra("pictures", "reading images")
    from PIL import Image, UnidentifiedImageError

    data = read_bytes(path, max_bytes=1 << 28)
    if not data:
        raise MalformedFile("the file is empty; expected an image", path=path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the size is checked here
            image = Image.open(io.BytesIO(data))
            if image.width * image.height > MAX_PIXELS:
                raise MalformedFile(
                    f"{image.width} x {image.height} pixels are more than the {MAX_PIXELS:,} that are read", path=path
                )
            image.load()
    except UnidentifiedImageError:
        raise MalformedFile("this is no image that can be read; expected a grey PNG", path=path) from None
    except (OSError, SyntaxError, ValueError, MemoryError, Image.DecompressionBombError) as error:
        if isinstance(error, MalformedFile):
            raise
        raise MalformedFile(f"the image is damaged: {error}", path=path) from error
    if image.mode in DEPTHS:
        return np.asarray(image, dtype=np.float64) / DEPTHS[image.mode]
    return _grey_of_colours(image, path)


def _grey_of_colours(image: PictureImage, path: Path | str) -> FloatArray:
    if image.mode not in ("LA", "P", "PA", "RGB", "RGBA"):
        raise MalformedFile(f"expected a grey image, not one of mode {image.mode}", path=path)
    colours = np.asarray(image.convert("RGB"))
    if np.ptp(colours, axis=-1).any():
        raise MalformedFile(
            "expected a grey image, not a coloured one: heights are read from black to white", path=path
        )
    return colours[..., 0] / 255.0
