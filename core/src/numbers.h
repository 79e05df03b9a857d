/* Numbers: what C's library leaves to the processor, rounded alike everywhere. */
#ifndef GB_NUMBERS_H
#define GB_NUMBERS_H

#include "gambol.h"

#include <math.h>

#define GB_TURN 6.283185307179586 /* radians of a full turn */
#define GB_HALF_TURN 3.141592653589793
#define GB_DEGREE 0.017453292519943295

/* Asks for memory that is going to be read soon. */
#if defined(__GNUC__)
#define GB_PREFETCH(address) __builtin_prefetch(address)
#else
#define GB_PREFETCH(address) ((void)(address))
#endif

/* The number of the lowest bit that is set; one must be. */
static inline int gb_first_bit(uint32_t bits) {
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__CUDA__)
    return __builtin_ctz(bits);
#else
    int first = 0;
    while (!(bits >> first & 1)) first++;
    return first;
#endif
}

/* What was written before is there for other threads before what is written after. */
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__CUDA__)
#define GB_SHOW() __atomic_thread_fence(__ATOMIC_RELEASE)
#else
#define GB_SHOW() ((void)0)
#endif

/* Square roots are correctly rounded on every processor; floors, here, without asking for newer ones. */
static inline double gb_floor(double value) {
    if (!(value > -9.0e15 && value < 9.0e15)) return value; /* whole already, infinite or no number */
    double whole = (double)(int64_t)value;
    return whole > value ? whole - 1.0 : whole;
}

/* The nearest whole number, the even one of two. */
static inline double gb_round(double value) {
    double below = gb_floor(value), rest = value - below;
    if (rest != 0.5) return rest < 0.5 ? below : below + 1.0;
    return gb_floor(0.5 * below) * 2.0 == below ? below : below + 1.0;
}

static inline double gb_ceil(double value) { return -gb_floor(-value); }
static inline double gb_abs(double value) { return fabs(value); }
static inline double gb_min(double a, double b) { return b < a ? b : a; }
static inline double gb_max(double a, double b) { return b > a ? b : a; }
static inline int64_t gb_least(int64_t a, int64_t b) { return b < a ? b : a; }
static inline int64_t gb_most(int64_t a, int64_t b) { return b > a ? b : a; }
static inline double gb_hypot(double x, double y) { return sqrt(x * x + y * y); }

#include "elementary.h"

#endif
