"""A study as a person takes it: in a real browser, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from evidence.study.analysis import analyse
from evidence.study.experiments import EXPERIMENTS
from evidence.study.key import read_answers, read_key
from evidence.study.study import make_study, write_study
from tests.support.browser import PATIENCE_S, pixels
from tests.support.study_cases import pools

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZE = {"width": 900, "height": 700}
PARTICIPANT = 7
CLIPS = 7


def test_somebody_rates_all_motions_and_saves_the_answers(chromium: Browser, tmp_path: Path):
    experiment = EXPERIMENTS["natural"]
    path, key_path = write_study(make_study(experiment, pools(experiment), count=CLIPS), tmp_path)
    key = read_key(key_path)
    context = chromium.new_context(viewport=SIZE, offline=True)  # pyright: ignore[reportArgumentType]
    context.set_default_timeout(1000.0 * PATIENCE_S)
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.goto(path.as_uri())
    page.locator("#number").fill(str(PARTICIPANT))
    page.get_by_role("button", name="Begin").click()
    expected = []
    for number, clip in enumerate(key.orders[PARTICIPANT - 1]):
        page.get_by_text(f"Motion {number + 1} of {CLIPS}").wait_for()
        if number == 0:
            page.get_by_role("button", name="See it again").click()  # which waits until that is allowed
        score = 8 if key.clips[clip].condition == "ours" else 6
        expected.append(score)
        button = page.get_by_role("button", name=str(score), exact=True)
        button.click(trial=True)
        if number % 2:
            page.keyboard.press(str(score))
            page.keyboard.press(str(score))  # once too often, which answers nothing
        else:
            button.click()
    with page.expect_download() as asked:
        page.get_by_role("button", name="Save the answers").click()
    asked.value.save_as(saved := tmp_path / asked.value.suggested_filename)
    page.get_by_text("You can close this page").wait_for()
    context.close()
    assert not troubles
    (answers,) = read_answers([saved], key)
    assert answers.participant == PARTICIPANT
    assert [answer.score for answer in answers.answers] == expected
    assert [answer.plays for answer in answers.answers] == [2] + [1] * (CLIPS - 1)
    assert analyse(experiment, key, [answers]).difference.mean == np.float64(2.0)


def test_the_page_shows_a_figure_that_moves_and_its_shadow(chromium: Browser, tmp_path: Path):
    experiment = EXPERIMENTS["natural"]
    path, _ = write_study(make_study(experiment, pools(experiment)), tmp_path)
    context = chromium.new_context(viewport=SIZE, offline=True)  # pyright: ignore[reportArgumentType]
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator("#number").fill("1")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="5", exact=True).click(trial=True)  # when it has ended
    box = page.locator("canvas").bounding_box()
    assert box is not None
    x, y, width, height = (round(box[name]) for name in ("x", "y", "width", "height"))
    last = pixels(page)[y : y + height, x : x + width].astype(int)
    page.evaluate("player.draw(0)")
    first = pixels(page)[y : y + height, x : x + width].astype(int)
    context.close()
    for shown in (first, last):
        red, _, blue = np.moveaxis(shown, -1, 0)
        is_body, is_shadow = red - blue > 40, (np.abs(red - 204) < 12) & (np.abs(blue - 212) < 12)
        rows = np.flatnonzero(is_body.any(axis=1))
        assert 0.5 * height < np.ptp(rows) < 0.95 * height
        assert 0.005 < is_shadow.mean() < 0.1
        assert np.flatnonzero(is_shadow.any(axis=1)).mean() > rows.mean()
    assert (np.abs(first - last).max(axis=-1) > 40).mean() > 0.01
