/* The table of visited states of a search [LK05 3.3]: from a state to the best node known for it.
 *
 * Open addressing; what most look-ups need is in the slot: the cost.  States of the same 64 bits of hash count as one, but for
 * exact searches, which ask the node. */
#ifndef GB_STATES_H
#define GB_STATES_H

#include "visited.h"

/* The slot of a state: the one that holds it, or the free one where it belongs. */
static inline gb_search_slot *gb_find_state(const gb_search *search, int64_t place, int64_t rest, uint64_t hash) {
    const gb_search_memory *memory = &search->memory;
    uint64_t mask = (uint64_t)memory->slot_count - 1;
    for (uint64_t at = hash & mask;; at = (at + 1) & mask) {
        gb_search_slot *slot = memory->slots + at;
        if (slot->node == 0) return slot;
        if (slot->hash != hash) continue;
        if (!search->settings.exact) return slot;
        const gb_search_node *node = memory->nodes + slot->node;
        if (node->rest == rest && gb_place_key(node->x, node->y, search->settings.place_unit) == place) return slot;
    }
}

#endif
