from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from evidence.soak.sequence_checks import without_clean_up
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.sequences import captured, jump_inside, lowest_sole, outside, random_names, velocity_jumps
from tools.authoring.walk import walk

from gambol.animate.blends import Blends
from gambol.animate.playing import play, realized_contacts
from gambol.body import Body
from gambol.characters import (
    Behavior,
    Character,
    Step,
    Transition,
    clip_of,
    include_blending,
    load_character,
    place_steps,
)
from gambol.characters.bend import bend
from gambol.characters.make_clip import make_clip
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import planar
from gambol.motion import Motion, edits, mirror, slide_speeds

seeds = st.integers(0, 2**32 - 1)


@cache
def _grown(character: Character) -> Character:
    return include_blending(character)


@cache
def _blends(character: Character) -> Blends:
    return Blends.of(character)


@pytest.fixture
def human() -> Character:
    return load_character("human")


@pytest.fixture(params=("human", "captured"))
def character(request: pytest.FixtureRequest) -> Character:
    return load_character("human") if request.param == "human" else _grown(captured(request.getfixturevalue("mocap")))


def played(character: Character, seed: int, *, count: int = 8) -> tuple[tuple[Step, ...], Motion]:
    rng = np.random.default_rng(seed)
    start = (float(rng.normal()), float(rng.normal()), float(rng.uniform(-np.pi, np.pi)))
    steps = place_steps(character, random_names(character, rng, count), start=start, seed=seed)
    return steps, play(character, steps, blends=_blends(character))


def own_frames(character: Character, step: Step, first: Step, motion: Motion) -> Motion:
    """Cut the frames of one step out of a motion and look at them from where the step begins."""
    clip = clip_of(character, step)
    begin = (step.frame - first.frame) * clip.frames_per_step
    frames = edits.cut(motion, begin, begin + clip.duration * clip.frames_per_step)
    return edits.move(frames, planar.invert(step.pose))


