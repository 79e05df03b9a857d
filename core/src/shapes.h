/* Distances to segments and convex outlines in the ground plane. */
#ifndef GB_SHAPES_H
#define GB_SHAPES_H

#include "numbers.h"

/* The square of the distance from (x, y) to the segment from a to b, which may be a point. */
static inline double gb_segment_squared(double ax, double ay, double bx, double by, double x, double y) {
    double along_x = bx - ax, along_y = by - ay;
    double away_x = x - ax, away_y = y - ay;
    double length_squared = along_x * along_x + along_y * along_y;
    if (length_squared > 0.0) {
        double share = (away_x * along_x + away_y * along_y) / length_squared;
        share = gb_min(gb_max(share, 0.0), 1.0);
        away_x -= share * along_x;
        away_y -= share * along_y;
    }
    return away_x * away_x + away_y * away_y;
}

/* The distance from (x, y) to the convex outline with corners first to last - 1, counter-clockwise; 0 inside.
 * One corner is a point, two are a segment; corners that repeat or lie on one line do no harm. */
static inline double gb_convex_distance(const double *xs, const double *ys, int64_t first, int64_t last, double x,
                                        double y) {
    double nearest = INFINITY;
    int left_of_some = 0, right_of_some = 0;
    int64_t before = last - 1;
    for (int64_t corner = first; corner < last; corner++) {
        double ax = xs[before], ay = ys[before], bx = xs[corner], by = ys[corner];
        double side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        if (side > 0.0) left_of_some = 1; /* some other side is nearer */
        else nearest = gb_min(nearest, gb_segment_squared(ax, ay, bx, by, x, y));
        if (side < 0.0) right_of_some = 1;
        before = corner;
    }
    if (left_of_some && !right_of_some) return 0.0;
    return sqrt(nearest);
}

/* The distance from (x, y) to a piece; at most 0 inside, where it is no depth. */
static inline double gb_piece_distance(const gb_pieces *pieces, int64_t piece, double x, double y) {
    return gb_convex_distance(pieces->corner_x, pieces->corner_y, pieces->first_corner[piece],
                              pieces->first_corner[piece + 1], x, y) - pieces->radius[piece];
}

/* The distance from a point to the nearest side of the bounds; negative outside. */
static inline double gb_room_inside(const double *bounds, double x, double y) {
    return gb_min(gb_min(x - bounds[0], bounds[2] - x), gb_min(y - bounds[1], bounds[3] - y));
}

#endif
