/* Cover spans with boxes along the grid. */
#include "numbers.h"

/* A box and the heights of its spans. */
typedef struct box {
    int64_t row, column, rows, columns;
    double least_bottom, greatest_bottom, least_top, greatest_top;
} box;

/* Widens a box by an unused span of a cell with which its heights stay alike; returns whether there is one. */
static int add_cell(const gb_spans *spans, const uint8_t *used, int64_t cell, double tolerance_m, box *grown) {
    for (int64_t span = spans->first[cell]; span < spans->first[cell + 1]; span++) {
        double bottom = spans->bottom[span], top = spans->top[span];
        double least_bottom = gb_min(grown->least_bottom, bottom), greatest_bottom = gb_max(grown->greatest_bottom, bottom);
        double least_top = gb_min(grown->least_top, top), greatest_top = gb_max(grown->greatest_top, top);
        if (used[span] || !(greatest_bottom - least_bottom <= tolerance_m) || !(greatest_top - least_top <= tolerance_m))
            continue;
        grown->least_bottom = least_bottom;
        grown->greatest_bottom = greatest_bottom;
        grown->least_top = least_top;
        grown->greatest_top = greatest_top;
        return 1;
    }
    return 0;
}

/* Adds a row or a column of cells to a box where all of them have such a span; returns whether they do. */
static int add_line(const gb_spans *spans, const uint8_t *used, int is_row, double tolerance_m, box *grown) {
    int64_t row = grown->row + (is_row ? grown->rows : 0), column = grown->column + (is_row ? 0 : grown->columns);
    int64_t length = is_row ? grown->columns : grown->rows, step = is_row ? 1 : spans->columns;
    box trial = *grown;
    if (row >= spans->rows || column >= spans->columns) return 0;
    for (int64_t place = 0; place < length; place++)
        if (!add_cell(spans, used, row * spans->columns + column + place * step, tolerance_m, &trial)) return 0;
    if (is_row) trial.rows++;
    else trial.columns++;
    *grown = trial;
    return 1;
}

/* The box grown from a seed span, along one axis and then along the other. */
static box grow(const gb_spans *spans, const uint8_t *used, int64_t seed, int64_t cell, int rows_first,
                double tolerance_m) {
    double bottom = spans->bottom[seed], top = spans->top[seed];
    box grown = {cell / spans->columns, cell % spans->columns, 1, 1, bottom, bottom, top, top};
    while (add_line(spans, used, rows_first, tolerance_m, &grown)) {}
    while (add_line(spans, used, !rows_first, tolerance_m, &grown)) {}
    return grown;
}

int64_t gb_spans_cover(const gb_spans *spans, double tolerance_m, uint8_t *used, double *boxes) {
    int64_t cells = spans->rows * spans->columns, count = 0;
    for (int64_t span = 0; span < spans->first[cells]; span++) used[span] = 0;
    for (int64_t home = 0; home < cells; home++)
        for (int64_t seed = spans->first[home]; seed < spans->first[home + 1]; seed++) {
            if (used[seed]) continue;
            box best = grow(spans, used, seed, home, 0, tolerance_m), other = grow(spans, used, seed, home, 1, tolerance_m);
            if (other.rows * other.columns > best.rows * best.columns) best = other;
            for (int64_t row = best.row; row < best.row + best.rows; row++)
                for (int64_t column = best.column; column < best.column + best.columns; column++) {
                    int64_t cell = row * spans->columns + column;
                    /* Anything that fits the final range is in the box, also what was not chosen on the way. */
                    for (int64_t span = spans->first[cell]; span < spans->first[cell + 1]; span++)
                        if (spans->bottom[span] >= best.least_bottom && spans->top[span] <= best.greatest_top)
                            used[span] = 1;
                }
            double *to = boxes + 6 * count++;
            to[0] = (double)best.row;
            to[1] = (double)best.column;
            to[2] = (double)best.rows;
            to[3] = (double)best.columns;
            to[4] = best.least_bottom;
            to[5] = best.greatest_top;
        }
    return count;
}
