"""The trees of tasks; each worker opens a tree once, by memory map."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from gambol.trees.file import read_tree
from gambol.trees.tree import SearchTree

KEPT = 8  # >= 1: trees that each worker keeps; larger: more memory


@lru_cache(maxsize=KEPT)
def kept_tree_file(path: Path) -> SearchTree:
    """Open a tree's file once: files that are laid out for tasks never change."""
    return read_tree(path, verify=True)
