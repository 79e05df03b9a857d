/* Whether a body finds room somewhere: instants of clips at places and headings. */
#include "sweep.h"

#include "world.h"

int64_t gb_stance_obstacle(const gb_world *world, const gb_actions *actions, const gb_stance *stance) {
    double cosine = gb_cos(stance->heading), sine = gb_sin(stance->heading);
    double reach = actions->outer_radius[stance->sample];
    gb_margins margins = gb_slope_margins(world, stance->x, stance->y, reach, reach);
    int64_t found = GB_NOTHING;
    for (int64_t part = stance->sample * GB_PARTS; part < (stance->sample + 1) * GB_PARTS; part++) {
        double low = actions->part_low[part], high = actions->part_high[part];
        if (high <= low) continue; /* a figure without this part */
        double ahead = actions->part_offset[2 * part], aside = actions->part_offset[2 * part + 1];
        int64_t met = gb_world_blocking_obstacle(world, stance->x + cosine * ahead - sine * aside,
                                                 stance->y + sine * ahead + cosine * aside,
                                                 actions->part_radius[part] + margins.aside_by, low - margins.lower,
                                                 high + margins.higher, -1);
        if (met >= 0) return met;
        if (met == GB_BOUNDS) found = GB_BOUNDS;
    }
    return found;
}

int64_t gb_stance_thing(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions,
                        const gb_stance *stance, int64_t frame) {
    gb_margins margins = gb_traffic_margins(world, stance->x, stance->y, actions->outer_radius[stance->sample]);
    return gb_traffic_body_blocker(traffic, actions, stance->sample, stance->x, stance->y, gb_cos(stance->heading),
                                   gb_sin(stance->heading), frame, margins.aside_by, margins.lower, margins.higher);
}

int32_t gb_stance_any_met(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions,
                          const gb_stance *stances, const int64_t *frames, int64_t count, int64_t thing) {
    for (int64_t number = 0; number < count; number++) {
        const gb_stance *stance = stances + number;
        gb_margins margins = gb_traffic_margins(world, stance->x, stance->y, actions->outer_radius[stance->sample]);
        if (gb_traffic_thing_meets(traffic, actions, thing, stance->sample, stance->x, stance->y, gb_cos(stance->heading),
                                   gb_sin(stance->heading), frames[number], margins.aside_by, margins.lower, margins.higher))
            return 1;
    }
    return 0;
}

int64_t gb_stance_when_met(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions,
                           const gb_stance *stance, int64_t end_frame) {
    for (int64_t frame = 0; frame < end_frame; frame++)
        if (gb_stance_thing(world, traffic, actions, stance, frame) >= 0) return frame;
    return -1;
}

/* Whether any instant fits at a place, at headings spread evenly. */
static int has_room_at(const gb_world *world, const gb_moves *moves, const int64_t *samples, int64_t count,
                       const gb_goal_room *goal, double x, double y) {
    for (int64_t turn = 0; turn < goal->headings; turn++) {
        double share = 2.0 * (double)turn / (double)goal->headings - 1.0;
        double facing = goal->heading + share * gb_min(goal->heading_tolerance, GB_HALF_TURN);
        for (int64_t number = 0; number < count; number++)
            if (gb_clip_instant_is_free(world, moves, samples[number], x, y, facing, -1)) return 1;
    }
    return 0;
}

int32_t gb_stance_has_room(const gb_world *world, const gb_moves *moves, const int64_t *samples, int64_t count,
                           const gb_goal_room *goal) {
    for (int64_t ring = 0; ring < goal->rings; ring++) {
        double radius = goal->tolerance * (double)ring / (double)gb_most(goal->rings - 1, 1);
        int64_t around = ring == 0 ? 1 : 6 * ring;
        for (int64_t place = 0; place < around; place++) {
            double angle = GB_TURN * (double)place / (double)around;
            double x = goal->x + radius * gb_cos(angle), y = goal->y + radius * gb_sin(angle);
            if (has_room_at(world, moves, samples, count, goal, x, y)) return 1;
        }
    }
    return 0;
}

double gb_clip_core_radius(const double *part_offset, const double *part_radius, const double *part_low,
                           const double *part_high, int64_t count, double bottom, double top) {
    double least = INFINITY;
    for (int64_t sample = 0; sample < count; sample++) {
        double widest = 0.0;
        for (int64_t part = sample * GB_PARTS; part < (sample + 1) * GB_PARTS; part++) {
            double low = part_low[part], high = part_high[part];
            if (!(low < top && bottom < high && low < high)) continue;
            double ahead = part_offset[2 * part], aside = part_offset[2 * part + 1];
            widest = gb_max(widest, part_radius[part] - sqrt(ahead * ahead + aside * aside));
        }
        if (widest <= 0.0) return 0.0;
        least = gb_min(least, widest);
    }
    return least;
}
