"""Text on pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.pictures.mesh import Color
from gambol.pictures.pixels import Pixels

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

INK: Color = (0.22, 0.22, 0.24)  # of words and axes
PALE_INK: Color = (0.50, 0.49, 0.48)  # of words that matter less


class Text(NamedTuple):
    """A line of text at a place of a picture."""

    words: str
    x: float  # pixels
    y: float  # pixels
    size_px: int
    color: Color = INK
    anchor: str = "ls"  # the point at (x, y), as in Pillow: l, m, r (right), then a (ascender), m, s (baseline)


def draw_texts(pixels: Pixels, texts: Sequence[Text]) -> Pixels:
    """Return a copy of a picture (H, W, 3) with texts on it."""
    from PIL import Image, ImageDraw

    image = Image.fromarray(pixels)
    draw = ImageDraw.Draw(image)
    for text in texts:
        color = tuple(round(255.0 * value) for value in text.color)
        draw.text((text.x, text.y), _one_line(text.words), fill=color, font=_font_for(text), anchor=text.anchor)
    return np.array(image)


def text_width(text: Text) -> float:
    """Return a text's width in pixels."""
    return float(_font_for(text).getlength(_one_line(text.words)))


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _font_for(text: Text) -> FreeTypeFont | ImageFont:
    return _font(text.size_px, text.words.isascii())


@cache
def _font(size_px: int, is_ascii: bool) -> FreeTypeFont | ImageFont:
    from PIL import ImageFont

    if is_ascii:
        return ImageFont.load_default(size_px)
    # Pillow's own font has little beyond ASCII; the font that comes with matplotlib has most scripts.
    from matplotlib import font_manager

    return ImageFont.truetype(font_manager.findfont("DejaVu Sans"), size_px)
