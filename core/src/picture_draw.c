/* Fill triangles and strokes into samples that keep the nearest.
 *
 * Sample (row, column) lies at (column + 0.5, row + 0.5).  Samples keep nearness, a number that grows toward the viewer and is
 * linear on the screen: 1 / depth in perspective, -depth otherwise. */
#include "picture_view.h"

#define WIDE 6     /* samples: triangles at least this wide are filled from edge to edge, others are tried everywhere */
#define MOST_SAMPLES 1e9 /* along a side */
#define ROUNDING 1e-3 /* samples: rows are looked at this much farther to either side */
#define SNAP 256.0 /* steps in a sample, a power of 2: corners are rounded to them, so that edge tests are exact */

static double snap(double value) { return gb_floor(value * SNAP + 0.5) / SNAP; }

static gb_triple snapped(gb_triple at) {
    const gb_triple moved = {snap(at.x), snap(at.y), at.z};
    return moved;
}

/* The first sample at or after a coordinate, at least 0. */
static int64_t first_sample(double lowest) {
    double from = lowest - 0.5;
    if (!(from > 0.0)) return 0;
    if (from > MOST_SAMPLES) return (int64_t)MOST_SAMPLES;
    int64_t whole = (int64_t)from;
    return (double)whole < from ? whole + 1 : whole;
}

/* The last of `count` samples at or before a coordinate, -1 if there is none. */
static int64_t last_sample(double highest, int64_t count) {
    double to = highest - 0.5;
    if (!(to >= 0.0)) return -1;
    return to < (double)count ? (int64_t)to : count - 1;
}

static double least_of(double a, double b, double c) { return gb_min(gb_min(a, b), c); }
static double greatest_of(double a, double b, double c) { return gb_max(gb_max(a, b), c); }

/* Keeps what is nearest at a sample; nearness counts only where there is something. */
static inline void put(gb_samples *into, int64_t sample, float near, int32_t number) {
    if (near <= into->nearness[sample] && (!into->numbers || into->numbers[sample] >= 0)) return;
    into->nearness[sample] = near;
    if (into->numbers) into->numbers[sample] = number;
}

/* Narrows a range of steps to those at which a value that falls by `fall` a step, from `value` at step 0, is not negative.
 * Exact, as the products are. */
static void narrow(double value, double fall, int64_t *first, int64_t *last) {
    if (fall == 0.0) {
        if (value < 0.0) *last = -1;
        return;
    }
    double zero = value / fall;
    if (fall > 0.0) { /* up to where it turns negative */
        if (zero < (double)*last) *last = zero >= 0.0 ? (int64_t)zero : -1;
        if (value - (double)*last * fall < 0.0) --*last;
    } else if (zero > (double)*last) { /* from where it ceases to be */
        *last = -1;
    } else if (zero > (double)*first) {
        *first = (int64_t)zero;
        while (*first <= *last && value - (double)*first * fall < 0.0) ++*first;
    }
}

