/* Distances for the judge: of axes to prisms and to each other. */
#include "judge_distance.h"

#define GOLDEN 0.6180339887498949 /* ratio of golden-section search: half of the root of 5 less 1 */
#define PRECISION_M 1e-6          /* metres, > 0: the nearest point of an axis is found this exactly; smaller is slower */

double gb_judge_axis_distance(const gb_check_things *things, int64_t piece, const double *heights, const axis *of,
                              double *where) {
    point a = of->start, b = of->end;
    double length = length_of(a, b), low = 0.0, high = 1.0;
    double at_low = solid_distance(things, piece, heights, a), at_high = solid_distance(things, piece, heights, b);
    double best = at_low <= at_high ? at_low : at_high;
    *where = at_low <= at_high ? 0.0 : 1.0;
    if (length <= PRECISION_M) return best;
    double left = 1.0 - GOLDEN, right = GOLDEN;
    double at_left = solid_distance(things, piece, heights, point_between(a, b, left));
    double at_right = solid_distance(things, piece, heights, point_between(a, b, right));
    while ((high - low) * length > PRECISION_M) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - GOLDEN * (high - low);
            at_left = solid_distance(things, piece, heights, point_between(a, b, left));
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + GOLDEN * (high - low);
            at_right = solid_distance(things, piece, heights, point_between(a, b, right));
        }
        if (left <= low || right >= high) break; /* as exact as numbers are: a segment of thousands of kilometres */
    }
    if (at_left < best) {
        best = at_left;
        *where = left;
    }
    if (at_right < best) {
        best = at_right;
        *where = right;
    }
    return best;
}

/* Where on a segment (0 to 1) the point nearest to p is, and the square of its distance. */
static double share_nearest_to(point p, const axis *of, double *away) {
    point a = of->start, b = of->end;
    double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
    double length_squared = ux * ux + uy * uy + uz * uz, share = 0.0;
    if (length_squared > 0.0)
        share = within(((p.x - a.x) * ux + (p.y - a.y) * uy + (p.z - a.z) * uz) / length_squared, 0.0, 1.0);
    double dx = a.x + share * ux - p.x, dy = a.y + share * uy - p.y, dz = a.z + share * uz - p.z;
    *away = dx * dx + dy * dy + dz * dz;
    return share;
}

/* Either an end of one segment is nearest to the other, or the lines cross, seen along their common normal. */
double gb_judge_segment_distance(const axis *one, const axis *two, double *on_one, double *on_two) {
    double best, away, share = share_nearest_to(one->start, two, &best);
    *on_one = 0.0;
    *on_two = share;
    share = share_nearest_to(one->end, two, &away);
    if (away < best) {
        best = away;
        *on_one = 1.0;
        *on_two = share;
    }
    share = share_nearest_to(two->start, one, &away);
    if (away < best) {
        best = away;
        *on_one = share;
        *on_two = 0.0;
    }
    share = share_nearest_to(two->end, one, &away);
    if (away < best) {
        best = away;
        *on_one = share;
        *on_two = 1.0;
    }
    point a = one->start, b = one->end, c = two->start, d = two->end;
    double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
    double vx = d.x - c.x, vy = d.y - c.y, vz = d.z - c.z;
    double wx = a.x - c.x, wy = a.y - c.y, wz = a.z - c.z;
    double uu = ux * ux + uy * uy + uz * uz, uv = ux * vx + uy * vy + uz * vz, vv = vx * vx + vy * vy + vz * vz;
    double uw = ux * wx + uy * wy + uz * wz, vw = vx * wx + vy * wy + vz * wz;
    double normal = uu * vv - uv * uv;
    if (normal > 0.0) {
        double first = (uv * vw - vv * uw) / normal, second = (uu * vw - uv * uw) / normal;
        if (0.0 <= first && first <= 1.0 && 0.0 <= second && second <= 1.0) {
            double x = wx + first * ux - second * vx, y = wy + first * uy - second * vy;
            double z = wz + first * uz - second * vz;
            away = x * x + y * y + z * z;
            if (away < best) {
                best = away;
                *on_one = first;
                *on_two = second;
            }
        }
    }
    return sqrt(best);
}

double gb_check_axis_distance(const gb_check_things *things, int64_t piece, const double *heights, const double *segment,
                              double *where) {
    const axis of = {{segment[0], segment[1], segment[2]}, {segment[3], segment[4], segment[5]}};
    return gb_judge_axis_distance(things, piece, heights, &of, where);
}

double gb_check_segment_distance(const double *one, const double *two, double *where) {
    const axis first = {{one[0], one[1], one[2]}, {one[3], one[4], one[5]}};
    const axis second = {{two[0], two[1], two[2]}, {two[3], two[4], two[5]}};
    return gb_judge_segment_distance(&first, &second, where, where + 1);
}
