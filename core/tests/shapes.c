/* Distances to segments and convex outlines, against going along them in small steps. */
#include "shapes.h"

#include "check.h"
#include "world.h"

enum { MOST_CORNERS = 8, STEPS = 400 };

/* The least distance from a point to points along a segment. */
static double walked_distance(double ax, double ay, double bx, double by, double x, double y) {
    double nearest = INFINITY;
    for (int step = 0; step <= STEPS; step++) {
        double share = (double)step / (double)STEPS;
        nearest = gb_min(nearest, gb_hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y));
    }
    return nearest;
}

static void test_segments(report *test) {
    for (int round = 0; round < 200; round++) {
        double at[6];
        for (int number = 0; number < 6; number++) at[number] = random_between(test, -3.0, 3.0);
        if (round % 10 == 0) { /* a point */
            at[2] = at[0];
            at[3] = at[1];
        }
        double found = sqrt(gb_segment_squared(at[0], at[1], at[2], at[3], at[4], at[5]));
        double walked = walked_distance(at[0], at[1], at[2], at[3], at[4], at[5]);
        double stride = gb_hypot(at[2] - at[0], at[3] - at[1]) / (double)STEPS;
        CHECK(test, found <= walked + 1e-12 && walked <= found + stride);
        digest_double(test, found);
    }
}

/* Corners of a convex outline: some of those of a regular one, stretched and moved; one is a point, two are a segment. */
static int64_t random_outline(report *test, double *xs, double *ys) {
    static const double circle[MOST_CORNERS][2] = {{1.0, 0.0},  {0.75, 0.66}, {0.0, 1.0},  {-0.75, 0.66},
                                                   {-1.0, 0.0}, {-0.75, -0.66}, {0.0, -1.0}, {0.75, -0.66}};
    double wide = random_between(test, 0.01, 2.0), deep = random_between(test, 0.01, 2.0);
    double x = random_between(test, -1.0, 1.0), y = random_between(test, -1.0, 1.0);
    int64_t wanted = 1 + random_below(test, MOST_CORNERS), count = 0;
    for (int64_t corner = 0; corner < MOST_CORNERS; corner++)
        if (random_below(test, MOST_CORNERS - corner) < wanted - count) {
            xs[count] = x + wide * circle[corner][0];
            ys[count++] = y + deep * circle[corner][1];
        }
    return count;
}

/* Whether a point is left of all edges. */
static int is_inside(const double *xs, const double *ys, int64_t count, double x, double y) {
    if (count < 3) return 0;
    for (int64_t corner = 0; corner < count; corner++) {
        int64_t next = (corner + 1) % count;
        if ((xs[next] - xs[corner]) * (y - ys[corner]) - (ys[next] - ys[corner]) * (x - xs[corner]) <= 0.0) return 0;
    }
    return 1;
}

static void test_outlines(report *test) {
    double xs[MOST_CORNERS], ys[MOST_CORNERS];
    int inside_count = 0;
    for (int round = 0; round < 300; round++) {
        int64_t count = random_outline(test, xs, ys);
        double x = random_between(test, -3.0, 3.0), y = random_between(test, -3.0, 3.0), nearest = INFINITY;
        for (int64_t corner = 0; corner < count; corner++) {
            int64_t next = (corner + 1) % count;
            nearest = gb_min(nearest, sqrt(gb_segment_squared(xs[corner], ys[corner], xs[next], ys[next], x, y)));
        }
        int inside = is_inside(xs, ys, count, x, y);
        double expected = inside ? 0.0 : nearest;
        double found = gb_convex_distance(xs, ys, 0, count, x, y);
        inside_count += inside;
        CHECK_NEAR(test, found, expected, 1e-12);
        digest_double(test, found);

        /* A disc meets a rounded piece exactly if it comes nearer than both radii together. */
        int32_t ranges[2] = {0, (int32_t)count};
        double rounding = random_below(test, 2) ? 0.3 : 0.0;
        gb_pieces pieces;
        memset(&pieces, 0, sizeof pieces);
        pieces.count = 1;
        pieces.radius = &rounding;
        pieces.first_corner = ranges;
        pieces.corner_x = xs;
        pieces.corner_y = ys;
        double radius = random_between(test, 0.0, 3.0);
        int meets = gb_disc_meets_piece(&pieces, 0, x, y, radius);
        if (gb_abs(expected - radius - rounding) > 1e-9) CHECK_SAME(test, meets, expected < radius + rounding);
        DIGEST(test, meets);
    }
    CHECK(test, inside_count > 10);
}

void test_shapes(report *test) {
    test_segments(test);
    test_outlines(test);
}
