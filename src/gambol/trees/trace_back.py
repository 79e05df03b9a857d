"""A look-up made again to see what it did: the nodes at the goal that it tried, those it traced, where it stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.core import Struct, lib, pointer, struct
from gambol.trees.fit import fit
from gambol.trees.look_up import ANY_HEADING_RAD, Answer, Found
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
    look_up = question.look_up
    answer = question.ask()
    none = np.empty(0, dtype=np.int64)
    if answer.outcome is Found.SHUT:  # no node was looked at
        return TraceBack(question, answer, none, none, none, none)
    stamp, number = look_up.scratch.stamp, look_up.scratch.number
    blocked, free = np.flatnonzero(stamp == number), np.flatnonzero(stamp == number + 1)
    stopped = blocked[_stopped(question, blocked)]
    seen = np.concatenate((blocked, free))
    tried = seen[_ends_at_goal(question, seen)]
    tried = tried[np.lexsort((tried, look_up.tree.cost[tried]))]
    return TraceBack(question, answer, tried, free, blocked, stopped)


def _stopped(question: Question, blocked: Nodes) -> NDArray[np.bool_]:
    """Return at which of the nodes that the last question found blocked a trace stopped."""
    look_up, is_stop = question.look_up, np.zeros(len(blocked), dtype=np.bool_)
    lib.gb_tree_find_stopped(
        look_up.tables.c, look_up.scratch.core.c, question_struct(question).c,
        pointer(blocked.astype(np.int32), "int32_t"), len(blocked), pointer(is_stop, "uint8_t"),
    )  # fmt: skip
    return is_stop


def question_struct(question: Question) -> Struct:
    """Return a question as the core reads it."""
    (x, y, heading), goal = question.start, question.goal
    return struct(
        "gb_tree_question", x=x, y=y, heading=heading, frame=question.frame, goal_x=goal.x, goal_y=goal.y,
        tolerance=goal.tolerance_m, goal_heading=goal.heading_rad or 0.0,
        goal_turn=ANY_HEADING_RAD if goal.heading_rad is None else goal.heading_tolerance_rad,
    )  # fmt: skip


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
