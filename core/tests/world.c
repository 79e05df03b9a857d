/* Look-ups in a world against going through all that stands in it. */
#include "world.h"

#include "small_world.h"

#define NARROW 1e-9 /* metres: nearer to touching than this, either answer is right */

static double room_at(const gb_world *world, double x, double y) {
    double room = gb_room_inside(world->bounds, x, y);
    for (int64_t piece = 0; piece < world->pieces.count; piece++)
        room = gb_min(room, small_gap(&world->pieces, piece, x, y));
    return room;
}

/* More room than this is not told apart; it is counted in steps, of cells. */
static void test_clearance(report *test, gb_world *world, double x, double y) {
    double found = gb_world_clearance(world, x, y), room = room_at(world, x, y);
    digest_double(test, found);
    if (gb_room_inside(world->bounds, x, y) < 0.0) CHECK(test, found <= 0.0);
    else CHECK(test, found <= gb_max(room, 0.0) + NARROW);
    double doubt = sqrt(2.0) * world->room.cell_m + GB_ROOM_STEP;
    CHECK(test, gb_min(room, 254 * GB_ROOM_STEP) <= found + doubt + NARROW);
}

static void test_cylinder(report *test, const gb_world *world, double x, double y) {
    double radius = random_between(test, 0.0, random_below(test, 4) ? 1.0 : 3.0);
    double low = random_between(test, -0.5, 2.0), high = low + random_between(test, 0.0, 2.0);
    int64_t ignored = random_below(test, world->pieces.count + 1) - 1;
    double inside = gb_room_inside(world->bounds, x, y) - radius, slack = inside;
    for (int64_t piece = 0; piece < world->pieces.count; piece++)
        if (piece != ignored && world->pieces.bottom[piece] < high && low < world->pieces.top[piece])
            slack = gb_min(slack, small_gap(&world->pieces, piece, x, y) - radius);
    int32_t is_free = gb_world_disc_is_free(world, x, y, radius, low, high, ignored);
    int64_t met = gb_world_blocking_obstacle(world, x, y, radius, low, high, ignored);
    DIGEST(test, is_free);
    DIGEST(test, met);
    if (gb_abs(slack) > NARROW) {
        CHECK_SAME(test, is_free, slack > 0.0);
        CHECK_SAME(test, met == GB_NOTHING, slack > 0.0);
    }
    if (met == GB_BOUNDS) CHECK(test, inside < NARROW);
    if (met >= 0) {
        CHECK(test, met != ignored && world->pieces.bottom[met] < high && low < world->pieces.top[met]);
        CHECK(test, small_gap(&world->pieces, met, x, y) < radius + NARROW);
    }
}

static void test_specials(report *test, const gb_world *world, double x, double y) {
    const gb_specials *specials = &world->specials;
    int inside = gb_room_inside(world->bounds, x, y) >= 0.0;
    for (int64_t kind = 0; kind < 2; kind++) {
        int64_t found = GB_NOTHING;
        for (int64_t obstacle = 0; obstacle < world->pieces.obstacles; obstacle++) {
            int32_t special = specials->of_obstacle[obstacle];
            double away = small_gap(&world->pieces, obstacle, x, y);
            CHECK_SAME(test, gb_world_near_special(world, obstacle, x, y), special >= 0 && away <= specials->near_m[special]);
            CHECK_SAME(test, gb_world_within_special(world, obstacle, x, y),
                       special >= 0 && away <= specials->within_m[special]);
            CHECK_SAME(test, gb_world_distance_to_obstacle(world, obstacle, x, y), away);
            if (special < 0 || specials->kind[special] != kind || away > specials->near_m[special] || !inside) continue;
            found = gb_world_first_special_near(world, kind, x, y, found);
            CHECK_SAME(test, found, obstacle);
        }
        CHECK_SAME(test, gb_world_first_special_near(world, kind, x, y, found), GB_NOTHING);
        DIGEST(test, found);
    }
}

