/* Light on a surface: two soft lamps, light from all around, creases and cast shadows. */
#include "picture_light.h"

#include "picture_floor.h"

#define WRAP 0.35               /* at least 0: light reaches around a form by this cosine; larger: softer, as from larger lamps */
#define SHEEN 0.10              /* at least 0: share of light that a matte surface returns at grazing angles */
#define OCCLUSION_RADIUS_M 0.16 /* metres: surfaces within this darken each other; larger: wider dark creases */
#define OCCLUSION_STRENGTH 1.9  /* at least 0: larger: darker creases */
#define LARGEST_STEP ((REACHES - 1) / REACH_STEPS) /* samples: occlusion looks no farther, so that close-ups stay fast */
#define GROUND_REACH_M 0.35     /* metres: the ground darkens surfaces that face it, by 1/e of its full effect at this height */
#define SHADOW_OFFSET_M 0.015   /* metres: surfaces look for shadows this far (and 1.5 texels) above themselves */
#define SHADOW_FROM_M 0.01      /* metres: a body this much nearer to the lamp begins to cast a shadow */
#define SHADOW_OVER_M 0.12      /* metres: a body nearer by this much more casts a full shadow; larger: softer */
#define PAINTED_M 0.01          /* metres: surfaces this near to the ground receive its shadows */

static double unit_share(double value) { return gb_min(1.0, gb_max(0.0, value)); }

/* The barycentric weights of a triangle's point near another point, in the triangle's plane. */
static void find_weights(const double *a, const double *b, const double *c, const gb_triple *at, double *weights) {
    double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    double wx = at->x - a[0], wy = at->y - a[1], wz = at->z - a[2];
    double uu = ux * ux + uy * uy + uz * uz, uv = ux * vx + uy * vy + uz * vz, vv = vx * vx + vy * vy + vz * vz;
    double wu = wx * ux + wy * uy + wz * uz, wv = wx * vx + wy * vy + wz * vz, scale = uu * vv - uv * uv;
    if (scale <= 0.0) return;
    weights[1] = unit_share((vv * wu - uv * wv) / scale);
    weights[2] = gb_min(1.0 - weights[1], gb_max(0.0, (uu * wv - uv * wu) / scale));
    weights[0] = 1.0 - weights[1] - weights[2];
}

void gb_picture_normal(const gb_surfaces *surfaces, int32_t number, const gb_triple *at, const gb_ray *ray,
                       gb_triple *normal) {
    const int32_t *corners = surfaces->triangles + 3 * (int64_t)number;
    const double *a = surfaces->vertices + 3 * (int64_t)corners[0], *b = surfaces->vertices + 3 * (int64_t)corners[1];
    const double *c = surfaces->vertices + 3 * (int64_t)corners[2];
    const double *at_a = surfaces->normals + 3 * (int64_t)corners[0], *at_b = surfaces->normals + 3 * (int64_t)corners[1];
    const double *at_c = surfaces->normals + 3 * (int64_t)corners[2];
    int is_even = at_a[0] == at_b[0] && at_a[1] == at_b[1] && at_a[2] == at_b[2] && at_a[0] == at_c[0] &&
                  at_a[1] == at_c[1] && at_a[2] == at_c[2];
    double share[3] = {1.0, 0.0, 0.0};
    if (!is_even) find_weights(a, b, c, at, share);
    double x = share[0] * at_a[0] + share[1] * at_b[0] + share[2] * at_c[0];
    double y = share[0] * at_a[1] + share[1] * at_b[1] + share[2] * at_c[1];
    double z = share[0] * at_a[2] + share[1] * at_b[2] + share[2] * at_c[2];
    double length = sqrt(x * x + y * y + z * z);
    normal->x = normal->y = 0.0;
    normal->z = 1.0;
    if (length < 1e-12) return;
    /* At an outline, smooth normals may lean away from the viewer: the flat triangle decides the side. */
    double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    double fx = uy * vz - uz * vy, fy = uz * vx - ux * vz, fz = ux * vy - uy * vx;
    const gb_triple *along = &ray->along;
    int is_behind = (fx * along->x + fy * along->y + fz * along->z) * (fx * x + fy * y + fz * z) > 0.0;
    double scale = is_behind ? -1.0 / length : 1.0 / length;
    normal->x = x * scale;
    normal->y = y * scale;
    normal->z = z * scale;
}

