/* Vectors and unit quaternions, by value. */
#ifndef GB_QUATERNION_H
#define GB_QUATERNION_H

#include "numbers.h"

typedef struct gb_vector {
    double x, y, z;
} gb_vector;

typedef struct gb_quaternion {
    double w, x, y, z;
} gb_quaternion;

static inline gb_vector gb_vector_of(double x, double y, double z) {
    gb_vector made = {x, y, z};
    return made;
}

static inline gb_vector gb_vector_at(const double *three) { return gb_vector_of(three[0], three[1], three[2]); }

static inline void gb_vector_put(double *three, gb_vector v) {
    three[0] = v.x;
    three[1] = v.y;
    three[2] = v.z;
}

static inline gb_vector gb_vector_minus(gb_vector a, gb_vector b) {
    return gb_vector_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline gb_vector gb_vector_plus(gb_vector a, gb_vector b) {
    return gb_vector_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline gb_vector gb_vector_cross(gb_vector a, gb_vector b) {
    return gb_vector_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double gb_vector_dot(gb_vector a, gb_vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline double gb_vector_length(gb_vector v) { return sqrt(gb_vector_dot(v, v)); }

static inline gb_quaternion gb_quaternion_of(double w, double x, double y, double z) {
    gb_quaternion made = {w, x, y, z};
    return made;
}

static inline gb_quaternion gb_quaternion_at(const double *four) {
    return gb_quaternion_of(four[0], four[1], four[2], four[3]);
}

static inline void gb_quaternion_put(double *four, gb_quaternion q) {
    four[0] = q.w;
    four[1] = q.x;
    four[2] = q.y;
    four[3] = q.z;
}

static inline gb_quaternion gb_quaternion_inverse(gb_quaternion q) { return gb_quaternion_of(q.w, -q.x, -q.y, -q.z); }

/* First b, then a. */
static inline gb_quaternion gb_quaternion_product(gb_quaternion a, gb_quaternion b) {
    return gb_quaternion_of(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

static inline gb_vector gb_quaternion_rotate(gb_quaternion q, gb_vector v) {
    double tx = 2.0 * (q.y * v.z - q.z * v.y);
    double ty = 2.0 * (q.z * v.x - q.x * v.z);
    double tz = 2.0 * (q.x * v.y - q.y * v.x);
    return gb_vector_of(v.x + q.w * tx + q.y * tz - q.z * ty, v.y + q.w * ty + q.z * tx - q.x * tz,
                        v.z + q.w * tz + q.x * ty - q.y * tx);
}

/* Along the shorter arc: 0 gives a, 1 gives b up to its sign. */
static inline gb_quaternion gb_quaternion_between(gb_quaternion a, gb_quaternion b, double share) {
    double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, sign = 1.0, of_a, of_b;
    if (dot < 0.0) {
        dot = -dot;
        sign = -1.0;
    }
    if (dot > 0.9995) {
        of_a = 1.0 - share;
        of_b = sign * share;
    } else {
        double angle = gb_acos(dot), scale = 1.0 / gb_sin(angle);
        of_a = gb_sin((1.0 - share) * angle) * scale;
        of_b = sign * gb_sin(share * angle) * scale;
    }
    double w = of_a * a.w + of_b * b.w, x = of_a * a.x + of_b * b.x;
    double y = of_a * a.y + of_b * b.y, z = of_a * a.z + of_b * b.z;
    double norm = 1.0 / sqrt(w * w + x * x + y * y + z * z);
    return gb_quaternion_of(w * norm, x * norm, y * norm, z * norm);
}

#endif
