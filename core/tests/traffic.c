/* What moves: laid out by the core, asked through its hash tables, against going through all records of all things. */
#include "cells.h"
#include "check.h"
#include "shapes.h"

enum { THINGS = 6, FRAMES = 80, SLOTS = THINGS * FRAMES, TABLE_ROWS = 16384, MOST_KEYS = 4096 };

typedef struct small_traffic {
    gb_traffic traffic;
    int64_t things[4 * THINGS], slots[2 * SLOTS], record_shapes[SLOTS], shape_prisms[4], prism_corners[4];
    int64_t cells[2 * TABLE_ROWS], entries[2 * TABLE_ROWS], marks[3 * TABLE_ROWS], entry_count;
    double records[GB_RECORD_COLUMNS * SLOTS];
} small_traffic;

/* A disc of 0.3 m, and a box of 1.0 by 0.2 m around its own origin, both 1 m high. */
static const double prisms[6] = {0.3, 0.0, 1.0, 0.0, 0.0, 1.0};
static const double corner_x[5] = {0.0, -0.5, 0.5, 0.5, -0.5}, corner_y[5] = {0.0, -0.1, -0.1, 0.1, 0.1};
static const double reaches[2] = {0.3, 0.51}; /* farthest points from the origin */

/* Enters a thing's slots, or those as which it rests, into cells and marks. */
static void enter(report *test, small_traffic *small, int64_t thing, const int64_t *slots, int64_t count, int64_t frame,
                  int64_t rests_after, int64_t rests_before) {
    static int64_t keys[MOST_KEYS];
    const gb_cell_level fine = {8, 2.0, 1.0}, coarse = {32, 4.0, 0.0}; /* those that look-ups expect */
    int64_t found = gb_traffic_touched_cells(small->records, slots, count, frame, &fine, keys, MOST_KEYS);
    CHECK(test, found > 0 && found < MOST_KEYS && small->entry_count + found < TABLE_ROWS / 2);
    CHECK_SAME(test, gb_traffic_touched_cells(small->records, slots, count, frame, &fine, keys, 0), found);
    gb_traffic_enter_thing(small->cells, TABLE_ROWS, small->entries, small->entry_count, keys, found, thing);
    small->entry_count += found;
    found = gb_traffic_touched_cells(small->records, slots, count, frame, &coarse, keys, MOST_KEYS);
    gb_traffic_enter_marks(small->marks, TABLE_ROWS, keys, found, rests_after, rests_before);
}

/* A thing that goes to and fro between random places while it turns, sets out at some frame, and stays or goes at the end. */
static void add_thing(report *test, small_traffic *small, int64_t thing) {
    double times[3] = {0.0, random_between(test, 0.5, 1.5), 2.0}, poses[9], heights[6], first[FRAMES], middle[FRAMES],
           last[FRAMES], placed[6 * FRAMES];
    for (int key = 0; key < 3; key++) {
        poses[3 * key] = random_between(test, -8.0, 8.0);
        poses[3 * key + 1] = random_between(test, -8.0, 8.0);
        poses[3 * key + 2] = random_between(test, -3.0, 3.0);
        heights[2 * key] = random_between(test, 0.0, 0.5);
        heights[2 * key + 1] = heights[2 * key] + 1.0;
    }
    int64_t begin = random_below(test, 20), shape = thing % 2, stays = random_below(test, 2);
    for (int64_t frame = 0; frame < FRAMES; frame++) {
        middle[frame] = 2.0 * (double)frame / (FRAMES - 1);
        first[frame] = gb_max(0.0, middle[frame] - 1.0 / (FRAMES - 1));
        last[frame] = gb_min(2.0, middle[frame] + 1.0 / (FRAMES - 1));
    }
    gb_trajectory trajectory = {3, times, poses, heights, reaches[shape]};
    gb_traffic_place_stretches(&trajectory, first, middle, last, FRAMES, placed);
    for (int64_t frame = 0; frame < FRAMES; frame++) {
        int64_t slot = thing * FRAMES + frame;
        const double *at = placed + 6 * frame;
        double *record = small->records + GB_RECORD_COLUMNS * slot;
        double values[GB_RECORD_COLUMNS] = {at[0], at[1], reaches[shape] + at[5], at[3], at[4], at[0], at[1], gb_cos(at[2]),
                                            gb_sin(at[2]), at[5]};
        memcpy(record, values, sizeof values);
        small->record_shapes[slot] = shape;
        small->slots[2 * slot] = slot;
        small->slots[2 * slot + 1] = slot + 1;
        for (int column = 0; column < 6; column++) CHECK(test, at[column] == at[column]);
    }
    int64_t row[4] = {begin, begin + FRAMES - 1, thing * FRAMES, stays ? 1000000 : begin + FRAMES - 1};
    memcpy(small->things + 4 * thing, row, sizeof row);
    const int64_t *slots = small->slots + 2 * thing * FRAMES;
    enter(test, small, thing, slots, FRAMES, begin, 1000000, -1);
    enter(test, small, thing, slots, 1, GB_RESTING, 1000000, begin);
    if (stays) enter(test, small, thing, slots + 2 * (FRAMES - 1), 1, GB_RESTING, begin + FRAMES - 1, -1);
    small->traffic.last_change = gb_most(small->traffic.last_change, row[1]);
}

