"""Ray clusters: starting one on this machine, joining one that is there."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from gambol.errors import InvalidInput
from gambol.extras import check_extra
from gambol.files.folders import lent, sweep

LOCAL = "127.0.0.1"
ANSWER_S = 5.0  # within which a cluster must answer
TRIES = 3  # to start a cluster
CLIENT = "ray://"
SETTINGS = b"\x04"  # type of the frame by which HTTP/2 begins
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00" + SETTINGS + b"\x00" * 5
LONGEST_FOLDER = 40  # letters: names of sockets, which Ray has there, may have some hundred

#: Of the processes of a cluster that is started here: by this they listen to this machine only, on Linux too.  When a
#: driver is killed the system ends most of them with it; Ray's two agents notice by themselves, after a minute or so.
ENVIRONMENT = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}


def imported_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns
    check_extra("cluster", "baking on a Ray cluster")
    import ray

    return ray


@contextmanager
def started(workers: int) -> Iterator[None]:
    """Have a cluster on this machine, which nobody else can reach, until the end."""
    ray = imported_ray()
    folder = node_folder()
    sweep(folder)
    with ExitStack() as stack:
        stack.enter_context(_environment())
        stack.enter_context(_on_this_machine())
        temporary = stack.enter_context(lent(folder, "ray"))
        options: dict[str, Any] = {"num_cpus": workers, "_node_ip_address": LOCAL}
        if len(str(temporary)) <= LONGEST_FOLDER:
            options["_temp_dir"] = str(temporary)  # so that nothing of it is left behind
        for left in reversed(range(TRIES)):
            try:
                ray.init("local", include_dashboard=False, log_to_driver=False, logging_level="error", **options)
                break
            except Exception as error:  # where a machine is overloaded, Ray gives up with a plain one
                ray.shutdown()
                if left == 0:
                    raise InvalidInput(f"no Ray cluster can be started on this machine: {error}") from error
        try:
            yield
        finally:
            ray.shutdown()


@contextmanager
def joined(address: str) -> Iterator[None]:
    """Be part of a cluster that is there, until the end."""
    ray = imported_ray()
    with ExitStack() as stack:
        if address != "auto" and _answers_as_is(address):
            stack.enter_context(_on_this_machine())
        try:
            ray.init(address, log_to_driver=False, logging_level="error")
        except Exception as error:
            raise InvalidInput(f"no Ray cluster at {address}: {str(error).strip().splitlines()[0]}") from error
        try:
            yield
        finally:
            ray.shutdown()


def node_folder() -> Path:
    """Return where a node keeps the inputs of tasks: a folder that nobody else can write to."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"gambol-bake-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and (folder.is_symlink() or folder.lstat().st_uid != user):
        raise InvalidInput(f"{folder} belongs to somebody else: remove it, or set TMPDIR")
    return folder


def _answers_as_is(address: str) -> bool:
    """Raise where no cluster answers: Ray itself would go on trying for minutes.

    Return whether it is one that only this machine reaches: of such an address Ray makes that of the network, where
    most clusters listen.
    """
    host, colon, port = address.removeprefix(CLIENT).rpartition(":")
    if not (colon and port.isdecimal() and int(port) < 65_536):
        raise InvalidInput(f'the address of a Ray cluster is "auto" or like 10.0.0.1:6379, not {address!r}')
    here = host in (LOCAL, "localhost", "::1", "[::1]")
    others = [imported_ray().util.get_node_ip_address()] if here else []
    problems = [_why_silent(one, int(port)) for one in (host.strip("[]"), *others)]
    if all(problems):
        raise InvalidInput(f"no Ray cluster at {address}: {problems[0]}")
    return here and not problems[0]


def _why_silent(host: str, port: int) -> str:
    """Return why nobody answers as clusters do, in HTTP/2; "" if somebody does."""
    try:
        with socket.create_connection((host, port), timeout=ANSWER_S) as link:
            if os.environ.get("RAY_USE_TLS", "0") != "0":
                return ""
            link.sendall(GREETING)
            answer = link.recv(9)
        return "" if answer[3:4] == SETTINGS else "what listens there is something else"
    except OSError as error:
        return error.strerror or str(error)


@contextmanager
def _on_this_machine() -> Iterator[None]:
    """Have Ray keep to the addresses that only this machine reaches."""
    constants = imported_ray()._private.ray_constants
    before, constants.ENABLE_RAY_CLUSTER = constants.ENABLE_RAY_CLUSTER, False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = before


@contextmanager
def _environment() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update({name: value for name, value in ENVIRONMENT.items() if before[name] is None})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
