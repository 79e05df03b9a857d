"""Variants as a script makes them: settings, clips, a performance, files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.variation_walks import walks

from gambol.errors import InvalidInput, MissingExtra
from gambol.files import write_motion
from gambol.stages import VaryStage
from gambol.variation import read_model


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("walks")
    for item in walks(4):
        write_motion(folder / f"{item.name}.bvh", item.motion)
    return sorted(str(path) for path in folder.iterdir())


def test_a_script_makes_variants_and_writes_them(clips: list[str], tmp_path: Path):
    performance = VaryStage(count=2, seed=3, constrain=False).run(clips)
    assert performance.is_clean
    assert list(performance.motions) == ["variant_003", "variant_004"]
    assert "2 variants" in performance.describe()
    saved = performance.save(tmp_path / "out", form="glb", model_file=tmp_path / "m.variation", plots=False)
    names = ["variant_003.glb", "variant_004.glb", "report.json", "report.txt", "m.variation"]
    assert [path.name for path in saved.files] == names
    (again,) = read_model(tmp_path / "m.variation").samples([4], constrain=False)
    assert (again.motion.rotations == performance.motions["variant_004"].rotations).all()


def test_without_the_extra_for_pictures_plots_are_left_out_unless_asked_for(
    clips: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gambol.extras.find_spec", lambda _: None)
    performance = VaryStage(count=1, constrain=False).run(clips)
    saved = performance.save(tmp_path / "out")
    assert [path.name for path in saved.files] == ["variant_000.bvh", "report.json", "report.txt"]
    assert "gambol[pictures]" in " ".join(saved.skipped)
    for wish in ({"plots": True}, {"video": True}):
        with pytest.raises(MissingExtra, match=r"gambol\[pictures\]"):
            performance.save(tmp_path / "other", **wish)
    assert not (tmp_path / "other").exists()


def test_settings_that_cannot_be_are_refused_at_once():
    for wrong in ({"count": 0}, {"rate_hz": 0.0}, {"amount": 4.0}, {"stream_s": 2.0, "of": "walk.bvh"}):
        with pytest.raises(InvalidInput):
            VaryStage(**wrong)
