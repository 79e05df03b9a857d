/* The table of visited states against a list of all that was entered. */
#include "visited.h"

#include "check.h"

enum { STATES = 300, SMALL = 1024, LARGE = 4096 };

static void clear(int64_t *slots, int64_t count) {
    for (int64_t number = 0; number < count * GB_SLOT_COLUMNS; number++) slots[number] = -1;
}

/* Enters a state as a search does: its cost is put into the slot found. */
static void enter(int64_t *slots, int64_t place, int64_t rest, int64_t cost, int64_t node) {
    int64_t *slot = gb_find_slot(slots, SMALL, place, rest);
    slot[GB_SLOT_PLACE] = place;
    slot[GB_SLOT_REST] = rest;
    slot[GB_SLOT_COST] = cost;
    slot[GB_SLOT_NODE] = node;
}

static void test_table(report *test) {
    static int64_t slots[SMALL * GB_SLOT_COLUMNS], larger[LARGE * GB_SLOT_COLUMNS];
    int64_t places[STATES], rests[STATES], costs[STATES];
    clear(slots, SMALL);
    clear(larger, LARGE);
    for (int64_t node = 0; node < STATES; node++) {
        places[node] = random_below(test, 20) - 10;
        rests[node] = random_below(test, 2) ? random_below(test, 20) : (int64_t)random_word(test);
        costs[node] = random_below(test, 1000);
        enter(slots, places[node], rests[node], costs[node], node);
    }
    gb_search_move_slots(slots, SMALL, larger, LARGE);
    for (int64_t state = 0; state < STATES; state++) {
        int64_t last = state; /* the last one entered with the same key */
        for (int64_t later = state + 1; later < STATES; later++)
            if (places[later] == places[state] && rests[later] == rests[state]) last = later;
        const int64_t *slot = gb_find_slot(slots, SMALL, places[state], rests[state]);
        const int64_t *moved = gb_find_slot(larger, LARGE, places[state], rests[state]);
        CHECK_SAME(test, slot[GB_SLOT_NODE], last);
        CHECK_SAME(test, slot[GB_SLOT_COST], costs[last]);
        CHECK_SAME(test, moved[GB_SLOT_NODE], last);
        DIGEST(test, moved - larger);
    }
    CHECK_SAME(test, gb_find_slot(slots, SMALL, 12345, -6)[GB_SLOT_NODE], -1);
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
