"""The server that browsers talk to: what it gives, to whom, and what it does with rubbish."""

from __future__ import annotations

import http.client
import logging
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np
import pytest
import viser
from websockets import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request
from websockets.sync.client import connect
from websockets.sync.connection import Connection
from websockets.typing import Origin, Subprotocol

from gambol.errors import GambolError, InvalidInput
from gambol.view import guard
from gambol.view.guard import guarded
from gambol.view.server import address_of, check_free, is_local
from gambol.view.viewer import Viewer

PATIENCE_S = 20.0
PROTOCOL = Subprotocol(f"viser-v{viser.__version__}")


def join(viewer: Viewer, *, origin: str | None = None, protocol: str = PROTOCOL) -> Connection:
    address = viewer.address.replace("http", "ws")
    where = None if origin is None else Origin(origin)
    return connect(address, subprotocols=[Subprotocol(protocol)], origin=where, max_size=None, close_timeout=0.2)


def get(viewer: Viewer, path: str, *, host: str | None = None) -> tuple[int, bytes]:
    """Ask for a path as it is: clients of good manners would shorten it."""
    link = http.client.HTTPConnection("127.0.0.1", viewer.server.get_port(), timeout=PATIENCE_S)
    try:
        link.putrequest("GET", path, skip_host=host is not None)
        if host is not None:
            link.putheader("Host", host)
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
    for origin in (viewer.address, None):  # its own page, and what is no browser
        with join(viewer, origin=origin) as link:
            assert link.recv(timeout=PATIENCE_S)
    for origin in FOREIGN:
        with pytest.raises(InvalidStatus, match="403"):
            join(viewer, origin=origin)


FOREIGN = (
    "http://elsewhere.example",
    "https://localhost.elsewhere.example",
    "http://localhost:1",  # another server on this machine
    "http://127.0.0.1.elsewhere.example",
    "http://[",
    "null",
)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:{port}", 200),
        ("localhost:{port}", 200),
        ("LOCALHOST", 200),
        ("[::1]:{port}", 200),
        ("elsewhere.example:{port}", 403),  # a name of another site that leads to this machine
        ("localhost.elsewhere.example", 403),
        ("192.168.0.3", 403),  # nobody can have come here by that
        ("[", 403),
        ("", 403),
        ("localhost@elsewhere.example", 403),
    ],
)
def test_names_that_are_not_this_machines_are_turned_away(viewer: Viewer, host: str, status: int):
    assert get(viewer, "/", host=host.format(port=viewer.server.get_port()))[0] == status


def test_two_names_at_once_are_turned_away(viewer: Viewer):
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere.example\r\n\r\n"
    with socket.create_connection(("127.0.0.1", viewer.server.get_port()), timeout=PATIENCE_S) as raw:
        raw.sendall(request)
        assert b" 403 " in raw.recv(4096)


def test_in_a_network_names_of_this_machine_and_numbers_are_let_in_and_other_sites_are_not():
    def answered(host: str, origin: str | None = None) -> bool:
        headers = Headers({"Host": host})
        if origin is not None:
            headers["Origin"] = origin
        return answer(None, Request("/", headers)) is None  # pyright: ignore[reportArgumentType]

    answer = guarded(lambda *_: None, "viewer.example", only_local=False)
    for host in ("192.168.0.3:8080", "[fe80::1]:80", "viewer.example", "localhost", socket.gethostname()):
        assert answered(host)
        assert answered(host, f"http://{host}")
        assert not answered(host, "http://elsewhere.example")
    assert not answered("elsewhere.example", "http://elsewhere.example")


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
                with suppress(ConnectionClosed):  # as soon as the first is read
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


def test_no_more_is_taken_from_browsers_than_they_may_send(viewer: Viewer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guard, "MOST_UPLOADED", 1000)
    button = viewer.gui.add_upload_button("Upload")
    got: list[viser.UploadedFile] = []
    button.on_upload(lambda event: got.append(event.target.value))
    coming = viewer.server.gui._current_file_upload_states

    def start(link: Connection, name: str, size: int, parts: int) -> None:
        _send(
            link, "FileTransferStartUpload", source_component_uuid=button._impl.uuid, transfer_uuid=name, filename=name,
            mime_type="", part_count=parts, size_bytes=size,
        )  # fmt: skip

    def part(link: Connection, name: str, index: int, content: bytes) -> None:
        _send(
            link, "FileTransferPart", source_component_uuid=button._impl.uuid, transfer_uuid=name, part_index=index,
            content=content,
        )  # fmt: skip

    with join(viewer) as link, join(viewer) as other:
        for one in (link, other):
            _look(one)
        start(link, "too large", 1001, 2)
        start(link, "of parts without end", 10, 1 << 40)
        start(link, "one", 600, 2)
        start(link, "too large beside the first", 401, 1)
        part(other, "one", 0, b"of somebody else")
        start(link, "lies", 10, 10)
        part(link, "lies", 0, b"x" * 11)
        start(other, "two", 900, 2)
        part(link, "one", 0, b"a" * 300)
        _wait(lambda: "two" in coming and coming["one"]["transferred_bytes"] == 300)
        assert set(coming) == {"one", "two"}
        part(link, "one", 1, b"b" * 300)
        _wait(lambda: bool(got))
    assert got[0].content == b"a" * 300 + b"b" * 300
    _wait(lambda: not coming)  # of who has left nothing is kept


