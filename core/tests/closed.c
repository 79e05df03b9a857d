/* Closed cells: in each, every point is nearer to some piece than a body's core may come; and none is missed that ought to be. */
#include "small_world.h"

enum { ROWS = 30, COLUMNS = 26 };

/* How deep a point is inside a piece; negative outside: the distance to its outline, or to the nearest of its sides. */
static double depth_in(const gb_pieces *pieces, int64_t piece, double x, double y) {
    double gap = small_gap(pieces, piece, x, y);
    if (gap > -pieces->radius[piece]) return -gap;
    int32_t first = pieces->first_corner[piece], last = pieces->first_corner[piece + 1];
    if (last - first == 1) return -gap;
    double x0 = pieces->corner_x[first], y0 = pieces->corner_y[first]; /* a box along the axes */
    double x1 = pieces->corner_x[first + 2], y1 = pieces->corner_y[first + 2];
    return pieces->radius[piece] + gb_min(gb_min(x - x0, x1 - x), gb_min(y - y0, y1 - y));
}

static void test_window(report *test, const gb_pieces *pieces, const int64_t *window) {
    uint8_t closed[ROWS * COLUMNS] = {0};
    double cores[SMALL_PIECES], slack = random_below(test, 2) ? 0.0 : 0.1;
    for (int64_t piece = 0; piece < pieces->count; piece++)
        cores[piece] = random_below(test, 3) ? random_between(test, 0.05, 0.6) : 0.0;
    gb_closed_cells cells = {0.3, -0.2, 0.3, ROWS, COLUMNS, closed, {window[0], window[1], window[2], window[3]}};
    gb_cells_close(&cells, pieces, cores, slack);
    double needed = cells.cell_m * sqrt(0.5) + slack;
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t column = 0; column < COLUMNS; column++) {
            double x = cells.x0 + ((double)column + 0.5) * cells.cell_m;
            double y = cells.y0 + ((double)row + 0.5) * cells.cell_m, deepest = -INFINITY;
            for (int64_t piece = 0; piece < pieces->count; piece++)
                if (cores[piece] > 0.0) deepest = gb_max(deepest, depth_in(pieces, piece, x, y) + cores[piece]);
            int is_in_window = row >= window[0] && row < window[2] && column >= window[1] && column < window[3];
            uint8_t found = closed[row * COLUMNS + column];
            DIGEST(test, found);
            if (gb_abs(deepest - needed) > 1e-9) CHECK_SAME(test, found, is_in_window && deepest >= needed);
        }
}

void test_closed(report *test) {
    static small_world small;
    static const int64_t all[4] = {0, 0, ROWS, COLUMNS}, some[4] = {3, 5, 20, 21};
    for (int round = 0; round < 30; round++) {
        small_world_random(test, &small);
        test_window(test, &small.world.pieces, all);
        test_window(test, &small.world.pieces, some);
    }
}
