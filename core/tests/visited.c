/* The table of visited states against a list of all that was entered. */
#include "states.h"

#include "check.h"

enum { STATES = 300, SMALL = 1024, LARGE = 4096 };

/* Enters a node with a state as a search does. */
static void enter(gb_search_memory *memory, int64_t number, double x, double y, int64_t rest) {
    int64_t place = gb_place_key(x, y, 0.3);
    uint32_t hash = gb_short_hash(place, rest);
    gb_search_slot *slot = gb_find_state(memory, place, rest, hash, 0.3);
    memory->nodes[number].x = x;
    memory->nodes[number].y = y;
    memory->nodes[number].rest = rest;
    slot->hash = hash;
    slot->node = (int32_t)number + 1;
}

static void test_table(report *test) {
    static gb_search_slot slots[SMALL], larger[LARGE];
    static gb_search_node nodes[STATES];
    gb_search_memory memory = {STATES, nodes, 0, 0, SMALL, slots, 0, 0};
    memset(slots, 0, sizeof slots);
    memset(larger, 0, sizeof larger);
    for (int64_t node = 0; node < STATES; node++) {
        int64_t rest = random_below(test, 2) ? random_below(test, 20) : (int64_t)random_word(test);
        enter(&memory, node, random_between(test, -2.0, 2.0), random_between(test, -1.0, 1.0), rest);
    }
    gb_search_move_slots(slots, SMALL, larger, LARGE);
    for (int round = 0; round < 2; round++) {
        for (int64_t state = 0; state < STATES; state++) {
            int64_t place = gb_place_key(nodes[state].x, nodes[state].y, 0.3), last = state;
            for (int64_t later = state + 1; later < STATES; later++) /* the last one entered with the same key counts */
                if (gb_place_key(nodes[later].x, nodes[later].y, 0.3) == place && nodes[later].rest == nodes[state].rest)
                    last = later;
            uint32_t hash = gb_short_hash(place, nodes[state].rest);
            CHECK_SAME(test, gb_find_state(&memory, place, nodes[state].rest, hash, 0.3)->node, last + 1);
        }
        CHECK_SAME(test, gb_find_state(&memory, 12345, -6, gb_short_hash(12345, -6), 0.3)->node, 0);
        memory.slots = larger;
        memory.slot_count = LARGE;
    }
}

static void test_keys(report *test) {
    for (int round = 0; round < 2000; round++) {
        double unit = random_below(test, 2) ? 0.3 : 1e-6;
        double x = random_between(test, -500.0, 500.0), y = random_between(test, -500.0, 500.0);
        double other_x = x + random_between(test, -unit, unit), other_y = y + random_between(test, -unit, unit);
        int same = floor(x / unit) == floor(other_x / unit) && floor(y / unit) == floor(other_y / unit);
        CHECK_SAME(test, gb_place_key(x, y, unit) == gb_place_key(other_x, other_y, unit), same);
        DIGEST(test, gb_place_key(x, y, unit));
    }
    /* A sector has its heading in the middle; whole turns make no difference; time counts only where a frame has a unit. */
    CHECK_SAME(test, gb_rest_key(0.01, 36, 3, 2, 7, 8), gb_rest_key(-0.01, 36, 3, 2, 0, 8));
    CHECK_SAME(test, gb_rest_key(1.0 + 4.0 * GB_TURN, 36, 3, 2, 0, 8), gb_rest_key(1.0, 36, 3, 2, 0, 8));
    CHECK(test, gb_rest_key(1.0, 36, 3, 2, 8, 8) != gb_rest_key(1.0, 36, 3, 2, 7, 8));
    CHECK_SAME(test, gb_rest_key(1.0, 36, 3, 2, 8, 0), gb_rest_key(1.0, 36, 3, 2, 700, 0));
    CHECK(test, gb_rest_key(1.0, 36, 3, 2, 0, 0) != gb_rest_key(1.0, 36, 2, 3, 0, 0));
    for (int round = 0; round < 500; round++) {
        double heading = random_between(test, -50.0, 50.0);
        int64_t state = random_below(test, 1 << GB_STATE_BITS), leg = random_below(test, 1 << GB_LEG_BITS);
        DIGEST(test, gb_rest_key(heading, 36, state, leg, random_below(test, 1 << 17), 1));
    }
}

void test_visited(report *test) {
    test_table(test);
    test_keys(test);
}
