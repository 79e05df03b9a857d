/* Lay clips and the blends between them end to end. */
#include "blending.h"

/* Writes a blended window into the rows of all joins; single precision is good to a thousandth of a millimetre. */
static void keep(const gb_clip_frames *clips, const gb_window *mixed, int64_t row, const gb_joins *joins) {
    int64_t joints = clips->joints, frames = mixed->frames;
    for (int64_t at = 0; at < 3 * frames; at++) joins->root_positions[3 * row + at] = (float)mixed->roots[at];
    for (int64_t at = 0; at < 4 * frames * joints; at++)
        joins->rotations[4 * row * joints + at] = (float)mixed->rotations[at];
    if (!clips->is_rigid)
        for (int64_t at = 0; at < 3 * frames * joints; at++)
            joins->offsets[3 * row * joints + at] = (float)mixed->offsets[at];
    for (int64_t at = 0; at < frames * clips->points; at++)
        joins->planted[row * clips->points + at] = mixed->planted[at];
}

void gb_joins_fill(const gb_clip_frames *clips, const gb_limbs *limbs, const int64_t *pairs, const gb_joins *joins,
                   double *room) {
    gb_blending blending;
    for (int64_t pair = 0; pair < joins->count; pair++) {
        gb_blending_lay_out(&blending, clips, limbs, 2 * joins->window[pair] + 1, room);
        gb_blend(&blending, pairs[2 * pair], pairs[2 * pair + 1], 1);
        keep(clips, &blending.mixed, joins->first[pair], joins);
    }
}

void gb_playback_lay_out(const gb_clip_frames *clips, const gb_joins *joins, const int64_t *step_clips, int64_t steps,
                         const int64_t *step_joins, int64_t *rows, int64_t *anchors) {
    int64_t frame = 0;
    for (int64_t step = 0; step < steps; step++) {
        int64_t clip = step_clips[step], length = clips->steps[clip];
        int64_t joined = step > 0 ? step_joins[step - 1] : -1, joining = step < steps - 1 ? step_joins[step] : -1;
        int64_t before = joined >= 0 ? joins->window[joined] : 0, after = joining >= 0 ? joins->window[joining] : 0;
        /* The frame where two clips meet is the last one of the first. */
        for (int64_t at = step == 0 ? 0 : 1; at <= length; at++, frame++) {
            anchors[frame] = 2 * step;
            if (at < before) {
                rows[frame] = ~(joins->first[joined] + before + at);
            } else if (joining >= 0 && at > length - gb_most(after, 1)) {
                rows[frame] = ~(joins->first[joining] + after + at - length);
                anchors[frame] = 2 * step + 1;
            } else {
                rows[frame] = clips->first[clip] + clips->margin[clip] + at;
            }
        }
    }
}

/* Places a root (3) and its rotation (4) at a planar pose. */
static void carry(const double *pose, double *root, double *turn) {
    double cosine = gb_cos(pose[2]), sine = gb_sin(pose[2]), east = root[0], north = root[1];
    root[0] = pose[0] + cosine * east - sine * north;
    root[1] = pose[1] + sine * east + cosine * north;
    gb_quaternion heading = gb_quaternion_of(gb_cos(0.5 * pose[2]), 0.0, 0.0, gb_sin(0.5 * pose[2]));
    gb_quaternion_put(turn, gb_quaternion_product(heading, gb_quaternion_at(turn)));
}

void gb_playback_play(const gb_clip_frames *clips, const gb_joins *joins, const int64_t *rows, const int64_t *anchors,
                      int64_t frames, const double *poses, double *roots, double *rotations) {
    int64_t numbers = 4 * clips->joints;
    for (int64_t frame = 0; frame < frames; frame++) {
        double *root = roots + 3 * frame, *turns = rotations + numbers * frame;
        int64_t row = rows[frame] >= 0 ? rows[frame] : ~rows[frame];
        if (rows[frame] >= 0) {
            for (int axis = 0; axis < 3; axis++) root[axis] = clips->root_positions[3 * row + axis];
            for (int64_t at = 0; at < numbers; at++) turns[at] = clips->rotations[numbers * row + at];
        } else {
            for (int axis = 0; axis < 3; axis++) root[axis] = (double)joins->root_positions[3 * row + axis];
            for (int64_t at = 0; at < numbers; at++) turns[at] = (double)joins->rotations[numbers * row + at];
        }
        carry(poses + 3 * anchors[frame], root, turns);
    }
}
