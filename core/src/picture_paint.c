/* Turn samples into pixels: light surfaces, show the floor elsewhere, average. */
#include "picture_floor.h"
#include "picture_light.h"

#define SUNK_M 0.01       /* metres: the ground hides surfaces deeper than this */
#define SAME_PLACE_M 0.05 /* metres: samples of a pixel farther apart in depth are lit on their own; larger: faster, coarser */
#define SMOOTH 0.94       /* -1 to 1: surfaces are smooth where the cosine between normals is above this (20 degrees) */

/* Linear light as an sRGB byte. */
static uint8_t to_byte(const gb_picture *picture, double linear) {
    double last = (double)(picture->byte_count - 1);
    return picture->bytes_of_light[(int64_t)(gb_min(1.0, gb_max(0.0, linear)) * last + 0.5)];
}

static void put(const gb_picture *picture, uint8_t *pixel, double red, double green, double blue) {
    pixel[0] = to_byte(picture, red);
    pixel[1] = to_byte(picture, green);
    pixel[2] = to_byte(picture, blue);
}

/* Whether any sample of a pixel shows a surface. */
static int is_covered(const gb_samples *samples, int64_t row, int64_t column, int64_t per_pixel) {
    for (int64_t y = row * per_pixel; y < (row + 1) * per_pixel; y++)
        for (int64_t x = column * per_pixel; x < (column + 1) * per_pixel; x++)
            if (samples->numbers[y * samples->columns + x] >= 0) return 1;
    return 0;
}

/* The color of floor or background in the middle of a pixel. */
static gb_triple floor_pixel(const gb_picture *picture, int64_t row, int64_t column) {
    const gb_view *view = &picture->view;
    double per_pixel = (double)picture->per_pixel;
    gb_ray ray = gb_ray_through(view, ((double)column + 0.5) * per_pixel, ((double)row + 0.5) * per_pixel);
    return gb_floor_color(view, &picture->backdrop, &picture->floor, per_pixel * view->per_focal,
                          ((double)row + 0.5) / (double)picture->rows, &ray);
}

/* Whether a triangle smoothly continues the triangle of the sample before, which has a given normal. */
static int is_same_surface(const gb_surfaces *surfaces, int32_t number, int32_t before, gb_triple normal) {
    if (number == before) return 1;
    if (before < 0 || surfaces->owners[number] != surfaces->owners[before]) return 0;
    if (number >= surfaces->triangle_count) return 1;
    const double *other = surfaces->normals + 3 * (int64_t)surfaces->triangles[3 * (int64_t)number];
    return gb_abs(normal.x * other[0] + normal.y * other[1] + normal.z * other[2]) > SMOOTH;
}

/* What the samples of a pixel show. */
typedef struct shown {
    gb_triple color; /* the sum of all samples that show surfaces */
    int64_t count;   /* of these */
} shown;

/* Samples of one smooth surface share the color of the first: outlines and edges are sampled finely, shading is not. */
static shown shown_surfaces(const gb_picture *picture, const gb_samples *samples, int64_t row, int64_t column) {
    const gb_view *view = &picture->view;
    const gb_surfaces *surfaces = &picture->surfaces;
    const double *ground = picture->backdrop.ground;
    int is_above = view->eye[2] > ground[0] + ground[1] * view->eye[0] + ground[2] * view->eye[1];
    shown of = {{0.0, 0.0, 0.0}, 0};
    gb_triple color = {0.0, 0.0, 0.0}, normal = {0.0, 0.0, 1.0};
    int32_t before = -1;
    double before_depth = 0.0;
    int64_t per_pixel = picture->per_pixel;
    for (int64_t sample = 0; sample < per_pixel * per_pixel; sample++) {
        int64_t y = row * per_pixel + sample / per_pixel, x = column * per_pixel + sample % per_pixel;
        int32_t number = samples->numbers[y * samples->columns + x];
        if (number < 0) continue;
        double depth = gb_depth_of(view, (double)samples->nearness[y * samples->columns + x]);
        gb_ray ray = gb_ray_through(view, (double)x + 0.5, (double)y + 0.5);
        gb_triple at = gb_ray_at(&ray, depth);
        double above = at.z - ground[0] - ground[1] * at.x - ground[2] * at.y;
        if (is_above && above < -SUNK_M) continue;
        if (gb_abs(depth - before_depth) > SAME_PLACE_M || !is_same_surface(surfaces, number, before, normal)) {
            if (number >= surfaces->triangle_count) {
                color = gb_triple_of(surfaces->colors + 3 * (int64_t)surfaces->owners[number]);
            } else {
                normal = gb_picture_normal(surfaces, number, at, &ray);
                color = gb_picture_surface_color(picture, samples, number, depth, &ray, above, normal);
            }
            before = number;
            before_depth = depth;
        }
        of.color.x += color.x;
        of.color.y += color.y;
        of.color.z += color.z;
        of.count++;
    }
    return of;
}

void gb_picture_paint(const gb_picture *picture, const gb_samples *samples, uint8_t *pixels) {
    double count = (double)(picture->per_pixel * picture->per_pixel);
    for (int64_t row = 0; row < picture->rows; row++)
        for (int64_t column = 0; column < picture->columns; column++) {
            uint8_t *pixel = pixels + 3 * (row * picture->columns + column);
            if (!is_covered(samples, row, column, picture->per_pixel)) {
                gb_triple floor = floor_pixel(picture, row, column);
                put(picture, pixel, floor.x, floor.y, floor.z);
                continue;
            }
            shown of = shown_surfaces(picture, samples, row, column);
            double rest = count - (double)of.count;
            if (rest > 0.0) {
                gb_triple floor = floor_pixel(picture, row, column);
                of.color.x += rest * floor.x;
                of.color.y += rest * floor.y;
                of.color.z += rest * floor.z;
            }
            put(picture, pixel, of.color.x / count, of.color.y / count, of.color.z / count);
        }
}
