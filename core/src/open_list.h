/* The open list: a heap of nodes by their estimate, four children to a node; the newer node goes first among equals.
 *
 * An entry is one whole number, estimate above node, so that one comparison orders it and one line of the cache holds all
 * children of a node. */
#ifndef GB_OPEN_LIST_H
#define GB_OPEN_LIST_H

#include "numbers.h"

#define GB_HEAP_WIDTH 4
#define GB_NODE_BITS 26
#define GB_LAST_NODE (((int64_t)1 << GB_NODE_BITS) - 1)
#define GB_LARGEST_ESTIMATE (((int64_t)1 << (62 - GB_NODE_BITS)) - 1) /* 68 km at a millionth of a metre */

static inline int64_t gb_entry_of(int64_t estimate, int64_t node) {
    return (estimate << GB_NODE_BITS) | (GB_LAST_NODE - node);
}

static inline int64_t gb_node_of(int64_t entry) { return GB_LAST_NODE - (entry & GB_LAST_NODE); }

/* Adds an entry to a heap of `count`; there must be room. */
static inline void gb_heap_push(int64_t *entries, int64_t count, int64_t entry) {
    int64_t at = count;
    while (at > 0) {
        int64_t above = (at - 1) / GB_HEAP_WIDTH;
        if (entry >= entries[above]) break;
        entries[at] = entries[above];
        at = above;
    }
    entries[at] = entry;
}

/* Removes the first entry of a heap of `count`, at least one, and returns it. */
static inline int64_t gb_heap_pop(int64_t *entries, int64_t count) {
    int64_t first = entries[0], last = count - 1, entry = entries[last], at = 0;
    for (;;) {
        int64_t best = GB_HEAP_WIDTH * at + 1;
        if (best >= last) break;
        int64_t end = gb_least(best + GB_HEAP_WIDTH, last);
        for (int64_t child = best + 1; child < end; child++)
            if (entries[child] < entries[best]) best = child;
        if (entries[best] >= entry) break;
        entries[at] = entries[best];
        at = best;
    }
    entries[at] = entry;
    return first;
}

#endif
