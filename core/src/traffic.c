/* Look up what is where at a frame: the inner loop of planning among things that move.
 *
 * A free answer holds for the whole time from half a frame before to half a frame after.  The cost depends on what is near in
 * space and time alone.  Frames count from 0. */
#include "cells.h"
#include "shapes.h"

#define CELL_M 2.0
#define BLOCK_FRAMES 8
#define QUERY_RADIUS_M 1.0 /* a look-up of at most this radius visits one cell: things are entered this far around them */
#define MARK_CELL_M 4.0
#define MARK_BLOCK_FRAMES 32

enum { CIRCLE_X, CIRCLE_Y, CIRCLE_RADIUS, LOWEST, HIGHEST, ORIGIN_X, ORIGIN_Y, COSINE, SINE, GROWTH };
enum { FIRST_FRAME, LAST_FRAME, FIRST_SLOT, GONE_AFTER };
enum { CELL_COLUMNS = 2, MARK_COLUMNS = 3 };

static int64_t first_entry(const gb_traffic *traffic, int64_t block, int64_t column, int64_t row) {
    int64_t at = gb_find_row(traffic->cells, traffic->cell_rows, CELL_COLUMNS, gb_pack_cell(block, column, row));
    return traffic->cells[at * CELL_COLUMNS] >= 0 ? traffic->cells[at * CELL_COLUMNS + 1] : -1;
}

/* The records of a thing at a frame, first and one past the last: none once it is gone.  Before its first frame it rests, and
 * after its last if it stays. */
static const int64_t *records_at(const gb_traffic *traffic, int64_t thing, int64_t frame) {
    static const int64_t none[2] = {0, 0};
    const int64_t *row = traffic->things + thing * GB_THING_COLUMNS;
    if (frame > row[GONE_AFTER]) return none;
    int64_t at = gb_least(gb_most(frame, row[FIRST_FRAME]), row[LAST_FRAME]);
    return traffic->slots + 2 * (row[FIRST_SLOT] + at - row[FIRST_FRAME]);
}

static int circles_meet(const double *record, double x, double y, double radius) {
    double away_x = x - record[CIRCLE_X], away_y = y - record[CIRCLE_Y];
    double reach = radius + record[CIRCLE_RADIUS];
    return away_x * away_x + away_y * away_y <= reach * reach;
}

/* Whether an upright cylinder meets a record: touching counts. */
static int disc_meets_record(const gb_traffic *traffic, int64_t number, double x, double y, double radius, double low,
                             double high) {
    const double *record = traffic->records + number * GB_RECORD_COLUMNS;
    if (low > record[HIGHEST] || high < record[LOWEST]) return 0;
    if (!circles_meet(record, x, y, radius)) return 0;
    double from_x = x - record[ORIGIN_X], from_y = y - record[ORIGIN_Y];
    double cosine = record[COSINE], sine = record[SINE];
    double own_x = cosine * from_x + sine * from_y, own_y = cosine * from_y - sine * from_x;
    double wide = radius + record[GROWTH];
    int64_t shape = traffic->record_shapes[number];
    for (int64_t prism = traffic->shape_prisms[2 * shape]; prism < traffic->shape_prisms[2 * shape + 1]; prism++) {
        const double *sizes = traffic->prisms + 3 * prism; /* rounding radius, low, high */
        if (low > sizes[2] || high < sizes[1]) continue;
        double reach = wide + sizes[0];
        int64_t first = traffic->prism_corners[2 * prism], last = traffic->prism_corners[2 * prism + 1];
        if (last - first == 1) {
            double away_x = own_x - traffic->corner_x[first], away_y = own_y - traffic->corner_y[first];
            if (away_x * away_x + away_y * away_y <= reach * reach) return 1;
        } else if (gb_convex_distance(traffic->corner_x, traffic->corner_y, first, last, own_x, own_y) <= reach) {
            return 1;
        }
    }
    return 0;
}

