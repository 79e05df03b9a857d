/* Choose when feet and hands change from one clip to the next, so that planted ones stand still.
 *
 * * A limb does not follow the smooth weights of the blend.  It follows the first clip, then changes over to the
 * second, while it swings if it swings at all.  So every plant lies exactly where one of the clips has it. */
#include "blending.h"

/* A changeover costs the squares of speeds: the slide of planted points, and accelerations times these durations. */
#define STEADYING_S 0.0024  /* weight of the acceleration that changing weights add; larger prefers steady limbs */
#define PEAKING_S 0.015     /* weight of the acceleration above the limb's usual peak; larger prefers soft limbs */
#define PEAK_TOLERANCE 1.25 /* the usual peak is this many times the greatest acceleration of the clips there */
#define GENTLE_M_S2 20.0    /* metres a square second: lower bound of that acceleration, for limbs that hardly move */
#define TIE 1e-6            /* cost for each frame that a changeover is shorter; among equals the longest wins */

/* A limb whose changeover is looked for. */
typedef struct swing {
    const gb_blending *blending;
    int64_t limb;
    int64_t points; /* of all limbs */
    int64_t frames;
    double rate_hz;
    double peak; /* metres a frame squared: accelerations up to this are usual */
} swing;

int gb_limb_stands(const gb_blending *blending, int64_t limb) {
    int64_t points = blending->limbs->points;
    for (int64_t point = 0; point < points; point++) {
        if (blending->limbs->point_limb[point] != limb) continue;
        for (int64_t at = point; at < blending->mixed.frames * points; at += points)
            if (blending->before.planted[at] || blending->after.planted[at]) return 1;
    }
    return 0;
}

/* The acceleration of a point around a frame, metres a frame squared. */
static double acceleration(const swing *s, const double *places, int64_t frame, int64_t point) {
    const double *here = places + 3 * (frame * s->points + point), *later = here + 3 * s->points;
    const double *earlier = here - 3 * s->points;
    double x = later[0] - 2.0 * here[0] + earlier[0];
    double y = later[1] - 2.0 * here[1] + earlier[1];
    double z = later[2] - 2.0 * here[2] + earlier[2];
    return sqrt(x * x + y * y + z * z);
}

/* The greatest acceleration of a limb's points, along a up to the join and along b after it. */
static double usual_peak(const swing *s) {
    double peak = 0.0;
    for (int64_t point = 0; point < s->points; point++) {
        if (s->blending->limbs->point_limb[point] != s->limb) continue;
        for (int64_t frame = 1; frame < s->frames - 1; frame++) {
            const double *places = frame <= s->frames / 2 ? s->blending->before_points : s->blending->after_points;
            peak = gb_max(peak, acceleration(s, places, frame, point));
        }
    }
    return peak;
}

/* The cost of one point's motion around a frame; the weights are of the frame before, of it, and of the one after.
 *
 * * The cost is a sum of squares: the speed of sliding planted points, the acceleration that the changing weights
 * add, and the part of accelerations above the peak. */
static double add_point(const swing *s, int64_t frame, int64_t point, const double *weights, double total) {
    const gb_blending *blending = s->blending;
    const uint8_t *a_planted = blending->before.planted, *b_planted = blending->after.planted;
    int64_t here = frame * s->points + point, later = here + s->points, earlier = here - s->points;
    double held = 0.0, square = 0.0;
    if (a_planted[here] && a_planted[later]) held += 1.0 - 0.5 * (weights[1] + weights[2]);
    if (b_planted[here] && b_planted[later]) held += 0.5 * (weights[1] + weights[2]);
    for (int axis = 0; axis < 3; axis++) {
        const double *a = blending->before_points + axis, *b = blending->after_points + axis;
        double at = a[3 * here] + weights[1] * (b[3 * here] - a[3 * here]);
        double step = a[3 * later] + weights[2] * (b[3 * later] - a[3 * later]) - at;
        double bend = step - at + (a[3 * earlier] + weights[0] * (b[3 * earlier] - a[3 * earlier]));
        square += bend * bend;
        double added = (weights[2] - weights[1]) * (b[3 * later] - a[3 * later]);
        added += (weights[0] - weights[1]) * (b[3 * earlier] - a[3 * earlier]);
        double unsteady = STEADYING_S * s->rate_hz * added;
        total += unsteady * unsteady;
        if (axis < 2) total += held * step * step;
    }
    double above = PEAKING_S * s->rate_hz * gb_max(sqrt(square) - s->peak, 0.0);
    return total + above * above;
}

static double unsteadiness(const swing *s, int64_t frame, double before, double weight, double after) {
    const double weights[3] = {before, weight, after};
    double total = 0.0;
    for (int64_t point = 0; point < s->points; point++)
        if (s->blending->limbs->point_limb[point] == s->limb) total = add_point(s, frame, point, weights, total);
    return s->rate_hz * s->rate_hz * total;
}

/* The cost of a changeover from `first` to `last`; not below `best` where it is given up early. */
static double cost_of(const swing *s, int64_t first, int64_t last, double best) {
    double cost = s->blending->before_costs[first] + s->blending->after_costs[gb_least(last + 1, s->frames - 1)] +
                  TIE * (double)(s->frames - (last - first));
    for (int64_t frame = gb_most(first, 1); frame <= gb_least(last, s->frames - 2) && cost < best; frame++)
        cost += unsteadiness(s, frame, gb_ramp(frame - 1, first, last), gb_ramp(frame, first, last),
                             gb_ramp(frame + 1, first, last));
    return cost;
}

void gb_choose_changeover(const gb_blending *blending, int64_t limb, int64_t *first, int64_t *last) {
    swing s = {blending, limb, blending->limbs->points, blending->mixed.frames, blending->clips->rate_hz, 0.0};
    double *before = blending->before_costs, *after = blending->after_costs, best = INFINITY;
    s.peak = PEAK_TOLERANCE * gb_max(usual_peak(&s), GENTLE_M_S2 / (s.rate_hz * s.rate_hz));
    for (int64_t frame = 0; frame < s.frames; frame++) before[frame] = after[frame] = 0.0;
    for (int64_t frame = 1; frame < s.frames - 1; frame++)
        before[frame + 1] = before[frame] + unsteadiness(&s, frame, 0.0, 0.0, 0.0);
    for (int64_t frame = s.frames - 2; frame > 0; frame--)
        after[frame] = after[frame + 1] + unsteadiness(&s, frame, 1.0, 1.0, 1.0);
    *first = 0;
    *last = s.frames - 1;
    for (int64_t length = s.frames - 1; length > 0; length--)
        for (int64_t begin = 0; begin < s.frames - length; begin++) {
            double cost = cost_of(&s, begin, begin + length, best);
            if (cost < best) {
                best = cost;
                *first = begin;
                *last = begin + length;
            }
        }
}
