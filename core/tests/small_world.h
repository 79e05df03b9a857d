/* A world of a few boxes and discs, laid out by hand: how a program that has nothing but C hands one over. */
#ifndef GB_SMALL_WORLD_H
#define GB_SMALL_WORLD_H

#include "check.h"
#include "shapes.h"

enum { SMALL_PIECES = 12, SMALL_CELLS = 64, SMALL_BINS = 8 };

#define SMALL_SIDE 8.0 /* metres: the world reaches from 0 to this both ways */
#define SMALL_REACH 1.2

typedef struct small_world {
    gb_world world;
    int32_t obstacle[SMALL_PIECES], first_corner[SMALL_PIECES + 1], first_piece[SMALL_PIECES + 1];
    double radius[SMALL_PIECES], bottom[SMALL_PIECES], top[SMALL_PIECES], boxes[4 * SMALL_PIECES];
    double corner_x[4 * SMALL_PIECES], corner_y[4 * SMALL_PIECES];
    uint8_t steps[SMALL_CELLS * SMALL_CELLS], is_known[1];
    int64_t first_special[SMALL_BINS * SMALL_BINS + 1];
    int32_t first_entry[SMALL_BINS * SMALL_BINS], first_in_square[2], in_square[SMALL_PIECES], scratch[SMALL_PIECES];
    int32_t special_entry[SMALL_BINS * SMALL_BINS * SMALL_PIECES];
    gb_bin_entry entries[SMALL_BINS * SMALL_BINS * (SMALL_PIECES + 1) + 2];
    double distances[SMALL_PIECES];
    int32_t special_obstacle[SMALL_PIECES], special_kind[SMALL_PIECES], special_of[SMALL_PIECES];
    double near_m[SMALL_PIECES], within_m[SMALL_PIECES];
} small_world;

/* The distance from a point to a piece; negative inside its rounding. */
static inline double small_gap(const gb_pieces *pieces, int64_t piece, double x, double y) {
    double away = gb_convex_distance(pieces->corner_x, pieces->corner_y, pieces->first_corner[piece],
                                     pieces->first_corner[piece + 1], x, y);
    return away - pieces->radius[piece];
}

