/* Distance fields against going over all edges until nothing changes, asked for in any order. */
#include "field.h"

#include "check.h"

enum { ROWS = 9, COLUMNS = 12, CORNERS = (ROWS + 1) * (COLUMNS + 1), SHIFT = 4, LABELS = (ROWS + 1) << SHIFT };
enum { ROOM = 2 * CORNERS + 8, FAR_AWAY = 1 << 20 };

/* A field of its own memory. */
typedef struct own_field {
    gb_field field;
    gb_closed_cells cells;
    uint8_t closed[ROWS * COLUMNS];
    int32_t labels[LABELS];
    gb_field_entry queue[ROOM];
} own_field;

/* Whether a cell lies inside the grid and is open. */
static int is_open(const uint8_t *closed, int64_t row, int64_t column) {
    return row >= 0 && column >= 0 && row < ROWS && column < COLUMNS && !closed[row * COLUMNS + column];
}

/* The length of the edge between two neighbouring corners, or FAR_AWAY: along an open cell, or across one. */
static int64_t edge(const uint8_t *closed, int64_t row, int64_t column, int64_t down, int64_t right) {
    int64_t above = row + gb_least(down, 0), beside = column + gb_least(right, 0);
    if (down != 0 && right != 0) return is_open(closed, above, beside) ? GB_FIELD_ACROSS : FAR_AWAY;
    if (down == 0) return is_open(closed, row - 1, beside) || is_open(closed, row, beside) ? GB_FIELD_ALONG : FAR_AWAY;
    return is_open(closed, above, column - 1) || is_open(closed, above, column) ? GB_FIELD_ALONG : FAR_AWAY;
}

/* Shortest ways by relaxing all edges as often as there are corners [Bellman and Ford]. */
static void relax(const uint8_t *closed, int64_t *ways) {
    for (int round = 0; round < CORNERS; round++)
        for (int64_t row = 0; row <= ROWS; row++)
            for (int64_t column = 0; column <= COLUMNS; column++)
                for (int64_t way = 0; way < 9; way++) {
                    int64_t down = way / 3 - 1, right = way % 3 - 1, r = row + down, c = column + right;
                    if (r < 0 || c < 0 || r > ROWS || c > COLUMNS || way == 4) continue;
                    int64_t length = edge(closed, row, column, down, right);
                    int64_t *to = ways + r * (COLUMNS + 1) + c;
                    *to = gb_least(*to, ways[row * (COLUMNS + 1) + column] + length);
                }
}

static void begin(report *test, own_field *own, int64_t share, double x, double y, double within_m) {
    gb_closed_cells cells = {0.0, 0.0, 1.0, ROWS, COLUMNS, own->closed, {0, 0, 0, 0}};
    memset(own, 0, sizeof *own);
    for (size_t cell = 0; cell < sizeof own->closed; cell++) own->closed[cell] = random_below(test, 100) < share;
    own->cells = cells;
    own->field.cells = &own->cells;
    own->field.shift = SHIFT;
    own->field.labels = own->labels;
    own->field.room = ROOM;
    own->field.queue = own->queue;
    double aim_x = random_between(test, -1.0, (double)COLUMNS + 1.0), aim_y = random_between(test, -1.0, (double)ROWS + 1.0);
    gb_field_aim(&own->field, aim_x, aim_y);
    gb_field_begin(&own->field, x, y, within_m);
}

static void set_sources(const own_field *own, int64_t *ways, double x, double y, double within_m) {
    for (int64_t corner = 0; corner < CORNERS; corner++) ways[corner] = FAR_AWAY;
    for (int64_t row = 0; row < ROWS; row++)
        for (int64_t column = 0; column < COLUMNS; column++) {
            double left = (double)column, low = (double)row;
            double aside = gb_max(0.0, gb_max(left - x, x - left - 1.0)), along = gb_max(0.0, gb_max(low - y, y - low - 1.0));
            if (aside * aside + along * along > within_m * within_m || !is_open(own->closed, row, column)) continue;
            for (int64_t corner = 0; corner < 4; corner++)
                ways[(row + corner / 2) * (COLUMNS + 1) + column + corner % 2] = 0;
        }
}

static void test_distances(report *test) {
    static own_field own;
    int64_t expected[CORNERS], shares[] = {0, 30, 60};
    for (int round = 0; round < 60; round++) {
        double x = random_between(test, 0.0, COLUMNS), y = random_between(test, 0.0, ROWS);
        double within_m = random_between(test, 0.1, 2.0);
        begin(test, &own, shares[round % 3], x, y, within_m);
        set_sources(&own, expected, x, y, within_m);
        relax(own.closed, expected);
        for (int asked = 0; asked < 3 * CORNERS; asked++) {
            int64_t corner = asked < CORNERS ? random_below(test, CORNERS) : asked % CORNERS;
            int64_t row = corner / (COLUMNS + 1), column = corner % (COLUMNS + 1);
            if (asked % 16 == 15) {
                double aim_x = random_between(test, 0.0, COLUMNS), aim_y = random_between(test, 0.0, ROWS);
                gb_field_aim(&own.field, aim_x, aim_y);
            }
            int64_t found = gb_field_distance(&own.field, row, column);
            CHECK_SAME(test, found, expected[corner] >= FAR_AWAY ? -1 : expected[corner]);
            DIGEST(test, found);
        }
    }
}

/* Inside a cell no way is shorter than from any of its corners less the distance to that corner. */
static void test_way_left(report *test) {
    static own_field own;
    for (int round = 0; round < 1000; round++) {
        if (round % 50 == 0) begin(test, &own, 20, 3.5, 4.5, 0.7);
        double u = random_between(test, -1.0, (double)COLUMNS + 1.0), v = random_between(test, -1.0, (double)ROWS + 1.0);
        double found = gb_field_way_left(&own.field, u, v), expected = 0.0;
        digest_double(test, found);
        int is_inside = u >= 0.0 && v >= 0.0 && u < (double)COLUMNS && v < (double)ROWS;
        for (int corner = 0; corner < 4 && is_inside; corner++) {
            int64_t row = (int64_t)v + corner / 2, column = (int64_t)u + corner % 2;
            int64_t distance = gb_field_distance(&own.field, row, column);
            double left = gb_max(0.0, (double)distance / GB_FIELD_ALONG / 1.0823922002923940 - sqrt(2.0));
            if (distance < 0) is_inside = 0; /* nobody gets here */
            else expected = gb_max(expected, left - gb_hypot(u - (double)column, v - (double)row));
        }
        if (is_inside) CHECK_NEAR(test, found, expected, 1e-12);
        else CHECK_SAME(test, found, GB_FAR);
    }
    CHECK_SAME(test, gb_field_way_left(&own.field, NAN, 1.0), GB_FAR);
}

void test_field(report *test) {
    test_distances(test);
    test_way_left(test);
}