def windows(character: Character, steps: tuple[Step, ...], motion: Motion) -> np.ndarray:
    """Mark the frames that may be blended."""
    marks = np.zeros(motion.frame_count, dtype=bool)
    for one, two in pairwise(steps):
        a, b = clip_of(character, one), clip_of(character, two)
        reach = min(a.margin, b.margin, a.duration * a.frames_per_step // 2, b.duration * b.frames_per_step // 2)
        join = (two.frame - steps[0].frame) * a.frames_per_step
        marks[join - reach : join + reach + 1] = True
    return marks


@settings(deadline=None, max_examples=40)
@given(seed=seeds)
def test_every_clip_is_delivered_with_its_own_displacement_and_duration(seed: int):
    _check_delivery(load_character("human"), seed)


@pytest.mark.slow
def test_every_captured_clip_is_delivered_with_its_own_displacement_and_duration(mocap):
    for seed in range(20):
        _check_delivery(_grown(captured(mocap)), seed)


def _check_delivery(character: Character, seed: int) -> None:
    steps, motion = played(character, seed)
    clips = [clip_of(character, step) for step in steps]
    per_step = clips[0].frames_per_step
    assert motion.frame_count == 1 + per_step * sum(clip.duration for clip in clips)
    for step, clip in zip(steps, clips, strict=True):
        frames = own_frames(character, step, steps[0], motion)
        assert frames.root_positions[0, :2] == pytest.approx((0.0, 0.0), abs=1e-6)
        assert frames.root_positions[-1, :2] == pytest.approx(clip.displacement[:2], abs=1e-6)
        path = clip.motion.root_positions[clip.margin : clip.motion.frame_count - clip.margin, :2]
        assert np.linalg.norm(frames.root_positions[:, :2] - path, axis=1).max() < 0.01


def test_frames_away_from_joins_are_the_clips_own(human: Character):
    steps, motion = played(human, 3)
    blended = windows(human, steps, motion)
    for step in steps:
        clip = clip_of(human, step)
        begin = (step.frame - steps[0].frame) * clip.frames_per_step
        frames = own_frames(human, step, steps[0], motion)
        own = edits.cut(clip.motion, clip.margin, clip.motion.frame_count - 1 - clip.margin)
        kept = ~blended[begin : begin + frames.frame_count]
        np.testing.assert_allclose(frames.world_positions[kept], own.world_positions[kept], atol=1e-9)


def test_joints_never_jump(character: Character):
    for seed in range(20):
        steps, motion = played(character, seed)
        inside = max(jump_inside(clip_of(character, step)) for step in steps)
        assert velocity_jumps(motion).max() <= 1.5 * inside


def test_planted_feet_of_the_built_in_human_stand_still(human: Character):
    for seed in range(30):
        steps, motion = played(human, seed)
        slides = slide_speeds(motion, realized_contacts(human, steps, blends=_blends(human)))
        assert np.nanmean(slides) <= 0.01
        assert np.nanmax(slides) <= 0.03


def test_feet_do_not_sink(character: Character):
    for seed in range(20):
        _, motion = played(character, seed)
        assert lowest_sole(motion) > -0.01


def test_delivered_bodies_stay_inside_their_swept_shapes(character: Character):
    body = Body.from_skeleton(character.skeleton)
    for seed in range(6):
        steps, motion = played(character, seed, count=5)
        for step in steps:
            frames = own_frames(character, step, steps[0], motion)
            assert outside(clip_of(character, step), frames, body) < 1e-5  # metres; three centimetres are asked for


@cache
def varied() -> Character:
    """One stride of a walk as it is, mirrored, bent, sped up and slowed down, which all may follow each other."""
    take = walk(strides=4)
    first, last = take.frame_count // 4, take.frame_count // 2
    plain = make_clip("plain", take, first, last)
    clips = [
        plain,
        make_clip("mirrored", mirror(take), first, last),
        bend(plain, np.radians(25.0)),
        make_clip("hasty", take, first, last, speed=1.5),
        make_clip("idle", take, first, last, speed=0.5),
    ]
    behaviors = [Behavior(f"{n}", clip.name, (clip,), "left", "left") for n, clip in enumerate(clips)]
    return include_blending(Character("varied", take.skeleton, 30.0, tuple(behaviors)))


@settings(deadline=None, max_examples=10)
@given(seed=seeds)
def test_bent_mirrored_and_retimed_clips_keep_what_they_promise_even_where_they_do_not_match(seed: int):
    character, body = varied(), Body.from_skeleton(varied().skeleton)
    _check_delivery(character, seed)
    steps, motion = played(character, seed)
    assert lowest_sole(motion) > -0.01
    for step in steps:
        assert outside(clip_of(character, step), own_frames(character, step, steps[0], motion), body) < 1e-5


def test_blended_bodies_leave_shapes_that_know_of_no_neighbours(mocap):
    character, body = captured(mocap), Body.from_skeleton(captured(mocap).skeleton)
    steps, motion = played(character, 0, count=5)
    frames = [own_frames(character, step, steps[0], motion) for step in steps]
    assert max(outside(clip_of(character, s), f, body) for s, f in zip(steps, frames, strict=True)) > 0.01


def test_blending_grows_shapes_near_the_ends_only(mocap):
    plain, grown = captured(mocap), _grown(captured(mocap))
    assert any(np.any(b.clips[0].shape.radius > a.clips[0].shape.radius + 0.01) for a, b in _pairs(plain, grown))
    for one, two in _pairs(plain, grown):
        a, b = one.clips[0], two.clips[0]
        reach = a.margin // a.frames_per_step + 1
        middle = slice(reach, a.duration + 1 - reach)
        for name in ("offset", "radius", "low", "high"):
            np.testing.assert_array_equal(getattr(a.shape, name)[middle], getattr(b.shape, name)[middle])


def _pairs(plain: Character, grown: Character):
    return zip(plain.behaviors, grown.behaviors, strict=True)


def test_the_same_seed_gives_the_same_motion_with_and_without_blends_made_beforehand(character: Character):
    names = random_names(character, np.random.default_rng(5), 6)
    one = play(character, names, seed=7)
    two = play(character, names, seed=7, blends=_blends(character))
    np.testing.assert_array_equal(one.root_positions, two.root_positions)
    np.testing.assert_array_equal(one.rotations, two.rotations)


def test_a_motion_begins_where_it_is_told_to(human: Character):
    here = play(human, ["go", "jog"])
    there = play(human, ["go", "jog"], start=(3.0, -2.0, 2.5))
    moved = edits.move(here, (3.0, -2.0, 2.5))
    np.testing.assert_allclose(there.world_positions, moved.world_positions, atol=1e-6)


def test_a_single_behavior_is_its_clip_without_margins(human: Character):
    clip = human.behavior("walk").clips[0]
    motion = play(human, ["walk"])
    own = edits.cut(clip.motion, clip.margin, clip.motion.frame_count - 1 - clip.margin)
    np.testing.assert_array_equal(motion.world_positions, own.world_positions)
    np.testing.assert_array_equal(
        realized_contacts(human, ["walk"]).planted, clip.contacts.planted[clip.margin : -clip.margin]
    )


def test_contacts_are_the_clips_own_away_from_joins(human: Character):
    steps, motion = played(human, 11)
    contacts = realized_contacts(human, steps)
    own = np.concatenate(
        [clip_of(human, s).contacts.planted[clip_of(human, s).margin : -clip_of(human, s).margin - 1] for s in steps]
    )
    kept = ~windows(human, steps, motion)[:-1]
    np.testing.assert_array_equal(contacts.planted[:-1][kept], own[kept])


def test_which_clip_is_played_does_not_depend_on_the_order_of_drawing(human: Character):
    jog = human.behavior("jog")
    clips = tuple(replace(jog.clips[0], name=f"jog {n}") for n in range(5))
    several = replace(human.only(["jog"]), behaviors=(replace(jog, clips=clips),))
    long = place_steps(several, ["jog"] * 400, seed=3)
    assert [s.clip for s in place_steps(several, ["jog"] * 7, seed=3)] == [s.clip for s in long[:7]]
    assert [s.clip for s in place_steps(several, ["jog"] * 400, seed=4)] != [s.clip for s in long]
    assert all(50 < count < 110 for count in Counter(s.clip for s in long).values())


@settings(deadline=None)
@given(seed=st.integers())
def test_any_whole_number_is_a_seed(seed: int):
    step = place_steps(load_character("human"), ["jog"], seed=seed)[0]
    assert 0 <= step.clip < len(load_character("human").behavior("jog").clips)


def test_a_transition_that_is_not_allowed_names_both_behaviors_and_what_may_follow(human: Character):
    with pytest.raises(InvalidInput, match=r"'stand' may not follow 'jog'; after it may come: .*jog-left-15"):
        play(human, ["jog", "stand"])
    lonely = replace(human.only(["jog", "stand"]), labels_connect=False, transitions=(Transition("jog", "jog"),))
    with pytest.raises(InvalidInput, match="may come: nothing"):
        play(lonely, ["stand", "stand"])


def test_an_unknown_behavior_is_met_with_a_near_one(human: Character):
    with pytest.raises(UnknownName, match="did you mean 'jog'"):
        play(human, ["jogg"])


@pytest.mark.parametrize("sequence", [[], ["jog", 3]], ids=["nothing", "a mixture"])
def test_what_is_no_sequence_is_refused(human: Character, sequence):
    with pytest.raises(InvalidInput, match="a sequence"):
        play(human, sequence)


def test_steps_must_begin_where_and_when_the_one_before_ends(human: Character):
    one, two = place_steps(human, ["jog", "jog"])
    for wrong in (
        replace(two, pose=(two.pose[0] + 0.1, *two.pose[1:])),
        replace(two, pose=(*two.pose[:2], two.pose[2] + 0.1)),
        replace(two, frame=two.frame + 1),
        replace(two, pose=(np.nan, 0.0, 0.0)),
    ):
        with pytest.raises(InvalidInput, match="off from where 'jog' before it ends"):
            play(human, [one, wrong])
    for wrong, what in ((replace(two, clip=9), "no clip 9"), (replace(two, behavior=-1), "no behavior -1")):
        with pytest.raises(InvalidInput, match=what):
            play(human, [one, wrong])


def test_a_whole_turn_more_in_a_heading_makes_no_difference(human: Character):
    one, two = place_steps(human, ["jog", "jog"])
    turned = replace(two, pose=(*two.pose[:2], two.pose[2] + 2.0 * np.pi))
    np.testing.assert_allclose(
        play(human, [one, turned]).world_positions, play(human, [one, two]).world_positions, atol=1e-9
    )


def test_blends_of_other_clips_are_refused(human: Character):
    walks = Blends.of(human.only(["walk", "fast"]))
    with pytest.raises(InvalidInput, match="do not contain clip 'jog'"):
        play(human, ["jog"], blends=walks)
    apart = Blends.between(walks.clips, np.empty((0, 2)))
    with pytest.raises(InvalidInput, match="none between 'walk' and 'walk'"):
        play(human, ["walk", "walk"], blends=apart)


def test_a_subset_can_be_played_with_the_blends_of_the_whole(human: Character):
    jogger = human.only(["jog", "jog-left-15"])
    one = play(jogger, ["jog", "jog-left-15"], blends=_blends(human))
    np.testing.assert_array_equal(one.rotations, play(jogger, ["jog", "jog-left-15"]).rotations)


def test_joints_that_translate_go_on_translating(human: Character):
    clip = human.behavior("jog").clips[0]
    motion = clip.motion
    offsets = np.repeat(motion.skeleton.offsets[None], motion.frame_count, axis=0)
    offsets[:, 5, 2] += 0.01
    stretched = replace(clip, motion=replace(motion, translations=offsets))
    jogger = human.only(["jog", "jog-left-15"])
    both = replace(jogger, behaviors=(replace(jogger.behaviors[0], clips=(stretched,)), jogger.behaviors[1]))
    result = play(both, ["jog", "jog-left-15"])
    assert result.translations is not None
    lengths = result.translations[:, 5, 2] - motion.skeleton.offsets[5, 2]
    assert lengths[0] == pytest.approx(0.01)
    assert lengths[-1] == pytest.approx(0.0, abs=1e-7)
    assert np.abs(np.diff(lengths)).max() < 0.001


@pytest.mark.slow
def test_cleaning_feet_at_least_halves_the_slide_of_captures(mocap):
    character = captured(mocap)
    blends, plain = _blends(character), without_clean_up(_blends(character))
    cleaned, slid = [], []
    for seed in range(20):
        names = random_names(character, np.random.default_rng(seed), 8)
        for made, slides in ((blends, cleaned), (plain, slid)):
            motion = play(character, names, blends=made)
            slides.append(np.nanmean(slide_speeds(motion, realized_contacts(character, names, blends=made))))
    assert np.mean(cleaned) < 0.5 * np.mean(slid)
