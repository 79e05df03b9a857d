/* The open list against going through all that is in it. */
#include "open_list.h"

#include "check.h"

enum { ROOM = 500 };

void test_open_list(report *test) {
    int64_t heap[ROOM], there[ROOM], count = 0, node = 0;
    for (int round = 0; round < 20000; round++) {
        if (count < ROOM && (count == 0 || random_below(test, 100) < 55)) {
            int64_t entry = gb_entry_of(random_below(test, 50), node);
            CHECK_SAME(test, gb_node_of(entry), node);
            node++;
            gb_heap_push(heap, count, entry);
            there[count++] = entry;
            continue;
        }
        int64_t best = 0;
        for (int64_t other = 1; other < count; other++)
            if (there[other] < there[best]) best = other;
        int64_t found = gb_heap_pop(heap, count--);
        CHECK_SAME(test, found, there[best]);
        there[best] = there[count];
        DIGEST(test, found);
    }
    /* The newer of two nodes goes first; the largest estimate and the last node fit into an entry. */
    CHECK(test, gb_entry_of(7, 12) < gb_entry_of(7, 11) && gb_entry_of(7, 0) < gb_entry_of(8, 99));
    CHECK_SAME(test, gb_node_of(gb_entry_of(GB_LARGEST_ESTIMATE, GB_LAST_NODE)), GB_LAST_NODE);
    CHECK(test, gb_entry_of(GB_LARGEST_ESTIMATE, 0) > 0);
}
