from __future__ import annotations

import importlib.util
import math
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.statues import GOOD, write_course

from gambol.characters.expand import expand, other_side
from gambol.characters.file import parse_character, read_character_file
from gambol.characters.store import load_character
from gambol.errors import GambolError, InvalidEntries, InvalidInput, MalformedFile, UnknownName, UnreadableFile
from gambol.files import key_lines

ROOT = Path(__file__).parent.parent.parent
TINY = """
name = "tiny"

[[behaviors]]
name = "walk"
begins = "step"
ends = "step"
clips = [{ file = "a.bvh", first = 1, last = 9 }]
"""


def climb_problems(text: str) -> dict[str, tuple[int | None, str]]:
    with pytest.raises(InvalidEntries) as raised:
        parse_character(text)
    return {problem.key: (problem.line, problem.message) for problem in raised.value.problems}


def test_a_small_file_says_all_that_is_needed():
    spec = parse_character(TINY)
    assert spec.planning_rate_hz == 30.0
    assert spec.margin == 8
    assert spec.behaviors[0].clips[0].file == "a.bvh"
    assert spec.behaviors[0].kind == "forward"


def test_every_mistake_is_listed_at_once_with_its_key_and_line():
    text = """name = "broken"
planning_rate_hz = -30
marginn = 4

[[behaviors]]
name = "walk"
kind = "jmup"
weight = nan
begins = "step"
ends = "step"
clips = [
    { file = "a.bvh", first = 1, last = 9, speed = 0.0 },
    { file = "a.bvh", first = 9, last = 9 },
    { file = "a.bvh", frist = 9, last = 12 },
]

[[edges]]
source = "walk"
target = "wlak"
cost = -1.0
"""
    found = climb_problems(text)
    assert {key: line for key, (line, _) in found.items()} == {
        "planning_rate_hz": 2,
        "marginn": 3,
        "behaviors[0].kind": 7,
        "behaviors[0].weight": 8,
        "behaviors[0].clips[0].speed": 12,
        "behaviors[0].clips[1]": 13,
        "behaviors[0].clips[2].frist": 14,
        "edges[0].target": 19,
        "edges[0].cost": 20,
    }


@pytest.mark.parametrize(
    ("line", "key", "says"),
    [
        ("marginn = 4", "marginn", "did you mean 'margin'?"),
        ("planning_rate_hz = 0", "planning_rate_hz", "greater than 0"),
        ("planning_rate_hz = inf", "planning_rate_hz", "finite"),
        ("margin = -1", "margin", "greater than or equal to 0, not -1"),
        ('margin = "eight"', "margin", "valid integer, not 'eight'"),
        ('cost_by = "lenght"', "cost_by", "'path' or 'chord', not 'lenght'"),
        ('skeleton = { file = "a.bvh", builtin = "human" }', "skeleton", "either a file or a builtin"),
    ],
)
def test_a_mistake_says_what_was_expected(line: str, key: str, says: str):
    found = climb_problems(f"{line}\n{TINY}")
    assert says in found[key][1]
    assert found[key][0] == 1


def test_an_unknown_key_deep_in_the_file_gets_the_suggestion_of_its_own_table():
    found = climb_problems(TINY.replace("last = 9", "last = 9, miror = true"))
    assert "did you mean 'mirrored'?" in found["behaviors[0].clips[0].miror"][1]


def test_an_unknown_unit_is_told_once_where_it_stands():
    found = climb_problems(TINY + '[reading]\nunit = "furlong"\n')
    assert "no unit 'furlong'; there are: auto, m, cm" in found["reading.unit"][1]


def test_a_table_in_place_of_a_list_of_tables_is_told_how_to_write_one():
    found = climb_problems(TINY.replace("[[behaviors]]", "[behaviors]"))
    assert "write [[behaviors]], not [behaviors]" in found["behaviors"][1]


def test_what_is_under_extra_is_kept_untouched():
    spec = parse_character(TINY + '[extra]\nnote = "anything"\n[extra.deep]\nlist = [1, { a = 2 }]\n')
    assert spec.extra == {"note": "anything", "deep": {"list": [1, {"a": 2}]}}


