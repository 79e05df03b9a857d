/* Make a world: how far each cell's centre is from what stands. */
#include "shapes.h"

#include <stddef.h>

#define BLOCK 8    /* cells: side of a block, whose cells share a shortlist of pieces */
#define DISTRICT 8 /* blocks: side of a district, whose blocks share a shortlist */
#define ROUNDING 1e-9 /* metres: more than the rounding of distances */

/* Chooses those of some candidates (NULL: the first `count` pieces) that may be nearest to a point within reach of (x, y),
 * and returns their number.  The distance to a piece changes by at most the way from point to point: so the piece nearest to
 * another point is at (x, y) at most twice the reach farther away than the piece nearest to (x, y). */
static int64_t shortlist(const gb_pieces *pieces, const int64_t *candidates, int64_t count, double x, double y,
                         double reach, double *distances, int64_t *chosen) {
    double nearest = INFINITY;
    int64_t size = 0;
    for (int64_t index = 0; index < count; index++) {
        distances[index] = gb_piece_distance(pieces, candidates ? candidates[index] : index, x, y);
        nearest = gb_min(nearest, distances[index]);
    }
    for (int64_t index = 0; index < count; index++)
        if (distances[index] <= nearest + 2.0 * reach + ROUNDING) chosen[size++] = candidates ? candidates[index] : index;
    return size;
}

/* Sets the cells of the block that begins at a row and column, looking at some pieces nearby. */
static void fill_block(const gb_pieces *pieces, const double *bounds, const gb_grid *grid, int64_t row, int64_t column,
                       const int64_t *nearby, int64_t count, double *clearance) {
    for (int64_t j = row; j < gb_least(row + BLOCK, grid->rows); j++)
        for (int64_t i = column; i < gb_least(column + BLOCK, grid->columns); i++) {
            double x = grid->x0 + ((double)i + 0.5) * grid->cell_m, y = grid->y0 + ((double)j + 0.5) * grid->cell_m;
            double nearest = gb_room_inside(bounds, x, y);
            for (int64_t index = 0; index < count; index++)
                nearest = gb_min(nearest, gb_piece_distance(pieces, nearby[index], x, y));
            clearance[j * grid->columns + i] = nearest;
        }
}

static double middle_x(const gb_grid *grid, int64_t column, int64_t cells) {
    return grid->x0 + ((double)column + 0.5 * (double)cells) * grid->cell_m;
}

static double middle_y(const gb_grid *grid, int64_t row, int64_t cells) {
    return grid->y0 + ((double)row + 0.5 * (double)cells) * grid->cell_m;
}

void gb_clearance_fill(const gb_pieces *pieces, const double *bounds, const gb_grid *grid, double *clearance,
                       const gb_clearance_scratch *scratch) {
    double reach = 0.5 * sqrt(2.0) * BLOCK * grid->cell_m;
    int64_t stride = BLOCK * DISTRICT;
    for (int64_t row = 0; row < grid->rows; row += stride)
        for (int64_t column = 0; column < grid->columns; column += stride) {
            int64_t many = shortlist(pieces, NULL, pieces->count, middle_x(grid, column, stride),
                                     middle_y(grid, row, stride), DISTRICT * reach, scratch->distances,
                                     scratch->in_district);
            for (int64_t j = row; j < gb_least(row + stride, grid->rows); j += BLOCK)
                for (int64_t i = column; i < gb_least(column + stride, grid->columns); i += BLOCK) {
                    int64_t few = shortlist(pieces, scratch->in_district, many, middle_x(grid, i, BLOCK),
                                            middle_y(grid, j, BLOCK), reach, scratch->distances, scratch->in_block);
                    fill_block(pieces, bounds, grid, j, i, scratch->in_block, few, clearance);
                }
        }
}
