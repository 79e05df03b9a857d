/* Grow the diverse tree: sample, nearest node, the child that spreads paths most evenly [L09 algorithm 2]. */
#include "tree_spreading.h"

#define WHOLE 4294967296.0 /* 2^32 */
#define NONE (-1)

/* 32 random bits: a hash of the seed and of what they are for. */
static uint32_t random_word(int64_t seed, int64_t number, uint32_t which) {
    uint32_t word = gb_scramble((uint32_t)seed);
    word = gb_scramble(word ^ (uint32_t)((uint64_t)seed >> 32));
    word = gb_scramble(word ^ (uint32_t)number);
    word = gb_scramble(word ^ (uint32_t)((uint64_t)number >> 32));
    return gb_scramble(word ^ which);
}

/* A random place in the region: in a random cell of it. */
static void sample_place(const gb_spreading *spreading, int64_t seed, double *x, double *y) {
    const gb_plot *plot = &spreading->plot;
    int64_t number = spreading->samples;
    int64_t cell = spreading->cells[((int64_t)random_word(seed, number, 1) * spreading->cell_count) >> 32];
    *x = plot->x0 + ((double)(cell % plot->columns) + random_word(seed, number, 2) / WHOLE) * plot->cell_m;
    *y = plot->y0 + ((double)(cell / plot->columns) + random_word(seed, number, 3) / WHOLE) * plot->cell_m;
}

static int64_t bucket_along(double value, double start, double size, int64_t count) {
    return gb_least(gb_most((int64_t)gb_floor((value - start) / size), 0), count - 1);
}

static int64_t bucket_row(const gb_spreading *spreading, double y) {
    return bucket_along(y, spreading->plot.y0, spreading->bucket_m, spreading->bucket_rows);
}

static int64_t bucket_column(const gb_spreading *spreading, double x) {
    return bucket_along(x, spreading->plot.x0, spreading->bucket_m, spreading->bucket_columns);
}

static int32_t *bucket_of(const gb_spreading *spreading, const float *pose) {
    return spreading->bucket + bucket_row(spreading, pose[1]) * spreading->bucket_columns +
           bucket_column(spreading, pose[0]);
}

static void put_node(gb_spreading *spreading, const gb_growth *growth, int64_t node) {
    int32_t *bucket = bucket_of(spreading, growth->pose + 3 * node), following = *bucket;
    spreading->after[node] = following;
    spreading->before[node] = NONE;
    if (following != NONE) spreading->before[following] = (int32_t)node;
    *bucket = (int32_t)node;
    spreading->held++;
}

static void take_node(gb_spreading *spreading, const gb_growth *growth, int64_t node) {
    int32_t following = spreading->after[node], preceding = spreading->before[node];
    if (following != NONE) spreading->before[following] = preceding;
    if (preceding != NONE) spreading->after[preceding] = following;
    else *bucket_of(spreading, growth->pose + 3 * node) = following;
    spreading->held--;
}

/* The node with the least load within reach of a place, of equal ones the first to have grown, or NONE. */
static int64_t least_loaded(const gb_spreading *spreading, const gb_growth *growth, double x, double y, double reach) {
    int64_t best = NONE, right = bucket_column(spreading, x + reach), top = bucket_row(spreading, y + reach);
    for (int64_t row = bucket_row(spreading, y - reach); row <= top; row++)
        for (int64_t column = bucket_column(spreading, x - reach); column <= right; column++) {
            int32_t node = spreading->bucket[row * spreading->bucket_columns + column];
            for (; node != NONE; node = spreading->after[node]) {
                double aside = growth->pose[3 * node] - x, along = growth->pose[3 * node + 1] - y;
                if (aside * aside + along * along > reach * reach) continue;
                int64_t more = best == NONE ? -1 : spreading->load[node] - spreading->load[best];
                if (more < 0 || (more == 0 && node < best)) best = node;
            }
        }
    return best;
}

/* The node nearest to a place, of equally near ones the first to have grown: bucket by bucket, in rings. */
static int64_t nearest_node(const gb_spreading *spreading, const gb_growth *growth, double x, double y) {
    int64_t rows = spreading->bucket_rows, columns = spreading->bucket_columns, best = NONE;
    int64_t row = bucket_row(spreading, y), column = bucket_column(spreading, x);
    double least = INFINITY;
    for (int64_t ring = 0; ring < gb_most(rows, columns); ring++) {
        double closest = (double)(ring - 1) * spreading->bucket_m; /* nothing in this ring is nearer */
        if (closest > 0.0 && closest * closest > least) break;
        for (int64_t r = gb_most(row - ring, 0); r <= gb_least(row + ring, rows - 1); r++) {
            int64_t step = r == row - ring || r == row + ring ? 1 : 2 * ring;
            for (int64_t c = column - ring; c <= column + ring; c += gb_most(step, 1)) {
                if (c < 0 || c >= columns) continue;
                for (int32_t node = spreading->bucket[r * columns + c]; node != NONE; node = spreading->after[node]) {
                    double aside = growth->pose[3 * node] - x, along = growth->pose[3 * node + 1] - y;
                    double distance = aside * aside + along * along;
                    if (distance < least || (distance == least && node < best)) {
                        best = node;
                        least = distance;
                    }
                }
            }
        }
    }
    return best;
}

