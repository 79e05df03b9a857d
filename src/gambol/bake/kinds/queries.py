"""Tasks of the kind "queries": many starts and goals for a tree or a planner, and a table of the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, ClassVar

from pydantic import Field

from gambol.bake.kinds.answers import FOUND, Answered, ask_planner, ask_tree, write_answers
from gambol.bake.kinds.characters import character_of, read_character, subset_of
from gambol.bake.kinds.kind import Summary, Tasks, seed_label
from gambol.bake.kinds.query_sets import drawn, listed, read_query_file, set_of
from gambol.bake.kinds.sources import Sources, relative_to
from gambol.bake.kinds.trees import kept_tree_file
from gambol.bake.task import Scalar, Task
from gambol.characters.character import Character
from gambol.errors import InvalidInput, UnknownName
from gambol.planners import PLANNERS
from gambol.scenes.file import load_scene
from gambol.scenes.find import shipped_path
from gambol.trees.fit import fit
from gambol.trees.queries import TOLERANCE_M

TABLE = ".csv"  # suffix of the table of answers
FILES = ("tree", "file", "scene")  # settings that name files among the inputs


class QueriesTasks(Tasks):
    """Trees and planners times seeds: all answer the same queries, and each seed makes other queries.

    Queries are drawn at random, each with its own world [L09 4.7.2], or listed in a file for one world.
    """

    SWEPT: ClassVar = ("subset", "begins", "budget", "count", "side_m", "clear_m", "tolerance_m")
    SUFFIXES: ClassVar = (TABLE,)

    character: str
    """A character file beside the job's file, or the name of a character that ships."""
    motions: str | None = None
    """Folder of motion files, for a character file."""
    subset: str | None = None
    """A subset of the character's behaviors; by default all."""
    begins: str | None = None
    """Transition label at which planners begin; by default at rest if the character can rest.  Trees have their own."""
    trees: list[str] = Field(default_factory=list)
    """Tree files beside the job's file, or patterns: they answer by look-up."""
    planners: list[str] = Field(default_factory=list)
    """Planners by name, such as "astar" and "weighted": they answer by search."""
    budget: Annotated[int, Field(ge=1)] = 1_000_000
    """Expansions of a planner for a query, at most."""
    count: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """Number of random queries of a task."""
    side_m: Annotated[float, Field(ge=1.0, le=1000.0)] = 32.0
    """Side of the square that holds goals and boxes; the start is in its middle."""
    boxes: Annotated[list[int], Field(min_length=2, max_length=2)] = Field(default_factory=lambda: [20, 60])
    """Least and greatest number of boxes in a world."""
    box_m: Annotated[list[float], Field(min_length=2, max_length=2)] = Field(default_factory=lambda: [0.5, 2.0])
    """Shortest and longest side of boxes."""
    clear_m: Annotated[float, Field(ge=0.0, le=10.0)] = 0.5
    """A query with a box nearer than this to its start or goal is left out."""
    tolerance_m: Annotated[float, Field(gt=0.0)] = TOLERANCE_M
    """Tolerance of goals."""
    file: str | None = None
    """Queries in place of random ones: a CSV file with the columns x_m, y_m, heading_deg, goal_x_m, goal_y_m."""
    scene: str | None = None
    """The scene whose world the queries of the file are for: a scene file, or the name of a scene that ships."""
    write: list[str] = Field(default_factory=lambda: ["csv"])
    """The table of answers."""

    def tasks(self, sources: Sources) -> Iterator[Task]:
        write, seeds = self.suffixes(sources), self.seeded(sources)
        motions = sources.folder(self.motions, "motions")
        trees = sources.paths(self.trees, "trees")
        world = self._world(sources)
        self._refuse(sources, seeds)
        if sources.found_mistakes:
            return
        for method, tree in [*((path.stem, path) for _, path in trees), *((name, None) for name in self.planners)]:
            files = world if tree is None else {**world, "tree": tree}
            with sources.about("character"):
                load = None if "scene" not in files else lambda: load_scene(files["scene"])  # noqa: B023
                named = read_character(sources, self.character, motions, *files.values(), also=load)
                whose = subset_of(named.character, self.subset)
                names = {key: relative_to(named.root, files[key]) if key in files else None for key in FILES}
                fixed: dict[str, Scalar] = {**names, "planner": method if tree is None else None, **self._boxes()}
                fixed |= {"character": named.source, "motions": named.motions}
                self._refuse_tree(tree, whose, sources)
                for settings, told in self.combinations():
                    for seed in seeds:
                        label = f"{self.called(whose.name.replace('/', '-'), ())}-{method}{told}"
                        own = {**settings, "seed": seed, **fixed}
                        yield Task(self.kind, seed_label(label, seed), method, own, write, named.inputs)

    def _boxes(self) -> dict[str, Scalar]:
        return {
            "least_boxes": self.boxes[0],
            "most_boxes": self.boxes[1],
            "shortest_m": self.box_m[0],
            "longest_m": self.box_m[1],
        }

    def _world(self, sources: Sources) -> dict[str, Path]:
        """Return the files of listed queries and of their world."""
        if (self.file is None) != (self.scene is None):
            there, missing = ("file", "scene") if self.scene is None else ("scene", "file")
            sources.wrong(f"goes with {missing!r}: queries of a file need the world of a scene", there)
        if self.file is None or self.scene is None:
            return {}
        files: dict[str, Path] = {}
        with sources.about("file"):
            files["file"] = sources.path(self.file)
            read_query_file(files["file"])
        with sources.about("scene"):
            files["scene"] = sources.path(self.scene, shipped=shipped_path)
            load_scene(files["scene"])
        return files

    def _refuse(self, sources: Sources, seeds: Sequence[int]) -> None:
        if not self.trees and not self.planners:
            sources.wrong("name trees or planners that answer: there are neither", "planners")
        for number, name in enumerate(self.planners):
            if name not in PLANNERS:
                sources.wrong(str(UnknownName("planner", name, PLANNERS)), "planners", number)
        if self.file is not None and len(seeds) > 1:
            sources.wrong("queries of a file do not depend on a seed: leave seeds out", "seeds")
        if not 0 <= self.boxes[0] <= self.boxes[1] <= 100_000:
            sources.wrong(f"must be the least number and the most, up to 100,000, not {self.boxes}", "boxes")
        if not 0.0 < self.box_m[0] <= self.box_m[1] <= self.side_m:
            sources.wrong(f"must be the shortest side and the longest, up to side_m, not {self.box_m}", "box_m")

    def _refuse_tree(self, path: Path | None, character: Character, sources: Sources) -> None:
        if path is None:
            return
        with sources.about("trees"):
            tree = kept_tree_file(path)
            fit(tree, character)
            if self.begins is not None and tree.begins != self.begins:
                raise InvalidInput(f"{path.name} begins at {tree.begins!r}, not at {self.begins!r} as the planners do")


def bake_queries(task: Task, inputs: Path, folder: Path) -> Summary:
    character, settings = character_of(task, inputs), task.settings
    queries = drawn(set_of(settings)) if settings["file"] is None else listed(settings, inputs)
    if settings["tree"] is not None:
        answers = ask_tree(kept_tree_file(inputs / str(settings["tree"])), character, queries)
    else:
        begins = None if settings["begins"] is None else str(settings["begins"])
        budget = int(settings["budget"] or 1)
        answers = ask_planner(str(settings["planner"]), character, queries, begins=begins, budget=budget)
    if TABLE in task.write:
        write_answers(folder / f"{task.source}{TABLE}", answers)
    return _summary(answers)


def _summary(answers: Sequence[Answered]) -> Summary:
    found = [one for one in answers if one.outcome == FOUND]
    costs = [one.cost for one in found]
    return {
        "outcome": "answered",
        "clean": None,
        "queries": len(answers),
        "found": len(found),
        "found_share": len(found) / len(answers),
        "outcomes": dict(sorted(Counter(one.outcome for one in answers).items())),
        "mean_cost": fmean(costs) if costs else None,
        "mean_steps": fmean(one.steps for one in found) if found else None,
        "mean_checks": fmean(one.checks for one in answers),
    }
