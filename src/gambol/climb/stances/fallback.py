"""The paper's steps, from where a search over stances has nothing left to try [KP00 3.1 to 3.3]."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.climb.climb import ClimbPath
from gambol.climb.kernels.chance import chance_state
from gambol.climb.paper.attempt import Attempt
from gambol.climb.paper.machine import Machine
from gambol.climb.paper.search import PaperSearch
from gambol.climb.paper.surroundings import Surroundings
from gambol.climb.paper.tables import Tables
from gambol.climb.problem import ClimbProblem
from gambol.climb.stances.search import StanceNode
from gambol.geometry.arrays import FloatArray

MOST_STEPS = 400


def paper_steps(
    problem: ClimbProblem, node: StanceNode, usage: FloatArray | None, deadline: float | None
) -> tuple[int, ClimbPath | None]:
    """Go on from a node, facing as it does; return how many steps were made, and the way to the goal, if found."""
    stance = node.stance
    tables = Tables.of(replace(problem, start=replace(problem.start, facing=stance.facing)), usage)
    start = Attempt(tables, chance_state(problem.seed), node.q, stance.mode, np.array(stance.grasps, dtype=np.int32))
    search = PaperSearch(tables, Machine(Surroundings.of(tables)), start)
    if not search.has_way or not search.run(problem.goal, MOST_STEPS, deadline):
        return search.steps, None
    path = search.path()
    return search.steps, path.part(1, len(path))  # the first is the node's own
