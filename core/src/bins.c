/* Make a world: which pieces are near which bin. */
#include "shapes.h"

#define ROUNDING 1e-9 /* metres: more than the rounding of distances */

/* First and last bin that an interval meets along an axis; if the last is before the first, it meets none. */
static void bin_range(double least, double greatest, double start, double bin_m, int64_t count, int64_t *first,
                      int64_t *last) {
    *first = (int64_t)gb_min(gb_max(gb_floor((least - start) / bin_m), 0.0), (double)count);
    *last = (int64_t)gb_min(gb_max(gb_floor((greatest - start) / bin_m), -1.0), (double)count - 1.0);
}

int64_t gb_bins_within(const gb_pieces *pieces, const double *reaches, const gb_grid *grid, int64_t *bin, int32_t *piece,
                       double *gap, int64_t room) {
    int64_t count = 0;
    for (int64_t number = 0; number < pieces->count; number++) {
        const double *box = pieces->boxes + 4 * number;
        double reach = reaches[number];
        int64_t left, right, low, high;
        if (reach < 0.0) continue;
        bin_range(box[0] - reach, box[2] + reach, grid->x0, grid->cell_m, grid->columns, &left, &right);
        bin_range(box[1] - reach, box[3] + reach, grid->y0, grid->cell_m, grid->rows, &low, &high);
        for (int64_t row = low; row <= high; row++)
            for (int64_t column = left; column <= right; column++) {
                double x = grid->x0 + ((double)column + 0.5) * grid->cell_m;
                double y = grid->y0 + ((double)row + 0.5) * grid->cell_m;
                /* The centre is at most half a diagonal from any point of the bin, apart from rounding. */
                double away = gb_piece_distance(pieces, number, x, y) - sqrt(0.5) * grid->cell_m - ROUNDING;
                if (away > reach) continue;
                if (count < room) {
                    bin[count] = row * grid->columns + column;
                    piece[count] = (int32_t)number;
                    gap[count] = away;
                }
                count++;
            }
    }
    return count;
}

void gb_bins_sort(const int64_t *bin, const double *gap, int64_t count, int64_t bins, int64_t *order, int64_t *first) {
    for (int64_t at = 0; at <= bins; at++) first[at] = 0;
    for (int64_t entry = 0; entry < count; entry++) first[bin[entry] + 1]++;
    for (int64_t at = 0; at < bins; at++) first[at + 1] += first[at];
    for (int64_t entry = count - 1; entry >= 0; entry--) order[--first[bin[entry] + 1]] = entry; /* now one bin too early */
    for (int64_t at = 0; at < bins; at++) first[at] = first[at + 1];
    first[bins] = count;
    for (int64_t index = 1; index < count; index++) {
        int64_t entry = order[index], place = index;
        for (; place > first[bin[entry]] && gap[order[place - 1]] > gap[entry]; place--) order[place] = order[place - 1];
        order[place] = entry;
    }
}
