/* Grow, from the cheapest on, what gets somewhere in worlds in which nothing that has grown does. */
#include "tree_spreading.h"

#define NONE (-1)

static int64_t ones(uint64_t word) {
    word = word - ((word >> 1) & 0x5555555555555555u);
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (int64_t)((word * 0x0101010101010101u) >> 56);
}

/* Lets a node's children wait by their costs; returns how many wait or have waited. */
static int64_t put_children(const gb_branching *branching, gb_surviving *surviving, const gb_growth *growth, int64_t node,
                            int64_t held) {
    int64_t row = gb_row_of(branching, growth->clip, node), first = branching->first_inner[row];
    for (int64_t slot = 0; slot < branching->first_inner[row + 1] - first; slot++) {
        int64_t cost = growth->cost[node] + branching->cost[row * branching->behaviors + branching->inner[first + slot]];
        int64_t step = cost / surviving->step;
        if (step >= surviving->steps) continue;
        surviving->after[held] = surviving->first[step];
        surviving->parent[held] = (int32_t)node;
        surviving->slot[held] = (int32_t)slot;
        surviving->first[step] = (int32_t)held++;
    }
    return held;
}

/* Fills the bits of a child: worlds in which its parent is reached and no cell on its way is shut.  Returns whether it stays
 * in the region. */
static int survive(const gb_spreading *spreading, gb_surviving *surviving, const gb_growth *growth, int64_t node,
                   int64_t clip) {
    const gb_traces *traces = spreading->traces;
    const gb_trace_start start = gb_trace_from(growth->pose + 3 * node);
    int64_t words = surviving->words, before = GB_OUTSIDE;
    for (int64_t word = 0; word < words; word++) surviving->bits[word] = surviving->reached[node * words + word];
    for (int64_t point = traces->first[clip]; point < traces->last[clip]; point++) {
        int64_t cell = gb_cell_of_point(traces, &spreading->plot, &start, point);
        if (cell == before && cell != GB_OUTSIDE) continue;
        if (cell == GB_OUTSIDE || !spreading->plot.inside[cell]) return 0;
        for (int64_t word = 0; word < words; word++) surviving->bits[word] &= ~surviving->shut[cell * words + word];
        before = cell;
    }
    return 1;
}

/* The state in which a child would be.  Rounding may put a pose on the region's very edge beyond it. */
static int64_t state_of(const gb_branching *branching, const gb_plot *plot, const gb_surviving *surviving,
                        const gb_growth *growth, int64_t node, int64_t clip, int64_t behavior) {
    gb_grown_pose pose = gb_child_pose(growth->pose + 3 * node, branching->actions->displacement + 3 * clip);
    int64_t column = gb_most((int64_t)gb_floor((pose.x - plot->x0) / surviving->cell_m), 0);
    int64_t row = gb_most((int64_t)gb_floor((pose.y - plot->y0) / surviving->cell_m), 0), headings = surviving->headings;
    int64_t facing = (int64_t)gb_floor((pose.heading / GB_TURN + 0.5) * (double)headings) % headings;
    if (facing < 0) facing += headings;
    return ((row * surviving->columns + column) * headings + facing) * surviving->groups + surviving->group[behavior];
}

int32_t gb_growth_survive(const gb_branching *branching, gb_spreading *spreading, gb_surviving *surviving, gb_growth *growth,
                          int64_t least) {
    int64_t words = surviving->words;
    for (int64_t word = 0; word < words; word++) surviving->reached[word] = ~(uint64_t)0;
    gb_add_endings(branching, spreading, growth, 0);
    int64_t held = put_children(branching, surviving, growth, 0, 0);
    for (int64_t step = 0; step < surviving->steps; step++)
        while (surviving->first[step] != NONE) {
            int64_t entry = surviving->first[step], node = surviving->parent[entry];
            surviving->first[step] = surviving->after[entry];
            int64_t row = gb_row_of(branching, growth->clip, node);
            int64_t behavior = branching->inner[branching->first_inner[row] + surviving->slot[entry]];
            int64_t played = gb_clip_of_child(branching, node, behavior), gain = 0;
            if (!survive(spreading, surviving, growth, node, played)) continue;
            uint64_t *covered = surviving->covered + words * state_of(branching, &spreading->plot, surviving, growth, node,
                                                                      played, behavior);
            for (int64_t word = 0; word < words; word++) gain += ones(surviving->bits[word] & ~covered[word]);
            if (gain < least) continue;
            if (growth->count >= growth->room) return 0;
            int64_t child = gb_add_node(branching, growth, node, played);
            for (int64_t word = 0; word < words; word++) {
                covered[word] |= surviving->bits[word];
                surviving->reached[child * words + word] = surviving->bits[word];
            }
            gb_add_endings(branching, spreading, growth, child);
            held = put_children(branching, surviving, growth, child, held);
        }
    return 1;
}