static void lay_out(report *test, small_traffic *small) {
    memset(small, 0, sizeof *small);
    for (int64_t row = 0; row < TABLE_ROWS; row++) small->cells[2 * row] = small->marks[3 * row] = GB_FREE;
    gb_traffic *traffic = &small->traffic;
    traffic->things = small->things;
    traffic->slots = small->slots;
    traffic->records = small->records;
    traffic->record_shapes = small->record_shapes;
    traffic->shape_prisms = small->shape_prisms;
    traffic->prisms = prisms;
    traffic->prism_corners = small->prism_corners;
    traffic->corner_x = corner_x;
    traffic->corner_y = corner_y;
    traffic->cell_rows = traffic->mark_rows = TABLE_ROWS;
    traffic->cells = small->cells;
    traffic->entries = small->entries;
    traffic->marks = small->marks;
    traffic->horizon = 1000;
    small->shape_prisms[1] = small->shape_prisms[2] = small->prism_corners[1] = small->prism_corners[2] = 1;
    small->shape_prisms[3] = 2;
    small->prism_corners[3] = 5;
    for (int64_t thing = 0; thing < THINGS; thing++) add_thing(test, small, thing);
}

/* Whether a cylinder meets a thing, by its record at the frame; `by` is how much room there is. */
static int meets(const small_traffic *small, int64_t thing, double x, double y, double radius, double low, double high,
                 int64_t frame, double *by) {
    const int64_t *row = small->things + 4 * thing;
    *by = INFINITY;
    if (frame > row[3]) return 0;
    int64_t slot = row[2] + gb_least(gb_most(frame, row[0]), row[1]) - row[0], shape = small->record_shapes[slot];
    const double *record = small->records + GB_RECORD_COLUMNS * slot;
    double own_x = record[7] * (x - record[5]) + record[8] * (y - record[6]);
    double own_y = record[7] * (y - record[6]) - record[8] * (x - record[5]);
    const double *prism = prisms + 3 * shape;
    if (low > gb_min(record[4], prism[2]) || high < gb_max(record[3], prism[1])) return 0;
    *by = gb_convex_distance(corner_x, corner_y, small->prism_corners[2 * shape], small->prism_corners[2 * shape + 1],
                             own_x, own_y) - prism[0] - record[9] - radius;
    return *by <= 0.0;
}

static int is_met(const small_traffic *small, double x, double y, double radius, double low, double high, int64_t frame,
                  double *narrowest) {
    int met = 0;
    *narrowest = INFINITY;
    for (int64_t thing = 0; thing < THINGS; thing++) {
        double by;
        met |= meets(small, thing, x, y, radius, low, high, frame, &by);
        *narrowest = gb_min(*narrowest, gb_abs(by));
    }
    return met;
}

static void test_asking(report *test, const small_traffic *small) {
    int met_count = 0, quiet_count = 0;
    for (int round = 0; round < 600; round++) {
        double x = random_between(test, -9.0, 9.0), y = random_between(test, -9.0, 9.0), narrowest;
        double radius = random_between(test, 0.0, random_below(test, 3) ? 1.0 : 3.0), low = random_between(test, -0.5, 1.2);
        int64_t frame = random_below(test, 130);
        int64_t found = gb_traffic_disc_blocker(&small->traffic, x, y, radius, low, low + 0.3, frame);
        int met = is_met(small, x, y, radius, low, low + 0.3, frame, &narrowest);
        DIGEST(test, found);
        if (narrowest > 1e-9) CHECK_SAME(test, found != GB_NOTHING, met);
        if (found >= 0) CHECK(test, meets(small, found, x, y, radius + 1e-9, low, low + 0.3, frame, &narrowest));
        met_count += met;
        int64_t until = frame + random_below(test, 40);
        if (gb_traffic_is_quiet(&small->traffic, x, y, radius, frame, until)) {
            quiet_count++;
            for (int64_t at = frame; at <= until; at++)
                CHECK(test, !is_met(small, x, y, radius, -9.0, 9.0, at, &narrowest) || narrowest < 1e-9);
        }
    }
    CHECK(test, met_count > 10 && quiet_count > 10);
}