static int64_t disc_meets_entries(const gb_traffic *traffic, int64_t entry, double x, double y, double radius, double low,
                                  double high, int64_t frame) {
    for (; entry >= 0; entry = traffic->entries[2 * entry + 1]) {
        int64_t thing = traffic->entries[2 * entry];
        const int64_t *records = records_at(traffic, thing, frame);
        for (int64_t record = records[0]; record < records[1]; record++)
            if (disc_meets_record(traffic, record, x, y, radius, low, high)) return thing;
    }
    return GB_NOTHING;
}

int64_t gb_traffic_disc_blocker(const gb_traffic *traffic, double x, double y, double radius, double low, double high,
                                int64_t frame) {
    if (traffic->is_endless && frame > traffic->horizon) return GB_BEYOND_HORIZON;
    double spread = gb_max(radius - QUERY_RADIUS_M, 0.0);
    int64_t blocks[2] = {frame / BLOCK_FRAMES, GB_RESTING};
    for (int number = 0; number < 2; number++) {
        int64_t right = gb_cell_of(x + spread, CELL_M), top = gb_cell_of(y + spread, CELL_M);
        for (int64_t column = gb_cell_of(x - spread, CELL_M); column <= right; column++)
            for (int64_t row = gb_cell_of(y - spread, CELL_M); row <= top; row++) {
                int64_t entry = first_entry(traffic, blocks[number], column, row);
                int64_t thing = disc_meets_entries(traffic, entry, x, y, radius, low, high, frame);
                if (thing >= 0) return thing;
            }
        if (traffic->has_giants) {
            int64_t entry = first_entry(traffic, blocks[number], GB_EVERYWHERE, GB_EVERYWHERE);
            int64_t thing = disc_meets_entries(traffic, entry, x, y, radius, low, high, frame);
            if (thing >= 0) return thing;
        }
    }
    return GB_NOTHING;
}

/* A body at an instant: a sample of an action table at a place, wider, lower and higher by some margins. */
typedef struct body_at {
    const gb_actions *actions;
    int64_t sample;
    double x, y, cosine, sine;
    double aside_by, lower, higher;
} body_at;

static int body_meets_record(const gb_traffic *traffic, int64_t record, const body_at *body) {
    const gb_actions *actions = body->actions;
    double outer = actions->outer_radius[body->sample] + body->aside_by;
    if (!circles_meet(traffic->records + record * GB_RECORD_COLUMNS, body->x, body->y, outer)) return 0;
    for (int64_t part = body->sample * GB_PARTS; part < (body->sample + 1) * GB_PARTS; part++) {
        double low = actions->part_low[part], high = actions->part_high[part];
        if (high <= low) continue; /* a figure without this part */
        double ahead = actions->part_offset[2 * part], left = actions->part_offset[2 * part + 1];
        if (disc_meets_record(traffic, record, body->x + body->cosine * ahead - body->sine * left,
                              body->y + body->sine * ahead + body->cosine * left,
                              actions->part_radius[part] + body->aside_by, low - body->lower, high + body->higher))
            return 1;
    }
    return 0;
}

static int64_t body_meets_entries(const gb_traffic *traffic, int64_t entry, const body_at *body, int64_t frame) {
    for (; entry >= 0; entry = traffic->entries[2 * entry + 1]) {
        int64_t thing = traffic->entries[2 * entry];
        const int64_t *records = records_at(traffic, thing, frame);
        for (int64_t record = records[0]; record < records[1]; record++)
            if (body_meets_record(traffic, record, body)) return thing;
    }
    return GB_NOTHING;
}

int64_t gb_traffic_body_blocker(const gb_traffic *traffic, const gb_actions *actions, int64_t sample, double x, double y,
                                double cosine, double sine, int64_t frame, double aside_by, double lower,
                                double higher) {
    if (traffic->is_endless && frame > traffic->horizon) return GB_BEYOND_HORIZON;
    const body_at body = {actions, sample, x, y, cosine, sine, aside_by, lower, higher};
    double spread = gb_max(actions->outer_radius[sample] + aside_by - QUERY_RADIUS_M, 0.0);
    int64_t blocks[2] = {frame / BLOCK_FRAMES, GB_RESTING};
    for (int number = 0; number < 2; number++) {
        int64_t right = gb_cell_of(x + spread, CELL_M), top = gb_cell_of(y + spread, CELL_M);
        for (int64_t column = gb_cell_of(x - spread, CELL_M); column <= right; column++)
            for (int64_t row = gb_cell_of(y - spread, CELL_M); row <= top; row++) {
                int64_t entry = first_entry(traffic, blocks[number], column, row);
                int64_t thing = body_meets_entries(traffic, entry, &body, frame);
                if (thing >= 0) return thing;
            }
        if (traffic->has_giants) {
            int64_t entry = first_entry(traffic, blocks[number], GB_EVERYWHERE, GB_EVERYWHERE);
            int64_t thing = body_meets_entries(traffic, entry, &body, frame);
            if (thing >= 0) return thing;
        }
    }
    return GB_NOTHING;
}

