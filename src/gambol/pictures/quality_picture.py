"""A quality report as one picture: a strip of the motion, and its quality over time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambol.body.skin import Skin
from gambol.errors import InvalidInput
from gambol.motion.motion import Motion
from gambol.motion.quality import Quality
from gambol.pictures.figure import skin_of
from gambol.pictures.lettering import Text, draw_texts
from gambol.pictures.motion_strip import draw_strip, labelled_strip
from gambol.pictures.pixels import Pixels
from gambol.pictures.png import write_png
from gambol.pictures.quality_plots import draw_plots
from gambol.pictures.quality_tracks import contacts_of, measure_tracks

WIDTH_PX = 1400  # pixels: width of the page
TITLE_PX = 24  # pixels: size of the title's letters
FLATTEST_STRIP = 3.4  # width / height at least: a higher strip would push the plots off the screen


def quality_picture(
    motion: Motion, quality: Quality, path: Path | str, *, skin: Skin | None = None, title: str | None = None
) -> None:
    """Write a PNG with a motion strip, plots of feet, root and joints over time, and the report's numbers.

    quality: the result of `measure_quality` for this motion.
    """
    if quality.frames != motion.frame_count or len(quality.joint_peaks) != motion.skeleton.joint_count:
        raise InvalidInput(
            f"the report is about {quality.frames} frames of {len(quality.joint_peaks)} joints, "
            f"the motion has {motion.frame_count} of {motion.skeleton.joint_count}"
        )
    contacts = contacts_of(motion, quality)
    skin = skin_of(motion) if skin is None else skin
    strip = draw_strip(motion, contacts, skin, width_px=WIDTH_PX, least_aspect=FLATTEST_STRIP)
    plots = draw_plots(motion, quality, measure_tracks(motion, contacts), width_px=WIDTH_PX)
    gap = np.full((18, WIDTH_PX, 3), 255, dtype=np.uint8)
    parts = [labelled_strip(strip, motion, contacts), gap, plots]
    write_png(np.concatenate(parts if title is None else [_title(title), *parts]), path)


def _title(words: str) -> Pixels:
    head = np.full((round(2.2 * TITLE_PX), WIDTH_PX, 3), 255, dtype=np.uint8)
    return draw_texts(head, [Text(words, 12, 1.35 * TITLE_PX, TITLE_PX)])
