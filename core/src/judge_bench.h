/* Where the judge works: a body at two frames, its capsules in a stretch of time, and what has been found. */
#ifndef GB_JUDGE_BENCH_H
#define GB_JUDGE_BENCH_H

#include "judge_distance.h"

/* An axis that moves evenly for a stretch of time. */
typedef struct moving_axis {
    axis from, to;
} moving_axis;

/* A capsule in a stretch of time. */
typedef struct track {
    moving_axis axis;
    point middle; /* of a ball around all of it */
    double around;
} track;

/* A box around a body in a stretch of time. */
typedef struct box {
    point least, most;
} box;

/* A finding of one moment: a frame, a tick or a slice of time; columns as in enum gb_check_column. */
typedef struct finding {
    double first, second, moment, time, depth;
    point place;
    double capsule, other_capsule;
} finding;

/* Room for what is known of one body or two. */
typedef struct bench {
    int64_t capsules;     /* of the body that is shown */
    const double *radius; /* (capsules) */
    axis *frames[2];      /* (capsules) each: the body at two frames */
    point middle;         /* of a ball around all axes at the two frames and between them */
    double around;
    double widest;  /* greatest radius */
    track *mine;    /* (capsules) */
    track *others;  /* (capsules) of another body */
    box my_box;
    box other_box;
    int32_t *near; /* (capsules) numbers of the other's capsules that are near */
    finding found;
    stretch times[STACKED];
    stretch pieces[STACKED];
} bench;

/* The bench on the caller's room. */
static inline void lay_bench(bench *on, const gb_check_room *room) {
    on->frames[0] = (axis *)room->axes;
    on->frames[1] = on->frames[0] + room->capsules;
    on->mine = (track *)room->tracks;
    on->others = on->mine + room->capsules;
    on->near = room->near;
}

static inline void begin_finding(bench *on, int64_t first, int64_t second, int64_t moment) {
    on->found.first = (double)first;
    on->found.second = (double)second;
    on->found.moment = (double)moment;
    on->found.depth = -INFINITY;
}

/* Copies what was found, if anything was, to the others if there is room; returns the number with or without room. */
static inline int64_t keep_finding(const finding *found, gb_check_rows *rows, int64_t count) {
    if (found->depth == -INFINITY) return count;
    if (count < rows->room) {
        double *row = rows->rows + count * GB_CHECK_COLUMNS;
        row[GB_CHECK_FIRST] = found->first;
        row[GB_CHECK_SECOND] = found->second;
        row[GB_CHECK_MOMENT] = found->moment;
        row[GB_CHECK_TIME] = found->time;
        row[GB_CHECK_DEPTH] = found->depth;
        row[GB_CHECK_PLACE] = found->place.x;
        row[GB_CHECK_PLACE + 1] = found->place.y;
        row[GB_CHECK_PLACE + 2] = found->place.z;
        row[GB_CHECK_CAPSULE] = found->capsule;
        row[GB_CHECK_OTHER_CAPSULE] = found->other_capsule;
    }
    return count + 1;
}

static inline point start_at(const moving_axis *of, double share) {
    return point_between(of->from.start, of->to.start, share);
}
static inline point end_at(const moving_axis *of, double share) {
    return point_between(of->from.end, of->to.end, share);
}

/* The axis of a capsule of the body that is shown, during a part of the time between its two frames. */
static inline void set_axis(const bench *on, int64_t capsule, double share_from, double share_to, moving_axis *made) {
    const axis *one = on->frames[0] + capsule, *two = on->frames[1] + capsule;
    made->from.start = point_between(one->start, two->start, share_from);
    made->from.end = point_between(one->end, two->end, share_from);
    made->to.start = point_between(one->start, two->start, share_to);
    made->to.end = point_between(one->end, two->end, share_to);
}

/* Returns the radius of a ball around an axis during all of the time, and its middle. */
double gb_judge_axis_ball(const moving_axis *of, point *middle);

/* Fills the tracks of all capsules during a part of the time between the two frames, and a box around them. */
void gb_judge_set_tracks(const bench *on, double share_from, double share_to, track *tracks, box *around);

/* Sets a ball around all axes at the two frames and between them, and the greatest radius. */
void gb_judge_set_ball(bench *on);

/* Looks for the deepest entry of the body that is shown, from its first frame to its second, into pieces of a thing; a
 * deeper one replaces what was found. */
void gb_judge_enter(bench *on, const gb_check_world *world, int64_t thing, int64_t first_piece, int64_t last_piece,
                    double time_from, double time_to);

/* Keeps a finding if the body is out of bounds at the first of its frames; returns the number of findings. */
int64_t gb_judge_depart(bench *on, const gb_check_world *world, double time, gb_check_rows *rows, int64_t count);

/* Looks for the deepest touch of the two bodies whose tracks are set; a deeper one replaces what was found.  Returns the
 * share of the time at which it is, or -1 if nothing was replaced. */
double gb_judge_touch(bench *on, const double *my_radius, int64_t my_capsules, const double *other_radius,
                      int64_t other_capsules);

#endif
