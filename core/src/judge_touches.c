/* Where capsules of two bodies meet; each moves evenly for a stretch of time. */
#include "judge_bench.h"

/* Whether a capsule's ball reaches into a body's box. */
static int is_in_box(const track *of, const box *around) {
    return of->middle.x + of->around >= around->least.x && of->middle.x - of->around <= around->most.x &&
           of->middle.y + of->around >= around->least.y && of->middle.y - of->around <= around->most.y &&
           of->middle.z + of->around >= around->least.z && of->middle.z - of->around <= around->most.z;
}

static int balls_meet(const track *one, const track *two) {
    double away = square(one->middle.x - two->middle.x) + square(one->middle.y - two->middle.y) +
                  square(one->middle.z - two->middle.z);
    return away <= square(one->around + two->around);
}

/* The square of how far a point travels, seen from another one. */
static double travel_squared(const point *from, const point *to, const point *seen_from, const point *seen_to) {
    return square((to->x - from->x) - seen_to->x + seen_from->x) +
           square((to->y - from->y) - seen_to->y + seen_from->y) +
           square((to->z - from->z) - seen_to->z + seen_from->z);
}

/* The farthest that any point of one axis travels, seen from any point of the other. */
static double relative_travel(const moving_axis *one, const moving_axis *two) {
    double start = greater(
        travel_squared(&one->from.start, &one->to.start, &two->from.start, &two->to.start),
        travel_squared(&one->from.start, &one->to.start, &two->from.end, &two->to.end));
    double end = greater(
        travel_squared(&one->from.end, &one->to.end, &two->from.start, &two->to.start),
        travel_squared(&one->from.end, &one->to.end, &two->from.end, &two->to.end));
    return sqrt(greater(start, end));
}

/* The distance between two axes at a share of the time, and where on each it is. */
static double distance_at(double share, const moving_axis *one, const moving_axis *two, double *on_one, double *on_two) {
    const axis first = {start_at(one, share), end_at(one, share)}, second = {start_at(two, share), end_at(two, share)};
    return gb_judge_segment_distance(&first, &second, on_one, on_two);
}

/* Finds the moment at which two axes are closest, if they are ever as close as `level`: in a stretch of time the distance
 * changes at most by their travel.  If this cannot reach the level, the stretch is done; otherwise it is halved.  Returns
 * whether there is such a moment, and in `when` and `best` its share of the time and the distance then. */
static int find_closest_moment(bench *on, const moving_axis *one, const moving_axis *two, double level, double *when,
                               double *best) {
    stretch *stack = on->times;
    double on_one, on_two, travel = relative_travel(one, two);
    double begin = distance_at(0.0, one, two, &on_one, &on_two), finish = distance_at(1.0, one, two, &on_one, &on_two);
    *best = begin <= finish ? begin : finish;
    *when = begin <= finish ? 0.0 : 1.0;
    int is_found = *best <= level;
    double goal = is_found ? lesser(level, *best - DEPTH_PRECISION_M) : level;
    const stretch all = {0.0, 1.0, begin, finish, 0.0, 0.0};
    stack[0] = all;
    for (int64_t size = 1; size > 0;) {
        const stretch now = stack[--size];
        double change = travel * (now.high - now.low);
        if (0.5 * (now.at_low + now.at_high - change) > goal) continue;
        if (change <= RESOLUTION_M || size + 2 > STACKED) {
            is_found = 1;
            goal = lesser(goal, *best - DEPTH_PRECISION_M);
            continue;
        }
        double middle = 0.5 * (now.low + now.high), distance = distance_at(middle, one, two, &on_one, &on_two);
        if (distance < *best) {
            *best = distance;
            *when = middle;
        }
        if (*best <= level) {
            is_found = 1;
            goal = lesser(goal, *best - DEPTH_PRECISION_M);
        }
        push_halves(stack, size, &now, distance);
        size += 2;
    }
    return is_found;
}

/* Notes a touch of two capsules at a share of the time. */
static void note_touch(finding *found, const track *one, const track *two, double when) {
    double on_one, on_two;
    distance_at(when, &one->axis, &two->axis, &on_one, &on_two);
    point mine = point_between(start_at(&one->axis, when), end_at(&one->axis, when), on_one);
    point theirs = point_between(start_at(&two->axis, when), end_at(&two->axis, when), on_two);
    found->place.x = 0.5 * (mine.x + theirs.x);
    found->place.y = 0.5 * (mine.y + theirs.y);
    found->place.z = 0.5 * (mine.z + theirs.z);
}

double gb_judge_touch(bench *on, const double *my_radius, int64_t my_capsules, const double *other_radius,
                      int64_t other_capsules) {
    finding *found = &on->found;
    int64_t count = 0;
    for (int64_t other = 0; other < other_capsules; other++)
        if (is_in_box(on->others + other, &on->my_box)) on->near[count++] = (int32_t)other;
    double share = -1.0;
    for (int64_t capsule = 0; capsule < my_capsules; capsule++) {
        const track *one = on->mine + capsule;
        if (!is_in_box(one, &on->other_box)) continue;
        for (int64_t number = 0; number < count; number++) {
            int32_t other = on->near[number];
            const track *two = on->others + other;
            if (!balls_meet(one, two)) continue;
            double radii = my_radius[capsule] + other_radius[other], when, distance;
            double level = lesser(radii, radii - found->depth - DEPTH_PRECISION_M);
            if (find_closest_moment(on, &one->axis, &two->axis, level, &when, &distance) &&
                radii - distance > found->depth) {
                share = when;
                found->depth = radii - distance;
                found->capsule = (double)capsule;
                found->other_capsule = (double)other;
                note_touch(found, one, two, when);
            }
        }
    }
    return share;
}
