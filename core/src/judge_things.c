/* Where capsules that move evenly enter prisms that move evenly, or leave the bounds. */
#include "judge_bench.h"

/* An axis and a prism in a stretch of time. */
typedef struct encounter {
    moving_axis axis;
    double pose_from[3], pose_to[3];       /* x, y, heading of the prism's thing */
    double heights_from[2], heights_to[2]; /* bottom and top */
    const gb_check_things *things;
    const gb_check_ground *ground;
    int64_t piece;
    double reach;   /* around the thing's origin */
    int64_t halvings; /* of the axis until its pieces are straight above the ground */
} encounter;

/* Sets the prism to a thing's place during a part of a span's time. */
static void set_prism(encounter *of, int64_t span, double time_from, double time_to) {
    const gb_check_things *things = of->things;
    double length = things->span_to[span] - things->span_from[span];
    double share_from = (time_from - things->span_from[span]) / length;
    double share_to = (time_to - things->span_from[span]) / length;
    for (int side = 0; side < 3; side++) {
        double one = things->pose_from[3 * span + side], two = things->pose_to[3 * span + side];
        of->pose_from[side] = between(one, two, share_from);
        of->pose_to[side] = between(one, two, share_to);
    }
    for (int side = 0; side < 2; side++) {
        double one = things->heights_from[2 * span + side], two = things->heights_to[2 * span + side];
        of->heights_from[side] = between(one, two, share_from);
        of->heights_to[side] = between(one, two, share_to);
    }
}

/* The farthest that any point of the axis travels: inner points travel no farther than the ends. */
static double axis_travel(const moving_axis *of) {
    const point *from = &of->from.start, *to = &of->to.start;
    double start = square(to->x - from->x) + square(to->y - from->y) + square(to->z - from->z);
    from = &of->from.end;
    to = &of->to.end;
    return sqrt(greater(start, square(to->x - from->x) + square(to->y - from->y) + square(to->z - from->z)));
}

/* A bound of the travel of any point of the prism, from its translation, rotation and lift. */
static double prism_travel(const encounter *of) {
    const double *from = of->pose_from, *to = of->pose_to;
    double carried = sqrt(square(to[0] - from[0]) + square(to[1] - from[1]));
    double turned = of->reach * size_of(to[2] - from[2]);
    double lifted = greater(size_of(of->heights_to[0] - of->heights_from[0]), size_of(of->heights_to[1] - of->heights_from[1]));
    return sqrt(square(carried + turned) + lifted * lifted);
}

/* The number of halvings of an axis until its pieces are also straight above the ground. */
static int64_t axis_halvings(const moving_axis *of, const gb_check_ground *ground) {
    if (ground->is_flat) return 0;
    double begin = sqrt(square(of->from.end.x - of->from.start.x) + square(of->from.end.y - of->from.start.y));
    double finish = sqrt(square(of->to.end.x - of->to.start.x) + square(of->to.end.y - of->to.start.y));
    double pieces = greater(begin, finish) / ground->piece_m;
    int64_t halvings = 0;
    for (double held = 1.0; held < pieces && halvings < STACKED / 2; held *= 2.0) halvings++;
    return halvings;
}

/* The signed distance from a point to the prism halfway through the encounter. */
static double distance_halfway(const encounter *of, point from) {
    double sine, cosine;
    find_direction(0.5 * (of->pose_from[2] + of->pose_to[2]), &sine, &cosine);
    double east = from.x - 0.5 * (of->pose_from[0] + of->pose_to[0]);
    double north = from.y - 0.5 * (of->pose_from[1] + of->pose_to[1]);
    const point local = {cosine * east + sine * north, cosine * north - sine * east,
                         from.z - height_below(of->ground, from.x, from.y)};
    const double heights[2] = {0.5 * (of->heights_from[0] + of->heights_to[0]),
                               0.5 * (of->heights_from[1] + of->heights_to[1])};
    return solid_distance(of->things, of->piece, heights, local);
}

/* A point of an axis above the ground. */
static point raised(point at, double height) {
    at.z = height;
    return at;
}

/* An axis over terrain, at one moment: in the world, and in the prism's frame with the prism's heights. */
typedef struct bent_axis {
    axis world, local;
    const double *heights;
} bent_axis;

static double ground_below(const encounter *of, const bent_axis *bent, double along) {
    point under = point_between(bent->world.start, bent->world.end, along);
    return height_below(of->ground, under.x, under.y);
}

/* Heights count from the local ground: relative to it an axis is bent.  A piece is halved if it may be nearer than the best
 * distance found, until it counts as straight. */
