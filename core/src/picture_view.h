/* From the world to samples and back. */
#ifndef GB_PICTURE_VIEW_H
#define GB_PICTURE_VIEW_H

#include "numbers.h"

/* A place or a direction; of a place on the screen, z is its nearness. */
typedef struct gb_triple {
    double x, y, z;
} gb_triple;

static inline gb_triple gb_triple_of(const double *numbers) {
    const gb_triple made = {numbers[0], numbers[1], numbers[2]};
    return made;
}

static inline double gb_dot(const double *axis, double x, double y, double z) {
    return axis[0] * x + axis[1] * y + axis[2] * z;
}

/* exp(-x) for x of 0 or more, to a thousandth of it where it is above a hundredth. */
static inline double gb_fading(double x) {
    double part = x / 16.0, grown = 1.0 + part * (1.0 + part * (0.5 + part / 6.0));
    for (int turn = 0; turn < 4; turn++) grown *= grown;
    return 1.0 / grown;
}

/* A world point in the view's frame: right, down, depth. */
static inline gb_triple gb_to_view(const gb_view *view, double x, double y, double z) {
    x -= view->eye[0];
    y -= view->eye[1];
    z -= view->eye[2];
    const gb_triple made = {gb_dot(view->right, x, y, z), gb_dot(view->down, x, y, z), gb_dot(view->forward, x, y, z)};
    return made;
}

/* Samples to the right and down, and nearness, of a point in the view's frame. */
static inline gb_triple gb_to_screen(const gb_view *view, gb_triple at) {
    gb_triple made = {view->center_x + view->focal * at.x, view->center_y + view->focal * at.y, -at.z};
    if (view->is_perspective) {
        double scale = view->focal / at.z;
        made.x = view->center_x + scale * at.x;
        made.y = view->center_y + scale * at.y;
        made.z = 1.0 / at.z;
    }
    return made;
}

/* A ray through a sample position; its direction is as long as one metre of depth. */
typedef struct gb_ray {
    gb_triple from, along;
} gb_ray;

static inline gb_ray gb_ray_through(const gb_view *view, double sample_x, double sample_y) {
    double across = (sample_x - view->center_x) * view->per_focal, under = (sample_y - view->center_y) * view->per_focal;
    const double *right = view->right, *down = view->down;
    const gb_triple aside = {across * right[0] + under * down[0], across * right[1] + under * down[1],
                             across * right[2] + under * down[2]};
    gb_ray ray = {gb_triple_of(view->eye), gb_triple_of(view->forward)};
    gb_triple *moved = view->is_perspective ? &ray.along : &ray.from;
    moved->x += aside.x;
    moved->y += aside.y;
    moved->z += aside.z;
    return ray;
}

static inline gb_triple gb_ray_at(const gb_ray *ray, double depth) {
    const gb_triple at = {ray->from.x + depth * ray->along.x, ray->from.y + depth * ray->along.y,
                          ray->from.z + depth * ray->along.z};
    return at;
}

/* The depth in metres of a nearness. */
static inline double gb_depth_of(const gb_view *view, double nearness) {
    return view->is_perspective ? 1.0 / nearness : -nearness;
}

#endif
