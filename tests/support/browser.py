"""A real browser on a real viewer: what a test needs to look at the page and to work with it.

Tests read what the page shows, its text and its pixels, and wait for that: `wait_for_text`, `wait_until`.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from gambol.view import Viewer, bodies
from gambol.view.stage import SUN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

SIZE = {"width": 1280, "height": 800}
PATIENCE_S = 60.0  # for what comes within a second on a machine that has nothing else to do
LIST_MS = 3000.0  # for a list to drop down, before one tries again
PANEL = "[data-testid=floating-panel]"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",  # which root has none of
    "--use-angle=swiftshader",  # draw without a graphics card
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
]
# The page asks for the name of the graphics card and warns of software drawing; tests need no such notice.
NO_NOTICE = """
const ask = WebGL2RenderingContext.prototype.getExtension;
WebGL2RenderingContext.prototype.getExtension = function (name) {
  return name === "WEBGL_debug_renderer_info" ? null : ask.call(this, name);
};
"""
# Smooth edges are left out: drawing without a graphics card takes most of the time of a test.
NO_CARD = f"""{NO_NOTICE}
const open = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, options) {{
  return open.call(this, kind, {{ ...options, antialias: false }});
}};
"""
FEW_SIDES, FEW_RINGS = 5, 1  # of a part of a body: enough to see where it is


def find_chromium() -> str | None:
    """Return the program to test with: what GAMBOL_CHROMIUM names, or else the first that is installed."""
    named = os.environ.get("GAMBOL_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    program = find_chromium()
    if program is None:
        pytest.skip(f"no browser to test with: none of {', '.join(NAMES)} is installed, nor set as GAMBOL_CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser tests")
    playwright.expect.set_options(timeout=1000.0 * PATIENCE_S)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A viewer with nothing open, on a free port, in a folder of its own; without shadows and with coarse bodies."""
    for name, value in (("SIDES", FEW_SIDES), ("RINGS", FEW_RINGS), ("PLAIN", bodies.ROUGH)):
        monkeypatch.setattr(bodies, name, value)
    made = Viewer(port=0, folder=tmp_path)
    leave_out_shadows(made)
    yield made
    made.close()


def leave_out_shadows(viewer: Viewer) -> None:
    """Let pages be drawn in a fraction of the time."""
    viewer.scene.add_light_directional("/light/sun", intensity=2.4, position=SUN)


@pytest.fixture
def page(chromium: Browser, viewer: Viewer) -> Iterator[Page]:
    """A page of 1280 x 800 pixels that shows the viewer."""
    made = new_page(chromium, viewer)
    yield made
    made.context.close()


def new_page(chromium: Browser, viewer: Viewer, *, size: dict[str, int] | None = None, script: str = NO_CARD) -> Page:
    """Return a page of its own, as of another person, that shows the viewer; close its context.

    script: what is run in it first.
    """
    before = set(viewer.server.get_clients())
    page = page_at(chromium, viewer.address, size=size, script=script)
    wait_until(page, lambda: not before.issuperset(viewer.server.get_clients()), "the viewer to know of the page")
    return page


def page_at(chromium: Browser, address: str, *, size: dict[str, int] | None = None, script: str = NO_CARD) -> Page:
    """Return a page of its own that shows the viewer at an address, of which the viewer may not know yet."""
    context = chromium.new_context(viewport=size or SIZE)  # pyright: ignore[reportArgumentType]
    context.set_default_timeout(1000.0 * PATIENCE_S)
    page = context.new_page()
    page.add_init_script(script)
    page.goto(address)
    page.locator("canvas").last.wait_for()
    page.locator(PANEL).wait_for()
    return page


def open_scene(viewer: Viewer, page: Page, name: str) -> None:
    """Open a scene as the command line does, and wait until the page shows its name."""
    viewer.open(name)
    assert viewer.desk.wait(PATIENCE_S), f"{name} was not opened in {PATIENCE_S} s"
    wait_for_text(page, rf"(?m)^{re.escape(viewer.document.scene.name) if viewer.document else name}")


def panel_text(page: Page) -> str:
    """Return what the panel says: headings, labels, numbers; not what is in the fields."""
    return page.locator(PANEL).inner_text()


