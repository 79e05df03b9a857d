/* Look up what is where at a frame: the inner loop of planning among things that move.
 *
 * A free answer holds for the whole time from half a frame before to half a frame after.  The cost depends on what is near in
 * space and time alone.  Frames count from 0. */
#include "cells.h"
#include "movers.h"
#include "shapes.h"

#define CELL_M 2.0
#define BLOCK_FRAMES 8
#define MARK_CELL_M GB_MARK_CELL_M
#define MARK_BLOCK_FRAMES GB_MARK_BLOCK_FRAMES

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

/* What is looked for: an upright cylinder, or a body at an instant, a sample of an action table. */
typedef struct seeker {
    double x, y;
    double outer; /* metres: a circle around all of it */
    double low, high;
    const gb_actions *actions; /* NULL: a cylinder */
    int64_t sample;
    double cosine, sine;
    double aside_by, lower, higher; /* by how much the body is wider, lower and higher */
} seeker;

static seeker cylinder(double x, double y, double radius, double low, double high) {
    seeker made = {x, y, radius, low, high, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0};
    return made;
}

static seeker body(const gb_actions *actions, int64_t sample, double x, double y, double cosine, double sine, double aside_by,
                   double lower, double higher) {
    seeker made = {x, y, actions->outer_radius[sample] + aside_by, 0.0, 0.0, actions, sample, cosine, sine, aside_by, lower,
                   higher};
    return made;
}

