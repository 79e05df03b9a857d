/* Ask a world about points and upright cylinders.  A free answer is never wrong: touching is not meeting. */
#include "world.h"

double gb_world_clearance(gb_world *world, double x, double y) {
    gb_world_prepare(world, x, y, x, y);
    return gb_clearance(world, x, y);
}

int32_t gb_world_disc_is_free(const gb_world *world, double x, double y, double radius, double low, double high,
                              int64_t ignored) {
    return gb_disc_is_free(world, x, y, radius, low, high, ignored);
}

int64_t gb_world_blocking_obstacle(const gb_world *world, double x, double y, double radius, double low, double high,
                                   int64_t ignored) {
    if (!gb_disc_is_inside(world->bounds, x, y, radius)) return GB_BOUNDS;
    int64_t piece = gb_blocking_piece(world, x, y, radius, low, high, ignored);
    return piece == GB_NOTHING ? GB_NOTHING : world->pieces.obstacle[piece];
}

/* The same as below, of a bin that is not laid out yet. */
static int64_t blocking_piece_of_square(const gb_world *world, int64_t bin, double x, double y, double radius, double low,
                                        double high, int64_t ignored) {
    int64_t row = bin / world->bins.columns / GB_SQUARE_BINS, column = bin % world->bins.columns / GB_SQUARE_BINS;
    const gb_squares *squares = &world->squares;
    const gb_pieces *pieces = &world->pieces;
    const int32_t *first = squares->first_entry + row * squares->columns + column;
    for (int64_t entry = first[0]; entry < first[1]; entry++) {
        int64_t piece = squares->piece[entry];
        if (pieces->bottom[piece] < high && low < pieces->top[piece] && pieces->obstacle[piece] != ignored &&
            gb_disc_meets_piece(pieces, piece, x, y, radius))
            return piece;
    }
    return GB_NOTHING;
}

/* A piece within reach of a bin that an upright cylinder meets, or GB_NOTHING. */
static int64_t blocking_piece_of_bin(const gb_world *world, int64_t bin, double x, double y, double radius, double low,
                                     double high, int64_t ignored) {
    int64_t first = world->bins.first_entry[bin];
    if (first == 0) return blocking_piece_of_square(world, bin, x, y, radius, low, high, ignored);
    double far = radius <= world->bins.reach_m ? radius : INFINITY; /* pieces from there on are too far away */
    for (const gb_bin_entry *entry = world->bins.entries + first; entry->gap < far; entry++)
        if (entry->bottom < high && low < entry->top && entry->obstacle != ignored &&
            gb_disc_meets_piece(&world->pieces, entry->piece, x, y, radius))
            return entry->piece;
    return GB_NOTHING;
}

int64_t gb_blocking_piece(const gb_world *world, double x, double y, double radius, double low, double high,
                          int64_t ignored) {
    double reach = world->bins.reach_m;
    if (radius <= reach) return blocking_piece_of_bin(world, gb_bin_of(world, x, y), x, y, radius, low, high, ignored);
    /* Points at most a reach apart: each point of the disc is within reach of one of them.  This holds for those moved to
     * the grid's edge too, because the disc is inside. */
    int64_t steps = (int64_t)gb_ceil(2.0 * radius / reach);
    double stride = 2.0 * radius / (double)steps;
    for (int64_t row = 0; row <= steps; row++)
        for (int64_t column = 0; column <= steps; column++) {
            int64_t bin = gb_bin_of(world, x - radius + (double)column * stride, y - radius + (double)row * stride);
            int64_t piece = blocking_piece_of_bin(world, bin, x, y, radius, low, high, ignored);
            if (piece != GB_NOTHING) return piece;
        }
    return GB_NOTHING;
}

double gb_world_distance_to_obstacle(const gb_world *world, int64_t obstacle, double x, double y) {
    const gb_pieces *pieces = &world->pieces;
    double nearest = INFINITY;
    for (int64_t piece = pieces->first_piece[obstacle]; piece < pieces->first_piece[obstacle + 1]; piece++)
        nearest = gb_min(nearest, gb_piece_distance(pieces, piece, x, y));
    return nearest;
}

int32_t gb_world_near_special(const gb_world *world, int64_t obstacle, double x, double y) {
    int64_t special = world->specials.of_obstacle[obstacle];
    return special >= 0 && gb_world_distance_to_obstacle(world, obstacle, x, y) <= world->specials.near_m[special];
}

int32_t gb_world_within_special(const gb_world *world, int64_t obstacle, double x, double y) {
    int64_t special = world->specials.of_obstacle[obstacle];
    return special >= 0 && gb_world_distance_to_obstacle(world, obstacle, x, y) <= world->specials.within_m[special];
}

int64_t gb_world_first_special_near(const gb_world *world, int64_t kind, double x, double y, int64_t after) {
    const gb_specials *specials = &world->specials;
    if (!gb_disc_is_inside(world->bounds, x, y, 0.0)) return GB_NOTHING;
    int64_t bin = gb_bin_of(world, x, y);
    for (int64_t entry = specials->first_entry[bin]; entry < specials->first_entry[bin + 1]; entry++) {
        int64_t special = specials->entry[entry], obstacle = specials->obstacle[special];
        if (obstacle > after && specials->kind[special] == kind && gb_world_near_special(world, obstacle, x, y))
            return obstacle;
    }
    return GB_NOTHING;
}
