/* Where no body can be: cells in which every instant of every clip of a character meets an obstacle. */
#include "closed.h"

#include "shapes.h"

/* How deep a point is inside a piece; negative outside. */
static double depth_in_piece(const gb_pieces *pieces, int64_t piece, double x, double y) {
    const double *xs = pieces->corner_x, *ys = pieces->corner_y;
    int64_t first = pieces->first_corner[piece], last = pieces->first_corner[piece + 1];
    double outside = gb_convex_distance(xs, ys, first, last, x, y);
    if (outside > 0.0 || last - first < 3) return pieces->radius[piece] - outside;
    double nearest = INFINITY;
    int64_t before = last - 1;
    for (int64_t corner = first; corner < last; corner++) {
        nearest = gb_min(nearest, gb_segment_squared(xs[before], ys[before], xs[corner], ys[corner], x, y));
        before = corner;
    }
    return pieces->radius[piece] + sqrt(nearest);
}

void gb_cells_close(gb_closed_cells *cells, const gb_pieces *pieces, const double *cores, double slack) {
    double cell = cells->cell_m, needed = cell * sqrt(0.5) + slack;
    const int64_t *window = cells->window;
    for (int64_t piece = 0; piece < pieces->count; piece++) {
        double core = cores[piece];
        if (core <= 0.0) continue;
        const double *box = pieces->boxes + 4 * piece;
        int64_t left = gb_most(window[1], (int64_t)((box[0] - core - cells->x0) / cell));
        int64_t right = gb_least(window[3], (int64_t)((box[2] + core - cells->x0) / cell) + 1);
        int64_t bottom = gb_most(window[0], (int64_t)((box[1] - core - cells->y0) / cell));
        int64_t top = gb_least(window[2], (int64_t)((box[3] + core - cells->y0) / cell) + 1);
        for (int64_t row = bottom; row < top; row++)
            for (int64_t column = left; column < right; column++) {
                uint8_t *closed = cells->closed + row * cells->columns + column;
                double x = cells->x0 + ((double)column + 0.5) * cell, y = cells->y0 + ((double)row + 0.5) * cell;
                if (!*closed && depth_in_piece(pieces, piece, x, y) + core >= needed) *closed = 1;
            }
    }
}

int32_t gb_cells_any_open(const gb_closed_cells *cells, double x, double y, double radius) {
    gb_touched touched = gb_cells_touched(cells, x, y, radius);
    for (int64_t row = touched.bottom; row < touched.top; row++)
        for (int64_t column = touched.left; column < touched.right; column++)
            if (gb_is_open_in_disc(cells, row, column, x, y, radius)) return 1;
    return 0;
}
