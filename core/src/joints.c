/* From local rotations to joints in the world. */
#include "joints.h"

void gb_pose_place(const int32_t *parents, int64_t joints, const double *offsets, int32_t is_rigid, const double *roots,
                   const double *rotations, int64_t frames, double *world_positions, double *world_rotations) {
    for (int64_t frame = 0; frame < frames; frame++) {
        const double *offset = offsets + (is_rigid ? 0 : 3 * frame * joints);
        const double *local = rotations + 4 * frame * joints;
        double *positions = world_positions + 3 * frame * joints, *turns = world_rotations + 4 * frame * joints;
        gb_vector_put(positions, gb_vector_at(roots + 3 * frame));
        gb_quaternion_put(turns, gb_quaternion_at(local));
        for (int64_t joint = 1; joint < joints; joint++) {
            int64_t parent = parents[joint];
            gb_quaternion above = gb_quaternion_at(turns + 4 * parent);
            gb_vector away = gb_quaternion_rotate(above, gb_vector_at(offset + 3 * joint));
            gb_vector_put(positions + 3 * joint, gb_vector_plus(gb_vector_at(positions + 3 * parent), away));
            gb_quaternion_put(turns + 4 * joint, gb_quaternion_product(above, gb_quaternion_at(local + 4 * joint)));
        }
    }
}