def wait_until(page: Page, holds: Callable[[], bool], what: str, *, within_s: float = PATIENCE_S) -> None:
    """Wait until something holds; `what` says what is waited for, should it never hold."""
    ends = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > ends:
            pytest.fail(f"waited {within_s:g} s for {what}")
        page.wait_for_timeout(30.0)


def wait_for_text(page: Page, pattern: str, *, within_s: float = PATIENCE_S) -> re.Match[str]:
    """Wait until the page, its panel or a notice, says something that a regular expression finds; return the match."""
    ends = time.monotonic() + within_s
    while (found := re.search(pattern, text := page.locator("body").inner_text())) is None:
        if time.monotonic() > ends:
            pytest.fail(f"waited {within_s:g} s for {pattern!r}; the page says:\n{text}")
        page.wait_for_timeout(30.0)
    return found


def field(page: Page, label: str) -> Locator:
    """Return the row of the panel with this label: the label and its widget."""
    name = page.locator("label:visible").filter(has_text=re.compile(rf"^\s*{re.escape(label)}\s*$")).first
    return name.locator("xpath=../../..")


def value_of(page: Page, label: str) -> str:
    """Return what is in a field: a number, a text, the chosen option."""
    return field(page, label).locator("input:visible, textarea:visible").last.input_value()


def click_button(page: Page, label: str) -> None:
    """Press a button, of its own or of a group."""
    page.get_by_role("button", name=label, exact=True).first.click()


def toggle_folder(page: Page, title: str) -> None:
    """Open a folder of the panel that is closed, or close it."""
    page.locator(PANEL).get_by_text(title, exact=True).first.click()


def set_slider(page: Page, label: str, value: float) -> None:
    """Set a slider by the number beside it."""
    type_into(page, label, f"{value:g}")


def type_into(page: Page, label: str, text: str) -> None:
    """Put a text or a number in a field."""
    box = field(page, label).locator("input:visible, textarea:visible").last
    box.fill(text)
    box.press("Tab")


def set_checkbox(page: Page, label: str, checked: bool) -> None:
    field(page, label).locator("input[type=checkbox]").set_checked(checked)


def select_option(page: Page, label: str, option: str) -> None:
    """Choose from a list that drops down; one that closes again, because what is around it moves, is opened again."""
    from playwright.sync_api import TimeoutError as TooLate

    box = field(page, label).locator("input:visible").last
    choice = page.get_by_role("option", name=option, exact=True).locator("visible=true").first

    def shown() -> bool:
        return box.input_value() == option

    def chosen() -> bool:
        if shown():
            return True
        with suppress(TooLate):
            if choice.count() == 0:
                box.click(timeout=LIST_MS)
            choice.click(timeout=LIST_MS)
            ends = time.monotonic() + LIST_MS / 1000.0
            while not shown() and time.monotonic() < ends:
                page.wait_for_timeout(30.0)
        return shown()

    wait_until(page, chosen, f"{option!r} to be chosen as {label!r}")


def drag(page: Page, start: Sequence[float], end: Sequence[float], *, steps: int = 12, let_go: bool = True) -> None:
    """Press the mouse at a pixel, move it to another in steps, and let go there unless told not to."""
    page.mouse.move(*start)
    page.mouse.down()
    for step in range(1, steps + 1):
        share = step / steps
        page.mouse.move(*(from_ + share * (to - from_) for from_, to in zip(start, end, strict=True)))
        page.wait_for_timeout(15.0)  # a hand takes its time too, and the page drops what comes faster than it draws
    if let_go:
        page.mouse.up()


def pixels(page: Page) -> NDArray[np.uint8]:
    """Return what the page looks like: (height, width, 3)."""
    return np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))


def world_to_screen(page: Page, viewer: Viewer, point: Sequence[float]) -> tuple[float, float]:
    """Return the pixel at which the page that came last shows a point of the world."""
    clients = viewer.server.get_clients()
    camera = clients[max(clients)].camera
    eye = np.asarray(camera.position)
    forward = np.asarray(camera.look_at) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, camera.up_direction)
    right /= np.linalg.norm(right)
    way = np.asarray(point, dtype=float) - eye
    size = page.viewport_size
    assert size is not None
    scale = 0.5 * size["height"] / (np.tan(0.5 * camera.fov) * (way @ forward))
    x, y = 0.5 * size["width"] + scale * (way @ right), 0.5 * size["height"] - scale * (way @ np.cross(right, forward))
    return float(x), float(y)
