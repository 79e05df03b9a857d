"""Browsers that come and go at random while a crowd is shown: nothing is left behind in the viewer.

Three browsers at most look at 150 characters.  Each stays for some seconds and is closed, now and then in the midst of
being dragged.  Memory and threads of the viewer are taken after the first minute, and at the end.
"""

from __future__ import annotations

import gc
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser import FLAGS, PATIENCE_S, find_chromium, new_page

from gambol.errors import InvalidInput
from gambol.view.viewer import Viewer
from soak.tally import Tally

MIB = 1 << 20
MOST_BROWSERS = 3
STAY_S = (2.0, 20.0)
SIZE = {"width": 800, "height": 500}
MOST_MB, MOST_THREADS = 64.0, 4  # that may be added from the first minute to the last


@dataclass(frozen=True)
class ViewBrowsersJob:
    """One run; what it measures is a row of the result."""

    name: str = "view-browsers"
    scene: str = "crowd-150"
    minutes: float = 10.0
    warm_up_s: float = 60.0
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
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=program, args=FLAGS)
            viewer = Viewer(port=0, folder=Path(folder))
            try:
                yield ViewBrowsersSession(self, viewer, browser)
            finally:
                viewer.close()
                browser.close()


class ViewBrowsersSession:
    """Opens and closes pages on one viewer."""

    def __init__(self, job: ViewBrowsersJob, viewer: Viewer, browser: Browser) -> None:
        self._job, self._viewer, self._browser = job, viewer, browser
        self._rng = np.random.default_rng(job.seed)
        self._open: list[tuple[float, Page]] = []  # with the time at which each leaves
        self._longest_s = 0.0  # until a page was there

    def run_chunk(self, chunk: int) -> Tally:
        begun = time.monotonic()
        viewer, job = self._viewer, self._job
        viewer.desk.leave(lambda: viewer.open(job.scene))
        assert viewer.desk.wait(PATIENCE_S), f"{job.scene} was not opened"
        visits = self._visit(job.warm_up_s)
        early = self._state()
        visits += self._visit(60.0 * job.minutes - job.warm_up_s)
        late = self._state()
        row = {
            "visits": visits,
            "longest_until_there_s": round(self._longest_s, 1),
            **{f"{name}_early": value for name, value in early.items()},
            **{f"{name}_late": value for name, value in late.items()},
        }
        broken = []
        if late["memory_mb"] - early["memory_mb"] > MOST_MB:
            broken.append(f"{late['memory_mb'] - early['memory_mb']:.0f} MB were left behind")
        if late["threads"] - early["threads"] > MOST_THREADS:
            broken.append(f"{late['threads'] - early['threads']:.0f} threads were left behind")
        failure = {"input": chunk, "error": "LeftBehind", "message": "; ".join(broken), "recipe": job.scene}
        took = time.monotonic() - begun
        return Tally(
            inputs=1, accepted=0 if broken else 1, failures=[failure] if broken else [],
            slowest_s=took, slowest_input=chunk, seconds=took, rows={job.scene: row},
        )  # fmt: skip

    def _visit(self, duration_s: float) -> int:
        """Let browsers come and go for so long; return how many came."""
        ends, visits = time.monotonic() + duration_s, 0
        while time.monotonic() < ends:
            for leaves, page in list(self._open):
                if time.monotonic() > leaves:
                    self._close(leaves, page)
            if len(self._open) < MOST_BROWSERS:
                asked = time.monotonic()
                page = new_page(self._browser, self._viewer, size=SIZE)
                self._longest_s = max(self._longest_s, time.monotonic() - asked)
                self._open.append((time.monotonic() + self._rng.uniform(*STAY_S), page))
                visits += 1
            self._open[0][1].wait_for_timeout(1000.0 * self._rng.uniform(0.2, 2.0))
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

    def _state(self) -> dict[str, float]:
        """Return what the viewer holds once all browsers are gone."""
        ends = time.monotonic() + PATIENCE_S
        while self._viewer.server.get_clients() and time.monotonic() < ends:
            time.sleep(0.1)
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return {
            "memory_mb": round(pages * os.sysconf("SC_PAGE_SIZE") / MIB, 1),
            "threads": threading.active_count(),
            "browsers": len(self._viewer.server.get_clients()),
        }
