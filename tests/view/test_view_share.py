"""Sharing what is shown as files, without a browser."""

from __future__ import annotations

import base64
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
import zstandard

from gambol.errors import GambolError, InvalidInput
from gambol.view.sharing import MOST_PLACED, STARTS_STEADY_PROGRAM, Stopped, on_white, page, video
from gambol.view.tab import Film
from gambol.view.viewer import Viewer

WAIT_S = 60.0
CAMERA: Any = SimpleNamespace(
    position=np.array([4.0, -3.0, 2.0]), look_at=np.array([1.0, 0.0, 0.5]), up_direction=np.array([0.0, 0.0, 1.0]),
    fov=0.7, wxyz=np.array([1.0, 0.0, 0.0, 0.0]),
)  # fmt: skip


def messages_of(html: bytes) -> tuple[float, list[tuple[float, dict[str, Any]]]]:
    """Return how long a page's film lasts, and what the page does when."""
    found = re.search(rb'__VISER_EMBED_DATA__="([^"]+)"', html)
    assert found is not None
    inner = zstandard.ZstdDecompressor().decompressobj().decompress(base64.b64decode(found[1])[8:])
    length = int.from_bytes(inner[:8], "little")
    read = msgspec.msgpack.decode(inner[8 : 8 + length], ext_hook=lambda code, data: data)
    return read["durationSeconds"], read["messages"]


def a_film(viewer: Viewer, *, duration_s: float = 1.0, joints: int = 1) -> tuple[Film, list[float]]:
    """Return a ball that goes along, and where it was shown."""
    ball = viewer.scene.add_icosphere("/ball", 0.3)
    shown: list[float] = []

    def show(time_s: float) -> None:
        shown.append(time_s)
        ball.position = (time_s, 0.0, 0.3)

    return Film(duration_s, 0.25, joints, show), shown


def test_a_page_holds_the_scene_and_looks_from_where_the_browser_does(viewer: Viewer):
    viewer.scene.add_icosphere("/ball", 0.3)
    duration_s, messages = messages_of(page(viewer.server, CAMERA))
    assert duration_s == 0.0
    assert "/ball" in [message.get("name") for _, message in messages]
    by_type = {message["type"]: message for _, message in messages}
    assert by_type["SetCameraPositionMessage"]["position"] == pytest.approx(CAMERA.position)
    assert by_type["SetCameraLookAtMessage"]["look_at"] == pytest.approx(CAMERA.look_at)
    assert by_type["SetCameraFovMessage"]["fov"] == pytest.approx(CAMERA.fov)
    assert not any(name.startswith("Gui") for name in by_type)


def test_those_who_come_later_look_from_where_they_did_before(viewer: Viewer):
    viewer.stage.look(np.array([9.0, 8.0, 7.0]), np.zeros(3))
    fov = viewer.server.initial_camera.fov
    page(viewer.server, CAMERA)
    assert viewer.server.initial_camera.position == pytest.approx([9.0, 8.0, 7.0])
    assert viewer.server.initial_camera.fov == fov


def test_what_moves_moves_in_a_page_and_is_as_before_in_the_viewer(viewer: Viewer):
    film, shown = a_film(viewer)
    duration_s, messages = messages_of(page(viewer.server, CAMERA, film))
    assert duration_s == pytest.approx(31 / 30)
    placed = [one for one in messages if one[1]["type"] == "SetPositionMessage" and one[1]["name"] == "/ball"]
    moves = [(at_s, message["position"][0]) for at_s, message in placed]
    times = np.array([at_s for at_s, _ in moves[-31:]])
    assert times == pytest.approx(np.arange(31) / 30)
    assert np.array([x for _, x in moves[-31:]]) == pytest.approx(times)
    assert shown[-1] == film.now_s


def test_the_light_of_a_page_is_kept_steady(viewer: Viewer):
    assert page(viewer.server, CAMERA).decode().count(STARTS_STEADY_PROGRAM) == 1


