/* Whether a clip may be played: the function G of [LK05 algorithm 1] but for visited states. */
#include "play.h"

#include "choice.h"
#include "ground.h"

int64_t gb_clip_choose(int64_t seed, int64_t word, int64_t behavior, int64_t count) {
    return gb_choose_clip(seed, word, behavior, count);
}

static int is_clear_of_obstacles(const gb_world *world, const gb_query *query, const gb_actions *actions,
                                 const gb_moves *moves, int64_t behavior, int64_t clip, const gb_pose *from,
                                 int64_t ignored, int64_t *samples) {
    double radius = query->radius[behavior];
    if (radius > 0.0) return gb_disc_clip_is_free(world, actions, clip, from, radius, ignored, samples);
    int64_t first = actions->clip_samples[clip];
    return gb_clip_is_free(world, moves, query->core, clip, first, first + actions->duration[clip], from, ignored, samples);
}

/* Whether a special behavior begins near an obstacle of its kind and has its event within it [LK05 3.2]. */
static int is_special_allowed(const gb_world *world, const gb_query *query, const gb_actions *actions,
                              const gb_moves *moves, int64_t behavior, int64_t clip, const gb_pose *from, int64_t kind,
                              int64_t *samples) {
    if (kind < 0) return 0; /* no obstacle of this world is of its kind */
    const double *event = actions->path + 3 * (actions->clip_samples[clip] + actions->event[clip]);
    double event_x = from->x + from->cosine * event[0] - from->sine * event[1];
    double event_y = from->y + from->sine * event[0] + from->cosine * event[1];
    int64_t obstacle = -1;
    while ((obstacle = gb_world_first_special_near(world, kind, from->x, from->y, obstacle)) >= 0)
        if (gb_world_within_special(world, obstacle, event_x, event_y) &&
            is_clear_of_obstacles(world, query, actions, moves, behavior, clip, from, obstacle, samples))
            return 1;
    return 0;
}

int gb_may_be_played_from(const gb_world *world, const gb_traffic *traffic, const gb_query *query,
                          const gb_actions *actions, const gb_moves *moves, int64_t behavior, int64_t clip,
                          const gb_pose *from, int64_t frame, int64_t *samples) {
    if (world->ground.has_terrain && !gb_slopes_allow(world, actions, clip, behavior, from)) return 0;
    int64_t kind = query->special[behavior];
    if (kind == -1) {
        if (!is_clear_of_obstacles(world, query, actions, moves, behavior, clip, from, -1, samples)) return 0;
    } else if (!is_special_allowed(world, query, actions, moves, behavior, clip, from, kind, samples)) {
        return 0;
    }
    if (!query->has_traffic) return 1;
    return gb_clip_is_free_in_traffic(world, traffic, actions, moves, clip, from, frame, samples);
}

int gb_may_be_played(const gb_world *world, const gb_traffic *traffic, const gb_query *query, const gb_actions *actions,
                     const gb_moves *moves, int64_t behavior, int64_t clip, double x, double y, double heading,
                     int64_t frame, int64_t *samples) {
    gb_pose from = gb_pose_of(x, y, heading);
    return gb_may_be_played_from(world, traffic, query, actions, moves, behavior, clip, &from, frame, samples);
}

int32_t gb_clip_may_be_played(const gb_world *world, const gb_traffic *traffic, const gb_query *query,
                              const gb_actions *actions, const gb_moves *moves, int64_t behavior, int64_t clip, double x,
                              double y, double heading, int64_t frame, int64_t *samples) {
    return gb_may_be_played(world, traffic, query, actions, moves, behavior, clip, x, y, heading, frame, samples);
}

int gb_may_stay(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions, int64_t clip, double x,
                double y, double heading, int64_t frame) {
    int64_t sample = actions->clip_samples[clip] + actions->duration[clip];
    gb_margins margins = gb_traffic_margins(world, x, y, actions->outer_radius[sample]);
    return gb_traffic_body_stays_free(traffic, actions, sample, x, y, gb_cos(heading), gb_sin(heading), frame,
                                      margins.aside_by, margins.lower, margins.higher);
}

int64_t gb_ground_cost(const gb_world *world, const gb_query *query, const gb_actions *actions, int64_t clip, double x,
                       double y, double heading) {
    double cosine = gb_cos(heading), sine = gb_sin(heading);
    int64_t first = actions->clip_samples[clip];
    double before = gb_ground_height(&world->ground, x, y), rise = 0.0, fall = 0.0;
    for (int64_t sample = first + 1; sample <= first + actions->duration[clip]; sample++) {
        double along = actions->path[3 * sample], across = actions->path[3 * sample + 1];
        double height = gb_ground_height(&world->ground, x + cosine * along - sine * across,
                                         y + sine * along + cosine * across);
        rise += gb_max(0.0, height - before);
        fall += gb_max(0.0, before - height);
        before = height;
    }
    return (int64_t)(rise * query->climb + fall * query->descend + 0.5);
}

int64_t gb_clip_ground_cost(const gb_world *world, const gb_query *query, const gb_actions *actions, int64_t clip, double x,
                            double y, double heading) {
    return gb_ground_cost(world, query, actions, clip, x, y, heading);
}
