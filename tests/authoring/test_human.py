from __future__ import annotations

import numpy as np
import pytest
from evidence.soak.sequences import HUMAN_LIMITS, SequenceJob

from gambol.characters import Character, compile_actions, highest_hurdle, load_character, lowest_beam
from gambol.errors import UnknownName


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human")


def test_the_papers_sets_have_the_papers_numbers_of_states(human: Character):
    assert len(human.subsets["lk05"]) == 25
    assert len(human.subsets["lk06-21"]) == 21
    assert len(human.subsets["lk06-13"]) == 13
    assert all(1 <= len(human.behavior(name).clips) <= 4 for name in human.subsets["lk05"])
    c20 = human.subsets["c20"]
    for gait in ("slow", "walk", "fast", "jog", "jump"):
        turned = [name for name in c20 if name.startswith((f"{gait}-left-", f"{gait}-right-"))]
        assert {abs(int(name.rsplit("-", 1)[1])) for name in turned} == {15, 30, 45, 60, 75, 90}
        assert len(turned) == 12
        assert gait in c20


@pytest.mark.parametrize("subset", ["lk05", "lk06-21", "lk06-13", "c20", "crowd"])
def test_in_every_subset_all_behaviors_can_be_reached_and_left(human: Character, subset: str):
    reach = np.isfinite(human.subset(subset).transition_costs)
    for _ in range(len(reach)):
        reach = reach | (reach.astype(int) @ reach.astype(int) > 0)
    assert reach.all(), [b.name for b, row in zip(human.subset(subset).behaviors, reach, strict=True) if not row.all()]


def test_in_a_crowd_one_can_set_out_at_an_angle_and_the_papers_set_stays_as_it_was(human: Character):
    angled = {f"go-{side}-{angle}" for side in ("left", "right") for angle in (30, 60)}
    angled |= {f"start-walk-{side}-{angle}" for side in ("left", "right") for angle in (30, 60, 90)}
    crowd = human.subset("crowd")
    assert {behavior.name for behavior in crowd.behaviors[-len(angled) :]} == angled
    assert angled <= set(crowd.successors("stand"))
    assert not angled & set(human.subsets["c20"])
    assert all(human.behavior(name).weight > human.behavior("go").weight for name in angled)


def test_costs_order_forward_before_turns_before_jumps_before_waiting(human: Character):
    weights = [human.behavior(name).weight for name in ("jog", "jog-left-30", "jump", "stop-and-wait")]
    assert weights == sorted(weights)
    assert len(set(weights)) == 4
    assert all(behavior.cost("path") > 0.0 for behavior in human.behaviors)


def test_weights_can_be_changed_by_name_by_label_or_by_kind(human: Character):
    shy = human.with_weights({"jump": 9.0, "jump-two-foot": 5.0, "jog left 30": 4.0})
    assert shy.behavior("jump").weight == 9.0
    assert shy.behavior("jump-over-far").weight == 9.0
    assert shy.behavior("jump-two-foot").weight == 5.0
    assert shy.behavior("jog-left-30").weight == 4.0
    assert shy.behavior("jog").weight == human.behavior("jog").weight
    with pytest.raises(UnknownName, match="did you mean"):
        human.with_weights({"jumpp": 2.0})


def hurdle(human: Character, name: str) -> float:
    return highest_hurdle(human.behavior(name).clips[0], thick_m=0.2).height_m


def beam(human: Character, name: str, *, deep_m: float) -> float:
    return lowest_beam(human.behavior(name).clips[0], deep_m=deep_m).height_m


def test_jumps_clear_and_ducks_and_crawls_pass_below_by_their_swept_shapes_blending_included(human: Character):
    assert hurdle(human, "jump-over") > 0.40
    assert 0.20 < hurdle(human, "jump") < hurdle(human, "jump-over")
    assert beam(human, "duck", deep_m=0.5) < 1.20
    assert beam(human, "duck-deep", deep_m=0.1) < beam(human, "duck", deep_m=0.1)
    assert beam(human, "crawl", deep_m=0.5) < 0.75


@pytest.mark.slow
def test_random_sequences_keep_to_the_limits(human: Character):
    job = SequenceJob("small", lambda: human, HUMAN_LIMITS, sequences=25, chunk_size=25)
    with job.session() as session:
        tally = session.run_chunk(0)
    assert tally.inputs == 25
    assert not tally.failures


def test_the_action_table_says_what_the_clips_say(human: Character):
    table = compile_actions(human)
    clips = [clip for behavior in human.behaviors for clip in behavior.clips]
    for index in range(0, len(clips), 7):
        clip, first = clips[index], table.clip_samples[index]
        samples = slice(first, first + clip.duration + 1)
        assert np.array_equal(table.path[samples], clip.path)
        assert np.array_equal(table.part_radius[samples], clip.shape.radius)
        assert np.array_equal(table.displacement[index], clip.displacement)
    for index, behavior in enumerate(human.behaviors):
        following = table.successors[table.behavior_successors[index] : table.behavior_successors[index + 1]]
        assert {human.behaviors[other].name for other in following} == set(human.successors(behavior.name))


def test_an_unknown_built_in_or_behavior_is_an_error_with_a_suggestion(human: Character):
    with pytest.raises(UnknownName, match="did you mean 'human'"):
        load_character("humam")
    with pytest.raises(UnknownName, match="did you mean 'jog-left-30'"):
        human.behavior("jog-left-31")
