"""Pictures of variation: what is drawn is there, and what is chosen to be drawn is what varies."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.support.variation_walks import walk_examples

from gambol.errors import InvalidInput, UnknownName
from gambol.pictures.variation_graph import correlation_graph, draw_links, side_of, strongest
from gambol.pictures.variation_plots import choose_numbers, screening_plot, variation_plots
from gambol.pictures.variation_poses import motion_color, overlaid_poses
from gambol.pictures.variation_video import side_by_side
from gambol.variation import Judged, Links, Screening, VariationModel, learn, links_of, principal_directions
from gambol.variation.encoding import ROOT_COUNT


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures that take less time to draw; what is in them is the same."""
    monkeypatch.setattr("gambol.pictures.variation_video.CELL_PX", 96)


@cache
def model() -> VariationModel:
    return learn(walk_examples(4))


def colors_in(path: Path) -> int:
    with Image.open(path) as picture:
        assert min(picture.size) > 200
        return len(np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0))


@pytest.mark.slow
def test_plots_show_wide_numbers_of_unlike_joints(tmp_path: Path):
    examples = model().examples
    encoding = examples.encoding
    chosen = choose_numbers(encoding, examples.values)
    shown = [*chosen.over_time, *chosen.pairs[0], *chosen.pairs[1]]
    assert min(shown) >= ROOT_COUNT
    for one, other in (chosen.over_time, *chosen.pairs):
        assert encoding.joints[one] != encoding.joints[other]
    variation_plots(tmp_path / "p.png", encoding, examples.values[:2], examples.values[2:], title="walks")
    assert colors_in(tmp_path / "p.png") > 20
    name = encoding.names[ROOT_COUNT]
    assert choose_numbers(encoding, examples.values, (name, name)).over_time == (ROOT_COUNT, ROOT_COUNT)
    with pytest.raises(UnknownName, match="degree of freedom"):
        choose_numbers(encoding, examples.values, ("LeftArm q", name))


def test_principal_directions_keep_what_they_say():
    examples = model().examples
    parts = principal_directions(examples.encoding, examples.values)
    assert float(parts.energies.sum()) == pytest.approx(1.0)
    assert np.all(np.diff(parts.energies) <= 1e-12)
    together = np.concatenate(examples.values)
    needed = parts.needed(0.99)
    assert parts.kept(together, needed) >= 0.99 > parts.kept(together, needed - 1)
    np.testing.assert_allclose(parts.directions @ parts.directions.T, np.eye(len(parts.directions)), atol=1e-9)
    places = parts.project(together, 3)
    np.testing.assert_allclose(places.mean(axis=0), 0.0, atol=1e-9)


def test_poses_are_laid_over_each_other_each_motion_in_its_color(tmp_path: Path):
    motions = [item.motion for item in model().examples.items]
    overlaid_poses(tmp_path / "o.png", [("inputs", motions[:2]), ("none", [])], phases=(0.2, 0.7), width_px=420)
    assert colors_in(tmp_path / "o.png") > 100
    colors = np.array([motion_color(number) for number in range(15)])
    apart = np.linalg.norm(colors[:, None] - colors[None], axis=-1) + 9.0 * np.eye(15)
    assert apart.min() > 0.05
    with pytest.raises(InvalidInput, match="shares of their time"):
        overlaid_poses(tmp_path / "x.png", [("inputs", motions)], phases=(1.5,))
    with pytest.raises(InvalidInput, match="need motions"):
        overlaid_poses(tmp_path / "x.png", [])


def test_links_of_deviations_are_correlations(tmp_path: Path):
    found = links_of(model())
    assert not found.directed
    np.testing.assert_allclose(found.strength, found.strength.T)
    np.testing.assert_allclose(np.diag(found.strength), 1.0)
    assert np.abs(found.strength).max() <= 1.0 + 1e-9
    correlation_graph(tmp_path / "g.png", model())
    assert colors_in(tmp_path / "g.png") > 20


def test_links_of_a_network_are_its_parents(tmp_path: Path):
    examples = model().examples
    count = examples.encoding.count
    transition = np.tile(np.eye(count, dtype=bool), 2)
    child, parent = (examples.encoding.names.index(name) for name in ("LeftArm y", "RightUpLeg y"))
    transition[child, count + parent] = True

    class Sampler:
        def as_arrays(self) -> tuple[dict[str, np.ndarray], dict[str, object]]:
            return {"transition": transition}, {}

    found = links_of(VariationModel("paper", examples, Sampler()))  # pyright: ignore[reportArgumentType]
    assert found.directed
    assert [(found.joints[a], found.joints[b]) for a, b in strongest(found)] == [("LeftArm", "RightUpLeg")]
    draw_links(tmp_path / "g.png", found)
    assert colors_in(tmp_path / "g.png") > 5


def test_sides_are_told_by_names_of_any_program():
    names = ("LeftArm", "r_arm", "lfemur", "RHipJoint", "Spine", "mixamorig:RightLeg", "Legs")
    assert [side_of(name) for name in names] == ["left", "trunk", "left", "right", "trunk", "right", "trunk"]


def test_only_links_that_say_something_are_drawn():
    strength = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, -0.6], [0.1, -0.6, 1.0]])
    assert strongest(Links(("a", "b", "c"), strength, False)) == [(2, 1), (1, 0)]


def test_the_test_of_inputs_is_drawn(tmp_path: Path):
    judged = (Judged("a", -0.5, -0.4, "whole", True), Judged("b $", -3.0, -7.0, "way", False))
    screening_plot(tmp_path / "s.png", Screening(np.linspace(-2, 0, 16), -3.0, judged, (1,), True))
    assert colors_in(tmp_path / "s.png") > 20


@pytest.mark.slow
def test_a_film_shows_all_side_by_side(tmp_path: Path):
    from imageio_ffmpeg import count_frames_and_secs

    motions = [item.motion for item in model().examples.items]
    side_by_side(tmp_path / "v.mp4", {"inputs": motions[:2], "variants": motions[2:3]}, times=1)
    frames, seconds = count_frames_and_secs(str(tmp_path / "v.mp4"))
    assert seconds == pytest.approx(max(motion.duration_s for motion in motions[:3]), abs=0.1)
    assert frames > 10
    with pytest.raises(InvalidInput, match="at least one motion"):
        side_by_side(tmp_path / "v.mp4", {})
