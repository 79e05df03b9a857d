/* Points that are fixed to joints. */
#ifndef GB_JOINTS_H
#define GB_JOINTS_H

#include "quaternion.h"

/* Joints in the world, in N frames. */
typedef struct gb_placed {
    double *positions; /* (N, J, 3) */
    double *rotations; /* (N, J, 4) */
} gb_placed;

/* Where a point is that is fixed to a joint at an offset (3); row: frame times the number of joints, plus the joint. */
static inline gb_vector gb_fixed_point(const gb_placed *placed, int64_t row, const double *offset) {
    gb_vector away = gb_quaternion_rotate(gb_quaternion_at(placed->rotations + 4 * row), gb_vector_at(offset));
    return gb_vector_plus(gb_vector_at(placed->positions + 3 * row), away);
}

#endif
