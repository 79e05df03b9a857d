/* Triangles of a mesh in plan view. */
#ifndef GB_MESH_H
#define GB_MESH_H

#include "numbers.h"

/* A rectangle in plan. */
typedef struct gb_rectangle {
    double left, right, near, far;
} gb_rectangle;

static inline const double *gb_vertex(const gb_mesh *mesh, int64_t triangle, int64_t side) {
    return mesh->vertices + 3 * mesh->triangles[3 * triangle + side];
}

/* The side of the edge from a to b on which a point lies: above 0 left, exactly the opposite from b to a. */
static inline double gb_edge_side(const gb_mesh *mesh, int64_t a, int64_t b, double x, double y) {
    double sign = a > b ? -1.0 : 1.0;
    const double *from = mesh->vertices + 3 * gb_least(a, b), *to = mesh->vertices + 3 * gb_most(a, b);
    return sign * ((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]));
}

/* Whether a point on this side of an edge is inside; a point on the edge belongs to one of its two sides. */
static inline int gb_on_or_left(const double *a, const double *b, double side, double facing) {
    side = side * facing;
    if (side != 0.0) return side > 0.0;
    double dx = (b[0] - a[0]) * facing, dy = (b[1] - a[1]) * facing;
    return dy > 0.0 || (dy == 0.0 && dx > 0.0);
}

/* Where a triangle covers a point in plan, writes its height there and returns its facing, 1 up or -1 down; else 0.
 * A point on an edge that two triangles share belongs to the one whose edge runs up (or right, if level), so that each
 * sheet covers it once. */
static inline int gb_surface_at(const gb_mesh *mesh, int64_t triangle, double x, double y, double *height) {
    const int64_t *corners = mesh->triangles + 3 * triangle;
    const double *a = gb_vertex(mesh, triangle, 0), *b = gb_vertex(mesh, triangle, 1), *c = gb_vertex(mesh, triangle, 2);
    double ab = gb_edge_side(mesh, corners[0], corners[1], x, y);
    double bc = gb_edge_side(mesh, corners[1], corners[2], x, y);
    double ca = gb_edge_side(mesh, corners[2], corners[0], x, y);
    double area = ab + bc + ca;
    if (area == 0.0) return 0;
    double facing = area < 0.0 ? -1.0 : 1.0;
    if (!(gb_on_or_left(a, b, ab, facing) && gb_on_or_left(b, c, bc, facing) && gb_on_or_left(c, a, ca, facing)))
        return 0;
    *height = (bc * a[2] + ca * b[2] + ab * c[2]) / area;
    return area < 0.0 ? -1 : 1;
}

/* The least and greatest coordinate of a triangle along an axis. */
static inline double gb_triangle_least(const gb_mesh *mesh, int64_t triangle, int axis) {
    double first = gb_min(gb_vertex(mesh, triangle, 0)[axis], gb_vertex(mesh, triangle, 1)[axis]);
    return gb_min(first, gb_vertex(mesh, triangle, 2)[axis]);
}

static inline double gb_triangle_most(const gb_mesh *mesh, int64_t triangle, int axis) {
    double first = gb_max(gb_vertex(mesh, triangle, 0)[axis], gb_vertex(mesh, triangle, 1)[axis]);
    return gb_max(first, gb_vertex(mesh, triangle, 2)[axis]);
}

/* A number within limits, as a whole one; no number counts as the lower limit. */
static inline int64_t gb_whole_within(double value, int64_t low, int64_t high) {
    return (int64_t)gb_min(gb_max((double)low, value), (double)high);
}

/* Turns numbers by cell, each one place late (cells + 1), into the first entry of each cell; returns how many there are. */
static inline int64_t gb_sum_counts(int64_t *first, int64_t cells) {
    for (int64_t cell = 0; cell < cells; cell++) first[cell + 1] += first[cell];
    return first[cells];
}

/* Makes the first entry of each cell again of the first past each cell. */
static inline void gb_step_back(int64_t *first, int64_t cells) {
    for (int64_t cell = cells; cell > 0; cell--) first[cell] = first[cell - 1];
    first[0] = 0;
}

#endif
