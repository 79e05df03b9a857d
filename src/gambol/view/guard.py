"""Which pages may talk to the server, and how much they may send."""

from __future__ import annotations

import http
import socket
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import viser
from viser import _messages as messages
from websockets import Headers
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

Answer = Callable[[ServerConnection, Request], Response | None]
MOST_UPLOADED = 256 << 20  # bytes: one browser may have at most this much on its way; larger: more memory
LOCAL_NAME = "localhost"  # every machine's name for itself


def guarded(answer: Answer, host: str, *, only_local: bool) -> Answer:
    """Return a function that answers requests as before, and refuses pages of other sites.

    A page of another site in the same browser may call any address, but the browser states the page's origin: that
    must be the viewer itself.  A site may also point its own name at this machine, and then seems to be the viewer:
    names that are not this machine's are refused.

    host: the address that the server listens on.
    only_local: whether only this machine may ask.
    """
    names = {LOCAL_NAME} if only_local else {LOCAL_NAME, host.lower(), *own_names()}

    def answered(connection: ServerConnection, request: Request) -> Response | None:
        asked = request.headers.get_all("Host")
        origins = request.headers.get_all("Origin")
        if len(asked) != 1 or not _is_ours(asked[0], names, only_local=only_local):
            return _refusal("this viewer has another name: open the link that it printed")
        if len(origins) > 1 or any(_place(origin) != asked[0].lower() for origin in origins):
            return _refusal("pages of other sites cannot talk to this viewer")
        return answer(connection, request)

    return answered


def own_names() -> set[str]:
    """Return the names of this machine in its network."""
    short = socket.gethostname().lower()
    return {short, f"{short}.local", socket.getfqdn().lower()}


def limit_uploads(server: viser.ViserServer) -> None:
    """Limit what browsers send to `MOST_UPLOADED`; a larger file is refused, and the browser says so."""
    gui, link = server.gui, server._websock_server
    coming: dict[str, Any] = gui._current_file_upload_states

    def begin(client_id: int, message: messages.FileTransferStartUpload) -> None:
        link._broadcast_buffer.remove_from_buffer(lambda one: isinstance(one, messages.FileTransferPartAck))
        for name in [name for name, state in coming.items() if state["client_id"] not in link._live_connections]:
            del coming[name]  # its browser has left
        others = sum(state["total_bytes"] for state in coming.values() if state["client_id"] == client_id)
        if not 0 <= message.part_count <= message.size_bytes <= MOST_UPLOADED - others:
            _refuse_upload(server, client_id, message)
        elif message.transfer_uuid not in coming:
            gui._handle_file_transfer_start(client_id, message)  # pyright: ignore[reportArgumentType]

    def go_on(client_id: int, message: messages.FileTransferPart) -> None:
        state = coming.get(message.transfer_uuid)
        if state is None or state["client_id"] != client_id:
            return
        if state["transferred_bytes"] + len(message.content) > state["total_bytes"]:
            del coming[message.transfer_uuid]  # it sends more than it announced
            return
        gui._handle_file_transfer_part(client_id, message)  # pyright: ignore[reportArgumentType]

    link.unregister_handler(messages.FileTransferStartUpload)
    link.register_handler(messages.FileTransferStartUpload, begin)
    link.unregister_handler(messages.FileTransferPart)
    link.register_handler(messages.FileTransferPart, go_on)


def _refuse_upload(server: viser.ViserServer, client_id: int, message: messages.FileTransferStartUpload) -> None:
    """Tell the browser that sends a file why it is refused, and let its page stop waiting."""
    client = server.get_clients().get(client_id)
    if client is None:
        return
    text = f"{message.size_bytes:,} bytes are more than the {MOST_UPLOADED:,} that can be sent at once"
    client.add_notification("This does not work", text, color="red")
    client.gui._websock_interface.queue_message(
        messages.FileTransferPartAck(
            message.source_component_uuid, message.transfer_uuid, message.size_bytes, message.size_bytes
        )
    )


def _is_ours(asked: str, names: set[str], *, only_local: bool) -> bool:
    """Tell whether a name in a request is one of ours; a numeric address is, since no site can redirect it."""
    try:
        name = (urlsplit(f"//{asked}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name in names:
        return True
    try:
        return ip_address(name).is_loopback or not only_local
    except ValueError:
        return False


def _place(origin: str) -> str:
    """Return the name and port of a page's address; "" if it has none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _refusal(why: str) -> Response:
    body = f"{why}\n".encode()
    headers = Headers({"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))})
    return Response(http.HTTPStatus.FORBIDDEN, "Forbidden", headers, body)