static double bent_distance(bench *on, const encounter *of, const bent_axis *bent, double *where) {
    stretch *stack = on->pieces;
    point a = bent->local.start, b = bent->local.end;
    double longest = of->ground->stretch * length_of(a, b), finest = 1.0;
    for (int64_t halving = 0; halving < of->halvings; halving++) finest *= 0.5;
    double start = a.z - ground_below(of, bent, 0.0), end = b.z - ground_below(of, bent, 1.0);
    double begin = solid_distance(of->things, of->piece, bent->heights, raised(a, start));
    double finish = solid_distance(of->things, of->piece, bent->heights, raised(b, end));
    double best = begin <= finish ? begin : finish;
    *where = begin <= finish ? 0.0 : 1.0;
    const stretch all = {0.0, 1.0, begin, finish, start, end};
    stack[0] = all;
    for (int64_t size = 1; size > 0;) {
        const stretch now = stack[--size];
        if (0.5 * (now.at_low + now.at_high - longest * (now.high - now.low)) >= best) continue;
        if (now.high - now.low <= finest) {
            const axis piece = {raised(point_between(a, b, now.low), now.low_height),
                                raised(point_between(a, b, now.high), now.high_height)};
            double along, distance = gb_judge_axis_distance(of->things, of->piece, bent->heights, &piece, &along);
            if (distance < best) {
                best = distance;
                *where = between(now.low, now.high, along);
            }
            continue;
        }
        double middle = 0.5 * (now.low + now.high);
        point at = point_between(a, b, middle);
        at.z -= ground_below(of, bent, middle);
        double distance = solid_distance(of->things, of->piece, bent->heights, at);
        if (distance < best) {
            best = distance;
            *where = middle;
        }
        int64_t lower = push_halves(stack, size, &now, distance), upper = 2 * size + 1 - lower;
        stack[lower].low_height = now.low_height;
        stack[lower].high_height = at.z;
        stack[upper].low_height = at.z;
        stack[upper].high_height = now.high_height;
        size += 2;
    }
    return best;
}

/* The signed distance from axis to prism at a share of the time, and where on the axis it is. */
static double distance_at(bench *on, const encounter *of, double share, double *where) {
    double x = between(of->pose_from[0], of->pose_to[0], share), y = between(of->pose_from[1], of->pose_to[1], share);
    double sine, cosine;
    find_direction(between(of->pose_from[2], of->pose_to[2], share), &sine, &cosine);
    const double heights[2] = {between(of->heights_from[0], of->heights_to[0], share),
                               between(of->heights_from[1], of->heights_to[1], share)};
    bent_axis bent = {{start_at(&of->axis, share), end_at(&of->axis, share)}, {{0, 0, 0}, {0, 0, 0}}, heights};
    point start = bent.world.start, end = bent.world.end;
    double sx = start.x - x, sy = start.y - y, ex = end.x - x, ey = end.y - y;
    const axis local = {{cosine * sx + sine * sy, cosine * sy - sine * sx, start.z},
                        {cosine * ex + sine * ey, cosine * ey - sine * ex, end.z}};
    if (of->ground->is_flat) return gb_judge_axis_distance(of->things, of->piece, heights, &local, where);
    bent.local = local;
    return bent_distance(on, of, &bent, where);
}

/* A moment of an encounter. */
typedef struct moment {
    double when;     /* share of the time */
    double distance; /* signed */
    double where;    /* on the axis, 0 to 1 */
} moment;

/* Finds the moment at which axis and prism are nearest, if they are ever nearer than `level`: in a stretch of time the
 * distance changes at most by both travels.  If this cannot reach the level, the stretch is done; otherwise it is halved.
 * Returns whether there is such a moment. */
static int find_nearest_moment(bench *on, const encounter *of, double level, moment *nearest) {
    stretch *stack = on->times;
    double travel = of->ground->stretch * axis_travel(&of->axis) + prism_travel(of), along;
    double begin = distance_at(on, of, 0.0, &nearest->where), finish = distance_at(on, of, 1.0, &along);
    nearest->when = 0.0;
    nearest->distance = begin;
    if (finish < begin) {
        nearest->when = 1.0;
        nearest->distance = finish;
        nearest->where = along;
    }
    int is_found = nearest->distance < level;
    double goal = is_found ? lesser(level, nearest->distance - DEPTH_PRECISION_M) : level;
    const stretch all = {0.0, 1.0, begin, finish, 0.0, 0.0};
    stack[0] = all;
    for (int64_t size = 1; size > 0;) {
        const stretch now = stack[--size];
        double change = travel * (now.high - now.low);
        if (0.5 * (now.at_low + now.at_high - change) >= goal) continue;
        if (change <= RESOLUTION_M || size + 2 > STACKED) {
            is_found = 1;
            goal = lesser(goal, nearest->distance - DEPTH_PRECISION_M);
            continue;
        }
        double middle = 0.5 * (now.low + now.high), distance = distance_at(on, of, middle, &along);
        if (distance < nearest->distance) {
            nearest->when = middle;
            nearest->distance = distance;
            nearest->where = along;
        }
        if (nearest->distance < level) {
            is_found = 1;
            goal = lesser(goal, nearest->distance - DEPTH_PRECISION_M);
        }
        push_halves(stack, size, &now, distance);
        size += 2;
    }
    return is_found;
}

