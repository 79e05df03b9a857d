"""A look-up made again to see what it did: the nodes at the goal that it tried, those it traced, where it stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.trees.fit import fit
from gambol.trees.kernels.stopping import find_stopped
from gambol.trees.look_up import Answer, Found
from gambol.trees.question import Question
from gambol.world.world import Pose

Nodes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TraceBack:
    """What became of the nodes that a look-up came to, by their numbers, as in LK06 figure 10."""

    question: Question
    answer: Answer
    tried: Nodes  # at the goal, from the cheapest on
    free: Nodes  # the whole way to them may be played
    blocked: Nodes  # there is no way to them
    stopped: Nodes  # of these, the ones whose own clip meets something, or may not be played there

    @property
    def way(self) -> Nodes:
        """The nodes of the path that was chosen, from the root's child on."""
        node = self.answer.node
        return np.array(self.question.look_up.tree.path_to(node) if node > 0 else [], dtype=np.int64)


def trace_back(question: Question) -> TraceBack:
    """Ask again and read what the look-up noted of each node."""
    look_up, goal = question.look_up, question.goal
    answer = question.ask()
    none = np.empty(0, dtype=np.int64)
    if answer.outcome is Found.SHUT:  # no node was looked at
        return TraceBack(question, answer, none, none, none, none)
    scratch = look_up.scratch(goal.tolerance_m)
    stamp = int(scratch.number[0])
    blocked, free = (np.flatnonzero(scratch.stamp == number) for number in (stamp, stamp + 1))
    is_stop = np.zeros(len(blocked), dtype=np.bool_)
    tables = look_up.kernel_tables(question.first, question.last, question.after, question.stays)
    find_stopped(tables, scratch, *question.start, blocked, is_stop)
    seen = np.concatenate((blocked, free))
    tried = seen[_ends_at_goal(question, seen)]
    tried = tried[np.lexsort((tried, look_up.tree.cost[tried]))]
    return TraceBack(question, answer, tried, free, blocked, blocked[is_stop])


def placed(poses: NDArray[np.floating], start: Pose) -> NDArray[np.float64]:
    """Return poses (N, 3) of a tree's frame in the world, its root at a start."""
    x, y, heading = start
    cosine, sine = math.cos(heading), math.sin(heading)
    given = poses.astype(np.float64)
    return np.column_stack(
        (
            x + cosine * given[:, 0] - sine * given[:, 1],
            y + sine * given[:, 0] + cosine * given[:, 1],
            heading + given[:, 2],
        )
    )


def _ends_at_goal(question: Question, nodes: Nodes) -> NDArray[np.bool_]:
    """Return which nodes (N,) are where and as the goal says."""
    look_up, goal = question.look_up, question.goal
    pose = placed(look_up.tree.pose[nodes], question.start)
    ends = np.hypot(pose[:, 0] - goal.x, pose[:, 1] - goal.y) <= goal.tolerance_m
    if goal.heading_rad is not None:
        turned = np.remainder(pose[:, 2] - goal.heading_rad + math.pi, math.tau) - math.pi
        ends &= np.abs(turned) <= goal.heading_tolerance_rad
    behavior = fit(look_up.tree, look_up.character).behavior[look_up.tree.clip_behavior[look_up.tree.clip[nodes]]]
    named = [goal.behavior in (None, one.name, one.label) for one in look_up.character.behaviors]
    return ends & (behavior >= 0) & (question.last & np.array(named))[behavior]
