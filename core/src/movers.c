/* Movers that are placed when they are asked for: where each is at a frame follows from its trajectory alone.
 *
 * What is laid out, block by block of frames as time goes on, are lists: which movers may be near a cell in a block, each with
 * a circle that holds it for so long. */
#include "movers.h"

#include "cells.h"

#define LATE_S 1e-9     /* instants nearer than this to the end of a frame belong to both frames */
#define ROUNDING_M 1e-9 /* metres: placements are larger by this */
#define SLACK_M 1e-6    /* metres: more than the rounding of what is worked out roughly */
#define WIDEST_M 100.0  /* metres: what gets larger in a coarse block is no matter of cells */
#define FARTHEST_M 9e5  /* metres from the origin: where cells end */
#define MOST_FRAMES 9007199254740992.0

static gb_trajectory trajectory_of(const gb_movers *movers, int64_t mover) {
    int64_t key = movers->first_key[mover];
    gb_trajectory trajectory = {movers->first_key[mover + 1] - key, movers->times + key, movers->poses + 3 * key,
                                movers->heights + 2 * key, movers->reach[mover]};
    return trajectory;
}

static double length_of(const gb_trajectory *trajectory) { return trajectory->times[trajectory->count - 1] - trajectory->times[0]; }

/* ---- Bounds ---- */

/* A box around places: least x, least y, greatest x, greatest y. */
static void extend(double *box, double x, double y) {
    box[0] = gb_min(box[0], x);
    box[1] = gb_min(box[1], y);
    box[2] = gb_max(box[2], x);
    box[3] = gb_max(box[3], y);
}

static double diagonal(const double *box) { return gb_hypot(box[2] - box[0], box[3] - box[1]); }

/* Where a trajectory's table is at a time; returns the next key. */
static int64_t place_at(const gb_trajectory *trajectory, double time, double *x, double *y) {
    int64_t low = 0, high = trajectory->count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (trajectory->times[middle] <= time) low = middle + 1;
        else high = middle;
    }
    int64_t after = gb_least(low, trajectory->count - 1), before = gb_most(after - 1, 0);
    double span = trajectory->times[after] - trajectory->times[before];
    double share = span > 0.0 ? gb_min(gb_max((time - trajectory->times[before]) / span, 0.0), 1.0) : 0.0;
    *x = trajectory->poses[3 * before] + share * (trajectory->poses[3 * after] - trajectory->poses[3 * before]);
    *y = trajectory->poses[3 * before + 1] + share * (trajectory->poses[3 * after + 1] - trajectory->poses[3 * before + 1]);
    return low;
}

/* Extends a box by all places between two times of the table, in seconds after its first. */
static void extend_between(const gb_trajectory *trajectory, double first, double last, double *box) {
    double x, y, begin = trajectory->times[0] + first, end = trajectory->times[0] + last;
    int64_t key = place_at(trajectory, begin, &x, &y);
    extend(box, x, y);
    for (; key < trajectory->count && trajectory->times[key] < end; key++)
        extend(box, trajectory->poses[3 * key], trajectory->poses[3 * key + 1]);
    place_at(trajectory, end, &x, &y);
    extend(box, x, y);
}

static void whole_box(const gb_trajectory *trajectory, double *box) {
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (int64_t key = 0; key < trajectory->count; key++) extend(box, trajectory->poses[3 * key], trajectory->poses[3 * key + 1]);
}

