/* What all ways to grow trees share: where a child is, which clip it plays, what may follow. */
#ifndef GB_TREE_GROWING_H
#define GB_TREE_GROWING_H

#include "choice.h"

/* A pose that float32 holds exactly. */
typedef struct gb_grown_pose {
    double x;
    double y;
    double heading;
} gb_grown_pose;

/* Poses are float32 by definition: a child's is computed in double from its parent's and then rounded. */
static inline gb_grown_pose gb_child_pose(const float *parent, const double *displacement) {
    double heading = parent[2], cosine = gb_cos(heading), sine = gb_sin(heading), facing = heading + displacement[2];
    facing -= GB_TURN * gb_floor(facing / GB_TURN + 0.5);
    gb_grown_pose pose;
    pose.x = (double)(float)((double)parent[0] + cosine * displacement[0] - sine * displacement[1]);
    pose.y = (double)(float)((double)parent[1] + sine * displacement[0] + cosine * displacement[1]);
    pose.heading = (double)(float)facing;
    return pose;
}

static inline void gb_keep_pose(float *pose, gb_grown_pose grown) {
    pose[0] = (float)grown.x;
    pose[1] = (float)grown.y;
    pose[2] = (float)grown.heading;
}

/* The clip that a behavior plays after a node: a hash of the seed and of both, whoever asks. */
static inline int64_t gb_clip_of_child(const gb_branching *branching, int64_t parent, int64_t behavior) {
    const int64_t *clips = branching->actions->behavior_clips + behavior;
    if (clips[1] - clips[0] == 1) return clips[0];
    int64_t word = (int64_t)gb_scramble((uint32_t)parent);
    return clips[0] + gb_choose_clip(branching->seed, word, behavior, clips[1] - clips[0]);
}

/* The row of what may follow a node. */
static inline int64_t gb_row_of(const gb_branching *branching, const int32_t *clip, int64_t node) {
    return node == 0 ? branching->behaviors : branching->actions->clip_behavior[clip[node]];
}

/* Adds a node that plays a clip after another; there is room.  Returns its number (tree_levels.c). */
int64_t gb_add_node(const gb_branching *branching, gb_growth *growth, int64_t before, int64_t played);

#endif
