"""A viewer and a page that shows it, to take pictures of."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page
from tests.support.browser import (
    NO_NOTICE,
    PATIENCE_S,
    drag,
    new_page,
    open_scene,
    pixels,
    wait_for_text,
    wait_until,
    world_to_screen,
)
from typer.testing import CliRunner

from gambol.cli.app import app
from gambol.view.crowd.tab import CrowdTab
from gambol.view.viewer import Viewer

STEADY_S = 8.0  # after which a picture is taken though something still changes
SETTLE_MS = 1500.0  # for the page to catch up with a hand
WAIST_M = 0.95

Point = tuple[float, float, float]


class Studio:
    """A viewer, a page that shows it, and the pictures that are taken of the page."""

    def __init__(self, browser: Browser, viewer: Viewer, folder: Path, size: dict[str, int]) -> None:
        self.browser, self.viewer, self.folder, self.size = browser, viewer, folder, size
        self.page = new_page(browser, viewer, size=size, script=NO_NOTICE)
        self.aside = (12.0, size["height"] - 12.0)  # where the mouse points at nothing

    def open(self, name: str) -> None:
        open_scene(self.viewer, self.page, name)

    def at(self, point: Point) -> tuple[float, float]:
        return world_to_screen(self.page, self.viewer, point)

    def pull(self, start: Point, end: Point, *, let_go: bool = True) -> None:
        """Drag what is at one place of the world to another, slowly: pages without a graphics card are slow too."""
        drag(self.page, self.at(start), self.at(end), steps=80, let_go=False)
        self.page.wait_for_timeout(SETTLE_MS)
        if let_go:
            self.page.mouse.up()

    def look(self, eye: Point, at: Point) -> None:
        """Look from one place to another."""
        self.viewer.desk.leave(lambda: self.viewer.stage.look(np.array(eye), np.array(at)))
        assert self.viewer.desk.wait(PATIENCE_S)
        client = max(self.viewer.server.get_clients().items())[1]
        wait_until(self.page, lambda: bool(np.allclose(client.camera.position, eye, atol=0.01)), "another view")

    def take(self, name: str, *, page: Page | None = None, moves: bool = False, rests: bool = True) -> None:
        """Take a picture.  moves: what is shown never stands still; rests: the mouse points at nothing."""
        shown = page or self.page
        if rests:
            shown.mouse.move(*self.aside)
        if not moves:
            wait_for_rest(shown)
        shown.screenshot(path=self.folder / f"{name}.png")
        print(f"  {name}", flush=True)


def wait_for_rest(page: Page) -> None:
    """Wait until nothing changes any more, but not for ever."""
    before, ends = pixels(page), time.monotonic() + STEADY_S
    while time.monotonic() < ends:
        page.wait_for_timeout(400.0)
        now = pixels(page)
        if (now == before).all():
            return
        before = now


def wait_for_time(page: Page, time_s: float) -> None:
    """Wait until so much time has passed for a crowd."""
    wait_until(page, lambda: float(wait_for_text(page, r"time\s+([\d.]+) s")[1]) >= time_s, f"{time_s:g} s to pass")


def somebody(studio: Studio, near: Sequence[float]) -> Point:
    """Return where the one who is nearest to a place is."""
    tab = studio.viewer.tab
    assert isinstance(tab, CrowdTab)
    assert tab._run is not None
    places = np.concatenate([figures.positions[:, 0] for figures in tab._run.poses()])
    x, y, _ = places[np.argmin(np.linalg.norm(places[:, :2] - near, axis=1))]
    return float(x), float(y), WAIST_M


def run(*words: str) -> None:
    """Run a command of gambol."""
    done = CliRunner().invoke(app, words)
    assert done.exit_code in (0, 1), done.output