/* The box of a mover's places from one time to another. */
static void box_between(const gb_movers *movers, int64_t mover, double first, double last, double *box) {
    const gb_trajectory trajectory = trajectory_of(movers, mover);
    double length = length_of(&trajectory), begin = first - trajectory.times[0], end = last - trajectory.times[0];
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    if (movers->span[mover].is_still) {
        whole_box(&trajectory, box);
    } else if (movers->repeat[mover] == GB_ONCE) {
        extend_between(&trajectory, gb_min(gb_max(begin, 0.0), length), gb_min(gb_max(end, 0.0), length), box);
    } else if (end - gb_max(begin, 0.0) >= length) {
        whole_box(&trajectory, box);
    } else {
        if (begin <= 0.0) extend(box, trajectory.poses[0], trajectory.poses[1]);
        begin = gb_max(begin, 0.0);
        for (double leg = gb_max(gb_floor(begin / length) - 1.0, 0.0); leg * length <= end; leg += 1.0) {
            double from = gb_max(begin - leg * length, 0.0), to = gb_min(end - leg * length, length);
            int back = movers->repeat[mover] == GB_BOUNCE && gb_floor(0.5 * leg) * 2.0 != leg;
            if (from > length || to < 0.0) continue;
            if (back) extend_between(&trajectory, length - to, length - from, box);
            else extend_between(&trajectory, from, to, box);
        }
    }
}

/* ---- Frames ---- */

static int64_t whole(double frames) { return (int64_t)gb_min(gb_max(frames, -MOST_FRAMES), MOST_FRAMES); }

/* The first and last frame of a leg, which is one run through the table, there or back. */
static void frames_of_leg(const gb_movers *movers, int64_t mover, double begun, double length, int64_t leg, int64_t *first,
                          int64_t *last) {
    *first = whole(gb_floor((begun - LATE_S) * movers->rate_hz + 0.5));
    *last = whole(gb_ceil((begun + length + LATE_S) * movers->rate_hz - 0.5));
    if (leg == 0) *first = gb_least(*first - 1, movers->horizon); /* the frame before it sets out */
    if (movers->repeat[mover] == GB_ONCE) *last = gb_most(*last + 1, 0); /* the frame after it has arrived */
    *first = gb_most(*first, 0);
    *last = gb_least(*last, movers->horizon);
}

static int is_at_rest(const gb_trajectory *trajectory) {
    for (int64_t key = 1; key < trajectory->count; key++) {
        for (int column = 0; column < 3; column++)
            if (trajectory->poses[3 * key + column] != trajectory->poses[column]) return 0;
        for (int column = 0; column < 2; column++)
            if (trajectory->heights[2 * key + column] != trajectory->heights[column]) return 0;
    }
    return 1;
}

/* Metres and radians a second, at most. */
static void fastest(const gb_trajectory *trajectory, double *along, double *around) {
    *along = *around = 0.0;
    for (int64_t key = 1; key < trajectory->count; key++) {
        const double *pose = trajectory->poses + 3 * key;
        double seconds = trajectory->times[key] - trajectory->times[key - 1];
        *along = gb_max(*along, gb_hypot(pose[0] - pose[-3], pose[1] - pose[-2]) / seconds);
        *around = gb_max(*around, gb_abs(pose[2] - pose[-1]) / seconds);
    }
}

/* First and last frame of a mover that moves; the first leg that counts is the last that begins before frame -1. */
static void span_frames(const gb_movers *movers, int64_t mover, const gb_trajectory *trajectory, gb_mover_span *span) {
    int64_t end;
    double length = length_of(trajectory);
    frames_of_leg(movers, mover, trajectory->times[0], length, 0, &span->first, &end);
    span->last = movers->repeat[mover] == GB_ONCE ? end : movers->horizon;
    double arrives = gb_ceil((trajectory->times[0] + length + LATE_S) * movers->rate_hz - 0.5);
    span->is_endless = movers->repeat[mover] != GB_ONCE || arrives >= (double)movers->horizon;
}