void gb_picture_lay_places(const gb_picture *picture, const gb_samples *samples, gb_places *places) {
    places->count = picture->pattern_count < MOST_PLACES ? (int32_t)picture->pattern_count : MOST_PLACES;
    for (int32_t step = 0; step < REACHES; step++) {
        double reach = (double)step / REACH_STEPS;
        for (int32_t place = 0; place < places->count; place++) {
            int32_t right = (int32_t)gb_floor(reach * picture->pattern[2 * place] + 0.5);
            int32_t down = (int32_t)gb_floor(reach * picture->pattern[2 * place + 1] + 0.5);
            places->right[step][place] = (int16_t)right;
            places->down[step][place] = (int16_t)down;
            places->away[step][place] = (int32_t)(down * samples->columns + right);
        }
    }
}

/* The share of light from all around that reaches what a sample shows, by the surfaces near it on the screen. */
static double openness(const gb_picture *picture, const gb_samples *samples, const gb_places *places, gb_spot spot,
                       const gb_triple *at, const gb_triple *normal) {
    const gb_view *view = &picture->view;
    gb_triple own = gb_to_view(view, at->x, at->y, at->z);
    double across = gb_dot(view->right, normal->x, normal->y, normal->z);
    double under = gb_dot(view->down, normal->x, normal->y, normal->z);
    double away = gb_dot(view->forward, normal->x, normal->y, normal->z);
    double scale = view->is_perspective ? view->focal / own.z : view->focal, blocked = 0.0;
    int32_t step = (int32_t)(gb_min(LARGEST_STEP, OCCLUSION_RADIUS_M * scale) * REACH_STEPS + 0.5);
    int64_t sample = spot.y * samples->columns + spot.x, rim = step / (int32_t)REACH_STEPS + 1;
    int32_t number = samples->numbers[sample];
    int is_inside = spot.x >= rim && spot.y >= rim && spot.x + rim < samples->columns && spot.y + rim < samples->rows;
    for (int32_t place = 0; place < places->count; place++) {
        int64_t column = spot.x + places->right[step][place], row = spot.y + places->down[step][place];
        if (!is_inside && (column < 0 || row < 0 || column >= samples->columns || row >= samples->rows)) continue;
        int64_t there = sample + places->away[step][place];
        int32_t other_number = samples->numbers[there];
        if (other_number < 0 || other_number == number) continue; /* nothing, or the same flat triangle */
        double other = gb_depth_of(view, (double)samples->nearness[there]);
        double back = view->is_perspective ? other * view->per_focal : view->per_focal;
        double vx = ((double)column + 0.5 - view->center_x) * back - own.x;
        double vy = ((double)row + 0.5 - view->center_y) * back - own.y;
        double vz = other - own.z, away_squared = vx * vx + vy * vy + vz * vz + 1e-8;
        double near = 1.0 - away_squared * (1.0 / (OCCLUSION_RADIUS_M * OCCLUSION_RADIUS_M));
        double before = vx * across + vy * under + vz * away;
        if (near <= 0.0 || before <= 0.0) continue; /* too far away, or not before the surface */
        blocked += near * gb_max(0.0, before / sqrt(away_squared) - 0.12);
    }
    return gb_max(0.25, 1.0 - OCCLUSION_STRENGTH * blocked / (double)places->count);
}

/* The share of light from all around that the ground leaves to a surface at a height. */
static double ground_openness(double height, double up) {
    return 1.0 - 0.55 * (0.5 - 0.5 * up) * gb_fading(gb_max(0.0, height) / GROUND_REACH_M);
}