def test_labels_are_checked_where_they_are_declared():
    found = climb_problems('labels = ["steps", "stand"]\n' + TINY)
    assert "no label 'step'; did you mean 'steps'?" in found["behaviors[0].begins"][1]
    assert "behaviors[0].ends" in found


def test_edges_and_subsets_must_name_behaviors_that_exist():
    found = climb_problems(TINY + '[subsets]\nfew = ["walk", "wakl"]\nall = ["w*"]\nnone = ["x*"]\n')
    assert set(found) == {"subsets.few[1]", "subsets.none[0]"}
    assert "did you mean 'walk'?" in found["subsets.few[1]"][1]


def test_names_are_unique_also_among_those_that_are_made():
    twice = TINY.replace('begins = "step"', 'begins = "step"\nmirrored_as = "walk"')
    assert "two behaviors 'walk'" in climb_problems(twice)["behaviors[0].name"][1]


def test_one_entry_stands_for_mirror_images_speeds_and_bends():
    text = TINY.replace(
        'begins = "step"', 'begins = "left step"\nmirrored_as = "klaw"\nspeeds = [0.5, 1]\nbends_deg = [30]'
    )
    made = expand(parse_character(text).behaviors[0])
    assert [one.name for one in made] == [
        "walk", "walk-left-30", "walk-x0.5", "walk-x0.5-left-30",
        "klaw", "klaw-left-30", "klaw-x0.5", "klaw-x0.5-left-30",
    ]  # fmt: skip
    assert made[4].begins == "right step"
    assert [one.clips[0].mirrored for one in made] == [False] * 4 + [True] * 4
    assert made[3].clips[0].speed == 0.5
    assert made[3].clips[0].bend_deg == 30.0
    assert made[1].kind == "turn"
    assert made[1].label == "walk left"


def test_mirroring_words_exchanges_left_and_right_and_nothing_else():
    assert other_side("long running jump, Left foot") == "long running jump, Right foot"
    assert other_side("jog-left") == "jog-right"
    assert other_side("leftover") == "leftover"


def test_a_syntax_error_is_told_with_its_line():
    with pytest.raises(MalformedFile) as raised:
        parse_character('name = "x"\nbehaviors = [\n')
    assert raised.value.line in (2, 3)
    assert "not TOML" in str(raised.value)


def test_bottomless_nesting_is_a_clean_error():
    with pytest.raises(MalformedFile):
        parse_character("name = " + "[" * 20_000)


def test_files_that_cannot_be_read_are_said_so(tmp_path: Path):
    with pytest.raises(UnreadableFile):
        load_character(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00name")
    with pytest.raises(MalformedFile, match="UTF-8"):
        load_character(tmp_path / "binary.toml")


def test_unknown_files_and_frames_outside_are_listed_beside_other_mistakes(tmp_path: Path):
    path = write_course(tmp_path)
    text = GOOD.replace("last = 640", "last = 6400").replace('name = "roll"', 'name = "roll"\nwieght = 2.0')
    text = text.replace('{ file = "course.bvh", first = 90,', '{ file = "curse.bvh", first = 90,')
    path.write_text(text)
    with pytest.raises(InvalidEntries) as raised:
        load_character(path)
    messages = {problem.key: problem.message for problem in raised.value.problems}
    assert set(messages) == {"behaviors[0].wieght", "behaviors[1].clips[0].file", "behaviors[4].clips[0].last"}
    assert "has frames 0 to 900" in messages["behaviors[4].clips[0].last"]
    assert str(path) in str(raised.value)


def test_the_folder_of_motions_is_beside_the_file_given_or_named_by_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "captures").mkdir()
    path = write_course(tmp_path / "captures").rename(tmp_path / "statue.toml")
    with pytest.raises(InvalidEntries, match=r"course\.bvh"):
        load_character(path)
    assert load_character(path, motions=tmp_path / "captures").name == "statue"
    path.write_text(GOOD.replace('motions = "."', 'motions = "$STATUES/captures"'))
    with pytest.raises(InvalidEntries, match="STATUES is not set"):
        load_character(path)
    monkeypatch.setenv("STATUES", str(tmp_path))
    assert load_character(path).name == "statue"
    with pytest.raises(InvalidInput, match="no folder"):
        load_character(path, motions=tmp_path / "nowhere")