/* A terrain of 3 rows and 4 columns of points, half a metre apart: bilinear, flat beyond its edges. */
static void test_ground(report *test, gb_world *world) {
    static const double heights[12] = {0.0, 0.1, 0.3, 0.2, 0.0, 0.4, 0.5, 0.1, 0.2, 0.2, 0.0, 0.3};
    static const double steepness[12] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6};
    CHECK_SAME(test, gb_world_ground_height(world, 1.0, 2.0), 0.0);
    CHECK_SAME(test, gb_world_ground_steepness(world, 1.0, 2.0, 9.0), 0.0);
    gb_ground *ground = &world->ground;
    ground->has_terrain = 1;
    ground->x0 = 1.0;
    ground->y0 = 2.0;
    ground->cell_m = 0.5;
    ground->rows = 3;
    ground->columns = 4;
    ground->heights = heights;
    ground->steepness = steepness;
    ground->near_m = 1.0;
    ground->far_m = 3.5;
    ground->steepest = 2.0;
    for (int round = 0; round < 500; round++) {
        double x = random_between(test, 0.5, 3.0), y = random_between(test, 1.5, 3.5);
        double u = gb_min(gb_max((x - 1.0) / 0.5, 0.0), 3.0), v = gb_min(gb_max((y - 2.0) / 0.5, 0.0), 2.0);
        double expected = 0.0; /* each point counts by how near it is */
        for (int point = 0; point < 12; point++)
            expected += heights[point] * gb_max(0.0, 1.0 - gb_abs(u - point % 4)) * gb_max(0.0, 1.0 - gb_abs(v - point / 4));
        double found = gb_world_ground_height(world, x, y);
        CHECK_NEAR(test, found, expected, 1e-12);
        digest_double(test, found);
        int64_t cell = gb_least((int64_t)v, 1) * 3 + gb_least((int64_t)u, 2);
        CHECK_SAME(test, gb_world_ground_steepness(world, x, y, 0.9), steepness[cell]);
        CHECK_SAME(test, gb_world_ground_steepness(world, x, y, 3.0), steepness[6 + cell]);
        CHECK_SAME(test, gb_world_ground_steepness(world, x, y, 4.0), 2.0);
    }
    CHECK_NEAR(test, gb_world_ground_slope(world, 1.25, 2.0, 0.0), 0.2, 1e-12);
    CHECK_NEAR(test, gb_world_ground_slope(world, 1.0, 2.75, 0.5 * GB_HALF_TURN), 0.4, 1e-12);
    CHECK_NEAR(test, gb_world_ground_slope(world, 1.25, 2.0, GB_HALF_TURN), -0.2, 1e-12);
}

void test_world(report *test) {
    static small_world small;
    for (int round = 0; round < 40; round++) {
        small_world_random(test, &small);
        for (int place = 0; place < 120; place++) {
            double x = random_between(test, -0.5, SMALL_SIDE + 0.5), y = random_between(test, -0.5, SMALL_SIDE + 0.5);
            if (place < 20) CHECK_SAME(test, small.is_known[0], 0); /* nothing is laid out, and answers are the same */
            else test_clearance(test, &small.world, x, y);
            test_cylinder(test, &small.world, x, y);
            test_specials(test, &small.world, x, y);
        }
    }
    test_ground(test, &small.world);
    /* What is no number is not free, and touching is not meeting. */
    small_world_begin(&small);
    small_world_add(&small, 5.0, 5.0, 2.0, 2.0, 0.0, 1.5, 2.0);
    small_world_end(&small);
    CHECK_SAME(test, gb_world_disc_is_free(&small.world, NAN, 1.0, 0.1, 0.0, 1.0, -1), 0);
    CHECK_SAME(test, gb_world_disc_is_free(&small.world, 1.0, 1.0, NAN, 0.0, 1.0, -1), 0);
    CHECK_SAME(test, gb_world_disc_is_free(&small.world, 3.5, 5.0, 0.5, 0.0, 3.0, -1), 1);
    CHECK_SAME(test, gb_world_disc_is_free(&small.world, 3.501, 5.0, 0.5, 0.0, 3.0, -1), 0);
    CHECK_SAME(test, gb_world_disc_is_free(&small.world, 5.0, 5.0, 0.5, 0.0, 1.5, -1), 1);
    CHECK_SAME(test, gb_world_disc_is_free(&small.world, 5.0, 5.0, 0.5, 0.0, 1.5001, -1), 0);
}
