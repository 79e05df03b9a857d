"""Trees that tasks look things up in: opened once by each worker, by memory map."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from gambol.trees.file import read_tree
from gambol.trees.tree import SearchTree

KEPT = 8  # by each worker


@lru_cache(maxsize=KEPT)
def kept_tree_file(path: Path) -> SearchTree:
    """Open a tree's file once: what is laid out for tasks never changes."""
    return read_tree(path, verify=True)
