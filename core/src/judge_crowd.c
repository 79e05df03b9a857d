/* Collisions and touches of a crowd's characters in a stretch of time. */
#include "judge_crowd.h"

/* The distance in the ground plane from a point to a piece of a standing thing. */
static double piece_distance(const gb_check_things *things, const gb_check_nearby *nearby, int64_t piece, double x,
                             double y) {
    const double *pose = nearby->piece_pose + 4 * piece;
    double east = x - pose[0], north = y - pose[1];
    return planar_distance(things, piece, pose[2] * east + pose[3] * north, pose[2] * north - pose[3] * east);
}

/* The middle and the radius of a disc around a character from one frame to the next. */
static void disc_between(const double *one, const double *two, double *x, double *y, double *reach) {
    *reach = greater(one[2], two[2]) + 0.5 * sqrt(square(two[0] - one[0]) + square(two[1] - one[1]));
    *x = 0.5 * (one[0] + two[0]);
    *y = 0.5 * (one[1] + two[1]);
}

static void show_frame(const gb_check_crowd *crowd, int64_t who, int64_t column, bench *on, int slot) {
    const gb_check_figures *figures = crowd->figures;
    int64_t kind = crowd->steps->kind[who];
    on->capsules = figures->capsule_first[kind + 1] - figures->capsule_first[kind];
    on->radius = figures->radius + figures->capsule_first[kind];
    gb_judge_place_frame(crowd, who, column, on->frames[slot]);
}

/* Looks for collisions of a character from a frame to the next with what is near; returns the number of findings. */
static int64_t collide(const gb_check_crowd *crowd, int64_t who, int64_t column, const gb_check_world *world,
                       const gb_check_nearby *nearby, bench *on, gb_check_rows *rows, int64_t count) {
    const double *disc = crowd->block->disc + 3 * (who * crowd->block->columns + column);
    int64_t frame = crowd->block->first[who] + column, begun = GB_CHECK_LEAVES;
    double rate_hz = crowd->steps->rate_hz * (double)crowd->figures->frames_per_step[crowd->steps->kind[who]];
    double x, y, reach;
    disc_between(disc, disc + 3, &x, &y, &reach);
    for (int64_t number = nearby->first[who]; number < nearby->first[who + 1]; number++) {
        const int64_t *part = nearby->parts + 3 * number;
        if (part[0] < nearby->standing && piece_distance(&world->things, nearby, part[1], x, y) > reach) continue;
        if (begun == GB_CHECK_LEAVES) {
            show_frame(crowd, who, column, on, 0);
            show_frame(crowd, who, column + 1, on, 1);
            gb_judge_set_ball(on);
        }
        if (begun != part[0]) {
            if (begun != GB_CHECK_LEAVES) count = keep_finding(&on->found, rows, count);
            begin_finding(on, who, part[0], frame);
            begun = part[0];
        }
        gb_judge_enter(on, world, part[0], part[1], part[2], (double)frame / rate_hz, (double)(frame + 1) / rate_hz);
    }
    return begun == GB_CHECK_LEAVES ? count : keep_finding(&on->found, rows, count);
}

static int is_inside(const double *bounds, const double *disc) {
    return disc[0] - disc[2] >= bounds[0] && disc[1] - disc[2] >= bounds[1] && disc[0] + disc[2] <= bounds[2] &&
           disc[1] + disc[2] <= bounds[3];
}

int64_t gb_check_crowd_collisions(const gb_check_crowd *crowd, const gb_check_world *world,
                                  const gb_check_nearby *nearby, gb_check_room *room, gb_check_rows *rows) {
    const gb_check_block *block = crowd->block;
    bench on;
    lay_bench(&on, room);
    int64_t count = 0;
    for (int64_t who = 0; who < crowd->steps->characters; who++) {
        double rate_hz = crowd->steps->rate_hz * (double)crowd->figures->frames_per_step[crowd->steps->kind[who]];
        int is_near = nearby->first[who] < nearby->first[who + 1];
        for (int64_t frame = block->first[who]; frame <= block->last[who]; frame++) {
            int64_t column = frame - block->first[who];
            if (!is_inside(world->bounds, block->disc + 3 * (who * block->columns + column))) {
                show_frame(crowd, who, column, &on, 0);
                begin_finding(&on, who, GB_CHECK_LEAVES, frame);
                count = gb_judge_depart(&on, world, (double)frame / rate_hz, rows, count);
            }
            if (is_near && frame < block->last[who])
                count = collide(crowd, who, column, world, nearby, &on, rows, count);
        }
    }
    return count;
}

/* A disc around a character. */
typedef struct disc {
    double x, y, radius;
} disc;