/* The first span of a thing that ends after a time. */
static int64_t first_span(const gb_check_things *things, int64_t thing, double time) {
    int64_t low = things->thing_span[thing], high = things->thing_span[thing + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (things->span_to[middle] <= time) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Looks for the deepest entry of any capsule into one piece, between two shares of the time between the body's frames. */
static void enter_piece(bench *on, encounter *of, const gb_check_world *world, double slack, double share_from,
                        double share_to, double time_from, double time_to) {
    finding *found = &on->found;
    double stretched = world->ground.stretch;
    if (distance_halfway(of, on->middle) > stretched * on->around + slack + on->widest) return;
    for (int64_t capsule = 0; capsule < on->capsules; capsule++) {
        double radius = on->radius[capsule];
        /* An axis that is inside counts however thin the capsule. */
        double level = greater(radius - world->depth_limit, 0.0);
        level = lesser(level, radius - found->depth - DEPTH_PRECISION_M);
        set_axis(on, capsule, share_from, share_to, &of->axis);
        point middle;
        double around = gb_judge_axis_ball(&of->axis, &middle);
        if (distance_halfway(of, middle) - stretched * around - slack > level + RESOLUTION_M) continue;
        of->halvings = axis_halvings(&of->axis, of->ground);
        moment nearest;
        if (!find_nearest_moment(on, of, level, &nearest) || radius - nearest.distance <= found->depth) continue;
        found->time = between(time_from, time_to, nearest.when);
        found->depth = radius - nearest.distance;
        found->place = point_between(start_at(&of->axis, nearest.when), end_at(&of->axis, nearest.when), nearest.where);
        found->capsule = (double)capsule;
    }
}

void gb_judge_enter(bench *on, const gb_check_world *world, int64_t thing, int64_t first_piece, int64_t last_piece,
                    double time_from, double time_to) {
    const gb_check_things *things = &world->things;
    encounter of;
    of.things = things;
    of.ground = &world->ground;
    of.reach = things->reach[thing];
    double duration = time_to - time_from;
    for (int64_t span = first_span(things, thing, time_from); span < things->thing_span[thing + 1]; span++) {
        double low = greater(time_from, things->span_from[span]), high = lesser(time_to, things->span_to[span]);
        if (high < low || (high == low && duration > 0.0)) break;
        const double *disc = things->span_disc + 3 * span;
        if (square(disc[0] - on->middle.x) + square(disc[1] - on->middle.y) > square(disc[2] + on->around + on->widest))
            continue;
        set_prism(&of, span, low, high);
        double slack = 0.5 * prism_travel(&of);
        double east = 0.5 * (of.pose_from[0] + of.pose_to[0]) - on->middle.x;
        double north = 0.5 * (of.pose_from[1] + of.pose_to[1]) - on->middle.y;
        if (sqrt(east * east + north * north) > of.reach + slack + on->around + on->widest) continue;
        double share_from = duration > 0.0 ? (low - time_from) / duration : 0.0;
        double share_to = duration > 0.0 ? (high - time_from) / duration : 1.0;
        for (of.piece = first_piece; of.piece < last_piece; of.piece++)
            enter_piece(on, &of, world, slack, share_from, share_to, low, high);
    }
}

/* Between frames the ends of axes move straight, so they are never farther out than at a frame. */
int64_t gb_judge_depart(bench *on, const gb_check_world *world, double time, gb_check_rows *rows, int64_t count) {
    const double *bounds = world->bounds;
    finding *found = &on->found;
    for (int64_t capsule = 0; capsule < on->capsules; capsule++)
        for (int end = 0; end < 2; end++) {
            const axis *of = on->frames[0] + capsule;
            point at = end == 0 ? of->start : of->end;
            double out = greater(greater(bounds[0] - at.x, at.x - bounds[2]), greater(bounds[1] - at.y, at.y - bounds[3]));
            if (out + on->radius[capsule] > found->depth) {
                found->depth = out + on->radius[capsule];
                found->place = at;
                found->capsule = (double)capsule;
            }
        }
    found->time = time;
    return found->depth > world->depth_limit ? keep_finding(found, rows, count) : count;
}
