/* Closed cells, and which of them a disc touches. */
#ifndef GB_CLOSED_H
#define GB_CLOSED_H

#include "numbers.h"

/* Rows and columns that a disc may touch, a cell more to each side because divisions round: first, and one past the last. */
typedef struct gb_touched {
    int64_t bottom;
    int64_t left;
    int64_t top;
    int64_t right;
} gb_touched;

static inline int64_t gb_strip_at(double place, double start, double cell_m, double beside, int64_t count) {
    return (int64_t)gb_min(gb_max(gb_floor((place - start) / cell_m) + beside, 0.0), (double)count);
}

static inline gb_touched gb_cells_touched(const gb_closed_cells *cells, double x, double y, double radius) {
    gb_touched touched;
    touched.bottom = gb_strip_at(y - radius, cells->y0, cells->cell_m, -1.0, cells->rows);
    touched.left = gb_strip_at(x - radius, cells->x0, cells->cell_m, -1.0, cells->columns);
    touched.top = gb_strip_at(y + radius, cells->y0, cells->cell_m, 2.0, cells->rows);
    touched.right = gb_strip_at(x + radius, cells->x0, cells->cell_m, 2.0, cells->columns);
    return touched;
}

static inline int gb_is_closed(const gb_closed_cells *cells, int64_t row, int64_t column) {
    return cells->closed[row * cells->columns + column];
}

/* Whether a cell is open and a disc touches it. */
static inline int gb_is_open_in_disc(const gb_closed_cells *cells, int64_t row, int64_t column, double x, double y,
                                     double radius) {
    double left = cells->x0 + (double)column * cells->cell_m, bottom = cells->y0 + (double)row * cells->cell_m;
    double aside = gb_max(0.0, gb_max(left - x, x - left - cells->cell_m));
    double along = gb_max(0.0, gb_max(bottom - y, y - bottom - cells->cell_m));
    return aside * aside + along * along <= radius * radius && !gb_is_closed(cells, row, column);
}

#endif