/* A disc around a character at a tick; between frames discs move straight. */
static disc disc_at(const gb_check_block *block, int64_t who, int64_t tick, int64_t ticks_per_frame) {
    int64_t frame = tick / ticks_per_frame;
    const double *own = block->disc + 3 * (who * block->columns + frame - block->first[who]);
    disc at = {own[0], own[1], own[2]};
    if (tick != frame * ticks_per_frame) {
        double share = (double)(tick - frame * ticks_per_frame) / (double)ticks_per_frame;
        at.x = between(at.x, own[3], share);
        at.y = between(at.y, own[4], share);
        at.radius = greater(at.radius, own[5]);
    }
    return at;
}

/* Fills the tracks of a character's capsules from one tick to the next. */
static void set_tracks_at(const gb_check_crowd *crowd, int64_t who, int64_t tick, int64_t ticks_per_frame, bench *on,
                          track *tracks, box *around) {
    int64_t frame = tick / ticks_per_frame, column = frame - crowd->block->first[who];
    int64_t part = tick - frame * ticks_per_frame;
    show_frame(crowd, who, column, on, 0);
    show_frame(crowd, who, column + 1, on, 1);
    double ticks = (double)ticks_per_frame;
    gb_judge_set_tracks(on, (double)part / ticks, (double)(part + 1) / ticks, tracks, around);
}

/* Where one disc is seen from another. */
static disc seen_from(disc one, disc two) {
    const disc seen = {one.x - two.x, one.y - two.y, one.radius + two.radius};
    return seen;
}

/* Whether two discs come near each other while one moves straight, seen from the other. */
static int come_near(disc from, disc to) {
    double moved_x = to.x - from.x, moved_y = to.y - from.y, length_squared = moved_x * moved_x + moved_y * moved_y;
    double share = 0.0;
    if (length_squared > 0.0) share = within(-(from.x * moved_x + from.y * moved_y) / length_squared, 0.0, 1.0);
    double away = square(from.x + share * moved_x) + square(from.y + share * moved_y);
    return away <= square(greater(from.radius, to.radius));
}

/* Keeps a finding for every tick in which two characters touch; returns the number of findings.
 *
 * A tick is the longest time in which all characters move straight: a frame of the highest rate, or less if the other rates
 * do not divide it. */
static int64_t touch_pair(const gb_check_crowd *crowd, int64_t first, int64_t second, bench *on, gb_check_rows *rows,
                          int64_t count) {
    const gb_check_figures *figures = crowd->figures;
    const gb_check_block *block = crowd->block;
    const int64_t *capsules = figures->capsule_first;
    int64_t mine = crowd->steps->kind[first], other = crowd->steps->kind[second];
    int64_t my_ticks = figures->ticks_per_step / figures->frames_per_step[mine];
    int64_t other_ticks = figures->ticks_per_step / figures->frames_per_step[other];
    int64_t begin = block->first[first] * my_ticks, other_begin = block->first[second] * other_ticks;
    int64_t end = block->last[first] * my_ticks, other_end = block->last[second] * other_ticks;
    begin = begin > other_begin ? begin : other_begin;
    end = end < other_end ? end : other_end;
    if (end <= begin) return count;
    disc from = seen_from(disc_at(block, first, begin, my_ticks), disc_at(block, second, begin, other_ticks));
    for (int64_t tick = begin; tick < end; tick++) {
        disc to = seen_from(disc_at(block, first, tick + 1, my_ticks), disc_at(block, second, tick + 1, other_ticks));
        int is_near = come_near(from, to);
        from = to;
        if (!is_near) continue;
        set_tracks_at(crowd, first, tick, my_ticks, on, on->mine, &on->my_box);
        set_tracks_at(crowd, second, tick, other_ticks, on, on->others, &on->other_box);
        begin_finding(on, first, second, tick);
        double share = gb_judge_touch(on, figures->radius + capsules[mine], capsules[mine + 1] - capsules[mine],
                                      figures->radius + capsules[other], capsules[other + 1] - capsules[other]);
        on->found.time = ((double)tick + share) / ((double)figures->ticks_per_step * crowd->steps->rate_hz);
        count = keep_finding(&on->found, rows, count);
    }
    return count;
}

int64_t gb_check_crowd_touches(const gb_check_crowd *crowd, const int64_t *pairs, int64_t pair_count,
                               gb_check_room *room, gb_check_rows *rows) {
    bench on;
    lay_bench(&on, room);
    int64_t count = 0;
    for (int64_t pair = 0; pair < pair_count; pair++)
        count = touch_pair(crowd, pairs[2 * pair], pairs[2 * pair + 1], &on, rows, count);
    return count;
}