/* Placements grow by how far a mover gets within a stretch: no place that it goes through is farther from the middle. */
static void test_stretches(report *test) {
    for (int round = 0; round < 200; round++) {
        double times[4], poses[12], heights[8], placed[6];
        for (int key = 0; key < 4; key++) {
            times[key] = key == 0 ? 0.0 : times[key - 1] + random_between(test, 0.0, 1.0);
            for (int column = 0; column < 3; column++) poses[3 * key + column] = random_between(test, -2.0, 2.0);
            heights[2 * key] = random_between(test, 0.0, 1.0);
            heights[2 * key + 1] = heights[2 * key] + random_between(test, 0.1, 1.0);
        }
        gb_trajectory trajectory = {4, times, poses, heights, 0.7};
        double first = random_between(test, 0.0, times[3]), last = random_between(test, first, times[3]);
        double middle = 0.5 * (first + last);
        gb_traffic_place_stretches(&trajectory, &first, &middle, &last, 1, placed);
        for (int step = 0; step <= 50; step++) {
            double at = first + (last - first) * step / 50.0, one[6];
            gb_traffic_place_stretches(&trajectory, &at, &at, &at, 1, one);
            double away = gb_hypot(one[0] - placed[0], one[1] - placed[1]);
            double turned = gb_min(gb_abs(one[2] - placed[2]), 2.0);
            CHECK(test, away + 0.7 * turned <= placed[5] + 1e-9);
            CHECK(test, placed[3] <= one[3] + 1e-12 && one[4] <= placed[4] + 1e-12);
            CHECK_NEAR(test, one[5], 0.0, 1e-12);
        }
        for (int column = 0; column < 6; column++) digest_double(test, placed[column]);
    }
}

static void test_rehash(report *test, const small_traffic *small) {
    static int64_t larger[4 * TABLE_ROWS];
    for (int64_t row = 0; row < 2 * TABLE_ROWS; row++) larger[2 * row] = GB_FREE;
    gb_traffic_rehash(small->cells, TABLE_ROWS, 2, larger, 2 * TABLE_ROWS);
    int64_t count = 0;
    for (int64_t row = 0; row < TABLE_ROWS; row++) {
        int64_t key = small->cells[2 * row];
        if (key == GB_FREE) continue;
        count++;
        CHECK(test, key >= 0);
        CHECK_SAME(test, larger[2 * gb_find_row(larger, 2 * TABLE_ROWS, 2, key) + 1], small->cells[2 * row + 1]);
    }
    for (int64_t row = 0; row < 2 * TABLE_ROWS; row++) count -= larger[2 * row] != GB_FREE;
    CHECK_SAME(test, count, 0);
}

/* ---- Movers that are placed when they are asked for ---- */

enum { MOVERS = 5, KEYS = 3, HORIZON = 120, MOVER_BLOCKS = HORIZON / GB_MOVER_BLOCK + 1, SIDE_CELLS = 8, MOVER_ROOM = 40000 };

typedef struct small_movers {
    gb_movers movers;
    gb_traffic traffic;
    int64_t first_key[MOVERS + 1], thing[MOVERS], shape[MOVERS], things[4 * MOVERS];
    double times[MOVERS * KEYS], poses[3 * MOVERS * KEYS], heights[2 * MOVERS * KEYS], reach[MOVERS], outline[3 * MOVERS];
    uint8_t repeat[MOVERS];
    gb_mover_span span[MOVERS];
    int64_t first_entry[MOVER_BLOCKS * SIDE_CELLS * SIDE_CELLS], ends[SIDE_CELLS * SIDE_CELLS];
    gb_mover_near entries[MOVER_ROOM], circles[MOVERS];
    int64_t shape_prisms[4], prism_corners[4], cells[2], marks[3];
} small_movers;

static void add_mover(report *test, small_movers *small, int64_t mover) {
    double time = random_between(test, -3.0, -0.5); /* what rests would be in cells, which are empty here */
    for (int64_t key = mover * KEYS; key < (mover + 1) * KEYS; key++) {
        small->times[key] = time;
        time += random_between(test, 0.3, 2.0);
        small->poses[3 * key] = random_between(test, -8.0, 8.0);
        small->poses[3 * key + 1] = random_between(test, -8.0, 8.0);
        small->poses[3 * key + 2] = random_between(test, -3.0, 3.0);
        small->heights[2 * key] = random_between(test, 0.0, 0.5);
        small->heights[2 * key + 1] = small->heights[2 * key] + 1.0;
    }
    small->first_key[mover + 1] = (mover + 1) * KEYS;
    small->repeat[mover] = (uint8_t)(random_below(test, 2) ? GB_LOOP : GB_BOUNCE);
    small->shape[mover] = mover % 2;
    small->thing[mover] = mover;
    small->reach[mover] = small->outline[3 * mover + 2] = reaches[mover % 2];
}

