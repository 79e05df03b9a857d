"""Browsers that come and go at random while a crowd is shown: nothing is left behind in the viewer.

Three browsers at most look at 150 characters.  Each stays for some seconds and is closed, now and then in the midst of
being dragged.  The viewer is a process of its own.  What it holds is counted after a while, and some times after that,
while nobody looks: memory, threads, open files, and what its server keeps of browsers and for browsers.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import viser
from playwright.sync_api import Browser, Page, sync_playwright
from tests.support.browser import FLAGS, PATIENCE_S, find_chromium, leave_out_shadows, page_at

from evidence.soak.tally import Tally
from gambol.errors import InvalidInput
from gambol.view import Viewer

MIB = 1 << 20
MOST_BROWSERS = 3
OPENING_S = 300.0  # at most, with compiling
LEAST_VISITS = 3  # before anything is counted, however slow the machine
SIZE = {"width": 800, "height": 320}  # small, so that pages without a graphics card are drawn at all
#: What may be added from the first minute to the last.  A crowd that runs remembers what it did, which takes memory.
#: Threads are those of a pool, which fills by and by; the last browser that left may not have been forgotten yet.
MOST_ADDED = {"memory_mb": 16.0, "threads": 4, "files": 4, "browsers": 0, "handles": 1, "messages": 10, "tasks": 4}


@dataclass(frozen=True)
class ViewBrowsersJob:
    """One run; what it measures is a row of the result."""

    name: str = "view-browsers"
    scene: str = "crowd-150"
    minutes: float = 10.0
    warm_up_s: float = 150.0  # until all that is ever shown has been, and queues have been as long as they get
    looks: int = 4  # at what is held, after the warm-up
    stay_s: tuple[float, float] = (2.0, 20.0)  # at least and at most
    seed: int = 1

    @property
    def summary(self) -> str:
        return "browsers come and go while a crowd is shown, and leave neither memory nor threads behind"

    @property
    def chunk_count(self) -> int:
        return 1

    @property
    def facts(self) -> dict[str, Any]:
        return {"job": self.name, "inputs_planned": 1, "scene": self.scene, "minutes": self.minutes, "seed": self.seed}

    @contextmanager
    def session(self) -> Iterator[ViewBrowsersSession]:
        program = find_chromium()
        if program is None:
            raise InvalidInput("no Chromium is installed, nor set as GAMBOL_CHROMIUM")
        with ViewerProcess(self.scene) as viewer, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=program, args=FLAGS)
            try:
                yield ViewBrowsersSession(self, viewer, browser)
            finally:
                browser.close()


class ViewerProcess:
    """A viewer that shows a scene, in a process of its own; use it in a `with` statement."""

    def __init__(self, scene: str) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(scene, theirs), daemon=True)

    def __enter__(self) -> ViewerProcess:
        self._process.start()
        self.address: str = self._answer(OPENING_S)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.is_alive():
            self._pipe.send("end")
        self._process.join(PATIENCE_S)

    def held(self) -> dict[str, float]:
        """Return what the viewer holds once all browsers are gone."""
        self._pipe.send("held")
        return self._answer(2.0 * PATIENCE_S)

    def _answer(self, within_s: float) -> Any:
        if not self._pipe.poll(within_s):
            raise RuntimeError(f"the viewer did not answer in {within_s:g} s")
        return self._pipe.recv()


def _serve(scene: str, pipe: Connection) -> None:
    """Show a scene; tell the address, then what is held whenever that is asked for."""
    with tempfile.TemporaryDirectory() as folder:
        viewer = Viewer(port=0, folder=Path(folder))
        leave_out_shadows(viewer)
        viewer.open(scene)
        assert viewer.desk.wait(OPENING_S), f"{scene} was not opened"
        pipe.send(viewer.address)
        while pipe.recv() == "held":
            pipe.send(_held(viewer))
        viewer.close()


def _held(viewer: Viewer) -> dict[str, float]:
    server = viewer.server
    link = server._websock_server
    ends = time.monotonic() + PATIENCE_S
    while (server.get_clients() or link._live_connections) and time.monotonic() < ends:
        time.sleep(0.1)
    gc.collect()
    give_back_memory()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "memory_mb": round(pages * os.sysconf("SC_PAGE_SIZE") / MIB, 1),
        "threads": threading.active_count(),
        "files": sum(1 for _ in Path("/proc/self/fd").iterdir()),
        "browsers": len(server.get_clients()) + len(link._live_connections) + len(link._client_state_from_id),
        "handles": sum(isinstance(thing, viser.ClientHandle) for thing in gc.get_objects()),
        "messages": len(link._broadcast_buffer.message_from_id),
        "tasks": len(asyncio.all_tasks(link._background_event_loop)),
    }


def give_back_memory() -> None:
    """Give what has been freed back to the system, where that can be done: what is left is what is held."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


class ViewBrowsersSession:
    """Opens and closes pages on one viewer."""

    def __init__(self, job: ViewBrowsersJob, viewer: ViewerProcess, browser: Browser) -> None:
        self._job, self._viewer, self._browser = job, viewer, browser
        self._rng = np.random.default_rng(job.seed)
        self._open: list[tuple[float, Page]] = []  # with the time at which each leaves
        self._longest_s = 0.0  # until a page was there

    def run_chunk(self, chunk: int) -> Tally:
        begun = time.monotonic()
        viewer, job = self._viewer, self._job
        visits = self._visit(job.warm_up_s)
        states = [viewer.held()]
        for _ in range(job.looks):
            visits += self._visit((60.0 * job.minutes - job.warm_up_s) / job.looks)
            states.append(viewer.held())
        early, late = states[0], states[-1]
        row = {
            "visits": visits,
            "longest_until_there_s": round(self._longest_s, 1),
            **{name: [state[name] for state in states] for name in early},
        }
        broken = [
            f"{late[name] - early[name]:g} of {name} were left behind"
            for name, most in MOST_ADDED.items()
            if late[name] - early[name] > most
        ]
        failure = {"input": chunk, "error": "LeftBehind", "message": "; ".join(broken), "recipe": job.scene}
        took = time.monotonic() - begun
        return Tally(
            inputs=1, accepted=0 if broken else 1, failures=[failure] if broken else [],
            slowest_s=took, slowest_input=chunk, seconds=took, rows={job.scene: row},
        )  # fmt: skip

    def _visit(self, duration_s: float) -> int:
        """Let browsers come and go for so long; return how many came."""
        ends, visits = time.monotonic() + duration_s, 0
        while time.monotonic() < ends or visits < LEAST_VISITS:
            for leaves, page in list(self._open):
                if time.monotonic() > leaves:
                    self._close(leaves, page)
            if len(self._open) < MOST_BROWSERS:
                asked = time.monotonic()
                page = page_at(self._browser, self._viewer.address, size=SIZE)
                self._longest_s = max(self._longest_s, time.monotonic() - asked)
                self._open.append((time.monotonic() + self._rng.uniform(*self._job.stay_s), page))
                visits += 1
            self._open[0][1].wait_for_timeout(100.0 * self._rng.uniform(*self._job.stay_s))
        for leaves, page in list(self._open):
            self._close(leaves, page)
        return visits

    def _close(self, leaves: float, page: Page) -> None:
        if self._rng.random() < 0.3:
            page.mouse.move(200, 200)
            page.mouse.down()
            page.mouse.move(220, 230)
        page.context.close()
        self._open.remove((leaves, page))
