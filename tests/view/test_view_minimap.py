"""Small maps of scenes: what is on them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from gambol.files import parse_toml
from gambol.scenes import load_scene, shipped_path, shipped_scenes
from gambol.view.document import Document
from gambol.view.minimap import minimap

SVG = "{http://www.w3.org/2000/svg}"
CLIMBS = [scene.name for scene in shipped_scenes() if scene.kind == "climb"]


def drawn(name: str) -> ElementTree.Element:
    path = shipped_path(name)
    return ElementTree.fromstring(minimap(parse_toml(path.read_text(encoding="utf-8")), path.parent))


@pytest.mark.parametrize("name", CLIMBS)
def test_climbs_are_seen_from_the_side_with_all_polygons_points_and_ends(name: str):
    environment = load_scene(name).environment
    assert environment is not None
    svg = drawn(name)
    assert len(svg.findall(f"{SVG}polygon")) == len(environment.polygons)
    (points,) = svg.findall(f"{SVG}path")
    assert points.get("d", "").count("M") == len(environment.grasp_points)
    assert len(svg.findall(f"{SVG}circle")) == 2 * len(load_scene(name).climbs)
    x, y, width, height = (float(number) for number in svg.get("viewBox", "").split())
    low_x, low_z, high_x, high_z = environment.bounds
    assert x <= low_x + 0.01
    assert y <= -high_z + 0.01
    assert x + width >= high_x - 0.01
    assert y + height >= -low_z - 0.01


def test_a_scene_on_the_ground_is_seen_from_above():
    svg = drawn("first")
    assert len(svg.findall(f"{SVG}polygon")) == len(load_scene("first").world.obstacles)


def test_whatever_is_wrong_with_a_climb_there_is_a_map():
    for data in ({}, {"plane": 3}, {"plane": {"bounds": [0, 0, 5, 5]}, "polygons": [{}], "cast": [{"start": "x"}]}):
        assert minimap({"kind": "climb", **data}, Path()).startswith("<svg")


def test_a_climb_can_be_opened_and_changed_as_a_document():
    document = Document.open("climb-wall")
    assert document.scene.kind == "climb"
    assert document.is_valid
    document.edit(lambda text: text.replace("spacing_m = 0.3", "spacing_m = 0.4"))
    assert document.is_valid
    document.edit(lambda text: text.replace("goal = [5.5, 3.48]", "goal = [5.5, 1]"))
    assert [problem.key for problem in document.problems] == ["cast[0].goal"]