/* Writes a triangle's number into each sample in it, edges included, where it is the nearest.  Corners are snapped. */
static void fill_triangle(gb_samples *into, gb_triple a, gb_triple b, gb_triple c, int32_t number) {
    int64_t first_row = first_sample(least_of(a.y, b.y, c.y)), first_column = first_sample(least_of(a.x, b.x, c.x));
    int64_t last_row = last_sample(greatest_of(a.y, b.y, c.y), into->rows);
    int64_t last_column = last_sample(greatest_of(a.x, b.x, c.x), into->columns);
    if (first_row > last_row || first_column > last_column) return;
    double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area == 0.0) return;
    if (area < 0.0) {
        gb_triple other = b;
        b = c;
        c = other;
        area = -area;
    }
    double px = (double)first_column + 0.5, slope_b = 0.0, slope_c = 0.0;
    int has_slopes = last_column - first_column >= WIDE; /* many triangles of a fine skin cover no sample at all */
    if (has_slopes) {
        slope_b = (b.z - a.z) / area;
        slope_c = (c.z - a.z) / area;
    }
    double fall_a = c.y - b.y, fall_b = a.y - c.y, fall_c = b.y - a.y;
    for (int64_t row = first_row; row <= last_row; row++) {
        double py = (double)row + 0.5;
        /* Twice the areas of the triangles of the sample with each edge; their sum is `area`. */
        double at_a = (c.x - b.x) * (py - b.y) - (c.y - b.y) * (px - b.x);
        double at_b = (a.x - c.x) * (py - c.y) - (a.y - c.y) * (px - c.x);
        double at_c = (b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x);
        int64_t first = 0, last = last_column - first_column, sample = row * into->columns + first_column;
        if (last < WIDE) {
            for (int64_t step = 0; step <= last; step++) {
                if (at_a >= 0.0 && at_b >= 0.0 && at_c >= 0.0) {
                    if (!has_slopes) {
                        slope_b = (b.z - a.z) / area;
                        slope_c = (c.z - a.z) / area;
                        has_slopes = 1;
                    }
                    put(into, sample + step, (float)(a.z + at_b * slope_b + at_c * slope_c), number);
                }
                at_a -= fall_a;
                at_b -= fall_b;
                at_c -= fall_c;
            }
            continue;
        }
        narrow(at_a, fall_a, &first, &last);
        narrow(at_b, fall_b, &first, &last);
        narrow(at_c, fall_c, &first, &last);
        for (int64_t step = first; step <= last; step++) {
            double more_b = at_b - (double)step * fall_b, more_c = at_c - (double)step * fall_c;
            put(into, sample + step, (float)(a.z + more_b * slope_b + more_c * slope_c), number);
        }
    }
}

/* The screen point where the edge from a (behind the near plane) to b (before it) crosses it. */
static gb_triple cross_near(const gb_view *view, gb_triple a, gb_triple b) {
    double share = (view->near_m - a.z) / (b.z - a.z);
    const gb_triple at = {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), view->near_m};
    return gb_to_screen(view, at);
}

/* Draws the part beyond the near plane of a triangle with corners (in the view's frame) on both sides of it. */
static void draw_clipped(const gb_view *view, gb_samples *into, gb_triple a, gb_triple b, gb_triple c, int32_t number) {
    double near = view->near_m;
    int hidden = (a.z < near) + (b.z < near) + (c.z < near);
    for (int turn = 0; turn < 2; turn++) /* until the corners behind the near plane come first */
        if ((hidden == 1 && a.z >= near) || (hidden == 2 && c.z < near)) {
            gb_triple first = a;
            a = b;
            b = c;
            c = first;
        }
    gb_triple at_c = snapped(gb_to_screen(view, c));
    if (hidden == 1) {
        gb_triple at_b = snapped(gb_to_screen(view, b));
        gb_triple from_b = snapped(cross_near(view, a, b)), from_c = snapped(cross_near(view, a, c));
        fill_triangle(into, from_b, at_b, at_c, number);
        fill_triangle(into, from_b, at_c, from_c, number);
    } else {
        fill_triangle(into, snapped(cross_near(view, a, c)), snapped(cross_near(view, b, c)), at_c, number);
    }
}

static gb_triple corner_of(const gb_view *view, const double *vertices, int32_t vertex) {
    const double *at = vertices + 3 * (int64_t)vertex;
    return gb_to_view(view, at[0], at[1], at[2]);
}

