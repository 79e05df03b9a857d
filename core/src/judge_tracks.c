/* Capsules that move evenly for a stretch of time: one by one, and around a whole body. */
#include "judge_bench.h"

double gb_judge_axis_ball(const moving_axis *of, point *middle) {
    const point *points[4] = {&of->from.start, &of->from.end, &of->to.start, &of->to.end};
    double x = 0.25 * (points[0]->x + points[1]->x + points[2]->x + points[3]->x);
    double y = 0.25 * (points[0]->y + points[1]->y + points[2]->y + points[3]->y);
    double z = 0.25 * (points[0]->z + points[1]->z + points[2]->z + points[3]->z);
    double away = 0.0;
    for (int number = 0; number < 4; number++) {
        const point *at = points[number];
        away = greater(away, square(at->x - x) + square(at->y - y) + square(at->z - z));
    }
    middle->x = x;
    middle->y = y;
    middle->z = z;
    return sqrt(away);
}

static void extend_box(box *around, const point *at, double radius) {
    around->least.x = lesser(around->least.x, at->x - radius);
    around->least.y = lesser(around->least.y, at->y - radius);
    around->least.z = lesser(around->least.z, at->z - radius);
    around->most.x = greater(around->most.x, at->x + radius);
    around->most.y = greater(around->most.y, at->y + radius);
    around->most.z = greater(around->most.z, at->z + radius);
}

void gb_judge_set_tracks(const bench *on, double share_from, double share_to, track *tracks, box *around) {
    const box empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    *around = empty;
    for (int64_t capsule = 0; capsule < on->capsules; capsule++) {
        track *of = tracks + capsule;
        double radius = on->radius[capsule];
        set_axis(on, capsule, share_from, share_to, &of->axis);
        of->around = gb_judge_axis_ball(&of->axis, &of->middle) + radius;
        extend_box(around, &of->axis.from.start, radius);
        extend_box(around, &of->axis.from.end, radius);
        extend_box(around, &of->axis.to.start, radius);
        extend_box(around, &of->axis.to.end, radius);
    }
}

void gb_judge_set_ball(bench *on) {
    box around = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int frame = 0; frame < 2; frame++)
        for (int64_t capsule = 0; capsule < on->capsules; capsule++) {
            extend_box(&around, &on->frames[frame][capsule].start, 0.0);
            extend_box(&around, &on->frames[frame][capsule].end, 0.0);
        }
    on->middle.x = 0.5 * (around.least.x + around.most.x);
    on->middle.y = 0.5 * (around.least.y + around.most.y);
    on->middle.z = 0.5 * (around.least.z + around.most.z);
    on->around = length_of(on->middle, around.most);
    on->widest = 0.0;
    for (int64_t capsule = 0; capsule < on->capsules; capsule++) on->widest = greater(on->widest, on->radius[capsule]);
}