static void bound(const gb_movers *movers, int64_t mover, gb_mover_span *span) {
    const gb_trajectory trajectory = trajectory_of(movers, mover);
    const double *outline = movers->outline + 3 * mover;
    double length = length_of(&trajectory), half = 0.5 / movers->rate_hz + 2.0 * LATE_S, along, around, box[4];
    int repeats = movers->repeat[mover] != GB_ONCE;
    span->first = span->last = span->is_endless = 0;
    span->is_still = is_at_rest(&trajectory) || (repeats && length * movers->rate_hz < 1.0);
    if (!span->is_still) span_frames(movers, mover, &trajectory, span);
    whole_box(&trajectory, box);
    fastest(&trajectory, &along, &around);
    double far = diagonal(box), growth = gb_min(along * half, far) + movers->reach[mover] * gb_min(around * half, 2.0);
    if (span->is_still) growth = far + 2.0 * movers->reach[mover];
    span->least_x = box[0];
    span->least_y = box[1];
    span->greatest_x = box[2];
    span->greatest_y = box[3];
    span->around = gb_hypot(outline[0], outline[1]) + outline[2] + 2.0 * growth + SLACK_M;
    span->pace = along / movers->rate_hz;
    double gone = movers->repeat[mover] == GB_LOOP ? far : gb_min(span->pace * (GB_MARK_BLOCK_FRAMES + 2), far);
    double farthest = gb_max(gb_max(-box[0], box[2]), gb_max(-box[1], box[3])) + span->around;
    span->is_wide = 2.0 * (span->around + GB_QUERY_RADIUS_M) + gone > WIDEST_M || farthest > FARTHEST_M;
}

void gb_movers_bound(gb_movers *movers) {
    for (int64_t mover = 0; mover < movers->count; mover++) bound(movers, mover, movers->span + mover);
}

/* ---- Placements ---- */

/* Writes the record of a mover from one time of its table to another, in seconds after its first. */
static void record_stretch(const gb_movers *movers, int64_t mover, double first, double middle, double last, double *record) {
    const gb_trajectory trajectory = trajectory_of(movers, mover);
    const double *outline = movers->outline + 3 * mover;
    double placed[6], begin = trajectory.times[0];
    first += begin;
    middle += begin;
    last += begin;
    gb_traffic_place_stretches(&trajectory, &first, &middle, &last, 1, placed);
    double cosine = gb_cos(placed[2]), sine = gb_sin(placed[2]), growth = placed[5] + ROUNDING_M;
    record[0] = placed[0] + (cosine * outline[0] - sine * outline[1]);
    record[1] = placed[1] + (sine * outline[0] + cosine * outline[1]);
    record[2] = outline[2] + growth;
    record[3] = placed[3] - ROUNDING_M;
    record[4] = placed[4] + ROUNDING_M;
    record[5] = placed[0];
    record[6] = placed[1];
    record[7] = cosine;
    record[8] = sine;
    record[9] = growth;
}

/* Writes the record of a frame's part of a leg. */
static void record_leg(const gb_movers *movers, int64_t mover, int64_t frame, double begun, double length, int back,
                       double *record) {
    double at = (double)frame, rate = movers->rate_hz;
    double first = gb_min(gb_max((at - 0.5) / rate + -LATE_S - begun, 0.0), length);
    double middle = gb_min(gb_max(at / rate + 0.0 - begun, 0.0), length);
    double last = gb_min(gb_max((at + 0.5) / rate + LATE_S - begun, 0.0), length);
    if (back) record_stretch(movers, mover, length - last, length - middle, length - first, record);
    else record_stretch(movers, mover, first, middle, last, record);
}

int64_t gb_movers_place(const gb_movers *movers, int64_t mover, int64_t frame, double *records) {
    const gb_mover_span *span = movers->span + mover;
    const gb_trajectory trajectory = trajectory_of(movers, mover);
    double start = trajectory.times[0], length = length_of(&trajectory);
    int64_t count = 0, first, last;
    frame = gb_least(gb_most(frame, span->first), span->last);
    if (span->is_still) {
        record_stretch(movers, mover, 0.0, 0.5 * length, length, records);
        return 1;
    }
    if (movers->repeat[mover] == GB_ONCE) {
        record_leg(movers, mover, frame, start, length, 0, records);
        return 1;
    }
    int64_t middle = whole(gb_floor(((double)frame / movers->rate_hz - start) / length));
    for (int64_t leg = gb_most(middle - 2, 0); leg <= gb_most(middle, 0) + 2 && count < GB_MOVER_RECORDS; leg++) {
        double begun = start + length * (double)leg;
        frames_of_leg(movers, mover, begun, length, leg, &first, &last);
        if (first > frame || last < frame) continue;
        record_leg(movers, mover, frame, begun, length, movers->repeat[mover] == GB_BOUNCE && leg % 2 == 1,
                   records + GB_RECORD_COLUMNS * count++);
    }
    return count;
}

