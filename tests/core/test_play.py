"""Whether clips may be played and bodies fit, in the core, against cylinders and shapely's distances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from evidence.soak.brute_force import BruteForce, placed
from evidence.soak.planning_problems import KINDS, random_figure, random_problem
from tests.support.random_worlds import BOUNDS, SIZE_M, Known, random_world

from gambol.characters import Character
from gambol.characters.action_table import ActionTable, action_table, actions_struct
from gambol.core import ffi, lib, pointer, struct
from gambol.search.moves import moves_struct
from gambol.search.search import set_up
from gambol.world.standing import world_struct

CLOSE = 1e-9


@pytest.fixture(scope="module")
def figure() -> Character:
    return random_figure(np.random.default_rng(5))


@pytest.mark.parametrize("kind", KINDS)
def test_a_clip_may_be_played_exactly_where_it_breaks_no_rule(kind: str):
    """Against `BruteForce.is_playable`, which tests each instant's cylinders with shapely."""
    answers: list[bool] = []
    for seed in range(4):
        problem = random_problem(seed, kind=kind)
        brute, setting, rng = BruteForce(problem), set_up(problem), np.random.default_rng(seed)
        core, samples = setting.core, ffi.new("int64_t *")
        for _ in range(60):
            behavior = int(rng.integers(len(problem.character.behaviors)))
            first = int(setting.actions.behavior_clips[behavior])
            clip = int(rng.integers(len(problem.character.behaviors[behavior].clips)))
            _, _, width, depth = problem.world.bounds
            x, y, heading = rng.uniform(0.2, width - 0.2), rng.uniform(0.2, depth - 0.2), rng.uniform(-4.0, 4.0)
            frame = int(rng.integers(0, 10))
            found = lib.gb_clip_may_be_played(
                core.world.c, core.traffic.c, core.query.c, core.actions.c, core.moves.c, behavior, first + clip, x, y,
                heading, frame, samples,
            )  # fmt: skip
            played = problem.character.behaviors[behavior].clips[clip]
            poses = placed(played.path, x, y, heading)
            if problem.world.movers and frame + played.duration > brute.horizon:
                continue
            assert found == brute.is_playable(problem.character.behaviors[behavior], played, poses, frame)
            answers.append(bool(found))
        assert samples[0] > 0
    assert 0.05 < np.mean(answers) < 0.95


def cylinders(actions: ActionTable, sample: int, x: float, y: float, heading: float) -> np.ndarray:
    """Return the parts of a body held in a sample at a place: x, y, radius, low, high (N, 5)."""
    there = actions.part_high[sample] > actions.part_low[sample]
    ahead, aside = actions.part_offset[sample][there].T
    cosine, sine = math.cos(heading), math.sin(heading)
    return np.column_stack(
        (
            x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside, actions.part_radius[sample][there],
            actions.part_low[sample][there], actions.part_high[sample][there],
        )
    )  # fmt: skip


def room_of(known: Known, body: np.ndarray) -> tuple[float, np.ndarray]:
    """Return how much room a body has to the bounds, and to each obstacle."""
    bottom = np.array([one.bottom_m for one in known.world.obstacles])
    top = np.array([one.top_m for one in known.world.obstacles])
    gaps = np.full(len(bottom), math.inf)
    for x, y, radius, low, high in body:
        level = (bottom < high) & (low < top)
        gaps = np.where(level, np.minimum(gaps, known.gaps(x, y) - radius), gaps)
    return min(known.room(x, y) - radius for x, y, radius, _, _ in body), gaps


def stance(sample: int, x: float, y: float, heading: float):
    return struct("gb_stance", sample=sample, x=x, y=y, heading=heading)


