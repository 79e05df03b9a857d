"""What a search is asked, as flat arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.core import Struct, struct


class Query(NamedTuple):
    """L legs, each ending in a goal, the last one in that of the problem; B behaviors.  Costs are whole units."""

    x: float
    y: float
    heading: float
    frame: int
    first: np.ndarray  # behaviors that may come first
    goals: np.ndarray  # (L, 5) x, y, tolerance, heading, its tolerance (not below pi: any heading)
    may_end: np.ndarray  # (L, B) behaviors that may end a leg
    fields: np.ndarray  # (L, rows, columns) ways left in cells; of no size if straight lines are all
    field_x0: float
    field_y0: float
    field_cell: float
    closed: np.ndarray  # (rows - 1, columns - 1) cells without room for any root
    later: np.ndarray  # (L,) least cost of the legs after each
    cost_per_way: float
    cost_per_chord: float
    special: np.ndarray  # (B,) kind of annotated obstacles that a behavior is for, -1: none
    radius: np.ndarray  # (B,) fixed radius, -1: the swept shape
    climb: float  # units per metre of rise
    descend: float
    seed: int
    has_traffic: bool
    horizon: int  # no clip ends after this frame; only where something moves


def struct_of_query(query: Query) -> Struct:
    """Return a query as the core reads it."""
    legs, field_rows, field_columns = query.fields.shape
    closed_rows, closed_columns = query.closed.shape
    return struct(
        "gb_query",
        x=query.x,
        y=query.y,
        heading=query.heading,
        frame=query.frame,
        first_count=len(query.first),
        first=query.first,
        legs=legs,
        goals=query.goals,
        behaviors=len(query.special),
        may_end=query.may_end,
        field_rows=field_rows,
        field_columns=field_columns,
        fields=query.fields,
        field_x0=query.field_x0,
        field_y0=query.field_y0,
        field_cell=query.field_cell,
        closed_rows=closed_rows,
        closed_columns=closed_columns,
        closed=query.closed,
        later=query.later,
        cost_per_way=query.cost_per_way,
        cost_per_chord=query.cost_per_chord,
        special=query.special,
        radius=query.radius,
        climb=query.climb,
        descend=query.descend,
        seed=query.seed,
        has_traffic=query.has_traffic,
        horizon=query.horizon,
    )