def test_a_name_opens_a_built_in_character_and_an_unknown_one_suggests():
    with pytest.raises(UnknownName, match="did you mean 'human'"):
        load_character("humna")


@pytest.mark.parametrize("name", ["cmu_108", "cmu_134"])
def test_the_files_of_captured_characters_can_be_read(name: str):
    assert read_character_file(ROOT / "characters" / f"{name}.toml").behaviors


def test_the_published_schema_is_that_of_the_model():
    location = importlib.util.spec_from_file_location("write_schemas", ROOT / "tools" / "write_schemas.py")
    assert location is not None
    assert location.loader is not None
    module = importlib.util.module_from_spec(location)
    location.loader.exec_module(module)
    for name in module.SCHEMAS:
        stored = (ROOT / "docs" / "schemas" / name).read_text(encoding="utf-8")
        assert stored == module.schema_text(name), "run tools/write_schemas.py"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
).filter(lambda value: value is not None)
KEYS = ["name", "motions", "reading", "takes", "skeleton", "margin", "behaviors", "edges", "subsets", "labels", "other"]
CLIP_KEYS = ["file", "first", "last", "speed", "step", "then", "count", "facing"]


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(
    st.dictionaries(st.sampled_from(KEYS), values, max_size=5),
    st.lists(
        st.dictionaries(st.sampled_from(["name", "begins", "ends", "clips", "weight", "bends_deg"]), values), max_size=2
    ),
    st.lists(st.dictionaries(st.sampled_from(CLIP_KEYS), values), max_size=2),
)
def test_whatever_a_file_says_it_is_a_specification_or_a_clean_error(top: dict, behaviors: list, clips: list):
    data: dict[str, Any] = {**top, "behaviors": [{"clips": clips, **behavior} for behavior in behaviors] or clips}
    text = tomlkit.dumps(_without_nulls(data))
    with suppress(GambolError):
        assert parse_character(text).behaviors


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.text(min_size=1, max_size=6), values, max_size=4))
def test_every_key_of_any_text_has_a_line_that_exists(data: dict):
    text = tomlkit.dumps(_without_nulls(data))
    lines = key_lines(text)
    count = text.count("\n") + 1
    for key in _keys(tomllib.loads(text)):
        assert 1 <= lines[key] <= count


def test_lines_are_those_of_the_keys_in_all_ways_to_write_tables():
    text = """# a comment with = and [brackets]
"a b".c = 1
when = 1979-05-27 07:32:00
long = '''
[not a table]
'''
[[rows]]
x = [
  1, # one
  { y = "]", z = 2 },
]
[rows.table]
w = 1
[[rows]]
x = []
"""
    lines = key_lines(text)
    assert lines["a b", "c"] == 2
    assert lines["when",] == 3
    assert lines["long",] == 4
    assert lines["rows", 0, "x", 0] == 9
    assert lines["rows", 0, "x", 1, "z"] == 10
    assert lines["rows", 0, "table", "w"] == 13
    assert lines["rows", 1, "x"] == 15


def _keys(value: Any, at: tuple = ()) -> list[tuple]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [key for part, inner in items for key in [(*at, part), *_keys(inner, (*at, part))]]


def _without_nulls(value: Any) -> Any:
    """Return plain data that TOML can hold: no empty keys, no None, no numbers beyond its own."""
    if isinstance(value, dict):
        return {key or "empty": _without_nulls(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_without_nulls(inner) for inner in value if inner is not None]
    if isinstance(value, float) and math.isnan(value):
        return math.nan
    return value


def test_the_example_of_the_documentation_is_a_character_file():
    page = (ROOT / "docs" / "character.md").read_text(encoding="utf-8")
    spec = parse_character(page.split("```toml")[1].split("```")[0])
    assert [behavior.name for behavior in spec.behaviors] == ["run", "stop", "stand", "go"]
