"""Crowds split in space: regions that tell each other who is near, and what becomes of the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gambol.characters import Character, load_character
from gambol.crowd.crowd import Crowd
from gambol.crowd.errand import Errand
from gambol.crowd.floor import lay_floor
from gambol.crowd.kinds import compile_kinds
from gambol.crowd.lanes import lay_lanes
from gambol.crowd.recording import ARRAYS, Recording
from gambol.crowd.split.exchange import ASK, MEMBER
from gambol.crowd.split.region import CrowdRegion
from gambol.crowd.split.split_crowd import Here, SplitCrowd
from gambol.crowd.split.strips import Strip, cut_strips, reach_of
from gambol.errors import InvalidInput, UnknownName
from gambol.judges import judge_crowd
from gambol.scenes import Actor, Follow, Scene, Visit, Wander
from gambol.search import Goal
from gambol.stages import CrowdStage, SplitCrowdStage, perform
from gambol.world import Footprint, Obstacle, World

LONG_M, WIDE_M = 90.0, 24.0
PEOPLE = 180
SECONDS = 20.0


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("crowd")


def _scene(human: Character, people: int = PEOPLE, *, late: bool = False) -> Scene:
    """Return a long hall in which everyone wanders; or, late, appears by and by, crosses it and leaves."""
    rng = np.random.default_rng(3)
    columns = round((people * LONG_M / WIDE_M) ** 0.5)
    rows = -(-people // columns)
    cast = []
    for number in range(people):
        column, row = number % columns, number // columns
        x = 1.0 + (LONG_M - 2.0) * (column + 0.5 + rng.uniform(-0.1, 0.1)) / columns
        y = 1.0 + (WIDE_M - 2.0) * (row + 0.5 + rng.uniform(-0.1, 0.1)) / rows
        aim = Wander((1.0, 1.0, LONG_M - 1.0, WIDE_M - 1.0))
        if late:
            aim = Visit((Goal(LONG_M - x, y, tolerance_m=1.5),), then="leave")
        start = (float(x), float(y), float(rng.uniform(-3.0, 3.0)))
        appears_s = 0.25 * (number % 9) if late else 0.0
        cast.append(Actor(f"one {number}", human, start, None, aim=aim, appears_s=appears_s))
    return Scene("hall", World((0.0, 0.0, LONG_M, WIDE_M)), tuple(cast), kind="crowd", seed=5)


def _watch(crowd: SplitCrowd, frames: int) -> None:
    """Let frames pass, and look now and then whether all are apart."""
    while crowd.frame < frames:
        crowd.advance(10)
        crowd.assert_apart()


def _same(one: Recording, other: Recording) -> bool:
    arrays = all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)
    return arrays and one.names == other.names and one.events == other.events and one.frames == other.frames


@pytest.fixture(scope="module")
def plain(human: Character) -> Recording:
    return perform(_scene(human), CrowdStage(SECONDS), check=False).recording


@pytest.fixture(scope="module")
def split(human: Character) -> Recording:
    """The same people in four regions, looked at all the time."""
    scene = _scene(human)
    with SplitCrowd(scene, regions=4) as crowd:
        everybody = np.arange(PEOPLE)
        while crowd.frame < SECONDS * crowd.rate_hz:
            crowd.advance(10)
            members = crowd.members()
            assert np.array_equal(np.sort(np.concatenate(members)["number"]), everybody), "nobody lost, nobody doubled"
            for strip, rows in zip(crowd.strips, members, strict=True):
                assert strip.holds(_ends(rows, strip.axis)).all(), "everyone is where its present clip ends"
            crowd.assert_apart()
        assert sum(one["handed_over"] for one in crowd.figures()) > PEOPLE
        return crowd.recording()


def _ends(rows: np.ndarray, axis: int) -> np.ndarray:
    return np.where(rows["count"] > 1, rows["pose"][:, 1, axis], rows["end"][:, axis])


class TestReach:
    """How far from the end of its present clip anyone comes."""

    @pytest.mark.parametrize("name", ["human", "horse"])
    def test_every_tail_that_may_be_played_is_within_reach(self, name: str):
        character = load_character(name)
        kinds = compile_kinds([character.subset("crowd") if name == "human" else character])
        clips, fans, reach = kinds.clips, kinds.fans, reach_of(kinds)
        node = np.arange(len(fans.clip))
        fan = np.searchsorted(fans.first, node, "right") - 1
        state = np.searchsorted(fans.first_fan, fan, "right") - 1
        begins = np.where((fans.parent >= 0)[:, None], fans.pose[fans.parent], (0.0, 0.0, 1.0, 0.0))
        assert (_reached(clips, begins, fans.clip) <= reach.by_state[state]).all()
        rest_m = clips.samples[clips.rest_sample[clips.kind_of_clip[fans.clip]], 4]
        for stop in range(int(np.diff(fans.first_stop).max())):
            first = fans.first_stop[fans.following]
            has = first + stop < fans.first_stop[fans.following + 1]
            clip = fans.stop[np.minimum(first + stop, len(fans.stop) - 1)]
            far = _reached(clips, fans.pose, clip)
            assert (far <= reach.by_state[state])[has].all()
            # Once the first clip has become the present one, the second and the stop are left.
            back = fans.pose[:, :2] - begins[:, :2]
            x, y = (begins[:, 2:] * back).sum(axis=1), begins[:, 2] * back[:, 1] - begins[:, 3] * back[:, 0]
            end = np.column_stack((x, y, begins[:, 2] * fans.pose[:, 2] + begins[:, 3] * fans.pose[:, 3],
                                   begins[:, 2] * fans.pose[:, 3] - begins[:, 3] * fans.pose[:, 2]))  # fmt: skip
            assert (_reached(clips, end, clip) <= reach.held_m)[has].all()
        assert (np.hypot(*fans.pose[:, :2].T) + rest_m <= reach.by_state[state]).all()

    def test_nobody_ever_holds_or_takes_up_what_is_out_of_reach(self, human: Character):
        crowd = Crowd(World((0.0, 0.0, 30.0, 30.0)), [human], seed=4)
        for number in range(64):
            crowd.add(0, (2.0 + 3.7 * (number % 8), 2.0 + 3.7 * (number // 8), number), Errand.wander((1, 1, 29, 29)))
        reach, clips, flock = reach_of(crowd._tables), crowd._tables.clips, crowd._flock
        taken_up = 0
        for _ in range(200):
            asked = crowd.statistics.look_ups
            crowd.step()
            flock = crowd._flock
            ends = np.where((flock.count > 1)[:, None], flock.pose[:, 1, :2], flock.end[:, :2])[:64]
            box = flock.box[:64]
            far = np.maximum(ends - box[:, :2], box[:, 2:] - ends).max(axis=1)
            assert (far <= reach.held_m).all()
            for number in range(crowd.statistics.look_ups - asked):
                who, count = crowd._proposals.who[number], crowd._proposals.count[number]
                if count and flock.count[who] == count + 1:
                    pose = flock.pose[who, 1 : count + 1][:, [0, 1, 3, 4]] - (*ends[who], 0.0, 0.0)
                    far = _reached(clips, pose, flock.clip[who, 1 : count + 1])
                    assert (far <= reach.by_state[clips.state[flock.clip[who, 0]]]).all()
                    taken_up += 1
        assert taken_up > 500


def _reached(clips, begins: np.ndarray, clip: np.ndarray) -> np.ndarray:
    """Return how far from the origin clips come that begin at poses x, y, cosine, sine."""
    x, y, radius = clips.circle[clip].T
    at_x = begins[:, 0] + begins[:, 2] * x - begins[:, 3] * y
    at_y = begins[:, 1] + begins[:, 3] * x + begins[:, 2] * y
    return np.hypot(at_x, at_y) + radius


class TestStrips:
    """Where borders are, and who may plan when."""

    def test_strips_cover_the_world_and_are_wide_enough(self, human: Character):
        reach = reach_of(compile_kinds([human]))
        strips = cut_strips(World((-10.0, 0.0, 30.0, 120.0)), reach, 4)
        assert [strip.axis for strip in strips] == [1] * 4
        assert strips[0].low == -np.inf
        assert strips[-1].high == np.inf
        assert all(one.high == other.low for one, other in pairwise(strips))
        at = np.linspace(0.0, 120.0, 200)
        assert (np.sum([strip.holds(at) for strip in strips], axis=0) == 1).all()

    def test_strips_that_are_too_narrow_are_refused(self, human: Character):
        reach, world = reach_of(compile_kinds([human])), World((0.0, 0.0, LONG_M, WIDE_M))
        with pytest.raises(InvalidInput, match="at most 4 regions"):
            cut_strips(world, reach, 5)
        with pytest.raises(InvalidInput, match=r"more than 20\.1 m wide"):
            cut_strips(world, reach, 3, cuts=(30.0, 40.0))
        with pytest.raises(InvalidInput, match="2 borders, not 1"):
            cut_strips(world, reach, 3, cuts=(30.0,))
        with pytest.raises(InvalidInput, match="one region or more"):
            cut_strips(world, reach, 0)

    def test_borders_keep_away_from_doors_where_there_is_room(self, human: Character):
        walls = tuple(
            Obstacle(f"wall {number}", Footprint.box(0.4, 18.0), (60.0, 9.0 + 22.0 * number, 0.0)) for number in (0, 1)
        )
        world = World((0.0, 0.0, 120.0, 40.0), walls)
        lanes = lay_lanes(lay_floor(world))
        assert lanes.doors
        strips = cut_strips(world, reach_of(compile_kinds([human])), 2, lanes=lanes)
        assert all(abs(strips[0].high - door.place[0]) >= 16.0 for door in lanes.doors)

    def test_those_of_two_regions_who_plan_in_one_frame_cannot_meet(self, human: Character):
        reach = reach_of(compile_kinds([human]))
        strips = cut_strips(World((0.0, 0.0, LONG_M, WIDE_M)), reach, 4)
        at = np.linspace(0.0, LONG_M, 400)
        for state, frame in ((0, 1), (0, 2), (1, 1), (1, 2)):
            planned = [at[strip.may_plan(at, np.full(400, state), frame) & strip.holds(at)] for strip in strips]
            for one, other in pairwise([places for places in planned if len(places)]):
                assert one.max() + reach.by_state[state] < other.min() - reach.by_state[state]
            for strip in strips:
                assert not strip.may_plan(at, np.full(400, state), frame)[~strip.holds(at)].any()


class TestSplit:
    """Four regions of a hall, with many borders crossed."""

    @pytest.mark.slow
    def test_nobody_touches_anybody_across_borders_or_elsewhere(self, split: Recording, human: Character):
        report = judge_crowd(split, _scene(human).world)
        assert report.is_clean
        assert report.frames > PEOPLE * 60 * (SECONDS - 1.0)

    def test_everyone_is_recorded_all_the_time_under_one_number(self, split: Recording, plain: Recording):
        assert split.names == plain.names
        assert (split.until == split.frames).all()
        first = split.first_step[:-1]
        assert (split.frame[first] == 0).all()
        assert np.array_equal(split.pose[first], plain.pose[plain.first_step[:-1]])

    def test_people_arrive_about_as_often_as_in_one_piece(self, split: Recording, plain: Recording):
        assert len(plain.arrivals) > 100
        assert len(split.arrivals) == pytest.approx(len(plain.arrivals), rel=0.1)

    def test_without_turns_the_invariant_breaks(self, human: Character, monkeypatch: pytest.MonkeyPatch):
        """The tests above can fail: who plans at the border in every frame plans against what is out of date."""
        monkeypatch.setattr(Strip, "may_plan", lambda strip, at, state, frame: np.ones(len(at), bool))
        with SplitCrowd(_scene(human, 300), regions=4) as crowd, pytest.raises(AssertionError, match="meet at frame"):
            _watch(crowd, 600)

    def test_one_region_is_the_crowd_in_one_piece(self, human: Character, plain: Recording):
        recording = perform(_scene(human), SplitCrowdStage(SECONDS, regions=1, actors="here"), check=False).recording
        assert _same(recording, plain)

    @pytest.mark.slow
    def test_ray_actors_do_what_regions_here_do(self, human: Character):
        scene = _scene(human, 60)
        performance = perform(scene, SplitCrowdStage(5.0, regions=3, actors="here"))
        here, report = performance.recording, performance.report
        there = perform(scene, SplitCrowdStage(5.0, regions=3, actors="ray"), check=False).recording
        assert _same(here, there)
        assert report is not None
        assert report.is_clean
        assert performance.course.run.counts["regions"] == 3
        assert performance.course.run.counts["handed_over"] > 0


class TestComingAndGoing:
    """People who appear while others are there, cross borders and leave."""

    @pytest.mark.slow
    def test_everyone_arrives_once_and_is_gone(self, human: Character):
        with SplitCrowd(_scene(human, 80, late=True), regions=4) as crowd:
            _watch(crowd, 1500)
            assert crowd.waiting_to_appear == 0
            recording = crowd.recording()
        assert sorted(recording.arrivals[:, 0]) == list(range(80))
        assert (recording.until < recording.frames).all()
        assert (recording.until[recording.arrivals[:, 0]] == recording.arrivals[:, 1]).all()

    def test_one_region_lets_them_come_and_go_as_a_crowd_in_one_piece(self, human: Character):
        scene = _scene(human, 40, late=True)
        whole = perform(scene, CrowdStage(8.0), check=False).recording
        parts = perform(scene, SplitCrowdStage(8.0, regions=1, actors="here"), check=False).recording
        assert _same(whole, parts)

    def test_who_finds_no_room_waits_and_has_no_number_yet(self, human: Character):
        """Two at one place, beside a border, one of them later: it appears when the first has left."""
        scene = _scene(human, 40)
        first = replace(scene.cast[0], start=(44.8, 12.0, 0.0))
        second = replace(scene.cast[1], start=(45.2, 12.0, 0.0), appears_s=0.1)
        others = tuple(one for one in scene.cast[2:] if abs(one.start[0] - 45.0) > 3.0)
        with SplitCrowd(replace(scene, cast=(first, second, *others)), regions=2, cuts=(45.0,)) as crowd:
            crowd.advance(5)
            assert crowd.waiting_to_appear == 1
            assert second.name not in crowd.recording().names
            crowd.advance(145)
            assert crowd.waiting_to_appear == 0
            assert crowd.recording().names[-1] == second.name
            crowd.assert_apart()

    @pytest.mark.slow
    def test_what_is_forgotten_changes_nothing_later(self, human: Character):
        recordings = []
        for cuts in (False, True):
            with SplitCrowd(_scene(human, 60, late=True), regions=4) as crowd:
                for until in (100, 200, 300):
                    crowd.advance(until - crowd.frame)
                    if cuts:
                        crowd.cut_log(until - 50)
                recordings.append(crowd.recording())
        whole, cut = recordings
        assert len(cut.clip) < len(whole.clip) / 2
        for frame in (260, 290):
            steps, others = whole.steps_at(frame), cut.steps_at(frame)
            there = (whole.until > frame) & (steps >= 0)
            assert np.array_equal(whole.clip[steps[there]], cut.clip[others[there]])
            assert np.array_equal(whole.pose[steps[there]], cut.pose[others[there]])


class TestNeighbours:
    """What regions tell each other."""

    def test_who_is_asked_to_make_way_over_the_border_hears_of_it(self, human: Character):
        scene = _scene(human, 120)
        with SplitCrowd(scene, regions=2) as crowd:
            crowd.advance(2)
            crowd.settle()
            host = crowd._host
            assert isinstance(host, Here)
            below, above = host.regions
            ghost = below._count
            who = int(below._flock.number[ghost])
            asks = np.zeros(1, ASK)
            asks["who"], asks["asked_from"] = who, (1.0, 2.0, 0.0, 1.0)
            message = below.tell()[1]
            assert message is not None
            above.hear(message._replace(asks=asks), None)
            place = above._place[who]
            assert above._flock.asked_frame[place] == above.frame
            assert above._flock.asked_from[place].tolist() == [1.0, 2.0, 0.0, 1.0]

    def test_asking_a_ghost_is_told_to_whose_it_is(self, human: Character, monkeypatch: pytest.MonkeyPatch):
        stepped = CrowdRegion.step

        def step(region: CrowdRegion) -> None:
            stepped(region)
            if region._ghosts:
                region._flock.asked_frame[region._count] = region.frame
                region._flock.asked_from[region._count] = 1.0, 2.0, 0.0, 1.0

        monkeypatch.setattr(CrowdRegion, "step", step)
        with SplitCrowd(_scene(human, 120), regions=2) as crowd:
            crowd.advance(5)
            asked = np.concatenate(crowd.members())["asked_frame"]
        assert np.count_nonzero(asked == 5) == 2

    def test_members_hold_all_that_a_flock_does(self, human: Character):
        with SplitCrowd(_scene(human, 60), regions=2) as crowd:
            crowd.advance(1)
            rows = crowd.members()
        assert all(one.dtype == MEMBER for one in rows)
        assert sum(map(len, rows)) == 60


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda one: replace(one, aim=Follow("one 0")), "followers need"),
        (lambda one: replace(one, company="friends"), "groups need"),
    ],
)
def test_followers_and_groups_are_refused(human: Character, change: Callable[[Actor], Actor], says: str):
    scene = _scene(human, 20)
    with pytest.raises(InvalidInput, match=says):
        SplitCrowd(replace(scene, cast=(*scene.cast[:-1], change(scene.cast[-1]))), regions=2)


def test_what_is_wrong_with_a_scene_or_an_option_is_said(human: Character):
    scene = _scene(human, 20)
    twice = replace(scene.cast[0], name="again")
    with pytest.raises(InvalidInput, match="nobody can be put at"):
        SplitCrowd(replace(scene, cast=(*scene.cast, twice)), regions=2).advance(1)
    with pytest.raises(UnknownName, match="place for the regions"):
        perform(scene, SplitCrowdStage(1.0, actors="rey"))
