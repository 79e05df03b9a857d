"""A crowd on its way to a browser: what a viewer's process takes, frame by frame, and what it sends."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection

import websockets

from evidence.benchmarks.as_browser import connected, unpacked
from evidence.benchmarks.timing import Row
from gambol.view import Viewer
from gambol.view.crowd.tab import RATE_HZ, CrowdTab

RUNS = (("crowd-150", 1), ("crowd-150", 3), ("square-10000", 1))  # scenes, and how many browsers
WANTED = "crowd-150"  # what must stream at full rate below half a core
WARM_UP_S, MEASURED_S = 15.0, 25.0
OPENING_S = 300.0  # at most, with compiling
ENDING_S = 30.0
HALF_A_CORE = 0.5


@dataclass(frozen=True)
class Spent:
    """Seconds of the processor, and frames of the crowd, in the viewer's process: up to now, or in a second."""

    process: float
    desk: float  # of the thread that does the work
    sending: float  # of the thread that talks to browsers
    stepping: float  # the crowd's part of the desk, on the clock
    frames: int

    def __sub__(self, other: Spent) -> Spent:
        return Spent(*(now - before for now, before in zip(vars(self).values(), vars(other).values(), strict=True)))


@dataclass
class Received:
    """What has come to a browser: in all, or in a second."""

    frames: float = 0.0  # windows of messages that place bodies
    bytes: float = 0.0


def run() -> list[Row]:
    return [_row(scene, browsers, *measure(scene, browsers=browsers)) for scene, browsers in RUNS]


def measure(
    scene: str, *, browsers: int = 1, warm_up_s: float = WARM_UP_S, measured_s: float = MEASURED_S
) -> tuple[Spent, Received]:
    """Run a scene's crowd in a process of its own; return what a second of it takes, and what comes to a browser."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=serve, args=(scene, theirs), daemon=True)
    process.start()
    try:
        if not ours.poll(OPENING_S):
            raise RuntimeError(f"{scene} was not opened in {OPENING_S:g} s")
        return asyncio.run(_listen(ours.recv(), ours, browsers, warm_up_s, measured_s))
    finally:
        ours.send("end")
        process.join(ENDING_S)


def serve(scene: str, pipe: Connection) -> None:
    """Show a scene; tell the address, then what was spent whenever that is asked for."""
    viewer = Viewer(port=0)
    viewer.open(scene)
    viewer.desk.wait(OPENING_S)
    pipe.send(viewer.address)
    while pipe.recv() == "spent":
        pipe.send(_spent(viewer))
    viewer.close()


def _spent(viewer: Viewer) -> Spent:
    tab = viewer.tab
    assert isinstance(tab, CrowdTab)
    assert tab._run is not None
    statistics = tab._run.crowd.statistics
    threads = (viewer.desk._thread, viewer.server._websock_server._server_thread)
    desk, sending = (
        time.clock_gettime(time.pthread_getcpuclockid(thread.ident)) for thread in threads if thread and thread.ident
    )
    return Spent(time.process_time(), desk, sending, sum(statistics.seconds.values()), statistics.frames)


async def _listen(
    address: str, pipe: Connection, browsers: int, warm_up_s: float, measured_s: float
) -> tuple[Spent, Received]:
    """Take all that comes, as browsers do; only the first looks what it is."""
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connected(address)) for _ in range(browsers)]
        others = [asyncio.create_task(_drain(socket)) for socket in sockets[1:]]
        await _take(sockets[0], warm_up_s)
        before, begun = _ask(pipe), time.perf_counter()
        received = await _take(sockets[0], measured_s)
        spent, passed_s = _ask(pipe) - before, time.perf_counter() - begun
        for other in others:
            other.cancel()
    per_s = Spent(*(value / passed_s for value in vars(spent).values()))
    return per_s, Received(received.frames / passed_s, received.bytes / passed_s)


def _ask(pipe: Connection) -> Spent:
    pipe.send("spent")
    return pipe.recv()


async def _drain(socket: websockets.ClientConnection) -> None:
    while True:
        await socket.recv()


async def _take(socket: websockets.ClientConnection, seconds: float) -> Received:
    """Take all that comes for some time."""
    ends, received = time.perf_counter() + seconds, Received()
    while time.perf_counter() < ends:
        data = await socket.recv()
        assert isinstance(data, bytes)
        received.bytes += len(data)
        received.frames += any("batched_positions" in message.get("updates", ()) for message in unpacked(data))
    return received


def _row(scene: str, browsers: int, spent: Spent, received: Received) -> Row:
    is_wanted = scene == WANTED
    return Row(
        f"viewer of the scene {scene} at {RATE_HZ:g} Hz, {browsers} browser{'s' if browsers > 1 else ''}",
        f"{spent.process:.2f} of a core",
        f"{HALF_A_CORE:g} of a core is wanted" if is_wanted else "",
        f"{HALF_A_CORE / spent.process:.2f}" if is_wanted else "",
        f"{spent.frames:.1f} frames a second of the crowd, {received.frames:.1f} sent with "
        f"{received.bytes / 1000.0 / max(received.frames, 1.0):.0f} kB each; the thread that works takes "
        f"{spent.desk:.2f} of a core, that which sends {spent.sending:.2f}; {spent.stepping:.2f} s of a second are "
        "the crowd's own",
    )


if __name__ == "__main__":
    for row in run():
        print(*row, sep=" | ", flush=True)