def test_a_page_that_would_be_too_large_is_refused_before_it_is_made(viewer: Viewer):
    film, shown = a_film(viewer, duration_s=60.0, joints=MOST_PLACED // 100)
    with pytest.raises(InvalidInput, match=r"at most 3\.3 s"):
        page(viewer.server, CAMERA, film, most_s=60.0)
    assert shown == []


def test_a_crowd_goes_on_while_it_is_filmed(viewer: Viewer):
    viewer.desk.do(lambda: (viewer.open("doorway-1.2"), viewer.desk.keep_doing(None)))
    assert viewer.tab is not None
    film = viewer.tab.film()
    assert film is not None
    assert film.is_live
    duration_s, messages = messages_of(page(viewer.server, CAMERA, film, most_s=0.5))
    assert duration_s == pytest.approx(16 / 30)
    moved = {at_s for at_s, message in messages if "batched_positions" in message.get("updates", {})}
    assert len(moved) >= 15  # in every picture somebody moves
    later = viewer.tab.film()
    assert later is not None
    assert later.now_s == pytest.approx(film.now_s + 0.5, abs=0.05)


class PaintingClient:
    """A browser that paints plain pictures."""

    def __init__(self) -> None:
        self.camera = CAMERA
        self.painted = 0

    def get_render(self, height: int, width: int, **options: Any) -> np.ndarray:
        self.painted += 1
        return np.full((height, width, 3), self.painted % 256, dtype=np.uint8)


def test_a_film_has_a_picture_for_every_instant(viewer: Viewer, tmp_path: Path):
    film, shown = a_film(viewer)
    client: Any = PaintingClient()
    shares: list[float] = []
    (tmp_path / "film.mp4").write_bytes(video(client, film, (64, 48), progress=shares.append))
    assert client.painted == 31
    assert shares[-1] == 1.0
    assert shown[:-1] == pytest.approx(np.arange(31) / 30)
    assert shown[-1] == film.now_s
    assert (frame_count(tmp_path / "film.mp4"), frame_size(tmp_path / "film.mp4")) == (31, (64, 48))


def test_a_film_can_be_stopped(viewer: Viewer):
    film, shown = a_film(viewer)
    client: Any = PaintingClient()
    with pytest.raises(Stopped):
        video(client, film, (64, 48), is_stopped=lambda: client.painted == 5)
    assert client.painted == 5
    assert shown[-1] == film.now_s


def test_what_is_seen_through_is_white():
    drawn = np.zeros((1, 3, 4), dtype=np.uint8)
    drawn[0, :, 3] = (0, 51, 255)
    assert on_white(drawn)[0, :, 0].tolist() == [255, 204, 0]


@pytest.mark.parametrize("name", ["", "  ", "../out", "/tmp/out", "below/../../out", "a\0b", "link/out"])
def test_no_name_leads_out_of_the_folder(viewer: Viewer, tmp_path: Path, name: str):
    (tmp_path / "link").symlink_to(tmp_path.parent)
    viewer.share._name.value = name
    with pytest.raises(GambolError):
        viewer.share.path_for(".html")


def test_no_file_is_replaced(viewer: Viewer, tmp_path: Path):
    assert viewer.share.path_for(".png") == tmp_path / "gambol.png"
    (tmp_path / "gambol.png").write_text("")
    (tmp_path / "gambol-2.png").write_text("")
    assert viewer.share.path_for(".png") == tmp_path / "gambol-3.png"
    assert viewer.share.path_for(".mp4") == tmp_path / "gambol.mp4"


def frame_count(path: Path) -> int:
    from imageio_ffmpeg import count_frames_and_secs

    return count_frames_and_secs(str(path))[0] or 0


def frame_size(path: Path) -> tuple[int, int]:
    from imageio_ffmpeg import get_ffmpeg_exe

    said = subprocess.run([get_ffmpeg_exe(), "-i", str(path)], capture_output=True, text=True).stderr
    found = re.search(r" (\d+)x(\d+)[ ,]", said)
    assert found is not None
    return int(found[1]), int(found[2])
