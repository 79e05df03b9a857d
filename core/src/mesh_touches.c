/* Cut the triangles of a mesh into parts by the cells of a grid. */
#include "mesh.h"

/* Writes the shares of an edge at which it enters and leaves a rectangle in plan, and returns whether it meets it. */
static int clip_edge(const double *from, const double *to, const gb_rectangle *inside, double *enter, double *leave) {
    *enter = 0.0;
    *leave = 1.0;
    for (int axis = 0; axis < 2; axis++) {
        double start = from[axis], run = to[axis] - start;
        double low = axis == 0 ? inside->left : inside->near, high = axis == 0 ? inside->right : inside->far;
        if (run == 0.0) {
            if (start < low || start > high) return 0;
        } else {
            double t1 = (low - start) / run, t2 = (high - start) / run;
            *enter = gb_max(*enter, gb_min(t1, t2));
            *leave = gb_min(*leave, gb_max(t1, t2));
        }
    }
    return *enter <= *leave;
}

/* Writes the least and greatest height of a triangle's part inside a rectangle, and returns whether there is any. */
static int part_heights(const gb_mesh *mesh, int64_t triangle, const gb_rectangle *inside, double *least,
                        double *greatest) {
    double z, enter, leave;
    *least = INFINITY;
    *greatest = -INFINITY;
    for (int side = 0; side < 3; side++) {
        const double *from = gb_vertex(mesh, triangle, side), *to = gb_vertex(mesh, triangle, (side + 1) % 3);
        if (!clip_edge(from, to, inside, &enter, &leave)) continue;
        double rise = to[2] - from[2], z1 = from[2] + enter * rise, z2 = from[2] + leave * rise;
        *least = gb_min(gb_min(*least, z1), z2);
        *greatest = gb_max(gb_max(*greatest, z1), z2);
    }
    for (int corner = 0; corner < 4; corner++) {
        double x = corner % 2 == 0 ? inside->left : inside->right, y = corner < 2 ? inside->near : inside->far;
        if (!gb_surface_at(mesh, triangle, x, y, &z)) continue;
        *least = gb_min(*least, z);
        *greatest = gb_max(*greatest, z);
    }
    return *least <= *greatest;
}

/* First cell, and the cell past the last, that a triangle may touch along an axis. */
static void cells_around(const gb_mesh *mesh, int64_t triangle, int axis, double start, double cell_m, int64_t count,
                         double grow_m, int64_t *first, int64_t *past) {
    double least = gb_triangle_least(mesh, triangle, axis) - grow_m;
    double most = gb_triangle_most(mesh, triangle, axis) + grow_m;
    *first = gb_whole_within(gb_floor((least - start) / cell_m), 0, count);
    *past = gb_whole_within(gb_floor((most - start) / cell_m), -1, count - 1) + 1;
}

/* Goes through the touches of a mesh: counts those of each cell one place late, or writes them. */
static void go_through(const gb_mesh *mesh, const gb_grid *grid, double grow_m, int is_counting,
                       const gb_touches *touches) {
    for (int64_t triangle = 0; triangle < mesh->count; triangle++) {
        int64_t row, past_row, left, past_column;
        cells_around(mesh, triangle, 0, grid->x0, grid->cell_m, grid->columns, grow_m, &left, &past_column);
        cells_around(mesh, triangle, 1, grid->y0, grid->cell_m, grid->rows, grow_m, &row, &past_row);
        for (; row < past_row; row++)
            for (int64_t column = left; column < past_column; column++) {
                double x = grid->x0 + (double)column * grid->cell_m, y = grid->y0 + (double)row * grid->cell_m;
                gb_rectangle inside = {x - grow_m, x + grid->cell_m + grow_m, y - grow_m, y + grid->cell_m + grow_m};
                double low, high;
                int64_t cell = row * grid->columns + column;
                if (!part_heights(mesh, triangle, &inside, &low, &high)) continue;
                if (is_counting) {
                    touches->first[cell + 1]++;
                } else {
                    int64_t place = touches->first[cell]++;
                    touches->triangle[place] = triangle;
                    touches->low[place] = low;
                    touches->high[place] = high;
                }
            }
    }
}

int64_t gb_touches_count(const gb_mesh *mesh, const gb_grid *grid, double grow_m, const gb_touches *touches) {
    for (int64_t cell = 0; cell <= grid->rows * grid->columns; cell++) touches->first[cell] = 0;
    go_through(mesh, grid, grow_m, 1, touches);
    return gb_sum_counts(touches->first, grid->rows * grid->columns);
}

void gb_touches_fill(const gb_mesh *mesh, const gb_grid *grid, double grow_m, const gb_touches *touches) {
    go_through(mesh, grid, grow_m, 0, touches);
    gb_step_back(touches->first, grid->rows * grid->columns);
}

/* Writes a corner. */
static void write_corner(double x, double y, int64_t touch, int64_t place, double *points, int64_t *touch_of) {
    points[2 * place] = x;
    points[2 * place + 1] = y;
    touch_of[place] = touch;
}

int64_t gb_touches_corners(const gb_mesh *mesh, const gb_grid *grid, double grow_m, const int64_t *triangle,
                           const int64_t *cell, int64_t count, double *points, int64_t *touch_of) {
    int64_t found = 0;
    for (int64_t touch = 0; touch < count; touch++) {
        double left = grid->x0 + (double)(cell[touch] % grid->columns) * grid->cell_m - grow_m;
        double near = grid->y0 + (double)(cell[touch] / grid->columns) * grid->cell_m - grow_m;
        gb_rectangle inside = {left, left + grid->cell_m + 2.0 * grow_m, near, near + grid->cell_m + 2.0 * grow_m};
        double enter, leave, z;
        for (int side = 0; side < 3; side++) {
            const double *from = gb_vertex(mesh, triangle[touch], side);
            const double *to = gb_vertex(mesh, triangle[touch], (side + 1) % 3);
            if (!clip_edge(from, to, &inside, &enter, &leave)) continue;
            double run_x = to[0] - from[0], run_y = to[1] - from[1];
            write_corner(from[0] + enter * run_x, from[1] + enter * run_y, touch, found++, points, touch_of);
            write_corner(from[0] + leave * run_x, from[1] + leave * run_y, touch, found++, points, touch_of);
        }
        for (int corner = 0; corner < 4; corner++) {
            double x = corner % 2 == 0 ? inside.left : inside.right, y = corner < 2 ? inside.near : inside.far;
            if (gb_surface_at(mesh, triangle[touch], x, y, &z)) write_corner(x, y, touch, found++, points, touch_of);
        }
    }
    return found;
}