static void lay_movers_out(report *test, small_movers *small) {
    memset(small, 0, sizeof *small);
    gb_movers movers = {MOVERS, 10.0, HORIZON, small->first_key, small->times, small->poses, small->heights, small->repeat,
                        small->reach, small->outline, small->thing, small->shape, small->span, 4.0, -SIDE_CELLS / 2,
                        -SIDE_CELLS / 2, SIDE_CELLS, SIDE_CELLS, MOVER_BLOCKS, 0, small->first_entry, small->entries, 0,
                        small->ends, small->circles};
    gb_traffic traffic = {small->things, 0, 0, 0, small->shape_prisms, prisms, small->prism_corners, corner_x, corner_y, 1,
                          small->cells, 0, 1, small->marks, HORIZON, 0, HORIZON, 0, &small->movers};
    for (int64_t mover = 0; mover < MOVERS; mover++) add_mover(test, small, mover);
    small->movers = movers;
    small->traffic = traffic;
    small->cells[0] = small->marks[0] = GB_FREE;
    small->shape_prisms[1] = small->shape_prisms[2] = small->prism_corners[1] = small->prism_corners[2] = 1;
    small->shape_prisms[3] = 2;
    small->prism_corners[3] = 5;
    gb_movers_bound(&small->movers);
    CHECK(test, gb_movers_room(&small->movers) <= MOVER_ROOM);
    for (int64_t mover = 0; mover < MOVERS; mover++) {
        int64_t row[4] = {small->span[mover].first, small->span[mover].last, -1 - mover, 1000000};
        memcpy(small->things + 4 * mover, row, sizeof row);
    }
}

/* Asks for the same before anything is laid out, when a part is, and when all is. */
static void test_movers(report *test, small_movers *small) {
    enum { ASKED = 300 };
    static int64_t met[ASKED], quiet[ASKED];
    static double asked[ASKED][4];
    int met_count = 0, quiet_count = 0;
    for (int pass = 0; pass < 3; pass++) {
        if (pass > 0) gb_movers_lay_out(&small->movers, pass == 1 ? HORIZON / 2 : 0, HORIZON);
        for (int number = 0; number < ASKED; number++) {
            double *at = asked[number];
            if (pass == 0) {
                at[0] = random_between(test, -12.0, 12.0);
                at[1] = random_between(test, -12.0, 12.0);
                at[2] = random_between(test, 0.0, 3.0);
                at[3] = (double)random_below(test, HORIZON - 40);
            }
            int64_t found = gb_traffic_disc_blocker(&small->traffic, at[0], at[1], at[2], 0.2, 0.9, (int64_t)at[3]);
            int64_t is_quiet = gb_traffic_is_quiet(&small->traffic, at[0], at[1], at[2], (int64_t)at[3], (int64_t)at[3] + 20);
            if (pass == 0) met[number] = found != GB_NOTHING, quiet[number] = is_quiet;
            CHECK_SAME(test, found != GB_NOTHING, met[number]);
            CHECK_SAME(test, is_quiet, quiet[number]);
            CHECK(test, !is_quiet || found == GB_NOTHING);
            DIGEST(test, found);
            met_count += found != GB_NOTHING;
            quiet_count += (int)is_quiet;
        }
    }
    CHECK(test, small->movers.known == MOVER_BLOCKS && met_count > 10 && quiet_count > 10);
}

/* The records of a frame are on the way, and hold the disc or box that is asked about. */
static void test_placing(report *test, small_movers *small) {
    for (int64_t mover = 0; mover < MOVERS; mover += 2) small->repeat[mover] = GB_ONCE;
    gb_movers_bound(&small->movers);
    double records[5 * GB_RECORD_COLUMNS];
    for (int64_t mover = 0; mover < MOVERS; mover++)
        for (int64_t frame = 0; frame <= HORIZON; frame++) {
            int64_t count = gb_movers_place(&small->movers, mover, frame, records);
            const gb_mover_span *span = small->span + mover;
            CHECK(test, count >= 1 && count <= 5 && span->first <= span->last);
            for (const double *record = records; record < records + GB_RECORD_COLUMNS * count; record += GB_RECORD_COLUMNS) {
                CHECK(test, record[5] >= span->least_x - 1e-9 && record[5] <= span->greatest_x + 1e-9);
                CHECK(test, record[6] >= span->least_y - 1e-9 && record[6] <= span->greatest_y + 1e-9);
                CHECK(test, record[2] <= span->around && record[9] >= 0.0);
                digest_double(test, record[0]);
            }
        }
}

void test_traffic(report *test) {
    static small_traffic small;
    static small_movers moving;
    for (int round = 0; round < 5; round++) {
        lay_out(test, &small);
        test_asking(test, &small);
    }
    test_rehash(test, &small);
    test_stretches(test);
    for (int round = 0; round < 5; round++) {
        lay_movers_out(test, &moving);
        test_movers(test, &moving);
        test_placing(test, &moving);
    }
}
