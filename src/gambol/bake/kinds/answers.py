"""Answers to queries, by look-up in a tree or by search, and their table, without times, which differ each time."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from gambol.bake.kinds.query_sets import Asked
from gambol.characters.character import Character
from gambol.files.disk import write_atomically
from gambol.planners import planner_named
from gambol.search.moves import may_be_last
from gambol.search.plan import Outcome
from gambol.search.problem import Problem
from gambol.trees.look_up import Found, LookUp
from gambol.trees.tree import SearchTree

FOUND = Outcome.FOUND.value  # outcome of a query with an answer
#: Outcomes of look-ups in words.
OF_TREES = {found: FOUND if found is Found.FOUND else found.name.lower() for found in Found}


class Answered(NamedTuple):
    """A row of the table."""

    query: int
    x_m: float
    y_m: float
    heading_deg: float
    goal_x_m: float
    goal_y_m: float
    outcome: str
    cost: float  # NaN: none was found
    steps: int
    duration_s: float
    expansions: int  # expansions of a search; or nodes of a tree that were traced
    checks: int  # instants of clips that were looked up in the world


def ask_tree(tree: SearchTree, character: Character, queries: Iterable[Asked]) -> list[Answered]:
    """Look up every query; an answer ends as a plan does: at rest, if the character can rest."""
    answers: list[Answered] = []
    last = may_be_last(character, None)
    look_up: LookUp | None = None
    for query in queries:
        if look_up is None or look_up.world is not query.world:
            look_up = LookUp(tree, character, query.world)
        answer = look_up.one(query.start, query.goal, last=last)
        steps = look_up.steps(answer.node, query.start) if answer.found else ()
        frames = sum(character.behaviors[step.behavior].clips[step.clip].duration for step in steps)
        cost = answer.cost if answer.found else math.nan
        answers.append(
            Answered(
                *_asked(query), OF_TREES[answer.outcome], cost, len(steps), frames / character.planning_rate_hz,
                answer.counts.visited, answer.counts.collision_samples,
            )
        )  # fmt: skip
    return answers


def ask_planner(
    name: str, character: Character, queries: Iterable[Asked], *, begins: str | None, budget: int
) -> list[Answered]:
    """Search for an answer to every query."""
    planner, answers = planner_named(name), []
    for query in queries:
        plan = planner.solve(
            Problem(query.world, character, query.start, query.goal, begins=begins, max_expansions=budget)
        )
        done, cost = plan.statistics, plan.cost if plan.found else math.nan
        steps, seconds = (len(plan.steps), plan.duration_s) if plan.found else (0, 0.0)
        answers.append(
            Answered(*_asked(query), plan.outcome.value, cost, steps, seconds, done.expansions, done.collision_samples)
        )
    return answers


def write_answers(path: Path, answers: Sequence[Answered]) -> None:
    """Write a row for each query; without an answer the cost is empty."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Answered._fields)
    for answer in answers:
        writer.writerow("" if value != value else value for value in answer)
    write_atomically(path, text.getvalue().encode())


def _asked(query: Asked) -> tuple[int, float, float, float, float, float]:
    x, y, heading = query.start
    return query.number, x, y, math.degrees(heading), query.goal.x, query.goal.y
