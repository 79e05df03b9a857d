"""Worlds looked up in grids of another resolution than the usual."""

from __future__ import annotations

from dataclasses import replace

from gambol.world import table
from gambol.world.world import World


def at_resolution(world: World, cell_m: float) -> World:
    """Return a copy of a world that everyone looks up in a clearance field of cells of this size."""
    copy = replace(world)
    table._tables[copy] = {table.CELL_M: table.compile_world(world, cell_m=cell_m)}
    return copy
