/* Two bones that reach for a target: hip, knee, ankle; or shoulder, elbow, wrist. */
#ifndef GB_TWO_BONES_H
#define GB_TWO_BONES_H

#include "quaternion.h"

#define GB_TINY 1e-9 /* metres: shorter vectors have no direction */

/* A limb's three joints, where its end should be, and the axis about which its middle joint bends forward. */
typedef struct gb_reach {
    gb_vector root, middle, end, target, hinge;
} gb_reach;

/* Turns in the world of the upper and of the lower bone, and where the end then is. */
typedef struct gb_reached {
    gb_quaternion upper_turn, lower_turn;
    gb_vector end;
} gb_reached;

/* A vector's direction; another one for a vector of no length.  Writes the length. */
static inline gb_vector gb_direction(gb_vector v, gb_vector other, double *length) {
    *length = gb_vector_length(v);
    return *length < GB_TINY ? other : gb_vector_of(v.x / *length, v.y / *length, v.z / *length);
}

/* limit: share of the limb's length that it may stretch to. */
gb_reached gb_two_bones_reach(const gb_reach *asked, double limit);

#endif
