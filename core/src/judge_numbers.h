/* Numbers, points and stretches of time for the judge.  It shares nothing with the planners, not even these. */
#ifndef GB_JUDGE_NUMBERS_H
#define GB_JUDGE_NUMBERS_H

#include "gambol.h"

#include <math.h>

/* A place in the world or in a thing's frame, metres. */
typedef struct point {
    double x, y, z;
} point;

/* The axis of a capsule. */
typedef struct axis {
    point start, end;
} axis;

static inline double lesser(double one, double two) { return two < one ? two : one; }
static inline double greater(double one, double two) { return two > one ? two : one; }
static inline double within(double value, double low, double high) { return lesser(greater(value, low), high); }
static inline double square(double value) { return value * value; }
static inline double size_of(double value) { return value < 0.0 ? -value : value; }

/* The number of a whole: `value` must be of a size that a frame, a row or a column can have. */
static inline int64_t whole_below(double value) {
    int64_t whole = (int64_t)value;
    return (double)whole > value ? whole - 1 : whole;
}
static inline int64_t whole_above(double value) { return -whole_below(-value); }
static inline int64_t whole_within(int64_t value, int64_t low, int64_t high) {
    value = value < low ? low : value;
    return value > high ? high : value;
}

/* Sets sine and cosine of a heading: of what is left of it after whole quarters of a turn, by their series.  The same bits on
 * every processor, to 1e-15 for some thousand turns. */
static inline void find_direction(double heading, double *sine, double *cosine) {
    if (!(heading > -1e9 && heading < 1e9)) heading = 0.0;
    int64_t quarters = whole_below(heading * 0.6366197723675814 + 0.5);
    /* A quarter in two parts, the first so short that its multiples are exact. */
    double x = (heading - (double)quarters * 1.5707963267341256) - (double)quarters * 6.077100506506192e-11, y = x * x;
    double odd = 1.0 / 6227020800.0 - y / 1307674368000.0, even = 1.0 / 479001600.0 - y / 87178291200.0;
    odd = x - x * y * (1.0 / 6.0 - y * (1.0 / 120.0 - y * (1.0 / 5040.0 - y * (1.0 / 362880.0 - y * (1.0 / 39916800.0 -
          y * odd)))));
    even = 1.0 - y * (1.0 / 2.0 - y * (1.0 / 24.0 - y * (1.0 / 720.0 - y * (1.0 / 40320.0 - y * (1.0 / 3628800.0 -
           y * even)))));
    int quarter = (int)((quarters % 4 + 4) % 4);
    *sine = quarter == 0 ? odd : quarter == 1 ? even : quarter == 2 ? -odd : -even;
    *cosine = quarter == 0 ? even : quarter == 1 ? -odd : quarter == 2 ? -even : odd;
}

static inline double between(double one, double two, double share) { return one + share * (two - one); }

static inline point point_between(point a, point b, double share) {
    const point mixed = {between(a.x, b.x, share), between(a.y, b.y, share), between(a.z, b.z, share)};
    return mixed;
}

static inline double length_of(point a, point b) {
    return sqrt(square(b.x - a.x) + square(b.y - a.y) + square(b.z - a.z));
}

#define RESOLUTION_M 1e-5      /* metres, > 0: a contact this close to the limit counts; smaller is slower */
#define DEPTH_PRECISION_M 1e-4 /* metres, > 0: the deepest moment is found this exactly; smaller is slower */
#define STACKED 128            /* halvings under way: a stretch of 1e15 m is cut down to the resolution in 70 */

/* A stretch of time, or of an axis, and distances at its ends. */
typedef struct stretch {
    double low, high;             /* shares, 0 to 1 */
    double at_low, at_high;       /* metres of distance */
    double low_height, high_height; /* metres above the ground; only of axes */
} stretch;

/* Puts the halves of a stretch on a stack, the nearer one to be looked at first; returns the row of the low one. */
static inline int64_t push_halves(stretch *stack, int64_t size, const stretch *whole, double at_middle) {
    int64_t first = whole->at_low > whole->at_high ? size : size + 1, second = 2 * size + 1 - first;
    double middle = 0.5 * (whole->low + whole->high);
    stack[first].low = whole->low;
    stack[first].high = middle;
    stack[first].at_low = whole->at_low;
    stack[first].at_high = at_middle;
    stack[second].low = middle;
    stack[second].high = whole->high;
    stack[second].at_low = at_middle;
    stack[second].at_high = whole->at_high;
    return first;
}

#endif
