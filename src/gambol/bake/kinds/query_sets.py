"""Sets of queries: drawn at random, or listed in a file."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from gambol.bake.task import Scalar
from gambol.errors import MalformedFile
from gambol.files.disk import read_bytes
from gambol.scenes.file import load_scene
from gambol.search.problem import Goal
from gambol.trees.queries import START, Clutter, QuerySet, square_region
from gambol.world.world import Pose, World

COLUMNS = ("x_m", "y_m", "heading_deg", "goal_x_m", "goal_y_m")  # columns of a file of queries
MAX_BYTES = 1 << 28  # bytes: largest file of queries that is read


class Asked(NamedTuple):
    """A query: a start and a goal in a world."""

    number: int
    world: World
    start: Pose
    goal: Goal


def set_of(settings: Mapping[str, Scalar]) -> QuerySet:
    """Return the random queries of a task's settings."""
    counts = [int(settings[key] or 0) for key in ("least_boxes", "most_boxes", "count", "seed")]
    sizes = [float(settings[key] or 0.0) for key in ("shortest_m", "longest_m", "side_m", "clear_m", "tolerance_m")]
    clutter = Clutter(counts[0], counts[1], sizes[0], sizes[1])
    return QuerySet(square_region(sizes[2]), clutter, counts[2], counts[3], sizes[3], sizes[4])


def drawn(queries: QuerySet) -> Iterator[Asked]:
    """Yield random queries, each with its own world."""
    for query in queries:
        yield Asked(query.number, query.world, START, query.goal)


def listed(settings: Mapping[str, Scalar], inputs: Path) -> Iterator[Asked]:
    """Yield the queries of a file, all in the world of one scene."""
    world = load_scene(inputs / str(settings["scene"])).world
    tolerance_m = float(settings["tolerance_m"] or 0.0)
    for number, (start, goal) in enumerate(read_query_file(inputs / str(settings["file"]))):
        yield Asked(number, world, start, Goal(*goal, tolerance_m=tolerance_m))


def read_query_file(path: Path) -> list[tuple[Pose, tuple[float, float]]]:
    """Read starts and goals from a CSV file; an error names the line."""
    try:
        text = read_bytes(path, max_bytes=MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedFile(f"this is not text in UTF-8: {error.reason}", path=path) from None
    rows = csv.reader(StringIO(text))
    first = next(rows, [])
    if tuple(first) != COLUMNS:
        raise MalformedFile(f"the first line must be {','.join(COLUMNS)}", path=path, line=1)
    found: list[tuple[Pose, tuple[float, float]]] = []
    for row in rows:
        if not row:
            continue
        try:
            x, y, heading, goal_x, goal_y = (float(value) for value in row)
        except ValueError:
            raise MalformedFile(f"{len(COLUMNS)} numbers expected", path=path, line=rows.line_num) from None
        if not all(map(math.isfinite, (x, y, heading, goal_x, goal_y))):
            raise MalformedFile("numbers must be finite", path=path, line=rows.line_num)
        found.append(((x, y, math.radians(heading)), (goal_x, goal_y)))
    if not found:
        raise MalformedFile("there is no query in this file", path=path)
    return found
