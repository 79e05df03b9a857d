/* Sines, cosines and the like against C's library: the same but for the last bit, and exact where that is known. */
#include "check.h"

static void test_angle(report *test, double angle) {
    double cosine = gb_cos(angle), sine = gb_sin(angle);
    CHECK_NEAR(test, cosine, cos(angle), 1.2e-16);
    CHECK_NEAR(test, sine, sin(angle), 1.2e-16);
    if (gb_abs(sine) > 1e-3) CHECK(test, gb_abs(sine - sin(angle)) <= 2.3e-16 * gb_abs(sine));
    if (gb_abs(cosine) > 1e-3) CHECK(test, gb_abs(cosine - cos(angle)) <= 2.3e-16 * gb_abs(cosine));
    CHECK_NEAR(test, cosine * cosine + sine * sine, 1.0, 5e-16);
    digest_double(test, cosine);
    digest_double(test, sine);
}

static void test_direction(report *test, double y, double x) {
    double found = gb_atan2(y, x);
    CHECK_NEAR(test, found, atan2(y, x), 4.5e-16);
    digest_double(test, found);
}

void test_elementary(report *test) {
    for (int round = 0; round < 20000; round++) {
        static const double widest[4] = {0.8, 7.0, 500.0, 1e6};
        double scale = widest[round % 4];
        test_angle(test, random_between(test, -scale, scale));
        double y = random_between(test, -1.0, 1.0), x = random_between(test, -1.0, 1.0);
        test_direction(test, round % 5 ? y : 1e-9 * y, round % 7 ? x : 1e-9 * x);
        double cosine = random_between(test, -1.0, 1.0), power = random_between(test, -60.0, 5.0);
        CHECK_NEAR(test, gb_acos(cosine), acos(cosine), 9e-16);
        CHECK(test, gb_abs(gb_exp(power) - exp(power)) <= 4.5e-16 * exp(power));
        digest_double(test, gb_acos(cosine));
        digest_double(test, gb_exp(power));
    }
    for (int quarter = -40; quarter <= 40; quarter++) test_angle(test, 0.25 * GB_TURN * quarter);
    CHECK_SAME(test, gb_cos(0.0), 1.0);
    CHECK_SAME(test, gb_sin(0.0), 0.0);
    CHECK_SAME(test, gb_cos(0.5 * GB_HALF_TURN), 6.123233995736766e-17);
    CHECK_SAME(test, gb_sin(GB_HALF_TURN), 1.2246467991473532e-16);
    CHECK_SAME(test, gb_cos(GB_HALF_TURN), -1.0);
    CHECK_SAME(test, gb_atan2(0.0, -1.0), GB_HALF_TURN);
    CHECK_SAME(test, gb_atan2(-2.0, 0.0), -0.5 * GB_HALF_TURN);
    CHECK_SAME(test, gb_atan2(0.0, 0.0), 0.0);
    CHECK_SAME(test, gb_acos(1.0), 0.0);
    CHECK_SAME(test, gb_exp(0.0), 1.0);
    CHECK_SAME(test, gb_exp(-1e9), 0.0);
    CHECK(test, gb_cos(1e300) <= 1.0 && gb_sin(-1e17) <= 1.0);
    CHECK(test, gb_cos(NAN) != gb_cos(NAN) && gb_sin(INFINITY) != gb_sin(INFINITY) && gb_atan2(NAN, 1.0) != 0.0);
}
