"""What a tree is, in words and as plain values."""

from __future__ import annotations

from typing import Any

import numpy as np

from gambol.search.moves import COST_UNIT
from gambol.trees.tree import SearchTree


def summarize_tree(tree: SearchTree) -> dict[str, Any]:
    """Return a tree's facts as plain values."""
    grid = tree.grid
    played = np.bincount(tree.clip_behavior[tree.clip[1:]], minlength=len(tree.behaviors))
    return {
        "character": tree.character,
        "builder": tree.builder,
        "begins": tree.begins,
        "nodes": len(tree),
        "bytes": tree.bytes_used,
        "node_bytes": tree.node_bytes,
        "depth": int(tree.depth.max()),
        "mean_depth": float(tree.depth.mean()),
        "reach_m": float(np.hypot(tree.pose[:, 0], tree.pose[:, 1]).max()),
        "longest_s": int(tree.frame.max()) / tree.planning_rate_hz,
        "highest_cost": int(tree.cost.max()) * COST_UNIT,
        "planning_rate_hz": tree.planning_rate_hz,
        "settings": dict(tree.settings),
        "notes": dict(tree.notes),
        "grid": {
            "cell_m": grid.cell_m, "overlap_m": grid.overlap_m, "rows": grid.rows, "columns": grid.columns,
            "groups": grid.groups, "entries": len(grid.entries),
        },
        "behaviors": [
            {"name": one.name, "clips": one.clips, "nodes": count}
            for one, count in zip(tree.behaviors, played.tolist(), strict=True)
        ],
    }  # fmt: skip


def describe_tree(tree: SearchTree) -> str:
    """Return a tree's facts in a few lines."""
    about = summarize_tree(tree)
    used = sum(one["nodes"] > 0 for one in about["behaviors"])
    grid = about["grid"]
    settings = ", ".join(f"{name} {_short(value)}" for name, value in about["settings"].items())
    start = "any behavior may come first" if tree.begins is None else f"from {tree.begins}"
    return "\n".join(
        (
            f"{tree.builder} tree of {tree.character}, {start}",
            f"  {len(tree):,} nodes, up to {about['depth']} clips deep, {about['mean_depth']:.1f} on average; "
            f"{used} of {len(tree.behaviors)} behaviors",
            f"  reaches {about['reach_m']:.1f} m, {about['longest_s']:.1f} s, cost {about['highest_cost']:.2f}",
            f"  {tree.bytes_used:,} bytes, {tree.node_bytes:,} of them nodes",
            f"  goal cells of {grid['cell_m']:g} m in squares of {grid['overlap_m']:g} m, {grid['rows']} by "
            f"{grid['columns']}, {grid['entries']:,} entries",
            f"  grown with {settings or 'no settings'}",
        )
    )


def _short(value: Any) -> str:
    """Write a setting in a word or two."""
    if isinstance(value, dict) and "shape" in value:
        return str(value["shape"])
    if isinstance(value, list | tuple):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else f"{value:,}" if type(value) is int else str(value)
