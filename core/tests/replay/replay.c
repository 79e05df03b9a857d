/* Ask the core what images say, and print its answers: the same question to cores of other compilers and processors.
 *
 *     replay IMAGE...
 *
 * An image holds structs of the core with all that they point to, as they lie in memory of a machine of 64 bits, the low
 * byte first; offsets in it stand for pointers.  tests/support/core_images.py writes them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gambol.h"

enum { MOST_ROOTS = 16 };
enum { SEARCH = 1, LOOK_UPS, TRIP }; /* what is asked */

typedef struct image {
    char *bytes;
    int64_t what;
    int64_t number;
    void *root[MOST_ROOTS];
} image;

/* Mixes bytes into a digest [FNV-1a]. */
static uint64_t mixed(uint64_t digest, const void *bytes, int64_t count) {
    for (int64_t at = 0; at < count; at++) digest = (digest ^ ((const uint8_t *)bytes)[at]) * 0x100000001B3u;
    return digest;
}

static uint64_t digest_of(const void *column, int64_t bytes) { return mixed(0xCBF29CE484222325u, column, bytes); }

/* Header: magic, what, number, roots, their offsets, pointers, size; then pairs of offsets (where, to what), then bytes. */
static int open_image(const char *path, image *it) {
    int64_t header[6 + MOST_ROOTS], pair[2];
    FILE *file = fopen(path, "rb");
    if (!file || fread(header, sizeof header, 1, file) != 1 || header[0] != 0x3145474D49424721) return 0;
    int64_t roots = header[3], pointers = header[4 + MOST_ROOTS], size = header[5 + MOST_ROOTS];
    long begin = (long)sizeof header + 16 * (long)pointers;
    it->what = header[1];
    it->number = header[2];
    it->bytes = (char *)malloc((size_t)size);
    if (!it->bytes || fseek(file, begin, SEEK_SET) != 0 || fread(it->bytes, 1, (size_t)size, file) != (size_t)size) return 0;
    if (fseek(file, (long)sizeof header, SEEK_SET) != 0) return 0;
    for (int64_t number = 0; number < pointers; number++) {
        if (fread(pair, sizeof pair, 1, file) != 1) return 0;
        void *to = it->bytes + pair[1];
        memcpy(it->bytes + pair[0], &to, sizeof to);
    }
    for (int64_t number = 0; number < roots; number++) it->root[number] = it->bytes + header[4 + number];
    fclose(file);
    return 1;
}

/* Root: a gb_search whose memory is as new, with room enough; number: expansions. */
static void replay_search(const image *it) {
    gb_search *search = (gb_search *)it->root[0];
    gb_search_begin(search);
    gb_search_expand(search, it->number);
    const gb_search_counts *counts = &search->counts;
    uint64_t digest = 0xCBF29CE484222325u;
    for (int64_t number = 0; number < counts->nodes; number++) {
        const gb_search_node *node = search->memory.nodes + number;
        double pose[3] = {node->x, node->y, node->heading};
        int64_t rest[3] = {node->cost, node->parent, node->clip};
        digest = mixed(mixed(digest, pose, sizeof pose), rest, sizeof rest);
    }
    printf("search: status %" PRId64 ", %" PRId64 " expansions, %" PRId64 " nodes, %" PRId64 " samples, cost %" PRId64
           ", digest %016" PRIx64 "\n",
           counts->status, counts->expansions, counts->nodes, counts->samples,
           counts->goal_node < 0 ? -1 : search->memory.nodes[counts->goal_node].cost, digest);
}

/* Roots: gb_tree_tables, gb_tree_asked, gb_tree_scratch, starts, frames, goals, nodes, costs, outcomes; number: of questions. */
static void replay_look_ups(const image *it) {
    int64_t *nodes = (int64_t *)it->root[6], *costs = (int64_t *)it->root[7], *outcomes = (int64_t *)it->root[8];
    gb_tree_scratch *scratch = (gb_tree_scratch *)it->root[2];
    gb_tree_look_up_many((const gb_tree_tables *)it->root[0], (const gb_tree_asked *)it->root[1], scratch, it->number,
                         (const double *)it->root[3], (const int64_t *)it->root[4], (const double *)it->root[5], nodes,
                         costs, outcomes);
    int64_t found = 0;
    for (int64_t number = 0; number < it->number; number++) found += nodes[number] >= 0;
    printf("look-ups: %" PRId64 " of %" PRId64 " found, nodes %016" PRIx64 ", costs %016" PRIx64 ", outcomes %016" PRIx64
           ", %" PRId64 " visited, %" PRId64 " samples\n",
           found, it->number, digest_of(nodes, 8 * it->number), digest_of(costs, 8 * it->number),
           digest_of(outcomes, 8 * it->number), scratch->counts.visited, scratch->counts.samples);
}

/* Root: a gb_trip. */
static void replay_trip(const image *it) {
    gb_trip *trip = (gb_trip *)it->root[0];
    int32_t outcome = gb_trip_solve(trip);
    const gb_trip_counts *counts = &trip->counts;
    uint64_t digest = 0xCBF29CE484222325u;
    for (int64_t number = 0; number < counts->nodes; number++) {
        const gb_trip_node *node = trip->nodes + number;
        double pose[4] = {node->x, node->y, node->heading, node->left};
        int64_t rest[4] = {node->cost, node->by, node->parent, node->behavior};
        digest = mixed(mixed(digest, pose, sizeof pose), rest, sizeof rest);
    }
    int64_t goal = outcome == GB_TRIP_FOUND ? counts->goal_node : -1, cost = goal < 0 ? -1 : trip->nodes[goal].cost;
    printf("trip: outcome %" PRId32 ", %" PRId64 " expansions, %" PRId64 " nodes, %" PRId64 " tests, cost %" PRId64
           ", digest %016" PRIx64 "\n",
           outcome, counts->expansions, counts->nodes, counts->tests, cost, digest);
}

int main(int count, char **paths) {
    for (int number = 1; number < count; number++) {
        image it;
        if (!open_image(paths[number], &it)) {
            fprintf(stderr, "%s is no image\n", paths[number]);
            return 2;
        }
        if (it.what == SEARCH) replay_search(&it);
        if (it.what == LOOK_UPS) replay_look_ups(&it);
        if (it.what == TRIP) replay_trip(&it);
        free(it.bytes);
    }
    return 0;
}