/* Where a mover is at the instant of a frame, roughly, and for how many frames it goes on without a jump. */
static double place_roughly(const gb_movers *movers, int64_t mover, int64_t frame, double *x, double *y) {
    const gb_trajectory trajectory = trajectory_of(movers, mover);
    double length = length_of(&trajectory), since = gb_max((double)frame / movers->rate_hz - trajectory.times[0], 0.0);
    double steady = INFINITY;
    if (movers->span[mover].is_still) {
        since = 0.5 * length;
    } else if (movers->repeat[mover] != GB_ONCE) {
        double leg = gb_floor(since / length);
        since -= leg * length;
        if (movers->repeat[mover] == GB_LOOP)
            steady = since * movers->rate_hz < 2.0 ? 0.0 : (length - since) * movers->rate_hz - 2.0;
        if (movers->repeat[mover] == GB_BOUNCE && gb_floor(0.5 * leg) * 2.0 != leg) since = length - since;
    }
    place_at(&trajectory, trajectory.times[0] + gb_min(since, length), x, y);
    return steady;
}

int gb_mover_may_reach(const gb_movers *movers, int64_t mover, int64_t frame, double x, double y, double reach) {
    double own_x, own_y;
    if (place_roughly(movers, mover, frame, &own_x, &own_y) < 1.0) return 1;
    double away = reach + movers->span[mover].around;
    return (own_x - x) * (own_x - x) + (own_y - y) * (own_y - y) <= away * away;
}

int gb_mover_may_ever_reach(const gb_movers *movers, int64_t mover, double x, double y, double reach) {
    const gb_mover_span *span = movers->span + mover;
    double aside = gb_max(gb_max(span->least_x - x, x - span->greatest_x), 0.0);
    double along = gb_max(gb_max(span->least_y - y, y - span->greatest_y), 0.0), away = reach + span->around;
    return aside * aside + along * along <= away * away;
}

/* The frames, at least one, in which a mover crosses so much room at the soonest, or jumps. */
static int64_t frames_until(const gb_mover_span *span, double room, double steady) {
    double frames = gb_min(gb_min(room / (span->pace + SLACK_M), steady), 1e6);
    return gb_most((int64_t)gb_floor(gb_max(frames, 0.0)), 1);
}

int64_t gb_mover_frames_away(const gb_movers *movers, int64_t mover, int64_t frame, double x, double y, double reach) {
    double own_x, own_y, steady = place_roughly(movers, mover, frame, &own_x, &own_y);
    double room = gb_hypot(own_x - x, own_y - y) - reach - movers->span[mover].around;
    return frames_until(movers->span + mover, room, steady);
}

/* ---- Lists ---- */

/* The circle that holds a mover in a block; returns whether it counts there. */
static int circle_in_block(const gb_movers *movers, int64_t mover, int64_t block, gb_mover_near *near) {
    const gb_mover_span *span = movers->span + mover;
    int64_t first = block * GB_MOVER_BLOCK, last = first + GB_MOVER_BLOCK - 1;
    if (last < span->first || first > span->last) return 0;
    double box[4];
    box_between(movers, mover, ((double)first - 0.5) / movers->rate_hz - LATE_S,
                ((double)last + 0.5) / movers->rate_hz + LATE_S, box);
    double x = 0.5 * (box[0] + box[2]), y = 0.5 * (box[1] + box[3]);
    near->x = (float)x;
    near->y = (float)y;
    near->reach = (float)((0.5 * diagonal(box) + span->around + 1e-6 * (gb_abs(x) + gb_abs(y))) * (1.0 + 1e-6));
    near->mover = (int32_t)mover;
    return 1;
}

