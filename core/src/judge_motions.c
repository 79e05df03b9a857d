/* Bodies that move at their own rates, from frames that are placed in the world. */
#include "judge_bench.h"

#define FRAME_TOLERANCE 1e-6 /* frames, > 0: a time this close to a frame is the frame's */
#define SLIVER_S 1e-9        /* seconds, > 0: a shorter rest of time, left by rounding, joins the stretch before it */

static double frames_passed(const gb_check_cast *cast, int64_t body, double time) {
    return (time - cast->start_s[body]) * cast->rate_hz[body];
}

/* The first and last of a body's placed frames that enclose a stretch of time, give or take a tolerance. */
static void find_frames(const gb_check_cast *cast, int64_t body, double time_from, double time_to, double tolerance,
                        int64_t *low, int64_t *high) {
    int64_t first = cast->frame_first[body], last = cast->frame_last[body];
    double before = (double)first - 1.0, after = (double)last + 1.0;
    double from = within(frames_passed(cast, body, time_from) + tolerance, before, after);
    double to = within(frames_passed(cast, body, time_to) - tolerance, before, after);
    *low = whole_within(whole_below(from), first, last);
    *high = whole_within(whole_above(to), first, last);
}

static const double *frame_axes(const gb_check_cast *cast, int64_t body, int64_t frame) {
    int64_t capsules = cast->capsule_first[body + 1] - cast->capsule_first[body];
    return cast->axes + 6 * (cast->row_first[body] + (frame - cast->frame_first[body]) * capsules);
}

static void choose_body(const gb_check_cast *cast, int64_t body, bench *on) {
    on->capsules = cast->capsule_first[body + 1] - cast->capsule_first[body];
    on->radius = cast->radius + cast->capsule_first[body];
}

/* Shows the axes of the chosen body at a frame. */
static void show_frame(const gb_check_cast *cast, int64_t body, int64_t frame, bench *on, int slot) {
    const double *from = frame_axes(cast, body, frame);
    for (int64_t capsule = 0; capsule < on->capsules; capsule++, from += 6) {
        const axis of = {{from[0], from[1], from[2]}, {from[3], from[4], from[5]}};
        on->frames[slot][capsule] = of;
    }
}

/* Looks for collisions of the body that is shown with all things; returns the number of findings. */
static int64_t collide(bench *on, const gb_check_world *world, int64_t body, int64_t frame, double time_from,
                       double time_to, gb_check_rows *rows, int64_t count) {
    const gb_check_things *things = &world->things;
    gb_judge_set_ball(on);
    for (int64_t thing = 0; thing < things->count; thing++) {
        begin_finding(on, body, thing, frame);
        gb_judge_enter(on, world, thing, things->thing_piece[thing], things->thing_piece[thing + 1], time_from, time_to);
        count = keep_finding(&on->found, rows, count);
    }
    return count;
}

int64_t gb_check_collisions(const gb_check_cast *cast, double time_from, double time_to, const gb_check_world *world,
                            gb_check_room *room, gb_check_rows *rows) {
    bench on;
    lay_bench(&on, room);
    int64_t count = 0;
    for (int64_t body = 0; body < cast->bodies; body++) {
        double start_s = cast->start_s[body], rate_hz = cast->rate_hz[body];
        int64_t first, last;
        find_frames(cast, body, time_from, time_to, FRAME_TOLERANCE, &first, &last);
        int is_alone = cast->frame_count[body] == 1 && time_from <= start_s && start_s <= time_to;
        choose_body(cast, body, &on);
        for (int64_t frame = first; frame <= last; frame++) {
            double now_s = start_s + (double)frame / rate_hz;
            show_frame(cast, body, frame, &on, 0);
            begin_finding(&on, body, GB_CHECK_LEAVES, frame);
            count = gb_judge_depart(&on, world, now_s, rows, count);
            if (frame == last && !is_alone) continue;
            int64_t following = frame < last ? frame + 1 : last;
            show_frame(cast, body, following, &on, 1);
            count = collide(&on, world, body, frame, now_s, start_s + (double)following / rate_hz, rows, count);
        }
    }
    return count;
}

