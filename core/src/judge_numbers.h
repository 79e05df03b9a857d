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