/* The square of the distance from a place to a cell of a grid. */
static double cell_squared(double x, double y, int64_t column, int64_t row, double cell_m) {
    double aside = gb_max(gb_max((double)column * cell_m - x, x - (double)(column + 1) * cell_m), 0.0);
    double along = gb_max(gb_max((double)row * cell_m - y, y - (double)(row + 1) * cell_m), 0.0);
    return aside * aside + along * along;
}

/* Counts a circle in the cells that look-ups within its reach visit, or enters it there. */
static void enter(gb_movers *movers, const gb_mover_near *near, int enters) {
    double x = (double)near->x, y = (double)near->y, reach = (double)near->reach + GB_QUERY_RADIUS_M;
    double cells = 1.0 / movers->cell_m; /* without rounding: cells are powers of two */
    int64_t left = gb_most((int64_t)gb_floor((x - reach) * cells) - movers->first_column, 0);
    int64_t right = gb_least((int64_t)gb_floor((x + reach) * cells) - movers->first_column, movers->columns - 1);
    int64_t low = gb_most((int64_t)gb_floor((y - reach) * cells) - movers->first_row, 0);
    int64_t high = gb_least((int64_t)gb_floor((y + reach) * cells) - movers->first_row, movers->rows - 1);
    for (int64_t row = low; row <= high; row++)
        for (int64_t column = left; column <= right; column++) {
            int64_t *end = movers->ends + row * movers->columns + column;
            if (enters) movers->entries[*end] = *near;
            ++*end;
        }
}

static void end_list(gb_movers *movers, int64_t at) {
    const gb_mover_near end = {0.0f, 0.0f, 0.0f, GB_NOTHING};
    movers->entries[at] = end;
}

static void lay_out_block(gb_movers *movers, int64_t block) {
    int64_t cells = movers->rows * movers->columns, count = 0, *first = movers->first_entry + block * cells;
    for (int64_t cell = 0; cell < cells; cell++) movers->ends[cell] = 0;
    for (int64_t mover = movers->count - 1; mover >= 0; mover--)
        if (circle_in_block(movers, mover, block, movers->circles + count)) enter(movers, movers->circles + count++, 0);
    int64_t at = movers->entry_count;
    for (int64_t cell = 0; cell < cells; cell++) {
        int64_t listed = movers->ends[cell];
        movers->ends[cell] = at;
        if (listed > 0) end_list(movers, at += listed);
        at += listed > 0;
    }
    for (int64_t number = 0; number < count; number++) enter(movers, movers->circles + number, 1);
    GB_SHOW(); /* somebody else may be looking */
    for (int64_t cell = 0, before = movers->entry_count; cell < cells; cell++) {
        first[cell] = movers->ends[cell] > before ? before : 1;
        before = movers->ends[cell] > before ? movers->ends[cell] + 1 : before;
    }
    movers->entry_count = at;
}

void gb_movers_lay_out(gb_movers *movers, int64_t first_frame, int64_t last_frame) {
    if (movers->entry_count == 0) { /* entry 0 stands for what is not known, entry 1 for all lists without any mover */
        end_list(movers, 0);
        end_list(movers, 1);
        movers->entry_count = 2;
    }
    int64_t end = gb_least(last_frame / GB_MOVER_BLOCK + 1, movers->blocks), cells = movers->rows * movers->columns;
    for (int64_t block = first_frame / GB_MOVER_BLOCK; block < end; block++) {
        if (movers->first_entry[block * cells] != 0) continue;
        lay_out_block(movers, block);
        movers->known++;
    }
}

