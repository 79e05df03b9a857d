/* Ways over coarse maps against going over all steps until nothing changes. */
#include "map.h"

#include "check.h"

enum { WAY_SIDE = 20, WAY_CELLS = WAY_SIDE * WAY_SIDE, SIXTEEN = 16, FAR_OFF = 1 << 28 };

#define WAY_CELL 0.5
#define FREE_CELL (5 * GB_MAP_FREE) /* units that a cell of free ground costs */
#define BUCKET 16                   /* units by which cells may be settled out of order */

/* Steps: rows, columns, then two cells that must be open too, and fifths of a cell. */
static const int STEPS[SIXTEEN / 4][7] = {
    {0, 1, 0, 1, 0, 1, 5}, {1, 1, 0, 1, 1, 0, 7}, {1, 2, 0, 1, 1, 1, 11}, {2, 1, 1, 0, 1, 1, 11}};

static void draw_random(report *test, gb_map *map) {
    int64_t share = 15 * random_below(test, 3);
    for (int64_t cell = 0; cell < WAY_CELLS; cell++) {
        int64_t row = cell / WAY_SIDE, column = cell % WAY_SIDE, edge = WAY_SIDE - GB_MAP_BORDER;
        int is_border = row < GB_MAP_BORDER || column < GB_MAP_BORDER || row >= edge || column >= edge;
        int is_closed = random_below(test, 100) < share;
        int64_t price = random_below(test, 2) ? GB_MAP_FREE : GB_MAP_FREE * (1 + random_below(test, 8));
        map->price[cell] = is_border || is_closed ? GB_MAP_CLOSED : (uint8_t)price;
        map->crossing[cell] = 0;
    }
}

static int64_t random_open(report *test, const gb_map *map) {
    int64_t cell = 0;
    while (map->price[cell] == GB_MAP_CLOSED) cell = random_below(test, WAY_CELLS);
    return cell;
}

/* Lowers what a step to a cell costs; returns whether that changed anything. */
static int relax_step(const gb_map *map, int32_t *best, int64_t cell, const int *step, int turn) {
    int to[3][2];
    for (int part = 0; part < 3; part++) { /* a quarter turn each */
        int rows = step[2 * part], columns = step[2 * part + 1];
        for (int times = 0; times < turn; times++) {
            int kept = rows;
            rows = columns;
            columns = -kept;
        }
        to[part][0] = rows;
        to[part][1] = columns;
    }
    int64_t next = cell + to[0][0] * WAY_SIDE + to[0][1];
    for (int part = 0; part < 3; part++)
        if (map->price[cell + to[part][0] * WAY_SIDE + to[part][1]] == GB_MAP_CLOSED) return 0;
    int32_t total = best[cell] + step[6] * (map->price[cell] + map->price[next]) / 2;
    if (total >= best[next]) return 0;
    best[next] = total;
    return 1;
}

/* The least costs to a cell by relaxing all steps until nothing changes [Bellman and Ford]. */
static void relax(const gb_map *map, int64_t goal, int32_t *best) {
    for (int64_t cell = 0; cell < WAY_CELLS; cell++) best[cell] = FAR_OFF;
    best[goal] = 0;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t cell = 0; cell < WAY_CELLS; cell++) {
            if (best[cell] >= FAR_OFF) continue;
            for (int number = 0; number < SIXTEEN; number++)
                changed |= relax_step(map, best, cell, STEPS[number / 4], number % 4);
        }
    }
}

static double middle_of(int64_t number) { return ((double)number + 0.5) * WAY_CELL; }

void test_way(report *test) {
    static uint8_t price[WAY_CELLS], crossing[WAY_CELLS];
    static int32_t left[WAY_CELLS], buckets[GB_WAY_BUCKETS], queue[2 * 16 * WAY_CELLS], best[WAY_CELLS];
    gb_map map = {0.0, 0.0, WAY_CELL, WAY_SIDE, WAY_SIDE, price, crossing, 0, 0, 0, 0, 0};
    gb_way way;
    memset(&way, 0, sizeof way);
    way.left = left;
    way.buckets = buckets;
    way.queue = queue;
    way.queue_room = 16 * WAY_CELLS;
    for (int round = 0; round < 60; round++) {
        draw_random(test, &map);
        int64_t goal = random_open(test, &map), start = random_open(test, &map);
        double goal_x = middle_of(goal % WAY_SIDE), goal_y = middle_of(goal / WAY_SIDE);
        double start_x = middle_of(start % WAY_SIDE), start_y = middle_of(start / WAY_SIDE);
        int32_t found = gb_way_spread(&way, &map, goal_x, goal_y, 0.0, start_x, start_y, round % 2 ? 0.0 : 1e4);
        relax(&map, goal, best);
        CHECK_SAME(test, found, best[start] < FAR_OFF);
        if (found) {
            CHECK(test, left[start] <= best[start] + best[start] / 50 + BUCKET);
            CHECK_NEAR(test, gb_way_length(&way, start_x, start_y), left[start] * WAY_CELL / FREE_CELL, 1e-9);
        }
        for (int64_t cell = 0; cell < WAY_CELLS; cell++) {
            CHECK(test, left[cell] < 0 || left[cell] >= best[cell]);
            if (found && round % 2 == 0) CHECK_SAME(test, left[cell] >= 0, best[cell] < FAR_OFF);
            DIGEST(test, left[cell]);
        }
        CHECK_SAME(test, gb_way_crosses(&way, start_x, start_y, 5.0), 0);
    }
}
