/* The table of visited states against a list of all that was entered. */
#include "states.h"

#include "check.h"

enum { STATES = 300, SMALL = 1024, LARGE = 4096 };

/* Enters a node with a state as a search does. */
static void enter(gb_search *search, int64_t number, double x, double y, int64_t rest) {
    int64_t place = gb_place_key(x, y, search->settings.place_unit);
    gb_search_slot slot = {gb_hash_state(place, rest), number, number};
    gb_search_slot *known = gb_find_state(search, place, rest, slot.hash);
    if (known->node) search->memory.nodes[known->node].stale = 1;
    *known = slot;
    search->memory.nodes[number].stale = 0;
    search->memory.nodes[number].cost = number;
    search->memory.nodes[number].x = x;
    search->memory.nodes[number].y = y;
    search->memory.nodes[number].rest = rest;
}

static void test_table(report *test) {
    static gb_search_slot slots[SMALL], larger[4 * LARGE];
    static gb_search_node nodes[STATES];
    gb_search search;
    memset(&search, 0, sizeof search);
    search.memory.nodes = nodes;
    search.memory.slots = slots;
    search.memory.slot_count = SMALL;
    search.settings.place_unit = 0.3;
    search.settings.exact = (int32_t)random_below(test, 2);
    memset(slots, 0, sizeof slots);
    for (int64_t node = 1; node < STATES; node++) {
        int64_t rest = random_below(test, 2) ? random_below(test, 20) : (int64_t)random_word(test);
        enter(&search, node, random_between(test, -2.0, 2.0), random_between(test, -1.0, 1.0), rest);
    }
    for (int round = 0; round < 3; round++) {
        for (int64_t state = 1; state < STATES; state++) {
            int64_t place = gb_place_key(nodes[state].x, nodes[state].y, 0.3), last = state;
            for (int64_t later = state + 1; later < STATES; later++) /* the last one entered with the same key counts */
                if (gb_place_key(nodes[later].x, nodes[later].y, 0.3) == place && nodes[later].rest == nodes[state].rest)
                    last = later;
            uint64_t hash = gb_hash_state(place, nodes[state].rest);
            CHECK_SAME(test, gb_find_state(&search, place, nodes[state].rest, hash)->node, last);
        }
        CHECK_SAME(test, gb_find_state(&search, 12345, -6, gb_hash_state(12345, -6))->node, 0);
        if (round == 2) break;
        search.memory.slots = larger;
        search.memory.slot_room = round == 0 ? LARGE : 4 * LARGE;
        search.counts.nodes = STATES;
        gb_search_enter_states(&search);
        CHECK(test, search.memory.slot_count >= 2 * STATES && search.memory.slot_count <= search.memory.slot_room);
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
