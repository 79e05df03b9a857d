"""A motion as pictures of a film, with captions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gambol.body.skin import Skin
from gambol.errors import InvalidInput
from gambol.motion.contacts import Contacts, detect_contacts
from gambol.motion.edits import resample
from gambol.motion.motion import Motion
from gambol.pictures.camera import Camera
from gambol.pictures.figure import figure, skin_of
from gambol.pictures.lettering import Text, draw_texts
from gambol.pictures.pixels import Pixels
from gambol.pictures.render import render
from gambol.pictures.studio import Studio
from gambol.pictures.video import MOST_FRAMES, RATE_HZ, SIZE
from gambol.pictures.viewpoint import Tracking, direction_of


def motion_frames(
    motion: Motion,
    *,
    captions: dict[float, str] | None = None,
    skin: Skin | None = None,
    view: str = "three-quarter",
    size: tuple[int, int] = SIZE,
    contacts: Contacts | None = None,
) -> Iterator[Pixels]:
    """Render a motion at 30 frames a second; the camera goes along with the figure.

    captions: words by the second at which they appear, such as names of behaviors.
    """
    motion = resample(motion, RATE_HZ)
    if motion.frame_count > MOST_FRAMES:
        raise InvalidInput(
            f"{motion.duration_s:.0f} s are more than the {MOST_FRAMES / RATE_HZ:.0f} s a video may last"
        )
    skin = skin_of(motion) if skin is None else skin
    ground = (contacts or detect_contacts(motion)).ground
    tracking = Tracking.of(motion, ground, view)
    shown = np.linspace(0, motion.frame_count - 1, 24).astype(int).tolist()
    local = [tracking.to_local(pose, frame) for pose, frame in zip(skin.deform(motion, shown), shown, strict=True)]
    points = np.concatenate((*local, np.zeros((1, 3))))
    camera = Camera.framing(points, direction_of(view), aspect=size[0] / size[1], margin=0.12)
    for frame in range(motion.frame_count):
        placed = tracking.place(camera, frame)
        studio = replace(Studio(), ground=ground).lit_for(placed)
        pose = skin.deform(motion, [frame])[0]
        picture = render([figure(skin, pose)], placed, size, studio=studio)
        yield _captioned(picture, captions or {}, frame / motion.rate_hz)


def _captioned(picture: Pixels, captions: dict[float, str], now_s: float) -> Pixels:
    begun = [start for start in captions if start <= now_s + 1e-9]
    if not begun:
        return picture
    return draw_texts(picture, [Text(captions[max(begun)], 14, picture.shape[0] - 14, 18)])
