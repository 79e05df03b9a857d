"""Whether all that a tree says is so: every place, time, cost and goal list worked out again."""

from __future__ import annotations

import numpy as np

from gambol.characters.action_table import action_table
from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.trees.assemble import group_of_clip
from gambol.trees.fit import Fit, fit
from gambol.trees.placing import Clips, list_nodes, place_nodes
from gambol.trees.tree import SearchTree


def audit_tree(tree: SearchTree, character: Character | None = None) -> list[str]:
    """Return what is wrong with a tree whose structure is sound, in sentences; nothing, if all is well.

    character: also whether it is one for this character, and ends where the character's clips lead.
    """
    problems = [*_transition_problems(tree), *_list_problems(tree)]
    if character is not None:
        try:
            fitted = fit(tree, character)
        except InvalidInput as problem:
            return [*problems, str(problem)]
        problems += _place_problems(tree, character, fitted)
    return problems


def _transition_problems(tree: SearchTree) -> list[str]:
    if len(tree) == 1:
        return []
    behavior = tree.clip_behavior[tree.clip]
    parent = tree.parent[1:]
    added = np.where(parent == 0, tree.first_cost[behavior[1:]], tree.edge_cost[behavior[parent], behavior[1:]])
    problems = []
    if count := int((added < 0).sum()):
        problems.append(f"{count:,} nodes play what may not follow the behavior before")
    # Illegal ones have no cost that could be right.
    wrong = (added >= 0) & (tree.cost[1:] != tree.cost[parent].astype(np.int64) + added)
    if count := int(wrong.sum()):
        problems.append(f"{count:,} nodes have another cost than that of the path to them")
    return problems


def _list_problems(tree: SearchTree) -> list[str]:
    """List the nodes anew, as a tree's assembly does; the order of nodes of one cost is that of their numbers."""
    grid = tree.grid
    group = group_of_clip(tree.edge_cost, tree.clip_behavior)[tree.clip]
    by_cost = 1 + np.argsort(tree.cost[1:], kind="stable")
    shape, sizes_m = (grid.x0, grid.y0, grid.rows, grid.columns), (grid.cell_m, grid.overlap_m)
    listed = list_nodes(shape, sizes_m, tree.pose, group, grid.groups, by_cost)
    if not np.array_equal(listed.first_entry, grid.first_entry):
        return ["the goal lists do not hold the nodes that are in their cells"]
    if not np.array_equal(listed.entries, grid.entries):
        return ["the goal lists are not in the order of cost, or hold nodes of other cells"]
    return []


def _place_problems(tree: SearchTree, character: Character, fitted: Fit) -> list[str]:
    """Place the nodes anew from a character's clips; where it lacks some of the tree's, all that needs none of them."""
    actions = action_table(character)
    count = len(tree)
    order = np.argsort(tree.frame, kind="stable").astype(np.int64)  # parents are earlier than their children
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    parent = np.where(order > 0, rank[np.maximum(tree.parent[order], 0)], -1)
    displacement, duration = actions.displacement[fitted.clip], actions.duration[fitted.clip]
    clips = Clips(displacement, duration, tree.clip_behavior, tree.edge_cost, tree.first_cost)
    pose, _, frame = place_nodes(clips, parent, tree.clip[order])
    known = _known_paths(tree, fitted)[order]
    elsewhere = known & ((pose != tree.pose[order]).any(axis=1) | (frame != tree.frame[order]))
    if wrong := int(elsewhere.sum()):
        return [f"{wrong:,} nodes are not where or when the clips of {character.name!r} lead"]
    return []


def _known_paths(tree: SearchTree, fitted: Fit) -> np.ndarray:
    """Return for each node whether the character has every clip on the way to it (N,)."""
    known = fitted.clip[tree.clip] >= 0
    known[0] = True
    ancestor = np.maximum(tree.parent, 0)
    while ancestor.any():  # each time twice as far back
        known &= known[ancestor]
        ancestor = ancestor[ancestor]
    return known
