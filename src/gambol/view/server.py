"""The server that browsers talk to: where it listens, and to whom."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

import rich
import viser
import websockets.asyncio.server as websocket_server
from viser import _messages as messages

from gambol.errors import InvalidInput
from gambol.view.guard import Answer, guarded, limit_uploads

LOCAL = "127.0.0.1"  # the address that only this machine reaches
HIGHEST_PORT = 65535  # the highest port number there is
_starting = threading.Lock()  # held while `serve` of the library is replaced


def is_local(host: str) -> bool:
    """Tell whether only this machine can reach an address."""
    with contextlib.suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def address_of(host: str, port: int) -> str:
    """Return the link to a server; a server that listens on all addresses is reached at the local one."""
    if host in ("0.0.0.0", "::", ""):
        host = LOCAL
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def start_server(host: str, port: int) -> viser.ViserServer:
    """Start a server; a port in use is an error.  port: 0 takes any free port.

    It refuses pages of other sites, limits what browsers send, and makes no public link to itself.
    """
    check_free(host, port)
    with _starting, _quietly():
        serve = websocket_server.serve

        def serve_guarded(*arguments: Any, process_request: Answer, **options: Any) -> Any:
            answer = guarded(process_request, host, only_local=is_local(host))
            return serve(*arguments, process_request=answer, **options)

        websocket_server.serve = serve_guarded  # pyright: ignore[reportAttributeAccessIssue]
        try:
            server = viser.ViserServer(host=host, port=port, label="Gambol", verbose=False)
        finally:
            websocket_server.serve = serve
    if port not in (0, server.get_port()):  # the port was taken meanwhile, and the library tried the next
        stop_server(server)
        raise _taken(host, port)
    for kind in (messages.ShareUrlRequest, messages.ShareUrlDisconnect):
        server._websock_server.unregister_handler(kind)
    limit_uploads(server)
    return server


def stop_server(server: viser.ViserServer) -> None:
    with _quietly():
        server.stop()


def check_free(host: str, port: int) -> None:
    """Raise an error that says why, if no server can listen there."""
    if not 0 <= port <= HIGHEST_PORT:
        raise InvalidInput(f"expected a port from 1 to {HIGHEST_PORT}, not {port}")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise InvalidInput(f"{host!r} is no address of this machine") from None
    for family, _, _, _, address in found:
        try:
            socket.create_server(address, family=family).close()
        except PermissionError:
            raise InvalidInput(f"port {port} needs special rights: choose a port from 1024 on with --port") from None
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise _taken(host, port) from None
            raise InvalidInput(f"cannot listen on {host} port {port}: {error.strerror}") from None


def _taken(host: str, port: int) -> InvalidInput:
    return InvalidInput(f"port {port} of {host} is in use: choose another with --port, or end the program that uses it")


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Keep the server from writing to the terminal."""
    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
