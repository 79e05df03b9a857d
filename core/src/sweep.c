/* The swept-shape test: whether a clip can be played from a pose, against what stands and what moves. */
#include "sweep.h"

#include "ground.h"
#include "world.h"

#define OTHERS_REACH 2.2 /* metres, of a body that one meets: a horse's */

static double sideways_margin(double steepness) {
    return steepness > 0.0 ? gb_min(2.0 * steepness, 0.03 + 0.7 * steepness) : 0.0;
}

double gb_clip_slope_margin(double steepness) { return sideways_margin(steepness); }

/* Measured on delivered motions of all characters on ground of any shape up to a rise of 0.3 a metre: a foot is set uphill
 * of where the clip has it, the root sinks where a leg cannot reach.  The ground counts as far as `around`. */
gb_margins gb_slope_margins(const gb_world *world, double x, double y, double reach, double around) {
    double steepness = gb_ground_steepness(&world->ground, x, y, around);
    gb_margins margins;
    margins.aside_by = sideways_margin(steepness);
    margins.lower = steepness * (reach + 0.65);
    margins.higher = steepness * (reach + 0.1);
    return margins;
}

gb_margins gb_traffic_margins(const gb_world *world, double x, double y, double reach) {
    gb_margins margins = gb_slope_margins(world, x, y, reach, reach + OTHERS_REACH);
    margins.aside_by *= 2.0;
    margins.lower *= 2.0;
    margins.higher *= 2.0;
    return margins;
}

int gb_parts_are_free(const gb_world *world, const gb_moves *moves, int64_t sample, double x, double y, double cosine,
                      double sine, int64_t ignored, double room) {
    gb_margins margins = {0.0, 0.0, 0.0};
    if (world->ground.has_terrain) {
        double outer = moves->samples[sample * GB_SAMPLE_COLUMNS + GB_SAMPLE_OUTER];
        margins = gb_slope_margins(world, x, y, outer, outer);
    }
    const double *part = moves->parts + sample * GB_PARTS * GB_PART_COLUMNS;
    for (int number = 0; number < GB_PARTS; number++, part += GB_PART_COLUMNS) {
        if (part[GB_PART_REACH] + margins.aside_by <= room) return 1; /* so are those that follow, which reach less far */
        double ahead = part[0], aside = part[1];
        if (!gb_disc_is_free(world, x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside,
                             part[GB_PART_RADIUS] + margins.aside_by, part[GB_PART_LOW] - margins.lower,
                             part[GB_PART_HIGH] + margins.higher, ignored))
            return 0;
    }
    return 1;
}

int32_t gb_clip_instant_is_free(const gb_world *world, const gb_moves *moves, int64_t sample, double x, double y,
                                double heading, int64_t ignored) {
    double room = gb_max(0.0, gb_clearance(world, x, y));
    return gb_parts_are_free(world, moves, sample, x, y, gb_cos(heading), gb_sin(heading), ignored, room);
}

/* How much room there is around a place, at least and at most. */
typedef struct room_span {
    double least;
    double most;
} room_span;

static room_span room_around(const gb_world *world, double x, double y) {
    const gb_room *room = &world->room;
    room_span around = {0.0, INFINITY};
    double u = (x - room->x0) * room->cells_a_metre, v = (y - room->y0) * room->cells_a_metre;
    if (!(u >= 0.0 && v >= 0.0 && u < (double)room->columns && v < (double)room->rows)) return around;
    int64_t column = (int64_t)u, row = (int64_t)v;
    double aside = u - (double)column - 0.5, along = v - (double)row - 0.5;
    double off = room->cell_m * sqrt(aside * aside + along * along);
    int steps = room->steps[row * room->columns + column];
    around.least = gb_max(0.0, GB_ROOM_STEP * (steps - 1) - off);
    if (steps != GB_ROOM_UNKNOWN && steps != GB_ROOM_MOST) around.most = GB_ROOM_STEP * steps + off;
    return around;
}

/* Samples of a clip that are known to be free: those around a few that were looked at, which are apart from each other. */
typedef struct stretches {
    int64_t first[GB_POSTS];
    int64_t last[GB_POSTS];
} stretches;