/* The nearness in the lamp's map, bilinear between four texels, or `beyond` outside of it. */
static double lamp_nearness(const gb_picture *picture, double x, double y, double beyond) {
    int64_t columns = picture->lamp_columns;
    if (x < 0.0 || y < 0.0 || x >= (double)(columns - 1) || y >= (double)(picture->lamp_rows - 1)) return beyond;
    int64_t column = (int64_t)x, row = (int64_t)y;
    const float *upper = picture->lamp_nearness + row * columns + column, *lower = upper + columns;
    double u = x - (double)column;
    double above = (double)upper[0] + u * (double)(upper[1] - upper[0]);
    return above + (y - (double)row) * ((double)lower[0] + u * (double)(lower[1] - lower[0]) - above);
}

/* The share of the key lamp's light that reaches a point, by the lamp's blurred map.  It is soft in depth as well: a surface
 * barely nearer than the point is the point's own. */
static double key_share(const gb_picture *picture, const gb_triple *at, const gb_triple *normal) {
    const gb_view *lamp = &picture->lamp_view;
    double offset = SHADOW_OFFSET_M + 1.5 * lamp->per_focal;
    gb_triple seen =
        gb_to_view(lamp, at->x + offset * normal->x, at->y + offset * normal->y, at->z + offset * normal->z);
    double before = seen.z + lamp_nearness(picture, lamp->center_x + lamp->focal * seen.x - 0.5,
                                           lamp->center_y + lamp->focal * seen.y - 0.5, -seen.z);
    return 1.0 - unit_share((before - SHADOW_FROM_M) * (1.0 / SHADOW_OVER_M));
}

/* The share of a large lamp's light that falls on a surface; it reaches a little around the edge. */
static double facing(const double *toward, const gb_triple *normal) {
    return gb_max(0.0, (gb_dot(toward, normal->x, normal->y, normal->z) + WRAP) / (1.0 + WRAP));
}

/* How much light of each kind a point gets. */
typedef struct amounts {
    double up, ambient, key, fill, sheen;
} amounts;

/* One channel of a matte color under both lamps and the light from above and below. */
static double lit_channel(const gb_lamps *lamps, const amounts *of, const double *color, int channel) {
    double sky = lamps->sky_color[channel], bounce = lamps->bounce_color[channel];
    double ambient = of->ambient * (bounce + of->up * (sky - bounce));
    return color[channel] * (ambient + of->key * lamps->key_color[channel] + of->fill * lamps->fill_color[channel]) +
           of->sheen * sky;
}

void gb_picture_surface_color(const gb_picture *picture, const gb_samples *samples, const gb_places *places, gb_spot spot,
                              const gb_triple *at, const gb_ray *ray, double height, const gb_triple *normal,
                              gb_triple *color) {
    const gb_triple *along = &ray->along;
    const gb_lamps *lamps = &picture->lamps;
    int32_t owner = picture->surfaces.owners[samples->numbers[spot.y * samples->columns + spot.x]];
    int is_ground = picture->surfaces.is_ground[owner];
    amounts of;
    of.key = facing(lamps->key, normal);
    if (of.key > 0.0 && !is_ground) of.key *= of.key * key_share(picture, at, normal);
    of.ambient = openness(picture, samples, places, spot, at, normal) * ground_openness(height, normal->z);
    of.fill = facing(lamps->fill, normal) * (0.5 + 0.5 * of.ambient);
    of.up = 0.5 + 0.5 * normal->z;
    double length = sqrt(along->x * along->x + along->y * along->y + along->z * along->z);
    double grazing = unit_share(1.0 + (normal->x * along->x + normal->y * along->y + normal->z * along->z) / length);
    of.sheen = SHEEN * grazing * grazing * grazing * of.ambient;
    const double *own = picture->surfaces.colors + 3 * (int64_t)owner;
    color->x = lit_channel(lamps, &of, own, 0);
    color->y = lit_channel(lamps, &of, own, 1);
    color->z = lit_channel(lamps, &of, own, 2);
    if (is_ground || gb_abs(height) < PAINTED_M) {
        double share = gb_floor_light_at(&picture->floor, at->x, at->y);
        color->x *= share;
        color->y *= share;
        color->z *= share;
    }
}