/* Fills a box around the space that a body fills during a stretch of time. */
static void set_box(const gb_check_cast *cast, int64_t body, double time_from, double time_to, double *box) {
    for (int side = 0; side < 3; side++) {
        box[side] = INFINITY;
        box[3 + side] = -INFINITY;
    }
    int64_t first = cast->capsule_first[body], capsules = cast->capsule_first[body + 1] - first, low, high;
    find_frames(cast, body, time_from, time_to, -FRAME_TOLERANCE, &low, &high);
    const double *axes = frame_axes(cast, body, low);
    for (int64_t number = 0; number < (high - low + 1) * capsules; number++, axes += 6) {
        double radius = cast->radius[first + number % capsules];
        for (int side = 0; side < 3; side++) {
            box[side] = lesser(box[side], lesser(axes[side], axes[3 + side]) - radius);
            box[3 + side] = greater(box[3 + side], greater(axes[side], axes[3 + side]) + radius);
        }
    }
}

static int boxes_meet(const double *one, const double *two) {
    return one[0] <= two[3] && two[0] <= one[3] && one[1] <= two[4] && two[1] <= one[4] && one[2] <= two[5] &&
           two[2] <= one[5];
}

/* The time of a body's next frame after a time; infinite if there is none. */
static double next_frame_time(const gb_check_cast *cast, int64_t body, double time) {
    double passed = frames_passed(cast, body, time) + FRAME_TOLERANCE, last = (double)cast->frame_count[body];
    int64_t following = whole_below(within(passed, -1.0, last)) + 1;
    if (following >= cast->frame_count[body]) return INFINITY;
    return cast->start_s[body] + (double)following / cast->rate_hz[body];
}

/* Fills the tracks of all capsules of a body from one time to another without a frame in between. */
static void set_body_tracks(const gb_check_cast *cast, int64_t body, double time_from, double time_to, bench *on,
                            track *tracks, box *around) {
    int64_t last = cast->frame_count[body] - 1;
    double from = frames_passed(cast, body, time_from), to = frames_passed(cast, body, time_to);
    int64_t frame = whole_within(whole_below(within(0.5 * (from + to), -1.0, (double)last + 1.0)), 0, last);
    choose_body(cast, body, on);
    show_frame(cast, body, frame, on, 0);
    show_frame(cast, body, frame < last ? frame + 1 : last, on, 1);
    gb_judge_set_tracks(on, within(from - (double)frame, 0.0, 1.0), within(to - (double)frame, 0.0, 1.0), tracks, around);
}

/* Looks for the deepest touch of two bodies in a slice of time, from frame to frame of either. */
static void touch_in_slice(const gb_check_cast *cast, int64_t first, int64_t second, double time_from, double time_to,
                           bench *on) {
    const int64_t *capsules = cast->capsule_first;
    for (double time = time_from;;) {
        double following = lesser(next_frame_time(cast, first, time), next_frame_time(cast, second, time));
        if (following > time_to - SLIVER_S) following = time_to;
        set_body_tracks(cast, first, time, following, on, on->mine, &on->my_box);
        set_body_tracks(cast, second, time, following, on, on->others, &on->other_box);
        double share = gb_judge_touch(on, cast->radius + capsules[first], capsules[first + 1] - capsules[first],
                                      cast->radius + capsules[second], capsules[second + 1] - capsules[second]);
        if (share >= 0.0) on->found.time = between(time, following, share);
        if (following >= time_to) return;
        time = following;
    }
}

int64_t gb_check_touches(const gb_check_cast *cast, const double *edges, int64_t slices, int64_t first_slice,
                         double *boxes, gb_check_room *room, gb_check_rows *rows) {
    bench on;
    lay_bench(&on, room);
    int64_t count = 0;
    for (int64_t slice = 0; slice < slices; slice++) {
        double from = edges[slice], to = edges[slice + 1];
        for (int64_t body = 0; body < cast->bodies; body++) set_box(cast, body, from, to, boxes + 6 * body);
        for (int64_t first = 0; first < cast->bodies; first++)
            for (int64_t second = first + 1; second < cast->bodies; second++) {
                if (!boxes_meet(boxes + 6 * first, boxes + 6 * second)) continue;
                begin_finding(&on, first, second, first_slice + slice);
                touch_in_slice(cast, first, second, from, to, &on);
                count = keep_finding(&on.found, rows, count);
            }
    }
    return count;
}