/* Whether an instant of a clip that was begun at a pose, its root at a place with some room around it, is free. */
static int is_instant_free(const gb_world *world, const gb_moves *moves, int64_t sample, const gb_pose *from, double x,
                           double y, int64_t ignored, double room) {
    const double *row = moves->samples + sample * GB_SAMPLE_COLUMNS;
    return gb_parts_are_free(world, moves, sample, x, y, from->cosine * row[2] - from->sine * row[3],
                             from->sine * row[2] + from->cosine * row[3], ignored, room);
}

/* Asks for the parts of an instant that reach farthest. */
static void fetch_parts(const gb_moves *moves, int64_t sample) {
    const double *part = moves->parts + sample * GB_PARTS * GB_PART_COLUMNS;
    GB_PREFETCH(part);
    GB_PREFETCH(part + 8);
    GB_PREFETCH(part + 16);
}

/* Looks at a clip's end and at three samples before it, all of which is soon done, and tests the one with the least room;
 * returns whether the clip may be free. */
static int look_at_posts(const gb_world *world, const gb_moves *moves, const float *core, int64_t clip, int64_t first,
                         int64_t last, const gb_pose *from, int64_t ignored, double grown, stretches *free) {
    double outer = (double)moves->pace[2 * clip], pace = (double)moves->pace[2 * clip + 1];
    double narrowest = INFINITY, x[GB_POSTS], y[GB_POSTS];
    int tested = 0;
    for (int post = 0; post < GB_POSTS; post++) {
        int64_t sample = last - post * (last - first) / GB_POSTS;
        const double *row = moves->samples + sample * GB_SAMPLE_COLUMNS;
        x[post] = from->x + from->cosine * row[0] - from->sine * row[1];
        y[post] = from->y + from->sine * row[0] + from->cosine * row[1];
        room_span around = room_around(world, x[post], y[post]);
        if (core && around.most < (double)core[sample]) return 0;
        double spare = around.least - outer;
        int64_t beside = spare >= 0.0 ? (int64_t)gb_min(spare * pace, 1e6) : -1;
        free->first[post] = sample - beside;
        free->last[post] = sample + beside;
        if (around.least < row[GB_SAMPLE_OUTER] + grown && around.least < narrowest) {
            narrowest = around.least;
            tested = post;
            fetch_parts(moves, sample);
        }
    }
    if (narrowest == INFINITY) return 1;
    int64_t sample = last - tested * (last - first) / GB_POSTS;
    if (!is_instant_free(world, moves, sample, from, x[tested], y[tested], ignored, narrowest)) return 0;
    free->first[tested] = free->last[tested] = sample;
    return 1;
}

/* One look-up settles a clip in the open, some more most of the others.  Otherwise clearance at an instant also settles those
 * before it that are nearer than there is room.  From the last to the first: the start is known to be free, so what is in the
 * way is more likely found at the other end. */
int gb_clip_is_free(const gb_world *world, const gb_moves *moves, const float *core, int64_t clip, int64_t first,
                    int64_t last, const gb_pose *from, int64_t ignored, int64_t *samples) {
    double grown = sideways_margin(world->ground.steepest); /* on the steepest slope there is */
    double x = from->x, y = from->y, cosine = from->cosine, sine = from->sine;
    double outer = (double)moves->pace[2 * clip] + grown, pace = (double)moves->pace[2 * clip + 1];
    const double *circle = moves->circle + 3 * clip;
    stretches free;
    for (int post = 0; post < GB_POSTS; post++)
        GB_PREFETCH(moves->samples + (last - post * (last - first) / GB_POSTS) * GB_SAMPLE_COLUMNS);
    ++*samples;
    double room = gb_clearance(world, x + cosine * circle[0] - sine * circle[1], y + sine * circle[0] + cosine * circle[1]);
    if (room >= circle[2] + grown) return 1;
    *samples += GB_POSTS;
    if (!look_at_posts(world, moves, ignored < 0 ? core : 0, clip, first, last, from, ignored, grown, &free)) return 0;
    int post = 0;
    for (int64_t sample = last; sample >= first; sample--) {
        while (post < GB_POSTS && sample < free.first[post]) post++;
        if (grown == 0.0 && post < GB_POSTS && sample <= free.last[post]) {
            sample = free.first[post];
            continue;
        }
        const double *row = moves->samples + sample * GB_SAMPLE_COLUMNS;
        double px = x + cosine * row[0] - sine * row[1], py = y + sine * row[0] + cosine * row[1];
        ++*samples;
        if (room < outer && sample > first) fetch_parts(moves, sample - 1); /* by the room before: likely in doubt too */
        room = gb_max(0.0, gb_clearance(world, px, py));
        if (room >= outer) sample -= (int64_t)gb_min((room - outer) * pace, 1e6);
        else if (room < row[GB_SAMPLE_OUTER] + grown && !is_instant_free(world, moves, sample, from, px, py, ignored, room))
            return 0;
    }
    return 1;
}

