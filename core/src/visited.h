/* The table of visited states [LK05 3.3]: from a state to the best node known for it.
 *
 * Open addressing; what is looked at together lies in one line of the cache: both parts of the key, the cost and the node. */
#ifndef GB_VISITED_H
#define GB_VISITED_H

#include "numbers.h"

enum { GB_SLOT_PLACE, GB_SLOT_REST, GB_SLOT_COST, GB_SLOT_NODE, GB_SLOT_COLUMNS };
enum { GB_HEADING_BITS = 22, GB_STATE_BITS = 14, GB_LEG_BITS = 10 }; /* of the second part of a key */

/* The position's part of a state's key: two whole numbers in one. */
static inline int64_t gb_place_key(double x, double y, double place_unit) {
    uint64_t column = (uint64_t)(int64_t)gb_floor(x / place_unit), row = (uint64_t)(int64_t)gb_floor(y / place_unit);
    return (int64_t)((column << 32) ^ (row & 0xFFFFFFFFu));
}

static inline int64_t gb_rest_key(double heading, int64_t heading_count, int64_t state, int64_t leg, int64_t frame,
                                  int64_t frame_unit) {
    double turns = heading / GB_TURN;
    int64_t sector = (int64_t)((turns - gb_floor(turns)) * (double)heading_count + 0.5);
    if (sector == heading_count) sector = 0;
    int64_t slot = frame_unit > 0 ? frame / frame_unit : 0;
    int64_t above = (slot << GB_LEG_BITS) | leg;
    return (((above << GB_STATE_BITS) | state) << GB_HEADING_BITS) | sector;
}

/* Mixes both parts of a key [after the finaliser of S. Vigna's splitmix64]. */
static inline uint64_t gb_hash_state(int64_t place, int64_t rest) {
    uint64_t word = ((uint64_t)place * 0x9E3779B97F4A7C15u) ^ (uint64_t)rest;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

/* The slot of a state: the one that holds it, or the free one where it belongs. */
static inline int64_t *gb_find_slot(int64_t *slots, int64_t count, int64_t place, int64_t rest) {
    uint64_t mask = (uint64_t)count - 1, at = gb_hash_state(place, rest) & mask;
    for (;; at = (at + 1) & mask) {
        int64_t *slot = slots + at * GB_SLOT_COLUMNS;
        if (slot[GB_SLOT_NODE] < 0 || (slot[GB_SLOT_PLACE] == place && slot[GB_SLOT_REST] == rest)) return slot;
    }
}

#endif