/* Whether nothing moves through a coarse cell in some blocks of frames and nothing rests there. */
static int is_unmarked(const gb_traffic *traffic, int64_t column, int64_t row, int64_t first_frame, int64_t last_frame) {
    const int64_t *marks = traffic->marks;
    int64_t last_moving = gb_least(last_frame, traffic->last_change);
    for (int64_t block = first_frame / MARK_BLOCK_FRAMES; block * MARK_BLOCK_FRAMES <= last_moving; block++) {
        int64_t at = gb_find_row(marks, traffic->mark_rows, MARK_COLUMNS, gb_pack_cell(block, column, row));
        if (marks[at * MARK_COLUMNS] >= 0) return 0;
    }
    int64_t at = gb_find_row(marks, traffic->mark_rows, MARK_COLUMNS, gb_pack_cell(GB_RESTING, column, row));
    const int64_t *mark = marks + at * MARK_COLUMNS;
    return mark[0] < 0 || (mark[1] >= last_frame && mark[2] <= first_frame);
}

int32_t gb_traffic_is_quiet(const gb_traffic *traffic, double x, double y, double radius, int64_t first_frame,
                            int64_t last_frame) {
    if (traffic->is_endless && last_frame > traffic->horizon) return 0;
    if (traffic->has_giants && !is_unmarked(traffic, GB_EVERYWHERE, GB_EVERYWHERE, first_frame, last_frame)) return 0;
    int64_t right = gb_cell_of(x + radius, MARK_CELL_M), top = gb_cell_of(y + radius, MARK_CELL_M);
    for (int64_t column = gb_cell_of(x - radius, MARK_CELL_M); column <= right; column++)
        for (int64_t row = gb_cell_of(y - radius, MARK_CELL_M); row <= top; row++)
            if (!is_unmarked(traffic, column, row, first_frame, last_frame)) return 0;
    return 1;
}

int32_t gb_traffic_thing_meets(const gb_traffic *traffic, const gb_actions *actions, int64_t thing, int64_t sample,
                               double x, double y, double cosine, double sine, int64_t frame, double aside_by,
                               double lower, double higher) {
    const body_at body = {actions, sample, x, y, cosine, sine, aside_by, lower, higher};
    const int64_t *records = records_at(traffic, thing, frame);
    for (int64_t record = records[0]; record < records[1]; record++)
        if (body_meets_record(traffic, record, &body)) return 1;
    return 0;
}

int32_t gb_traffic_body_stays_free(const gb_traffic *traffic, const gb_actions *actions, int64_t sample, double x,
                                   double y, double cosine, double sine, int64_t first_frame, double aside_by,
                                   double lower, double higher) {
    int64_t last = gb_most(traffic->is_endless ? traffic->horizon : traffic->last_change + 1, first_frame);
    double around = actions->outer_radius[sample] + aside_by;
    for (int64_t frame = first_frame; frame <= last; frame += MARK_BLOCK_FRAMES) {
        int64_t until = gb_least(frame + MARK_BLOCK_FRAMES - 1, last);
        if (gb_traffic_is_quiet(traffic, x, y, around, frame, until)) continue;
        for (int64_t at = frame; at <= until; at++)
            if (gb_traffic_body_blocker(traffic, actions, sample, x, y, cosine, sine, at, aside_by, lower, higher) !=
                GB_NOTHING)
                return 0;
    }
    return 1;
}