/* Whether an upright cylinder meets a record: touching counts. */
static int disc_meets_record(const gb_traffic *traffic, const double *record, int64_t shape, double x, double y,
                             double radius, double low, double high) {
    if (low > record[HIGHEST] || high < record[LOWEST]) return 0;
    if (!circles_meet(record, x, y, radius)) return 0;
    double from_x = x - record[ORIGIN_X], from_y = y - record[ORIGIN_Y];
    double cosine = record[COSINE], sine = record[SINE];
    double own_x = cosine * from_x + sine * from_y, own_y = cosine * from_y - sine * from_x;
    double wide = radius + record[GROWTH];
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

static int meets_record(const gb_traffic *traffic, const seeker *who, const double *record, int64_t shape) {
    const gb_actions *actions = who->actions;
    if (!actions) return disc_meets_record(traffic, record, shape, who->x, who->y, who->outer, who->low, who->high);
    if (!circles_meet(record, who->x, who->y, who->outer)) return 0;
    for (int64_t part = who->sample * GB_PARTS; part < (who->sample + 1) * GB_PARTS; part++) {
        double low = actions->part_low[part], high = actions->part_high[part];
        if (high <= low) continue; /* a figure without this part */
        double ahead = actions->part_offset[2 * part], left = actions->part_offset[2 * part + 1];
        if (disc_meets_record(traffic, record, shape, who->x + who->cosine * ahead - who->sine * left,
                              who->y + who->sine * ahead + who->cosine * left, actions->part_radius[part] + who->aside_by,
                              low - who->lower, high + who->higher))
            return 1;
    }
    return 0;
}

static int meets_mover(const gb_traffic *traffic, const seeker *who, int64_t mover, int64_t frame) {
    const gb_movers *movers = traffic->movers;
    double records[GB_MOVER_RECORDS * GB_RECORD_COLUMNS];
    if (frame > traffic->things[movers->thing[mover] * GB_THING_COLUMNS + GONE_AFTER]) return 0;
    if (!gb_mover_may_reach(movers, mover, frame, who->x, who->y, who->outer)) return 0;
    int64_t count = gb_movers_place(movers, mover, frame, records);
    for (int64_t record = 0; record < count; record++)
        if (meets_record(traffic, who, records + GB_RECORD_COLUMNS * record, movers->shape[mover])) return 1;
    return 0;
}

static int meets_thing(const gb_traffic *traffic, const seeker *who, int64_t thing, int64_t frame) {
    int64_t slot = traffic->things[thing * GB_THING_COLUMNS + FIRST_SLOT];
    if (slot < 0) return meets_mover(traffic, who, -1 - slot, frame);
    const int64_t *records = records_at(traffic, thing, frame);
    for (int64_t record = records[0]; record < records[1]; record++)
        if (meets_record(traffic, who, traffic->records + GB_RECORD_COLUMNS * record, traffic->record_shapes[record])) return 1;
    return 0;
}

static int64_t met_in_list(const gb_traffic *traffic, const seeker *who, int64_t entry, int64_t frame) {
    for (; entry >= 0; entry = traffic->entries[2 * entry + 1])
        if (meets_thing(traffic, who, traffic->entries[2 * entry], frame)) return traffic->entries[2 * entry];
    return GB_NOTHING;
}

/* A thing of the tables that is met, of those in a block of frames or of those that rest. */
static int64_t met_in_block(const gb_traffic *traffic, const seeker *who, int64_t block, int64_t frame) {
    double spread = gb_max(who->outer - GB_QUERY_RADIUS_M, 0.0);
    int64_t right = gb_cell_of(who->x + spread, CELL_M), top = gb_cell_of(who->y + spread, CELL_M);
    for (int64_t column = gb_cell_of(who->x - spread, CELL_M); column <= right; column++)
        for (int64_t row = gb_cell_of(who->y - spread, CELL_M); row <= top; row++) {
            int64_t thing = met_in_list(traffic, who, first_entry(traffic, block, column, row), frame);
            if (thing >= 0) return thing;
        }
    if (!traffic->has_giants) return GB_NOTHING;
    return met_in_list(traffic, who, first_entry(traffic, block, GB_EVERYWHERE, GB_EVERYWHERE), frame);
}

/* A moving mover that is met: those of each cell that lies within reach. */
static int64_t met_mover(const gb_traffic *traffic, const seeker *who, int64_t frame) {
    const gb_movers *movers = traffic->movers;
    double spread = gb_max(who->outer - GB_QUERY_RADIUS_M, 0.0), cell = movers->cell_m;
    int64_t right = gb_cell_of(who->x + spread, cell), top = gb_cell_of(who->y + spread, cell);
    for (int64_t column = gb_cell_of(who->x - spread, cell); column <= right; column++)
        for (int64_t row = gb_cell_of(who->y - spread, cell); row <= top; row++) {
            gb_mover_list list = gb_movers_list(movers, frame, column, row);
            for (int64_t mover; (mover = gb_next_mover(&list, who->x, who->y, who->outer)) >= 0;)
                if (meets_mover(traffic, who, mover, frame)) return movers->thing[mover];
        }
    return GB_NOTHING;
}

/* A thing that is met, the last one first of those in the same cell; what rests comes after all others. */
static int64_t blocker(const gb_traffic *traffic, const seeker *who, int64_t frame) {
    if (traffic->is_endless && frame > traffic->horizon) return GB_BEYOND_HORIZON;
    int64_t thing = met_in_block(traffic, who, frame / BLOCK_FRAMES, frame);
    if (thing < 0 && traffic->movers) thing = met_mover(traffic, who, frame);
    return thing < 0 ? met_in_block(traffic, who, GB_RESTING, frame) : thing;
}

int64_t gb_traffic_disc_blocker(const gb_traffic *traffic, double x, double y, double radius, double low, double high,
                                int64_t frame) {
    const seeker who = cylinder(x, y, radius, low, high);
    return blocker(traffic, &who, frame);
}

int64_t gb_traffic_body_blocker(const gb_traffic *traffic, const gb_actions *actions, int64_t sample, double x, double y,
                                double cosine, double sine, int64_t frame, double aside_by, double lower,
                                double higher) {
    const seeker who = body(actions, sample, x, y, cosine, sine, aside_by, lower, higher);
    return blocker(traffic, &who, frame);
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

static int is_quiet(const gb_traffic *traffic, double x, double y, double radius, int64_t first_frame, int64_t last_frame,
                    const gb_movers *movers) {
    if (traffic->is_endless && last_frame > traffic->horizon) return 0;
    if (traffic->has_giants && !is_unmarked(traffic, GB_EVERYWHERE, GB_EVERYWHERE, first_frame, last_frame)) return 0;
    int64_t right = gb_cell_of(x + radius, MARK_CELL_M), top = gb_cell_of(y + radius, MARK_CELL_M);
    int64_t moving = gb_least(last_frame, traffic->last_change);
    for (int64_t column = gb_cell_of(x - radius, MARK_CELL_M); column <= right; column++)
        for (int64_t row = gb_cell_of(y - radius, MARK_CELL_M); row <= top; row++) {
            if (!is_unmarked(traffic, column, row, first_frame, last_frame)) return 0;
            if (movers && gb_movers_mark(movers, column, row, first_frame, moving)) return 0;
        }
    return 1;
}

int32_t gb_traffic_is_quiet(const gb_traffic *traffic, double x, double y, double radius, int64_t first_frame,
                            int64_t last_frame) {
    return is_quiet(traffic, x, y, radius, first_frame, last_frame, traffic->movers);
}

int32_t gb_traffic_thing_meets(const gb_traffic *traffic, const gb_actions *actions, int64_t thing, int64_t sample,
                               double x, double y, double cosine, double sine, int64_t frame, double aside_by,
                               double lower, double higher) {
    const seeker who = body(actions, sample, x, y, cosine, sine, aside_by, lower, higher);
    return meets_thing(traffic, &who, thing, frame);
}

/* Whether nothing of the tables is met at any of some frames. */
static int stays_free_in_tables(const gb_traffic *traffic, const seeker *who, int64_t first_frame, int64_t last_frame) {
    for (int64_t frame = first_frame; frame <= last_frame; frame += MARK_BLOCK_FRAMES) {
        int64_t until = gb_least(frame + MARK_BLOCK_FRAMES - 1, last_frame);
        if (is_quiet(traffic, who->x, who->y, who->outer, frame, until, 0)) continue;
        for (int64_t at = frame; at <= until; at++)
            if (met_in_block(traffic, who, at / BLOCK_FRAMES, at) >= 0 || met_in_block(traffic, who, GB_RESTING, at) >= 0)
                return 0;
    }
    return 1;
}

/* Whether a mover is not met at any of some frames, of those at which it moves. */
static int stays_free_of_mover(const gb_traffic *traffic, const seeker *who, int64_t mover, int64_t first_frame,
                               int64_t last_frame) {
    const gb_movers *movers = traffic->movers;
    if (!gb_mover_may_ever_reach(movers, mover, who->x, who->y, who->outer)) return 1;
    int64_t frame = gb_most(first_frame, movers->span[mover].first), last = gb_least(last_frame, movers->span[mover].last);
    for (; frame <= last; frame += gb_mover_frames_away(movers, mover, frame, who->x, who->y, who->outer))
        if (meets_mover(traffic, who, mover, frame)) return 0;
    return 1;
}

int32_t gb_traffic_body_stays_free(const gb_traffic *traffic, const gb_actions *actions, int64_t sample, double x,
                                   double y, double cosine, double sine, int64_t first_frame, double aside_by,
                                   double lower, double higher) {
    const seeker who = body(actions, sample, x, y, cosine, sine, aside_by, lower, higher);
    if (traffic->is_endless && first_frame > traffic->horizon) return 0;
    int64_t last = gb_most(traffic->is_endless ? traffic->horizon : traffic->last_change + 1, first_frame);
    if (!stays_free_in_tables(traffic, &who, first_frame, last)) return 0;
    for (int64_t mover = traffic->movers ? traffic->movers->count - 1 : -1; mover >= 0; mover--)
        if (!stays_free_of_mover(traffic, &who, mover, first_frame, last)) return 0;
    return 1;
}
