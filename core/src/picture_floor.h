/* An endless floor with a grid, lit and shaded, that fades into the background. */
#ifndef GB_PICTURE_FLOOR_H
#define GB_PICTURE_FLOOR_H

#include "picture_view.h"

#define LEAST_FALL 1e-9 /* metres a metre of depth, > 0: flatter rays miss the floor */

/* The share of light at a ground position; 1 beyond what is known. */
static inline double gb_floor_light_at(const gb_floor_light *floor, double x, double y) {
    double u = (x - floor->x) * floor->texels_per_m, v = (y - floor->y) * floor->texels_per_m;
    if (u < 0.0 || v < 0.0 || u >= (double)(floor->columns - 1) || v >= (double)(floor->rows - 1)) return 1.0;
    int64_t column = (int64_t)u, row = (int64_t)v;
    const float *upper = floor->share + row * floor->columns + column, *lower = upper + floor->columns;
    u -= (double)column;
    double above = (double)upper[0] + u * (double)(upper[1] - upper[0]);
    return above + (v - (double)row) * ((double)lower[0] + u * (double)(lower[1] - lower[0]) - above);
}

/* The share of a pixel, of width `pixel`, that a line of width `line` around a whole number covers. */
static inline double gb_line_cover(double position, double line, double pixel) {
    double reach = 0.5 * (line + pixel) - gb_abs(position - gb_floor(position + 0.5));
    return reach > 0.0 ? gb_min(gb_min(reach, line), pixel) / pixel : 0.0;
}

static inline double gb_mixed(double one, double two, double share) { return one + share * (two - one); }

/* What the pixels of one row have in common: rays through them, and the background. */
typedef struct gb_floor_row {
    gb_ray first;       /* through the middle of the first pixel */
    gb_triple step;     /* from a pixel's ray to the next one's: of its direction in perspective, else of its origin */
    gb_triple color;    /* of the background */
    double falling;     /* of the first ray, metres below the ground's slope a metre of depth */
    double falling_step;
    double above;       /* of the first ray's origin, metres above the ground */
    double above_step;
    double per_falling; /* of a row all of whose floor is equally deep, as under an upright camera; 0: of another */
    double pixel;       /* a pixel's side, in units of the view's focal length */
    double rise;        /* of the view's down axis above the ground's slope */
} gb_floor_row;

static inline gb_floor_row gb_floor_row_of(const gb_picture *picture, int64_t row) {
    const gb_view *view = &picture->view;
    const gb_backdrop *drop = &picture->backdrop;
    const double *top = drop->top_color, *bottom = drop->bottom_color, *right = view->right, *down = view->down;
    double per_pixel = (double)picture->per_pixel, share = ((double)row + 0.5) / (double)picture->rows;
    double slope_x = drop->ground[1], slope_y = drop->ground[2], side = per_pixel * view->per_focal;
    gb_floor_row made;
    made.first = gb_ray_through(view, 0.5 * per_pixel, ((double)row + 0.5) * per_pixel);
    const gb_triple step = {side * right[0], side * right[1], side * right[2]};
    made.step = step;
    const gb_triple color = {gb_mixed(top[0], bottom[0], share), gb_mixed(top[1], bottom[1], share),
                             gb_mixed(top[2], bottom[2], share)};
    made.color = color;
    const gb_triple *from = &made.first.from, *along = &made.first.along;
    double lean = slope_x * step.x + slope_y * step.y - step.z;
    made.falling = slope_x * along->x + slope_y * along->y - along->z;
    made.falling_step = view->is_perspective ? lean : 0.0;
    made.above = from->z - drop->ground[0] - slope_x * from->x - slope_y * from->y;
    made.above_step = view->is_perspective ? 0.0 : -lean;
    made.per_falling = lean == 0.0 && made.falling > LEAST_FALL ? 1.0 / made.falling : 0.0;
    made.pixel = side;
    made.rise = slope_x * down[0] + slope_y * down[1] - down[2];
    return made;
}

/* Sets the color of floor or background in the middle of a pixel. */
static inline void gb_floor_color(const gb_picture *picture, const gb_floor_row *row, int64_t column, gb_triple *color) {
    const gb_view *view = &picture->view;
    const gb_backdrop *drop = &picture->backdrop;
    double number = (double)column, falling = row->falling + number * row->falling_step;
    double above = row->above + number * row->above_step;
    color->x = row->color.x;
    color->y = row->color.y;
    color->z = row->color.z;
    if (falling <= LEAST_FALL || above <= 0.0) return;
    double per_falling = row->per_falling > 0.0 ? row->per_falling : 1.0 / falling, depth = above * per_falling;
    double step = view->is_perspective ? depth : 1.0;
    double x = row->first.from.x + depth * row->first.along.x + number * step * row->step.x;
    double y = row->first.from.y + depth * row->first.along.y + number * step * row->step.y;
    double from_x = (x - drop->center_x) * drop->per_fade, from_y = (y - drop->center_y) * drop->per_fade;
    double seen = 1.0 - from_x * from_x - from_y * from_y;
    if (seen <= 0.0 || depth < view->near_m) return;
    seen *= seen;
    /* Metres on the ground in a step of one pixel, to the side and down the picture. */
    double span = row->pixel * step * drop->per_spacing, rise = row->rise * per_falling;
    double along_x = row->first.along.x, along_y = row->first.along.y;
    if (view->is_perspective) {
        along_x += number * row->step.x;
        along_y += number * row->step.y;
    }
    double step_x = span * (gb_abs(view->right[0]) + gb_abs(view->down[0] - rise * along_x)) + 1e-9;
    double step_y = span * (gb_abs(view->right[1]) + gb_abs(view->down[1] - rise * along_y)) + 1e-9;
    double line = gb_max(gb_line_cover(x * drop->per_spacing, drop->line, step_x),
                         gb_line_cover(y * drop->per_spacing, drop->line, step_y));
    double lit = gb_floor_light_at(&picture->floor, x, y);
    const double *base = drop->floor_color, *ink = drop->line_color;
    color->x += seen * (gb_mixed(base[0], ink[0], line) * lit - color->x);
    color->y += seen * (gb_mixed(base[1], ink[1], line) * lit - color->y);
    color->z += seen * (gb_mixed(base[2], ink[2], line) * lit - color->z);
}

#endif
