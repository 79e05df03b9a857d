"""The server that browsers talk to: what it gives, to whom, and what it does with rubbish."""

from __future__ import annotations

import http.client
import logging
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
import viser
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from gambol.errors import InvalidInput
from gambol.view.server import address_of, check_free, is_local
from gambol.view.viewer import Viewer

PATIENCE_S = 20.0
PROTOCOL = Subprotocol(f"viser-v{viser.__version__}")


def join(viewer: Viewer, *, origin: str | None = None, protocol: str = PROTOCOL) -> ClientConnection:
    address = viewer.address.replace("http", "ws")
    where = None if origin is None else Origin(origin)
    return connect(address, subprotocols=[Subprotocol(protocol)], origin=where, max_size=None, close_timeout=0.2)


def get(viewer: Viewer, path: str) -> tuple[int, bytes]:
    """Ask for a path as it is: clients of good manners would shorten it."""
    link = http.client.HTTPConnection("127.0.0.1", viewer.server.get_port(), timeout=PATIENCE_S)
    try:
        link.putrequest("GET", path, skip_host=False)
        link.endheaders()
        answer = link.getresponse()
        return answer.status, answer.read()
    finally:
        link.close()


def test_it_says_nothing_on_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    Viewer(port=0, folder=tmp_path).close()
    assert capfd.readouterr() == ("", "")


def test_the_page_is_served(viewer: Viewer):
    status, page = get(viewer, "/")
    assert status == 200
    assert b"<html" in page.lower()


@pytest.mark.parametrize(
    "path",
    [
        "/../index.html",
        "/../../../../../../etc/passwd",
        "/%2e%2e/%2e%2e/__init__.py",
        "/..%2f..%2f__init__.py",
        "/%252e%252e/%252e%252e/__init__.py",
        "/..\\..\\__init__.py",
        "/assets/../../src/App.tsx",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/etc/passwd%00.html",
        "/secret.toml",
    ],
)
def test_no_file_outside_of_the_page_is_served(viewer: Viewer, tmp_path: Path, path: str):
    (tmp_path / "secret.toml").write_text("secret = 1")
    status, answer = get(viewer, path)
    assert status >= 400
    assert b"root:" not in answer
    assert b"secret" not in answer
    assert get(viewer, "/")[0] == 200


def test_pages_of_other_sites_are_turned_away(viewer: Viewer):
    with join(viewer, origin="http://localhost:8080") as link:
        assert link.recv(timeout=PATIENCE_S)
    for origin in ("http://elsewhere.example", "https://localhost.elsewhere.example", "null"):
        with pytest.raises(InvalidStatus, match="403"):
            join(viewer, origin=origin)


def test_nobody_can_ask_for_a_public_link(viewer: Viewer, monkeypatch: pytest.MonkeyPatch):
    asked = threading.Event()
    monkeypatch.setattr(viser.ViserServer, "request_share_url", lambda *_, **__: asked.set())
    with join(viewer) as link:
        link.recv(timeout=PATIENCE_S)
        link.send(msgspec.msgpack.encode({"type": "ShareUrlRequest"}))
        link.send(b"\xc1")  # what comes before rubbish is dealt with before the end
        _wait_for_the_end(link)
    assert not asked.wait(0.2)


RUBBISH: list[bytes | str] = [
    b"",
    b"\xc1" * 1000,
    "a text",
    b"\x93\x01\x02\x03",
    msgspec.msgpack.encode({"type": "NoSuchMessage"}),
    msgspec.msgpack.encode({"type": "GuiUpdateMessage"}),
    msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": "none", "updates": {"value": 1}}),
    msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": 3, "updates": "x"}),
    msgspec.msgpack.encode({"type": "ViewerCameraMessage", "wxyz": "x"}),
    msgspec.msgpack.encode({"type": "SceneNodeDragMessage", "name": "/plan/goal"}),
    msgspec.msgpack.encode({"type": "FileTransferPart", "content": b"x" * 1000}),
    b"\x00" * 5_000_000,
]


def test_who_sends_rubbish_harms_nobody(viewer: Viewer, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.CRITICAL, logger="websockets.server")
    with join(viewer) as other:
        other.recv(timeout=PATIENCE_S)
        for rubbish in RUBBISH:
            with join(viewer) as link:
                link.recv(timeout=PATIENCE_S)
                link.send(rubbish)
                link.send(b"\xc1")
                _wait_for_the_end(link)
        _drain(other)
        viewer.desk.leave(lambda: viewer.gui.add_markdown("still here") and None)
        assert viewer.desk.wait(PATIENCE_S)
        assert other.recv(timeout=PATIENCE_S)
    assert get(viewer, "/")[0] == 200


def test_who_speaks_another_version_or_none_is_turned_away(viewer: Viewer, capfd: pytest.CaptureFixture[str]):
    with join(viewer, protocol="viser-v0.0.1") as link, pytest.raises(ConnectionClosed):
        link.recv(timeout=PATIENCE_S)
    with socket.create_connection(("127.0.0.1", viewer.server.get_port()), timeout=PATIENCE_S) as raw:
        raw.sendall(b"\x16\x03\x01 this is no request\r\n\r\n" + b"\xff" * 4096)
        raw.settimeout(PATIENCE_S)
        while raw.recv(4096):
            pass
    assert get(viewer, "/")[0] == 200
    capfd.readouterr()


def test_who_never_reads_harms_nobody(viewer: Viewer):
    """The server keeps the last of each value for who is slow, and no more; others are not kept waiting."""
    box = viewer.scene.add_box("/box", position=(0.0, 0.0, 0.0))
    with join(viewer) as stalled, join(viewer) as other:
        other.recv(timeout=PATIENCE_S)
        _drain(other)
        for step in range(5_000):
            box.position = (float(step), 0.0, 0.0)
        started = time.monotonic()
        assert other.recv(timeout=PATIENCE_S)
        assert time.monotonic() - started < PATIENCE_S
        assert len(viewer.server._websock_server._broadcast_buffer.message_from_id) < 2000
        stalled.close()


def test_addresses():
    assert all(map(is_local, ("127.0.0.1", "localhost", "::1", "127.8.8.8")))
    assert not any(map(is_local, ("0.0.0.0", "::", "192.168.0.3", "example.com", "")))
    assert address_of("0.0.0.0", 80) == "http://127.0.0.1:80"
    assert address_of("::1", 81) == "http://[::1]:81"
    for port in (-1, 65536):
        with pytest.raises(InvalidInput, match="a port from 1 to 65535"):
            check_free("127.0.0.1", port)


def _wait_for_the_end(link: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        while True:
            link.recv(timeout=PATIENCE_S)


def _drain(link: ClientConnection) -> None:
    """Take what has been sent so far."""
    while True:
        try:
            link.recv(timeout=0.3)
        except TimeoutError:
            return
