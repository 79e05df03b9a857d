/* The judge, against balls whose paths are sampled finely. */
#include "judge_distance.h"

#include "check.h"

enum { STEPS = 2000, SEGMENT_STEPS = 60 };

/* Two balls in flight from one frame to the next; at rest a second long, as two bodies of one capsule each. */
typedef struct flights {
    double ends[2][2][3]; /* ball, frame, x y z */
    double radius[2];
    double axes[24]; /* as the judge reads them */
} flights;

static flights random_flights(report *test) {
    flights made;
    for (int ball = 0; ball < 2; ball++) {
        made.radius[ball] = random_between(test, 0.1, 0.6);
        for (int frame = 0; frame < 2; frame++)
            for (int side = 0; side < 3; side++) {
                double at = random_between(test, -1.0, 1.0);
                made.ends[ball][frame][side] = at;
                made.axes[(ball * 2 + frame) * 6 + side] = made.axes[(ball * 2 + frame) * 6 + 3 + side] = at;
            }
    }
    return made;
}

/* The least distance between the balls' middles, in the first `sides` coordinates, of many moments. */
static double walked_apart(const flights *of, int sides) {
    double least = INFINITY;
    for (int step = 0; step <= STEPS; step++) {
        double share = (double)step / (double)STEPS, away = 0.0;
        for (int side = 0; side < sides; side++) {
            double one = between(of->ends[0][0][side], of->ends[0][1][side], share);
            away += square(one - between(of->ends[1][0][side], of->ends[1][1][side], share));
        }
        least = lesser(least, sqrt(away));
    }
    return least;
}

static const int64_t counts[2] = {2, 2}, zeros[2] = {0, 0}, ones[2] = {1, 1}, firsts[3] = {0, 1, 2}, rows_of[2] = {0, 2};
static const double starts[2] = {0.0, 0.0}, rates[2] = {1.0, 1.0};

static gb_check_cast cast_of(const flights *of) {
    const gb_check_cast cast = {2, starts, rates, counts, firsts, of->radius, zeros, ones, rows_of, of->axes};
    return cast;
}

/* Whether what was found is what there is to find; both are depths, at most 0 where nothing meets. */
static void compare(report *test, int64_t count, const double *row, double depth) {
    if (gb_abs(depth) > 2e-3) CHECK_SAME(test, count, depth > 0.0 ? 1 : 0);
    if (count == 1) CHECK_NEAR(test, row[GB_CHECK_DEPTH], depth, 2e-3);
    DIGEST(test, count);
    if (count == 1) digest_double(test, row[GB_CHECK_DEPTH]);
}

static void test_balls(report *test) {
    double axes[12], tracks[32], found[10 * GB_CHECK_COLUMNS], boxes[12];
    int32_t near[1];
    gb_check_room room = {1, axes, tracks, near};
    gb_check_rows rows = {10, found};
    const double edges[2] = {0.0, 1.0};
    for (int round = 0; round < 300; round++) {
        const flights of = random_flights(test);
        gb_check_cast cast = cast_of(&of);
        double radii = of.radius[0] + of.radius[1];
        compare(test, gb_check_touches(&cast, edges, 1, 0, boxes, &room, &rows), found, radii - walked_apart(&of, 3));
    }
}

/* The first ball past the second as an endless upright pillar. */
static void test_pillars(report *test) {
    double axes[12], tracks[32], found[10 * GB_CHECK_COLUMNS];
    int32_t near[1];
    gb_check_room room = {1, axes, tracks, near};
    gb_check_rows rows = {10, found};
    const double corner[1] = {0.0}, from[1] = {-1.0}, to[1] = {2.0}, heights[2] = {-1e3, 1e3};
    for (int round = 0; round < 300; round++) {
        const flights of = random_flights(test);
        const double *one = of.ends[1][0], *two = of.ends[1][1]; /* at times 0 and 1: the span is three times as long */
        const double pose_from[3] = {2.0 * one[0] - two[0], 2.0 * one[1] - two[1], 0.0};
        const double pose_to[3] = {2.0 * two[0] - one[0], 2.0 * two[1] - one[1], 0.0}, disc[3] = {0.0, 0.0, 10.0};
        const gb_check_world world = {
            {1, corner, corner, firsts, of.radius + 1, firsts, of.radius + 1, firsts, from, to, pose_from, pose_to, heights,
             heights, disc},
            {1, 0.0, 0.0, 1.0, 0, 0, corner, 1.0, 1.0},
            {-9.0, -9.0, 9.0, 9.0},
            0.0};
        gb_check_cast cast = cast_of(&of);
        cast.bodies = 1;
        double radii = of.radius[0] + of.radius[1];
        int64_t count = gb_check_collisions(&cast, 0.0, 1.0, &world, &room, &rows);
        compare(test, count, found, radii - walked_apart(&of, 2));
    }
}

/* Two segments, against many points on both. */
static void test_segments(report *test) {
    for (int round = 0; round < 200; round++) {
        double one[6], two[6], where[2], nearest = INFINITY;
        for (int number = 0; number < 6; number++) {
            one[number] = random_between(test, -1.0, 1.0);
            two[number] = random_between(test, -1.0, 1.0);
        }
        double found = gb_check_segment_distance(one, two, where);
        for (int step = 0; step <= SEGMENT_STEPS * SEGMENT_STEPS; step++) {
            double first = (double)(step / SEGMENT_STEPS) / (double)SEGMENT_STEPS, away = 0.0;
            double second = (double)(step % SEGMENT_STEPS) / (double)SEGMENT_STEPS;
            for (int side = 0; side < 3; side++)
                away += square(between(one[side], one[3 + side], first) - between(two[side], two[3 + side], second));
            nearest = lesser(nearest, sqrt(away));
        }
        CHECK(test, found <= nearest + 1e-12 && nearest <= found + 4.0 / (double)SEGMENT_STEPS);
        CHECK(test, where[0] >= 0.0 && where[0] <= 1.0 && where[1] >= 0.0 && where[1] <= 1.0);
        digest_double(test, found);
    }
}

void test_judge(report *test) {
    test_segments(test);
    test_balls(test);
    test_pillars(test);
}
