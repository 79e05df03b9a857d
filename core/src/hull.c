/* Find convex hulls in the plane: Andrew's monotone chain. */
#include "numbers.h"

/* Twice the area of a triangle of points, positive where it runs counter-clockwise. */
static double cross(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

int64_t gb_hull(const double *points, int64_t count, int64_t *corners) {
    int64_t size = 0;
    if (count <= 0) return 0;
    for (int turn = 0; turn < 2; turn++) {
        int64_t base = size;
        for (int64_t step = 0; step < count; step++) {
            int64_t point = turn == 0 ? step : count - 1 - step;
            while (size >= base + 2 && cross(points + 2 * corners[size - 2], points + 2 * corners[size - 1],
                                             points + 2 * point) <= 0.0)
                size--;
            corners[size++] = point;
        }
        size--; /* the last of one chain is the first of the other */
    }
    size = gb_most(size, 1);
    if (size == 2) {
        const double *a = points + 2 * corners[0], *b = points + 2 * corners[1];
        if (a[0] == b[0] && a[1] == b[1]) size = 1;
    }
    return size;
}

double gb_hull_area(const double *hull, int64_t count) {
    double area = 0.0;
    for (int64_t corner = 0; corner < count; corner++) {
        const double *at = hull + 2 * corner, *after = hull + 2 * ((corner + 1) % count);
        area += at[0] * after[1] - after[0] * at[1];
    }
    return 0.5 * area;
}

int32_t gb_hull_is_within(const double *hull, int64_t count, const uint8_t *allowed, int64_t rows, int64_t columns,
                          int64_t first_row, int64_t first_column, double cell_m) {
    for (int64_t row = 0; row < rows; row++) {
        double y = ((double)(first_row + row) + 0.5) * cell_m, left = INFINITY, right = -INFINITY;
        for (int64_t corner = 0; corner < count; corner++) { /* where the row's middle line crosses the hull */
            const double *a = hull + 2 * corner, *b = hull + 2 * ((corner + 1) % count);
            if ((a[1] <= y) == (b[1] <= y)) continue;
            double x = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
            left = gb_min(left, x);
            right = gb_max(right, x);
        }
        if (left > right) continue;
        for (int64_t column = 0; column < columns; column++) {
            double x = ((double)(first_column + column) + 0.5) * cell_m;
            if (left < x && x < right && !allowed[row * columns + column]) return 0;
        }
    }
    return 1;
}
