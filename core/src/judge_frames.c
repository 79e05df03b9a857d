/* The delivered frames of a crowd: which frame of a clip or blend each character shows, and where its capsules are. */
#include "judge_crowd.h"

static double greatest_reach(const float *axes, const double *radius, int64_t capsules, double x, double y) {
    double reach = 0.0;
    for (int64_t capsule = 0; capsule < capsules; capsule++)
        for (int end = 0; end < 6; end += 3) {
            double east = (double)axes[6 * capsule + end] - x, north = (double)axes[6 * capsule + end + 1] - y;
            reach = greater(reach, sqrt(east * east + north * north) + radius[capsule]);
        }
    return reach;
}

void gb_check_fill_discs(const float *axes, const double *radius, int64_t capsules, double margin, double *discs,
                         int64_t frames) {
    for (int64_t frame = 0; frame < frames; frame++, axes += 6 * capsules, discs += 3) {
        double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
        for (int64_t capsule = 0; capsule < capsules; capsule++)
            for (int end = 0; end < 6; end += 3) {
                double x = (double)axes[6 * capsule + end], y = (double)axes[6 * capsule + end + 1];
                low_x = lesser(low_x, x - radius[capsule]);
                low_y = lesser(low_y, y - radius[capsule]);
                high_x = greater(high_x, x + radius[capsule]);
                high_y = greater(high_y, y + radius[capsule]);
            }
        discs[0] = 0.5 * (low_x + high_x);
        discs[1] = 0.5 * (low_y + high_y);
        discs[2] = greatest_reach(axes, radius, capsules, discs[0], discs[1]) + margin;
    }
}

/* The step to which a delivered frame belongs; where two steps meet, the first. */
static int64_t step_at(const gb_check_steps *steps, int64_t who, int64_t frame, int64_t per_step) {
    int64_t low = steps->first_step[who], high = steps->first_step[who + 1] - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (steps->frame[middle] * per_step < frame) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* A pose from which frames are seen. */
typedef struct anchor {
    double x, y, heading, cosine, sine;
} anchor;

static anchor make_anchor(double x, double y, double heading) {
    anchor made = {x, y, heading, 0.0, 0.0};
    find_direction(heading, &made.sine, &made.cosine);
    return made;
}

/* One character's step: its clip, and the blends at both ends. */
typedef struct shown_step {
    int64_t begin, length; /* delivered frames: its first, and from there to its last */
    int64_t first_row;     /* of the clip */
    int64_t before, after; /* half a blend's frames at its begin and at its end */
    int64_t row_before;    /* of the middle of the blend at its begin; -1 without one */
    int64_t row_after;     /* of the middle of the blend at its end; -1 without one */
    anchor start, end;
} shown_step;

static shown_step read_step(const gb_check_figures *figures, const gb_check_steps *steps, int64_t who, int64_t step,
                            int64_t per_step) {
    int64_t clip = figures->kind_clip[steps->kind[who]] + steps->clip[step];
    const double *pose = steps->pose + 3 * step, *end = figures->clip_end + 3 * clip;
    shown_step shown = {0, 0, 0, 0, 0, -1, -1, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}};
    shown.begin = steps->frame[step] * per_step;
    shown.length = figures->clip_steps[clip];
    shown.first_row = figures->clip_first[clip];
    if (step > steps->first_step[who]) {
        shown.before = figures->blend_window[steps->join[step - 1]];
        shown.row_before = figures->blend_first[steps->join[step - 1]] + shown.before;
    }
    if (step < steps->first_step[who + 1] - 1) {
        shown.after = figures->blend_window[steps->join[step]];
        shown.row_after = figures->blend_first[steps->join[step]] + shown.after;
    }
    shown.start = make_anchor(pose[0], pose[1], pose[2]);
    shown.end = make_anchor(pose[0] + shown.start.cosine * end[0] - shown.start.sine * end[1],
                            pose[1] + shown.start.sine * end[0] + shown.start.cosine * end[1], pose[2] + end[2]);
    return shown;
}

