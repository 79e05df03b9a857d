/* The swept-shape test: whether a clip can be played from a pose, against what stands and what moves. */
#ifndef GB_SWEEP_H
#define GB_SWEEP_H

#include "numbers.h"

#define GB_POSTS 4         /* samples of a clip that are looked at first */
#define GB_ALL_HEIGHTS 1e8 /* a body of one fixed radius fills them all */

/* Columns of `gb_moves.samples` and of `gb_moves.parts`. */
enum { GB_SAMPLE_OUTER = 4, GB_SAMPLE_ARC = 5, GB_SAMPLE_COLUMNS = 6 };
enum { GB_PART_RADIUS = 2, GB_PART_LOW, GB_PART_HIGH, GB_PART_REACH, GB_PART_COLUMNS };

/* Where a clip begins. */
typedef struct gb_pose {
    double x;
    double y;
    double heading;
    double cosine;
    double sine;
} gb_pose;

static inline gb_pose gb_pose_of(double x, double y, double heading) {
    gb_pose pose = {x, y, heading, gb_cos(heading), gb_sin(heading)};
    return pose;
}

/* How much farther aside, lower and higher the parts of a body may get by standing on a slope. */
typedef struct gb_margins {
    double aside_by;
    double lower;
    double higher;
} gb_margins;

gb_margins gb_slope_margins(const gb_world *world, double x, double y, double reach, double around);

/* The same against what moves: that may be a body which gets aside too, on ground of its own. */
gb_margins gb_traffic_margins(const gb_world *world, double x, double y, double reach);

/* Tests the cylinders of an instant that reach farther than there is room around its root. */
int gb_parts_are_free(const gb_world *world, const gb_moves *moves, int64_t sample, double x, double y, double cosine,
                      double sine, int64_t ignored, double room);

/* Tests a whole clip, begun at a pose; `samples` grows by the instants looked up.  core: of the query, or NULL. */
int gb_clip_is_free(const gb_world *world, const gb_moves *moves, const float *core, int64_t clip, int64_t first,
                    int64_t last, const gb_pose *from, int64_t ignored, int64_t *samples);
int gb_disc_clip_is_free(const gb_world *world, const gb_actions *actions, int64_t clip, const gb_pose *from,
                         double radius, int64_t ignored, int64_t *samples);
int gb_clip_is_free_in_traffic(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions,
                               const gb_moves *moves, int64_t clip, const gb_pose *from, int64_t frame, int64_t *samples);

/* Whether the ground along a clip rises and falls no more than its behavior may. */
int gb_slopes_allow(const gb_world *world, const gb_actions *actions, int64_t clip, int64_t behavior, const gb_pose *from);

#endif
