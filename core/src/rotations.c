/* Rotations as angles about axes and back, and tracks of them made well-formed.  The angles come from C's own
 * library. */
#include "quaternion.h"

/* Turns about one coordinate axis: 0, 1 or 2. */
static gb_quaternion about_axis(int64_t axis, double angle) {
    double cosine = gb_cos(0.5 * angle), sine = gb_sin(0.5 * angle);
    return gb_quaternion_of(cosine, axis == 0 ? sine : 0.0, axis == 1 ? sine : 0.0, axis == 2 ? sine : 0.0);
}

void gb_rotation_from_euler(const double *angles, int64_t count, const int32_t *axes, double *rotations) {
    for (int64_t row = 0; row < count; row++) {
        gb_quaternion turn = about_axis(axes[0], angles[3 * row]);
        for (int place = 1; place < 3; place++)
            turn = gb_quaternion_product(turn, about_axis(axes[place], angles[3 * row + place]));
        gb_quaternion_put(rotations + 4 * row, turn);
    }
}

void gb_rotation_from_channels(const double *degrees, int64_t frames, int64_t channels, const int64_t *columns,
                               const int64_t *axes, int64_t joints, double *rotations) {
    for (int64_t frame = 0; frame < frames; frame++)
        for (int64_t joint = 0; joint < joints; joint++) {
            gb_quaternion turn = {1.0, 0.0, 0.0, 0.0};
            for (int place = 0; place < 3; place++) {
                int64_t column = columns[3 * joint + place];
                if (column < 0 || column >= channels) break;
                double angle = degrees[frame * channels + column] * GB_DEGREE;
                gb_quaternion next = about_axis(axes[3 * joint + place], angle);
                turn = place == 0 ? next : gb_quaternion_product(turn, next);
            }
            gb_quaternion_put(rotations + 4 * (frame * joints + joint), turn);
        }
}

/* The angle plus the whole turns that bring it nearest to another. */
static double nearest_turn(double angle, double other) {
    double turns = (other - angle) / GB_TURN;
    return gb_abs(turns) < 9.0e15 ? angle + GB_TURN * (double)(int64_t)gb_round(turns) : angle;
}

/* Three angles as near to those before as whole turns bring them; returns how far from these they then are. */
static double nearest_angles(const double *angles, const double *before, double *nearest) {
    double away = 0.0;
    for (int place = 0; place < 3; place++) {
        nearest[place] = nearest_turn(angles[place], before[place]);
        away += gb_abs(nearest[place] - before[place]);
    }
    return away;
}

/* Splits one rotation; `angles` comes with those of the frame before.
 *
 * * The half sum and half difference of the outer angles follow from two arctangents [Bernardes & Viollet 2022,
 * Quaternion to Euler angles conversion: a direct, general and computationally efficient method], which stays exact
 * near gimbal lock, where only one of the two is defined: then the third angle stays as it was.  The published
 * formulas turn about fixed axes: the same angles in reverse order.  Rotating the middle axis by a quarter turn
 * makes Tait-Bryan angles proper ones. */
static void split(const double *rotation, const int32_t *axes, double parity, double *angles) {
    double i = rotation[1 + axes[2]], j = rotation[1 + axes[1]], k = rotation[1 + axes[0]] * parity;
    double a = rotation[0] - j, b = i + k, c = j + rotation[0], d = k - i;
    double middle = 2.0 * gb_atan2(gb_hypot(c, d), gb_hypot(a, b));
    double half_sum = gb_atan2(b, a), half_difference = gb_atan2(d, c);
    double one[3], other[3], near_one[3], near_other[3];
    if (middle < 1e-9) {
        one[2] = angles[2];
        one[0] = (2.0 * half_sum - one[2]) * parity;
    } else if (GB_HALF_TURN - middle < 1e-9) {
        one[2] = angles[2];
        one[0] = (2.0 * half_difference + one[2]) * parity;
    } else {
        one[2] = half_sum - half_difference;
        one[0] = (half_sum + half_difference) * parity;
    }
    one[1] = middle - 0.5 * GB_HALF_TURN;
    other[0] = one[0] + GB_HALF_TURN;
    other[1] = GB_HALF_TURN - one[1];
    other[2] = one[2] + GB_HALF_TURN;
    int first_is_nearer = nearest_angles(one, angles, near_one) <= nearest_angles(other, angles, near_other);
    for (int place = 0; place < 3; place++) angles[place] = first_is_nearer ? near_one[place] : near_other[place];
}

void gb_rotation_to_euler(const double *rotations, int64_t frames, int64_t tracks, const int32_t *axes,
                          double *angles) {
    double parity = (axes[1] - axes[2] + 3) % 3 == 1 ? 1.0 : -1.0;
    for (int64_t track = 0; track < tracks; track++) {
        double present[3] = {0.0, 0.0, 0.0};
        for (int64_t frame = 0; frame < frames; frame++) {
            int64_t row = frame * tracks + track;
            split(rotations + 4 * row, axes, parity, present);
            for (int place = 0; place < 3; place++) angles[3 * row + place] = present[place];
        }
    }
}

int64_t gb_rotation_settle(double *rotations, int64_t frames, int64_t joints, double tolerance) {
    for (int64_t frame = 0; frame < frames; frame++)
        for (int64_t joint = 0; joint < joints; joint++) {
            double *turn = rotations + 4 * (frame * joints + joint);
            double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
            if (!(gb_abs(length - 1.0) < tolerance)) return frame;
            /* Quaternions that have unit length already keep their bits, so that edits do not change other joints. */
            double scale = gb_abs(length - 1.0) < 1e-12 ? 1.0 : 1.0 / length;
            if (frame > 0) {
                const double *before = turn - 4 * joints;
                double dot = turn[0] * before[0] + turn[1] * before[1] + turn[2] * before[2] + turn[3] * before[3];
                if (dot < 0.0) scale = -scale;
            }
            for (int place = 0; place < 4; place++) turn[place] *= scale;
        }
    return -1;
}
