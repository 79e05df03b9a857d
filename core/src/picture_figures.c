/* Skins of many figures at once. */
#include "numbers.h"

/* What takes a joint's points from rest to the world: nine numbers that turn, and three that shift. */
static void turn_of(const double *rest, const float *position, const float *rotation, double *turn) {
    double w = (double)rotation[0], x = (double)rotation[1], y = (double)rotation[2], z = (double)rotation[3];
    turn[0] = 1.0 - 2.0 * (y * y + z * z);
    turn[1] = 2.0 * (x * y - w * z);
    turn[2] = 2.0 * (x * z + w * y);
    turn[3] = 2.0 * (x * y + w * z);
    turn[4] = 1.0 - 2.0 * (x * x + z * z);
    turn[5] = 2.0 * (y * z - w * x);
    turn[6] = 2.0 * (x * z - w * y);
    turn[7] = 2.0 * (y * z + w * x);
    turn[8] = 1.0 - 2.0 * (x * x + y * y);
    for (int side = 0; side < 3; side++)
        turn[9 + side] = (double)position[side] - turn[3 * side] * rest[0] - turn[3 * side + 1] * rest[1] -
                         turn[3 * side + 2] * rest[2];
}

/* Adds a joint's share of a turned point; with its shift, or for a direction without. */
static void add_share(double share, const double *turn, const double *at, const double *shift, double *sum) {
    for (int side = 0; side < 3; side++)
        sum[side] += share * (turn[3 * side] * at[0] + turn[3 * side + 1] * at[1] + turn[3 * side + 2] * at[2] +
                              (shift ? shift[side] : 0.0));
}

static void pose_vertex(const gb_figures *of, const double *turns, int64_t vertex, double *placed, double *turned) {
    const gb_skin *skin = of->skin;
    placed[0] = placed[1] = placed[2] = turned[0] = turned[1] = turned[2] = 0.0;
    for (int64_t rank = vertex * skin->influences; rank < (vertex + 1) * skin->influences; rank++) {
        double share = skin->weights[rank];
        if (share <= 0.0) continue;
        const double *turn = turns + 12 * (int64_t)skin->owners[rank];
        add_share(share, turn, skin->places + 3 * vertex, turn + 9, placed);
        add_share(share, turn, of->normals + 3 * vertex, 0, turned);
    }
    double length = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]);
    double scale = 1.0 / gb_max(length, 1e-12);
    for (int side = 0; side < 3; side++) turned[side] *= scale;
}

void gb_figures_pose(const gb_figures *figures, double *turns, double *vertices, double *normals) {
    int64_t joints = figures->skin->joints, count = figures->skin->vertices;
    for (int64_t figure = 0; figure < figures->count; figure++) {
        for (int64_t joint = 0; joint < joints; joint++) {
            int64_t at = figure * joints + joint;
            turn_of(figures->rest + 3 * joint, figures->positions + 3 * at, figures->rotations + 4 * at,
                    turns + 12 * joint);
        }
        for (int64_t vertex = 0; vertex < count; vertex++) {
            int64_t at = 3 * (figure * count + vertex);
            pose_vertex(figures, turns, vertex, vertices + at, normals + at);
        }
    }
}