void gb_add_endings(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth, int64_t node) {
    const gb_trace_start start = gb_trace_from(growth->pose + 3 * node);
    int64_t row = gb_row_of(branching, growth->clip, node);
    for (int64_t entry = branching->first_ending[row]; entry < branching->first_ending[row + 1]; entry++) {
        if (growth->count >= growth->room) break;
        int64_t played = gb_clip_of_child(branching, node, branching->ending[entry]), passed = 0;
        if (gb_trace_clip(spreading->traces, &spreading->plot, played, &start, &passed) == GB_OUTSIDE) continue;
        int64_t ending = gb_add_node(branching, growth, node, played);
        spreading->load[ending] = growth->cost[ending];
    }
}

/* Adds a node that others may follow, and counts the cells that its clip passes. */
static int64_t add_spread(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth, int64_t before,
                          int64_t played, int64_t length) {
    const gb_trace_start start = gb_trace_from(growth->pose + 3 * before);
    int64_t node = gb_add_node(branching, growth, before, played);
    spreading->load[node] = growth->cost[node];
    spreading->load[before] += growth->cost[before];
    gb_add_trace(spreading->traces, &spreading->plot, played, &start);
    spreading->counted += length;
    put_node(spreading, growth, node);
    return node;
}

void gb_growth_begin_spreading(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth,
                               int32_t with_endings) {
    put_node(spreading, growth, 0);
    if (with_endings) gb_add_endings(branching, spreading, growth, 0);
}

void gb_growth_adopt(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth, const int32_t *parent,
                     const int32_t *clip, int64_t count) {
    for (int64_t number = 1; number < count; number++) {
        int64_t before = parent[number], played = clip[number], passed = 0;
        int64_t behavior = branching->actions->clip_behavior[played], row = gb_row_of(branching, growth->clip, before);
        if (branching->is_ending[behavior]) {
            int64_t ending = gb_add_node(branching, growth, before, played);
            spreading->load[ending] = growth->cost[ending];
            continue;
        }
        const int32_t *inner = branching->inner + branching->first_inner[row];
        for (int64_t slot = 0; slot < branching->first_inner[row + 1] - branching->first_inner[row]; slot++)
            if (inner[slot] == behavior) spreading->taken[before * spreading->widest + slot] = 1;
        const gb_trace_start start = gb_trace_from(growth->pose + 3 * before);
        int64_t length = gb_trace_clip(spreading->traces, &spreading->plot, played, &start, &passed);
        add_spread(branching, spreading, growth, before, played, length);
    }
}

/* Adds the child of a node that spreads paths most evenly; takes the node out when no child is left. */
static void expand(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth, int64_t node) {
    int64_t row = gb_row_of(branching, growth->clip, node), best = NONE, best_length = 1, best_rise = 0, left = 0;
    const int32_t *inner = branching->inner + branching->first_inner[row];
    uint8_t *taken = spreading->taken + node * spreading->widest;
    const gb_trace_start start = gb_trace_from(growth->pose + 3 * node);
    for (int64_t slot = 0; slot < branching->first_inner[row + 1] - branching->first_inner[row]; slot++) {
        if (taken[slot]) continue;
        int64_t played = gb_clip_of_child(branching, node, inner[slot]), passed = 0;
        int64_t length = gb_trace_clip(spreading->traces, &spreading->plot, played, &start, &passed);
        if (length == GB_OUTSIDE) {
            taken[slot] = 1;
            continue;
        }
        left++;
        /* The rise of the measure times the number of cells, a whole number. */
        int64_t rise = spreading->cell_count * (2 * passed + length) - length * (2 * spreading->counted + length);
        if (best == NONE || rise * best_length < best_rise * length) {
            best = slot;
            best_length = length;
            best_rise = rise;
        }
    }
    if (best != NONE) {
        taken[best] = 1;
        left--;
        int64_t played = gb_clip_of_child(branching, node, inner[best]);
        int64_t child = add_spread(branching, spreading, growth, node, played, best_length);
        gb_add_endings(branching, spreading, growth, child);
    }
    if (left == 0) take_node(spreading, growth, node);
}

void gb_growth_spread(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth, double near) {
    while (growth->count < growth->room && spreading->held > 0) {
        double x, y;
        sample_place(spreading, branching->seed, &x, &y);
        spreading->samples++;
        int64_t node = near > 0.0 ? least_loaded(spreading, growth, x, y, near) : NONE;
        expand(branching, spreading, growth, node != NONE ? node : nearest_node(spreading, growth, x, y));
    }
}
