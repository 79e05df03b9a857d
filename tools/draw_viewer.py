"""Draw the pictures of the viewer: the real page in a real browser, driven as a person would.

`python -m tools.draw_viewer` draws all modes as on a laptop and on a desktop, which takes some minutes on two cores.
`--docs` writes those that the documentation shows.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright
from tests.support.browser import (
    FLAGS,
    NO_NOTICE,
    click_button,
    find_chromium,
    select_option,
    set_checkbox,
    set_slider,
    toggle_folder,
    wait_for_text,
    wait_until,
)
from tests.support.variation_walks import walk_examples
from tools.viewer_studio import SETTLE_MS, Studio, run, somebody, wait_for_rest, wait_for_time

from gambol.pictures.png import write_png
from gambol.variation.file import write_model
from gambol.variation.model import learn
from gambol.view.viewer import Viewer

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures" / "viewer"
SIZES = {"laptop": {"width": 1280, "height": 800}, "desktop": {"width": 1920, "height": 1080}}
DOCS_SIZE = "laptop"
DOCS = (
    "gallery", "plan", "plan-obstacle", "plan-no-way", "overlay-search", "overlay-tree", "overlay-swept",
    "crowd", "crowd-followed", "climb", "climb-bars", "edit-chosen", "edit-mistake", "play", "vary", "share",
)  # fmt: skip
MOST_BYTES = 100_000  # of one picture of the docs, where 256 colors do not need more
CLIMBS = (("climb", "climb-wall", 9.0), ("climb-bars", "climb-bars", 7.0), ("climb-course", "climb-course", 33.0))
CLIMBED = r"s of planning, [\d.]+ s of smoothing"
COMPILE_S = 300.0  # for kernels that have never been used
PLANNED = r"\d+ behaviors, [\d.]+ s, cost"
GOAL, SHED, CRATE = (18.0, 6.0, 0.02), (14.0, 8.0, 0.02), (7.0, 6.0, 3.0)  # in the scene "first"; the crate's top


def draw_gallery(studio: Studio) -> None:
    page, viewer = studio.page, studio.viewer
    viewer.choose()
    page.locator(".gambol-card").first.wait_for()
    for name, title in (("gallery", "Plans"), ("gallery-crowds", "Crowds"), ("gallery-climbs", "Climbs")):
        page.get_by_text(title, exact=True).click()
        wall = page.locator(".gambol-wall:visible")
        wait_until(page, lambda wall=wall: wall.locator("svg:empty").count() == 0, "all maps")
        studio.take(name)


def draw_plan(studio: Studio) -> None:
    page = studio.page
    studio.open("first")
    wait_for_text(page, PLANNED)
    studio.take("plan")
    studio.pull(GOAL, (16.0, 2.0, 0.02), let_go=False)
    studio.take("plan-drag", rests=False)
    page.mouse.up()
    wait_for_text(page, r"(?m)^first \*")
    wait_for_rest(page)
    click_button(page, "Undo")
    wait_for_rest(page)
    studio.pull(CRATE, (8.0, 4.5, CRATE[2]))
    wait_for_text(page, "Obstacle")
    set_slider(page, "Turn", 25)
    wait_for_text(page, r"(?m)^first \*")
    page.wait_for_timeout(SETTLE_MS)
    studio.take("plan-obstacle")
    for _ in range(2):
        click_button(page, "Undo")
        page.wait_for_timeout(SETTLE_MS)
    studio.pull(GOAL, SHED)
    wait_for_text(page, "goal_blocked")
    studio.take("plan-no-way")
    click_button(page, "Undo")
    wait_for_text(page, PLANNED)
    set_checkbox(page, "Walk", True)
    page.mouse.move(*studio.aside)
    page.wait_for_timeout(3000.0)
    studio.take("plan-walk", moves=True)
    set_checkbox(page, "Walk", False)
    toggle_folder(page, "Preferences")
    studio.take("plan-preferences")
    toggle_folder(page, "Preferences")
    for name in ("hills", "falling-tree"):
        studio.open(name)
        wait_for_text(page, PLANNED)
        studio.take(f"plan-{name}")


def draw_overlays(studio: Studio) -> None:
    page = studio.page
    studio.open("first")
    toggle_folder(page, "Overlays")
    wait_for_text(page, PLANNED)
    one_overlay(studio, "search", "Search tree")
    one_overlay(studio, "closed", "Closed cells")
    one_overlay(studio, "coarse", "Coarse map")
    studio.open("duck-and-jump")
    wait_for_text(page, PLANNED)
    studio.look((10.0, -7.0, 8.0), (17.0, 7.0, 0.0))
    one_overlay(studio, "swept", "Swept shapes")
    set_checkbox(page, "Behavior names", False)
    studio.open("large")
    select_option(page, "Planner", "tree")
    wait_for_text(page, r"[\d,]+ look-ups")
    one_overlay(studio, "joins", "Joins")
    studio.look((3.0, -14.0, 30.0), (23.0, 20.0, 0.0))
    one_overlay(studio, "tree", "Tree outline", "Joins", "Traced nodes")


def one_overlay(studio: Studio, name: str, *overlays: str) -> None:
    for overlay in overlays:
        set_checkbox(studio.page, overlay, True)
    studio.take(f"overlay-{name}")
    for overlay in overlays:
        set_checkbox(studio.page, overlay, False)


def draw_crowd(studio: Studio) -> None:
    page = studio.page
    studio.open("crowd-150")
    wait_for_text(page, r"characters\s+150")
    wait_for_time(page, 4.0)
    studio.take("crowd", moves=True)
    studio.look((34.0, 5.0, 14.0), (37.0, 28.0, 0.0))
    toggle_folder(page, "Plan times")
    toggle_folder(page, "On the ground")
    wait_for_time(page, 6.0)
    click_button(page, "Pause")
    wait_for_text(page, "paused")
    page.mouse.click(*studio.at(somebody(studio, (34.0, 20.0))))
    wait_for_text(page, r"· ")
    set_checkbox(page, "Routes", True)
    set_checkbox(page, "Goals", True)
    studio.take("crowd-chosen")
    set_checkbox(page, "Routes", False)
    set_checkbox(page, "Goals", False)
    set_checkbox(page, "Follow", True)
    click_button(page, "Run")
    page.wait_for_timeout(4000.0)
    click_button(page, "Pause")
    wait_for_text(page, "paused")
    studio.take("crowd-followed")
    set_checkbox(page, "Follow", False)
    studio.look((30.0, -4.0, 14.0), (35.0, 22.0, 0.0))
    toggle_folder(page, "Plan times")
    toggle_folder(page, "On the ground")
    toggle_folder(page, "Things")
    click_button(page, "Throw a ball (T)")
    for _ in range(12):
        click_button(page, "Step")
    studio.take("crowd-ball")
    toggle_folder(page, "Things")
    studio.pull((40.0, 20.0, 3.0), (34.0, 18.0, 3.0), let_go=False)
    studio.take("crowd-dragged", moves=True, rests=False)
    page.mouse.up()
    click_button(page, "Run")
    page.wait_for_timeout(3000.0)
    studio.take("crowd-around", moves=True)


def draw_climb(studio: Studio) -> None:
    page = studio.page
    for name, scene, time_s in CLIMBS:
        studio.open(scene)
        wait_for_text(page, CLIMBED, within_s=COMPILE_S)
        click_button(page, "Pause")
        page.get_by_role("button", name="Start", exact=True).wait_for()
        page.wait_for_timeout(SETTLE_MS)
        set_slider(page, "Time", time_s)
        studio.take(name)
    studio.open("climb-impossible")
    wait_for_text(page, "unreachable")
    studio.take("climb-no-way")


def draw_edit(studio: Studio) -> None:
    page = studio.page
    click_button(page, "Edit")
    studio.take("edit-new")
    studio.open("course")
    click_button(page, "Edit")
    wait_for_text(page, "Changes")
    studio.take("edit")
    studio.open("first")
    click_button(page, "Edit")
    wait_for_text(page, "Changes")
    select_option(page, "Chosen", "shed")
    studio.take("edit-chosen")
    select_option(page, "Chosen", "–")
    wait_for_rest(page)
    studio.pull((2.0, 6.0, 1.0), (6.1, 4.0, 1.0))
    wait_for_text(page, "One mistake")
    studio.take("edit-mistake")
    click_button(page, "Undo")
    studio.open("four-way")
    click_button(page, "Edit")
    wait_for_text(page, "Changes")
    studio.take("edit-crowd")
    select_option(page, "Chosen", "east-bound")
    studio.take("edit-group")


def draw_play(studio: Studio) -> None:
    page, folder = studio.page, studio.viewer.folder.path
    run("plan", "first", "-o", str(folder / "walk.bvh"))
    run("crowd", "doorway-4", "--seconds", "20", "-o", str(folder / "doorway.crowd"))
    click_button(page, "Play")
    studio.take("play-none")
    for name, file, time_s in (("play", "walk.bvh", 4.0), ("play-crowd", "doorway.crowd", 12.0)):
        click_button(page, "Look for files again")
        select_option(page, "File", file)
        wait_for_text(page, r"frame \d+ of")
        click_button(page, "Pause")
        page.get_by_role("button", name="Start", exact=True).wait_for()
        page.wait_for_timeout(SETTLE_MS)
        set_slider(page, "Time", time_s)
        studio.take(name)


def draw_share(studio: Studio) -> None:
    page = studio.page
    studio.open("hurdles")
    wait_for_text(page, PLANNED)
    toggle_folder(page, "Share")
    page.get_by_text("Film (MP4)").first.scroll_into_view_if_needed()
    studio.take("share")
    set_checkbox(page, "Moving", False)
    path = studio.viewer.folder.path / "shared.html"
    with page.expect_download() as asked:
        click_button(page, "Page (HTML)")
    asked.value.save_as(path)
    context = studio.browser.new_context(viewport=studio.size, offline=True)  # pyright: ignore[reportArgumentType]
    alone = context.new_page()
    alone.add_init_script(NO_NOTICE)
    alone.goto(path.as_uri())
    alone.locator("canvas").last.wait_for()
    alone.wait_for_timeout(2000.0)
    studio.take("share-page", page=alone)
    context.close()


def draw_vary(studio: Studio) -> None:
    page, folder = studio.page, studio.viewer.folder.path
    write_model(folder / "walk.variation", learn(walk_examples()))
    studio.viewer.open(folder / "walk.variation")
    wait_for_text(page, r"5 variants, [\d.]+")
    set_slider(page, "How many", 8)
    wait_for_text(page, r"8 variants, [\d.]+")
    click_button(page, "Pause")
    page.get_by_role("button", name="Start", exact=True).wait_for()
    page.wait_for_timeout(SETTLE_MS)
    set_slider(page, "Time", 0.35)
    studio.take("vary")
    click_button(page, "Overlaid")
    page.wait_for_timeout(SETTLE_MS)
    studio.take("vary-overlaid")


MODES: dict[str, Callable[[Studio], None]] = {
    "gallery": draw_gallery,
    "plan": draw_plan,
    "overlays": draw_overlays,
    "crowd": draw_crowd,
    "climb": draw_climb,
    "edit": draw_edit,
    "play": draw_play,
    "vary": draw_vary,
    "share": draw_share,
}


def draw(browser: Browser, mode: str, size: str, folder: Path) -> None:
    """Draw a mode in a viewer of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gambol-viewer-") as own:
        viewer = Viewer(port=0, folder=own)
        try:
            studio = Studio(browser, viewer, folder, SIZES[size])
            MODES[mode](studio)
            studio.page.context.close()
        finally:
            viewer.close()


