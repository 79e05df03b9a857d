/* Coarse maps against the distances to all pieces, and the nearest open cell against all of them. */
#include "map.h"

#include "small_world.h"

enum { MAP_SIDE = 24, MAP_CELLS = MAP_SIDE * MAP_SIDE };

#define MAP_CELL 0.4 /* metres: 20 cells of the world, and two on each side that are its border */

typedef struct small_map {
    gb_map map;
    uint8_t price[MAP_CELLS], crossing[MAP_CELLS];
    uint16_t notes[MAP_CELLS];
} small_map;

static const gb_map_style STYLE = {0.3, 0.9, 3.0, 0.4, 2.5, 2.0, 0.3};

static void small_map_begin(small_map *small) {
    gb_map map = {-GB_MAP_BORDER * MAP_CELL, -GB_MAP_BORDER * MAP_CELL, MAP_CELL, MAP_SIDE, MAP_SIDE,
                  0, 0, 0, 0, 0, 0, 0};
    small->map = map;
    small->map.price = small->price;
    small->map.crossing = small->crossing;
    small->map.notes = small->notes;
    small->map.style = &STYLE;
}

static double middle(int64_t number) { return ((double)(number - GB_MAP_BORDER) + 0.5) * MAP_CELL; }

static int is_border(int64_t number) { return number < GB_MAP_BORDER || number >= MAP_SIDE - GB_MAP_BORDER; }

/* The price of a cell that is this far from all that is closed; distances are noted rounded down, in 200 steps. */
static int price_within(double room, double edge, int is_crossed) {
    room = gb_min(gb_floor(gb_max(0.0, gb_min(room, STYLE.roomy_m)) / STYLE.roomy_m * 200.0) * STYLE.roomy_m / 200.0, edge);
    if (room < STYLE.slim_m - 0.5 * MAP_CELL) return GB_MAP_CLOSED;
    double times = is_crossed ? STYLE.crossing : 1.0;
    if (room < STYLE.slim_m + 0.125 * MAP_CELL) times *= STYLE.tight;
    else if (room < STYLE.roomy_m) times *= 1.0 + STYLE.narrow * (STYLE.roomy_m - room) / STYLE.roomy_m;
    return (int)(GB_MAP_FREE * times + 0.5);
}

static void check_prices(report *test, const small_world *small, const uint8_t *kinds, const small_map *drawn) {
    for (int64_t cell = 0; cell < MAP_CELLS; cell++) {
        int64_t row = cell / MAP_SIDE, column = cell % MAP_SIDE;
        double x = middle(column), y = middle(row), room = 1e9, crossed = 1e9;
        for (int64_t piece = 0; piece < small->world.pieces.count; piece++) {
            double gap = small_gap(&small->world.pieces, piece, x, y);
            if (kinds[piece] == GB_PIECE_CLOSED) room = gb_min(room, gap);
            if (kinds[piece] == GB_PIECE_CROSSED) crossed = gb_min(crossed, gap);
        }
        int out = is_border(row) || is_border(column), is_crossed = !out && crossed < STYLE.slim_m;
        double edge = gb_min(gb_min(x, SMALL_SIDE - x), gb_min(y, SMALL_SIDE - y));
        CHECK_SAME(test, drawn->crossing[cell], is_crossed);
        if (out) CHECK_SAME(test, drawn->price[cell], GB_MAP_CLOSED);
        else /* a distance next to a step may be noted as either */
            CHECK(test, drawn->price[cell] == price_within(room - 1e-9, edge, is_crossed) ||
                            drawn->price[cell] == price_within(room + 1e-9, edge, is_crossed));
        DIGEST(test, drawn->price[cell]);
    }
}

static void check_open_cell(report *test, small_map *drawn) {
    double x = random_between(test, -1.5, 9.5), y = random_between(test, -1.5, 9.5), within = random_between(test, 0.0, 2.0);
    int64_t cell = gb_map_cell(&drawn->map, x, y), found = gb_map_open_cell(&drawn->map, x, y, within);
    double nearest = 1e9, away = 1e9;
    for (int64_t other = 0; other < MAP_CELLS; other++) {
        if (drawn->price[other] == GB_MAP_CLOSED) continue;
        double gap = gb_hypot(middle(other % MAP_SIDE) - x, middle(other / MAP_SIDE) - y);
        nearest = gb_min(nearest, gap);
        if (other == found) away = gap;
    }
    DIGEST(test, found);
    if (cell >= 0 && drawn->price[cell] != GB_MAP_CLOSED) CHECK_SAME(test, found, cell);
    else if (cell < 0 || nearest >= within) CHECK_SAME(test, found, GB_NOTHING);
    else CHECK_NEAR(test, away, nearest, 1e-12);
}

void test_map(report *test) {
    static small_world small;
    static small_map drawn;
    uint8_t kinds[SMALL_PIECES];
    for (int round = 0; round < 40; round++) {
        small_world_random(test, &small);
        for (int piece = 0; piece < SMALL_PIECES; piece++) kinds[piece] = (uint8_t)random_below(test, 3);
        small_map_begin(&drawn);
        drawn.map.world = &small.world;
        drawn.map.kinds = kinds;
        gb_map_begin(&drawn.map);
        if (round % 2) DIGEST(test, gb_map_open_cell(&drawn.map, 1.0, 7.0, 1.0)); /* a part is drawn before the rest */
        gb_map_draw(&drawn.map);
        check_prices(test, &small, kinds, &drawn);
        for (int asked = 0; asked < 50; asked++) check_open_cell(test, &drawn);
    }
}
