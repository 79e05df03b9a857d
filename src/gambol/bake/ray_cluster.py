"""Ray clusters: starting one on this machine, joining one that is there."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from gambol.bake.folders import lent, sweep
from gambol.errors import InvalidInput, MissingExtra

LOCAL = "127.0.0.1"
ANSWER_S = 5.0  # within which a cluster must answer
CLIENT = "ray://"
LONGEST_FOLDER = 40  # letters: names of sockets, which Ray has there, may have some hundred

#: Of the processes of a cluster that is started here.  By the first they listen to this machine only, on Linux too;
#: by the second those that outlive a driver that was killed soon give up looking for it.
ENVIRONMENT = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_gcs_rpc_server_reconnect_timeout_s": "5"}


def imported_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns
    try:
        import ray
    except ImportError:
        raise MissingExtra("baking on a Ray cluster", "cluster") from None
    return ray


@contextmanager
def started(workers: int) -> Iterator[None]:
    """Have a cluster on this machine, which nobody else can reach, until the end."""
    ray = imported_ray()
    constants = ray._private.ray_constants
    folder = node_folder()
    sweep(folder)
    with ExitStack() as stack:
        stack.enter_context(_environment())
        temporary = stack.enter_context(lent(folder, "ray"))
        options: dict[str, Any] = {"num_cpus": workers, "_node_ip_address": LOCAL}
        if len(str(temporary)) <= LONGEST_FOLDER:
            options["_temp_dir"] = str(temporary)  # so that nothing of it is left behind
        before, constants.ENABLE_RAY_CLUSTER = constants.ENABLE_RAY_CLUSTER, False
        try:
            ray.init("local", include_dashboard=False, log_to_driver=False, logging_level="error", **options)
        except (OSError, ValueError, RuntimeError) as error:
            ray.shutdown()
            raise InvalidInput(f"no Ray cluster can be started on this machine: {error}") from error
        finally:
            constants.ENABLE_RAY_CLUSTER = before
        try:
            yield
        finally:
            ray.shutdown()


@contextmanager
def joined(address: str) -> Iterator[None]:
    """Be part of a cluster that is there, until the end."""
    ray = imported_ray()
    if address not in ("auto", "local"):
        _check_answers(address)
    try:
        ray.init(address, log_to_driver=False, logging_level="error")
    except (OSError, ValueError, RuntimeError) as error:
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


def _check_answers(address: str) -> None:
    """Raise where nobody listens: Ray itself would go on trying for minutes."""
    host, colon, port = address.removeprefix(CLIENT).rpartition(":")
    if not (colon and port.isdecimal() and int(port) < 65_536):
        raise InvalidInput(f'the address of a Ray cluster is "auto" or like 10.0.0.1:6379, not {address!r}')
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_S).close()
    except OSError as error:
        raise InvalidInput(f"no Ray cluster at {address}: {error.strerror or error}") from None


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
