/* Where no body can be: cells in which every instant of every clip of a character meets an obstacle. */
#include "closed.h"

#include "shapes.h"

#define ROUNDING 1e-9 /* metres: more than the rounding of distances */

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

/* Whether a point is inside a piece's outline and at least so deep, more than 0: that far to the left of each of its sides. */
static int is_deep_in_outline(const gb_pieces *pieces, int64_t piece, double x, double y, double depth) {
    const double *xs = pieces->corner_x, *ys = pieces->corner_y;
    int64_t before = pieces->first_corner[piece + 1] - 1, sides = 0;
    for (int64_t corner = pieces->first_corner[piece]; corner < pieces->first_corner[piece + 1]; before = corner++) {
        double along_x = xs[corner] - xs[before], along_y = ys[corner] - ys[before];
        double length_squared = along_x * along_x + along_y * along_y;
        if (length_squared == 0.0) continue; /* a corner that repeats */
        double side = along_x * (y - ys[before]) - along_y * (x - xs[before]);
        if (side <= 0.0 || side * side < depth * depth * length_squared) return 0;
        sides++;
    }
    return sides > 0;
}

void gb_cells_close(gb_closed_cells *cells, const gb_pieces *pieces, const double *cores, double slack) {
    double cell = cells->cell_m, needed = cell * sqrt(0.5) + slack;
    const int64_t *window = cells->window;
    for (int64_t piece = 0; piece < pieces->count; piece++) {
        double core = cores[piece];
        if (core <= 0.0) continue;
        /* No point is deeper in a piece than in its box: so the middle of a closed cell is inside this part of the box. */
        const double *box = pieces->boxes + 4 * piece;
        double inside = needed - core, in_outline = inside - pieces->radius[piece];
        int64_t left = gb_most(window[1], gb_strip_at(box[0] + inside, cells->x0, cell, -1.0, cells->columns));
        int64_t right = gb_least(window[3], gb_strip_at(box[2] - inside, cells->x0, cell, 2.0, cells->columns));
        int64_t bottom = gb_most(window[0], gb_strip_at(box[1] + inside, cells->y0, cell, -1.0, cells->rows));
        int64_t top = gb_least(window[2], gb_strip_at(box[3] - inside, cells->y0, cell, 2.0, cells->rows));
        if (gb_min(box[2] - box[0], box[3] - box[1]) < 2.0 * (inside - ROUNDING)) continue;
        for (int64_t row = bottom; row < top; row++)
            for (int64_t column = left; column < right; column++) {
                double x = cells->x0 + ((double)column + 0.5) * cell, y = cells->y0 + ((double)row + 0.5) * cell;
                if (gb_room_inside(box, x, y) < inside - ROUNDING) continue;
                uint8_t *closed = cells->closed + row * cells->columns + column;
                if (*closed) continue;
                int is_closed = in_outline > 0.0 ? is_deep_in_outline(pieces, piece, x, y, in_outline)
                                                 : depth_in_piece(pieces, piece, x, y) >= inside;
                *closed = (uint8_t)is_closed;
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
