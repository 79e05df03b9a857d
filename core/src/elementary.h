/* Sines, cosines, their inverses and powers of e: as C's library has them, but to the same bit on every machine.
 *
 * Libraries differ in the last bit from system to system, and what follows from an angle would differ with them.  These need
 * sums, products and quotients alone, which every processor rounds alike.  They are within one unit in the last place.
 * To hold a port against one that called C's library, compile with -DGB_LIBM. */
#ifndef GB_ELEMENTARY_H
#define GB_ELEMENTARY_H

#include "numbers.h"

#include <string.h>

#ifdef GB_LIBM

static inline double gb_cos(double angle) { return cos(angle); }
static inline double gb_sin(double angle) { return sin(angle); }
static inline double gb_atan2(double y, double x) { return atan2(y, x); }
static inline double gb_exp(double value) { return exp(value); }

#else

/* An angle less whole quarters of a turn: near + rest, of which `near` is between about -pi/4 and pi/4, `rest` what does not
 * fit into it. */
typedef struct gb_reduced {
    double near;
    double rest;
    int64_t quarters;
} gb_reduced;

/* A quarter of a turn in three parts, so that products of the first two with up to a million quarters are exact
 * [Cody and Waite].  Angles beyond a million radians lose digits: nobody turns that often. */
static inline gb_reduced gb_reduce_angle(double angle) {
    gb_reduced reduced;
    if (!(angle > -1e6 && angle < 1e6)) angle -= gb_abs(angle) < 9e15 ? GB_TURN * gb_floor(angle / GB_TURN) : angle;
    double quarters = gb_floor(angle * 0.6366197723675814 + 0.5);
    double less = angle - quarters * 1.5707963267341256, by = quarters * 6.077100506303966e-11, left = less - by;
    double taken = less - left, lost = (less - (left + taken)) + (taken - by); /* by the last difference [Knuth] */
    double tiny = quarters * 2.0222662487959506e-21;
    reduced.near = left - tiny;
    reduced.rest = ((left - reduced.near) - tiny) + lost;
    reduced.quarters = quarters == quarters ? (int64_t)quarters : 0;
    return reduced;
}

/* The series of the sine and the cosine around 0. */
static inline double gb_sin_near(double near, double rest) {
    double z = near * near;
    double series = -1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5040.0 + z * (1.0 / 362880.0 + z * (-1.0 / 39916800.0 +
                    z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0)))))));
    return near + (near * z * series + rest * (1.0 - 0.5 * z));
}

static inline double gb_cos_near(double near, double rest) {
    double z = near * near, half = 0.5 * z, most = 1.0 - half;
    double series = 1.0 / 24.0 + z * (-1.0 / 720.0 + z * (1.0 / 40320.0 + z * (-1.0 / 3628800.0 + z * (1.0 / 479001600.0 +
                    z * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0))))));
    return most + (((1.0 - most) - half) + (z * z * series - near * rest));
}

static inline double gb_sin(double angle) {
    gb_reduced at = gb_reduce_angle(angle);
    double found = at.quarters & 1 ? gb_cos_near(at.near, at.rest) : gb_sin_near(at.near, at.rest);
    return at.quarters & 2 ? -found : found;
}

static inline double gb_cos(double angle) {
    gb_reduced at = gb_reduce_angle(angle);
    double found = at.quarters & 1 ? gb_sin_near(at.near, at.rest) : gb_cos_near(at.near, at.rest);
    return (at.quarters + 1) & 2 ? -found : found;
}

/* The angle of a direction, from -pi to pi; 0 of no direction.  The tangent is taken relative to the nearest of 0, 1/8 ... 1. */
static inline double gb_atan2(double y, double x) {
    static const double angles[9] = {0.0,
                                     0.12435499454676144,
                                     0.24497866312686414,
                                     0.35877067027057225,
                                     0.4636476090008061,
                                     0.5585993153435624,
                                     0.6435011087932844,
                                     0.7188299996216245,
                                     0.7853981633974483};
    static const double rests[9] = {0.0,
                                    -3.1253241424539383e-18,
                                    1.0698755618734451e-17,
                                    -2.4623815582638635e-17,
                                    2.2698777452961687e-17,
                                    -5.4556305485916264e-18,
                                    1.5834785051444286e-17,
                                    -2.1478388444456983e-17,
                                    3.061616997868383e-17};
    double wide = gb_abs(x), high = gb_abs(y), large = gb_max(wide, high), small = gb_min(wide, high);
    if (x != x || y != y) return x + y;
    if (large == 0.0) return 0.0;
    int64_t eighths = (int64_t)(8.0 * (small / large) + 0.5);
    double known = 0.125 * (double)eighths, t = (small - known * large) / (large + known * small), z = t * t;
    double series = -1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * (1.0 / 9.0 + z * (-1.0 / 11.0 + z * (1.0 / 13.0)))));
    double angle = angles[eighths] + (t + (t * z * series + rests[eighths]));
    if (high > wide) angle = 1.5707963267948966 - (angle - 6.123233995736766e-17);
    if (x < 0.0) angle = GB_HALF_TURN - (angle - 1.2246467991473532e-16);
    return y < 0.0 ? -angle : angle;
}

/* e to a power; those below -700 give 0, those above 700 the same as 700. */
static inline double gb_exp(double value) {
    if (!(value > -700.0)) return value == value ? 0.0 : value;
    value = gb_min(value, 700.0);
    double doublings = gb_floor(value * 1.4426950408889634 + 0.5);
    double r = (value - doublings * 0.6931471803691238) - doublings * 1.9082149292705877e-10, scale;
    double series = 1.0 / 2.0 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0 + r * (1.0 / 5040.0 +
                    r * (1.0 / 40320.0 + r * (1.0 / 362880.0 + r * (1.0 / 3628800.0 + r * (1.0 / 39916800.0 +
                    r * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0)))))))))));
    uint64_t bits = (uint64_t)((int64_t)doublings + 1023) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return (1.0 + (r + r * r * series)) * scale;
}

#endif

/* The angle whose cosine is a value from -1 to 1. */
static inline double gb_acos(double value) { return gb_atan2(sqrt((1.0 - value) * (1.0 + value)), value); }

#endif