void gb_picture_draw_triangles(const gb_view *view, const double *vertices, int64_t vertex_count,
                               const int32_t *triangles, int64_t triangle_count, double *screen, uint8_t *is_ahead,
                               gb_samples *into) {
    for (int64_t vertex = 0; vertex < vertex_count; vertex++) {
        gb_triple at = gb_to_view(view, vertices[3 * vertex], vertices[3 * vertex + 1], vertices[3 * vertex + 2]);
        is_ahead[vertex] = at.z >= view->near_m;
        if (!is_ahead[vertex]) continue;
        at = snapped(gb_to_screen(view, at));
        screen[3 * vertex] = at.x;
        screen[3 * vertex + 1] = at.y;
        screen[3 * vertex + 2] = at.z;
    }
    for (int64_t number = 0; number < triangle_count; number++) {
        const int32_t *corners = triangles + 3 * number;
        int64_t a = corners[0], b = corners[1], c = corners[2];
        int ahead = is_ahead[a] + is_ahead[b] + is_ahead[c];
        if (ahead == 3)
            fill_triangle(into, gb_triple_of(screen + 3 * a), gb_triple_of(screen + 3 * b), gb_triple_of(screen + 3 * c),
                          (int32_t)number);
        else if (ahead > 0)
            draw_clipped(view, into, corner_of(view, vertices, corners[0]), corner_of(view, vertices, corners[1]),
                         corner_of(view, vertices, corners[2]), (int32_t)number);
    }
}

/* Writes a number into each sample in a round-ended stroke between two screen points, where it is the nearest. */
static void fill_stroke(gb_samples *into, gb_triple a, gb_triple b, double half_width, int32_t number) {
    double along_x = b.x - a.x, along_y = b.y - a.y, length_squared = along_x * along_x + along_y * along_y;
    double inverse = length_squared > 0.0 ? 1.0 / length_squared : 0.0, reach = half_width + ROUNDING;
    int64_t last_row = last_sample(gb_max(a.y, b.y) + half_width, into->rows);
    for (int64_t row = first_sample(gb_min(a.y, b.y) - half_width); row <= last_row; row++) {
        double py = (double)row + 0.5 - a.y, from = 0.0, to = 1.0;
        if (along_y != 0.0) { /* the part of the stroke's middle that comes near the row */
            double one = (py - reach) / along_y, two = (py + reach) / along_y;
            from = gb_max(gb_min(one, two), 0.0);
            to = gb_min(gb_max(one, two), 1.0);
        }
        double one = a.x + from * along_x, two = a.x + to * along_x;
        int64_t last_column = last_sample(gb_max(one, two) + reach, into->columns);
        for (int64_t column = first_sample(gb_min(one, two) - reach); column <= last_column; column++) {
            double px = (double)column + 0.5 - a.x;
            double share = gb_min(1.0, gb_max(0.0, (px * along_x + py * along_y) * inverse));
            double dx = px - share * along_x, dy = py - share * along_y;
            if (dx * dx + dy * dy <= half_width * half_width)
                put(into, row * into->columns + column, (float)(a.z + share * (b.z - a.z)), number);
        }
    }
}

/* The nearness of a point some metres closer to the viewer. */
static double lifted(const gb_view *view, double nearness, double lift) {
    if (view->is_perspective) return nearness / (1.0 - gb_min(0.5, lift * nearness));
    return nearness + lift;
}

void gb_picture_draw_strokes(const gb_view *view, const gb_strokes *strokes, int32_t first_number, gb_samples *into) {
    for (int64_t number = 0; number < strokes->count; number++) {
        const double *from = strokes->starts + 3 * number, *to = strokes->ends + 3 * number;
        gb_triple a = gb_to_view(view, from[0], from[1], from[2]), b = gb_to_view(view, to[0], to[1], to[2]);
        if (a.z < view->near_m && b.z < view->near_m) continue;
        gb_triple start = a.z < view->near_m ? cross_near(view, a, b) : gb_to_screen(view, a);
        gb_triple end = b.z < view->near_m ? cross_near(view, b, a) : gb_to_screen(view, b);
        start.z = lifted(view, start.z, strokes->lift_m);
        end.z = lifted(view, end.z, strokes->lift_m);
        fill_stroke(into, start, end, strokes->half_widths[number], first_number + (int32_t)number);
    }
}
