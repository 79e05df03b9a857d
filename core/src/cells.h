/* Hash tables over cells of space and time. */
#ifndef GB_CELLS_H
#define GB_CELLS_H

#include "choice.h"
#include "numbers.h"

#define GB_COORDINATE_BITS 20
#define GB_FARTHEST ((1 << (GB_COORDINATE_BITS - 1)) - 2) /* cells from the origin; what is farther counts as there */
#define GB_EVERYWHERE (-GB_FARTHEST - 1) /* the cell, both ways, that lists what is too large for single cells */
#define GB_RESTING (-1)                  /* the block of frames that lists what rests */
#define GB_FREE (-1)                     /* key of a free row */

static inline int64_t gb_cell_of(double place, double cell_m) {
    return (int64_t)gb_floor(gb_min(gb_max(place / cell_m, -(double)GB_FARTHEST), (double)GB_FARTHEST));
}

/* The key of a cell; never negative. */
static inline int64_t gb_pack_cell(int64_t block, int64_t column, int64_t row) {
    const int64_t bias = GB_FARTHEST + 1;
    return ((block + 1) << (2 * GB_COORDINATE_BITS)) | ((column + bias) << GB_COORDINATE_BITS) | (row + bias);
}

/* The row of a hash table that holds a key, or the free row where it belongs.  The table has a power of two of rows, of
 * which one is always free. */
static inline int64_t gb_find_row(const int64_t *table, int64_t rows, int64_t columns, int64_t key) {
    int64_t row = (int64_t)gb_scramble((uint32_t)((uint64_t)key ^ ((uint64_t)key >> 32))) & (rows - 1);
    while (table[row * columns] != key && table[row * columns] != GB_FREE) row = (row + 1) & (rows - 1);
    return row;
}

#endif
