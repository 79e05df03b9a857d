/* One step of every kind from a state: what a look-up may begin with beside what its tree begins with. */
#include "choice.h"
#include "play.h"

void gb_fan_out(const gb_world *world, const gb_traffic *traffic, const gb_query *query, const gb_actions *actions,
                const gb_moves *moves, double x, double y, double heading, int64_t frame, gb_fan *fan, int64_t *samples) {
    int64_t word = gb_state_word(x, y, heading, query->has_traffic ? frame : 0), found = 0;
    gb_pose from = gb_pose_of(x, y, heading);
    double cosine = from.cosine, sine = from.sine;
    for (int64_t number = 0; number < fan->count; number++) {
        int32_t behavior = fan->behavior[number];
        int64_t chosen = actions->behavior_clips[behavior], clips = actions->behavior_clips[behavior + 1] - chosen;
        if (clips > 1) chosen += gb_choose_clip(query->seed, word, behavior, clips);
        int64_t clip = moves->same[chosen], ended = frame + actions->duration[clip];
        if (query->has_traffic && ended > query->horizon) continue;
        if (!gb_may_be_played_from(world, traffic, query, actions, moves, behavior, clip, &from, frame, samples))
            continue;
        const double *moved = actions->displacement + 3 * clip;
        double *pose = fan->pose + 3 * found;
        pose[0] = x + cosine * moved[0] - sine * moved[1];
        pose[1] = y + sine * moved[0] + cosine * moved[1];
        pose[2] = heading + moved[2];
        fan->behavior[found] = behavior;
        fan->clip[found] = chosen;
        fan->frame[found] = ended;
        fan->cost[found] = moves->cost[behavior];
        if (world->ground.has_terrain) fan->cost[found] += gb_ground_cost(world, query, actions, clip, x, y, heading);
        found++;
    }
    fan->count = found;
}
