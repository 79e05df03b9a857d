/* Spread distances over a grid of open and closed cells. */
#include "field.h"

#define DIAGONAL 1.4142135623730951

/* Whether one can go from a corner to the neighbour `down` rows and `right` columns on. */
static int is_edge_open(const uint8_t *closed, int64_t rows, int64_t columns, int64_t row, int64_t column, int64_t down,
                        int64_t right) {
    int64_t above = row + gb_least(down, 0), beside = column + gb_least(right, 0);
    if (down != 0 && right != 0) return !closed[above * columns + beside];
    if (down == 0)
        return (row > 0 && !closed[(row - 1) * columns + beside]) || (row < rows && !closed[row * columns + beside]);
    return (column > 0 && !closed[above * columns + column - 1]) || (column < columns && !closed[above * columns + column]);
}

/* Corners wait in rings one cell wide; as no step is longer than two, three rings are ever in use. */
void gb_field_spread(const uint8_t *closed, int64_t rows, int64_t columns, double *field, int32_t *rings) {
    int64_t capacity = 8 * rows * columns + 8, counts[3] = {0, 0, 0};
    for (int64_t corner = 0; corner < rows * columns; corner++)
        if (field[corner] < GB_FAR) rings[counts[0]++] = (int32_t)corner;
    double level = 0.0;
    for (int64_t ring = 0, empty = 0; empty < 3; ring++, level += 1.0) {
        int64_t now = ring % 3;
        for (int64_t at = 0; at < counts[now]; at++) { /* the ring may grow while it is gone through */
            int64_t corner = rings[now * capacity + at], row = corner / columns, column = corner % columns;
            double value = field[corner];
            if (value < level) continue; /* settled in an earlier ring */
            for (int64_t down = -1; down < 2; down++)
                for (int64_t right = -1; right < 2; right++) {
                    int64_t r = row + down, c = column + right;
                    if ((down == 0 && right == 0) || r < 0 || c < 0 || r >= rows || c >= columns) continue;
                    double reached = value + (down != 0 && right != 0 ? DIAGONAL : 1.0);
                    if (reached < field[r * columns + c] - 1e-12 &&
                        is_edge_open(closed, rows - 1, columns - 1, row, column, down, right)) {
                        int64_t into = (ring + gb_least(2, (int64_t)(reached - level))) % 3;
                        field[r * columns + c] = reached;
                        if (counts[into] < capacity) rings[into * capacity + counts[into]++] = (int32_t)(r * columns + c);
                    }
                }
        }
        empty = counts[now] == 0 ? empty + 1 : 0;
        counts[now] = 0;
    }
}

double gb_field_way_left(const double *field, int64_t rows, int64_t columns, double u, double v) {
    return gb_way_left(field, rows, columns, u, v);
}
