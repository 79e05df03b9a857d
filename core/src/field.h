/* The length of the way to a goal around what nobody can cross: a lower bound that is never too long.
 *
 * Distances stand on the corners of a grid of square cells, some of which are closed, and count steps along and across open
 * cells.  A shortest way through open cells is a chain of straight pieces between corners; the steps just below a straight
 * piece stay in the cells it passes, and are at most 1.082 times as long [the octile distance at 22.5 degrees].  So divided by
 * that the count is a lower bound at the corners; inside a cell it is one less the distance from a corner, for each corner.
 * The last piece of a way ends inside a cell that the goal reaches into, at most a diagonal short of the corner counted to. */
#ifndef GB_FIELD_H
#define GB_FIELD_H

#include "numbers.h"

#define GB_FAR 1e18

/* Distances are whole numbers, so that they are the same in whatever order corners are reached: a step along a cell, and one
 * across, which is a little less than a diagonal (41 / 29 = 1.4138). */
#define GB_FIELD_ALONG 29
#define GB_FIELD_ACROSS 41

/* A label is 0 where nothing is known; else a distance, whether it is settled, and from where it came (field.c). */
#define GB_LABEL_ORIGIN 15
#define GB_LABEL_SETTLED 16
#define GB_LABEL_BITS 5 /* below the distance */
#define GB_LABEL_SHUT GB_LABEL_SETTLED /* without an origin: no way leads there */

/* Cells of way a step along a cell stands for, at least: a 29th, divided by 1.0824. */
#define GB_FIELD_UNIT (1.0 / (GB_FIELD_ALONG * 1.0823922002923940))
#define GB_FIELD_DIAGONAL 1.4142135623730951

/* The least that a way between two corners can be. */
static inline int64_t gb_field_between(int64_t rows, int64_t columns) {
    int64_t far = rows < 0 ? -rows : rows, near = columns < 0 ? -columns : columns;
    return GB_FIELD_ALONG * gb_most(far, near) + (GB_FIELD_ACROSS - GB_FIELD_ALONG) * gb_least(far, near);
}

/* A lower bound of the distance of a corner that is not settled: its estimate is not below the level. */
static inline int64_t gb_field_beyond(const gb_field *field, int64_t row, int64_t column) {
    return gb_most(0, field->level - gb_field_between(row - field->aimed_row, column - field->aimed_column));
}

/* A lower bound, in cells, of the way left from column u and row v, as far as the field is spread; GB_FAR without any way.
 * is_sure: whether spreading it would not make it longer. */
static inline double gb_way_at_least(const gb_field *field, double u, double v, int *is_sure) {
    double column = gb_floor(u), row = gb_floor(v), most = 0.0;
    const gb_closed_cells *cells = field->cells;
    *is_sure = 1;
    if (!(column >= 0.0 && row >= 0.0 && column < (double)cells->columns && row < (double)cells->rows)) return GB_FAR;
    int64_t corner = ((int64_t)row << field->shift) + (int64_t)column;
    u -= column;
    v -= row;
    for (int number = 0; number < 4; number++) {
        int down = number >> 1, right = number & 1;
        int32_t label = field->labels[corner + ((int64_t)down << field->shift) + right];
        int64_t distance = label >> GB_LABEL_BITS;
        if (label == GB_LABEL_SHUT) return GB_FAR;
        if (!(label & GB_LABEL_SETTLED)) {
            *is_sure = 0;
            distance = gb_field_beyond(field, (int64_t)row + down, (int64_t)column + right);
        }
        double aside = u - right, along = v - down;
        double way = gb_max(0.0, (double)distance * GB_FIELD_UNIT - GB_FIELD_DIAGONAL);
        most = gb_max(most, way - sqrt(aside * aside + along * along));
    }
    return most;
}

/* The same, the field spread as far as that needs (field.c). */
double gb_way_left(gb_field *field, double u, double v);

#endif
