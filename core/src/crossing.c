/* What a clip gets over and under, and how thin a piece is. */
#include "numbers.h"

/* How far ahead of where its clip began a part of an instant is. */
static double part_ahead(const gb_actions *actions, int64_t sample, int64_t part) {
    const double *path = actions->path + 3 * sample, *offset = actions->part_offset + 2 * (sample * GB_PARTS + part);
    return path[0] + gb_cos(path[2]) * offset[0] - gb_sin(path[2]) * offset[1];
}

/* Lowest and highest of the parts within a slab across the clip. */
static void span_within(const gb_actions *actions, int64_t clip, double place, double thickness, double *low,
                        double *high) {
    int64_t first = actions->clip_samples[clip];
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t sample = first; sample <= first + actions->duration[clip]; sample++) {
        const double *path = actions->path + 3 * sample;
        if (gb_abs(path[0] - place) > actions->outer_radius[sample] + 0.5 * thickness) continue;
        double cosine = gb_cos(path[2]), sine = gb_sin(path[2]);
        for (int64_t part = 0; part < GB_PARTS; part++) {
            int64_t at = sample * GB_PARTS + part;
            if (actions->part_high[at] <= actions->part_low[at]) continue;
            const double *offset = actions->part_offset + 2 * at;
            double ahead = path[0] + cosine * offset[0] - sine * offset[1];
            if (gb_abs(ahead - place) >= actions->part_radius[at] + 0.5 * thickness) continue;
            *low = gb_min(*low, actions->part_low[at]);
            *high = gb_max(*high, actions->part_high[at]);
        }
    }
}

void gb_clip_room_across(const gb_actions *actions, int64_t clip, double thickness, double *over, double *under) {
    int64_t first = actions->clip_samples[clip], last = first + actions->duration[clip];
    double begin = -INFINITY, end = INFINITY, highest = 0.0;
    for (int64_t at = first * GB_PARTS; at < (last + 1) * GB_PARTS; at++) highest = gb_max(highest, actions->part_high[at]);
    *over = 0.0;
    *under = actions->displacement[3 * clip] > 0.0 ? highest : INFINITY;
    for (int64_t part = 0; part < GB_PARTS; part++) {
        int64_t at = first * GB_PARTS + part, later = last * GB_PARTS + part;
        if (actions->part_high[at] > actions->part_low[at])
            begin = gb_max(begin, part_ahead(actions, first, part) + actions->part_radius[at]);
        if (actions->part_high[later] > actions->part_low[later])
            end = gb_min(end, part_ahead(actions, last, part) - actions->part_radius[later]);
    }
    for (double place = begin + 0.5 * thickness; place + 0.5 * thickness <= end; place += 0.05) {
        double low, high;
        span_within(actions, clip, place, thickness, &low, &high);
        if (low == INFINITY) continue;
        *over = gb_max(*over, low);
        *under = gb_min(*under, high);
    }
}

static void thinnest(const gb_pieces *pieces, int64_t piece, double *width, double *across) {
    const double *xs = pieces->corner_x, *ys = pieces->corner_y;
    int64_t first = pieces->first_corner[piece], last = pieces->first_corner[piece + 1];
    double least = INFINITY;
    across[0] = across[1] = 0.0;
    for (int64_t corner = first; corner < last; corner++) {
        int64_t next = corner + 1 < last ? corner + 1 : first;
        double side_x = xs[next] - xs[corner], side_y = ys[next] - ys[corner];
        double length = gb_hypot(side_x, side_y), near = INFINITY, far = -INFINITY;
        if (length <= 1e-9) continue;
        double normal_x = -side_y / length, normal_y = side_x / length;
        for (int64_t other = first; other < last; other++) {
            double place = xs[other] * normal_x + ys[other] * normal_y;
            near = gb_min(near, place);
            far = gb_max(far, place);
        }
        if (far - near < least) {
            least = far - near;
            across[0] = normal_x;
            across[1] = normal_y;
        }
    }
    *width = 2.0 * pieces->radius[piece] + (least < INFINITY ? least : 0.0);
}

void gb_pieces_thinnest(const gb_pieces *pieces, double *width, double *across) {
    for (int64_t piece = 0; piece < pieces->count; piece++) thinnest(pieces, piece, width + piece, across + 2 * piece);
}
