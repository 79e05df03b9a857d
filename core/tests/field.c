/* Distance fields against going over all edges until nothing changes. */
#include "field.h"

#include "check.h"

enum { ROWS = 9, COLUMNS = 12, CORNERS = ROWS * COLUMNS };

/* Whether a cell lies inside the grid and is open. */
static int is_open(const uint8_t *closed, int64_t row, int64_t column) {
    return row >= 0 && column >= 0 && row < ROWS - 1 && column < COLUMNS - 1 && !closed[row * (COLUMNS - 1) + column];
}

/* The length of the edge between two neighbouring corners, or GB_FAR: along an open cell, or across one. */
static double edge(const uint8_t *closed, int64_t row, int64_t column, int64_t down, int64_t right) {
    int64_t above = row + gb_least(down, 0), beside = column + gb_least(right, 0);
    if (down != 0 && right != 0) return is_open(closed, above, beside) ? sqrt(2.0) : GB_FAR;
    if (down == 0) return is_open(closed, row - 1, beside) || is_open(closed, row, beside) ? 1.0 : GB_FAR;
    return is_open(closed, above, column - 1) || is_open(closed, above, column) ? 1.0 : GB_FAR;
}

/* Shortest ways by relaxing all edges as often as there are corners [Bellman and Ford]. */
static void relax(const uint8_t *closed, double *field) {
    for (int round = 0; round < CORNERS; round++)
        for (int64_t row = 0; row < ROWS; row++)
            for (int64_t column = 0; column < COLUMNS; column++)
                for (int64_t way = 0; way < 9; way++) {
                    int64_t down = way / 3 - 1, right = way % 3 - 1, r = row + down, c = column + right;
                    if (r < 0 || c < 0 || r >= ROWS || c >= COLUMNS || way == 4) continue;
                    double length = edge(closed, row, column, down, right);
                    if (length >= GB_FAR) continue;
                    double *to = field + r * COLUMNS + c;
                    *to = gb_min(*to, field[row * COLUMNS + column] + length);
                }
}

static void test_spread(report *test) {
    uint8_t closed[(ROWS - 1) * (COLUMNS - 1)];
    double found[CORNERS], expected[CORNERS];
    static int32_t rings[3 * (8 * CORNERS + 8)];
    int64_t shares[] = {0, 30, 60};
    for (int round = 0; round < 30; round++) {
        for (size_t cell = 0; cell < sizeof closed; cell++) closed[cell] = random_below(test, 100) < shares[round % 3];
        for (int64_t corner = 0; corner < CORNERS; corner++) found[corner] = GB_FAR;
        for (int source = 0; source < 3; source++) {
            int64_t corner = random_below(test, CORNERS);
            found[corner] = random_between(test, 0.0, 1.5);
        }
        memcpy(expected, found, sizeof found);
        relax(closed, expected);
        gb_field_spread(closed, ROWS, COLUMNS, found, rings);
        for (int64_t corner = 0; corner < CORNERS; corner++) {
            if (expected[corner] >= GB_FAR) CHECK_SAME(test, found[corner], GB_FAR);
            else CHECK_NEAR(test, found[corner], expected[corner], 1e-9);
            digest_double(test, found[corner]);
        }
    }
}

/* Inside a cell no way is shorter than from any of its corners less the distance to that corner. */
static void test_way_left(report *test) {
    double field[CORNERS];
    for (int64_t corner = 0; corner < CORNERS; corner++) field[corner] = random_between(test, 0.0, 20.0);
    for (int round = 0; round < 1000; round++) {
        double u = random_between(test, -1.0, COLUMNS), v = random_between(test, -1.0, ROWS);
        double found = gb_field_way_left(field, ROWS, COLUMNS, u, v), expected = 0.0;
        digest_double(test, found);
        if (u < 0.0 || v < 0.0 || u >= COLUMNS - 1 || v >= ROWS - 1) {
            CHECK_SAME(test, found, GB_FAR);
            continue;
        }
        for (int corner = 0; corner < 4; corner++) {
            int64_t row = (int64_t)v + corner / 2, column = (int64_t)u + corner % 2;
            double away = gb_hypot(u - (double)column, v - (double)row);
            expected = gb_max(expected, field[row * COLUMNS + column] - away);
        }
        CHECK_NEAR(test, found, expected, 1e-12);
    }
    CHECK_SAME(test, gb_field_way_left(field, ROWS, COLUMNS, NAN, 1.0), GB_FAR);
}

void test_field(report *test) {
    test_spread(test);
    test_way_left(test);
}
