"""The tables of a crowd's kinds, against plain enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from gambol.characters import ActionTable, Character, load_character
from gambol.characters.action_table import action_table
from gambol.crowd.fans import Fans
from gambol.crowd.kinds import Clips, Kinds, compile_kinds
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.search import moves_of

EQUAL = 1e-9
RESTING_SWAY_M = 0.05
HEIGHT_M = 0.015  # by which parts of one who stands rise and sink


@pytest.fixture(scope="module")
def characters() -> tuple[Character, ...]:
    human = load_character("human")
    return human.subset("crowd"), load_character("horse")


@pytest.fixture(scope="module")
def kinds(characters: tuple[Character, ...]) -> Kinds:
    return compile_kinds(characters)


def _sequences(character: Character, behavior: str) -> set[tuple[str, ...]]:
    """Return the names of what may follow a behavior, one or two after each other.

    Who stands and plays what ends in standing sets out after that, or decides again.
    """
    from_standing = set(character.successors("stand"))

    def stands(name: str) -> bool:
        return set(character.successors(name)) == from_standing

    found: set[tuple[str, ...]] = set()
    for first in character.successors(behavior):
        found.add((first,))
        for second in character.successors(first):
            if not (stands(behavior) and stands(first) and stands(second)):
                found.add((first, second))
    return found


def _name(kinds: Kinds, characters: tuple[Character, ...], clip: int) -> str:
    """Return the name of the behavior of a clip of the joined tables."""
    kind = int(kinds.clips.kind_of_clip[clip])
    own = clip - int(kinds.clips.first_clip[kind])
    return characters[kind].behaviors[int(action_table(characters[kind]).clip_behavior[own])].name


def _states(kinds: Kinds, characters: tuple[Character, ...]) -> list[tuple[int, str, int]]:
    """Return each behavior with its kind and the state after it."""
    found = []
    for kind, character in enumerate(characters):
        starts = action_table(character).behavior_clips
        for number, behavior in enumerate(character.behaviors):
            clip = int(kinds.clips.first_clip[kind] + starts[number])
            found.append((kind, behavior.name, int(kinds.clips.state[clip])))
    return found


def _fans(fans: Fans, state: int) -> range:
    return range(int(fans.first_fan[state]), int(fans.first_fan[state + 1]))


def test_the_fans_of_a_state_draw_every_clip_that_may_come_first(
    kinds: Kinds, characters: tuple[Character, ...]
) -> None:
    fans = kinds.fans
    for kind, behavior, state in _states(kinds, characters):
        character = characters[kind]
        drawn = set()
        for fan in _fans(fans, state):
            nodes = np.arange(fans.first[fan], fans.first[fan + 1])
            drawn |= set(fans.clip[nodes[fans.parent[nodes] < 0]].tolist())
        names = [name for name in character.successors(behavior) if name != "stand"]
        starts = action_table(character).behavior_clips[[character.index(name) for name in names]]
        for name, start in zip(names, starts + kinds.clips.first_clip[kind], strict=True):
            assert drawn >= set(range(start, start + len(character.behavior(name).clips)))


def test_a_fan_is_every_legal_sequence_of_two_behaviors(kinds: Kinds, characters: tuple[Character, ...]) -> None:
    fans = kinds.fans
    seen = set()
    listed = [(*one, fan) for one in _states(kinds, characters) for fan in _fans(fans, one[2])]
    for kind, behavior, _, fan in listed:
        seen.add(fan)
        found, played = set(), set()
        for node in range(fans.first[fan], fans.first[fan + 1]):
            clips, parent = [int(fans.clip[node])], int(fans.parent[node])
            if parent >= 0:
                assert fans.first[fan] <= parent < node
                assert fans.parent[parent] < 0
                clips.insert(0, int(fans.clip[parent]))
            assert (kinds.clips.kind_of_clip[clips] == kind).all()
            assert tuple(clips) not in played, "a sequence comes twice"
            played.add(tuple(clips))
            found.add(tuple(_name(kinds, characters, clip) for clip in clips))
        assert found == _sequences(characters[kind], behavior)
    assert seen == set(range(len(fans.first) - 1))


def test_the_nodes_of_a_fan_are_where_and_when_their_clips_end(kinds: Kinds) -> None:
    fans, clips = kinds.fans, kinds.clips
    for node in range(len(fans.clip)):
        pose, frames, at = np.zeros((1, 3)), 0, node
        played = []
        while at >= 0:
            played.append(int(fans.clip[at]))
            at = int(fans.parent[at])
        for clip in reversed(played):
            pose = planar.compose(pose, clips.displacement[clip : clip + 1, :3])
            frames += int(clips.duration[clip])
        x, y, heading = pose[0]
        np.testing.assert_allclose(fans.pose[node], [x, y, np.cos(heading), np.sin(heading)], atol=EQUAL)
        assert fans.frames[node] == frames
        assert fans.state[node] == clips.state[fans.clip[node]]
        assert fans.following[node] in _fans(fans, int(fans.state[node]))


def test_stops_are_what_brings_a_state_to_rest(kinds: Kinds, characters: tuple[Character, ...]) -> None:
    fans, clips = kinds.fans, kinds.clips
    resting = {
        (kind, behavior) for kind, behavior, state in _states(kinds, characters) if state == clips.rest_state[kind]
    }
    for kind, behavior, state in _states(kinds, characters):
        assert bool(fans.is_rest[state]) == ((kind, behavior) in resting)
        following = {name for name in characters[kind].successors(behavior) if (kind, name) in resting}
        expected = set() if (kind, behavior) in resting else following
        for fan in _fans(fans, state):
            stops = fans.stop[fans.first_stop[fan] : fans.first_stop[fan + 1]]
            assert {_name(kinds, characters, int(clip)) for clip in stops} == expected


def _circles(clips: Clips, clip: int, pose: np.ndarray) -> np.ndarray:
    """Return circles (F, 3) around the bodies of a clip and around standing at its end."""
    samples = clips.first_sample[clip] + np.arange(clips.duration[clip] + 1)
    path = np.column_stack((clips.samples[samples, :2], np.zeros(len(samples))))
    places = planar.compose(np.broadcast_to(pose, path.shape), path)[:, :2]
    end = planar.compose(pose[None], clips.displacement[clip : clip + 1, :3])[0]
    rest = clips.samples[clips.rest_sample[clips.kind_of_clip[clip]], 4]
    return np.concatenate((np.column_stack((places, clips.samples[samples, 4])), [[end[0], end[1], rest]]))


def test_the_box_of_a_fan_holds_everything_in_it(kinds: Kinds) -> None:
    fans, clips = kinds.fans, kinds.clips
    for fan in range(len(fans.first) - 1):
        x0, y0, x1, y1 = fans.box[fan]
        for node in range(fans.first[fan], fans.first[fan + 1]):
            parent = int(fans.parent[node])
            begin = np.zeros(3) if parent < 0 else _pose(fans, parent)
            circles = [_circles(clips, int(fans.clip[node]), begin)]
            after = fans.following[node]
            for stop in fans.stop[fans.first_stop[after] : fans.first_stop[after + 1]]:
                circles.append(_circles(clips, int(stop), _pose(fans, node)))
            x, y, radius = np.concatenate(circles).T
            least, greatest = ((x - radius).min(), (y - radius).min()), ((x + radius).max(), (y + radius).max())
            assert np.all(np.subtract(least, (x0, y0)) >= -EQUAL)
            assert np.all(np.subtract(greatest, (x1, y1)) <= EQUAL)


def _pose(fans: Fans, node: int) -> np.ndarray:
    x, y, cosine, sine = fans.pose[node]
    return np.array([x, y, np.arctan2(sine, cosine)])


def test_who_rests_fills_all_that_it_may_fill_while_it_stands(kinds: Kinds, characters: tuple[Character, ...]) -> None:
    """Every cylinder of every instant of standing is inside one of the rest sample, heights included."""
    clips, actions = kinds.clips, kinds.actions
    for kind in range(len(characters)):
        rest = clips.parts[clips.rest_sample[kind]]
        for clip in clips.stand[clips.first_stand[kind] : clips.first_stand[kind + 1]]:
            np.testing.assert_allclose(clips.displacement[clip, :3], 0.0, atol=EQUAL)
            for sample in actions.clip_samples[clip] + np.arange(int(clips.duration[clip]) + 1):
                x, y, heading = actions.path[sample]
                for part in range(8):
                    if actions.part_high[sample, part] <= actions.part_low[sample, part]:
                        continue
                    ahead, aside = actions.part_offset[sample, part]
                    px = x + np.cos(heading) * ahead - np.sin(heading) * aside
                    py = y + np.sin(heading) * ahead + np.cos(heading) * aside
                    away = np.hypot(rest[:, 0] - px, rest[:, 1] - py) + actions.part_radius[sample, part]
                    held = (away <= rest[:, 2] + EQUAL) & (rest[:, 3] <= actions.part_low[sample, part])
                    assert (held & (rest[:, 4] >= actions.part_high[sample, part])).any()
        outer = clips.samples[clips.rest_sample[kind], 4]
        real = rest[:, 4] > rest[:, 3]
        assert outer == pytest.approx((np.hypot(rest[real, 0], rest[real, 1]) + rest[real, 2]).max())


def test_who_stands_sways_by_less_than_movers_are_kept_away(kinds: Kinds, characters: tuple[Character, ...]) -> None:
    """Against what moves, who stands is the first instant of its first clip of standing, grown by 5 cm."""
    clips, actions = kinds.clips, kinds.actions
    for kind in range(len(characters)):
        stands = clips.stand[clips.first_stand[kind] : clips.first_stand[kind + 1]]
        first = int(actions.clip_samples[stands[0]])
        for clip in stands:
            for sample in actions.clip_samples[clip] + np.arange(int(clips.duration[clip]) + 1):
                is_part = actions.part_high[sample] > actions.part_low[sample]
                x, y, heading = actions.path[sample]
                cosine, sine = np.cos(heading), np.sin(heading)
                ahead, aside = actions.part_offset[sample].T
                away_x = x + cosine * ahead - sine * aside - actions.part_offset[first, :, 0]
                away_y = y + sine * ahead + cosine * aside - actions.part_offset[first, :, 1]
                beyond = np.hypot(away_x, away_y) + actions.part_radius[sample] - actions.part_radius[first]
                assert beyond[is_part].max() <= RESTING_SWAY_M
                assert (actions.part_high[sample] - actions.part_high[first])[is_part].max() <= HEIGHT_M
                assert (actions.part_low[first] - actions.part_low[sample])[is_part].max() <= HEIGHT_M


def test_joined_tables_say_of_each_kind_what_its_own_say(kinds: Kinds, characters: tuple[Character, ...]) -> None:
    joined = kinds.actions
    behaviors = clips = samples = successors = 0
    for number, character in enumerate(characters):
        own = action_table(character)
        assert kinds.clips.first_clip[number] == clips
        size = {
            "behaviors": len(own.behavior_cost), "clips": len(own.duration), "samples": len(own.path),
            "successors": len(own.successors),
        }  # fmt: skip
        rows = {"behaviors": behaviors, "clips": clips, "samples": samples, "successors": successors}
        for name, per, points_to in [
            ("behavior_cost", "behaviors", ""), ("slopes", "behaviors", ""), ("successors", "successors", "behaviors"),
            ("successor_costs", "successors", ""), ("clip_behavior", "clips", "behaviors"),
            ("displacement", "clips", ""), ("duration", "clips", ""), ("event", "clips", ""),
            ("clip_samples", "clips", "samples"), ("path", "samples", ""), ("outer_radius", "samples", ""),
            ("lowest", "samples", ""), ("highest", "samples", ""), ("part_offset", "samples", ""),
            ("part_radius", "samples", ""), ("part_low", "samples", ""), ("part_high", "samples", ""),
        ]:  # fmt: skip
            part = getattr(joined, name)[rows[per] : rows[per] + size[per]]
            np.testing.assert_array_equal(part, getattr(own, name) + (rows[points_to] if points_to else 0), name)
        for name, points_to in (("behavior_clips", "clips"), ("behavior_successors", "successors")):
            part = getattr(joined, name)[behaviors : behaviors + size["behaviors"] + 1]
            np.testing.assert_array_equal(part, getattr(own, name) + rows[points_to], name)
        _compare_clips(kinds.clips, own, character, clips, samples)
        behaviors, clips = behaviors + size["behaviors"], clips + size["clips"]
        samples, successors = samples + size["samples"], successors + size["successors"]
    assert len(joined.duration) == clips == kinds.clips.first_clip[-1]
    assert len(joined.path) == samples


def _compare_clips(joined: Clips, own: ActionTable, character: Character, clips: int, samples: int) -> None:
    """Compare the clips of one kind, which begin at some numbers, with its own tables."""
    moves = moves_of(character)
    mine, instants = slice(clips, clips + len(own.duration)), slice(samples, samples + len(own.path))
    np.testing.assert_array_equal(joined.duration[mine], own.duration)
    np.testing.assert_array_equal(joined.first_sample[mine], own.clip_samples + samples)
    np.testing.assert_array_equal(joined.displacement[mine, :3], own.displacement)
    np.testing.assert_allclose(joined.displacement[mine, 3], np.cos(own.displacement[:, 2]), atol=EQUAL)
    np.testing.assert_allclose(joined.displacement[mine, 4], np.sin(own.displacement[:, 2]), atol=EQUAL)
    np.testing.assert_array_equal(joined.samples[instants], moves.samples)
    np.testing.assert_array_equal(joined.parts[instants], moves.parts)
    np.testing.assert_array_equal(joined.circle[mine], moves.circle)
    for clip, (first, frames) in enumerate(zip(own.clip_samples, own.duration, strict=True)):
        rows = slice(first, first + frames + 1)
        assert joined.reach[clips + clip] == own.outer_radius[rows].max()
        strides = np.linalg.norm(np.diff(own.path[rows, :2], axis=0), axis=1)
        assert joined.stride[clips + clip] >= strides.max(initial=0.0) - 1e-12


def test_kinds_that_share_nothing_have_no_states_in_common(kinds: Kinds, characters: tuple[Character, ...]) -> None:
    of_kind = [{state for kind, _, state in _states(kinds, characters) if kind == number} for number in (0, 1)]
    assert of_kind[0].isdisjoint(of_kind[1])


def test_who_cannot_stand_is_refused(characters: tuple[Character, ...]) -> None:
    human = characters[0]
    without = [one.name for one in human.behaviors if one.kind != "wait"]
    with pytest.raises(InvalidInput, match="cannot live in a crowd"):
        compile_kinds((human.only(without),))
