/* The table of visited states of a search [LK05 3.3]: from a state to the best node known for it.
 *
 * Open addressing; eight entries lie in one line of the cache.  An entry has half of the hash alone: where it is the same, the
 * node tells whether the state is. */
#ifndef GB_STATES_H
#define GB_STATES_H

#include "visited.h"

static inline uint32_t gb_short_hash(int64_t place, int64_t rest) { return (uint32_t)(gb_hash_state(place, rest) >> 32); }

/* The slot of a state: the one that holds it, or the free one where it belongs.  `unit`: metres of a state's place. */
static inline gb_search_slot *gb_find_state(gb_search_memory *memory, int64_t place, int64_t rest, uint32_t hash, double unit) {
    uint32_t mask = (uint32_t)(memory->slot_count - 1);
    for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
        gb_search_slot *slot = memory->slots + at;
        if (slot->node == 0) return slot;
        if (slot->hash != hash) continue;
        const gb_search_node *node = memory->nodes + slot->node - 1;
        if (node->rest == rest && gb_place_key(node->x, node->y, unit) == place) return slot;
    }
}

#endif
