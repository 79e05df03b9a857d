/* Which cells are connected, from run to run of open cells along rows; and the room around cells, in bytes. */
#include "tree.h"

static int32_t leader_of(const int32_t *leaders, int32_t run) {
    while (leaders[run] != run) run = leaders[run];
    return run;
}

/* Lets two runs have the same leader, the first of both. */
static void join(int32_t *leaders, int32_t one, int32_t other) {
    one = leader_of(leaders, one);
    other = leader_of(leaders, other);
    if (one < other) leaders[other] = one;
    else leaders[one] = other;
}

/* Numbers the runs of a row, those after `count`, and joins them with the runs of the row above, if there is any. */
static int32_t number_runs(const uint8_t *closed, int64_t columns, int32_t *row, const int32_t *above, int32_t *leaders,
                           int32_t count) {
    int32_t run = 0, joined = 0; /* the run at this column, and the one above that it was joined with last */
    for (int64_t column = 0; column < columns; column++) {
        row[column] = 0;
        if (closed[column]) {
            if (run > 0 && above && above[column] > 0) join(leaders, above[column], run); /* across the corner at its end */
            run = joined = 0;
            continue;
        }
        if (run == 0) {
            run = ++count;
            leaders[run] = run;
            if (above && column > 0 && above[column - 1] > 0) join(leaders, above[column - 1], run);
        }
        row[column] = run;
        if (above && above[column] > 0 && above[column] != joined) {
            joined = above[column];
            join(leaders, joined, run);
        }
    }
    return count;
}

int64_t gb_islands_number(const uint8_t *closed, int64_t rows, int64_t columns, int32_t *island, int32_t *leaders) {
    int32_t runs = 0, islands = 0;
    for (int64_t row = 0; row < rows; row++) {
        int32_t *here = island + row * columns;
        runs = number_runs(closed + row * columns, columns, here, row > 0 ? here - columns : 0, leaders, runs);
    }
    /* A leader is not after its run, so a run's number is known when it comes: a leader's own is put below 0. */
    leaders[0] = 0;
    for (int32_t run = 1; run <= runs; run++) {
        int32_t first = run;
        while (leaders[first] >= 0 && leaders[first] != first) first = leaders[first];
        leaders[run] = leaders[first] < 0 ? leaders[first] : -++islands;
    }
    for (int64_t cell = 0; cell < rows * columns; cell++) island[cell] = -leaders[island[cell]];
    return islands;
}
