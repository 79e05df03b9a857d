/* Two-bone inverse kinematics in closed form. */
#include "two_bones.h"

#define SOFT_FROM 0.97               /* share of the limb's length above which it follows its target less and less */
#define FOLDED (-0.9396926207859083) /* cosine of 160 degrees: the tightest bend, unless a pose is tighter already */
#define CLEARLY_BENT 0.10            /* sine of 6 degrees: above it only the limb's own plane counts; below, the hinge too */

/* The direction of a vector's part at right angles to the unit vector u.  Where that part is zero, the coordinate axis
 * farthest from u decides which perpendicular to take. */
static gb_vector perpendicular(gb_vector v, gb_vector u) {
    double along = v.x * u.x + v.y * u.y + v.z * u.z;
    v = gb_vector_of(v.x - along * u.x, v.y - along * u.y, v.z - along * u.z);
    double length = gb_vector_length(v);
    if (length < GB_TINY) {
        double ax = gb_abs(u.x), ay = gb_abs(u.y), az = gb_abs(u.z);
        if (ax <= ay && ax <= az) v = gb_vector_cross(u, gb_vector_of(1.0, 0.0, 0.0));
        else if (ay <= az) v = gb_vector_cross(u, gb_vector_of(0.0, 1.0, 0.0));
        else v = gb_vector_cross(u, gb_vector_of(0.0, 0.0, 1.0));
        length = gb_vector_length(v);
    }
    return gb_vector_of(v.x / length, v.y / length, v.z / length);
}

/* The smallest rotation from direction a to b; about n, at right angles to a, if they are opposite. */
static gb_quaternion smallest_turn(gb_vector a, gb_vector b, gb_vector n) {
    double w = 1.0 + a.x * b.x + a.y * b.y + a.z * b.z;
    if (w < 1e-12) return gb_quaternion_of(0.0, n.x, n.y, n.z);
    gb_vector v = gb_vector_cross(a, b);
    double norm = 1.0 / sqrt(w * w + v.x * v.x + v.y * v.y + v.z * v.z);
    return gb_quaternion_of(w * norm, v.x * norm, v.y * norm, v.z * norm);
}

/* The rotation that takes a bone a with its hinge n to the bone b with its hinge m. */
static gb_quaternion turn_frame(gb_vector a, gb_vector n, gb_vector b, gb_vector m) {
    n = perpendicular(n, a);
    m = perpendicular(m, b);
    gb_quaternion swing = smallest_turn(a, b, n);
    return gb_quaternion_product(smallest_turn(gb_quaternion_rotate(swing, n), m, b), swing);
}

/* The distance that a limb spans for a wanted one.  Up to SOFT_FROM the two are equal; beyond, the limb approaches
 * the limit exponentially, with a continuous slope.  A pose that is stretched or folded beyond the limits already
 * may stay as it is. */
static double soft_reach(double wanted, double present, double upper, double lower, double limit) {
    double length = upper + lower;
    double folded = sqrt(upper * upper + lower * lower + 2.0 * upper * lower * FOLDED);
    if (wanted < gb_min(present, folded)) return gb_min(present, folded);
    double start = gb_max(present, SOFT_FROM * length);
    double room = limit * length - start;
    if (wanted <= start) return wanted;
    if (room < 1e-6 * length) return start;
    return start + room * (1.0 - gb_exp((start - wanted) / room));
}

/* The unit axis, at right angles to the limb's line u, about which bending is forward: the normal of the plane of
 * the two bones t and s, on the hinge's side; the straighter the limb, the more the hinge itself counts. */
static gb_vector bend_axis(gb_vector t, gb_vector s, gb_vector u, gb_vector hinge) {
    gb_vector n = gb_vector_cross(t, s);
    if (gb_vector_dot(n, hinge) < 0.0) n = gb_vector_of(-n.x, -n.y, -n.z);
    double doubt = gb_max(0.0, 1.0 - gb_vector_length(n) / CLEARLY_BENT);
    double weight = CLEARLY_BENT * doubt * doubt;
    if (weight > 0.0) {
        gb_vector h = perpendicular(hinge, u);
        n = gb_vector_of(n.x + weight * h.x, n.y + weight * h.y, n.z + weight * h.z);
    }
    return perpendicular(n, u);
}

gb_reached gb_two_bones_reach(const gb_reach *asked, double limit) {
    const gb_quaternion none = {1.0, 0.0, 0.0, 0.0};
    gb_reached found = {none, none, asked->end};
    double upper, lower, present, wanted, rest;
    /* The present bones: upper t, lower s, and u along the line from root to end. */
    gb_vector t = gb_direction(gb_vector_minus(asked->middle, asked->root), gb_vector_of(0.0, 0.0, -1.0), &upper);
    gb_vector s = gb_direction(gb_vector_minus(asked->end, asked->middle), t, &lower);
    gb_vector u = gb_direction(gb_vector_minus(asked->end, asked->root), t, &present);
    if (upper < GB_TINY || lower < GB_TINY) return found;
    gb_vector n = bend_axis(t, s, u, asked->hinge);

    /* The wanted line v, and the triangle over it; the bend's axis turns with the line. */
    gb_vector v = gb_direction(gb_vector_minus(asked->target, asked->root), u, &wanted);
    double span = gb_max(soft_reach(wanted, present, upper, lower, limit), GB_TINY);
    gb_vector m = gb_quaternion_rotate(smallest_turn(u, v, n), n);
    double cosine = (upper * upper + span * span - lower * lower) / (2.0 * upper * span);
    cosine = gb_min(1.0, gb_max(-1.0, cosine));
    double sine = sqrt(1.0 - cosine * cosine);
    gb_vector p = gb_vector_cross(v, m);
    gb_vector a = gb_vector_of(cosine * v.x + sine * p.x, cosine * v.y + sine * p.y, cosine * v.z + sine * p.z);
    gb_vector b = gb_direction(
        gb_vector_of(span * v.x - upper * a.x, span * v.y - upper * a.y, span * v.z - upper * a.z), v, &rest);

    found.upper_turn = turn_frame(t, n, a, m);
    found.lower_turn = turn_frame(s, n, b, m);
    found.end = gb_vector_of(asked->root.x + span * v.x, asked->root.y + span * v.y, asked->root.z + span * v.z);
    return found;
}

void gb_limb_reach(const double *joints, const double *targets, const double *hinges, int64_t count, double limit,
                   double *turns, double *reached) {
    for (int64_t row = 0; row < count; row++) {
        gb_reach asked = {gb_vector_at(joints + 9 * row), gb_vector_at(joints + 9 * row + 3),
                          gb_vector_at(joints + 9 * row + 6), gb_vector_at(targets + 3 * row),
                          gb_vector_at(hinges + 3 * row)};
        gb_reached found = gb_two_bones_reach(&asked, limit);
        gb_quaternion_put(turns + 8 * row, found.upper_turn);
        gb_quaternion_put(turns + 8 * row + 4, found.lower_turn);
        gb_vector_put(reached + 3 * row, found.end);
    }
}
