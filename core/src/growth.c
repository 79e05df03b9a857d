/* Grow swept shapes until they contain their clips' frames after blending. */
#include "blending.h"

/* A planar pose, by the cosine and sine of its heading. */
typedef struct planar {
    double x, y, cosine, sine;
} planar;

/* Grows an instant's cylinders until they contain the spheres at a frame of joints; `from` carries points of the
 * window into the instant's frame. */
static void hold(const gb_shapes *shapes, int64_t instant, const gb_spheres *spheres, const gb_placed *placed,
                 int64_t first_joint, const planar *from) {
    for (int64_t sphere = 0; sphere < spheres->count; sphere++) {
        int64_t part = instant * GB_PARTS + spheres->part[sphere];
        gb_vector at = gb_fixed_point(placed, first_joint + spheres->joint[sphere], spheres->offset + 3 * sphere);
        double *offset = shapes->offset + 2 * part, *radius = shapes->radius + part, size = spheres->radius[sphere];
        double ahead = from->x + from->cosine * at.x - from->sine * at.y - offset[0];
        double aside = from->y + from->sine * at.x + from->cosine * at.y - offset[1];
        double away = sqrt(ahead * ahead + aside * aside);
        double outside = away + size - *radius;
        if (outside > 0.0) {
            /* The smallest circle around circle and sphere: one half of the distance widens it, the other moves it. */
            *radius += 0.5 * outside;
            offset[0] += 0.5 * outside * ahead / gb_max(away, 1e-12);
            offset[1] += 0.5 * outside * aside / gb_max(away, 1e-12);
        }
        shapes->low[part] = gb_min(shapes->low[part], at.z - size);
        shapes->high[part] = gb_max(shapes->high[part], at.z + size);
    }
}

/* Grows the instants around a clip's frame until they contain the spheres at a frame of the window, which is seen
 * from the planar pose (3) relative to the clip's start. */
static void hold_frame(const gb_blending *blending, const gb_shapes *shapes, const gb_spheres *spheres, int64_t clip,
                       int64_t clip_frame, const double *pose, int64_t frame) {
    int64_t step = shapes->frames_per_step, half = (step + 1) / 2;
    int64_t last = gb_least((clip_frame + half) / step, blending->clips->steps[clip] / step);
    for (int64_t number = gb_most((clip_frame - half) / step, 0); number <= last; number++) {
        int64_t apart = number * step - clip_frame, instant = shapes->first[clip] + number;
        if (apart > half || apart < -half) continue;
        const double *path = shapes->path + 3 * instant;
        double east = pose[0] - path[0], north = pose[1] - path[1];
        double cosine = gb_cos(path[2]), sine = gb_sin(path[2]);
        planar from = {cosine * east + sine * north, cosine * north - sine * east, gb_cos(pose[2] - path[2]),
                       gb_sin(pose[2] - path[2])};
        hold(shapes, instant, spheres, &blending->mixed_placed, frame * blending->clips->joints, &from);
    }
}

void gb_shapes_hold_joins(const gb_clip_frames *clips, const gb_limbs *limbs, const int64_t *pairs, int64_t count,
                          const gb_spheres *spheres, const gb_shapes *shapes, double *room) {
    const double origin[3] = {0.0, 0.0, 0.0};
    gb_blending blending;
    for (int64_t pair = 0; pair < count; pair++) {
        int64_t a = pairs[2 * pair], b = pairs[2 * pair + 1];
        int64_t window = gb_join_window(clips, a, b);
        gb_blending_lay_out(&blending, clips, limbs, 2 * window + 1, room);
        gb_blend(&blending, a, b, 1);
        gb_window_place(&blending, &blending.mixed, &blending.mixed_placed);
        for (int64_t frame = 0; frame <= 2 * window; frame++) {
            if (frame <= window)
                hold_frame(&blending, shapes, spheres, a, clips->steps[a] + frame - window, clips->end + 3 * a, frame);
            if (frame >= window) hold_frame(&blending, shapes, spheres, b, frame - window, origin, frame);
        }
    }
}
