from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import pytest
from tests.support.statues import GOOD, course, creep

from gambol.characters.character import Character
from gambol.characters.check import check_character
from gambol.characters.check_joins import join_mismatches
from gambol.characters.finding import Finding
from gambol.characters.riding import ride_slide_speeds
from gambol.characters.store import load_character
from gambol.files import write_bvh
from gambol.geometry import quaternion

NEW_ROLL = '\n[[behaviors]]\nname = "second"\nbegins = "rolling"\nends = "rolling"\nclips = [{}]\n'


@cache
def character_of(text: str) -> Character:
    """Load a character file whose motions are the statue's course, its crouching twin and its creeping one."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_bvh(folder / "course.bvh", course(), unit="cm")
        write_bvh(folder / "crouch.bvh", course(crouch_until=10), unit="cm")
        write_bvh(folder / "creep.bvh", creep(), unit="cm")
        (folder / "statue.toml").write_text(text)
        return load_character(folder / "statue.toml")


@cache
def findings_of(text: str) -> list[Finding]:
    return check_character(character_of(text))


def kinds(text: str) -> set[str]:
    return {finding.kind for finding in findings_of(text)}


def without(text: str, name: str) -> str:
    """Take a behavior out of a character file."""
    blocks = text.split("[[behaviors]]")
    kept = [block for block in blocks if f'name = "{name}"' not in block]
    return "[[behaviors]]".join(kept).replace('"roll", "left", "right"', '"roll"')


def second(clip: str) -> str:
    """Add a behavior that rolls like the first, from another cut."""
    return GOOD.replace("[subsets]", NEW_ROLL.replace("{}", clip, 1) + "\n[subsets]")


def test_a_good_character_has_nothing_to_be_said_about():
    assert findings_of(GOOD) == []


class Case(NamedTuple):
    """A character file with one thing broken, what shall be found, and the file with the hint followed."""

    broken: str
    kind: str
    where: str
    hint: str
    mended: str = GOOD


LEFT_CLIP, STAND_CLIP = (f'{{ file = "course.bvh", first = {cut} }}' for cut in ("90, last = 210", "580, last = 640"))
CREEPING = '{ file = "creep.bvh", first = 40, last = 130 }'
NO_LEFT, NO_RIGHT = without(GOOD, "left"), without(GOOD, "right")
ONLY_TURNS = without(without(without(GOOD, "roll"), "stop"), "go").replace('["roll"]', "[]")
MISSPELT = GOOD.replace('begins = "rolling"\nends = "standing"', 'begins = "rollin"\nends = "standing"')

BROKEN = {
    "nothing begins with what it ends with": Case(
        GOOD.replace(f'ends = "rolling"\nclips = [{LEFT_CLIP}', f'ends = "roling"\nclips = [{LEFT_CLIP}'),
        "dead end", "left", "let it end with 'rolling'",
    ),
    "what follows never leads back": Case(
        GOOD.replace('begins = "standing"\nends = "rolling"', 'begins = "standing"\nends = "standing"'),
        "dead end", "stop", "begins with 'standing' and ends with 'rolling'",
    ),
    "nothing ends with what it begins with": Case(MISSPELT, "unreachable", "stop", "let it begin with 'rolling'"),
    "a label with a typing error": Case(MISSPELT, "lone label", "label 'rollin'", "is it 'rolling'?"),
    "no way to the left": Case(
        NO_LEFT, "missing direction", "statue", "mirrored_as",
        NO_LEFT.replace('name = "right"', 'name = "right"\nmirrored_as = "left"'),
    ),
    "no way to the right": Case(
        NO_RIGHT, "missing direction", "statue", "bends_deg = [-30]",
        NO_RIGHT.replace('name = "roll"', 'name = "roll"\nbends_deg = [-30]'),
    ),
    "no way straight on": Case(ONLY_TURNS, "missing direction", "statue", "add a forward clip"),
    "a stand that may not follow itself": Case(
        GOOD.replace('begins = "standing"\nends = "standing"', 'begins = "standing"\nends = "stood"'),
        "no way to stop", "statue", "let 'stand' begin and end with the same label",
    ),
    "no stand at all": Case(
        without(without(without(GOOD, "stand"), "stop"), "go"),
        "no way to stop", "statue", "a behavior that stands still",
    ),
    "no way from rolling to standing": Case(
        without(GOOD, "stop"), "no way to stop", "roll", "begins with 'rolling' and ends with 'standing'",
    ),
    "another pose where clips meet": Case(
        second('{ file = "crouch.bvh", first = 5, last = 90 }'),
        "pose mismatch", "roll -> second", "move the first or last frame",
        second('{ file = "crouch.bvh", first = 75, last = 110 }'),
    ),
    "another speed where clips meet": Case(
        second('{ file = "course.bvh", first = 740, last = 820 }'),
        "velocity mismatch", "roll -> second", "cut where both are equally fast",
        second('{ file = "course.bvh", first = 790, last = 820 }'),
    ),
    "feet that slide": Case(
        GOOD.replace(STAND_CLIP, CREEPING.replace(" }", ', feet = "keep" }')),
        "foot slide", "stand", 'feet = "clean"', GOOD.replace(STAND_CLIP, CREEPING),
    ),
    "a stand that creeps on while it is held": Case(
        GOOD.replace(STAND_CLIP, CREEPING), "drifting stand", "stand", "at the same place",
    ),
    "a clip without room for blending": Case(
        second('{ file = "course.bvh", first = 30, last = 40 }'),
        "short clip", "second", "cut a longer piece", second('{ file = "course.bvh", first = 30, last = 60 }'),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_is_found_and_its_hint_mends_it(case: str):
    broken, kind, where, hint, mended = BROKEN[case]
    assert broken != GOOD
    found = [finding for finding in findings_of(broken) if finding.kind == kind]
    assert found, [f"{finding.kind}: {finding.where}" for finding in findings_of(broken)]
    assert where in {finding.where for finding in found}
    assert hint in next(finding for finding in found if finding.where == where).hint
    assert all(finding.what for finding in found)
    assert kind not in kinds(mended)


def test_legs_that_nobody_has_are_told():
    giant = GOOD.replace('unit = "cm"', 'unit = "m"')
    assert giant != GOOD
    found = [finding for finding in findings_of(giant) if finding.kind == "odd size"]
    assert len(found) == 1
    assert "unit" in found[0].hint


def test_errors_come_before_warnings():
    severities = [finding.severity for finding in findings_of(MISSPELT)]
    assert "warning" in severities
    assert severities == sorted(severities)


def test_an_edge_leads_out_of_a_dead_end():
    broken = BROKEN["nothing begins with what it ends with"].broken
    mended = broken.replace("[subsets]", '[[edges]]\nsource = "left"\ntarget = "roll"\n\n[subsets]')
    assert "dead end" in kinds(broken)
    assert not kinds(mended) & {"dead end", "lone label"}


def test_mismatch_is_measured_from_the_pose_at_which_clips_join():
    for mismatch in join_mismatches(character_of(GOOD)):
        assert mismatch.pose_m < 0.02
        assert mismatch.velocity_m_s < 0.05
    worst = max(join_mismatches(character_of(BROKEN["another pose where clips meet"].broken)), key=lambda m: m.pose_m)
    assert worst.pose_m > 0.13
    assert worst.target_clip == "second"


def test_the_worst_pair_of_clips_counts_for_a_transition():
    good = '{ file = "crouch.bvh", first = 75, last = 110 }'
    both = second('{ file = "crouch.bvh", first = 5, last = 90 }, ' + good)
    found = [finding for finding in findings_of(both) if finding.kind == "pose mismatch"]
    assert any("'second 1'" in finding.what for finding in found)


def riding(change: Callable[[np.ndarray], np.ndarray]):
    """Let the statue roll on a board, with its left foot moved on it."""
    clip = replace(character_of(GOOD).behavior("left").clips[0], riding=True)
    motion = clip.motion
    rotations = np.array(motion.rotations)
    leg = motion.skeleton.index("LeftUpLeg")
    rotations[:, leg] = change(rotations[:, leg])
    return replace(clip, motion=motion.with_rotations(rotations))


def test_feet_that_go_with_their_board_do_not_slide_however_it_turns():
    speeds = ride_slide_speeds(riding(lambda rotations: rotations))
    assert np.nanmax(speeds) < 0.01
    assert np.isfinite(speeds).mean() > 0.5


def test_a_foot_that_moves_on_the_board_slides():
    def wag(rotations: np.ndarray) -> np.ndarray:
        angle = 0.05 * np.sin(2.0 * np.pi * np.arange(len(rotations)) / 60.0)
        return quaternion.multiply(quaternion.from_axis_angle(np.array([1.0, 0.0, 0.0]), angle), rotations)

    assert np.nanmean(ride_slide_speeds(riding(wag))) > 0.05
