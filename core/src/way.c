/* Ways over a coarse map to one goal: buckets of cells, sixteen directions, the nearest to the start first.
 *
 * Steps along, across and like a knight's cost 5, 7 and 11 fifths of a cell [chamfer distance]: at most 2 % off the straight
 * line.  A cell's bucket is by what it costs to the goal and at least from there to the start, so that only the cells on good
 * ways are looked at. */
#include "map.h"

#include <string.h>

#define BUCKETS GB_WAY_BUCKETS /* a power of two: more than a step may be ahead */
#define WIDTH 16      /* of a bucket: a fifth of a cell of free ground */
#define UNIT (GB_MAP_FREE * 5.0) /* what a cell of free ground costs */
#define SETTLED INT32_MIN        /* bit of cells whose costs are final */

typedef struct direction {
    int8_t rows, columns;         /* of the step */
    int8_t via_rows, via_columns; /* cells that it passes, or touches with a corner */
    int8_t also_rows, also_columns;
    int8_t fifths;
} direction;

static const direction DIRECTIONS[16] = {
    {0, 1, 0, 1, 0, 1, 5},    {1, 0, 1, 0, 1, 0, 5},    {0, -1, 0, -1, 0, -1, 5},  {-1, 0, -1, 0, -1, 0, 5},
    {1, 1, 0, 1, 1, 0, 7},    {1, -1, 0, -1, 1, 0, 7},  {-1, -1, 0, -1, -1, 0, 7}, {-1, 1, 0, 1, -1, 0, 7},
    {1, 2, 0, 1, 1, 1, 11},   {2, 1, 1, 0, 1, 1, 11},   {2, -1, 1, 0, 1, -1, 11},  {1, -2, 0, -1, 1, -1, 11},
    {-1, -2, 0, -1, -1, -1, 11}, {-2, -1, -1, 0, -1, -1, 11}, {-2, 1, -1, 0, -1, 1, 11}, {-1, 2, 0, 1, -1, 1, 11},
};

/* The least that a way between two cells can cost. */
static int32_t least_between(int64_t rows, int64_t columns) {
    int64_t far = rows < 0 ? -rows : rows, near = columns < 0 ? -columns : columns;
    if (far < near) {
        int64_t other = far;
        far = near;
        near = other;
    }
    return (int32_t)(GB_MAP_FREE * gb_most(5 * far + near, 4 * far + 3 * near));
}

static void push(gb_way *way, int64_t cell, int64_t key) {
    if (way->queued >= way->queue_room) return; /* there is room for sixteen of each cell: never */
    int32_t entry = way->queued++;
    int32_t *bucket = way->buckets + (key / WIDTH & (BUCKETS - 1));
    way->queue[2 * entry] = (int32_t)cell;
    way->queue[2 * entry + 1] = *bucket;
    *bucket = entry;
}

