/* A mesh around a body: bent by its joints, and evened out while it is made. */
#include "quaternion.h"

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

void gb_skin_normals(const double *vertices, int64_t count, const int32_t *triangles, int64_t triangle_count,
                     double *normals) {
    for (int64_t number = 0; number < 3 * count; number++) normals[number] = 0.0;
    for (int64_t triangle = 0; triangle < triangle_count; triangle++) {
        const int32_t *corners = triangles + 3 * triangle;
        const double *a = vertices + 3 * (int64_t)corners[0], *b = vertices + 3 * (int64_t)corners[1];
        const double *c = vertices + 3 * (int64_t)corners[2];
        double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
        double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
        const double area[3] = {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx}; /* twice it, along the normal */
        for (int corner = 0; corner < 3; corner++)
            for (int side = 0; side < 3; side++) normals[3 * (int64_t)corners[corner] + side] += area[side];
    }
    for (int64_t vertex = 0; vertex < count; vertex++) {
        double *normal = normals + 3 * vertex;
        double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int side = 0; side < 3; side++) normal[side] = length > 0.0 ? normal[side] / length : (double)(side == 2);
    }
}

void gb_skin_average(const int64_t *first, const int32_t *neighbours, int64_t vertices, const double *values,
                     int64_t columns, double *means) {
    for (int64_t vertex = 0; vertex < vertices; vertex++) {
        double *mean = means + vertex * columns, share = 1.0 / (double)(first[vertex + 1] - first[vertex]);
        for (int64_t column = 0; column < columns; column++) mean[column] = 0.0;
        for (int64_t at = first[vertex]; at < first[vertex + 1]; at++) {
            const double *value = values + neighbours[at] * columns;
            for (int64_t column = 0; column < columns; column++) mean[column] += share * value[column];
        }
    }
}
