"""Two states of the sources are compared: here these ones with themselves, and answers that differ on purpose."""

from __future__ import annotations

from typing import Any

import pytest
from evidence.old.environment import ROOT, environment
from evidence.soak.core_equality import EqualityJob, _look_ups, _plans


@pytest.mark.slow
def test_these_sources_answer_alike_in_two_processes():
    here, question = environment(str(ROOT)), {"what": "problems", "first": 0, "count": 10}
    answers: list[Any] = []
    for _ in range(2):
        with here.worker("equality.py") as worker:
            answers.append(worker.ask(question))
    found = [_plans("problems", number, *both) for number, both in enumerate(zip(*answers, strict=True))]
    assert not any(one.failures for one in found)
    assert sum(one.counts["problems: plans found"] for one in found) > 4
    assert all(one.counts["problems: of the same steps"] == one.counts["problems: plans"] for one in found)


def plan(cost: int, outcome: str = "found", steps: str = "a") -> dict[str, Any]:
    return {"A*": {"cost": cost, "outcome": outcome, "steps": steps, "took": "t"}}


def test_another_cost_or_outcome_is_a_failure_and_other_steps_are_counted():
    assert _plans("problems", 3, plan(5), plan(6)).failures[0]["input"] == 3
    assert _plans("problems", 3, plan(5), plan(5, "partial")).failures
    same = _plans("problems", 3, plan(5), plan(5, steps="b"))
    assert not same.failures
    assert same.counts["problems: of the same steps"] == 0


def look_ups(costs: list[int], nodes: list[int]) -> dict[str, Any]:
    return {"costs": costs, "nodes": nodes, "outcomes": [0] * len(costs), "took": [1, 2]}


def test_each_look_up_of_another_cost_is_told_of():
    found = _look_ups({"number": 7}, look_ups([3, -1, 9], [1, -1, 4]), look_ups([3, -1, 8], [2, -1, 4]))
    assert (found.inputs, found.accepted, len(found.failures)) == (3, 2, 1)
    assert found.counts["look-ups: of the same node"] == 2
    assert found.counts["look-ups: found"] == 2


def test_every_question_is_in_one_chunk():
    job = EqualityJob(problems=120, worlds=30, problems_each=50, worlds_each=10, scenes=["first", "maze"])
    questions = [question for chunk in job.chunks() for question in chunk]
    assert sum(one["count"] for one in questions if one["what"] == "problems") == 120
    assert sorted(one["number"] for one in questions if one["what"] == "look-ups") == list(range(30))
    assert [one["name"] for one in questions if one["what"] == "scene"] == ["first", "maze"]
