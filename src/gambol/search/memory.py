"""What searches remember, kept from one to the next: memory that was used is had at once, new memory is not."""

from __future__ import annotations

import weakref

import numpy as np

from gambol.core import Struct, rows, struct

NODES_AT_FIRST = 16_384
DOUBTS = 16_384  # ways given up whose costs are worked out later, together
MOST_KEPT = 4  # memories that wait for another search
MOST_KEPT_BYTES = 2**26  # of each; larger ones are given back

_FREE: list[Memory] = []


class Memory:
    """Nodes, the open list and the table of visited states of one search; nothing in it is filled."""

    def __init__(self, room: int, widest: int) -> None:
        self.nodes = rows("gb_search_node", room, filled=False)
        self.slots = rows("gb_search_slot", 1 << (2 * room - 1).bit_length(), filled=False)
        self.entries = np.empty(room, np.int64)
        self.widest = widest
        self.next = rows("gb_search_next", widest, filled=False)
        self.doubts = rows("gb_search_doubt", DOUBTS, filled=False)

    @property
    def size(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in (self.nodes, self.slots, self.entries))

    def struct(self) -> Struct:
        return struct(
            "gb_search_memory",
            node_room=len(self.nodes),
            nodes=self.nodes,
            entry_room=len(self.entries),
            entries=self.entries,
            slot_room=len(self.slots),
            slots=self.slots,
            slot_count=0,
            widest=self.widest,
            next=self.next,
            doubt_room=DOUBTS,
            doubts=self.doubts,
        )

    def grow_nodes(self, count: int) -> None:
        """Have twice the room for nodes, `count` of which are kept; their states have to be entered anew."""
        nodes = rows("gb_search_node", 2 * len(self.nodes), filled=False)
        nodes[:count] = self.nodes[:count]
        self.nodes, self.slots = nodes, rows("gb_search_slot", 2 * len(self.slots), filled=False)

    def grow_entries(self) -> None:
        """Have twice the room for what is open."""
        self.entries = np.concatenate((self.entries, np.empty_like(self.entries)))

    def widen(self, widest: int) -> None:
        """Make room for a number of clips that may follow a node."""
        if widest > len(self.next):
            self.next = rows("gb_search_next", widest, filled=False)
        self.widest = widest


def memory_for(owner: object, widest: int) -> Memory:
    """Return memory that is its owner's for as long as that lives."""
    try:
        memory = _FREE.pop()
        memory.widen(widest)
    except IndexError:
        memory = Memory(max(NODES_AT_FIRST, 2 * widest), widest)
    weakref.finalize(owner, _give_back, memory)
    return memory


def _give_back(memory: Memory) -> None:
    if len(_FREE) < MOST_KEPT and memory.size <= MOST_KEPT_BYTES:
        _FREE.append(memory)