int32_t gb_way_spread(gb_way *way, gb_map *map, double goal_x, double goal_y, double goal_within_m, double start_x,
                      double start_y, double margin_m) {
    int64_t goal = gb_map_open_cell(map, goal_x, goal_y, goal_within_m + GB_WAY_DOUBT_M);
    int64_t start = gb_map_open_cell(map, start_x, start_y, GB_WAY_NEAR_M);
    int64_t cells = map->rows * map->columns, columns = map->columns;
    way->map = map;
    way->cells_per_m = 1.0 / map->cell_m;
    way->unit_m = map->cell_m / UNIT;
    way->goal_x = goal_x;
    way->goal_y = goal_y;
    way->start_x = start_x;
    way->start_y = start_y;
    way->beyond_m = 0.0;
    way->queued = 0;
    if (goal < 0 || start < 0) return 0;
    memset(way->left, 0xFF, (size_t)cells * sizeof *way->left); /* -1: unknown */
    for (int bucket = 0; bucket < BUCKETS; bucket++) way->buckets[bucket] = -1;
    int64_t start_row = start / columns, start_column = start % columns;
    int64_t key = least_between(goal / columns - start_row, goal % columns - start_column);
    int64_t last = INT64_MAX, margin = (int64_t)(margin_m / map->cell_m * UNIT), at = key / WIDTH, reached = at, empty = 0;
    way->left[goal] = 0;
    push(way, goal, key);
    int found = 0;
    while (at <= last && empty < BUCKETS) {
        int32_t entry = way->buckets[at & (BUCKETS - 1)];
        if (entry < 0) {
            at++;
            empty++;
            continue;
        }
        empty = 0;
        way->buckets[at & (BUCKETS - 1)] = way->queue[2 * entry + 1];
        int64_t cell = way->queue[2 * entry];
        if (way->left[cell] & SETTLED) continue;
        int32_t left = way->left[cell];
        way->left[cell] |= SETTLED;
        reached = at;
        if (cell == start) {
            found = 1;
            last = at + (margin + left / GB_WAY_MARGIN_SHARE) / WIDTH;
        }
        int64_t row = cell / columns, column = cell % columns;
        int32_t price = gb_map_price(map, cell);
        for (int number = 0; number < 16; number++) {
            const direction *to = DIRECTIONS + number;
            int64_t next = cell + to->rows * columns + to->columns;
            int32_t known = way->left[next], next_price = gb_map_price(map, next);
            if (next_price == GB_MAP_CLOSED || (known < 0 && known != -1)) continue;
            int32_t total = left + to->fifths * (price + next_price) / 2;
            if (known != -1 && known <= total) continue;
            if (number >= 4 && (gb_map_price(map, cell + to->via_rows * columns + to->via_columns) == GB_MAP_CLOSED ||
                                gb_map_price(map, cell + to->also_rows * columns + to->also_columns) == GB_MAP_CLOSED))
                continue;
            way->left[next] = total;
            int64_t next_key = total + least_between(row + to->rows - start_row, column + to->columns - start_column);
            push(way, next, gb_most(next_key, at * WIDTH));
        }
    }
    for (int64_t cell = 0; cell < cells; cell++)
        way->left[cell] = way->left[cell] == -1 ? -1 : way->left[cell] & ~SETTLED;
    if (found) way->beyond_m = (double)gb_least(last, reached) * WIDTH * way->unit_m;
    return found;
}

/* About what is left where a way was not looked for: as the crow flies, but no less than had been found otherwise. */
static double left_beyond(const gb_way *way, double x, double y) {
    double straight = gb_hypot(way->goal_x - x, way->goal_y - y) + GB_WAY_OFF_M;
    return gb_max(straight, way->beyond_m - gb_hypot(way->start_x - x, way->start_y - y));
}

double gb_way_from(const gb_way *way, double x, double y) {
    const gb_map *map = way->map;
    double u = (x - map->x0) * way->cells_per_m - 0.5, v = (y - map->y0) * way->cells_per_m - 0.5;
    if (u >= 0.0 && v >= 0.0 && u < (double)(map->columns - 1) && v < (double)(map->rows - 1)) {
        int64_t column = (int64_t)u, row = (int64_t)v;
        const int32_t *low = way->left + row * map->columns + column, *high = low + map->columns;
        double aside = u - (double)column, along = v - (double)row;
        if ((low[0] | low[1] | high[0] | high[1]) >= 0) { /* all are known */
            double before = (double)low[0] + aside * (double)(low[1] - low[0]);
            double after = (double)high[0] + aside * (double)(high[1] - high[0]);
            return (before + along * (after - before)) * way->unit_m;
        }
        double best = 0.0, weight = 0.0; /* that of the nearest known one */
        const int32_t lefts[4] = {low[0], low[1], high[0], high[1]};
        for (int number = 0; number < 4; number++) {
            double near = (number & 1 ? aside : 1.0 - aside) * (number & 2 ? along : 1.0 - along);
            if (lefts[number] >= 0 && near >= weight) {
                weight = near;
                best = (double)lefts[number];
            }
        }
        if (weight > 0.0) return best * way->unit_m;
    }
    return left_beyond(way, x, y);
}

/* Goes down the way from cell to cell, in eight directions. */
int32_t gb_way_crosses(const gb_way *way, double x, double y, double within_m) {
    gb_map *map = way->map;
    int64_t cell = gb_map_cell(map, x, y);
    if (!map->has_crossing) return 0;
    for (double gone = 0.0; cell >= 0 && gone <= within_m; gone += map->cell_m) {
        if (gb_map_crosses(map, cell)) return 1;
        int64_t best = cell;
        for (int number = 0; number < 8; number++) {
            int64_t next = cell + DIRECTIONS[number].rows * map->columns + DIRECTIONS[number].columns;
            if (next < 0 || next >= map->rows * map->columns || way->left[next] < 0) continue;
            if (way->left[best] < 0 || way->left[next] < way->left[best]) best = next;
        }
        if (best == cell) return 0;
        cell = best;
    }
    return 0;
}

double gb_way_length(const gb_way *way, double x, double y) { return gb_way_from(way, x, y); }