int64_t gb_movers_room(const gb_movers *movers) {
    double sum = 0.0;
    for (int64_t mover = 0; mover < movers->count; mover++) {
        const gb_mover_span *span = movers->span + mover;
        double far = gb_hypot(span->greatest_x - span->least_x, span->greatest_y - span->least_y);
        double gone = movers->repeat[mover] == GB_LOOP || span->is_still ? far : gb_min(span->pace * (GB_MOVER_BLOCK + 2), far);
        double wide = (gone + 2.0 * (span->around + GB_QUERY_RADIUS_M) + 4.0) / movers->cell_m + 2.0;
        sum += gb_floor(wide) * gb_floor(wide);
    }
    double cells = (double)(movers->rows * movers->columns);
    return (int64_t)((sum + gb_min(sum, cells)) * (double)movers->blocks) + 2;
}

/* The list at a cell in the block of a frame. */
gb_mover_list gb_movers_list(const gb_movers *movers, int64_t frame, int64_t column, int64_t row) {
    static const gb_mover_near none = {0.0f, 0.0f, 0.0f, GB_NOTHING};
    gb_mover_list all = {0, movers->count}, empty = {&none, 0};
    int64_t block = frame / GB_MOVER_BLOCK;
    column -= movers->first_column;
    row -= movers->first_row;
    if (block >= movers->blocks || column < 0 || row < 0 || column >= movers->columns || row >= movers->rows) return empty;
    int64_t first = movers->first_entry[(block * movers->rows + row) * movers->columns + column];
    gb_mover_list known = {movers->entries + first, 0};
    return first == 0 ? all : known;
}

/* Whether a mover comes near a coarse cell at any of some frames at which it moves. */
static int comes_near_cell(const gb_movers *movers, int64_t mover, int64_t first, int64_t last, int64_t column, int64_t row) {
    static const gb_cell_level level = {GB_MARK_BLOCK_FRAMES, GB_MARK_CELL_M, 0.0};
    const gb_mover_span *span = movers->span + mover;
    const double *outline = movers->outline + 3 * mover;
    double records[GB_MOVER_RECORDS * GB_RECORD_COLUMNS], x, y, sure = outline[2] - gb_hypot(outline[0], outline[1]) - SLACK_M;
    last = gb_least(last, span->last);
    for (int64_t frame = gb_most(first, span->first); frame <= last; frame++) {
        double steady = place_roughly(movers, mover, frame, &x, &y);
        double away = sqrt(cell_squared(x, y, column, row, GB_MARK_CELL_M)), room = away - span->around;
        if (steady >= 1.0 && away <= sure) return 1;
        if (steady >= 1.0 && room > 0.0) {
            frame += frames_until(span, room, steady) - 1;
            continue;
        }
        int64_t count = gb_movers_place(movers, mover, frame, records);
        if (gb_comes_near(records, 0, count, column, row, &level)) return 1;
    }
    return 0;
}

/* The cell of lists that a coarse cell is in. */
static int64_t listed_at(int64_t cell, int64_t times) { return cell >= 0 ? cell / times : -((times - 1 - cell) / times); }

int gb_movers_mark(const gb_movers *movers, int64_t column, int64_t row, int64_t first_frame, int64_t last_frame) {
    int64_t times = (int64_t)(movers->cell_m / GB_MARK_CELL_M + 0.5);
    double x = ((double)column + 0.5) * GB_MARK_CELL_M, y = ((double)row + 0.5) * GB_MARK_CELL_M;
    int64_t first = first_frame / GB_MARK_BLOCK_FRAMES * GB_MARK_BLOCK_FRAMES;
    int64_t end = (last_frame / GB_MARK_BLOCK_FRAMES + 1) * GB_MARK_BLOCK_FRAMES;
    for (int64_t frame = first; frame < end; frame += GB_MOVER_BLOCK) {
        gb_mover_list list = gb_movers_list(movers, frame, listed_at(column, times), listed_at(row, times));
        for (int64_t mover; (mover = gb_next_mover(&list, x, y, 0.75 * GB_MARK_CELL_M)) >= 0;)
            if (comes_near_cell(movers, mover, frame, frame + GB_MOVER_BLOCK - 1, column, row)) return 1;
    }
    return 0;
}
