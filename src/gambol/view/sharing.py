"""What is shown, as files to be handed on: a page that needs no viewer, a picture, a film.

Pictures and films are drawn by the browser that asks for them: they show what it shows, marks and all, from where it
looks.  Our own renderer (`gambol plan -o film.mp4`) needs no browser and draws finer bodies, but knows only plans and
crowds, not what tabs add to them.
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
from gambol.view.film import Film

Pixels = NDArray[np.uint8]
Size = tuple[int, int]  # width and height in pixels
PAGE_RATE_HZ = 30.0
FILM_RATE_HZ = 30.0
PATIENCE_S = 30.0  # for one picture from a browser
EXACT = 1 << 40  # bytes that a picture may have, so that no color is changed
STARTS_PROGRAM = "e.textContent=code"  # in a page of viser's: its program is unpacked and begins
STARTS_STEADY_PROGRAM = STARTS_PROGRAM + r'.replace(/\.useEnvironment\.set\([\w$]+\(\)\);/,".useEnvironment;")'
MOST_PLACED = 4_000_000  # joints times pictures in a page: some hundred megabytes


class Stopped(GambolError):
    """Who asked for a film has changed their mind."""

    def __init__(self) -> None:
        super().__init__("the film was stopped before it was done")


def page(
    server: viser.ViserServer, camera: viser.CameraHandle, film: Film | None = None, *, most_s: float = 10.0
) -> bytes:
    """Return an HTML file that shows the scene by itself, first from where a browser looks.

    film: what moves in it, again and again; None: nothing.
    most_s: so much of the film, at most.
    """
    times = np.empty(0) if film is None else film.times(most_s=most_s, rate_hz=PAGE_RATE_HZ)
    if film is not None and film.joints * len(times) > MOST_PLACED:
        raise InvalidInput(
            f"{len(times) / PAGE_RATE_HZ:.0f} s of {film.joints:,} joints are too much for a page; "
            f"at most {MOST_PLACED / PAGE_RATE_HZ / film.joints:.1f} s are possible"
        )
    first = server.initial_camera
    before = (first.position, first.look_at, first.up, first.fov)
    # Browsers are told only of how it ends, which is how it began: none of them sees the film run by.
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
    """Return a page whose light stays as it is when its film begins anew.

    The page would light the scene as if nothing had been said about lights, until it comes to what is said: a flash,
    and on slow machines a long one, since all is prepared anew for other lights.
    """
    return html.replace(STARTS_PROGRAM, STARTS_STEADY_PROGRAM, 1)


def picture(client: viser.ClientHandle, size: Size) -> bytes:
    """Return what a browser shows as a PNG file."""
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

    progress: told of the share that is done, after each picture.
    is_stopped: asked before each picture; a film that is stopped is an error.
    """
    times = film.times(most_s=most_s, rate_hz=FILM_RATE_HZ)
    camera = client.camera
    wxyz, position, fov = camera.wxyz, camera.position, camera.fov

    def frames() -> Iterator[Pixels]:
        for number, time_s in enumerate(times.tolist(), start=1):
            if is_stopped():
                raise Stopped
            film.show(time_s)
            yield client.get_render(size[1], size[0], wxyz=wxyz, position=position, fov=fov, timeout=PATIENCE_S)[
                ..., :3
            ]
            progress(number / len(times))

    try:
        with tempfile.TemporaryDirectory(prefix="gambol-film-") as folder:
            path = Path(folder) / "film.mp4"
            write_video(frames(), path, size, rate_hz=FILM_RATE_HZ)
            return path.read_bytes()
    finally:
        film.go_back()


def on_white(drawn: Pixels) -> Pixels:
    """Return a picture (H, W, 3 or 4) without holes: what is seen through is white."""
    if drawn.shape[2] == 3:
        return drawn
    cover = drawn[..., 3:].astype(np.float64) / 255.0
    return np.rint(cover * drawn[..., :3] + 255.0 * (1.0 - cover)).astype(np.uint8)
