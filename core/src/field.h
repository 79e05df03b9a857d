/* The length of the way to a goal around what nobody can cross: a lower bound that is never too long.
 *
 * Distances stand on the corners of a grid of square cells, some of which are closed, and count steps along and across open
 * cells.  A shortest way through open cells is a chain of straight pieces between corners; the steps just below a straight
 * piece stay in the cells it passes, and are at most 1.082 times as long [the octile distance at 22.5 degrees].  So divided by
 * that the count is a lower bound at the corners; inside a cell it is one less the distance from a corner, for each corner. */
#ifndef GB_FIELD_H
#define GB_FIELD_H

#include "numbers.h"

#define GB_FAR 1e18

/* A lower bound, in cells, of the way left from column u and row v of a field (rows, columns); GB_FAR without any way. */
static inline double gb_way_left(const double *field, int64_t rows, int64_t columns, double u, double v) {
    double column = gb_floor(u), row = gb_floor(v);
    if (!(column >= 0.0 && row >= 0.0 && column < (double)columns - 1.0 && row < (double)rows - 1.0)) return GB_FAR;
    const double *corner = field + (int64_t)row * columns + (int64_t)column;
    double left = 0.0;
    u -= column;
    v -= row;
    for (int down = 0; down < 2; down++)
        for (int right = 0; right < 2; right++) {
            double aside = u - right, along = v - down;
            left = gb_max(left, corner[down * columns + right] - sqrt(aside * aside + along * along));
        }
    return left;
}

#endif
