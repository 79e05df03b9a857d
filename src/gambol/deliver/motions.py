"""Motions of plans and climbs as BVH, GLB and USD."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.deliver.registry import Delivery, WriteOptions

if TYPE_CHECKING:
    from gambol.stages.performance import Performance, Progress


def write_each_bvh(performance: Performance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write a file for each character that moves, with its name inserted where the cast has several."""
    from gambol.files.bvh import write_bvh

    files, skipped = [], []
    for name, target in targets_of(path, performance.names).items():
        if (motion := performance.own_motions.get(name)) is None:
            skipped.append(f"{target}: {name} does not move: {performance.reasons[name]}")
        else:
            write_bvh(target, motion)
            files.append(target)
    return Delivery(tuple(files), tuple(skipped))


def write_glb(performance: Performance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write everyone into one file, on the world's clock; a character that has arrived stays."""
    from gambol.files.gltf import write_cast_glb
    from gambol.files.gltf.write import GlbActor

    if not performance.own_motions:
        return nobody_moves(path)
    write_cast_glb(path, [GlbActor(name, motion) for name, motion in performance.motions.items()])
    return Delivery((path,))


def write_usd(performance: Performance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write everyone into one file, on the world's clock; a character that has arrived stays."""
    from gambol.files import usd

    if not performance.own_motions:
        return nobody_moves(path)
    usd.write_usd(path, performance.motions)
    return Delivery((path,))


def nobody_moves(path: Path) -> Delivery:
    return Delivery(skipped=(f"{path}: nobody moves",))


def targets_of(path: Path, names: Sequence[str]) -> dict[str, Path]:
    """Return where each character's own file goes: of several, out.bvh for Ann is out-Ann.bvh."""
    if len(names) == 1:
        return {names[0]: path}
    safe = [re.sub(r"[^\w.-]+", "_", name).strip("._") or "character" for name in names]
    if len({name.lower() for name in safe}) < len(safe):
        safe = [f"{number}-{name}" for number, name in enumerate(safe, start=1)]
    return {name: path.with_name(f"{path.stem}-{own}{path.suffix}") for name, own in zip(names, safe, strict=True)}
