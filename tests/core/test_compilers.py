"""The same answers from the system's compiler, from zig's, and from another processor.

`make compilers` brings what this needs: zig in an environment of its own, and qemu where apt-get may install it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from evidence.soak.planning_problems import KINDS, random_figure, random_problem
from evidence.soak.tree_look_ups import SMALL_TREES
from tests.support.core_answers import digests
from tests.support.core_builds import COMMAND, ROOT, variants
from tests.support.core_images import LOOK_UPS, SEARCH, TRIP, Image

from gambol.core import lib, pointer
from gambol.search.memory import Memory
from gambol.search.problem import Problem
from gambol.search.search import Search, set_up
from gambol.trees import LookUp
from gambol.trees.trip_workspace import Workspace
from gambol.trees.trips import Trips
from gambol.world.standing import prepare

ARM, ROOM = "aarch64-linux-musl", 1 << 14
EMULATOR = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
ZIG = variants.core.zig_compiler()
without_zig = pytest.mark.skipif(ZIG is None, reason="there is no zig: make compilers")
without_others = pytest.mark.skipif(
    ZIG is None or COMMAND is None or EMULATOR is None, reason="zig, a system's compiler or qemu is missing"
)


@pytest.mark.slow
@without_zig
def test_a_core_by_zig_gives_the_same_answers(tmp_path: Path):
    folder = variants.package_with(tmp_path, ZIG)
    places = [str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")]
    told = subprocess.run(
        [sys.executable, "-m", "tests.support.core_answers"], cwd=ROOT, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
    )  # fmt: skip
    assert json.loads(told.stdout.splitlines()[-1]) == digests()


def outputs(tmp_path: Path, compile_program, arguments: list[str]) -> dict[str, list[str]]:
    """Return what a program says, compiled by the system's compiler, by zig, and by zig for another processor."""
    kinds = {"system": (COMMAND, []), "zig": (ZIG, []), "arm": (variants.core.zig_compiler(ARM), ["-static"])}
    said: dict[str, list[str]] = {}
    for name, (command, extra) in kinds.items():
        program = tmp_path / name
        compile_program(program, command, extra)
        run = [str(EMULATOR)] if name == "arm" else []
        told = subprocess.run([*run, str(program), *arguments], capture_output=True, text=True)
        assert told.returncode == 0, told.stdout + told.stderr
        said[name] = told.stdout.splitlines()
    return said


@pytest.mark.slow
@without_others
def test_the_tests_in_c_have_the_same_digests_everywhere(tmp_path: Path):
    said = outputs(tmp_path, variants.compile_tests, [])
    assert len(said["system"]) == len(variants.test_files()) - 1
    assert said["zig"] == said["system"]
    assert said["arm"] == said["system"]


def search_image(folder: Path, kind: str, seed: int) -> tuple[Path, str]:
    """Write a search before it begins; return the file and what is to be said of it."""
    problem = random_problem(seed, kind=kind)
    prepare(problem.world, problem.world.bounds)
    search = Search(set_up(problem))
    search._memory = Memory(ROOM, search._memory.widest)
    search._core.set("memory", search._memory.struct())
    path = Image().write(folder / f"search-{kind}-{seed}", SEARCH, 600, [search._core])
    lib.gb_search_begin(search._core.c)
    lib.gb_search_expand(search._core.c, 600)
    counts, cost = search.counts, -1 if search.counts.goal_node < 0 else search.goal_cost()
    return path, (
        f"search: status {counts.status}, {counts.expansions} expansions, {counts.nodes} nodes, "
        f"{counts.samples} samples, cost {cost}, digest "
    )


