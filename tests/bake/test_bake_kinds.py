"""Kinds of tasks: what a job file may say, what comes of it, and what is wrong with it, by key."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.support.bake_jobs import PLAN, TREE, VARIATION, bake_in, files_of, job_file, job_in, write_files

from gambol.bake.baking import Baked
from gambol.bake.job import load_job, parse_job
from gambol.bake.kinds import characters, variation
from gambol.bake.kinds.trees import kept_tree_file
from gambol.characters import load_character
from gambol.crowd import write_recording
from gambol.errors import GambolError, InvalidEntries, MalformedFile, UnreadableFile
from gambol.files import read_motion
from gambol.scenes import load_scene
from gambol.stages import SplitCrowdStage, perform
from gambol.trees import audit_tree, read_tree
from gambol.variation import read_model

LONG_HALL = """
name = "long"
kind = "crowd"
[world]
bounds = [0, 0, 84, 6]
[[groups]]
name = "east"
count = 4
starts = { line = [[34, 3], [40, 3]] }
goals = { line = [[60, 3], [66, 3]] }
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a character, scenes and motions."""
    return write_files(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module")
def trees(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Baked:
    """Two small trees, baked, of which the larger one is also beside the jobs."""
    baked = bake_in(tmp_path_factory.mktemp("trees"), job_in(files, TREE, name="trees"))
    assert baked.complete, baked.failures
    (files / "statue.tree").write_bytes(_file(baked, 1, "statue.tree").read_bytes())
    return baked


def _file(baked: Baked, number: int, name: str) -> Path:
    return baked.store.files(baked.job.tasks[number].key)[name]


def _summary(baked: Baked, number: int) -> dict:
    return baked.store.result(baked.job.tasks[number].key)["summary"]


def test_trees_are_grown_as_by_hand(trees: Baked, files: Path):
    assert [task.label for task in trees.job.tasks] == ["statue-nodes-100-seed-0", "statue-nodes-300-seed-0"]
    tree = read_tree(_file(trees, 1, "statue.tree"), verify=True)
    assert (len(tree), tree.begins, tree.builder) == (300, "rolling", "diverse")
    assert audit_tree(tree, load_character(files / "statue.toml")) == []
    summary = _summary(trees, 1)
    assert (summary["outcome"], summary["clean"], summary["nodes"]) == ("grown", True, 300)


def test_a_tree_and_a_search_are_asked_the_same_queries(trees: Baked, files: Path, tmp_path: Path):
    table = """
    [[tasks]]
    kind = "queries"
    character = "statue.toml"
    begins = "rolling"
    trees = ["statue.tree"]
    planners = ["astar"]
    count = 12
    side_m = 10.0
    boxes = [2, 4]
    box_m = [0.5, 1.0]
    """
    baked = bake_in(tmp_path, job_in(files, table))
    assert baked.complete, baked.failures
    tree, search = (
        list(csv.DictReader(_file(baked, n, name).open())) for n, name in ((0, "statue.csv"), (1, "astar.csv"))
    )
    asked = ("query", "x_m", "y_m", "heading_deg", "goal_x_m", "goal_y_m")
    assert [[row[key] for key in asked] for row in tree] == [[row[key] for key in asked] for row in search]
    assert len(tree) == 12
    assert not any("time" in column or "seconds" in column for column in tree[0])
    for by_tree, by_search in zip(tree, search, strict=True):
        assert (by_tree["cost"] != "") == (by_tree["outcome"] == "found")
        if by_tree["outcome"] == "found":  # what a tree finds, the search finds, and never for more
            assert float(by_search["cost"]) <= float(by_tree["cost"]) + 1e-6
    counted = _summary(baked, 1)
    assert counted["found"] == sum(row["outcome"] == "found" for row in search) == 12 * counted["found_share"]


def test_queries_of_a_file_are_asked_in_the_world_of_a_scene(trees: Baked, files: Path, tmp_path: Path):
    table = """
    [[tasks]]
    kind = "queries"
    character = "statue.toml"
    file = "queries.csv"
    scene = "yard.toml"
    trees = ["*.tree"]
    """
    baked = bake_in(tmp_path, job_in(files, table))
    assert baked.complete, baked.failures
    rows = list(csv.DictReader(_file(baked, 0, "statue.csv").open()))
    assert [row["outcome"] for row in rows][2] != "found"  # outside the world
    assert rows[0]["outcome"] == "found"


def test_models_and_variants_are_what_was_learned(files: Path, tmp_path: Path):
    baked = bake_in(tmp_path, job_in(files, VARIATION))
    assert baked.complete, baked.failures
    assert [task.label for task in baked.job.tasks] == ["walk-amount-0.5-seed-0", "walk-amount-1.0-seed-0"]
    names = sorted(baked.store.files(baked.job.tasks[0].key))
    assert names == ["walk0-0.bvh", "walk0-1.bvh", "walk0.usdc", "walk0.variation"]
    model = read_model(_file(baked, 1, "walk0.variation"))
    made = read_motion(_file(baked, 1, "walk0-1.bvh")).motion
    assert made.frame_count == model.sample(1).motion.frame_count
    mild, full = (_summary(baked, number)["change_rms_cm"] for number in (0, 1))
    assert _summary(baked, 0)["count"] == 2
    assert mild < full
    assert variation._learned.cache_info().hits >= 1  # learned once, for both amounts


def test_a_plan_may_look_up_in_trees_that_travel_with_it(trees: Baked, files: Path, tmp_path: Path):
    for number, label in enumerate(("rolling", "standing")):
        grow = TREE.replace("rolling", label).replace("[100, 300]", "300")
        grown = bake_in(tmp_path / label, job_in(files, grow, name=label))
        (files / f"{label}.tree").write_bytes(_file(grown, 0, "statue.tree").read_bytes())
        assert number < 2
    table = PLAN.replace("seeds = 2", 'planner = "tree"\ntrees = ["rolling.tree", "standing.tree"]').replace(
        '"usda"', ""
    )
    job = job_in(files, table)
    assert {"rolling.tree", "standing.tree", "course.bvh", "statue.toml", "yard.toml"} == set(
        job.tasks[0].inputs.digests
    )
    baked = bake_in(tmp_path / "plans", job)
    assert baked.complete, baked.failures
    assert _summary(baked, 0)["outcome"] == "found"
    assert kept_tree_file.cache_info().currsize > 0


def test_seeds_share_inputs_and_characters_are_read_once(files: Path, tmp_path: Path):
    job = job_in(files, PLAN.replace("seeds = 2", 'seeds = "5-8"').replace('"usda"', '"plan.json"'))
    assert [task.settings["seed"] for task in job.tasks] == [5, 6, 7, 8]
    assert len({task.inputs.key for task in job.tasks}) == 1
    before = characters.kept_character.cache_info().misses
    assert bake_in(tmp_path, job).complete
    assert characters.kept_character.cache_info().misses == before + 1


@pytest.mark.slow
def test_everything_is_the_same_when_it_is_baked_again(files: Path, trees: Baked, tmp_path: Path):
    plan = PLAN.replace('"usda"', '"usdc", "plan.json", "png", "bvh"').replace("seeds = 2", "")
    tables = plan + TREE.replace("[100, 300]", "100") + VARIATION
    found = []
    for name in ("first", "second"):
        for kept in (characters.kept_character, characters._subset, variation._learned, kept_tree_file):
            kept.cache_clear()
        baked = bake_in(tmp_path / name, job_in(files, tables))
        assert baked.complete, baked.failures
        found.append(files_of(tmp_path / name))
    assert found[0] == found[1]
    assert len(found[0]) > 12


def test_a_crowd_is_baked_without_times(files: Path, tmp_path: Path):
    table = """
    [[tasks]]
    kind = "crowd"
    scenes = ["hall.toml"]
    seconds = 1.0
    table_rate_hz = 2.0
    write = ["crowd", "csv", "png"]
    """
    found = []
    for name in ("first", "second"):
        baked = bake_in(tmp_path / name, job_in(files, table))
        assert baked.complete, baked.failures
        found.append(files_of(tmp_path / name))
    assert found[0] == found[1]
    assert _summary(baked, 0)["people"] == 2
    assert _file(baked, 0, "hall.csv").read_text().count("\n") == 1 + 2 * 3


def test_a_crowd_split_in_space_is_baked_as_it_is_performed(files: Path, tmp_path: Path):
    (files / "long.toml").write_text(LONG_HALL)
    table = """
    [[tasks]]
    kind = "crowd"
    scenes = ["long.toml"]
    seconds = 2.0
    regions = [1, 2]
    write = ["crowd"]
    """
    baked = bake_in(tmp_path / "out", job_in(files, table))
    assert baked.complete, baked.failures
    one, two = (_summary(baked, number) for number in (0, 1))
    assert one["people"] == two["people"] == 4
    assert two["counts"]["regions"] == 2
    assert two["check"]["touches"] == 0
    recording = perform(
        load_scene(files / "long.toml", seed=0), SplitCrowdStage(2.0, regions=2, actors="here")
    ).recording
    write_recording(tmp_path / "here.crowd", recording)
    assert _file(baked, 1, "long.crowd").read_bytes() == (tmp_path / "here.crowd").read_bytes()


#: Wrong tables, the key that is to blame, and what is said of it.
WRONG = {
    "a kind that is not there": ('kind = "plans"\nscenes = ["first"]', "tasks[0].kind", "did you mean 'plan'?"),
    "no kind": ('scenes = ["first"]', "tasks[0].kind", "is missing"),
    "a key of another kind": ('kind = "plan"\nscenes = ["first"]\nnodes = 3', "tasks[0].nodes", "unknown key"),
    "no scenes": ('kind = "plan"\nscenes = []', "tasks[0].scenes", "at least 1"),
    "a scene that is not there": ('kind = "plan"\nscenes = ["yard.toml", "no.toml"]', "tasks[0].scenes[1]", "no.toml"),
    "a name that does not ship": ('kind = "plan"\nscenes = ["firts"]', "tasks[0].scenes[0]", "did you mean 'first'?"),
    "a pattern without a match": (
        'kind = "plan"\nscenes = ["*.scene"]',
        "tasks[0].scenes[0]",
        "no file beside the job",
    ),
    "a scene of another kind": ('kind = "crowd"\nscenes = ["yard.toml"]', "tasks[0].scenes[0]", "not 'crowd'"),
    "a file no task makes": (
        'kind = "plan"\nscenes = ["yard.toml"]\nwrite = ["glb", "mov"]',
        "tasks[0].write[1]",
        ".mov",
    ),
    "a suffix twice": ('kind = "plan"\nscenes = ["yard.toml"]\nwrite = ["glb", ".glb"]', "tasks[0].write[1]", "twice"),
    "seeds the wrong way round": ('kind = "plan"\nscenes = ["yard.toml"]\nseeds = "9-3"', "tasks[0].seeds", '"10-19"'),
    "no seeds": ('kind = "plan"\nscenes = ["yard.toml"]\nseeds = []', "tasks[0].seeds", "nothing to bake"),
    "a seed twice": ('kind = "plan"\nscenes = ["yard.toml"]\nseeds = [1, 1]', "tasks[0].seeds", "twice"),
    "a planner that is not there": (
        'kind = "plan"\nscenes = ["yard.toml"]\nplanner = "aster"',
        "tasks[0].planner",
        "astar",
    ),
    "trees for a search": (
        'kind = "plan"\nscenes = ["yard.toml"]\nplanner = "astar"\ntrees = ["a.tree"]',
        "tasks[0].trees[0]",
        "a.tree",
    ),
    "a folder that is not there": (
        'kind = "plan"\nscenes = ["yard.toml"]\nmotions = "no"',
        "tasks[0].motions",
        "no folder",
    ),
    "a crowd for too long": (
        'kind = "crowd"\nscenes = ["hall.toml"]\nseconds = 0',
        "tasks[0].seconds",
        "greater than 0",
    ),
    "regions with discs": (
        'kind = "crowd"\nscenes = ["hall.toml"]\nregions = 2\nreservations = "gridmap"',
        "tasks[0].regions",
        "one region",
    ),
    "a character that is not there": ('kind = "tree"\ncharacters = ["humen"]', "tasks[0].characters[0]", "human"),
    "a subset that is not there": (
        'kind = "tree"\ncharacters = ["statue.toml"]\nsubset = "still"',
        "tasks[0].characters[0]",
        "'still'",
    ),
    "a label that is not there": (
        'kind = "tree"\ncharacters = ["statue.toml"]\nbegins = "flying"',
        "tasks[0].characters[0]",
        "rolling",
    ),
    "a setting of another builder": (
        'kind = "tree"\ncharacters = ["statue.toml"]\nnodes = 9\ndepth = 3',
        "tasks[0].builder",
        "depth",
    ),
    "a builder without its setting": (
        'kind = "tree"\ncharacters = ["statue.toml"]\nbuilder = "exhaustive"',
        "tasks[0].builder",
        "depth",
    ),
    "nothing to ask": ('kind = "queries"\ncharacter = "statue.toml"', "tasks[0].planners", "trees or planners"),
    "a planner for queries": (
        'kind = "queries"\ncharacter = "statue.toml"\nplanners = ["astar", "best"]',
        "tasks[0].planners[1]",
        "'best'",
    ),
    "a tree that is none": (
        'kind = "queries"\ncharacter = "statue.toml"\ntrees = ["course.bvh"]',
        "tasks[0].trees",
        "course.bvh",
    ),
    "queries without a world": (
        'kind = "queries"\ncharacter = "statue.toml"\nplanners = ["astar"]\nfile = "queries.csv"',
        "tasks[0].file",
        "'scene'",
    ),
    "boxes the wrong way round": (
        'kind = "queries"\ncharacter = "statue.toml"\nplanners = ["astar"]\nboxes = [5, 1]',
        "tasks[0].boxes",
        "the least",
    ),
    "one clip": ('kind = "variation"\nclips = ["walks/walk0.bvh"]', "tasks[0].clips", "at least 2"),
    "a cut that is none": ('kind = "variation"\nclips = ["walks/walk0.bvh@a-b"]', "tasks[0].clips[0]", "a cut is"),
    "clips that are not there": (
        'kind = "variation"\nclips = ["walks/*.bvh", "runs/*.bvh@1-2"]',
        "tasks[0].clips[1]",
        "no file beside the job",
    ),
    "frames that are not there": (
        'kind = "variation"\nclips = ["walks/walk0.bvh@0-20,40-9000"]',
        "tasks[0].clips",
        "no frames 40 to 9000",
    ),
    "a joint that is not there": (
        'kind = "variation"\nclips = ["walks/*.bvh"]\nhold = ["Tail"]',
        "tasks[0].hold",
        "'Tail'",
    ),
    "a unit that is not there": ('kind = "variation"\nclips = ["walks/*.bvh"]\nunit = "ell"', "tasks[0].unit", "'ell'"),
    "a stream of no cycles": (
        'kind = "variation"\nclips = ["walks/*.bvh"]\nstream_s = 3.0\ncyclic = false',
        "tasks[0].clips",
        "cyclic = true",
    ),
    "a name that is a path": ('kind = "tree"\nname = "../up"\ncharacters = ["human"]', "tasks[0].name", "pattern"),
}


@pytest.mark.parametrize(("table", "key", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_mistake_is_told_with_file_line_and_key(files: Path, table: str, key: str, said: str):
    path = job_file(files, f"[[tasks]]\n{table}\n", name="wrong")
    with pytest.raises(InvalidEntries) as told:
        load_job(path)
    (problem,) = told.value.problems
    assert problem.key == key
    assert said in problem.message
    assert problem.line is not None
    assert str(told.value).startswith(f"{path}:{problem.line}: {key}: ")


def test_all_mistakes_are_told_at_once(files: Path):
    plan = '[[tasks]]\nkind = "plan"\nscenes = ["a.toml", "b.toml"]\n'
    tables = f'{plan}[[tasks]]\nkind = "tree"\ncharacters = ["x"]\nnodes = 1'
    with pytest.raises(InvalidEntries) as told:
        job_in(files, tables)
    assert [problem.key for problem in told.value.problems] == [
        "tasks[0].scenes[0]",
        "tasks[0].scenes[1]",
        "tasks[1].nodes",
    ]


def test_a_job_has_a_name_and_something_to_do(files: Path):
    with pytest.raises(InvalidEntries, match="letters, digits"):
        parse_job('name = "../job"\n[[tasks]]\nkind = "plan"\nscenes = ["first"]')
    with pytest.raises(InvalidEntries, match="nothing to bake"):
        parse_job('name = "job"\ntasks = []')
    with pytest.raises(InvalidEntries, match="is missing"):
        parse_job('name = "job"')
    with pytest.raises(MalformedFile, match="not TOML"):
        parse_job("name =")
    with pytest.raises(UnreadableFile):
        load_job(files / "no.job.toml")
    (files / "bytes.job.toml").write_bytes(b"name = \xff")
    with pytest.raises(MalformedFile, match="UTF-8"):
        load_job(files / "bytes.job.toml")


def test_two_tasks_of_one_name_are_refused(files: Path):
    with pytest.raises(MalformedFile, match=r"two tasks are called 'statue-seed-0'.*\"name\""):
        job_in(files, TREE.replace("[100, 300]", "100") + TREE.replace("[100, 300]", "300"))
    named = TREE.replace("[100, 300]", "300").replace('kind = "tree"', 'kind = "tree"\nname = "large"')
    job = job_in(files, TREE.replace("[100, 300]", "100") + named)
    assert [task.label for task in job.tasks] == ["statue-seed-0", "large-seed-0"]


def test_a_table_of_several_scenes_keeps_their_names(files: Path):
    (files / "yard2.toml").write_text((files / "yard.toml").read_text().replace('"yard"', '"yard2"'))
    job = job_in(files, '[[tasks]]\nkind = "plan"\nname = "night"\nscenes = ["yard*.toml"]')
    assert [task.label for task in job.tasks] == ["night-yard-seed-0", "night-yard2-seed-0"]


def test_what_would_not_travel_is_refused(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MY_MOTIONS", str(files))
    text = (files / "statue.toml").read_text()
    (tmp_path / "far.toml").write_text(text.replace('motions = "."', 'motions = "$MY_MOTIONS"'))
    table = '[[tasks]]\nkind = "tree"\ncharacters = ["far.toml"]\nnodes = 100\n'
    with pytest.raises(GambolError, match=r'tasks\[0\].characters\[0\].*name that folder as "motions"'):
        job_in(tmp_path, table)
    job = job_in(tmp_path, f'{table}motions = "{files}"')
    baked = bake_in(tmp_path / "out", job)
    assert baked.complete, baked.failures
    (tmp_path / "far.toml").write_text(text.replace('motions = "."', f'motions = "{files}"'))
    with pytest.raises(GambolError, match="only files by relative paths travel"):
        job_in(tmp_path, table)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("x,y\n1,2\n", 1, "the first line must be"),
        ("x_m,y_m,heading_deg,goal_x_m,goal_y_m\n1,2,3,4,five\n", 2, "5 numbers"),
        ("x_m,y_m,heading_deg,goal_x_m,goal_y_m\n1,2,3,4,5\n1,2,3\n", 3, "5 numbers"),
        ("x_m,y_m,heading_deg,goal_x_m,goal_y_m\n1,2,3,4,inf\n", 2, "finite"),
        ("x_m,y_m,heading_deg,goal_x_m,goal_y_m\n", None, "no query"),
    ],
)
def test_a_file_of_queries_is_told_what_is_wrong_with_it(files: Path, text: str, line: int | None, said: str):
    (files / "bad.csv").write_text(text)
    table = '[[tasks]]\nkind = "queries"\ncharacter = "statue.toml"\nplanners = ["astar"]\n'
    with pytest.raises(InvalidEntries) as told:
        job_in(files, f'{table}file = "bad.csv"\nscene = "yard.toml"\n')
    assert told.value.problems[0].key == "tasks[0].file"
    where = f"{files / 'bad.csv'}" + (f":{line}" if line else "")
    assert where in told.value.problems[0].message
    assert said in told.value.problems[0].message


def test_results_say_what_they_are_of(trees: Baked):
    place = trees.store.place_of(trees.job.tasks[0].key)
    result = json.loads((place / "result.json").read_text())
    assert result["task"]["settings"]["nodes"] == 100
    assert set(result["task"]["inputs"]) == {"statue.toml", "course.bvh"}
    assert "label" not in result["task"]
