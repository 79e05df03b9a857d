from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.support.people import person

from gambol.body import Body
from gambol.errors import MalformedFile
from gambol.motion import figure
from gambol.motion.skeleton import Skeleton

SNAIL = """
groups = [["Foot"], ["Shell"]]
pieces = [
  { joint = "Foot", start = [0.0, 0.0, 0.01], end = [0.1, 0.0, 0.01], radii = [0.01, 0.005] },
  { joint = "LeftHorn", start = [0.0, 0.0, 0.0], end = [0.02, 0.01, 0.02], radii = [0.002, 0.002], mirrored = true },
  { joint = "Shell", start = [0.0, 0.0, 0.0], end = [0.0, 0.0, 0.01], radii = [0.02, 0.02] },
]
props = ["Shell"]
[size]
from = "Foot"
to = ["Shell"]
metres = 0.05
"""


def snail(scale: float = 1.0) -> Skeleton:
    offsets = scale * np.array([(0.0, 0.0, 0.0), (0.1, 0.01, 0.0), (0.1, -0.01, 0.0), (0.04, 0.0, 0.03)])
    return Skeleton(("Foot", "LeftHorn", "RightHorn", "Shell"), [-1, 0, 0, 0], offsets)


@pytest.fixture
def with_snail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def forget() -> None:
        figure._figures.cache_clear()
        figure._figure_with.cache_clear()

    (tmp_path / "snail.toml").write_text(SNAIL)
    monkeypatch.setattr(figure, "FOLDER", tmp_path)
    forget()
    yield
    forget()


def test_a_file_in_the_folder_is_all_that_a_new_figure_needs(with_snail: None):
    body, large = Body.from_skeleton(snail()), Body.from_skeleton(snail(3.0))
    assert [body.skeleton.names[joint] for joint in body.joint] == ["Foot", "LeftHorn", "RightHorn", "Shell"]
    assert np.allclose(body.end[1], (0.02, 0.01, 0.02))
    assert np.allclose(body.end[2], (0.02, -0.01, 0.02))
    assert np.allclose(large.end, 3.0 * body.end)
    assert np.allclose(large.radius, 3.0 * body.radius)
    assert figure.prop_joints(snail()).tolist() == [False, False, False, True]
    assert figure.groups_of_joints(snail()).tolist() == [0, 0, 0, 1]


def test_every_shipped_figure_can_be_read_and_a_person_is_none_of_them():
    assert len(figure._figures()) == len(list(figure.FOLDER.glob("*.toml"))) >= 2
    assert figure.figure_of(person()) is None
    assert not figure.prop_joints(person()).any()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[size]", "[sizes]", "'size'"),
        ("metres = 0.05", "metres = 0", "positive number of metres"),
        ('to = ["Shell"]', 'to = ["Shel"]', "'Shel' is no joint of a piece"),
        ("radii = [0.01, 0.005]", "radii = [0.01, -1.0]", "two positive radii"),
        ("radii = [0.01, 0.005]", "radii = [0.01]", "no figure file"),
        ("start = [0.0, 0.0, 0.01]", "start = [0.0, nan, 0.01]", "three finite numbers"),
        ("start = [0.0, 0.0, 0.01]", 'start = "here"', "no figure file"),
        ("mirrored", "miror", "miror"),
        ("groups =", "group =", "group"),
        ('[["Foot"], ["Shell"]]', "[" + '["Foot"], ' * 9 + "]", "more than 8"),
        ("[size]", '[hoofed_legs]\nfore = ["LeftHorn"]\n[size]', "four joints"),
        ("[size]", "size", "no figure file"),
    ],
)
def test_a_mistake_in_a_figure_file_is_told(old: str, new: str, said: str):
    assert figure.parse_figure(SNAIL)
    with pytest.raises(MalformedFile, match=said):
        figure.parse_figure(SNAIL.replace(old, new))
