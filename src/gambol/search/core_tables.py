"""What the core reads of a problem: a world, what moves in it, a character, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from gambol.characters.character import Character
from gambol.characters.core_table import actions_struct
from gambol.core import Struct, struct
from gambol.search.moves import Moves, moves_of
from gambol.search.query import Query, struct_of_query
from gambol.search.traffic import Traffic
from gambol.search.traffic_table import TrafficTable
from gambol.world.core_table import world_struct
from gambol.world.world import World


@dataclass(frozen=True, eq=False)
class CoreTables:
    """Structs of the core."""

    world: Struct
    traffic: Struct
    actions: Struct
    moves: Struct
    query: Struct


def core_tables(world: World, traffic: Traffic, character: Character, query: Query) -> CoreTables:
    """Return what the core reads of a problem; worlds and characters are laid out once."""
    return CoreTables(
        world=world_struct(world),
        traffic=traffic_struct(traffic),
        actions=actions_struct(character),
        moves=moves_struct(character),
        query=struct_of_query(query),
    )


_KNOWN: WeakKeyDictionary[Character, Struct] = WeakKeyDictionary()
_TRAFFIC: WeakKeyDictionary[Traffic, tuple[int, Struct]] = WeakKeyDictionary()


def moves_struct(character: Character) -> Struct:
    """Return the moves of a character as the core reads them, laid out once."""
    if character not in _KNOWN:
        _KNOWN[character] = struct_of_moves(moves_of(character))
    return _KNOWN[character]


def struct_of_moves(moves: Moves) -> Struct:
    """Return moves as the core reads them."""
    return struct(
        "gb_moves",
        cost=moves.cost,
        transition_cost=moves.transition_cost,
        state=moves.state,
        same=moves.same,
        circle=moves.circle,
        samples=moves.samples,
        parts=moves.parts,
    )


def traffic_struct(traffic: Traffic) -> Struct:
    """Return what moves as the core reads it, laid out anew when something has been added."""
    known = _TRAFFIC.get(traffic)
    if known is None or known[0] != len(traffic.names):
        known = _TRAFFIC[traffic] = len(traffic.names), struct_of_traffic(traffic.table)
    return known[1]


def struct_of_traffic(table: TrafficTable) -> Struct:
    """Return what moves as the core reads it; out of date as soon as the table is."""
    return struct(
        "gb_traffic",
        things=table.things,
        slots=table.slots,
        records=table.records,
        record_shapes=table.record_shapes,
        shape_prisms=table.shape_prisms,
        prisms=table.prisms,
        prism_corners=table.prism_corners,
        corner_x=table.corner_x,
        corner_y=table.corner_y,
        cell_rows=len(table.cells),
        cells=table.cells,
        entries=table.entries,
        mark_rows=len(table.marks),
        marks=table.marks,
        horizon=table.horizon,
        is_endless=table.is_endless,
        last_change=table.last_change,
        has_giants=table.has_giants,
    )
