/* Floors, ceilings, least and greatest, against C's library and against what they have to be at the edges. */
#include "check.h"

static void test_floor(report *test, double value) {
    double found = gb_floor(value);
    CHECK_SAME(test, found, floor(value));
    CHECK_SAME(test, gb_ceil(value), ceil(value));
    digest_double(test, found);
}

void test_numbers(report *test) {
    static const double edges[] = {0.0, 0.5, -0.5, 1.0, -1.0, 0.9999999999999999, -1e-300, 1e300, -1e300, 9.0e15, -9.0e15,
                                   4503599627370496.5, -4503599627370495.5};
    for (size_t number = 0; number < sizeof edges / sizeof edges[0]; number++) test_floor(test, edges[number]);
    for (int round = 0; round < 2000; round++) {
        double scale = random_below(test, 2) ? 1e3 : 1e12;
        test_floor(test, random_between(test, -scale, scale));
        test_floor(test, (double)random_below(test, 1000) - 500.0);
    }
    CHECK(test, gb_floor(INFINITY) == INFINITY && gb_floor(-INFINITY) == -INFINITY);
    CHECK(test, gb_floor(NAN) != gb_floor(NAN));
    CHECK_SAME(test, gb_least(-3, 2), -3);
    CHECK_SAME(test, gb_most(-3, 2), 2);
    CHECK_SAME(test, gb_min(0.5, -0.5), -0.5);
    CHECK_SAME(test, gb_max(0.5, -0.5), 0.5);
    CHECK_SAME(test, gb_hypot(3.0, -4.0), 5.0);
}
