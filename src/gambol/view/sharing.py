"""The present view as files: a page that needs no viewer, a picture, a film.

The browser that asks for pictures and films draws them: they show what it shows, with all marks.  Our own renderer
(`gambol plan -o film.mp4`) needs no browser and draws finer bodies, but draws only plans and crowds, without what tabs
add to them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.errors import GambolError, InvalidInput
from gambol.pictures.png import encode_png
from gambol.pictures.video import write_video
from gambol.view.tab import Film

Pixels = NDArray[np.uint8]
Size = tuple[int, int]  # width and height in pixels
PAGE_RATE_HZ = 30.0  # Hz, > 0: pictures a second in a page; larger: smoother, larger files
FILM_RATE_HZ = 30.0  # Hz, > 0: pictures a second in a film; larger: smoother, slower to make
PATIENCE_S = 30.0  # s, > 0: a browser that takes longer for one picture is given up
EXACT = 1 << 40  # bytes: more than any picture has, so that the encoder keeps all colors
STARTS_PROGRAM = "e.textContent=code"  # in a page of viser: where its unpacked program begins
#: The same, where the program is changed so that its light stays.
STARTS_STEADY_PROGRAM = STARTS_PROGRAM + r'.replace(/\.useEnvironment\.set\([\w$]+\(\)\);/,".useEnvironment;")'
MOST_PLACED = 4_000_000  # joints times pictures in a page, at most; larger: larger pages (this is some 100 MB)


class Stopped(GambolError):
    """The user stopped a film."""

    def __init__(self) -> None:
        super().__init__("the film was stopped before it was done")


def page(
    server: viser.ViserServer, camera: viser.CameraHandle, film: Film | None = None, *, most_s: float = 10.0
) -> bytes:
    """Return an HTML file that shows the scene by itself, first from where a browser looks.

    film: is played in it again and again; None: nothing moves.
    most_s: how much of the film, at most.
    """
    times = np.empty(0) if film is None else film.times(most_s=most_s, rate_hz=PAGE_RATE_HZ)
    if film is not None and film.joints * len(times) > MOST_PLACED:
        raise InvalidInput(
            f"{len(times) / PAGE_RATE_HZ:.0f} s of {film.joints:,} joints are too much for a page; "
            f"at most {MOST_PLACED / PAGE_RATE_HZ / film.joints:.1f} s are possible"
        )
    first = server.initial_camera
    before = (first.position, first.look_at, first.up, first.fov)
    # Browsers get only the end, which equals the beginning: they do not see the film run by.
    with server.atomic():
        first.position, first.look_at = camera.position, camera.look_at
        first.up, first.fov = camera.up_direction, camera.fov
        recorder = server.get_scene_serializer()
        try:
            for time_s in times.tolist():
                assert film is not None
                film.show(time_s)
                recorder.insert_sleep(1.0 / PAGE_RATE_HZ)
            return steady(recorder.as_html()).encode()
        finally:
            if film is not None:
                film.go_back()
            first.position, first.look_at, _, first.fov = before
            if before[2] is not None:
                first.up = before[2]


def steady(html: str) -> str:
    """Return a page whose light stays the same when its film begins again.

    The page would go back to its default light until it reads the scene's lights again: a flash, which lasts long on
    slow machines.
    """
    return html.replace(STARTS_PROGRAM, STARTS_STEADY_PROGRAM, 1)


def picture(client: viser.ClientHandle, size: Size) -> bytes:
    """Return the view of a browser as a PNG file."""
    drawn = client.get_render(size[1], size[0], transport_format="png", timeout=PATIENCE_S)
    return encode_png(on_white(drawn), most_bytes=EXACT)


def video(
    client: viser.ClientHandle,
    film: Film,
    size: Size,
    *,
    most_s: float = 10.0,
    progress: Callable[[float], None] = lambda share: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> bytes:
    """Return a film as an MP4 file, as a browser shows it from where it looks now.

    progress: takes the share that is done, after each picture.
    is_stopped: is called before each picture; if it is true, `Stopped` is raised.
    """
    times = film.times(most_s=most_s, rate_hz=FILM_RATE_HZ)
    camera = client.camera
    wxyz, position, fov = camera.wxyz, camera.position, camera.fov

    def frames() -> Iterator[Pixels]:
        for number, time_s in enumerate(times.tolist(), start=1):
            if is_stopped():
                raise Stopped
            film.show(time_s)
            drawn = client.get_render(size[1], size[0], wxyz=wxyz, position=position, fov=fov, timeout=PATIENCE_S)
            yield drawn[..., :3]
            progress(number / len(times))

    try:
        with tempfile.TemporaryDirectory(prefix="gambol-film-") as folder:
            path = Path(folder) / "film.mp4"
            write_video(frames(), path, size, rate_hz=FILM_RATE_HZ)
            return path.read_bytes()
    finally:
        film.go_back()


def on_white(drawn: Pixels) -> Pixels:
    """Return a picture (H, W, 3 or 4) on a white background (H, W, 3)."""
    if drawn.shape[2] == 3:
        return drawn
    cover = drawn[..., 3:].astype(np.float64) / 255.0
    return np.rint(cover * drawn[..., :3] + 255.0 * (1.0 - cover)).astype(np.uint8)
