/* An endless floor with a grid, lit and shaded, that fades into the background. */
#ifndef GB_PICTURE_FLOOR_H
#define GB_PICTURE_FLOOR_H

#include "picture_view.h"

/* The share of light at a ground position; 1 beyond what is known. */
static inline double gb_floor_light_at(const gb_floor_light *floor, double x, double y) {
    double u = (x - floor->x) * floor->texels_per_m, v = (y - floor->y) * floor->texels_per_m;
    if (u < 0.0 || v < 0.0 || u >= (double)(floor->columns - 1) || v >= (double)(floor->rows - 1)) return 1.0;
    int64_t column = (int64_t)u, row = (int64_t)v;
    const double *upper = floor->share + row * floor->columns + column, *lower = upper + floor->columns;
    u -= (double)column;
    double above = upper[0] + u * (upper[1] - upper[0]);
    return above + (v - (double)row) * (lower[0] + u * (lower[1] - lower[0]) - above);
}

/* The share of a pixel, of width `pixel`, that a line of width `line` around a whole number covers. */
static inline double gb_line_cover(double position, double line, double pixel) {
    double reach = 0.5 * (line + pixel) - gb_abs(position - gb_floor(position + 0.5));
    return reach > 0.0 ? gb_min(gb_min(reach, line), pixel) / pixel : 0.0;
}

static inline double gb_mixed(double one, double two, double share) { return one + share * (two - one); }

/* The color of floor or background along the ray through the middle of a pixel.  pixel: its side, in units of the view's focal
 * length; down: 0 to 1, from the picture's top to its bottom. */
static inline gb_triple gb_floor_color(const gb_view *view, const gb_backdrop *drop, const gb_floor_light *floor,
                                       double pixel, double down, const gb_ray *ray) {
    const double *top = drop->top_color, *bottom = drop->bottom_color;
    gb_triple color = {gb_mixed(top[0], bottom[0], down), gb_mixed(top[1], bottom[1], down),
                       gb_mixed(top[2], bottom[2], down)};
    const gb_triple *from = &ray->from, *along = &ray->along;
    double height = drop->ground[0], slope_x = drop->ground[1], slope_y = drop->ground[2];
    double falling = slope_x * along->x + slope_y * along->y - along->z;
    double above = from->z - height - slope_x * from->x - slope_y * from->y;
    if (falling <= 1e-9 || above <= 0.0) return color;
    double per_falling = 1.0 / falling, depth = above * per_falling;
    double x = from->x + depth * along->x, y = from->y + depth * along->y;
    double from_x = (x - drop->center_x) * drop->per_fade, from_y = (y - drop->center_y) * drop->per_fade;
    double seen = 1.0 - from_x * from_x - from_y * from_y;
    if (seen <= 0.0 || depth < view->near_m) return color;
    seen *= seen;
    /* Metres on the ground in a step of one pixel, to the side and down the picture. */
    double span = pixel * (view->is_perspective ? depth : 1.0) * drop->per_spacing;
    double rise = (slope_x * view->down[0] + slope_y * view->down[1] - view->down[2]) * per_falling;
    double step_x = span * (gb_abs(view->right[0]) + gb_abs(view->down[0] - rise * along->x)) + 1e-9;
    double step_y = span * (gb_abs(view->right[1]) + gb_abs(view->down[1] - rise * along->y)) + 1e-9;
    double line = gb_max(gb_line_cover(x * drop->per_spacing, drop->line, step_x),
                         gb_line_cover(y * drop->per_spacing, drop->line, step_y));
    double lit = gb_floor_light_at(floor, x, y);
    const double *base = drop->floor_color, *ink = drop->line_color;
    color.x += seen * (gb_mixed(base[0], ink[0], line) * lit - color.x);
    color.y += seen * (gb_mixed(base[1], ink[1], line) * lit - color.y);
    color.z += seen * (gb_mixed(base[2], ink[2], line) * lit - color.z);
    return color;
}

#endif