def test_who_never_reads_harms_nobody(viewer: Viewer):
    """The server keeps the last of each value for who does not read, and no more; others are not kept waiting."""
    server = viewer.server._websock_server
    kept = server._broadcast_buffer.message_from_id
    with _stalled(viewer) as stalled, join(viewer) as other:
        _look(stalled)
        _look(other)
        _wait(lambda: len(viewer.server.get_clients()) == 2)
        handle = viewer.scene.add_point_cloud("/cloud", *_cloud(0))
        before = len(kept)
        for step in range(200):  # 60 MB, of which a socket takes a part
            handle.points = _cloud(step)[0]
            viewer.server.flush()
            assert other.recv(timeout=PATIENCE_S)
        viewer.tell("a notice")
        assert len(kept) <= before + 2
        waiting = [link.transport.get_write_buffer_size() for link in server._live_connections.values()]
        assert max(waiting) < 2 * CLOUD_BYTES  # one message that is being sent
        states = server._client_state_from_id.values()
        assert max(len(state.message_buffer.message_from_id) for state in states) < 20


def test_where_one_looks_is_kept_once_for_who_never_reads(viewer: Viewer):
    server = viewer.server._websock_server
    with _stalled(viewer) as stalled:
        _look(stalled)
        _wait(lambda: bool(viewer.server.get_clients()))
        viewer.scene.add_point_cloud("/cloud", *_cloud(0, times=40))
        client = next(iter(viewer.server.get_clients().values()))
        for step in range(1000):
            client.camera.position = (float(step), 0.0, 1.0)
        states = server._client_state_from_id.values()
        assert max(len(state.message_buffer.message_from_id) for state in states) < 20


CLOUD = 25_000  # points: 300 kB of places
CLOUD_BYTES = 12 * CLOUD


def _cloud(step: int, *, times: int = 1) -> tuple[np.ndarray, np.ndarray]:
    shape = (times * CLOUD, 3)
    return np.full(shape, float(step), dtype=np.float32), np.zeros(shape, dtype=np.uint8)


def _stalled(viewer: Viewer) -> Connection:
    """Return a browser that reads what fits into small buffers, and then nothing more."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", viewer.server.get_port()))
    address = viewer.address.replace("http", "ws")
    return connect(address, sock=raw, subprotocols=[PROTOCOL], max_size=None, max_queue=1, close_timeout=0.2)


def _send(link: Connection, kind: str, **values: object) -> None:
    link.send(msgspec.msgpack.encode({"type": kind, **values}))


def _look(link: Connection) -> None:
    """Say from where one looks: then the viewer counts one in."""
    _send(
        link, "ViewerCameraMessage", wxyz=(1.0, 0.0, 0.0, 0.0), position=(0.0, 0.0, 5.0), fov=1.0, near=0.1, far=100.0,
        image_height=100, image_width=100, look_at=(0.0, 0.0, 0.0), up_direction=(0.0, 1.0, 0.0),
    )  # fmt: skip


def _wait(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_addresses():
    assert all(map(is_local, ("127.0.0.1", "localhost", "::1", "127.8.8.8")))
    assert not any(map(is_local, ("0.0.0.0", "::", "192.168.0.3", "example.com", "")))
    assert address_of("0.0.0.0", 80) == "http://127.0.0.1:80"
    assert address_of("::1", 81) == "http://[::1]:81"
    for port in (-1, 65536):
        with pytest.raises(InvalidInput, match="a port from 1 to 65535"):
            check_free("127.0.0.1", port)


def _wait_for_the_end(link: Connection) -> None:
    with suppress(ConnectionClosed):
        while True:
            link.recv(timeout=PATIENCE_S)


def _drain(link: Connection) -> None:
    """Take what has been sent so far."""
    while True:
        try:
            link.recv(timeout=0.3)
        except TimeoutError:
            return


def test_any_thread_may_open_and_choose_and_gets_what_is_wrong(viewer: Viewer):
    for _ in range(4):
        viewer.open("course")
        assert viewer.document is not None
        assert viewer.document.scene.name == "course"
        assert viewer.tab is not None
        viewer.select("Edit")
        assert viewer.tab.title == "Edit"
    with pytest.raises(GambolError, match="no-such-scene"):
        viewer.open("no-such-scene")
    assert viewer.document is not None
    assert viewer.document.scene.name == "course"