/* Adds a box, or a disc where its sides are 0: an obstacle of one piece. */
static inline void small_world_add(small_world *small, double x, double y, double wide, double deep, double radius,
                                   double bottom, double top) {
    static const double signs[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    gb_pieces *pieces = &small->world.pieces;
    int64_t piece = pieces->count++;
    int corners = wide > 0.0 ? 4 : 1;
    small->obstacle[piece] = (int32_t)piece;
    small->radius[piece] = radius;
    small->bottom[piece] = bottom;
    small->top[piece] = top;
    small->boxes[4 * piece] = x - 0.5 * wide - radius;
    small->boxes[4 * piece + 1] = y - 0.5 * deep - radius;
    small->boxes[4 * piece + 2] = x + 0.5 * wide + radius;
    small->boxes[4 * piece + 3] = y + 0.5 * deep + radius;
    for (int corner = 0; corner < corners; corner++) {
        int32_t at = small->first_corner[piece] + corner;
        small->corner_x[at] = x + signs[corner][0] * wide;
        small->corner_y[at] = y + signs[corner][1] * deep;
    }
    small->first_corner[piece + 1] = small->first_corner[piece] + corners;
    small->first_piece[piece + 1] = (int32_t)piece + 1;
    small->special_of[piece] = -1;
    pieces->obstacles = pieces->count;
}

/* Annotates the obstacle added last. */
static inline void small_world_annotate(small_world *small, int32_t kind, double near_m, double within_m) {
    int32_t obstacle = (int32_t)small->world.pieces.count - 1, special = 0;
    for (int32_t other = 0; other < obstacle; other++) special += small->special_of[other] >= 0;
    small->special_of[obstacle] = special;
    small->special_obstacle[special] = obstacle;
    small->special_kind[special] = kind;
    small->near_m[special] = near_m;
    small->within_m[special] = within_m;
}

static inline void small_world_begin(small_world *small) {
    memset(small, 0, sizeof *small);
    gb_world *world = &small->world;
    world->room.cell_m = SMALL_SIDE / (double)SMALL_CELLS;
    world->room.cells_a_metre = 1.0 / world->room.cell_m;
    world->room.rows = world->room.columns = SMALL_CELLS;
    world->room.steps = small->steps;
    world->bounds[2] = world->bounds[3] = SMALL_SIDE;
    world->pieces.obstacle = small->obstacle;
    world->pieces.radius = small->radius;
    world->pieces.bottom = small->bottom;
    world->pieces.top = small->top;
    world->pieces.boxes = small->boxes;
    world->pieces.first_corner = small->first_corner;
    world->pieces.corner_x = small->corner_x;
    world->pieces.corner_y = small->corner_y;
    world->pieces.first_piece = small->first_piece;
    world->bins.reach_m = SMALL_REACH;
    world->bins.bin_m = SMALL_SIDE / (double)SMALL_BINS;
    world->bins.rows = world->bins.columns = SMALL_BINS;
    world->bins.first_entry = small->first_entry;
    world->bins.entries = small->entries;
    world->squares.reach_m = 3.2;
    world->squares.rows = world->squares.columns = 1;
    world->squares.first_entry = small->first_in_square;
    world->squares.piece = small->in_square;
    world->squares.is_known = small->is_known;
    world->squares.scratch = small->scratch;
    world->squares.distances = small->distances;
    world->specials.obstacle = small->special_obstacle;
    world->specials.kind = small->special_kind;
    world->specials.near_m = small->near_m;
    world->specials.within_m = small->within_m;
    world->specials.of_obstacle = small->special_of;
    world->specials.first_entry = small->first_special;
    world->specials.entry = small->special_entry;
}

/* Lists what stands near each bin: call when all has been added. */
static inline void small_world_end(small_world *small) {
    gb_world *world = &small->world;
    gb_squares_list(world, small->first_in_square, small->in_square, SMALL_PIECES);
    double half = 0.5 * world->bins.bin_m;
    for (int64_t bin = 0, entry = 0; bin < SMALL_BINS * SMALL_BINS; bin++) {
        double x = 2.0 * half * (double)(bin % SMALL_BINS) + half, y = 2.0 * half * (double)(bin / SMALL_BINS) + half;
        for (int64_t piece = 0; piece < world->pieces.count; piece++) {
            /* No point of the bin is farther from its middle than half a diagonal. */
            double gap = gb_max(0.0, small_gap(&world->pieces, piece, x, y) - half * sqrt(2.0));
            int32_t special = small->special_of[piece];
            if (special >= 0 && gap <= small->near_m[special]) small->special_entry[entry++] = special;
        }
        small->first_special[bin + 1] = entry;
    }
}

/* A random world; about half of what stands can be gone under or over, a third is annotated. */
static inline void small_world_random(report *test, small_world *small) {
    small_world_begin(small);
    int64_t count = random_below(test, SMALL_PIECES + 1);
    for (int64_t number = 0; number < count; number++) {
        int is_disc = random_below(test, 3) == 0;
        double bottom = random_below(test, 2) ? 0.0 : random_between(test, 0.2, 1.5);
        double x = random_between(test, 0.0, SMALL_SIDE), y = random_between(test, 0.0, SMALL_SIDE);
        double wide = is_disc ? 0.0 : random_between(test, 0.05, 2.0);
        double deep = is_disc ? 0.0 : random_between(test, 0.05, 2.0);
        double radius = is_disc || random_below(test, 2) ? random_between(test, 0.05, 0.8) : 0.0;
        small_world_add(small, x, y, wide, deep, radius, bottom, bottom + random_between(test, 0.1, 2.0));
        if (random_below(test, 3) > 0) continue;
        double near_m = random_between(test, 0.0, 2.0), within_m = random_between(test, 0.0, 0.5);
        small_world_annotate(small, (int32_t)random_below(test, 2), near_m, within_m);
    }
    small_world_end(small);
}

#endif