@pytest.mark.parametrize("seed", range(6))
def test_a_stance_meets_what_one_of_its_cylinders_meets(figure: Character, seed: int):
    rng, actions = np.random.default_rng(seed), action_table(figure)
    known = random_world(rng, 12)
    world, table, moves = world_struct(known.world), actions_struct(figure), moves_struct(figure)
    for _ in range(80):
        sample = int(rng.integers(len(actions.path)))
        x, y = rng.uniform(0.0, SIZE_M, 2) + BOUNDS[:2]
        heading = float(rng.uniform(-4.0, 4.0))
        inside, gaps = room_of(known, cylinders(actions, sample, x, y, heading))
        if min(abs(inside), np.abs(gaps).min()) < CLOSE:
            continue
        met = lib.gb_stance_obstacle(world.c, table.c, stance(sample, x, y, heading).c)
        is_free = lib.gb_clip_instant_is_free(world.c, moves.c, sample, x, y, heading, -1)
        assert is_free == (inside > 0.0 and (gaps > 0.0).all())
        if met >= 0:
            assert gaps[met] < 0.0
        else:
            assert met == (lib.GB_BOUNDS if inside < 0.0 else lib.GB_NOTHING)
            assert inside < 0.0 or (gaps > 0.0).all()  # a cylinder that leaves the bounds is not asked further


@pytest.mark.parametrize("seed", range(6))
def test_there_is_room_at_a_goal_exactly_if_some_place_and_heading_that_is_tried_is_free(figure: Character, seed: int):
    rng, actions = np.random.default_rng(seed), action_table(figure)
    known = random_world(rng, 14)
    world, moves = world_struct(known.world), moves_struct(figure)
    samples = rng.integers(0, len(actions.path), 2)
    for _ in range(12):
        x, y = (float(value) for value in rng.uniform(0.0, SIZE_M, 2) + BOUNDS[:2])
        heading, turn, tolerance = rng.uniform(-4.0, 4.0), rng.uniform(0.0, 4.0), float(rng.uniform(0.1, 1.0))
        rings, headings = int(rng.integers(1, 4)), int(rng.integers(1, 6))
        goal = struct(
            "gb_goal_room", x=x, y=y, tolerance=tolerance, heading=heading, heading_tolerance=turn, rings=rings,
            headings=headings,
        )  # fmt: skip
        places = [(x, y)] + [
            (x + tolerance * ring / (rings - 1) * math.cos(angle), y + tolerance * ring / (rings - 1) * math.sin(angle))
            for ring in range(1, rings)
            for angle in np.arange(6 * ring) * 2.0 * math.pi / (6 * ring)
        ]
        facings = [heading + (2.0 * n / headings - 1.0) * min(turn, math.pi) for n in range(headings)]
        rooms = [
            room_of(known, cylinders(actions, int(sample), px, py, facing))
            for px, py in places for facing in facings for sample in samples
        ]  # fmt: skip
        slacks = np.array([min(inside, gaps.min()) for inside, gaps in rooms])
        found = lib.gb_stance_has_room(
            world.c, moves.c, pointer(samples.astype(np.int64), "int64_t"), len(samples), goal.c
        )  # fmt: skip
        assert found == (slacks > 0.0).any() or np.abs(slacks).min() < CLOSE


def test_a_core_is_how_near_every_instant_lets_a_wall_come(figure: Character):
    actions = action_table(figure)
    rng = np.random.default_rng(2)
    for _ in range(100):
        first = int(rng.integers(len(actions.path) - 4))
        some = slice(first, first + int(rng.integers(1, 4)))
        bottom = float(rng.uniform(-0.2, 1.5))
        top = bottom + float(rng.uniform(0.1, 2.0))
        columns = [
            np.ascontiguousarray(getattr(actions, f"part_{name}")[some]) for name in ("offset", "radius", "low", "high")
        ]
        offset, radius, low, high = columns
        found = lib.gb_clip_core_radius(*(pointer(one, "double") for one in columns), len(radius), bottom, top)
        level = (low < top) & (bottom < high) & (low < high)
        around = np.where(level, radius - np.linalg.norm(offset, axis=-1), 0.0).max(axis=1)
        assert found == pytest.approx(max(0.0, around.min()), abs=1e-12)
