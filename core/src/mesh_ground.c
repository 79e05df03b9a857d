/* Find surfaces of a mesh above and below the points of a grid. */
#include "mesh.h"

#define SPARE 1e-6 /* cells: more than the rounding of a place in the grid */

/* First and last of the grid's points within a triangle's extent along an axis. */
static void points_within(const gb_mesh *mesh, int64_t triangle, int axis, double start, double cell_m, int64_t count,
                          int64_t *first, int64_t *last) {
    double least = (gb_triangle_least(mesh, triangle, axis) - start) / cell_m;
    double most = (gb_triangle_most(mesh, triangle, axis) - start) / cell_m;
    *first = gb_whole_within(gb_ceil(least - SPARE), 0, count);
    *last = gb_whole_within(gb_floor(most + SPARE), -1, count - 1);
}

void gb_mesh_highest(const gb_mesh *mesh, const gb_grid *grid, double *heights) {
    for (int64_t cell = 0; cell < grid->rows * grid->columns; cell++) heights[cell] = -INFINITY;
    for (int64_t triangle = 0; triangle < mesh->count; triangle++) {
        int64_t low, high, left, right;
        points_within(mesh, triangle, 0, grid->x0, grid->cell_m, grid->columns, &left, &right);
        points_within(mesh, triangle, 1, grid->y0, grid->cell_m, grid->rows, &low, &high);
        for (int64_t row = low; row <= high; row++)
            for (int64_t column = left; column <= right; column++) {
                double x = grid->x0 + (double)column * grid->cell_m, y = grid->y0 + (double)row * grid->cell_m, z;
                double *highest = heights + row * grid->columns + column;
                if (gb_surface_at(mesh, triangle, x, y, &z) && z > *highest) *highest = z;
            }
    }
}

/* Goes through the layers of a mesh: counts those of each cell one place late, or writes them. */
static void go_through(const gb_mesh *mesh, const uint8_t *is_walkable, const gb_grid *grid, int is_counting,
                       const gb_layers *layers) {
    double x0 = grid->x0 + 0.5 * grid->cell_m, y0 = grid->y0 + 0.5 * grid->cell_m;
    for (int64_t triangle = 0; triangle < mesh->count; triangle++) {
        int64_t low, high, left, right;
        if (!is_walkable[triangle]) continue;
        points_within(mesh, triangle, 0, x0, grid->cell_m, grid->columns, &left, &right);
        points_within(mesh, triangle, 1, y0, grid->cell_m, grid->rows, &low, &high);
        for (int64_t row = low; row <= high; row++)
            for (int64_t column = left; column <= right; column++) {
                double x = grid->x0 + ((double)column + 0.5) * grid->cell_m;
                double y = grid->y0 + ((double)row + 0.5) * grid->cell_m, z;
                int64_t cell = row * grid->columns + column;
                if (gb_surface_at(mesh, triangle, x, y, &z) <= 0) continue;
                if (is_counting) {
                    layers->first[cell + 1]++;
                } else {
                    layers->height[layers->first[cell]] = z;
                    layers->triangle[layers->first[cell]++] = triangle;
                }
            }
    }
}

int64_t gb_layers_count(const gb_mesh *mesh, const uint8_t *is_walkable, const gb_grid *grid, const gb_layers *layers) {
    for (int64_t cell = 0; cell <= grid->rows * grid->columns; cell++) layers->first[cell] = 0;
    go_through(mesh, is_walkable, grid, 1, layers);
    return gb_sum_counts(layers->first, grid->rows * grid->columns);
}

void gb_layers_fill(const gb_mesh *mesh, const uint8_t *is_walkable, const gb_grid *grid, const gb_layers *layers) {
    go_through(mesh, is_walkable, grid, 0, layers);
    gb_step_back(layers->first, grid->rows * grid->columns);
}

/* The root of an element of a union-find forest, shortening the way to it. */
static int64_t root_of(int64_t *root, int64_t element) {
    while (root[element] != element) {
        root[element] = root[root[element]];
        element = root[element];
    }
    return element;
}

/* Connects layers of two cells that are at most a step apart. */
static void connect_cells(const gb_layers *layers, int64_t cell, int64_t other, double step_m, int64_t *region) {
    for (int64_t i = layers->first[cell]; i < layers->first[cell + 1]; i++)
        for (int64_t j = layers->first[other]; j < layers->first[other + 1]; j++) {
            if (!(gb_abs(layers->height[i] - layers->height[j]) <= step_m)) continue;
            int64_t a = root_of(region, i), b = root_of(region, j);
            region[gb_most(a, b)] = gb_least(a, b);
        }
}

void gb_layers_connect(const gb_layers *layers, const gb_grid *grid, double step_m, int64_t *region) {
    int64_t count = layers->first[grid->rows * grid->columns];
    for (int64_t layer = 0; layer < count; layer++) region[layer] = layer;
    for (int64_t row = 0; row < grid->rows; row++)
        for (int64_t column = 0; column < grid->columns; column++) {
            int64_t cell = row * grid->columns + column;
            if (column + 1 < grid->columns) connect_cells(layers, cell, cell + 1, step_m, region);
            if (row + 1 < grid->rows) connect_cells(layers, cell, cell + grid->columns, step_m, region);
        }
    for (int64_t layer = 0; layer < count; layer++) region[layer] = root_of(region, layer);
}
