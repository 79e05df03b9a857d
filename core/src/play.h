/* Whether a clip may be played: the function G of [LK05 algorithm 1] but for visited states. */
#ifndef GB_PLAY_H
#define GB_PLAY_H

#include "sweep.h"

int gb_may_be_played(const gb_world *world, const gb_traffic *traffic, const gb_query *query, const gb_actions *actions,
                     const gb_moves *moves, int64_t behavior, int64_t clip, double x, double y, double heading,
                     int64_t frame, int64_t *samples);

/* The same of many clips from one pose, which is turned once. */
int gb_may_be_played_from(const gb_world *world, const gb_traffic *traffic, const gb_query *query,
                          const gb_actions *actions, const gb_moves *moves, int64_t behavior, int64_t clip,
                          const gb_pose *from, int64_t frame, int64_t *samples);

/* Whether a body that arrives with a clip can stay in its last instant until all has passed. */
int gb_may_stay(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions, int64_t clip, double x,
                double y, double heading, int64_t frame);

/* What climbing and descending along a clip cost, in units. */
int64_t gb_ground_cost(const gb_world *world, const gb_query *query, const gb_actions *actions, int64_t clip, double x,
                       double y, double heading);

#endif