/* The body is one fixed disc of all heights [LK05 3.2]. */
int gb_disc_clip_is_free(const gb_world *world, const gb_actions *actions, int64_t clip, const gb_pose *from,
                         double radius, int64_t ignored, int64_t *samples) {
    double x = from->x, y = from->y, cosine = from->cosine, sine = from->sine;
    int64_t first = actions->clip_samples[clip];
    for (int64_t sample = first; sample <= first + actions->duration[clip]; sample++) {
        double along = actions->path[3 * sample], across = actions->path[3 * sample + 1];
        double px = x + cosine * along - sine * across, py = y + sine * along + cosine * across;
        ++*samples;
        if (!gb_disc_is_free(world, px, py, radius, -GB_ALL_HEIGHTS, GB_ALL_HEIGHTS, ignored)) return 0;
    }
    return 1;
}

int gb_clip_is_free_in_traffic(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions,
                               const gb_moves *moves, int64_t clip, const gb_pose *from, int64_t frame, int64_t *samples) {
    double x = from->x, y = from->y, cosine = from->cosine, sine = from->sine;
    const double *circle = moves->circle + 3 * clip;
    double wide_x = x + cosine * circle[0] - sine * circle[1], wide_y = y + sine * circle[0] + cosine * circle[1];
    double wide = circle[2] + 2.0 * sideways_margin(world->ground.steepest);
    int64_t duration = actions->duration[clip], first = actions->clip_samples[clip];
    if (gb_traffic_is_quiet(traffic, wide_x, wide_y, wide, frame, frame + duration)) return 1;
    for (int64_t step = 0; step <= duration; step++) {
        int64_t sample = first + step;
        double along = actions->path[3 * sample], across = actions->path[3 * sample + 1];
        double px = x + cosine * along - sine * across, py = y + sine * along + cosine * across;
        double turned = from->heading + actions->path[3 * sample + 2];
        gb_margins margins = gb_traffic_margins(world, px, py, actions->outer_radius[sample]);
        ++*samples;
        if (gb_traffic_body_blocker(traffic, actions, sample, px, py, gb_cos(turned), gb_sin(turned), frame + step,
                                    margins.aside_by, margins.lower, margins.higher) != GB_NOTHING)
            return 0;
    }
    return 1;
}

int gb_slopes_allow(const gb_world *world, const gb_actions *actions, int64_t clip, int64_t behavior, const gb_pose *from) {
    double least = actions->slopes[2 * behavior], greatest = actions->slopes[2 * behavior + 1];
    double x = from->x, y = from->y, cosine = from->cosine, sine = from->sine;
    int64_t first = actions->clip_samples[clip];
    for (int64_t sample = first; sample <= first + actions->duration[clip]; sample++) {
        const double *path = actions->path + 3 * sample;
        double px = x + cosine * path[0] - sine * path[1], py = y + sine * path[0] + cosine * path[1];
        double slope = gb_ground_slope(&world->ground, px, py, from->heading + path[2]);
        if (slope < least || slope > greatest) return 0;
    }
    return 1;
}
