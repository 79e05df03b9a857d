"""The tab "Vary" in a browser: models, their inputs and variants, learning and saving."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.support.browser import (
    click_button,
    open_scene,
    panel_text,
    pixels,
    select_option,
    set_checkbox,
    set_slider,
    toggle_folder,
    type_into,
    value_of,
    wait_for_text,
    wait_until,
)
from tests.support.variation_walks import walk_examples, walks

from gambol.files import read_motion, write_motion
from gambol.variation import learn, write_model
from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

BESIDE_PANEL = 900  # columns


@pytest.fixture
def varying(viewer: Viewer, page: Page, tmp_path: Path) -> Page:
    """A page on which a model is open, and stands still."""
    write_model(tmp_path / "walk.variation", learn(walk_examples()))
    open_scene(viewer, page, "first")
    click_button(page, "Vary")
    wait_for_text(page, "Open a model")
    select_option(page, "Model", "walk.variation")
    wait_for_text(page, r"4 inputs, .*\n5 variants")
    set_slider(page, "How many", 2)
    wait_for_text(page, "2 variants")
    click_button(page, "Pause")
    page.get_by_role("button", name="Start", exact=True).wait_for()
    return page


def colored(page: Page) -> tuple[int, int]:
    """Return how many pixels are blue, as inputs are, and yellow, as variants are."""
    red, _, blue = np.moveaxis(pixels(page)[:, :BESIDE_PANEL].astype(int), -1, 0)
    return int((blue - red > 25).sum()), int((red - blue > 25).sum())


def test_inputs_and_variants_are_shown_taken_away_made_anew_and_saved(varying: Page, tmp_path: Path):
    wait_until(varying, lambda: min(colored(varying)) > 500, "inputs and variants")
    assert "registered, learned from 4 cycles" in panel_text(varying)
    set_checkbox(varying, "Inputs", False)
    wait_until(varying, lambda: colored(varying)[0] < 100 < colored(varying)[1], "variants alone")
    set_checkbox(varying, "Inputs", True)
    set_checkbox(varying, "Variants", False)
    wait_until(varying, lambda: colored(varying)[1] < 100 < colored(varying)[0], "inputs alone")
    click_button(varying, "Others")  # and what is made and saved now are mean motions
    wait_until(varying, lambda: value_of(varying, "Seed") == "3", "the next seeds")
    set_slider(varying, "Amount", 0)
    toggle_folder(varying, "Save")
    type_into(varying, "File name", "mean")

    def saved() -> bool:  # once the variants of this amount are there
        for path in tmp_path.glob("mean-*.bvh"):
            path.unlink()
        click_button(varying, "Save the variants")
        wait_until(varying, lambda: (tmp_path / "mean-004.bvh").exists(), "files")
        wait_for_text(varying, "saved as mean-003.bvh, mean-004.bvh")
        one, other = (read_motion(tmp_path / f"mean-{seed:03d}.bvh").motion for seed in (3, 4))
        return one.frame_count == other.frame_count and bool(np.allclose(one.rotations, other.rotations, atol=1e-4))

    wait_until(varying, saved, "the mean motion, twice")
    click_button(varying, "Plan")
    wait_for_text(varying, r"behaviors, [\d.]+ s, cost")


def test_a_model_is_learned_from_motions_of_the_folder(viewer: Viewer, page: Page, tmp_path: Path):
    for number, item in enumerate(walks(2, seed=3)):
        write_motion(tmp_path / f"walk {number}.bvh", item.motion)
    open_scene(viewer, page, "first")
    click_button(page, "Vary")
    wait_for_text(page, "Open a model")
    toggle_folder(page, "Learn a model")
    for number in range(2):
        select_then_wait(page, f"walk {number}.bvh")
    click_button(page, "Learn")
    wait_for_text(page, "learned from 2 cycles")
    wait_for_text(page, r"2 inputs, .*\n5 variants")
    type_into(page, "Motions", "../other.bvh 'walk 1.bvh'")
    click_button(page, "Learn")
    wait_for_text(page, "outside of the folder")


def select_then_wait(page: Page, name: str) -> None:
    """Add a motion to those to be learned from; the list goes back to nothing when it is added."""
    row = page.locator("label:visible").filter(has_text="Add a motion").first.locator("xpath=../../..")
    row.locator("input:visible").last.click()
    page.get_by_role("option", name=name, exact=True).locator("visible=true").first.click()
    wait_until(page, lambda: name in value_of(page, "Motions"), f"{name} among those to be learned from")
