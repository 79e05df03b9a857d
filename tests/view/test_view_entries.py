"""Changes of a scene's text: what is changed is changed, and not a character else."""

import tomllib
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.files import tables
from gambol.scenes import parse_scene
from gambol.scenes.find import FOLDER
from gambol.view.edit import entries, entry_changes
from gambol.view.edit.knobs import knobs_of
from gambol.view.edit.sketch import Sketcher
from gambol.view.edit.toml_edit import Spans, append, append_copy, cut, get, literal, put

SHIPPED = {
    name: (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    for name in ("course", "plaza", "hills", "crossing", "spheres", "falling-tree", "preferences", "office")
}
EVERYTHING = """\
# About the file.
name = "all"  # its name

[world]
bounds = [0, 0, 30, 20]  # metres

[[obstacles]]
# a box
name = "box"
at = [ 4,  3 ]   # by the door
size = [3, 1]
heading_deg = 30

# what stands before the disc
[[obstacles]]
at = [9, 3]
radius_m = 0.5

[[movers]]
name = "lift"
radius_m = 0.5
path = [
    { time_s = 0, at = [20, 6] },   # below
    { time_s = 4, at = [20, 12], heading_deg = 90 },
]

[[obstacles]]
corners = [[12, 1], [16, 1], [16, 5], [14, 2]]

[[obstacles]]
line = [[2, 8], [8, 8], [8, 14]]
thickness_m = 0.2

[[cast]]
start = [2, 4]
goal = { at = [25, 15], tolerance_m = 0.8 }
waypoints = [[9, 16], { at = [16, 8], tolerance_m = 1.5 }]
[cast.weights]
jump = 5

[extra]
note = "kept"  # as it is
"""
TERRAIN = """\
name = "t"
world.bounds = [0, 0, 30, 20]
[world.terrain]
bumps = [
  { at = [5, 5], radius_m = 3, height_m = 1 }, # a hill
]
"""
TEXTS = {**SHIPPED, "everything": EVERYTHING, "windows": EVERYTHING.replace("\n", "\r\n"), "terrain": TERRAIN}
names = pytest.mark.parametrize("name", TEXTS)


def keys_of(value, key=()):
    """Return the keys of all values in plain data."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [key] if key else []
    for part, one in items:
        found += keys_of(one, (*key, part))
    return found


def with_value(data, key, value):
    """Return plain data with a value at a key: the oracle of all changes."""
    data = deepcopy(data)
    get(data, key[:-1])[key[-1]] = value
    return data


@names
def test_every_value_is_found_where_it_stands(name):
    text = TEXTS[name]
    data, spans = tomllib.loads(text), Spans(text)
    for key, (start, end) in spans.values.items():
        assert tomllib.loads(f"value = {text[start:end]}")["value"] == get(data, key)
    starts = [block.start for block in spans.blocks]
    assert starts == sorted(starts)


@names
def test_a_value_is_changed_where_it_stands_and_nothing_else_is(name):
    text = TEXTS[name]
    data = tomllib.loads(text)
    for key in keys_of(data)[:60]:
        if isinstance(get(data, key), (str, int, float)):
            changed = put(text, key, 12345)
            assert tomllib.loads(changed) == with_value(data, key, 12345)
            lines = zip(changed.splitlines(), text.splitlines(), strict=True)
            assert sum(now != before for now, before in lines) == 1


@names
def test_a_new_key_comes_into_its_table(name):
    text = TEXTS[name]
    data = tomllib.loads(text)
    for key in [(), *keys_of(data)[:60]]:
        if isinstance(get(data, key), dict):
            changed = put(text, (*key, "new key"), [1, {"a": "b"}])
            assert tomllib.loads(changed) == with_value(data, (*key, "new key"), [1, {"a": "b"}])
            assert set(text.split()) <= set(changed.replace(",", " ,").split()) | set(changed.split())


@names
def test_what_is_cut_is_gone_and_comments_around_it_stay(name):
    text = TEXTS[name]
    data = tomllib.loads(text)
    for key in keys_of(data)[:80]:
        expected = deepcopy(data)
        del get(expected, key[:-1])[key[-1]]
        left = tomllib.loads(cut(text, key))
        assert left == expected or left == {**expected, key[0]: []} or not expected.get(key[0])


def test_a_comment_before_the_next_table_stays_with_it():
    assert "# what stands before the disc\n[[obstacles]]\nat = [9, 3]" in cut(EVERYTHING, ("obstacles", 0))
    assert "\n\n\n" not in cut(EVERYTHING, ("obstacles", 0))


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_comment_behind_a_key_that_goes_stays_on_its_own(ending):
    text = f'a = 1{ending}  name = "room"  # its name{ending}b = 2{ending}'
    assert cut(text, ("name",)) == f"a = 1{ending}  # its name{ending}b = 2{ending}"


def test_the_comments_of_a_list_stay_when_points_come_and_go():
    text = "line = [\n  # by the door, west\n  [2, 8],  # first, of all\n  [8, 8],\n  [8, 14]  # last\n]\n"
    longer = put(put(text, ("line",), [[2, 8], [5, 8], [8, 8], [8, 14]]), ("line", 4), [9, 9])
    assert longer == (
        "line = [\n  # by the door, west\n  [2, 8],  # first, of all\n  [5, 8],\n  [8, 8],\n  [8, 14],  # last\n"
        "  [9, 9]\n]\n"
    )
    assert put(longer, ("line",), [[0, 0], [2, 8], [8, 8], [8, 14]]).count("#") == 3
    assert cut(text, ("line", 2)) == text.replace("  [8, 14]  # last\n", "")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a = [1 # one, of two\n, 2]", "a = [2]"),
        ("a = [ # none, \n 1]", "a = [ # none, \n ]"),
        ("a = [1 # one, of one\n]", "a = [ # one, of one\n]"),
        ("a = [[1], 2]", "a = [2]"),
    ],
)
def test_commas_in_comments_are_none(text, left):
    assert cut(text, ("a", 0)) == left


@names
def test_a_table_is_added_behind_the_last_of_its_kind(name):
    text = TEXTS[name]
    data = tomllib.loads(text)
    entry = {"name": 'a "b"', "at": [1.5, 2], "special": {"kind": "x"}}
    for array in ("obstacles", "movers", "cast", "somewhere else"):
        changed = append(text, array, entry)
        assert tomllib.loads(changed) == {**data, array: [*data.get(array, []), entry]}
        for index in range(len(data.get(array, []))):
            copied = append_copy(text, (array, index))
            assert tomllib.loads(copied) == {**data, array: [*data[array], data[array][index]]}


scalars = st.one_of(
    st.text(), st.integers(-(10**12), 10**12), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    scalars, lambda one: st.one_of(st.lists(one, max_size=3), st.dictionaries(st.text(), one, max_size=3)), max_leaves=6
)


def test_numbers_of_numpy_are_written_as_plain_ones():
    assert literal([np.float64(1.25), np.float64(3.0)]) == "[1.25, 3]"


@given(values)
def test_whatever_is_written_is_read_again(value):
    assert tomllib.loads(f"value = {literal(value)}")["value"] == value


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_random_changes_do_what_they_do_to_plain_data(draw):
    text = draw.draw(st.sampled_from([EVERYTHING, TEXTS["windows"], TERRAIN, SHIPPED["course"], SHIPPED["plaza"]]))
    data = tomllib.loads(text)
    for _ in range(draw.draw(st.integers(1, 5))):
        stands = Spans(text).values.keys()
        key = draw.draw(st.sampled_from([one for one in keys_of(data) if one in stands or len(one) > 1]))
        if key in stands and draw.draw(st.booleans()):
            value = draw.draw(values)
            text, data = put(text, key, value), with_value(data, key, value)
        elif len(get(data, key[:-1])) > 1:
            del get(data, key[:-1])[key[-1]]
            text = cut(text, key)
        assert tomllib.loads(text) == data


BLANKS = st.sampled_from(["", " ", "  ", "\n", "\n  ", "  # note, [x] = {y}\n", "\n# note, ]\n    "])


def written(draw, value):
    """Return a value as TOML with blanks and comments wherever they may be."""
    if isinstance(value, list):
        items = [f"{draw(BLANKS)}{written(draw, one)}{draw(BLANKS)}" for one in value]
        comma = draw(st.sampled_from(["", ",", ",\n", ", # end, of all\n"])) if items else ""
        return f"[{','.join(items)}{comma}{draw(BLANKS)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(name)} = {written(draw, one)}" for name, one in value.items()) + "}"
    return literal(value)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_random_changes_of_texts_full_of_comments(draw):
    data = draw.draw(st.dictionaries(st.text("ab c", min_size=1), st.one_of(st.lists(values), values), min_size=1))
    text = "".join(f"{literal(name)} = {written(draw.draw, one)} # {n}\n" for n, (name, one) in enumerate(data.items()))
    assert tomllib.loads(text) == data
    top = len(data)
    for _ in range(draw.draw(st.integers(1, 4))):
        key = draw.draw(st.sampled_from(keys_of(data) or [()]))
        if not key:
            break
        if draw.draw(st.booleans()):
            del get(data, key[:-1])[key[-1]]
            text = cut(text, key)
        else:
            old = get(data, key)
            value = draw.draw(values)
            if isinstance(old, list) and draw.draw(st.booleans()):
                at, gone = draw.draw(st.integers(0, len(old))), draw.draw(st.integers(0, 2))
                value = [*old[:at], *draw.draw(st.lists(values, max_size=2)), *old[at + gone :]]
            text, data = put(text, key, value), with_value(data, key, value)
        assert tomllib.loads(text) == data
        assert all(f" # {n}\n" in text or f"\n# {n}\n" in text or text.startswith(f"# {n}\n") for n in range(top))


@names
def test_every_spot_is_moved_to_where_it_is_put(name):
    text = TEXTS[name]
    data = tomllib.loads(text)
    for thing in entries.things(data)[:20]:
        for spot in [*entries.spots(data, thing.key), *entries.corner_spots(data, thing.key)]:
            moved = tomllib.loads(entry_changes.move(text, data, spot.key, spot.x + 1.25, spot.y - 0.75))
            found = [*entries.spots(moved, thing.key), *entries.corner_spots(moved, thing.key)]
            now = next(one for one in found if one.key == spot.key)
            assert (now.x, now.y) == pytest.approx((spot.x + 1.25, spot.y - 0.75), abs=0.011)


def test_what_is_moved_out_and_back_is_where_it_was():
    data = tomllib.loads(EVERYTHING)
    for thing in entries.things(data):
        for spot in entries.spots(data, thing.key):
            away = entry_changes.move(EVERYTHING, data, spot.key, spot.x + 1.0, spot.y + 2.0)
            back = entry_changes.move(away, tomllib.loads(away), spot.key, spot.x, spot.y)
            assert tomllib.loads(back) == data


@pytest.mark.parametrize("index", range(4))
def test_a_turn_keeps_the_middle_and_turns_all_corners(index):
    data = tomllib.loads(EVERYTHING)
    key = ("obstacles", index)
    turned = entry_changes.turn(EVERYTHING, data, key, 90.0)
    before, after = (parse_scene(text).world.obstacles[index] for text in (EVERYTHING, turned))
    region, now = (one.footprint.region(one.pose) for one in (before, after))
    assert now.area == pytest.approx(region.area, rel=1e-6)
    if index in (2, 3):  # their middle is that of what surrounds them
        x, y = entries.middle(data["obstacles"][index])
        x0, y0, x1, y1 = region.bounds
        assert now.bounds == pytest.approx((x - (y1 - y), y - (x - x0), x + (y - y0), y + (x1 - x)), abs=0.02)
    assert tables(tomllib.loads(turned)["obstacles"])[index]["heading_deg"] == 90.0


@names
def test_a_copy_has_a_name_of_its_own_and_stands_beside(name):
    text = TEXTS[name]
    data = tomllib.loads(text)
    for thing in entries.things(data)[:12]:
        changed, key = entry_changes.duplicate(text, data, thing.key)
        now = tomllib.loads(changed)
        assert get(now, key[:-1])[: key[-1]] == get(data, key[:-1])
        shown = [one.name for one in entries.things(now)]
        assert len(set(shown)) >= len({one.name for one in entries.things(data)}) + 1
        first, copy = entries.spots(data, thing.key), entries.spots(now, key)
        assert [(a.x - b.x, a.y - b.y) for a, b in zip(first, copy, strict=True)] == [
            pytest.approx((0.0, 1.0), abs=0.011)
        ] * len(first)
        assert tomllib.loads(entry_changes.delete(changed, now, key)) == data


AREAS = """\
name = "areas"
kind = "crowd"
[world]
bounds = [0, 0, 60, 40]
[[groups]]
name = "stream"
count = 4
starts = { line = [[1, 18], [1, 22]] }
goals = [{ area = [40, 32, 55, 38] }, { circle = { at = [10, 10], radius_m = 4 } }]
[[cast]]
start = [5, 5]
wander = [20, 10, 40, 30]
"""


@pytest.mark.parametrize("text", [EVERYTHING, TERRAIN, AREAS], ids=["everything", "terrain", "areas"])
def test_a_knob_follows_the_mouse_as_far_as_its_thing_can(text):
    data = tomllib.loads(text)

    def found(data):
        sketch = Sketcher(Path()).sketch(data, (0.0, 0.0, 60.0, 40.0))
        return {knob.key: knob for one in entries.things(data) for knob in knobs_of(data, sketch, one.key, 0.2)}

    before = found(data)
    assert before
    for key, knob in before.items():
        still = knob.shape(text, data, knob.x, knob.y)
        assert found(tomllib.loads(still))[key][1:3] == pytest.approx(knob[1:3], abs=0.03)
        for dx, dy in ((0.7, 0.3), (-0.6, 0.5)):
            target = (knob.x + dx, knob.y + dy)
            now = found(tomllib.loads(knob.shape(text, data, *target)))[key]
            left = np.hypot(now.x - target[0], now.y - target[1])
            assert left < 0.02 if knob.is_part or key[-2] == "area" else left < np.hypot(dx, dy) + 0.02


def test_points_are_added_between_and_taken_away_again():
    data = tomllib.loads(EVERYTHING)
    for key, array in ((("obstacles", 2), "corners"), (("obstacles", 3), "line"), (("cast", 0), "waypoints"),
                       (("movers", 0), "path")):  # fmt: skip
        added = entry_changes.add_point(EVERYTHING, data, key)
        assert added is not None
        text, point = added
        now = tomllib.loads(text)
        assert len(get(now, key)[array]) == len(get(data, key)[array]) + 1
        parse_scene(text)
        assert entry_changes.can_lose(now, point)
        assert tomllib.loads(entry_changes.delete(text, now, point)) == data
    assert entry_changes.add_point(EVERYTHING, data, ("obstacles", 0)) is None


def test_points_are_not_taken_away_where_they_are_needed():
    data = tomllib.loads(EVERYTHING)
    data["obstacles"][3]["line"] = [[0, 0], [1, 1]]
    assert not entry_changes.can_lose(data, ("obstacles", 3, "line", 0))
    assert not entry_changes.can_lose(data, ("cast", 0, "goal"))
    assert not entry_changes.can_lose(data, ("cast", 0, "start"))


@pytest.mark.parametrize(
    ("text", "key"),
    [("cast[0].start", ("cast", 0, "start")), ("world.terrain.bumps[2]", ("world", "terrain", "bumps", 2)), ("", ())],
)
def test_the_key_of_a_message_is_read(text, key):
    assert entries.key_of(text) == key


def test_a_free_name_is_like_the_one_asked_for():
    data = {"obstacles": [{"name": "wall"}, {"name": "wall 2"}]}
    assert [entries.free_name(data, name) for name in ("wall", "wall 2", "box")] == ["wall 3", "wall 3", "box"]
