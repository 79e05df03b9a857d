"""From a drag message that comes to the viewer to the message with the new way, in the world of 70 x 70 m."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Literal

import websockets
from viser import _messages as messages

from evidence.benchmarks.as_browser import connected, say, unpacked
from evidence.benchmarks.timing import Row
from gambol.view import Viewer
from gambol.view.plan.tab import PlanTab

SCENE, PLANNER = "large", "tree"
GATE_MS = 30.0
WARM_UP, MEASURED = 30, 150  # drag messages of each kind
EVERY_S = 1.0 / 20.0  # a hand's message, at least so long after the one before
OPENING_S = 300.0
LINE = "/plan/way/line"
Place = tuple[float, float, float]


def run() -> list[Row]:
    rows = []
    for what, (took_ms, round_ms) in measure().items():
        median = statistics.median(took_ms)
        rows.append(
            Row(
                f"{what} dragged in the scene {SCENE}, planner {PLANNER}: from message to way",
                f"{median:.1f} ms",
                f"{GATE_MS:g} ms",
                f"{GATE_MS / median:.2f}",
                f"median of {len(took_ms)}; 9 of 10 below {_ninetieth(took_ms):.1f} ms; there and back over a socket, "
                f"with packing: {statistics.median(round_ms):.1f} ms",
            )
        )
    return rows


def measure() -> dict[str, tuple[list[float], list[float]]]:
    """Return the milliseconds that the viewer took, and those until a browser heard, by what was dragged."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        if not ours.poll(OPENING_S):
            raise RuntimeError(f"{SCENE} was not opened in {OPENING_S:g} s")
        return asyncio.run(_drag_all(ours.recv(), ours))
    finally:
        ours.send("end")
        process.join(30.0)


def serve(pipe: Connection) -> None:
    """Show the scene with its planner; tell where things are, then all times since they were last asked for."""
    viewer = Viewer(port=0)
    viewer.open(SCENE)
    viewer.desk.wait(OPENING_S)
    tab = viewer.tab
    assert isinstance(tab, PlanTab)
    tab._planner.value = PLANNER
    viewer.desk.leave(tab._plan)
    viewer.desk.wait(OPENING_S)
    took_ms = _listen_to(tab)
    problem = tab._problem
    assert problem is not None
    goal, obstacle = problem.goal, problem.world.obstacles[len(problem.world.obstacles) // 2]
    x, y, _ = obstacle.pose
    things = {
        "goal": ("/plan/marks/goal", (goal.x, goal.y, 0.04)),
        "start": ("/plan/marks/start", (problem.start[0], problem.start[1], 0.04)),
        "obstacle": (f"/world/obstacles/{obstacle.name}", (x, y, obstacle.top_m)),
    }
    pipe.send((viewer.address, things))
    while pipe.recv() == "took":
        pipe.send(list(took_ms))
        took_ms.clear()
    viewer.close()


def _listen_to(tab: PlanTab) -> list[float]:
    """Return a list that fills with the time from each drag message until its way has been handed to the socket."""
    took_ms: list[float] = []
    way = tab._present

    def present(plan: Any, asked: float | None = None) -> None:
        flush = tab.viewer.server.flush

        def flushed() -> None:
            flush()
            if asked is not None:
                took_ms.append(1000.0 * (time.perf_counter() - asked))

        tab.viewer.server.flush = flushed
        try:
            way(plan, asked)
        finally:
            tab.viewer.server.flush = flush

    tab._present = present
    return took_ms


async def _drag_all(told: tuple[str, dict[str, tuple[str, Place]]], pipe: Connection) -> dict[str, Any]:
    address, things = told
    found = {}
    async with connected(address) as socket:
        for what, (node, place) in things.items():
            await _drag(socket, node, place, WARM_UP)
            pipe.send("took")
            pipe.recv()
            round_ms = await _drag(socket, node, place, MEASURED)
            pipe.send("took")
            found[what] = pipe.recv(), round_ms
    return found


async def _drag(socket: websockets.ClientConnection, node: str, place: Place, count: int) -> list[float]:
    """Drag a thing to and fro; return how long it took until each new way came."""
    took_ms = []
    await say(socket, _message("start", node, place, place))
    for number, moved in zip(range(count), _places(place), strict=False):
        begun = time.perf_counter()
        await say(socket, _message("update", node, place, moved))
        while LINE not in _names(await socket.recv()):
            pass
        took_ms.append(1000.0 * (time.perf_counter() - begun))
        await _listen_for(socket, EVERY_S - (time.perf_counter() - begun))
        if number == count - 1:
            await say(socket, _message("end", node, place, moved))
            await _listen_for(socket, 1.5)  # what is done when a hand rests
    return took_ms


async def _listen_for(socket: websockets.ClientConnection, seconds: float) -> None:
    """Take all that comes for some time."""
    ends = time.perf_counter() + seconds
    while (left := ends - time.perf_counter()) > 0.0:
        try:
            await asyncio.wait_for(socket.recv(), left)
        except TimeoutError:
            return


def _places(place: Place) -> Iterator[Place]:
    """Yield places up to 1.5 m to the side of one, to and fro."""
    number = 0
    while True:
        number += 1
        aside = 0.1 * (15 - abs(number % 60 - 30))
        yield place[0] + aside, place[1] + 0.5 * aside, place[2]


def _names(data: bytes | str) -> set[str]:
    assert isinstance(data, bytes)
    return {message.get("name", "") for message in unpacked(data)}


def _message(
    phase: Literal["start", "update", "end"], node: str, start: Place, end: Place
) -> messages.SceneNodeDragMessage:
    return messages.SceneNodeDragMessage(phase, node, None, start, (0.5, 0.5), end, (0.5, 0.5), "left", None)


def _ninetieth(values: list[float]) -> float:
    return statistics.quantiles(values, n=10)[-1]


if __name__ == "__main__":
    for row in run():
        print(*row, sep=" | ", flush=True)
