/* Distances for the judge: of points and axes to prisms, and of axes to each other. */
#ifndef GB_JUDGE_DISTANCE_H
#define GB_JUDGE_DISTANCE_H

#include "judge_numbers.h"

/* The height of the ground below a point. */
static inline double height_below(const gb_check_ground *ground, double x, double y) {
    if (ground->is_flat) return 0.0;
    double u = within((x - ground->x0) / ground->cell_m, 0.0, (double)ground->columns - 1.0);
    double v = within((y - ground->y0) / ground->cell_m, 0.0, (double)ground->rows - 1.0);
    int64_t column = whole_within((int64_t)u, 0, ground->columns - 2);
    int64_t row = whole_within((int64_t)v, 0, ground->rows - 2);
    const double *near = ground->heights + row * ground->columns + column, *far = near + ground->columns;
    u -= (double)column;
    v -= (double)row;
    return (near[0] * (1.0 - u) + near[1] * u) * (1.0 - v) + (far[0] * (1.0 - u) + far[1] * u) * v;
}

/* The signed distance in the ground plane from a point to a piece; negative inside. */
static inline double planar_distance(const gb_check_things *things, int64_t piece, double x, double y) {
    int64_t first = things->piece_corner[piece], last = things->piece_corner[piece + 1];
    double nearest = INFINITY;
    int is_inside = last - first > 2;
    for (int64_t corner = first; corner < last; corner++) {
        int64_t following = corner + 1 < last ? corner + 1 : first;
        double px = x - things->corner_x[corner], py = y - things->corner_y[corner];
        double edge_x = things->corner_x[following] - things->corner_x[corner];
        double edge_y = things->corner_y[following] - things->corner_y[corner];
        double length_squared = edge_x * edge_x + edge_y * edge_y;
        if (px * edge_y - py * edge_x > 0.0) is_inside = 0;
        if (length_squared > 0.0) {
            double share = within((px * edge_x + py * edge_y) / length_squared, 0.0, 1.0);
            px -= share * edge_x;
            py -= share * edge_y;
        }
        nearest = lesser(nearest, px * px + py * py);
    }
    double away = sqrt(nearest);
    return (is_inside ? -away : away) - things->rounding[piece];
}

/* The signed distance from a point, with its height above the ground, to a prism; negative inside.
 * The signed distance to a convex solid is a convex function: along a straight line it has one minimum. */
static inline double solid_distance(const gb_check_things *things, int64_t piece, const double *heights, point from) {
    double planar = planar_distance(things, piece, from.x, from.y);
    double upright = greater(heights[0] - from.z, from.z - heights[1]);
    if (planar <= 0.0) return greater(planar, upright);
    if (upright <= 0.0) return planar;
    return sqrt(planar * planar + upright * upright);
}

/* Returns the least signed distance from a segment to a prism, and where on the segment (0 to 1) it is. */
double gb_judge_axis_distance(const gb_check_things *things, int64_t piece, const double *heights, const axis *of,
                              double *where);

/* Returns the distance between two segments, and where on each (0 to 1) it is. */
double gb_judge_segment_distance(const axis *one, const axis *two, double *on_one, double *on_two);

#endif