def write_docs(folder: Path) -> None:
    """Write those pictures that the documentation shows, with fewer colors."""
    from PIL import Image

    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in DOCS:
        path = folder / f"{name}.png"
        if path.exists():
            write_png(
                np.asarray(Image.open(path).convert("RGB")),
                PICTURES / path.name,
                most_bytes=MOST_BYTES,
                keeps_rare=True,
            )
            print(f"  {PICTURES / path.name}: {(PICTURES / path.name).stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modes", nargs="*", help=f"of {', '.join(MODES)}; all by default")
    parser.add_argument("--size", choices=tuple(SIZES), help="both by default")
    parser.add_argument("-o", "--output", type=Path, default=Path("out/viewer"), help="a folder; out/viewer by default")
    parser.add_argument("--docs", action="store_true", help=f"write what the docs show to {PICTURES.relative_to(ROOT)}")
    asked = parser.parse_args()
    modes = asked.modes or list(MODES)
    if unknown := set(modes) - set(MODES):
        parser.error(f"no such mode: {', '.join(sorted(unknown))}; there are {', '.join(MODES)}")
    program = find_chromium()
    if program is None:
        parser.error("no Chromium is installed, nor set as GAMBOL_CHROMIUM")
    sizes = [DOCS_SIZE] if asked.docs else [asked.size] if asked.size else list(SIZES)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        for size in sizes:
            for mode in modes:
                print(f"{mode}, {size}", flush=True)
                draw(browser, mode, size, asked.output / size)
        browser.close()
    if asked.docs:
        write_docs(asked.output / DOCS_SIZE)


if __name__ == "__main__":
    main()