/* The row that a step shows at a delivered frame, and the pose that places it: by the same rule as motions are made. */
static int64_t shown_row(const shown_step *shown, int64_t frame, const anchor **placed) {
    int64_t offset = whole_within(frame - shown->begin, 0, shown->length);
    *placed = &shown->start;
    if (shown->row_before >= 0 && offset < shown->before) return shown->row_before + offset;
    if (shown->row_after >= 0 && offset > shown->length - (shown->after > 1 ? shown->after : 1)) {
        *placed = &shown->end;
        return shown->row_after + offset - shown->length;
    }
    return shown->first_row + offset;
}

/* Notes a frame of a character: row, anchor and disc, around which the box grows. */
static void lay_frame(const gb_check_figures *figures, gb_check_block *block, int64_t at, int64_t row,
                      const anchor *placed, double *box) {
    const double *own = figures->disc + 3 * row;
    double *disc = block->disc + 3 * at, *pose = block->anchor + 4 * at;
    block->row[at] = row;
    pose[0] = placed->x;
    pose[1] = placed->y;
    pose[2] = placed->cosine;
    pose[3] = placed->sine;
    disc[0] = placed->x + placed->cosine * own[0] - placed->sine * own[1];
    disc[1] = placed->y + placed->sine * own[0] + placed->cosine * own[1];
    disc[2] = own[2];
    box[0] = lesser(box[0], disc[0] - disc[2]);
    box[1] = lesser(box[1], disc[1] - disc[2]);
    box[2] = greater(box[2], disc[0] + disc[2]);
    box[3] = greater(box[3], disc[1] + disc[2]);
}

static void lay_character(const gb_check_figures *figures, const gb_check_steps *steps, int64_t who, int64_t per_step,
                          gb_check_block *block) {
    int64_t first = block->first[who], last = block->last[who], last_step = steps->first_step[who + 1] - 1;
    int64_t frame = first, step = step_at(steps, who, frame, per_step);
    double *box = block->box + 4 * who;
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (; frame <= last; step++) {
        shown_step shown = read_step(figures, steps, who, step, per_step);
        int64_t until = last;
        if (step < last_step) until = whole_within(steps->frame[step + 1] * per_step, 0, last);
        for (; frame <= until; frame++) {
            const anchor *placed;
            int64_t row = shown_row(&shown, frame, &placed);
            lay_frame(figures, block, who * block->columns + frame - first, row, placed, box);
        }
    }
}

void gb_check_lay_block(const gb_check_figures *figures, const gb_check_steps *steps, int64_t frame_from,
                        int64_t frame_to, gb_check_block *block) {
    for (int64_t who = 0; who < steps->characters; who++) {
        int64_t begin = steps->begin[who] > frame_from ? steps->begin[who] : frame_from;
        int64_t end = steps->end[who] < frame_to ? steps->end[who] : frame_to;
        block->first[who] = 0;
        block->last[who] = -1;
        if (end <= begin) continue;
        int64_t per_step = figures->frames_per_step[steps->kind[who]];
        block->first[who] = begin * per_step;
        block->last[who] = end * per_step;
        lay_character(figures, steps, who, per_step, block);
    }
}

static point place_end(const double *placed, const float *end) {
    double x = (double)end[0], y = (double)end[1];
    const point at = {placed[0] + placed[2] * x - placed[3] * y, placed[1] + placed[3] * x + placed[2] * y,
                      (double)end[2]};
    return at;
}

void gb_judge_place_frame(const gb_check_crowd *crowd, int64_t who, int64_t column, axis *axes) {
    const gb_check_figures *figures = crowd->figures;
    int64_t at = who * crowd->block->columns + column, kind = crowd->steps->kind[who];
    const double *placed = crowd->block->anchor + 4 * at;
    const float *own = figures->axes + 6 * figures->axis_first[crowd->block->row[at]];
    int64_t capsules = figures->capsule_first[kind + 1] - figures->capsule_first[kind];
    for (int64_t capsule = 0; capsule < capsules; capsule++, own += 6) {
        axes[capsule].start = place_end(placed, own);
        axes[capsule].end = place_end(placed, own + 3);
    }
}

void gb_check_place_frame(const gb_check_crowd *crowd, int64_t who, int64_t column, double *axes) {
    gb_judge_place_frame(crowd, who, column, (axis *)axes);
}