def look_up_image(folder: Path, seed: int) -> tuple[Path, str]:
    """Write questions to a tree; return the file and what is to be said of them."""
    rng, problem, count = np.random.default_rng(seed), random_problem(seed, kind="plain"), 200
    begins = "rest" if any(one.name == "start" for one in problem.character.behaviors) else "go"
    asked = LookUp(SMALL_TREES["diverse"](problem.character, begins, seed), problem.character, problem.world)
    _, _, width, depth = problem.world.bounds
    starts = np.column_stack((rng.uniform(0.2, [width - 0.2, depth - 0.2], (count, 2)), rng.uniform(-3.0, 3.0, count)))
    goals = np.column_stack(
        (rng.uniform(0.2, [width - 0.2, depth - 0.2], (count, 2)), np.tile((0.3, 0.0, 4.0), (count, 1)))
    )
    asked.scratch.make_room(0.3)
    if seed % 2:
        prepare(problem.world, problem.world.bounds)
    answers = [np.zeros(count, np.int64) for _ in range(3)]
    kind = asked._asked_as(None, None, None, False, None)
    roots = [asked.tables, kind, asked.scratch.core, starts, np.zeros(count, np.int64), goals, *answers]
    path = Image().write(folder / f"look-ups-{seed}", LOOK_UPS, count, roots)
    lib.gb_tree_look_up_many(
        asked.tables.c, kind.c, asked.scratch.core.c, count, pointer(starts, "double"), pointer(roots[4], "int64_t"),
        pointer(goals, "double"), *(pointer(one, "int64_t") for one in answers),
    )  # fmt: skip
    return path, f"look-ups: {(answers[0] >= 0).sum()} of {count} found, nodes "


def trip_image(folder: Path, seed: int) -> tuple[Path, str]:
    """Write a trip before it begins; return the file and what is to be said of it."""
    figure, problem = random_figure(np.random.default_rng(5)), random_problem(seed, kind="plain")
    asked = Problem(problem.world, figure, problem.start, problem.goal)
    labels = dict.fromkeys(one.begins for one in figure.behaviors)
    trips = Trips(asked, tuple(SMALL_TREES["diverse"](figure, label, 7) for label in labels))
    space = Workspace(trips)
    space._ask(asked)
    trip = space.trip.c
    trip.settings.most_expansions, trip.settings.improve = 60, 20
    also = (space.nodes, space.ways.array, space.ways.left, space.ways.kept)
    path = Image().write(folder / f"trip-{seed}", TRIP, 0, [space.trip], also=also)
    outcome, counts = lib.gb_trip_solve(trip), trip.counts
    cost = space.nodes[counts.goal_node].cost if outcome == lib.GB_TRIP_FOUND else -1
    return path, (
        f"trip: outcome {outcome}, {counts.expansions} expansions, {counts.nodes} nodes, {counts.tests} tests, "
        f"cost {cost}, digest "
    )


@pytest.mark.slow
@without_others
def test_searches_look_ups_and_trips_are_the_same_everywhere(tmp_path: Path):
    """Real tables, written once, asked by programs of three compilers on two processors."""
    images = [search_image(tmp_path, kind, seed) for kind in KINDS for seed in range(3)]
    images += [look_up_image(tmp_path, seed) for seed in range(4)]
    images += [trip_image(tmp_path, seed) for seed in range(8)]
    assert sum(said.startswith("trip: outcome 0") for _, said in images) > 2
    said = outputs(tmp_path, variants.compile_replay, [str(path) for path, _ in images])
    for line, (path, begins) in zip(said["system"], images, strict=True):
        assert line.startswith(begins), path
    assert said["zig"] == said["system"]
    assert said["arm"] == said["system"]


@pytest.mark.slow
@without_zig
@pytest.mark.parametrize("source", variants.core.sources(), ids=lambda source: source.stem)
def test_each_source_compiles_for_a_gpu(source: Path):
    """As it is: with GB_FN, headers of a few lines, and a word about functions that are not in the header."""
    zig = variants.core.zig_compiler()
    assert variants.compile_for_gpu(zig[: zig.index("cc")], source) == ""


#: What the files of each system's libraries begin with.
MAGIC = {"Linux": b"\x7fELF", "Darwin": b"\xcf\xfa\xed\xfe", "Windows": b"MZ"}


@pytest.mark.slow
@without_zig
@pytest.mark.parametrize("tag", sorted(variants.core.PLATFORMS))
def test_the_library_is_built_for_every_platform_with_all_of_its_functions(tmp_path: Path, tag: str):
    library, binding = variants.core.build_for(tag, tmp_path)
    content, system = library.read_bytes(), variants.core.PLATFORMS[tag][1]
    assert content.startswith(MAGIC[system])
    assert variants.core.header_hash() in binding.read_text()
    functions = [name for name in dir(lib) if name.startswith("gb_")]
    assert len(functions) > 40
    assert [name for name in functions if name.encode() + b"\0" not in content] == []
