"""Mistakes in files that people write: each is told once, with the key that was meant."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from gambol.bake import parse_job
from gambol.characters import parse_character
from gambol.errors import InvalidEntries
from gambol.scenes import parse_scene

PLAN = 'name = "x"\n[world]\nbounds = [0, 0, 9, 9]\n[[cast]]\nstart = [2, 2]\ngoal = [5, 5]\n'
CROWD = (
    'name = "x"\nkind = "crowd"\n[world]\nbounds = [0, 0, 9, 9]\n'
    "[[cast]]\nstart = [2, 2]\nwander = { area = [1, 1, 8, 8] }\n"
)
JOB = 'name = "x"\n[[tasks]]\nkind = "plan"\nscenes = ["first"]\n'
CHARACTER = (
    'name = "x"\n[[behaviors]]\nname = "walk"\nbegins = "mid"\nends = "mid"\n'
    '[[behaviors.clips]]\nfile = "a.bvh"\nfirst = 1\nlast = 30\n'
)


@pytest.mark.parametrize(
    ("parse", "text", "key"),
    [
        *((parse_scene, PLAN, key) for key in ("name", "bounds", "cast", "start", "goal")),
        *((parse_scene, CROWD, key) for key in ("start", "wander")),
        *((parse_job, JOB, key) for key in ("name", "tasks", "kind")),
        *((parse_character, CHARACTER, key) for key in ("name", "begins", "ends", "file", "first", "last")),
    ],
)
def test_a_misspelt_key_is_one_mistake_that_names_the_key_meant(parse: Callable[[str], object], text: str, key: str):
    misspelt = key[0] + key[2] + key[1] + key[3:]
    with pytest.raises(InvalidEntries) as wrong:
        parse(re.sub(rf"\b{key}\b(?! =.*walk)", misspelt, text, count=1))
    assert len(wrong.value.problems) == 1, str(wrong.value)
    assert wrong.value.problems[0].key.endswith(misspelt)
    assert wrong.value.problems[0].message == f"is an unknown key; did you mean {key!r}?"


def test_what_is_missing_is_told_where_nothing_like_it_is_there():
    with pytest.raises(InvalidEntries) as wrong:
        parse_scene(PLAN.replace("goal", "colour").replace("start", "size"))
    told = {(problem.key, problem.message.split(";")[0]) for problem in wrong.value.problems}
    assert {("cast[0].goal", "is missing"), ("cast[0].start", "is missing")} < told
    assert {("cast[0].colour", "is an unknown key"), ("cast[0].size", "is an unknown key")} < told
