/* From local rotations to joints in the world, and from these to a skin. */
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

void gb_skin_place(const gb_skin *skin, const double *turns, const double *shifts, int64_t frames, double *placed) {
    for (int64_t frame = 0; frame < frames; frame++)
        for (int64_t vertex = 0; vertex < skin->vertices; vertex++) {
            gb_vector at = gb_vector_at(skin->places + 3 * vertex), sum = {0.0, 0.0, 0.0};
            for (int64_t share = 0; share < skin->influences; share++) {
                double weight = skin->weights[skin->influences * vertex + share];
                if (weight == 0.0) continue;
                int64_t row = frame * skin->joints + skin->owners[skin->influences * vertex + share];
                const double *turn = turns + 9 * row, *shift = shifts + 3 * row;
                sum.x += weight * (turn[0] * at.x + turn[1] * at.y + turn[2] * at.z + shift[0]);
                sum.y += weight * (turn[3] * at.x + turn[4] * at.y + turn[5] * at.z + shift[1]);
                sum.z += weight * (turn[6] * at.x + turn[7] * at.y + turn[8] * at.z + shift[2]);
            }
            gb_vector_put(placed + 3 * (frame * skin->vertices + vertex), sum);
        }
}
