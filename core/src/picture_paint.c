/* Turn samples into pixels: light surfaces, show the floor elsewhere, average. */
#include "picture_floor.h"
#include "picture_light.h"

#define SUNK_M 0.01       /* metres: the ground hides surfaces deeper than this */
#define SAME_PLACE_M 0.05 /* metres: samples of a pixel farther apart in depth are lit on their own; larger: faster, coarser */
#define ALIKE 1e-3f       /* share of the depth: samples of a pixel and a triangle this alike share everything */
#define CLEAR 0.02        /* share of the depth: no pixel of what is this far above the ground reaches into it */
#define SMOOTH 0.94       /* -1 to 1: surfaces are smooth where the cosine between normals is above this (20 degrees) */

/* Linear light as an sRGB byte. */
static inline uint8_t to_byte(const gb_picture *picture, double linear) {
    double last = (double)(picture->byte_count - 1);
    return picture->bytes_of_light[(int64_t)(gb_min(1.0, gb_max(0.0, linear)) * last + 0.5)];
}

static inline void put(const gb_picture *picture, uint8_t *pixel, const gb_triple *color, double share) {
    pixel[0] = to_byte(picture, share * color->x);
    pixel[1] = color->y == color->x ? pixel[0] : to_byte(picture, share * color->y);
    pixel[2] = color->z == color->x ? pixel[0] : to_byte(picture, share * color->z);
}

/* Whether any sample of a pixel shows a surface. */
static inline int is_covered(const gb_samples *samples, int64_t row, int64_t column, int64_t per_pixel) {
    int32_t all = -1; /* numbers of samples are -1 or not negative */
    if (per_pixel == 2) {
        const int32_t *upper = samples->numbers + 2 * (row * samples->columns + column), *lower = upper + samples->columns;
        return (upper[0] & upper[1] & lower[0] & lower[1]) >= 0;
    }
    for (int64_t y = row * per_pixel; y < (row + 1) * per_pixel; y++)
        for (int64_t x = column * per_pixel; x < (column + 1) * per_pixel; x++)
            all &= samples->numbers[y * samples->columns + x];
    return all >= 0;
}

/* Whether a triangle smoothly continues the triangle of the sample before, which has a given normal. */
static int is_same_surface(const gb_surfaces *surfaces, int32_t number, int32_t before, const gb_triple *normal) {
    if (number == before) return 1;
    if (before < 0 || surfaces->owners[number] != surfaces->owners[before]) return 0;
    if (number >= surfaces->triangle_count) return 1;
    const double *other = surfaces->normals + 3 * (int64_t)surfaces->triangles[3 * (int64_t)number];
    return gb_abs(normal->x * other[0] + normal->y * other[1] + normal->z * other[2]) > SMOOTH;
}

/* The color of the surface last shown, and where it was. */
typedef struct surface {
    int32_t number; /* of its triangle or stroke; -1: none */
    double depth;
    gb_triple normal;
    gb_triple color;
    int is_sunk;  /* whether the ground hides it */
    int is_clear; /* whether it is well above the ground */
    float nearness;
} surface;

/* Goes on to the surface that a sample shows. */
static void show(const gb_picture *picture, const gb_samples *samples, const gb_places *places, gb_spot spot,
                 surface *last) {
    const gb_view *view = &picture->view;
    const gb_surfaces *surfaces = &picture->surfaces;
    const double *ground = picture->backdrop.ground;
    int64_t sample = spot.y * samples->columns + spot.x;
    int32_t number = samples->numbers[sample];
    double depth = gb_depth_of(view, (double)samples->nearness[sample]);
    gb_ray ray = gb_ray_through(view, (double)spot.x + 0.5, (double)spot.y + 0.5);
    gb_triple at = gb_ray_at(&ray, depth);
    double above = at.z - ground[0] - ground[1] * at.x - ground[2] * at.y;
    last->nearness = samples->nearness[sample];
    last->is_clear = above > CLEAR * depth;
    last->is_sunk = above < -SUNK_M && view->eye[2] > ground[0] + ground[1] * view->eye[0] + ground[2] * view->eye[1];
    if (last->is_sunk) return;
    if (gb_abs(depth - last->depth) <= SAME_PLACE_M && is_same_surface(surfaces, number, last->number, &last->normal))
        return;
    last->number = number;
    last->depth = depth;
    if (number >= surfaces->triangle_count) {
        last->color = gb_triple_of(surfaces->colors + 3 * (int64_t)surfaces->owners[number]);
    } else {
        gb_picture_normal(surfaces, number, &at, &ray, &last->normal);
        gb_picture_surface_color(picture, samples, places, spot, &at, &ray, above, &last->normal, &last->color);
    }
}

/* Whether a sample plainly shows the triangle of the sample before, at about the same depth. */
static int continues(const surface *last, int32_t number, float nearness) {
    if (number != last->number || !last->is_clear) return 0;
    float change = nearness - last->nearness, least = ALIKE * nearness;
    return change * change <= least * least;
}

/* What the samples of a pixel show. */
typedef struct shown {
    gb_triple color; /* the sum of all samples that show surfaces */
    int64_t count;   /* of these */
} shown;

/* Samples of one smooth surface share the color of the first: outlines and edges are sampled finely, shading is not. */
static void show_pixel(const gb_picture *picture, const gb_samples *samples, const gb_places *places, int64_t row,
                       int64_t column, shown *of) {
    const shown nothing = {{0.0, 0.0, 0.0}, 0};
    *of = nothing;
    surface last = {-1, 0.0, {0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}, 0, 0, 0.0f};
    int64_t per_pixel = picture->per_pixel;
    for (int64_t y = row * per_pixel; y < (row + 1) * per_pixel; y++)
        for (int64_t x = column * per_pixel; x < (column + 1) * per_pixel; x++) {
            int64_t sample = y * samples->columns + x;
            if (samples->numbers[sample] < 0) continue;
            if (!continues(&last, samples->numbers[sample], samples->nearness[sample])) {
                const gb_spot spot = {x, y};
                show(picture, samples, places, spot, &last);
            }
            if (last.is_sunk) continue;
            of->color.x += last.color.x;
            of->color.y += last.color.y;
            of->color.z += last.color.z;
            of->count++;
        }
}

void gb_picture_paint(const gb_picture *picture, const gb_samples *samples, uint8_t *pixels) {
    double count = (double)(picture->per_pixel * picture->per_pixel);
    gb_places places;
    gb_picture_lay_places(picture, samples, &places);
    for (int64_t row = 0; row < picture->rows; row++) {
        const gb_floor_row floor = gb_floor_row_of(picture, row);
        uint8_t *pixel = pixels + 3 * row * picture->columns;
        for (int64_t column = 0; column < picture->columns; column++, pixel += 3) {
            gb_triple color;
            if (!is_covered(samples, row, column, picture->per_pixel)) {
                gb_floor_color(picture, &floor, column, &color);
                put(picture, pixel, &color, 1.0);
                continue;
            }
            shown of;
            show_pixel(picture, samples, &places, row, column, &of);
            double rest = count - (double)of.count;
            if (rest > 0.0) {
                gb_floor_color(picture, &floor, column, &color);
                of.color.x += rest * color.x;
                of.color.y += rest * color.y;
                of.color.z += rest * color.z;
            }
            put(picture, pixel, &of.color, 1.0 / count);
        }
    }
}
