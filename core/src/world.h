/* Look up what stands: the parts of it that other loops have inside them. */
#ifndef GB_WORLD_H
#define GB_WORLD_H

#include "shapes.h"

#define GB_ROOM_STEP 0.0125 /* metres: of `gb_room.steps` */
#define GB_ROOM_UNKNOWN 0
#define GB_ROOM_MOST 255

/* Whether a disc and a piece overlap: touching is not overlapping. */
static inline int gb_disc_meets_piece(const gb_pieces *pieces, int64_t piece, double x, double y, double radius) {
    const double *xs = pieces->corner_x, *ys = pieces->corner_y;
    int64_t first = pieces->first_corner[piece], last = pieces->first_corner[piece + 1];
    double reach = radius + pieces->radius[piece], reach_squared = reach * reach;
    int left_of_some = 0, right_of_some = 0;
    double ax = xs[last - 1], ay = ys[last - 1];
    for (int64_t corner = first; corner < last; corner++) {
        double bx = xs[corner], by = ys[corner];
        double along_x = bx - ax, along_y = by - ay, away_x = x - ax, away_y = y - ay;
        double side = along_x * away_y - along_y * away_x;
        if (side > 0.0) {
            left_of_some = 1;
        } else {
            double length_squared = along_x * along_x + along_y * along_y;
            double along = along_x * away_x + along_y * away_y;
            right_of_some = right_of_some || side < 0.0;
            /* The piece lies wholly to the left of this edge's line, and the disc to the right. */
            if (side * side > reach_squared * length_squared) return 0;
            if (along <= 0.0) {
                if (away_x * away_x + away_y * away_y < reach_squared) return 1;
            } else if (along >= length_squared) {
                if ((x - bx) * (x - bx) + (y - by) * (y - by) < reach_squared) return 1;
            } else if (side * side < reach_squared * length_squared) {
                return 1;
            }
        }
        ax = bx;
        ay = by;
    }
    return left_of_some && !right_of_some;
}

/* Whether a disc is inside the bounds; with a place that is no number it is not. */
static inline int gb_disc_is_inside(const double *bounds, double x, double y, double radius) {
    return x - bounds[0] >= radius && bounds[2] - x >= radius && y - bounds[1] >= radius && bounds[3] - y >= radius;
}

/* A lower bound of the distance from a point to what stands; negative where nothing is known. */
static inline double gb_clearance(const gb_world *world, double x, double y) {
    const gb_room *room = &world->room;
    double u = (x - room->x0) * room->cells_a_metre, v = (y - room->y0) * room->cells_a_metre;
    if (!(u >= 0.0 && v >= 0.0 && u < (double)room->columns && v < (double)room->rows))
        return gb_min(gb_room_inside(world->bounds, x, y), 0.0);
    int64_t column = (int64_t)u, row = (int64_t)v;
    double aside = u - (double)column - 0.5, along = v - (double)row - 0.5;
    double least = GB_ROOM_STEP * ((double)room->steps[row * room->columns + column] - 1.0);
    return least - room->cell_m * sqrt(aside * aside + along * along);
}

/* The bin at a point, or the nearest one. */
static inline int64_t gb_bin_of(const gb_world *world, double x, double y) {
    const gb_bins *bins = &world->bins;
    int64_t column = gb_least(gb_most((int64_t)((x - world->room.x0) / bins->bin_m), 0), bins->columns - 1);
    int64_t row = gb_least(gb_most((int64_t)((y - world->room.y0) / bins->bin_m), 0), bins->rows - 1);
    return row * bins->columns + column;
}

/* A piece that an upright cylinder inside the bounds meets, or GB_NOTHING (world.c). */
int64_t gb_blocking_piece(const gb_world *world, double x, double y, double radius, double low, double high,
                          int64_t ignored);

static inline int gb_disc_is_free(const gb_world *world, double x, double y, double radius, double low, double high,
                                  int64_t ignored) {
    if (gb_clearance(world, x, y) >= radius) return 1;
    if (!gb_disc_is_inside(world->bounds, x, y, radius)) return 0;
    return gb_blocking_piece(world, x, y, radius, low, high, ignored) == GB_NOTHING;
}

#endif
